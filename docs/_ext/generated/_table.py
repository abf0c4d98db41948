"""Tables and texts as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; what stands in a cell is Markdown already."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines) + "\n\n"


def code(text: object) -> str:
    return f"`{text}`" if str(text) else ""


def flowing(text: str | None) -> str:
    """A docstring as Markdown: one line for each paragraph."""
    paragraphs = re.split(r"\n\s*\n", (text or "").strip())
    return "\n\n".join(" ".join(line.strip() for line in one.splitlines()) for one in paragraphs)
