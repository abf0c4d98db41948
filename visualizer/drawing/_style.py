"""The sheet by which a diagram is light or dark as the page around it is: for sites (a file of theirs) and notebooks (in each output)."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STYLE_FILE = Path(__file__).with_name("jaxpr.css")


@cache
def style() -> str:
    """The sheet without what only its readers need."""
    plain = re.sub(r"/\*.*?\*/", "", STYLE_FILE.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s*([{};,])\s*", r"\1", re.sub(r"\s+", " ", plain)).replace(";}", "}").strip()
