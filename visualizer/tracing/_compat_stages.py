"""JAX's `Traced`, made and changed, in the three forms it has had: part of `compat`, which gives out its names.

From 0.8 a Traced holds the types of the arguments and the params of the call; in 0.7 a function that lowers, and the params; before, a
function that lowers, with the params among its keywords.

Promises: what is lowered from a Traced of ours is what `jax.jit(f).trace(*args).lower()` lowers, with the jaxpr that was put into it.
"""

from __future__ import annotations

from functools import partial
from types import MethodType
from typing import Any

import jax
from jax._src import core as _core
from jax._src import mesh as _mesh
from jax._src import pjit as _pjit
from jax._src import stages as _stages
from jax._src.interpreters import mlir as _mlir
from jax._src.interpreters import partial_eval as _partial_eval

from ._compat_older import abstract_type

_jit = jax.jit
_Jitted = type(_jit(lambda: None))
_structure = jax.tree.structure
_SLOTS = frozenset(_stages.Traced.__slots__)
_TYPED, _CALLED = "_meta_tys_flat" in _SLOTS, "_lfg" in _SLOTS


def params_of(traced: Any) -> dict[str, Any]:
    """The params of the call that was traced."""
    params: dict[str, Any] = traced._params if _TYPED or _CALLED else traced._lower_callable.keywords
    return params


def closed_traced(closed: Any, name: str) -> Any:
    """A `Traced` of a closed jaxpr, as `jax.jit(f).trace(*args)` makes it for plain arguments: nothing donated, no sharding asked for."""
    taken, given = len(closed.in_avals), len(closed.out_avals)
    params = {
        "jaxpr": closed,
        "in_shardings": (_pjit.UNSPECIFIED,) * taken,
        "out_shardings": (_pjit.UNSPECIFIED,) * given,
        "in_layouts": (None,) * taken,
        "out_layouts": (None,) * given,
        "donated_invars": (False,) * taken,
        "name": name,
        "keep_unused": False,
        "inline": False,
        "compiler_options_kvs": (),
    }
    trees = _structure(((0,) * taken, {})), _structure((0,) * given)
    if _TYPED:
        types = [abstract_type(aval, None, None, True, False) for aval in closed.in_avals]
        return _stages.Traced(types, {**params, "ctx_mesh": _mesh.get_concrete_mesh()}, *trees, [])
    # What the params hold beside (a mesh, a resource environment) is as a call here has it.
    empty = _jit(lambda: ()).trace()
    params = {**params_of(empty), **params}
    arguments = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in closed.in_avals]
    lower = partial(_pjit._resolve_and_lower, arguments, pgle_profiler=None)
    if _CALLED:
        return _stages.Traced(lower, params, *trees, 0)
    return _replaced(empty, jaxpr=closed, fun_name=name, lower_callable=partial(lower, **params), args_info=((), {}), out_tree=trees[1])


def traced_with(traced: Any, closed: Any) -> Any:
    """The same `Traced` with another jaxpr of the same types: name, donation, shardings and layouts stay."""
    return _with_params(traced, {**params_of(traced), "jaxpr": closed})


def traced_with_options(traced: Any, whole: Any, kept: list[int]) -> Any:
    """`traced` with what `whole`, a `Traced` of the same function with more arguments, was told beside; `kept` are those it shares."""
    told, own = params_of(whole), params_of(traced)
    counts = (len(kept), len(own["donated_invars"])), (len(told["out_shardings"]), len(own["out_shardings"]))
    if whole._num_consts or traced._num_consts or any(one != other for one, other in counts):
        return traced
    params = {**told, "jaxpr": own["jaxpr"]}
    for name in ("in_shardings", "in_layouts", "donated_invars"):
        params[name] = tuple(told[name][index] for index in kept)
    return _with_params(traced, params)


def _with_params(traced: Any, params: dict[str, Any]) -> Any:
    if _TYPED:
        return type(traced)(traced._meta_tys_flat, params, traced._in_tree, traced.out_tree, traced._consts)
    if _CALLED:
        return type(traced)(traced._lfg, params, traced._in_tree, traced._out_tree, traced._num_consts)
    lower = traced._lower_callable
    return _replaced(traced, jaxpr=params["jaxpr"], lower_callable=partial(lower.func, *lower.args, **params))


def _replaced(traced: Any, **changes: Any) -> Any:
    """A Traced of the oldest form with other contents."""
    made = object.__new__(type(traced))
    own = {**{slot: getattr(traced, slot) for slot in _SLOTS}, **getattr(traced, "__dict__", {})}  # 0.4 has more than it has slots for
    for name, value in own.items():
        setattr(made, name, changes.get(name.removeprefix("_"), value))
    return made


def lower_to_module(traced: Any, symbolic: bool) -> Any:
    """JAX's own StableHLO module of a Traced. `symbolic` shapes lower only as they do for an export."""
    if not symbolic:
        return traced.lower().compiler_ir("stablehlo")
    parameters = _mlir.LoweringParameters(for_export=True)
    return traced.lower(_private_parameters=parameters).compiler_ir("stablehlo")


def traced_as_make_jaxpr(fun: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """What `jax.make_jaxpr(fun)(*args, **kwargs)` returns, and the Traced it comes from (None where that is not of the same jaxpr)."""
    traced = _jit(fun).trace(*args, **kwargs)
    count = traced._num_consts
    if not count:
        return traced.jaxpr, traced
    # jit makes closed-over tracers operands, make_jaxpr keeps them constants.
    jaxpr = _partial_eval.convert_invars_to_constvars(traced.jaxpr.jaxpr, count)
    return _core.ClosedJaxpr(jaxpr, traced._consts if _TYPED else traced._args_flat[:count]), None


def is_jit_made(fun: Any) -> bool:
    """Whether an object is what `jax.jit` gives; reads nothing of it."""
    return type(fun) is _Jitted


def static_names(fun: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parameters that a function or a method which `jax.jit` gave holds static: all, and those that are so by name alone.

    JAX finds one of static_argnums and static_argnames from the other, unless both are given. Negative numbers count what a call gives.
    """
    function = fun.__func__ if type(fun) is MethodType else fun
    info = getattr(function, "_jit_info", None) if is_jit_made(function) else None
    if info is None:
        return (), ()
    signature = getattr(info, "fun_signature", None)
    positional = () if signature is None else tuple(signature.parameters)
    placed = tuple(positional[number] for number in info.static_argnums if 0 <= number < len(positional))
    named = tuple(name for name in info.static_argnames if name not in placed)
    return (*placed, *named), named
