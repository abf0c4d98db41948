"""The worker that draws: what draws modules it loads for the first of them, also for one that an equation calls."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

PLAIN = "import jax, jax.numpy as jnp\njax.make_jaxpr(lambda x: jnp.tanh(x) * 2)(jnp.ones(3))\n"
CALLING = """\
import jax, jax.numpy as jnp
from jax import export
saved = export.export(jax.jit(lambda x: jnp.tanh(x) * 2))(jax.ShapeDtypeStruct((3,), "float32"))
jax.make_jaxpr(lambda x: saved.call(x) + 1)(jnp.ones(3))
"""
SCRIPT = re.compile(r"/assets/draw-[\w-]+\.js$")


def asked_for(bench: Workbench) -> list[str]:
    """The scripts with what draws modules, as they are asked for from now on."""
    found: list[str] = []

    def heard(route: Route) -> None:
        found.append(route.request.url)
        route.continue_()

    bench.page.context.route(SCRIPT, heard)
    return found


def shown(bench: Workbench, level: str, path: str) -> None:
    bench.tab(level)
    expect(bench.page.locator(f".viewer[aria-busy='false'] > svg [data-eqn^='{path}']").first).to_be_visible()


def test_it_comes_with_the_first_module_and_only_once(open_page: Open) -> None:
    bench = open_page()
    asked = asked_for(bench)
    bench.paste(PLAIN)
    expect(bench.equation("tanh")).to_be_visible()
    assert asked == []
    for level, path in (("stablehlo", "o"), ("jaxpr", "e"), ("stablehlo", "o")):
        shown(bench, level, path)
    assert len(asked) == 1


def test_an_equation_that_calls_a_module_holds_its_ops(open_page: Open) -> None:
    bench = open_page()
    asked = asked_for(bench)
    bench.paste(CALLING)
    bench.page.locator("[aria-label='Programs of this paste'] [role=tab]").nth(1).click()
    expect(bench.page.locator(".viewer")).to_contain_text("stablehlo")
    expect(bench.page.locator(".viewer > svg [data-eqn^='e'][data-eqn*='/o']", has_text="tanh").first).to_be_visible()
    assert len(asked) == 1


def test_where_it_does_not_come_the_page_says_what_to_do(open_page: Open) -> None:
    bench = open_page(forgive=("ERR_FAILED",))
    bench.page.context.route(SCRIPT, lambda route: route.abort())
    bench.paste(PLAIN)
    bench.tab("stablehlo")
    failure = bench.page.get_by_text("The part of the page that draws modules could not be loaded. Reload the page.")
    expect(failure).to_be_visible()
    shown(bench, "jaxpr", "e")
    expect(failure).to_have_count(0)
