"""Write the modules that the drawing's tests use: frontend/test/drawing/modules/*.json, without their text.

    python scripts/modules.py [NAME ...]

Each is lowered here and read back from its text, as one that somebody pasted: its roles are those that the text shows.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
from jax import lax
from jax._src.interpreters import mlir
from jaxlib.mlir import ir

from visualizer.model import Module
from visualizer.tracing.hlo._module import HloModule
from visualizer.tracing.hlo._text import read_hlo
from visualizer.tracing.mlir._derived_roles import derive_roles
from visualizer.tracing.mlir._module import serialize_module
from visualizer.tracing.modules._locations import location_text

FOLDER = Path(__file__).resolve().parent.parent / "frontend" / "test" / "drawing" / "modules"
ROW, ROWS = jnp.ones(3), jnp.ones((6, 3))

BLOCKS = """
func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %half = stablehlo.constant dense<0.5> : tensor<4xf32>
  cf.br ^test(%zero, %x : tensor<i32>, tensor<4xf32>)
^test(%i: tensor<i32>, %y: tensor<4xf32>):
  %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %go = tensor.extract %less[] : tensor<i1>
  cf.cond_br %go, ^step, ^done(%y : tensor<4xf32>)
^step:
  %z = stablehlo.multiply %y, %half : tensor<4xf32>
  %j = stablehlo.add %i, %one : tensor<i32>
  cf.br ^test(%j, %z : tensor<i32>, tensor<4xf32>)
^done(%r: tensor<4xf32>):
  %s = stablehlo.tanh %r : tensor<4xf32>
  return %s : tensor<4xf32>
}
"""

MANUAL = """
sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<8x16xf32>, %w: tensor<16x32xf32>) -> tensor<8x32xf32> {
  %y = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"data"}, {}]>]
      manual_axes={"data"} (%a: tensor<4x16xf32>, %b: tensor<16x32xf32>) {
    %p = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
    %q = stablehlo.tanh %p : tensor<4x32xf32>
    sdy.return %q : tensor<4x32xf32>
  } : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
