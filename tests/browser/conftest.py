"""The page in a real Chromium against the real server.

Promises: one server and one browser for the whole run, a fresh context (storage, theme, console) for every test; a test that leaves an
error on the console or an exception in the page fails.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "visualizer" / "examples"
STATIC = ROOT / "visualizer" / "web" / "static"


# A busy machine is no failure.
expect.set_options(timeout=30_000)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server of our own on a free port."""
    if not (STATIC / "index.html").is_file():
        pytest.fail("the page is not built: run `make build`")
    command = [sys.executable, "-m", "visualizer.cli", "serve", "--port", "0", "--no-open"]
    command += ["--database", str(tmp_path_factory.mktemp("links") / "links.sqlite3")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                found = re.search(r"http://[\w.\[\]:-]+/", line)
                if found:
                    address = found.group().rstrip("/")
                    ready(address)
                    yield address
                    break
            else:
                pytest.fail("the server ended before it said its address")
        finally:
            process.terminate()


def ready(address: str) -> None:
    """Waits until the server can run code: it answers before JAX is loaded."""
    for _ in range(240):
        try:
            with urllib.request.urlopen(address + "/healthz", timeout=10):
                return
        except urllib.error.HTTPError as error:
            problem = json.load(error).get("problem")
            if problem:
                pytest.fail(f"the server cannot run code: {problem}")
        time.sleep(0.25)
    pytest.fail("the server was not ready within a minute")


class Workbench:
    """The open page with the few gestures that every test makes."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def paste(self, source: str, wait: bool = True) -> None:
        """Replaces the text of the editor as a person does, and runs it by Ctrl-Enter."""
        content = self.page.locator(".editor .cm-content")
        content.click()
        self.page.keyboard.press("Control+a")
        # Typing would auto-indent and close brackets; a paste does not.
        self.page.evaluate(
            """text => {
              const data = new DataTransfer();
              data.setData("text/plain", text);
              document.querySelector(".editor .cm-content")
                .dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
            }""",
            source,
        )
        self.page.keyboard.press("Control+Enter")
        if wait:
            self.settled()

    def example(self, name: str) -> None:
        self.paste((EXAMPLES / f"{name}.py").read_text("utf-8"))

    def settled(self) -> None:
        """Waits until the last run has come to its end and what it gave is drawn."""
        self.page.wait_for_function(
            """() => {
              const status = document.querySelector('.status');
              return status && !status.classList.contains('running') && !document.querySelector(".viewer[aria-busy='true']");
            }"""
        )

    def idle(self) -> None:
        """Waits until what was asked for is drawn."""
        self.page.wait_for_selector(".viewer:not([aria-busy='true']) > svg [data-key]")

    def frames_pass(self) -> None:
        """Two animation frames: the camera moves in the next one."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def drawn(self) -> None:
        self.page.wait_for_selector(".viewer > svg [data-eqn]")

    @property
    def source(self) -> str:
        """The text in the editor as it was written: the hints about shapes stand among its lines and may come at any time."""
        lines: list[str] = self.page.locator(".editor .cm-line").evaluate_all(
            """lines => lines.map((line) => {
              const copy = line.cloneNode(true);
              for (const hint of copy.querySelectorAll(".cm-hint")) hint.remove();
              return copy.textContent;
            })"""
        )
        return "\n".join(lines)

    @property
    def status(self) -> str:
        return self.page.locator(".status .short").inner_text()

    def tab(self, name: str) -> None:
        self.page.locator(f"[role=tab][data-tab='{name}']").click()

    def panel(self, name: str) -> None:
        self.page.locator(f".details [role=tab][data-tab='{name}']").click()

    def equation(self, title: str) -> Locator:
        """The first box of the drawing with this title."""
        return self.page.locator(".viewer g[data-eqn]:has(> .jv-op), .viewer g.jv-toggle", has_text=title).first

    def select(self, title: str) -> None:
        """Clicks the title of an equation with a body."""
        self.page.locator(".viewer .jv-toggle text", has_text=title).first.click()

    def frame(self, path: str) -> dict[str, float]:
        """The border of an open body on screen."""
        return self.box_of(self.page.locator(f".viewer g[data-eqn='{path}'] > rect[class^='jv-frame']").last)

    def focused(self, attribute: str) -> str | None:
        found: str | None = self.page.evaluate("name => document.activeElement.getAttribute(name)", attribute)
        return found

    def box_of(self, locator: Locator) -> dict[str, float]:
        found = locator.bounding_box()
        assert found is not None
        return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}

    def box(self, selector: str) -> dict[str, float]:
        return self.box_of(self.page.locator(selector).first)


@pytest.fixture
def open_page(server: str, browser: Browser) -> Iterator[Callable[..., Workbench]]:
    """Opens the page: `open_page(width=..., height=..., color_scheme=..., wait=True)`."""
    contexts = []
    troubles: list[str] = []

    def open_it(
        width: int = 1600,
        height: int = 1000,
        color_scheme: str = "light",
        has_touch: bool = False,
        wait: bool = True,
        forgive: tuple[str, ...] = (),
    ) -> Workbench:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=color_scheme,  # type: ignore[arg-type]
            has_touch=has_touch,
            reduced_motion="reduce",
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(20_000)

        def heard(kind: str, text: str) -> None:
            if kind == "error" and not any(part in text for part in forgive):
                troubles.append(text)

        page.on("console", lambda message: heard(message.type, message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(server + "/")
        bench = Workbench(page)
        if wait:
            page.wait_for_selector(".editor .cm-content", state="attached")
            bench.settled()
            bench.drawn()
        return bench

    yield open_it
    for context in contexts:
        context.close()
    assert troubles == []
