"""The paste's own state, as it was: put back after our second run of one of its functions, and rewound for it.

A function may count its calls, append to a list, draw random numbers; tracing it again must not show in what the paste prints, and must see
what the first run saw.

Promises: names, lists, dicts, sets, queues, attributes of the paste's own objects, classes and functions, closures' variables, small numpy
arrays, streams in memory and random states are as before.
Must never: call anything of the paste's, or copy more than containers (values themselves stay).
"""

from __future__ import annotations

import contextlib
import functools
import types
from collections.abc import Callable
from typing import Any

from . import _undo_kinds as kinds
from ._undo_once import Once, stand_in

_FUNCTION, _CELL, _METHOD = types.FunctionType, types.CellType, types.MethodType
_get = object.__getattribute__
MAX_OBJECTS = 20_000
MAX_LENGTH = 100_000
Restore = Callable[[], None]


def remember(namespace: dict[str, Any], *more: Any) -> Restore:
    """Remember everything that can be reached from a namespace and from further values; the result puts it back."""
    return Memory(namespace, *more).restore


class Memory:
    """What can be reached from a namespace, as it is now.

    With `once`, what can be gone through only once comes back as a stand-in: a copy, or what notes in `once` that it was asked for.
    """

    def __init__(self, namespace: dict[str, Any], *more: Any, once: Once | None = None) -> None:
        self.known: dict[int, Any] = {}
        self.once = once
        self.stands = False
        """Whether anything has a stand-in."""
        self._todo: list[Any] = []
        self._back: list[tuple[Callable[[Any, Any], None], Any, Any]] = []
        self._states = kinds.random_states()
        for value in (namespace, *more):
            self._see(value)
        while self._todo and len(self.known) < MAX_OBJECTS:
            self._visit(self._todo.pop())

    def restore(self) -> None:
        """Put everything back."""
        for put, target, before in self._back:
            put(target, before)
        for give_back, state in self._states:
            give_back(state)

    def _see(self, value: Any) -> None:
        kind = type(value)
        if kind in kinds.PLAIN or id(value) in self.known:
            return
        if kind in kinds.CONTAINERS or kind in _CODE or kind in kinds.STATES or kinds.is_own(value, kind):
            self.known[id(value)] = value
            self._todo.append(value)

    def _keep(self, put: Callable[[Any, Any], None], target: Any, before: Any) -> None:
        self._back.append((put, target, before))

    def _stand_in(self, value: Any) -> Any:
        found = value if self.once is None else stand_in(value, self.once)
        self.stands = self.stands or found is not value
        return found

    def _visit(self, value: Any) -> None:
        kind = type(value)
        if kind in kinds.STATES:
            put, before = kinds.STATES[kind](value)
            self._keep(put, value, before)
        elif kind is _CELL:
            self._visit_cell(value)
        elif kind in _CODE:
            self._visit_code(value, kind)
        elif isinstance(value, type):
            self._visit_class(value)
        else:
            if isinstance(value, dict):
                self._visit_dict(value)
            elif isinstance(value, kinds.SEQUENCES):
                self._visit_sequence(value)
            if kind not in kinds.CONTAINERS:
                self._visit_object(value, kind)

    def _visit_dict(self, value: dict[Any, Any]) -> None:
        if dict.__len__(value) > MAX_LENGTH:
            return
        items = dict(kinds.pairs_of(value))
        self._keep(kinds.put_dict, value, {key: self._stand_in(item) for key, item in items.items()})
        for item in items.values():
            self._see(item)

    def _visit_sequence(self, value: Any) -> None:
        if len(value) > MAX_LENGTH:
            return
        items = [*kinds.items_of(value)]
        if not isinstance(value, tuple):
            self._keep(kinds.put_items, value, [self._stand_in(item) for item in items])
        for item in items:
            self._see(item)

    def _visit_object(self, value: Any, kind: type) -> None:
        slots = kinds.slots_of(value, kind)
        if slots:
            self._keep(kinds.put_slots, value, {name: self._stand_in(item) for name, item in slots.items()})
            for item in slots.values():
                self._see(item)
        with contextlib.suppress(AttributeError):
            self._see(_get(value, "__dict__"))

    def _visit_cell(self, cell: Any) -> None:
        try:
            contents = cell.cell_contents
        except ValueError:  # not bound yet
            return
        self._keep(kinds.put_cell, cell, self._stand_in(contents))
        self._see(contents)

    def _visit_code(self, value: Any, kind: type) -> None:
        if kind is _METHOD:
            parts: tuple[Any, ...] = (value.__self__, value.__func__)
        elif kind is functools.partial:
            parts = (value.func, value.args, value.keywords)
        elif value.__globals__.get("__name__") == "__main__":
            parts = (*(value.__closure__ or ()), value.__defaults__, value.__kwdefaults__, value.__dict__)
        else:
            parts = ()
        for part in parts:
            self._see(part)

    def _visit_class(self, owner: type) -> None:
        own = {name: value for name, value in type.__getattribute__(owner, "__dict__").items() if not name.startswith("__")}
        self._keep(kinds.put_class, owner, {name: self._stand_in(value) for name, value in own.items()})
        for value in own.values():
            self._see(value)


_CODE = frozenset({_FUNCTION, _CELL, _METHOD, functools.partial})
