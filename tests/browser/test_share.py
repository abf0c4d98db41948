"""The share dialog: what is previewed is what is copied or saved, in every format; short links, made, opened, forked and deleted."""

from __future__ import annotations

import base64
import gzip
import html
import json
import random
import re
import string
import struct
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from markdown_it import MarkdownIt
from playwright.sync_api import Page, expect

from .conftest import EXAMPLES, ROOT, Workbench
from .sharing import SMALL, Open, another, choose, copied, made, press, preview, reopened, told
from .test_access import AXE, violations

pytestmark = pytest.mark.browser
# A name is whatever a person called it; this one means something in each of the languages that it is written in.
HOSTILE = """a](javascript:alert(1)) "><b>'`*_|\\\\ ``x`` ![y] &lt; $z$ :w: """


@pytest.fixture
def shared(open_page: Open) -> Workbench:
    """The first example with the dialog open."""
    bench = open_page()
    bench.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    bench.page.get_by_role("button", name="Share…").click()
    made(bench.page)
    return bench


def saved(page: Page, name: str) -> tuple[str, bytes]:
    with page.expect_download() as download:
        press(page, name)
    path = download.value.path()
    return download.value.suggested_filename, path.read_bytes()


def drawn(trace: Path, out: Path, *options: str) -> bytes:
    """What the command makes of a saved trace."""
    command = [sys.executable, "-m", "visualizer.cli", "draw", str(trace), "-o", str(out), *options]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return out.read_bytes()


def test_a_text_is_copied_as_it_is_shown(shared: Workbench) -> None:
    page = shared.page
    # The dialog opens with what is most often wanted at hand.
    page.keyboard.press("Enter")
    told(page, "Link copied")
    assert copied(page) == preview(page)
    with another(shared, copied(page)) as other:
        other.drawn()
        expect(other.page.locator(".cm-content")).to_contain_text("def loss")
    choose(page, "short")
    press(page, "Make a short link")
    told(page, "Short link made")
    for format_, name in (("short", "short link"), ("markdown", "Markdown"), ("rest", "reST"), ("iframe", "HTML")):
        choose(page, format_)
        press(page, f"Copy {name}")
        told(page, "copied")
        assert copied(page) == preview(page) != ""


def test_pictures_are_those_that_the_command_draws(shared: Workbench, tmp_path: Path) -> None:
    page = shared.page
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the trace").click()
    trace = tmp_path / "first.trace.json"
    download.value.save_as(trace)
    page.get_by_role("button", name="Share…").click()
    choose(page, "svg")
    name, svg = saved(page, "Save SVG")
    assert name == "jax.grad_loss.svg"
    assert svg == drawn(trace, tmp_path / "a.svg", "--theme", "auto")
    press(page, "Copy SVG")
    told(page, "copied")
    assert copied(page).encode() == svg
    # Pixels are looked at by eye; here, that the clipboard has the very picture, twice as large as the drawing.
    choose(page, "png")
    _, png = saved(page, "Save PNG")
    width, height = (float(side) for side in re.findall(r'(?:width|height)="([\d.]+)"', svg.decode())[:2])
    assert struct.unpack(">II", png[16:24]) == (round(2 * width), round(2 * height))
    press(page, "Copy picture")
    told(page, "Picture copied")
    types: list[str] = page.evaluate("async () => (await navigator.clipboard.read()).flatMap(item => item.types)")
    assert types == ["image/png"]
    choose(page, "html")
    name, page_text = saved(page, "Save web page")
    assert name == "jax.grad_loss.html"
    theirs = drawn(trace, tmp_path / "a.html", "--theme", "auto").decode()
    assert without_data(page_text.decode()) == without_data(theirs)
    assert told_by(page_text.decode()) == told_by(theirs)


def without_data(page: str) -> str:
    return re.sub(r'(<script type="text/plain" class="data">)[^<]*', r"\1", page)


