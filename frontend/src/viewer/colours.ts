// When the colours of the page change under what was painted with them: another theme, more contrast, the system's own palette.
// What is elements follows by itself; a canvas has to be painted anew.

const SYSTEM = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"];

export function whenColoursChange(change: () => void, signal: AbortSignal): void {
  // A theme is one attribute or class of the root in every page that the viewer stands in.
  const observer = new MutationObserver(change);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme", "data-contrast", "class", "style"] });
  signal.addEventListener("abort", () => observer.disconnect());
  for (const query of SYSTEM) matchMedia(query).addEventListener("change", change, { signal });
}
