"""Programs of tens of thousands of equations: parts come when they are looked at, and no step holds the page up.

Nothing here is timed. What grows with the program must be cut in pieces: bounds are on numbers of things; the one on long tasks is so wide
that only work that is not cut at all is over it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

SAVED = Path(__file__).parents[1] / "web" / "saved" / "schema1.json"
UNROLLED = """
import jax, jax.numpy as jnp
def f(w, x):
    for _ in range(700):
        x = jnp.tanh(x @ w) * 2.0 + x
    return x
jax.make_jaxpr(f)(jnp.ones((4, 4)), jnp.ones((2, 4)))
"""
BODIES = """
import jax, jax.numpy as jnp
def make(i):
    def body(c, x):
        for _ in range(60):
            c = jnp.sin(c) * (i + 1.0)
        return c, x
    return body
def f(c, xs):
    for i in range(90):
        c, _ = jax.lax.scan(make(i), c, xs)
    return c
jax.make_jaxpr(f)(1.0, jnp.ones(3))
"""
LONG_TASKS = """
window.__long = [];
new PerformanceObserver((list) => { for (const entry of list.getEntries()) __long.push(entry.duration); }).observe({ type: 'longtask' });
"""
# What the page says to the worker that draws.
TOLD = """() => {
  window.__told = [];
  const real = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...rest) {
    window.__told.push(message.type);
    return real.call(this, message, ...rest);
  };
}"""


def test_the_worker_begins_to_draw_before_the_page_has_it_all(open_page: Open) -> None:
    bench = open_page()
    bench.page.evaluate(TOLD)
    for bring in (
        lambda: bench.paste(UNROLLED),
        lambda: bench.page.locator("input.chooser").set_input_files([str(SAVED)]),
    ):
        bench.page.evaluate("() => { window.__told = []; }")
        bring()
        bench.page.wait_for_function("() => window.__told.includes('draw')")
        told: list[str] = bench.page.evaluate("window.__told")
        assert [each for each in told if each in ("load", "expect", "draw")][:3] == ["load", "expect", "draw"]
        bench.settled()


def test_the_texts_and_the_module_of_a_large_program_come_when_they_are_looked_at(open_page: Open) -> None:
    bench = open_page()
    asked: list[str] = []
    bench.page.on("request", lambda request: asked.append(request.url))
    bench.paste(UNROLLED)
    expect(bench.page.locator(".inspector header")).to_contain_text("2,800 equations")
    assert not [url for url in asked if "/parts/" in url]
    bench.tab("jaxpr-text")
    expect(bench.page.locator(".reader .cm-content")).to_contain_text("dot_general")
    bench.tab("stablehlo")
    bench.page.wait_for_selector(".viewer > svg [data-key]")
    assert [url.rpartition("/")[2] for url in asked if "/parts/" in url] == ["p0.0.jaxpr", "p0.1.stablehlo"]
    bench.tab("jaxpr-text")
    expect(bench.page.locator(".reader .cm-content")).to_contain_text("dot_general")
    assert len([url for url in asked if "/parts/" in url]) == 2


def test_a_part_that_does_not_come_says_so_in_place_and_can_be_had_again(open_page: Open) -> None:
    bench = open_page(forgive=("Failed to load resource",))
    bench.paste(UNROLLED)
    failing = True

    def answer(route: Route) -> None:
        if failing:
            route.fulfill(status=500, json={"error": {"code": "internal", "message": "It broke.", "advice": "Try it again."}})
        else:
            route.continue_()

    bench.page.route("**/parts/**", answer)
    bench.tab("jaxpr-text")
    banner = bench.page.locator(".stage .banner[role=alert]")
    expect(banner).to_contain_text("It broke. Try it again.")
    failing = False
    banner.get_by_role("button", name="Try again").click()
    expect(bench.page.locator(".reader .cm-content")).to_contain_text("dot_general")


def test_what_the_server_has_forgotten_is_traced_again(open_page: Open) -> None:
    bench = open_page(forgive=("Failed to load resource",))
    bench.paste(UNROLLED)
    gone = {"error": {"code": "part-gone", "message": "Gone.", "advice": "Run the code again."}}
    bench.page.route("**/parts/**", lambda route: route.fulfill(status=410, json=gone), times=1)
    with bench.page.expect_response("**/api/v1/trace"):
        bench.tab("jaxpr-text")
    expect(bench.page.locator(".reader .cm-content")).to_contain_text("dot_general")


def test_a_body_that_was_left_out_is_fetched_when_it_is_opened(open_page: Open) -> None:
    bench = open_page()
    bench.paste(BODIES)
    expect(bench.page.locator(".inspector header")).to_contain_text("90 nested bodies")
    # The farthest bodies are the ones that stay behind: the last scan stands above the result.
    bench.idle()
    bench.page.locator(".viewer [tabindex='0']").first.focus()
    bench.page.keyboard.press("End")
    bench.page.wait_for_function("() => document.activeElement?.dataset.value !== undefined && !document.activeElement.dataset.eqn")
    bench.page.keyboard.press("ArrowUp")
    bench.page.wait_for_function("() => document.activeElement?.dataset.eqn === 'e89'")
    with bench.page.expect_request("**/parts/**") as asked:
        bench.page.keyboard.press("Enter")
    assert "/parts/" in asked.value.url
    bench.settled()
    bench.drawn()
    expect(bench.page.locator(".viewer")).not_to_contain_text("to come")


def test_opening_moving_and_zooming_five_thousand_equations_mounts_little_and_never_blocks(open_page: Open) -> None:
    bench = open_page()
    bench.paste(UNROLLED.replace("700", "1300"))
    bench.page.evaluate(LONG_TASKS)
    for _ in range(4):
        bench.page.get_by_role("button", name="Open every body").click()
        bench.settled()
    box = bench.box(".viewer")
    bench.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    most = 0
    for key, dy in ((None, 300), ("Control", 120), (None, 300), ("Control", 400), (None, 300), ("Control", -500)):
        if key is not None:
            bench.page.keyboard.down(key)
        for _ in range(8):
            bench.page.mouse.wheel(0, dy)
        bench.frames_pass()
        most = max(most, bench.page.evaluate("document.querySelectorAll('.viewer > svg *').length"))
        if key is not None:
            bench.page.keyboard.up(key)
    assert 0 < most < 8000
    # On a machine that does nothing else there is none over 50 ms; uncut work would be seconds.
    assert max(bench.page.evaluate("__long"), default=0) < 1500
