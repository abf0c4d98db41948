"""Diagrams on real sites, theme by theme: light or dark as the page is, legible on a phone, with their words and no ids."""

from __future__ import annotations

import io
import re

import pytest
from PIL import Image

from tests.docs_sites.sites import ROOT, Page
from tests.docs_sites.themes import ALT, MARKDOWN_ALT, SPHINX, TOGGLES, built
from visualizer.drawing._engine import BUNDLE

pytestmark = [pytest.mark.browser, pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")]
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
THEMES = (*SPHINX, "material", "zensical")
# What stands behind a diagram, and the ink of each that is part of the page.
COLORS = """() => {
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor;
      if (!/rgba\\(.*, 0\\)|transparent/.test(color)) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const parts = (box, name) => [...box.querySelectorAll(`svg ${name}`)].map(at => getComputedStyle(at).fill);
  const boxes = [...document.querySelectorAll(".jaxpr-diagram:has(> svg)")];
  return { page: behind(document.querySelector(".jaxpr-diagram")), inks: boxes.flatMap(box => parts(box, "text.jv-ink")),
           notes: boxes.flatMap(box => parts(box, "text.jv-muted")), boxes: boxes.flatMap(box => parts(box, ".jv-op")) };
}"""
MODE = """() => document.body.dataset.theme || document.documentElement.dataset.mode ||
  document.querySelector("input[name=__palette]:checked")?.getAttribute("data-md-color-media").match(/light|dark|$/)[0] || "auto" """


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    return built(tmp_path_factory.mktemp("themes"))


@pytest.fixture
def opened(browser, sites):
    contexts = []

    def open_it(theme, system="light", width=1600):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=system, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        page.goto(sites[theme].index.as_uri())
        return page

    yield open_it
    for context in contexts:
        context.close()


def luminance(color):
    found = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]] if isinstance(color, str) else [part / 255 for part in color[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in found)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def chosen(page, theme, mode):
    """Takes the theme's own toggle until it says `mode`."""
    if theme == "pydata":
        page.get_by_role("button", name="Color mode").first.click()
        page.locator(TOGGLES[theme].format(mode)).first.click()
    for _ in range(4):
        if page.evaluate(MODE) == mode:
            return
        page.locator(TOGGLES[theme]).locator("visible=true").first.click()
    assert page.evaluate(MODE) == mode


def looks(page, dark):
    """The page is as dark as it should be, and every diagram on it is as dark as the page."""
    found = page.evaluate(COLORS)
    assert (luminance(found["page"]) < 0.1) is dark, found["page"]
    assert found["inks"]
    assert found["boxes"]
    for ink in (*found["inks"], *found["notes"]):
        assert contrast(ink, found["page"]) >= 4.5, (ink, found["page"])
    for box in found["boxes"]:
        assert (luminance(box) < 0.1) is dark
    for image in page.locator("img.dark-light").all():
        image.scroll_into_view_if_needed()
        shot = Image.open(io.BytesIO(image.screenshot())).convert("RGB")
        paper = shot.getpixel((shot.width - 12, 12))
        assert contrast(paper, found["page"]) < 1.2, (paper, found["page"])
        assert max(contrast(color, paper) for _, color in shot.getcolors(shot.width * shot.height)) > 9


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("theme", THEMES)
def test_a_diagram_is_light_or_dark_as_the_page_is(opened, theme, system):
    page = opened(theme, system)
    if theme not in TOGGLES:
        looks(page, dark=False)
        return
    looks(page, dark=system == "dark")
    for mode in ("dark", "light", "auto"):
        chosen(page, theme, mode)
        looks(page, dark=mode == "dark" or (mode == "auto" and system == "dark"))


@pytest.mark.parametrize("theme", THEMES)
def test_on_a_phone_a_diagram_scrolls_and_the_page_does_not(opened, theme):
    page = opened(theme, width=400)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    boxes = page.locator(".jaxpr-diagram").evaluate_all(
        "found => found.map(box => [box.scrollWidth, box.clientWidth, box.firstElementChild.getBoundingClientRect().right])"
    )
    assert boxes[0][0] >= 576 > boxes[0][1]
    for whole, seen, right in boxes:
        assert seen <= 400
        assert whole > seen or right <= 400
    floats = page.locator(".jaxpr-diagram, figure").evaluate_all("found => found.map(it => getComputedStyle(it).float)")
    assert set(floats) == {"none"}


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_in_a_diagram(opened, theme):
    page = opened(theme, width=400)
    page.evaluate(AXE.read_text("utf-8"))
    report = page.evaluate("async () => await axe.run('.jaxpr-diagram', { resultTypes: ['violations'] })")
    assert [(one["id"], one["nodes"][0]["html"][:200]) for one in report["violations"]] == []


@pytest.mark.parametrize("theme", THEMES)
def test_beside_a_column_of_text_a_diagram_fits_in(opened, theme):
    page = opened(theme)
    boxes = page.locator(".jaxpr-diagram").evaluate_all("found => found.map(box => [box.scrollWidth, box.clientWidth])")
    assert all(whole <= seen for whole, seen in boxes), boxes
    if theme in SPHINX:
        third, fourth = (page.locator(it).evaluate("it => getComputedStyle(it).float") for it in ("figure.align-right", "div.align-left"))
        assert (third, fourth) == ("right", "left")
        side, column = (page.locator(it).first.bounding_box()["width"] for it in ("figure.align-right img", "p:has(+ figure)"))
        assert side == pytest.approx(column * 0.4, rel=0.1)


@pytest.mark.parametrize("theme", THEMES)
def test_no_picture_has_ids_and_each_has_its_words(sites, theme):
    site = sites[theme]
    pictures = site.pictures()
    assert len(pictures) == (4 if theme in SPHINX else 2)
    for picture in pictures:
        assert not re.search(r"\sid=|<script|foreignObject|href=", picture)
        assert re.search(r'role="img" aria-label="[^"]{20,}"', picture)
    page = Page(site.index)
    shown = [image["alt"] for image in page.diagrams()] + [svg["aria-label"] for svg in page.of("svg", role="img") if "aria-label" in svg]
    assert len(shown) == len(pictures)
    given = ALT if theme in SPHINX else MARKDOWN_ALT
    assert shown.count(given) == (2 if theme in SPHINX else 1)
    assert all(alt.startswith("loss: dataflow graph. Inputs ") for alt in shown if alt != given)
