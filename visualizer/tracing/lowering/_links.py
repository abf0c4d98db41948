"""Which operations of a module were lowered from which equation: read from the tags in their locations, never guessed.

An operation belongs to the equation whose tag is innermost in its location. JAX gives no location of the equation's to two kinds of
operation, and their owner follows from the module itself: a constant made for a literal operand belongs to the one equation that reads
it, and what stands in a helper function without any tag (`@dynamic_index_in_dim`) belongs to the equations whose operations call it.

Promises: what is linked is exact; what cannot be known is not linked.
Must never: go by names of primitives, by positions or by source lines.

"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from visualizer.tracing.compat import location_names, own_name
from visualizer.tracing.mlir._module import SerializedModule

from ._tagging import tag_in

Dict = dict[str, Any]
# The end of a function is no equation's: JAX gives it the location of whatever it was lowering when the function was first needed.
END = "func.return"


@dataclass
class Owners:
    """Who owns each operation, by its id."""

    of: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Op id -> equations; a helper's operations may belong to several."""
    name: dict[str, str] = field(default_factory=dict)
    """Op id -> the name in its location that holds its tag."""

    def links(self, module: SerializedModule) -> dict[str, list[str]]:
        """Equation id -> ids of its operations, in program order."""
        links: dict[str, list[str]] = {}
        for _, wire in module.ops:
            for eqn in self.of.get(wire["id"], ()):
                links.setdefault(eqn, []).append(wire["id"])
        return links


def owners_of(module: SerializedModule) -> Owners:
    """Read the owners of a tagged module's operations."""
    owners = Owners()
    for op, wire in module.ops:
        if wire["name"] == END:
            continue
        for name in tagged_names(op.location):
            owners.of[wire["id"]] = (tag_in(name) or "",)
            owners.name[wire["id"]] = name
            break
    if owners.of:
        _constants(module, owners)
        _helpers(module, owners)
    return owners


def tagged_names(location: Any) -> Iterator[str]:
    """The names of a location that hold a tag, outermost first."""
    return (name for name in location_names(location) if tag_in(name))


def argument_label(value: Any) -> str | None:
    """The person's own name of an argument of the main function: JAX puts it in the argument's location."""
    name = own_name(getattr(value, "location", None))
    return name if name and not tag_in(name) else None


def _constants(module: SerializedModule, owners: Owners) -> None:
    """A constant that the operations of one equation alone read is that equation's."""
    readers: dict[str, set[tuple[str, ...] | None]] = {}
    for _, wire in module.ops:
        for operand in wire["operands"]:
            readers.setdefault(operand["value"], set()).add(owners.of.get(wire["id"]))
    for _, wire in module.ops:
        if wire["id"] in owners.of or wire["operands"] or len(wire["results"]) != 1:
            continue
        found = list(readers.get(wire["results"][0], ()))
        if len(found) == 1 and found[0] is not None:
            owners.of[wire["id"]] = found[0]


def _helpers(module: SerializedModule, owners: Owners) -> None:
    """What stands in a function without tags belongs to whoever calls it."""
    inside = module.inside
    callers: dict[str, list[str]] = {}
    for _, wire in module.ops:
        if wire["callee"] is not None:
            callers.setdefault(wire["callee"], []).append(wire["id"])
    untagged = [name for name, ops in inside.items() if name in callers and not any(op["id"] in owners.of for op in ops)]
    for _ in untagged:  # a helper may call a helper: at most as many rounds as there are
        changed = False
        for name in untagged:
            eqns = tuple(sorted({eqn for call in callers[name] for eqn in owners.of.get(call, ())}, key=lambda eqn: int(eqn[1:])))
            for op in inside[name]:
                if eqns and op["name"] != END and owners.of.get(op["id"]) != eqns:
                    owners.of[op["id"]] = eqns
                    changed = True
        if not changed:
            break
