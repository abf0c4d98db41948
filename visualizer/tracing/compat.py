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
from jax._src import pjit as _pjit
from jax._src import sharding_impls as _sharding_impls
from jax._src import source_info_util as _source_info
from jax._src import stages as _stages
from jax._src.interpreters import mlir as _mlir
from jax._src.interpreters import pxla as _pxla
from jax._src.lib import xla_client as _xla_client
from jax._src.lib.mlir import ir as _ir
from jax._src.numpy import array_methods as _array_methods
from jax.extend import core as _extend

from ._compat_ad import AD_EVALUATES as AD_EVALUATES
from ._compat_ad import AD_LINEARIZED as AD_LINEARIZED
from ._compat_ad import AD_PAIRS as AD_PAIRS
from ._compat_ad import AD_SUMS as AD_SUMS
from ._compat_ad import StagedTracer as StagedTracer
from ._compat_ad import derivatives_in as derivatives_in
from ._compat_ad import differentiation_fits as differentiation_fits
from ._compat_ad import evaluation_fits as evaluation_fits
from ._compat_ad import is_tracer as is_tracer
from ._compat_ad import marking_transforms as marking_transforms
from ._compat_ad import primal_of as primal_of
from ._compat_ad import tracing_anew as tracing_anew
from ._compat_ad import transform_mark as transform_mark
from ._compat_ad import tree_leaves as tree_leaves
from ._compat_ad import variable_of as variable_of
from ._compat_eager import EAGER_WAIT as EAGER_WAIT
from ._compat_eager import KeyArray as KeyArray
from ._compat_eager import checks_as_new as checks_as_new
from ._compat_eager import checks_kept as checks_kept
from ._compat_eager import in_mesh as in_mesh
from ._compat_eager import is_key_type as is_key_type
from ._compat_eager import is_placed as is_placed
from ._compat_eager import key_array as key_array
from ._compat_eager import may_lie_anywhere as may_lie_anywhere
from ._compat_eager import mesh_of as mesh_of
from ._compat_eager import only_runs as only_runs
from ._compat_eager import physical_aval as physical_aval
from ._compat_eager import put_settings as put_settings
from ._compat_eager import pytree_classes as pytree_classes
from ._compat_eager import registered_again as registered_again
from ._compat_eager import replicated_everywhere as replicated_everywhere
from ._compat_eager import running_is_watched as running_is_watched
from ._compat_eager import runs_surely as runs_surely
from ._compat_eager import settings as settings
from ._compat_eager import stays as stays
from ._compat_eager import unwrap_key as unwrap_key
from ._compat_eager import values_are_watched as values_are_watched
from ._compat_eager import warns as warns
from ._compat_eager import with_base as with_base
from ._compat_eager import wrap_key as wrap_key
from ._compat_export import exported_arguments as exported_arguments
from ._compat_export import exported_of as exported_of
from ._compat_export import exported_results as exported_results
from ._compat_export import vjp_of as vjp_of
from ._compat_frames import called_through as called_through
from ._compat_frames import library_function as library_function
from ._compat_frames import value_paths as value_paths
from ._compat_lowering import attributes_of as attributes_of
from ._compat_lowering import backend_started as backend_started
from ._compat_lowering import device_of_platform_alone as device_of_platform_alone
from ._compat_lowering import location_names as location_names
from ._compat_lowering import lower_traced as lower_traced
from ._compat_lowering import own_name as own_name
from ._compat_lowering import platform_is_enough as platform_is_enough
from ._compat_lowering import real_default_device
from ._compat_lowering import real_device as real_device
from ._compat_lowering import warm_lowering as warm_lowering
from ._compat_older import MAY_HOLD as MAY_HOLD
from ._compat_older import NAMED_BEFORE_PRINTED as NAMED_BEFORE_PRINTED
from ._compat_older import SAYS_LINEAR as SAYS_LINEAR
from ._compat_older import SORTS_SETS as SORTS_SETS
from ._compat_older import TYPED_LITERALS as TYPED_LITERALS
from ._compat_older import FrozenDict as FrozenDict
from ._compat_older import abstract_type as abstract_type
from ._compat_older import enable_x64 as enable_x64
from ._compat_older import export_type, no_traceback, paths_of_results
from ._compat_older import function_site as function_site
from ._compat_older import jit_primitive as jit_primitive
from ._compat_older import linear_flags as linear_flags
from ._compat_older import literal_text as literal_text
from ._compat_older import printer as printer
from ._compat_older import typeof as typeof
from ._compat_printing import RuleContext as RuleContext
from ._compat_printing import dropped_vars as dropped_vars
from ._compat_printing import has_printing_rule as has_printing_rule
from ._compat_printing import pretty_print as pretty_print
from ._compat_printing import print_by_rule as print_by_rule
from ._compat_printing import printing_rule as printing_rule
from ._compat_printing import rule_ignores_jaxprs as rule_ignores_jaxprs
from ._compat_printing import with_traceback as with_traceback
from ._compat_printing import without_colour as without_colour
from ._compat_rules import differentiated as differentiated
from ._compat_rules import kept_rules as kept_rules
from ._compat_rules import not_differentiated as not_differentiated
from ._compat_script import hlo_text as hlo_text
from ._compat_script import quietly as quietly
from ._compat_script import traced_of as traced_of
from ._compat_stages import closed_traced as closed_traced
from ._compat_stages import is_jit_made as is_jit_made
from ._compat_stages import static_names as static_names
from ._compat_stages import traced_as_make_jaxpr as traced_as_make_jaxpr
from ._compat_stages import traced_with as traced_with
from ._compat_stages import traced_with_options as traced_with_options

