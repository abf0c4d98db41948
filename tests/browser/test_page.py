"""Paste and run, errors, output, programs, offers: what a person does on the page, in Chromium against the real server."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

LESSON = """\
import jax
import jax.numpy as jnp

def train(w, xs, ys, lr):
    def step(w, batch):
        x, y = batch
        loss = lambda w: jnp.mean((x @ w - y) ** 2)
        return w - lr * jax.grad(loss)(w), loss(w)
    return jax.lax.scan(step, w, (xs, ys))

print(jax.make_jaxpr(train)(jnp.zeros(3), jnp.ones((6, 2, 3)), jnp.ones((6, 2)), jnp.float32(0.1)))
"""

BOOLEAN = """\
import jax
import jax.numpy as jnp


def f(x):
    if x > 0:
        return x
    return -x


jax.make_jaxpr(f)(jnp.float32(1.0))
"""


def test_opens_on_the_gradient_of_a_scan(open_page: Open) -> None:
    bench = open_page()
    assert bench.status == "Traced"
    titles = bench.page.locator(".viewer .jv-toggle text").all_text_contents()
    assert sum("scan" in title for title in titles) == 2


def test_paste_and_run_explains_the_scan(open_page: Open) -> None:
    bench = open_page()
    bench.paste(LESSON)
    bench.select("scan")
    words = bench.page.locator(".sentences").inner_text()
    assert "num_consts=1 claims the first operand, lr" in words
    assert "num_carry=1 claims the second operand, w" in words
    assert "f32[6,2,3] → f32[2,3]" in words
    rows = bench.page.locator(".operands tbody tr")
    found = [[cell.split()[0] for cell in rows.nth(i).locator("td").all_inner_texts()[:2]] for i in range(rows.count())]
    assert found == [["const", "lr"], ["carry", "w"], ["xs", "xs"], ["xs", "ys"]]
    bench.panel("output")
    assert "{ lambda ; " in bench.page.locator("#details-panel pre").inner_text()


def test_typing_traces_after_a_pause(open_page: Open) -> None:
    bench = open_page()
    bench.page.locator(".editor .cm-line", has_text="tanh").click(position={"x": 5, "y": 5})
    bench.page.keyboard.press("Home")
    bench.page.keyboard.press("End")
    with bench.page.expect_request("**/api/v1/trace") as sent:
        bench.page.keyboard.type("  # a remark")
    assert "# a remark" in (sent.value.post_data or "")
    bench.settled()
    assert bench.status == "Traced"


def test_the_newest_run_wins(open_page: Open) -> None:
    bench = open_page()
    first = "import jax\njax.make_jaxpr(lambda older: older * 2.0)(1.0)\n"
    bench.paste(first, wait=False)
    bench.paste(first.replace("older", "newer"))
    expect(bench.page.locator("[aria-label='Programs of this paste'] [role=tab]")).to_contain_text("newer")


def test_an_error_is_underlined_listed_and_leaves_the_graph(open_page: Open) -> None:
    bench = open_page()
    bench.paste(BOOLEAN)
    assert bench.status == "1 error"
    problem = bench.page.locator(".problem")
    expect(problem).to_contain_text("TracerBoolConversionError")
    expect(problem).to_contain_text("jax.lax.cond")
    expect(bench.page.locator(".editor .cm-lintRange-error")).to_have_text("x > 0")
    expect(bench.page.locator(".stage.stale .viewer svg")).to_be_visible()
    expect(bench.page.locator(".strip")).to_contain_text("last program that could be traced")
    problem.get_by_role("button", name="Line 6").click()
    expect(bench.page.locator(".editor .cm-activeLine")).to_contain_text("if x > 0")


def test_an_error_first_says_so_in_place_of_a_graph(open_page: Open) -> None:
    bench = open_page()
    bench.paste("")
    expect(bench.page.locator(".placeholder")).to_contain_text("Nothing to trace yet")
    bench.paste("x = 1 +\n")
    expect(bench.page.locator(".placeholder")).to_contain_text("SyntaxError before anything was traced")


def test_a_paste_without_jax_says_what_to_do(open_page: Open) -> None:
    bench = open_page()
    bench.paste("print('one and one is', 1 + 1)\n")
    expect(bench.page.locator(".placeholder")).to_contain_text("No JAX program")
    expect(bench.page.locator("#details-panel pre")).to_have_text("one and one is 2")


def test_names_made_of_html_stay_text(open_page: Open) -> None:
    bench = open_page()
    bench.paste(
        "import jax\n"
        "def f(d):\n    return d['<img src=x onerror=alert(1)>'] * 2.0\n"
        "f.__name__ = '<b>bold</b>'\n"
        "print('<script>alert(1)</script>')\n"
        "jax.make_jaxpr(f)({'<img src=x onerror=alert(1)>': 1.0})\n"
    )
    bench.drawn()
    expect(bench.page.locator(".viewer svg")).to_contain_text("<img")
    # Beside the hints of types the editor has empty images of its own, for the caret.
    assert bench.page.locator("img:not(.cm-widgetBuffer), #page script, #page b b").count() == 0
    bench.panel("output")
    expect(bench.page.locator("#details-panel pre")).to_have_text("<script>alert(1)</script>")


def test_several_programs_are_tabs_told_apart(open_page: Open) -> None:
    bench = open_page()
    bench.example("04_unroll_is_a_param")
    tabs = bench.page.locator("[aria-label='Programs of this paste'] [role=tab]")
    expect(tabs).to_have_count(3)
    assert [re.search(r"unroll=\d+$", text.replace("make_jaxpr", "").strip()) is not None for text in tabs.all_inner_texts()] == [True] * 3
    tabs.nth(1).click()
    expect(tabs.nth(1)).to_have_attribute("aria-selected", "true")
    bench.idle()
    bench.select("scan")
    assert "unroll=4 changes nothing here" in bench.page.locator(".sentences").inner_text()


def test_what_was_written_survives_a_reload(open_page: Open) -> None:
    bench = open_page()
    bench.paste("import jax\njax.make_jaxpr(lambda kept: kept + 1.0)(1.0)\n")
    bench.page.reload()
    bench.page.wait_for_selector(".editor .cm-content")
    expect(bench.page.locator(".editor .cm-content")).to_contain_text("lambda kept")


def test_a_server_that_is_gone_is_said_in_words(open_page: Open) -> None:
    bench = open_page(forgive=("Failed to load resource",))
    bench.page.route("**/api/v1/trace", lambda route: route.abort())
    bench.page.get_by_role("button", name="Run").click()
    bench.settled()
    assert bench.status == "No answer"
    expect(bench.page.locator(".problem")).to_contain_text("The server does not answer.")
    expect(bench.page.locator(".stage.stale .viewer svg")).to_be_visible()


def test_a_long_run_says_how_long_it_has_and_can_be_ended(open_page: Open) -> None:
    bench = open_page()
    bench.paste("import time\n\ntime.sleep(60)\n", wait=False)
    banner = bench.page.locator(".banner", has_text="Tracing")
    expect(banner).to_contain_text(re.compile(r"[2-9] s"), timeout=20_000)
    banner.get_by_role("button", name="Cancel").click()
    expect(banner).to_have_count(0)
    expect(bench.page.locator(".status")).to_contain_text("Cancelled")
    # Nothing of it is in the way of the next one.
    bench.paste(LESSON)
    expect(bench.page.locator(".status")).to_contain_text("Traced")
    expect(bench.page.locator(".viewer .jv-toggle text").first).to_contain_text("scan")
