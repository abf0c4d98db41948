"""Where a person is: crumbs, bodies shown alone, back and forward, and the address that brings it all back."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from .conftest import EXAMPLES, Workbench

pytestmark = pytest.mark.browser
Open = Callable[..., Workbench]


def crumbs(bench: Workbench) -> list[str]:
    return [text.strip() for text in bench.page.locator(".crumbs-row .crumb").all_inner_texts()]


def says(address: str) -> dict[str, Any]:
    """What an address says: docs/links.md."""
    letters = address.partition("#v1:")[2]
    if not letters:
        return {}
    found: dict[str, Any] = json.loads(zlib.decompress(base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))))
    return found


def address(page: Page) -> str:
    """The address once it has caught up with what was done."""
    before = page.url
    page.wait_for_function("before => location.href !== before && location.hash.startsWith('#v1:')", arg=before)
    return page.url


def opened(bench: Workbench, url: str) -> Workbench:
    """The same address in a tab of its own, which has never been here."""
    assert bench.page.context.browser is not None
    page = bench.page.context.browser.new_context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce").new_page()
    page.set_default_timeout(20_000)
    page.goto(url)
    other = Workbench(page)
    other.settled()
    return other


def test_crumbs_say_where_something_is_and_lead_there(open_page: Open) -> None:
    bench = open_page()
    bench.equation("tanh").click()
    expect(bench.page.locator(".crumb[aria-current]")).to_have_text("tanh")
    assert crumbs(bench) == ["jax.grad(loss)", "scan ×8", "tanh"]
    bench.page.locator(".crumb", has_text="scan ×8").click()
    expect(bench.page.locator(".inspector header")).to_contain_text("scan ×8")
    bench.page.locator(".crumb", has_text="jax.grad").click()
    expect(bench.page.locator(".viewer .selected")).to_have_count(0)


def test_a_body_alone_and_out_again_by_keys_and_buttons(open_page: Open) -> None:
    bench = open_page()
    keys = bench.page.keyboard
    bench.select("scan")
    keys.press("Shift+Enter")
    expect(bench.page.locator(".viewer [data-eqn='e6']")).to_have_count(0)
    bench.idle()
    assert bench.page.locator(".viewer [data-eqn^='e0/']").count() > 3
    expect(bench.page.get_by_role("button", name="Whole program")).to_be_visible()
    # The first Escape lets go of the selection, the second leads out.
    keys.press("Escape")
    keys.press("Escape")
    expect(bench.page.locator(".viewer [data-eqn='e6']")).not_to_have_count(0)
    bench.idle()
    title = bench.page.locator(".viewer .jv-toggle[data-toggle='e6'] text").first
    title.dblclick()
    expect(bench.page.locator(".viewer [data-eqn='e0']")).to_have_count(0)
    bench.page.get_by_role("button", name="Whole program").click()
    expect(bench.page.locator(".viewer [data-eqn='e0']")).not_to_have_count(0)
    # What stands elsewhere is not hidden by it: the twin leads out.
    bench.idle()
    title.dblclick()
    expect(bench.page.locator(".viewer [data-eqn='e0']")).to_have_count(0)
    bench.idle()
    keys.press("[")
    expect(bench.page.locator(".viewer [data-eqn='e0'].selected")).not_to_have_count(0)


def test_back_and_forward_by_keys_buttons_and_the_browser(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.equation("tanh").click()
    page.keyboard.press("]")
    expect(page.locator(".inspector header")).to_contain_text("scan ×8")
    bench.tab("jaxpr-text")
    expect(page.locator(".reader")).to_be_visible()
    page.keyboard.press("Alt+ArrowLeft")
    expect(page.locator(".viewer [data-eqn='e6'].selected")).not_to_have_count(0)
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".inspector header strong")).to_have_text("tanh")
    expect(page.get_by_role("button", name="Back", exact=True)).to_be_disabled()
    page.get_by_role("button", name="Forward", exact=True).click()
    expect(page.locator(".inspector header")).to_contain_text("scan ×8")
    page.go_forward()
    expect(page.locator(".reader")).to_be_visible()
    page.go_back()
    expect(page.locator(".viewer")).to_be_visible()


def test_a_reload_stays_where_it_was(open_page: Open) -> None:
    bench = open_page()
    bench.select("scan")
    bench.page.keyboard.press("Shift+Enter")
    expect(bench.page.locator(".viewer [data-eqn='e6']")).to_have_count(0)
    address(bench.page)
    bench.page.reload()
    bench.settled()
    bench.drawn()
    expect(bench.page.locator(".viewer [data-eqn='e6']")).to_have_count(0)
    expect(bench.page.locator(".crumb[aria-current]")).to_have_text("scan ×8")


def test_an_address_brings_code_program_and_view_to_another_tab(open_page: Open) -> None:
    bench = open_page()
    bench.example("04_unroll_is_a_param")
    bench.page.locator("[aria-label='Programs of this paste'] [role=tab]").nth(1).click()
    bench.idle()
    bench.select("scan")
    bench.page.keyboard.press("Enter")
    expect(bench.page.locator(".viewer .jv-toggle").first).to_have_attribute("aria-expanded", "false")
    while says(url := bench.page.evaluate("location.href")).get("open") != []:
        bench.page.wait_for_function("before => location.href !== before", arg=url)
    other = opened(bench, url)
    other.drawn()
    expect(other.page.locator(".arrived")).to_contain_text("came with a link")
    expect(other.page.locator("[aria-label='Programs of this paste'] [role=tab]").nth(1)).to_have_attribute("aria-selected", "true")
    expect(other.page.locator(".viewer .selected")).not_to_have_count(0)
    expect(other.page.locator(".viewer .jv-toggle").first).to_have_attribute("aria-expanded", "false")
    # It is a fresh tab: there is nothing to bring back.
    expect(other.page.get_by_role("button", name="bring it back")).to_have_count(0)
    other.page.get_by_role("button", name="Put this notice away").click()
    expect(other.page.locator(".arrived")).to_have_count(0)
    other.page.context.close()


def test_a_link_puts_the_code_before_it_aside_and_gives_it_back(open_page: Open) -> None:
    bench = open_page()
    bench.paste("import jax\n# mine\njax.make_jaxpr(lambda mine: mine + 1.0)(2.0)\n")
    mine = address(bench.page)
    bench.paste((EXAMPLES / "06_branches.py").read_text("utf-8"))
    link = address(bench.page)
    bench.page.goto(mine)
    expect(bench.page.locator(".cm-content")).to_contain_text("# mine")
    bench.settled()
    bench.page.evaluate("link => { location.hash = new URL(link).hash }", link)
    expect(bench.page.locator(".arrived")).to_contain_text("Your earlier code is kept")
    expect(bench.page.locator(".cm-content")).not_to_contain_text("# mine")
    bench.page.reload()
    bench.settled()
    bench.page.get_by_role("button", name="bring it back").click()
    expect(bench.page.locator(".cm-content")).to_contain_text("# mine")
    expect(bench.page.locator(".viewer")).to_contain_text("mine")
    bench.page.get_by_role("button", name="Go to the code of the link").click()
    expect(bench.page.locator(".cm-content")).not_to_contain_text("# mine")


@pytest.mark.parametrize(
    ("fragment", "why"),
    [("#v1:eJyrVirLTC1XslLKSqwoKFKqBQAvKQWb", "no code"), ("#v1:eJyrVkrO", "cut off"), ("#v9:AAAA", "version 9"), ("#v1:<b>", "letters")],
)
def test_a_link_that_cannot_be_opened_says_why_and_takes_nothing(open_page: Open, fragment: str, why: str) -> None:
    bench = open_page()
    bench.paste("import jax\njax.make_jaxpr(lambda kept: kept + 1.0)(2.0)\n")
    address(bench.page)
    bench.page.evaluate("hash => { location.hash = hash }", fragment)
    expect(bench.page.locator(".arrived[role=alert]")).to_contain_text(why)
    expect(bench.page.locator(".cm-content")).to_contain_text("kept")
    expect(bench.page.locator(".viewer")).to_contain_text("kept")


def test_copy_link_copies_an_address_that_opens(open_page: Open) -> None:
    bench = open_page()
    bench.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    bench.equation("tanh").click()
    bench.page.get_by_role("button", name="Copy link").click()
    expect(bench.page.locator(".copy-link")).to_contain_text("Link copied")
    other = opened(bench, bench.page.evaluate("navigator.clipboard.readText()"))
    expect(other.page.locator(".crumb[aria-current]")).to_have_text("tanh")
    other.page.context.close()


def test_deep_ways_fit_a_phone(open_page: Open) -> None:
    bench = open_page(width=400, height=800)
    bench.tab("code")
    bench.example("09_jit_in_jit")
    bench.tab("graph")
    bench.idle()
    bench.page.locator(".viewer [tabindex='0']").focus()
    bench.page.keyboard.press("e")
    bench.idle()
    # From box to box, whichever way there is one, until one of an inner body is reached.
    for key in ["ArrowDown", "ArrowDown", "ArrowRight"] * 12:
        bench.page.keyboard.press(key)
        if bench.page.locator(".crumbs-row li").count() > 2:
            break
    else:
        pytest.fail("no equation of an inner body was reached")
    assert bench.page.evaluate("document.documentElement.scrollWidth") <= 400
    way = bench.box(".way")
    assert way["x"] + way["width"] <= 400


def test_the_minimap_shows_where_the_view_is_and_leads_elsewhere(open_page: Open) -> None:
    bench = open_page()
    minimap = bench.page.locator(".minimap")
    # All of the drawing is in sight: there is nothing to find.
    expect(minimap).to_be_hidden()
    bench.equation("tanh").click()
    keys = bench.page.keyboard
    for _ in range(6):
        keys.press("+")
    expect(minimap).to_be_visible()
    before = bench.box_of(bench.equation("tanh"))
    box = bench.box_of(minimap)
    bench.page.mouse.click(box["x"] + box["width"] - 6, box["y"] + 6)
    bench.frames_pass()
    after = bench.box_of(bench.equation("tanh"))
    assert after["x"] < before["x"] - 50
    assert after["y"] > before["y"] + 50
    bench.page.locator(".viewer [tabindex='0']").focus()
    keys.press("m")
    expect(minimap).to_have_count(0)
    keys.press("m")
    expect(minimap).to_be_visible()


def test_a_graph_after_a_text_that_was_loaded_anew_is_in_sight(open_page: Open) -> None:
    """The camera that the text kept for its way back was taken for that of the next graph."""
    bench = open_page()
    tanh = bench.page.locator(".viewer g[data-eqn]:has(> .jv-op)", has_text="tanh")
    first = bench.box_of(tanh)
    bench.tab("stablehlo")
    bench.idle()
    bench.tab("jaxpr-text")
    bench.page.wait_for_function("() => history.state?.seen?.view === 'jaxpr-text'")
    bench.page.reload()
    bench.settled()
    bench.tab("jaxpr")
    bench.drawn()
    bench.idle()
    bench.frames_pass()
    assert bench.box_of(tanh) == first
