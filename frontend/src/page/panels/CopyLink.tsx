// Copies an address that brings all of this back, anywhere.
import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useApp } from "../app.ts";
import { Link } from "./Icons.tsx";

const SAID_MS = 2_500;

export function CopyLink() {
  const { store, links, commands } = useApp();
  const said = useSignal("");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function say(text: string): void {
    said.value = text;
    commands.announce(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      said.value = "";
    }, SAID_MS);
  }

  async function copy(): Promise<void> {
    const link = await links.link();
    if (link === null) return say(store.state.peek().file === null ? "The code is too long for a link" : "A link cannot carry a file");
    try {
      await navigator.clipboard.writeText(link);
      say("Link copied");
    } catch {
      say("Copy the address of the page: it is the link");
    }
  }

  return (
    <div class="copy-link">
      <button
        type="button"
        class={`button quiet ${said.value === "" ? "icon" : ""}`}
        aria-label="Copy link"
        title="Copy a link that brings this code and this view back"
        onClick={() => void copy()}
      >
        <Link /> {said.value !== "" && <span>{said.value}</span>}
      </button>
    </div>
  );
}
