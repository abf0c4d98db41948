"""Which operand feeds which binder of a nested jaxpr, and where each of its results goes.

Promises: one input per inner invar and one list of outputs per inner outvar; exact for the primitives named here and in the rules beside
it, by JAX's own definitions of them; for one that nobody has heard of, one to one where counts and types leave no other reading, else
`inner`. Every index is one of something that is there, whatever a stranger's params say.
Must never: guess.

`next` carries the index of the binder of the same body that reads the value in the next step.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

Input = tuple[str, int]
Output = tuple[str, int]
Outputs = list[list[Output]]

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


class Site(NamedTuple):
    """One nested jaxpr of an equation: where it was found, what is on both sides, and how to tell a type (as JAX prints it)."""

    primitive: str
    params: Mapping[str, Any]
    path: str
    operands: Sequence[Any]
    results: Sequence[Any]
    invars: Sequence[Any]
    outvars: Sequence[Any]
    type_of: Callable[[Any], str]
    constvars: Sequence[Any] = ()


@dataclass(frozen=True, eq=False)
class Wiring:
    """What goes in and out of a nested jaxpr, and what it is called (`body`, `cond`, `true`, ...). Calls that are wired alike share one."""

    label: str
    inputs: list[Input]
    outputs: Outputs
    consts: list[Input] = field(default_factory=list)
    """One per constvar where the equation gives them (closed-over refs of a kernel); empty where their values are in the jaxpr."""
    finals: Outputs = field(default_factory=list)
    """One list per invar where what a ref holds at the end is a result of the equation; empty where no ref is."""

    @cached_property
    def wire(self) -> dict[str, Any]:
        """As the wire has it. Calls that are wired alike share the lists: nothing changes them."""
        return {
            "inputs": [{"from": origin, "index": index} for origin, index in self.inputs],
            "outputs": [[{"to": to, "index": index} for to, index in ends] for ends in self.outputs],
            "consts": [{"from": origin, "index": index} for origin, index in self.consts],
            "finals": [[{"to": to, "index": index} for to, index in ends] for ends in self.finals],
        }


Rule = Callable[[Site], Wiring | None]


def wire(site: Site, rules: Mapping[str, Rule]) -> Wiring:
    """The wiring of a nested jaxpr, by the rule of its primitive where that fits, else by what its types leave no doubt of."""
    return straight(site.primitive, site.path, *map(len, site[3:7])) or by_rule(site, rules)


def by_rule(site: Site, rules: Mapping[str, Rule]) -> Wiring:
    """The same of one that `straight` says nothing of."""
    rule = rules.get(site.primitive)
    if rule is not None:
        try:
            ruled = rule(site)
        except Exception:  # params of a stranger's own
            ruled = None
        if ruled is not None and _fits(ruled, *map(len, site[3:7]), len(site.constvars)):
            return ruled
    return _by_type(site)


def straight(primitive: str, path: str, taken: int, given: int, binders: int, outs: int) -> Wiring | None:
    """The wiring of a nested jaxpr that takes the operands and gives the results, one to one, by the definition of its primitive."""
    return _straight(binders, outs) if (primitive, path) in ONE_TO_ONE and taken == binders and given == outs else None


@lru_cache(1024)
def _straight(binders: int, given: int) -> Wiring:
    return Wiring("body", operands(range(binders)), [[("result", i)] for i in range(given)])


def operands(indices: Any) -> list[Input]:
    """The operands of the given indices, as inputs."""
    return [("operand", index) for index in indices]


def results(site: Site) -> Outputs:
    """Each result of the body is the result of the equation at the same place."""
    return [[("result", i)] for i in range(len(site.outvars))]


def nowhere(vars_: Sequence[Any]) -> Outputs:
    """What is read by the primitive itself, if at all."""
    return [[] for _ in vars_]


@lru_cache(1024)
def _fits(made: Wiring, taken: int, given: int, binders: int, outs: int, constants: int) -> bool:
    if len(made.inputs) != binders or len(made.outputs) != outs:
        return False
    if len(made.consts) not in (0, constants) or len(made.finals) not in (0, binders):
        return False
    tops = {"operand": taken, "result": given, "next": binders, "predicate": 1}
    ends = [end for found in (*made.outputs, *made.finals) for end in found]
    return all(0 <= index < tops.get(kind, index + 1) for kind, index in (*made.inputs, *made.consts, *ends))


def _by_type(site: Site) -> Wiring:
    label = "body" if site.path in ("jaxpr", "call_jaxpr", "fun_jaxpr", "call") else site.path.removesuffix("_jaxpr")
    known = _alike(site, site.invars, site.operands)
    return Wiring(
        label,
        operands(range(len(site.invars))) if known else [("inner", i) for i in range(len(site.invars))],
        results(site) if _alike(site, site.outvars, site.results) else nowhere(site.outvars),
    )


def _alike(site: Site, inside: Sequence[Any], outside: Sequence[Any]) -> bool:
    return len(inside) == len(outside) and all(site.type_of(a) == site.type_of(b) for a, b in zip(inside, outside, strict=True))


# ---- control flow


def _scan(site: Site) -> Wiring | None:
    consts, carry = site.params.get("num_consts"), site.params.get("num_carry")
    if site.path != "jaxpr" or type(consts) is not int or type(carry) is not int or len(site.invars) != len(site.operands):
        return None
    return _loop(len(site.invars), len(site.outvars), consts, carry)


@lru_cache(1024)
def _loop(binders: int, given: int, consts: int, carry: int) -> Wiring:
    outputs: Outputs = [[("next", consts + i), ("result", i)] if i < carry else [("result", i)] for i in range(given)]
    return Wiring("body", operands(range(binders)), outputs)


def _while(site: Site) -> Wiring | None:
    cond, body = site.params.get("cond_nconsts"), site.params.get("body_nconsts")
    if type(cond) is not int or type(body) is not int:
        return None
    carry = list(range(cond + body, len(site.operands)))
    if site.path == "cond_jaxpr":
        return Wiring("cond", operands([*range(cond), *carry]), [[("predicate", 0)]])
    if site.path == "body_jaxpr":
        outputs: Outputs = [[("next", body + i), ("result", i)] for i in range(len(carry))]
        return Wiring("body", operands([*range(cond, cond + body), *carry]), outputs)
    return None


def _cond(site: Site) -> Wiring | None:
    branches = site.params.get("branches")
    if not site.path.startswith("branches[") or not isinstance(branches, tuple):
        return None
    index = int(site.path[len("branches[") : -1])
    if index >= len(branches):
        return None
    return _chosen(_branch(site, index, len(branches)), len(site.operands), len(site.outvars))


@lru_cache(1024)
def _chosen(label: str, taken: int, given: int) -> Wiring:
    return Wiring(label, operands(range(1, taken)), [[("result", i)] for i in range(given)])


def _branch(site: Site, index: int, count: int) -> str:
    platforms = site.params.get("branches_platforms")  # of lax.platform_dependent: no branch is true or false
    if isinstance(platforms, tuple) and len(platforms) == count:
        names = platforms[index]
        return "default" if names is None else " or ".join(str(name) for name in names)
    return f"branch {index}"  # which of two is the true one depends on what the index was: `_branches`


def _linear_solve(site: Site) -> Wiring | None:
    """`lax.custom_linear_solve`: operands are the consts of matvec, vecmat, solve, transpose_solve, then b; only `solve` runs as it is."""
    lengths = site.params.get("const_lengths")
    names = getattr(lengths, "_fields", ())
    name = site.path.removeprefix("jaxprs.")
    if name not in names or not isinstance(lengths, tuple):
        return None
    ends = list(accumulate(lengths))
    which = names.index(name)
    consts = list(range(ends[which] - lengths[which], ends[which]))
    if name == "solve":
        return Wiring(name, operands([*consts, *range(ends[-1], len(site.operands))]), results(site))
    free = len(site.invars) - len(consts)
    return Wiring(name, [*operands(consts), *(("inner", i) for i in range(free))], nowhere(site.outvars))


CONTROL_FLOW: dict[str, Rule] = {"scan": _scan, "while": _while, "cond": _cond, "custom_linear_solve": _linear_solve}
