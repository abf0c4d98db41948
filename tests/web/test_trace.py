"""POST /api/v1/trace against a tracer that runs nothing."""

from __future__ import annotations

import json

import pytest

from visualizer.model import Trace
from visualizer.web._tracer import NotReady

from .conftest import diagnostic, first, later

URL = "/api/v1/trace"
BODY = {"source": "import jax"}
STREAM = {"Accept": "application/x-ndjson"}


def test_the_levels_are_merged_into_one_trace(client, tracer):
    response = client.post(URL, json=BODY)
    assert response.status_code == 200
    assert response.mimetype == "application/json"
    trace = Trace.model_validate_json(response.data)
    assert trace.notes == ("one", "two")
    assert trace.timings == {"lower": 1.5}
    assert tracer.asked == [
        {
            "source": "import jax",
            "jax": None,
            "fun": None,
            "args": None,
            "kwargs": None,
            "levels": ["jaxpr", "stablehlo"],
            "static_numbers": False,
            "signature": None,
            "transforms": [],
            "parts": False,
            "input": None,
            "data": None,
        }
    ]


def test_a_stream_is_the_lines_of_the_tracer_unchanged(client, tracer):
    response = client.post(URL, json=BODY, headers=STREAM)
    assert response.mimetype == "application/x-ndjson"
    assert response.data == b"".join(tracer.lines)
    assert response.headers["X-Accel-Buffering"] == "no"


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, application/x-ndjson;q=0.5", "text/html"])
def test_anything_but_a_wish_for_lines_gets_one_trace(client, accept):
    assert client.post(URL, json=BODY, headers={"Accept": accept}).mimetype == "application/json"


def test_a_program_that_fails_is_an_answer(client, tracer):
    tracer.lines = [first(diagnostics=[diagnostic("python-error")])]
    response = client.post(URL, json=BODY)
    assert response.status_code == 200
    assert response.json["diagnostics"][0]["code"] == "python-error"


def test_the_second_time_comes_from_the_cache_in_both_forms(client, tracer):
    whole = client.post(URL, json=BODY)
    again = client.post(URL, json=BODY)
    stream = client.post(URL, json=BODY, headers=STREAM)
    assert (whole.headers["X-Cache"], again.headers["X-Cache"], stream.headers["X-Cache"]) == ("miss", "hit", "hit")
    assert again.data == whole.data
    assert stream.data == b"".join(tracer.lines)
    assert len(tracer.asked) == 1


def test_no_cache_runs_it_again(client, tracer):
    client.post(URL, json=BODY)
    assert client.post(URL, json=BODY, headers={"Cache-Control": "no-cache"}).headers["X-Cache"] == "miss"
    assert len(tracer.asked) == 2


@pytest.mark.parametrize("code", ["cpu-limit", "wall-limit", "memory-limit", "crashed", "busy"])
def test_an_answer_that_may_pass_is_not_kept(client, tracer, code):
    tracer.lines = [first(), later(diagnostics=[diagnostic(code)])]
    client.post(URL, json=BODY)
    assert client.post(URL, json=BODY).headers["X-Cache"] == "miss"


def test_an_answer_that_is_too_large_is_not_kept_and_whole_all_the_same(make_app, tracer):
    client = make_app(cache_bytes=4_000).test_client()
    tracer.lines = [first(notes=["x" * 900]), later(notes=["y" * 900])]
    assert client.post(URL, json=BODY, headers=STREAM).data == b"".join(tracer.lines)
    assert client.post(URL, json=BODY).headers["X-Cache"] == "miss"
    tracer.lines = [first(notes=["x" * 600]), later()]
    client.post(URL, json={"source": "smaller"})
    assert client.post(URL, json={"source": "smaller"}).headers["X-Cache"] == "hit"


def test_another_jax_has_another_key(client, tracer):
    client.post(URL, json=BODY)
    tracer.state = {**tracer.state, "jax": "0.11.0"}
    assert client.post(URL, json=BODY).headers["X-Cache"] == "miss"


def test_every_job_is_closed(client, tracer):
    client.post(URL, json=BODY)
    client.post(URL, json={"source": "2"}, headers=STREAM)
    assert tracer.closed_jobs == 2


def test_leaving_a_stream_early_ends_the_job_and_keeps_nothing(client, tracer):
    response = client.post(URL, json=BODY, headers=STREAM, buffered=False)
    assert next(response.response) == tracer.lines[0]
    response.close()
    assert tracer.closed_jobs == 1
    assert client.post(URL, json=BODY).headers["X-Cache"] == "miss"


def test_leaving_before_the_first_byte_ends_the_job_too(client, tracer):
    client.post(URL, json=BODY, headers=STREAM, buffered=False).close()
    assert tracer.closed_jobs == 1


