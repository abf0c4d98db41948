"""`/api/v1/links`: short links are made, read and taken back.

Promises: what is answered with 200 or 201 is stored; a program that cannot be traced now, or is too large to be kept, is shared all the
same, and the answer says that it has no picture. The program that is kept is of the server's own tracing.
Must never: believe what a client says of a program; tell one creator's token to another.
"""

from __future__ import annotations

import json
import logging
import threading

from flask import Flask, Response, request
from pydantic import BaseModel, ConfigDict, ValidationError

from visualizer.links import BadLink, Content, keep, read, request_of
from visualizer.model import merge_messages

from ._admission import client_key
from ._errors import ApiError
from ._gone import Gone
from ._keeper import Links
from ._rate import Rate
from ._request import read_json
from ._settings import MEGABYTE, Settings
from ._trace import TraceEndpoint

log = logging.getLogger("visualizer.web")
URL = "/api/v1/links"
_SHAPE = 'Send an object like {"state": "v1:..."}: what stands after the # in the address of the page.'
_BODY_BYTES = MEGABYTE // 4
# The text of an answer that is looked at for its program in front; one at a time, for unpacked it is twenty times as much.
_MOST_TRACE = 12 * MEGABYTE
# Who waits for that, with the answer in hand.
_KEEPERS = 6


class _Wanted(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    state: str


class LinksEndpoint:
    """The views."""

    def __init__(self, settings: Settings, links: Links, traces: TraceEndpoint) -> None:
        self._links = links
        self._traces = traces
        self._rate = Rate(settings.client_links, 3600)
        self._reading = threading.Lock()
        self._keeping = threading.Lock()
        self._keepers = threading.BoundedSemaphore(_KEEPERS)
        self._wait = settings.queue_seconds

    def told(self) -> Response:
        """Whether links are kept here, for a page that offers them."""
        return _json({"links": self._links.kept}, 200)

    def post(self) -> Response:
        content = self._read(read_json(request, _BODY_BYTES))
        self._admit()
        gone = Gone(request.environ)
        with self._links.store() as store:
            there = store.has_kept(content)
        kept, title, why = (None, "", "") if there else self._kept(content, gone)
        if gone.seen:
            raise ApiError(400, "client-gone", "The client has left before its link was made.", "Send it again.")
        with self._links.store() as store:
            added = store.add(content, kept, title or _title(content))
        root = request.url_root
        body = {
            "id": added.id,
            "url": f"{root}s/{added.id}",
            "embed": f"{root}embed/{added.id}",
            "delete_token": added.delete_token,
            "picture": not why,
            "note": f"It has no picture: {why}." if why else "",
        }
        response = _json(body, 201 if added.created else 200)
        response.headers["Location"] = f"{URL}/{added.id}"
        return response

    def get(self, name: str) -> Response:
        with self._links.store() as store:
            link = store.get(name)
        if link is None:
            raise no_link()
        created = link.created.strftime("%Y-%m-%dT%H:%M:%SZ")
        return _json({"id": link.id, "state": link.state, "title": link.title, "created": created}, 200)

    def delete(self, name: str) -> Response:
        given = request.authorization
        if given is None or given.type != "bearer" or not given.token:
            how = "Send the delete_token that came with the link, as Authorization: Bearer <token>."
            raise ApiError(401, "no-token", "Only who made a link can take it back.", how, {"WWW-Authenticate": "Bearer"})
        with self._links.store() as store:
            if store.delete(name, given.token):
                return _json(None, 204)
            there = store.get(name) is not None
        if not there:
            raise no_link()
        raise ApiError(403, "bad-token", "This token is of another link, or was used already.", "Use the one that came with this link.")

    def _read(self, body: bytes) -> Content:
        """As `_content`, one at a time: what unpacks to megabytes is thirty times as much while it is looked at."""
        if not self._reading.acquire(timeout=self._wait):
            raise ApiError(503, "busy", "The server reads other links.", "Try again in a few seconds.", {"Retry-After": "2"})
        try:
            return _content(body)
        finally:
            self._reading.release()

    def _admit(self) -> None:
        if seconds := self._rate.take(client_key(request.remote_addr)):
            again = {"Retry-After": str(max(1, round(seconds)))}
            raise ApiError(
                429, "too-many-links", "You have made many links in a short time.", "Wait a little; long addresses have no limit.", again
            )

    def _kept(self, content: Content, gone: Gone) -> tuple[bytes | None, str, str]:
        """As `keep`; whatever goes wrong with tracing is a reason and never an error."""
        wanted = request_of(content.state)
        if wanted is None:
            return None, "", "this server cannot ask for what it asks"
        try:
            lines = self._traces.gathered(wanted, gone, _MOST_TRACE)
            if lines is None:
                return None, "", "the program is too large to be kept with the link"
            return self._packed(lines, content)
        except ApiError as error:
            return None, "", f"{error.message[:1].lower()}{error.message[1:]}".rstrip(".")
        except Exception as error:  # the link is what was asked for, the picture is not
            if not gone.seen:
                log.error("a link is kept without its program", exc_info=error)
            return None, "", "the server could not trace it"

    def _packed(self, lines: list[bytes], content: Content) -> tuple[bytes | None, str, str]:
        """As `keep`, one at a time; a crowd that waits for it would leave no thread for others."""
        busy = (None, "", "the server has much to do")
        if not self._keepers.acquire(blocking=False):
            return busy
        try:
            if not self._keeping.acquire(timeout=self._wait):
                return busy
            try:
                return keep(merge_messages(lines), content.state)
            finally:
                self._keeping.release()
        finally:
            self._keepers.release()


def no_link() -> ApiError:
    return ApiError(404, "no-link", "There is no link with this name here.", "Copy it again, whole; its creator may have taken it back.")


def _content(body: bytes) -> Content:
    try:
        return read(_Wanted.model_validate_json(body).state)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        raise ApiError(400, "bad-field", f"The request cannot be read: {first['msg']}.", _SHAPE) from None
    except BadLink as error:
        raise ApiError(413 if error.code == "too-large" else 400, error.code, str(error), error.advice) from None


def _title(content: Content) -> str:
    """What a link is called whose program is not known."""
    program = content.state.program
    return program[1] if program is not None else ""


def _json(body: object, status: int) -> Response:
    text = "" if body is None else json.dumps(body, ensure_ascii=False) + "\n"
    response = Response(text, status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def register(app: Flask, settings: Settings, links: Links, traces: TraceEndpoint) -> None:
    endpoint = LinksEndpoint(settings, links, traces)
    app.add_url_rule(URL, "links", endpoint.told, methods=["GET"])
    app.add_url_rule(URL, "links-add", endpoint.post, methods=["POST"])
    app.add_url_rule(f"{URL}/<name>", "link", endpoint.get, methods=["GET"])
    app.add_url_rule(f"{URL}/<name>", "link-delete", endpoint.delete, methods=["DELETE"])
