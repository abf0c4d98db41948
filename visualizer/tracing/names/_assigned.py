"""Names of values by the assignments that they were computed for.

The value of an expression is found among the equations that were traced at its place; what the equation is assigned to names its results,
by JAX's own paths of them where it has any. A function of the person's that returns an expression without a name gives it the name that
its caller assigns it to.

Promises: values of the forward computation alone.
Must never: name what an expression computes on the way to its value.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from visualizer.tracing.compat import function_site, result_paths, value_paths
from visualizer.tracing.eqns._params import clamp
from visualizer.tracing.source._frames import Frame, Frames, through_path
from visualizer.tracing.source._functions import Place
from visualizer.tracing.source._targets import Names, Targets

from ._carried import suggest
from ._sides import computes_forward

if TYPE_CHECKING:
    from visualizer.tracing.eqns._walk import Body, Walk

Dict = dict[str, Any]
# (result, path of it in the value of the expression); None where JAX has forgotten the paths
Value = list[tuple[Dict, str]]


class Assigned:
    """Names the results of equations; `named` says by which assignment: {var: (place of the value, name)}."""

    def __init__(self, walk: Walk, targets: Targets, filename: str, frames: Frames) -> None:
        self._walk = walk
        self._targets = targets
        self._filename = filename
        self.frames = frames
        self._bodies = {body.id: body for body in walk.bodies}
        self._ends: dict[str, dict[int, list[bool]]] | None = None
        self.named: dict[str, tuple[Place, str]] = {}

    def label(self, body: Body, backward: bool) -> None:
        """Name what the equations of a body compute. `backward`: the body is run by a transposed side."""
        runs: list[tuple[Place, list[Dict]]] = []
        ended: int | None = None
        before: Dict | None = None
        for eqn in body.wire["eqns"]:
            last, before = before, eqn
            if (place := self._walk.places.get(eqn["id"])) is None or not computes_forward(eqn["stack"], backward):
                continue
            self._steps(eqn)
            if eqn["primitive"] in ("slice", "squeeze") and self._is_element(eqn):
                self._element(eqn, last, place, body.wire["vars"])
            elif self._targets.has(place) or self._targets.returned(place) is not None:
                if runs and runs[-1][0] == place and ended != len(runs):
                    runs[-1][1].append(eqn)
                else:
                    runs.append((place, [eqn]))
            elif runs and _inside(place, runs[-1][0]) and self._function(eqn) == self._function(runs[-1][1][0]):
                ended = len(runs)  # an operand of the expression is computed: it is evaluated once more
        if not runs:
            return
        told = _Readers(body.wire, self._walk, self, self.outside(body))
        for place, run in runs:
            for part in self.evaluations(run):
                for eqn in told.values_of(part, place):
                    self._assign(eqn, place, body.wire["vars"], told)

    def _function(self, eqn: Dict) -> tuple[str, int] | None:
        frames = self.frames.of(self._walk.objects[eqn["id"]])
        return frames[0].function if frames else None

    def _is_element(self, eqn: Dict) -> bool:
        frames = self.frames.of(self._walk.objects[eqn["id"]])
        return bool(frames) and frames[0].through == "iter"

    def _element(self, eqn: Dict, before: Dict | None, place: Place, variables: dict[str, Dict]) -> None:
        """Name an element of an array that is unpacked or iterated over: JAX slices it out, then squeezes it."""
        if eqn["primitive"] != "squeeze" or before is None or before["primitive"] != "slice":
            return
        if eqn["operands"][0]["atom"].get("var") == before["results"][0]["var"]:
            batched = any(entry["name"] == "vmap" for entry in eqn["stack"])
            index = None if batched else self._walk.objects[before["id"]].params["start_indices"][0]
            self._suggest(variables, eqn["results"][0], self._targets.unpacked(place, index), place)

    def evaluations(self, run: list[Dict]) -> Iterator[list[Dict]]:
        """Equations of one expression, by the times that it was evaluated, where that is certain: every time the same primitives."""
        first = self._walk.objects[run[0]["id"]].source_info.traceback
        starts = [i for i, eqn in enumerate(run) if i == 0 or self._walk.objects[eqn["id"]].source_info.traceback == first]
        length = len(run) // len(starts)
        names = [eqn["primitive"] for eqn in run]
        if length > 1 and starts == list(range(0, len(run), length)) and names == names[:length] * len(starts):
            for start in starts:
                yield run[start : start + length]
        else:
            yield run

    def _assign(self, eqn: Dict, place: Place, variables: dict[str, Dict], told: _Readers) -> None:
        value = self.value(eqn)
        # Without a transformation on its stack nothing but the primitive itself can be between the equation and its place.
        differentiated = any(entry["kind"] == "transform" for entry in eqn["stack"])
        frames = self.frames.of(self._walk.objects[eqn["id"]]) if differentiated or not self._targets.has(place) else None
        through = frames[0].through if frames and differentiated else ""
        own = [(result, path) for result, path in value or () if result["kind"] not in ("tangent", "cotangent")]
        named = self.give(moved(through, own), place, frames or [], variables)
        if not named and value is None and through == "" and self._targets.has(place):
            self._by_count(eqn, place, variables, told)

    def give(self, value: Value, place: Place, frames: list[Frame], variables: dict[str, Dict]) -> bool:
        """Name the parts of the value of the expression at a place: by its assignment, or where it is returned by those of its callers.

        `frames` begin with that of the place. Whether there was a name.
        """
        callers = iter(frames[1:])
        while not self._targets.has(place):
            front, frame = self._targets.returned(place), next(callers, None)
            if front is None or frame is None or not value:
                return False
            value, place = moved(frame.through, [(result, front + path) for result, path in value]), frame.place
        named = [self._suggest(variables, result, self._targets.named(place, path), place) for result, path in value]
        return any(named)

    def _suggest(self, variables: dict[str, Dict], result: Dict, name: str | None, place: Place) -> bool:
        """Name one result; whether there was a name for it."""
        if name is None:
            return False
        name = clamp(name)
        if suggest(variables[result["var"]], name) or variables[result["var"]]["label"] == name:
            self.named.setdefault(result["var"], (place, name))
        return True

    def value(self, eqn: Dict) -> Value | None:
        """The results of an equation by their paths in the value that Python got of it."""
        results = [result for result in eqn["results"] if result["kind"] != "residual"]
        if not eqn["nested"]:
            return [(results[0], "")] if len(eqn["results"]) == len(results) == 1 else None
        call = next((call for call in eqn["nested"] if call["label"] == "body"), None)
        if call is None or len(call["outputs"]) != len(eqn["results"]):
            return None
        inner = self._bodies[call["jaxpr"]].jaxpr
        paths = [path.removeprefix("result") if path else None for path in value_paths(inner, result_paths(inner))]
        if not paths:
            return [(results[0], "")] if len(eqn["results"]) == len(results) == 1 else None
        if eqn["primitive"] == "scan" and function_site(inner)[0] != self._filename:
            # lax.map and its like: a library's step, whose ys are the value.
            paths = [path.removeprefix("[1]") if path and path.startswith("[1]") else None for path in paths]
        return [(result, path) for result, path in zip(eqn["results"], paths, strict=True) if path is not None]

    def returned_by(self, call: Dict, results: list[Dict]) -> Value | None:
        """The results of an equation by their paths in what one of its bodies returned, where the two are one to one."""
        inner = self._bodies[call["jaxpr"]].jaxpr
        paths = [path.removeprefix("result") for path in result_paths(inner)]
        return list(zip(results, paths, strict=True)) if len(paths) == len(results) else None

    def _by_count(self, eqn: Dict, place: Place, variables: dict[str, Dict], told: _Readers) -> None:
        """Names where JAX has forgotten the paths of the results: one to one, or none."""
        # What a shard_map gives stays one of its results where the backward pass reads it, too.
        both = eqn["primitive"] == "shard_map"
        own = [result for result in eqn["results"] if result["kind"] != "residual" or (both and told.goes_on(result))]
        results = eqn["results"] if eqn["primitive"] != "scan" else own
        names: Names | None = self._targets.at(place, len(results)) or self._targets.at(place, len(own))
        if names is not None and len(names) == len(own) != len(results):
            results = own
        if names is None and eqn["primitive"] == "scan":
            names, results = self._scan_results(eqn, place)
        for result, name in zip(results, names or (), strict=bool(names)):
            self._suggest(variables, result, name if result["kind"] not in ("tangent", "cotangent") else None, place)

    def _scan_results(self, eqn: Dict, place: Place) -> tuple[Names | None, list[Dict]]:
        """`carry, ys = scan(...)` where only one of the two is a single array: that one has the name."""
        parts = self._targets.parts(place)
        if parts is None or len(parts) != 2:
            return None, []
        named: list[tuple[str | None, Dict]] = []
        for role, name in zip(("carry", "ys"), parts, strict=True):
            found = [result for result in eqn["results"] if result["role"] == role and (role == "carry" or result["kind"] != "residual")]
            if len(found) == 1:
                named.append((name, found[0]))
        return tuple(name for name, _ in named), [result for _, result in named]

    def _steps(self, eqn: Dict) -> None:
        """The parameters of a scan's step function, where it takes one carry and one x and JAX has forgotten their names."""
        if eqn["primitive"] != "scan" or len(eqn["nested"]) != 1:
            return
        inner = self._bodies[eqn["nested"][0]["jaxpr"]]
        filename, function, line = function_site(inner.jaxpr)
        parameters = self._targets.parameters(function, line) if filename == self._filename else None
        roles = [operand["role"] for operand in eqn["operands"]]
        if not parameters or len(parameters) != 2 or len(roles) != len(inner.wire["invars"]):
            return
        for role, name in zip(("carry", "xs"), parameters, strict=True):
            if roles.count(role) == 1:
                suggest(inner.wire["vars"][inner.wire["invars"][roles.index(role)]], name if name.strip("_") else None)

    def is_doubled(self, run: list[Dict]) -> bool:
        """Whether a line may have made a value and its tangent, both of them read: in forward mode that nobody watched."""
        return any(self._is_doubled(eqn) for eqn in run)

    def _is_doubled(self, eqn: Dict) -> bool:
        forward = sum(entry["name"] == "jvp" for entry in eqn["stack"])
        if not forward:
            return False
        if forward > 1 or not self._walk.has_transform("transpose"):
            return True
        return any(frame.through in ("jvp", "linearize", "other") for frame in self.frames.of(self._walk.objects[eqn["id"]]))

    def outside(self, body: Body) -> Callable[[int], bool]:
        """Whether a result of the body is one of the program's own: not only a residual of the equation around it."""
        if self._ends is None:
            self._ends = defaultdict(lambda: defaultdict(list))
            for other in self._walk.bodies:
                for eqn in other.wire["eqns"]:
                    for call in eqn["nested"]:
                        ends = self._ends[call["jaxpr"]]
                        for index, wires in enumerate(call["outputs"]):
                            own = [end["to"] != "result" or eqn["results"][end["index"]]["kind"] != "residual" for end in wires]
                            ends[index].extend(own)
        found = self._ends[body.id]
        return lambda index: index not in found or any(found[index])


