/** A graph in words, for terminals, screen readers and readers without scripts: a line for each box, indented as the bodies are, with what it takes. */
import type { Diagram, DiagramEdge, DiagramGroup, DiagramNode } from "./diagram.ts";

export function outlineOf(graph: Diagram, title: string): string {
  const incoming = new Map<string, DiagramEdge[]>();
  for (const edge of graph.edges) push(incoming, edge.to, edge);
  const words = named(graph.nodes);
  const things = thingsOf(graph);
  const lines = [title];
  const say = (group: string | null, indent: string): void => {
    for (const thing of things.get(group) ?? []) {
      if ("notes" in thing) {
        lines.push(`${indent}${[thing.title, ...thing.notes].join(" · ")}:`);
        say(thing.id, `${indent}  `);
      } else lines.push(indent + lineOf(thing, incoming.get(thing.id) ?? [], words));
    }
  };
  say(null, "  ");
  return `${lines.join("\n")}\n`;
}

/** What stands in each group, in program order: a group where its first box does. */
function thingsOf({ nodes, groups }: Diagram): Map<string | null, (DiagramNode | DiagramGroup)[]> {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const found = new Map<string | null, (DiagramNode | DiagramGroup)[]>();
  const seen = new Set<string>();
  for (const node of nodes) {
    let thing: DiagramNode | DiagramGroup = node;
    let above = node.group;
    while (above !== null && !seen.has(above)) {
      push(found, above, thing);
      seen.add(above);
      thing = byId.get(above) as DiagramGroup;
      above = thing.group;
    }
    push(found, above, thing);
  }
  for (const [group, list] of found)
    found.set(
      group,
      list.filter((thing) => "notes" in thing || thing.kind !== "port"),
    );
  return found;
}

function lineOf(node: DiagramNode, edges: readonly DiagramEdge[], words: ReadonlyMap<string, string>): string {
  const word = (id: string): string => words.get(id) ?? id;
  const kind = isBox(node) ? "" : `${node.kind} `;
  const role = node.role === "plain" ? "" : ` (${node.role})`;
  const title = node.label === "" ? word(node.id) : node.title;
  const note = node.note === "" ? "" : ` [${node.note}]`;
  const label = node.label === "" ? "" : ` ${node.label}:`;
  const said = `${kind}${title}${note}${label} ${node.type}${role}`.trimEnd();
  const sources = [
    ...edges
      .filter((edge) => edge.kind !== "loop")
      .map(({ from, role: as }) => `${word(from)}${as === "plain" || as === node.role ? "" : ` as ${as}`}`),
    ...node.literals.map((literal) => `literal ${literal}`),
    ...edges.filter((edge) => edge.kind === "loop").map(({ from }) => `${word(from)} of the step before`),
  ];
  return sources.length === 0 ? said : `${said} <- ${sources.join(", ")}`;
}

/** What each box is called: boxes of one title are numbered, so that it is known which is meant. */
function named(nodes: readonly DiagramNode[]): Map<string, string> {
  const counts = new Map<string, number>();
  for (const node of nodes) if (isBox(node)) counts.set(nameOf(node), (counts.get(nameOf(node)) ?? 0) + 1);
  const seen = new Map<string, number>();
  const names = new Map<string, string>();
  for (const node of nodes) {
    let name = nameOf(node);
    if (isBox(node) && (counts.get(name) ?? 0) > 1) {
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      name = `${name} #${number}`;
    }
    names.set(node.id, name);
  }
  return names;
}

function isBox({ kind }: DiagramNode): boolean {
  return kind === "op" || kind === "closed";
}

function nameOf({ label, title }: DiagramNode): string {
  return label === "" ? title : label;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
