"""The names that the text itself gives to values: the parser forgets them, and prints its own.

Promises: a name that MLIR would print anyway is none; only names whose place in the text is plain are taken: those of results, of the
arguments of a function and of what a `while` carries. Must never: name a value after another.
"""

from __future__ import annotations

import re
from typing import Any

Dict = dict[str, Any]
_RESULT = re.compile(r"(%[\w$.\-]+)(?::(\d+))?")
_NUMBER = re.compile(r"%\d+(?:#\d+)?\Z")
_ARGUMENT = re.compile(r"(%[\w$.\-]+)\s*:")
_CARRIED = re.compile(r"(%[\w$.\-]+)\s*=")


def result_names(head: str) -> list[str]:
    """`%a, %b:2 = ` -> `%a`, `%b#0`, `%b#1`."""
    names: list[str] = []
    for found in _RESULT.finditer(head):
        names += [found[1]] if found[2] is None else [f"{found[1]}#{index}" for index in range(int(found[2]))]
    return names


def binder_names(name: str, text: str) -> list[str]:
    """The names in the first round brackets of a function or a `while`, in order; nothing of any other operation."""
    pattern = _ARGUMENT if name == "func.func" else _CARRIED if name.endswith(".while") else None
    start = text.find("(") + 1
    if pattern is None or start == 0:
        return []
    depth = 1
    names: list[str] = []
    for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"|[()\[\]{}]|%[\w$.\-]+', text[start:]):
        piece = found.group()
        if piece in "([{":
            depth += 1
        elif piece in ")]}":
            depth -= 1
            if depth == 0:
                break
        elif piece[0] == "%" and depth == 1 and (named := pattern.match(text, start + found.start())):
            names.append(named[1])
    return names


def give(values: Dict, ids: list[str], names: list[str]) -> None:
    """Label values with the text's own names, where there is one for each of them."""
    if len(ids) != len(names):
        return
    for key, name in zip(ids, names, strict=True):
        value = values[key]
        if value["label"] is None and name != value["name"] and not _NUMBER.match(name):
            value["label"] = name
