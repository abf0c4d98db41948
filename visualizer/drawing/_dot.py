"""A graph in DOT, with a cluster for everything that is open and the lines of the roles; rendered by Graphviz where it is installed.

Source: https://graphviz.org/doc/info/lang.html. Must never: write a name of the person's without quoting it.
"""

from collections.abc import Iterator

import graphviz

from ._diagram import Edge, Graph, Group, Look, Node
from ._errors import EngineNotFoundError
from ._svg import Direction

_ENDS = {"triangle": "normal", "open": "onormal", "diamond": "odiamond"}


def dot_source(graph: Graph, *, direction: Direction = "TB") -> str:
    """The graph as DOT text."""
    return str(_digraph(graph, direction).source)


def render_dot(graph: Graph, format_: str, *, direction: Direction = "TB") -> bytes:
    """What Graphviz makes of the graph, in any of its formats. Raises EngineNotFoundError where there is no Graphviz."""
    try:
        return bytes(_digraph(graph, direction).pipe(format=format_))
    except graphviz.ExecutableNotFound:
        raise EngineNotFoundError from None


def _digraph(graph: Graph, direction: Direction) -> graphviz.Digraph:
    colors = graph.colors
    made = graphviz.Digraph(graphviz.escape(graph.title), strict=False)
    made.attr(
        rankdir=direction, label=graphviz.escape(graph.title), labelloc="t", fontname="Helvetica", fontcolor=colors["ink"], compound="true"
    )
    made.attr("node", shape="box", style="rounded,filled", fillcolor=colors["node"], color=colors["line"], fontcolor=colors["ink"])
    made.attr("node", fontname="Helvetica", fontsize="11", margin="0.12,0.06")
    made.attr("edge", fontname="Helvetica", fontsize="9", fontcolor=colors["muted"], arrowsize="0.7")
    _fill(made, graph, None)
    for edge in graph.edges:
        made.edge(edge.from_, edge.to, **dict(_line(edge, graph.roles[edge.role])))
    return made


def _fill(made: graphviz.Digraph, graph: Graph, group: str | None) -> None:
    for node in graph.nodes:
        if node.group == group:
            made.node(node.id, _label(node), **_shape(node, graph))
    for inner in graph.groups:
        if inner.group == group:
            # Only subgraphs whose names begin so are drawn with a border.
            with made.subgraph(name=f"cluster_{inner.id}") as cluster:
                cluster.attr(label=_title(inner), style="rounded,filled", fillcolor=graph.colors["surface"], color=graph.colors["line"])
                _fill(cluster, graph, inner.id)


def _title(group: Group) -> str:
    return str(graphviz.escape("\n".join((group.title, *group.notes))))


def _label(node: Node) -> str:
    head = " ".join(part for part in (node.title, node.note if node.kind == "op" else "") if part)
    named = " ".join(part for part in (node.label, node.type) if part)
    lines = [head, named, node.note if node.kind == "closed" else "", *(f"= {literal}" for literal in node.literals)]
    return str(graphviz.escape("\n".join(line for line in lines if line)))


def _shape(node: Node, graph: Graph) -> dict[str, str]:
    if node.kind == "port":
        return {"shape": "point", "color": graph.roles[node.role].color, "xlabel": ""}
    if node.kind in ("op", "closed"):
        return {"peripheries": "2"} if node.kind == "closed" else {}
    return {"color": graph.roles[node.role].color, "shape": "box", "penwidth": "1.5"}


def _line(edge: Edge, look: Look) -> Iterator[tuple[str, str]]:
    yield "color", f"{look.color}:{look.color}" if look.double else look.color
    yield "penwidth", "1" if look.double else str(look.width)
    yield "arrowhead", _ENDS.get(look.end, "normal")
    if edge.kind == "loop":
        # The next step is above: it must not pull the rows apart.
        yield "constraint", "false"
        yield "label", "next step"
    if look.dash is not None or edge.kind in ("select", "effect"):
        yield "style", "dotted" if look.dash is not None and look.dash.startswith("0.1") else "dashed"
    yield "tooltip", str(graphviz.escape(f"{edge.role}: {edge.name} {edge.type}"))
