"""Places in the printed module: exact or null, nesting as regions do."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest

from tests.tracing.lowered import TRAIN, Dict, Lowering, shape, train


def check_places(made: Lowering) -> int:
    """Every place begins with its operation's results and mnemonic and lies inside that of its parent; how many operations have none."""
    values, text = made.module["values"], made.text
    hidden = 0

    def walk(ops: list[Dict], outer: list[int] | None, after: int, reducer: bool) -> None:
        nonlocal hidden
        for op in ops:
            place = op["text_span"]
            if place is None:
                assert reducer, op
                hidden += 1
                continue
            start, end = place
            shown = text[start:end]
            head, _, rest = shown.partition(" = ") if op["results"] else ("", "", shown)
            assert head.replace(" ", "").split(",")[0].partition(":")[0] == (
                values[op["results"][0]]["name"].partition("#")[0] if op["results"] else ""
            )
            assert rest.startswith((op["name"], op["name"].removeprefix("func."), f'"{op["name"]}"')), shown[:80]
            assert shown.count("{") == shown.count("}") and shown.count("(") == shown.count(")"), shown[-80:]
            assert outer is None or outer[0] < start < end <= outer[1]
            assert start >= after
            after = end
            inside = start
            for region in op["regions"]:
                for block in region["blocks"]:
                    walk(block["ops"], place, inside, " applies " in shown.partition("\n")[0])
                    inside = max([inside, *(each["text_span"][1] for each in block["ops"] if each["text_span"])])

    for function in made.module["functions"]:
        start, end = function["text_span"]
        assert text[start:end].startswith("func.func ") and text[start:end].endswith("}")
        assert f"@{function['name']}(" in text[start:end].partition("\n")[0] or not function["name"].isidentifier()
        for block in function["region"]["blocks"]:
            walk(block["ops"], [start, end], start, False)
    walk(made.module["ops"], None, 0, False)
    return hidden


def test_the_lessons_program():
    made = Lowering(train, *TRAIN)
    assert check_places(made) == 2  # the add and the return of the reducer, printed as `applies stablehlo.add`
    assert made.shown(made.only("stablehlo.while")).endswith("}")
    assert made.shown(made.only("stablehlo.compare")).startswith("%2 = stablehlo.compare LT, %iterArg_2, %c_5, SIGNED")


PROGRAMS: dict[str, Any] = {
    "sort, printed generically": lambda x: jnp.sort(x),
    "two named results": lambda x: jax.lax.top_k(x, 2),
    "argmax, a reducer of its own": lambda x: jnp.argmax(x),
    "cumsum, a window": lambda x: jnp.cumsum(x),
    "scatter": lambda x: x.at[1:].add(2.0),
    "switch": lambda x: jax.lax.switch(x.astype(int)[0], [jnp.sin, jnp.cos, jnp.sort], x),
    "branches that are empty": lambda x: jax.lax.cond(x.sum() > 0, lambda x: x, lambda x: x, x),
    "loop in a loop": lambda x: jax.lax.fori_loop(0, 3, lambda i, x: jax.lax.fori_loop(0, i, lambda j, y: y + j, x), x),
    "nothing": lambda x: x,
    "random bits": lambda x: jax.random.uniform(jax.random.key(0), (3,)) + x[0],
    "pooling": lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2,), (1,), "VALID"),
    "pooling, backwards": jax.grad(lambda x: jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (2,), (1,), "VALID").sum()),
    "callback": lambda x: (jax.debug.print("{x}\n{{", x=x), x)[1],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_printing_of_every_kind(name: str):
    check_places(Lowering(PROGRAMS[name], shape(5)))


def test_a_function_with_a_name_of_other_letters():
    def größe(x: Any) -> Any:
        return x * 2

    made = Lowering(lambda x: jax.jit(größe)(x) + 1, shape(3))
    (inner,) = (function for function in made.module["functions"] if function["name"] != "main")
    assert made.text[slice(*inner["text_span"])].startswith("func.func private @")
    assert made.linked("mul") == [["stablehlo.constant", "stablehlo.broadcast_in_dim", "stablehlo.multiply"]]


def test_functions_of_similar_names_are_told_apart():
    def step(y: Any) -> Any:
        return jnp.cos(y)

    made = Lowering(lambda x: jax.jit(step)(x).sum() + jax.jit(step)(x[:2]).sum(), shape(3))
    assert [function["name"] for function in made.module["functions"]] == ["main", "step", "step_0"]
    for function in made.module["functions"]:
        assert f"@{function['name']}(" in made.text[slice(*function["text_span"])].partition("\n")[0]
