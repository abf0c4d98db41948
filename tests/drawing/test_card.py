"""The card of a link, and the process that draws it: the size, what can be read on it, and what becomes of what cannot be drawn."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from visualizer.drawing import Options, card
from visualizer.drawing._engine import BUNDLE
from visualizer.model import Program

TRACES = Path(__file__).resolve().parents[2] / "frontend" / "test" / "traces"
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


def program(file: str = "01_grad_of_scan", **changes) -> Program:
    found = json.loads((TRACES / f"{file}.json").read_text("utf-8"))["programs"][0]
    return Program.model_validate({**found, **changes})


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_it_says_what_the_program_is_and_draws_it():
    made = card(program(), Options())
    assert re.match(r'<svg [^>]*width="1200" height="630" viewBox="0 0 1200 630"', made.svg)
    assert made.size == "18 equations, 2 nested bodies"
    assert made.alt.startswith("loss: dataflow graph. Inputs gain, h0, xs.")
    said = texts(made.svg)
    assert {"jaxpr", "loss", "takes", "gives", "tanh", "scan \u00d78", "gain f32[]", "carry: handed to the next step"} <= set(said)
    assert " id=" not in made.svg
    assert "<script" not in made.svg


def test_of_a_large_program_less_is_open_so_that_it_can_be_read():
    everything = card(program("nested"), Options(open="all"))
    assert "simulate: dataflow graph" in everything.alt
    (scale,) = {
        float(inner["width"]) / float(inner["viewBox"].split()[2])
        for inner in (element.attrib for element in ET.fromstring(everything.svg).iter("{http://www.w3.org/2000/svg}svg"))
        if "xmlns" not in inner and inner["width"] != "1200"
    }
    assert scale >= 0.5499


def test_a_module_is_named_by_its_level():
    made = card(program("02_training_scan"), Options(level="stablehlo"))
    assert "StableHLO" in texts(made.svg)
    assert "function" in made.size


def test_without_a_program_it_shows_the_code():
    made = card(None, Options(title="mine"), code="import jax\n\tx = '<b>'\n" + "y\n" * 99)
    said = texts(made.svg)
    assert {"mine", "import jax", "    x = '<b>'"} <= set(said)
    assert said.count("y") < 30


def test_long_and_hostile_names_stay_inside():
    name = "</svg><script>alert(1)</script>" + "very_long_name" * 40
    made = card(program(name=name), Options())
    assert "<script" not in made.svg
    shown = [each.text for each in ET.fromstring(made.svg).iter("{http://www.w3.org/2000/svg}text") if each.get("font-size") == "32"]
    assert len(shown) == 3
    assert shown[0].startswith("</svg><script>")
    assert shown[-1].endswith("\u2026")


def child(make: str, kept: bytes, **about) -> subprocess.CompletedProcess[bytes]:
    request = json.dumps({"make": make, "options": {}, "code": "", "framed": {"link": "http://x/s/y"}, "cpu_seconds": 60, **about}).encode()
    return subprocess.run(
        [sys.executable, "-m", "visualizer.drawing._child"], input=request + b"\n" + kept, capture_output=True, check=False
    )


def kept(**changes) -> bytes:
    trace = json.loads((TRACES / "01_grad_of_scan.json").read_text("utf-8"))
    trace["programs"][0] |= changes
    return zlib.compress(json.dumps(trace).encode())


def test_the_process_gives_what_is_asked_for():
    assert child("svg", kept(), options={"theme": "auto", "open": ["e1"]}).stdout.startswith(b"<svg ")
    png = child("card-png", kept()).stdout
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert (int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")) == (1200, 630)
    for make in ("pdf", "card-pdf"):
        assert child(make, kept()).stdout.startswith(b"%PDF-")
    # What is outside of the body that is drawn alone is not in the picture.
    assert b"reduce_sum" in child("svg", kept()).stdout
    assert b"reduce_sum" not in child("svg", kept(), options={"alone": "e0"}).stdout
    assert b'class="data"' in child("page", kept()).stdout


def test_the_process_refuses_in_words():
    refused = child("svg", kept(), options={"level": "hlo"})
    assert (refused.returncode, refused.stdout) == (2, b"")
    assert b"has no hlo here" in refused.stderr
    assert child("svg", b"").returncode == 2


def test_the_process_ends_when_its_time_is_up():
    assert child("svg", kept(), cpu_seconds=0).returncode != 0
