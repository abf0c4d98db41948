"""What is read from a body, and how everything else is refused."""

from __future__ import annotations

import io
import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.model import TraceRequest
from visualizer.web._errors import ApiError
from visualizer.web._request import field_path, parse_request

URL = "/api/v1/trace"
JSON = {"Content-Type": "application/json"}


def refused(body: bytes) -> ApiError:
    with pytest.raises(ApiError) as caught:
        parse_request(body)
    return caught.value


def test_a_whole_request():
    body = {"source": "x", "jax": "0.10.2", "fun": "f", "args": "(1,)", "kwargs": "{}", "levels": ["jaxpr"], "static_numbers": True}
    assert parse_request(json.dumps(body).encode()) == TraceRequest(**body)


def test_a_byte_order_mark_is_no_reason_to_refuse():
    assert parse_request(b'\xef\xbb\xbf{"source": "x"}').source == "x"


@pytest.mark.parametrize("source", ["", "\x00", "# é \U0001f600", "a\r\nb", "</script><img onerror=1>"])
def test_any_text_is_a_source(source):
    assert parse_request(json.dumps({"source": source}).encode()).source == source


@pytest.mark.parametrize(
    ("escaped", "source"),
    [
        (r"\ud800", "\ufffd"),
        (r"\udc00x", "\ufffdx"),
        (r"\ud83d\ude00\ud83d", "\U0001f600\ufffd"),
        (r"\ud800\ud83d\ude00", "\ufffd\U0001f600"),
        (r"\\ud800\ud800", "\\ud800\ufffd"),
    ],
)
def test_half_a_character_is_read_as_the_replacement_character(escaped, source):
    assert parse_request(b'{"source": "' + escaped.encode() + b'"}').source == source


@pytest.mark.parametrize(
    ("body", "code", "part"),
    [
        (b"", "bad-json", "not JSON"),
        (b"{", "bad-json", "not JSON"),
        (b"\x89PNG\r\n", "bad-utf8", "byte 0"),
        (b'{"source": "\xff"}', "bad-utf8", "byte 12"),
        (b"[" * 100_000, "bad-json", "recursion"),
        (b'{"source":' * 5_000 + b"1" + b"}" * 5_000, "bad-json", "recursion"),
        (b"null", "not-an-object", "object"),
        (b"[]", "not-an-object", "object"),
        (b'"source"', "not-an-object", "object"),
        (b"NaN", "not-an-object", "object"),
        (b"1" * 5000, "bad-json", "number"),
        (b"{}", "missing-field", "'source'"),
        (b'{"source": 1}', "bad-field", "'source'"),
        (b'{"source": null}', "bad-field", "'source'"),
        (b'{"source": ["x"]}', "bad-field", "'source'"),
        (b'{"source": "\\ud800", "x": 1}', "unknown-field", "'x'"),
        (b'{"source": "\\ud8zz"}', "bad-json", "escape"),
        (b'{"source": "x", "fun": 3}', "bad-field", "'fun'"),
        (b'{"source": "x", "levels": "jaxpr"}', "bad-field", "'levels'"),
        (b'{"source": "x", "levels": ["jaxpr", "ptx"]}', "bad-field", "'levels[1]'"),
        (b'{"source": "x", "static_numbers": "yes"}', "bad-field", "'static_numbers'"),
        (b'{"source": "x", "code": "y"}', "unknown-field", "'code'"),
        (b'{"source": "x", "' + b"k" * 500 + b'": 1}', "unknown-field", "kkk…'"),
    ],
)
def test_everything_else_is_refused_with_the_place(body, code, part):
    error = refused(body)
    assert (error.status, error.code) == (400, code)
    assert part in error.message
    assert error.advice


def test_a_field_inside_a_list_is_named_as_people_write_it():
    assert field_path(("levels", 1)) == "levels[1]"
    assert field_path(("a", "b", 0, "c")) == "a.b[0].c"


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/json; charset=latin-1", ""]
)
def test_only_json_is_read(client, tracer, kind):
    response = client.post(URL, data=b'{"source": "x"}', content_type=kind)
    assert response.status_code == 415
    assert response.json["error"]["code"] == "content-type"
    assert tracer.asked == []


def test_json_may_name_its_encoding(client):
    assert client.post(URL, data=b'{"source": "x"}', content_type="application/json; charset=UTF-8").status_code == 200


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_over_the_limit_is_refused_by_size(make_app, tracer, chunked):
    client = make_app(body_bytes=1000).test_client()
    extra = {"CONTENT_LENGTH": "", "wsgi.input_terminated": True} if chunked else {}
    body = json.dumps({"source": "x" * (1000 - len('{"source": ""}'))}).encode()
    assert len(body) == 1000
    assert client.post(URL, data=body, headers=JSON, environ_overrides=extra).status_code == 200
    response = client.post(URL, data=body + b" ", headers=JSON, environ_overrides=extra)
    assert response.status_code == 413
    assert response.json["error"]["code"] == "too-large"
    assert "1000 bytes" in response.json["error"]["message"]
    assert len(tracer.asked) == 1


def test_twenty_four_megabytes_are_too_much_by_default(client):
    response = client.post(URL, json={"source": "x" * 24 * 1024 * 1024})
    assert response.status_code == 413
    assert "24 MB" in response.json["error"]["message"]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(string.printable),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*TraceRequest.model_fields, "x"]), inner, max_size=4),
    max_leaves=12,
)


def holds(body: bytes) -> None:
    """Either a request or a refusal in our words; nothing else leaves."""
    try:
        assert isinstance(parse_request(body), TraceRequest)
    except ApiError as error:
        assert error.status == 400
        assert error.code in {"bad-json", "bad-utf8", "not-an-object", "missing-field", "bad-field", "unknown-field"}
        assert error.message.endswith(".")
        assert len(error.message) < 400


@given(st.binary(max_size=300))
def test_any_bytes(body):
    holds(body)


@given(values)
def test_any_json(value):
    holds(json.dumps(value).encode())


@given(st.dictionaries(st.sampled_from([*TraceRequest.model_fields]), values, max_size=7))
def test_any_values_in_the_known_fields(body):
    holds(json.dumps({"source": "x", **body}).encode())


def test_no_level_at_all_is_refused(client, tracer):
    response = client.post(URL, json={"source": "x", "levels": []})
    assert response.status_code == 400
    assert response.json["error"]["code"] == "bad-field"
    assert tracer.asked == []


def test_a_compressed_body_is_refused(client):
    response = client.post(URL, data=b"\x1f\x8b", headers={**JSON, "Content-Encoding": "gzip"})
    assert (response.status_code, response.json["error"]["code"]) == (415, "content-encoding")


class Broken(io.RawIOBase):
    """A body whose reading fails."""

    def __init__(self, problem: Exception) -> None:
        self.problem = problem

    def readable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise self.problem


@pytest.mark.parametrize(
    ("problem", "status", "code"),
    [
        (TimeoutError(), 408, "request-timeout"),
        (BlockingIOError(), 408, "request-timeout"),
        (ConnectionResetError(), 400, "bad-body"),
        (ValueError("a chunk that is none"), 400, "bad-body"),
    ],
)
def test_a_body_that_does_not_arrive_is_told(client, problem, status, code):
    extra = {"wsgi.input": Broken(problem), "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    response = client.post(URL, headers=JSON, environ_overrides=extra)
    assert (response.status_code, response.json["error"]["code"]) == (status, code)
