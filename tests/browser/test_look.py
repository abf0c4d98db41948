"""How it looks to people who need more contrast, a palette of their own, or paper."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
CARRY = "() => getComputedStyle(document.querySelector('.viewer .jv-wire-carry')).stroke"


def test_high_contrast_by_the_menu_is_kept(open_page: Open) -> None:
    bench = open_page()
    before = bench.page.evaluate(CARRY)
    bench.page.get_by_role("button", name="Settings").click()
    bench.page.get_by_role("menuitemcheckbox", name="High contrast").click()
    expect(bench.page.locator("html[data-contrast=more]")).to_have_count(1)
    assert bench.page.evaluate(CARRY) != before
    bench.page.reload()
    bench.drawn()
    expect(bench.page.locator("html[data-contrast=more]")).to_have_count(1)


def test_high_contrast_by_the_system(open_page: Open) -> None:
    bench = open_page()
    before = bench.page.evaluate(CARRY)
    bench.page.emulate_media(contrast="more")
    expect(bench.page.locator("html[data-contrast=more]")).to_have_count(1)
    assert bench.page.evaluate(CARRY) != before
    bench.page.emulate_media(contrast="no-preference")
    expect(bench.page.locator("html[data-contrast=standard]")).to_have_count(1)


def test_forced_colours_keep_text_on_its_box(open_page: Open) -> None:
    bench = open_page()
    bench.page.emulate_media(forced_colors="active")
    colours = bench.page.evaluate(
        """() => {
          const box = document.querySelector('.viewer .jv-op');
          const probe = document.body.appendChild(document.createElement('i'));
          probe.style.cssText = 'color: CanvasText; background: Canvas';
          const { color, backgroundColor } = getComputedStyle(probe);
          const text = getComputedStyle(box.parentElement.querySelector('text'));
          const wire = getComputedStyle(document.querySelector('.viewer .jv-wire-carry'));
          return { ink: color, ground: backgroundColor, box: getComputedStyle(box).fill, text: text.fill, wire: wire.stroke };
        }""",
    )
    assert colours["ink"] != colours["ground"]
    assert (colours["box"], colours["text"], colours["wire"]) == (colours["ground"], colours["ink"], colours["ink"])


def test_paper_has_the_whole_drawing_its_legend_and_the_code(open_page: Open) -> None:
    bench = open_page(color_scheme="dark")
    bench.page.wait_for_load_state("networkidle")
    bench.page.emulate_media(media="print")
    bench.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    paper = bench.page.locator(".print")
    expect(paper.locator("svg")).to_be_visible()
    expect(paper.locator("svg")).to_contain_text("carry: handed to the next step")
    expect(paper.locator("pre")).to_contain_text("def loss(gain, h0, xs):")
    expect(bench.page.locator(".bar")).to_be_hidden()
    ground = bench.page.evaluate("() => getComputedStyle(document.querySelector('.print svg > rect')).fill")
    assert ground == "rgb(255, 255, 255)"
    bench.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    expect(paper.locator("svg")).to_have_count(0)


def test_paper_has_the_whole_text_of_a_text_view(open_page: Open) -> None:
    bench = open_page()
    bench.page.wait_for_load_state("networkidle")
    bench.tab("jaxpr-text")
    bench.page.emulate_media(media="print")
    bench.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    expect(bench.page.locator(".print pre").first).to_contain_text("{ lambda ; ")
