"""An SVG made into pixels by everything that readers' tools use: resvg, CairoSVG, librsvg, Chromium and Firefox.

Promises: light system colours, white paper, one pixel for each of the picture's own; a renderer that is not here is named, with the way
to get it.
"""

from __future__ import annotations

import functools
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from PIL import Image

from tests.chromium import FLAGS, executable
from visualizer.drawing._raster import FONTS

FIREFOXES = ("firefox-esr", "firefox")
GAP = 8


def missing(renderer: str) -> str | None:
    """What to do where a renderer is not on this machine, or None."""
    if renderer == "rsvg" and shutil.which("rsvg-convert") is None:
        return "no rsvg-convert: sh scripts/setup_renderers.sh (apt: librsvg2-bin)"
    if renderer == "chromium" and executable() is None:
        return "no Chromium on the path: apt install chromium"
    if renderer == "firefox" and not any(map(shutil.which, FIREFOXES)):
        return "no Firefox: sh scripts/setup_firefox.sh (apt: firefox-esr); `make test-all` does so"
    return None


def painted(renderer: str, svgs: Sequence[str]) -> list[Image.Image]:
    """The pictures as pixels, in order."""
    if renderer in _TOGETHER:
        return _TOGETHER[renderer](svgs)
    return [opaque(_ONE[renderer](svg)) for svg in svgs]


def size(svg: str) -> tuple[int, int]:
    """Of a picture, in whole pixels."""
    found = re.search(r'width="([\d.]+)" height="([\d.]+)"', svg)
    assert found is not None
    return round(float(found[1])), round(float(found[2]))


def opaque(png: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(png)).convert("RGBA")
    paper = Image.new("RGBA", image.size, "white")
    paper.alpha_composite(image)
    return paper.convert("RGB")


def _resvg(svg: str) -> bytes:
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=svg))


def _cairo(svg: str) -> bytes:
    import cairosvg

    made = cairosvg.svg2png(bytestring=svg.encode())
    assert isinstance(made, bytes)
    return made


def cairo_with_inter(svg: str) -> Image.Image:
    """CairoSVG asks for the first family alone and fits no text: as it draws where that family is there."""
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "fonts.conf"
        config.write_text(
            f'<?xml version="1.0"?><fontconfig><dir>{FONTS}</dir><cachedir>{folder}</cachedir></fontconfig>', encoding="utf-8"
        )
        done = subprocess.run(
            [sys.executable, "-m", "cairosvg", "-f", "png", "-"],
            input=svg.encode(),
            capture_output=True,
            check=True,
            timeout=120,
            env={**os.environ, "FONTCONFIG_FILE": str(config)},
        )
    return opaque(done.stdout)


def _rsvg(svg: str) -> bytes:
    return subprocess.run(["rsvg-convert"], input=svg.encode(), capture_output=True, check=True, timeout=60).stdout


def _page(folder: Path, svgs: Sequence[str]) -> tuple[Path, int, int]:
    """All pictures below each other, as images: so do GitHub and documentation sites show them."""
    shown = []
    for at, svg in enumerate(svgs):
        (folder / f"{at}.svg").write_text(svg, encoding="utf-8")
        width, height = size(svg)
        shown.append(f'<img src="{at}.svg" width="{width}" height="{height}" style="display:block;margin-bottom:{GAP}px">')
    page = folder / "index.html"
    page.write_text(f'<!doctype html><meta charset="utf-8"><body style="margin:0">{"".join(shown)}', encoding="utf-8")
    return page, max(size(svg)[0] for svg in svgs), sum(size(svg)[1] + GAP for svg in svgs)


def _cut(png: bytes, svgs: Sequence[str]) -> list[Image.Image]:
    whole = opaque(png)
    found, top = [], 0
    for svg in svgs:
        width, height = size(svg)
        found.append(whole.crop((0, top, width, top + height)))
        top += height + GAP
    return found


def _chromium(svgs: Sequence[str]) -> list[Image.Image]:
    path = executable()
    assert path is not None
    with tempfile.TemporaryDirectory() as folder:
        page, width, height = _page(Path(folder), svgs)
        out = Path(folder) / "shot.png"
        # A process of its own: the tests of the page hold the one that is driven.
        command = [path, "--headless", *FLAGS, "--hide-scrollbars", f"--user-data-dir={folder}/profile", f"--window-size={width},{height}"]
        subprocess.run([*command, f"--screenshot={out}", page.as_uri()], check=True, capture_output=True, timeout=120)
        made = out.read_bytes()
    return _cut(made, svgs)


def _firefox(svgs: Sequence[str]) -> list[Image.Image]:
    executable = next(filter(None, map(shutil.which, FIREFOXES)))
    with tempfile.TemporaryDirectory() as folder:
        page, width, height = _page(Path(folder), svgs)
        profile = Path(folder) / "profile"
        profile.mkdir()
        (profile / "user.js").write_text('user_pref("layout.css.prefers-color-scheme.content-override", 1);\n', encoding="utf-8")
        out = Path(folder) / "shot.png"
        command = [executable, "--headless", "--no-remote", "--profile", str(profile), f"--window-size={width},{height}"]
        subprocess.run(
            [*command, "--screenshot", str(out), page.as_uri()],
            check=True,
            capture_output=True,
            timeout=240,
            env={**os.environ, "HOME": folder, "MOZ_DISABLE_CONTENT_SANDBOX": "1"},
        )
        return _cut(out.read_bytes(), svgs)


_ONE: dict[str, Callable[[str], bytes]] = {"resvg": _resvg, "cairo": _cairo, "rsvg": _rsvg}
_TOGETHER: dict[str, Callable[[Sequence[str]], list[Image.Image]]] = {"chromium": _chromium, "firefox": _firefox}
RENDERERS = (*_ONE, *_TOGETHER)


@functools.cache
def painted_once(renderer: str, svgs: tuple[str, ...]) -> tuple[Image.Image, ...]:
    """As `painted`; the same pictures are made once in a run."""
    return tuple(painted(renderer, svgs))
