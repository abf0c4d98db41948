"""The built page and its files."""

from __future__ import annotations

import gzip

import pytest


def test_the_page_has_the_nonce_of_its_own_answer(client):
    response = client.get("/")
    nonce = response.headers["Content-Security-Policy"].partition("'nonce-")[2].partition("'")[0]
    assert response.mimetype == "text/html"
    assert f'content="{nonce}"' in response.text
    assert "__CSP_NONCE__" not in response.text
    assert response.headers["Cache-Control"] == "no-store"
    assert client.get("/index.html").status_code == 200
    assert "__CSP_NONCE__" not in client.get("/index.html").text


def test_assets_are_kept_for_ever(client):
    response = client.get("/assets/page-1a2b.js")
    assert response.status_code == 200
    assert response.mimetype == "text/javascript"
    control = response.cache_control
    assert (control.max_age, control.public, control.immutable) == (31536000, True, True)
    again = client.get("/assets/page-1a2b.js", headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304


def test_scripts_travel_compressed_to_those_who_can_read_it(client, static):
    (static / "assets" / "page-1a2b.js").write_text("export const x = 1;\n" * 500)
    plain = client.get("/assets/page-1a2b.js")
    small = client.get("/assets/page-1a2b.js", headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert len(small.data) < len(plain.data) / 10
    assert int(small.headers["Content-Length"]) == len(small.data)
    assert gzip.decompress(small.data) == plain.data
    assert small.mimetype == "text/javascript"
    assert small.headers["ETag"] != plain.headers["ETag"]
    assert small.headers["Vary"] == plain.headers["Vary"] == "Accept-Encoding"
    assert small.cache_control.immutable
    again = client.get("/assets/page-1a2b.js", headers={"Accept-Encoding": "gzip", "If-None-Match": small.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_fonts_travel_as_they_are(client, static):
    (static / "assets" / "inter-1a2b.woff2").write_bytes(b"wOF2" * 100)
    assert "Content-Encoding" not in client.get("/assets/inter-1a2b.woff2", headers={"Accept-Encoding": "gzip"}).headers


def test_other_files_are_asked_for_again(client):
    response = client.get("/icon.svg")
    assert response.mimetype == "image/svg+xml"
    assert response.cache_control.no_cache
    assert client.get("/icon.svg", headers={"If-None-Match": response.headers["ETag"]}).status_code == 304


@pytest.mark.parametrize(
    "url",
    [
        "/assets/../secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/assets/",
        "/assets",
        "/assets/nothing.js",
        "/%00",
        "/assets/a%00b",
    ],
)
def test_nothing_outside(client, url):
    response = client.get(url)
    assert response.status_code in {400, 404}
    assert "secret" not in response.text


def test_a_page_that_is_not_built_says_how(make_app, tmp_path):
    response = make_app(static=tmp_path / "none").test_client().get("/", headers={"Accept": "text/html"})
    assert response.status_code == 503
    assert "make build" in response.text