"""

MANY = """
func.func @first(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.tanh %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @second(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = func.call @shared(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func private @shared(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.negate %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
"""

COMPILED = """
HloModule jit_f, is_scheduled=true

fused_tanh {
  h = f32[3]{0} parameter(0)
  xs = f32[5,3]{1,0} parameter(1)
  i = s32[] parameter(2)
  zero = s32[] constant(0)
  row = f32[1,3]{1,0} dynamic-slice(xs, i, zero), dynamic_slice_sizes={1,3}
  x = f32[3]{0} bitcast(row)
  sum = f32[3]{0} add(h, x)
  ROOT new = f32[3]{0} tanh(sum)
}

fused_update {
  ys = f32[5,3]{1,0} parameter(0)
  y = f32[3]{0} parameter(1)
  i.1 = s32[] parameter(2)
  zero.1 = s32[] constant(0)
  row.1 = f32[1,3]{1,0} bitcast(y)
  ROOT stacked = f32[5,3]{1,0} dynamic-update-slice(ys, row.1, i.1, zero.1)
}

body {
  arg = (s32[], f32[3]{0}, f32[5,3]{1,0}, f32[5,3]{1,0}) parameter(0)
  one = s32[] constant(1)
  i.2 = s32[] get-tuple-element(arg), index=0
  h.1 = f32[3]{0} get-tuple-element(arg), index=1
  ys.1 = f32[5,3]{1,0} get-tuple-element(arg), index=2
  xs.1 = f32[5,3]{1,0} get-tuple-element(arg), index=3
  next = s32[] add(i.2, one)
  new.1 = f32[3]{0} fusion(h.1, xs.1, i.2), kind=kLoop, calls=fused_tanh
  stacked.1 = f32[5,3]{1,0} fusion(ys.1, new.1, i.2), kind=kLoop, calls=fused_update
  ROOT out = (s32[], f32[3]{0}, f32[5,3]{1,0}, f32[5,3]{1,0}) tuple(next, new.1, stacked.1, xs.1)
}

cond {
  arg.1 = (s32[], f32[3]{0}, f32[5,3]{1,0}, f32[5,3]{1,0}) parameter(0)
  five = s32[] constant(5)
  i.3 = s32[] get-tuple-element(arg.1), index=0
  ROOT less = pred[] compare(i.3, five), direction=LT
}

plus {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] add(a, b)
}

negated {
  n = (f32[3]{0}) parameter(0)
  n.1 = f32[3]{0} get-tuple-element(n), index=0
  minus = f32[3]{0} negate(n.1)
  none = f32[] constant(0)
  total = f32[] reduce(minus, none), dimensions={0}, to_apply=plus
  ROOT given = (f32[]) tuple(total)
}

summed {
  m = (f32[3]{0}) parameter(0)
  m.1 = f32[3]{0} get-tuple-element(m), index=0
  none.1 = f32[] constant(0)
  total.1 = f32[] reduce(m.1, none.1), dimensions={0}, to_apply=plus
  ROOT given.1 = (f32[]) tuple(total.1)
}

ENTRY main {
  h.2 = f32[3]{0} parameter(0), metadata={op_name="h"}
  xs.2 = f32[5,3]{1,0} parameter(1), metadata={op_name="xs"}
  which = pred[] parameter(2), metadata={op_name="which"}
  start = s32[] constant(0)
  empty = f32[] constant(0)
  ys.2 = f32[5,3]{1,0} broadcast(empty), dimensions={}
  all = (s32[], f32[3]{0}, f32[5,3]{1,0}, f32[5,3]{1,0}) tuple(start, h.2, ys.2, xs.2)
  loop = (s32[], f32[3]{0}, f32[5,3]{1,0}, f32[5,3]{1,0}) while(all), condition=cond, body=body
  last = f32[3]{0} get-tuple-element(loop), index=1
  ys.3 = f32[5,3]{1,0} get-tuple-element(loop), index=2
  branch = (f32[3]{0}) tuple(last)
  picked = (f32[]) conditional(which, branch, branch), true_computation=negated, false_computation=summed
  sum.1 = f32[] get-tuple-element(picked), index=0
  ROOT both = (f32[], f32[5,3]{1,0}) tuple(sum.1, ys.3)
}
"""


def step(w: Any, c: Any, x: Any) -> Any:
    h = jnp.tanh(c * w + x)
    return h, jnp.where(h > 0, h, 0.0)


def scanned(w: Any, c: Any, xs: Any) -> Any:
    return lax.scan(lambda c, x: step(w, c, x), c, xs)


def branched(i: Any, x: Any) -> Any:
    y = x * 2
    return lax.switch(i, [lambda z: z + y, lambda z: jnp.sin(z) - y, lambda z: -z], x)


def reduced(x: Any) -> Any:
    pooled = jax.grad(lambda v: lax.reduce_window(v, -jnp.inf, lax.max, (2, 2), (1, 1), "VALID").sum())(x)
    own = lax.reduce(x, jnp.float32(1), lambda a, b: a * b + 1, (0,))
    return jnp.argmax(x), lax.sort(x), x.at[0].set(3.0), x.at[1].add(1.0), x.max(), pooled, own


def composed(x: Any) -> Any:
    return lax.composite(lambda v: jnp.sqrt(v) * 2, name="mine.scaled_root", version=2)(x)


def helped(x: Any, i: Any) -> Any:
    return jnp.linalg.norm(jnp.clip(jnp.where(x > 0, x, 0.0), 0, 1)), jnp.take(x, i, axis=0), jnp.linalg.eigh(x @ x.T)


def layer(p: Any, x: Any) -> Any:
    q, k, v = (x @ p[name] for name in "qkv")
    mixed = jax.nn.softmax(q @ k.T) @ v
    y = x + mixed @ p["o"]
    return y + jax.nn.gelu(y @ p["up"]) @ p["down"]


def network(params: Any, x: Any) -> Any:
    for p in params:
        x = layer(p, x)
    return x.mean()


SQUARE = {name: jnp.ones((8, 8)) for name in "qkvo"}
PARAMS = [{**SQUARE, "up": jnp.ones((8, 16)), "down": jnp.ones((16, 8))}] * 4

MADE: dict[str, str | tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "pasted_scan": (scanned, (ROW, ROW, ROWS)),
    "pasted_gradient": (jax.grad(lambda w, c, xs: scanned(w, c, xs)[1].sum()), (ROW, ROW, ROWS)),
    "branches": (branched, (1, ROW)),
    "reducers": (reduced, (ROWS,)),
    "composite": (composed, (ROW,)),
    "helpers": (helped, (ROWS, jnp.array([0, 2]))),
    "layers": (jax.value_and_grad(network), (PARAMS, jnp.ones((5, 8)))),
    "blocks": BLOCKS,
    "manual": MANUAL,
    "functions": MANY,
    "compiled": COMPILED,
}


def module_of(made: str | tuple[Callable[..., Any], tuple[Any, ...]], *, located: bool) -> dict[str, Any]:
    """A module as it is read from text."""
    if isinstance(made, str) and "HloModule" in made:
        hlo = HloModule(read_hlo(made), made).module
        Module.model_validate(hlo)
        return {**hlo, "text": ""}
    text = made if isinstance(made, str) else jax.jit(made[0]).lower(*made[1]).as_text(debug_info=located)
    with mlir.make_ir_context():
        parsed = ir.Module.parse(text)
        serialized = serialize_module(parsed)
        for op, wire in serialized.ops if located else ():
            wire["location"] = (location_text(str(op.location)) or "").replace(__file__, "net.py") or None
    module = serialized.module
    derive_roles(module)
    Module.model_validate(module)
    return {**module, "text": ""}


def main(wanted: list[str]) -> None:
    """Write all modules, or those named."""
    for name, made in MADE.items():
        if wanted and name not in wanted:
            continue
        out = FOLDER / f"{name}.json"
        out.write_text(
            json.dumps(module_of(made, located=name == "layers"), separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n"
        )
        print(f"{name:32} {out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
