"""The environment that a paste sets for JAX before importing it.

This process has imported JAX long ago, so `os.environ["JAX_ENABLE_X64"] = "1"` would come too late: it is found in the source and applied
as `jax.config.update` before the run. `XLA_FLAGS` is read when a backend starts, which the paste's own assignment precedes.

Promises: only constants, only at module level, only before the paste's first import of jax, as Python itself would honour them.
Must never: change the platform or where caches lie.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import jax

from visualizer.tracing import compat

_update = jax.config.update
_TRUE = frozenset({"y", "yes", "t", "true", "on", "1"})
_FALSE = frozenset({"n", "no", "f", "false", "off", "0"})
_NOT_OURS = (
    "jax_platform",
    "jax_compilation_cache",
    "jax_persistent",
    "jax_dump",
    "jax_log_compiles_dir",
    "jax_debug_log_modules",
    "jax_coordination",
)


def environment_of(tree: ast.Module) -> dict[str, str]:
    """The environment variables that a paste sets before it imports jax."""
    found: dict[str, str] = {}
    for statement in tree.body:
        if _imports_jax(statement):
            break
        for name, value, default in _settings(statement):
            if not (default and name in found):
                found[name] = value
    return found


def apply_environment(found: dict[str, str]) -> list[str]:
    """Set JAX's options from environment variables; the notes say what was set."""
    notes = []
    options = compat.config_values()
    for name, text in found.items():
        option = name.lower()
        if option not in options or option.startswith(_NOT_OURS):
            continue
        value = _value(text, options[option])
        if value is None:
            continue
        try:
            _update(option, value)
        except Exception:  # noqa: S112 - a value that JAX does not take is the paste's own problem
            continue
        notes.append(f"{name}={text} is set before jax is imported: applied.")
    return notes


def _value(text: str, now: Any) -> Any:
    lowered = text.strip().lower()
    if isinstance(now, bool):
        return True if lowered in _TRUE else False if lowered in _FALSE else None
    if isinstance(now, int):
        return int(lowered) if lowered.lstrip("-").isdigit() else None
    return text


def _imports_jax(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import):
        return any(alias.name.split(".")[0] == "jax" for alias in statement.names)
    return isinstance(statement, ast.ImportFrom) and (statement.module or "").split(".")[0] == "jax"


def _settings(statement: ast.stmt) -> Iterator[tuple[str, str, bool]]:
    """(variable, value, only a default) of one statement."""
    if isinstance(statement, ast.Assign):
        value = _text(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Subscript) and _is_environ(target.value):
                name = _text(target.slice)
                if name is not None and value is not None:
                    yield name, value, False
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        yield from _call_settings(statement.value)


def _call_settings(call: ast.Call) -> Iterator[tuple[str, str, bool]]:
    function = call.func
    if not isinstance(function, ast.Attribute):
        return
    if function.attr in ("setdefault", "putenv") and len(call.args) == 2:
        name, value = map(_text, call.args)
        if (_is_environ(function.value) or function.attr == "putenv") and name is not None and value is not None:
            yield name, value, function.attr == "setdefault"
    elif function.attr == "update" and _is_environ(function.value):
        for keyword in call.keywords:
            value = _text(keyword.value)
            if keyword.arg and value is not None:
                yield keyword.arg, value, False
        for arg in call.args:
            if isinstance(arg, ast.Dict):
                for key, item in zip(arg.keys, arg.values, strict=True):
                    name, value = _text(key) if key else None, _text(item)
                    if name is not None and value is not None:
                        yield name, value, False


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_environ(node: ast.expr) -> bool:
    return (isinstance(node, ast.Attribute) and node.attr == "environ") or (isinstance(node, ast.Name) and node.id == "environ")
