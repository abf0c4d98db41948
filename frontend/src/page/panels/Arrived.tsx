// Under the bar: that the code came with a link, and the way back to what was here before; or that a link or a file could not be opened.
import { useComputed } from "@preact/signals";
import { at } from "../api/address.ts";
import { useApp } from "../app.ts";
import { Close } from "./Icons.tsx";

export function Arrived() {
  const { store, links } = useApp();
  const arrival = useComputed(() => store.state.value.arrival).value;
  const shared = useComputed(() => store.state.value.shared).value;
  if (arrival === null) return null;
  const refused = arrival.kind === "refused" || arrival.kind === "unread";
  return (
    <div class={`arrived ${refused ? "refused" : ""}`} role={refused ? "alert" : "status"}>
      <span>
        {refused ? (
          <>
            <b>The {arrival.kind === "unread" ? "file" : "link"} was not opened.</b> {arrival.why} What was here is as it was.
          </>
        ) : arrival.kind === "file" ? (
          arrival.note
        ) : arrival.back ? (
          <>Your earlier code is back.</>
        ) : shared?.forked === true ? (
          <>
            This is yours now, at an address of its own. Shared as{" "}
            <a class="link" href={at(`s/${shared.id}`)} target="_blank" rel="noopener">
              {`/s/${shared.id}`}
            </a>{" "}
            ·{" "}
            <button type="button" class="link" onClick={() => void links.original()}>
              show the original
            </button>
          </>
        ) : (
          <>This code came with a link. It runs in the server's sandbox, as everything here does.</>
        )}
        {arrival.kind === "link" && arrival.kept && (
          <>
            {" "}
            {!arrival.back && "Your earlier code is kept: "}
            <button type="button" class="link" onClick={() => links.swap()}>
              {arrival.back ? "Go to the code of the link" : "bring it back"}
            </button>
          </>
        )}
      </span>
      {arrival.kind === "link" && shared?.forked === false && (
        <button
          type="button"
          class="button small"
          title="An address of its own; the link stays as it is. An edit does the same."
          onClick={() => store.dispatch({ type: "fork" })}
        >
          Fork
        </button>
      )}
      <button type="button" class="button quiet icon" aria-label="Put this notice away" onClick={() => links.dismiss()}>
        <Close />
      </button>
    </div>
  );
}
