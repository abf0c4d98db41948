"""What a stranger may put into a link, or into the addresses around it: it shows as text, and no script of theirs runs.

A script would leave a canary (`pwned`), a dialog, or a report of the content security policy that stopped it: there is none of the three.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from .links import shared, site

pytestmark = pytest.mark.browser
RUN = "window.top.pwned=window.pwned=1,alert(1)"
MARKUP = f"</script></title></noscript></textarea><!--<img src=x onerror={RUN}><svg onload={RUN}><script>{RUN}</script>\"'"
# As Python text: names of functions, scopes, keys and the code itself.
SOURCE = f"""import jax, jax.numpy as jnp
MARKUP = {MARKUP!r}
def f(d):
    with jax.named_scope(MARKUP.replace("/", "-")):
        return jnp.sin(d[MARKUP]) # {MARKUP} \u202e\u2028
f.__name__ = MARKUP
jax.make_jaxpr(f)({{MARKUP: 1.0}})
"""
STATE: dict[str, Any] = {
    "program": ["p0", MARKUP],
    "open": [MARKUP, "__proto__", "e0/../..", "constructor"],
    "alone": MARKUP,
    "selection": ["eqn", MARKUP],
    "levels": [MARKUP, "all"],
    "__proto__": {"pwned": 1, "view": "stablehlo"},
    "constructor": {"prototype": {"pwned": 1}},
    "unknown": [MARKUP] * 3,
}
WATCH = """() => {
  window.reports = [];
  document.addEventListener("securitypolicyviolation", (event) => window.reports.push(event.violatedDirective + " " + event.blockedURI));
}"""


@pytest.fixture(scope="module")
def link(server: str) -> str:
    return shared(server, SOURCE, **STATE)


@pytest.fixture(scope="module")
def module(server: str) -> str:
    """A link whose program has the name."""
    name = MARKUP.replace('"', "\\22")
    return shared(server, f'module {{\n  func.func @"{name}"(%x: tensor<f32>) -> tensor<f32> {{\n    return %x : tensor<f32>\n  }}\n}}\n')


@pytest.fixture(scope="module")
def code(server: str) -> str:
    """A link whose program cannot be traced."""
    return shared(server, MARKUP, view=MARKUP, program=[MARKUP, MARKUP])


@pytest.fixture
def open_(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address under watch; `look` asserts that nothing of a stranger's ran in any frame."""
    contexts = []
    dialogs: list[str] = []

    def open_it(url: str, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": 1000, "height": 800}, reduced_motion="reduce", **options)
        contexts.append(context)
        context.add_init_script(f"({WATCH})()")
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(url)
        return page

    yield open_it
    for context in contexts:
        for page in context.pages:
            for frame in page.frames:
                assert frame.evaluate("() => [window.pwned, Object.prototype.pwned, window.reports]") == [None, None, []]
        context.close()
    assert dialogs == []


def test_the_page_of_a_link(server, link, module, code, open_):
    for name in (link, module, code):
        page = open_(f"{server}/s/{name}")
        page.wait_for_selector(".editor .cm-content")
        data = json.loads(page.locator("#shared-link").text_content() or "")
        assert data["id"] == name
        content = page.locator("meta[property='og:title']").get_attribute("content") or ""
        assert content == data["title"]
        assert page.title() == f"{content} \u00b7 jaxpr visualizer"
        assert name == link or "</script></title></noscript>" in content
        assert page.locator("img[src='x'], svg[onload]").count() == 0


def test_the_words_without_scripts(server, link, code, open_):
    for name in (link, code):
        page = open_(f"{server}/s/{name}", java_script_enabled=False)
        shown = page.locator("main").inner_text()
        assert f"onerror={RUN}" in shown
        assert page.locator("main img[src='x'], main script, main svg").count() == 0
        page.context.close()


def test_the_frame_of_a_link(server, link, module, open_):
    page = open_(f"{server}/embed/{module}")
    page.wait_for_selector(".viewer svg [data-key]", state="attached")
    assert "</script></title>" in page.locator(".embed-title").inner_text()
    page = open_(f"{server}/embed/{link}")
    page.wait_for_selector(".viewer svg [data-key]", state="attached")
    page.locator(".viewer g[data-eqn]", has_text="sin").first.hover()
    expect(page.locator(".embed-words")).to_contain_text("sin")
    page.get_by_role("button", name="StableHLO").click()
    page.get_by_role("button", name="Open all").click()
    assert page.locator("img").count() == 0


@pytest.mark.parametrize("view", ["graph", "text"])
def test_the_words_of_its_address(server, link, code, open_, view):
    hostile = quote(MARKUP[:39])
    short = quote("<svg onload=pwned=1>")
    for name in (link, code):
        page = open_(f"{server}/embed/{name}?view={view}&theme={hostile}&level={short}&open={hostile}&__proto__=1#{hostile}")
        note = page.locator(".embed-note").first
        expect(note).to_be_visible()
        said = " ".join(page.locator(".embed-note").all_inner_texts())
        assert "<svg onload=pwned=1>" in said
        assert "</script></title>" in said
        assert page.locator("html").get_attribute("data-theme") == "auto"


def test_a_picture_that_is_opened_by_itself(server, link, open_):
    for theme in ("auto", quote(MARKUP)):
        page = open_(f"{server}/s/{link}.svg?theme={theme}")
        assert page.locator("svg text", has_text="sin").count() > 0
        assert page.locator("svg script, svg foreignObject, svg image, svg [onload]").count() == 0


def test_the_html_of_oembed_in_a_page_that_trusts_it(server, module, open_):
    page = open_(f"{server}/")
    answer = page.request.get(f"{server}/oembed?url={quote(f'{server}/s/{module}#{MARKUP}')}")
    html = answer.json()["html"]
    assert MARKUP[:20] in unescape(html)
    with site(html) as host:
        page = open_(host)
        frame = page.frame_locator("iframe")
        expect(frame.locator(".embed-title")).to_contain_text("onerror")
        assert page.locator("body > *").count() == 1
    assert page.request.get(f"{server}/oembed?url=javascript:{quote(RUN)}").status == 404


@pytest.mark.parametrize("name", ["..%2f..%2fapi", "%3Cscript%3Epwned=1%3C%2Fscript%3E", "__proto__", "%00", "x" * 3000, "%E2%80%AE"])
def test_names_that_are_none(server, open_, name):
    for path in ("s", "embed"):
        page = open_(f"{server}/{path}/{name}")
        assert page.get_by_role("heading").first.inner_text() in {"There is no link here", "There is nothing at this address."}
