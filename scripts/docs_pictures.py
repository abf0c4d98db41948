"""Take the screenshots of the documentation from the real page in Chromium, light and dark.

    python scripts/docs_pictures.py [NAME ...]     # all by default

Pictures are docs/images/NAME.light.webp and NAME.dark.webp. Look at what changed before you commit it.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
IMAGES = DOCS / "images"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
SCALE = 1.5
Step = Callable[[Any], None]


@dataclass(frozen=True)
class Shot:
    """One picture: what is pasted, what is done then, how large the window is, and the part of the page that is taken."""

    program: str
    steps: tuple[Step, ...] = ()
    size: tuple[int, int] = (1120, 680)
    part: str | None = None


def box(text: str, at: int = 0) -> Step:
    """Click the title of a box on the graph."""
    return lambda page: page.locator(".viewer .jv-toggle text", has_text=re.compile(rf"^{re.escape(text)}")).nth(at).click()


def tab(name: str) -> Step:
    """Go to a level."""
    return lambda page: page.get_by_role("tab", name=name, exact=True).click()


def share(name: str) -> Step:
    """Open the dialog at a format, and wait for its preview."""

    def step(page: Any) -> None:
        page.get_by_role("button", name="Share…").click()
        page.get_by_role("tab", name=name, exact=True).click()
        page.wait_for_selector(".share-preview img, .share-preview svg")

    return step


def point_away(page: Any) -> None:
    """No card and no light under the pointer."""
    page.mouse.move(2, 2)


SHOTS = {
    "first": Shot("smooth.py"),
    "scan": Shot("smooth.py", (box("scan"),), (1120, 860)),
    "backward": Shot("miss.py", (box("scan", -1),), (1120, 860)),
    "side-by-side": Shot("smooth.py", (tab("Side by side"),), (1280, 640)),
    "share": Shot("smooth.py", (share("SVG"),), (1120, 760)),
}


def paste(page: Any, source: str) -> None:
    """Replace the code as a person does, run it, and wait for the picture."""
    page.locator(".editor .cm-content").click()
    page.keyboard.press("Control+a")
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
          document.querySelector(".editor .cm-content").dispatchEvent(event);
        }""",
        source,
    )
    page.keyboard.press("Control+Enter")
    settled(page)


def settled(page: Any) -> None:
    """Wait until nothing is traced, laid out or moved any more."""
    page.wait_for_function(
        """() => {
          const status = document.querySelector('.status');
          return status && !status.classList.contains('running') && !document.querySelector(".viewer[aria-busy='true']");
        }"""
    )
    page.wait_for_selector(".viewer svg [data-key]")


def take(page: Any, shot: Shot) -> bytes:
    """The picture as WebP."""
    from PIL import Image

    paste(page, (DOCS / "tutorial" / shot.program).read_text("utf-8"))
    # The caret blinks, and a long line may be scrolled to its end.
    page.keyboard.press("Control+Home")
    page.evaluate("document.activeElement.blur()")
    for step in shot.steps:
        step(page)
    point_away(page)
    page.wait_for_timeout(700)
    whole = page.locator(shot.part).screenshot() if shot.part else page.screenshot()
    packed = io.BytesIO()
    # Lossless: a palette would make a violet line grey.
    Image.open(io.BytesIO(whole)).convert("RGB").save(packed, "WEBP", lossless=True, quality=100, method=6)
    return packed.getvalue()


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of our own."""
    command = [sys.executable, "-m", "visualizer.cli", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            found = next((match.group() for line in process.stdout if (match := re.search(r"http://[\w.:-]+/", line))), None)
            if found is None:
                raise SystemExit("the server ended before it said its address")
            yield found
        finally:
            process.terminate()


def main(names: list[str]) -> int:
    from playwright.sync_api import sync_playwright

    if unknown := set(names) - set(SHOTS):
        print(f"There is no {', '.join(sorted(unknown))}. There are {', '.join(SHOTS)}.", file=sys.stderr)
        return 2
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    IMAGES.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        for name, shot in SHOTS.items():
            if names and name not in names:
                continue
            for theme in ("light", "dark"):
                width, height = shot.size
                context = browser.new_context(
                    viewport={"width": width, "height": height}, device_scale_factor=SCALE, color_scheme=theme, reduced_motion="reduce"
                )
                page = context.new_page()
                page.goto(address)
                page.wait_for_selector(".cm-content")
                data = take(page, shot)
                (IMAGES / f"{name}.{theme}.webp").write_bytes(data)
                print(f"docs/images/{name}.{theme}.webp: {len(data):,} bytes")
                context.close()
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
