// Several files that are opened together: they go to the server in one request, and become one trace. Loaded when there are several.
import { base64, type Opened } from "./kinds.ts";
import { MOST_OPENED, type Readable, sizeOf } from "./read.ts";

export type Together = Opened | { readonly kind: "files"; readonly name: string; readonly size: number; readonly data: string };

/** What JAX and XLA write beside programs: the server says how many of them there are, and needs no more of them than their names. */
const BESIDE =
  /\.(?:html|ll|o|s|ptx|dot|pb|png|eqn_count_pprof|debug_options|execution_options|textproto)$|-(?:buffer-assignment|buffer-assignment-values|live-range|memory-usage-report)\.txt$/i;
const MOST_FILES = 1_000;

export async function together(files: readonly Readable[]): Promise<Together> {
  const read = files.filter(({ name }) => !BESIDE.test(name));
  const size = read.reduce((sum, file) => sum + file.size, 0);
  if (read.length > MOST_FILES)
    return { kind: "refused", why: `${read.length.toLocaleString("en")} files are more than can be opened at once (1,000).` };
  if (size > MOST_OPENED)
    return {
      kind: "refused",
      why: `The files have ${sizeOf(size)}; at most ${sizeOf(MOST_OPENED)} can be opened together. They were not sent anywhere.`,
    };
  const made: { name: string; data: string }[] = [];
  for (const file of files) {
    const name = file.path ?? file.name;
    try {
      made.push({ name, data: BESIDE.test(name) ? "IA==" : base64(new Uint8Array(await file.arrayBuffer())) });
    } catch {
      return { kind: "refused", why: `${name} cannot be read: it may be gone.` };
    }
  }
  return { kind: "files", name: nameOf(made.map(({ name }) => name)), size, data: JSON.stringify({ files: made }) };
}

/** The folder that they come from, else how many they are. */
function nameOf(names: readonly string[]): string {
  const folders = new Set(names.map((name) => name.split("/")[0] ?? ""));
  const [folder = ""] = folders;
  return folders.size === 1 && names.every((name) => name.includes("/")) ? `${folder}/` : `${names.length} files`;
}
