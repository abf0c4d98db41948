"""The API of short links over a tracer that runs nothing: what is answered, what is stored, who may take it back, and every fault in its
one shape."""

from __future__ import annotations

import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from tests.links.contents import address, packed
from visualizer.links import kept_trace, read
from visualizer.links._operate import remove
from visualizer.web import _front
from visualizer.web._parts import PartStore
from visualizer.web._rate import MOST_CLIENTS, Rate
from visualizer.web._tracer import NotReady

from .conftest import diagnostic, first, later
from .test_parts import part

URL = "/api/v1/links"
PROGRAMS = json.loads((Path(__file__).parent / "saved" / "schema1.json").read_text("utf-8"))["programs"]


@pytest.fixture
def app(make_app, tmp_path):
    return make_app(database=str(tmp_path / "data" / "links.sqlite3"))


@pytest.fixture
def client(app):
    return app.test_client()


def post(client, state=None, **changes):
    return client.post(URL, json={"state": address(state or {"source": "import jax"})}, **changes)


def stored(app, answer):
    with app.extensions["links"].store() as store:
        return store.get(answer.json["id"])


def refused(answer, status, code):
    assert (answer.status_code, answer.json["error"]["code"]) == (status, code)
    assert answer.json["error"]["message"].endswith(".")
    assert answer.json["error"]["advice"].endswith(".")
    return answer


def test_a_link_is_made_and_read(client):
    made = post(client, {"source": "import jax", "view": "stablehlo"})
    assert made.status_code == 201
    link = made.json
    assert link["url"] == f"http://localhost/s/{link['id']}"
    assert link["embed"] == f"http://localhost/embed/{link['id']}"
    assert made.headers["Location"] == f"{URL}/{link['id']}"
    given = client.get(f"{URL}/{link['id']}")
    assert given.status_code == 200
    assert json.loads(read(given.json["state"]).text) == {"source": "import jax", "view": "stablehlo"}
    assert given.json["id"] == link["id"]
    assert given.json["created"].endswith("Z")
    assert given.headers["Cache-Control"] == "no-store"


def test_the_same_content_is_one_link_with_a_token_for_each(client):
    one, other = post(client), post(client)
    assert (one.status_code, other.status_code) == (201, 200)
    assert one.json["id"] == other.json["id"]
    assert one.json["delete_token"] != other.json["delete_token"]
    name = one.json["id"]

    def delete(token):
        return client.delete(f"{URL}/{name}", headers={"Authorization": f"Bearer {token}"})

    assert delete(one.json["delete_token"]).status_code == 204
    assert client.get(f"{URL}/{name}").status_code == 200
    again = delete(one.json["delete_token"])
    assert (again.status_code, again.json["error"]["code"]) == (403, "bad-token")
    assert delete(other.json["delete_token"]).status_code == 204
    gone = client.get(f"{URL}/{name}")
    assert (gone.status_code, gone.json["error"]["code"]) == (404, "no-link")
    assert delete(other.json["delete_token"]).status_code == 404


def test_a_server_that_stores_nothing_says_so(make_app):
    client = make_app().test_client()
    refused = post(client)
    assert (refused.status_code, refused.json["error"]["code"]) == (501, "no-links")
    assert client.get(f"{URL}/23456789bcdf").status_code == 501
    assert client.get(URL).json == {"links": False}


def test_the_program_is_of_the_servers_own_tracing_and_traced_once(app, client, tracer):
    tracer.lines = [first(programs=PROGRAMS), later()]
    state = {"source": "import jax", "static": True, "asked": {"fun": "f", "args": "f32[3]"}}
    assert client.post("/api/v1/trace", json={"source": "import jax"}).status_code == 200
    made = post(client, state)
    assert (made.json["picture"], made.json["note"]) == (True, "")
    link = stored(app, made)
    assert kept_trace(link.kept)["programs"] == PROGRAMS
    assert link.title == PROGRAMS[0]["name"]
    assert client.get(f"{URL}/{link.id}").json["title"] == link.title
    [_, asked] = tracer.asked
    assert (asked["source"], asked["static_numbers"], asked["parts"], asked["fun"]) == ("import jax", True, True, "f")
    # The page traces what its link holds, and finds that it was traced.
    body = {"source": "import jax", "levels": ["jaxpr", "stablehlo"], "static_numbers": True, "parts": True}
    page = client.post("/api/v1/trace", json={**body, "fun": "f", "args": asked["args"]})
    assert page.headers["X-Cache"] == "hit"
    post(client, state)
    post(client, {**state, "open": ["e0"]})
    assert len(tracer.asked) == 2


