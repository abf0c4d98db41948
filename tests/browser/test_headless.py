"""What Python draws without a browser is what the page draws: the same code in Chromium gives the same bytes for every program that there
is, and what stands on the page has the same boxes, wires and words at the same places."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from playwright.sync_api import Browser

from visualizer.drawing import draw, draw_module
from visualizer.drawing._engine import BUNDLE
from visualizer.text.parse import read

ROOT = Path(__file__).resolve().parents[2]
TRACES = ROOT / "frontend" / "test" / "traces"
CASES = ROOT.parent / "shared" / "cases"
NS = "{http://www.w3.org/2000/svg}"
# All open, larger ones take long in both.
MOST_EQUATIONS = 200

pytestmark = pytest.mark.browser


def drawings() -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and request (see frontend/src/drawing/bundle.ts) of every picture."""
    for path in sorted(TRACES.glob("*.json")):
        for program in json.loads(path.read_text(encoding="utf-8"))["programs"]:
            yield from of_program(path.stem, program)
            for level, module in program["modules"].items():
                yield f"{path.stem} {level}", {"module": module, "title": level, "open": "initial"}
    for path in sorted(CASES.glob("*/jaxpr.txt")):
        for program in read(path.read_text(encoding="utf-8")).programs:
            yield from of_program(path.parent.name, program)


def of_program(name: str, program: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    small = sum(len(jaxpr["eqns"]) for jaxpr in program["jaxprs"].values()) <= MOST_EQUATIONS
    for opened, direction in (("initial", "TB"), ("all" if small else "none", "LR")):
        yield name, {"program": program, "title": name, "open": opened, "direction": direction}


def test_chromium_draws_every_picture_to_the_byte(browser: Browser):
    page = browser.new_page()
    page.add_script_tag(path=BUNDLE)
    different, count = [], 0
    for name, request in drawings():
        given = {"theme": "auto", "legend": True, **request}
        drawn = page.evaluate("text => JaxprDrawing.draw(text)", json.dumps(given))
        options = {key: given[key] for key in ("theme", "title", "open", "direction") if key in given}
        here = draw(given["program"], **options) if "program" in given else draw_module(given["module"], **options)
        count += 1
        if drawn != here:
            different.append(name)
    page.close()
    assert different == []
    assert count > 80


@pytest.mark.parametrize("name", ["01_grad_of_scan", "02_training_scan", "06_branches"])
def test_the_page_has_the_same_boxes_wires_and_words_at_the_same_places(open_page, name):
    bench = open_page(width=1600, height=1200)
    bench.example(name)
    bench.idle()
    bench.page.keyboard.press("Escape")
    shown = bench.page.evaluate(
        """() => {
          const of = (selector, ...names) => [...document.querySelectorAll(`.viewer > svg ${selector}`)]
            .map((each) => names.map((name) => (name === "text" ? each.textContent : each.getAttribute(name))).join(" "));
          return {
            words: of("text", "text", "x", "y"),
            wires: of("path[class^='jv-wire']", "d"),
            boxes: of("rect[class^='jv-op'], rect[class^='jv-pill'], rect[class^='jv-frame']", "x", "y", "width", "height"),
          };
        }"""
    )
    program = json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))["programs"][0]
    root = ET.fromstring(draw(program, legend=False))

    def of(tag: str, classes: tuple[str, ...], *names: str) -> Counter[str]:
        found = (each for each in root.iter(NS + tag) if not classes or each.get("class", "").startswith(classes))
        return Counter(" ".join((each.text or "") if name == "text" else each.attrib[name] for name in names) for each in found)

    assert Counter(shown["words"]) == of("text", (), "text", "x", "y")
    assert Counter(shown["wires"]) == of("path", ("jv-wire",), "d")
    assert Counter(shown["boxes"]) == of("rect", ("jv-op", "jv-pill", "jv-frame"), "x", "y", "width", "height")
