"""Python's V8 draws what the front end's own tests hold: their committed pictures, to the byte."""

import json
import re
from pathlib import Path

import pytest

from visualizer.drawing import draw
from visualizer.drawing._engine import BUNDLE

TESTS = Path(__file__).resolve().parents[2] / "frontend" / "test"
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")
PICTURES = sorted(path for path in (TESTS / "pictures").glob("*.svg") if not path.name.startswith("module_"))


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_a_committed_picture_is_drawn_by_python(path):
    found = re.fullmatch(r"(right_)?(\w+?)(?:-(\d+))?(?:\.(light|dark))?", path.stem)
    assert found is not None
    right, name, at, theme = found.groups()
    program = json.loads((TESTS / "traces" / f"{name}.json").read_text(encoding="utf-8"))["programs"][int(at or 0)]
    drawn = draw(program, theme=theme or "auto", direction="LR" if right else "TB")
    assert (drawn + "\n").encode() == path.read_bytes()
