"""`/api/v1/links`: short links are made, read and taken back.

Promises: what is answered with 200 or 201 is stored; a program that cannot be traced now, or is too large to be kept, is shared all the
same, and the answer says that it has no picture. The program that is kept is of the server's own tracing.
Must never: believe what a client says of a program; tell one creator's token to another.
"""

from __future__ import annotations

import json
import logging

from flask import Flask, Response, request

from visualizer.links import Content

from ._admission import client_key
from ._errors import ApiError
from ._front import BODY_BYTES, Fronts, Kept, Stated
from ._gone import Gone
from ._keeper import Links
from ._rate import Rate
from ._request import read_json
from ._settings import Settings

log = logging.getLogger("visualizer.web")
URL = "/api/v1/links"
_SHAPE = 'Send an object like {"state": "v1:..."}: what stands after the # in the address of the page.'


class LinksEndpoint:
    """The views."""

    def __init__(self, settings: Settings, links: Links, fronts: Fronts) -> None:
        self._links = links
        self._fronts = fronts
        self._rate = Rate(settings.client_links, 3600)

    def told(self) -> Response:
        """Whether links are kept here, for a page that offers them."""
        return _json({"links": self._links.kept}, 200)

    def post(self) -> Response:
        _, content = self._fronts.read(read_json(request, BODY_BYTES), Stated, _SHAPE)
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

    def _admit(self) -> None:
        if seconds := self._rate.take(client_key(request.remote_addr)):
            again = {"Retry-After": str(max(1, round(seconds)))}
            raise ApiError(
                429, "too-many-links", "You have made many links in a short time.", "Wait a little; long addresses have no limit.", again
            )

    def _kept(self, content: Content, gone: Gone) -> Kept:
        """The program in front; whatever goes wrong with tracing is a reason and never an error."""
        try:
            return self._fronts.of(content, gone)
        except ApiError as error:
            return None, "", f"{error.message[:1].lower()}{error.message[1:]}".rstrip(".")
        except Exception as error:  # the link is what was asked for, the picture is not
            if not gone.seen:
                log.error("a link is kept without its program", exc_info=error)
            return None, "", "the server could not trace it"


def no_link() -> ApiError:
    return ApiError(404, "no-link", "There is no link with this name here.", "Copy it again, whole; its creator may have taken it back.")


def _title(content: Content) -> str:
    """What a link is called whose program is not known."""
    program = content.state.program
    return program[1] if program is not None else ""


def _json(body: object, status: int) -> Response:
    text = "" if body is None else json.dumps(body, ensure_ascii=False) + "\n"
    response = Response(text, status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response


def register(app: Flask, settings: Settings, links: Links, fronts: Fronts) -> None:
    endpoint = LinksEndpoint(settings, links, fronts)
    app.add_url_rule(URL, "links", endpoint.told, methods=["GET"])
    app.add_url_rule(URL, "links-add", endpoint.post, methods=["POST"])
    app.add_url_rule(f"{URL}/<name>", "link", endpoint.get, methods=["GET"])
    app.add_url_rule(f"{URL}/<name>", "link-delete", endpoint.delete, methods=["DELETE"])
