// What the inspector says of an equation and of an op alike: where it stands, and who reads a value.
import type { Span } from "../../model/types.ts";
import { useApp } from "../app.ts";

const MOST = 12;

/** A press that leads to an instance. */
export function Link({ path, title }: { path: string; title: string }) {
  const { commands } = useApp();
  return (
    <button type="button" class="link" onClick={() => commands.show(path)}>
      {title}
    </button>
  );
}

/** What it stands in, outermost first, and its line. */
export function Whereabouts({ around, span }: { around: readonly { path: string; title: string }[]; span: Span | null }) {
  const { commands } = useApp();
  return (
    <span class="crumbs">
      {around.map(({ path, title }) => (
        <span key={path}>
          in <Link path={path} title={title} />{" "}
        </span>
      ))}
      {span !== null && (
        <button type="button" class="link" onClick={() => commands.goTo(span)}>
          line {span.line}
        </button>
      )}
    </span>
  );
}

interface ReadersProps {
  readonly readers: readonly string[];
  readonly nameOf: (path: string) => string;
  /** What becomes of it beside, or null: it is a result. */
  readonly beside: string | null;
}

/** Who reads a value. */
export function Readers({ readers, nameOf, beside }: ReadersProps) {
  return (
    <>
      <dt>read by</dt>
      <dd>
        {readers.slice(0, MOST).map((path, index) => (
          <span key={path}>
            {index > 0 && ", "}
            <Link path={path} title={nameOf(path)} />
          </span>
        ))}
        {readers.length > MOST && ` and ${readers.length - MOST} more`}
        {beside !== null && (readers.length > 0 ? `, and ${beside}` : beside)}
        {readers.length === 0 && beside === null && "nothing"}
      </dd>
    </>
  );
}
