"""A graph in words, for terminals and screen readers: a line for each box, indented as the bodies are, with what it takes."""

from collections import Counter, defaultdict

from ._diagram import Edge, Graph, Group, Node


def outline_text(graph: Graph) -> str:
    """The graph as lines of text, ending in a line end."""
    incoming: dict[str, list[Edge]] = defaultdict(list)
    for edge in graph.edges:
        incoming[edge.to].append(edge)
    words = _names(graph)
    things = _things(graph)
    lines = [graph.title]

    def say(group: str | None, indent: str) -> None:
        for thing in things.get(group, ()):
            if isinstance(thing, Group):
                lines.append(f"{indent}{' · '.join((thing.title, *thing.notes))}:")
                say(thing.id, indent + "  ")
            else:
                lines.append(indent + _line(thing, incoming.get(thing.id, []), words))

    say(None, "  ")
    return "\n".join(lines) + "\n"


def _things(graph: Graph) -> dict[str | None, list[Node | Group]]:
    """What stands in each group, in program order: a group where its first box does."""
    groups = {group.id: group for group in graph.groups}
    found: dict[str | None, list[Node | Group]] = defaultdict(list)
    seen: set[str] = set()
    for node in graph.nodes:
        thing: Node | Group = node
        above = node.group
        while above is not None and above not in seen:
            found[above].append(thing)
            seen.add(above)
            thing, above = groups[above], groups[above].group
        found[above].append(thing)
    return {group: [thing for thing in things if not isinstance(thing, Node) or thing.kind != "port"] for group, things in found.items()}


def _line(node: Node, edges: list[Edge], words: dict[str, str]) -> str:
    kind = "" if node.kind in ("op", "closed") else f"{node.kind} "
    role = "" if node.role == "plain" else f" ({node.role})"
    title = words[node.id] if not node.label else node.title
    said = f"{kind}{title}{f' [{node.note}]' if node.note else ''}{f' {node.label}:' if node.label else ''} {node.type}{role}".rstrip()
    taken = [edge for edge in edges if edge.kind != "loop"]
    sources = [f"{words[edge.from_]}{f' as {edge.role}' if edge.role not in ('plain', node.role) else ''}" for edge in taken]
    sources += [f"literal {literal}" for literal in node.literals]
    sources += [f"{words[edge.from_]} of the step before" for edge in edges if edge.kind == "loop"]
    return f"{said} <- {', '.join(sources)}" if sources else said


def _names(graph: Graph) -> dict[str, str]:
    """What each box is called: boxes of one title are numbered, so that it is known which is meant."""
    counts = Counter(_name(node) for node in graph.nodes if node.kind in ("op", "closed"))
    seen: Counter[str] = Counter()
    names: dict[str, str] = {}
    for node in graph.nodes:
        name = _name(node)
        if node.kind in ("op", "closed") and counts[name] > 1:
            seen[name] += 1
            name = f"{name} #{seen[name]}"
        names[node.id] = name
    return names


def _name(node: Node) -> str:
    return node.label or node.title
