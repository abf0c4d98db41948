// A program as a page of its own, as `draw -o x.html` makes it (visualizer/drawing/_page.py): one file with the viewer in it, made here, so
// that nothing is sent anywhere. Loaded when one is wanted.
import type { EmbedData } from "../../embed/data.ts";
import type { Program } from "../../model/types.ts";
import { at } from "../api/address.ts";
import { failureOf, ServerError, unreachable } from "../api/client.ts";
import { htmlText } from "../program/share/escape.ts";
import type { Theme } from "../state/types.ts";

/** The page with marks, and what goes into it whatever it shows. */
export interface Template {
  readonly page: string;
  readonly parts: Readonly<Record<string, string>>;
}

let kept: Template | null = null;

export async function template(fetcher: typeof fetch = fetch): Promise<Template> {
  if (kept !== null) return kept;
  let response: Response;
  try {
    response = await fetcher(at("api/v1/standalone"), { headers: { Accept: "application/json" } });
  } catch {
    throw new ServerError(unreachable);
  }
  if (!response.ok) throw new ServerError(await failureOf(response));
  kept = (await response.json()) as Template;
  return kept;
}

/** The file. `outline` is for readers without scripts. */
export async function standalone(
  { page, parts }: Template,
  data: EmbedData,
  { theme, outline }: { theme: Theme; outline: string },
): Promise<string> {
  const all: Readonly<Record<string, string>> = {
    ...parts,
    theme,
    title: htmlText(data.title),
    outline: htmlText(outline),
    data: await packed(data),
  };
  return page.replace(/\/\*\{\{(\w+)\}\}\*\/|\{\{(\w+)\}\}/g, (_, code, name) => all[code ?? name] ?? "");
}

/** The program without what such a page does not show; by its loops it is folded. */
export function shownOf(program: Program): Program {
  const modules = Object.entries(program.modules).map(([level, module]) => [level, { ...module, text: "" }] as const);
  return {
    ...program,
    span: null,
    links: {},
    written: [],
    parameters: null,
    made_from: null,
    texts: {},
    modules: Object.fromEntries(modules),
  };
}

async function packed(data: EmbedData): Promise<string> {
  const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (let from = 0; from < bytes.length; from += 0x8000) text += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(text);
}
