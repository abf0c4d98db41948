"""What a deployment may choose: options with the variables that stand for them, variables that are read, and limits of a job."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import click

import visualizer
from visualizer.cli import main
from visualizer.sandbox import Limits

from ._table import code, table

PACKAGE = Path(visualizer.__file__).parent
SAID = {
    "JAXPR_VISUALIZER_DEBUG": "Set to anything, the command shows the stack trace of a fault of its own.",
    "JAXPR_VISUALIZER_DATA": "The folder of other versions of JAX and of short links. Left out, the data folder of your account.",
    "JAXPR_VISUALIZER_DATABASE": "Where `serve` and `links` keep short links: a file, or the address of a PostgreSQL database.",
    "XDG_DATA_HOME": "The data folder of your account on Linux; `~/.local/share` where it is not set.",
    "LOCALAPPDATA": "The data folder of your account on Windows.",
    "JAX_PLATFORMS": "`cpu` for everything that is traced here, unless you set it.",
    "PYTHONPATH": "Where documentation builders and `run` find your own modules, as in any Python.",
    "PATH": "Where pip and uv are found by `jax add`.",
    "DISPLAY": "Whether there is a desktop, on which `serve` opens the page.",
    "WAYLAND_DISPLAY": "The same, under Wayland.",
}
# What a process of ours tells another.
INTERNAL = {"JAXPR_VISUALIZER_RUN", "JAXPR_VISUALIZER_PYTHONPATH"}
LIMITS = {
    "cpu_seconds": (
        "s",
        "Processor time of one paste, over all its threads. `--cpu-seconds` sets it: 30 alone, 5 where others can reach the server.",
    ),
    "wall_seconds": ("s", "Time by the clock; with `serve` four times the processor time."),
    "memory_mb": ("MB", "Memory that is allocated."),
    "threads": ("", "Threads."),
    "result_bytes": ("bytes", "One whole answer."),
    "output_bytes": ("bytes", "What is kept of what the paste prints."),
    "request_bytes": ("bytes", "What one job is handed."),
    "open_files": ("", "Files that are open at once."),
    "stack_mb": ("MB", "Stack of a thread."),
    "queue_seconds": ("s", "How long a job waits for a free place."),
    "compile_seconds": ("s", "Processor time beside `cpu_seconds` for a run that XLA compiles."),
}


def server() -> str:
    """Options of `serve`."""
    command = main.commands["serve"]
    rows = []
    for option in command.params:
        if isinstance(option, click.Option):
            names = " / ".join(code(name) for name in (*option.opts, *option.secondary_opts))
            variable = str(option.envvar or f"JAXPR_VISUALIZER_SERVE_{(option.name or '').upper()}")
            rows.append([names, option.help or "", code(variable)])
    return table(["Option", "Meaning", "Variable"], rows)


def variables() -> set[str]:
    """Every variable that the package reads by its name."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        if "examples" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            name: ast.expr | None = None
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
                about, method = ast.unparse(node.func.value), node.func.attr
                if (about == "os.environ" and method in {"get", "pop", "setdefault"}) or (about == "os" and method == "getenv"):
                    name = node.args[0]
            elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ" and isinstance(node.ctx, ast.Load):
                name = node.slice
            elif isinstance(node, ast.keyword) and node.arg == "envvar":
                name = node.value
            if isinstance(name, ast.Constant) and isinstance(name.value, str):
                found.add(name.value)
    return found - INTERNAL


def environment() -> str:
    """Variables that are read by name."""
    return table(["Variable", "Meaning"], [[code(name), SAID.get(name, "")] for name in sorted(variables(), key=_ours_first)])


def _ours_first(name: str) -> tuple[bool, str]:
    return not name.startswith("JAXPR_VISUALIZER"), name


def limits() -> str:
    """Limits of one job, as the sandbox has them without options."""
    rows = []
    for field in fields(Limits):
        unit, said = LIMITS[field.name]
        rows.append([code(field.name), _amount(field.default, unit), said])
    return table(["Limit", "Default", "Of one job"], rows)


def _amount(number: float, unit: str) -> str:
    if unit == "bytes":
        return f"{number // 2**20} MB" if number >= 2**20 else f"{number // 2**10} kB"
    return f"{number:,g} {unit}".strip()
