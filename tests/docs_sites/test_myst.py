"""The plugin of MyST, spoken to as MyST speaks to it: a process, JSON in and out."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys

import pytest

from visualizer.drawing._engine import BUNDLE

from .sites import ROOT, saved

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


def test_other_arguments_are_refused(tmp_path):
    assert "--directive jaxpr" in plugin(tmp_path, "--role", "x", code=1)
