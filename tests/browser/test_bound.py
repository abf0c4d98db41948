"""Why an operand is a const: the page says where the name was bound, and goes there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

PASTE = """\
import jax
import jax.numpy as jnp

scale = jnp.arange(3.0)

def train(w, xs, lr):
    rate = lr

    def step(w, x):
        return w - rate * scale * x, w.sum()

    return jax.lax.scan(step, w, xs)

jax.make_jaxpr(train)(jnp.zeros(3), jnp.ones((6, 3)), jnp.float32(0.1))
"""


def test_a_const_leads_to_the_line_where_it_was_bound(open_page: Open) -> None:
    bench = open_page()
    bench.paste(PASTE)
    bench.select("scan")
    words = bench.page.locator(".sentences")
    expect(words).to_contain_text("lr, read as rate (line 7) and scale (line 4) are bound outside of step: that is why they are consts.")
    expect(bench.page.locator(".operands tbody tr").first).to_contain_text("line 7")
    words.get_by_role("button", name="line 7").click()
    expect(bench.page.locator(".editor .cm-activeLine")).to_have_text("    rate = lr")
    assert bench.page.evaluate("() => getSelection().toString()") == "rate"