def test_a_tracer_that_breaks_before_the_first_line_is_our_error(client, tracer, caplog):
    tracer.lines = [RuntimeError("a path /of/this/machine")]
    for headers in ({}, STREAM):
        response = client.post(URL, json=BODY, headers=headers)
        assert response.status_code == 500
        assert response.json["error"]["code"] == "internal"
        assert b"machine" not in response.data
    assert "a path /of/this/machine" in caplog.text


def test_a_tracer_that_breaks_later_ends_the_stream_with_an_error_line(client, tracer, caplog):
    tracer.lines = [first(), RuntimeError("secret")]
    lines = client.post(URL, json=BODY, headers=STREAM).data.splitlines()
    assert len(lines) == 2
    assert json.loads(lines[1])["error"]["code"] == "internal"
    assert b"secret" not in lines[1]
    assert "secret" in caplog.text
    assert client.post(URL, json={"source": "3"}).status_code == 500


def test_a_tracer_that_is_not_ready_is_said_with_a_time_to_come_back(client, tracer):
    def refuse(request, cancelled):
        raise NotReady("the tracer is still starting")

    tracer.trace = refuse
    response = client.post(URL, json=BODY)
    assert response.status_code == 503
    assert response.json["error"]["code"] == "starting"
    assert response.headers["Retry-After"] == "2"


def test_a_client_that_left_is_no_fault(client, tracer, caplog):
    def leave(request, cancelled):
        assert cancelled()
        return iter(())

    tracer.trace = leave
    response = client.post(URL, json=BODY, environ_overrides={"waitress.client_disconnected": lambda: True})
    assert (response.status_code, response.json["error"]["code"]) == (400, "client-gone")
    assert caplog.text == ""


def test_a_jax_that_is_not_here_is_refused(client):
    response = client.post(URL, json={**BODY, "jax": "0.4.1"})
    assert response.status_code == 400
    assert response.json["error"] == {
        "code": "unknown-jax",
        "message": "This server has no JAX 0.4.1.",
        "advice": "It has 0.10.2. Leave 'jax' out for 0.10.2, or add it where the server runs: jaxpr-visualizer jax add 0.4.1",
    }
    assert client.post(URL, json={**BODY, "jax": "0.10.2"}).status_code == 200


def test_an_answer_that_came_while_the_tracer_started_is_kept(client, tracer):
    ready = tracer.state
    tracer.state = {"ready": False, "tier": None, "jax": None}

    def start_then_run(request, cancelled):
        tracer.state = ready
        return type(tracer).trace(tracer, request, cancelled)

    tracer.trace = start_then_run
    assert client.post(URL, json=BODY).headers["X-Cache"] == "miss"
    assert client.post(URL, json=BODY).headers["X-Cache"] == "hit"


def test_a_public_server_does_not_run_what_it_does_not_know_to_be_isolated(make_app, tracer):
    tracer.state = {"ready": False, "tier": None, "jax": None}
    response = make_app(host="0.0.0.0").test_client().post(URL, json=BODY)
    assert (response.status_code, response.json["error"]["code"]) == (503, "starting")
    assert tracer.asked == []


def test_a_public_server_runs_nothing_without_isolation(make_app, tracer):
    tracer.state = {**tracer.state, "tier": "local", "leaks": ["fs-read"]}
    assert make_app().test_client().post(URL, json=BODY).status_code == 200
    response = make_app(host="0.0.0.0").test_client().post(URL, json=BODY)
    assert response.status_code == 503
    assert response.json["error"]["code"] == "not-isolated"


def test_an_answer_is_kept_for_the_jax_that_gave_it(client, tracer):
    def there(stamp: str) -> None:
        tracer.state = {**tracer.state, "runtimes": [{"jax": "0.10.2"}, {"jax": "0.6.0", "stamp": stamp}]}

    def hit(**asked: str) -> str:
        return client.post(URL, json={**BODY, **asked}).headers["X-Cache"]

    there("1")
    assert [hit(), hit(jax="0.6.0"), hit(), hit(jax="0.6.0")] == ["miss", "miss", "hit", "hit"]
    there("2")  # it was installed anew, with other packages beside it
    assert [hit(jax="0.6.0"), hit()] == ["miss", "hit"]
    refused = client.post(URL, json={**BODY, "jax": "0.7.0"}).json["error"]
    assert refused["advice"].startswith("It has 0.10.2, 0.6.0. Leave 'jax' out for 0.10.2,")


def test_a_jax_that_is_removed_meanwhile_takes_no_answer_with_it(client, tracer):
    own, old = {"jax": "0.10.2"}, {"jax": "0.6.0", "stamp": "1"}
    tracer.state = {**tracer.state, "runtimes": [own, old]}

    def remove_then_run(request, cancelled):
        tracer.state = {**tracer.state, "runtimes": [own]}
        return type(tracer).trace(tracer, request, cancelled)

    tracer.trace = remove_then_run
    response = client.post(URL, json={**BODY, "jax": "0.6.0"})
    assert (response.status_code, response.json["diagnostics"]) == (200, [])
    assert client.post(URL, json={**BODY, "jax": "0.6.0"}).status_code == 400
