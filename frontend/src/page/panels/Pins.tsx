// The pins over the inspector: what is kept, what is compared with, how to let go.
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { distinctions } from "../program/differences.ts";
import { placeOf } from "../program/instances.ts";
import { titleOf } from "../program/titles.ts";
import { type Pin, pinOf } from "../state/pins.ts";
import { Close } from "./Icons.tsx";
import { useLater } from "./later.ts";

/** The comparison, where there is one to make: else null, and the inspector shows what it always does. */
export function usePins(program: Program, path: string | null): { strip: preact.ComponentChild; comparison: preact.ComponentChild | null } {
  const { store, commands } = useApp();
  const { list, against } = store.state.value.pins;
  const compare = useLater(() => import("./compare/Compare.tsx"), list.length > 0);
  if (list.length === 0) return { strip: null, comparison: null };
  const programs = store.state.value.shown?.trace.programs ?? [];
  const chosen = list.find(({ key }) => key === against);
  const other = programs.find(({ id }) => id === chosen?.program.id);
  const alike = chosen !== undefined && other !== undefined && (chosen.path === null) === (path === null);
  const itself = chosen !== undefined && chosen.program.id === program.id && chosen.path === path;
  const apart = distinctions(programs);
  const named = (pin: Pin): string => {
    const at = programs.findIndex(({ id }) => id === pin.program.id);
    const full = `${pin.program.name}${apart[at] === undefined || apart[at] === "" ? "" : ` ${apart[at]}`}`;
    return pin.path === null ? full : programs.length < 2 ? pin.label : `${pin.label} of ${full}`;
  };
  const strip = (
    <fieldset class="pins" aria-label="Pinned">
      {list.map((pin) => (
        <span key={pin.key} class={`pin ${pin.key === against ? "chosen" : ""}`}>
          <button
            type="button"
            aria-pressed={pin.key === against}
            title={pin.key === against ? "Compared with what is selected" : "Compare what is selected with this"}
            onClick={() => store.dispatch({ type: "against", key: pin.key === against ? null : pin.key })}
          >
            <span class="hidden-text">Compare with </span>
            {named(pin)}
          </button>
          <button
            type="button"
            aria-label={`Unpin ${pin.label}`}
            title="Unpin"
            onClick={() => store.dispatch({ type: "unpin", key: pin.key })}
          >
            <Close />
          </button>
        </span>
      ))}
      {chosen !== undefined && (itself || !alike) && (
        <span class="faint">
          {chosen.path === null ? "Choose another program" : "Select another equation"} to compare it with {chosen.label}.
        </span>
      )}
      {chosen !== undefined && !itself && chosen.path !== null && chosen.program.id === program.id && (
        <button type="button" class="link" onClick={() => commands.show(chosen.path ?? "")}>
          Go to {chosen.label}
        </button>
      )}
    </fieldset>
  );
  const place = path === null ? null : placeOf(program, path);
  const own = pinOf(program, path);
  const selected = place !== null && programs.length < 2 ? titleOf(place.eqn) : own === null ? program.name : named(own);
  const comparison =
    alike && !itself && compare !== null && chosen !== undefined && other !== undefined ? (
      <compare.Compare left={{ program: other, path: chosen.path }} right={{ program, path }} titles={[named(chosen), selected]} />
    ) : null;
  return { strip, comparison };
}
