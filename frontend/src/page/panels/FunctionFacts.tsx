// A function of a module in the inspector: what it takes and gives, how much is in it, and where it is written.
import type { Program } from "../../model/types.ts";
import { copyOf } from "../program/copied.ts";
import type { FunctionFacts as Facts } from "../program/function.ts";
import type { Level, Target } from "../state/types.ts";
import { CopyButton } from "./Actions.tsx";
import { Rows } from "./Op.tsx";
import { Whereabouts } from "./Whereabouts.tsx";

interface Props {
  readonly program: Program;
  readonly level: Level;
  readonly target: Target;
  readonly facts: Facts;
}

export function FunctionFacts({ program, level, target, facts }: Props) {
  const { title, counts, takes, gives, attributes, span } = facts;
  return (
    <div>
      <header>
        <strong class="mono">{title}</strong>
        <span class="crumbs">{counts}</span>
        <Whereabouts around={[]} span={span} />
      </header>
      <div class="actions">
        <CopyButton hint="Copy it as text (Ctrl/⌘ C on the graph)" make={() => copyOf(program, level, target, null)}>
          Copy
        </CopyButton>
      </div>
      <Rows title="Arguments" rows={takes} />
      {gives.length > 0 && (
        <section>
          <h3>Results</h3>
          <ul class="tally">
            {gives.map((type, index) => (
              <li key={index}>
                <code>{type}</code>
              </li>
            ))}
          </ul>
        </section>
      )}
      {attributes.length > 0 && (
        <section>
          <h3>Attributes</h3>
          <dl class="params">
            {attributes.map(([name, text]) => (
              <>
                <dt key={name}>{name}</dt>
                <dd>{text}</dd>
              </>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}
