/**
 * Building a wire: SVG path data and, beside it, points along it. Said for a flow from top to bottom: x across it, y along it; both come out
 * as they are on the screen.
 */
import type { Direction } from "../scene.ts";
import { num } from "../svg/node.ts";

/** Points along a curve for hit testing and for the tests that no wire runs through a box. */
const SAMPLES = 8;

export class Path {
  d = "";
  readonly points: number[] = [];
  private readonly swapped: boolean;
  private x = 0;
  private y = 0;

  constructor(direction: Direction, x: number, y: number) {
    this.swapped = direction === "LR";
    this.move(x, y);
    this.d = `M${this.at(x, y)}`;
  }

  /** Where it starts across the flow. */
  get startX(): number {
    return this.points[this.swapped ? 1 : 0]!;
  }

  private at(x: number, y: number): string {
    return this.swapped ? `${num(y)} ${num(x)}` : `${num(x)} ${num(y)}`;
  }

  private push(x: number, y: number): void {
    if (this.swapped) this.points.push(y, x);
    else this.points.push(x, y);
  }

  private move(x: number, y: number): void {
    this.x = x;
    this.y = y;
    this.push(x, y);
  }

  vertical(y: number): this {
    if (Math.abs(y - this.y) < 0.01) return this;
    this.d += `${this.swapped ? "H" : "V"}${num(y)}`;
    this.move(this.x, y);
    return this;
  }

  horizontal(x: number): this {
    if (Math.abs(x - this.x) < 0.01) return this;
    this.d += `${this.swapped ? "V" : "H"}${num(x)}`;
    this.move(x, this.y);
    return this;
  }

  /** To (x, y), along the flow at both ends. */
  sway(x: number, y: number): this {
    if (Math.abs(x - this.x) < 0.5) {
      // Less than half a pixel aside: straight, and exactly on x.
      if (x !== this.x) this.d += `L${this.at(x, y)}`;
      else this.d += `${this.swapped ? "H" : "V"}${num(y)}`;
      this.move(x, y);
      return this;
    }
    const { x: x0, y: y0 } = this;
    const bend = (y - y0) / 2;
    this.d += `C${this.at(x0, y0 + bend)} ${this.at(x, y - bend)} ${this.at(x, y)}`;
    for (let i = 1; i <= SAMPLES; i++) {
      const t = i / SAMPLES;
      const u = 1 - t;
      const px = u * u * (u + 3 * t) * x0 + t * t * (t + 3 * u) * x;
      const py = u ** 3 * y0 + 3 * u * u * t * (y0 + bend) + 3 * u * t * t * (y - bend) + t ** 3 * y;
      this.push(px, py);
    }
    this.x = x;
    this.y = y;
    return this;
  }

  /** Straight runs through the given corners, rounded; coordinates alternate x, y. */
  corners(radius: number, ...coordinates: number[]): this {
    for (let i = 0; i < coordinates.length; i += 2) {
      const cx = coordinates[i]!;
      const cy = coordinates[i + 1]!;
      const nx = coordinates[i + 2];
      const ny = coordinates[i + 3];
      const into = Math.hypot(cx - this.x, cy - this.y);
      if (nx === undefined || ny === undefined) {
        this.line(cx, cy);
        continue;
      }
      const out = Math.hypot(nx - cx, ny - cy);
      const r = Math.min(radius, into / 2, out / 2);
      if (into < 0.01 || out < 0.01) continue;
      this.line(cx - ((cx - this.x) / into) * r, cy - ((cy - this.y) / into) * r);
      const ex = cx + ((nx - cx) / out) * r;
      const ey = cy + ((ny - cy) / out) * r;
      this.d += `Q${this.at(cx, cy)} ${this.at(ex, ey)}`;
      this.move(ex, ey);
    }
    return this;
  }

  private line(x: number, y: number): void {
    if (Math.abs(x - this.x) < 0.01) this.vertical(y);
    else if (Math.abs(y - this.y) < 0.01) this.horizontal(x);
    else {
      this.d += `L${this.at(x, y)}`;
      this.move(x, y);
    }
  }
}
