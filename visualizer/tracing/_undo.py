"""Put the paste's own state back after our second run of one of its functions.

A function may count its calls, append to a list, keep what it saw in an attribute; tracing it again must not show in what the paste prints.

Promises: names, lists, dicts, sets, attributes of the paste's own objects, classes and functions, and closures' variables are as before.
Must never: call anything of the paste's, or copy more than containers (values themselves stay).
"""

from __future__ import annotations

import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

_DICTS = frozenset({dict, OrderedDict, defaultdict})
_FUNCTION, _CELL = types.FunctionType, types.CellType
_get = object.__getattribute__
MAX_OBJECTS = 20_000
MAX_LENGTH = 100_000
Restore = Callable[[], None]


def remember(namespace: dict[str, Any]) -> Restore:
    """Remember everything that can be reached from a namespace; the result puts it back."""
    memory = _Memory()
    memory.see(namespace)
    while memory.todo and len(memory.known) < MAX_OBJECTS:
        memory.visit(memory.todo.pop())
    return memory.restore


class _Memory:
    def __init__(self) -> None:
        self.known: dict[int, Any] = {}
        self.todo: list[Any] = []
        self._back: list[tuple[Any, Any]] = []

    def see(self, value: Any) -> None:
        kind = type(value)
        if kind in _PLAIN or id(value) in self.known:
            return
        if kind in _CONTAINERS or kind is _FUNCTION or kind is _CELL or _is_own(value, kind):
            self.known[id(value)] = value
            self.todo.append(value)

    def visit(self, value: Any) -> None:
        kind = type(value)
        if kind in _CONTAINERS:
            if len(value) > MAX_LENGTH:
                return
            if kind is not tuple:
                self._back.append((value, kind(value) if kind is not defaultdict else dict(value)))
            for item in value.values() if kind in _DICTS else value:
                self.see(item)
        elif kind is _FUNCTION:
            if value.__globals__.get("__name__") == "__main__":
                for cell in value.__closure__ or ():
                    self.see(cell)
                if value.__dict__:
                    self.see(value.__dict__)
        elif kind is _CELL:
            self._visit_cell(value)
        elif isinstance(value, type):
            self._visit_class(value)
        else:
            self.see(_get(value, "__dict__"))

    def _visit_cell(self, cell: Any) -> None:
        try:
            contents = cell.cell_contents
        except ValueError:  # not bound yet
            return
        self._back.append((cell, contents))
        self.see(contents)

    def _visit_class(self, owner: type) -> None:
        own = {name: value for name, value in type.__getattribute__(owner, "__dict__").items() if not name.startswith("__")}
        self._back.append((owner, own))
        for value in own.values():
            self.see(value)

    def restore(self) -> None:
        """Put everything back."""
        for target, before in self._back:
            _put_back(target, before)


_SEQUENCES = frozenset({list, set, deque})
_CONTAINERS = _DICTS | _SEQUENCES | {tuple}
_PLAIN = frozenset({int, float, str, bytes, bool, complex, type(None), types.ModuleType, types.BuiltinFunctionType})


def _is_own(value: Any, kind: type) -> bool:
    """Whether a class is the paste's, or an instance of one, with attributes to remember."""
    if isinstance(value, type):
        return bool(type.__getattribute__(value, "__module__") == "__main__")
    if kind.__module__ != "__main__":
        return False
    try:
        return type(_get(value, "__dict__")) is dict
    except AttributeError:
        return False


def _put_back(target: Any, before: Any) -> None:
    kind = type(target)
    if kind in _DICTS:
        if len(target) != len(before) or any(target.get(key, _MISSING) is not value for key, value in before.items()):
            target.clear()
            target.update(before)
    elif kind is list:
        if len(target) != len(before) or any(now is not then for now, then in zip(target, before, strict=True)):
            target[:] = before
    elif kind is set:
        if target != before:
            target.clear()
            target.update(before)
    elif kind is deque:
        if len(target) != len(before):
            target.clear()
            target.extend(before)
    elif kind is _CELL:
        target.cell_contents = before
    else:
        _put_back_class(target, before)


_MISSING = object()


def _put_back_class(owner: type, before: dict[str, Any]) -> None:
    now = dict(type.__getattribute__(owner, "__dict__"))
    for name, value in before.items():
        if now.get(name, _MISSING) is not value:
            type.__setattr__(owner, name, value)
    for name in now.keys() - before.keys():
        if not name.startswith("__"):
            type.__delattr__(owner, name)
