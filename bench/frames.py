"""Large programs in the page: from the answer to the first paint, and frames while panning and zooming, against the goals.

A server and a Chromium of our own, software rendering. The reference of each row is its goal in milliseconds, so a ratio of one or less is
good. Times of tasks are processor time of the page's main thread (what else the machine does is noise on the wall clock); frames are wall
time. The first paint is of an answer that the server has already: what is measured is the page.
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from bench._table import Row, Table

ROOT = Path(__file__).parent.parent
STEP = 12
UNROLLED = """
import jax, jax.numpy as jnp
def f(w, u, x):
    for _ in range({steps}):
        h = jnp.tanh(x @ w)
        g = jax.lax.logistic(h * 2.0 + 1.0)
        x = g * h + (1.0 - g) * x
        x = x - 0.01 * jnp.dot(x, u)
    return x
jax.make_jaxpr(f)(jnp.ones((4, 4)), jnp.ones((4, 4)), jnp.ones((2, 4)))
"""
FRAME, TASK, TOGGLE = 1000 / 60, 50.0, 20.0
# What a toggle may take on any machine, in milliseconds, before it is said to have failed.
SHORT = 20_000
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]

# Sends the paste and answers with the milliseconds from the first line of the answer to the first box of the new drawing.
FIRST_PAINT = """source => new Promise((done) => {
  let answered = 0;
  const real = window.fetch;
  window.fetch = async (...given) => {
    const response = await real(...given);
    answered ||= performance.now();
    return response;
  };
  const old = document.querySelector('.viewer > svg');
  const watch = () => {
    const now = document.querySelector('.viewer > svg');
    const drawn = now !== old && (now?.querySelector('[data-key]') || document.querySelector('.viewer > canvas:not([hidden])'));
    if (!drawn) return requestAnimationFrame(watch);
    requestAnimationFrame(() => { window.fetch = real; done(performance.now() - answered); });
  };
  const data = new DataTransfer();
  data.setData('text/plain', source);
  const editor = document.querySelector('.editor .cm-content');
  editor.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  watch();
})"""
# Turns the wheel once a frame and answers with the intervals of the frames.
WHEEL = """([dx, dy, ctrlKey, count]) => new Promise((done) => {
  const { x, y, width, height } = document.querySelector('.viewer').getBoundingClientRect();
  const at = { clientX: x + width / 2, clientY: y + height / 2, deltaX: dx, deltaY: dy, ctrlKey, bubbles: true, cancelable: true };
  const times = [];
  const go = (now) => {
    times.push(now);
    if (times.length > count) return done(times.slice(1).map((time, i) => time - times[i]));
    document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new WheelEvent('wheel', at));
    requestAnimationFrame(go);
  };
  requestAnimationFrame(go);
})"""
# The groups and bodies in the picture that can be opened; bundled arguments are gone when they are open.
CLOSED = """() => [...document.querySelectorAll(".viewer [data-toggle][aria-expanded='false']")]
  .map((each) => each.dataset.key).filter((key) => !/^~(in|out)\\./.test(key))"""
OPEN = """([key, open]) => [...document.querySelectorAll('.viewer [data-toggle]')].some(
  (each) => each.dataset.key === key && (each.getAttribute('aria-expanded') === 'true') === open)"""
# Where one of them can be clicked without opening it, which from afar is at its end alone, and how far that is from the middle of the view.
WHERE = """key => {
  const found = [...document.querySelectorAll('.viewer [data-key]')].find((each) => each.dataset.key === key);
  const box = (found.querySelector('rect') ?? found).getBoundingClientRect();
  const view = document.querySelector('.viewer').getBoundingClientRect();
  const [x, y] = [box.right - 5, box.top + box.height / 2];
  return [x, y, x - view.left - view.width / 2, y - view.top - view.height / 2];
}"""
SETTLED = """() => {
  const status = document.querySelector('.status');
  return status && !status.classList.contains('running') && !document.querySelector(".viewer[aria-busy='true']");
}"""


@contextmanager
def server() -> Iterator[str]:
    command = [sys.executable, "-m", "visualizer.cli", "serve", "--port", "0", "--no-open", "--cpu-seconds", "120"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            found = next(found for line in process.stdout if (found := re.search(r"http://[\w.\[\]:-]+/", line)))
            yield found.group()
        finally:
            process.terminate()


class Bench:
    """The open page, and what its main thread spent."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._events: list[dict[str, Any]] = []
        self._cdp.on("Tracing.dataCollected", lambda data: self._events.extend(data["value"]))

    def settle(self) -> None:
        self.page.wait_for_timeout(200)
        self.page.wait_for_function(SETTLED)
        self.page.wait_for_timeout(400)

    def run(self, source: str) -> None:
        self.page.locator(".editor .cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.evaluate("text => document.execCommand('insertText', false, text)", source)
        self.page.keyboard.press("Control+Enter")
        # A known answer is there before anyone could look whether it is waited for.
        self.page.wait_for_timeout(300)
        self.settle()

    @contextmanager
    def tasks(self, into: list[float], workers: list[float] | None = None) -> Iterator[None]:
        """The processor milliseconds of each task of the page's main thread meanwhile, and of its workers."""
        self._events.clear()
        config = {"includedCategories": ["toplevel", "devtools.timeline"]}
        self._cdp.send("Tracing.start", {"transferMode": "ReportEvents", "traceConfig": config})
        yield
        over: list[object] = []
        self._cdp.once("Tracing.tracingComplete", lambda _: over.append(True))
        self._cdp.send("Tracing.end")
        while not over:
            self.page.wait_for_timeout(50)
        names = {(e["pid"], e["tid"]): e["args"]["name"] for e in self._events if e["name"] == "thread_name"}
        for task in self._events:
            name = names.get((task["pid"], task["tid"]), "")
            if not task["name"].endswith("RunTask"):
                continue
            if name == "CrRendererMain":
                into.append(task.get("tdur", 0) / 1000)
            elif workers is not None and name.startswith("DedicatedWorker"):
                workers.append(task.get("tdur", 0) / 1000)

    def frames(self, name: str) -> list[Row]:
        """Panning and zooming, near and far."""
        intervals: list[float] = []
        tasks: list[float] = []
        self.page.get_by_role("button", name="zoom to 100 %").click()
        self.settle()
        with self.tasks(tasks):
            for dx, dy, ctrl in ((0, 60, False), (0, 12, True), (30, 60, False), (0, 12, True), (0, 60, False), (0, -14, True)):
                intervals += self.page.evaluate(WHEEL, [dx, dy, ctrl, 40])
        return [
            Row(f"{name}: median frame / 60 a second", statistics.median(intervals), FRAME, 1.05),
            Row(f"{name}: longest task while moving / 50 ms", max(tasks), TASK, 1.0),
        ]

    def toggles(self, name: str, source: str) -> list[Row]:
        """Groups and bodies opened and closed by keyboard, each three times, the first of each kind wherever they stand: processor time of
        the worker, without the first time, and tasks of the page."""
        self.run(source)
        keys: list[str] = self.page.evaluate(CLOSED)
        tasks: list[float] = []
        rows: list[Row] = []
        for kind, some in (("group", [key for key in keys if key[0] == "~"]), ("body", [key for key in keys if key[0] != "~"])):
            times: list[float] = []
            for key in some[:3]:
                self.click(key)
                for turn in range(6):
                    worker: list[float] = []
                    with self.tasks(tasks, worker):
                        self.page.keyboard.press("Space")
                        self.turned(key, turn % 2 == 0)
                        self.settle()
                    if turn > 1:
                        times.append(sum(worker))
            rows.append(Row(f"{name}: processor time to toggle a {kind} / 20 ms", statistics.median(times), TOGGLE, 1.0))
        return [*rows, Row(f"{name}: longest task of a toggle / 50 ms", max(tasks), TASK, 1.0)]

    def turned(self, key: str, wanted: bool) -> None:
        """Waits until the key has opened or closed it."""
        try:
            self.page.wait_for_function(OPEN, arg=[key, wanted], timeout=SHORT)
        except TooLate:
            said = self.page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.tagName")
            raise SystemExit(f"Space did not {'open' if wanted else 'close'} {key} within {SHORT} ms; the keyboard is at: {said}") from None

    def click(self, key: str) -> None:
        """Brings it into the middle and clicks it beside its triangle."""
        _, _, dx, dy = self.page.evaluate(WHERE, key)
        view = self.page.locator(".viewer").bounding_box()
        assert view is not None
        self.page.mouse.move(view["x"] + view["width"] / 2, view["y"] + view["height"] / 2)
        self.page.mouse.wheel(dx, dy)
        self.settle()
        x, y, _, _ = self.page.evaluate(WHERE, key)
        self.page.mouse.click(x, y)

    def opened(self, name: str) -> list[Row]:
        """Everything open, group in group."""
        tasks: list[float] = []
        button = self.page.get_by_role("button", name="Open every body")
        with self.tasks(tasks):
            for _ in range(5):
                button.click()
                self.settle()
        return [Row(f"{name}: longest task while all opens / 50 ms", max(tasks), TASK, 1.0)]

    def first_paint(self, name: str, source: str, other: str, goal: float) -> list[Row]:
        """From the answer to the paint, of an answer that is known; another drawing stands there before.

        On the clock, and in processor time of the page and of its worker, which work at the same time: what other programs do to the clock
        says nothing of either.
        """
        self.run(source)
        self.run(other)
        self.page.locator(".editor .cm-content").click()
        self.page.keyboard.press("Control+a")
        tasks: list[float] = []
        workers: list[float] = []
        with self.tasks(tasks, workers):
            spent = self.page.evaluate(FIRST_PAINT, source)
        self.settle()
        return [
            Row(f"{name}: from the answer to the first paint / goal", float(spent), goal, 1.0),
            Row(f"{name}: processor time of the page meanwhile / goal", sum(tasks), goal, 1.0),
            Row(f"{name}: processor time of the worker meanwhile / goal", sum(workers), goal, 1.0),
            Row(f"{name}: longest task until the first paint / 50 ms", max(tasks), TASK, 1.0),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[1_000, 10_000, 50_000])
    options = parser.parse_args()
    transformer = (ROOT / "frontend" / "test" / "programs" / "transformer.py").read_text("utf-8")
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    table = Table("Large programs in the page (milliseconds; the reference is the goal)", 60)
    with server() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.set_default_timeout(240_000)
        for _ in range(240):
            try:
                urllib.request.urlopen(address + "healthz").close()
                break
            except OSError:
                page.wait_for_timeout(250)
        page.goto(address)
        page.wait_for_selector(".viewer svg [data-key]")
        bench = Bench(page)
        other = UNROLLED.format(steps=2)
        table.add(*bench.first_paint("transformer", transformer, other, 400))
        deep = transformer.replace("LAYERS, WIDTH, HEADS, TOKENS = 4,", "LAYERS, WIDTH, HEADS, TOKENS = 42,")
        table.add(*bench.toggles("6,500", deep))
        for size in options.sizes:
            source = UNROLLED.format(steps=round(size / STEP))
            if size >= 50_000:
                table.add(*bench.first_paint(f"{size:,}", source, other, 1000))
            else:
                bench.run(source)
            table.add(*bench.frames(f"{size:,} folded"))
            table.add(*bench.opened(f"{size:,}"))
            table.add(*bench.frames(f"{size:,} all open"))
        browser.close()


if __name__ == "__main__":
    main()
