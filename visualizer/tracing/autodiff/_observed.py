"""Which variables are tangents and which are cotangents, watched where JAX itself makes them so.

JAX writes a tangent down in no jaxpr: it is the second half of a tracer while the program is traced, and then a variable like any other.
While `observing`, each such pair, and each value that the backward pass accumulates, leaves a note of the variable it stands for; where a
jaxpr is traced again (the jvp of a jitted gradient), each variable that comes of a noted one is what that was.

Promises: no result of JAX's changes; a note is a variable and nothing of its value, so no array is kept alive. On a JAX that
differentiates in another way nothing is watched, and nothing noted.
Must never: note what could be something else: a variable that one differentiation uses as value and as tangent is neither. In a process
that JAX is used in besides (`observing_one`), say anything of a program that holds what was differentiated unwatched.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from visualizer.tracing import compat

from ._linear import COTANGENT, TANGENT, State

# A variable is a hundred bytes. Programs of a process that traces for days must not add up.
MAX_NOTES = 2_000_000
# The same beside a person's own work.
MAX_BESIDE = 500_000
# variable -> the differentiations (JAX's tag of each) that used it so. Variables are compared by identity, and stay theirs while noted.
_values: dict[Any, Any] = {}
_tangents: dict[Any, Any] = {}
_both: set[Any] = set()
_cotangents: set[Any] = set()
# Whose notes these are: the thread whose one trace they are of; None for all that the process traces.
_watchers: set[int | None] = set()
# Of single traces: the context in which JAX remembers them, and by what a differentiation of theirs is known on a name stack.
_kept: list[tuple[Any, Any]] = []
_one_at_a_time = threading.Lock()


@contextlib.contextmanager
def observing() -> Iterator[None]:
    """While this lasts, JAX's differentiations leave their notes."""
    if not compat.differentiation_fits() or _is_watched():
        yield
        return
    _watchers.add(None)
    if _count() > MAX_NOTES:
        forget()
    with _watching():
        yield


@contextlib.contextmanager
def _watching() -> Iterator[None]:
    replacements = {
        **{place: _noting_pair(getattr(*place)) for place in compat.AD_PAIRS},
        **{place: _noting_sum(getattr(*place)) for place in compat.AD_SUMS},
        compat.AD_LINEARIZED: _noting_linearized(getattr(*compat.AD_LINEARIZED)),
    }
    if compat.evaluation_fits():
        replacements |= {place: _noting_again(getattr(*place)) for place in compat.AD_EVALUATES}
    originals = {place: getattr(*place) for place in replacements}
    for place, replacement in replacements.items():
        setattr(*place, replacement)
    try:
        yield
    finally:
        for place, original in originals.items():
            setattr(*place, original)


@contextlib.contextmanager
def observing_one() -> Iterator[contextlib.AbstractContextManager[Any]]:
    """While this lasts there are notes of one trace, the one in the context that it gives; for a process in which JAX is used besides.

    Of what JAX remembers it takes nothing there but what it traced so before: nobody watched how the rest was differentiated. Where another
    thread is being watched, or JAX would not trace anew, nothing is watched.
    """
    fits = compat.differentiation_fits() and compat.evaluation_fits()
    if not fits or _is_watched() or not _one_at_a_time.acquire(blocking=False):
        yield contextlib.nullcontext()
        return
    me = threading.get_ident()
    try:
        if not _kept or _count() > MAX_BESIDE:
            forget()
            anew = compat.tracing_anew()
            if anew is not None:
                _kept.append((anew, compat.transform_mark()))
        _watchers.clear()
        _watchers.add(me)
        yield _watching_anew(*_kept[0]) if _kept else contextlib.nullcontext()
    finally:
        _watchers.discard(me)
        _one_at_a_time.release()


@contextlib.contextmanager
def _watching_anew(anew: contextlib.AbstractContextManager[Any], mark: Any) -> Iterator[None]:
    with _watching(), anew, compat.marking_transforms(mark):
        yield


def _count() -> int:
    return len(_values) + len(_tangents) + len(_cotangents)


def _is_watched() -> bool:
    return bool(getattr(*compat.AD_LINEARIZED).__module__ == __name__)


def forget() -> None:
    """Drop all notes, and with them what JAX is to remember of what was watched."""
    for notes in (_values, _tangents, _both, _cotangents, _kept):
        notes.clear()


