"""Transformations of JAX that a person may ask for, on a program that was found."""

from typing import Literal

from pydantic import Field

from ._base import Wire

TransformName = Literal["grad", "value_and_grad", "jvp", "vmap", "jit", "checkpoint", "x64"]


class Parameter(Wire):
    """A parameter of the function that a program was traced from: its name and what it was given.

    `text` is in the words of a signature: `f32[3]`, `~f32[]` (a weak type: a Python number that was traced), `{'w': f32[3], 'b': f32[]}`,
    or a Python value that was held static. `differentiable`: `jax.grad` takes it (all its arrays are of real or complex numbers).
    """

    name: str
    text: str
    differentiable: bool


class Step(Wire):
    """One transformation.

    `argnums` (grad, value_and_grad, jvp) and `in_axes` (vmap) count the program's parameters. Null `argnums` is 0, and for jvp every
    parameter that can be differentiated. vmap adds to each array of a parameter a new axis of `size` (null: 8) at the place `in_axes` gives
    for the parameter (null there: none is added; null `in_axes`: 0 for all). `has_aux` (grad, value_and_grad, jvp): the function returns a
    pair whose first part is differentiated. jvp adds a parameter `x_dot` for each tangent. x64 traces with 64-bit types, `f32`, `i32` and
    `c64` arguments widened; the other steps have none of the options.
    """

    name: TransformName
    argnums: tuple[int, ...] | None = None
    in_axes: tuple[int | None, ...] | None = None
    size: int | None = None
    has_aux: bool = False


class Transform(Wire):
    """A wish: the steps, first applied first, on the function of the program with this id.

    The program that comes of it stands after that one. Its id is that one's with the place of the wish in the request: `p0.t0`, `p0.t1`.
    A wish may name the program of an earlier one: `p0.t0` gives `p0.t0.t1`.
    """

    program: str
    steps: tuple[Step, ...] = Field(min_length=1, max_length=16)
