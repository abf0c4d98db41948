// Two rows of choices in one bar: which program of the paste, and which level of it, drawn or printed.
import { useComputed } from "@preact/signals";
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { distinctions } from "../program/differences.ts";
import type { View } from "../state/types.ts";
import { Tabs } from "./Tabs.tsx";

const ORIGINS: Readonly<Record<Program["origin"], string>> = {
  make_jaxpr: "make_jaxpr",
  trace: "jit trace",
  lower: "jit lower",
  export: "export",
  call: "called",
  expression: "last expression",
  entry: "your entry",
  module: "module",
};

const VIEWS: readonly { id: View; title: string }[] = [
  { id: "jaxpr", title: "Jaxpr" },
  { id: "jaxpr-text", title: "Jaxpr text" },
  { id: "stablehlo", title: "StableHLO" },
  { id: "stablehlo-text", title: "StableHLO text" },
];

/** Whether a program has what a view shows; while the lowering runs, its views wait. */
export function hasView(program: Program | null, view: View): boolean {
  if (program === null) return false;
  if (view === "jaxpr") return program.entry !== null;
  if (view === "jaxpr-text") return program.texts.jaxpr !== undefined;
  return program.modules.stablehlo !== undefined;
}

export function ProgramTabs() {
  const { store } = useApp();
  const programs = useComputed(() => store.state.value.shown?.trace.programs ?? []);
  const apart = useComputed(() => distinctions(programs.value));
  const chosen = useComputed(() => store.state.value.program);
  const view = useComputed(() => store.state.value.view);
  return (
    <div class={`tabbar ${programs.value.length > 1 ? "rows" : ""}`}>
      <div class="programs">
        {programs.value.length > 0 && (
          <Tabs
            label="Programs of this paste"
            panel="stage"
            chosen={chosen.value}
            choose={(id) => store.dispatch({ type: "program", id })}
            items={programs.value.map((program, index) => ({
              id: program.id,
              hint: hintOf(program),
              title: (
                <>
                  <span class="mono program-name">{program.name}</span>
                  {apart.value[index] !== "" && <span class="mono apart">{apart.value[index]}</span>}
                  {program.count > 1 && <span class="count">×{program.count}</span>}
                  {apart.value[index] === "" && <span class="origin">{ORIGINS[program.origin]}</span>}
                </>
              ),
            }))}
          />
        )}
      </div>
      <Tabs
        label="Level"
        panel="stage"
        chosen={view.value}
        choose={(id) => store.dispatch({ type: "view", view: id })}
        items={VIEWS.map(({ id, title }) => ({ id, title, disabled: id !== view.value && !hasView(store.program.value, id) }))}
      />
    </div>
  );
}

function hintOf(program: Program): string {
  const lines = [`${program.name}, from ${ORIGINS[program.origin]}`];
  if (program.count > 1) lines.push(`${program.count} times with the same types`);
  if (program.span !== null) lines.push(`line ${program.span.line}`);
  return lines.join("\n");
}
