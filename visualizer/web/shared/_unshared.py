"""`POST /api/v1/pictures`: a program as a picture without a link, for a file that somebody saves.

Promises: drawn is what the server traced of the state, as it would be of a link to it; nothing is stored. What cannot be drawn is an error
that says why, and never another picture.
"""

from __future__ import annotations

from typing import Annotated, Literal

from flask import Flask, Response, request
from pydantic import Field

from visualizer.drawing import Overlay, Theme
from visualizer.web._admission import client_key
from visualizer.web._errors import ApiError
from visualizer.web._front import BODY_BYTES, Fronts, Stated
from visualizer.web._gone import Gone
from visualizer.web._headers import picture
from visualizer.web._rate import Rate
from visualizer.web._request import read_json
from visualizer.web._settings import Settings

from ._painter import NotPainted, Painter
from ._pictures import TYPES, WAIT_SECONDS, check_makes, not_ready
from ._subject import Dict, Subject
from ._words import line

URL = "/api/v1/pictures"
_SHAPE = 'Send an object like {"state": "v1:...", "format": "pdf", "theme": "light"}: the state is what stands after the # in the address.'
_SMALLER = "Close some bodies, or print it from the page."


class _Wanted(Stated):
    format: Literal["svg", "png", "pdf"]
    theme: Theme = "light"
    width: Annotated[float, Field(ge=100, le=10_000)] | None = None
    title: Annotated[str, Field(max_length=2000)] | None = None
    overlay: Overlay | None = None


class PicturesEndpoint:
    """The view."""

    def __init__(self, settings: Settings, fronts: Fronts, painter: Painter) -> None:
        self._fronts = fronts
        self._painter = painter
        self._rate = Rate(settings.client_links, 3600)

    def __call__(self) -> Response:
        wanted, content = self._fronts.read(read_json(request, BODY_BYTES), _Wanted, _SHAPE)
        check_makes(wanted.format)
        who = client_key(request.remote_addr)
        if seconds := self._rate.take(who):
            again = {"Retry-After": str(max(1, round(seconds)))}
            raise ApiError(429, "too-many-pictures", "You have had many pictures made in a short time.", "Wait a little.", again)
        gone = Gone(request.environ)
        kept, name, why = self._fronts.of(content, gone)
        if gone.seen:
            raise ApiError(400, "client-gone", "The client has left before its picture was made.", "Send it again.")
        if kept is None:
            raise ApiError(422, "not-drawn", f"There is no picture: {why}.", _SMALLER)
        subject = Subject("", content, name, kept)
        if subject.level not in subject.levels:
            raise ApiError(422, "no-level", f"The program has no {line(subject.level, 40)} here.", "Ask for a level that it has.")
        try:
            made = self._painter.paint(wanted.format, kept, {"options": _options(wanted, subject)}, WAIT_SECONDS, who)
        except NotPainted as reason:
            if reason.later:
                raise not_ready() from None
            raise ApiError(422, "not-drawn", f"There is no picture: {reason}.", _SMALLER) from None
        response = Response(made, mimetype=TYPES[wanted.format])
        response.headers["Cache-Control"] = "no-store"
        return picture(response)


def _options(wanted: _Wanted, subject: Subject) -> Dict:
    """As of a link to it; without a title it is called as the command calls it."""
    title = line(wanted.title or "", 200) or None
    return {**subject.options(), "title": title, "theme": wanted.theme, "width": wanted.width, "overlay": wanted.overlay}


def register(app: Flask, settings: Settings, fronts: Fronts, painter: Painter) -> None:
    app.add_url_rule(URL, "pictures", PicturesEndpoint(settings, fronts, painter), methods=["POST"])
