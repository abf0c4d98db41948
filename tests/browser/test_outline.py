"""The outline: the program as a tree, by keyboard, beside the graph that shows the same."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Workbench
from .test_scale import BODIES

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def items(bench: Workbench, name: str) -> Locator:
    return bench.page.get_by_role("treeitem", name=re.compile(f"^{re.escape(name)}"))


def test_the_keyboard_walks_the_tree_and_the_graph_follows(open_page: Open) -> None:
    bench = open_page()
    page, keys = bench.page, bench.page.keyboard
    page.locator(".viewer [tabindex='0']").first.focus()
    keys.press("o")
    expect(items(bench, "jax.grad(loss), 3 inputs")).to_be_focused()
    keys.type("scan")
    expect(items(bench, "scan ×8, makes")).to_be_focused()
    expect(page.locator(".viewer .selected[data-eqn='e0']").first).to_be_attached()
    keys.press("ArrowRight")
    expect(items(bench, "scan ×8, makes")).to_have_attribute("aria-expanded", "true")
    keys.press("ArrowRight")
    first = items(bench, "gain, f32[], const")
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-level", "3")
    expect(first).to_have_attribute("aria-posinset", "1")
    keys.press("ArrowDown")
    expect(page.locator(".viewer .selected[data-value^='e0|']").first).to_be_attached()
    keys.press("ArrowLeft")
    expect(items(bench, "scan ×8, makes")).to_be_focused()
    keys.press("ArrowLeft")
    expect(items(bench, "scan ×8, makes")).to_have_attribute("aria-expanded", "false")
    expect(page.locator(".outline [aria-level='3']")).to_have_count(0)
    keys.press("End")
    expect(items(bench, "s, f32[], output")).to_be_focused()
    keys.press("Home")
    expect(items(bench, "jax.grad(loss)")).to_be_focused()
    # One tab stop, and out of it.
    expect(page.locator(".outline [tabindex='0']")).to_have_count(1)
    keys.press("Escape")
    expect(page.locator(".viewer:focus, .viewer :focus")).to_have_count(1)


def test_what_is_selected_elsewhere_is_marked_and_enter_shows_what_is_closed(open_page: Open) -> None:
    bench = open_page()
    page, keys = bench.page, bench.page.keyboard
    bench.panel("outline")
    expect(page.locator(".outline [aria-level='3']")).to_have_count(0)
    bench.equation("tanh").click()
    marked = page.locator(".outline [aria-selected='true']")
    expect(marked).to_have_accessible_name(re.compile("^tanh, makes h"))
    expect(marked).to_be_in_viewport()
    expect(marked).to_have_attribute("aria-level", "3")
    keys.press("c")
    expect(page.locator(".viewer [data-eqn^='e0/']")).to_have_count(0)
    expect(page.locator(".announcer")).to_have_text("Everything is closed")
    marked.focus()
    keys.press("Enter")
    expect(page.locator(".viewer .selected[data-eqn='e0/e3'], .viewer .selected", has_text="tanh").first).to_be_in_viewport()
    expect(marked).to_be_focused()


def test_opening_a_body_and_another_level_are_announced(open_page: Open) -> None:
    bench = open_page()
    bench.select("scan")
    bench.page.keyboard.press("Enter")
    expect(bench.page.locator(".announcer")).to_have_text("Closed scan ×8")
    bench.tab("stablehlo")
    expect(bench.page.locator(".announcer")).to_have_text("Graph of the StableHLO module")
    bench.panel("outline")
    expect(items(bench, "@main, 3 arguments")).to_be_visible()
    loop = items(bench, "while")
    loop.first.click()
    bench.page.keyboard.press("ArrowRight")
    expect(items(bench, "cond, ")).to_have_attribute("aria-level", "3")


def test_a_link_brings_back_the_levels(open_page: Open) -> None:
    bench = open_page()
    bench.page.locator(".viewer [tabindex='0']").first.focus()
    bench.page.keyboard.press("c")
    bench.idle()
    expect(bench.page.locator(".viewer [data-eqn^='e0/']")).to_have_count(0)
    bench.page.wait_for_function("() => location.hash.startsWith('#v1:')")
    address = bench.page.url
    other = open_page(wait=False)
    other.page.goto("about:blank")
    other.page.goto(address)
    other.settled()
    other.drawn()
    expect(other.page.locator(".viewer [data-eqn^='e0/']")).to_have_count(0)
    expect(other.page.locator(".levels.on")).to_have_count(1)


def test_a_large_program_mounts_what_is_in_sight_and_loads_what_is_opened(open_page: Open) -> None:
    bench = open_page()
    bench.paste(BODIES)
    page, keys = bench.page, bench.page.keyboard
    bench.panel("outline")
    page.get_by_role("treeitem").first.click()
    keys.press("End")
    keys.press("ArrowUp")
    at = page.locator(".outline [tabindex='0']")
    expect(at).to_have_accessible_name(re.compile("^scan ×3"))
    with page.expect_request("**/parts/**"):
        keys.press("ArrowRight")
    expect(items(bench, "sin, makes").first).to_be_visible()
    expect(page.get_by_role("treeitem", name=re.compile("to come"))).to_have_count(0)
    keys.press("End")
    expect(at).to_be_in_viewport()
    assert page.get_by_role("treeitem").count() < 80
