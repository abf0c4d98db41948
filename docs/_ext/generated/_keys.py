"""The keys, as the page's own Help sheet has them: `keys.json` is read off it in Chromium, and a test compares the two."""

from __future__ import annotations

import json
from pathlib import Path

from ._table import table

FILE = Path(__file__).parents[2] / "reference" / "keys.json"


def tables() -> str:
    """A table for each section of the sheet."""
    sections: dict[str, list[list[str]]] = json.loads(FILE.read_text("utf-8"))
    text = ""
    for title, rows in sections.items():
        text += f"## {title}\n\n" + table(["Key", "What it does"], [[keys, meaning] for keys, meaning in rows])
    return text
