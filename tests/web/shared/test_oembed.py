"""`/oembed`: what oEmbed 1.0 asks of an answer of type rich, and which addresses have none."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest

from .conftest import saved


def ask(client, url, query=""):
    return client.get(f"/oembed?url={quote(url, safe='')}{query}", headers={"Accept": "application/json"})


@pytest.mark.parametrize("path", ["s/{}", "embed/{}", "s/{}?x=1#v1:abc", "s/{}/"])
def test_a_frame_of_our_own_links(client, put, path):
    name = put(saved())
    found = ask(client, "http://localhost/" + path.format(name)).json
    assert (found["version"], found["type"], found["title"]) == ("1.0", "rich", "loss")
    assert (found["provider_name"], found["provider_url"]) == ("jaxpr visualizer", "http://localhost/")
    assert (found["width"], found["height"]) == (800, 500)
    assert found["html"].startswith(f'<iframe src="http://localhost/embed/{name}" title="loss, jaxpr" width="800" height="500"')
    assert found["thumbnail_url"] == f"http://localhost/s/{name}.png?size=og"
    assert (found["thumbnail_width"], found["thumbnail_height"]) == (1200, 630)


def test_anyone_may_ask_from_anywhere(client, put):
    response = ask(client, f"http://localhost/s/{put(saved())}")
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.mimetype == "application/json"


def test_it_is_no_larger_than_asked_for(client, put):
    found = ask(client, f"http://localhost/s/{put(saved())}", "&maxwidth=600&maxheight=200").json
    assert (found["width"], found["height"]) == (600, 200)
    assert 'width="600" height="200"' in found["html"]
    assert "thumbnail_url" not in found


def test_xml_says_the_same(client, put):
    name = put(saved(), title='<b>"&\x00\u202e')
    response = ask(client, f"http://localhost/s/{name}", "&format=xml")
    assert response.mimetype == "text/xml"
    root = ET.fromstring(response.data)
    assert root.tag == "oembed"
    same = ask(client, f"http://localhost/s/{name}").json
    assert {child.tag: child.text for child in root} == {key: str(value) for key, value in same.items()}


def test_a_title_does_not_leave_its_attribute(client, put):
    name = put(saved(), title='x"><script>alert(1)</script>')
    found = ask(client, f"http://localhost/s/{name}").json
    assert "<script" not in found["html"]
    assert unescape(re.search(r'title="([^"]*)"', found["html"])[1]) == 'x"><script>alert(1)</script>, jaxpr'


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 400),
        ("?url=", 400),
        ("?url=http://localhost/s/23456789bcdf", 404),
        ("?url=http://evil.example/s/{}", 404),
        ("?url=http://localhost@evil.example/s/{}", 404),
        ("?url=http://localhost.evil.example/s/{}", 404),
        ("?url=javascript:alert(1)//localhost/s/{}", 404),
        ("?url=http://localhost/s/../s/{}", 404),
        ("?url=http://localhost/", 404),
        ("?url=http://[/s/{}", 404),
        ("?url=http://localhost/s/{}&format=yaml", 501),
        ("?url=http://localhost/s/{}&maxwidth=-1", 400),
        ("?url=http://localhost/s/{}&maxheight=9999999", 400),
        ("?url=http://localhost/s/{}&maxwidth=%D9%A3", 400),
    ],
)
def test_what_has_no_answer(client, put, query, status):
    response = client.get("/oembed" + query.format(put(saved())), headers={"Accept": "application/json"})
    assert response.status_code == status
    assert response.json["error"]["advice"]
