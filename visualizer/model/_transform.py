"""Transformations of JAX that a person may ask for, on a program that was found."""

from typing import Literal

from ._base import Wire

TransformName = Literal["grad", "value_and_grad", "jvp", "vmap", "jit", "checkpoint", "x64"]


class Parameter(Wire):
    """A parameter of the function that a program was traced from: its name and what it was given.

    `text` is in the words of a signature: `f32[3]`, `{'w': f32[3], 'b': f32[]}`, or a Python value that was held static.
    """

    name: str
    text: str
    differentiable: bool


class Step(Wire):
    """One transformation.

    `argnums` (grad, value_and_grad, jvp) and `in_axes` (vmap) count the program's parameters; null is JAX's default.
    """

    name: TransformName
    argnums: tuple[int, ...] | None = None
    in_axes: tuple[int | None, ...] | None = None


class Transform(Wire):
    """A wish: the steps, first applied first, on the function of the program with this id."""

    program: str
    steps: tuple[Step, ...]
