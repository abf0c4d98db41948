"""`POST /api/v1/trace`: run a paste and answer with its Trace, whole or level by level.

Promises: `Accept: application/x-ndjson` gives one `LevelMessage` a line as each is ready; anything else gives one merged Trace. What was
left out of it is at /api/v1/traces/<id>/parts/<name>, where the id is that of the header X-Trace.
A paste that fails is an answer (200, with diagnostics); HTTP errors are about the request and the server.
Must never: parse or change a streamed line; what the sandbox has checked goes out as it is.
"""

from __future__ import annotations

import gzip
import json
import logging
import zlib
from collections.abc import Iterable, Iterator

from flask import Flask, Response, request

from visualizer import __version__
from visualizer.model import TraceRequest, merge_messages

from ._admission import Admission, client_key
from ._answer import Answer
from ._cache import Kept, ResultCache, cache_key, is_lasting
from ._errors import ApiError, error_object
from ._gone import Gone
from ._parts import PartStore, new_id
from ._request import read_request
from ._settings import Settings
from ._status import runtimes_of
from ._tracer import NotReady, Tracer

log = logging.getLogger("visualizer.web")
NDJSON = "application/x-ndjson"


class TraceEndpoint:
    """The view, with the cache and the places that all requests share."""

    def __init__(self, settings: Settings, tracer: Tracer, parts: PartStore) -> None:
        self._settings = settings
        self._parts = parts
        self._tracer = tracer
        self._admission = Admission(settings)
        self._cache = ResultCache(settings.cache_bytes)

    def __call__(self) -> Response:
        wanted = read_request(request, self._settings.body_bytes)
        gone = Gone(request.environ)
        answer, run = self._answer(wanted, gone, fresh=bool(request.cache_control.no_cache))
        response = respond(answer.lines if isinstance(answer, Kept) else answer, run, gone)
        response.headers["X-Cache"] = "hit" if isinstance(answer, Kept) else "miss"
        return response

    def gathered(self, wanted: TraceRequest, gone: Gone, most: int) -> list[bytes] | None:
        """All lines of the answer and its parts, kept or made anew; None where they are more than `most` bytes.

        Raises ApiError as a request does.
        """
        answer, run = self._answer(wanted, gone)
        lines: list[bytes] = []
        try:
            for line in answer.lines if isinstance(answer, Kept) else answer:
                lines.append(line)
                if (most := most - len(line)) < 0:
                    return None
        finally:
            _close(answer)
        for name in answer.parts:
            # One that is gone leaves its program without what was in it, which the program says.
            part = self._parts.get(run, name)
            lines.append(b"" if part is None else gzip.decompress(part))
            if (most := most - len(lines[-1])) < 0:
                return None
        return lines

    def _answer(self, wanted: TraceRequest, gone: Gone, fresh: bool = False) -> tuple[Kept | Answer, str]:
        """What was kept of the same request, else a job that runs; and the id of its run."""
        jax = self._runtime(wanted)
        self._check_isolation()
        # While the tracer starts, its version is not known and nothing can be found.
        kept = None if fresh or not jax else self._cache.get(self._key(wanted, jax))
        if kept is not None and self._parts.has(kept.run, kept.parts):
            return kept, kept.run
        run = new_id()
        return self._run(wanted, gone, run), run

    @staticmethod
    def _key(wanted: TraceRequest, jax: str) -> str:
        return cache_key(wanted.model_dump(mode="json"), jax, __version__)

    def _runtime(self, wanted: TraceRequest) -> str:
        """As `_known_runtime`; ApiError where there is none."""
        known = self._known_runtime(wanted)
        if known is None:
            there = [each["jax"] for each in runtimes_of(self._tracer.health())]
            asked, listed, own = str(wanted.jax)[:40], ", ".join(there), there[0] if there else "that of the server"
            advice = f"It has {listed}. Leave 'jax' out for {own}, or add it where the server runs: jaxpr-visualizer jax add {asked}"
            raise ApiError(400, "unknown-jax", f"This server has no JAX {asked}.", advice)
        return known

    def _known_runtime(self, wanted: TraceRequest) -> str | None:
        """What tells the JAX that answers from every other, and from itself when it is installed anew.

        Empty while it is not known which there are; None where the one that is asked for is not there.
        """
        there = runtimes_of(self._tracer.health())
        if not there:
            return ""
        one = there[0] if wanted.jax is None else next((each for each in there if each["jax"] == wanted.jax), None)
        return None if one is None else f"{one['jax']} {one.get('stamp', '')}".strip()

    def _check_isolation(self) -> None:
        if self._settings.alone or self._tracer.allows_public():
            return
        if not self._tracer.health().get("ready"):
            raise _starting("the tracer is starting")
        raise ApiError(
            503,
            "not-isolated",
            "This server cannot isolate code well enough to run it for others.",
            "Run it on your own machine with `jaxpr-visualizer serve`.",
        )

    def _run(self, wanted: TraceRequest, gone: Gone, run: str) -> Answer:
        place = self._admission.enter(client_key(request.remote_addr))

        def keep(lines: tuple[bytes, ...], parts: tuple[str, ...]) -> None:
            if (jax := self._known_runtime(wanted)) and not gone.seen and all(map(is_lasting, lines)):
                self._cache.put(self._key(wanted, jax), Kept(lines, run, parts))

        try:
            lines = iter(self._tracer.trace(wanted.model_dump(mode="json"), gone))
        except NotReady as error:
            place.leave()
            raise _starting(str(error)) from error
        except BaseException:
            place.leave()
            raise
        return Answer(lines, place, keep, self._cache.largest, lambda name, line: self._parts.put(run, name, line))