def told_by(page: str) -> Any:
    """What stands in the page. Deflate has many ways to say the same."""
    found = re.search(r'<script type="text/plain" class="data">([^<]*)', page)
    assert found is not None
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def test_the_web_page_opens_from_a_disk(shared: Workbench, tmp_path: Path) -> None:
    choose(shared.page, "html")
    _, text = saved(shared.page, "Save web page")
    (tmp_path / "a.html").write_bytes(text)
    page = shared.page.context.new_page()
    page.goto(f"file://{tmp_path}/a.html")
    expect(page.locator(".viewer svg [data-eqn]").first).to_be_attached()
    page.close()


def test_a_short_link_is_made_opened_forked_and_deleted(shared: Workbench) -> None:
    page = shared.page
    page.keyboard.press("Escape")
    # Code of its own: what others have shared too stays when one of them deletes it.
    shared.paste((EXAMPLES / "01_grad_of_scan.py").read_text("utf-8") + "# shared once")
    page.get_by_role("button", name="Share…").click()
    choose(page, "short")
    expect(page.locator(".share-preview")).to_contain_text("The server then keeps the code")
    press(page, "Make a short link")
    told(page, "Short link made")
    url = preview(page)
    assert "/s/" in url
    with another(shared, url) as other:
        theirs = other.page
        other.drawn()
        assert theirs.url == url
        expect(theirs.locator(".arrived")).to_contain_text("came with a link")
        # Looking around is no edit.
        other.equation("tanh").click()
        expect(theirs.locator(".inspector header strong")).to_have_text("tanh")
        theirs.locator(".cm-content").click()
        theirs.keyboard.press("Control+End")
        theirs.keyboard.type(" # theirs")
        expect(theirs.locator(".arrived")).to_contain_text("This is yours now")
        theirs.wait_for_url(re.compile(r"/#v1:"))
        expect(theirs.locator(".arrived a")).to_have_attribute("href", re.compile(r"s/\w+$"))
        other.settled()
        theirs.reload()
        other.settled()
        assert "# theirs" in other.source
        theirs.get_by_role("button", name="show the original").click()
        expect(theirs.locator(".cm-content")).not_to_contain_text("# theirs")
        theirs.wait_for_url(url)
        # Nothing is lost by looking at it.
        theirs.get_by_role("button", name="bring it back").click()
        expect(theirs.locator(".cm-content")).to_contain_text("# theirs")
    with another(shared, url) as other:
        other.drawn()
        other.page.get_by_role("button", name="Fork").click()
        other.page.wait_for_url(re.compile(r"/#v1:|/$"))
        expect(other.page.locator(".arrived")).to_contain_text("This is yours now")
    press(page, "Delete")
    told(page, "Deleted")
    expect(page.locator(".share-preview")).to_contain_text("when you ask for it")
    assert page.request.get(url).status in {404, 410}


def test_hostile_names_stay_in_their_place_in_every_format(shared: Workbench) -> None:
    page = shared.page
    choose(page, "short")
    press(page, "Make a short link")
    told(page, "Short link made")
    title = HOSTILE.strip()
    choose(page, "markdown")
    page.get_by_label("Title").fill(HOSTILE)
    page.keyboard.press("Tab")
    made(page)
    expect(page.locator(".share pre")).to_contain_text("javascript")
    tokens = MarkdownIt("commonmark").parse(preview(page))
    inline = [child.type for token in tokens for child in token.children or []]
    assert inline == ["link_open", "image", "link_close"]
    image = next(child for token in tokens for child in token.children or [] if child.type == "image")
    assert str(image.content if image.children is None else "".join(c.content for c in image.children)).startswith(title)
    choose(page, "rest")
    document = publish_doctree(preview(page), settings_overrides={"report_level": 5})
    (picture,) = document.findall(nodes.image)
    assert picture["alt"].startswith(title)
    assert len(list(document.findall(nodes.system_message))) == 0
    choose(page, "iframe")
    found: list[tuple[str, dict[str, str | None]]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    Reader().feed(preview(page))
    assert [tag for tag, _ in found] == ["iframe"]
    assert found[0][1]["title"] == title
    choose(page, "svg")
    name, svg = saved(page, "Save SVG")
    assert re.fullmatch(r"[\w.-]+\.svg", name)
    assert f"<title>{html.escape(title).replace('&#x27;', '&#39;')}</title>" in svg.decode()


def test_by_keyboard_alone(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator(".viewer [tabindex='0']").focus()
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="Copy link").and_(page.locator("[data-main]"))).to_be_focused()
    page.keyboard.press("Enter")
    told(page, "Link copied")
    page.locator("[data-format='link']").focus()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.locator("[data-format='markdown']")).to_be_focused()
    expect(page.locator("[data-format='markdown']")).to_have_attribute("aria-selected", "true")
    made(page)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_label("As first drawn")).to_be_checked()
    page.keyboard.press("Escape")
    expect(page.locator(".share")).to_be_hidden()