def test_what_was_left_out_of_the_answer_is_put_in(app, client, tracer, monkeypatch):
    held = {**PROGRAMS[0], "id": "p0", "left_out": [{"part": "p0.0.jaxpr", "jaxprs": [], "groups": [], "bytes": 1}]}
    tracer.lines = [first(programs=[held]), part("p0.0.jaxpr")]
    assert "left_out" not in kept_trace(stored(app, post(client)).kept)["programs"][0]
    monkeypatch.setattr(PartStore, "get", lambda *_: None)
    made = post(client, {"source": "import jax", "view": "stablehlo"})
    assert (made.status_code, made.json["picture"]) == (201, False)
    assert "too large" in made.json["note"]


def test_a_crowd_that_shares_large_programs_waits_in_few_threads(make_app, tmp_path, tracer, monkeypatch):
    monkeypatch.setattr(_front, "_KEEPERS", 2)
    go = threading.Event()
    monkeypatch.setattr(_front, "keep", lambda *_: (b"kept", "f", "") if go.wait(30) else None)
    app = make_app(database=str(tmp_path / "links.sqlite3"), queue_seconds=60.0, capacity=8, queue=8)
    tracer.lines = [first(programs=PROGRAMS), later()]
    assert app.test_client().post("/api/v1/trace", json={"source": "import jax", "parts": True}).status_code == 200
    with ThreadPoolExecutor(6) as pool:
        asked = [pool.submit(post, app.test_client(), {"source": "import jax", "alone": f"e{at}"}) for at in range(6)]
        first_four = [each.result().json for each in islice(as_completed(asked, 30), 4)]
        assert [(each["picture"], "has much to do" in each["note"]) for each in first_four] == [(False, True)] * 4
        go.set()
        assert sum(each.result(30).json["picture"] for each in asked) == 2


@pytest.mark.parametrize(
    ("lines", "note"),
    [
        ([first(diagnostics=[diagnostic("name-error")])], "the code gives no program"),
        ([RuntimeError("secret")], "could not trace it"),
        ([], "could not trace it"),
        ([b"nonsense"], "could not trace it"),
        ([first(notes=["x" * 13 * 1024 * 1024])], "too large"),
    ],
)
def test_whatever_goes_wrong_with_tracing_the_link_is_kept(app, client, tracer, lines, note):
    tracer.lines = lines
    made = post(client, {"source": "import jax", "program": ["p0", "f"]})
    assert (made.status_code, made.json["picture"]) == (201, False)
    assert note in made.json["note"]
    assert "secret" not in made.text
    assert (stored(app, made).kept, client.get(f"{URL}/{made.json['id']}").json["title"]) == (None, "f")
    # Shared again when it can be traced, it has its picture.
    tracer.lines = [first(programs=PROGRAMS)]
    again = post(client, {"source": "import jax", "program": ["p0", "f"]}, headers={"Cache-Control": "no-cache"})
    assert again.status_code == 200
    if lines and isinstance(lines[0], Exception):
        assert (again.json["picture"], stored(app, again).title) == (True, PROGRAMS[0]["name"])


def test_a_link_that_is_made_while_the_server_starts_is_kept(client, tracer, monkeypatch):
    def starting(*_):
        raise NotReady("the tracer is still starting")

    monkeypatch.setattr(tracer, "trace", starting)
    made = post(client)
    assert (made.status_code, made.json["picture"]) == (201, False)
    assert made.json["note"] == "It has no picture: the server cannot run code yet: the tracer is still starting."


