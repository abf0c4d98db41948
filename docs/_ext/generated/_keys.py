"""The keys, read off the source of the page's own Help sheet; a test compares them with the sheet in Chromium."""

from __future__ import annotations

import json
import re
from pathlib import Path

from ._table import table

SOURCE = Path(__file__).resolve().parents[3] / "frontend" / "src"
SHEET = SOURCE / "page" / "panels" / "HelpSheet.tsx"
GRAPH = SOURCE / "viewer" / "keys.ts"
FIRST = "In the editor"

_STRINGS = r"\[((?:\s*\"(?:[^\"\\]|\\.)*\",?)*\s*)\]"
_ITEM = re.compile(
    rf"<h3>(?P<title>.*?)</h3>"
    rf"|<Row keys={{{_STRINGS}}} meaning=\"(?P<meaning>[^\"]*)\""
    r"|(?P<graph>KEY_HELP\.map)"
    r"|<dt(?P<mono> class=\"mono\")?>(?P<term>[^<{]*)</dt>\s*<dd>(?P<said>.*?)</dd>",
    re.DOTALL,
)


def sections() -> dict[str, list[list[str]]]:
    """By title: keys and what they do, as Markdown."""
    found: dict[str, list[list[str]]] = {FIRST: []}
    title = FIRST
    for item in _ITEM.finditer(SHEET.read_text("utf-8")):
        if item["title"]:
            title = _words(item["title"])
            found[title] = []
        elif item["graph"]:
            found[title] += _graph()
        elif item["term"]:
            term = _words(item["term"])
            found[title].append([f"`{term}`" if item["mono"] else term, _words(item["said"])])
        elif item["meaning"]:
            found[title].append([_keys(item[2]), _words(item["meaning"])])
    return found


def _graph() -> list[list[str]]:
    text = GRAPH.read_text("utf-8").split("export const KEY_HELP", 1)[1].split("= [", 1)[1]
    rows = re.findall(rf"\[{_STRINGS},\s*\"((?:[^\"\\]|\\.)*)\",?\s*\]", text)
    return [[_keys(keys), meaning] for keys, meaning in rows]


def _keys(listed: str) -> str:
    return " ".join(f"`{key}`" for key in json.loads(f"[{listed.strip().rstrip(',')}]"))


def _words(markup: str) -> str:
    """What a browser shows of a piece of JSX: code in backticks, blanks as one."""
    text = markup.replace('{" "}', "\0")
    text = re.sub(r"</?(?:code|kbd)>", "`", text)
    # A line break of the source is no blank beside a tag.
    text = re.sub(r"^\s+|\s+$", "", text)
    return re.sub(r"\s+", " ", text.replace("\0", " ")).replace("&quot;", '"')


def tables() -> str:
    """A table for each section of the sheet."""
    return "".join(f"## {title}\n\n" + table(["Key", "What it does"], rows) for title, rows in sections().items())
