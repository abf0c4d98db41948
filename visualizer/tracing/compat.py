"""Everything of JAX that is not public API, and every difference between its versions.

Promises: the rest of the package imports JAX's internals from here only. Written for JAX 0.10.2.
Must never: hold logic of ours beyond translating what JAX gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
from jax._src import array as _array
from jax._src import core as _core
from jax._src import dispatch as _dispatch
from jax._src import dtypes as _dtypes
from jax._src import frozen_dict as _frozen_dict
from jax._src import mesh as _mesh
from jax._src import pjit as _pjit
from jax._src import sharding_impls as _sharding_impls
from jax._src import source_info_util as _source_info
from jax._src import stages as _stages
from jax._src import xla_bridge as _xla_bridge
from jax._src.interpreters import mlir as _mlir
from jax._src.interpreters import partial_eval as _partial_eval
from jax._src.interpreters import pxla as _pxla
from jax._src.lib import xla_client as _xla_client
from jax._src.lib.mlir import ir as _ir
from jax._src.numpy import array_methods as _array_methods
from jax.extend import core as _extend

from ._compat_ad import AD_LINEARIZED as AD_LINEARIZED
from ._compat_ad import AD_PAIRS as AD_PAIRS
from ._compat_ad import AD_SUMS as AD_SUMS
from ._compat_ad import StagedTracer as StagedTracer
from ._compat_ad import differentiation_fits as differentiation_fits
from ._compat_ad import primal_of as primal_of
from ._compat_ad import tree_leaves as tree_leaves
from ._compat_ad import variable_of as variable_of
from ._compat_eager import EAGER_WAIT as EAGER_WAIT
from ._compat_eager import KeyArray as KeyArray
from ._compat_eager import in_mesh as in_mesh
from ._compat_eager import is_key_type as is_key_type
from ._compat_eager import is_placed as is_placed
from ._compat_eager import key_array as key_array
from ._compat_eager import may_lie_anywhere as may_lie_anywhere
from ._compat_eager import mesh_of as mesh_of
from ._compat_eager import only_runs as only_runs
from ._compat_eager import physical_aval as physical_aval
from ._compat_eager import replicated_everywhere as replicated_everywhere
from ._compat_eager import running_is_watched as running_is_watched
from ._compat_eager import runs_surely as runs_surely
from ._compat_eager import stays as stays
from ._compat_eager import unwrap_key as unwrap_key
from ._compat_eager import values_are_watched as values_are_watched
from ._compat_eager import with_base as with_base
from ._compat_frames import called_through as called_through
from ._compat_frames import library_function as library_function
from ._compat_frames import value_paths as value_paths
from ._compat_printing import RuleContext as RuleContext
from ._compat_printing import dropped_vars as dropped_vars
from ._compat_printing import has_printing_rule as has_printing_rule
from ._compat_printing import pretty_print as pretty_print
from ._compat_printing import print_by_rule as print_by_rule
from ._compat_printing import rule_ignores_jaxprs as rule_ignores_jaxprs
from ._compat_printing import with_traceback as with_traceback
from ._compat_printing import without_colour as without_colour

_jit = jax.jit
_structure = jax.tree.structure
JAX_VERSION: str = jax.__version__
FrozenDict: Any = _frozen_dict.FrozenDict  # what a dict among the params must be, since params are hashed
Jaxpr: Any = _extend.Jaxpr
ClosedJaxpr: Any = _extend.ClosedJaxpr
Literal: Any = _extend.Literal
Var: Any = _extend.Var
DropVar: Any = _core.DropVar
Transform: Any = _source_info.Transform
Scope: Any = _source_info.Scope
UnspecifiedValue: Any = type(_pjit.UNSPECIFIED)
# (code, lasti) -> (line, col, end_line, end_col): 1-based lines, 0-based columns in UTF-8 bytes, as `co_positions` has them.
code_location: Any = _xla_client.Traceback.code_addr2location


def thawed(frozen: Any) -> dict[Any, Any]:
    """What a FrozenDict holds."""
    return dict(frozen._d)


def core() -> Any:
    """JAX's `core` module."""
    return _core


def aval_text(aval: Any) -> str:
    """An aval as JAX prints it: `f32[6,2,3]`."""
    return str(aval.str_short(short_dtypes=True))


def literal_text(literal: Any) -> str:
    """A literal's value as JAX prints it, without its type: `2.0`; `[...]` for an array."""
    return str(literal.pretty_print(None, print_dtype=False))


