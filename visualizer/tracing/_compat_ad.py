"""JAX's automatic differentiation from inside: where it pairs a value with its tangent, and where it adds to a cotangent.

Part of `compat`, which the rest imports it from. Written for JAX 0.10.2 (jax/_src/interpreters/ad.py).
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from functools import lru_cache
from threading import get_ident
from typing import Any

import jax
from jax._src import api as _api
from jax._src import config as _config
from jax._src import core as _core
from jax._src import pjit as _pjit
from jax._src import source_info_util as _source_info
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
Transform: Any = _source_info.Transform
_DERIVATIVES = frozenset({"jvp", "transpose"})
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


def tracing_anew() -> Any:
    """A context in which JAX takes no trace that it remembers but those made in it, and forgets none; None where there is no such.

    JAX remembers each trace with its settings. One of them says where jitted functions that are made now, outside of any trace, keep their
    calls: that those made in the context keep them no longer than it is all else that it does. A setting of our own would do, too, but from
    the moment that it is there JAX would trace and compile everything once more.
    """
    setting, known = getattr(_config, "jax_jit_cpp_cache_obj", None), getattr(_pjit, "_cpp_pjit_cache_fun_only", None)
    if setting is None or type(known).__name__ != "PjitFunctionCache":
        return None
    cache: Any = type(known)
    return setting(cache(capacity=16))


def transform_mark() -> Any:
    """A class of transformations on name stacks that is like JAX's own in all but that it is another."""
    return type(Transform.__name__, (Transform,), {"__slots__": ()})


@contextlib.contextmanager
def marking_transforms(mark: Any) -> Iterator[None]:
    """While this lasts, each transformation that JAX puts on a name stack in this thread is of a class of ours."""
    real, me = _source_info.Transform, get_ident()

    def transform(name: str) -> Any:
        return mark(name) if get_ident() == me else real(name)

    _source_info.Transform = transform
    try:
        yield
    finally:
        _source_info.Transform = real


def derivatives_in(jaxpr: Any) -> set[Any]:
    """The classes of the differentiations on the name stacks of a jaxpr's own equations."""
    stacks = {id(eqn.source_info.name_stack): eqn.source_info.name_stack.stack for eqn in jaxpr.eqns}
    return {type(entry) for stack in stacks.values() for entry in stack if isinstance(entry, Transform) and entry.name in _DERIVATIVES}


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
