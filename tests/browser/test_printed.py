"""A printed jaxpr on the page: drawn as a traced one is, lines and boxes light each other, no level is promised that cannot come."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from .conftest import EXAMPLES, Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]
PRINT = (EXAMPLES / "11_a_printed_jaxpr.txt").read_text("utf-8")


def test_a_print_is_drawn_with_its_roles_and_linked_to_its_lines(open_page: Open) -> None:
    bench = open_page()
    bench.paste(PRINT)
    bench.drawn()
    tabs = bench.page.get_by_role("tablist", name="Level").get_by_role("tab")
    expect(tabs).to_have_text(["Jaxpr", "Jaxpr text", "Side by side"])
    titles = bench.page.locator(".viewer .jv-toggle text").all_text_contents()
    assert sum("scan" in title for title in titles) == 2
    bench.select("scan ×6 reverse")
    words = bench.page.locator(".sentences").inner_text()
    assert "num_carry=2" in words
    expect(bench.page.locator(".editor .cm-lit").first).to_contain_text("scan[")
    bench.equation("tanh").hover()
    expect(bench.page.locator(".editor .cm-lit").first).to_contain_text("o:f32[3] = tanh n")
    bench.panel("notes")
    expect(bench.page.locator(".details")).to_contain_text("A printed jaxpr cannot be lowered")
    bench.tab("jaxpr-text")
    expect(bench.page.locator(".reader .cm-content")).to_contain_text("{ lambda ; a:f32[] b:f32[6,3] c:f32[3]. let")


def test_a_print_that_breaks_off_is_drawn_as_far_as_it_goes(open_page: Open) -> None:
    bench = open_page()
    bench.paste(PRINT[: PRINT.index("bn:f32[3] = mul")])
    expect(bench.page.locator(".viewer .jv-toggle text", has_text="scan")).to_have_count(2)
    bench.panel("problems")
    expect(bench.page.locator(".details")).to_contain_text("The text ends before the jaxpr does.")
    expect(bench.page.locator(".details")).to_contain_text("Paste the print as a whole")
