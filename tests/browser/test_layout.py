"""What opens or closes stays where the pointer is, and everything else keeps its place in its row."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

PASTE = """
import jax, jax.numpy as jnp

@jax.jit
def inner(x, y):
    return jnp.sin(x) * y + jnp.cos(y)

@jax.jit
def outer(x, y):
    a = jnp.tanh(x) + y
    b = inner(a, y)
    c = inner(y, a)
    return a * b - c, jnp.exp(c)

jax.make_jaxpr(outer)(1.0, 2.0)
"""

ROWS = """() => {
  const rows = new Map();
  for (const node of document.querySelectorAll(".viewer [data-eqn]")) {
    const eqn = node.getAttribute("data-eqn");
    if (!/^e0\\/[^/]+$/.test(eqn)) continue;
    const box = node.getBoundingClientRect();
    const known = rows.get(eqn);
    if (!known || box.width > known.width) rows.set(eqn, box);
  }
  return [...rows].sort((a, b) => a[1].left - b[1].left).map(([eqn, box]) => [eqn, box.left]);
}"""


def test_toggling_keeps_the_triangle_within_two_pixels_and_the_rest_in_order(open_page: Open) -> None:
    bench = open_page()
    bench.paste(PASTE)
    bench.idle()
    toggles = bench.page.locator(".viewer .jv-toggle")
    paths = toggles.evaluate_all("nodes => nodes.map(node => node.getAttribute('data-eqn'))")
    inner = [path for path in paths if path and path.startswith("e0/")]
    assert len(inner) == 2
    order = [eqn for eqn, _ in bench.page.evaluate(ROWS)]
    for path in inner:
        fold = f".viewer .jv-toggle[data-eqn='{path}'] .jv-fold"
        for _ in range(2):
            before = bench.box(fold)
            was = bench.page.locator(f".viewer .jv-toggle[data-eqn='{path}']").get_attribute("aria-expanded")
            bench.page.mouse.click(before["x"] + before["width"] / 2, before["y"] + before["height"] / 2)
            turned = "false" if was == "true" else "true"
            expect(bench.page.locator(f".viewer .jv-toggle[data-eqn='{path}'][aria-expanded={turned}]")).to_have_count(1)
            bench.idle()
            after = bench.box(fold)
            assert abs(after["x"] - before["x"]) <= 2
            assert abs(after["y"] - before["y"]) <= 2
    assert [eqn for eqn, _ in bench.page.evaluate(ROWS)] == order
