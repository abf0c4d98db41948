"""Source, jaxpr and StableHLO side by side: what belongs together lights, comes into sight and is walked by key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from .conftest import Workbench
from .test_access import violations

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def column(bench: Workbench, name: str) -> Locator:
    return bench.page.locator(f".beside [data-column='{name}']")


def test_three_texts_light_together_and_are_walked_by_key(open_page: Open) -> None:
    bench = open_page()
    bench.example("02_training_scan")
    bench.tab("beside-text")
    expect(column(bench, "stablehlo").locator(".cm-band").first).to_be_visible()
    widths = [bench.box_of(column(bench, name))["width"] for name in ("source", "jaxpr", "stablehlo")]
    assert min(widths) > 400
    column(bench, "source").locator(".cm-line", has_text="w - lr * grad").click(position={"x": 150, "y": 8})
    bench.page.mouse.move(5, 5)
    for name in ("source", "jaxpr", "stablehlo"):
        expect(column(bench, name).locator(".cm-lit").first).to_be_visible()
    expect(column(bench, "jaxpr").locator(".cm-lit").last).to_contain_text("sub")
    expect(column(bench, "stablehlo").locator(".cm-lit").last).to_contain_text("stablehlo.subtract")
    # The same colour everywhere, and the line of the paste beside it.
    classes = {
        column(bench, name).locator(".cm-band-on").first.evaluate("e => /cm-band-\\d/.exec(e.className)[0]") for name in ("source", "jaxpr")
    }
    assert len(classes) == 1
    expect(bench.page.locator(".beside-foot [role=status]")).to_contain_text("line 11")
    bench.page.keyboard.press("n")
    expect(bench.page.locator(".beside-foot [role=status]")).to_contain_text("line 13")
    expect(column(bench, "jaxpr").locator(".cm-lit").first).to_contain_text("scan[")
    bench.page.keyboard.press("p")
    bench.page.keyboard.press("p")
    expect(bench.page.locator(".beside-foot [role=status]")).to_contain_text("line 10")
    assert violations(bench.page) == []


def test_a_narrow_page_has_one_column_with_a_switch(open_page: Open) -> None:
    bench = open_page(width=400, height=800)
    bench.tab("beside-text")
    expect(column(bench, "source").locator(".cm-band").first).to_be_visible()
    expect(column(bench, "jaxpr")).to_be_hidden()
    bench.page.locator(".beside-switch [data-tab='jaxpr']").click()
    expect(column(bench, "jaxpr").locator(".cm-band").first).to_be_visible()
    expect(column(bench, "source")).to_be_hidden()
    assert bench.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_paste_and_all_three_levels_stand_beside_each_other(open_page: Open) -> None:
    bench = open_page()
    bench.tab("beside-text")
    columns = bench.page.locator(".beside-column")
    bench.page.get_by_role("button", name="+ column").click()
    expect(columns).to_have_count(4)
    columns.nth(3).get_by_role("button", name="Compile").click()
    expect(columns.nth(3).locator(".cm-line", has_text="HloModule").first).to_be_visible()
    columns.nth(1).locator(".cm-line", has_text="tanh").first.click(position={"x": 90, "y": 8})
    bench.page.mouse.move(5, 5)
    for at in range(4):
        expect(columns.nth(at).locator(".cm-lit", has_text="tanh").first).to_be_visible()
    assert bench.page.evaluate("document.documentElement.scrollWidth") == 1600
