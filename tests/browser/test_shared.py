"""What a link serves, in a real browser: the viewer in frames of other sites, the page without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from visualizer.web.shared._oembed import frame as frame_html

from .conftest import EXAMPLES
from .links import shared, site

pytestmark = pytest.mark.browser
TALL = "<div style='height:3000px'></div>"


@pytest.fixture(scope="module")
def link(server: str) -> str:
    return shared(server, (EXAMPLES / "01_grad_of_scan.py").read_text("utf-8"))


@pytest.fixture
def open_(browser: Browser) -> Iterator[Callable[..., Page]]:
    contexts = []
    troubles: list[str] = []

    def open_it(url: str, width: int = 1000, forgive: str = "\0", **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 800}, reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", lambda message: message.type == "error" and forgive not in message.text and troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(url)
        return page

    yield open_it
    for context in contexts:
        context.close()
    assert troubles == []


def inside(page: Page) -> Frame:
    """The frame, once it is drawn."""
    frame = page.locator("iframe").element_handle().content_frame()
    assert frame is not None
    frame.wait_for_selector(".viewer svg [data-key]", state="attached")
    return frame


def scrolled(page: Page) -> float:
    found: float = page.evaluate("() => scrollY")
    return found


def place(frame: Frame) -> str:
    """Where the picture stands in its frame."""
    found: str = frame.evaluate("() => JSON.stringify(document.querySelector('.viewer svg [data-key]').getBoundingClientRect())")
    return found


def wheel(page: Page, key: str | None = None) -> None:
    """One notch over the picture; the next two frames have what it does."""
    if key:
        page.keyboard.down(key)
    page.mouse.wheel(0, 120)
    if key:
        page.keyboard.up(key)


def test_a_frame_of_another_site_shows_the_viewer(server, link, open_):
    with site(frame_html(f"{server}/embed/{link}?theme=dark", "loss", 320, 480)) as host:
        page = open_(host, width=400)
        frame = inside(page)
        assert frame.evaluate("() => self.origin") == "null"
        assert frame.locator(".embed-title").inner_text() == "jax.grad(loss)"
        out = frame.get_by_role("link", name="Open")
        assert out.get_attribute("href") == f"{server}/s/{link}"
        with page.expect_popup() as popup:
            out.click()
        popup.value.wait_for_selector(".editor .cm-content, #page", state="attached")
        assert popup.value.url.startswith(f"{server}/s/{link}")
        popup.value.close()
        assert frame.evaluate("() => document.documentElement.scrollWidth") <= 320
        assert frame.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(21, 24, 29)"
        frame.get_by_role("button", name="Close all").click()
        expect(frame.locator(".viewer svg").first).not_to_contain_text("tanh")
        frame.locator(".viewer [tabindex='0']").press("ArrowDown")
        expect(frame.locator(".viewer [tabindex='0']")).to_have_attribute("data-eqn", "e0")
        frame.locator(".viewer [tabindex='0']").press("Enter")
        expect(frame.locator(".viewer svg").first).to_contain_text("tanh")


def test_the_wheel_is_that_of_the_page_around_until_the_picture_is_clicked(server, link, open_):
    with site(frame_html(f"{server}/embed/{link}", "loss", 800, 500) + TALL) as host:
        page = open_(host)
        frame = inside(page)
        page.mouse.move(400, 300)
        before = place(frame)
        wheel(page)
        page.wait_for_function("() => scrollY > 50")
        assert place(frame) == before
        expect(frame.locator(".embed-words")).to_contain_text("Click the picture")
        page.evaluate("() => scrollTo(0, 0)")
        wheel(page, "Control")
        frame.wait_for_function(
            f"() => JSON.stringify(document.querySelector('.viewer svg [data-key]').getBoundingClientRect()) !== '{before}'"
        )
        assert scrolled(page) == 0
        # Beside the boxes, so that nothing is selected.
        page.mouse.click(30, 470)
        before = place(frame)
        wheel(page)
        frame.wait_for_function(
            f"() => JSON.stringify(document.querySelector('.viewer svg [data-key]').getBoundingClientRect()) !== '{before}'"
        )
        assert scrolled(page) == 0
        # A headless browser does not tell a frame that the pointer has left it; a click elsewhere it does.
        page.mouse.click(900, 600)
        page.mouse.move(400, 300)
        expect(frame.locator(".embed[data-wheel='passes']")).to_be_attached()
        wheel(page)
        page.wait_for_function("() => scrollY > 50")


def test_a_page_that_isolates_itself_can_show_it(server, link, open_):
    headers = {"Cross-Origin-Embedder-Policy": "require-corp", "Cross-Origin-Opener-Policy": "same-origin"}
    body = f'<iframe src="{server}/embed/{link}" width="600" height="400"></iframe><img src="{server}/s/{link}.svg" alt="">'
    with site(body, headers) as host:
        page = open_(host)
        assert page.evaluate("() => crossOriginIsolated")
        inside(page)
        page.wait_for_function("() => document.querySelector('img').naturalWidth > 100")


@pytest.mark.parametrize("path", ["/", "/s/{}", "/s/{}.svg", "/oembed?url={}", "/nothing"])
def test_nothing_else_can_be_framed(server, link, open_, path):
    with site(f'<iframe src="{server}{path.format(link)}" width="600" height="400"></iframe>') as host:
        page = open_(host, forgive="")
        frame = page.locator("iframe").element_handle().content_frame()
        assert frame is not None
        frame.wait_for_load_state()
        assert frame.url.startswith("chrome-error:")


def test_a_link_that_is_not_there_is_said_in_its_frame(server, open_):
    with site(frame_html(f"{server}/embed/23456789bcdf", "loss", 320, 200)) as host:
        page = open_(host, forgive="404")
        frame = page.frame_locator("iframe")
        expect(frame.get_by_role("heading")).to_have_text("There is no link here")
        page.goto(f"{server}/s/23456789bcdf")
        assert page.get_by_role("heading").inner_text() == "There is no link here"
        page.get_by_role("link", name="Open the visualizer").click()
        page.wait_for_selector(".editor .cm-content", state="attached")


def test_text_has_a_way_to_the_graph_and_back_to_the_program(server, link, open_):
    with site(frame_html(f"{server}/embed/{link}?view=text&level=stablehlo&theme=light", "loss", 600, 300)) as host:
        page = open_(host)
        frame = page.frame_locator("iframe")
        expect(frame.locator(".embed-text")).to_contain_text("stablehlo.while")
        frame.get_by_role("link", name="Graph").click()
        expect(frame.get_by_role("button", name="StableHLO")).to_have_attribute("aria-pressed", "true")


def test_without_scripts_the_page_of_a_link_can_be_read(server, link, open_):
    page = open_(f"{server}/s/{link}", java_script_enabled=False, width=400)
    assert page.title() == "jax.grad(loss) \u00b7 jaxpr visualizer"
    image = page.locator("main img")
    assert re.search(r"18 equations.*dataflow graph", image.get_attribute("alt") or "")
    image.scroll_into_view_if_needed()
    expect(image).to_have_js_property("complete", True)
    box = image.bounding_box()
    assert box is not None
    assert box["height"] > 100
    assert box["x"] + box["width"] <= 400
    assert "jnp.tanh(gain * h + x)" in page.locator("pre").first.inner_text()
    assert "scan[" in page.locator("pre").last.inner_text()
    # It scrolls as a page does, and nothing sticks out of it.
    assert page.locator("main").bounding_box()["height"] > 900
