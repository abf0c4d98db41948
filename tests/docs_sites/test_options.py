"""Every option of the directive, as an author means it, and every bad value with its file and line."""

from __future__ import annotations

import re
import shutil

import pytest

from visualizer.drawing._engine import BUNDLE

from .sites import Page, sphinx, write
from .themes import TRACE

pytest.importorskip("sphinx")
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")
CONF = """
import os, sys
sys.path.insert(0, os.path.dirname(__file__))
project = "Site"
extensions = ["visualizer.sphinx"]
numfig = True
"""
MODULE = '''
def inner(x):
    return x.reshape(7)


def raises(x):
    """The line of the reshape is the one to look at."""
    return inner(x) + 1


def plain(x, n: int = 2):
    return x * n
'''
INDEX = """
Site
====

.. jaxpr:: /saved.json
   :name: named

.. jaxpr:: saved.json
   :caption: A *caption*, "quoted" & ``code`` of :ref:`that <named>`.
   :name: captioned
   :alt: Said "so" & <so>
   :class: one two

See :numref:`captioned` and :ref:`this <named>`.

.. jaxpr:: /saved.json
   :depth: 0
   :title: A title
   :width: 300

.. jaxpr:: /saved.json
   :depth: 1
   :mode: inline
   :width: 50%

.. jaxpr:: /saved.json
   :level: stablehlo
   :align: center

.. jaxpr:: library:plain
   :args: f32[3], 4
   :show-source:
   :align: left

.. jaxpr::
   :show-source:

   from library import plain

   plain  # is shown, too

   trace(plain, f32[3])

.. jaxpr:: library:plain
   :args: f32[3]
   :direction: LR
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    site = write(tmp_path_factory.mktemp("options") / "docs", {"conf.py": CONF, "library.py": MODULE, "index.rst": INDEX})
    shutil.copyfile(TRACE, site / "saved.json")
    sphinx(site, "html", "-W")
    return site.parent / "out" / "html" / "index.html"


def test_names_and_captions_are_those_of_figures(page):
    found = Page(page)
    text = page.read_text()
    assert "jaxpr-diagram" in found.of("div", id="named")[0]["class"]
    (figure,) = found.of("figure", id="captioned")
    assert set(figure["class"].split()) == {"align-default", "jaxpr-figure"}
    assert re.search(r"<figcaption>.*A <em>caption</em>, “quoted” &amp; <code.*?code.*?</code> of <a [^>]*href=\"#named\"", text, re.DOTALL)
    assert len(found.of("a", href="#captioned")) >= 1
    assert "Fig. 1" in re.sub(r"<[^>]+>", "", text.split("See ")[1])[:10]


def test_words_and_classes_reach_the_picture(page):
    first, second, *_ = Page(page).diagrams()
    assert first["alt"].startswith("loss: dataflow graph. Inputs ")
    assert second["alt"] == 'Said "so" & <so>'
    boxes = [div for div in Page(page).of("div") if "jaxpr-diagram" in (div.get("class") or "")]
    assert set(boxes[1]["class"].split()) == {"align-default", "jaxpr-diagram", "one", "two"}
    aligned = [*["align-default"] * 4, "align-center", "align-left", "align-default", "align-default"]
    assert all(name in box["class"].split() for name, box in zip(aligned, boxes, strict=True))


def test_depth_level_title_and_width_are_those_of_the_picture(page):
    images = Page(page).diagrams()
    assert images[2]["alt"].startswith("A title: dataflow graph. ")
    assert "Open:" not in images[2]["alt"]
    assert images[2]["style"] == "width: 300px"
    assert "width" not in images[2]
    (inline,) = [svg for svg in Page(page).of("svg", role="img") if "aria-label" in svg]
    assert "Open: scan" in inline["aria-label"]
    assert inline["style"].startswith("width:50%;")
    assert images[3]["alt"].startswith("loss: stablehlo")
    down, right = (tuple(float(image[side]) for side in ("width", "height")) for image in images[-2:])
    assert down[0] < down[1]
    assert right[0] > right[1]


def test_the_source_is_that_of_the_function_or_the_body(page):
    blocks = re.findall(r"<pre>(.*?)</pre>", page.read_text(), re.DOTALL)
    function, body = (re.sub(r"<[^>]+>", "", block) for block in blocks)
    assert function.strip() == "def plain(x, n: int = 2):\n    return x * n"
    assert body.strip() == "from library import plain\n\nplain  # is shown, too\n\ntrace(plain, f32[3])"


BAD = {
    ":depth: -1": "negative value; must be positive or zero",
    ":depth: deep": "invalid literal for int",
    ":align: middle": "It is one of left, center, right.",
    ":width: wide": "is no valid measure",
    ":level: cuda": "It is one of jaxpr, stablehlo, hlo.",
    ":mode:": "It is one of inline, img.",
    ":direction: up": "It is one of TB, LR.",
    ":show-source: yes": "no argument is allowed",
    ":colour: red": 'unknown option: "colour"',
    ":level: hlo": "loss has no hlo here. What it has: jaxpr, stablehlo.",
    ":show-source:": ":show-source: has nothing to show",
}
BODIES = {
    "library:raises\n   :args: f32[3]": (5, "TypeError: cannot reshape array of shape (3,)", "(library.py, line 3)"),
    "library:plain\n   :args: f32[3], f32[4]": (5, "TypeError: mul got incompatible shapes", "(library.py, line 12)"),
    "library:plain": (5, "TypeError: plain() missing 1 required positional argument: 'x'", ""),
    "nothing:plain": (5, "ModuleNotFoundError: No module named 'nothing'", ""),
    "\n\n   print('x')": (7, "Its last expression is of type NoneType, which is no diagram.", ""),
    "\n\n   from library import raises\n   trace(raises, f32[3])": (8, "TypeError: cannot reshape", "(library.py, line 3)"),
}


def test_what_is_wrong_is_told_with_its_file_and_line(tmp_path):
    pages = {f"o{at}.rst": f"O\n=\n\nText.\n\n.. jaxpr:: /saved.json\n   {option}\n" for at, option in enumerate(BAD)}
    pages |= {f"b{at}.rst": f"B\n=\n\n\n.. jaxpr:: {body}\n" for at, body in enumerate(BODIES)}
    index = "I\n=\n\n.. toctree::\n   :glob:\n\n   o*\n   b*\n"
    site = write(tmp_path / "docs", {"conf.py": CONF, "library.py": MODULE, "index.rst": index, **pages})
    shutil.copyfile(TRACE, site / "saved.json")
    said = sphinx(site, "html", "-j", "4", "--keep-going", "-W", code=1)
    for at, message in enumerate(BAD.values()):
        (found,) = re.findall(rf"o{at}\.rst:6: (?:ERROR|WARNING): (.*(?:\n.*){{0,3}})", said)
        assert message in found
        assert "jaxpr" in found
    for at, (line, message, where) in enumerate(BODIES.values()):
        (found,) = re.findall(rf"b{at}\.rst:{line}: WARNING: jaxpr: (.*)", said)
        assert message in found
        assert where in found
        assert str(site) not in found
