"""The documentation as a site: it builds without a warning, and nothing in it leads nowhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import pytest

from visualizer.drawing._engine import BUNDLE

from .blocks import DOCS, PAGES, ROOT

pytest.importorskip("furo")
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


class Page(HTMLParser):
    """Links, images and targets of a page."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.targets: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.append(given["href"] or "")
        if tag == "img":
            self.images.append(given)
        self.targets.update(value for key in ("id", "name") if (value := given.get(key)))


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built once. Pictures that `make docs` has drawn are not drawn again."""
    out = tmp_path_factory.mktemp("site") / "html"
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-n", "--keep-going", "-j", "2", "-b", "html"]
    command += ["-D", f"jaxpr_cache_dir={ROOT / 'out/docs/.jaxpr_cache'}", str(DOCS), str(out)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "NO_COLOR": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=280)
    assert done.returncode == 0, done.stderr[-4000:]
    return out


@pytest.fixture(scope="module")
def pages(site):
    return {path.relative_to(site): Page(path) for path in site.rglob("*.html") if "_static" not in path.parts}


def test_every_link_inside_leads_somewhere(site, pages):
    lost = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            file, target = urldefrag(link)
            there = (path.parent / unquote(file)) if file else path
            there = Path(os.path.normpath(there))
            if not (site / there).is_file() or (target and there in pages and unquote(target) not in pages[there].targets):
                lost.append(f"{path}: {link}")
    assert lost == []


def test_every_image_has_words(pages):
    silent = [f"{path}: {image.get('src')}" for path, page in pages.items() for image in page.images if not image.get("alt")]
    assert silent == []


def test_every_page_is_short_and_in_the_table_of_contents(pages):
    lengths = sorted(len(page.read_text("utf-8").splitlines()) for page in PAGES)
    assert lengths[len(lengths) // 2] <= 80
    assert len(pages) >= len(PAGES)


def test_screenshots_are_there_in_both_themes_and_small():
    named = {match for page in PAGES for match in re.findall(r"images/([\w.-]+\.webp)", page.read_text("utf-8"))}
    there = {path.name: path.stat().st_size for path in (DOCS / "images").glob("*")}
    assert set(there) == named
    assert {name for name in named if name.replace(".light.", ".dark.") not in named} == set()
    assert {name: size for name, size in there.items() if size > 200_000} == {}
