"""The plugin of MyST, spoken to as MyST speaks to it (a process, JSON in and out), and a book that MyST itself builds without a network.

Its themes are fetched when they are used, so what is built is an article in JATS, which needs none.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

from visualizer.drawing._engine import BUNDLE

from .sites import ALT, ROOT, saved, write

pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


def plugin(folder, *arguments, given=None, code=0):
    command = [sys.executable, "-m", "visualizer.integrations._myst", *arguments]
    data = None if given is None else json.dumps(given)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, input=data, capture_output=True, text=True, env=env, timeout=60)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout) if code == 0 else done.stderr


def directive(folder, arg=None, body=None, **options):
    return plugin(folder, "--directive", "jaxpr", given={"name": "jaxpr", "arg": arg, "body": body, "options": options})


def picture(image):
    head, _, data = image["url"].partition(",")
    assert head == "data:image/svg+xml;base64"
    return base64.b64decode(data).decode()


def test_alone_it_says_what_it_has(tmp_path):
    found = plugin(tmp_path)
    (only,) = found["directives"]
    assert only["name"] == "jaxpr"
    assert {"caption", "alt", "label", "align", "args"} <= set(only["options"])
    assert all(option["type"] in ("string", "number", "boolean", "myst") for option in only["options"].values())


def test_a_directive_is_a_figure_with_alt_caption_and_label(tmp_path):
    caption = [{"type": "text", "value": 'By "MyST"'}]
    body = "print('in the way')\n\ndef f(x):\n    return x * 2\n\ntrace(f, f32[3])"
    code, figure = directive(tmp_path, body=body, caption=caption, label="Fig-X", alt='A "box" & <x>', **{"show-source": True})
    assert code == {"type": "code", "lang": "python", "value": body}
    assert (figure["kind"], figure["identifier"], figure["label"]) == ("figure", "fig-x", "Fig-X")
    image, said = figure["children"]
    assert image["alt"] == 'A "box" & <x>'
    assert said["children"][0]["children"] == caption
    assert " id=" not in picture(image)
    assert 'aria-label="A &quot;box&quot; &amp; &lt;x&gt;"' in picture(image)


def test_a_saved_diagram_has_its_own_words(tmp_path):
    saved(tmp_path / "saved.json")
    (figure,) = directive(tmp_path, arg="saved.json", width="40%")
    (image,) = figure["children"]
    assert image["width"] == "40%"
    assert image["alt"].startswith("<lambda>: dataflow graph. Inputs x.")


def test_what_cannot_be_drawn_is_an_error_on_the_page_with_its_code(tmp_path):
    told, code = directive(tmp_path, body="x = 1\nx / 0")
    assert (told["type"], told["kind"]) == ("admonition", "error")
    assert told["children"][1]["children"][0]["value"] == "jaxpr: ZeroDivisionError: division by zero (line 2 of its code)"
    assert code["value"] == "x = 1\nx / 0"
    told, _ = directive(tmp_path, arg="nothing.json")
    assert "neither a function" in told["children"][1]["children"][0]["value"]


def test_bad_options_are_told_on_the_page(tmp_path):
    saved(tmp_path / "saved.json")
    for option, message in {
        "align": "align is 'up'; it is one of left, center, right.",
        "level": "level is 'up'; it is one of jaxpr, stablehlo, hlo.",
        "direction": "direction is 'up'; it is one of TB, LR.",
    }.items():
        told, _ = directive(tmp_path, arg="saved.json", **{option: "up"})
        assert message in told["children"][1]["children"][0]["value"]
    told, _ = directive(tmp_path, arg="saved.json", depth=-1)
    assert "depth is -1; it is a whole number" in told["children"][1]["children"][0]["value"]


MYST = ROOT / "frontend" / "node_modules" / "mystmd" / "dist" / "myst.cjs"
BOOK = {
    "myst.yml": "version: 1\nproject:\n  plugins:\n    - {type: executable, path: jaxpr.sh}\n",
    "jaxpr.sh": f'#!/bin/sh\nexec {sys.executable} -m visualizer.integrations._myst "$@"\n',
    "index.md": f"""---
title: Book
exports:
  - {{format: jats, output: out/index.xml}}
---
# Book

:::{{jaxpr}} saved.json
:label: fig-x
:caption: By *MyST*, "quoted"
:alt: {ALT.replace("<", "").replace(">", "")}
:::

See [](#fig-x).

:::{{jaxpr}} saved.json
:depth: 0
:::

:::{{jaxpr}}
x = 1
x / 0
:::
""",
}


@pytest.mark.skipif(not MYST.is_file() or shutil.which("node") is None, reason="mystmd is not installed: make .stamps/npm")
def test_myst_builds_a_book_with_the_pictures_their_words_and_their_places(tmp_path):
    book = write(tmp_path, BOOK)
    (book / "jaxpr.sh").chmod(0o755)
    saved(book / "saved.json")
    # Whatever it might fetch is not to be had.
    nowhere = "http://127.0.0.1:9"
    env = {**os.environ, "PYTHONPATH": str(ROOT), "HTTP_PROXY": nowhere, "HTTPS_PROXY": nowhere, "CI": "1", "HOME": str(tmp_path)}
    done = subprocess.run(["node", str(MYST), "build", "--jats"], cwd=book, capture_output=True, text=True, env=env, timeout=240)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    article = ET.fromstring(re.sub(r"<!DOCTYPE[^>]*>", "", (book / "out/index.xml").read_text(encoding="utf-8")))
    first, second = article.iter("fig")
    assert "".join(first.find("caption").itertext()).strip() == "By MyST, “quoted”"
    assert first.find("label").text.split() == ["Figure", "1:"]
    assert next(article.iter("xref")).get("rid") == first.get("id")
    assert "backward" in first.find("alt-text").text
    assert "dataflow graph. Inputs x. 1 box: mul." in second.find("alt-text").text
    for figure in (first, second):
        name = figure.find("graphic").get("{http://www.w3.org/1999/xlink}href")
        picture = (book / "out" / name).read_text(encoding="utf-8")
        assert picture.startswith("<svg ")
        assert not re.search(r"\sid=|<script|foreignObject", picture)
    (told,) = article.iter("boxed-text")
    assert "jaxpr: ZeroDivisionError: division by zero (line 2 of its code)" in "".join(told.itertext())


def test_other_arguments_are_refused(tmp_path):
    assert "--directive jaxpr" in plugin(tmp_path, "--role", "x", code=1)
