"""The picture as a plain graph: boxes, groups and arrows without places, in the words and roles of the drawing.

Promises: what is open, folded and named is what the picture shows with the same options.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from visualizer.model import Module, Program

from ._engine import engine
from ._svg import Grouping, Open, as_data, as_module, wish


@dataclass(frozen=True)
class Node:
    """A box, or a pill for an input, a result or a binder. `letter`: its title is a name that the compiler gave."""

    id: str
    kind: str
    eqn: str | None
    title: str
    note: str
    label: str
    type: str
    role: str
    letter: bool
    group: str | None
    literals: tuple[str, ...]
    back: bool


@dataclass(frozen=True)
class Group:
    """Something that is open: an equation with a body, or one body of several."""

    id: str
    kind: str
    eqn: str | None
    title: str
    notes: tuple[str, ...]
    group: str | None


@dataclass(frozen=True)
class Edge:
    """A value on its way. `kind` is `flow`, `loop` (to the next step), `select` (an index or a predicate) or `effect` (of a ref)."""

    from_: str
    to: str
    role: str
    kind: str
    name: str
    type: str


@dataclass(frozen=True)
class Look:
    """How a role is drawn: colour, dash pattern or None, width in pixels, whether the line is double, and what it means in words."""

    color: str
    dash: str | None
    width: float
    double: bool
    end: str
    means: str


@dataclass(frozen=True)
class Graph:
    """A level with all that is open in it. `colors` are those of ink, muted ink, lines, boxes and surfaces on a light page."""

    title: str
    nodes: tuple[Node, ...]
    groups: tuple[Group, ...]
    edges: tuple[Edge, ...]
    roles: Mapping[str, Look]
    colors: Mapping[str, str]


def graph_of(
    drawn: Program | Module | Mapping[str, Any],
    *,
    open: Open = "initial",  # noqa: A002
    title: str | None = None,
    by: Grouping = "auto",
) -> Graph:
    """The graph of a program or a module (a mapping with `jaxprs` is a program). Raises BundleMissingError, DrawingError."""
    if isinstance(drawn, Program) or (isinstance(drawn, Mapping) and "functions" not in drawn):
        data = as_data(drawn)
        named, request = str(data.get("name", "Program")), {"program": data}
    else:
        data = as_module(drawn)
        named, request = f"{data.get('dialect', 'lowered')} module", {"module": data}
    found = engine().diagram({**request, "open": wish(open), "by": by})
    return Graph(
        title or named,
        tuple(Node(**{**node, "literals": tuple(node["literals"])}) for node in found["nodes"]),
        tuple(Group(**{**group, "notes": tuple(group["notes"])}) for group in found["groups"]),
        tuple(Edge(edge.pop("from"), **edge) for edge in found["edges"]),
        {role: Look(*(look[key] for key in ("color", "dash", "width", "double", "end", "means"))) for role, look in found["roles"].items()},
        found["colors"],
    )