def test_a_server_that_is_busy_or_not_isolated_keeps_the_link(make_app, tmp_path, tracer):
    tracer.state = {"ready": True, "tier": "plain", "leaks": ["network"], "jax": "0.10.2"}
    made = post(make_app(host="0.0.0.0", database=str(tmp_path / "public.sqlite3")).test_client())
    assert (made.status_code, made.json["picture"]) == (201, False)
    assert "cannot isolate" in made.json["note"]
    assert tracer.asked == []
    tracer.state["tier"] = "A"
    tracer.hold = threading.Event()
    client = make_app(jobs_per_client=1, database=str(tmp_path / "busy.sqlite3")).test_client()
    running = threading.Thread(target=client.post, args=("/api/v1/trace",), kwargs={"json": {"source": "x"}})
    running.start()
    try:
        assert tracer.entered.acquire(timeout=30)
        made = post(client)
        assert (made.status_code, made.json["picture"]) == (201, False)
        assert "jobs here already" in made.json["note"]
    finally:
        tracer.hold.set()
        running.join(30)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "bad-field"),
        (b"[]", "bad-field"),
        (b"{}", "bad-field"),
        (b'{"state": 7}', "bad-field"),
        (b'{"state": "v1:AAAA", "title": "mine"}', "bad-field"),
        (b'{"state": "import jax"}', "bad-link"),
        (json.dumps({"state": packed(b'{"source": 7}')}).encode(), "bad-state"),
        (json.dumps({"state": "v2:AAAA"}).encode(), "newer-link"),
    ],
)
def test_a_body_that_is_no_link_says_why(client, body, code):
    refused(client.post(URL, data=body, content_type="application/json"), 400, code)


def test_bodies_are_bounded(client):
    refused(client.post(URL, json={"state": "v1:" + "A" * 300_000}), 413, "too-large")
    refused(client.post(URL, json={"state": packed(b" " * 5_000_000, 9)}), 413, "too-large")
    refused(client.post(URL, data=b"state=v1", content_type="application/x-www-form-urlencoded"), 415, "content-type")


def test_links_are_unpacked_one_at_a_time(make_app, tmp_path, monkeypatch):
    now, most, unpack = [], [], _front.read

    def counted(text):
        now.append(text)
        most.append(len(now))
        try:
            return unpack(text)
        finally:
            now.remove(text)

    monkeypatch.setattr(_front, "read", counted)
    app = make_app(database=str(tmp_path / "links.sqlite3"), queue_seconds=60.0)
    bomb = packed(b'{"source":"x","new":[' + b"{}," * 150_000 + b"{}]}")
    with ThreadPoolExecutor(6) as pool:
        for answer in pool.map(lambda _: app.test_client().post(URL, json={"state": bomb}), range(6)):
            refused(answer, 413, "too-large")
    assert most == [1] * 6


def test_nobody_waits_for_long_while_others_are_unpacked(make_app, tmp_path, monkeypatch):
    app, unpack = make_app(database=str(tmp_path / "links.sqlite3"), queue_seconds=0.01), _front.read
    # While one is unpacked, another one comes.
    monkeypatch.setattr(_front, "read", lambda text: refused(post(app.test_client()), 503, "busy") and unpack(text))
    assert post(app.test_client()).status_code == 201


def test_pages_of_other_sites_make_and_delete_nothing(client):
    elsewhere = {"Origin": "https://evil.example"}
    refused(post(client, headers=elsewhere), 403, "origin-not-allowed")
    made = post(client)
    name, token = made.json["id"], made.json["delete_token"]
    refused(client.delete(f"{URL}/{name}", headers={**elsewhere, "Authorization": f"Bearer {token}"}), 403, "origin-not-allowed")
    refused(client.get(f"{URL}/{name}", headers={"Host": "evil.example"}), 403, "host-not-allowed")
    assert client.get(f"{URL}/{name}").status_code == 200


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Basic eDp5"}, {"Authorization": "Bearer"}, {"Authorization": "Bearer "}])
def test_without_a_token_nothing_is_deleted(client, headers):
    name = post(client).json["id"]
    answer = refused(client.delete(f"{URL}/{name}", headers=headers), 401, "no-token")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert client.get(f"{URL}/{name}").status_code == 200


