"""Hover cards and copying as text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
CATCH = """() => document.addEventListener('copy', (event) => { window.copied = event.clipboardData.getData('text/plain'); })"""


def test_a_card_comes_after_a_rest_and_goes_as_it_should(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    card = page.locator(".card.placed")
    box = page.locator(".viewer g[data-eqn='e0/e9']").first
    box.hover()
    expect(card).to_contain_text("tanh makes f32[] from l")
    expect(card).to_contain_text("h = jnp.tanh(gain * h + x)")
    about, over = bench.box_of(box), bench.box_of(card)
    assert over["x"] >= about["x"] + about["width"] or over["x"] + over["width"] <= about["x"]
    # It may be entered, and stays.
    card.hover()
    bench.frames_pass()
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_have_count(0)
    # On the ground of an open body nothing is asked.
    page.locator(".viewer g.jv-toggle[data-eqn='e0']").hover()
    expect(card).to_contain_text("scan ×8")
    page.mouse.move(5, 5)
    expect(card).to_have_count(0)


def test_while_keys_are_pressed_no_card_comes_to_a_pointer_that_lies_still(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    box = bench.box_of(page.locator(".viewer g[data-eqn='e3']").first)
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.clock.install()
    page.mouse.move(*middle)
    page.clock.run_for(5_000)
    expect(page.locator(".card.placed")).to_contain_text("reduce_sum")
    page.mouse.move(5, 5)
    page.clock.run_for(5_000)
    expect(page.locator(".card")).to_have_count(0)
    page.mouse.move(*middle)
    page.keyboard.press("Shift")
    page.clock.run_for(5_000)
    assert page.locator(".card").count() == 0
    # It is where it was, as what is drawn anew under it reports it.
    page.mouse.move(*middle)
    page.clock.run_for(5_000)
    assert page.locator(".card").count() == 0
    page.mouse.move(middle[0] + 2, middle[1])
    page.clock.run_for(5_000)
    expect(page.locator(".card.placed")).to_contain_text("reduce_sum")


def test_by_keyboard_a_card_is_shown_and_said(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.locator(".viewer g[data-eqn='e3']").first.click()
    page.mouse.move(5, 5)
    page.keyboard.press("i")
    expect(page.locator(".card.placed")).to_contain_text("reduce_sum")
    expect(page.locator(".announcer")).to_contain_text("axes: (0,).")
    page.keyboard.press("Escape")
    expect(page.locator(".card")).to_have_count(0)
    # Escape sent the card away, not the selection.
    expect(page.locator(".viewer .selected")).not_to_have_count(0)


def test_a_card_that_is_cut_off_is_read_by_its_pages(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.locator(".viewer g[data-eqn='e3']").first.click()
    page.mouse.move(5, 5)
    page.set_viewport_size({"width": 1200, "height": 90})
    page.keyboard.press("i")
    card = page.locator(".card.placed")
    expect(card).to_contain_text("reduce_sum")
    assert card.evaluate("card => card.scrollHeight - card.clientHeight") > 10
    assert card.evaluate("card => card.scrollTop") == 0
    page.keyboard.press("PageDown")
    page.wait_for_function("() => document.querySelector('.card.placed').scrollTop > 10")
    page.keyboard.press("PageUp")
    page.wait_for_function("() => document.querySelector('.card.placed').scrollTop === 0")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".card")).to_have_count(0)


def test_copying_as_text(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.evaluate(CATCH)
    page.locator(".viewer g[data-eqn='e0/e9']").first.click()
    page.keyboard.press("Control+c")
    expect(page.locator(".toast")).to_have_text("Copied the equation tanh.")
    assert page.evaluate("window.copied") == "m:f32[] = tanh l"
    page.keyboard.press("Escape")
    page.keyboard.press("Control+c")
    expect(page.locator(".announcer")).to_have_text("Copied the jaxpr of jax.grad(loss).")
    assert page.evaluate("window.copied").startswith("{ lambda ; a:f32[]")
    bench.select("scan")
    page.get_by_role("button", name="Copy body").click()
    expect(page.locator(".announcer")).to_have_text("Copied the body of scan ×8.")
