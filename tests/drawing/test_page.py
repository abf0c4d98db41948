"""A program as a page of its own: small, closed to the network, and without a way out of its data."""

import base64
import gzip
import hashlib
import json
import re
from pathlib import Path

import pytest

from visualizer.drawing import Options, page_of
from visualizer.drawing._page import FILES
from visualizer.model import Program

TRACES = Path(__file__).resolve().parents[2] / "frontend" / "test" / "traces"
pytestmark = pytest.mark.skipif(not (FILES / "embed.js").is_file(), reason="the embedded viewer is not built: make build")
LIMIT = 250_000


def program(name: str = "01_grad_of_scan") -> dict:
    return json.loads((TRACES / f"{name}.json").read_text())["programs"][0]


def page(found: dict, **options) -> str:
    return page_of(Program.model_validate(found), Options(**options))


def data_of(text: str) -> dict:
    found = re.search(r'class="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_a_page_of_the_size_of_the_lesson_is_under_250_kb():
    for name in ("01_grad_of_scan", "02_training_scan"):
        assert len(page(program(name)).encode()) < LIMIT


def test_only_the_script_of_the_page_may_run():
    text = page(program())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src &#x27;none&#x27;; script-src &#x27;sha256-")
    (start,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    (packed,) = re.findall(r'class="viewer-packed">(.*?)</script>', text, re.DOTALL)
    viewer = gzip.decompress(base64.b64decode(packed)).decode()
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in (start, viewer)]
    assert [f"sha256-{digest}" for digest in hashes] == re.findall(r"sha256-[\w+/=]+", policy[1])[:2]
    assert "http://" not in re.sub(r"http://www\.w3\.org/\S+", "", text)


def test_a_hostile_name_is_data():
    found = program()
    name = "</script><script>alert(1)</script><!--\u2028{{script}}/*{{style}}*/"
    found["name"] = name
    entry = found["jaxprs"][found["entry"]]
    entry["vars"][entry["invars"][0]]["label"] = name
    text = page(found)
    assert text.count("<script") == 3
    assert "alert(1)</script>" not in text
    assert data_of(text)["title"] == name


def test_what_the_page_does_not_show_is_not_in_it():
    found = program()
    data = data_of(page(found))
    assert data["program"]["texts"] == {}
    assert data["program"]["written"] == []


def test_what_the_picture_is_folded_by_is_in_it():
    found = program("transformer")
    assert len(found["loops"]) > 0
    assert data_of(page(found))["program"]["loops"] == found["loops"]


@pytest.mark.parametrize(
    ("opened", "open_", "depth"), [("initial", None, None), ("none", [], None), ("all", None, "all"), (2, None, 2), (("e1",), ["e1"], None)]
)
def test_it_opens_as_it_is_asked_to(opened, open_, depth):
    data = data_of(page(program(), open=opened))
    assert (data["open"], data["levels"]["depth"]) == (open_, depth)


def test_readers_without_scripts_have_the_outline():
    assert "scan ×8" in re.search(r"<noscript><pre>(.*?)</pre>", page(program()), re.DOTALL)[1]