def _inside(place: Place, outer: Place) -> bool:
    return place != outer and outer[:2] <= place[:2] and place[2:] <= outer[2:]


def moved(through: str | None, value: Value) -> Value:
    """A value, as parts of what the call gives that called its function `through` a transformation."""
    paths = [(result, through_path(through, path)) for result, path in value]
    return [(result, path) for result, path in paths if path is not None]


class _Readers:
    """Who reads the values of a body: to tell the value of an expression from what was computed beside it for the backward pass."""

    def __init__(self, jaxpr: Dict, walk: Walk, assigned: Assigned, outside: Callable[[int], bool]) -> None:
        self._walk = walk
        self._assigned = assigned
        self._readers: dict[str, list[Place | None]] = defaultdict(list)
        for eqn in jaxpr["eqns"]:
            place = walk.places.get(eqn["id"]) if computes_forward(eqn["stack"], False) else None
            if place is not None or computes_forward(eqn["stack"], False):
                for operand in eqn["operands"]:
                    if "var" in operand["atom"]:
                        self._readers[operand["atom"]["var"]].append(place)
        for index, atom in enumerate(jaxpr["outvars"]):
            if "var" in atom and outside(index):
                self._readers[atom["var"]].append(None)

    def values_of(self, run: list[Dict], place: Place) -> list[Dict]:
        """Which of the equations of one expression give its value: one, or all where one primitive is run again and again."""
        own = [eqn for eqn in run if not all(result["kind"] in ("tangent", "cotangent") for result in eqn["results"])]
        if len(run) == 1:
            return [] if self._is_saved_scalar(run[0]) else own
        doubtful = own == run and self._assigned.is_doubled(own)
        if own and self._repeated(own):
            return [] if doubtful else own
        read = [eqn for eqn in own if any(reader != place for result in eqn["results"] for reader in self._readers[result["var"]])]
        if len(read) > 1 and doubtful:
            return []
        # What a library gives of a function of its own may be a tree: each leaf is read by others, or by nobody at all.
        leaves = len(read) + sum(not any(result["used"] for result in eqn["results"]) for eqn in own)
        return [] if read and leaves > 1 and self._is_elsewhere(read[-1]) else read[-1:]

    def _is_saved_scalar(self, eqn: Dict) -> bool:
        """Whether an equation gives a scalar an axis so that a shard_map can save it, which JAX does at the place of the call."""
        result = eqn["results"][0] if eqn["primitive"] == "broadcast_in_dim" else None
        return result is not None and result["kind"] == "residual" and result["aval"].find("[1]") > 0 and not self.goes_on(result)

    def goes_on(self, result: Dict) -> bool:
        """Whether something of the forward computation reads a result."""
        return bool(self._readers[result["var"]])

    def _is_elsewhere(self, eqn: Dict) -> bool:
        """Whether something else, a library's function say, was between the person's code and the equation."""
        frames = self._assigned.frames.of(self._walk.objects[eqn["id"]])
        return bool(frames) and frames[0].through is None

    def _repeated(self, run: list[Dict]) -> bool:
        """Whether the equations are one operation, run again and again by a loop of the person's."""
        first = self._walk.objects[run[0]["id"]]
        if any(
            eqn["primitive"] != run[0]["primitive"] or self._walk.objects[eqn["id"]].source_info.traceback != first.source_info.traceback
            for eqn in run
        ):
            return False
        return len(run) == 1 or not self._is_elsewhere(run[0])
