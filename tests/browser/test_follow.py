"""Following values: what something depends on, what it feeds, the path between two; by keys, by buttons, by Shift-click."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def test_keys_light_what_a_node_depends_on_and_feeds(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.locator(".viewer g[data-eqn='e5']").first.click()
    page.keyboard.press("u")
    bar = page.locator(".follow")
    expect(bar).to_contain_text("mul r depends on 6 equations and inputs gain, h0 and xs.")
    expect(page.locator(".announcer")).to_have_text("mul r depends on 6 equations and inputs gain, h0 and xs.")
    kept = page.locator(".viewer .kept[data-eqn]:has(> .jv-op)")
    expect(kept).to_have_count(5)  # four more than itself are boxes: the sixth is a chip
    expect(page.locator(".viewer .kept-in[data-eqn='e0']")).not_to_have_count(0)
    expect(page.locator(".viewer [data-eqn='e6'].kept-in")).to_have_count(0)
    page.keyboard.press("d")
    expect(bar).to_contain_text("mul r feeds")
    expect(page.locator(".viewer [data-eqn='e6'].kept-in")).not_to_have_count(0)
    expect(page.locator(".viewer [data-eqn='e0'].kept-in")).to_have_count(0)
    bar.get_by_role("button", name="Both").click()
    expect(bar).to_contain_text("mul r takes part in a chain")
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    expect(page.locator(".viewer.following")).to_have_count(0)
    expect(page.locator(".viewer .selected")).not_to_have_count(0)


def test_a_closed_body_that_holds_part_of_it_is_lit_as_holding(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.locator(".viewer g[data-eqn='e5']").first.click()
    page.keyboard.press("c")
    expect(page.locator(".viewer [data-eqn^='e0/']")).to_have_count(0)
    bench.idle()
    page.get_by_role("button", name="Depends on").click()
    expect(page.locator(".viewer .kept-in > .jv-closed")).to_have_count(1)


def test_the_path_between_two(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.locator(".viewer g[data-eqn='e0/e9']").first.click()
    page.locator(".viewer g.jv-toggle[data-eqn='e6']").click(modifiers=["Shift"])
    bar = page.locator(".follow")
    expect(bar).to_contain_text("From tanh h to scan ×8 reverse: ")
    expect(page.locator(".viewer .kept[data-eqn='e1']")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    page.keyboard.press("p")
    expect(bar).to_contain_text("choose where the path ends")
    page.locator(".viewer g[data-eqn='e2']").first.click()
    page.keyboard.press("p")
    expect(bar).to_contain_text("From tanh h to mul p")
    page.keyboard.press("Escape")
    page.locator(".viewer g[data-eqn='e2']").first.click()
    page.locator(".viewer g[data-eqn='e1']").first.click(modifiers=["Shift"])
    expect(bar).to_contain_text("No path: neither of mul p and integer_pow o feeds the other.")
