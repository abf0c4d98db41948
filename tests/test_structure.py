"""The shape of the repository, as ARCHITECTURE.md and CONTRIBUTING.md promise it."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GENERATED = {
    "frontend/src/model/types.ts",
    "frontend/src/model/check/shapes.ts",
    "frontend/src/model/schema.json",
    "frontend/package-lock.json",
}


def tracked() -> list[str]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def code(names: list[str]) -> dict[str, int]:
    suffixes = (".py", ".ts", ".tsx", ".css", ".mjs")
    return {n: len((ROOT / n).read_text("utf-8").splitlines()) for n in names if n.endswith(suffixes) and n not in GENERATED}


@pytest.fixture(scope="module")
def files() -> list[str]:
    try:
        return tracked()
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")


def test_no_file_is_over_500_lines(files):
    assert {name: lines for name, lines in code(files).items() if lines > 500} == {}


def test_the_median_source_file_is_small(files):
    lines = [n for name, n in code(files).items() if name.startswith(("visualizer/", "frontend/src/"))]
    assert statistics.median(lines) <= 150


def test_no_registry_host_and_no_machine_path_is_committed(files):
    hosts = re.compile(r"https?://[^\s\"']*(pypi|pythonhosted|npmjs|debian)\.[^\s\"']*")
    paths = re.compile(r"(^|[^A-Za-z0-9_.])/(work|farm|root)/")
    found = []
    for name in files:
        data = (ROOT / name).read_bytes()
        if b"\0" in data:
            continue
        for number, line in enumerate(data.decode("utf-8").splitlines(), 1):
            # This file holds the patterns themselves.
            if name != "tests/test_structure.py" and (hosts.search(line) or paths.search(line)):
                found.append(f"{name}:{number}")
    assert found == []


def test_test_inputs_read_from_shared_are_not_committed(files):
    # Our own examples are ours to keep.
    found = [name for name in files if name.endswith((".mlir", ".mlirbc", ".hlo", ".mlir.bc")) and "/examples/" not in name]
    assert found == []


def test_modules_are_private_and_packages_tiny(files):
    public = {"visualizer/cli.py", "visualizer/__main__.py", "visualizer/tracing/compat.py"}
    # What a site's settings name.
    public |= {"visualizer/sphinx.py", "visualizer/markdown.py"}
    # Python asks for this one by its name.
    public.add("visualizer/tracing/watching/site/sitecustomize.py")
    # And alembic for this one.
    public.add("visualizer/links/migrations/env.py")
    modules = [n for n in files if n.startswith("visualizer/") and n.endswith(".py") and not n.startswith("visualizer/examples/")]
    assert [n for n in modules if not Path(n).name.startswith("_") and n not in public] == []
    # A name that is handed on costs a line and nothing else.
    inits = {n: (ROOT / n).read_text("utf-8").splitlines() for n in modules if n.endswith("__init__.py")}
    own = {n: sum(not line.startswith("from .") for line in lines) for n, lines in inits.items()}
    assert {n: lines for n, lines in own.items() if lines > 40} == {}


def test_every_module_says_what_it_promises(files):
    silent = [
        n
        for n in files
        if n.startswith("visualizer/") and n.endswith(".py") and "/examples/" not in n and not _opens_with_docstring(ROOT / n)
    ]
    assert silent == []


def _opens_with_docstring(path: Path) -> bool:
    text = path.read_text("utf-8").lstrip()
    return not text or text.startswith('"""') or path.name == "_version.py"


def test_colours_live_in_one_file_per_surface(files):
    allowed = {"frontend/src/drawing/theme.ts", "frontend/src/page/tokens.css"}
    hexes = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b(?=[\"';])")
    coloured = [n for n in files if n.startswith("frontend/src/") and n.endswith((".ts", ".tsx", ".css")) and n not in allowed]
    assert [n for n in coloured if hexes.search((ROOT / n).read_text("utf-8"))] == []


@pytest.mark.parametrize(
    "module",
    [
        "visualizer",
        "visualizer.model",
        "visualizer.cli",
        "visualizer.sandbox",
        "visualizer.drawing",
        "visualizer.web",
        "visualizer.sphinx",
        "visualizer.markdown",
    ],
)
def test_only_tracing_loads_jax(module):
    script = f"import sys, {module}; print(sorted({{'jax', 'jaxlib', 'numpy', 'visualizer.tracing'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_alone_loads_neither_jax_nor_flask():
    script = "import sys, visualizer; print(sorted({'jax', 'flask', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_dependencies_point_one_way():
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
