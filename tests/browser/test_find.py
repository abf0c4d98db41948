"""Finding things: the field over the program, its hits in the graph, in closed bodies and in the texts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from .conftest import Workbench
from .test_access import AXE, violations

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def find(bench: Workbench, query: str) -> None:
    bench.page.keyboard.press("Control+k")
    bench.page.locator(".find input").fill(query)


def test_what_is_typed_before_the_field_is_there_is_found(open_page: Open) -> None:
    bench = open_page()
    bench.select("scan")
    panel = re.compile(r"/assets/Panel-[^/]*\.js")
    held: list[Route] = []
    typed = False
    bench.page.route(panel, lambda route: route.continue_() if typed else held.append(route))
    with bench.page.expect_request(panel):
        bench.page.keyboard.press("/")
    bench.page.keyboard.type("scabc")
    for _ in "bc":
        bench.page.keyboard.press("Backspace")
    bench.page.keyboard.type("n")
    typed = True
    for route in held:
        route.continue_()
    field = bench.page.locator(".find input")
    expect(field).to_be_focused()
    bench.page.keyboard.type(" x")
    expect(field).to_have_value("scan x")
    expect(bench.page.locator(".viewer [data-eqn^='e0/']").first).to_be_attached()  # `c` closed nothing


def test_a_hit_in_a_closed_body_opens_it_and_comes_into_sight(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.select("scan")
    page.keyboard.press("c")
    expect(page.locator(".viewer [data-eqn^='e0/']")).to_have_count(0)
    bench.idle()
    page.keyboard.press("/")
    expect(page.locator(".find input")).to_be_focused()
    page.keyboard.type("prim:tanh")
    expect(page.locator(".find-count")).to_have_text("1 found")
    expect(page.get_by_role("option")).to_contain_text("scan ×8, line 9")
    expect(page.locator(".viewer .found-in[data-eqn='e0']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator(".find-count")).to_have_text("1 of 1")
    expect(page.locator(".viewer .found-at.selected")).to_contain_text("tanh")
    expect(page.locator(".viewer .found-at")).to_be_in_viewport()
    expect(page.locator(".announcer")).to_have_text("1 of 1: tanh f32[]")
    page.keyboard.press("Escape")
    expect(page.locator(".find")).to_have_count(0)
    expect(page.locator(".viewer .found")).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('.viewer') !== null")


def test_steps_go_round_in_program_order_and_values_are_found_where_they_are_bound(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    find(bench, "prim:mul")
    expect(page.locator(".find-count")).to_have_text("7 found")
    expect(page.locator(".viewer .found")).to_have_count(7)
    keys = page.keyboard
    keys.press("Enter")
    keys.press("Enter")
    expect(page.locator(".find-count")).to_have_text("2 of 7")
    keys.press("Shift+Enter")
    keys.press("F3")
    keys.press("Shift+F3")
    keys.press("Shift+Enter")
    expect(page.locator(".find-count")).to_have_text("7 of 7")
    expect(page.get_by_role("option", selected=True)).to_contain_text("scan ×8 reverse")
    find(bench, "gain const")
    expect(page.get_by_role("option").first).to_contain_text("scan ×8")
    page.get_by_role("option").first.click()
    expect(page.locator(".details")).to_contain_text("read by")
    find(bench, "zebra")
    expect(page.locator(".find-none")).to_contain_text("Searched: names, primitives, types")


def test_the_texts_have_the_same_field(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.tab("jaxpr-text")
    expect(page.locator(".reader .cm-content")).to_contain_text("lambda")
    find(bench, "mul")
    expect(page.locator(".reader .cm-found")).to_have_count(7)
    page.keyboard.press("Enter")
    expect(page.locator(".reader .cm-found-at")).to_have_text(re.compile("= mul h i"))
    page.keyboard.press("Escape")
    expect(page.locator(".reader .cm-content")).to_be_focused()
    bench.tab("stablehlo-text")
    find(bench, "mul")
    expect(page.locator(".reader .cm-found")).not_to_have_count(0)
    find(bench, "op:tanh")
    page.keyboard.press("Enter")
    expect(page.locator(".reader .cm-found-at")).to_contain_text("stablehlo.tanh")
    bench.tab("stablehlo")
    expect(page.locator(".viewer .found")).not_to_have_count(0)


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
def test_axe_finds_nothing_serious_in_the_field_the_bar_and_the_card(open_page: Open) -> None:
    bench = open_page(color_scheme="dark")
    page = bench.page
    page.locator(".viewer g[data-eqn='e3']").first.click()
    page.keyboard.press("u")
    expect(page.locator(".follow")).to_be_visible()
    page.keyboard.press("i")
    expect(page.locator(".card.placed")).to_be_visible()
    assert violations(page) == []
    find(bench, "mul")
    expect(page.locator(".find-count")).to_contain_text("found")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", selected=True)).to_be_visible()
    assert violations(page) == []
    page.locator(".find input").fill("zebra")
    expect(page.locator(".find-none")).to_be_visible()
    assert violations(page) == []