@pytest.mark.parametrize("name", ["23456789bcdf", "x", "..%2f", "A" * 500, "%00", "\N{SNOWMAN}", "'; DROP TABLE links --"])
def test_a_name_of_no_link_is_one_that_is_not_there(client, name):
    answer = client.get(f"{URL}/{name}", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.json["error"]["code"]) in {(404, "no-link"), (404, "not-found")}


def test_a_link_that_was_taken_down_says_so(app, client):
    name = post(client).json["id"]
    with app.extensions["links"].store() as store:
        remove(store, name)
    refused(client.get(f"{URL}/{name}"), 410, "link-removed")
    refused(post(client), 410, "link-removed")


def test_a_client_makes_so_many_links_and_then_waits(make_app, tmp_path):
    client = make_app(links_per_hour=3, database=str(tmp_path / "links.sqlite3")).test_client()
    answers = [post(client, {"source": f"x = {number}"}) for number in range(4)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429]
    assert 1 <= int(refused(answers[-1], 429, "too-many-links").headers["Retry-After"]) <= 1200
    other = post(client, {"source": "y"}, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert other.status_code == 201


def test_a_rate_comes_back_evenly_and_clients_are_forgotten():
    now = [0.0]
    rate = Rate(2, 100, lambda: now[0])
    assert [rate.take("a"), rate.take("a"), rate.take("a"), rate.take("b")] == [0, 0, 50, 0]
    now[0] = 49
    assert rate.take("a") == pytest.approx(1)
    now[0] = 51
    assert (rate.take("a"), rate.take("a") > 0) == (0, True)
    assert all(rate.take(str(number)) == 0 for number in range(MOST_CLIENTS))
    assert rate.take("a") == 0
    assert Rate(None, 1).take("a") == 0
    assert Rate(0, 60).take("a") == 60


def test_a_full_database_is_told_of_and_goes_on_giving(make_app, tmp_path):
    client = make_app(links_bytes=64 * 1024, database=str(tmp_path / "links.sqlite3")).test_client()
    names = []
    while (answer := post(client, {"source": f"x = {len(names)}", "other": bytes(range(256)).hex() * 20})).status_code == 201:
        names.append(answer.json["id"])
        assert len(names) < 1000
    refused(answer, 507, "links-full")
    assert names
    assert all(client.get(f"{URL}/{name}").status_code == 200 for name in names)


def test_a_locked_database_is_told_of(app, client, tmp_path):
    name = post(client).json["id"]
    with app.extensions["links"].store() as store:
        store.database.close()
    with closing(sqlite3.connect(tmp_path / "data" / "links.sqlite3", isolation_level=None)) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        assert refused(post(client), 503, "links-busy").headers["Retry-After"] == "2"
        refused(client.get(f"{URL}/{name}"), 503, "links-busy")
    assert client.get(f"{URL}/{name}").status_code == 200


@pytest.mark.parametrize("database", ["/proc/none/links.sqlite3", "/dev/null", "mysql://root:secret@host/db", "{here}"])
def test_a_database_that_cannot_be_had_is_told_of_and_the_rest_is_served(make_app, database, tmp_path):
    client = make_app(database=database.format(here=tmp_path)).test_client()
    answer = post(client)
    assert answer.status_code == 503
    assert answer.json["error"]["code"].startswith("links-")
    assert str(tmp_path) not in answer.text
    assert "secret" not in answer.text
    assert client.post("/api/v1/trace", json={"source": "import jax"}).status_code == 200


def test_a_damaged_link_is_never_served(app, client):
    name = post(client).json["id"]
    with app.extensions["links"].store() as store, store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE links SET content = substr(content, 1, 20)")
    answer = refused(client.get(f"{URL}/{name}"), 500, "links-damaged")
    assert "state" not in answer.json


def test_no_database_is_opened_before_it_is_needed(make_app, tmp_path):
    client = make_app(database=str(tmp_path / "data" / "links.sqlite3")).test_client()
    assert client.get(URL).json == {"links": True}
    assert client.get("/").status_code == 200
    assert not (tmp_path / "data").exists()
