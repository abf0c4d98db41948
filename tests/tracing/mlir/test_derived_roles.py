"""Roles that a module shows by itself: those of its equation where it shows them, else what is certain."""

from __future__ import annotations

import copy
import textwrap
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from jax import lax
from jax._src.interpreters import mlir
from jaxlib.mlir import ir

from tests.tracing.lowered import TRAIN, Dict, Lowering, all_ops, shape, train
from visualizer.tracing.mlir._derived_roles import derive_roles
from visualizer.tracing.mlir._module import serialize_module

# What is certain of a value whose role the equation says: the role, or one that says less.
LESS = {
    "xs": {"xs", "const"},
    "ys": {"ys", "carry"},
    "counter": {"counter", "carry"},
    "const": {"const", "xs"},
    "carry": {"carry", "const", "counter", "ys"},
}


def bare(module: Dict) -> Dict:
    """The module as one that somebody pasted: no roles, no trips."""
    made = copy.deepcopy(module)
    for op in all_ops(made):
        op.pop("trips", None)
        for operand in op["operands"]:
            operand["role"] = None
    for value in made["values"].values():
        value["role"] = None
        value.pop("derived", None)
    return made


def loops(module: Dict) -> list[list[str | None]]:
    """The roles of each loop's results."""
    return [[module["values"][key]["role"] for key in op["results"]] for op in all_ops(module) if op["name"] == "stablehlo.while"]


def of_text(body: str) -> Dict:
    """A module of one function, as it is read from text."""
    with mlir.make_ir_context():
        module = serialize_module(ir.Module.parse(textwrap.dedent(body))).module
    derive_roles(module)
    return module


def while_text(cond: str, body: str) -> str:
    return f"""
        func.func @main(%x: tensor<5x3xf32>, %n: tensor<i32>, %z: tensor<3xf32>, %o: tensor<5x3xf32>) -> tensor<5x3xf32> {{
          %zero = stablehlo.constant dense<0> : tensor<i32>
          %one = stablehlo.constant dense<1> : tensor<i32>
          %five = stablehlo.constant dense<5> : tensor<i32>
          %r:5 = stablehlo.while(%i = %zero, %xs = %x, %c = %z, %lim = %n, %out = %o)
            : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>, tensor<i32>, tensor<5x3xf32>
          cond {{
            {cond}
          }} do {{
            {body}
          }}
          return %r#4 : tensor<5x3xf32>
        }}
    """


UNTIL_FIVE = "%p = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>\n stablehlo.return %p : tensor<i1>"
ROW = """
    %row = stablehlo.dynamic_slice %xs, %i, %zero, sizes = [1, 3] : (tensor<5x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
    %flat = stablehlo.reshape %row : (tensor<1x3xf32>) -> tensor<3xf32>
    %d = stablehlo.add %c, %flat : tensor<3xf32>
    %up = stablehlo.reshape %d : (tensor<3xf32>) -> tensor<1x3xf32>
    %next = stablehlo.dynamic_update_slice %out, %up, %i, %zero
        : (tensor<5x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<5x3xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
"""
HANDED = "stablehlo.return %j, %xs, %d, %lim, %next : tensor<i32>, tensor<5x3xf32>, tensor<3xf32>, tensor<i32>, tensor<5x3xf32>"


def test_a_loop_shows_all_of_its_roles():
    module = of_text(while_text(UNTIL_FIVE, ROW + HANDED))
    assert loops(module) == [["counter", "xs", "carry", "const", "ys"]]
    (loop,) = (op for op in all_ops(module) if op["name"] == "stablehlo.while")
    assert loop["trips"] == 5
    inside = [key for region in loop["regions"] for key in region["blocks"][0]["args"]]
    assert all(module["values"][key]["derived"] for key in [*loop["results"], *inside])


def test_what_is_read_whole_is_no_xs():
    whole = ROW + "%twice = stablehlo.add %xs, %xs : tensor<5x3xf32>\n" + HANDED
    assert loops(of_text(while_text(UNTIL_FIVE, whole))) == [["counter", "const", "carry", "const", "ys"]]


def test_a_slice_at_a_place_of_its_own_is_no_xs():
    elsewhere = (ROW + HANDED).replace("%xs, %i, %zero", "%xs, %lim, %zero")
    assert loops(of_text(while_text(UNTIL_FIVE, elsewhere))) == [["counter", "const", "carry", "const", "ys"]]


def test_a_buffer_that_is_read_is_a_carry():
    read = ROW + "%twice = stablehlo.add %out, %out : tensor<5x3xf32>\n" + HANDED
    assert loops(of_text(while_text(UNTIL_FIVE, read))) == [["counter", "xs", "carry", "const", "carry"]]


def test_a_part_of_a_row_is_no_slice():
    pad = "%cut = stablehlo.pad %row, %nil, low = [0, 0], high = [0, 1], interior = [0, 0]"
    corner = ROW.replace("%xs, %i, %zero, sizes = [1, 3]", "%xs, %i, %zero, sizes = [1, 2]").replace(
        "-> tensor<1x3xf32>\n    %flat = stablehlo.reshape %row",
        f"-> tensor<1x2xf32>\n{pad} : (tensor<1x2xf32>, tensor<f32>) -> tensor<1x3xf32>\n    %flat = stablehlo.reshape %cut",
    )
    text = while_text(UNTIL_FIVE, "%nil = stablehlo.constant dense<0.0> : tensor<f32>\n" + corner + HANDED)
    assert loops(of_text(text)) == [["counter", "const", "carry", "const", "ys"]]


