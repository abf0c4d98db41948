"""What JAX does with eager operations: which of them only compile and run, and the settings under which running can be seen.

Promises and rules are those of `compat`, which is where the rest of the package finds these names.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
from jax._src import api as _api
from jax._src import array as _array
from jax._src import config as _config
from jax._src import core as _core
from jax._src import dispatch as _dispatch
from jax._src import dtypes as _dtypes
from jax._src import mesh as _mesh
from jax._src import sharding_impls as _sharding_impls
from jax._src import tree_util as _tree_util
from jax._src.lib import xla_client as _xla_client
from jax._src.random import prng as _prng

# `set_mesh` up to 0.4.38: of a concrete mesh, by the mesh itself.
_set_mesh: Any = getattr(_sharding_impls, "set_mesh", lambda mesh: mesh)
KeyArray: Any = _prng.PRNGKeyArray
replicated_everywhere: Any = getattr(_sharding_impls, "replicated_hlo_sharding", None)  # from 0.5; asked of held arrays only
# Where `jax.block_until_ready` waits for several arrays at once: (object, attribute).
EAGER_WAIT = (_xla_client, "batched_block_until_ready")
physical_aval: Any = _core.physical_aval
unwrap_key: Any = _prng.random_unwrap


def wrap_key(numbers: Any, dtype: Any) -> Any:
    """Random keys of a type, over their numbers."""
    return _prng.random_wrap(numbers, impl=dtype._impl)


# Operations with an implementation of their own that does nothing but make what their type says.
_PLAIN = frozenset(
    {
        "add_any",
        "broadcast_to",
        "call",
        "closed_call",
        "composite",
        "copy",
        "custom_linear_solve",
        "eval_jaxpr",
        "fft",
        "name",
        "random_bits",
        "random_fold_in",
        "random_gamma",
        "random_split",
    }
    | {"random_unwrap", "random_wrap", "remat2", "slice", "stage", "stop_gradient"}
)
# Operations that a backend may refuse for element types that it does not know.
_DEMANDING = frozenset(
    {"approx_top_k", "cholesky", "cholesky_update", "eig", "eigh", "fft", "geqp3", "geqrf", "hessenberg", "householder_product"}
    | {"lu", "lu_pivots_to_permutation", "ormqr", "qr", "ragged_dot_general", "schur", "svd", "symmetric_product"}
    | {"triangular_solve", "tridiagonal", "tridiagonal_solve"}
)
# Operations that a backend may refuse whatever the types, and host functions of the paste, which must run when a real run would.
_UNSURE = frozenset({"call_exported", "custom_partitioning", "ffi_call", "infeed", "outfeed", "pallas_call", "run_state", "core_map"})
_USUAL = frozenset(
    {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"}
    | {"bfloat16", "float16", "float32", "float64", "complex64", "complex128", "float0"}
)
_LAPACK = frozenset({"float32", "float64", "complex64", "complex128", "int32", "uint32", "bool"})


def is_key_type(dtype: Any) -> bool:
    """Whether an element type is that of random keys."""
    return bool(_dtypes.issubdtype(dtype, _dtypes.prng_key))


def key_array(dtype: Any, base: Any) -> Any:
    """The array of random keys whose numbers are in `base`."""
    return KeyArray(dtype._impl, base)


def with_base(keys: Any, base: Any) -> Any:
    """The same array of random keys with its numbers in another array."""
    return KeyArray(keys._impl, base)


def warns(arg: Any) -> bool:
    """Whether JAX's own cast of an argument to the width that it works with overflows, which NumPy warns of when it happens."""
    if type(arg).__name__ == "TypedNdArray":
        arg = arg.val
    elif not isinstance(arg, (float, complex, np.ndarray, np.generic)):
        return False
    given = np.asarray(arg)
    if given.dtype not in (np.float64, np.complex128):
        return False
    width = getattr(arg, "dtype", given.dtype)  # a Python number that JAX has typed says which one
    if _dtypes.canonicalize_dtype(width).itemsize >= given.itemsize:
        return False
    parts = np.abs(np.array([given.real, given.imag]))
    return bool(parts[np.isfinite(parts)].max(initial=0.0) > np.finfo(np.float32).max)


def only_runs(primitive: Any, avals: Any, params: dict[str, Any]) -> bool:
    """Whether an eager operation does nothing but compile and run, so that running it later is the same."""
    if not all(map(runs_surely, _core.jaxprs_in_params(params))):
        return False
    implementation = primitive.__dict__.get("impl")
    if isinstance(implementation, functools.partial) and implementation.func is _dispatch.apply_primitive:
        return _can_run(primitive.name, avals)
    if primitive.name == "random_seed":  # it refuses other seeds
        return all(is_key_type(aval.dtype) or _dtypes.issubdtype(aval.dtype, np.integer) for aval in avals)
    return primitive.name in _PLAIN and _can_run(primitive.name, avals)


def _can_run(name: str, avals: Any) -> bool:
    if name in _UNSURE or "callback" in name:
        return False
    known = _LAPACK if name in _DEMANDING else _USUAL
    return all(aval.dtype.name in known or is_key_type(aval.dtype) for aval in avals if hasattr(aval, "dtype"))


