"""The routes of a link, and that of a picture without one.

Promises: nothing below `/s`, `/embed` or `/oembed` traces anything or runs a stranger's code; a link that is not there is a page of its
own, 404, also in a frame.
"""

from __future__ import annotations

import re

from flask import Flask, Response

from visualizer.web._errors import ApiError
from visualizer.web._front import Fronts
from visualizer.web._keeper import Links
from visualizer.web._settings import Settings

from . import _embed, _page, _unshared
from ._oembed import oembed_response
from ._painter import Painter
from ._pictures import KINDS, picture_response
from ._subject import Subject

# Longer or with other letters, it is no name of a link, and no database need be asked.
_NAME = re.compile("[0-9a-z]{1,64}")


def register(app: Flask, settings: Settings, links: Links, fronts: Fronts, painter: Painter | None = None) -> None:
    """Add the routes. Pictures are of `painter`, or of one of its own."""
    paint = painter or Painter()
    # For whoever ends the server.
    app.extensions["painter"] = paint

    def find(name: str) -> Subject:
        link = None
        if _NAME.fullmatch(name):
            with links.store() as store:
                link = store.get(name)
        if link is None:
            raise ApiError(404, "no-link", "There is no link here.", "It was mistyped or cut off, or whoever shared it took it back.")
        return Subject(link.id, link.content, link.title, link.kept or b"")

    def page(name: str) -> Response:
        try:
            subject = find(name)
        except ApiError as error:
            return _page.problem_response(settings.static, error)
        return _page.page_response(settings.static, subject, paint)

    def embed(name: str) -> Response:
        if not _embed.is_built():
            raise ApiError(503, "page-not-built", "The viewer has not been built yet.", "Run `make build` in the repository.")
        try:
            return _embed.embed_response(find(name), paint, settings.frame_ancestors)
        except ApiError as error:
            return _embed.problem_response(error, settings.frame_ancestors)

    # With a slash at the end the page's own files would be looked for one folder too high.
    app.add_url_rule("/s/<name>", "shared", page, strict_slashes=True)
    for kind in KINDS:
        app.add_url_rule(
            f"/s/<name>.{kind}", f"shared-{kind}", lambda name, kind=kind: picture_response(find(name), paint, kind), strict_slashes=True
        )
    app.add_url_rule("/embed/<name>", "embed", embed, strict_slashes=True)
    app.add_url_rule("/oembed", "oembed", lambda: oembed_response(find))
    _unshared.register(app, settings, fronts, paint)
