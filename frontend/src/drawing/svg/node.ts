/**
 * Markup as data, so that the page can build DOM with createElementNS and everyone else a string.
 * Must never: put text into markup unescaped.
 */

export interface SvgNode {
  tag: string;
  attrs: Record<string, string>;
  children: (SvgNode | string)[];
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Escapes for text and attributes; characters that XML 1.0 forbids become U+FFFD. */
function escapeXml(text: string): string {
  return (
    text
      .replace(/\p{Surrogate}/gu, "\ufffd")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
      .replace(/[&<>"']/g, (c) => ESCAPES[c] ?? c)
  );
}

export function el(tag: string, attrs: Record<string, string | number | null | undefined>, ...children: (SvgNode | string)[]): SvgNode {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(attrs)) {
    if (value !== null && value !== undefined) kept[name] = typeof value === "number" ? num(value) : value;
  }
  return { tag, attrs: kept, children };
}

/** A number as short as two decimals allow; never "-0" nor an exponent. */
export function num(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return rounded === 0 ? "0" : String(rounded);
}

export function svgToString(node: SvgNode): string {
  const attrs = Object.entries(node.attrs)
    .map(([name, value]) => ` ${name}="${escapeXml(value)}"`)
    .join("");
  if (node.children.length === 0) return `<${node.tag}${attrs}/>`;
  const inner = node.children.map((child) => (typeof child === "string" ? escapeXml(child) : svgToString(child))).join("");
  return `<${node.tag}${attrs}>${inner}</${node.tag}>`;
}
