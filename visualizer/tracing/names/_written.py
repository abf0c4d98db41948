"""What the expressions and parameters of the paste are in a program: the variables that hold their values, once for each time traced.

An expression is evaluated by one instruction, so its equations stand together. Its value is the one of them that is read elsewhere.

Promises: an expression whose value is not certain has none.
Must never: take for a value what was computed on the way to it, or beside it for the backward pass.
"""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from visualizer.tracing.compat import arg_names, frames_of, function_site
from visualizer.tracing.source._expressions import expressions_of
from visualizer.tracing.source._frames import Frame, Frames
from visualizer.tracing.source._functions import Function, Place
from visualizer.tracing.source._heads import arguments_of, place_of
from visualizer.tracing.source._spans import Source
from visualizer.tracing.source._targets import Targets

from ._aliases import last_name
from ._promised import returns_several
from ._reading import LOOKS_BACK, Readers
from ._sides import computes_forward

if TYPE_CHECKING:
    from visualizer.tracing.eqns._walk import Body, Walk

    from ._assigned import Assigned

Dict = dict[str, Any]
Key = tuple[Place, ...]
# Equations of one place and one way to it, in a row.
Run = tuple[list[Frame], list[Dict]]
# Between two runs.
_BREAK: Run = ([], [])
_NAME = re.compile(r"\w+")


