"""Which operand feeds which binder of a nested jaxpr, and where each of its results goes.

Promises: one input per inner invar and one list of outputs per inner outvar; exact for the primitives named here; for one that nobody
has heard of, one to one where counts and types leave no other reading, else `inner`.
Must never: guess.

`next` carries the index of the binder of the same body that reads the value in the next step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

Input = tuple[str, int]
Output = tuple[str, int]
Wires = tuple[list[Input], list[list[Output]]]

# Primitives whose body takes the operands and gives the results, one to one, with the param that holds it.
ONE_TO_ONE = {
    ("jit", "jaxpr"),
    ("pjit", "jaxpr"),
    ("closed_call", "call_jaxpr"),
    ("call", "call_jaxpr"),
    ("core_call", "call_jaxpr"),
    ("custom_jvp_call", "call_jaxpr"),
    ("custom_vjp_call", "call_jaxpr"),
    ("custom_vjp_call_jaxpr", "fun_jaxpr"),
    ("checkpoint", "jaxpr"),
    ("remat", "jaxpr"),
    ("remat2", "jaxpr"),
    ("remat_opt", "fwd_jaxpr"),
    ("shard_map", "jaxpr"),
    ("custom_vmap_call", "call"),
    ("custom_partitioning", "call"),
    ("composite", "jaxpr"),
    ("compute_on", "jaxpr"),
    ("xla_metadata_call", "jaxpr"),
    ("fused_call", "jaxpr"),
    ("linear_call", "callee"),
}


@dataclass(frozen=True)
class Site:
    """One nested jaxpr of an equation: where it was found, what is on both sides, and how to tell a type (as JAX prints it)."""

    primitive: str
    params: Mapping[str, Any]
    path: str
    operands: Sequence[Any]
    results: Sequence[Any]
    invars: Sequence[Any]
    outvars: Sequence[Any]
    type_of: Callable[[Any], str]


def wire(site: Site) -> tuple[str, Wires]:
    """The label of the nested jaxpr (`body`, `cond`, `true`, ...) and its wiring."""
    rule = RULES.get(site.primitive)
    if rule is not None:
        ruled = rule(site)
        if ruled is not None and len(ruled[1][0]) == len(site.invars) and len(ruled[1][1]) == len(site.outvars):
            return ruled
    if (site.primitive, site.path) in ONE_TO_ONE and len(site.operands) == len(site.invars):
        return "body", (_operands(range(len(site.invars))), _results(site))
    return _label(site), _by_type(site)


def _operands(indices: Any) -> list[Input]:
    return [("operand", index) for index in indices]


def _results(site: Site) -> list[list[Output]]:
    return [[("result", i)] if i < len(site.results) else [] for i in range(len(site.outvars))]


def _label(site: Site) -> str:
    return "body" if site.path in ("jaxpr", "call_jaxpr", "fun_jaxpr", "call") else site.path.removesuffix("_jaxpr")


def _by_type(site: Site) -> Wires:
    inputs = (
        _operands(range(len(site.invars))) if _alike(site, site.invars, site.operands) else [("inner", i) for i in range(len(site.invars))]
    )
    outputs: list[list[Output]] = _results(site) if _alike(site, site.outvars, site.results) else [[] for _ in site.outvars]
    return inputs, outputs


def _alike(site: Site, inside: Sequence[Any], outside: Sequence[Any]) -> bool:
    return len(inside) == len(outside) and all(site.type_of(a) == site.type_of(b) for a, b in zip(inside, outside, strict=True))


def _scan(site: Site) -> tuple[str, Wires] | None:
    consts, carry = site.params.get("num_consts"), site.params.get("num_carry")
    if site.path != "jaxpr" or type(consts) is not int or type(carry) is not int or len(site.invars) != len(site.operands):
        return None
    outputs: list[list[Output]] = [
        [("next", consts + i), ("result", i)] if i < carry else [("result", i)] for i in range(len(site.outvars))
    ]
    return "body", (_operands(range(len(site.invars))), outputs)


def _while(site: Site) -> tuple[str, Wires] | None:
    cond, body = site.params.get("cond_nconsts"), site.params.get("body_nconsts")
    if type(cond) is not int or type(body) is not int:
        return None
    carry = list(range(cond + body, len(site.operands)))
    if site.path == "cond_jaxpr":
        return "cond", (_operands([*range(cond), *carry]), [[("predicate", 0)]])
    if site.path == "body_jaxpr":
        outputs: list[list[Output]] = [[("next", body + i), ("result", i)] for i in range(len(carry))]
        return "body", (_operands([*range(cond, cond + body), *carry]), outputs)
    return None


def _cond(site: Site) -> tuple[str, Wires] | None:
    branches = site.params.get("branches")
    if not site.path.startswith("branches[") or not isinstance(branches, tuple):
        return None
    index = int(site.path[len("branches[") : -1])
    label = ("false", "true")[index] if len(branches) == 2 else f"branch {index}"
    return label, (_operands(range(1, len(site.operands))), _results(site))


def _linear_solve(site: Site) -> tuple[str, Wires] | None:
    """`lax.custom_linear_solve`: operands are the consts of matvec, vecmat, solve, transpose_solve, then b; only `solve` runs as it is."""
    lengths = site.params.get("const_lengths")
    names = getattr(lengths, "_fields", ())
    name = site.path.removeprefix("jaxprs.")
    if name not in names or not isinstance(lengths, tuple):
        return None
    ends = list(accumulate(lengths))
    which = names.index(name)
    consts = list(range(ends[which] - lengths[which], ends[which]))
    free = len(site.invars) - len(consts)
    if name == "solve":
        return name, (_operands([*consts, *range(ends[-1], len(site.operands))]), _results(site))
    return name, ([*_operands(consts), *(("inner", i) for i in range(free))], [[] for _ in site.outvars])


def _reducer(site: Site) -> tuple[str, Wires] | None:
    """`lax.reduce`: operands are n arrays, then their n initial values; the body takes n accumulators, then n elements."""
    half = len(site.operands) // 2
    if site.path != "jaxpr" or len(site.invars) != 2 * half or len(site.operands) != 2 * half or site.params.get("consts"):
        return None
    outputs: list[list[Output]] = [[("next", i), ("result", i)] for i in range(half)]
    return "reducer", (_operands([*range(half, 2 * half), *range(half)]), outputs)


def _pallas(site: Site) -> tuple[str, Wires] | None:
    """`pallas_call`: the kernel takes the operands, then refs of the results, then scratch; an index map takes the place in the grid."""
    grid = site.params.get("grid_mapping")
    counts = [getattr(grid, f"num_{name}", None) for name in ("index_operands", "inputs", "outputs", "scratch_operands")]
    if not all(type(count) is int for count in counts):
        return None
    indices, inputs, outputs, scratch = (count for count in counts if count is not None)
    nothing: list[list[Output]] = [[] for _ in site.outvars]
    if site.path == "jaxpr" and indices + inputs == len(site.operands) and outputs == len(site.results):
        refs: list[Input] = [*_operands(range(indices + inputs)), *(("result", i) for i in range(outputs))]
        return "kernel", ([*refs, *(("scratch", i) for i in range(scratch))], nothing)
    if site.path.startswith("grid_mapping.block_mappings["):
        where: list[Input] = [("grid", i) for i in range(len(site.invars) - indices)]
        return "index map", ([*where, *_operands(range(indices))], nothing)
    return None


RULES: dict[str, Callable[[Site], tuple[str, Wires] | None]] = {
    "scan": _scan,
    "while": _while,
    "cond": _cond,
    "custom_linear_solve": _linear_solve,
    "reduce": _reducer,
    "reduce_window": _reducer,
    "pallas_call": _pallas,
}
