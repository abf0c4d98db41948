"""`/embed/<id>`: a link in a frame of another page, drawn from what was kept, without tracing anything.

Promises: nothing runs in it but the viewer's own script, by its hash; what is not understood of the address is said in words, and the rest
holds. What was not kept is shown as its code. Must never: send the framing page anything, or take anything from it but the address.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from flask import Response, request
from markupsafe import Markup

from visualizer.drawing import BundleMissingError, page_policy, page_style
from visualizer.web._compressed import compressed
from visualizer.web._errors import ApiError
from visualizer.web._headers import framed

from ._glance import cut
from ._page import ROBOTS, TEMPLATES
from ._painter import NotPainted, Painter
from ._subject import LEVELS, Subject, address, client
from ._words import line, seen

WAIT_SECONDS = 25.0
_WORDS = {"theme": ("light", "dark", "auto"), "view": ("graph", "text"), "level": LEVELS, "open": ("initial", "all", "none")}
_LEVEL_WORDS = {"jaxpr": "Jaxpr", "stablehlo": "StableHLO", "hlo": "Optimised HLO"}
_FRESH_SECONDS = 300


def is_built() -> bool:
    """Whether there is a viewer to serve: in a checkout it is built by `make build`."""
    try:
        page_policy()
    except BundleMissingError:
        return False
    return True


@dataclass(frozen=True)
class Wish:
    """What the address asks for; `notes` says in words what of it was not understood."""

    theme: str
    view: str
    level: str | None
    open: str | int | None
    notes: tuple[str, ...]


def read_wish() -> Wish:
    """What is not known is as if it were left out, and noted."""
    found: dict[str, Any] = {"theme": None, "view": None, "level": None, "open": None}
    notes = []
    for name, known in _WORDS.items():
        given = request.args.get(name)
        if given is None or given == "":
            continue
        if given.lower() in known:
            found[name] = given.lower()
        elif name == "open" and given.isascii() and given.isdigit() and len(given) < 3:
            found[name] = int(given)
        else:
            others = ", ".join(known) + (" or a number" if name == "open" else "")
            notes.append(f"\u201c{line(given, 40)}\u201d is no {name} ({others}).")
    return Wish(found["theme"] or "auto", found["view"] or "", found["level"], found["open"], tuple(notes))


def embed_response(subject: Subject, painter: Painter, ancestors: tuple[str, ...]) -> Response:
    """The viewer, or text where text is asked for or there is nothing to draw."""
    wish = read_wish()
    notes = list(wish.notes)
    level = wish.level
    if level is not None and subject.levels and level not in subject.levels:
        notes.append(f"This program has no {_LEVEL_WORDS[level]} here.")
        level = None
    if not subject.levels:
        return _text(subject, wish, "", subject.source, [*notes, "Its graph was not kept with the link: this is its code."], ancestors)
    shown = subject.options(level)["level"] or ""
    if (wish.view or ("text" if subject.as_text else "graph")) == "text":
        text = subject.text(shown)
        if text:
            return _text(subject, wish, shown, text, notes, ancestors)
        notes.append(f"The text of its {_LEVEL_WORDS.get(shown, shown)} was not kept.")
    options = {**subject.options(level), "theme": wish.theme}
    if wish.open is not None:
        options["open"] = wish.open
    about = {"options": options, "framed": {"link": address(f"s/{subject.id}"), "note": " ".join(notes)}}
    try:
        made = painter.paint("page", subject.kept, about, WAIT_SECONDS, client())
    except NotPainted as reason:
        why = "Its graph is not ready: load this again in a moment." if reason.later else "Its graph could not be drawn: this is its code."
        response = _text(subject, wish, "", subject.source, [*notes, why], ancestors)
        response.cache_control.max_age = 0
        return response
    return _respond(made, 200, page_policy(), ancestors)


def problem_response(error: ApiError, ancestors: tuple[str, ...]) -> Response:
    """What stands in the frame of a link that is not there, or cannot be had."""
    values = {"theme": read_wish().theme, "message": error.message.rstrip("."), "advice": error.advice, "home": address("")}
    return _rendered("embed_problem.html", error.status, ancestors, **values)


def _text(subject: Subject, wish: Wish, level: str, text: str, notes: list[str], ancestors: tuple[str, ...]) -> Response:
    asked = {name: value for name, value in (("theme", wish.theme), ("level", level)) if value}
    values = {
        "theme": wish.theme,
        "title": subject.title,
        "what": _LEVEL_WORDS.get(level, "Code"),
        "graph": "?" + urlencode({**asked, "view": "graph"}) if level else None,
        "link": address(f"s/{subject.id}"),
        "notes": notes,
        "text": seen(cut(text)),
    }
    return _rendered("embed_text.html", 200, ancestors, **values)


def _rendered(template: str, status: int, ancestors: tuple[str, ...], **values: Any) -> Response:
    body = TEMPLATES.get_template(template).render(style=Markup(page_style()), **values)
    style = page_policy().partition("style-src ")[2].partition(";")[0]
    return _respond(body.encode(), status, f"default-src 'none'; style-src {style}; base-uri 'none'; form-action 'none'", ancestors)


def _respond(body: bytes, status: int, policy: str, ancestors: tuple[str, ...]) -> Response:
    response = Response(body, status, mimetype="text/html")
    response.headers["X-Robots-Tag"] = ROBOTS
    if status == 200:
        response.set_etag(hashlib.sha256(body).hexdigest()[:32])
        response.cache_control.public = True
        response.cache_control.max_age = _FRESH_SECONDS
        compressed(response).make_conditional(request.environ)
    else:
        response.headers["Cache-Control"] = "no-store"
    return framed(response, policy, ancestors)
