"""What large answers left out: kept apart from the answer, given by name, forgotten after a while."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from visualizer.web._parts import PartStore, name_of

from .conftest import first, later

URL = "/api/v1/trace"
BODY = {"source": "import jax", "parts": True}
STREAM = {"Accept": "application/x-ndjson"}


def part(name: str, text: str = "") -> bytes:
    held = {"program": "p0", "jaxprs": {}, "templates": [text], "texts": {}, "modules": {}, "links": {}}
    message = {"level": "jaxpr", "trace": None, "patch": None, "part": {"name": name, **held}}
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def test_only_a_part_is_taken_for_one():
    assert name_of(part("p0.t1.0.jaxpr")) == "p0.t1.0.jaxpr"
    assert name_of(first()) is None
    assert name_of(first(notes=[part("p0.0.jaxpr").decode()])) is None


def test_parts_are_not_in_the_answer_and_are_given_when_asked_for(client, tracer):
    tracer.lines = [first(), part("p0.0.jaxpr"), later(), part("p0.0.stablehlo")]
    response = client.post(URL, json=BODY, headers=STREAM)
    assert response.data == first() + later()
    run = response.headers["X-Trace"]
    given = client.get(f"/api/v1/traces/{run}/parts/p0.0.stablehlo")
    assert given.data == part("p0.0.stablehlo")
    assert given.headers["Cache-Control"] == "no-store"
    packed = client.get(f"/api/v1/traces/{run}/parts/p0.0.jaxpr", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == part("p0.0.jaxpr")
    assert client.post(URL, json=BODY, headers=STREAM).headers["X-Trace"] == run


@pytest.mark.parametrize("path", ["nobody/parts/p0.0.jaxpr", "{run}/parts/p0.1.jaxpr", "{run}/parts/..%2f"])
def test_what_is_not_kept_is_said_to_be_gone(client, tracer, path):
    tracer.lines = [first(), part("p0.0.jaxpr")]
    run = client.post(URL, json=BODY, headers=STREAM).headers["X-Trace"]
    response = client.get("/api/v1/traces/" + path.format(run=run), headers={"Accept": "application/json"})
    assert response.status_code in {404, 410}
    if response.status_code == 410:
        assert response.json["error"]["code"] == "part-gone"
        assert response.json["error"]["advice"].startswith("Run the code again")


def test_an_answer_whose_parts_are_gone_is_run_again(client, tracer, monkeypatch):
    tracer.lines = [first(), part("p0.0.jaxpr")]
    run = client.post(URL, json=BODY, headers=STREAM).headers["X-Trace"]
    monkeypatch.setattr(PartStore, "has", lambda *_: False)
    again = client.post(URL, json=BODY, headers=STREAM)
    assert (again.headers["X-Cache"], again.headers["X-Trace"] != run) == ("miss", True)


def test_a_stream_is_compressed_line_by_line_where_that_is_understood(client, tracer):
    tracer.lines = [first(notes=["x" * 5000]), later()]
    response = client.post(URL, json=BODY, headers={**STREAM, "Accept-Encoding": "gzip"}, buffered=False)
    assert response.headers["Content-Encoding"] == "gzip"
    pieces = list(response.iter_encoded())
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    assert unpacker.decompress(pieces[0]) == tracer.lines[0]
    assert unpacker.decompress(b"".join(pieces[1:])) == tracer.lines[1]


def test_the_store_is_bounded_in_bytes_and_time():
    now = [0.0]
    store = PartStore(limit=400, seconds=10, clock=lambda: now[0])
    for run in "abcdef":
        store.put(run, "one", run.encode() * 90)
        assert store.size <= 400
    assert [run for run in "abcdef" if store.get(run, "one")] == list("abcdef")[-len([r for r in "abcdef" if store.get(r, "one")]) :]
    store.put("f", "one", b"f" * 10)
    store.put("f", "two", b"g" * 10)
    now[0] = 9.0
    assert store.has("f", ("one", "two"))
    now[0] = 18.0
    assert store.get("f", "one") is not None
    now[0] = 29.0
    assert store.get("f", "one") is None
    assert store.size == 0
