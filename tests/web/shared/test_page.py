"""`/s/<id>`: head and words for those who do not run the page, and the data block for the page."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

from visualizer.links import read
from visualizer.web.shared import _page
from visualizer.web.shared._painter import NotPainted

from .conftest import CARD, saved

HOSTILE = "</script></title></pre></noscript><script>alert(1)</script><!--\"'&amp;\u2028\u202eevil\x00"


class Page(HTMLParser):
    """Elements with their attributes, and the text of some."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "link", "img", "br"}:
            self._open.append(tag)

    def handle_endtag(self, tag):
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data):
        if self._open:
            self.texts[self._open[-1]] = self.texts.get(self._open[-1], "") + data

    def meta(self, name):
        return next(at["content"] for tag, at in self.elements if tag == "meta" and name in (at.get("property"), at.get("name")))

    def all(self, tag):
        return [at for each, at in self.elements if each == tag]


def page(client, name) -> Page:
    response = client.get(f"/s/{name}")
    assert response.status_code == 200
    return Page(response.text)


def test_the_head_says_what_the_program_is(client, put):
    name = put(saved())
    found = page(client, name)
    where = f"http://localhost/s/{name}"
    assert found.texts["title"] == "loss \u00b7 jaxpr visualizer"
    assert found.meta("og:title") == "loss"
    assert found.meta("og:description") == found.meta("description") == f"{CARD['size']}. {CARD['alt']}"
    assert found.meta("og:url") == where
    assert found.meta("og:type") == "website"
    assert found.meta("og:image") == f"{where}.png?size=og"
    assert (found.meta("og:image:width"), found.meta("og:image:height")) == ("1200", "630")
    assert found.meta("og:image:alt") == f"{CARD['size']}. {CARD['alt']}"
    assert found.meta("twitter:card") == "summary_large_image"
    links = {at["type"]: at["href"] for at in found.all("link") if at.get("rel") == "alternate"}
    assert links["application/json+oembed"].startswith("http://localhost/oembed?format=json&url=http")
    assert client.get(links["text/xml+oembed"].removeprefix("http://localhost")).status_code == 200
    assert [at["href"] for at in found.all("link") if at.get("rel") == "canonical"] == [where]
    assert [at["name"] for at in found.all("meta") if at.get("name") == "description"] == ["description"]


def test_the_page_finds_its_files_and_its_link(client, put):
    name = put(saved(), source="import jax\nx = '</script>'\n")
    text = client.get(f"/s/{name}").text
    assert 'src="../assets/page-1a2b.js"' in text
    data = json.loads(re.search(r'id="shared-link">(.*?)</script>', text)[1])
    assert data["id"] == name
    assert data["url"] == f"http://localhost/s/{name}"
    assert read(data["state"]).state.source == "import jax\nx = '</script>'\n"
    assert client.get(f"/s/{name}/").status_code == 404


def test_readers_without_scripts_have_code_jaxpr_and_picture(client, put):
    found = page(client, put(saved(), source="import jax\nx = a < b\n"))
    assert "x = a < b" in found.texts["pre"]
    assert "lambda" in found.texts["pre"]
    (image,) = found.all("img")
    assert image["src"].endswith(".svg?theme=auto")
    assert image["alt"] == f"{CARD['size']}. {CARD['alt']}"


def test_a_link_without_a_program_has_its_code(client, put, painted):
    name = put(source="x = 1", program=["p0", "mine"], title="mine")
    found = page(client, name)
    assert found.texts["pre"] == "x = 1"
    assert not found.all("img")
    assert "without its picture" in found.meta("description")
    assert painted.asked == []


def test_what_takes_long_is_counted_instead(client, put, painted):
    painted.answers["card"] = NotPainted("no", later=True)
    assert page(client, put(saved())).meta("description") == "loss: 18 equations of JAX, as a graph."


def test_hostile_texts_stay_text(client, put, painted):
    trace = saved()
    program = trace["programs"][0]
    program["name"] = HOSTILE
    program["texts"]["jaxpr"]["text"] = HOSTILE
    painted.answers["card"] = json.dumps({**CARD, "alt": HOSTILE}).encode()
    text = client.get(f"/s/{put(trace, source=HOSTILE, view='jaxpr')}").text
    found = Page(text)
    assert len(found.all("script")) == 2
    assert not [at for _, at in found.elements if any(name.startswith("on") for name in at)]
    assert "alert(1)</script>" not in text
    assert "\u202e" not in text
    assert "\u2028" not in text
    assert "\x00" not in text
    assert found.meta("og:title").startswith("</script></title>")
    assert "\\u202eevil" in found.meta("og:title")
    assert found.texts["pre"].count("<script>alert(1)</script>") == 2


def test_it_is_served_under_the_policy_of_the_page(client, put):
    response = client.get(f"/s/{put(saved())}")
    policy = response.headers["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["X-Robots-Tag"] == "noindex"
    assert response.headers["Cache-Control"] == "no-store"
    nonce = policy.partition("'nonce-")[2].partition("'")[0]
    assert {at["nonce"] for at in Page(response.text).all("style")} == {nonce}


@pytest.mark.parametrize(
    "name", ["nope", "23456789bcdf", "..%2f..%2fetc%2fpasswd", "%00", "a" * 500, "__proto__", "%3Cscript%3Ealert(1)%3C%2Fscript%3E", "s'--"]
)
@pytest.mark.parametrize("path", ["/s/{}", "/s/{}.svg", "/s/{}.png", "/embed/{}"])
def test_a_link_that_is_not_there_is_a_page_that_says_what_to_do(client, name, path):
    response = client.get(path.format(name), headers={"Accept": "text/html"})
    assert response.status_code == 404
    assert response.headers["Cache-Control"] == "no-store"
    assert "<script>alert" not in response.text


def test_the_missing_page_looks_like_the_page(client):
    response = client.get("/s/23456789bcdf")
    assert '<link rel="stylesheet" href="../assets/page-1a2b.css">' in response.text
    assert "took it back" in response.text
    assert 'href="../"' in response.text


def test_a_server_without_links_says_so(make_app):
    client = make_app().test_client()
    assert client.get("/s/23456789bcdf").status_code == 501
    assert "keeps no links" in client.get("/s/23456789bcdf").text
    assert "keeps no links" in client.get("/embed/23456789bcdf").text


def test_without_the_extra_there_is_no_raster_card(client, put, monkeypatch):
    monkeypatch.setattr(_page, "can_raster", lambda: False)
    found = page(client, put(saved()))
    assert found.meta("twitter:card") == "summary"
    assert not [at for at in found.all("meta") if at.get("property") == "og:image"]
