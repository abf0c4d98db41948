"""A picture keeps to what GitHub does with images: sanitised, served under a policy that lets nothing in, dark by the reader's system.

GitHub itself cannot be asked here. What is known of it: images come from its proxy with `default-src 'none'; style-src 'unsafe-inline';
sandbox`, no script runs, nothing is fetched, no more than 5 MB are taken (docs.github.com, "About anonymized URLs").
"""

import json
import re
import xml.etree.ElementTree as ET
from functools import partial
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Route

from tests.drawing.renderers.paint import opaque, size
from visualizer.drawing import draw, draw_module
from visualizer.drawing._engine import BUNDLE

TRACES = Path(__file__).resolve().parents[2] / "frontend" / "test" / "traces"
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
MOST_BYTES = 5_000_000
ELEMENTS = {"svg", "title", "desc", "style", "g", "rect", "path", "line", "circle", "text"}
PAINT = {"class", "fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "opacity", "transform"}
PLACE = {"x", "y", "width", "height", "rx", "cx", "cy", "r", "x1", "y1", "x2", "y2", "d", "dy", "viewBox"}
TEXT = {"font-family", "font-size", "font-weight", "font-style", "text-anchor", "textLength", "lengthAdjust", "role", "aria-label"}


def svgs() -> list[tuple[str, str]]:
    found = []
    for path in sorted(TRACES.glob("*.json")):
        for at, program in enumerate(json.loads(path.read_text(encoding="utf-8"))["programs"]):
            if program["entry"] is not None:
                found.append((f"{path.stem}-{at}", draw(program, open="all", theme="auto", overlay="flops")))
            found += [(f"{path.stem}-{at}-{level}", draw_module(module, theme="auto")) for level, module in program["modules"].items()]
    return found


def test_nothing_in_it_is_cut_by_a_sanitiser_or_reaches_anywhere():
    for name, svg in svgs():
        assert not re.search(r"<!|<\?|\bhref|url\(|@import|@font-face|javascript:|data:", svg), name
        assert svg.count("http") == svg.count("http://www.w3.org/2000/svg") == 1, name
        root = ET.fromstring(svg)
        assert {each.tag.removeprefix("{http://www.w3.org/2000/svg}") for each in root.iter()} <= ELEMENTS, name
        assert {key for each in root.iter() for key in each.attrib} <= PAINT | PLACE | TEXT, name
        assert root.get("aria-label"), name


def test_it_is_small_enough_for_the_proxy():
    for name, svg in svgs():
        assert len(svg.encode()) < MOST_BYTES, name
    lesson = draw(json.loads((TRACES / "01_grad_of_scan.json").read_text(encoding="utf-8"))["programs"][0], theme="auto")
    assert len(lesson.encode()) < 80_000


def _serve(svg: str, route: Route) -> None:
    if route.request.url.endswith(".svg"):
        route.fulfill(body=svg, content_type="image/svg+xml", headers={"Content-Security-Policy": POLICY})
    else:
        route.fulfill(body='<body style="margin:0"><img src="a.svg" style="display:block">', content_type="text/html")


def test_under_its_policy_the_picture_follows_the_system(browser: Browser) -> None:
    program = json.loads((TRACES / "02_training_scan.json").read_text(encoding="utf-8"))["programs"][0]
    auto, light, dark = (draw(program, theme=theme) for theme in ("auto", "light", "dark"))
    made: dict[str, Image.Image] = {}
    width, height = size(auto)
    for name, svg, scheme in (("light", light, "dark"), ("dark", dark, "light"), ("by day", auto, "light"), ("by night", auto, "dark")):
        tab = browser.new_page(viewport={"width": width, "height": height}, color_scheme="dark" if scheme == "dark" else "light")
        tab.route("**/*", partial(_serve, svg))
        tab.goto("https://camo.invalid/page")
        made[name] = opaque(tab.screenshot())
        tab.close()
    assert ImageChops.difference(made["by day"], made["light"]).getbbox() is None
    assert ImageChops.difference(made["by night"], made["dark"]).getbbox() is None
    assert ImageChops.difference(made["light"], made["dark"]).getbbox() is not None
