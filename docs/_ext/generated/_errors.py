"""Every error of the API and every diagnostic with a code, read off the code that makes them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import visualizer
from visualizer.links._problems import StoreProblem
from visualizer.web._errors import KNOWN
from visualizer.web._keeper import STATUS

from ._table import code, table

PACKAGE = Path(visualizer.__file__).parent


@dataclass(frozen=True)
class Said:
    """One call that makes an error: its function, code, status, and what it says where that stands there."""

    code: str
    status: int | None
    message: str


def http() -> dict[str, tuple[set[int], str]]:
    """Codes of HTTP errors: the statuses that each comes with, and what the first of them says."""
    found: dict[str, tuple[set[int], str]] = {}
    made = [Said(name, status, message) for status, (name, message, _) in KNOWN.items()]
    for one in [*made, *_said(PACKAGE / "web", {"ApiError"}, at=1)]:
        if one.status is not None:
            statuses, message = found.get(one.code, (set(), ""))
            found[one.code] = (statuses | {one.status}, message or one.message)
    # What is wrong with a link that was sent, and with the database of links.
    for one in _said(PACKAGE / "links", {"BadLink"}, at=0):
        statuses, message = found.get(one.code, (set(), ""))
        found[one.code] = (statuses | {413 if one.code == "too-large" else 400}, message or one.message)
    for kind, status in STATUS.items():
        found[f"links-{kind}"] = ({status}, str(StoreProblem(kind)))
    return found


def diagnostics() -> dict[str, str]:
    """Codes of diagnostics, each with the first message that is made with it."""
    found: dict[str, str] = {}
    for folder in ("sandbox", "tracing"):
        for one in _said(PACKAGE / folder, {"diagnostic", "_diagnostic", "from_exception"}, at=0):
            found[one.code] = found.get(one.code) or one.message
    return found


def _said(folder: Path, names: set[str], at: int) -> Iterator[Said]:
    """Calls of these functions whose code, the argument `at` or `code=`, stands in the text; the message is the argument after it."""
    for path in sorted(folder.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for scope in ast.walk(tree):
            if isinstance(scope, ast.FunctionDef):
                known = _assigned(scope)
                for call in ast.walk(scope):
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in names:
                        yield from _one(call, at, known)


def _one(call: ast.Call, at: int, known: dict[str, str]) -> Iterator[Said]:
    word = next((word.value for word in call.keywords if word.arg == "code"), None)
    given = word or (call.args[at] if len(call.args) > at and getattr(call.func, "id", "") != "from_exception" else None)
    if not (isinstance(given, ast.Constant) and isinstance(given.value, str)):
        return
    status = call.args[0].value if at and isinstance(call.args[0], ast.Constant) else None
    message = "" if word is not None or len(call.args) <= at + 1 else _text(call.args[at + 1], known)
    yield Said(given.value, status, message or known.get("message", ""))


def _assigned(scope: ast.FunctionDef) -> dict[str, str]:
    """Names that a function gives a text, and only one."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(scope):
        if not isinstance(node, ast.Assign):
            continue
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple):
            pairs = (
                list(zip(target.elts, value.elts, strict=False)) if isinstance(value, ast.Tuple) else [(one, value) for one in target.elts]
            )
        for name, given in pairs:
            if isinstance(name, ast.Name):
                found.setdefault(name.id, set()).add(_text(given, {}))
    return {name: texts.pop() for name, texts in found.items() if len(texts) == 1}


def _text(node: ast.expr, known: dict[str, str]) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    return known.get(node.id, "") if isinstance(node, ast.Name) else ""


def codes() -> str:
    """Both, as tables."""
    shown = sorted((min(statuses), name, statuses, message) for name, (statuses, message) in http().items())
    rows = [[code(name), ", ".join(map(str, sorted(statuses))), _plain(message)] for _, name, statuses, message in shown]
    said = [[code(name), _plain(message)] for name, message in sorted(diagnostics().items())]
    return (
        "## Errors of HTTP\n\n" + table(["Code", "Status", "A message with it"], rows) + "## Diagnostics of a trace\n\n"
        "A paste that fails is an answer with status 200, whose `diagnostics` say what, where and what to do. "
        "`python-error` is whatever the code itself raised. "
        "Where no message stands here it is made for the case, or that of JAX, XLA or the parser.\n\n"
        + table(["Code", "A message with it"], said)
    )


def _plain(message: str) -> str:
    """As text: nothing in it is markup."""
    return re.sub(r"([*_`<>\[\]{}\\])", r"\\\1", message)
