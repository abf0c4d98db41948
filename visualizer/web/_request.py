"""From the bytes of a POST to a checked `TraceRequest`.

Promises: every body that is not one raises `ApiError` that says which field and what to do; at most `limit` bytes are read into memory.
Must never: let anything but a `TraceRequest` through.
"""

from __future__ import annotations

import re
from typing import Any

from flask import Request
from pydantic import ValidationError

from visualizer.model import TraceRequest

from ._errors import ApiError

_SHAPE = 'Send an object like {"source": "import jax ..."}; GET /api/v1/schema has the whole of it.'
_DRAIN = 32 * 1024 * 1024


def read_request(request: Request, limit: int) -> TraceRequest:
    """Check the content type, read at most `limit` bytes, and validate them."""
    wanted = parse_request(read_json(request, limit))
    if not wanted.levels:
        raise ApiError(
            400,
            "bad-field",
            "The field 'levels' is empty.",
            "Name jaxpr, stablehlo, hlo or some of them; without the field it is the first two.",
        )
    return wanted


def read_json(request: Request, limit: int) -> bytes:
    """The body, which says that it is JSON, and is at most `limit` bytes."""
    if request.mimetype != "application/json" or request.mimetype_params.get("charset", "utf-8").lower() not in {"utf-8", "utf8"}:
        raise ApiError(415, "content-type", "The body must be JSON in UTF-8.", "Send it with Content-Type: application/json.")
    if request.headers.get("Content-Encoding", "identity").strip().lower() not in {"", "identity"}:
        raise ApiError(415, "content-encoding", "Compressed bodies are not read.", "Send the JSON as it is, without Content-Encoding.")
    return read_body(request, limit)


def read_body(request: Request, limit: int) -> bytes:
    declared = request.content_length
    body = b"" if declared is not None and declared > limit else _read(request, limit + 1)
    if (declared is not None and declared > limit) or len(body) > limit:
        _drain(request)
        raise ApiError(
            413,
            "too-large",
            f"The request is larger than {_size(limit)}, which is the most this server reads.",
            "Paste the part that matters; large data does not need to be in the code, jnp.zeros of its shape draws the same graph.",
        )
    return body


def _read(request: Request, most: int) -> bytes:
    try:
        return bytes(request.stream.read(most))
    except (TimeoutError, BlockingIOError):  # the second is what a socket with SO_RCVTIMEO says
        raise ApiError(408, "request-timeout", "The body took too long to arrive.", "Send it again.") from None
    except Exception as error:  # each server has its own for a chunk that is none and for a client that is gone
        if isinstance(error, ApiError):
            raise
        raise ApiError(
            400, "bad-body", "The body broke off or is not framed as HTTP says.", "Send it again, with Content-Length."
        ) from None


def _drain(request: Request) -> None:
    # A connection that is closed with unread data is reset, and the client would never see the answer.
    left = _DRAIN
    while left > 0:
        chunk = _read(request, min(65536, left))
        if not chunk:
            return
        left -= len(chunk)


def _size(count: int) -> str:
    return f"{count / (1024 * 1024):g} MB" if count >= 1024 * 1024 else f"{count} bytes"


def parse_request(body: bytes) -> TraceRequest:
    """Raises ApiError with status 400 and code `bad-utf8`, `bad-json`, `not-an-object`, `unknown-field`, `missing-field`, `bad-field`."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ApiError(
            400, "bad-utf8", f"The body is not UTF-8: byte {error.start} does not belong.", "Save the text as UTF-8 and send it again."
        ) from None
    try:
        return TraceRequest.model_validate_json(text, strict=True)
    except ValidationError as error:
        mended = _ESCAPE.sub(_whole, text)
        if mended != text:
            return parse_request(mended.encode())
        raise _explain(error) from None


# Browsers write half of a character (a lone surrogate) as an escape that strict JSON does not know: it is read as U+FFFD.
_ESCAPE = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\.", re.DOTALL)


def _whole(found: re.Match[str]) -> str:
    text = found.group()
    return r"\ufffd" if len(text) == 6 else text


def _explain(error: ValidationError) -> ApiError:
    first = error.errors(include_url=False, include_context=True, include_input=False)[0]
    kind, where = first["type"], field_path(first["loc"])
    if kind == "json_invalid":
        reason = str(first.get("ctx", {}).get("error", "")) or "it does not parse"
        return ApiError(400, "bad-json", f"The body is not JSON: {reason}.", _SHAPE)
    if not where:
        return ApiError(400, "not-an-object", "The body must be a JSON object.", _SHAPE)
    if kind == "extra_forbidden":
        known = ", ".join(TraceRequest.model_fields)
        return ApiError(400, "unknown-field", f"There is no field {where!r} in a request.", f"The fields are {known}.")
    if kind == "missing":
        return ApiError(400, "missing-field", f"The field {where!r} is missing.", _SHAPE)
    return ApiError(400, "bad-field", f"The field {where!r} is wrong: {first['msg'][0].lower()}{first['msg'][1:]}.", _SHAPE)


def field_path(loc: tuple[Any, ...]) -> str:
    """`("levels", 1)` as people write it: `levels[1]`. Names are cut at 80 characters, they come from the body."""
    text = ""
    for part in loc:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text if len(text) <= 80 else text[:79] + "…"
