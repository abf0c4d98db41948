"""A graph in Mermaid's flowchart language, which GitHub and many documentation sites draw themselves.

Source: https://mermaid.js.org/syntax/flowchart.html. It stops at 500 edges and at 50,000 characters, and neither limit can be lifted from
within a diagram, so a larger graph is refused here.
Must never: let a name of the person's end a label or begin a directive.
"""

from ._diagram import Graph, Node
from ._errors import DrawingError
from ._svg import Direction

MOST_EDGES = 500
MOST_CHARACTERS = 50_000
# Every character that means something to Mermaid or to HTML in a label, as the entity codes that it knows.
_SPECIAL = {ord(char): f"#{ord(char)};" for char in '"#;<>&`\\{}[]()|%~*_'}


def mermaid_source(graph: Graph, *, direction: Direction = "TB") -> str:
    """The graph as a flowchart. Raises DrawingError where it is larger than what Mermaid draws."""
    if len(graph.edges) > MOST_EDGES:
        raise DrawingError(
            f"Mermaid draws at most {MOST_EDGES} edges, and this graph has {len(graph.edges):,}. Open less of it: depth 0 or 1."
        )
    lines = [f"flowchart {direction}", f"  accTitle: {' '.join(graph.title.split())}"]
    _fill(lines, graph, None, "  ")
    styles: dict[str, list[int]] = {}
    for at, edge in enumerate(graph.edges):
        look = graph.roles[edge.role]
        thick = edge.role == "carry"
        arrow = "==>" if thick else "-.->" if look.dash is not None else "-->"
        words = '|"next step"|' if edge.kind == "loop" else ""
        lines.append(f"  {edge.from_} {arrow}{words} {edge.to}")
        styles.setdefault(edge.role, []).append(at)
    for role, places in styles.items():
        if role != "plain":
            lines.append(f"  linkStyle {','.join(map(str, places))} stroke:{graph.roles[role].color}")
    text = "\n".join(lines) + "\n"
    if len(text) > MOST_CHARACTERS:
        raise DrawingError(
            f"Mermaid reads at most {MOST_CHARACTERS:,} characters, and this graph takes {len(text):,}. Open less of it: depth 0 or 1."
        )
    return text


def _fill(lines: list[str], graph: Graph, group: str | None, indent: str) -> None:
    for node in graph.nodes:
        if node.group != group:
            continue
        left, right = ("[", "]") if node.kind == "op" else ("[[", "]]") if node.kind == "closed" else ("([", "])")
        lines.append(f'{indent}{node.id}{left}"{_label(node)}"{right}')
        if node.role != "plain":
            lines.append(f"{indent}style {node.id} stroke:{graph.roles[node.role].color}")
    for inner in graph.groups:
        if inner.group == group:
            lines.append(f'{indent}subgraph {inner.id}["{_text(" · ".join((inner.title, *inner.notes)))}"]')
            _fill(lines, graph, inner.id, indent + "  ")
            lines.append(f"{indent}end")


def _label(node: Node) -> str:
    head = " ".join(part for part in (node.title, node.note) if part)
    named = " ".join(part for part in (node.label, node.type) if part)
    return "<br/>".join(_text(line) for line in (head, named, *(f"= {literal}" for literal in node.literals)) if line) or "#8203;"


def _text(text: str) -> str:
    return " ".join(text.split()).translate(_SPECIAL)
