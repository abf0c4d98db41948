"""One shape for every error of the API, and a small page for people.

Promises: `{"error": {"code", "message", "advice"}}` for everything under /api and for clients that prefer JSON; each names what to do.
Must never: show a stack trace, a path of this machine or the text of an unexpected exception.
"""

from __future__ import annotations

import html
import json
import logging
from collections.abc import Mapping

from flask import Flask, Response, g, request
from werkzeug.exceptions import HTTPException

log = logging.getLogger("visualizer.web")

# What werkzeug's own errors become: status -> (code, message, advice).
KNOWN = {
    400: ("bad-request", "The request could not be read.", "Check that it is well-formed HTTP with a JSON body."),
    404: ("not-found", "There is nothing at this address.", "The page is at /, the API at /api/v1/trace."),
    405: ("method-not-allowed", "This address does not answer that method.", "See the Allow header for the methods that it answers."),
    408: ("request-timeout", "The request took too long to arrive.", "Send it again."),
    413: (
        "too-large",
        "The request is larger than this server reads.",
        "Paste the part that matters; large data does not need to be in the code.",
    ),
    414: ("too-large", "The address is longer than this server reads.", "Send the code in the body of a POST."),
    415: ("content-type", "The body is not JSON.", "Send it with Content-Type: application/json."),
    416: ("bad-range", "The file does not have the bytes that were asked for.", "Ask without a Range header."),
    431: ("too-large", "The headers are larger than this server reads.", "Send fewer headers."),
}
UNEXPECTED = ("internal", "Something went wrong in the server; it has been logged.", "Try again; if it happens again, please report it.")


class ApiError(Exception):
    """An error that is meant to be read: an HTTP status, a stable code, what happened, and what to do about it."""

    def __init__(self, status: int, code: str, message: str, advice: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.advice = advice
        self.headers = dict(headers or {})


def error_object(code: str, message: str, advice: str) -> dict[str, dict[str, str]]:
    return {"error": {"code": code, "message": message, "advice": advice}}


def wants_json(path: str) -> bool:
    """Whether the answer to this request is for a program: anything that is not a page that a person opens."""
    if path == "/healthz" or path == "/api" or path.startswith("/api/"):
        return True
    return request.accept_mimetypes.best_match(["text/html", "application/json"]) == "application/json"


def error_response(error: ApiError) -> Response:
    if wants_json(request.path):
        body = json.dumps(error_object(error.code, error.message, error.advice))
        response = Response(body, error.status, mimetype="application/json")
    else:
        response = Response(_page(error), error.status, mimetype="text/html")
    response.headers.update(error.headers)
    response.headers["Cache-Control"] = "no-store"
    return response


_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{message}</title>
<style nonce="{nonce}">
:root {{ color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }}
body {{ max-width: 36rem; margin: 15vh auto; padding: 0 1rem }}
</style>
</head>
<body><h1>{message}</h1><p>{advice}</p><p><a href="/">Open the visualizer</a></p></body>
</html>
"""


def _page(error: ApiError) -> str:
    return _PAGE.format(nonce=html.escape(g.get("nonce", "")), message=html.escape(error.message), advice=html.escape(error.advice))


def _from_http(error: HTTPException) -> Response:
    status = error.code or 500
    code, message, advice = KNOWN.get(status, UNEXPECTED if status >= 500 else KNOWN[400])
    kept = {name: value for name, value in error.get_headers() if name in {"Allow", "Retry-After", "Content-Range"}}
    return error_response(ApiError(status, code, message, advice, kept))


def _from_anything(error: Exception) -> Response:
    # Quoted: a path can hold ends of lines, and would write lines of its own into the log.
    log.error("unexpected error at %s %r", request.method, request.path, exc_info=error)
    return error_response(ApiError(500, *UNEXPECTED))


def register(app: Flask) -> None:
    app.register_error_handler(ApiError, error_response)
    app.register_error_handler(HTTPException, _from_http)
    app.register_error_handler(Exception, _from_anything)
