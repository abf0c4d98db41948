"""The wiring of the primitives whose bodies see elements, blocks or references, each by JAX's own definition of it.

Promises: as `_wiring` does; the file of JAX that says so stands at each rule.
Must never: guess.
"""

from __future__ import annotations

from typing import Any

from ._wiring import CONTROL_FLOW, Input, Outputs, Rule, Site, Wiring, nowhere, operands, results

# ---- reducers: jax/_src/lax/lax.py, windowed_reductions.py, slicing.py


def _reducer(site: Site) -> Wiring | None:
    """`reduce`, `reduce_window`: operands are n arrays, then their n initial values; the body takes n accumulators, then n elements."""
    half = len(site.operands) // 2
    if site.path != "jaxpr" or len(site.invars) != 2 * half or len(site.operands) != 2 * half:
        return None
    return Wiring("reducer", operands([*range(half, 2 * half), *range(half)]), [[("next", i), ("result", i)] for i in range(half)])


def _scatter(site: Site) -> Wiring | None:
    """`scatter` and its kin: operands are an array, indices, updates; the body takes an element of the array and one of the updates.

    Where indices may repeat, the element is what an earlier update left.
    """
    if site.path != "update_jaxpr" or len(site.operands) != 3:
        return None
    alone: Outputs = [[("result", 0)]]
    repeated: Outputs = [[("next", 0), ("result", 0)]]
    return Wiring("update", operands([0, 2]), alone if site.params.get("unique_indices") is True else repeated)


def _select_and_scatter(site: Site) -> Wiring | None:
    """Operands are an array, a source, an initial value: `select` compares two elements of the array, `scatter` adds one of the source."""
    if len(site.operands) != 3:
        return None
    if site.path == "select_jaxpr":
        return Wiring("select", operands([0, 0]), nowhere(site.outvars))
    if site.path == "scatter_jaxpr":
        return Wiring("scatter", operands([2, 1]), [[("next", 0), ("result", 0)]])
    return None


# ---- references: jax/_src/state/discharge.py, pallas/primitives.py, pallas/core.py


def _run_state(site: Site) -> Wiring | None:
    """`run_state`: each operand is put in a ref; what the refs hold at the end are the results."""
    initialized = site.params.get("is_initialized")
    if site.path != "jaxpr" or not isinstance(initialized, tuple) or not all(flag is True for flag in initialized):
        return None
    if not len(initialized) == len(site.invars) == len(site.results) == len(site.operands):
        return None
    finals: Outputs = [[("result", i)] for i in range(len(site.results))]
    return Wiring("body", operands(range(len(site.operands))), nowhere(site.outvars), finals=finals)


def _run_scoped(site: Site) -> Wiring | None:
    """`run_scoped`, `core_map`: the operands are what the body closes over, its binders are new refs."""
    if site.path != "jaxpr" or len(site.constvars) != len(site.operands):
        return None
    scratch: list[Input] = [("scratch", i) for i in range(len(site.invars))]
    return Wiring("body" if site.primitive == "run_scoped" else "kernel", scratch, results(site), operands(range(len(site.operands))))


# ---- kernels: jax/_src/pallas/core.py (GridMapping), pallas_call.py, mpmd.py, primitives.py, mosaic/sc_primitives.py


def _pallas(site: Site) -> Wiring | None:
    """`pallas_call` takes closed-over refs, dynamic sizes of the grid, index operands, inputs.

    The kernel takes index operands, inputs, refs of the results, then scratch; an index map the place in the grid, then index operands.
    """
    grid = site.params.get("grid_mapping")
    closed = len(site.params["jaxpr"].constvars)
    first = closed + grid.num_dynamic_grid_bounds  # type: ignore[union-attr]
    indices, inputs, outputs, scratch = (
        getattr(grid, name) for name in ("num_index_operands", "num_inputs", "num_outputs", "num_scratch_operands")
    )
    if first + indices + inputs != len(site.operands) or outputs != len(site.results):
        return None
    if site.path == "jaxpr":
        given = [*operands(range(first, first + indices + inputs)), *(("result", i) for i in range(outputs))]
        written: Outputs = [[("result", i)] for i in range(outputs)]
        finals = [*([] for _ in range(indices + inputs)), *written, *([] for _ in range(scratch))]
        binders = [*given, *(("scratch", i) for i in range(scratch))]
        return Wiring("kernel", binders, nowhere(site.outvars), operands(range(closed)), finals)
    if site.path.startswith("grid_mapping.block_mappings["):
        where: list[Input] = [("grid", i) for i in range(len(site.invars) - indices)]
        return Wiring("index map", [*where, *operands(range(first, first + indices))], nowhere(site.outvars))
    return None


