"""JAX's automatic differentiation from inside: where it pairs a value with its tangent, and where it adds to a cotangent.

Part of `compat`, which the rest imports it from. Written for JAX 0.10.2 (jax/_src/interpreters/ad.py).
"""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

import jax
from jax._src import api as _api
from jax._src import core as _core
from jax._src.interpreters import ad as _ad
from jax._src.interpreters import batching as _batching
from jax._src.interpreters import partial_eval as _partial_eval

tree_leaves = jax.tree.leaves
BatchTracer: Any = _batching.BatchTracer
StagedTracer: Any = _partial_eval.DynamicJaxprTracer
# (object, attribute) of each place, and the parameters that ours relies on.
_Accumulator: Any = getattr(_ad, "ValAccum", None)  # from 0.7: what went before is not watched
AD_PAIRS = ((_ad.JVPTracer, "__init__"), (getattr(_ad, "LinearizeTracer", None), "__init__"))
AD_SUMS = ((_Accumulator, "__init__"), (_Accumulator, "accum"))
AD_LINEARIZED = (_api, "_lift_linearized")
# By this a jaxpr that was traced before is traced again: by jvp, linearize and vmap of a jit or of the body of a loop.
AD_EVALUATES = tuple((home, "eval_jaxpr") for home in (_core, _api) if hasattr(home, "eval_jaxpr"))
_PARAMETERS = {
    AD_PAIRS[0]: ("self", "trace", "primal", "tangent"),
    AD_PAIRS[1]: ("self", "trace", "primal", "tangent"),
    AD_SUMS[0]: ("self", "aval", "val"),
    AD_SUMS[1]: ("self", "x"),
    AD_LINEARIZED: ("jaxpr", "in_avals", "out_avals", "out_known", "consts", "tangents"),
}


def differentiation_fits() -> bool:
    """Whether this JAX differentiates the way that is written for here."""
    if _Accumulator is None or not hasattr(*AD_LINEARIZED):
        return False
    try:
        if not _have_parameters(*[getattr(*place) for place in _PARAMETERS]):
            return False
    except (AttributeError, TypeError, ValueError):
        return False
    return hasattr(_Accumulator, "freeze") and {"primal", "tangent"} <= set(_ad.JVPTracer.__slots__)


@lru_cache(2)
def _have_parameters(*functions: Any) -> bool:
    return all(tuple(inspect.signature(one).parameters) == named for one, named in zip(functions, _PARAMETERS.values(), strict=True))


def evaluation_fits() -> bool:
    """Whether this JAX evaluates jaxprs the way that is written for here."""
    named = {tuple(inspect.signature(getattr(*place)).parameters) for place in AD_EVALUATES}
    return named == {("jaxpr", "consts", "args", "propagate_source_info")} and hasattr(_core.Jaxpr, "replace")


def is_tracer(value: Any) -> bool:
    """Whether something is being traced."""
    return isinstance(value, _core.Tracer)


def primal_of(tracer: Any) -> Any:
    """What a tracer of a differentiation or of `vmap` stands for, one step further in; None for every other value."""
    kind = type(tracer)
    if kind is _ad.JVPTracer or kind is AD_PAIRS[1][0]:
        return tracer.primal
    return tracer.val if kind is BatchTracer else None


def variable_of(tracer: Any) -> Any:
    """The variable of a jaxpr being traced that a tracer is; None for a value, or a literal."""
    atom = tracer.val
    return atom if type(atom) is _core.Var else None
