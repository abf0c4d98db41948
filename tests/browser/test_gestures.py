"""Hands on the graph: what is clicked stays under the pointer, fingers pan and pinch, the middle button and the space bar drag."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]

TRIANGLES = """() => [...document.querySelectorAll('.viewer .jv-toggle')].map((toggle) => {
  const box = toggle.querySelector('.jv-fold').getBoundingClientRect();
  return { path: toggle.dataset.toggle, open: toggle.getAttribute('aria-expanded') === 'true',
           x: box.x + box.width / 2, y: box.y + box.height / 2 };
})"""


def triangles(bench: Workbench) -> list[dict[str, Any]]:
    """The triangles that lie in sight, with room for a click."""
    view = bench.box(".viewer")
    found: list[dict[str, Any]] = bench.page.evaluate(TRIANGLES)
    return [
        each
        for each in found
        if view["x"] + 4 < each["x"] < view["x"] + view["width"] - 4 and view["y"] + 4 < each["y"] < view["y"] + view["height"] - 4
    ]


def triangle(bench: Workbench, path: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = bench.page.evaluate(TRIANGLES)
    return next(each for each in found if each["path"] == path)


def toggles(bench: Workbench, path: str, press: Callable[[float, float], None]) -> None:
    """Opens or closes a body by its triangle: the triangle stays within two pixels of where it was hit."""
    before = triangle(bench, path)
    press(before["x"], before["y"])
    state = "false" if before["open"] else "true"
    bench.page.wait_for_selector(f".viewer .jv-toggle[data-toggle='{path}'][aria-expanded={state}]")
    bench.idle()
    after = triangle(bench, path)
    assert abs(after["x"] - before["x"]) <= 2, (path, before, after)
    assert abs(after["y"] - before["y"]) <= 2, (path, before, after)


@pytest.mark.parametrize("example", ["01_grad_of_scan", "06_branches", "09_jit_in_jit"])
def test_what_is_clicked_stays_under_the_pointer(open_page: Open, example: str) -> None:
    bench = open_page(width=1200, height=800)
    bench.example(example)
    bench.idle()
    paths = [each["path"] for each in triangles(bench)][:4]
    assert paths
    for path in paths:
        if all(each["path"] != path for each in triangles(bench)):
            continue  # a body around it was closed, or moved it out of sight
        for _ in range(2):
            toggles(bench, path, bench.page.mouse.click)


def test_what_is_tapped_stays_under_the_finger(open_page: Open) -> None:
    bench = open_page(width=800, height=700, has_touch=True)
    path = triangles(bench)[0]["path"]
    for _ in range(2):
        toggles(bench, path, bench.page.touchscreen.tap)


def fingers(bench: Workbench) -> Callable[..., None]:
    session: CDPSession = bench.page.context.new_cdp_session(bench.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y, "id": at} for at, (x, y) in enumerate(points)]},
        )

    return touch


def test_one_finger_pans_and_two_pinch_about_what_is_between_them(open_page: Open) -> None:
    bench = open_page(width=800, height=700, has_touch=True)
    node = bench.equation("tanh")
    box = bench.box_of(node)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = fingers(bench)
    touch("touchStart", (x, y))
    for step in range(1, 5):
        touch("touchMove", (x - 10 * step, y + 5 * step))
    touch("touchEnd")
    bench.frames_pass()
    moved = bench.box_of(node)
    assert abs(moved["x"] - box["x"] + 40) < 2
    assert abs(moved["y"] - box["y"] - 20) < 2
    x, y = moved["x"] + moved["width"] / 2, moved["y"] + moved["height"] / 2
    touch("touchStart", (x - 40, y), (x + 40, y))
    for step in range(1, 9):
        # Both fingers go 24 pixels up while they part.
        touch("touchMove", (x - 40 - 5 * step, y - 3 * step), (x + 40 + 5 * step, y - 3 * step))
    touch("touchEnd")
    bench.frames_pass()
    pinched = bench.box_of(node)
    assert abs(pinched["width"] / moved["width"] - 2) < 0.1
    assert abs(pinched["x"] + pinched["width"] / 2 - x) < 4
    assert abs(pinched["y"] + pinched["height"] / 2 - (y - 24)) < 4
    expect(bench.page.locator(".viewer .selected")).to_have_count(0)


def test_a_long_press_selects_and_lights_without_opening(open_page: Open) -> None:
    bench = open_page(width=1200, height=700, has_touch=True)
    box = bench.box_of(bench.equation("tanh"))
    touch = fingers(bench)
    touch("touchStart", (box["x"] + 20, box["y"] + 10))
    expect(bench.page.locator(".viewer .selected").first).to_contain_text("tanh")
    expect(bench.page.locator(".viewer.lighting")).to_be_visible()
    touch("touchEnd")
    expect(bench.page.locator(".inspector header")).to_contain_text("tanh")


def test_the_space_bar_drags_and_alone_opens_and_closes(open_page: Open) -> None:
    bench = open_page()
    bench.select("scan")
    bench.page.wait_for_function("document.activeElement.closest('.viewer') !== null")
    before = bench.frame("e0")
    triangle_at = triangle(bench, "e0")
    keys, mouse = bench.page.keyboard, bench.page.mouse
    keys.down(" ")
    expect(bench.page.locator(".viewer.hand")).to_be_visible()
    mouse.move(triangle_at["x"], triangle_at["y"])
    mouse.down()
    mouse.move(triangle_at["x"] + 2, triangle_at["y"] + 3)
    mouse.move(triangle_at["x"] + 25, triangle_at["y"] + 35)
    mouse.up()
    keys.up(" ")
    bench.frames_pass()
    after = bench.frame("e0")
    assert (round(after["x"] - before["x"]), round(after["y"] - before["y"])) == (25, 35)
    assert triangle(bench, "e0")["open"]
    keys.press(" ")
    bench.page.wait_for_selector(".viewer .jv-toggle[data-toggle='e0'][aria-expanded=false]")


def test_keys_fit_and_zoom(open_page: Open) -> None:
    bench = open_page()
    bench.equation("tanh").click()
    keys = bench.page.keyboard
    scale = bench.page.locator(".tools .scale")
    keys.press("Shift+Digit2")
    bench.frames_pass()
    expect(scale).to_have_text("150 %")
    box, view = bench.box_of(bench.equation("tanh")), bench.box(".viewer")
    assert abs(box["x"] + box["width"] / 2 - view["x"] - view["width"] / 2) < 3
    keys.press("0")
    expect(scale).to_have_text("100 %")
    keys.press("Shift+Digit1")
    bench.frames_pass()
    fitted = bench.frame("e6")
    assert fitted["x"] + fitted["width"] <= view["x"] + view["width"]
    for _ in range(30):
        keys.press("-")
    expect(scale).to_have_text("1 %")
    for _ in range(40):
        keys.press("+")
    expect(scale).to_have_text("400 %")
