"""Real sites of Sphinx: every builder, in parallel, with JAX running in the builder, and without JAX."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from visualizer.drawing._engine import BUNDLE

from .sites import ALT, CONF, OWN, PAGES, Page, saved, sphinx, write

pytest.importorskip("sphinx")
pytest.importorskip("furo")
pytest.importorskip("myst_parser")
# `make test-all` builds it twenty times.
TIMES = int(os.environ.get("SITES_TIMES", "1"))
pytestmark = [
    pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build"),
    pytest.mark.timeout(300 * (1 + TIMES)),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Built with `-j 4 -W`, by a builder in which JAX has run: whatever traced in a fork of it would never end."""
    for time in range(TIMES):
        folder = write(tmp_path_factory.mktemp("site") / "docs", {"conf.py": CONF, "own.py": OWN, **PAGES})
        saved(folder / "saved.json")
        sphinx(folder, "html", "-W", "-j", "4", RUN_JAX="1")
        print(f"built {time + 1} of {TIMES}")
    return folder


@pytest.fixture(scope="module")
def html(site):
    return site.parent / "out" / "html"


def traced(site):
    return sorted((site / "traced.txt").read_text().split())


def test_documents_are_read_in_parallel_by_processes_that_neither_trace_nor_draw(site):
    read = [line.split(" ") for line in (site / "read.txt").read_text().splitlines()]
    first = [(process, document, loaded) for process, document, loaded in read[: len(PAGES)]]
    assert {document for _, document, _ in first} == {name.rpartition(".")[0] for name in PAGES}
    assert len({process for process, _, _ in first}) >= 4
    assert {loaded for _, _, loaded in read} == {""}


def test_each_diagram_is_there_with_its_words_and_no_ids(site, html):
    assert traced(site) == ["code", "code", "own"]
    index = Page(html / "index.html")
    (image,) = index.diagrams()
    assert image["alt"] == ALT
    assert float(image["width"]) > 200
    assert index.of("figure", id="fig-scan")
    assert index.of("a", href="#fig-scan")
    (own,) = Page(html / "sub/own.html").diagrams()
    assert own["alt"].startswith("double: dataflow graph. Inputs x['a'].")
    assert own["style"] == "width: 50%"
    assert Page(html / "sub/own.html").of("div", id="fig-own")
    (inline,) = [tag for tag in Page(html / "sub/inline.html").of("svg", role="img") if "aria-label" in tag]
    assert inline["aria-label"] == "Saved inline"
    pictures = [path.read_text() for path in (html / "_images").glob("jaxpr-*.svg")]
    assert len(pictures) == 4
    inlined = re.findall(r'<svg [^>]*aria-label="Saved inline".*?</svg>', (html / "sub/inline.html").read_text(), re.DOTALL)
    for picture in (*pictures, *inlined):
        assert not re.search(r"\sid=|<script|foreignObject", picture)
    assert len(inlined) == 1


def test_the_code_is_shown_where_it_is_asked_for(html):
    assert "jax" in re.sub(r"<[^>]+>", "", (html / "index.html").read_text().split('id="fig-scan"')[0])
    assert "highlight" not in (html / "md.html").read_text().split("<article")[1].split("</article>")[0]


def test_a_diagram_follows_the_toggle_of_the_site(html):
    style = (html / "_static/jaxpr.css").read_text()
    assert '[data-theme="dark"] .jaxpr-diagram' in style
    assert any("jaxpr.css" in (link.get("href") or "") for link in Page(html / "index.html").of("link"))


def test_other_builders_trace_nothing_and_lose_no_words(site):
    before = traced(site)
    out = site.parent / "out"
    sphinx(site, "dirhtml", "-W", "-j", "4")
    for page in (out / "dirhtml").rglob("index.html"):
        for image in Page(page).diagrams():
            assert (page.parent / image["src"]).is_file(), page
    sphinx(site, "latex", "-W")
    tex = (out / "latex/site.tex").read_text()
    included = re.findall(r"\\sphinxincludegraphics(?:\[[^]]*\])?\{(jaxpr-\w+\.pdf)\}", tex)
    assert len(included) == 7
    assert all((out / "latex" / name).read_bytes().startswith(b"%PDF") for name in included)
    sphinx(site, "text", "-W")
    assert f"[diagram: {ALT}]" in " ".join((out / "text/index.txt").read_text().split())
    sphinx(site, "man", "-W")
    assert "[diagram: Saved img]" in (out / "man/site.1").read_text()
    assert traced(site) == before


