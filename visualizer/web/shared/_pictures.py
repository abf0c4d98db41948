"""`/s/<id>.svg`, `.png` and `.pdf`: a link as a picture, for documents and for the cards of chats.

Promises: each is the drawing as it was shared, the PNG with `?size=og` the card of 1200 x 630; what cannot be drawn is a card with the
code. Any page may show them; opened by themselves nothing in them runs.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from flask import Response, request

from visualizer.web._compressed import compressed
from visualizer.web._errors import ApiError
from visualizer.web._headers import picture

from ._page import ROBOTS, can_raster
from ._painter import NotPainted, Painter
from ._subject import Subject, client
from ._words import seen

WAIT_SECONDS = 25.0
# A link that is taken back is gone from caches soon.
_FRESH_SECONDS = 300
KINDS = ("svg", "png", "pdf")
_THEMES = {"svg": ("light", "dark", "auto"), "png": ("light", "dark"), "pdf": ("light", "dark")}
TYPES = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
# Of the code, where there is no drawing.
_CARDS = {"svg": "card", "png": "card-png", "pdf": "card-pdf"}


def picture_response(subject: Subject, painter: Painter, kind: str) -> Response:
    """Raises ApiError."""
    check_makes(kind)
    theme = _asked("theme", _THEMES[kind], "light")
    card = kind == "png" and _asked("size", ("whole", "og"), "whole") == "og"
    options = {**subject.options(), **({} if card else {"theme": theme})}
    try:
        if not subject.levels:
            raise NotPainted("there is no program")
        return respond(_painted(subject, painter, "card-png" if card else kind, options), kind, subject.title)
    except NotPainted as reason:
        if reason.later:
            raise not_ready() from None
    return respond(_code_card(subject, painter, kind), kind, subject.title)


def check_makes(kind: str) -> None:
    """Raises ApiError where no such pictures can be made here."""
    if kind != "svg" and not can_raster():
        raise ApiError(
            501,
            "extra-missing",
            f"This server makes no {kind.upper()}: a package that it needs is not installed.",
            'Take the SVG, or install it where the server runs: pip install "jaxpr-visualizer[export]"',
        )


def not_ready() -> ApiError:
    return ApiError(503, "busy", "The picture is not ready.", "Ask again in a few seconds.", {"Retry-After": "5"})


def respond(body: bytes, kind: str, title: str) -> Response:
    """A picture with the tag of its content, kept by browsers for a while."""
    response = Response(body, mimetype=TYPES[kind])
    if kind == "pdf":
        # What browsers show PDFs with is no page, and does not work under the policy that pictures have.
        name = re.sub(r"[^\w.-]+", "_", title, flags=re.ASCII).strip("_.-")[:60]
        response.headers["Content-Disposition"] = f'attachment; filename="{name or "program"}.pdf"'
    response.set_etag(hashlib.sha256(body).hexdigest()[:32])
    response.cache_control.public = True
    response.cache_control.max_age = _FRESH_SECONDS
    response.headers["X-Robots-Tag"] = ROBOTS
    if kind == "svg":
        compressed(response)
    response.make_conditional(request.environ)
    return picture(response)


def _code_card(subject: Subject, painter: Painter, kind: str) -> bytes:
    """The card with the code instead of a drawing. Raises ApiError where that fails, too."""
    about = {"options": {"title": subject.title}, "code": seen(subject.source[:10_000])}
    try:
        made = painter.paint(_CARDS[kind], b"", about, WAIT_SECONDS, client())
    except NotPainted:
        raise ApiError(503, "not-drawn", "This program could not be drawn.", "Open the link: its code is there.") from None
    return made if kind != "svg" else str(json.loads(made)["svg"]).encode()


def _painted(subject: Subject, painter: Painter, make: str, options: Mapping[str, Any]) -> bytes:
    return painter.paint(make, subject.kept, {"options": options}, WAIT_SECONDS, client())


def _asked(name: str, known: tuple[str, ...], otherwise: str) -> str:
    """A word among those that are known, case aside; what is not is as if it were left out."""
    given = request.args.get(name, otherwise).lower()
    return given if given in known else otherwise
