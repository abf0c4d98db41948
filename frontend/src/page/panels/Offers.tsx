// Functions of the paste that were not traced: name arguments for one, and it is. When nothing could be traced, those that are called are
// here too, so the words must not say that nobody calls them.
import { useSignal } from "@preact/signals";
import type { Offer } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { argsExpression, signatureOf, startingArgs } from "../state/offers.ts";

export function Offers({ offers }: { offers: readonly Offer[] }) {
  return (
    <>
      <p class="faint">
        A function is traced with the arguments that you give it: shapes (<code>f32[6,3]</code>) or any expression. The function may be an
        expression too, like <code>jax.grad({offers[0]?.fun ?? "f"})</code>.
      </p>
      {offers.map((offer) => (
        <OfferForm key={offer.fun} offer={offer} />
      ))}
    </>
  );
}

/** What was typed, by signature: the form goes when another tab comes forward, and must come back as it was. */
const typed = new Map<string, { readonly fun: string; readonly args: string }>();

function OfferForm({ offer }: { offer: Offer }) {
  const { runner, commands } = useApp();
  const before = typed.get(signatureOf(offer));
  const args = useSignal(before?.args ?? startingArgs(offer));
  const fun = useSignal(before?.fun ?? offer.fun);
  const { span } = offer;
  return (
    <form
      class="offer"
      onSubmit={(event) => {
        event.preventDefault();
        typed.set(signatureOf(offer), { fun: fun.value, args: args.value });
        runner.run({ fun: fun.value, args: argsExpression(args.value), kwargs: "" });
      }}
    >
      <div class="signature">
        <code>{signatureOf(offer)}</code>{" "}
        {span !== null && (
          <button type="button" class="link" onClick={() => commands.goTo(span)}>
            line {span.line}
          </button>
        )}
      </div>
      <input
        class="field"
        aria-label="Function"
        spellcheck={false}
        value={fun.value}
        onInput={(event) => {
          fun.value = event.currentTarget.value;
        }}
      />
      <input
        class="field"
        aria-label={`Arguments of ${offer.fun}`}
        spellcheck={false}
        placeholder="f32[3], 2.0"
        value={args.value}
        onInput={(event) => {
          args.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="button">
        Trace
      </button>
    </form>
  );
}
