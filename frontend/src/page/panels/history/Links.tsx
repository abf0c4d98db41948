// The short links that were made in this browser: where each leads, and the way to take it back.
import { useSignal } from "@preact/signals";
import { ServerError } from "../../api/client.ts";
import { unshorten } from "../../api/shortLinks.ts";
import { copyText } from "../copy.ts";
import { shortLinks, TAKEN_BACK } from "../share/short.ts";
import { when } from "./when.ts";

export function Links({ links, refresh }: { readonly links: ReturnType<typeof shortLinks.list>; refresh(): void }) {
  const told = useSignal({ text: "", turn: 0 });
  const say = (text: string): void => {
    told.value = { text, turn: told.peek().turn + 1 };
  };

  async function remove(id: string, token: string): Promise<void> {
    try {
      await unshorten(id, token);
      shortLinks.remove(id);
      say(TAKEN_BACK);
    } catch (error) {
      say(error instanceof ServerError ? `${error.failure.message} ${error.failure.advice}` : "It was not deleted.");
    }
    refresh();
  }

  if (links.length === 0 && told.value.text === "") return null;
  return (
    <section class="past-links" aria-label="Short links made here">
      <h3>Short links made here</h3>
      <ul>
        {links.map(({ id, value }) => (
          <li key={id}>
            <span class="past-name mono">{value.name || id}</span>
            <a class="link mono" href={value.url} target="_blank" rel="noopener noreferrer">
              {value.url.replace(/^https?:\/\//, "")}
            </a>
            <time dateTime={new Date(value.at).toISOString()}>{when(value.at, Date.now())}</time>
            <button
              type="button"
              class="button small"
              onClick={async () => say((await copyText(value.url)) ? "Link copied." : "The browser did not let it be copied.")}
            >
              Copy
            </button>
            <button
              type="button"
              class="button small danger"
              title="The server forgets the code"
              onClick={() => void remove(id, value.token)}
            >
              Delete
            </button>
          </li>
        ))}
      </ul>
      <p class="past-note" role="status" key={told.value.turn}>
        {told.value.text}
      </p>
    </section>
  );
}
