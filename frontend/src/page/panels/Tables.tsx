// The operand and result tables of the inspector.
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { type Inner, type OperandRow, operandRows, type ResultRow, resultRows } from "../explain/index.ts";
import type { Place } from "../program/instances.ts";

function RoleMark({ role, kind }: { role: string; kind: string | null }) {
  return (
    <>
      <span class={`role-mark role-${kind === "residual" ? "residual" : role}`}>{role}</span>
      {kind !== null && <span class={`tag role-${kind}`}>{kind}</span>}
    </>
  );
}

function Name({ name, letter }: { name: string; letter: string | null }) {
  return (
    <>
      <code class="name">{name}</code>
      {letter !== null && <code class="letter"> {letter}</code>}
    </>
  );
}

function rowClass(row: { role: string }, before: { role: string } | undefined): string {
  return before !== undefined && before.role !== row.role ? "first" : "";
}

export function OperandTable({ program, place }: { program: Program; place: Place }) {
  const rows = operandRows(program, place);
  if (rows.length === 0) return null;
  const inside = rows.some((row) => row.inner !== null);
  const linear = rows.some((row) => row.linear !== null);
  return (
    <section>
      <h3>Operands</h3>
      <div class="table-scroll">
        <table class="rows operands">
          <thead>
            <tr>
              <th scope="col">role</th>
              <th scope="col">name</th>
              <th scope="col">type</th>
              {inside && <th scope="col">inside</th>}
              {inside && <th scope="col">type inside</th>}
              {linear && <th scope="col">linear</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={row.index} class={rowClass(row, rows[index - 1])}>
                <td>
                  <RoleMark role={row.role} kind={row.kind} />
                </td>
                <td>
                  <Name name={row.name} letter={row.letter} />
                  {row.literal && <span class="tag role-literal">literal</span>}
                </td>
                <td>
                  <code>{row.aval}</code>
                </td>
                {inside && <td>{row.inner === null ? <span class="faint">not read</span> : <Inside inner={row.inner} />}</td>}
                {inside && <td>{row.inner !== null && <InnerType outer={row.aval} inner={row.inner.aval} />}</td>}
                {linear && <td>{linearText(row)}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The name inside a body and, of a closed-over one, the line where it was bound. */
function Inside({ inner }: { inner: Inner }) {
  const { commands } = useApp();
  const { bound } = inner;
  return (
    <>
      <code>{inner.name}</code>
      {bound !== null && (
        <button type="button" class="link bound" title="Closed over: bound outside of the body" onClick={() => commands.goTo(bound)}>
          line {bound.line}
        </button>
      )}
    </>
  );
}

function InnerType({ outer, inner }: { outer: string; inner: string }) {
  return <code class={outer === inner ? "faint" : ""}>{inner}</code>;
}

function linearText(row: OperandRow): string {
  if (row.linear === null) return "";
  return `${row.linear.value ? "yes" : "no"}${row.linear.derived && row.linear.value ? " (derived)" : ""}`;
}

export function ResultTable({ program, place }: { program: Program; place: Place }) {
  const rows: readonly ResultRow[] = resultRows(program, place);
  if (rows.length === 0) return null;
  const inside = rows.some((row) => row.inner !== null);
  return (
    <section>
      <h3>Results</h3>
      <div class="table-scroll">
        <table class="rows results">
          <thead>
            <tr>
              <th scope="col">role</th>
              <th scope="col">name</th>
              <th scope="col">type</th>
              {inside && <th scope="col">inside</th>}
              {inside && <th scope="col">type inside</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={row.index} class={rowClass(row, rows[index - 1])}>
                <td>
                  <RoleMark role={row.role} kind={row.kind} />
                </td>
                <td>
                  <Name name={row.name} letter={row.letter} />
                  {!row.used && <span class="tag">not read</span>}
                </td>
                <td>
                  <code>{row.aval}</code>
                </td>
                {inside && (
                  <td>
                    <code>{row.inner?.name ?? ""}</code>
                  </td>
                )}
                {inside && <td>{row.inner !== null && <InnerType outer={row.aval} inner={row.inner.aval} />}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
