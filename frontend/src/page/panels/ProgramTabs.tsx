// The choices about the program pane: which program of the paste, which level of it, drawn or printed, and what else could be made of it.
import { useComputed } from "@preact/signals";
import type { Program, Trace } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { distinctions } from "../program/differences.ts";
import { moduleAt } from "../program/links.ts";
import { FEW } from "../state/answered.ts";
import { barOf } from "../state/asked.ts";
import { isOpened, moduleLevels } from "../state/current.ts";
import type { Level, View } from "../state/types.ts";
import { levelOf } from "../state/update.ts";
import { keyOf, stepWords } from "../state/wishes.ts";
import { FindButton } from "./Find.tsx";
import { Braces } from "./Icons.tsx";
import { useLater } from "./later.ts";
import { Tabs } from "./Tabs.tsx";
import { Transforms } from "./Transforms.tsx";

const ORIGINS: Readonly<Record<Program["origin"], string>> = {
  make_jaxpr: "make_jaxpr",
  trace: "jit trace",
  lower: "jit lower",
  export: "export",
  call: "called",
  expression: "last expression",
  entry: "with your types",
  module: "module",
};

const VIEWS: readonly { id: View; title: string }[] = [
  { id: "jaxpr", title: "Jaxpr" },
  { id: "jaxpr-text", title: "Jaxpr text" },
  { id: "stablehlo", title: "StableHLO" },
  { id: "stablehlo-text", title: "StableHLO text" },
  { id: "hlo", title: "HLO" },
  { id: "hlo-text", title: "HLO text" },
  { id: "beside-text", title: "Side by side" },
];

/** Whether a program has what a view shows; while the lowering runs, its views wait. `traced`: from code, and not read from a print or a file. */
export function hasView(program: Program | null, view: View, traced = true): boolean {
  if (program === null) return false;
  if (view === "jaxpr") return program.entry !== null;
  const comes = (level: Level): boolean => (program.left_out ?? []).some((left) => left.level === level && left.kind !== "bodies");
  if (view === "beside-text" && program.entry === null) return moduleLevels(program).length > 0;
  if (view === "jaxpr-text" || view === "beside-text") return program.texts.jaxpr !== undefined || comes("jaxpr");
  const level = levelOf(view);
  // What was traced can be compiled, for the asking.
  if (level === "hlo" && program.entry !== null && traced) return true;
  return moduleAt(program, level) !== undefined || comes(level);
}

const DIALECTS: Readonly<Record<string, string>> = { stablehlo: "StableHLO", mhlo: "MHLO", chlo: "CHLO", vhlo: "VHLO" };

/** The level of a module by the name of its dialect. */
function titled(title: string, program: Program | null): string {
  const dialect = program?.modules.stablehlo?.dialect ?? "stablehlo";
  return program?.entry === null ? title.replace("StableHLO", DIALECTS[dialect] ?? "MLIR") : title;
}

export function ProgramTabs() {
  const { store } = useApp();
  const programs = useComputed(() => store.state.value.shown?.trace.programs ?? []);
  const apart = useComputed(() => (programs.value.length > FEW ? [] : distinctions(programs.value)));
  const chosen = useComputed(() => store.state.value.program);
  const view = useComputed(() => store.state.value.view);
  const bar = useComputed(() => barOf(store.steady.value));
  const opened = useComputed(() => isOpened(store.state.value));
  const many = useComputed(() => programs.value.length > FEW || programs.value.some(({ ran }) => ran !== null));
  const choice = useLater(() => import("./ProgramChoice.tsx"), many.value);
  const python = useComputed(() => (store.state.value.latest?.trace.input ?? "python") === "python");
  const input = useComputed(() => store.state.value.shown?.trace.input ?? "python");
  const views = useComputed(() => {
    const all = VIEWS.map(({ id, title }) => ({
      id,
      title: titled(title, store.program.value),
      disabled: id !== view.value && !hasView(store.program.value, id, input.value === "python" && !opened.value),
    }));
    // A level of Python comes when it is lowered; what a text of another kind does not have, it never gets.
    return input.value === "python" ? all : all.filter((each) => !each.disabled);
  });
  return (
    <div class={`tabbar ${programs.value.length > 1 ? "several" : ""}`}>
      <div class="programs">
        {many.value && choice !== null && <choice.ProgramChoice />}
        {programs.value.length > 0 && !many.value && (
          <Tabs
            label="Programs of this paste"
            panel="stage"
            chosen={chosen.value}
            choose={(id) => store.dispatch({ type: "program", id })}
            remove={(id) => {
              const made = programs.value.find((program) => program.id === id)?.made_from;
              if (made != null) store.dispatch({ type: "unwish", key: keyOf(made.program, made.steps) });
            }}
            items={programs.value.map((program, index) => ({
              id: program.id,
              hint: hintOf(program, input.value),
              title: (
                <>
                  <span class="mono program-name">{program.name}</span>
                  {apart.value[index] !== "" && <span class="mono apart">{apart.value[index]}</span>}
                  {program.count > 1 && <span class="count">×{program.count}</span>}
                  {apart.value[index] === "" && program.made_from === null && <span class="origin">{originOf(program, input.value)}</span>}
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
        items={views.value}
      />
      <div class="makers">
        {bar.value === "none" && python.value && !opened.value && (
          <button
            type="button"
            class="button quiet"
            data-opens="signature"
            aria-label="Trace a function…"
            title="Trace a function with types of your own"
            onClick={() => store.dispatch({ type: "bar", open: true })}
          >
            <Braces /> <span>Trace a function…</span>
          </button>
        )}
        {!opened.value && <Transforms />}
        <FindButton />
      </div>
    </div>
  );
}

/** Of the modules of a split file, where each stands. */
function originOf(program: Program, input: Trace["input"]): string {
  if (input === "jaxpr") return "printed";
  return program.origin === "module" && program.span !== null ? `line ${program.span.line}` : ORIGINS[program.origin];
}

function hintOf(program: Program, input: Trace["input"]): string {
  if (program.made_from !== null)
    return `${program.name}, made by ${program.made_from.steps.map(stepWords).join(", then ")} (Delete removes it)`;
  const lines = [input === "jaxpr" ? `${program.name}, as it was printed` : `${program.name}, from ${ORIGINS[program.origin]}`];
  if (program.count > 1) lines.push(`${program.count} times with the same types`);
  if (program.span !== null) lines.push(`line ${program.span.line}`);
  return lines.join("\n");
}
