"""What the documentation and the README tell people to type does what they say."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from visualizer.cli import main
from visualizer.drawing._engine import BUNDLE

from .blocks import PAGES, ROOT, Block, blocks, check_console, check_ipython

README = ROOT / "README.md"
ALL = [*PAGES, README]
RUN = [page for page in ALL if any(block.language in {"python", "console", "ipython"} for block in blocks(page))]
# What is shown in part, or belongs to another program.
SHOWN = {"", "html", "file", "text", "markdown", "rst", "yaml", "sh", "nginx", "{jaxpr}", "{toctree}", "{figure}", "{eval-rst}"}
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")


def name(page: Path) -> str:
    return page.relative_to(ROOT).with_suffix("").as_posix()


@pytest.mark.parametrize("page", RUN, ids=name)
def test_every_example_of_a_page_runs(page, tmp_path):
    """In order, in one folder: a file is written where it stands, so a later one may take its place."""
    python: list[str] = []
    cells: list[str] = []
    # What the first lessons write down is there in those that follow.
    for lesson in (ROOT / "docs/tutorial").glob("*.py") if page.parent.name == "tutorial" else ():
        (tmp_path / lesson.name).write_bytes(lesson.read_bytes())
    for block in blocks(page):
        if block.file:
            target = tmp_path / block.file
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(block.text, encoding="utf-8")
        if block.language == "console":
            check_console(block, tmp_path)
        elif block.language == "ipython":
            cells.append(block.text)
        elif block.language == "python":
            python.append(block.text if block.file is None else f"exec(compile(open({block.file!r}).read(), {block.file!r}, 'exec'))")
    if python:
        run_python("\n".join(python), tmp_path)
    if cells:
        check_ipython(cells, tmp_path)


def run_python(text: str, folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)]), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run([sys.executable, "-c", text], cwd=folder, env=environment, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.parametrize("page", ALL, ids=name)
def test_no_block_has_a_language_that_nobody_checks(page):
    unknown = {block.language for block in blocks(page)} - SHOWN - {"python", "console", "ipython"}
    assert unknown == set()


def test_a_saved_diagram_is_still_that_of_its_program():
    for program in (ROOT / "docs/reference").glob("*.py"):
        command = [sys.executable, "-m", "visualizer", "draw", program.name, "-o", f"{program.stem}.json", "--check"]
        done = subprocess.run(
            command, cwd=program.parent, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=200
        )
        assert done.returncode == 0, done.stderr


def shell_lines() -> list[tuple[str, str]]:
    found = []
    for page in ALL:
        for block in blocks(page):
            if block.language == "sh":
                text = re.sub(r"\\\n\s*", "", block.text)
                found += [(name(page), line) for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return found


@pytest.mark.parametrize(("page", "line"), shell_lines())
def test_commands_that_are_not_run_exist(page, line):
    words = shlex.split(line, comments=True)
    if words[0] == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
        assert [word for word in words[1:] if "=" not in word and word not in targets] == []
    elif words[0] == "jaxpr-visualizer":
        parse(main, words[1:])
    else:
        assert words[0] in {"docker", "curl", "exec", "pip", "git", "cd"}, line


def parse(command: click.Command, words: list[str]) -> None:
    """As the command line is parsed, but for files that are not here."""
    if isinstance(command, click.Group):
        parse(command.commands[words[0]], words[1:])
        return
    options = {opt for param in command.params for opt in (*param.opts, *param.secondary_opts) if isinstance(param, click.Option)}
    options |= {"--help"}
    # What follows a script is the script's.
    given = [word for word in words if re.match(r"--?[a-z]", word)] if command.name != "run" else []
    assert [word for word in given if word.split("=")[0] not in options] == []


@pytest.mark.parametrize("page", ALL, ids=name)
def test_nobody_is_told_to_silence_what_strict_counts(page):
    """MkDocs drops warnings with -q before --strict sees them: such a build passes whatever is broken."""
    told = [line for block in blocks(page) if block.language in {"console", "sh"} for line in block.text.splitlines() if "mkdocs" in line]
    assert [line for line in told if "--strict" in line and {"-q", "--quiet"} & set(line.split())] == []


def test_a_command_that_there_is_not_would_be_found():
    with pytest.raises(KeyError):
        parse(main, ["drow", "x.py"])
    with pytest.raises(AssertionError):
        parse(main, ["draw", "x.py", "--them", "dark"])
    assert [block.language for block in blocks(README)]
    assert Block("console", None, "", 1).file is None
