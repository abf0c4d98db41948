"""Small programs with references, kernels, elements and rules: for the tests of the wiring. Each says where JAX defines what it nests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

X = np.arange(4, dtype=np.float32)
M = np.ones((4, 4), np.float32)
SHAPE = jax.ShapeDtypeStruct((4,), np.float32)
Traceable = tuple[Callable[..., Any], tuple[Any, ...]]


# ---- reducers


def reduce_two() -> Traceable:
    def both(x: Any, y: Any) -> Any:
        return lax.reduce((x, y), (np.float32(1), np.int32(0)), lambda a, b: (a[0] * b[0], a[1] + b[1]), (0,))

    return both, (X, X.astype(np.int32))


def reduce_window() -> Traceable:
    return lambda x: lax.reduce_window(x, np.float32(0), lambda a, b: a + 2 * b, (2,), (1,), "VALID"), (X,)


def scatter_add() -> Traceable:
    return lambda x, i: x.at[i].add(1.0), (X, np.array([1, 2]))


def scatter_unique() -> Traceable:
    return lambda x, i: x.at[i].multiply(2.0, unique_indices=True), (X, np.array([1, 2]))


def select_and_scatter() -> Traceable:
    from jax._src.lax.windowed_reductions import _select_and_scatter

    def f(x: Any, source: Any) -> Any:
        return _select_and_scatter(x, lambda a, b: a >= b * 1, (2,), (2,), ((0, 0),), source, np.float32(0), lambda a, b: a + b * 1)

    return f, (X, np.ones(2, np.float32))


# ---- references


def run_state() -> Traceable:
    def body(refs: Any) -> None:
        first, second = refs
        first[...] = second[...] * 2

    return lambda x, y: pl.run_state(body)((x, y)), (X, X)


def run_scoped() -> Traceable:
    """A kernel that allocates two refs and returns a value from their scope."""

    def kernel(x: Any, out: Any) -> None:
        def inner(a: Any, b: Any) -> Any:
            a[...] = x[...]
            b[...] = a[...] + 1
            return b[0]

        out[...] = x[...] + pl.run_scoped(inner, pltpu.VMEM((4,), jnp.float32), pltpu.VMEM((4,), jnp.float32))

    return pl.pallas_call(kernel, out_shape=SHAPE, interpret=True), (X,)


def core_map() -> Traceable:
    mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)

    def f(x: Any) -> Any:
        def stateful(refs: Any) -> None:
            source, target = refs

            @pl.core_map(mesh)
            def _() -> None:
                pltpu.sync_copy(source, target)

        return pl.run_state(stateful)((x, jnp.zeros_like(x)))[1]

    return f, (X,)


# ---- kernels


def pallas_grid() -> Traceable:
    """Two inputs, two outputs, one scratch, blocks of the grid."""

    def kernel(x: Any, y: Any, a: Any, b: Any, scratch: Any) -> None:
        scratch[...] = x[...]
        a[...] = scratch[...] + y[...]
        b[...] = x[...]

    block = pl.BlockSpec((2,), lambda i: (i,))
    call = pl.pallas_call(
        kernel,
        out_shape=(SHAPE, SHAPE),
        grid=(2,),
        in_specs=[block, block],
        out_specs=(block, block),
        scratch_shapes=[pltpu.VMEM((2,), jnp.float32)],
        interpret=True,
    )
    return call, (X, X)


def pallas_prefetch() -> Traceable:
    """One scalar prefetched: the index maps see it too; the input and the output are one buffer."""

    def kernel(which: Any, x: Any, out: Any) -> None:
        out[...] = x[...] * 2

    spec = pltpu.PrefetchScalarGridSpec(
        num_scalar_prefetch=1,
        grid=(2,),
        in_specs=[pl.BlockSpec((2,), lambda i, which: (which[i],))],
        out_specs=pl.BlockSpec((2,), lambda i, which: (i,)),
    )
    call = pl.pallas_call(kernel, out_shape=SHAPE, grid_spec=spec, input_output_aliases={1: 0}, interpret=True)
    return call, (np.array([1, 0], np.int32), X)


def pallas_dynamic_grid() -> Traceable:
    """The size of the grid is an operand, ahead of the inputs."""

    def kernel(x: Any, out: Any) -> None:
        out[...] = x[...] * 2

    def f(n: Any, x: Any) -> Any:
        block = pl.BlockSpec((2,), lambda i: (i,))
        return pl.pallas_call(kernel, out_shape=SHAPE, grid=(n,), in_specs=[block], out_specs=block, interpret=True)(x)

    return f, (np.int32(2), X)


def pallas_closed_ref() -> Traceable:
    """A kernel that closes over a ref of the program around it."""

    def f(x: Any) -> Any:
        ref = jax.new_ref(x)

        def kernel(y: Any, out: Any) -> None:
            out[...] = ref[...] + y[...]

        return pl.pallas_call(kernel, out_shape=SHAPE, interpret=True)(x)

    return f, (X,)


def masked_at_places() -> Traceable:
    """Loads and stores with a mask at computed places: the value of a store stands behind its index."""
    from jax.experimental.pallas import triton

    def kernel(x: Any, out: Any) -> None:
        row, places = pl.program_id(0), jnp.arange(8)
        found = triton.load(x.at[row, places], mask=places < 5, other=0.0)
        triton.store(out.at[row, places], found * 2, mask=places < 5)

    return pl.pallas_call(kernel, out_shape=jax.ShapeDtypeStruct((4, 5), jnp.float32), grid=4), (np.ones((4, 5), np.float32),)


def semaphores() -> Traceable:
    def kernel(out: Any, taken: Any) -> None:
        here = pl.program_id(0)
        pl.semaphore_signal(taken.at[here], 2)
        pl.semaphore_wait(taken.at[here])
        pl.semaphore_wait(taken.at[0], decrement=False)
        out[...] = jnp.zeros_like(out)

    return pl.pallas_call(kernel, out_shape=SHAPE, grid=3, scratch_shapes=[pltpu.SemaphoreType.REGULAR((3,))]), ()


def copies_on_a_gpu() -> Traceable:
    """Copies between memories, whose refs come first and then what is in the indices of all; one runs where a predicate says so."""
    from jax.experimental.pallas import mosaic_gpu

    def step(_: Any, here: Any, there: Any) -> None:
        there[...] = here[...] + 1.0

    def kernel(x: Any, out: Any) -> None:
        specs = [mosaic_gpu.BlockSpec((64, 64), lambda i: (0, i))]
        mosaic_gpu.emit_pipeline(step, in_specs=specs, out_specs=specs, grid=(4,), max_concurrent_steps=2)(x, out)

    shape = jax.ShapeDtypeStruct((64, 256), jnp.float32)
    return mosaic_gpu.kernel(kernel, out_type=shape, grid=(2,), grid_names=("x",)), (np.ones((64, 256), np.float32),)


def _on_a_mesh(kernel: Callable[..., None], **options: Any) -> Traceable:
    """`mpmd_map` of one kernel."""
    from jax._src.pallas.mpmd import mpmd_map

    mesh = pltpu.create_tensorcore_mesh("core", num_cores=1)
    return mpmd_map([(mesh, kernel)], out_types=SHAPE, **options), (X,)


def mpmd() -> Traceable:
    """A kernel for a mesh, with scratch of its own."""

    def kernel(x: Any, out: Any, scratch: Any) -> None:
        pltpu.sync_copy(x, scratch)
        pltpu.sync_copy(scratch, out)

    return _on_a_mesh(kernel, scratch_types=[pltpu.VMEM((4,), jnp.float32)])


def parallel_loop() -> Traceable:
    """A loop in a kernel that closes over two refs and carries a number."""
    from jax._src.pallas.mosaic.sc_primitives import parallel_loop as loop

    def kernel(x: Any, out: Any) -> None:
        @loop(0, 4, carry=jnp.float32(1))
        def _(i: Any, c: Any) -> Any:
            out[i] = x[i] * c
            return c + 1

    return _on_a_mesh(kernel)


def jaxpr_call() -> Traceable:
    """A kernel that calls another jaxpr with parts of its refs."""
    from jax._src import api_util, core
    from jax._src import linear_util as lu
    from jax._src.interpreters import partial_eval
    from jax._src.pallas.primitives import _jaxpr_call
    from jax._src.state.types import AbstractRef

    def double(x: Any, out: Any) -> list[Any]:
        out[...] = x[...] * 2
        return []

    def kernel(x: Any, out: Any) -> None:
        part = AbstractRef(core.ShapedArray((2,), jnp.float32))
        wrapped = lu.wrap_init(double, debug_info=api_util.debug_info("jaxpr_call", double, (part, part), {}))
        jaxpr, _, _ = partial_eval.trace_to_jaxpr_dynamic(wrapped, [part, part])
        first = x[0].astype(jnp.int32)
        _jaxpr_call(jaxpr, x.at[pl.ds(first, 2)], out.at[pl.ds(first, 2)], program_ids=[])

    return _on_a_mesh(kernel)


def custom_fusion() -> Traceable:
    """A function and a kernel for it, each closing over an array."""
    from jax._src.pallas.fuser.custom_fusion_lib import custom_fusion as fusion

    def f(k: Any, x: Any, y: Any) -> Any:
        made = fusion(lambda x, y: x + y * k)
        made.def_eval_rule(lambda ctx, x, y: (x + y * 3,))
        made.def_pull_block_spec(lambda specs: (specs[0], specs[0]))
        made.def_pallas_impl(lambda x, y: x + y + k * k)
        return made(x, y)

    return f, (np.float32(3), X, X)


# ---- calls and rules


def linear_call() -> Traceable:
    from jax.custom_derivatives import linear_call

    return lambda r, x: linear_call(lambda r, x: x / r, lambda r, t: t / r, r, x), (np.float32(2), X)


def linear_call_with_const() -> Traceable:
    from jax.custom_derivatives import linear_call

    return lambda k, r, x: linear_call(lambda r, x: x / r * k, lambda r, t: t / r, r, x), (np.float32(3), np.float32(2), X)


def custom_vmap() -> Traceable:
    @jax.custom_batching.custom_vmap
    def f(x: Any, y: Any) -> Any:
        return jnp.sin(x) * y

    f.def_vmap(lambda size, batched, x, y: (jnp.sin(x) * y, True))
    return f, (X, X)


def custom_partitioning() -> Traceable:
    from jax.experimental.custom_partitioning import custom_partitioning

    @custom_partitioning
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.def_partition(partition=lambda *a: None, infer_sharding_from_operands=lambda *a: None, sharding_rule="i -> i")
    return f, (X,)


def composite() -> Traceable:
    return lax.composite(lambda x: jnp.sin(x) * 2, name="my.sin", version=1), (X,)


def compute_on() -> Traceable:
    from jax.experimental.compute_on import compute_on2

    on = compute_on2(compute_type="device_host", out_memory_spaces=jax.memory.Space.Device)
    return on(jax.jit(lambda x: jnp.sin(x) * 2)), (X,)


def fused() -> Traceable:
    from jax.experimental.fused import fused

    return fused(out_spaces=(jax.memory.Space.Device,))(lambda x: (jnp.sin(x) * 2,)), (X,)


def xla_metadata() -> Traceable:
    from jax.experimental.scheduling_groups import xla_metadata_call

    return xla_metadata_call(lambda x: jnp.sin(x) * 2, tag="hot"), (X,)


def remat_opt() -> Traceable:
    @jax.custom_vjp
    def f(x: Any) -> Any:
        return jnp.sin(x)

    f.defvjp(lambda x: (jnp.sin(x), x), lambda r, t: (t * jnp.cos(r),), optimize_remat=True)
    return (lambda x: jax.linearize(f, x)[0]), (X,)


def closed_call() -> Traceable:
    from jax._src.lax.eval_jaxpr import eval_jaxpr_p

    body = jax.make_jaxpr(lambda x, y: jnp.sin(x) * y)(X, X)
    return lambda x, y: eval_jaxpr_p.bind(x, y, jaxpr=body), (X, X)


def core_call() -> Traceable:
    from jax._src import api_util, core
    from jax._src import linear_util as lu

    def f(x: Any) -> Any:
        def fun(y: Any) -> Any:
            return [jnp.sin(y) * 2]

        wrapped = lu.wrap_init(fun, debug_info=api_util.debug_info("core_call", fun, (x,), {}))
        return core.call_p.bind(x, subfuns=(wrapped,))[0]

    return f, (X,)


def platforms() -> Traceable:
    return lambda x: lax.platform_dependent(x, cpu=jnp.sin, default=jnp.cos), (X,)


def linear_solve_with_aux() -> Traceable:
    """All four functions, consts in three of them, and an auxiliary result."""

    def f(a: Any, b: Any) -> Any:
        def solve(matvec: Any, y: Any) -> Any:
            return jnp.linalg.inv(a) @ y, a[0, 0]

        return lax.custom_linear_solve(lambda x: a @ x, b, solve, solve, has_aux=True)

    return f, (M, X)


def linear_solve_alone() -> Traceable:
    """No transpose_solve: two of the four are None."""
    return lambda a, b: lax.custom_linear_solve(lambda x: a * x, b, lambda matvec, y: y / a), (np.float32(2), X)


def pmap() -> Traceable:
    return jax.pmap(lambda x: lax.psum(x * 2, "i"), axis_name="i"), (X[None],)
