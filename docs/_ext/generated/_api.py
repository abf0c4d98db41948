"""The addresses that the server answers, from its own table of routes."""

from __future__ import annotations

from visualizer.web import Settings
from visualizer.web._app import create_app

from ._table import code, table

SAID = {
    "/": "The page.",
    "/api/v1/trace": "Trace a program: [fields of the request](#fields-of-a-request).",
    "/api/v1/open": "Open files, or a saved trace.",
    "/api/v1/opened": "What `jaxpr-visualizer open` was told to open.",
    "/api/v1/traces/<run>/parts/<name>": "What an answer in parts left out.",
    "/api/v1/standalone": "What a page of its own is made of: the page puts a program into it, in the browser.",
    "/api/v1/links": "Make a [short link](#short-links); GET says whether this server keeps any.",
    "/api/v1/links/<name>": "Read a short link, or take it back.",
    "/api/v1/pictures": "A program [as a picture](#pictures), without a link to it.",
    "/api/v1/schema": "The JSON schema of the wire.",
    "/api/v1/runtimes": "The versions of JAX that a request may name.",
    "/s/<name>": "The page of a short link: [what a link serves](../links.md#what-a-short-link-serves).",
    "/s/<name>.svg": "Its drawing. `?theme=` `light`, `dark` or `auto`.",
    "/s/<name>.png": "The same as PNG, or with `?size=og` the card of 1200 x 630 that chats show.",
    "/s/<name>.pdf": "The same as PDF, a page of the size of the drawing.",
    "/embed/<name>": "The viewer of a link for frames of other pages.",
    "/oembed": "How a page that is handed a link shows it, oEmbed 1.0.",
    "/healthz": "Whether programs can be traced: 200 or 503, with the isolation that holds.",
}
# Files of the page itself.
_FILES = {"/<name>", "/assets/<path:name>"}


class _Tracer:
    """Takes the place of the tracer: nothing is asked of it."""


def table_of_routes() -> dict[str, set[str]]:
    """The methods of each address."""
    app = create_app(Settings(), _Tracer())  # type: ignore[arg-type]
    found: dict[str, set[str]] = {}
    for rule in app.url_map.iter_rules():
        if rule.rule not in _FILES:
            found.setdefault(rule.rule, set()).update((rule.methods or set()) - {"HEAD", "OPTIONS"})
    return found


def routes() -> str:
    """The table."""
    rows = [[code(path), ", ".join(sorted(methods)), SAID.get(path, "")] for path, methods in sorted(table_of_routes().items())]
    return table(["Address", "Method", "What it is"], rows)
