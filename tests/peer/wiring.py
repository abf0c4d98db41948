"""Whether the wiring of a nested jaxpr can be what JAX says: by types, and by what JAX's dead code elimination says depends on what.

Nothing here knows how the package decides on a wiring. The laws are JAX's own: a scan's xs lose their leading axis, a reducer sees
elements, a shard sees its part, a kernel sees a block by reference.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Iterator
from typing import Any

from jax._src.interpreters import partial_eval
from jax._src.lax.control_flow.conditionals import cond_p
from jax._src.lax.control_flow.loops import scan_p, while_p

Dict = dict[str, Any]


def _primitive(module: str, name: str) -> Any:
    """One of JAX's primitives; None in a version that has no such, or whose kernels ask for a package that is not here."""
    try:
        return getattr(importlib.import_module(f"jax._src.{module}"), name, None)
    except ImportError:
        return None


pallas_call_p = _primitive("pallas.pallas_call", "pallas_call_p")
jaxpr_call_p = _primitive("pallas.primitives", "jaxpr_call_p")
shard_map_p = _primitive("shard_map", "shard_map_p")

ELEMENTS = ("reduce", "reduce_window", "scatter", "select_and_scatter")
BRANCHING = {cond_p.name}
MAX_EQNS = 300
MAX_RESULTS = 8


def check_call(eqn: Any, call: Dict, inner: Any) -> Iterator[str]:
    """The wiring of one nested jaxpr: a place for every binder and result, and types that fit."""
    inputs, outputs, consts, finals = call["inputs"], call["outputs"], call["consts"], call["finals"]
    if len(inputs) != len(inner.invars) or len(outputs) != len(inner.outvars):
        yield f"wires {len(inputs)} binders and {len(outputs)} results, the jaxpr has {len(inner.invars)} and {len(inner.outvars)}"
        return
    for index, (wire, var) in enumerate(zip(inputs, inner.invars, strict=True)):
        if text := _input(eqn, call, wire, var.aval):
            yield f"binder {index}: {text}"
    if consts and len(consts) != len(inner.constvars):
        yield f"wires {len(consts)} constvars, the jaxpr has {len(inner.constvars)}"
    for index, (wire, var) in enumerate(zip(consts, inner.constvars, strict=False)):
        if text := _input(eqn, call, wire, var.aval):
            yield f"constvar {index}: {text}"
    ends = [(index, end) for index, found in enumerate(outputs) for end in found]
    for index, end in ends:
        if text := _output(eqn, call, end, inner, inner.outvars[index].aval):
            yield f"result {index}: {text}"
    if finals and len(finals) != len(inner.invars):
        yield f"has {len(finals)} finals, the jaxpr {len(inner.invars)} binders"
    for index, var in enumerate(inner.invars if finals else ()):
        for end in finals[index]:
            text = _output(eqn, call, end, inner, var.aval) if end["to"] == "result" and _is_ref(var.aval) else f"{var.aval} ends at {end}"
            if text:
                yield f"binder {index} at the end: {text}"
    for target in ("result", "next", "predicate"):
        reached = [end["index"] for _, end in ends if end["to"] == target]
        if len(reached) != len(set(reached)):
            yield f"two results of the body are one {target}"


def _input(eqn: Any, call: Dict, wire: Dict, aval: Any) -> str | None:
    origin, index = wire["from"], wire["index"]
    if origin == "operand":
        if not 0 <= index < len(eqn.invars):
            return f"comes from operand {index} of {len(eqn.invars)}"
        law = _law(eqn, call, index - eqn.params["num_consts"] >= eqn.params["num_carry"] if eqn.primitive is scan_p else False)
        spec = eqn.params["in_specs"][index] if law is _shard else None
        return _differs(eqn, law, aval, eqn.invars[index].aval, spec)
    if origin == "result":
        if not 0 <= index < len(eqn.outvars):
            return f"writes result {index} of {len(eqn.outvars)}"
        return _differs(eqn, _law(eqn, call, False), aval, eqn.outvars[index].aval, None)
    if origin == "grid" and getattr(aval, "shape", None) != ():
        return f"a place in the grid has the type {aval}"
    if origin == "scratch" and not _is_ref(aval):
        return f"scratch that is no ref: {aval}"
    return None


def _output(eqn: Any, call: Dict, end: Dict, inner: Any, aval: Any) -> str | None:
    to, index = end["to"], end["index"]
    if to == "predicate":
        return None if eqn.primitive is while_p and aval.dtype == bool else f"a predicate of {eqn.primitive} with type {aval}"
    if to == "next":
        if not 0 <= index < len(inner.invars):
            return f"goes to binder {index} of {len(inner.invars)} in the next step"
        return _differs(eqn, _same, inner.invars[index].aval, aval, None)
    if not 0 <= index < len(eqn.outvars):
        return f"goes to result {index} of {len(eqn.outvars)}"
    law = _law(eqn, call, index >= eqn.params["num_carry"] if eqn.primitive is scan_p else False)
    spec = eqn.params["out_specs"][index] if law is _shard else None
    return _differs(eqn, law, aval, eqn.outvars[index].aval, spec)


