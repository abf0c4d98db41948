"""`jaxpr-visualizer draw`: files, saved traces and functions of one's own, in every format, with errors that say what to do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from visualizer.cli import main
from visualizer.drawing._engine import BUNDLE

ROOT = Path(__file__).resolve().parents[2]
SAVED = ROOT / "frontend" / "test" / "traces" / "02_training_scan.json"
MODULE = (
    "import jax, jax.numpy as jnp\n\ndef loss(w, x):\n    hidden = jnp.tanh(x @ w)\n    return (hidden**2).sum()\n\nprint('imported')\n"
)
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


def draw(*arguments, **options):
    return CliRunner().invoke(main, ["draw", *map(str, arguments)], prog_name="jaxpr-visualizer", **options)


def own(folder, *arguments):
    (folder / "mine.py").write_text(MODULE)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONSAFEPATH": ""}
    command = [sys.executable, "-m", "visualizer", "draw", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False)


def test_a_saved_trace_is_drawn_and_checked(tmp_path):
    out = tmp_path / "train.svg"
    assert draw(SAVED, "-o", out).exit_code == 0
    assert out.read_text().startswith("<svg ")
    assert draw(SAVED, "-o", out, "--check").exit_code == 0
    out.write_text("<svg/>")
    stale = draw(SAVED, "-o", out, "--check")
    assert (stale.exit_code, "is stale" in stale.stderr, out.read_text()) == (1, True, "<svg/>")
    missing = draw(SAVED, "-o", tmp_path / "other.svg", "--check")
    assert (missing.exit_code, "is missing" in missing.stderr) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["train.svg"]


def test_a_file_has_the_rights_of_any_other(tmp_path):
    (tmp_path / "plain").write_text("")
    assert draw(SAVED, "-o", tmp_path / "a.svg").exit_code == 0
    assert (tmp_path / "a.svg").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("format_", ["svg", "html", "dot", "mermaid", "txt", "json"])
def test_standard_output_takes_every_format(format_):
    done = draw(SAVED, "-o", "-", "--format", format_)
    assert done.exit_code == 0
    assert len(done.stdout_bytes) > 300


def test_standard_input_is_read():
    done = draw("-", "-o", "-", "--format", "txt", input=SAVED.read_text())
    assert "binder lr f32[] (const) <- lr" in done.stdout


def test_a_program_is_chosen_by_number_id_or_name(tmp_path):
    trace = json.loads(SAVED.read_text())
    other = {**trace["programs"][0], "id": "p1", "name": "other"}
    both = tmp_path / "both.json"
    both.write_text(json.dumps({**trace, "programs": [trace["programs"][0], other]}))
    first = draw(both, "-o", "-", "--format", "txt")
    assert "the first of 2 programs is drawn" in first.stderr
    for wanted in ("2", "p1", "other"):
        assert draw(both, "-o", "-", "--format", "txt", "--program", wanted).stdout.startswith("other\n")
    wrong = draw(both, "-o", "-", "--format", "txt", "--program", "third")
    assert (wrong.exit_code, "There are 1: train, 2: other" in wrong.stderr) == (2, True)


def test_bodies_are_opened_by_depth_by_path_or_all():
    entry = json.loads(SAVED.read_text())["programs"][0]
    scan = next(eqn["id"] for eqn in entry["jaxprs"][entry["entry"]]["eqns"] if eqn["primitive"] == "scan")
    for options, opened in ((["--depth", "0"], False), (["--depth", "1"], True), (["--all"], True), (["--open", scan], True)):
        assert ("binder" in draw(SAVED, "-o", "-", "--format", "txt", *options).stdout) is opened
    both = draw(SAVED, "-o", "-", "--format", "txt", "--all", "--depth", "1")
    assert (both.exit_code, "exclude each other" in both.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("-o", "picture.jpg"), 2, "does not say which format"),
        (("-o", "-", "--check", "--format", "svg"), 2, "--check compares with a file"),
        (("-o", "/nowhere/at/all.svg"), 2, "cannot be written"),
        (("-o", "-", "--format", "svg", "--level", "hlo"), 1, "has no hlo here"),
        (("-o", "-", "--format", "svg", "--width", "1"), 2, "Invalid value"),
    ],
)
def test_a_wrong_wish_says_what_to_do(arguments, code, said):
    done = draw(SAVED, *arguments)
    assert done.exit_code == code
    assert said in done.stderr


def test_a_broken_saved_trace_names_the_place(tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text('{"schema": 1, "programs": []}')
    done = draw(broken, "-o", "-", "--format", "svg")
    assert (done.exit_code, "missing at trace.input" in done.stderr) == (2, True)


def test_a_saved_trace_that_contains_itself_is_refused(tmp_path):
    trace = json.loads(Path(SAVED).read_bytes())
    program = trace["programs"][0]
    nested = next(eqn["nested"][0] for jaxpr in program["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["nested"])
    nested["jaxpr"] = program["entry"]
    entry = program["jaxprs"][program["entry"]]
    nested |= {"inputs": [{"from": "operand", "index": 0}] * len(entry["invars"]), "outputs": [[]] * len(entry["outvars"])}
    nested |= {"consts": [], "finals": []}
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(trace))
    done = draw(broken, "-o", "-", "--format", "svg")
    assert (done.exit_code, "a jaxpr that contains itself" in done.stderr) == (2, True)


def test_a_missing_file_is_said_to_be_missing():
    done = draw("nowhere.py", "-o", "-", "--format", "svg")
    assert (done.exit_code, "nowhere.py cannot be read" in done.stderr) == (2, True)


def test_a_missing_package_exits_with_3(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "typst", None)
    done = draw(SAVED, "-o", tmp_path / "a.png")
    assert (done.exit_code, "jaxpr-visualizer[export]" in done.stderr) == (3, True)
    assert list(tmp_path.iterdir()) == []


def test_a_function_of_ones_own_is_traced_in_its_own_process(tmp_path):
    done = own(tmp_path, "mine:loss", "--signature", "w: f32[3,4], x: f32[2,3]", "-o", "-", "--format", "txt")
    assert done.returncode == 0
    assert "tanh hidden: f32[2,4] <- dot_general" in done.stdout
    assert "imported" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("mine:loss", "--signature", "w: f32[3,4], x: f32[2,4]"), "contracting dimensions"),
        (("mine:loss", "--signature", "w: f32[3,4"), "could not be traced"),
        (("mine:loss",), "missing 2 required positional arguments"),
        (("mine:nope",), "no attribute 'nope'"),
        (("other:loss",), "No module named 'other'"),
        (("mine:loss", "--fun", "f"), "names the function already"),
    ],
)
def test_what_goes_wrong_with_it_is_told(tmp_path, arguments, said):
    done = own(tmp_path, *arguments, "-o", "-", "--format", "txt")
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.sandbox
def test_python_is_traced_in_the_sandbox(tmp_path):
    source = tmp_path / "paste.py"
    shutil.copy(ROOT / "visualizer" / "examples" / "02_training_scan.py", source)
    done = draw(source, "-o", "-", "--format", "txt", "--level", "stablehlo")
    assert done.exit_code == 0
    assert "while" in done.stdout
    source.write_text("import jax\njax.make_jaxpr(undefined)(1.0)\n")
    failed = draw(source, "-o", "-", "--format", "txt")
    assert (failed.exit_code, "line 2: name 'undefined' is not defined" in failed.stderr) == (1, True)
