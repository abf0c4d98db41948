"""`POST /api/v1/open`: files that a person opens, answered as a paste is; `POST /api/v1/opened`: those that the command was told.

Promises: a saved Trace is checked as an answer of the sandbox is, by the same gate, and answered in parts where it is large; what it holds
is only ever text. HTTP errors say what is wrong with the file. Must never: believe a file.
"""

from __future__ import annotations

import base64
import binascii
import json
import threading
from collections.abc import Iterable, Iterator
from typing import Any

from flask import Flask, Response, request
from pydantic import ValidationError

from visualizer.model import OpenRequest
from visualizer.model.parts import in_parts

from ._admission import Admission, Place, client_key
from ._errors import ApiError
from ._gone import Gone
from ._parts import PartStore, name_of, new_id
from ._request import field_path, read_body
from ._settings import MEGABYTE, Settings
from ._trace import respond
from ._tracer import NotReady, Tracer
from .opening import MOST_BYTES, File, Refused, checked, is_saved_trace, trace_of
from .opening._files import to_json

Dict = dict[str, Any]
_FEWER = "Open fewer files at once; a report is made smaller with `run --most 50` or `--level jaxpr`."
_SHAPE = 'Send an object like {"files": [{"name": "a.mlir", "data": "<base64>"}]}, or a saved trace as it is.'


class OpenEndpoint:
    """The views."""

    def __init__(self, settings: Settings, tracer: Tracer, parts: PartStore) -> None:
        self._settings = settings
        self._tracer = tracer
        self._parts = parts
        self._admission = Admission(settings)
        self._told: bytes | None = None
        self._lock = threading.Lock()

    def posted(self) -> Response:
        """What the request holds."""
        body = _body()
        if is_saved_trace(body) and not body.lstrip().startswith(b'{"files"'):
            return self._answer(body)
        files = _files(body)
        return self._answer(self._trace(files, ""))

    def told(self) -> Response:
        """What the command was told to open."""
        if not self._settings.opened:
            raise ApiError(404, "nothing-opened", "This server was not started to open anything.", "Use `jaxpr-visualizer open`.")
        with self._lock:
            if self._told is None:
                self._told = self._trace(self._settings.opened, self._settings.opened_title)
        return self._answer(self._told)

    def _trace(self, files: tuple[File, ...], title: str) -> bytes:
        if len(files) == 1 and is_saved_trace(files[0].data):
            return files[0].data
        gone = Gone(request.environ)
        place = self._admission.enter(client_key(request.remote_addr))
        try:
            return to_json(trace_of(files, lambda wanted: self._tracer.trace(wanted, gone), title))
        except Refused as error:
            raise ApiError(400, error.code, str(error), error.advice) from None
        except NotReady as error:
            raise ApiError(503, "starting", f"The server cannot run code yet: {error}.", "Try again.", {"Retry-After": "2"}) from None
        finally:
            place.leave()

    def _answer(self, data: bytes) -> Response:
        if len(data) > MOST_BYTES:
            raise _too_large()
        run = new_id()
        # A trace of 28 MB is 500 MB while it is checked and cut: as many at once as there are jobs.
        place = self._admission.enter(client_key(request.remote_addr))
        try:
            response = respond(self._lines(_checked(data), run, place), run, Gone(request.environ))
        except BaseException:
            place.leave()
            raise
        response.call_on_close(place.leave)
        return response

    def _lines(self, trace: Dict, run: str, place: Place) -> Iterator[bytes]:
        try:
            yield from self._cut(trace, run)
        finally:
            place.leave()

    def _cut(self, trace: Dict, run: str) -> Iterator[bytes]:
        made: list[bytes] = []
        emit = in_parts(lambda message: made.append(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"))
        for message in _messages(trace):
            emit(message)
            for line in made:
                part = name_of(line)
                if part is None:
                    yield line
                else:
                    self._parts.put(run, part, line)
            made.clear()


def _body() -> bytes:
    try:
        return read_body(request, MOST_BYTES * 4 // 3)
    except ApiError as error:
        raise _too_large() if error.status == 413 else error from None


def _too_large() -> ApiError:
    return ApiError(
        413, "too-large", f"What you open is larger than {MOST_BYTES // MEGABYTE} MB, which is the most this server reads.", _FEWER
    )


def _checked(data: bytes) -> Dict:
    try:
        return checked(data)
    except Refused as error:
        raise ApiError(400, error.code, str(error), error.advice) from None


def _messages(trace: Dict) -> Iterable[Dict]:
    """A Trace as the messages that a run would have sent: the jaxprs, then each level after them."""
    first = {
        **trace,
        "programs": [
            {**program, "texts": _only(program["texts"], ("jaxpr",)), "modules": {}, "links": {}} for program in trace["programs"]
        ],
    }
    yield {"level": "jaxpr", "trace": first, "patch": None}
    for level in ("stablehlo", "hlo"):
        patches = {
            program["id"]: {group: _only(program[group], (level,)) for group in ("texts", "modules", "links")}
            for program in trace["programs"]
            if level in program["texts"] or level in program["modules"]
        }
        if patches:
            patch = {"programs": patches, "diagnostics": [], "notes": [], "timings": {}}
            yield {"level": level, "trace": None, "patch": patch}


def _only(levels: Dict, wanted: tuple[str, ...]) -> Dict:
    return {level: value for level, value in levels.items() if level in wanted}


def _files(body: bytes) -> tuple[File, ...]:
    try:
        wanted = OpenRequest.model_validate_json(body, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = field_path(first["loc"])
        at = f" at {where!r}" if where else ""
        raise ApiError(400, "bad-field", f"The request cannot be read{at}: {first['msg']}.", _SHAPE) from None
    try:
        return tuple(File(file.name, base64.b64decode(file.data, validate=True)) for file in wanted.files)
    except (binascii.Error, ValueError):
        raise ApiError(400, "bad-base64", "The data of a file is not base64.", _SHAPE) from None


def register(app: Flask, settings: Settings, tracer: Tracer, parts: PartStore) -> None:
    endpoint = OpenEndpoint(settings, tracer, parts)
    app.add_url_rule("/api/v1/open", "open", endpoint.posted, methods=["POST"])
    app.add_url_rule("/api/v1/opened", "opened", endpoint.told, methods=["POST"])
