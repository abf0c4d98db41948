"""A notebook that a real kernel ran, and what nbconvert makes of it; the same in IPython's terminal and by marimo's protocol."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys

import pytest

import visualizer as viz
from visualizer._api import _shown
from visualizer.drawing import ExtraMissingError
from visualizer.drawing._engine import BUNDLE

from .sites import ROOT, Page

pytest.importorskip("nbconvert")
pytest.importorskip("ipykernel")
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")
CELLS = (
    "import jax, jax.numpy as jnp\nimport visualizer as viz\n%load_ext visualizer",
    "jax.make_jaxpr(lambda a: jnp.sin(a) * 2)(1.0)",
    "viz.diagram(jax.jit(jnp.cos).lower(1.0)).styled(alt='two \"quoted\" <words>')",
    "viz.show(jnp.tan, 1.0);",
    "%unload_ext visualizer\njax.make_jaxpr(jnp.sin)(1.0)",
)
# In one process: each start of nbconvert costs more than what it does.
SCRIPT = """
import sys, nbformat, nbconvert
from nbconvert.preprocessors import ExecutePreprocessor
cell = nbformat.v4.new_code_cell
notebook = nbformat.v4.new_notebook(cells=[cell(text) for text in sys.argv[1:]])
notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
ExecutePreprocessor(timeout=240, kernel_name="python3").preprocess(notebook)
nbformat.write(notebook, "ran.ipynb")
for exporter, suffix in ((nbconvert.HTMLExporter, "html"), (nbconvert.MarkdownExporter, "md"), (nbconvert.LatexExporter, "tex")):
    text, found = exporter().from_notebook_node(notebook)
    open(f"ran.{suffix}", "w").write(text)
    for name, data in (found["outputs"] or {}).items():
        open(f"{suffix}-{name}", "wb").write(data)
"""


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """The folder with the notebook and its exports."""
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "make.py").write_text(SCRIPT)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore", "JUPYTER_PLATFORM_DIRS": "1", "HOME": str(folder)}
    done = subprocess.run([sys.executable, "make.py", *CELLS], cwd=folder, capture_output=True, text=True, env=env, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def shown(ran):
    """The forms of every output that is a picture."""
    notebook = json.loads((ran / "ran.ipynb").read_text())
    outputs = [output for cell in notebook["cells"] for output in cell["outputs"]]
    assert [output["output_type"] for output in outputs] == ["execute_result", "execute_result", "display_data", "execute_result"]
    return [{kind: "".join(text) for kind, text in output["data"].items()} for output in outputs]


def test_a_kernel_shows_diagrams_and_jaxprs_as_pictures_with_words(ran):
    *pictures, plain = shown(ran)
    assert set(plain) == {"text/plain"}
    assert re.sub(r"\x1b\[[\d;]*m", "", plain["text/plain"]).startswith("{ lambda ; a:f32[].")
    for forms in pictures:
        assert set(forms) == {"text/html", "image/svg+xml", "application/pdf", "text/plain"}
        assert not re.search(r"\sid=|<script|foreignObject", forms["image/svg+xml"] + forms["text/html"])
        inside = base64.b64decode(re.search(r"svg\+xml;base64,([^\"]+)", forms["text/html"])[1]).decode()
        assert inside == forms["image/svg+xml"]
        assert base64.b64decode(forms["application/pdf"]).startswith(b"%PDF-1.5")
    first, second, third = (forms["text/plain"].splitlines() for forms in pictures)
    assert first[1].startswith("<lambda>: dataflow graph. Inputs a. 2 boxes: sin, mul")
    assert second[0].endswith(": a module of 1 function>")
    assert second[1:] == ['two "quoted" <words>']
    assert third[0] == "<Diagram tan: 1 equation>"


def test_every_export_has_the_pictures_and_their_words(ran):
    images = Page(ran / "ran.html").diagrams()
    assert [image["alt"][:8] for image in images] == ["<lambda>", 'two "quo', "tan: dat"]
    assert [image["alt"] for image in Page(ran / "ran.md").diagrams()] == [image["alt"] for image in images]
    tex = (ran / "ran.tex").read_text()
    included = re.findall(r"\\adjustimage\{[^\n]*\}\{(\S+\.pdf)\}", tex)
    assert len(included) == 3
    for name in included:
        assert (ran / f"tex-{name.rpartition('/')[2]}").read_bytes().startswith(b"%PDF")


def test_twenty_diagrams_are_twenty_images_and_no_viewer():
    """What a page of a notebook weighs is what its pictures weigh."""
    diagram = viz.load(ROOT / "frontend/test/traces/01_grad_of_scan.json").open()
    shown = diagram._repr_mimebundle_()
    assert "<script" not in "".join(shown.values())
    assert len(shown["text/html"]) < 1.4 * len(diagram.svg(theme="auto")) + 2000
    assert len(shown["text/html"]) < len(diagram.html())


def test_only_what_is_asked_for_is_made(monkeypatch):
    diagram = viz.load(ROOT / "frontend/test/traces/01_grad_of_scan.json")
    every = {"text/html", "image/svg+xml", "application/pdf", "text/plain"}
    assert set(diagram._repr_mimebundle_()) == every
    assert set(diagram._repr_mimebundle_(exclude={"text/html", "text/plain"})) == {"image/svg+xml", "application/pdf"}

    def missing(svg):
        raise ExtraMissingError("export", "A PDF")

    monkeypatch.setattr(_shown, "pdf", missing)
    assert set(diagram._repr_mimebundle_(include=["text/plain", "application/pdf"])) == {"text/plain"}
    assert set(diagram._repr_mimebundle_()) == every - {"application/pdf"}


def test_a_picture_of_one_kind_stays_of_that_kind():
    dark = viz.load(ROOT / "frontend/test/traces/01_grad_of_scan.json").styled(theme="dark")
    assert dark._repr_mimebundle_(include=["image/svg+xml"]) == {"image/svg+xml": dark.svg()}
    assert "prefers-color-scheme" not in dark.svg()


def test_marimo_is_given_a_kind_and_its_text():
    """marimo looks for `_display_`, its own formatters, `_mime_`, and then for what Jupyter calls."""
    diagram = viz.load(ROOT / "frontend/test/traces/01_grad_of_scan.json")
    assert not hasattr(diagram, "_display_")
    kind, text = diagram._mime_()
    assert kind == "text/html"
    assert text == diagram.html(fragment=True)


def test_a_terminal_shows_words(tmp_path):
    """And makes no picture for them."""
    code = (
        "import sys, visualizer as viz\n"
        "viz.load('frontend/test/traces/01_grad_of_scan.json')\n"
        "sorted(viz.load('frontend/test/traces/01_grad_of_scan.json')._repr_mimebundle_())\n"
        "'typst' in sys.modules\n"
    )
    command = [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner", "--colors=NoColor", "--quick", "--no-confirm-exit"]
    env = {**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run(command, input=code, cwd=ROOT, capture_output=True, text=True, env=env, timeout=120)
    assert "<Diagram loss: " in done.stdout
    assert "loss: dataflow graph. Inputs " in done.stdout
    assert "['text/plain']" in done.stdout
    assert "svg" not in done.stdout
    assert "False" in done.stdout
