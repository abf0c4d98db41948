"""The person's own name for every variable that has one.

In this order: what JAX remembers of the arguments (`batch['x']`), the person's assignments (`h = ...`), the parameters of the step
function where it takes one carry and one x, the names that a function returns, the keys of the results (`result['w']`), and then the names
of values carried into bodies and out of them.

Promises: a body that is called from several places keeps a carried name only when all of them agree.
Must never: name a cotangent after the value it belongs to.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ._functions import Function, Place, places, renamed, returned
from ._params import clamp
from ._spans import Source
from ._targets import Names, Targets
from .compat import arg_names, function_site, result_paths

if TYPE_CHECKING:
    from ._serialize import Body, Walk

Dict = dict[str, Any]
# A path that says more than a position: a key, an attribute.
_TELLING = re.compile(r"^result.*(\['|\[\"|\.[A-Za-z_])")


def label_vars(walk: Walk, source: Source | None) -> None:
    """Set `label` of the variables of `walk` where a name is known."""
    names = _Namer(walk, Targets(source.text) if source is not None else None, source.filename if source is not None else "")
    for body in walk.bodies:
        names.arguments(body)
    backward = _backward_bodies(walk) if names.targets else set()
    if names.targets:
        for body in walk.bodies:
            names.assignments(body, body.id in backward)
    for body in walk.bodies:
        names.results(body, body.id in backward)
    names.inward()
    if names.outward():
        names.inward()


class _Namer:
    def __init__(self, walk: Walk, targets: Targets | None, filename: str) -> None:
        self.walk = walk
        self.targets = targets
        self.filename = filename
        self.jaxprs = {body.id: body.wire for body in walk.bodies}
        self.bodies = {body.id: body for body in walk.bodies}
        self.order = _callers_first(self.jaxprs)
        self._ends: dict[str, dict[int, list[bool]]] | None = None

    def arguments(self, body: Body) -> None:
        """Names of binders: JAX's own."""
        variables = body.wire["vars"]
        for key, name in zip(body.wire["invars"], arg_names(body.jaxpr), strict=False):
            if name:
                variables[key]["label"] = clamp(name)

    def _function(self, body: Body) -> Function | None:
        """The function of the person's that a body was traced from."""
        if not self.targets:
            return None
        filename, name, line = function_site(body.jaxpr)
        return self.targets.function(name, line) if filename == self.filename else None

    def steps(self, eqn: Dict) -> None:
        """The parameters of a scan's step function, where it takes one carry and one x and JAX has forgotten their names."""
        if eqn["primitive"] != "scan" or len(eqn["nested"]) != 1 or not self.targets:
            return
        inner = self.jaxprs[eqn["nested"][0]["jaxpr"]]
        filename, function, line = function_site(self.bodies[inner["id"]].jaxpr)
        parameters = self.targets.parameters(function, line) if filename == self.filename else None
        roles = [operand["role"] for operand in eqn["operands"]]
        if not parameters or len(parameters) != 2 or len(roles) != len(inner["invars"]):
            return
        for role, name in zip(("carry", "xs"), parameters, strict=True):
            if roles.count(role) == 1:
                _suggest(inner["vars"][inner["invars"][roles.index(role)]], name if name.strip("_") else None)

    def assignments(self, body: Body, backward: bool) -> None:
        """Names of results: the targets of assignments whose value they are."""
        assert self.targets is not None
        eqns: list[tuple[Dict, Place]] = []
        for eqn in body.wire["eqns"]:
            if (place := self.walk.places.get(eqn["id"])) is None or not _computes_forward(eqn["stack"], backward):
                continue
            self.steps(eqn)
            if self.targets.has(place):
                eqns.append((eqn, place))
        if not eqns:
            return
        told = _Readers(body.wire, self.walk.places, self._outside(body))
        for place, run in groupby(eqns, key=lambda pair: pair[1]):
            for eqn in told.values_of([eqn for eqn, _ in run], place):
                self._assign(eqn, place, body.wire["vars"])

    def _assign(self, eqn: Dict, place: Place, variables: dict[str, Dict]) -> None:
        assert self.targets is not None
        own = [result for result in eqn["results"] if result["kind"] != "residual"]
        results = eqn["results"] if eqn["primitive"] != "scan" else own
        names: Names | None = self.targets.at(place, len(results)) or self.targets.at(place, len(own))
        if names is not None and len(names) == len(own) != len(results):
            results = own
        if names is None and eqn["primitive"] == "scan":
            names, results = self._scan_results(eqn, place)
        for result, name in zip(results, names or (), strict=bool(names)):
            _suggest(variables[result["var"]], name)

    def _scan_results(self, eqn: Dict, place: Place) -> tuple[Names | None, list[Dict]]:
        """`carry, ys = scan(...)` where only one of the two is a single array: that one has the name."""
        assert self.targets is not None
        parts = self.targets.parts(place)
        if parts is None or len(parts) != 2:
            return None, []
        named: list[tuple[str | None, Dict]] = []
        for role, name in zip(("carry", "ys"), parts, strict=True):
            found = [result for result in eqn["results"] if result["role"] == role and (role == "carry" or result["kind"] != "residual")]
            if len(found) == 1:
                named.append((name, found[0]))
        return tuple(name for name, _ in named), [result for _, result in named]

    def _outside(self, body: Body) -> Callable[[int], bool]:
        """Whether a result of the body is one of the program's own: not only a residual of the equation around it."""
        if self._ends is None:
            self._ends = defaultdict(lambda: defaultdict(list))
            for jaxpr in self.jaxprs.values():
                for eqn in jaxpr["eqns"]:
                    for call in eqn["nested"]:
                        ends = self._ends[call["jaxpr"]]
                        for index, wires in enumerate(call["outputs"]):
                            own = [end["to"] != "result" or eqn["results"][end["index"]]["kind"] != "residual" for end in wires]
                            ends[index].extend(own)
        found = self._ends[body.id]
        return lambda index: index not in found or any(found[index])

    def results(self, body: Body, backward: bool) -> None:
        """Names of results: those that the function returns, not given to gradients; else the keys of what it returns."""
        wire, paths = body.wire, result_paths(body.jaxpr)
        function = self._function(body) if paths and not backward else None
        names = returned(function) if function is not None and not self._differentiated(body, function) else {}
        computed = self._forward_values(wire) if names else set()
        for atom, path in zip(wire["outvars"], paths, strict=False):
            if "var" in atom:
                name = renamed(path, names) if atom["var"] in computed else None
                if name or _TELLING.match(path):
                    _suggest(wire["vars"][atom["var"]], clamp(name or path))

    def _differentiated(self, body: Body, function: Function) -> bool:
        """Whether not the function of a body was traced but its derivative, which returns something else."""
        derived = [eqn["id"] for eqn in body.wire["eqns"] if any(entry["name"] in ("jvp", "transpose") for entry in eqn["stack"])]
        inside = places(function) if derived else ()
        return any(self.walk.places.get(eqn) in inside for eqn in derived)

    @staticmethod
    def _forward_values(jaxpr: Dict) -> set[str]:
        """The values that are no gradients."""
        return {
            result["var"]
            for eqn in jaxpr["eqns"]
            if _computes_forward(eqn["stack"], False)
            for result in eqn["results"]
            if result["kind"] != "cotangent"
        }

    def inward(self) -> None:
        """Carry names of operands to binders, and of a plain call's results to the values that it gives; callers first."""
        incoming: dict[str, dict[str, str | None]] = defaultdict(dict)
        for body in self.order:
            variables = body["vars"]
            for var, label in incoming[body["id"]].items():
                _suggest(variables[var], label)
            for eqn in body["eqns"]:
                if not eqn["nested"]:
                    continue
                operands = [
                    variables[operand["atom"]["var"]]["label"] if _keeps_its_name(eqn, operand) else None for operand in eqn["operands"]
                ]
                results = [variables[result["var"]]["label"] for result in eqn["results"]] if eqn["trips"] is None else None
                for call in eqn["nested"]:
                    self._enter(call, operands, results, incoming[call["jaxpr"]])

    def _enter(self, call: Dict, operands: list[str | None], results: list[str | None] | None, known: dict[str, str | None]) -> None:
        """Note the names that a call brings to the variables of its body; None where two calls disagree."""
        inner = self.jaxprs[call["jaxpr"]]
        for var, wire in zip(inner["invars"], call["inputs"], strict=True):
            if wire["from"] == "operand":
                label = operands[wire["index"]]
                known[var] = label if known.setdefault(var, label) == label else None
        if results is not None:
            for atom, ends in zip(inner["outvars"], call["outputs"], strict=True):
                if "var" in atom and len(ends) == 1 and ends[0]["to"] == "result" and atom["var"] not in inner["invars"]:
                    label = results[ends[0]["index"]]
                    known[atom["var"]] = label if known.setdefault(atom["var"], label) == label else None

    def outward(self) -> bool:
        """Carry names of a body's results to the equation's, where its bodies agree, and of a carry's binder to its next value.

        Whether any name was new.
        """
        news = False
        for body in reversed(self.order):
            for eqn in body["eqns"]:
                if eqn["nested"]:
                    news |= self._leave(eqn, body["vars"])
        return news

    def _leave(self, eqn: Dict, variables: dict[str, Dict]) -> bool:
        news = False
        given: dict[int, set[str | None]] = defaultdict(set)
        for call in eqn["nested"]:
            inner = self.jaxprs[call["jaxpr"]]
            for atom, ends in zip(inner["outvars"], call["outputs"], strict=True):
                value = inner["vars"][atom["var"]] if "var" in atom else None
                for end in ends:
                    if value is not None and end["to"] == "next" and eqn["primitive"] in ("scan", "while"):
                        # The same slot, a step later.
                        news |= _suggest(value, inner["vars"][inner["invars"][end["index"]]]["label"])
                for end in ends:
                    if end["to"] == "result":
                        given[end["index"]].add(value["label"] if value is not None else None)
        for index, labels in given.items():
            if len(labels) == 1 and eqn["results"][index]["kind"] != "cotangent":
                news |= _suggest(variables[eqn["results"][index]["var"]], next(iter(labels)))
        return news