_jit = jax.jit
_structure = jax.tree.structure
JAX_VERSION: str = jax.__version__
Jaxpr: Any = _extend.Jaxpr
ClosedJaxpr: Any = _extend.ClosedJaxpr
Literal: Any = _extend.Literal
Var: Any = _extend.Var
DropVar: Any = _core.DropVar
Transform: Any = _source_info.Transform
Scope: Any = _source_info.Scope
UnspecifiedValue: Any = type(_pjit.UNSPECIFIED)
MESHES: Any = {jax.sharding.Mesh, getattr(jax.sharding, "AbstractMesh", jax.sharding.Mesh)}
MemorySpace: Any = getattr(_core, "MemorySpace", UnspecifiedValue)  # since 0.7
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
    kind = export_type()
    return kind is not None and type(value) is kind


@contextmanager
def exported_module(exported: Any) -> Iterator[Any]:
    """The module of a `jax.export.Exported`, as it was serialised."""
    with _mlir.make_ir_context():
        yield exported.mlir_module(serialized=False)


def has_symbolic_shape(closed: Any) -> bool:
    """Whether a dimension of an argument is a symbol rather than a number."""
    return any(not isinstance(size, int) for aval in closed.in_avals for size in getattr(aval, "shape", ()))


_nowhere = no_traceback()


def tagged_eqn(eqn: Any, name: str, *, place: bool = False) -> Any:
    """The equation with one more scope, innermost, on its name stack.

    Without `place` it has the same traceback as all: each that differs costs a location.
    """
    traceback = eqn.source_info.traceback if place else _nowhere
    return eqn.replace(source_info=_source_info.SourceInfo(traceback, eqn.source_info.name_stack.extend(name)))


# ---- what running a paste needs (_held*, _record*, _run)
Traced: Any = _stages.Traced
Lowered: Any = _stages.Lowered
Wrapped: Any = _stages.Wrapped
ArrayImpl: Any = _array.ArrayImpl
EvalTrace: Any = _core.EvalTrace
ShapedArray: Any = _core.ShapedArray
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


def config_values() -> dict[str, Any]:
    """Every option of JAX by name."""
    return dict(jax.config.values)


def register_array_type(kind: type, value_of: Callable[[Any], Any]) -> None:
    """Make JAX take objects of `kind` for arrays; `value_of` gives the real array when one must reach an executable or a constant."""
    if not MAY_HOLD:
        return  # there will be none
    _array_methods._set_array_base_attributes(kind)
    _array_methods._set_array_attributes(kind)
    _core.pytype_aval_mappings[kind] = lambda array: array.aval
    _dtypes.register_canonicalize_value_handler(kind, None)
    shard = _pxla.shard_arg_handlers[ArrayImpl]
    _pxla.shard_arg_handlers[kind] = lambda arrays, *rest, **options: shard([value_of(array) for array in arrays], *rest, **options)
    _mlir.register_constant_handler(kind, lambda array, *_: _mlir.ir_constant(value_of(array)))


def default_sharding() -> Any:
    """Where an eager array lives. Starts the backend."""
    return _sharding_impls.SingleDeviceSharding(real_default_device())


SingleDeviceSharding: Any = _sharding_impls.SingleDeviceSharding
device_put_primitive: Any = _dispatch.device_put_p


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


def user_instruction(eqn: Any) -> Any:
    """The instruction (code, index) of the innermost frame that is neither JAX's nor the standard library's; None where there is none."""
    codes, lasti = frames_of(eqn)
    for code, last in zip(codes, lasti, strict=True):
        if _source_info.is_user_filename(code.co_filename):
            return code, last
    return None


def is_where_custom_vjp_was_called(eqn: Any) -> bool:
    """Whether its place is where a `custom_vjp` function was called: all that JAX says of what its rules make where that is traced anew."""
    codes, _ = frames_of(eqn)
    return any(code.co_qualname == "DynamicJaxprTrace.process_custom_vjp_call" for code in codes[:2])


# ---- names ----


def arg_names(jaxpr: Any) -> tuple[str, ...]:
    """The paths of a jaxpr's arguments as its maker wrote them (`batch['x']`), "" where there is none; empty where JAX forgot them."""
    names = getattr(jaxpr.debug_info, "arg_names", None)
    return tuple(names) if isinstance(names, tuple) and len(names) == len(jaxpr.invars) else ()


def result_paths(jaxpr: Any) -> tuple[str, ...]:
    """The paths of a jaxpr's results (`result['w']`); empty where JAX forgot them."""
    paths = getattr(jaxpr.debug_info, "result_paths", None)
    return paths_of_results(paths) if isinstance(paths, tuple) and len(paths) == len(jaxpr.outvars) else ()
