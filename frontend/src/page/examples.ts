// The example programs, straight from the Python package: one source for the page, the gallery and the tests.
const files = import.meta.glob("../../../visualizer/examples/*.{py,txt,mlir}", { query: "?raw", import: "default", eager: true }) as Record<
  string,
  string
>;

export interface Example {
  readonly id: string;
  readonly title: string;
  /** The comment at its top. */
  readonly about: string;
  readonly source: string;
}

/** `01_grad_of_scan.py` -> `Grad of scan`. */
export function titleOf(path: string): string {
  const words = path
    .slice(path.lastIndexOf("/") + 1)
    .replace(/^\d+_|\.\w+$/g, "")
    .replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function aboutOf(source: string): string {
  const lines: string[] = [];
  for (const line of source.split("\n")) {
    if (!/^(?:#|\/\/)/.test(line)) break;
    lines.push(line.replace(/^(?:#|\/\/)\s?/, ""));
  }
  return lines.join(" ");
}

export const EXAMPLES: readonly Example[] = Object.entries(files)
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([path, source]) => ({
    id: path.slice(path.lastIndexOf("/") + 1, path.lastIndexOf(".")),
    title: titleOf(path),
    about: aboutOf(source),
    source,
  }));

/** Whether nobody has written anything into it yet. */
export function isFresh(source: string): boolean {
  return EXAMPLES.some((example) => example.source === source);
}
