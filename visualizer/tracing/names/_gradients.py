"""Names of gradients: what `jax.grad` and `jax.value_and_grad` are assigned to.

The cotangents that leave what was traced under one call of a derivative are its gradients. Which of them belongs to which part of the
argument follows from types: a gradient has the type of what it is the gradient of.

Promises: a name where no other part of the argument has the type.
Must never: tell two gradients of one type apart by their order.
"""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from visualizer.tracing.source._frames import Frame
from visualizer.tracing.source._patterns import text_of
from visualizer.tracing.source._targets import Targets

from ._aliases import Aliases
from ._assigned import Assigned
from ._sides import computes_forward

if TYPE_CHECKING:
    from visualizer.tracing.eqns._walk import Body, Walk

Dict = dict[str, Any]
_KINDS = ("grad", "value_and_grad")
# (path in the gradients, type)
Leaf = tuple[str, str]


class Gradients:
    """Names the gradients of bodies; `assigned` knows what calls are assigned to."""

    def __init__(self, walk: Walk, targets: Targets, assigned: Assigned) -> None:
        self._walk = walk
        self._targets = targets
        self._assigned = assigned

    def label(self, body: Body) -> None:
        """Name the gradients that a body computes."""
        calls: dict[tuple[Any, ...], list[Dict]] = defaultdict(list)
        frames: dict[tuple[Any, ...], list[Frame]] = {}
        for eqn in body.wire["eqns"]:
            if computes_forward(eqn["stack"], False):
                continue
            found = self._assigned.frames.of(self._walk.objects[eqn["id"]])
            derivatives = [level for level, frame in enumerate(found) if frame.through not in ("", "vmap", None)]
            if len(derivatives) == 1 and found[derivatives[0]].through in _KINDS:
                outer = found[derivatives[0] :]
                key = tuple((frame.place, frame.function) for frame in outer)
                calls[key].append(eqn)
                frames[key] = outer
        for key, eqns in calls.items():
            self._call(eqns, frames[key], body.wire)

    def _call(self, eqns: list[Dict], frames: list[Frame], wire: Dict) -> None:
        call = self._targets.index.call(frames[0].place)
        maker = self._maker(call, frames[0]) if call is not None else None
        leaves = self._leaves(call, maker, frames, wire) if call is not None and maker is not None else []
        if maker is None or not leaves:
            return
        has_aux = any(word.arg == "has_aux" and not _is_false(word.value) for word in maker.keywords)
        front = "[1]" if frames[0].through == "value_and_grad" else "[0]" if has_aux else ""
        exits = _exits(eqns, wire)
        expected, given = Counter(aval for _, aval in leaves), Counter(result["aval"] for result in exits)
        if any(given[aval] > count for aval, count in expected.items()) or given.keys() - expected.keys():
            return  # more than one evaluation of one call
        for path, aval in leaves:
            if expected[aval] == 1 and given[aval] == 1:
                result = next(result for result in exits if result["aval"] == aval)
                self._assigned.give([(result, front + path)], frames[0].place, frames, wire["vars"])

    def _maker(self, call: ast.Call, frame: Frame) -> ast.Call | None:
        """The call of `jax.grad` that made what is called here."""
        if isinstance(call.func, ast.Call):
            return call.func
        scope = self._targets.index.function(*frame.function)
        where = scope.find(call.func.id) if scope is not None and isinstance(call.func, ast.Name) else None
        if where is None or not isinstance(call.func, ast.Name):
            return None
        found = where.reaching(call.func.id, frame.place[:2]) if where is scope else where.bindings[call.func.id]
        value = found[0].value if len(found) == 1 else None
        return value if isinstance(value, ast.Call) else None

    def _text(self, argument: ast.expr, frames: list[Frame]) -> str | None:
        """What an argument is called in the function that the body was traced from."""
        scope, root = (self._targets.index.function(*frame.function) for frame in (frames[0], frames[-1]))
        if scope is None or root is None or scope is root:
            return text_of(argument)
        names = Aliases(self._targets.index, frames, None).names_of(argument, scope)
        return next((name.text for name in names if name.binding.scope is root), None)

    def _leaves(self, call: ast.Call, maker: ast.Call, frames: list[Frame], wire: Dict) -> list[Leaf]:
        """The arrays that the call differentiates by: their paths in the gradients, and their types. Empty where they are not known."""
        numbers = next((word.value for word in maker.keywords if word.arg == "argnums"), maker.args[1] if len(maker.args) > 1 else None)
        several = isinstance(numbers, ast.Tuple)
        parts = numbers.elts if isinstance(numbers, ast.Tuple) else [numbers] if numbers is not None else [ast.Constant(0)]
        indices = [part.value for part in parts if isinstance(part, ast.Constant) and type(part.value) is int]
        if len(indices) != len(parts) or any(isinstance(argument, ast.Starred) for argument in call.args):
            return []
        leaves: list[Leaf] = []
        for position, index in enumerate(indices):
            text = self._text(call.args[index], frames) if index < len(call.args) else None
            found: dict[str, set[str]] = defaultdict(set)
            for variable in wire["vars"].values():
                if text is None:
                    return []
                label = variable["label"] or ""
                if label == text or (label.startswith(text) and label[len(text)] in "[."):
                    found[label[len(text) :]].add(variable["aval"])
            if not found or any(len(avals) > 1 for avals in found.values()):
                return []
            leaves.extend(((f"[{position}]" if several else "") + path, next(iter(avals))) for path, avals in found.items())
        return leaves


def _exits(eqns: list[Dict], wire: Dict) -> list[Dict]:
    """The results of equations that are read elsewhere, or given."""
    own = {eqn["id"] for eqn in eqns}
    read = {atom["var"] for atom in wire["outvars"] if "var" in atom}
    for eqn in wire["eqns"]:
        if eqn["id"] not in own:
            read.update(operand["atom"]["var"] for operand in eqn["operands"] if "var" in operand["atom"])
    return [result for eqn in eqns for result in eqn["results"] if result["var"] in read]


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is False
