"""The same program in every format: sound, in the words of the drawing, and clear when something is missing or too large."""

import json
import re
import shutil
import struct
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from visualizer.drawing import (
    DrawingError,
    EngineNotFoundError,
    ExtraMissingError,
    Options,
    dot_source,
    draw,
    format_of,
    graph_of,
    made,
    mermaid_source,
    outline_text,
    png,
    rendered_by_graphviz,
)
from visualizer.drawing._engine import BUNDLE
from visualizer.model import Program

TRACES = Path(__file__).resolve().parents[2] / "frontend" / "test" / "traces"
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


def program(name: str = "02_training_scan", **changes: Any) -> Program:
    found = json.loads((TRACES / f"{name}.json").read_text())["programs"][0]
    return Program.model_validate({**found, **changes})


def labelled(label: str) -> Program:
    found = json.loads((TRACES / "02_training_scan.json").read_text())["programs"][0]
    entry = found["jaxprs"][found["entry"]]
    entry["vars"][entry["invars"][0]]["label"] = label
    return Program.model_validate(found)


@pytest.mark.parametrize("path", sorted(TRACES.glob("*.json")), ids=lambda path: path.stem)
def test_every_example_has_every_text_format(path):
    for found in json.loads(path.read_text())["programs"]:
        one = Program.model_validate(found)
        for format_ in ("svg", "dot", "mermaid", "txt"):
            assert made(one, format_, Options()).endswith(b"\n")


def test_a_picture_says_what_is_in_it_and_takes_other_words():
    root = ET.fromstring(draw(program()))
    alt = root.get("aria-label")
    assert alt is not None
    assert alt.startswith("train: dataflow graph. Inputs w, xs, ys, lr. Open: scan ×6.")
    assert ET.fromstring(draw(program(), alt="A loop & more")).get("aria-label") == "A loop & more"


def test_the_width_of_a_picture_scales_its_height():
    plain, wide = (ET.fromstring(draw(program(), width=width)) for width in (None, 2000))
    assert wide.get("width") == "2000"
    assert wide.get("viewBox") == plain.get("viewBox")
    ratio = float(plain.attrib["height"]) / float(plain.attrib["width"])
    assert float(wide.attrib["height"]) == pytest.approx(2000 * ratio, rel=1e-4)


def test_a_depth_opens_that_far():
    closed, opened = (graph_of(program(), open=depth) for depth in (0, 1))
    assert closed.groups == ()
    assert [group.title for group in opened.groups] == ["scan ×6"]


def test_the_outline_says_where_every_operand_comes_from():
    said = outline_text(graph_of(program()))
    assert "binder w f32[3] (carry) <- w, w of the step before" in said or "w of the step before" in said
    assert "binder lr f32[] (const) <- lr" in said
    assert said.index("scan ×6") < said.index("output")


def test_dot_has_clusters_and_the_colours_of_the_roles():
    source = dot_source(graph_of(program()))
    assert "subgraph cluster_g0" in source
    assert '"#af400e"' in source  # carry
    assert "constraint=false" in source


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
def test_graphviz_renders_it():
    assert b"<svg" in rendered_by_graphviz(program(), "svg", Options())


def test_without_graphviz_both_cures_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineNotFoundError, match=r"apt-get install graphviz.*SVG, PNG and PDF need no Graphviz"):
        rendered_by_graphviz(program(), "svg", Options())
    # The text itself needs nobody.
    assert made(program(), "dot", Options()).startswith(b"digraph")


HOSTILE = ['"]; x --> y', "</script><b>", 'a"b#quot;', "end", "%%{init: {}}%%", "back\\slash\\N", "a\nb", "`md`", "<br/>"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_never_leaves_its_label(name):
    one = labelled(name)
    graph = graph_of(one)
    lines = mermaid_source(graph).splitlines()
    assert len(lines) == len(mermaid_source(graph_of(labelled("plain"))).splitlines())
    assert not any("<b>" in line or "%%{" in line or "`" in line for line in lines)
    arrows = re.compile(r"^\t+n\d+ -> n\d+ \[", re.MULTILINE)
    assert len(arrows.findall(dot_source(graph))) == len(arrows.findall(dot_source(graph_of(labelled("plain")))))
    assert ET.fromstring(draw(one)) is not None


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("name", HOSTILE)
def test_graphviz_reads_any_name(name):
    assert rendered_by_graphviz(labelled(name), "svg", Options())


def test_mermaid_refuses_what_it_would_not_draw(monkeypatch):
    monkeypatch.setattr("visualizer.drawing._mermaid.MOST_EDGES", 3)
    with pytest.raises(DrawingError, match=r"at most 3 edges.*depth 0 or 1"):
        made(program(), "mermaid", Options())
    monkeypatch.setattr("visualizer.drawing._mermaid.MOST_EDGES", 500)
    monkeypatch.setattr("visualizer.drawing._mermaid.MOST_CHARACTERS", 100)
    with pytest.raises(DrawingError, match="at most 100 characters"):
        made(program(), "mermaid", Options())


def test_a_direction_is_for_every_picture():
    assert "rankdir=LR" in made(program(), "dot", Options(direction="LR")).decode()
    assert made(program(), "mermaid", Options(direction="LR")).startswith(b"flowchart LR")
    down, right = (ET.fromstring(made(program(), "svg", Options(direction=way))) for way in ("TB", "LR"))
    assert float(down.attrib["height"]) > float(down.attrib["width"])
    assert float(right.attrib["width"]) > float(right.attrib["height"])
    # The same words, each upright: nothing is turned.
    words = [sorted(text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")) for root in (down, right)]
    assert words[0] == words[1]
    assert not any("transform" in each.attrib for each in right.iter())


def test_a_png_has_the_size_of_the_picture_times_the_scale():
    pytest.importorskip("typst")
    svg = draw(program())
    root = ET.fromstring(svg)
    for scale in (1, 2):
        width, height = struct.unpack(">II", png(svg, scale=scale)[16:24])
        assert (width, height) == (scale * int(root.attrib["width"]), scale * int(root.attrib["height"]))


def test_png_and_pdf_are_the_same_each_time_and_hold_the_fonts():
    pytest.importorskip("typst")
    for format_, start in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        first, second = (made(program(), format_, Options(theme="auto")) for _ in range(2))
        assert first == second
        assert first.startswith(start)
    assert b"Inter" in first


def test_a_picture_too_large_for_a_png_says_which_scale_fits():
    with pytest.raises(DrawingError, match="at a scale of"):
        made(program(), "png", Options(scale=16, width=50_000))


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(ExtraMissingError, match=r'pip install "jaxpr-visualizer\[export\]"'):
        made(program(), "pdf", Options())


def test_a_level_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(DrawingError, match=r"has no hlo here\. What it has: jaxpr, stablehlo"):
        made(program(), "svg", Options(level="hlo"))
    with pytest.raises(DrawingError, match="it was read from a module"):
        made(program(entry=None, jaxprs={}, twins=[]), "svg", Options(level="jaxpr"))


def test_a_program_without_a_jaxpr_is_drawn_as_its_module():
    assert b"while" in made(program(entry=None, jaxprs={}, twins=[]), "svg", Options())


@pytest.mark.parametrize(
    ("name", "expected"), [("a.svg", "svg"), ("A.PNG", "png"), ("x/y.mmd", "mermaid"), ("g.gv", "dot"), ("a.jpg", None), ("svg", None)]
)
def test_the_suffix_names_the_format(name, expected):
    assert format_of(name) == expected
