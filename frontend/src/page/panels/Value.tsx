// A value in the inspector: its type, who makes it and who reads it.
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { nameOf, placeOf } from "../program/instances.ts";
import type { ValueFacts } from "../program/value.ts";
import { Actions } from "./Actions.tsx";

const MOST = 12;
const PLACES = { input: "an input", const: "a constant of the program", made: "" } as const;

export function Value({ program, facts }: { program: Program; facts: ValueFacts }) {
  const { variable, maker, readers, place, returned, bound } = facts;
  const { commands } = useApp();
  const name = nameOf(variable);
  return (
    <div>
      <header>
        <strong class="mono">{name}</strong>
        <code>{variable.aval}</code>
        <span class="crumbs">{PLACES[place]}</span>
      </header>
      <Actions />
      <dl class="params">
        {variable.label !== null && variable.label !== variable.name && (
          <>
            <dt>in the jaxpr</dt>
            <dd>{variable.name}</dd>
          </>
        )}
        {variable.weak_type && (
          <>
            <dt>type</dt>
            <dd>weak: it gives way to the types it meets</dd>
          </>
        )}
        {bound !== null && (
          <>
            <dt>bound on</dt>
            <dd>
              <button type="button" class="link" onClick={() => commands.goTo(bound)}>
                line {bound.line}
              </button>
              {facts.inside === ""
                ? ", outside of the program: that is why it is a const"
                : ", outside of this body: that is why it is closed over"}
            </dd>
          </>
        )}
        {maker !== null && (
          <>
            <dt>made by</dt>
            <dd>
              <Link program={program} path={maker} />
            </dd>
          </>
        )}
        <dt>read by</dt>
        <dd>
          {readers.slice(0, MOST).map((path, index) => (
            <span key={path}>
              {index > 0 && ", "}
              <Link program={program} path={path} />
            </span>
          ))}
          {readers.length > MOST && ` and ${readers.length - MOST} more`}
          {returned && (readers.length > 0 ? ", and returned" : "returned")}
          {readers.length === 0 && !returned && "nothing"}
        </dd>
      </dl>
    </div>
  );
}

function Link({ program, path }: { program: Program; path: string }) {
  const { commands } = useApp();
  return (
    <button type="button" class="link" onClick={() => commands.show(path)}>
      {placeOf(program, path)?.eqn.primitive ?? "?"}
    </button>
  );
}
