"""The PDF of a site, really typeset where there is a TeX: the pictures are in it, in their place and on the page."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from PIL import Image

from visualizer.drawing._engine import BUNDLE

from .sites import sphinx, write
from .themes import TRACE

pytest.importorskip("sphinx")
pytestmark = [
    pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build"),
    pytest.mark.skipif(
        not all(map(shutil.which, ("pdflatex", "latexmk", "pdftoppm"))),
        reason="no TeX here: apt-get install texlive-latex-extra texlive-fonts-recommended tex-gyre latexmk poppler-utils",
    ),
]
CONF = """
project = "Site"
extensions = ["visualizer.sphinx"]
numfig = True
latex_documents = [("index", "site.tex", "Site", "A", "howto")]
"""
INDEX = """
Site
====

.. jaxpr:: /saved.json
   :name: fig-a
   :caption: A *scan*, 50% & "more_of" it: #1 {x} ~ ^ \\\\.
   :alt: 50% of \\ one_with #signs & {braces} ~ ^ $x$

See :numref:`fig-a`.

.. jaxpr::
   :caption: A tall one with its caption.

   import jax.numpy as jnp

   def f(x):
       for _ in range(24):
           x = jnp.sin(x) * jnp.cos(x)
       return x

   trace(f, f32[3])

.. jaxpr:: /saved.json
   :depth: 0
   :align: right
   :width: 40%
   :caption: At a side.

Text that goes around it.
"""


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    docs = write(tmp_path_factory.mktemp("tex") / "docs", {"conf.py": CONF, "index.rst": INDEX})
    shutil.copyfile(TRACE, docs / "saved.json")
    sphinx(docs, "latex", "-W")
    folder = docs.parent / "out" / "latex"
    command = ["latexmk", "-pdf", "-interaction=nonstopmode", "-halt-on-error", "site.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=200)
    missing = re.search(r"File `([\w-]+\.sty)' not found", done.stdout)
    if missing is not None:
        pytest.skip(f"this TeX is not all that Sphinx wants: there is no {missing[1]}. apt-get install texlive-latex-extra")
    assert done.returncode == 0, done.stdout[-3000:]
    return folder


def test_it_is_typeset_without_a_complaint_about_the_pictures(out):
    log = (out / "site.log").read_text(errors="replace").replace("\n", " ")
    for complaint in ("PDF inclusion", "Float too large", "Overfull", "undefined", "LaTeX Error"):
        assert complaint not in log
    assert len(re.findall(r"<use\s+jaxpr-\w+\.pdf>|<\./jaxpr-\w+\.pdf>", log)) >= 3


def test_each_picture_is_on_its_page(out):
    """In colour, and above the line of the footer, which nothing stands on."""
    subprocess.run(["pdftoppm", "-r", "40", "-png", "site.pdf", "page"], cwd=out, check=True, timeout=60)
    coloured = 0
    for path in sorted(out.glob("page-*.png")):
        page = Image.open(path).convert("RGB")
        coloured += any(max(color) - min(color) > 60 for _, color in page.getcolors(page.width * page.height))
        below = page.crop((0, int(page.height * 0.955), page.width, page.height))
        assert below.getcolors(10) == [(below.width * below.height, (255, 255, 255))]
    assert coloured >= 2
    words = subprocess.run(
        ["pdftotext", "-layout", "site.pdf", "-"], cwd=out, capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert re.search(r"Fig\. 1: A scan, 50% & “more_of” it: #1 \{x\}", words)
    assert "See Fig. 1." in words
    assert "sin" in words