@functools.lru_cache(4096)
def runs_surely(jaxpr: Any) -> bool:
    """Whether a backend runs a jaxpr without refusing any part of it and without calling a function of the paste."""
    for eqn in jaxpr.eqns:
        if not _can_run(eqn.primitive.name, [var.aval for var in (*eqn.invars, *eqn.outvars)]):
            return False
        if not all(map(runs_surely, _core.jaxprs_in_params(eqn.params))):
            return False
    return True


def values_are_watched() -> bool:
    """Whether a setting is on under which JAX looks at the value of every operation, or a mesh is set that every operation obeys."""
    return bool(
        _config.debug_nans.value
        or _config.debug_infs.value
        or _config.debug_key_reuse.value
        or _config.device_context.value is not None
        or not _mesh.get_abstract_mesh().empty
    )


_GUARDS = (_config.transfer_guard_host_to_device, _config.transfer_guard_device_to_device, _config.transfer_guard_device_to_host)


def running_is_watched() -> bool:
    """Whether a setting is on under which it shows when an operation is compiled or run, or where its operands come from."""
    return bool(
        any(guard.value not in (None, "allow") for guard in _GUARDS) or _config.log_compiles.value or _config.explain_cache_misses.value
    )


# From 0.9: what looks at the results of calls that JAX answers without Python, for a thread and for all.
_calls_checked: Any = getattr(_api, "_post_hook_state", None)
_unset: Any = getattr(getattr(_config, "config_ext", None), "unset", None)


def checks_as_new() -> None:
    """Let this thread check calls as a new process does: after a `with debug_nans(False)` of JAX's own they are never checked."""
    if _calls_checked is not None and _unset is not None:
        _calls_checked.set_local(_unset)


@contextlib.contextmanager
def checks_kept() -> Iterator[None]:
    """What this thread checks is the same afterwards."""
    if _calls_checked is None:
        yield
        return
    before = _calls_checked.get_local()
    try:
        yield
    finally:
        _calls_checked.set_local(before)


def pytree_classes() -> int:
    """How many classes are registered as pytrees: those that come later are registered after these."""
    return len(_tree_util._registry)


@contextlib.contextmanager
def registered_again(known: int) -> Iterator[None]:
    """While this lasts a class that was registered as a pytree after the first `known` may be so once more, without a change."""
    later = frozenset(itertools.islice(_tree_util._registry, known, None))
    registries = getattr(_tree_util, "_all_registries", None)  # from 0.4.36
    if not later or registries is None:
        yield
        return
    _tree_util._all_registries = [_Registry(registry, later) for registry in registries]
    try:
        yield
    finally:
        _tree_util._all_registries = registries


class _Registry:
    """A registry of pytrees to which some classes are known."""

    def __init__(self, registry: Any, known: frozenset[Any]) -> None:
        self._registry = registry
        self._known = known

    def register_node(self, kind: Any, *how: Any) -> None:
        if kind not in self._known:
            self._registry.register_node(kind, *how)

    def register_dataclass_node(self, kind: Any, *how: Any) -> None:
        if kind not in self._known:
            self._registry.register_dataclass_node(kind, *how)


def settings() -> dict[str, Any]:
    """JAX's settings that hold everywhere, as they are now."""
    return {name: holder.get_global() for name, holder in _holders.items()}


def put_settings(before: dict[str, Any]) -> None:
    """Give back the settings that were changed."""
    for name, value in before.items():
        if _holders[name].get_global() is not value:
            _holders[name]._set(value)


# Those that a JAX has as objects of their own, with what sets them.
_holders: dict[str, Any] = {
    name: holder
    for name, holder in getattr(_config.config, "_value_holders", {}).items()
    if hasattr(holder, "get_global") and hasattr(holder, "_set")
}


def stays(array: Any, device: Any, semantics: Any) -> bool:
    """Whether `device_put` gives back the very array."""
    return device is None and semantics == _dispatch.ArrayCopySemantics.REUSE_INPUT and isinstance(array, _array.ArrayImpl)


def may_lie_anywhere(place: Any) -> bool:
    """Whether a place that `device_put` is told is a single device, or none: a mesh, a layout or a kind of memory may be refused."""
    return place is None or isinstance(place, (_xla_client.Device, _sharding_impls.SingleDeviceSharding))


def is_placed(value: Any) -> bool:
    """Whether a value is a real array that was put somewhere, so that what is made of it lies there too."""
    array = value._base_array if type(value) is KeyArray else value
    return type(array) is _array.ArrayImpl and bool(array._committed)


def mesh_of(values: Any) -> Any:
    """The mesh in which a program is traced: the one that is set, else that of an argument's type; None where there is none."""
    mesh = _mesh.get_concrete_mesh()
    if mesh is not None and not mesh.empty:  # up to 0.6 there may be none
        return mesh
    for value in values:
        sharding = value.aval.sharding if type(value) is _array.ArrayImpl else None  # None in 0.4
        if sharding is not None and not sharding.mesh.empty:
            return value.sharding.mesh
    return None


def in_mesh(mesh: Any) -> contextlib.AbstractContextManager[Any]:
    """The context in which a program was traced; none for None."""
    return contextlib.nullcontext() if mesh is None else _set_mesh(mesh)
