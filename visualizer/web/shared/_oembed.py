"""`/oembed?url=...`: how a page that is handed one of our links shows it, oEmbed 1.0, type rich (https://oembed.com).

Promises: a frame of the size that was asked for at most, for links of this very server that are there; anyone may ask, from any page.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, SubElement, tostring

from flask import Response, jsonify, request
from markupsafe import escape

from visualizer.web._errors import ApiError

from ._page import can_raster
from ._subject import Find, Subject, address

WIDTH, HEIGHT = 800, 500
_CARD = (1200, 630)
_PATH = re.compile(r"(?:s|embed)/([0-9a-z]{1,64})/?")
# What XML cannot hold.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def oembed_response(find: Find) -> Response:
    """Raises ApiError: 400, 404, 410, and 501 for a format that is neither JSON nor XML."""
    form = request.args.get("format", "json").lower()
    if form not in {"json", "xml"}:
        raise ApiError(501, "format", "oEmbed is answered as json or xml.", "Ask with format=json.")
    url = request.args.get("url", "")
    if not url:
        raise ApiError(400, "missing-field", "The address that is asked about is missing.", "Give it as ?url=...")
    width, height = _size("maxwidth", WIDTH), _size("maxheight", HEIGHT)
    found = _PATH.fullmatch(_path(url))
    if found is None:
        raise ApiError(404, "not-found", "There is no link of this server at that address.", "Its links are like " + address("s/..."))
    subject = find(found[1])
    data = _data(subject, width, height)
    response = jsonify(data) if form == "json" else Response(_xml(data), mimetype="text/xml")
    response.headers["Access-Control-Allow-Origin"] = "*"
    response.cache_control.public = True
    response.cache_control.max_age = 300
    return response


def frame(url: str, title: str, width: int, height: int) -> str:
    """The HTML of a frame that shows a link, as the share dialog gives it, too."""
    return (
        f'<iframe src="{escape(url)}" title="{escape(title)}" width="{width}" height="{height}" loading="lazy" '
        'sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" style="border:0;max-width:100%"></iframe>'
    )


def _data(subject: Subject, width: int, height: int) -> dict[str, Any]:
    data: dict[str, Any] = {
        "version": "1.0",
        "type": "rich",
        "title": subject.title,
        "provider_name": "jaxpr visualizer",
        "provider_url": address(""),
        "cache_age": 300,
        "html": frame(address(f"embed/{subject.id}"), f"{subject.title}, jaxpr", width, height),
        "width": width,
        "height": height,
    }
    # A thumbnail obeys the same bounds, and ours has one size.
    room = (_bound("maxwidth"), _bound("maxheight"))
    if can_raster() and all(most is None or own <= most for own, most in zip(_CARD, room, strict=True)):
        picture = f"{address(f's/{subject.id}')}.png?size=og"
        data |= {"thumbnail_url": picture, "thumbnail_width": _CARD[0], "thumbnail_height": _CARD[1]}
    return data


def _xml(data: dict[str, Any]) -> bytes:
    root = Element("oembed")
    for name, value in data.items():
        SubElement(root, name).text = _NOT_XML.sub("\ufffd", str(value))
    made: bytes = tostring(root, encoding="utf-8", xml_declaration=True)
    return made


def _path(url: str) -> str:
    """The path of an address of this server below its root, or "" where it is not one."""
    try:
        asked, own = urlsplit(url), urlsplit(request.url_root)
        ours = asked.scheme in {"http", "https"} and asked.netloc.lower() == own.netloc.lower()
    except ValueError:
        return ""
    return asked.path.removeprefix(own.path) if ours and asked.path.startswith(own.path) else ""


def _bound(name: str) -> int | None:
    given = request.args.get(name, "")
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 7 and int(given) > 0):
        raise ApiError(400, "bad-field", f"{name} is not a number of pixels.", f"Ask with {name}=600, or without it.")
    return int(given)


def _size(name: str, usual: int) -> int:
    """As much as usual, at most what was asked for."""
    return min(usual, _bound(name) or usual)
