"""The SVG looks right in every renderer that readers meet: boxes, lines, colours and words, whatever fonts the machine has."""

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import ImageChops

from tests.drawing.renderers.looks import apart, cards, overflowing, similarity, unwritten, without_text, wrong_fills
from tests.drawing.renderers.paint import RENDERERS, cairo_with_inter, missing, painted, painted_once, size
from visualizer.drawing import draw, draw_module
from visualizer.drawing._engine import BUNDLE

TRACES = Path(__file__).resolve().parents[3] / "frontend" / "test" / "traces"
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")
# One for each kind of thing that is drawn: loops, lanes and residuals, branches, rules, kernels, refs, tangents, groups, marks.
NAMES = ("02_training_scan", "01_grad_of_scan", "frame_while", "frame_cond", "10_rules_of_your_own", "frame_kernel", "frame_tangents")
FOREIGN = {
    "lr": "\u5b66\u4e60\u7387\U0001f680",
    "loss": "\u05d4\u05e4\u05e1\u05d3",
    "step": "\u0634\u0628\u0643\u0629",
    "train": '<b>&"\u202etrain',
    "batch": "a_batch_with_a_name_that_is_far_too_long_for_any_box",
}


def program(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TRACES / f"{name}.json").read_text(encoding="utf-8"))["programs"][0]
    return found


def foreign() -> dict[str, Any]:
    text = json.dumps(program("02_training_scan"))
    for old, new in FOREIGN.items():
        text = text.replace(json.dumps(old)[:-1], json.dumps(new)[:-1])
    found: dict[str, Any] = json.loads(text)
    return found


def pictures(theme: Any) -> tuple[str, ...]:
    kinds = [draw(program(name), theme=theme) for name in NAMES]
    module = draw_module(program("02_training_scan")["modules"]["stablehlo"], theme=theme)
    groups = draw(program("transformer"), theme=theme)
    marked = draw(program("06_branches"), theme=theme, overlay="flops")
    return (*kinds, module, groups, marked, draw(foreign(), theme=theme, title="\u202e</title>\U0001f680"))


@pytest.fixture(scope="module", params=RENDERERS)
def renderer(request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    if (reason := missing(name)) is not None:
        pytest.skip(reason)
    return name


@pytest.fixture(scope="module")
def light() -> tuple[str, ...]:
    return pictures("light")


@pytest.fixture(scope="module")
def dark() -> tuple[str, ...]:
    # Three tell whether the colours arrive; shapes are those of the light ones.
    return pictures("dark")[:3]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_box_has_the_colour_of_the_theme_and_its_words(renderer, light, dark, theme):
    svgs = light if theme == "light" else dark
    for svg, image in zip(svgs, painted_once(renderer, svgs), strict=True):
        assert image.size == size(svg)
        assert len(cards(svg)) > 3
        assert wrong_fills(svg, image) == []
        assert unwritten(svg, image) == []


def test_words_stay_in_their_boxes(renderer, light):
    svgs = light[:1] if renderer == "cairo" else light
    images = [cairo_with_inter(svgs[0])] if renderer == "cairo" else painted_once(renderer, svgs)
    for svg, image in zip(svgs, images, strict=True):
        assert overflowing(svg, image) == []


def test_lines_and_boxes_are_where_resvg_has_them(renderer, light):
    bare = tuple(without_text(svg) for svg in light)
    for one, other in zip(painted_once("resvg", bare), painted_once(renderer, bare), strict=True):
        assert apart(one, other) < 0.0002
        assert similarity(one, other) > 0.96


def test_without_a_dark_system_auto_is_the_light_picture(renderer, light):
    auto = pictures("auto")[0]
    difference = ImageChops.difference(painted(renderer, [auto])[0], painted(renderer, light[:1])[0])
    assert difference.getbbox() is None


def test_the_checks_see_what_is_wrong(light, dark):
    """Words gone, too wide, or a fill that is not the theme's: each is found in a picture that has it."""
    svg = light[0]
    (bare,) = painted("resvg", [without_text(svg)])
    assert len(unwritten(svg, bare)) == len(cards(svg))
    wide = svg.replace('font-size="12"', 'font-size="26"').replace(' lengthAdjust="spacingAndGlyphs"', "").replace("textLength", "data-l")
    assert overflowing(svg, painted("resvg", [wide])[0])
    (night,) = painted("resvg", [dark[0]])
    assert len(wrong_fills(svg, night)) == len(cards(svg))
    assert apart(bare, night) > 0.5
