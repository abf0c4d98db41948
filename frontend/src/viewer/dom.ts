// SvgNode -> DOM. Text becomes text nodes and attributes are set one by one: nothing that a stranger named can turn into markup.
import type { SvgNode } from "../drawing/svg/node.ts";

const SVG = "http://www.w3.org/2000/svg";

export interface DomOptions {
  /** The nonce that a `<style>` inside the drawing needs under the page's CSP. */
  readonly nonce?: string;
}

export function build(node: SvgNode, options: DomOptions = {}, document: Document = globalThis.document): SVGElement {
  const element = document.createElementNS(SVG, node.tag) as SVGElement;
  for (const [name, value] of Object.entries(node.attrs)) element.setAttribute(name, value);
  if (node.tag === "style" && options.nonce !== undefined) element.setAttribute("nonce", options.nonce);
  for (const child of node.children)
    element.append(typeof child === "string" ? document.createTextNode(child) : build(child, options, document));
  return element;
}
