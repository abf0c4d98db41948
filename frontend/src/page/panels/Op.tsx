// An op of a lowered module in the inspector, and a value of one: what it is, takes and gives, what it says, where it comes from.
import type { VNode } from "preact";
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { functionFacts } from "../program/function.ts";
import { ancestorsOf, placeOf } from "../program/instances.ts";
import { type ModuleValueFacts, moduleValueFacts, type OpFacts, opFacts, type ValueRow } from "../program/op.ts";
import { pathOfOp } from "../program/outline/module.ts";
import type { Level, Target } from "../state/types.ts";
import { Actions } from "./Actions.tsx";
import { FunctionFacts } from "./FunctionFacts.tsx";
import { Link, Readers, Whereabouts } from "./Whereabouts.tsx";
import { Words } from "./Words.tsx";

interface SelectedProps {
  readonly program: Program;
  readonly level: Level;
  readonly target: Target;
  readonly eqn: string | null;
  /** Where what is selected is nothing of the module. */
  readonly otherwise: VNode;
}

/** What is selected of a module. */
export function Selected({ program, level, target, eqn, otherwise }: SelectedProps) {
  const module = level === "jaxpr" ? undefined : program.modules[level];
  if (module === undefined) return otherwise;
  if (target.kind === "op") {
    const path = pathOfOp(program, level, target);
    const facts = path === null ? null : opFacts(module, path);
    if (facts !== null) return <Op program={program} facts={facts} eqn={eqn} />;
    const whole = functionFacts(module, target.id);
    return whole === null ? otherwise : <FunctionFacts program={program} level={level} target={target} facts={whole} />;
  }
  const facts = target.kind === "value" ? moduleValueFacts(module, target.key) : null;
  return facts === null ? otherwise : <ModuleValue facts={facts} nameOf={(path) => opFacts(module, path)?.title ?? "?"} />;
}

function Op({ program, facts, eqn }: { program: Program; facts: OpFacts; eqn: string | null }) {
  const { store } = useApp();
  const { span, location } = facts;
  const from = eqn === null ? null : placeOf(program, eqn);
  return (
    <div>
      <header>
        <strong class="mono">{facts.title}</strong>
        {facts.op.trips != null && <span> ×{facts.op.trips}</span>}
        <Whereabouts around={facts.around} span={span} />
      </header>
      <Actions />
      <Words sentences={facts.sentences} />
      <Rows title="Operands" rows={facts.takes} />
      <Rows title="Results" rows={facts.gives} />
      {(facts.attributes.length > 0 || location !== null) && (
        <section>
          <h3>Attributes</h3>
          <dl class="params">
            {facts.attributes.map(({ name, text, printed }) => (
              <>
                <dt key={name}>{name}</dt>
                <dd title={printed === text ? undefined : printed}>{text}</dd>
              </>
            ))}
            {location !== null && (
              <>
                <dt>location</dt>
                <dd>{location}</dd>
              </>
            )}
          </dl>
        </section>
      )}
      {eqn !== null && from !== null && (
        <section class="ops">
          <button
            type="button"
            class="button"
            onClick={() => {
              store.dispatch({ type: "view", view: "jaxpr" });
              store.dispatch({ type: "select", target: { kind: "eqn", path: eqn }, jump: true });
            }}
          >
            Lowered from {from.eqn.primitive}
            {ancestorsOf(eqn).length > 0 && ` in ${placeOf(program, ancestorsOf(eqn).at(-1) ?? "")?.eqn.primitive ?? "?"}`}
          </button>
        </section>
      )}
    </div>
  );
}

export function Rows({ title, rows }: { title: string; rows: readonly ValueRow[] }) {
  if (rows.length === 0) return null;
  const roles = rows.some(({ role }) => role !== "");
  return (
    <section>
      <h3>{title}</h3>
      <div class="table-scroll">
        <table class="rows">
          <thead>
            <tr>
              {roles && <th scope="col">role</th>}
              <th scope="col">name</th>
              <th scope="col">type</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index} class={rows[index - 1] !== undefined && rows[index - 1]?.role !== row.role ? "first" : ""}>
                {roles && (
                  <td>
                    <Role row={row} />
                  </td>
                )}
                <td>
                  <code class="name">{row.name}</code>
                </td>
                <td>
                  <code>{row.type}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Role({ row: { role, derived } }: { row: ValueRow }) {
  if (role === "") return null;
  return (
    <>
      <span class={`role-mark role-${role}`}>{role}</span>
      {derived && <span class="tag"> derived</span>}
    </>
  );
}

function ModuleValue({ facts, nameOf }: { facts: ModuleValueFacts; nameOf(path: string): string }) {
  const { row, maker, readers, returned } = facts;
  return (
    <div>
      <header>
        <strong class="mono">{row.name}</strong>
        <code>{row.type}</code>
        <span class="crumbs">{maker === null ? "an argument" : ""}</span>
      </header>
      <Actions />
      <dl class="params">
        {row.role !== "" && (
          <>
            <dt>role</dt>
            <dd>
              {row.role}
              {row.derived && ", derived from the text"}
            </dd>
          </>
        )}
        {maker !== null && (
          <>
            <dt>made by</dt>
            <dd>
              <Link path={maker} title={nameOf(maker)} />
            </dd>
          </>
        )}
        <Readers readers={readers} nameOf={nameOf} beside={returned ? "handed on" : null} />
      </dl>
    </div>
  );
}
