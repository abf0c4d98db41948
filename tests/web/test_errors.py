"""One shape for every error of the API; a page for people."""

from __future__ import annotations

import pytest

from visualizer.web._errors import ApiError

BODY = {"source": "x"}


def check_shape(response, status: int, code: str) -> None:
    assert response.status_code == status
    assert response.mimetype == "application/json"
    assert set(response.json) == {"error"}
    error = response.json["error"]
    assert set(error) == {"code", "message", "advice"}
    assert error["code"] == code
    assert all(isinstance(part, str) and part for part in error.values())
    assert "Traceback" not in response.text
    assert response.headers["Cache-Control"] == "no-store"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")


@pytest.mark.parametrize(
    ("method", "url", "status", "code"),
    [
        ("GET", "/api", 404, "not-found"),
        ("GET", "/api/v1", 404, "not-found"),
        ("POST", "/api/v1/nothing", 404, "not-found"),
        ("GET", "/api/v1/trace", 405, "method-not-allowed"),
        ("DELETE", "/api/v1/trace", 405, "method-not-allowed"),
        ("POST", "/api/v1/schema", 405, "method-not-allowed"),
        ("POST", "/healthz", 405, "method-not-allowed"),
        ("POST", "/api/v1/trace", 415, "content-type"),
    ],
)
def test_errors_of_the_api(client, method, url, status, code):
    check_shape(client.open(url, method=method), status, code)


def test_bodies_that_are_wrong_and_too_large(make_app):
    client = make_app(body_bytes=100).test_client()
    check_shape(client.post("/api/v1/trace", json={}), 400, "missing-field")
    check_shape(client.post("/api/v1/trace", json={"source": "x" * 100}), 413, "too-large")


def test_hosts_and_origins(client):
    check_shape(client.post("/api/v1/trace", json=BODY, headers={"Host": "evil.example"}), 403, "host-not-allowed")
    check_shape(client.post("/api/v1/trace", json=BODY, headers={"Origin": "https://evil.example"}), 403, "origin-not-allowed")


def test_what_nobody_expected(client, tracer, caplog):
    tracer.lines = [ZeroDivisionError("division")]
    check_shape(client.post("/api/v1/trace", json=BODY), 500, "internal")
    assert "ZeroDivisionError" in caplog.text


def test_an_answer_that_is_not_there(client, tracer, caplog):
    tracer.lines = []
    check_shape(client.post("/api/v1/trace", json=BODY), 500, "internal")
    assert "no trace" in caplog.text


def test_405_says_what_is_allowed(client):
    assert "POST" in client.get("/api/v1/trace").headers["Allow"]


def test_people_get_a_page(client):
    response = client.get("/nothing", headers={"Accept": "text/html,*/*;q=0.8"})
    assert response.status_code == 404
    assert response.mimetype == "text/html"
    assert "There is nothing at this address." in response.text
    nonce = response.headers["Content-Security-Policy"].partition("'nonce-")[2].partition("'")[0]
    assert f'<style nonce="{nonce}">' in response.text


def test_programs_get_json_wherever_they_ask(client):
    check_shape(client.get("/nothing", headers={"Accept": "application/json"}), 404, "not-found")


def test_the_page_shows_its_texts_as_text(make_app):
    app = make_app()

    def fail():
        raise ApiError(418, "x", "<b>message</b>", "<i>advice</i>")

    app.add_url_rule("/fail", "fail", fail)
    text = app.test_client().get("/fail").text
    assert "&lt;b&gt;message&lt;/b&gt;" in text
    assert "<i>" not in text


@pytest.mark.parametrize("host", ["localhost:x", "localhost:99999", "[::1]evil", 'localhost:1"><script>', "localhost:80@evil.example", ""])
def test_a_host_that_is_none_begins_no_address(client, host):
    check_shape(client.get("/healthz", headers={"Host": host}), 400, "bad-host")


@pytest.mark.parametrize(("scheme", "status"), [("https", 200), ("javascript", 400), ("file", 400)])
def test_a_proxy_that_passes_on_what_it_is_told_begins_no_address_of_another_kind(make_app, scheme, status):
    client = make_app(proxies=1).test_client()
    response = client.get("/api/v1/schema", headers={"X-Forwarded-Proto": scheme})
    assert response.status_code == status
    if status != 200:
        check_shape(response, 400, "bad-host")


def test_a_path_writes_no_line_of_its_own_into_the_log(make_app, caplog):
    app = make_app()
    app.add_url_rule("/fails/<name>", "fails", lambda name: 1 / 0)
    app.test_client().get("/fails/a%0aforged")
    assert "a\nforged" not in caplog.text
    assert "a\\nforged" in caplog.text
