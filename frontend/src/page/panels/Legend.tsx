// What the lines mean: only the roles that occur in this drawing.
import type { OverlayLegend, Scene, WireRole } from "../../drawing/scene.ts";

const MEANINGS: readonly { role: WireRole; dash: string; width: number; text: string }[] = [
  { role: "const", dash: "1 4", width: 1.75, text: "const, same every step" },
  { role: "carry", dash: "", width: 2.25, text: "carry, handed on" },
  { role: "xs", dash: "10 3", width: 1.75, text: "xs, one row a step" },
  { role: "ys", dash: "10 3 2 3", width: 1.75, text: "ys, stacked" },
  { role: "residual", dash: "6 4", width: 1.75, text: "residual, saved" },
  { role: "cotangent", dash: "", width: 1, text: "cotangent" },
];

export function Legend({ scene }: { scene: Scene }) {
  const found = new Set<string>([...scene.wires, ...scene.chips].map((item) => item.role));
  const shown = MEANINGS.filter(({ role }) => found.has(role));
  const names = namesIn(scene);
  const { overlay } = scene;
  if (shown.length === 0 && names === null && overlay === undefined) return null;
  return (
    <ul class="legend" aria-label="Legend">
      {shown.map(({ role, dash, width, text }) => (
        <li key={role} class={`role-${role}`}>
          <svg viewBox="0 0 26 8" aria-hidden="true">
            {role === "cotangent" ? (
              <path d="M1 2.6h24M1 5.4h24" stroke="currentColor" stroke-width={width} />
            ) : (
              <path
                d="M1 4h24"
                stroke="currentColor"
                stroke-width={width}
                stroke-dasharray={dash}
                stroke-linecap={role === "const" ? "round" : "butt"}
              />
            )}
          </svg>
          {text}
        </li>
      ))}
      {names !== null && (
        <>
          <li>
            <b aria-hidden="true">w</b> a name in your code
          </li>
          <li>
            <i class="mono" aria-hidden="true">
              w
            </i>{" "}
            {names}
          </li>
        </>
      )}
      {overlay !== undefined && <Overlaid overlay={overlay} />}
    </ul>
  );
}

function Overlaid({ overlay: { title, swatches, notes } }: { overlay: OverlayLegend }) {
  return (
    <>
      <li class="overlay-title">{title}</li>
      {swatches.map(({ fill, text }) => (
        <li key={fill}>
          <svg class="swatch" viewBox="0 0 26 12" aria-hidden="true">
            <rect class={`jv-op jv-${fill}`} x="0.5" y="0.5" width="25" height="11" rx="3" />
          </svg>
          {text}
        </li>
      ))}
      {notes.map((note) => (
        <li key={note} class="overlay-note">
          {note}
        </li>
      ))}
    </>
  );
}

/** Whose the other names are, where both kinds occur and one could be taken for the other; else null. As in the static picture. */
export function namesIn(scene: Scene): string | null {
  const letter = scene.labels.find(({ style }) => style === "letter" || style === "stubletter");
  const name = scene.labels.some(({ style }) => style === "name" || style === "own" || style === "stub");
  if (letter === undefined || !name) return null;
  return letter.text.startsWith("%") ? "a name that MLIR gave" : "a letter of JAX's";
}
