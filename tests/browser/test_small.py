"""Small windows: phones that lie, pages enlarged to 400 %, and what must never scroll away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

OUTSIDE = """() => [...document.querySelectorAll(".bar button, .makers button, .tools button")]
  .map((button) => [button.getAttribute("aria-label") ?? button.textContent, button.getBoundingClientRect()])
  .filter(([, { width, right, height }]) => width > 0 && (right > innerWidth || width < 24 || height < 24))
  .map(([name]) => name)"""


@pytest.mark.parametrize(("width", "height"), [(800, 400), (667, 375), (400, 800), (320, 568)])
def test_a_phone_has_room_for_the_program_and_every_button(open_page: Open, width: int, height: int) -> None:
    bench = open_page(width=width, height=height, has_touch=True)
    assert bench.page.evaluate(OUTSIDE) == []
    assert bench.box(".viewer")["height"] > 0.44 * height
    assert bench.page.evaluate("document.documentElement.scrollWidth") == width
    expect(bench.page.locator(".legend li").first).to_be_visible()
    bench.tab("code")
    expect(bench.page.locator(".editor")).to_be_visible()
    expect(bench.page.locator(".viewer")).to_be_hidden()


def test_at_four_hundred_per_cent_the_page_scrolls_one_way(open_page: Open) -> None:
    bench = open_page(width=320, height=256)
    page = bench.page
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.get_by_role("button", name="Fit").focus()
    expect(page.get_by_role("button", name="Fit")).to_be_in_viewport()
    page.get_by_role("button", name="Keys and help").click()
    expect(page.locator("dialog.sheet")).to_be_in_viewport()


def test_a_long_comparison_scrolls_in_its_panel_alone(open_page: Open) -> None:
    """What is there for screen readers made the page taller than the window: it could be scrolled away, and never back."""
    bench = open_page(width=1200, height=500)
    bench.select("scan ×8")
    bench.page.keyboard.press("k")
    bench.page.keyboard.press("]")
    expect(bench.page.locator(".compare .hidden-text").first).to_be_attached()
    # As a focus, a found hit or a script would.
    at = bench.page.evaluate(
        """() => {
          for (const each of document.querySelectorAll(".compare .hidden-text")) each.scrollIntoView();
          document.documentElement.scrollTop = 400;
          return [document.documentElement.scrollTop, document.querySelector(".app").scrollTop];
        }"""
    )
    assert at == [0, 0]
