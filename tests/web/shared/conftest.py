"""Links in a store of their own, and a painter that draws nothing: tests say what it gives, and ask it afterwards what it was asked."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.links.contents import content
from visualizer.links import keep
from visualizer.web.shared import _painter

TRACES = Path(__file__).resolve().parents[3] / "frontend" / "test" / "traces"
PAGE = (
    '<!doctype html><html><head><meta name="csp-nonce" content="__CSP_NONCE__" /><meta name="description" content="d" />'
    '<title>jaxpr visualizer</title><link rel="icon" href="./assets/icon-1.svg" />'
    '<script type="module" src="./assets/page-1a2b.js"></script>'
    '<link rel="stylesheet" href="./assets/page-1a2b.css"></head><body><div id="page"><noscript>none</noscript></div></body></html>'
)
CARD = {"svg": "<svg>card</svg>", "alt": "loss: dataflow graph.", "size": "18 equations, 2 nested bodies"}


class FakePainter:
    """Gives `answers[make]`; an exception among them is raised."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answers: dict[str, bytes | Exception] = {
            "svg": b"<svg>whole</svg>",
            "png": b"\x89PNG whole",
            "pdf": b"%PDF whole",
            "card": json.dumps(CARD).encode(),
            "card-png": b"\x89PNG card",
            "card-pdf": b"%PDF card",
            "page": b"<!doctype html>page",
        }

    def __call__(self, request: bytes, _seconds: int) -> bytes:
        words, _, kept = request.partition(b"\n")
        self.asked.append({**json.loads(words), "kept": kept})
        answer = self.answers[self.asked[-1]["make"]]
        if isinstance(answer, Exception):
            raise answer
        return answer


def saved(name: str = "01_grad_of_scan") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TRACES / f"{name}.json").read_text("utf-8"))
    return found


@pytest.fixture
def static(static: Path) -> Path:
    (static / "index.html").write_text(PAGE)
    return static


@pytest.fixture
def painted(monkeypatch: pytest.MonkeyPatch) -> FakePainter:
    painter = FakePainter()
    monkeypatch.setattr(_painter, "in_a_process", painter)
    return painter


@pytest.fixture
def app(make_app: Callable[..., Flask], painted: FakePainter, tmp_path: Path) -> Flask:
    return make_app(database=str(tmp_path / "links.sqlite3"))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def put(app: Flask) -> Callable[..., str]:
    """Stores a link to the program of a saved trace, or to code alone, and gives its id."""

    def add(trace: dict[str, Any] | None = None, source: str = "import jax\n", title: str | None = None, **state: Any) -> str:
        what = content(source, **state)
        kept, name, _ = (None, "", "") if trace is None else keep(trace, what.state)
        with app.extensions["links"].store() as store:
            return str(store.add(what, kept, name if title is None else title).id)

    return add