def respond(lines: Iterable[bytes], run: str, gone: Gone) -> Response:
    """The lines as the client wants them: as they come, or as one Trace."""
    streamed = request.accept_mimetypes.best_match(["application/json", NDJSON]) == NDJSON
    response = _stream(lines, bool(request.accept_encodings["gzip"])) if streamed else _whole(lines, gone)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Trace"] = run
    return response


def _starting(why: str) -> ApiError:
    return ApiError(503, "starting", f"The server cannot run code yet: {why}.", "Try again in a few seconds.", {"Retry-After": "2"})


def _whole(lines: Iterable[bytes], gone: Gone) -> Response:
    try:
        trace = merge_messages(lines)
    except ValueError:
        if gone.seen:  # a job that nobody waits for any more ends without a word
            raise ApiError(400, "client-gone", "The client has left before its job ended.", "Send it again.") from None
        raise
    finally:
        _close(lines)
    text = json.dumps(trace, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return Response(text.encode(), mimetype="application/json")


def _stream(lines: Iterable[bytes], gzipped: bool) -> Response:
    # The first line is waited for here, so that a job that cannot start is an HTTP error and not half an answer.
    source = iter(lines)
    try:
        first = next(source, b"")
    except BaseException:
        _close(lines)
        raise
    answer = _guarded(first, source)
    response = Response(_gzipped(answer) if gzipped else answer, mimetype=NDJSON)
    if gzipped:
        response.headers["Content-Encoding"] = "gzip"
    response.vary.add("Accept-Encoding")
    response.call_on_close(lambda: _close(lines))
    # Proxies that buffer would hold the first level back until the last is ready.
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _guarded(first: bytes, source: Iterator[bytes]) -> Iterator[bytes]:
    """The stream; when the server itself fails in the middle, a last line in the shape of every error."""
    yield first
    try:
        yield from source
    except Exception as error:  # the status has been sent: the only way left to tell
        log.error("a stream broke off", exc_info=error)
        yield json.dumps(error_object("internal", "The server failed before the last level was ready.", "Try again.")).encode() + b"\n"


def _gzipped(lines: Iterator[bytes]) -> Iterator[bytes]:
    """The lines compressed, each so that it can be read as soon as it is there."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    for line in lines:
        yield packer.compress(line) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


def _close(lines: object) -> None:
    close = getattr(lines, "close", None)
    if close is not None:
        close()


def register(app: Flask, settings: Settings, tracer: Tracer, parts: PartStore) -> TraceEndpoint:
    endpoint = TraceEndpoint(settings, tracer, parts)
    app.add_url_rule("/api/v1/trace", "trace", endpoint, methods=["POST"])
    return endpoint
