"""What `import visualizer` gives: diagrams of programs in one's own process."""

import base64
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import jax
import jax.numpy as jnp
import pytest

import visualizer as viz
from visualizer.drawing import DrawingError
from visualizer.drawing._engine import BUNDLE
from visualizer.model import Trace

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")
TYPES = (viz.spec("f32[3,4]"), viz.spec("f32[2,3]"))


def loss(w, x):
    hidden = jnp.tanh(x @ w)
    return (hidden**2).sum()


def titles(diagram):
    return re.findall(r">([a-z_]+)</text>", diagram.svg())


def test_importing_it_loads_neither_jax_nor_flask():
    code = "import sys, visualizer; visualizer.__all__; sys.exit(any(m.split('.')[0] in ('jax', 'flask', 'pydantic') for m in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_every_public_name_is_there():
    for name in viz.__all__:
        assert getattr(viz, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        _ = viz.nope


def test_a_function_is_traced_with_types_and_keeps_the_names_of_its_source():
    diagram = viz.trace(loss, *TYPES)
    assert repr(diagram) == "<Diagram loss: 4 equations>"
    assert ">hidden</text>" in diagram.svg()
    assert str(jax.make_jaxpr(loss)(*TYPES)) in diagram.text()


def test_all_keywords_belong_to_the_function():
    def f(x, *, name, theme):
        return x * theme if name else x

    assert "mul" in titles(viz.trace(f, 1.0, name="n", theme=2.0))


def test_a_jitted_function_keeps_its_static_arguments():
    f = jax.jit(lambda x, n: x**n, static_argnums=1)
    assert "integer_pow" in titles(viz.trace(f, viz.spec("f32[3]"), 3))


def test_what_the_function_raises_is_raised():
    with pytest.raises(TypeError, match="contracting dimensions"):
        viz.trace(loss, viz.spec("f32[3,4]"), viz.spec("f32[2,4]"))


STAGES = {
    "jaxpr": lambda: jax.make_jaxpr(loss)(*TYPES),
    "traced": lambda: jax.jit(loss).trace(*TYPES),
    "lowered": lambda: jax.jit(loss).lower(*TYPES),
    "exported": lambda: jax.export.export(jax.jit(loss))(*TYPES),
}


@pytest.mark.parametrize("stage", STAGES)
def test_whatever_jax_made_is_a_diagram(stage):
    diagram = viz.diagram(STAGES[stage]())
    expected = {"jaxpr": "dot_general", "traced": "dot_general"}.get(stage, "dot_general")
    assert expected in titles(diagram)
    Trace.model_validate_json(diagram.json())


def test_a_text_is_a_diagram_and_nonsense_is_refused():
    text = jax.jit(loss).lower(*TYPES).as_text()
    assert "tanh" in titles(viz.diagram(text))
    with pytest.raises(TypeError, match="not int"):
        viz.diagram(3)
    with pytest.raises(DrawingError):
        viz.diagram("module { nonsense }\n")


def test_a_saved_diagram_is_loaded_without_jax(tmp_path):
    path = viz.trace(loss, *TYPES).save(tmp_path / "loss.json")
    code = (
        f"import sys, visualizer as v; d = v.load({str(path)!r}); d.svg(); d.html(); d.text(); "
        "sys.exit(any(m.split('.')[0] == 'jax' for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
    assert viz.load(path).svg() == viz.trace(loss, *TYPES).svg()


def test_a_diagram_is_immutable_and_opens_and_closes():
    def looped(w, xs):
        return jax.lax.scan(lambda c, x: (jax.jit(jnp.sin)(c * x), c), w, xs)

    diagram = viz.trace(looped, 1.0, viz.spec("f32[5]"))
    closed = diagram.collapse()
    assert "sin" not in titles(closed)
    assert "sin" in titles(closed.open())
    assert "mul" in titles(closed.open(depth=1))
    path = next(eqn.id for eqn in diagram.program.jaxprs[diagram.program.entry].eqns if eqn.primitive == "scan")
    assert "mul" in titles(closed.open(path))
    assert "mul" not in titles(closed.open().collapse(path))
    with pytest.raises(AttributeError):
        diagram.index = 1


def test_the_lowered_program_is_another_diagram():
    lowered = viz.trace(loss, *TYPES).stablehlo()
    assert "stablehlo.tanh" in lowered.text()
    assert lowered.jaxpr().svg() == viz.trace(loss, *TYPES).jaxpr().svg()


@pytest.mark.parametrize("suffix", ["svg", "html", "dot", "mmd", "txt", "json"])
def test_it_is_saved_in_the_format_of_the_suffix(tmp_path, suffix):
    path = viz.trace(loss, *TYPES).save(tmp_path / f"loss.{suffix}")
    assert path.stat().st_size > 100
    with pytest.raises(ValueError, match=r"end it in \.svg"):
        viz.trace(loss, *TYPES).save(tmp_path / "loss.jpg")


def test_a_notebook_gets_html_svg_and_words():
    diagram = viz.trace(loss, *TYPES).styled(alt='two "quoted" <words>')
    bundle = diagram._repr_mimebundle_()
    assert {"text/html", "image/svg+xml", "text/plain"} <= set(bundle)
    assert 'alt="two &quot;quoted&quot; &lt;words&gt;"' in bundle["text/html"]
    picture = base64.b64decode(re.search(r"base64,([^\"]+)", bundle["text/html"])[1]).decode()
    assert "prefers-color-scheme:dark" in picture
    assert " id=" not in picture
    assert diagram._repr_mimebundle_(include=["text/plain"]) == {"text/plain": bundle["text/plain"]}
    assert diagram._mime_()[0] == "text/html"


def test_the_alt_text_is_made_from_the_picture():
    assert (
        viz.trace(loss, *TYPES).alt == "loss: dataflow graph. Inputs w, x. 4 boxes: dot_general, tanh, integer_pow, reduce_sum. Results f."
    )


def test_specs_are_written_as_jaxprs_print_them():
    assert viz.spec("f32[8,128]") == jax.ShapeDtypeStruct((8, 128), "float32")
    assert viz.spec("{'w': f32[3]}") == {"w": jax.ShapeDtypeStruct((3,), "float32")}
    for wrong in ("f33[3]", "3", "f32[", ""):
        with pytest.raises(ValueError, match="is no type"):
            viz.spec(wrong)


def test_show_says_where_the_page_is(monkeypatch, capsys, tmp_path):
    opened = []
    monkeypatch.setattr("webbrowser.open", lambda url: bool(opened.append(url)) or True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert repr(viz.show(loss, *TYPES)) == "<Diagram loss: 4 equations>"
    assert opened[0].startswith("file://")
    assert "opened" in capsys.readouterr().err


def test_svg_and_html_in_one_call():
    assert viz.to_svg(loss, *TYPES) == viz.trace(loss, *TYPES).svg()
    assert viz.to_html(jax.make_jaxpr(loss)(*TYPES)).startswith("<!doctype html>")


class Shell:
    """As much of IPython's shell as the extension touches."""

    def __init__(self):
        self.types = {}
        self.display_formatter = self
        self.mimebundle_formatter = self

    def for_type_by_name(self, module, name, shown):
        self.types[f"{module}.{name}"] = shown

    def pop(self, name, default):
        return self.types.pop(name, default)


def test_the_extension_draws_what_jax_makes_and_names_real_types():
    shell = Shell()
    viz.load_ipython_extension(shell)
    for make in STAGES.values():
        made = make()
        kind = type(made)
        shown = shell.types[f"{kind.__module__}.{kind.__name__}"]
        assert "text/html" in shown(made)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert shown(object()) is None
    assert "shown as text" in str(said[0].message)
    viz.unload_ipython_extension(shell)
    assert shell.types == {}


def test_json_holds_one_program():
    assert len(json.loads(viz.trace(loss, *TYPES).json())["programs"]) == 1
