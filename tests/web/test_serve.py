"""The real servers, each in a process of its own."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from visualizer.web._serve import CannotBind, address_of, bind

ROOT = Path(__file__).parents[2]


class Running:
    def __init__(self, kind: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.web.serve_fake", kind], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.said: list[str] = []
        self.open: list[http.client.HTTPConnection | http.client.HTTPResponse] = []
        self.address = urlsplit(self.until("http://"))

    def until(self, start: str) -> str:
        """The next line that starts so; fails when the server ends first."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.strip())
            if line.startswith(start):
                return line.strip()
        raise AssertionError(f"the server ended: {self.said} {self.process.stderr.read() if self.process.stderr else ''}")

    def post(self, body: bytes, accept: str = "application/json") -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self.address.hostname or "", self.address.port, timeout=30)
        connection.request("POST", "/api/v1/trace", body, {"Content-Type": "application/json", "Accept": accept})
        response = connection.getresponse()
        self.open += [response, connection]
        return response

    def hang_up(self) -> None:
        for one in self.open:
            one.close()

    def stop(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        self.said += out.splitlines()
        return self.process.returncode, err

    def end(self) -> None:
        self.hang_up()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


@pytest.fixture(params=["gunicorn", "waitress"])
def server(request) -> Iterator[Running]:
    running = Running(request.param)
    yield running
    running.end()


def test_it_answers_and_refuses_and_stops_when_asked(server):
    response = server.post(b'{"source": "x"}')
    assert response.status == 200
    assert json.loads(response.read())["notes"] == ["x"]

    response = server.post(b'{"source": "' + b"x" * 25 * 1024 * 1024 + b'"}')
    assert response.status == 413
    assert json.loads(response.read())["error"]["code"] == "too-large"

    code, err = server.stop(signal.SIGTERM)
    assert code == 0, err
    assert server.said[-1] in {"closed", "end"}
    assert "closed" in server.said
    assert "Traceback" not in err


def test_ctrl_c_stops_it_too(server):
    assert server.post(b'{"source": "x"}').status == 200
    code, err = server.stop(signal.SIGINT)
    assert code == 0, err
    assert "closed" in server.said
    assert "Traceback" not in err


def test_levels_come_as_they_are_ready_and_a_client_that_leaves_ends_its_job(server):
    response = server.post(b'{"source": "wait"}', "application/x-ndjson")
    assert response.status == 200
    assert json.loads(response.readline())["level"] == "jaxpr"
    assert "job closed" not in server.said
    server.hang_up()
    server.until("cancelled")
    server.until("job closed")


def test_a_client_that_leaves_before_the_whole_trace_is_ready_ends_its_job_too(server):
    connection = http.client.HTTPConnection(server.address.hostname, server.address.port, timeout=30)
    connection.request("POST", "/api/v1/trace", b'{"source": "wait"}', {"Content-Type": "application/json"})
    server.until("job started")
    connection.close()
    server.until("cancelled")
    server.until("job closed")
    assert json.loads(server.post(b'{"source": "x"}').read())["notes"] == ["x"]


def test_a_busy_port_is_one_sentence():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(CannotBind, match=f"Port {port} on 127.0.0.1 is taken"):
            bind("127.0.0.1", port)


def test_an_address_of_another_machine():
    with pytest.raises(CannotBind, match=r"192\.0\.2\.1"):
        bind("192.0.2.1", 0)
    with pytest.raises(CannotBind, match="not an address of this machine"):
        bind("no such host.invalid", 0)


def test_the_address_to_type():
    with bind("0.0.0.0", 0) as sock:
        assert address_of(sock) == f"http://127.0.0.1:{sock.getsockname()[1]}/"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"\x16\x03\x01 not http\r\n\r\n", 400),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 9000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n", 400),
        (
            b"POST /api/v1/trace HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            400,
        ),
    ],
)
def test_what_is_no_http_gets_the_shape_of_every_error(request_, status):
    running = Running("gunicorn")
    try:
        with socket.create_connection((running.address.hostname or "", running.address.port or 0), timeout=30) as raw:
            raw.sendall(request_)
            response = http.client.HTTPResponse(raw)
            response.begin()
            assert response.status == status
            assert set(json.loads(response.read())["error"]) == {"code", "message", "advice"}
        assert running.post(b'{"source": "x"}').status == 200
        assert "Traceback" not in running.stop(signal.SIGTERM)[1]
    finally:
        running.end()
