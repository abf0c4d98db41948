"""The history of the browser: what was traced here comes back, nothing is lost over it, and nothing of it is sent."""

from __future__ import annotations

import json
import re
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Locator, Page, expect

from .conftest import EXAMPLES, Workbench
from .sharing import SMALL, Open, choose, press, told

pytestmark = pytest.mark.browser
OTHER = "import jax\nimport jax.numpy as jnp\ndef other(theirs):\n    return jnp.sin(theirs)\nother(jnp.ones(3))\n"


def recall(page: Page) -> Locator:
    page.get_by_role("button", name="History").click()
    expect(page.get_by_role("dialog", name="History")).to_be_visible()
    return page.locator(".past-open")


def kept(page: Page) -> list[str]:
    """The names of what is kept, as the storage has it."""
    found: list[str] = page.evaluate(
        """() => Object.entries(localStorage).filter(([key]) => key.startsWith("jaxpr-visualizer/history/"))
          .map(([, text]) => JSON.parse(text)).sort((a, b) => a.at - b.at).map(({ name }) => name)"""
    )
    return found


def test_what_was_traced_is_listed_found_and_opened_again(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    # What nobody wrote is not in it.
    expect(recall(page)).to_have_count(0)
    expect(page.locator(".past-empty")).to_contain_text("Nothing yet")
    page.keyboard.press("Escape")
    bench.paste(SMALL)
    bench.paste(OTHER)
    rows = recall(page)
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("other")
    expect(rows.first).to_contain_text("def other(theirs):")
    page.get_by_role("searchbox").fill("MINE lambda")
    expect(rows).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".cm-content")).to_contain_text("mine")
    bench.settled()
    assert bench.source == SMALL
    # The one that was here is still there.
    page.get_by_role("button", name="History").click()
    page.get_by_role("searchbox").fill("")
    expect(rows).to_have_count(2)


def test_work_that_was_not_traced_goes_to_the_history_before_another_takes_its_place(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.paste(SMALL)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("menuitemcheckbox", name="Trace while I type").click()
    page.keyboard.press("Escape")
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.type("unsaved = (")
    rows = recall(page)
    rows.first.click()
    bench.settled()
    expect(page.locator(".cm-content")).to_contain_text("mine")
    expect(recall(page).filter(has_text="unsaved = (")).to_have_count(1)


def test_pinned_stays_deleted_goes_and_off_keeps_nothing(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.paste(SMALL)
    bench.paste(OTHER)
    rows = recall(page)
    page.get_by_role("button", name=re.compile("^Pin .*lambda|^Pin ")).last.click()
    expect(page.locator(".past-list li.pinned")).to_have_count(1)
    page.get_by_role("button", name="Clear all…").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(rows).to_have_count(1)
    page.get_by_role("checkbox", name="Keep a history").uncheck()
    page.keyboard.press("Escape")
    bench.paste((EXAMPLES / "06_branches.py").read_text("utf-8") + "\n# mine\n")
    expect(recall(page)).to_have_count(1)
    page.get_by_role("button", name=re.compile("^Delete ")).click()
    expect(page.locator(".past-empty")).to_contain_text("switched off")


def test_a_reload_shows_the_tabs_own_and_two_tabs_lose_nothing(open_page: Open) -> None:
    bench = open_page()
    bench.paste(SMALL)
    second = bench.page.context.new_page()
    second.goto(bench.page.url.split("#")[0])
    other = Workbench(second)
    other.settled()
    # A tab of its own begins afresh, with the history at hand; it hears of what the other keeps.
    expect(second.locator(".cm-content")).not_to_contain_text("mine")
    rows = recall(second)
    expect(rows).to_have_count(1)
    bench.paste(OTHER)
    expect(rows).to_have_count(2)
    second.close()
    bench.page.reload()
    bench.settled()
    expect(bench.page.locator(".cm-content")).to_contain_text("other")


def test_what_is_broken_is_dropped_with_a_word(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.evaluate(
        """() => { localStorage.setItem("jaxpr-visualizer/history/bad", "{"); localStorage.setItem("jaxpr-visualizer/links/bad", "[]"); }"""
    )
    bench.paste(SMALL)
    expect(recall(page)).to_have_count(1)
    expect(page.locator(".past-note").first).to_contain_text("could not be read")
    assert len(kept(page)) == 1


def test_without_a_storage_everything_works_and_is_said(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"])
          Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });"""
    )
    page.reload()
    bench.settled()
    bench.paste(SMALL)
    bench.drawn()
    expect(recall(page)).to_have_count(0)
    expect(page.locator(".past-empty")).to_contain_text("keeps nothing")


def test_a_full_storage_costs_the_oldest(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.paste(SMALL + "# long\n" * 200)
    page.wait_for_function("() => Object.keys(localStorage).some((key) => key.startsWith('jaxpr-visualizer/history/'))")
    page.evaluate(
        """() => {
          for (let chunk = 1 << 20; chunk > 16; )
            try { localStorage.setItem("fill" + chunk + Math.random(), "x".repeat(chunk)); } catch { chunk >>= 1; }
        }"""
    )
    bench.paste(OTHER)
    rows = recall(page)
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("other")


def test_short_links_are_listed_with_what_deletes_them(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.paste(OTHER)
    page.get_by_role("button", name="Share…").click()
    choose(page, "short")
    press(page, "Make a short link")
    told(page, "Short link made")
    page.keyboard.press("Escape")
    recall(page)
    links = page.get_by_role("region", name="Short links made here")
    expect(links.get_by_role("listitem")).to_have_count(1)
    url = links.get_by_role("link").get_attribute("href")
    assert url is not None
    assert page.request.get(url).ok
    token = json.loads(page.evaluate("() => Object.entries(localStorage).find(([key]) => key.includes('/links/'))[1]"))["token"]
    assert len(token) > 20
    links.get_by_role("button", name="Delete").click()
    expect(links).to_contain_text("Deleted")
    expect(links.get_by_role("listitem")).to_have_count(0)
    assert page.request.get(url).status in {404, 410}


def test_a_link_that_others_shared_too_is_not_said_to_be_gone(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    bench.paste(OTHER + "# shared twice")
    page.get_by_role("button", name="Share…").click()
    choose(page, "short")
    press(page, "Make a short link")
    told(page, "Short link made")
    made = json.loads(page.evaluate("() => Object.entries(localStorage).find(([key]) => key.includes('/links/'))[1]"))
    again = page.request.post(urljoin(made["url"], "/api/v1/links"), data={"state": made["state"]})
    assert again.status == 200
    assert again.json()["url"] == made["url"]
    press(page, "Delete")
    told(page, "unless somebody else shared the same")
    assert page.request.get(made["url"]).ok


def test_by_keyboard_and_on_a_phone(open_page: Open) -> None:
    bench = open_page()
    bench.paste(SMALL)
    bench.page.locator(".viewer [tabindex='0']").focus()
    bench.page.keyboard.press("h")
    expect(bench.page.get_by_role("searchbox")).to_be_focused()
    bench.page.set_viewport_size({"width": 400, "height": 800})
    assert bench.page.evaluate("() => document.documentElement.scrollWidth") <= 400
    box = bench.box(".past[open]")
    assert box["x"] >= 0
    assert box["width"] <= 400
    bench.page.keyboard.press("Escape")
    bench.page.get_by_role("button", name="Settings").click()
    bench.page.get_by_role("menuitem", name="History…").click()
    expect(bench.page.locator(".past-open")).to_have_count(1)
