"""The level chooser: down to a depth and by what a person calls the parts, by hand and by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

LAYERS = """
import jax, jax.numpy as jnp
def layer(w, x):
    x = jnp.tanh(w @ x) + jnp.sin(x) * jnp.cos(x)
    return x / (1.0 + jnp.exp(-x)) - jnp.square(x)
def loss(ws, x):
    for w in ws:
        x = layer(w, x)
    return jnp.sum(x ** 2)
jax.make_jaxpr(jax.value_and_grad(loss))([jnp.ones((4, 4)) for _ in range(10)], jnp.ones(4))
"""


def titled(bench: Workbench, title: str) -> Locator:
    return bench.page.locator(".viewer .jv-toggle").filter(has_text=title)


def choose(bench: Workbench, name: str) -> None:
    bench.page.get_by_role("button", name="Levels").click()
    bench.page.get_by_role("menuitemradio", name=re.compile(f"^{name}")).click()
    bench.idle()


def test_a_large_program_opens_by_its_functions_with_its_transpose_beside_it(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LAYERS)
    runs = titled(bench, "layer ×")
    expect(runs).to_have_count(2)
    heights = [bench.box_of(each)["y"] for each in runs.all()]
    assert abs(heights[0] - heights[1]) < 2


def test_what_boxes_are_grouped_by_is_chosen(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LAYERS)
    choose(bench, "Nothing")
    expect(titled(bench, "layer")).to_have_count(0)
    choose(bench, "Functions")
    expect(titled(bench, "layer ×")).to_have_count(2)
    bench.page.get_by_role("button", name="Levels").click()
    expect(bench.page.get_by_role("menuitemradio", name="Modules")).to_have_attribute("aria-disabled", "true")


def test_the_keyboard_goes_a_level_deeper_and_back(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LAYERS)
    titled(bench, "layer ×").first.focus()
    bench.page.keyboard.press("c")
    bench.idle()
    expect(titled(bench, "layer ×").first).to_have_attribute("aria-expanded", "false")
    bench.page.keyboard.press(".")
    bench.idle()
    expect(titled(bench, "layer ×").first).to_have_attribute("aria-expanded", "true")
    bench.page.keyboard.press(",")
    bench.idle()
    expect(titled(bench, "layer ×").first).to_have_attribute("aria-expanded", "false")
    bench.page.keyboard.press("l")
    expect(bench.page.get_by_role("menu", name="Levels")).to_be_visible()
    bench.page.keyboard.press("Escape")
    expect(bench.page.get_by_role("menu", name="Levels")).to_have_count(0)


def flows(bench: Workbench, right: bool) -> None:
    """Waits until the scan is drawn so: wider than high, or higher than wide."""
    bench.page.wait_for_function(
        """(right) => {
          const frames = [...document.querySelectorAll(".viewer g[data-eqn='e0'] > rect[class^='jv-frame']")];
          const box = frames.at(-1)?.getBoundingClientRect();
          return box !== undefined && box.width > 0 && box.width > box.height === right;
        }""",
        arg=right,
    )


def test_the_values_flow_to_the_right_and_do_so_after_a_reload(open_page: Open) -> None:
    bench = open_page()
    bench.example("02_training_scan")
    flows(bench, right=False)
    before = bench.page.evaluate("() => location.hash")
    choose(bench, "Right")
    flows(bench, right=True)
    # The address follows after a pause.
    bench.page.wait_for_function("(before) => location.hash.startsWith('#v1:') && location.hash !== before", arg=before)
    bench.page.reload()
    bench.settled()
    bench.drawn()
    flows(bench, right=True)
    choose(bench, "Down")
    flows(bench, right=False)