def _mpmd(site: Site) -> Wiring | None:
    """`mpmd_map`: kernels that run beside each other; each takes the operands, refs of the results, then scratch of its own."""
    kernels = site.params.get("jaxprs")
    if not site.path.startswith("jaxprs[") or not isinstance(kernels, tuple):
        return None
    taken, given = len(site.operands), len(site.results)
    scratch = len(site.invars) - taken - given
    if scratch < 0:
        return None
    binders = [*operands(range(taken)), *(("result", i) for i in range(given)), *(("scratch", i) for i in range(scratch))]
    written: Outputs = [[("result", i)] for i in range(given)]
    finals = [*([] for _ in range(taken)), *written, *([] for _ in range(scratch))]
    label = "kernel" if len(kernels) == 1 else f"kernel {site.path[len('jaxprs[') : -1]}"
    return Wiring(label, binders, nowhere(site.outvars), finals=finals)


def _parallel_loop(site: Site) -> Wiring | None:
    """`parallel_loop` takes lower, upper, step, what the body closes over, the carry; the body takes the counter, then the carry."""
    closed, carry = len(site.constvars), len(site.results)
    if site.path != "jaxpr" or len(site.operands) != 3 + closed + carry or len(site.invars) != 1 + carry:
        return None
    outputs: Outputs = [[("next", 1 + i), ("result", i)] for i in range(carry)]
    counter: Input = ("inner", 0)
    return Wiring("body", [counter, *operands(range(3 + closed, 3 + closed + carry))], outputs, operands(range(3, 3 + closed)))


def _jaxpr_call(site: Site) -> Wiring | None:
    """`jaxpr_call` takes refs, each followed by the indices of the part that the body sees, then places in the grid."""
    trees: Any = site.params.get("ref_treedefs")
    if site.path != "jaxpr" or not isinstance(trees, tuple) or len(trees) != len(site.invars):
        return None
    leaves = [int(tree.num_leaves) for tree in trees]
    return Wiring("body", operands(sum(leaves[:i]) for i in range(len(leaves))), results(site))


def _custom_fusion(site: Site) -> Wiring | None:
    """`custom_fusion` takes what its function and its kernel close over, then the arguments of both."""
    own, kernel = site.params["num_consts"], site.params["pallas_num_consts"]
    first = own + kernel
    closed = {"jaxpr": range(own), "pallas_jaxpr": range(own, first)}.get(site.path)
    if closed is None or len(closed) != len(site.constvars):
        return None
    label = "body" if site.path == "jaxpr" else "kernel"
    return Wiring(label, operands(range(first, len(site.operands))), results(site), operands(closed))


RULES: dict[str, Rule] = {
    **CONTROL_FLOW,
    "reduce": _reducer,
    "reduce_window": _reducer,
    **dict.fromkeys(("scatter", "scatter-add", "scatter-sub", "scatter-mul", "scatter-min", "scatter-max"), _scatter),
    "select_and_scatter": _select_and_scatter,
    "run_state": _run_state,
    "run_scoped": _run_scoped,
    "core_map": _run_scoped,
    "pallas_call": _pallas,
    "mpmd_map": _mpmd,
    "parallel_loop": _parallel_loop,
    "jaxpr_call": _jaxpr_call,
    "custom_fusion": _custom_fusion,
}
