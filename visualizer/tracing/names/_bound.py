"""Which variables of a program are closed over, by which name, and where that name was bound.

Promises: `Jaxpr.bound` and labels for the binders of a body that the person never wrote (the consts of a scan, of a while, of a jitted
function), and for the arrays that the whole program closed over.
Must never: name a const whose value is not known to be that of the name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from visualizer.tracing.compat import arg_names, function_site
from visualizer.tracing.eqns._params import clamp
from visualizer.tracing.source._frames import Frames
from visualizer.tracing.source._functions import Place
from visualizer.tracing.source._index import Name
from visualizer.tracing.source._patterns import text_of
from visualizer.tracing.source._scopes import Scope
from visualizer.tracing.source._spans import Source
from visualizer.tracing.source._targets import Targets

from ._aliases import last_name
from ._closures import Closures
from ._holders import Held, Holders

if TYPE_CHECKING:
    from visualizer.tracing.eqns._walk import Body, Walk

Dict = dict[str, Any]
_CONSTS = frozenset({"const", "cond_const", "body_const"})
# Roles that say nothing of how an operand came to be one.
_UNSAID = frozenset({"arg", "operand"})


class Bound:
    """Follows the values of a program to the names that they were closed over by."""

    def __init__(self, walk: Walk, source: Source, targets: Targets, frames: Frames, known: Holders) -> None:
        self._walk = walk
        self._source = source
        self._targets = targets
        self._index = targets.index
        self._closures = Closures(targets.index)
        self._known = known
        self._frames = frames
        self._bodies = {body.id: body for body in walk.bodies}
        # For each binder that is closed over: its name, None where two calls disagree.
        self._consts: dict[str, dict[str, Name | None]] = defaultdict(dict)

    def label(self, order: list[Dict], assigned: dict[str, tuple[Place, str]]) -> None:
        """Name what is closed over. `order` has the jaxprs, callers first; `assigned` says which assignment named a variable."""
        if not any(body.wire["constvars"] for body in self._walk.bodies) and not any(self._has_consts(wire) for wire in order):
            return
        for wire in order:
            body = self._bodies[wire["id"]]
            origins = self._constants(body)
            for var, name in self._consts[body.id].items():
                if name is not None:
                    self._bind(wire, var, name)
                    origins[var] = [name]
            if any(map(_closes, wire["eqns"])):
                self._origins(body, origins, assigned)
                for eqn in filter(_closes, wire["eqns"]):
                    self._eqn(eqn, wire, origins)
                    if eqn["primitive"] == "cond":
                        self._branches(eqn, wire)

    @staticmethod
    def _has_consts(wire: Dict) -> bool:
        return any(map(_closes, wire["eqns"]))

    def _function(self, body: Body) -> Scope | None:
        filename, name, line = function_site(body.jaxpr)
        return self._index.function(name, line) if filename == self._source.filename else None

    def _constants(self, body: Body) -> dict[str, list[Name]]:
        """The arrays that the program closed over, by the names that hold them."""
        constvars = body.wire["constvars"]
        if not constvars or not body.consts:
            return {}
        origins = {}
        for var, where in zip(constvars, self._known.names_of(body.consts), strict=False):
            if where is not None:
                variable = body.wire["vars"][var]
                variable["label"] = variable["label"] or clamp(where.text)
                name = self._name(where)
                if name is not None:
                    origins[var] = [name]
                    if where.outside:
                        self._bind(body.wire, var, name)
        return origins

    def _name(self, where: Held) -> Name | None:
        """Which binding of the text a name is that leads to a constant."""
        if where.code is None:
            return self._index.module(where.name, where.path) if where.outside else None
        function = self._index.function(where.code.co_name, where.code.co_firstlineno)
        if function is None or where.code.co_filename != self._source.filename:
            return None
        if not where.outside:
            return self._index.argument(function, where.text)
        scope = function.find(where.name)
        found = scope.bindings.get(where.name, []) if scope is not None else []
        return Name(found[0], where.path) if len(found) == 1 else None

    def _origins(self, body: Body, origins: dict[str, list[Name]], assigned: dict[str, tuple[Place, str]]) -> None:
        """What is known of the variables of a body: parameters of its function, and what assignments gave a name to."""
        function = self._function(body)
        if function is not None:
            for var, label in zip(body.wire["invars"], arg_names(body.jaxpr), strict=False):
                if label and (name := self._index.argument(function, label)) is not None:
                    origins.setdefault(var, []).append(name)
        for eqn in body.wire["eqns"]:
            for result in eqn["results"]:
                if (known := assigned.get(result["var"])) is not None and (name := self._targets.origin(*known)) is not None:
                    origins.setdefault(result["var"], []).append(name)

    def _eqn(self, eqn: Dict, wire: Dict, origins: dict[str, list[Name]]) -> None:
        frames = None
        for call in eqn["nested"]:
            inner = self._bodies[call["jaxpr"]]
            known = self._consts[inner.id]
            for var, index in _closed_over(eqn, call, inner):
                operand = eqn["operands"][index]
                if (values := origins.get(operand["atom"]["var"])) is None:
                    continue
                if frames is None:
                    frames = self._frames.of(self._walk.objects[eqn["id"]])
                label = wire["vars"][operand["atom"]["var"]]["label"]
                outer = self._consts[wire["id"]].get(operand["atom"]["var"])
                if outer is not None and operand["role"] in _CONSTS and function_site(inner.jaxpr)[0] != self._source.filename:
                    name: Name | None = outer  # a library's loop, which the person's function is called in
                else:
                    name = self._closures.closed_over(self._function(inner), frames, values, label)
                before = known.setdefault(var, name)
                if before is not None and (name is None or before.binding is not name.binding or before.path != name.path):
                    known[var] = None

    def _branches(self, eqn: Dict, wire: Dict) -> None:
        """The parameters of the branches of a cond, whose names JAX forgets: what is not closed over is passed, array by array."""
        if any(entry["kind"] == "transform" for entry in eqn["stack"]):
            return
        frames = self._frames.of(self._walk.objects[eqn["id"]])
        call = self._index.call(frames[0].place) if frames else None
        first = {"cond": 3, "switch": 2}.get(last_name(call.func)) if call is not None else None
        if call is None or first is None or any(operand["kind"] for operand in eqn["operands"]):
            return
        passed = [text_of(argument) for argument in call.args[first:]]
        given = eqn["operands"][len(eqn["operands"]) - len(passed) :]
        labels = [wire["vars"][operand["atom"]["var"]]["label"] if "var" in operand["atom"] else None for operand in given]
        if not passed or None in passed or passed != labels:
            return
        for branch in eqn["nested"]:
            inner = self._bodies[branch["jaxpr"]]
            filename, name, line = function_site(inner.jaxpr)
            parameters = self._targets.parameters(name, line) if filename == self._source.filename else None
            if parameters and len(parameters) == len(passed) and not arg_names(inner.jaxpr):
                for var, parameter in zip(inner.wire["invars"][-len(passed) :], parameters, strict=True):
                    variable = inner.wire["vars"][var]
                    variable["label"] = variable["label"] or (parameter if parameter.strip("_") else None)

    def _bind(self, wire: Dict, var: str, name: Name) -> None:
        span = self._source.span(*name.binding.place)
        if span is not None:
            wire["bound"][var] = span
        variable = wire["vars"][var]
        variable["label"] = variable["label"] or clamp(name.text)


def _closes(eqn: Dict) -> bool:
    return bool(eqn["nested"]) and any(operand["role"] in _CONSTS or operand["role"] in _UNSAID for operand in eqn["operands"])


def _closed_over(eqn: Dict, call: Dict, inner: Body) -> Iterator[tuple[str, int]]:
    """The binders of a body that may be closed over, and the operands that they are."""
    arguments = arg_names(inner.jaxpr)
    first: set[str] = set()
    for position, (var, wired) in enumerate(zip(inner.wire["invars"], call["inputs"], strict=True)):
        operand = eqn["operands"][wired["index"]] if wired["from"] == "operand" else None
        if operand is None or "var" not in operand["atom"] or operand["kind"] == "cotangent":
            continue
        # What is closed over comes before what is passed.
        again = operand["atom"]["var"] in first
        first.add(operand["atom"]["var"])
        if operand["role"] in _CONSTS or (operand["role"] in _UNSAID and not again and not (arguments and arguments[position])):
            yield var, wired["index"]
