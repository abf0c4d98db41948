"""`python -m visualizer.integrations._child`: one picture that a document asks for, named on standard input, as JSON on standard output.

Promises: the last line of the output is a Picture, or an `error` in words with its line in the document. What the person's code prints goes
to standard error. Must never: import jax for a file that was saved.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
import os
import sys
import tempfile
import traceback
from dataclasses import replace
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from ._inline import inline_svg
from ._maker import digest
from ._types import NAMES, read_args, typed
from ._wanted import NotDrawn

if TYPE_CHECKING:
    from visualizer._api._diagram import Diagram

Dict = dict[str, Any]


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.buffer.read())
    # Whatever is printed meanwhile must not stand in the answer.
    answer = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.path[:0] = [entry for entry in request["path"] if entry not in sys.path]
    with tempfile.TemporaryDirectory(prefix="jaxpr-") as folder:
        body = Path(folder) / "document.py"
        try:
            found = _answer(request, body)
        except BaseException as error:
            found = _problem(error, body)
    json.dump(found, answer, allow_nan=False)
    answer.write("\n")
    answer.close()


def _answer(request: Dict, body: Path) -> Dict:
    source = ""
    if request["saved"]:
        import visualizer

        diagram = visualizer.load(request["saved"])
    elif request["function"]:
        fun = _named(request["function"])
        with contextlib.suppress(OSError, TypeError):
            source = inspect.getsource(inspect.unwrap(fun))
        diagram = _diagram_of_call(fun, request)
    else:
        source = request["code"]
        diagram = _last(request, body)
    diagram = replace(diagram, options=replace(diagram.options, **request["options"]))
    light = diagram.svg(theme="light")
    auto = diagram.svg(theme="auto")
    files = {} if request["saved"] else {name: digest(name) for name in _own_files(body)}
    return {"svg": auto, "inline": inline_svg(light, auto), "light": light, "alt": diagram.alt, "source": source, "files": files}


def _named(name: str) -> Any:
    import importlib

    module, _, path = name.partition(":")
    found: Any = importlib.import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    if not callable(found):
        raise NotDrawn(f"{name} is not a function but of type {type(found).__name__}.")
    return found


def _diagram_of_call(fun: Any, request: Dict) -> Diagram:
    import visualizer

    return visualizer.trace(fun, *read_args(request["args"] or ""))


def _last(request: Dict, body: Path) -> Diagram:
    """The diagram that the last expression of the code is."""
    import visualizer

    # The lines of the code are those of the document, and names can be looked up in a file as for any other function.
    text = "\n" * (request["line"] - 1) + request["code"]
    body.write_text(text, encoding="utf-8")
    tree = ast.parse(text, str(body))
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        at = tree.body[-1].lineno if tree.body else None
        raise NotDrawn("It does not end in an expression. Its last line is what is drawn: trace(f, f32[3]).", at)
    last = tree.body.pop()
    given = {"trace": visualizer.trace, "spec": visualizer.spec, "diagram": visualizer.diagram}
    namespace: Dict = {"__name__": "__document__", **given, **{name: typed(name) for name in NAMES}}
    if request["setup"]:
        _run(compile(request["setup"], "<jaxpr_setup>", "exec", dont_inherit=True), namespace)
    _run(compile(tree, str(body), "exec", dont_inherit=True), namespace)
    value = eval(compile(ast.Expression(last.value), str(body), "eval", dont_inherit=True), namespace)
    if not isinstance(value, visualizer.Diagram):
        try:
            value = visualizer.diagram(value)
        except TypeError:
            said = f"Its last expression is of type {type(value).__name__}, which is no diagram. End it in trace(f, f32[3])."
            raise NotDrawn(said, last.lineno) from None
    return value


def _run(code: CodeType, namespace: Dict) -> None:
    exec(code, namespace)  # noqa: S102 - the author's own code, in a process of its own


def _own_files(body: Path) -> list[str]:
    """The files of the modules that were loaded, without those that are installed: when one of them changes, the picture may."""
    found = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
    return sorted(str(Path(name).resolve()) for name in found if _is_own(name, body))


def _is_own(name: str, body: Path) -> bool:
    installed = (sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(__file__).parents[1]), str(body.parent))
    return name.endswith(".py") and not name.startswith(installed) and "site-packages" not in name


def _problem(error: BaseException, body: Path) -> Dict:
    if isinstance(error, NotDrawn):
        return {"error": str(error), "line": error.line}
    # What is ours says what to do already; what is theirs has its first line, for JAX goes on about itself.
    words = str(error).strip().splitlines()
    kind = type(error)
    said = ": ".join([*([] if kind.__module__.startswith("visualizer.") else [kind.__name__]), *words[:1]])
    if isinstance(error, SyntaxError) and error.filename == str(body):
        return {"error": f"{type(error).__name__}: {error.msg}", "line": error.lineno}
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(body)]
    # What a module of theirs raises, it raises there.
    own = [frame for frame in frames if _is_own(frame.filename, body)]
    where = f" ({os.path.relpath(own[-1].filename)}, line {own[-1].lineno})" if own else ""
    return {"error": said.replace(str(body), "the document") + where, "line": lines[-1] if lines else None}


if __name__ == "__main__":
    main()
