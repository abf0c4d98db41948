// The comparison: a table with the pinned on the left and the selected on the right; rows that differ are marked, by a word as well as by colour.
import { type Cell, compare, type Difference, differencesOf, type Side } from "../../program/compare.ts";

interface Props {
  readonly left: Side;
  readonly right: Side;
  readonly titles: readonly [string, string];
}

/** More equal rows than this are counted instead. */
const MOST_SAME = 12;

export function Compare({ left, right, titles }: Props) {
  const sections = compare(left, right);
  const count = differencesOf(sections);
  return (
    <div class="compare">
      <p role="status">
        {count === 0 ? "No difference in params, types, roles or counts." : `${count} ${count === 1 ? "difference" : "differences"}.`}
      </p>
      <div class="table-scroll">
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden-text">what</span>
              </th>
              {titles.map((title, at) => (
                <th key={at} scope="col" class="cut" title={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          {sections.map(({ title, rows }) => (
            <tbody key={title}>
              <tr>
                <th scope="rowgroup" colSpan={3}>
                  {title}
                </th>
              </tr>
              {shortened(rows).map((row) => (
                <Row key={row.name} row={row} />
              ))}
              {rows.length > shortened(rows).length && (
                <tr>
                  <td colSpan={3} class="faint">
                    and {rows.length - shortened(rows).length} more that are the same
                  </td>
                </tr>
              )}
            </tbody>
          ))}
        </table>
      </div>
    </div>
  );
}

function shortened(rows: readonly Difference[]): Difference[] {
  let same = 0;
  return rows.filter((row) => !row.same || ++same <= MOST_SAME);
}

function Row({ row }: { row: Difference }) {
  return (
    <tr class={row.same ? "" : "differs"}>
      <th scope="row">
        {row.name}
        {!row.same && <span class="hidden-text"> (differs)</span>}
      </th>
      <Value cell={row.left} />
      <Value cell={row.right} />
    </tr>
  );
}

function Value({ cell }: { cell: Cell | null }) {
  if (cell === null) return <td class="faint">none</td>;
  return (
    <td class={cell.role === "" ? "" : `role-${cell.role}`}>
      {cell.aside !== "" && <b>{cell.aside}</b>} <code>{cell.text.replace(/ +/g, " ")}</code>
    </td>
  );
}
