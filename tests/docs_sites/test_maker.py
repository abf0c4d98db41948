"""Pictures from the cache or by a Python of their own, and what becomes of one that does not end well."""

from __future__ import annotations

import json

import pytest

from visualizer.drawing._engine import BUNDLE
from visualizer.integrations._maker import picture
from visualizer.integrations._wanted import NotDrawn, Wanted

from .sites import light_svg, saved

pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


def test_a_picture_is_that_of_draw_and_is_made_anew_where_its_file_is_damaged(tmp_path):
    saved(tmp_path / "saved.json")
    wanted = Wanted(saved=str(tmp_path / "saved.json"))
    first = picture(wanted, folder=tmp_path / "cache", root=tmp_path)
    assert first.light == light_svg(tmp_path / "saved.json")
    (kept,) = (tmp_path / "cache").iterdir()
    kept.write_text(json.dumps({**json.loads(kept.read_text()), "alt": "kept"}))
    assert picture(wanted, folder=tmp_path / "cache", root=tmp_path).alt == "kept"
    kept.write_text(kept.read_text()[:100])
    assert picture(wanted, folder=tmp_path / "cache", root=tmp_path) == first


def test_no_cache_is_no_failure(tmp_path):
    saved(tmp_path / "saved.json")
    (tmp_path / "cache").write_text("a file where the folder should be")
    assert picture(Wanted(saved=str(tmp_path / "saved.json")), folder=tmp_path / "cache", root=tmp_path).alt


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import os\nos._exit(3)", "Its process ended with code 3"),
        ("import time\ntime.sleep(60)\n1", "It was stopped after 1.5 seconds"),
        ("raise SystemExit('enough')\n1", "^SystemExit: enough$"),
        ("print('in the way')\n'no program'", "^line 1: invalid syntax"),
    ],
)
def test_code_that_does_not_end_well_says_so(tmp_path, code, said):
    with pytest.raises(NotDrawn, match=said):
        picture(Wanted(code=code), folder=tmp_path, root=tmp_path, seconds=1.5 if "sleep" in code else 60)
    assert list(tmp_path.iterdir()) == []
