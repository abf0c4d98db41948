"""`GET /api/v1/standalone`: what a page of its own is made of, apart from what it shows. The open page puts a program into it, in the
browser: nothing of the code is sent for it, and the file is what `draw -o x.html` makes.

Must never: serve it as HTML: as a page of this host it would be one with scripts of its own.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import json

from flask import Flask, Response, request

from ._errors import ApiError


@functools.cache
def _body() -> tuple[bytes, str]:
    """The JSON, compressed, and its tag."""
    # V8 is not started for it; without the drawing there is no file of it anyway.
    from visualizer.drawing import template

    page, parts = template()
    body = json.dumps({"page": page, "parts": parts}, separators=(",", ":")).encode()
    return gzip.compress(body, mtime=0), hashlib.sha256(body).hexdigest()[:32]


def _standalone() -> Response:
    from visualizer.drawing import BundleMissingError

    try:
        packed, tag = _body()
    except BundleMissingError:
        raise ApiError(
            503, "page-not-built", "The viewer has not been built yet.", "Run `make build` in the repository; an installed wheel has it."
        ) from None
    plain = not request.accept_encodings["gzip"]
    response = Response(gzip.decompress(packed) if plain else packed, mimetype="application/json")
    if not plain:
        response.headers["Content-Encoding"] = "gzip"
    response.set_etag(tag if plain else f"{tag}-gzip")
    response.vary.add("Accept-Encoding")
    response.cache_control.no_cache = True
    response.make_conditional(request.environ)
    return response


def register(app: Flask) -> None:
    app.add_url_rule("/api/v1/standalone", "standalone", _standalone)
