"""Pictures from Python: the same drawing as in the browser, self-contained, and clear when something is missing."""

import asyncio
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from visualizer.drawing import BundleMissingError, DrawingError, draw
from visualizer.drawing._engine import BUNDLE, Engine
from visualizer.model import Program

ROOT = Path(__file__).resolve().parents[2]
TRACES = ROOT / "frontend" / "test" / "traces"
EXIT = 7
SVG = "{http://www.w3.org/2000/svg}"

built = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


def program(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TRACES / f"{name}.json").read_text())["programs"][0]
    return found


def texts(svg: str) -> list[str]:
    return [node.text or "" for node in ET.fromstring(svg).iter(f"{SVG}text")]


@built
def test_a_scan_is_drawn_with_the_names_of_the_person() -> None:
    svg = draw(program("02_training_scan"))
    said = texts(svg)
    assert {"lr", "w", "xs", "ys", "scan ×6", "f32[6,2,3]", "→ f32[2,3]", "next step"} <= set(said)
    root = ET.fromstring(svg)
    assert root.get("role") == "img"
    assert root.findtext(f"{SVG}title") == "train"


@built
def test_model_and_plain_dict_give_the_same_picture() -> None:
    plain = program("01_grad_of_scan")
    assert draw(Program.model_validate(plain)) == draw(plain)


@built
def test_pictures_are_self_contained() -> None:
    svg = draw(program("05_loop_until"), theme="auto")
    for forbidden in ("<script", "<foreignObject", " id=", "href", "url(", "@import", "data-"):
        assert forbidden not in svg
    assert "prefers-color-scheme:dark" in svg


@built
def test_closed_draws_no_body() -> None:
    svg = draw(program("02_training_scan"), open="none", legend=False)
    assert "next step" not in texts(svg)
    assert draw(program("02_training_scan"), open=[], legend=False) == svg


@built
def test_dark_and_light_differ_in_colours_only() -> None:
    light, dark = (draw(program("06_branches"), theme=theme) for theme in ("light", "dark"))
    assert light != dark
    assert texts(light) == texts(dark)


@built
def test_hostile_names_stay_text() -> None:
    hostile = program("02_training_scan")
    entry = hostile["jaxprs"][hostile["entry"]]
    name = "</text><script>alert(1)</script>\"'&\u0000\ud800"
    entry["vars"][entry["invars"][0]]["label"] = name
    svg = draw(hostile, title=name)
    assert "<script" not in svg
    ET.fromstring(svg)


@built
def test_nonsense_is_refused_in_words() -> None:
    with pytest.raises(DrawingError, match="give a program"):
        draw({"name": "x"})


def test_a_missing_bundle_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BundleMissingError, match="make build"):
        Engine(tmp_path / "drawing.js")


@built
def test_drawing_never_imports_jax() -> None:
    code = "import sys, visualizer.drawing as d; d.draw; sys.exit(any(m.split('.')[0] in ('jax', 'numpy') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


@built
def test_a_process_that_has_drawn_ends() -> None:
    code = f"from visualizer.drawing._engine import Engine; engine = Engine(); raise SystemExit({EXIT})"
    for _ in range(3):
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=30, check=False)
        assert done.returncode == EXIT


@built
def test_an_engine_closes_twice() -> None:
    engine = Engine()
    engine.close()
    engine.close()


@built
def test_it_draws_where_an_event_loop_is_running() -> None:
    # As in a notebook: V8 started there must neither join that loop nor lose its time limit.
    async def drawn() -> str:
        own = Engine()
        try:
            wishes = {"open": "initial", "theme": "light", "title": "train", "legend": False}
            return own.draw({"program": program("02_training_scan"), **wishes})
        finally:
            own.close()

    # In a thread, since the browser tests may have left a loop running in this one.
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: asyncio.run(drawn())).result().startswith("<svg")
