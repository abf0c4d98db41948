// The inside of a card.
import type { CardFacts, CardRow } from "../../program/card.ts";
import { Pieces } from "../Words.tsx";

export function Content({ card }: { card: CardFacts }) {
  return (
    <>
      <header>
        <strong>{card.title}</strong> <code>{card.note}</code>
      </header>
      {card.sentences.map((sentence, index) => (
        <p key={index}>
          <Pieces sentence={sentence} plain />
        </p>
      ))}
      {(card.takes.length > 0 || card.gives.length > 0) && (
        <dl class="card-rows">
          <Rows title="takes" rows={card.takes} more={card.more[0]} />
          <Rows title="gives" rows={card.gives} more={card.more[1]} />
        </dl>
      )}
      {card.facts.length > 0 && (
        <dl class="params">
          {card.facts.map(([name, text]) => (
            <>
              <dt key={name}>{name}</dt>
              <dd>{text}</dd>
            </>
          ))}
        </dl>
      )}
      {card.source !== null && (
        <p class="card-source">
          <span>{card.source.line}</span> <code>{card.source.text}</code>
        </p>
      )}
    </>
  );
}

function Rows({ title, rows, more }: { title: string; rows: readonly CardRow[]; more: number }) {
  if (rows.length === 0) return null;
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {rows.map((row, index) => (
          <span key={index} class={`card-row role-${row.kind === "residual" ? "residual" : row.role}`}>
            <b>{row.name}</b> <code>{row.type}</code> {!/^(arg|result|)$/.test(row.role) && <i>{row.role}</i>}
            {row.kind !== null && <i> {row.kind}</i>}
          </span>
        ))}
        {more > 0 && <span class="faint">and {more} more</span>}
      </dd>
    </>
  );
}
