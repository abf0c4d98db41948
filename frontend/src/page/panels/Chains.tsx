// Under the tabs: the chain of transforms that led to the program shown, the transforms that failed, and what was given up.
import { useComputed } from "@preact/signals";
import type { Program } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { distinctions } from "../program/differences.ts";
import { chainOf, type FailedWish, failedWishes, inShort, keyOf, type Link, wishKey, wishName } from "../state/wishes.ts";
import { Close } from "./Icons.tsx";

/** More would leave no room for the program. */
const MOST_FAILED = 3;

export function Chains() {
  const { store } = useApp();
  const programs = useComputed(() => store.steady.value.shown?.trace.programs ?? []);
  const notices = useComputed(() => store.steady.value.notices);
  const program = store.program.value;
  const { latest, wishes } = store.steady.value;
  const failed = failedWishes(latest, wishes);
  return (
    <>
      {program !== null && program.made_from !== null && <Made program={program} programs={programs.value} />}
      {failed.slice(0, MOST_FAILED).map((one) => (
        <Failed key={wishKey(one.wish)} failed={one} programs={programs.value} />
      ))}
      {failed.length > MOST_FAILED && (
        <div class="chain failed">
          <span>{failed.length - MOST_FAILED} more failed: see the problems under the code.</span>
        </div>
      )}
      {notices.value.map((notice) => (
        <div key={notice} class="chain notice" role="status">
          <span>{notice}</span>
          <button
            type="button"
            class="button quiet icon"
            aria-label="Put this notice away"
            onClick={() => store.dispatch({ type: "read", notice })}
          >
            <Close />
          </button>
        </div>
      ))}
    </>
  );
}

function Made({ program, programs }: { program: Program; programs: readonly Program[] }) {
  const from = program.made_from;
  if (from === null) return null;
  const links = chainOf(programs, { id: from.program, name: from.program }, from.steps);
  // Of programs with one name: which.
  const which = distinctions(programs)[programs.findIndex(({ id }) => id === from.program)] ?? "";
  return (
    <nav class="chain" aria-label={`How ${program.name} was made`}>
      <Links links={links} which={which} current={links.length - 1} bad={null} />
      <Remove name={program.name} wish={keyOf(from.program, from.steps)} />
    </nav>
  );
}

function Failed({ failed: { wish, link, diagnostic }, programs }: { failed: FailedWish; programs: readonly Program[] }) {
  const { commands } = useApp();
  const name = wishName(wish.base.name, wish.steps);
  const { span } = diagnostic;
  return (
    <section class="chain failed" aria-label={`${name} failed`}>
      <Links links={chainOf(programs, wish.base, wish.steps)} which="" current={null} bad={link} />
      <Remove name={name} wish={wishKey(wish)} />
      <p class="fault" role="alert">
        {diagnostic.type !== "" && <b>{diagnostic.type}: </b>}
        {inShort(diagnostic.message)} {diagnostic.advice !== "" && <span class="advice">{diagnostic.advice}</span>}{" "}
        {span !== null && (
          <button type="button" class="link" onClick={() => commands.goTo(span)}>
            line {span.line}
          </button>
        )}
      </p>
    </section>
  );
}

function Links({ links, which, current, bad }: { links: readonly Link[]; which: string; current: number | null; bad: number | null }) {
  const { store } = useApp();
  return (
    <ol class="links">
      {links.map(({ text, program }, at) => (
        <li key={`${at} ${text}`} class={at === bad ? "bad" : ""}>
          {at !== current && program !== null ? (
            <button type="button" class="link mono" title={text} onClick={() => store.dispatch({ type: "program", id: program })}>
              {text}
            </button>
          ) : (
            <span class="mono" title={text} aria-current={at === current ? "true" : undefined}>
              {text}
              {at === bad && <span class="hidden-text"> (failed)</span>}
            </span>
          )}
          {at === 0 && which !== "" && <span class="mono apart">{which}</span>}
        </li>
      ))}
    </ol>
  );
}

function Remove({ name, wish }: { name: string; wish: string }) {
  const { store } = useApp();
  return (
    <button
      type="button"
      class="button quiet icon"
      aria-label={`Remove ${name}`}
      title={`Remove ${name}`}
      onClick={() => store.dispatch({ type: "unwish", key: wish })}
    >
      <Close />
    </button>
  );
}