def _law(eqn: Any, call: Dict, sliced: bool) -> Any:
    if sliced:
        return _slice
    if eqn.primitive is shard_map_p:
        return _shard
    if (eqn.primitive is pallas_call_p and call["param"] == "jaxpr") or eqn.primitive is jaxpr_call_p:
        return _block
    if str(eqn.primitive.name).startswith(ELEMENTS):
        return _element
    return _same


def _differs(eqn: Any, law: Any, inner: Any, outer: Any, spec: Any) -> str | None:
    inside, outside = getattr(inner, "inner_aval", inner), getattr(outer, "inner_aval", outer)
    if not all(hasattr(side, name) for side in (inside, outside) for name in ("shape", "dtype")):
        return None if type(inside) is type(outside) else f"{inner} is wired to {outer}"
    fits = inside.dtype == outside.dtype and law(eqn, inside.shape, outside.shape, spec)
    return None if fits else f"{inner} is wired to {outer} ({law.__name__[1:]})"


def _is_ref(aval: Any) -> bool:
    return hasattr(aval, "inner_aval")


def _same(eqn: Any, inside: Any, outside: Any, spec: Any) -> bool:
    return bool(inside == outside)


def _slice(eqn: Any, inside: Any, outside: Any, spec: Any) -> bool:
    return bool(outside == (eqn.params["length"], *inside))


def _element(eqn: Any, inside: Any, outside: Any, spec: Any) -> bool:
    return bool(inside == ())


def _block(eqn: Any, inside: Any, outside: Any, spec: Any) -> bool:
    return len(inside) <= len(outside)  # a block shape may drop dimensions


def _shard(eqn: Any, inside: Any, outside: Any, spec: Any) -> bool:
    if len(inside) != len(outside):
        return False
    parts = getattr(spec, "partitions", spec)  # one with unreduced or reduced axes does not iterate
    axes = [*parts, *[None] * (len(outside) - len(parts))]
    names = [() if a is None else a if isinstance(a, tuple) else (a,) for a in axes]
    sizes = [math.prod(eqn.params["mesh"].shape[name] for name in some) for some in names]
    return bool(outside == tuple(part * size for part, size in zip(inside, sizes, strict=True)))


# ---- what depends on what


def check_reach(eqn: Any, ours: Dict, jaxprs: Dict) -> Iterator[str]:
    """Which operands each result depends on, followed through our wiring, against JAX's dead code elimination of the equation."""
    rule = partial_eval.dce_rules.get(eqn.primitive)
    if rule is None or eqn.primitive.name not in _ruled() or not _small(ours, jaxprs, [MAX_EQNS]):
        return
    if not eqn.outvars or eqn.effects:
        return
    step = max(1, len(eqn.outvars) // MAX_RESULTS)
    for result in range(0, len(eqn.outvars), step):
        used, _ = rule([index == result for index in range(len(eqn.outvars))], eqn)
        truth = {index for index, is_used in enumerate(used) if is_used}
        found = _needs(ours, jaxprs, {result})
        if found != truth:
            yield f"result {result} depends on the operands {sorted(found)} by our wiring, on {sorted(truth)} by JAX's"


def _ruled() -> set[str]:
    return {primitive.name for primitive in partial_eval.dce_rules} & _FOLLOWED


# The rules of the others (custom rules, kernels) keep every operand, and say nothing of the wiring.
_FOLLOWED = {"scan", "cond", "jit", "pjit", "remat2", "closed_call", "call", "shard_map", "compute_on"}


def _small(ours: Dict, jaxprs: Dict, left: list[int]) -> bool:
    """Whether everything inside is short, and without effects (which keep what nothing reads)."""
    for call in ours["nested"]:
        for eqn in jaxprs[call["jaxpr"]]["eqns"]:
            left[0] -= 1
            if left[0] < 0 or eqn["effects"] or not _small(eqn, jaxprs, left):
                return False
    return True


def _needs(eqn: Dict, jaxprs: Dict, results: set[int]) -> set[int]:
    if not results:
        return set()
    if not eqn["nested"] or eqn["primitive"] not in _ruled():
        return set(range(len(eqn["operands"])))
    needed = {0} if eqn["primitive"] in BRANCHING else set()
    for call in eqn["nested"]:
        outputs, inputs = call["outputs"], call["inputs"]
        wanted = {i for i, ends in enumerate(outputs) if any(end["to"] == "result" and end["index"] in results for end in ends)}
        while True:
            binders = _needed_binders(jaxprs[call["jaxpr"]], jaxprs, wanted)
            # After no step at all a carry is what it was before.
            binders |= {end["index"] for i in wanted for end in outputs[i] if end["to"] == "next"}
            more = {i for i, ends in enumerate(outputs) if any(end["to"] == "next" and end["index"] in binders for end in ends)}
            if more <= wanted:
                break
            wanted |= more
        needed |= {inputs[i]["index"] for i in binders if inputs[i]["from"] == "operand"}
    return needed


def _needed_binders(body: Dict, jaxprs: Dict, outvars: set[int]) -> set[int]:
    live = {body["outvars"][i]["var"] for i in outvars if "var" in body["outvars"][i]}
    for eqn in reversed(body["eqns"]):
        results = {i for i, result in enumerate(eqn["results"]) if result["var"] in live}
        live |= {eqn["operands"][i]["atom"].get("var", "") for i in _needs(eqn, jaxprs, results)}
    return {i for i, var in enumerate(body["invars"]) if var in live}
