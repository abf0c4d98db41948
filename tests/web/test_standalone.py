"""What a page of its own is made of: the same pieces that the command puts together, as data and never as a page of this host."""

from __future__ import annotations

import gzip
import re

from flask.testing import FlaskClient

from visualizer.drawing import template

PATH = "/api/v1/standalone"


def test_it_is_what_the_command_makes_its_pages_of(client: FlaskClient) -> None:
    response = client.get(PATH)
    assert response.mimetype == "application/json"
    page, parts = template()
    assert response.get_json() == {"page": page, "parts": parts}
    marks = {one or other for one, other in re.findall(r"/\*\{\{(\w+)\}\}\*/|\{\{(\w+)\}\}", page)}
    assert marks - set(parts) == {"theme", "title", "outline", "data"}


def test_it_comes_compressed_and_is_sent_once(client: FlaskClient) -> None:
    packed = client.get(PATH, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == client.get(PATH).data
    again = client.get(PATH, headers={"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]})
    assert again.status_code == 304
    assert client.get(PATH, headers={"If-None-Match": packed.headers["ETag"]}).status_code == 200