class _Readers:
    """Who reads the values of a body: to tell the value of an expression from what was computed beside it for the backward pass."""

    def __init__(self, jaxpr: Dict, places: dict[str, Place], outside: Callable[[int], bool]) -> None:
        self._readers: dict[str, list[Place | None]] = defaultdict(list)
        for eqn in jaxpr["eqns"]:
            place = places.get(eqn["id"]) if _computes_forward(eqn["stack"], False) else None
            if place is not None or _computes_forward(eqn["stack"], False):
                for operand in eqn["operands"]:
                    if "var" in operand["atom"]:
                        self._readers[operand["atom"]["var"]].append(place)
        for index, atom in enumerate(jaxpr["outvars"]):
            if "var" in atom and outside(index):
                self._readers[atom["var"]].append(None)

    def values_of(self, run: list[Dict], place: Place) -> list[Dict]:
        """Which of the equations of one expression give its value: one, or all where one primitive is run again and again."""
        if len(run) == 1 or len({eqn["primitive"] for eqn in run}) == 1:
            return run
        read = [eqn for eqn in run if any(reader != place for result in eqn["results"] for reader in self._readers[result["var"]])]
        return read[-1:]


def _callers_first(jaxprs: dict[str, Dict]) -> list[Dict]:
    """The jaxprs, each after all those that call it."""
    calls = {name: [call["jaxpr"] for eqn in jaxpr["eqns"] for call in eqn["nested"]] for name, jaxpr in jaxprs.items()}
    waiting = Counter(inner for inners in calls.values() for inner in inners)
    ready = [name for name in jaxprs if not waiting[name]]
    order = []
    while ready:
        name = ready.pop()
        order.append(jaxprs[name])
        for inner in calls[name]:
            waiting[inner] -= 1
            if not waiting[inner]:
                ready.append(inner)
    return order


