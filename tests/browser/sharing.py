"""What the tests of sharing and of the history have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect

from .conftest import Workbench

Open = Callable[..., Workbench]
SMALL = "import jax\njax.make_jaxpr(lambda mine: mine + 1.0)(2.0)\n"


def choose(page: Page, format_: str) -> None:
    """A format of the open dialog, made."""
    page.locator(f".share [data-format='{format_}']").click()
    made(page)
    # A text says of which format it is: that of the one before may stand there for a moment.
    page.wait_for_function(
        "(format) => [...document.querySelectorAll('.share pre[data-preview]')].every((pre) => pre.dataset.preview === format)", arg=format_
    )


def made(page: Page) -> None:
    page.wait_for_function("() => document.querySelector('.share-what') && !document.querySelector('.share-preview.waiting')")


def preview(page: Page) -> str:
    """The text that is shown, letter by letter."""
    found: str = page.locator(".share pre[data-preview]").evaluate("element => element.textContent")
    return found


def press(page: Page, name: str) -> None:
    page.locator(".share-actions").get_by_role("button", name=name).click()


def copied(page: Page) -> str:
    found: str = page.evaluate("() => navigator.clipboard.readText()")
    return found


def told(page: Page, text: str) -> None:
    expect(page.locator(".share-told")).to_contain_text(text)


def reopened(bench: Workbench, folder: Path) -> None:
    """What is shown is saved, and opened from the file."""
    page = bench.page
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the trace").click()
    file = folder / "saved.trace.json"
    download.value.save_as(file)
    page.locator("input[type=file]").first.set_input_files(file)
    expect(page.locator(".file-chip").first).to_be_visible()
    bench.settled()
    bench.drawn()


@contextmanager
def another(bench: Workbench, url: str) -> Iterator[Workbench]:
    """The address in a browser that has never been here."""
    assert bench.page.context.browser is not None
    context = bench.page.context.browser.new_context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.goto(url)
    other = Workbench(page)
    other.settled()
    yield other
    context.close()
