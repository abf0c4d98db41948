"""Random JAX programs for property tests: nested control flow, calls, transforms, custom rules, pytrees, three dtypes.

    @given(programs())
    def test_it(program):
        closed = jax.make_jaxpr(program.fun)(*program.args)

`programs()` is a hypothesis strategy, and shrinks to small programs; `seeded(n)` is the n-th program, the same in every run and on every
machine, for scripts and benchmarks. A program is only traced, never run: its numbers mean nothing. It is plain data (its repr is the whole
of it), built into a function by `_Builder`, which mends whatever the data asks that has no type: any data is a program.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np

from tests.generated_ops import NESTED, PLAIN, Builder

if TYPE_CHECKING:
    from hypothesis import strategies as st

Choose = Callable[[int], int]
"""One of n: a number from 0 (the simplest) to n - 1."""

DTYPES = ("float32", "int32", "bool")
SHAPES = ((), (3,), (2, 3), (3, 3))
TREES = ("flat", "pair", "dict", "nested", "list", "point")


class Point(NamedTuple):
    """A pytree of a type of one's own."""

    x: Any
    rest: Any


@dataclass(frozen=True)
class Op:
    """One step: its kind, which values it takes (counted from the newest, modulo how many there are), its bodies, and its switches."""

    kind: str
    picks: tuple[int, ...] = ()
    bodies: tuple[Block, ...] = ()
    flags: int = 0


@dataclass(frozen=True)
class Block:
    """A function body: steps, and which values it returns."""

    ops: tuple[Op, ...] = ()
    outs: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class Generated:
    """A program. `fun(*args)` is traceable by `jax.make_jaxpr`; `library` are bodies that several calls share."""

    leaves: tuple[tuple[str, tuple[int, ...]], ...]
    tree: str
    body: Block
    library: tuple[Block, ...] = ()
    transform: str = ""

    @cached_property
    def args(self) -> tuple[Any, ...]:
        """The arguments: numpy arrays, and Python numbers for some of the scalars, in a pytree."""
        values: list[Any] = []
        for i, (dtype, shape) in enumerate(self.leaves):
            array = (np.arange(np.prod(shape, dtype=int)).reshape(shape) + 1).astype(dtype)
            values.append(array.item() if shape == () and i % 2 else array)
        return _packed(self.tree, values)

    @cached_property
    def fun(self) -> Callable[..., Any]:
        """The function. It calls itself `program`."""
        builder = Builder(self.library)

        def program(*args: Any) -> Any:
            outs = builder.run(self.body, [], jax.tree.leaves(args))
            return {"first": outs[0], "rest": tuple(outs[1:])}

        return builder.transformed(self.transform, program, self.args)


def _packed(tree: str, values: list[Any]) -> tuple[Any, ...]:
    first, rest = values[0], values[1:]
    shapes: dict[str, Callable[[], tuple[Any, ...]]] = {
        "flat": lambda: tuple(values),
        "pair": lambda: (first, tuple(rest)),
        "dict": lambda: ({"w": first, "batch": {str(i): value for i, value in enumerate(rest)}},),
        "nested": lambda: ([{"a": first}, None], {"b": (rest, ())}),
        "list": lambda: (values,),
        "point": lambda: (Point(first, {"r": rest}),),
    }
    return shapes[tree]()


def generate(choose: Choose, *, depth: int = 3, width: int = 4) -> Generated:
    """A program by the given choices. `depth` bounds how deep bodies nest, `width` how many steps a body has."""
    count = 1 + choose(4)
    leaves = tuple((DTYPES[choose(5) % 3], SHAPES[choose(len(SHAPES))]) for _ in range(count))
    tree = TREES[choose(len(TREES))]
    library = tuple(_block(choose, depth=0, width=2, callable_=0) for _ in range(choose(3)))
    body = _block(choose, depth=depth, width=width, callable_=len(library))
    transform = ("", "grad", "value_and_grad", "jit", "vmap", "jvp", "checkpoint", "hessian")[choose(12) % 8 if depth else 0]
    return Generated(leaves, tree, body, library, transform)


def _block(choose: Choose, *, depth: int, width: int, callable_: int) -> Block:
    ops = tuple(_op(choose, depth=depth, width=width, callable_=callable_) for _ in range(1 + choose(width)))
    return Block(ops, tuple(choose(6) for _ in range(1 + choose(3))))


def _op(choose: Choose, *, depth: int, width: int, callable_: int) -> Op:
    nests = depth > 0 and choose(5) > 1
    kinds = (NESTED if callable_ else tuple(kind for kind in NESTED if kind != "library")) if nests else PLAIN
    kind = kinds[choose(len(kinds))]
    picks = tuple(choose(6) for _ in range(1 + choose(3)))
    bodies: tuple[Block, ...] = ()
    if nests and kind != "library":
        # Deep ones are narrow, or the gradients of gradients of loops would take seconds.
        count = 2 + choose(2) if kind in ("switch", "cond") else 1
        bodies = tuple(_block(choose, depth=depth - 1, width=max(1, width - 1), callable_=callable_) for _ in range(count))
    return Op(kind, picks, bodies, choose(16))


def programs(*, depth: int = 3, width: int = 4) -> st.SearchStrategy[Generated]:
    """Random programs that `jax.make_jaxpr` traces, from one plain equation to transforms of nested loops."""
    from hypothesis import strategies as st  # not in an environment that holds an older JAX and nothing else

    @st.composite
    def draw_program(draw: Any) -> Generated:
        return generate(lambda n: draw(st.integers(0, n - 1)), depth=depth, width=width)

    return draw_program()


def seeded(number: int, *, depth: int = 3, width: int = 4) -> Generated:
    """The program of a number: the same one always."""
    return generate(random.Random(number).randrange, depth=depth, width=width)


def many(count: int, *, depth: int = 3, width: int = 4) -> Iterator[Generated]:
    """The first `count` seeded programs."""
    return (seeded(number, depth=depth, width=width) for number in range(count))
