"""The same questions for what comes packed: every id that a row uses is there, without making a thing of every row.

A template is read once, as the model reads it, with a number of its own in each hole; what the model then holds at each place says which
hole is what. Promises: linear in the size of the rows. Raises BadResult.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter, ValidationError

from visualizer.model import Eqn, Evaluation, LiteralAtom, ModuleValue, Op, Var
from visualizer.model.parts import Template, each_row

from ._errors import BadResult

_MARK = 1_000_000
_EQN: TypeAdapter[Any] = TypeAdapter(Eqn)
_OP: TypeAdapter[Any] = TypeAdapter(Op)
_VAR: TypeAdapter[Any] = TypeAdapter(Var)
_EVALUATION: TypeAdapter[Any] = TypeAdapter(Evaluation)
_VALUE: TypeAdapter[Any] = TypeAdapter(tuple[str, ModuleValue])
_LINK: TypeAdapter[Any] = TypeAdapter(tuple[str, tuple[str, ...]])


@dataclass(frozen=True, slots=True)
class Reading:
    """What a template is: the thing, the holes that are its own ids, and those of what it uses."""

    thing: Any
    own: tuple[int, ...]
    uses: tuple[int, ...]


class Templates:
    """The templates of a program or part. Each is read when a row needs it, as what the row is to be."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.all = [Template(text) for text in texts]
        self._read: dict[tuple[int, str], Reading] = {}

    def names(self, at: int, numbers: Sequence[int], holes: tuple[int, ...]) -> list[str]:
        """The ids in some holes of a row."""
        letters = self.all[at].letters
        return [f"{letters[hole]}{numbers[hole]}" for hole in holes]

    def filled(self, at: int, numbers: Sequence[int]) -> Eqn:
        """The equation of a row, for what has to be looked at one by one."""
        made: Eqn = _EQN.validate_json(json.dumps({**self.all[at].fill(numbers), "call": None}))
        return made

    def eqn(self, at: int) -> Reading:
        return self._reading(at, "eqn", _EQN, lambda eqn: ([eqn.id], _used_by_eqn(eqn)), call=None)

    def evaluation(self, at: int) -> Reading:
        """Its own are its jaxpr and its equation."""
        return self._reading(
            at, "evaluation", _EVALUATION, lambda one: ([one.jaxpr, *([one.eqn] if one.eqn else [])], list(one.parts.values()))
        )

    def op(self, at: int) -> Reading:
        return self._reading(at, "op", _OP, _ids_of_op)

    def var(self, at: int) -> Reading:
        return self._reading(at, "var", _VAR, lambda var: ([var.id], []), name="")

    def value(self, at: int) -> Reading:
        return self._reading(at, "value", _VALUE, lambda pair: ([pair[0]], []))

    def link(self, at: int) -> Reading:
        return self._reading(at, "link", _LINK, lambda pair: ([pair[0]], list(pair[1])))

    def _reading(
        self, at: int, kind: str, model: TypeAdapter[Any], ids: Callable[[Any], tuple[list[str], list[str]]], **more: str | None
    ) -> Reading:
        known = self._read.get((at, kind))
        if known is not None:
            return known
        template = self.all[at]
        try:
            filled = template.fill(range(_MARK, _MARK + len(template.letters)))
            thing = model.validate_json(json.dumps({**filled, **more} if more else filled))
        except (ValueError, TypeError, RecursionError, ValidationError):
            raise BadResult("a template that does not fit the model") from None
        own, uses = ids(thing)
        made = Reading(thing, _holes(own), _holes(uses))
        self._read[at, kind] = made
        return made


def rows(templates: Templates, packed: str) -> list[tuple[int, Sequence[int]]]:
    """The rows. BadResult where they do not fit."""
    try:
        return list(each_row(templates.all, packed))
    except ValueError:
        raise BadResult("rows that do not fit their templates") from None


def _holes(ids: list[str]) -> tuple[int, ...]:
    """Which hole each id is. What is packed has no id that is none: it would be the same in every row."""
    try:
        holes = tuple(int(name[1:]) - _MARK for name in ids)
    except ValueError:
        raise BadResult("a packed id that is not a number") from None
    if any(hole < 0 for hole in holes):
        raise BadResult("a packed id that is the same in every row")
    return holes


def _used_by_eqn(eqn: Eqn) -> list[str]:
    used = [operand.atom.var for operand in eqn.operands if not isinstance(operand.atom, LiteralAtom)]
    return [*used, *(result.var for result in eqn.results)]


def _ids_of_evaluation(one: Evaluation) -> tuple[list[str], list[str]]:
    return [one.jaxpr, *([one.eqn] if one.eqn else [])], list(one.parts.values())


def _ids_of_op(op: Op) -> tuple[list[str], list[str]]:
    own, uses, waiting = [], [], [op]
    while waiting:
        one = waiting.pop()
        own.append(one.id)
        uses += [*(operand.value for operand in one.operands), *one.results]
        for region in one.regions:
            for block in region.blocks:
                uses += block.args
                waiting += block.ops
    return own, uses