class Written:
    """Collects the wire's Written of a program, body by body."""

    def __init__(self, walk: Walk, source: Source, targets: Targets, assigned: Assigned, namespace: Dict | None) -> None:
        self._walk = walk
        self._source = source
        self._targets = targets
        self._assigned = assigned
        self._namespace = namespace or {}
        self._frames: Frames = assigned.frames
        self._expressions = expressions_of(source.text)
        self._keys: dict[int, Key] = {}
        self._found: dict[tuple[str, Place], list[Dict]] = defaultdict(list)

    def wire(self) -> list[Dict]:
        """All that was found, in the order of the text."""
        self._gradients()
        found = []
        for (what, where), values in sorted(self._found.items(), key=lambda item: item[0][1]):
            span = self._source.span(*where)
            if span is not None:
                found.append({"what": what, "span": span, "values": values})
        return found

    def label(self, body: Body, backward: bool) -> None:
        """Find what a body evaluates. Run by a transposed side (`backward`) it is what a checkpoint computes again."""
        filename, name, line = function_site(body.jaxpr)
        own = filename == self._source.filename
        runs = self._runs(body, backward, None if own else (filename, name, line))
        function = self._targets.function(name, line) if own else None
        if function is not None and not backward:
            self._parameters(body, function)
        if not runs:
            return
        around = {self._key(frames)[depth:] for frames, _ in runs for depth in range(1, len(frames))}
        parts = [(frames, part) for frames, run in runs for part in self._assigned.evaluations(run)]
        readers = Readers(body.wire, [part for _, part in parts], self._assigned.outside(body), backward)
        for number, (frames, part) in enumerate(parts):
            # The person's own code was called back in the middle of it: its value may be anything's.
            if self._key(frames) not in around:
                self._expression(body, frames, part, readers, number)

    def _expression(self, body: Body, frames: list[Frame], part: list[Dict], readers: Readers, number: int) -> None:
        shape = self._expressions.shape(frames[0].place)
        if shape is None or self._assigned.is_doubled(part):
            return
        eqn = readers.value_of(part, number, strict=shape != "operator")
        parts = self._parts(eqn, frames[0].place) if eqn is not None else None
        if eqn is None or not parts or (shape == "operator" and set(parts) != {""}) or (shape == "apart" and "" in parts):
            return
        if shape == "call" and "" in parts and self._has_parts(frames[0].place):
            return
        value = {"jaxpr": body.id, "eqn": eqn["id"], "parts": parts}
        self._found["expression", frames[0].place].append(value)
        # What a function returns is the value of its call.
        for inner, outer in pairwise(frames):
            if "" not in parts or self._targets.returned(inner.place) != "" or outer.through != "":
                break
            if self._expressions.shape(outer.place) != "call":
                break
            self._found["expression", outer.place].append(value)

    def _has_parts(self, where: Place) -> bool:
        """Whether what is called at a place says that it returns more than an array."""
        call = self._targets.index.call(where)
        return call is not None and returns_several(call.func, self._namespace)

    def _parts(self, eqn: Dict, where: Place) -> dict[str, str] | None:
        """The variables of a value by their paths in it; None where that is not known."""
        results = eqn["results"]
        if not eqn["nested"] and len(results) == 1:
            return {"": results[0]["var"]}
        value = self._assigned.value(eqn)
        if value is None and eqn["primitive"] == "cond":
            value = self._assigned.returned_by(eqn["nested"][0], results)
        if value is not None:
            return {path: result["var"] for result, path in value if result["kind"] not in LOOKS_BACK}
        if eqn["primitive"] == "scan":
            return self._scanned(eqn, where)
        return {} if eqn["nested"] or self._targets.at(where, len(results)) is None else _numbered(results)

    def _scanned(self, eqn: Dict, where: Place) -> dict[str, str]:
        """`(carry, ys)` of a scan whose paths JAX has forgotten, where each is one array."""
        call = self._targets.index.call(where)
        pair = [[result for result in eqn["results"] if result["role"] == role and _is_own(result)] for role in ("carry", "ys")]
        if call is None or last_name(call.func) != "scan" or any(len(found) != 1 for found in pair):
            return {}
        return _numbered([result for found in pair for result in found])

    def _gradients(self) -> None:
        """What calls of a derivative are assigned to: their gradients have names where it is certain which is which."""
        bodies = {var: body.id for body in self._walk.bodies for var in body.wire["vars"]}
        made = {
            result["var"] for body in self._walk.bodies for eqn in body.wire["eqns"] for result in eqn["results"] if _is_gradient(result)
        }
        found: dict[tuple[str, Place], dict[str, str]] = defaultdict(dict)
        for var, (where, name) in self._assigned.named.items():
            if ("expression", where) not in self._found and self._expressions.shape(where) in ("call", "apart"):
                path = next((path for path in ("", "[0]", "[1]") if self._targets.named(where, path) == name), None)
                if path is not None:
                    found[bodies[var], where].setdefault(path, var)
        for (body, where), parts in found.items():
            if not made.isdisjoint(parts.values()) and ("" not in parts or len(parts) == 1):
                self._found["expression", where].append({"jaxpr": body, "eqn": None, "parts": parts})

    def _runs(self, body: Body, backward: bool, library: tuple[str | None, str, int] | None) -> list[Run]:
        runs: list[Run] = []
        for eqn in body.wire["eqns"]:
            if not computes_forward(eqn["stack"], backward):
                continue
            traced = self._walk.objects[eqn["id"]]
            frames = self._frames.of(traced)
            if not frames:
                continue
            if library is not None and self._is_inside(traced, library):
                continue
            # An element that is taken out of what is iterated over has the place of all of it.
            if frames[0].through == "iter":
                runs.append(_BREAK)
            elif runs and self._key(runs[-1][0]) == self._key(frames):
                runs[-1][1].append(eqn)
            else:
                runs.append((frames, [eqn]))
        return [run for run in runs if run[1]]

    def _is_inside(self, traced: Any, library: tuple[str | None, str, int]) -> bool:
        """Whether an equation was traced in a library's function, not in one of the person's that this called."""
        for code in frames_of(traced)[0]:
            if code.co_filename == self._source.filename:
                return False
            if (code.co_filename, code.co_name, code.co_firstlineno) == library:
                return True
        return False

    def _key(self, frames: list[Frame]) -> Key:
        key = self._keys.get(id(frames))
        if key is None:
            key = self._keys[id(frames)] = tuple(frame.place for frame in frames)
        return key

    def _parameters(self, body: Body, function: Function) -> None:
        """The parameters of the function of a body. Under a vmap around it they are not what the function was given."""
        code = function_site(body.jaxpr)[1:]
        if any(self._is_batched(eqn, code) for eqn in body.wire["eqns"]):
            return
        named = {argument.arg: place_of(argument) for argument in arguments_of(function)}
        parts: dict[str, dict[str, str]] = defaultdict(dict)
        # Where JAX has forgotten its names, a step function's are known by its place; nothing is carried into it at this point.
        known = arg_names(body.jaxpr) or [body.wire["vars"][var]["label"] for var in body.wire["invars"]]
        for var, label in zip(body.wire["invars"], known, strict=False):
            root = _NAME.match(label or "")
            if root and root[0] in named:
                parts[root[0]][root.string[root.end() :]] = var
        for name, found in parts.items():
            self._found["parameter", named[name]].append({"jaxpr": body.id, "eqn": None, "parts": found})

    def _is_batched(self, eqn: Dict, code: tuple[str, int]) -> bool:
        """Whether a vmap around the function of a body gave its equation another axis."""
        if not any(entry["name"] == "vmap" and entry["kind"] == "transform" for entry in eqn["stack"]):
            return False
        frames = self._frames.of(self._walk.objects[eqn["id"]])
        level = next((level for level, frame in enumerate(frames) if frame.function == code), None)
        return level is None or all(frame.through != "vmap" for frame in frames[: level + 1])


def _is_own(result: Dict) -> bool:
    return result["kind"] is None or (result["role"] == "carry" and result["kind"] == "residual")


def _is_gradient(result: Dict) -> bool:
    return bool(result["kind"] == "cotangent")


def _numbered(results: list[Dict]) -> dict[str, str]:
    return {f"[{index}]": result["var"] for index, result in enumerate(results)}
