"""What the documentation says of the page is there: its keys, and the controls that it names."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
pytestmark = pytest.mark.browser


def script():
    spec = importlib.util.spec_from_file_location("docs_pictures", ROOT / "scripts/docs_pictures.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_table_of_keys_is_that_of_the_help_sheet(open_page):
    kept = json.loads((DOCS / "reference/keys.json").read_text("utf-8"))
    assert script().keys_of(open_page().page) == kept, "make docs-pictures ARGS=keys"


def test_the_lessons_show_what_they_say(open_page):
    """The words that the tutorial explains, on the programs that it pastes."""
    bench = open_page(width=1280)
    bench.paste((DOCS / "tutorial/smooth.py").read_text("utf-8"))
    bench.select("scan")
    told = bench.page.locator(".details").filter(has_text="num_consts=1").first
    for words in ("claims the first operand", "claims the second operand", "sliced along the leading axis"):
        assert words in told.inner_text()
    for control in ("Depends on", "Trace a function", "Transform"):
        assert bench.page.get_by_role("button", name=re.compile(control)).count() > 0, control
    for level in ("Jaxpr", "StableHLO", "HLO", "Side by side"):
        assert bench.page.get_by_role("tab", name=level, exact=True).count() == 1, level
    bench.paste((DOCS / "tutorial/miss.py").read_text("utf-8"))
    bench.page.locator(".viewer svg text", has_text="1 residual").wait_for()
    said = " ".join(bench.page.locator(".viewer svg text").all_text_contents())
    for words in ("forward", "backward", "1 residual", "4 B × 8 = 32 B", "reverse"):
        assert words in said, words
