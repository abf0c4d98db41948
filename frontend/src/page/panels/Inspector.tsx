// What is selected, in words and tables; without a selection, the program.
import { useComputed } from "@preact/signals";
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { explain } from "../explain/index.ts";
import { ruleSentences } from "../explain/rules.ts";
import { ancestorsOf, type Place, placeOf } from "../program/instances.ts";
import { moduleSummary } from "../program/op.ts";
import { summaryOf } from "../program/summary.ts";
import { twinsOf } from "../program/twins.ts";
import { factsOf, type ValueFacts } from "../program/value.ts";
import { levelOf } from "../state/update.ts";
import { Actions, WholeActions } from "./Actions.tsx";
import { Selected } from "./Op.tsx";
import { Ops } from "./Ops.tsx";
import { usePins } from "./Pins.tsx";
import { OperandTable, ResultTable } from "./Tables.tsx";
import { Value } from "./Value.tsx";
import { Whereabouts } from "./Whereabouts.tsx";
import { Words } from "./Words.tsx";

export function Inspector() {
  const { store } = useApp();
  const program = store.program.value;
  const path = store.selected.value;
  const place = program === null || path === null ? null : placeOf(program, path);
  if (program === null) return <p class="faint">Nothing traced yet.</p>;
  const target = store.selection.value;
  const level = levelOf(store.state.value.view);
  const ofModule = level !== "jaxpr" && (target?.kind === "op" || target?.kind === "value") ? target : null;
  if (ofModule !== null) {
    return (
      <div class="inspector">
        <Selected program={program} level={level} target={ofModule} eqn={path} otherwise={<Summary program={program} />} />
      </div>
    );
  }
  const facts = target?.kind === "value" ? factsOf(program, target.key) : null;
  return (
    <div class="inspector">
      <Shown program={program} path={path} place={place} facts={facts} />
    </div>
  );
}

interface ShownProps {
  readonly program: Program;
  readonly path: string | null;
  readonly place: Place | null;
  readonly facts: ValueFacts | null;
}

/** A comparison takes the place of what is selected, and gives it back when the pin is let go. */
function Shown({ program, path, place, facts }: ShownProps) {
  const { strip, comparison } = usePins(program, path);
  return (
    <>
      {strip}
      {comparison !== null && facts === null ? (
        comparison
      ) : place !== null && path !== null ? (
        <Equation program={program} path={path} place={place} />
      ) : facts !== null ? (
        <Value program={program} facts={facts} />
      ) : (
        <Summary program={program} />
      )}
    </>
  );
}

function Summary({ program }: { program: Program }) {
  const { store } = useApp();
  const module = program.modules[levelOf(store.state.value.view)];
  const whole = module === undefined ? null : moduleSummary(module);
  const summary = summaryOf(program);
  const { inputs, outputs } = whole ?? summary;
  const tally = whole?.ops ?? summary.primitives;
  return (
    <div>
      <header>
        <strong class="mono">{program.name}</strong>
        <span class="crumbs">{whole?.counts ?? summary.counts}</span>
      </header>
      <WholeActions />
      {whole === null && <Words sentences={summary.sentences} />}
      {inputs.length > 0 && (
        <section>
          <h3>Inputs</h3>
          <Values rows={inputs} />
        </section>
      )}
      {outputs.length > 0 && (
        <section>
          <h3>Outputs</h3>
          <Values rows={outputs} />
        </section>
      )}
      {tally.length > 0 && (
        <section>
          <h3>{whole === null ? "Primitives" : "Ops"}</h3>
          <ul class="tally">
            {tally.map(([name, count]) => (
              <li key={name}>
                <code>{name}</code> {count}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function Values({ rows }: { rows: readonly { name: string; aval: string }[] }) {
  return (
    <dl class="params">
      {rows.map((row, index) => (
        <>
          <dt key={index}>
            <code>{row.name}</code>
          </dt>
          <dd>{row.aval}</dd>
        </>
      ))}
    </dl>
  );
}

function Equation({ program, path, place }: { program: Program; path: string; place: Place }) {
  const { store } = useApp();
  const { eqn } = place;
  const { span } = eqn;
  const source = useComputed(() => store.state.value.shown?.source ?? "").value;
  const around = ancestorsOf(path).map((ancestor) => ({ path: ancestor, title: placeOf(program, ancestor)?.eqn.primitive ?? "?" }));
  const params = eqn.params.filter(
    (param) => !eqn.nested.some((call) => call.param === param.name || call.param.startsWith(`${param.name}[`)),
  );
  const scopes = eqn.stack.map((entry) => (entry.kind === "transform" ? `${entry.name}()` : entry.name));
  return (
    <div>
      <header>
        <strong>
          {eqn.primitive}
          {eqn.trips !== null && ` ×${eqn.trips}`}
        </strong>
        <Whereabouts around={around} span={span} />
      </header>
      <Actions />
      <Words sentences={[...explain(program, path), ...ruleSentences(eqn, program, source)]} />
      {eqn.where != null && (
        <p>
          Written at <span class="mono">{eqn.where}</span>
        </p>
      )}
      <Twins program={program} path={path} />
      <OperandTable program={program} place={place} />
      <ResultTable program={program} place={place} />
      {(params.length > 0 || scopes.length > 0 || eqn.effects.length > 0) && (
        <section>
          <h3>Params</h3>
          <dl class="params">
            {params.map((param) => (
              <>
                <dt key={param.name}>{param.name}</dt>
                <dd>{param.text}</dd>
              </>
            ))}
            {scopes.length > 0 && (
              <>
                <dt>name stack</dt>
                <dd>{scopes.join(" / ")}</dd>
              </>
            )}
            {eqn.effects.length > 0 && (
              <>
                <dt>effects</dt>
                <dd>{eqn.effects.join(", ")}</dd>
              </>
            )}
          </dl>
        </section>
      )}
      <Ops program={program} eqn={eqn.id} level="stablehlo" />
      <Ops program={program} eqn={eqn.id} level="hlo" />
    </div>
  );
}

function Twins({ program, path }: { program: Program; path: string }) {
  const { commands } = useApp();
  const twins = twinsOf(program, path);
  if (twins.length === 0) return null;
  return (
    <section class="ops">
      {twins.map((twin) => {
        const other = twin.forward === path ? twin.backward : twin.forward;
        return (
          <button key={other} type="button" class="button" onClick={() => commands.show(other)}>
            Show the {other === twin.forward ? "forward" : "backward"} twin <kbd>{other === twin.forward ? "[" : "]"}</kbd>
          </button>
        );
      })}
    </section>
  );
}
