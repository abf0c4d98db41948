// Splits a byte stream into lines, whatever the chunks: a chunk may end in the middle of a line or of a character.

/** The lines of `stream`, without their line ends; blank lines are left out. */
export async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      const parts = text.split("\n");
      // Pieces of one long line are joined once, when its end is seen: a 30 MB line must not cost quadratic time.
      for (let i = 0; i < parts.length - 1; i++) {
        rest.push(parts[i] as string);
        const line = rest.join("");
        rest = [];
        if (line.trim() !== "") yield line;
      }
      const last = parts[parts.length - 1] as string;
      if (last !== "") rest.push(last);
      if (done) break;
    }
    const line = rest.join("");
    if (line.trim() !== "") yield line;
  } finally {
    reader.releaseLock();
  }
}
