"""Keyboard alone, a narrow screen, light and dark, axe-core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import ROOT, Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"


def test_keyboard_alone_walks_opens_explains_and_runs(open_page: Open) -> None:
    bench = open_page()
    keys = bench.page.keyboard
    bench.page.locator(".editor .cm-content").focus()
    keys.press("Escape")
    keys.press("Tab")
    assert bench.focused("class") != "cm-content"
    for _ in range(30):
        if bench.page.evaluate("document.activeElement.closest('.viewer') !== null"):
            break
        keys.press("Tab")
    else:
        pytest.fail("the graph cannot be reached by Tab")
    for _ in range(12):
        keys.press("ArrowDown")
        if bench.focused("data-eqn") == "e0":
            break
    assert bench.focused("data-eqn") == "e0"
    expect(bench.page.locator(".sentences")).to_contain_text("One equation for the whole loop")
    keys.press("Enter")
    expect(bench.page.locator(".viewer [data-eqn^='e0/']")).to_have_count(0)
    bench.idle()
    assert bench.focused("data-eqn") == "e0"
    assert bench.focused("aria-expanded") == "false"
    keys.press("Enter")
    expect(bench.page.locator(".viewer [data-eqn^='e0/']")).not_to_have_count(0)
    bench.idle()
    keys.press("]")
    expect(bench.page.locator(".sentences")).to_contain_text("The backward twin")
    keys.press("[")
    expect(bench.page.locator(".sentences")).to_contain_text("Its backward twin")
    keys.press("Escape")
    expect(bench.page.locator(".viewer .selected")).to_have_count(0)
    keys.press("?")
    expect(bench.page.locator("dialog.sheet")).to_be_visible()
    keys.press("Escape")
    expect(bench.page.locator("dialog.sheet")).not_to_be_visible()


def test_the_help_sheet_opens_from_the_texts_too(open_page: Open) -> None:
    bench = open_page()
    for view in ("jaxpr-text", "beside-text"):
        bench.tab(view)
        bench.page.locator("#stage .cm-content").last.focus()
        bench.page.keyboard.press("?")
        expect(bench.page.locator("dialog.sheet")).to_be_visible()
        bench.page.keyboard.press("Escape")
        expect(bench.page.locator("dialog.sheet")).not_to_be_visible()


def test_the_first_stop_leads_to_the_program_and_f1_to_the_keys(open_page: Open) -> None:
    """A single character is a key on the program alone (WCAG 2.1.4): F1 is one anywhere."""
    bench = open_page()
    page = bench.page
    page.keyboard.press("?")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="To the program")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".viewer [tabindex='0']")).to_be_focused()
    page.locator(".editor .cm-content").focus()
    page.keyboard.press("F1")
    expect(page.locator("dialog.sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".editor .cm-content")).to_be_focused()


def test_what_goes_away_by_a_key_leaves_the_keyboard_beside_it(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.select("scan ×8")
    page.keyboard.press("k")
    page.keyboard.press("]")
    page.get_by_role("button", name="Unpin").first.press("Enter")
    expect(page.locator(".compare")).to_have_count(0)
    expect(page.locator(".details :focus")).to_have_count(1)
    back = page.get_by_role("button", name="Back", exact=True)
    back.press("Enter")
    expect(back).to_be_disabled()
    expect(back).to_be_focused()
    # The view that had the focus is gone with its keys.
    bench.tab("stablehlo")
    bench.idle()
    page.locator(".crumb").first.focus()
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.locator("[role=tab][data-tab='jaxpr']")).to_have_attribute("aria-selected", "true")
    expect(page.locator("#stage :focus")).to_have_count(1)


def test_borders_move_without_dragging(open_page: Open) -> None:
    bench = open_page()
    border = bench.page.get_by_role("separator", name="Width of the code")
    expect(border).to_have_attribute("aria-valuenow", "38")
    at = bench.box_of(border)
    bench.page.mouse.dblclick(at["x"] + 3, at["y"] + 300)
    expect(border).to_have_attribute("aria-valuenow", "58")


def test_menus_and_tabs_by_keyboard(open_page: Open) -> None:
    bench = open_page()
    bench.page.get_by_role("button", name="Examples").focus()
    bench.page.keyboard.press("Enter")
    bench.page.keyboard.press("ArrowDown")
    bench.page.keyboard.press("Enter")
    bench.settled()
    expect(bench.page.locator("[aria-label='Programs of this paste'] [role=tab]").first).to_contain_text("train")
    assert "Examples" in bench.page.evaluate("document.activeElement.textContent")
    bench.page.locator("[data-tab='jaxpr']").focus()
    bench.page.keyboard.press("ArrowRight")
    expect(bench.page.locator("[data-tab='jaxpr-text']")).to_be_focused()
    expect(bench.page.locator(".reader .cm-content")).to_contain_text("{ lambda ;")


def test_dark_follows_the_system_and_the_switch(open_page: Open) -> None:
    def background(bench: Workbench) -> str:
        return str(bench.page.evaluate("getComputedStyle(document.body).backgroundColor"))

    def node(bench: Workbench) -> str:
        return str(bench.page.evaluate("getComputedStyle(document.querySelector('.viewer .jv-op')).fill"))

    dark = open_page(color_scheme="dark")
    assert (background(dark), node(dark)) == ("rgb(21, 24, 29)", "rgb(38, 43, 51)")
    light = open_page(color_scheme="light")
    assert (background(light), node(light)) == ("rgb(255, 255, 255)", "rgb(255, 255, 255)")
    switch = light.page.get_by_role("button", name="Theme")
    switch.click()
    switch.click()
    expect(switch).to_have_accessible_name("Theme: dark")
    assert (background(light), node(light)) == ("rgb(21, 24, 29)", "rgb(38, 43, 51)")


def test_a_phone_shows_one_pane_at_a_time(open_page: Open) -> None:
    bench = open_page(width=400, height=800, has_touch=True)
    assert bench.page.evaluate("document.documentElement.scrollWidth") <= 400
    expect(bench.page.locator(".viewer")).to_be_visible()
    expect(bench.page.locator(".editor")).not_to_be_visible()
    box = bench.box_of(bench.equation("tanh"))
    bench.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    bench.tab("details")
    expect(bench.page.locator(".inspector header")).to_contain_text("tanh")
    bench.page.get_by_role("button", name="Examples").click()
    menu = bench.box("[role=menu]")
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= 400
    bench.page.keyboard.press("Escape")
    bench.page.get_by_role("button", name="line 9").click()
    expect(bench.page.locator(".editor")).to_be_visible()
    expect(bench.page.locator(".viewer")).not_to_be_visible()


# What fades in or flashes has its own colours when it is over; what turns for ever is left out.
STILL = """() => Promise.allSettled(document.getAnimations()
  .filter((each) => each.effect?.getComputedTiming().endTime !== Infinity && each.playState === 'running').map((each) => each.finished))"""


def violations(page: Page, **rules: bool) -> list[str]:
    page.evaluate(STILL)
    # Evaluated in the page's own world without the page's policy: axe is a test tool, no script of ours.
    page.evaluate(AXE.read_text("utf-8"))
    options = {"resultTypes": ["violations"], "rules": {name.replace("_", "-"): {"enabled": on} for name, on in rules.items()}}
    report: dict[str, Any] = page.evaluate("async (options) => await axe.run(document, options)", options)
    return [
        f"{found['id']}: {found['nodes'][0]['target']} {found['nodes'][0]['html'][:160]} {found['nodes'][0]['failureSummary']}"
        for found in report["violations"]
        if found["impact"] in {"moderate", "serious", "critical"}
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
def test_axe_finds_nothing(open_page: Open, scheme: str) -> None:
    bench = open_page(color_scheme=scheme)
    page = bench.page
    assert violations(page) == []
    bench.select("scan")
    assert violations(page) == []
    # A comparison, where what differs has a ground of its own.
    page.keyboard.press("k")
    page.keyboard.press("]")
    expect(page.locator(".compare")).to_be_visible()
    assert violations(page) == []
    page.get_by_role("button", name="Unpin").first.click()
    page.get_by_role("button", name="Colour the boxes").click()
    page.get_by_role("menuitemradio").nth(1).click()
    expect(page.locator(".legend .overlay-title")).to_be_visible()
    bench.idle()
    assert violations(page) == []
    bench.select("scan")
    page.keyboard.press("o")
    expect(page.locator(".outline [role='treeitem']:focus")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".outline [aria-level='3']")).not_to_have_count(0)
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator(".find input")).to_be_focused()
    page.keyboard.type("tanh")
    expect(page.locator(".find-count")).to_contain_text("found")
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("l")
    expect(page.get_by_role("menu", name="Levels")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Keys and help").click()
    expect(page.locator("dialog.sheet")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    bench.paste("import jax\n1 / 0\n")
    assert violations(page) == []
    bench.tab("stablehlo-text")
    page.get_by_role("button", name="Examples").click()
    assert violations(page) == []


@pytest.mark.parametrize(("width", "height"), [(400, 800), (800, 400)])
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
def test_axe_finds_nothing_on_a_phone(open_page: Open, width: int, height: int) -> None:
    bench = open_page(width=width, height=height, has_touch=True)
    assert violations(bench.page) == []
    bench.tab("details")
    bench.panel("outline")
    expect(bench.page.get_by_role("treeitem").first).to_be_visible()
    assert violations(bench.page) == []
    bench.tab("code")
    assert violations(bench.page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("system", [{"contrast": "more"}, {"forced_colors": "active"}], ids=["contrast", "forced"])
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
def test_axe_finds_nothing_where_the_system_asks_for_contrast(open_page: Open, scheme: str, system: dict[str, Any]) -> None:
    bench = open_page(color_scheme=scheme)
    page = bench.page
    page.emulate_media(**system)
    # Of forced colours Chromium tells those that would be (`-webkit-text-fill-color`), not those that are: tests/browser/test_look.py.
    rules = {"color_contrast": "contrast" in system}
    bench.select("scan")
    page.keyboard.press("k")
    page.keyboard.press("]")
    expect(page.locator(".compare")).to_be_visible()
    assert violations(page, **rules) == []
    page.get_by_role("button", name="Colour the boxes").click()
    page.get_by_role("menuitemradio").nth(1).click()
    expect(page.locator(".legend .overlay-title")).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator(".find input")).to_be_focused()
    page.keyboard.type("tanh")
    expect(page.locator(".find-count")).to_contain_text("found")
    assert violations(page, **rules) == []
