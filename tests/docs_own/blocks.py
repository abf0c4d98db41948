"""The code in a page of Markdown, as whoever copies it would run it: files, Python, cells of a notebook, commands with their output.

A `code-block` with a caption that names a file is that file. `console` is run and its output compared (`...` stands for anything,
`[exit code N]` for one that is not 0). `sh` is not run: it serves, installs or needs something else; its options are checked.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(path for path in DOCS.rglob("*.md") if "_ext" not in path.parts)
_FENCE = re.compile(r"^(`{3,})(.*)$")
_OPTION = re.compile(r"^:([\w-]+):\s*(.*)$")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """One fence: its language, the file that it is where it is one, its text, and its line in the page."""

    language: str
    file: str | None
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """All of a page that are not within another one."""
    lines = iter(enumerate(page.read_text("utf-8").splitlines(), 1))
    for number, line in lines:
        opening = _FENCE.match(line)
        if opening is None:
            continue
        inside = []
        for _, inner in lines:
            if re.fullmatch(f"{opening[1]}`*", inner.strip()):
                break
            inside.append(inner)
        yield _block(page, opening[2].strip(), inside, number)


def _block(page: Path, info: str, inside: list[str], number: int) -> Block:
    options = {}
    directive, _, argument = info.partition(" ")
    if directive.startswith("{"):
        while inside and (found := _OPTION.match(inside[0])):
            options[found[1]] = found[2]
            inside.pop(0)
        while inside and not inside[0].strip():
            inside.pop(0)
    if directive == "{literalinclude}":
        return Block("file", options.get("caption"), (page.parent / argument).read_text("utf-8"), number)
    language = argument if directive == "{code-block}" else directive
    return Block(language, options.get("caption"), "\n".join(inside) + "\n", number)


def commands(block: Block) -> Iterator[tuple[str, str, int]]:
    """Each command of a console with its output and exit code."""
    parts = re.split(r"^\$ ", textwrap.dedent(block.text), flags=re.MULTILINE)
    assert not parts[0].strip(), f"line {block.line}: a console begins with a command"
    for part in parts[1:]:
        found = re.match(r"((?:.*\\\n)*.*\n)((?:.*\n)*)", part)
        assert found is not None
        code = re.search(r"^\[exit code (\d+)\]\n\s*\Z", found[2], re.MULTILINE)
        said = found[2][: code.start()] if code else found[2]
        yield found[1].strip(), said, int(code[1]) if code else 0


def check_console(block: Block, folder: Path) -> None:
    """Run what is there in a folder and compare what it says."""
    paths = os.pathsep.join([str(folder), str(ROOT)])
    environment = {**os.environ, "PYTHONPATH": paths, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    environment |= {"NO_COLOR": "1", "PYTHONWARNINGS": "ignore", "JAX_PLATFORMS": "cpu", "NO_MKDOCS_2_WARNING": "1"}
    for command, expected, code in commands(block):
        done = subprocess.run(
            ["sh", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200
        )
        assert done.returncode == code, f"line {block.line}: {command}\n{done.stdout}"
        good = doctest.OutputChecker().check_output(expected, done.stdout, _FLAGS)
        assert good, f"line {block.line}: {command}\nexpected:\n{expected}\ngot:\n{done.stdout}"


def check_ipython(cells: list[str], folder: Path) -> None:
    """Run cells in one IPython."""
    script = "import sys, json\nfrom IPython.core.interactiveshell import InteractiveShell\nshell = InteractiveShell.instance()\n"
    script += "for cell in json.load(sys.stdin):\n    shell.run_cell(cell).raise_error()\n"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / ".ipython"), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(cells), cwd=folder, env=environment, capture_output=True, text=True, timeout=200
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
