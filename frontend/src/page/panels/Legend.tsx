// What the lines mean: only the roles that occur in this drawing. The lines are those of the drawing itself.
import { rolesIn } from "../../drawing/roles.ts";
import type { OverlayLegend, Scene, WireRole } from "../../drawing/scene.ts";
import { EFFECT_DASH, LINES } from "../../drawing/theme.ts";
import { SHORT, useMedia } from "./narrow.ts";

const MEANINGS: readonly { role: WireRole; text: string }[] = [
  { role: "const", text: "const, same every step" },
  { role: "carry", text: "carry, handed on" },
  { role: "xs", text: "xs, one row a step" },
  { role: "ys", text: "ys, stacked" },
  { role: "residual", text: "residual, saved" },
  { role: "cotangent", text: "cotangent" },
  { role: "tangent", text: "tangent" },
];

export function Legend({ scene }: { scene: Scene }) {
  const short = useMedia(SHORT);
  const { found, refs } = rolesIn(scene);
  const shown = MEANINGS.filter(({ role }) => found.has(role));
  const names = namesIn(scene);
  const { overlay } = scene;
  if (shown.length === 0 && !refs && names === null && overlay === undefined) return null;
  return (
    // One line that is swiped along has to be a stop of the keyboard, too.
    <ul class="legend" aria-label="Legend" {...(short ? { tabIndex: 0 } : {})}>
      {shown.map(({ role, text }) => (
        <li key={role} class={`role-${role}`}>
          <Sample of={role} />
          {text}
        </li>
      ))}
      {refs && (
        <li>
          <Sample of="plain" dash={EFFECT_DASH} />a ref, from use to use
        </li>
      )}
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

/** A double line is two thin ones here. */
function Sample({ of, dash }: { of: WireRole; dash?: string }) {
  const line = LINES[of];
  return (
    <svg viewBox="0 0 26 8" aria-hidden="true">
      <path
        d={line.double ? "M1 2.6h24M1 5.4h24" : "M1 4h24"}
        stroke="currentColor"
        stroke-width={line.double ? 1 : line.width}
        stroke-dasharray={dash ?? line.dash ?? undefined}
        stroke-linecap={line.round ? "round" : "butt"}
      />
    </svg>
  );
}

/** Whose the other names are, where both kinds occur and one could be taken for the other; else null. As in the static picture. */
export function namesIn(scene: Scene): string | null {
  const letter = scene.labels.find(({ style }) => style === "letter" || style === "stubletter");
  const name = scene.labels.some(({ style }) => style === "name" || style === "own" || style === "stub");
  if (letter === undefined || !name) return null;
  return letter.text.startsWith("%") ? "a name in the module" : "a letter of JAX's";
}
