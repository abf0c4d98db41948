"""The built page: `index.html` with a fresh nonce, and the files beside it.

Promises: files under /assets/ have their hash in their name and are kept for ever by browsers; the page itself is asked for each time.
Must never: serve anything outside the built folder.
"""

from __future__ import annotations

from pathlib import Path

from flask import Flask, Response, g, send_from_directory

from ._errors import ApiError

PLACEHOLDER = "__CSP_NONCE__"


def page_response(static: Path) -> Response:
    try:
        text = (static / "index.html").read_text("utf-8")
    except FileNotFoundError:
        raise ApiError(
            503, "page-not-built", "The page has not been built yet.", "Run `make build` in the repository; an installed wheel has it."
        ) from None
    response = Response(text.replace(PLACEHOLDER, g.nonce), mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    return response


def asset_response(static: Path, name: str) -> Response:
    response = send_from_directory(static / "assets", name, max_age=31536000, etag=True)
    response.cache_control.public = True
    response.cache_control.immutable = True
    return response


def file_response(static: Path, name: str) -> Response:
    """A file beside the page (an icon, a manifest): revalidated each time."""
    if name == "index.html":
        return page_response(static)
    response = send_from_directory(static, name, max_age=0, etag=True)
    response.cache_control.no_cache = True
    return response


def register(app: Flask, static: Path) -> None:
    app.add_url_rule("/", "page", lambda: page_response(static))
    app.add_url_rule("/assets/<path:name>", "asset", lambda name: asset_response(static, name))
    app.add_url_rule("/<name>", "file", lambda name: file_response(static, name))
