// Functions of the paste that nobody calls: name arguments for one, and it is traced.
import { useSignal } from "@preact/signals";
import type { Offer } from "../../model/types.ts";
import { useApp } from "../app.ts";
import { placeholderOf, signatureOf } from "../state/offers.ts";

export function Offers({ offers }: { offers: readonly Offer[] }) {
  return (
    <>
      {offers.map((offer) => (
        <OfferForm key={offer.fun} offer={offer} />
      ))}
    </>
  );
}

function OfferForm({ offer }: { offer: Offer }) {
  const { runner, commands } = useApp();
  const args = useSignal("");
  const fun = useSignal(offer.fun);
  const { span } = offer;
  return (
    <form
      class="offer"
      onSubmit={(event) => {
        event.preventDefault();
        runner.run({ fun: fun.value, args: args.value.trim() === "" ? placeholderOf(offer) : args.value, kwargs: "" });
      }}
    >
      <div class="signature">
        <code>{signatureOf(offer)}</code>
        {span !== null && (
          <>
            {" "}
            <button type="button" class="link" onClick={() => commands.goTo(span)}>
              line {span.line}
            </button>
          </>
        )}
      </div>
      <input class="field" aria-label="Function" value={fun.value} onInput={(event) => (fun.value = event.currentTarget.value)} />
      <button type="submit" class="button">
        Trace
      </button>
      <input
        class="field"
        aria-label={`Arguments of ${offer.fun}`}
        placeholder={placeholderOf(offer)}
        value={args.value}
        onInput={(event) => (args.value = event.currentTarget.value)}
      />
      <div class="hint">Any expression of the paste, such as jax.grad({offer.fun}); arguments as a tuple. Shapes alone are enough.</div>
    </form>
  );
}
