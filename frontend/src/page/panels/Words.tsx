// Sentences of the explanations: plain words, code in the colour of its role, ways to places in the source.
import { useApp } from "../app.ts";
import type { Sentence } from "../explain/words.ts";

export function Words({ sentences }: { sentences: readonly Sentence[] }) {
  return (
    <ul class="sentences">
      {sentences.map((sentence, index) => (
        <li key={index}>
          <Pieces sentence={sentence} />
        </li>
      ))}
    </ul>
  );
}

/** `plain`: where nothing can be pressed, a way to a place is its words. */
export function Pieces({ sentence, plain = false }: { sentence: Sentence; plain?: boolean }) {
  const { commands } = useApp();
  return (
    <>
      {sentence.map((piece, at) =>
        typeof piece === "string" ? (
          piece
        ) : "span" in piece && plain ? (
          piece.text
        ) : "span" in piece ? (
          <button key={at} type="button" class="link" onClick={() => commands.goTo(piece.span)}>
            {piece.text}
          </button>
        ) : (
          <code key={at} class={piece.role === undefined ? "" : `role-${piece.role}`}>
            {piece.code}
          </code>
        ),
      )}
    </>
  );
}
