// The type of a value from the types of its parts, by their paths in it: `(f32[], f32[8])`, `{w: f32[3], b: f32[]}`. Pure.

const STEP = /\[(?:'([^']*)'|"([^"]*)"|([^\]]*))\]|\.(\w+)/y;
/** Longer ones say how many arrays there are instead. */
export const LONGEST = 44;

interface Branch {
  readonly leaf: string | null;
  readonly kind: "tuple" | "dict" | "record";
  readonly parts: ReadonlyMap<string, Branch>;
}

export function typeOf(parts: Readonly<Record<string, string>>): string {
  const paths = Object.entries(parts);
  const whole = parts[""];
  if (whole !== undefined) return whole;
  const text = written(grown(paths));
  return text.length > LONGEST ? `${paths.length} array${paths.length === 1 ? "" : "s"}` : text;
}

function grown(paths: readonly (readonly [string, string])[]): Branch {
  const groups = new Map<string, (readonly [string, string])[]>();
  let kind: Branch["kind"] = "tuple";
  for (const [path, type] of paths) {
    STEP.lastIndex = 0;
    const step = STEP.exec(path);
    if (step === null) return { leaf: type, kind, parts: new Map() };
    const [whole, single, double, index, field] = step;
    kind = field !== undefined ? "record" : index !== undefined && /^\d+$/.test(index) ? kind : "dict";
    const name = single ?? double ?? index ?? field ?? "";
    groups.set(name, [...(groups.get(name) ?? []), [path.slice(whole.length), type]]);
  }
  return { leaf: null, kind, parts: new Map([...groups].map(([name, inner]) => [name, grown(inner)])) };
}

function written({ leaf, kind, parts }: Branch): string {
  if (leaf !== null) return leaf;
  if (kind !== "tuple") return `{${[...parts].map(([name, part]) => `${name}: ${written(part)}`).join(", ")}}`;
  const items: string[] = [];
  for (const [index, part] of [...parts].map(([name, part]) => [Number(name), part] as const).sort((a, b) => a[0] - b[0])) {
    // What is between two that are known is there, whatever it is.
    if (index > items.length) items.push("…");
    items.push(written(part));
  }
  return items.length === 1 ? `(${items[0]}, …)` : `(${items.join(", ")})`;
}
