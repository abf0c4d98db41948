"""The server asks for what the page asks for: the page's own requests, which `frontend/test/page/requested.test.ts` holds to be so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from visualizer.links import read, request_of
from visualizer.model import TraceRequest

from .contents import address, content

CASES = json.loads((Path(__file__).parents[2] / "frontend" / "test" / "links" / "requests.json").read_text("utf-8"))
STEP = {"name": "grad", "argnums": None, "in_axes": None, "size": None, "has_aux": False}


@pytest.mark.parametrize("case", CASES, ids=lambda case: json.dumps(case["state"])[:60])
def test_the_request_of_a_link_is_that_of_the_page(case):
    wanted = request_of(read(address(case["state"])).state)
    assert wanted == TraceRequest.model_validate(case["request"])
    # The order of parameters is part of the question.
    assert list(wanted.signature or {}) == list(case["request"].get("signature") or {})


@pytest.mark.parametrize(
    "wishes",
    [
        [{"id": "p0", "name": "f", "steps": [{**STEP, "name": "of a newer page"}]}],
        [{"id": "p0", "name": "f", "steps": [{**STEP, "newer": 1}]}],
        [{"id": "p0", "name": "f", "steps": [STEP] * 17}],
        [{"id": "p0", "name": "f", "steps": [STEP]}] * 33,
    ],
)
def test_what_cannot_be_asked_for_is_none(wishes):
    assert request_of(content(wishes=wishes).state) is None
