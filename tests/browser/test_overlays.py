"""Overlays: what is laid over the boxes, said in the legend."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def lay(bench: Workbench, name: str) -> None:
    bench.page.get_by_role("button", name="Colour the boxes").click()
    bench.page.get_by_role("menuitemradio", name=name).click()
    bench.idle()


def test_operations_are_laid_over_the_boxes_and_explained(open_page: Open) -> None:
    bench = open_page()
    lay(bench, "Operations")
    legend = bench.page.get_by_role("list", name="Legend")
    expect(legend).to_contain_text("Estimated from shapes")
    expect(bench.page.locator(".viewer g[data-eqn] > .jv-heat3, .viewer g[data-eqn] > .jv-heat2").first).to_be_visible()
    expect(bench.equation("tanh")).to_contain_text("8 FLOP")
    lay(bench, "Nothing")
    expect(bench.page.locator(".viewer [class*='jv-heat']")).to_have_count(0)
    expect(legend).not_to_contain_text("Estimated")


def test_the_peak_of_memory_is_circled(open_page: Open) -> None:
    bench = open_page(color_scheme="dark")
    lay(bench, "Live memory")
    expect(bench.page.locator(".viewer .jv-peak")).to_have_count(1)
    expect(bench.page.locator(".viewer g[data-eqn]:has(> .jv-peak)")).to_contain_text("peak")


def test_the_overlay_stays_over_another_program_and_over_its_module(open_page: Open) -> None:
    bench = open_page()
    lay(bench, "Source line")
    expect(bench.equation("tanh")).to_contain_text("line 9")
    bench.example("02_training_scan")
    expect(bench.page.get_by_role("list", name="Legend")).to_contain_text("Line of the paste")
    bench.tab("stablehlo")
    expect(bench.page.get_by_role("list", name="Legend")).to_contain_text("Line of the paste")
    lay(bench, "Operations")
    expect(bench.page.get_by_role("list", name="Legend")).to_contain_text("Estimated from shapes")
    expect(bench.page.locator(".viewer g[data-eqn]", has_text="FLOP").first).to_be_visible()


def test_the_menu_stays_on_a_narrow_page(open_page: Open) -> None:
    bench = open_page(width=400, height=800)
    bench.page.get_by_role("button", name="Colour the boxes").click()
    menu = bench.box("[role=menu][aria-label='Colour the boxes']")
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= 400
    assert menu["y"] >= 0
    assert menu["y"] + menu["height"] <= 800
