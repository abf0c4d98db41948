"""The built page: `index.html` with a fresh nonce, and the files beside it.

Promises: files under /assets/ have their hash in their name and are kept for ever by browsers; the page itself is asked for each time.
Must never: serve anything outside the built folder.
"""

from __future__ import annotations

import functools
import gzip
from pathlib import Path

from flask import Flask, Response, g, request, send_from_directory

from ._errors import ApiError

# What gets smaller; fonts are compressed already.
_TEXT = (".js", ".css", ".svg", ".json")
PLACEHOLDER = "__CSP_NONCE__"


def page_text(static: Path, root: str = "./") -> str:
    """The page with the nonce of this answer; `root` leads from its address to the folder of its files and the API. Raises ApiError."""
    try:
        text = (static / "index.html").read_text("utf-8")
    except FileNotFoundError:
        raise ApiError(
            503, "page-not-built", "The page has not been built yet.", "Run `make build` in the repository; an installed wheel has it."
        ) from None
    return text.replace(PLACEHOLDER, g.nonce).replace('"./', f'"{root}')


def page_response(static: Path) -> Response:
    response = Response(page_text(static), mimetype="text/html")
    response.headers["Cache-Control"] = "no-store"
    return response


def asset_response(static: Path, name: str) -> Response:
    response = send_from_directory(static / "assets", name, max_age=31536000, etag=True)
    if name.endswith(_TEXT) and request.accept_encodings["gzip"] and not request.range:
        _compress(response, static / "assets" / name)
    response.vary.add("Accept-Encoding")
    response.cache_control.public = True
    response.cache_control.immutable = True
    return response


def _compress(response: Response, file: Path) -> None:
    """Put the file's gzip in place of its bytes. The path was checked by whoever made the response."""
    etag, _ = response.get_etag()
    response.set_etag(f"{etag}-gzip")
    if response.status_code == 200:
        body = _gzipped(file, file.stat().st_mtime_ns)
        response.close()
        response.direct_passthrough = False
        response.set_data(body)
        response.headers["Content-Encoding"] = "gzip"
    # The tag that the browser has is that of the compressed bytes, so whether it still holds is decided by that one.
    response.make_conditional(request.environ)


@functools.lru_cache(maxsize=64)
def _gzipped(file: Path, _changed: int) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)


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
