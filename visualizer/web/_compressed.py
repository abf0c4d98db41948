"""Answers that are made anew each time, compressed for those who can read it. Files have their own way (`_pages`)."""

from __future__ import annotations

import gzip

from flask import Response, request

# Smaller, the headers are more than what is won.
_LEAST = 1500


def compressed(response: Response) -> Response:
    """The same answer with its body in gzip where the request allows it; its tag is that of these bytes."""
    response.vary.add("Accept-Encoding")
    body = response.get_data()
    if len(body) < _LEAST or not request.accept_encodings["gzip"]:
        return response
    response.set_data(gzip.compress(body, 5, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag is not None:
        response.set_etag(f"{etag}-gzip")
    return response