def _backward_bodies(walk: Walk) -> set[str]:
    """The bodies that are run by a transposed side."""
    found: set[str] = set()
    jaxprs = {body.id: body.wire for body in walk.bodies}
    queue = [(walk.bodies[0].id, False)] if walk.bodies else []
    seen = set(queue)
    while queue:
        body, backward = queue.pop()
        if backward:
            found.add(body)
        for eqn in jaxprs[body]["eqns"]:
            for call in eqn["nested"]:
                state = (call["jaxpr"], not _computes_forward(eqn["stack"], backward))
                if state not in seen:
                    seen.add(state)
                    queue.append(state)
    return found


def _computes_forward(stack: list[Dict], backward: bool) -> bool:
    """Whether an equation computes values of the program itself, not cotangents: also where a checkpoint computes them again."""
    for entry in stack:
        if entry["name"] == "transpose" and entry["kind"] == "transform":
            backward = True
        elif entry["name"] == "rematted_computation" and entry["kind"] == "scope":
            backward = False
    return not backward


def _keeps_its_name(eqn: Dict, operand: Dict) -> bool:
    """Whether a body knows an operand by its name outside: not the first of many carries, which is called what the body calls all."""
    if "var" not in operand["atom"] or operand["kind"] == "cotangent":
        return False
    return operand["role"] != "carry" or eqn["primitive"] not in ("scan", "while")


def _suggest(variable: Dict, name: str | None) -> bool:
    """Give a variable a name if it has none; whether it took it."""
    if name and variable["label"] is None:
        variable["label"] = name
        return True
    return False
