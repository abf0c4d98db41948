"""`POST /api/v1/pictures`: what is drawn of a program that nobody shared, and each way in which it is not."""

from __future__ import annotations

import pytest

from tests.links.contents import address
from tests.web.conftest import first
from visualizer.links import kept_trace, read
from visualizer.web import _front
from visualizer.web._tracer import NotReady
from visualizer.web.shared import _painter, _pictures
from visualizer.web.shared._painter import NotPainted

from .conftest import saved

URL = "/api/v1/pictures"


@pytest.fixture(autouse=True)
def traced(tracer):
    tracer.lines = [first(programs=saved()["programs"])]


def post(client, state=None, **wanted):
    return client.post(URL, json={"state": address({"source": "import jax", **(state or {})}), "format": "pdf", **wanted})


def refused(answer, status, code):
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert answer.json["error"]["message"].endswith(".")
    assert answer.json["error"]["advice"]
    return answer.json["error"]


def test_the_server_draws_what_it_traced_and_keeps_nothing(app, client, tracer, painted):
    state = {"open": ["e1"], "levels": ["calls", None], "direction": "LR", "alone": "e1"}
    answer = post(client, state, theme="dark", title="  My\nprogram ", overlay="bytes", width=640)
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "application/pdf", b"%PDF whole")
    assert answer.headers["Cache-Control"] == "no-store"
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert [asked["source"] for asked in tracer.asked] == ["import jax"]
    (asked,) = painted.asked
    assert asked["make"] == "pdf"
    assert kept_trace(asked["kept"])["programs"][0]["name"] == "loss"
    as_shared = {"level": "jaxpr", "open": ["e1"], "by": "calls", "direction": "LR", "alone": "e1"}
    assert asked["options"] == {**as_shared, "title": "My program", "theme": "dark", "width": 640, "overlay": "bytes"}
    with app.extensions["links"].store() as store:
        assert not store.has_kept(read(address({"source": "import jax", **state})))


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_each_format_is_of_its_kind(client, painted, kind):
    answer = post(client, format=kind)
    assert answer.data == painted.answers[kind]
    assert answer.mimetype == _pictures.TYPES[kind]


def test_the_same_is_neither_traced_nor_drawn_twice(client, tracer, painted):
    for _ in range(3):
        assert post(client).status_code == 200
    assert len(tracer.asked) == len(painted.asked) == 1


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"format": "gif"}, "format"),
        ({"theme": "pink"}, "theme"),
        ({"width": 9}, "width"),
        ({"overlay": 1}, "overlay"),
        ({"svg": "<svg/>"}, "svg"),
    ],
)
def test_what_is_not_understood_is_named(client, painted, wanted, field):
    assert field in refused(post(client, **wanted), 400, "bad-field")["message"]
    assert painted.asked == []


def test_what_is_no_state_is_no_picture(client, tracer):
    refused(client.post(URL, json={"state": "v1:!", "format": "pdf"}), 400, "bad-link")
    refused(client.post(URL, data="x"), 415, "content-type")
    assert tracer.asked == []


def test_pages_of_other_sites_have_none_made(client, tracer):
    answer = client.post(URL, json={"state": address({"source": "x"}), "format": "pdf"}, headers={"Origin": "https://evil.example"})
    refused(answer, 403, "origin-not-allowed")
    assert tracer.asked == []


def test_without_the_extra_the_cure_is_said_before_anything_runs(client, tracer, monkeypatch):
    monkeypatch.setattr(_pictures, "can_raster", lambda: False)
    error = refused(post(client), 501, "extra-missing")
    assert "no PDF" in error["message"]
    assert 'pip install "jaxpr-visualizer[export]"' in error["advice"]
    assert tracer.asked == []
    assert post(client, format="svg").status_code == 200


def test_why_there_is_none_is_said(client, tracer, painted, monkeypatch):
    assert "hlo" in refused(post(client, {"view": "hlo"}), 422, "no-level")["message"]
    painted.answers["pdf"] = NotPainted("it took too long")
    assert "it took too long" in refused(post(client), 422, "not-drawn")["message"]
    with monkeypatch.context() as patch:
        patch.setattr(_painter, "WAITERS", 0)
        refused(post(client, theme="dark"), 503, "busy")
        patch.setattr(_front, "_MOST_TRACE", 10)
        assert refused(post(client, {"source": "large"}), 422, "not-drawn")["message"].endswith("too large to be kept.")
    tracer.lines = [first(programs=[])]
    assert "the code gives no program" in refused(post(client, {"source": "x"}), 422, "not-drawn")["message"]

    def starting(*_):
        raise NotReady("it starts")

    monkeypatch.setattr(tracer, "trace", starting)
    refused(post(client, {"source": "y"}), 503, "starting")


def test_one_client_has_so_many_made_and_no_more(make_app, painted):
    client = make_app(links_per_hour=2).test_client()
    assert [post(client).status_code for _ in range(2)] == [200, 200]
    answer = post(client)
    refused(answer, 429, "too-many-pictures")
    assert int(answer.headers["Retry-After"]) > 60


def test_a_server_without_a_store_makes_them_all_the_same(make_app, painted):
    answer = post(make_app().test_client())
    assert answer.data == b"%PDF whole"
    assert painted.asked[0]["options"]["title"] is None
