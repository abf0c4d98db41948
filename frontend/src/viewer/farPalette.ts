// The drawing's colours for a canvas: what the style sheet says of each class here and now, whatever the theme, the contrast, the system's own.
const SVG = "http://www.w3.org/2000/svg";

export interface FarPaint {
  readonly fill: string;
  readonly stroke: string;
}

export type Paints = (name: string) => FarPaint;

/** Reads each class once; the sheet applies inside of the viewer. */
export function paletteOf(host: HTMLElement): Paints {
  const known = new Map<string, FarPaint>();
  return (name) => {
    let paint = known.get(name);
    if (paint === undefined) {
      const svg = document.createElementNS(SVG, "svg");
      const probe = document.createElementNS(SVG, "rect");
      probe.setAttribute("class", `jv-${name}`);
      svg.append(probe);
      svg.style.display = "none";
      host.append(svg);
      const { fill, stroke } = getComputedStyle(probe);
      paint = { fill, stroke: stroke === "none" ? fill : stroke };
      svg.remove();
      known.set(name, paint);
    }
    return paint;
  };
}
