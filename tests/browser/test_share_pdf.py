"""A PDF is had by one press: the server makes what is previewed, and where it cannot, the browser prints."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import Workbench
from .sharing import Open, choose, press, reopened, told

pytestmark = pytest.mark.browser


def saved(page: Page, name: str) -> tuple[str, bytes]:
    with page.expect_download() as download:
        press(page, name)
    return download.value.suggested_filename, download.value.path().read_bytes()


def asked(page: Page) -> tuple[str, dict[str, Any], bytes]:
    """Where the page sends what it wants, what that is, and what it saves then."""
    with page.expect_request("**/api/v1/pictures") as sent:
        _, pdf = saved(page, "Save PDF")
    wanted = sent.value.post_data_json
    assert isinstance(wanted, dict)
    return sent.value.url, wanted, pdf


def drawn(url: str, wanted: dict[str, Any]) -> bytes:
    """The same as SVG, from the server."""
    body = json.dumps({**wanted, "format": "svg"}).encode()
    with urllib.request.urlopen(urllib.request.Request(url, body, {"Content-Type": "application/json"}), timeout=60) as answer:
        found: bytes = answer.read()
    return found


def words(pdf: bytes, folder: Path) -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext is not installed: apt-get install poppler-utils")
    (folder / "a.pdf").write_bytes(pdf)
    return subprocess.run(["pdftotext", str(folder / "a.pdf"), "-"], check=True, capture_output=True, text=True, timeout=60).stdout


def sides(pdf: bytes) -> list[float]:
    (box,) = re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", pdf)
    return [round(float(side) / 0.75) for side in box]


def test_it_is_one_page_of_the_size_of_the_drawing_with_its_words(open_page: Open, tmp_path: Path) -> None:
    page = open_page().page
    page.get_by_role("button", name="Share…").click()
    choose(page, "svg")
    size = re.findall(r"(\d+) × (\d+)", page.locator(".share-notes").inner_text())[0]
    choose(page, "pdf")
    name, pdf = saved(page, "Save PDF")
    told(page, "Saved as jax.grad_loss.pdf")
    assert name == "jax.grad_loss.pdf"
    assert pdf.startswith(b"%PDF-")
    assert sides(pdf) == pytest.approx([int(side) for side in size], abs=1)
    assert {"gain", "tanh", "reduce_sum", "carry"} <= set(re.findall(r"\w+", words(pdf, tmp_path)))


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_the_server_draws_what_is_previewed(open_page: Open, theme: str) -> None:
    bench = open_page()
    page = bench.page
    page.get_by_role("button", name="Colour the boxes").click()
    page.get_by_role("menuitemradio", name="Operations").click()
    bench.idle()
    if theme == "Dark":
        bench.select("scan")
        page.keyboard.press("Shift+Enter")
        expect(page.locator(".viewer [data-eqn='e6']")).to_have_count(0)
        bench.idle()
    page.get_by_role("button", name="Share…").click()
    choose(page, "svg")
    page.locator(".share").get_by_text(theme, exact=True).click()
    page.locator(".share").get_by_label("Title").fill("Mine <b>")
    for shown in ("As on screen", "As first drawn"):
        choose(page, "pdf")
        page.locator(".share").get_by_text(shown, exact=True).click()
        choose(page, "svg")
        _, svg = saved(page, "Save SVG")
        choose(page, "pdf")
        url, wanted, pdf = asked(page)
        assert drawn(url, wanted) == svg
        width, height = re.findall(rb'(?:width|height)="([\d.]+)"', svg)[:2]
        assert sides(pdf) == pytest.approx([float(width), float(height)], abs=1)


def test_it_is_of_the_code_that_is_shown_whatever_has_been_typed_since(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+Home")
    page.keyboard.type("raise SystemExit  # ")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Share…").click()
    choose(page, "pdf")
    assert saved(page, "Save PDF")[1].startswith(b"%PDF-")


def test_where_the_server_makes_none_the_browser_prints(open_page: Open, tmp_path: Path) -> None:
    bench = open_page(forgive=("Failed to load resource", "net::ERR"))
    page = bench.page
    carry = page.evaluate("() => getComputedStyle(document.querySelector('.viewer .jv-wire-carry')).stroke")
    page.evaluate("() => { window.print = () => { window.asked = document.title; }; }")
    error = {"code": "extra-missing", "message": "This server makes no PDF.", "advice": "Take the SVG."}
    page.route("**/api/v1/pictures", lambda route: route.fulfill(status=501, json={"error": error}))
    page.get_by_role("button", name="Share…").click()
    choose(page, "svg")
    size = re.findall(r"(\d+) × (\d+)", page.locator(".share-notes").inner_text())[0]
    choose(page, "pdf")
    press(page, "Save PDF")
    told(page, "This server makes no PDF. Print… can save it as PDF.")
    page.unroute("**/api/v1/pictures")
    page.route("**/api/v1/pictures", lambda route: route.abort())
    press(page, "Save PDF")
    told(page, "does not answer")
    press(page, "Print…")
    told(page, "print dialog")
    assert page.evaluate("() => window.asked") == "jax.grad(loss)"
    printed = page.pdf(prefer_css_page_size=True)
    assert sides(printed) == pytest.approx([int(side) for side in size], abs=3)
    # Afterwards the page prints as ever: its paper has margins, and the code is on it.
    again = page.pdf(prefer_css_page_size=True)
    assert re.findall(rb"/MediaBox\s*\[\s*0 0 ([\d.]+) ([\d.]+)\s*\]", again)[0] != re.findall(rb"0 0 ([\d.]+) ([\d.]+)", printed)[0]
    assert page.title() == "jaxpr visualizer"
    # And the drawing on the screen has kept the sheet of its colours.
    assert page.evaluate("() => getComputedStyle(document.querySelector('.viewer .jv-wire-carry')).stroke") == carry
    page.keyboard.press("Escape")
    reopened(bench, tmp_path)
    page.get_by_role("button", name="Share…").click()
    choose(page, "pdf")
    expect(page.locator(".share-notes")).to_contain_text("The server makes no PDF of a file")
    expect(page.get_by_role("button", name="Print…").and_(page.locator("[data-main]"))).to_be_visible()


def test_it_fits_a_phone(open_page: Open) -> None:
    bench: Workbench = open_page(width=400, height=800, forgive=("Failed to load resource",))
    page = bench.page
    page.route("**/api/v1/pictures", lambda route: route.fulfill(status=503, json={"error": {"message": "The picture is not ready."}}))
    page.get_by_role("button", name="Share…").click()
    choose(page, "pdf")
    press(page, "Save PDF")
    told(page, "not ready")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 400
    for name in ("Save PDF", "Print…"):
        box = page.locator(".share-actions").get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 400
