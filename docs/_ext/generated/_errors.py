"""Every error of the API and every diagnostic with a code, read off the code that makes them."""

from __future__ import annotations

import ast
from pathlib import Path

import visualizer
from visualizer.web._errors import KNOWN
from visualizer.web._keeper import STATUS

from ._table import code, table

PACKAGE = Path(visualizer.__file__).parent


def http() -> dict[str, set[int]]:
    """Codes of HTTP errors, with the statuses that each comes with."""
    found: dict[str, set[int]] = {}
    for status, (name, _, _) in KNOWN.items():
        found.setdefault(name, set()).add(status)
    for call in _calls(PACKAGE / "web", {"ApiError"}):
        if len(call.args) > 1 and isinstance(call.args[0], ast.Constant) and isinstance(call.args[1], ast.Constant):
            found.setdefault(call.args[1].value, set()).add(call.args[0].value)
    # What is wrong with a link that was sent, and with the database of links.
    for call in _calls(PACKAGE / "links", {"BadLink"}):
        if isinstance(call.args[0], ast.Constant):
            found.setdefault(call.args[0].value, set()).add(413 if call.args[0].value == "too-large" else 400)
    for kind, status in STATUS.items():
        found.setdefault(f"links-{kind}", set()).add(status)
    return found


def diagnostics() -> dict[str, str]:
    """Codes of diagnostics, each with the first message that is made with it."""
    found: dict[str, str] = {}
    for folder in ("sandbox", "tracing"):
        for call in _calls(PACKAGE / folder, {"diagnostic", "_diagnostic", "from_exception"}):
            named = next((word.value for word in call.keywords if word.arg == "code"), None)
            given = named or (call.args[0] if call.args and _name(call) != "from_exception" else None)
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                said = _text(call.args[1]) if named is None and len(call.args) > 1 else ""
                found[given.value] = found.get(given.value) or said
    return found


def _calls(folder: Path, names: set[str]) -> list[ast.Call]:
    trees = [ast.parse(path.read_text("utf-8")) for path in sorted(folder.rglob("*.py"))]
    return [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and _name(node) in names]


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return ""


def codes() -> str:
    """Both, as tables."""
    shown = sorted((min(statuses), name, statuses) for name, statuses in http().items())
    rows = [[code(name), ", ".join(map(str, sorted(statuses)))] for _, name, statuses in shown]
    said = [[code(name), message.replace("{", "").replace("}", "")] for name, message in sorted(diagnostics().items())]
    return (
        "## Errors of HTTP\n\n" + table(["Code", "Status"], rows) + "## Diagnostics of a trace\n\n"
        "A paste that fails is an answer with status 200, whose `diagnostics` say what, where and what to do. "
        "`python-error` is whatever the code itself raised.\n\n" + table(["Code", "Message, where it is always the same"], said)
    )
