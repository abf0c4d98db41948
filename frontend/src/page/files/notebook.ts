// A notebook as one program: its code cells one under the other, with an empty line between. Magics and shell lines are the server's to clean.
import type { Opened } from "./kinds.ts";

interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
}

export function joined(name: string, bytes: Uint8Array): Opened {
  let cells: readonly Cell[];
  let language = "python";
  try {
    const notebook = JSON.parse(new TextDecoder().decode(bytes)) as { cells?: unknown; metadata?: { kernelspec?: { language?: unknown } } };
    if (!Array.isArray(notebook.cells)) throw new Error("no cells");
    cells = notebook.cells.filter((cell) => typeof cell === "object" && cell !== null);
    language = String(notebook.metadata?.kernelspec?.language ?? language);
  } catch {
    return { kind: "refused", why: `${name} is no notebook that can be read: it must be JSON with a list of cells.` };
  }
  if (language.toLowerCase() !== "python")
    return { kind: "refused", why: `The code of ${name} is ${language}; only Python can be traced.` };
  const code = cells
    .filter((cell) => cell.cell_type === "code")
    .map(({ source }) => (Array.isArray(source) ? source.join("") : String(source ?? "")).trimEnd())
    .filter((source) => source.trim() !== "");
  if (code.length === 0) return { kind: "refused", why: `${name} has no code cells.` };
  const count = code.length === 1 ? "The code cell" : `The ${code.length} code cells`;
  const note = `${count} of ${name} ${code.length === 1 ? "is" : "are, one under the other,"} the code now; its texts and outputs are left out.`;
  return { kind: "text", source: `${code.join("\n\n")}\n`, input: null, note };
}
