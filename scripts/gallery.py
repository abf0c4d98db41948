"""Draw every example as a picture: out/gallery/*.svg (light, dark), PNGs of them where there is a Chromium, and an index.html.

    python scripts/gallery.py [NAME ...] [--no-png]
    python scripts/gallery.py --docs        # only docs/grad_of_scan.svg, which the README shows; a test of the frontend holds it equal

The programs are the traces of the frontend's tests (scripts/fixtures.py), as they open at first and all open; modules where they are there.
"""

from __future__ import annotations

import argparse
import html
import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from visualizer.drawing import DrawingError, draw, draw_module

ROOT = Path(__file__).resolve().parent.parent
TRACES = ROOT / "frontend" / "test" / "traces"
OUT = ROOT / "out" / "gallery"
README_PICTURE = ROOT / "docs" / "grad_of_scan.svg"
README_TITLE = "The gradient of a scan: forward on the left, backward on the right"
ALL_OPEN_LIMIT = 400
"""Programs with more equations than this are not drawn all open: nobody would look at it."""
PNG_LIMIT = 16_000
"""Pixels; Chromium refuses larger screenshots."""


@dataclass(frozen=True)
class Picture:
    """One picture of the gallery, in both themes."""

    name: str
    title: str
    light: str
    dark: str


def pictures(only: list[str]) -> Iterator[Picture]:
    """Everything there is to draw, in the order of the names."""
    for path in sorted(TRACES.glob("*.json")):
        if only and path.stem not in only:
            continue
        programs = json.loads(path.read_text())["programs"]
        for index, program in enumerate(programs):
            yield from of_program(path.stem + (f"-{index}" if len(programs) > 1 else ""), program)


def of_program(name: str, program: dict[str, Any]) -> Iterator[Picture]:
    """As it opens, closed, all open, and its lowered modules."""
    title = str(program["name"])
    equations = sum(len(jaxpr["eqns"]) for jaxpr in program["jaxprs"].values())
    yield Picture(name, title, draw(program), draw(program, theme="dark"))
    if len(program["jaxprs"]) > 1:
        yield Picture(f"{name}.closed", f"{title}, closed", draw(program, open="none"), draw(program, open="none", theme="dark"))
        if equations <= ALL_OPEN_LIMIT:
            yield Picture(f"{name}.all", f"{title}, all open", draw(program, open="all"), draw(program, open="all", theme="dark"))
    for dialect, module in program["modules"].items():
        yield Picture(f"{name}.{dialect}", f"{title}, {dialect}", draw_module(module), draw_module(module, theme="dark"))


def write_index(drawn: list[Picture]) -> None:
    """One page that shows them all."""
    rows = [
        f'<section><h2>{html.escape(p.name)}: {html.escape(p.title)}</h2><div><img src="{html.escape(p.name)}.light.svg" alt="">'
        f'</div><div class="dark"><img src="{html.escape(p.name)}.dark.svg" alt=""></div></section>'
        for p in drawn
    ]
    style = "body{font:14px system-ui;margin:24px}div{overflow:auto;padding:8px}.dark{background:#15181d}img{max-width:100%}"
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Gallery</title>'
    page = f"{head}<style>{style}</style><h1>Gallery</h1>{''.join(rows)}"
    (OUT / "index.html").write_text(page, encoding="utf-8")


def write_pngs(paths: list[Path]) -> int:
    """Screenshots of the SVGs; 0 when there is no browser to take them."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        return 0
    browser_path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=browser_path, args=flags)
        except Error:
            return 0
        page = browser.new_page()
        count = 0
        for path in paths:
            text = path.read_text(encoding="utf-8")
            width, height = (int(float(text.split(f' {side}="', 1)[1].split('"', 1)[0])) for side in ("width", "height"))
            if max(width, height) > PNG_LIMIT:
                continue
            page.set_viewport_size({"width": width, "height": height})
            page.set_content(f'<body style="margin:0">{text}</body>')
            page.screenshot(path=str(path.with_suffix(".png")))
            count += 1
        browser.close()
    return count


def write_readme_picture() -> None:
    """The opening example as it opens, in the colours of the reader's system."""
    [program] = json.loads((TRACES / "01_grad_of_scan.json").read_text())["programs"]
    README_PICTURE.write_text(draw(program, theme="auto", title=README_TITLE) + "\n", encoding="utf-8")


def main() -> int:
    """Exit code 0, or 1 with a sentence when nothing could be drawn."""
    parser = argparse.ArgumentParser(description="Draw every example as a picture into out/gallery.")
    parser.add_argument("names", nargs="*", help="traces to draw, by the stem of their file; all by default")
    parser.add_argument("--no-png", action="store_true", help="SVG only")
    parser.add_argument("--docs", action="store_true", help=f"write {README_PICTURE.relative_to(ROOT)} and nothing else")
    options = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    try:
        if options.docs:
            write_readme_picture()
            return 0
        drawn = list(pictures(options.names))
    except DrawingError as error:
        print(error, file=sys.stderr)
        return 1
    paths = []
    for picture in drawn:
        for theme in ("light", "dark"):
            path = OUT / f"{picture.name}.{theme}.svg"
            path.write_text(getattr(picture, theme), encoding="utf-8")
            paths.append(path)
    write_index(drawn)
    shots = 0 if options.no_png else write_pngs(paths)
    print(f"{len(paths)} pictures and {shots} PNGs in {OUT.relative_to(ROOT)}; open {(OUT / 'index.html').relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