def test_it_fits_a_phone(open_page: Open) -> None:
    bench = open_page(width=400, height=800)
    page = bench.page
    page.get_by_role("button", name="Share…").click()
    for format_ in ("link", "markdown", "svg"):
        choose(page, format_)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 400
        main = bench.box("[data-main]")
        assert main["x"] >= 0
        assert main["x"] + main["width"] <= 400
        assert main["y"] + main["height"] <= 800


def test_what_cannot_be_shared_says_why_and_what_can(open_page: Open) -> None:
    bench = open_page(forgive=("Failed to load resource", "net::ERR"))
    page = bench.page
    page.route("**/api/v1/links", lambda route: route.fulfill(json={"links": False}))
    page.get_by_role("button", name="Share…").click()
    choose(page, "short")
    expect(page.locator(".share-preview")).to_contain_text("This server keeps no short links")
    expect(page.locator("[data-main]")).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    # Offline: said where the press was.
    page.unroute("**/api/v1/links")
    page.route("**/api/v1/links", lambda route: route.abort())
    page.get_by_role("button", name="Share…").click()
    made(page)
    press(page, "Make a short link")
    expect(page.locator(".share-failure")).to_contain_text("does not answer")
    choose(page, "link")
    assert "#v1:" in preview(page)
    page.keyboard.press("Escape")
    # Too long for any address: pictures have no such limit.
    # What deflate cannot make shorter.
    letters = random.Random(7).choices(string.ascii_letters + string.digits, k=160_000)
    bench.paste(f"x = '{''.join(letters)}'\n{SMALL}")
    page.get_by_role("button", name="Share…").click()
    made(page)
    expect(page.locator(".share-preview")).to_contain_text("too long for a link")
    choose(page, "svg")
    expect(page.locator(".share img[data-preview]")).to_be_visible()


def test_a_file_is_shared_as_a_picture_and_by_no_link(open_page: Open, tmp_path: Path) -> None:
    bench = open_page()
    page = bench.page
    reopened(bench, tmp_path)
    page.get_by_role("button", name="Share…").click()
    for format_ in ("link", "short", "iframe"):
        choose(page, format_)
        expect(page.locator(".share-preview")).to_contain_text("A link cannot carry a file")
    choose(page, "markdown")
    assert preview(page).startswith("![")
    for format_ in ("svg", "html"):
        choose(page, format_)
        expect(page.locator(".share img[data-preview]")).to_be_visible()


def test_nothing_traced_has_its_link_alone(open_page: Open) -> None:
    bench = open_page()
    page = bench.page
    page.get_by_role("button", name="Examples").click()
    page.keyboard.press("Escape")
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.press("Control+Enter")
    bench.settled()
    page.get_by_role("button", name="Share…").click()
    choose(page, "svg")
    expect(page.locator(".share-preview")).to_contain_text("Nothing has been traced")
    choose(page, "link")
    assert "#v1:" in preview(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: npm ci in frontend")
def test_axe_finds_nothing_in_the_dialogs(open_page: Open, scheme: str) -> None:
    bench = open_page(color_scheme=scheme)
    page = bench.page
    bench.paste(SMALL)
    page.get_by_role("button", name="Share…").click()
    for format_ in ("link", "short", "rest", "png"):
        choose(page, format_)
        assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="History").click()
    expect(page.locator(".past-open")).to_have_count(1)
    assert violations(page) == []