def test_a_module_that_changes_is_traced_again_and_its_page_alone_is_written(site, html):
    shutil.rmtree(html / ".doctrees")
    sphinx(site, "html", "-W")
    before, times = traced(site), {path: path.stat().st_mtime_ns for path in html.rglob("*.html")}
    (site / "own.py").write_text(OWN.replace("* 2", "* 2 + 1"), encoding="utf-8")
    said = sphinx(site, "html", "-W")
    assert "0 added, 1 changed, 0 removed" in said
    assert sorted([*before, "own"]) == traced(site)
    assert html / "sub/own.html" in [path for path, then in times.items() if path.stat().st_mtime_ns != then]
    assert html / "sub/inline.html" not in [path for path, then in times.items() if path.stat().st_mtime_ns != then]
    (own,) = Page(html / "sub/own.html").diagrams()
    assert "2 boxes: mul, add" in own["alt"]


def test_saved_diagrams_need_no_jax(tmp_path):
    site = write(
        tmp_path / "docs", {"conf.py": 'extensions = ["visualizer.sphinx"]', "index.rst": f"Site\n====\n\n{PAGES['sub/img0.rst']}"}
    )
    saved(site / "saved.json")
    write(tmp_path, {"none/jax/__init__.py": "raise ImportError('there is no jax here')"})
    sphinx(site, "html", "-W", first=str(tmp_path / "none"))
    (image,) = Page(tmp_path / "out/html/index.html").diagrams()
    assert image["alt"] == "Saved img"


FAULTS = {
    "\n\n   x = 1\n   y = 1 / 0\n   y": (6, "ZeroDivisionError: division by zero"),
    "\n\n   x = 1\n   def": (6, "SyntaxError: invalid syntax"),
    "\n\n   x = 1": (5, "It does not end in an expression."),
    "\n\n   1": (5, "is of type int, which is no diagram"),
    "": (3, "It is empty."),
    "\n   y = f(\n   )": (3, "Code stands below an empty line"),
    " nothing.json": (3, "There is no file nothing.json here."),
    " what is this": (3, "neither a function (package.module:function) nor a saved diagram"),
    " plain:f\n   :args: open('stolen.txt', 'w')": (3, "is no list of types"),
    " plain:missing": (3, "AttributeError: module 'plain' has no attribute 'missing'"),
}


def test_a_failure_is_a_warning_with_its_line_and_leaves_the_code(tmp_path):
    pages = {f"p{at}.rst": f"P\n=\n.. jaxpr::{text}\n" for at, text in enumerate(FAULTS)}
    conf = "import sys, os\nsys.path.insert(0, os.path.dirname(__file__))\n"
    conf += 'extensions = ["visualizer.sphinx", "myst_parser", "sphinx.ext.autodoc"]\nshow_warning_types = True\n'
    site = write(
        tmp_path / "docs",
        {"conf.py": conf, "plain.py": "def f(): pass", **pages, "index.rst": "I\n=\n\n.. toctree::\n   :glob:\n\n   p*\n"},
    )
    inner = "A function.\n\n    .. jaxpr::\n\n       x = 1\n       x / 0\n    "
    write(site, {"faulty.py": f'def f():\n    """{inner}"""\n', "pdoc.rst": "D\n=\n\n.. autofunction:: faulty.f\n"})
    write(site, {"pmyst.md": "# M\n\n```{jaxpr}\n:align: left\n\nx = 1\n\nx / 0\n```\n"})
    said = sphinx(site, "html", "-j", "4").splitlines()
    assert any("docstring of faulty.f:6: WARNING: jaxpr: ZeroDivisionError" in one for one in said)
    assert any("pmyst.md:8: WARNING: jaxpr: ZeroDivisionError" in one for one in said)
    for at, (line, message) in enumerate(FAULTS.values()):
        (found,) = [one for one in said if f"p{at}.rst:" in one]
        assert f"p{at}.rst:{line}: WARNING: jaxpr: " in found
        assert message in found
        assert found.endswith("[jaxpr.trace]")
    assert not (site / "stolen.txt").exists()
    assert "1 / 0" in re.sub(r"<[^>]+>", "", (tmp_path / "out/html/p0.html").read_text())
    assert not list(Path(tmp_path / "out/html").rglob("jaxpr-*.svg"))
