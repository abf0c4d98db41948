// What is pasted into a document: an image that leads to the program, in Markdown or reST, and a frame for HTML. Pure.
import type { Theme } from "../../state/types.ts";
import { htmlText, markdownAddress, markdownText, oneLine, restAddress, restOption } from "./escape.ts";

export interface Shown {
  readonly title: string;
  /** What is said in the place of the picture. */
  readonly alt: string;
  /** An address, or the name of the file that is saved beside the document; null where there is no picture. */
  readonly image: string | null;
  /** Where a click leads; null for nowhere. */
  readonly link: string | null;
  /** In pixels; null is the picture's own. */
  readonly width: number | null;
}

export function markdown({ title, alt, image, link }: Shown): string {
  const words = image === null ? markdownText(title) : `![${markdownText(alt)}](${markdownAddress(image)})`;
  return `${link === null ? words : `[${words}](${markdownAddress(link)})`}\n`;
}

export function rest({ title, alt, image, link, width }: Shown): string {
  // A reference by a title would need a title that nothing else has: two underscores make it anonymous.
  if (image === null) return link === null ? `${restText(title)}\n` : `\`${restText(title)} <${restAddress(link)}>\`__\n`;
  const options = [
    oneLine(alt) === "" ? "" : `   :alt: ${restOption(alt)}`,
    link === null ? "" : `   :target: ${restAddress(link)}`,
    width === null ? "" : `   :width: ${Math.round(width)}px`,
  ];
  return `${[`.. image:: ${restAddress(image)}`, ...options].filter(Boolean).join("\n")}\n`;
}

/** As words of reST: a backslash before what could begin or end markup. */
function restText(text: string): string {
  return oneLine(text).replace(/[\\`*_|<>:[\]]/g, "\\$&");
}

/** As docs/links.md has it: scripts of its own, and the way out to the program. */
const SANDBOX = "allow-scripts allow-popups allow-popups-to-escape-sandbox";
export const FRAME_HEIGHT = 500;

export function iframe(embed: string, { title, theme, width }: { title: string; theme: Theme; width: number | null }): string {
  const address = `${embed}${embed.includes("?") ? "&" : "?"}theme=${theme}`;
  const wide = width === null ? "100%" : String(Math.round(width));
  return `<iframe src="${htmlText(address)}" title="${htmlText(oneLine(title))}" width="${wide}" height="${FRAME_HEIGHT}" loading="lazy" sandbox="${SANDBOX}"></iframe>\n`;
}

/** A picture that the server makes of a short link. */
export function pictureOf(url: string, theme: Theme): string {
  return `${url}.svg?theme=${theme}`;
}

/** A name for a file, of letters that every system takes. */
export function fileName(title: string, ending: string): string {
  const base = title
    .replace(/[^\w.-]+/g, "_")
    .replace(/^[_.-]+|[_.-]+$/g, "")
    .slice(0, 60);
  return `${base || "program"}.${ending}`;
}
