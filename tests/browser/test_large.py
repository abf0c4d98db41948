"""Large programs and large pastes: what is in the document stays small, and the page answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import ROOT, Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
TRANSFORMER = ROOT / "frontend" / "test" / "programs" / "transformer.py"


def few_elements(bench: Workbench, most: int) -> None:
    """Waits until there are some elements of the drawing in the document, and less than `most`."""
    count = "document.querySelectorAll('.viewer > svg *').length"
    bench.page.wait_for_function(f"most => {count} > 0 && {count} < most", arg=most)


# Moves a pointer over the view until something of the drawing is under it.
POINTED_AT = """() => {
  const view = document.querySelector(".viewer").getBoundingClientRect();
  for (let y = view.top + 5; y < view.bottom; y += 7) {
    for (let x = view.left + 5; x < view.right; x += 11) {
      const at = { clientX: x, clientY: y, bubbles: true };
      document.elementFromPoint(x, y).dispatchEvent(new PointerEvent("pointermove", at));
      const key = document.elementFromPoint(x, y).closest(".viewer [data-key]")?.dataset.key;
      if (key) return key;
    }
  }
  return null;
}"""


# How many pixels of the canvas that is seen are drawn on.
INKED = """(which) => {
  const canvas = document.querySelector(`.viewer > ${which}:not([hidden])`);
  if (canvas === null) return 0;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  let inked = 0;
  for (let at = 3; at < data.length; at += 4) if (data[at] > 0) inked += 1;
  return inked;
}"""


def inked(bench: Workbench, least: int, which: str = "canvas:not(.lights)") -> None:
    """Waits until so many are: it is painted in slices."""
    bench.page.wait_for_function(f"([which, least]) => ({INKED})(which) > least", arg=[which, least])


def test_of_a_large_drawing_only_what_is_in_sight_is_in_the_document(open_page: Open) -> None:
    bench = open_page()
    bench.paste(TRANSFORMER.read_text("utf-8"))
    expect(bench.page.locator(".inspector header")).to_contain_text("equations")
    bench.page.get_by_role("button", name="Open every body").click()
    bench.idle()
    bench.page.get_by_role("button", name="zoom to 100 %").click()
    bench.frames_pass()
    few_elements(bench, 4000)
    expect(bench.page.locator(".viewer > svg text").first).to_be_attached()
    box = bench.box(".viewer")
    bench.page.mouse.move(box["x"] + 300, box["y"] + 300)
    for _ in range(6):
        bench.page.mouse.wheel(0, 500)
    bench.frames_pass()
    few_elements(bench, 4000)
    bench.page.get_by_role("button", name="Fit").click()
    # All of it is in sight, and nothing of it can be read: it is a picture, in which what is pointed at is an element.
    bench.page.wait_for_selector(".viewer.canvas > canvas:not([hidden])")
    few_elements(bench, 100)
    inked(bench, 500)
    # Nothing stands over it that would hide it.
    expect(bench.page.locator(".viewer.canvas > svg > rect")).to_have_count(0)
    key = bench.page.wait_for_function(POINTED_AT).json_value()
    press_from_afar(bench, key)
    follow_from_afar(bench, key)
    bench.page.get_by_role("button", name="zoom to 100 %").click()
    bench.page.wait_for_selector(".viewer:not(.canvas)")
    bench.page.wait_for_selector(".viewer > canvas:not([hidden])", state="detached")
    few_elements(bench, 4000)


# A finger comes without a move before: what was pointed at is gone when all is painted anew.
TAP = """([x, y]) => {
  const at = { clientX: x, clientY: y, bubbles: true, isPrimary: true, pointerId: 7, pointerType: "touch", button: 0 };
  const ground = document.elementFromPoint(x, y);
  ground.dispatchEvent(new PointerEvent("pointerdown", { ...at, buttons: 1 }));
  ground.dispatchEvent(new PointerEvent("pointerup", { ...at, buttons: 0 }));
  return ground.closest("[data-key]") === null;
}"""


def press_from_afar(bench: Workbench, key: str) -> None:
    page = bench.page
    element = page.locator(f".viewer [data-key='{key}']")
    box = element.first.bounding_box()
    assert box is not None
    page.mouse.move(2, 2)
    page.emulate_media(color_scheme="dark")
    expect(element).to_have_count(0)
    assert page.evaluate(TAP, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2])
    page.wait_for_selector(f".viewer .selected[data-key='{key}'], .viewer .selected [data-key='{key}']")
    page.emulate_media(color_scheme="light")
    page.keyboard.press("Escape")
    page.wait_for_selector(".viewer .selected", state="detached")


def follow_from_afar(bench: Workbench, key: str) -> None:
    """The wires to what a box depends on are lit where no wire is an element."""
    box = bench.page.locator(f".viewer [data-key='{key}']").first.bounding_box()
    assert box is not None
    bench.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    bench.page.keyboard.press("u")
    expect(bench.page.locator(".follow")).to_contain_text("depends on")
    bench.page.wait_for_selector(".viewer.following > canvas.lights:not([hidden])")
    expect(bench.page.locator(".viewer > svg [class^='jv-wire']")).to_have_count(0)
    inked(bench, 100, "canvas.lights")
    fewer = f"() => ({INKED})('canvas.lights') < ({INKED})('canvas:not(.lights)')"
    bench.page.wait_for_function(fewer)
    bench.page.keyboard.press("Escape")
    expect(bench.page.locator(".viewer.following")).to_have_count(0)
    bench.page.keyboard.press("Escape")
    bench.page.wait_for_selector(".viewer > canvas.lights:not([hidden])", state="detached")


def test_what_is_painted_from_afar_follows_the_theme_and_tab_leads_into_it(open_page: Open) -> None:
    bench = open_page(width=1000, height=700)
    page = bench.page
    bench.paste(TRANSFORMER.read_text("utf-8"))
    expect(page.locator(".inspector header")).to_contain_text("equations")
    page.get_by_role("button", name="Open every body").click()
    bench.idle()
    page.get_by_role("button", name="Fit").click()
    page.wait_for_selector(".viewer.canvas > canvas:not([hidden])")
    # A canvas keeps the colours that it was painted with: where boxes were white, they have to be painted anew.
    white = """() => {
      const canvas = document.querySelector(".viewer > canvas:not(.lights):not([hidden])");
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const bright = (at) => data[at + 3] === 255 && Math.min(data[at], data[at + 1], data[at + 2]) > 235;
      for (let at = 0; at < data.length; at += 4) if (bright(at)) return true;
      return false;
    }"""
    page.wait_for_function(white)
    switch = page.get_by_role("button", name="Theme")
    switch.click()
    switch.click()
    expect(switch).to_have_accessible_name("Theme: dark")
    page.wait_for_function(f"() => !({white})()")
    # Nothing of it is an element but the stop of the keyboard.
    expect(page.locator(".viewer [tabindex='0']")).to_have_count(1)
    page.locator(".crumb").last.focus()
    page.keyboard.press("Tab")
    expect(page.locator(".viewer [tabindex='0']")).to_be_focused()


def test_a_paste_beyond_the_limit_is_refused_in_words(open_page: Open) -> None:
    bench = open_page(forgive=("Failed to load resource",))
    bench.paste("# " + "x" * 6_000_000 + "\n")
    expect(bench.page.locator(".problem")).to_contain_text("can be read")
    bench.paste("import jax\njax.make_jaxpr(lambda after: after + 1.0)(1.0)\n")
    expect(bench.page.locator(".viewer svg")).to_contain_text("after")
