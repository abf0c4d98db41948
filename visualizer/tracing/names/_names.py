"""The person's own name for every variable that has one.

In this order: what JAX remembers of the arguments (`batch['x']`, set by the walk), the person's assignments (`h = ...`), the parameters
function where it takes one carry and one x, the names by which bodies close over values, the names that a function returns, the keys of
the results (`result['w']`), and then the names of values carried into bodies and out of them.

Promises: a name is the person's or JAX's; where it does not follow there is none.
Must never: name a cotangent after the value it belongs to.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from visualizer.tracing.compat import function_site
from visualizer.tracing.eqns._params import clamp
from visualizer.tracing.source._frames import Frames
from visualizer.tracing.source._functions import Function, Paths, Place, code_of, renamed, returned
from visualizer.tracing.source._heads import head_of
from visualizer.tracing.source._spans import Source
from visualizer.tracing.source._targets import Targets, targets_of

from ._assigned import Assigned
from ._bound import Bound
from ._carried import Wires, suggest
from ._gradients import Gradients
from ._holders import Holders
from ._sides import backward_bodies, computes_forward
from ._written import Written

if TYPE_CHECKING:
    from visualizer.tracing.eqns._walk import Body, Walk

Dict = dict[str, Any]
_TELLING = re.compile(r"^result.*(\['|\[\"|\.[A-Za-z_])")


def label_vars(
    walk: Walk,
    source: Source | None,
    namespace: Dict | None = None,
    called: Dict | None = None,
    function: Any = None,
    args: tuple[Any, ...] = (),
) -> list[Dict]:
    """Set `label` of the variables of `walk` where a name is known, `bound` of the closed-over ones and `defined` of the bodies.

    Gives what the expressions of the paste are in the program.

    `namespace` is that of the paste after it ran: its arrays are known by their names. `called` is the Span of the call whose value the
    program computes: what the paste assigns it to names the results that the function itself has no name for. `function` was traced, with
    `args`: what it holds is known by the names of its own code.
    """
    targets = targets_of(source.text) if source is not None else None
    if not targets:
        targets = None
    wires = Wires(
        {body.id: body.wire for body in walk.bodies},
        {body.id: [body.rows[number] for number in body.calls] for body in walk.bodies},
        {body.id: body.called for body in walk.bodies},
    )
    backward: set[str] = set()
    frames = Frames(source) if source is not None else None
    written: list[Dict] = []
    if source is not None and targets is not None and frames is not None:
        backward = backward_bodies(walk)
        assigned = Assigned(walk, targets, source.filename, frames)
        for body in walk.bodies:
            assigned.label(body, body.id in backward)
        if "grad" in source.text:
            gradients = Gradients(walk, targets, assigned)
            for body in walk.bodies:
                if body.id not in backward:
                    gradients.label(body)
        Bound(walk, source, targets, frames, Holders(namespace, function, args)).label(wires.order, assigned.named)
        written = _written(walk, source, targets, assigned, backward, namespace)
    results = _Results(walk, targets, frames, source.filename if source is not None else "", _called(called, source, targets))
    for body in walk.bodies:
        results.label(body, body.id in backward)
    wires.carry({body.id for body in walk.bodies if body.labelled} if source is None else None)
    return written


def _written(walk: Walk, source: Source, targets: Targets, assigned: Assigned, backward: set[str], namespace: Dict | None) -> list[Dict]:
    """Where in the paste bodies are defined, and what its expressions are."""
    written = Written(walk, source, targets, assigned, namespace)
    for body in walk.bodies:
        filename, name, line = function_site(body.jaxpr)
        function = targets.function(name, line) if filename == source.filename else None
        body.wire["defined"] = source.span(*head_of(function)) if function is not None else None
        written.label(body, body.id in backward)
    return written.wire()


def _called(span: Dict | None, source: Source | None, targets: Targets | None) -> Place | None:
    """The place of the assigned call that has a Span."""
    if span is None or source is None or targets is None:
        return None
    return next((place for place in targets.places() if place[0] == span["line"] and source.span(*place) == span), None)


class _Results:
    """Names of what functions return."""

    def __init__(self, walk: Walk, targets: Targets | None, frames: Frames | None, filename: str, called: Place | None) -> None:
        self._called = called
        self._walk = walk
        self._targets = targets
        self._filename = filename
        self._frames = frames

    def label(self, body: Body, backward: bool) -> None:
        """Names of results: those that the function returns, where it was not its derivative that was traced; else the keys of them."""
        wire, paths = body.wire, body.paths
        names: Paths = {}
        function = self._function(body) if paths and not backward else None
        differentiated: bool | None = None
        if self._targets and function is not None and (names := returned(function, self._targets.records)):
            differentiated = self._differentiated(body, function)
        if not names and self._called is None and not _any_telling(tuple(paths)):
            return
        own = _forward_values(wire) if names and differentiated is None else None
        for atom, path in zip(wire["outvars"], paths, strict=False):
            if "var" in atom and path is not None:
                named = differentiated is False or (own is not None and atom["var"] in own)
                name = renamed(path, names) if named else None
                if name is None and self._called is not None and self._targets and body is self._walk.bodies[0]:
                    name = self._targets.named(self._called, path.removeprefix("result"))
                if name or _TELLING.match(path):
                    body.labelled |= suggest(wire["vars"][atom["var"]], clamp(name or path))

    def _function(self, body: Body) -> Function | None:
        """The function of the person's that a body was traced from."""
        if not self._targets:
            return None
        filename, name, line = function_site(body.jaxpr)
        return self._targets.function(name, line) if filename == self._filename else None

    def _differentiated(self, body: Body, function: Function) -> bool | None:
        """Whether not the function of a body was traced but its derivative, which returns something else; None where that is not known."""
        derived = [eqn["id"] for eqn in body.wire["eqns"] if any(entry["name"] in ("jvp", "transpose") for entry in eqn["stack"])]
        if not derived or self._frames is None:
            return False
        code = code_of(function)
        doubtful = False
        for eqn in derived:
            frames = self._frames.of(self._walk.objects[eqn])
            level = next((level for level, frame in enumerate(frames) if frame.function == code), None)
            inside = {frame.through for frame in frames[: level + 1]} if level is not None else {None}
            # A derivative that the function itself asks for says nothing of the function.
            if inside <= {"", "vmap"}:
                return True
            doubtful |= inside <= {"", "vmap", None}
        return None if doubtful else False


@lru_cache(4096)
def _any_telling(paths: tuple[str | None, ...]) -> bool:
    """Whether one of the paths says more than a position: a key, an attribute."""
    return any(path and _TELLING.match(path) for path in paths)


def _forward_values(jaxpr: Dict) -> set[str]:
    """The values that are no gradients."""
    return {
        result["var"]
        for eqn in jaxpr["eqns"]
        if computes_forward(eqn["stack"], False)
        for result in eqn["results"]
        if result["kind"] != "cotangent"
    }