def test_without_a_counter_nothing_is_sliced():
    doubled = (ROW + HANDED).replace("stablehlo.add %i, %one", "stablehlo.multiply %i, %five")
    module = of_text(while_text(UNTIL_FIVE, doubled))
    assert loops(module) == [["carry", "const", "carry", "const", "carry"]]
    assert all("trips" not in op for op in all_ops(module))


def test_a_limit_that_is_no_constant_gives_no_trips():
    module = of_text(while_text(UNTIL_FIVE.replace("%five", "%lim"), ROW + HANDED))
    assert loops(module) == [["counter", "xs", "carry", "const", "ys"]]
    assert all("trips" not in op for op in all_ops(module))


@pytest.mark.parametrize(("compare", "start", "step", "limit", "trips"), [
    ("LT", 0, 1, 5, 5), ("LT", 0, 2, 5, 3), ("LE", 0, 2, 4, 3), ("NE", 0, 1, 5, 5), ("NE", 0, 2, 5, None),
    ("GT", 5, -1, 0, 5), ("GE", 5, -2, 0, 3),
    ("LT", 7, 1, 5, 0), ("GT", 0, 1, 5, None), ("EQ", 0, 1, 5, None),
])  # fmt: skip
def test_trips_are_those_of_the_count(compare: str, start: int, step: int, limit: int, trips: int | None):
    text = while_text(UNTIL_FIVE.replace("LT", compare), ROW + HANDED)
    text = text.replace("dense<1>", f"dense<{step}>").replace("dense<5>", f"dense<{limit}>").replace("%i = %zero", "%i = %start")
    first = f"%start = stablehlo.constant dense<{start}> : tensor<i32>"
    text = text.replace("%zero = stablehlo.constant", f"{first}\n %zero = stablehlo.constant", 1)
    (loop,) = (op for op in all_ops(of_text(text)) if op["name"] == "stablehlo.while")
    assert loop.get("trips") == trips


def both(w: Any, xs: Any, reverse: bool) -> Any:
    return lax.scan(lambda c, x: (jnp.tanh(c * x + w), c), w, xs, reverse=reverse)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_scan_shows_what_its_equation_says(reverse: bool):
    made = Lowering(lambda w, xs: both(w, xs, reverse), shape(3), shape(6, 3))
    module = bare(made.module)
    derive_roles(module)
    assert loops(module) == loops(made.module)
    assert [op["trips"] for op in all_ops(module) if op["name"] == "stablehlo.while"] == [6]


def test_the_call_of_the_step_says_what_it_takes():
    module = bare(Lowering(lambda w, xs: both(w, xs, False), shape(3), shape(6, 3)).module)
    derive_roles(module)
    (step,) = (op for op in all_ops(module) if op["callee"] == "closed_call")
    assert [operand["role"] for operand in step["operands"]] == ["const", "carry", "xs"]
    assert module["values"][step["results"][0]]["role"] == "carry"


def nested(xs: Any) -> Any:
    return lax.scan(lambda c, x: (c + lax.scan(lambda d, y: (d + y, d), 0.0, x)[0], c), 0.0, xs)


@pytest.mark.parametrize(("program", "args"), [
    (train, TRAIN),
    (jax.grad(lambda w, xs: both(w, xs, False)[1].sum()), (shape(3), shape(6, 3))),
    (jax.hessian(lambda w, xs: both(w, xs, True)[0].sum()), (shape(3), shape(6, 3))),
    (nested, (shape(4, 5),)),
    (lambda n, x: lax.fori_loop(0, n, lambda i, c: c.at[i].set(x[i]), x), (shape(dtype="int32"), shape(5))),
    (lambda xs: lax.map(lambda x: jnp.sort(x), xs, batch_size=2), (shape(6, 3),)),
])  # fmt: skip
def test_no_role_contradicts_the_equation(program: Any, args: Any):
    made = Lowering(program, *args)
    check_derived(made.module)


def check_derived(carried: Dict) -> None:
    """Every role that is derived is the one of the equation, or says less."""
    module = bare(carried)
    derive_roles(module)
    for known, found in zip(loops(carried), loops(module), strict=True):
        for role, own in zip(known, found, strict=True):
            assert role is None or own is None or own in LESS.get(role, {own}), (known, found)


def test_roles_of_an_equation_are_not_marked():
    made = Lowering(train, *TRAIN)
    assert not any(value.get("derived") for value in made.module["values"].values())


def test_branches_say_which_blocks_they_lead_to():
    module = of_text("""
        func.func @main(%p: i1, %x: tensor<f32>) -> tensor<f32> {
          cf.cond_br %p, ^a(%x : tensor<f32>), ^b
        ^a(%y: tensor<f32>):
          cf.br ^b
        ^b:
          return %x : tensor<f32>
        }
    """)
    ends = [block["ops"][-1] for block in module["functions"][0]["region"]["blocks"]]
    assert [end.get("successors") for end in ends] == [[1, 2], [2], None]
