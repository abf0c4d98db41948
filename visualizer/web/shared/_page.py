"""`/s/<id>`: the page with a link's code in it, and around it what is for those who do not run it.

Promises: chats and search engines find title, description and picture in the head; readers without scripts have the code, the jaxpr and the
picture. The page finds the link in a data block. Never answers from a browser's cache: the page has the nonce of its own answer.
"""

from __future__ import annotations

import importlib.util
import json
import re
from functools import cache
from pathlib import Path

from flask import Response, g, request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from visualizer.web._compressed import compressed
from visualizer.web._errors import ApiError
from visualizer.web._pages import page_text

from ._painter import NotPainted, Painter
from ._subject import Subject, address, client
from ._words import data_block, line, seen

TEMPLATES = Environment(loader=FileSystemLoader(Path(__file__).with_name("templates")), autoescape=True, undefined=StrictUndefined)
# Seconds: a browser shows the page to somebody who does not need these words; what reads them has the time.
_PATIENCE = {"document": 0.7, "": 4.0}
# From /s/<id>.
ROOT = "../"
_MOST_DESCRIPTION = 300
# Longer texts are for the page.
_MOST_TEXT = 60_000
# What search engines find is what people meant to publish: a link that was shared with somebody is not that.
ROBOTS = "noindex"


def page_response(static: Path, subject: Subject, painter: Painter) -> Response:
    """The built page with the head and the words of this link."""
    said = _said(subject, painter)
    where = address(f"s/{subject.id}")
    values = {
        "title": subject.title,
        "description": line(said, _MOST_DESCRIPTION),
        "alt": line(said, 420),
        "url": where,
        "picture": f"{where}.svg?theme=auto" if subject.levels else None,
        "card": f"{where}.png?size=og" if can_raster() else None,
        "oembed": address("oembed"),
        "code": _cut(subject.source),
        "jaxpr": _cut(subject.text("jaxpr")),
        "nonce": g.nonce,
        "data": data_block(
            {
                "id": subject.id,
                "state": subject.content.address,
                "title": subject.title,
                "url": where,
                "embed": address(f"embed/{subject.id}"),
            }
        ),
    }
    head = TEMPLATES.get_template("head.html").render(values)
    body = TEMPLATES.get_template("body.html").render(values)
    response = Response(_put(page_text(static, ROOT), head, body), mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = ROBOTS
    return compressed(response)


def problem_response(static: Path, error: ApiError) -> Response:
    """The page of a link that is not there, or cannot be had, in the look of the page."""
    page = page_text(static, ROOT)
    icon = re.search(r'<link rel="icon"[^>]*?href="([^"]*)"', page)
    values = {
        "message": error.message.rstrip("."),
        "advice": error.advice,
        "missing": error.status in {404, 410},
        "nonce": g.nonce,
        "home": ROOT,
        "icon": icon and icon[1],
        # Of our own page.
        "sheets": Markup("".join(re.findall(r'<link rel="(?:stylesheet|icon)"[^>]*>', page))),
    }
    response = Response(TEMPLATES.get_template("problem.html").render(values), error.status, error.headers, mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Robots-Tag"] = ROBOTS
    return response


@cache
def can_raster() -> bool:
    """Whether PNGs can be made here: they need the extra `export`."""
    return importlib.util.find_spec("typst") is not None


def _said(subject: Subject, painter: Painter) -> str:
    """What is in the program, as the picture says it of itself; where that takes long, what can be counted."""
    if not subject.levels:
        return "JAX code, shared without its picture: open the link to trace it."
    # Said by browsers alone.
    wanted = "document" if request.headers.get("Sec-Fetch-Dest") == "document" else ""
    try:
        made = painter.paint("card", subject.kept, {"options": subject.options()}, _PATIENCE[wanted], client())
    except NotPainted:
        return f"{subject.title}: {subject.size or 'a program'} of JAX, as a graph."
    found = json.loads(made)
    return f"{found['size']}. {found['alt']}"


def _cut(text: str) -> str:
    shown = seen(text)
    return shown if len(shown) <= _MOST_TEXT else shown[:_MOST_TEXT] + "\n\u2026"


def _put(page: str, head: str, body: str) -> str:
    """Head and body into the built page, in the place of what it says of itself. Never by a pattern that the texts take part in."""
    before, _, rest = re.sub(r'\s*<meta name="description"[^>]*>', "", page).partition("<title>")
    after = rest.partition("</title>")[2]
    start, _, end = after.partition("<noscript>")
    return f"{before}{head}{start}{body}{end.partition('</noscript>')[2]}"
