"""Large programs and large pastes: what is in the document stays small, and the page answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import ROOT, Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
TRANSFORMER = ROOT / "frontend" / "test" / "programs" / "transformer.py"


def elements(bench: Workbench) -> int:
    count: int = bench.page.evaluate("document.querySelectorAll('.viewer > svg *').length")
    return count


def test_of_a_large_drawing_only_what_is_in_sight_is_in_the_document(open_page: Open) -> None:
    bench = open_page()
    bench.paste(TRANSFORMER.read_text("utf-8"))
    expect(bench.page.locator(".inspector header")).to_contain_text("equations")
    bench.page.get_by_role("button", name="Open every body").click()
    bench.idle()
    bench.page.get_by_role("button", name="zoom to 100 %").click()
    bench.frames_pass()
    assert 0 < elements(bench) < 4000
    expect(bench.page.locator(".viewer > svg text").first).to_be_attached()
    box = bench.box(".viewer")
    bench.page.mouse.move(box["x"] + 300, box["y"] + 300)
    for _ in range(6):
        bench.page.mouse.wheel(0, 500)
    bench.frames_pass()
    assert 0 < elements(bench) < 4000
    bench.page.get_by_role("button", name="Fit").click()
    bench.frames_pass()
    # All of it is in sight: its layers are folded.
    assert bench.page.locator(".viewer > svg .jv-op").count() > 40


def test_a_paste_beyond_the_limit_is_refused_in_words(open_page: Open) -> None:
    bench = open_page(forgive=("Failed to load resource",))
    bench.paste("# " + "x" * 6_000_000 + "\n")
    expect(bench.page.locator(".problem")).to_contain_text("larger than")
    bench.paste("import jax\njax.make_jaxpr(lambda after: after + 1.0)(1.0)\n")
    expect(bench.page.locator(".viewer svg")).to_contain_text("after")
