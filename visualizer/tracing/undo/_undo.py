"""The paste's own state, as it was: put back after our second run of one of its functions, and rewound for it.

A function may count its calls, append to a list, draw random numbers; tracing it again must not show in what the paste prints, and must see
what the first run saw.

Promises: names, lists, dicts, sets, queues, attributes of the paste's own objects, classes, functions and modules, of objects of Python's
library, closures' variables, small arrays, streams in memory, locks, caches, random states and settings of the process are as before.
Must never: call anything of the paste's, or copy more than containers (values themselves stay).
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import logging
import threading
import types
from collections.abc import Callable
from typing import Any

from visualizer.tracing import compat

from . import _kinds as kinds
from . import _world as world
from ._caches import Cache, Wrapper
from ._once import Once

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
        self.pytree_classes = compat.pytree_classes()
        self._todo: list[Any] = []
        self._back: list[tuple[Callable[[Any, Any], None], Any, Any]] = []
        self._swapped: list[tuple[Callable[[Any, Any], None], Any, Any]] = []
        # What threads talk through stays, where there are others than this one.
        self._shared = _SHARED if len(_threads()) > 1 else frozenset()
        self._world = [*world.state(), world.named(builtins)]
        for value in (namespace, *more, *world.made_modules().values(), *_loggers(namespace)):
            self._see(value)
        while self._todo and len(self.known) < MAX_OBJECTS:
            self._visit(self._todo.pop())

    def restore(self) -> None:
        """Put everything back."""
        for give_back, state in self._world:
            give_back(state)
        for put, target, before in self._back:
            put(target, before)
        once = self.once
        if once is not None:
            once.begin()
            for put, target, before in self._swapped:
                put(target, {key: once.of(value) for key, value in before.items()} if isinstance(before, dict) else [*map(once.of, before)])

    def _see(self, value: Any) -> None:
        kind = type(value)
        if kind in kinds.PLAIN or id(value) in self.known or kind.__module__ in self._shared:
            return
        if kind in kinds.CONTAINERS or kind in _CODE or kinds.state_of(kind) or kind is _MODULE or kinds.is_own(value, kind):
            self.known[id(value)] = value
            self._todo.append(value)

    def _keep(self, put: Callable[[Any, Any], None], target: Any, before: Any) -> None:
        """Remember the items of a dict or a list, and look at them."""
        once, swapped = self.once, False
        for item in before.values() if isinstance(before, dict) else before:
            kind = type(item)
            if kind not in kinds.PLAIN:
                swapped = (once is not None and once.keeps(item)) or swapped
                self._see(item)
        self.stands = self.stands or swapped
        (self._swapped if swapped else self._back).append((put, target, before))

    def _visit(self, value: Any) -> None:
        kind = type(value)
        state = kinds.state_of(kind)
        if state is not None:
            put, before = state(value)
            self._back.append((put, value, before))
        if kind is _CELL:
            self._visit_cell(value)
        elif kind in _CODE:
            self._visit_code(value, kind)
        elif kind is _MODULE:
            self._visit_module(value)
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
        if dict.__len__(value) <= MAX_LENGTH:
            self._keep(kinds.put_dict, value, dict(kinds.pairs_of(value)))

    def _visit_sequence(self, value: Any) -> None:
        if len(value) > MAX_LENGTH:
            return
        items = [*kinds.items_of(value)]
        if not isinstance(value, tuple):
            self._keep(kinds.put_items, value, items)
        for item in items:
            self._see(item)

    def _visit_object(self, value: Any, kind: type) -> None:
        slots = kinds.slots_of(value, kind)
        if slots:
            self._keep(kinds.put_slots, value, slots)
        with contextlib.suppress(AttributeError):
            self._see(_local_get(value, "__dict__") if isinstance(value, _Local) else _get(value, "__dict__"))

    def _visit_cell(self, cell: Any) -> None:
        with contextlib.suppress(ValueError):  # not bound yet
            self._keep(kinds.put_cell, cell, [cell.cell_contents])

    def _visit_code(self, value: Any, kind: type) -> None:
        parts: tuple[Any, ...] = ()
        if kind is _METHOD:
            parts = (value.__self__, value.__func__)
        elif kind is functools.partial:
            parts = (value.func, value.args, value.keywords)
        elif kind is Wrapper:
            parts = (vars(value), vars(value).get("__wrapped__"), *(result for _, result in Cache(value).entries))
        elif kind in _DESCRIPTORS:
            parts = (value.fget, value.fset, value.fdel) if kind is property else (value.__func__,)
        elif kinds.is_written(value.__globals__):
            parts = (value.__globals__, *(value.__closure__ or ()), value.__kwdefaults__, value.__dict__)
            if value.__defaults__:
                self._keep(kinds.put_defaults, value, [*value.__defaults__])
        elif kinds.keeps_state(value):
            parts = value.__closure__ or ()
        for part in parts:
            self._see(part)

    def _visit_module(self, module: types.ModuleType) -> None:
        if world.is_made(module):
            self._see(vars(module))
        else:
            self._world.append(world.named(module))

    def _visit_class(self, owner: type) -> None:
        own = {name: value for name, value in type.__getattribute__(owner, "__dict__").items() if not name.startswith("__")}
        self._keep(kinds.put_class, owner, own)
        self._back.append((kinds.put_subclasses, owner, type.__subclasses__(owner)))


def _loggers(namespace: dict[str, Any]) -> tuple[Any, ...]:
    """What leads to the loggers: all of them where a paste has `logging`, else what it gets without."""
    return (logging.root.manager,) if any(value is logging for value in namespace.values()) else (logging.root.handlers,)


_SHARED = frozenset({"threading", "_thread", "queue", "_queue"})
_threads = threading.enumerate
_Local, _MODULE = threading.local, types.ModuleType
_local_get = threading.local.__getattribute__
_DESCRIPTORS = frozenset({staticmethod, classmethod, property})
_CODE = frozenset({_FUNCTION, _CELL, _METHOD, functools.partial, Wrapper}) | _DESCRIPTORS
