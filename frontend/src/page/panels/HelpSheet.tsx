// The sheet of keys. A native dialog: it holds the focus, and Escape closes it.
import { useEffect, useRef } from "preact/hooks";
import { KEY_HELP } from "../../viewer/index.ts";
import { Close } from "./Icons.tsx";

/** `turn` counts how often it was asked for: each opens it. */
export function HelpSheet({ turn }: { turn: number }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (dialog.current?.open === false) dialog.current.showModal();
  }, [turn]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop closes it; by keyboard Escape does, natively
    <dialog
      class="sheet keys"
      ref={dialog}
      aria-labelledby="help-title"
      onClick={(event) => event.target === event.currentTarget && event.currentTarget.close()}
    >
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" class="button quiet icon" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Close />
        </button>
      </header>
      <h3>In the editor</h3>
      <dl>
        <Row keys={["Ctrl/⌘", "Enter"]} meaning="Run what is in the editor" />
        <Row keys={["Ctrl/⌘", "."]} meaning="What the place at the caret is: types, transforms of its function" />
        <Row keys={["Esc", "Tab"]} meaning="Leave the editor by keyboard" />
        <Row keys={["Enter"]} meaning="In a field of types: trace the function with them" />
      </dl>
      <h3>On tabs, menus and borders</h3>
      <dl>
        <Row keys={["←", "→"]} meaning="Along a row of tabs; with the border between two panes, move it" />
        <Row keys={["↑", "↓"]} meaning="Through a menu; with the border below the code, move it" />
        <Row keys={["Home", "End"]} meaning="First and last tab or item" />
        <Row keys={["Delete"]} meaning="On the tab of a transformed program: remove it" />
        <Row keys={["F1"]} meaning="This sheet, from anywhere" />
      </dl>
      <h3>On the program</h3>
      <dl>
        <Row keys={["s"]} meaning="Share: links, documents, pictures, files; Enter does what is in front" />
        <Row keys={["h"]} meaning="History: what was traced in this browser" />
      </dl>
      <h3>Side by side</h3>
      <dl>
        <Row keys={["n", "p"]} meaning="To the next lines that belong together, to those before" />
      </dl>
      <h3>On the graph</h3>
      <dl>
        {KEY_HELP.map(([keys, meaning]) => (
          <Row key={meaning} keys={keys} meaning={meaning} />
        ))}
      </dl>
      <h3>In the outline</h3>
      <dl>
        <Row keys={["↑", "↓"]} meaning="Item before, next item; each is selected everywhere" />
        <Row keys={["→", "←"]} meaning="Open, then into it; close, then out to what it stands in" />
        <Row keys={["Home", "End"]} meaning="First and last item" />
        <Row keys={["*"]} meaning="Open all that stand beside it" />
        <dt>Letters</dt>
        <dd>To the next item that begins with them</dd>
        <Row keys={["Enter"]} meaning="Show it in the graph" />
        <Row keys={["Esc"]} meaning="Back to the graph" />
      </dl>
      <h3>In the search field</h3>
      <dl>
        <Row keys={["Enter", "Shift Enter"]} meaning="Next hit, hit before; what hides it opens" />
        <dt class="mono">scan carry</dt>
        <dd>Both words fit: names, primitives, types, params, name stacks, roles, the source of it</dd>
        <dt class="mono">w</dt>
        <dd>One or two letters fit whole words only</dd>
        <dt class="mono">axes=0</dt>
        <dd>A param with this value, alone or in brackets</dd>
        <dt class="mono">type:f32[4,</dt>
        <dd>
          In one place only: also <code>name:</code> <code>prim:</code> <code>param:</code> <code>scope:</code> <code>role:</code>{" "}
          <code>source:</code> <code>op:</code> (StableHLO, HLO)
        </dd>
        <dt class="mono">line:12-20</dt>
        <dd>Written on these lines</dd>
        <dt class="mono">"a b"</dt>
        <dd>With the space between</dd>
      </dl>
      <h3>By mouse or touch</h3>
      <dl>
        <dt>Wheel, drag</dt>
        <dd>Pan; with Shift the wheel goes sideways, and the middle button drags from anywhere</dd>
        <dt>Ctrl/⌘ + wheel, pinch</dt>
        <dd>Zoom at the pointer</dd>
        <dt>Click, tap</dt>
        <dd>Select and explain; on the triangle, open or close</dd>
        <dt>Double click, double tap</dt>
        <dd>Open a body; on the ground, a double tap zooms in</dd>
        <dt>Long press</dt>
        <dd>Select without opening, and light what it is wired to</dd>
        <dt>Double click</dt>
        <dd>On the border between two panes: other sizes, without dragging</dd>
      </dl>
    </dialog>
  );
}

function Row({ keys, meaning }: { keys: readonly string[]; meaning: string }) {
  return (
    <>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{meaning}</dd>
    </>
  );
}
