"""Small helpers of the lowering tests: a function, traced, serialised and lowered as a paste's would be."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp

from visualizer.tracing._serialize import serialize
from visualizer.tracing.lowering._stablehlo import LoweredProgram, lower

Dict = dict[str, Any]


class Lowering:
    """A lowered function and the questions tests ask of it."""

    def __init__(self, fun: Any, *args: Any, **kwargs: Any) -> None:
        traced = fun.trace(*args, **kwargs) if hasattr(fun, "trace") else jax.jit(fun).trace(*args, **kwargs)
        self.traced = traced
        self.serialized = serialize(traced.jaxpr)
        self.result: LoweredProgram = lower(self.serialized, traced=() if traced is None else (traced,))
        self.module: Dict = self.result.patch["modules"].get("stablehlo", {})
        self.links: Dict = self.result.patch["links"].get("stablehlo", {})
        self.text: str = self.module.get("text", "")

    @property
    def eqns(self) -> dict[str, Dict]:
        """The wire equations by id."""
        return {eqn["id"]: eqn for jaxpr in self.serialized.program["jaxprs"].values() for eqn in jaxpr["eqns"]}

    @property
    def ops(self) -> dict[str, Dict]:
        """The operations by id, in program order."""
        return {op["id"]: op for op in all_ops(self.module)}

    def linked(self, primitive: str) -> list[list[str]]:
        """For each equation of a primitive, the names of its operations."""
        ops = self.ops
        return [[ops[op]["name"] for op in self.links.get(key, ())] for key, eqn in self.eqns.items() if eqn["primitive"] == primitive]

    def unlinked(self) -> list[str]:
        """Names of the operations that no equation is linked to, ends of functions aside."""
        linked = {op for ops in self.links.values() for op in ops}
        return [op["name"] for key, op in self.ops.items() if key not in linked and op["name"] != "func.return"]

    def only(self, name: str) -> Dict:
        """The one operation of a name."""
        (op,) = (op for op in self.ops.values() if op["name"] == name)
        return op

    def roles(self, values: list[str]) -> list[str | None]:
        """The roles of values, by id."""
        return [self.module["values"][value]["role"] for value in values]

    def shown(self, op: Dict) -> str | None:
        """The printed text of an operation."""
        return None if op["text_span"] is None else self.text[slice(*op["text_span"])]


def all_ops(module: Dict) -> Iterator[Dict]:
    """Every operation of a module-shaped dict, in program order, at every depth; functions are not operations here."""

    def walk(ops: list[Dict]) -> Iterator[Dict]:
        for op in ops:
            yield op
            for region in op["regions"]:
                for block in region["blocks"]:
                    yield from walk(block["ops"])

    for function in module.get("functions", ()):
        for block in function["region"]["blocks"]:
            yield from walk(block["ops"])
    yield from walk(module.get("ops", []))


def train(w: Any, xs: Any, ys: Any, lr: Any) -> Any:
    """The lesson's program: one gradient step per batch, scanned."""

    def step(w: Any, batch: Any) -> Any:
        x, y = batch

        def loss(w: Any) -> Any:
            return jnp.mean((x @ w - y) ** 2)

        return w - lr * jax.grad(loss)(w), loss(w)

    return jax.lax.scan(step, w, (xs, ys))


def shape(*sizes: int, dtype: str = "float32") -> jax.ShapeDtypeStruct:
    """A type without a value: nothing is computed in these tests."""
    return jax.ShapeDtypeStruct(sizes, dtype)


TRAIN = (shape(3), shape(6, 2, 3), shape(6, 2), shape())