def name_stack_of(eqn: Any) -> Any:
    """The name stack of an equation relative to its jaxpr: its `stack` has `Scope` and `Transform` entries, outermost first."""
    return eqn.source_info.name_stack


def frames_of(eqn: Any) -> tuple[list[Any], list[int]]:
    """The Python frames an equation was traced under, innermost first: code objects and the index of the last instruction of each."""
    traceback = eqn.source_info.traceback
    if traceback is None:
        return [], []
    codes, lasti = traceback.raw_frames()
    return codes, lasti


# ---- lowering ----


def mlir() -> Any:
    """The MLIR bindings (`ir`) that JAX ships."""
    return _ir


def is_exported(value: Any) -> bool:
    """Whether a value is what `jax.export.export` makes."""
    return type(value) is jax.export.Exported


@contextmanager
def exported_module(exported: Any) -> Iterator[Any]:
    """The module of a `jax.export.Exported`, as it was serialised."""
    with _mlir.make_ir_context():
        yield exported.mlir_module(serialized=False)


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
        "ctx_mesh": _mesh.get_concrete_mesh(),
        "name": name,
        "keep_unused": False,
        "inline": False,
        "compiler_options_kvs": (),
    }
    types = [_pjit.create_meta_ty(aval, None, None, True, False) for aval in closed.in_avals]
    return _stages.Traced(types, params, _structure(((0,) * taken, {})), _structure((0,) * given), [])


def traced_with(traced: Any, closed: Any) -> Any:
    """The same `Traced` with another jaxpr of the same types: name, donation, shardings and layouts stay."""
    return type(traced)(traced._meta_tys_flat, {**traced._params, "jaxpr": closed}, traced._in_tree, traced.out_tree, traced._consts)


def traced_with_options(traced: Any, whole: Any, kept: list[int]) -> Any:
    """`traced` with what `whole`, a `Traced` of the same function with more arguments, was told beside; `kept` are those it shares."""
    told, own = whole._params, traced._params
    counts = (len(kept), len(own["donated_invars"])), (len(told["out_shardings"]), len(own["out_shardings"]))
    if whole._consts or traced._consts or any(one != other for one, other in counts):
        return traced
    params = {**told, "jaxpr": own["jaxpr"]}
    for name in ("in_shardings", "in_layouts", "donated_invars"):
        params[name] = tuple(told[name][index] for index in kept)
    return type(traced)(traced._meta_tys_flat, params, traced._in_tree, traced.out_tree, traced._consts)


def lower_traced(traced: Any, *, symbolic: bool) -> Any:
    """Lower a `Traced` to JAX's own StableHLO module. `symbolic` shapes lower only as they do for an export.

    Where no backend has been started, none is started for it (14 ms, a dozen threads): a lowering asks a device for no more than its
    platform. One that asks for more is done again with a device.
    """
    with device_of_platform_alone() as alone:
        try:
            return _lower_traced(traced, symbolic)
        except Exception:
            if not alone:
                raise
    return _lower_traced(traced, symbolic)


def _lower_traced(traced: Any, symbolic: bool) -> Any:
    if not symbolic:
        return traced.lower().compiler_ir("stablehlo")
    parameters = _mlir.LoweringParameters(for_export=True)
    return traced.lower(_private_parameters=parameters).compiler_ir("stablehlo")


def has_symbolic_shape(closed: Any) -> bool:
    """Whether a dimension of an argument is a symbol rather than a number."""
    return any(not isinstance(size, int) for aval in closed.in_avals for size in getattr(aval, "shape", ()))


_nowhere = _xla_client.Traceback()


def tagged_eqn(eqn: Any, name: str) -> Any:
    """The equation with one more scope, innermost, on its name stack, and the same traceback as all: each that differs costs a location."""
    return eqn.replace(source_info=_source_info.SourceInfo(_nowhere, eqn.source_info.name_stack.extend(name)))


def location_names(location: Any) -> list[str]:
    """The names of an MLIR location, outermost first; of fused locations, those of each part. Names of Python frames are not among them."""
    ir = mlir()
    names: list[str] = []
    queue = [location]
    while queue:
        here = queue.pop()
        while isinstance(here, ir.NameLoc):
            names.append(here.name_str)
            here = here.child_loc
        if isinstance(here, ir.FusedLoc):
            queue += list(here.locations)[::-1]
    return names


