"""By which name of the paste a constant of a program is held: a global, what the traced function holds, or a part of one of these.

Promises: containers of globals come first, then what the function holds, then attributes of objects that globals lead to; within each a
name is given where it is the only one, and to one constant alone.
Must never: run code of the paste.
"""

from __future__ import annotations

import types
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from ._constants import Where, names_of
from ._reached import Root, roots_of


class Held(NamedTuple):
    """The name that holds a constant, and the way to it. `code`: the function whose variable it is; None of a global, or of several.

    `outside`: it was bound outside of the function that reads it, in one place.
    """

    name: str
    path: str
    code: types.CodeType | None = None
    outside: bool = True

    @property
    def text(self) -> str:
        """As it is written."""
        return self.name + self.path


class Holders:
    """The names of a paste after it ran, and the function that was traced."""

    def __init__(self, namespace: dict[str, Any] | None, function: Any = None, args: tuple[Any, ...] = ()) -> None:
        self._names = list(dict.items(namespace)) if namespace is not None else []
        self._function, self._args = function, args
        home = namespace.get("__name__") if namespace is not None else None
        self._home = home if type(home) is str else "__main__"
        self._roots: list[Root] | None = None

    def names_of(self, consts: Sequence[Any]) -> list[Held | None]:
        """For each constant the one name that holds it."""
        found = [where and Held(*where) for where in names_of(consts, self._names)]
        if None in found:
            self._fill(found, [*map(self._held, _once_each(self._reached(consts)))])
        if None in found:
            self._fill(found, [where and Held(*where) for where in names_of(consts, self._names, objects=True, home=self._home)])
        return found

    @staticmethod
    def _fill(found: list[Held | None], more: list[Held | None]) -> None:
        found[:] = [now or then for now, then in zip(found, more, strict=True)]

    def _reached(self, consts: Sequence[Any]) -> list[Where | None]:
        if self._roots is None:
            self._roots = roots_of(self._function, self._args, self._home) if self._function is not None else []
        return names_of(consts, [(root.name, root.value) for root in self._roots], objects=True, home=self._home)

    def _held(self, where: Where | None) -> Held | None:
        if where is None or self._roots is None:
            return None
        codes = {(root.code, root.free) for root in self._roots if root.name == where[0]}
        return Held(*where, *next(iter(codes))) if len(codes) == 1 else Held(*where, None, False)


def _once_each(found: list[Where | None]) -> list[Where | None]:
    """Without the names that two constants have: those of two functions that call their own the same."""
    times = Counter(where for where in found if where is not None)
    return [where if where is not None and times[where] == 1 else None for where in found]
