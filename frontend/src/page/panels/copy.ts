// To the clipboard: by the browser's own interface where the page may use it (https, localhost), else by the copy command.

/** Answers whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return byCommand(text);
  }
}

function byCommand(text: string): boolean {
  let done = false;
  const give = (event: ClipboardEvent): void => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    event.stopImmediatePropagation();
    done = true;
  };
  document.addEventListener("copy", give, { capture: true });
  document.execCommand("copy");
  document.removeEventListener("copy", give, { capture: true });
  return done;
}