# ---- what running a paste needs (_held*, _record*, _run)
Traced: Any = _stages.Traced
Lowered: Any = _stages.Lowered
Wrapped: Any = _stages.Wrapped
ArrayImpl: Any = _array.ArrayImpl
EvalTrace: Any = _core.EvalTrace
ShapedArray: Any = _core.ShapedArray
typeof: Any = _core.typeof
eval_context: Any = _core.eval_context
jaxprs_in_params: Any = _core.jaxprs_in_params
_make_jaxpr = jax.make_jaxpr


def request_of(function: Any) -> str | None:
    """`make_jaxpr` or `export` for the functions that `jax.make_jaxpr` and `jax.export.export` return; None for every other."""
    code = function.__code__
    if "jax" not in code.co_filename:
        return None
    if code.co_name == "do_export":
        return "export"
    named = f"{function.__name__} {function.__qualname__}"
    return "make_jaxpr" if function.__module__ == "jax" and "make_jaxpr" in named and function is not _make_jaxpr else None


def exclude_frames(path: str) -> None:
    """Frames of files whose path starts so are not the person's."""
    _source_info.register_exclusion(path)


def backend_started() -> bool:
    """Whether this process has started an XLA backend."""
    return bool(_xla_bridge._backends)


def config_values() -> dict[str, Any]:
    """Every option of JAX by name."""
    return dict(jax.config.values)


def register_array_type(kind: type, value_of: Callable[[Any], Any]) -> None:
    """Make JAX take objects of `kind` for arrays; `value_of` gives the real array when one must reach an executable or a constant."""
    _array_methods._set_array_base_attributes(kind)
    _array_methods._set_array_attributes(kind)
    _core.pytype_aval_mappings[kind] = lambda array: array.aval
    _dtypes.register_canonicalize_value_handler(kind, None)
    shard = _pxla.shard_arg_handlers[ArrayImpl]
    _pxla.shard_arg_handlers[kind] = lambda arrays, *rest, **options: shard([value_of(array) for array in arrays], *rest, **options)
    _mlir.register_constant_handler(kind, lambda array, *_: _mlir.ir_constant(value_of(array)))


def default_sharding() -> Any:
    """Where an eager array lives. Starts the backend."""
    return _sharding_impls.SingleDeviceSharding(_default_device())


SingleDeviceSharding: Any = _sharding_impls.SingleDeviceSharding
abstract_type: Any = _pjit.create_meta_ty
device_put_primitive: Any = _dispatch.device_put_p
jit_primitive: Any = _pjit.jit_p


def is_jit(primitive: Any) -> bool:
    """Whether a primitive is the call of a jitted function."""
    return primitive is jit_primitive


# What JAX runs an eager operation with: (object, attribute). Replaced while a paste runs with held values.
EAGER_PRIMITIVE = (_core.EvalTrace, "process_primitive")
EAGER_JIT = (_pjit, "_pjit_call_impl_python")
EAGER_DEVICE_PUT = (_dispatch, "_batched_device_put_impl")
ARGUMENT_TYPE = (_pjit, "convert_to_metaty")
EAGER_PARAMETERS = {
    EAGER_PRIMITIVE: ("self", "primitive", "args", "params"),
    EAGER_JIT: (
        "args",
        "jaxpr",
        "in_shardings",
        "out_shardings",
        "in_layouts",
        "out_layouts",
        "donated_invars",
        "ctx_mesh",
        "name",
        "keep_unused",
    ),
    EAGER_DEVICE_PUT: ("xs", "devices", "srcs", "copy_semantics", "dst_avals"),
    ARGUMENT_TYPE: ("arg",),
}


def current_source_info() -> Any:
    """Where the running code is, for an equation made now."""
    return _source_info.current()


def at_source(info: Any) -> Any:
    """A context in which equations are made as if at `info`."""
    return _source_info.user_context(info.traceback, name_stack=info.name_stack)


def fun_of_export(exporter: Any) -> Any:
    """The function that an exporter made by `jax.export.export` exports."""
    cells = dict(zip(exporter.__code__.co_freevars, exporter.__closure__ or (), strict=True))
    return cells["fun_jit"].cell_contents


ARRAY_TYPE_TEXT = f"'{ArrayImpl.__module__}.{ArrayImpl.__name__}'"  # as an AttributeError of an array names it


def eager_jit_answer(outs: list[Any]) -> tuple[Any, ...]:
    """What EAGER_JIT returns: outputs, no executable to remember, no profiler, no constants."""
    return (outs, None, None, [])


