"""A graph in words, for terminals and screen readers: a line for each box, indented as the bodies are, with what it takes."""

from dataclasses import asdict
from typing import Any

from ._diagram import Edge, Graph
from ._engine import engine


def outline_text(graph: Graph) -> str:
    """The graph as lines of text, ending in a line end. Written by the drawing's own code, as on the page. Raises BundleMissingError."""
    nodes, groups = ([asdict(thing) for thing in things] for things in (graph.nodes, graph.groups))
    return engine().outline({"title": graph.title, "nodes": nodes, "groups": groups, "edges": [_edge(edge) for edge in graph.edges]})


def _edge(edge: Edge) -> dict[str, Any]:
    plain = asdict(edge)
    return {"from": plain.pop("from_"), **plain}
