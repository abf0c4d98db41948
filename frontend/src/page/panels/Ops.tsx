// What an equation became at a level below: the ops it was lowered to, the instructions it was compiled to, what it was fused with, or why
// nothing is left of it.
import { useComputed } from "@preact/signals";
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { fusedWith } from "../program/fused.ts";
import { goneReason } from "../program/gone.ts";
import { eqnIndex, firstPath } from "../program/instances.ts";
import { moduleAt } from "../program/links.ts";
import { namedOps } from "../program/opnames.ts";
import { titleOf } from "../program/titles.ts";
import { LEVEL_NAMES } from "../state/current.ts";
import type { ModuleLevel, Target } from "../state/types.ts";

const MOST_OPS = 40;
const MOST_FUSED = 16;
const WHEN: Readonly<Record<ModuleLevel, string>> = { stablehlo: "Gone after lowering.", hlo: "Gone after optimisation." };

export function Ops({ program, eqn, level }: { program: Program; eqn: string; level: ModuleLevel }) {
  const { store } = useApp();
  const lights = useLights();
  const lit = useComputed(() => store.hoverLit.value.ops);
  if (moduleAt(program, level) === undefined || Object.keys(program.links[level] ?? {}).length === 0) return null;
  const named = namedOps(program, level, eqn);
  const gone = goneReason(program, level, eqn);
  return (
    <section>
      <h3>{LEVEL_NAMES[level]}</h3>
      {gone !== null ? (
        <p>
          {WHEN[level]} {gone}
        </p>
      ) : (
        <div class="ops">
          {named.slice(0, MOST_OPS).map(({ name, ids }) => (
            <button
              key={name}
              type="button"
              class={`chip ${ids.some((id) => lit.value.has(id)) ? "lit" : ""}`}
              {...lights({ kind: "op", id: ids[0] ?? "" })}
              onClick={() => store.dispatch({ type: "view", view: `${level}-text` })}
            >
              {name}
              {ids.length > 1 && ` ×${ids.length}`}
            </button>
          ))}
          {named.length > MOST_OPS && <span class="faint">and {named.length - MOST_OPS} more</span>}
        </div>
      )}
      {level === "hlo" && <Fused program={program} eqn={eqn} />}
    </section>
  );
}

/** The equations that XLA computes in one loop with this one. */
function Fused({ program, eqn }: { program: Program; eqn: string }) {
  const { store, commands } = useApp();
  const lights = useLights();
  const lit = useComputed(() => store.hoverLit.value.eqns);
  const index = eqnIndex(program);
  return (
    <>
      {fusedWith(program, eqn).map(({ op, eqns }) => {
        const others = eqns.filter((id) => id !== eqn);
        return (
          <div key={op.id} class="ops">
            <span class="faint">Fused into one loop with</span>
            {others.slice(0, MOST_FUSED).map((id) => {
              const path = firstPath(program, id);
              const found = index.get(id);
              return path === null || found === undefined ? null : (
                <button
                  key={id}
                  type="button"
                  class={`chip ${lit.value.has(id) ? "lit" : ""}`}
                  {...lights({ kind: "eqn", path })}
                  onClick={() => commands.show(path)}
                >
                  {titleOf(found.eqn)}
                </button>
              );
            })}
            {others.length > MOST_FUSED && <span class="faint">and {others.length - MOST_FUSED} more</span>}
          </div>
        );
      })}
    </>
  );
}

function useLights(): (target: Target) => { onPointerEnter(): void; onPointerLeave(): void; onFocus(): void; onBlur(): void } {
  const { store } = useApp();
  return (target) => {
    const on = (): void => store.dispatch({ type: "hover", target });
    const off = (): void => store.dispatch({ type: "hover", target: null });
    return { onPointerEnter: on, onPointerLeave: off, onFocus: on, onBlur: off };
  };
}
