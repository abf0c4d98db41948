"""`/embed/<id>`: what stands in frames of other pages, under which headers, and what becomes of an address that is not understood."""

from __future__ import annotations

import gzip
import html
from pathlib import Path

import pytest

from visualizer.drawing import BundleMissingError
from visualizer.web.shared import _embed
from visualizer.web.shared._painter import NotPainted

from .conftest import saved


def embed(client, name, query=""):
    return client.get(f"/embed/{name}{query}")


def test_the_viewer_is_made_of_what_was_kept(client, put, painted, tracer):
    name = put(saved())
    assert embed(client, name, "?theme=dark&level=jaxpr&open=2").text == "<!doctype html>page"
    (asked,) = painted.asked
    assert asked["make"] == "page"
    assert asked["options"] == {"level": "jaxpr", "title": "loss", "open": 2, "by": "auto", "direction": "TB", "theme": "dark"}
    assert asked["framed"] == {"link": f"http://localhost/s/{name}", "note": ""}
    assert tracer.asked == []


@pytest.mark.parametrize("query", ["", "?view=text", "?view=nonsense"])
def test_only_here_may_others_frame_it(client, put, query):
    response = embed(client, put(saved()), query)
    policy = response.headers["Content-Security-Policy"]
    assert policy.endswith("; frame-ancestors *")
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    assert "X-Frame-Options" not in response.headers
    assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert response.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in client.get("/").headers["Content-Security-Policy"]


def test_who_may_frame_it_is_a_setting(make_app, painted, tmp_path):
    client = make_app(database=str(tmp_path / "other.sqlite3"), frame_ancestors=("https://docs.example",)).test_client()
    policy = client.get("/embed/23456789bcdf").headers["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors https://docs.example")
    closed = make_app(frame_ancestors=()).test_client().get("/embed/23456789bcdf")
    assert closed.headers["Content-Security-Policy"].endswith("frame-ancestors 'none'")


def test_text_is_a_page_without_a_script(client, put, painted):
    response = embed(client, put(saved("02_training_scan")), "?view=text&theme=light")
    assert "scan[" in html.unescape(response.text)
    assert "<script" not in response.text
    assert "script-src" not in response.headers["Content-Security-Policy"]
    assert 'data-theme="light"' in response.text
    assert 'href="?theme=light&amp;level=jaxpr&amp;view=graph"' in response.text
    assert painted.asked == []


def test_a_link_that_was_shared_as_text_is_shown_as_text(client, put):
    name = put(saved(), view="jaxpr-text")
    assert 'class="embed-text"' in embed(client, name).text
    assert embed(client, name, "?view=graph").text == "<!doctype html>page"


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("?theme=purple", "\u201cpurple\u201d is no theme (light, dark, auto)."),
        ("?level=%3Cscript%3Ealert(1)%3C/script%3E", "\u201c<script>alert(1)</script>\u201d is no level (jaxpr, stablehlo, hlo)."),
        ("?level=hlo", "This program has no Optimised HLO here."),
        ("?open=-1", "\u201c-1\u201d is no open (initial, all, none or a number)."),
        ("?view=" + "x" * 100, "\u201c" + "x" * 39 + "\u2026\u201d is no view (graph, text)."),
        ("?view=%E2%80%AEgraph", "\u201c\\u202egraph\u201d is no view (graph, text)."),
        ("?unknown=1&theme=", ""),
    ],
)
def test_what_is_not_understood_is_said_and_the_rest_holds(client, put, painted, query, note):
    assert embed(client, put(saved()), query).status_code == 200
    assert painted.asked[-1]["framed"]["note"] == note
    assert painted.asked[-1]["options"]["theme"] == "auto"


def test_notes_in_text_are_escaped(client, put):
    text = embed(client, put(saved(), source="</pre><script>alert(1)</script>"), "?view=text&theme=%3Cscript%3E").text
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_what_was_not_kept_is_its_code(client, put, painted):
    response = embed(client, put(source="x = '</pre><script>alert(1)</script>'"))
    assert "was not kept" in response.text
    assert "&lt;/pre&gt;&lt;script&gt;" in response.text
    assert "<script" not in response.text
    assert painted.asked == []


@pytest.mark.parametrize(("later", "words"), [(True, "not ready"), (False, "could not be drawn")])
def test_what_cannot_be_drawn_is_its_code(client, put, painted, later, words):
    painted.answers["page"] = NotPainted("no", later=later)
    response = embed(client, put(saved()))
    assert response.status_code == 200
    assert "import jax" in response.text
    assert "could not be drawn" in response.text or words in response.text


def test_a_link_that_is_not_there_is_said_in_the_frame(client):
    response = embed(client, "23456789bcdf", "?theme=dark")
    assert response.status_code == 404
    assert "There is no link here" in response.text
    assert 'data-theme="dark"' in response.text
    assert response.headers["Content-Security-Policy"].endswith("frame-ancestors *")
    assert "X-Frame-Options" not in response.headers


def test_it_is_asked_for_again_by_its_tag(client, put):
    name = put(saved())
    tag = embed(client, name).headers["ETag"]
    again = client.get(f"/embed/{name}", headers={"If-None-Match": tag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["Content-Security-Policy"].endswith("frame-ancestors *")


def test_it_travels_compressed_to_those_who_can_read_it(client, put, painted):
    painted.answers["page"] = b"<!doctype html>" + b"page " * 1000
    name = put(saved())
    plain = embed(client, name)
    small = client.get(f"/embed/{name}", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(small.data) == plain.data
    assert small.headers["Content-Encoding"] == "gzip"
    assert small.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert small.headers["ETag"] != plain.headers["ETag"]
    again = client.get(f"/embed/{name}", headers={"Accept-Encoding": "gzip", "If-None-Match": small.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_viewer_that_is_not_built_says_how(client, put, monkeypatch):
    def missing():
        raise BundleMissingError(Path("/secret/embed.js"))

    monkeypatch.setattr(_embed, "page_policy", missing)
    response = embed(client, put(saved()))
    assert response.status_code == 503
    assert "make build" in response.text
    assert "secret" not in response.text