def traced_as_make_jaxpr(fun: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """What `jax.make_jaxpr(fun)(*args, **kwargs)` returns, and the Traced it comes from (None where that is not of the same jaxpr)."""
    traced = _jit(fun).trace(*args, **kwargs)
    if not traced._num_consts:
        return traced.jaxpr, traced
    # jit makes closed-over tracers operands, make_jaxpr keeps them constants.
    jaxpr = _partial_eval.convert_invars_to_constvars(traced.jaxpr.jaxpr, traced._num_consts)
    return _core.ClosedJaxpr(jaxpr, traced._consts), None


def single_threaded_mlir() -> None:
    """MLIR contexts without LLVM's process-wide thread pool, whose threads would not survive a fork."""
    make = _mlir.make_ir_context

    def make_ir_context(*args: Any, **kwargs: Any) -> Any:
        if _spare_contexts and not args and not kwargs:
            return _spare_contexts.pop()
        context = make(*args, **kwargs)
        context.enable_multithreading(False)
        return context

    _mlir.make_ir_context = make_ir_context


# MLIR contexts that nothing uses yet: making one (loading every dialect into it) is a fifth of a short lowering.
_spare_contexts: list[Any] = []


def spare_contexts(count: int) -> None:
    """Make MLIR contexts for the first `count` modules of this process, or of those forked from it. After `single_threaded_mlir`."""
    _spare_contexts.clear()
    _spare_contexts.extend([_mlir.make_ir_context() for _ in range(count)])


class _StubClient:
    platform = "cpu"
    platform_version = ""
    runtime_type = "stub"

    def process_index(self) -> int:
        return 0

    def device_count(self) -> int:
        return 1

    def local_device_count(self) -> int:
        return 1


class _StubDevice:
    platform = "cpu"
    device_kind = "cpu"
    id = 0
    process_index = 0
    client = _StubClient()


_default_device = _pxla.get_default_device


@contextmanager
def real_device() -> Iterator[None]:
    """The real default device, for a value that is computed while one that knows its platform alone stands in for it."""
    now = _pxla.get_default_device
    _pxla.get_default_device = _default_device
    try:
        yield
    finally:
        _pxla.get_default_device = now


def platform_is_enough() -> bool:
    """Whether no backend has started, and the one that would is the CPU's."""
    config = jax.config.values
    return not backend_started() and config.get("jax_platforms") == "cpu" and config.get("jax_default_device") is None


@contextmanager
def device_of_platform_alone() -> Iterator[bool]:
    """A default device that knows only its platform, so that lowering starts no backend. False where it would not do."""
    if not platform_is_enough():
        yield False
        return
    device = _pxla.get_default_device
    _pxla.get_default_device = _StubDevice
    try:
        yield True
    finally:
        _pxla.get_default_device = device


def warm_lowering() -> None:
    """Load MLIR's dialects and lowering rules without a backend. Raises what a JAX that it does not fit raises."""
    spec = jax.ShapeDtypeStruct
    device = _pxla.get_default_device
    _pxla.get_default_device = _StubDevice
    try:

        def step(c: Any, y: Any) -> Any:
            return jax.numpy.tanh(c + y), c.sum()

        traced = jax.jit(lambda x: jax.lax.scan(step, x[0], x)).trace(spec((4, 2, 2), "float32"))
        traced.lower(lowering_platforms=("cpu",)).as_text()
    finally:
        _pxla.get_default_device = device


def user_instruction(eqn: Any) -> Any:
    """The instruction (code, index) of the innermost frame that is neither JAX's nor the standard library's; None where there is none."""
    codes, lasti = frames_of(eqn)
    for code, last in zip(codes, lasti, strict=True):
        if _source_info.is_user_filename(code.co_filename):
            return code, last
    return None


# ---- names ----


def arg_names(jaxpr: Any) -> tuple[str, ...]:
    """The paths of a jaxpr's arguments as its maker wrote them (`batch['x']`), "" where there is none; empty where JAX forgot them."""
    names = getattr(jaxpr.debug_info, "arg_names", None)
    return tuple(names) if isinstance(names, tuple) and len(names) == len(jaxpr.invars) else ()


def result_paths(jaxpr: Any) -> tuple[str, ...]:
    """The paths of a jaxpr's results (`result['w']`); empty where JAX forgot them."""
    paths = getattr(jaxpr.debug_info, "result_paths", None)
    return tuple(paths) if isinstance(paths, tuple) and len(paths) == len(jaxpr.outvars) else ()


def function_site(jaxpr: Any) -> tuple[str | None, str, int]:
    """The file, name and first line of the Python function that a jaxpr was traced from."""
    info = jaxpr.debug_info
    return info.func_filename, info.func_name, info.func_lineno or 0
