"""`POST /api/v1/open` and `/api/v1/opened`: saved traces of every age, and what is none."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from visualizer.model import Trace, merge_messages
from visualizer.web.opening import File

from .conftest import first, trace_of

SAVED = Path(__file__).parent / "saved"
PART = {"part": "p0.0.jaxpr", "kind": "text", "level": "jaxpr", "jaxprs": [], "eqns": 0, "bytes": 9}
NDJSON = {"Accept": "application/x-ndjson"}


@pytest.mark.parametrize("file", sorted(SAVED.glob("*.json")), ids=lambda file: file.stem)
def test_a_saved_trace_opens_for_ever(client, file):
    """Each file here was saved by a version that people use, and is never changed."""
    data = file.read_bytes()
    before = Trace.model_validate_json(data)
    assert before.programs
    whole = client.post("/api/v1/open", data=data)
    assert whole.status_code == 200
    assert Trace.model_validate_json(whole.data) == before
    streamed = client.post("/api/v1/open", data=data, headers=NDJSON)
    levels = [json.loads(line)["level"] for line in streamed.data.splitlines()]
    assert levels == ["jaxpr", "stablehlo"]
    assert Trace.model_validate(merge_messages(streamed.data.splitlines())) == before


def test_large_programs_come_in_parts(client):
    (program,) = json.loads((SAVED / "schema1.json").read_bytes())["programs"]
    entry = program["jaxprs"][program["entry"]]
    (one, *_) = [eqn for eqn in entry["eqns"] if not eqn["nested"]]
    var = next(iter(entry["vars"].values()))
    for number in range(2000):
        made = {**var, "id": f"v{9000 + number}"}
        entry["vars"][made["id"]] = made
        entry["eqns"].append({**one, "id": f"e{9000 + number}", "results": [{**one["results"][0], "var": made["id"]}]})
    data = json.dumps(trace_of(programs=[program]))
    answer = client.post("/api/v1/open", data=data, headers=NDJSON)
    head = json.loads(answer.data.splitlines()[0])["trace"]["programs"][0]
    (left,) = head["left_out"]
    part = client.get(f"/api/v1/traces/{answer.headers['X-Trace']}/parts/{left['part']}")
    assert part.status_code == 200
    assert json.loads(part.data)["part"]["texts"]["jaxpr"]["text"] == program["texts"]["jaxpr"]["text"]


def test_a_trace_that_is_opened_takes_the_place_of_a_job(make_app):
    data = (SAVED / "schema1.json").read_bytes()
    client = make_app(jobs_per_client=1).test_client()
    for headers in ({}, NDJSON, {}):
        assert client.post("/api/v1/open", data=data, headers=headers).status_code == 200
    assert client.post("/api/v1/open", data=data[:-9]).status_code == 400
    assert client.post("/api/v1/open", data=data).status_code == 200


def broken(change) -> bytes:
    trace = json.loads((SAVED / "schema1.json").read_bytes())
    change(trace)
    return json.dumps(trace).encode()


@pytest.mark.parametrize(
    ("data", "status", "code", "said"),
    [
        (broken(lambda t: t.update(schema=2)), 400, "bad-schema", "schema 2"),
        (broken(lambda t: t.pop("schema")) + b' "schema"', 400, "bad-json", "not JSON"),
        (broken(lambda t: t["programs"][0].update(entry="j99")), 400, "bad-trace", "an entry that is not there"),
        (broken(lambda t: t["programs"][0].update(left_out=[PART])), 400, "bad-trace", "not whole"),
        (broken(lambda t: t["programs"][0].pop("jaxprs")), 400, "bad-trace", "missing at trace.programs.jaxprs"),
        (broken(lambda t: t["timings"].update(run=float("nan"))), 400, "bad-trace", "finite_number at trace.timings"),
        ((SAVED / "schema1.json").read_bytes()[:-9], 400, "bad-json", "not JSON"),
        (b'{"schema": 1, "programs": [' + b"[" * 100_000, 400, "bad-json", "not JSON"),
        (b'{"schema": 1, "programs": []},"part":{}', 400, "bad-json", "not JSON"),
        (b"hello", 400, "bad-field", "cannot be read"),
        (b'{"files": [{"name": "a", "data": "?"}]}', 400, "bad-base64", "base64"),
        (b'{"files": []}', 400, "not-opened", "no file"),
        (b'{"schema": 1, "programs": []' + b" " * (45 << 20), 413, "too-large", "32 MB"),
    ],
)
def test_what_is_no_trace_is_refused_in_words(client, data, status, code, said):
    answer = client.post("/api/v1/open", data=data)
    error = answer.json["error"]
    assert (answer.status_code, error["code"]) == (status, code)
    assert said in error["message"] and error["advice"]


def test_files_go_through_the_sandbox(client, tracer):
    data = base64.b64encode(b"module {}").decode()
    tracer.lines = [first(input="mlir", notes=["read"])]
    answer = client.post("/api/v1/open", json={"files": [{"name": "x/a.mlir", "data": data}, {"name": "x/b.mlir", "data": data}]})
    assert answer.status_code == 200
    assert [asked["data"] for asked in tracer.asked] == [data, data]
    assert answer.json["title"] == "x/"
    assert tracer.closed_jobs == 2


def test_what_the_command_was_told_to_open_is_read_once(make_app, tracer):
    assert make_app().test_client().post("/api/v1/opened").json["error"]["code"] == "nothing-opened"
    app = make_app(opened=(File("a.mlir", b"module {}"),), opened_title="mine").test_client()
    answers = [app.post("/api/v1/opened") for _ in range(2)]
    assert [answer.json["title"] for answer in answers] == ["mine", "mine"]
    assert len(tracer.asked) == 1
    saved = make_app(opened=(File("a.json", (SAVED / "schema1.json").read_bytes()),)).test_client()
    assert len(saved.post("/api/v1/opened").json["programs"]) == 1


def test_pages_of_other_sites_open_nothing(client):
    for address in ("open", "opened"):
        answer = client.post(f"/api/v1/{address}", data=b"{}", headers={"Origin": "https://elsewhere.example"})
        assert answer.status_code == 403
