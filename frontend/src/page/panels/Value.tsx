// A value in the inspector: its type, who makes it and who reads it.
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { nameOf, placeOf } from "../program/instances.ts";
import type { ValueFacts } from "../program/value.ts";
import { Actions } from "./Actions.tsx";
import { Link, Readers } from "./Whereabouts.tsx";

const PLACES = { input: "an input", const: "a constant of the program", made: "" } as const;

export function Value({ program, facts }: { program: Program; facts: ValueFacts }) {
  const { variable, maker, readers, place, returned, bound } = facts;
  const { commands } = useApp();
  const name = nameOf(variable);
  const title = (path: string) => placeOf(program, path)?.eqn.primitive ?? "?";
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
              <Link path={maker} title={title(maker)} />
            </dd>
          </>
        )}
        <Readers readers={readers} nameOf={title} beside={returned ? "returned" : null} />
      </dl>
    </div>
  );
}