class Notes(NamedTuple):
    """What was seen of the variables of one program, by our ids; `doubtful` are those of them that were also values to differentiate at.

    `valued`: the others that were.
    """

    states: dict[str, State]
    doubtful: set[str]
    valued: set[str]

    def __bool__(self) -> bool:
        return bool(self.states)


def notes_on(bodies: Iterable[tuple[Any, Mapping[Any, tuple[Any, ...]]]]) -> Notes | None:
    """The notes on the variables of a program, given each jaxpr and the atoms of its variables. None where not all of it was watched."""
    if (not _tangents and not _cotangents) or _watchers.isdisjoint((None, threading.get_ident())):
        return None
    notes = Notes({}, set(), set())
    for jaxpr, atoms in bodies:
        # A jaxpr from elsewhere, or a part of one: differentiated while nobody watched.
        if None not in _watchers and not compat.derivatives_in(jaxpr) <= {mark for _, mark in _kept}:
            return None
        for var, (atom, *_) in atoms.items():
            if var in _tangents:
                if var not in _both:
                    notes.states[atom["var"]] = TANGENT
            elif var in _cotangents:
                notes.states[atom["var"]] = COTANGENT
            else:
                if var in _values:
                    notes.valued.add(atom["var"])
                continue
            if var in _values:
                notes.doubtful.add(atom["var"])
    return notes or None


def _variable(tracer: Any) -> Any:
    """The variable that is at the bottom of a tracer."""
    while tracer is not None:
        if type(tracer) is compat.StagedTracer:
            return compat.variable_of(tracer)
        tracer = compat.primal_of(tracer)
    return None


def _note(value: Any, tangent: Any, tag: Any) -> None:
    for notes, others, tracer in ((_values, _tangents, value), (_tangents, _values, tangent)):
        var = _variable(tracer)
        if var is not None:
            notes[var] = tag
            if others.get(var) is tag:
                _both.add(var)


def _noting_pair(real: Any) -> Any:
    def __init__(self: Any, trace: Any, primal: Any, tangent: Any) -> None:  # noqa: N807 - stands in for a method of this name
        real(self, trace, primal, tangent)
        _note(primal, tangent, trace.tag)

    return __init__


def _noting_sum(real: Any) -> Any:
    def note(self: Any, *given: Any, **named: Any) -> None:
        real(self, *given, **named)
        for value in (*given, *named.values(), self.val):
            var = _variable(value)
            if var is not None:
                _cotangents.add(var)

    return note


def _noting_linearized(real: Any) -> Any:
    def _lift_linearized(jaxpr: Any, in_avals: Any, out_avals: Any, out_known: Any, consts: Any, *tangents: Any) -> Any:
        results = real(jaxpr, in_avals, out_avals, out_known, consts, *tangents)
        tag = object()
        for value in consts:
            _note(value, None, tag)
        for value in compat.tree_leaves((tangents, results)):
            _note(None, value, tag)
        return results

    return _lift_linearized


def _noting_again(real: Any) -> Any:
    def eval_jaxpr(jaxpr: Any, consts: Any, *args: Any, propagate_source_info: bool = True) -> Any:
        if not (_tangents or _cotangents) or not any(map(compat.is_tracer, (*args, *consts))):
            return real(jaxpr, consts, *args, propagate_source_info=propagate_source_info)
        noted = [var for eqn in jaxpr.eqns for var in eqn.outvars if var in _cotangents or var in _tangents]
        for var, value in zip(jaxpr.invars, args, strict=False):
            _note_again(var, value)
        if not noted:
            return real(jaxpr, consts, *args, propagate_source_info=propagate_source_info)
        # The same equations in the same order; it only gives more of what it made.
        more = jaxpr.replace(outvars=[*jaxpr.outvars, *noted])
        results = list(real(more, consts, *args, propagate_source_info=propagate_source_info))
        for var, value in zip(noted, results[len(jaxpr.outvars) :], strict=True):
            _note_again(var, value)
        return results[: len(jaxpr.outvars)]

    return eval_jaxpr


def _note_again(var: Any, value: Any) -> None:
    """What is made now of what made `var` is what `var` was."""
    new = _variable(value)
    if new is None or new is var:
        return
    for notes in (_values, _tangents):
        if var in notes:
            notes.setdefault(new, notes[var])
    for kept in (_both, _cotangents):
        if var in kept:
            kept.add(new)
