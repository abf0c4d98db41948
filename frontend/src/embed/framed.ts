// The diagram in a frame of another page: a way out to the program itself, and the wheel left to the page around.

/** The link to the program, and what its reader is told first. */
export function leadOut(bar: HTMLElement, { link, note }: { readonly link: string; readonly note: string }): void {
  const out = document.createElement("a");
  out.className = "embed-link out";
  out.href = link;
  out.target = "_blank";
  out.rel = "noopener";
  const more = document.createElement("span");
  more.className = "more";
  more.textContent = " in jaxpr visualizer";
  out.append("Open", more);
  bar.append(out);
  if (note === "") return;
  const told = document.createElement("p");
  told.className = "embed-note";
  told.textContent = note;
  bar.append(told);
}

/**
 * Wheel and finger scroll the page around until the picture has been clicked; from then on they move the picture, until the pointer leaves
 * the frame, something outside of it is clicked, or Escape is pressed. Ctrl or Cmd with the wheel always zooms.
 */
export function leaveScrolling(root: HTMLElement, host: HTMLElement, say: (words: string) => void): void {
  const set = (active: boolean): void => {
    root.dataset.wheel = active ? "moves" : "passes";
  };
  set(false);
  host.addEventListener("pointerup", () => set(true));
  document.documentElement.addEventListener("pointerleave", (event) => {
    // A finger that is lifted leaves, too; it is where it was.
    if (event.pointerType === "mouse") set(false);
  });
  window.addEventListener("blur", () => set(false));
  host.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") set(false);
  });
  root.addEventListener(
    "wheel",
    (event) => {
      if (root.dataset.wheel === "moves" || event.ctrlKey || event.metaKey) return;
      // The viewer never hears of it, so nobody prevents what the browser does with it: the page around scrolls.
      event.stopPropagation();
      say("Click the picture to move it with the wheel; Ctrl and the wheel zoom.");
    },
    { capture: true, passive: true },
  );
}
