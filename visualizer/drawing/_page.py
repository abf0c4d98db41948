"""A program as a page of its own: one file with the viewer in it, that opens from a disk and reaches no network.

Promises: nothing of the program is markup or script there: it is packed data, and the page's own policy lets no other script run.
Must never: hold what the page does not show (paths of this machine, printed texts).
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from visualizer._version import __version__
from visualizer.model import Program

from ._errors import BundleMissingError
from ._formats import Options, graph, shown
from ._outline import outline_text
from ._svg import as_data, wish

FILES = Path(__file__).with_name("bundle") / "embed"


@dataclass(frozen=True)
class Framed:
    """The page stands in a frame of another page: `link` is where its program is opened, `note` what its reader is told first."""

    link: str
    note: str = ""


def page_of(program: Program, options: Options, framed: Framed | None = None) -> str:
    """The page. Raises BundleMissingError, DrawingError."""
    drawn = shown(program, options.level)
    level = options.level or ("jaxpr" if isinstance(drawn, Program) else next(iter(program.modules)))
    title = options.title or program.name
    opened = wish(options.open)
    data = {
        "program": _kept(program),
        "title": title,
        "level": level,
        "open": opened if isinstance(opened, list) else [] if opened == "none" else None,
        "levels": {"by": options.by, "depth": opened if isinstance(opened, int) else "all" if opened == "all" else None},
        "overlay": options.overlay,
        "framed": None if framed is None else asdict(framed),
        "direction": options.direction,
    }
    page, parts = template()
    parts |= {
        "theme": options.theme,
        "title": html.escape(title),
        # For readers without scripts.
        "outline": html.escape(outline_text(graph(program, options))),
        "data": _packed(json.dumps(data, allow_nan=False, separators=(",", ":"))),
    }
    return re.sub(r"/\*\{\{(\w+)\}\}\*/|\{\{(\w+)\}\}", lambda found: parts[found[1] or found[2]], page)


def page_style() -> str:
    """The sheet of the page, for others that look like it."""
    return _file("embed.css")


def page_policy() -> str:
    """The content security policy of the page: its own two scripts and sheet, and nothing else. Raises BundleMissingError."""
    own = f"script-src {_hash(_file('start.js'))} {_hash(_file('embed.js'))}; style-src {_hash(page_style())}"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def template() -> tuple[str, dict[str, str]]:
    """The page with marks (`{{name}}`, `/*{{name}}*/`) and what goes into it whatever it shows: not `theme`, `title`, `outline`, `data`.

    The open page makes files of it in the browser (frontend/src/page/files/standalone.ts). Raises BundleMissingError.
    """
    csp, version = (html.escape(text, quote=True) for text in (page_policy(), __version__))
    parts = {"csp": csp, "version": version, "style": page_style(), "script": _packed_script(), "start": _file("start.js")}
    return _file("page.html"), parts


# What the viewer reads of a program; the rest is the editor's. By its loops it is folded.
_DROPPED: dict[str, Any] = {"span": None, "links": {}, "written": [], "parameters": None, "made_from": None}


def _kept(program: Program) -> dict[str, Any]:
    """The program without what the page does not show."""
    data = {**as_data(program), **_DROPPED}
    data["texts"] = {}
    data["modules"] = {level: {**module, "text": ""} for level, module in data["modules"].items()}
    return data


def _packed(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


@cache
def _packed_script() -> str:
    return _packed(_file("embed.js"))


@cache
def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _file(name: str) -> str:
    path = FILES / name
    if not path.is_file():
        raise BundleMissingError(path)
    return path.read_text(encoding="utf-8").strip()
