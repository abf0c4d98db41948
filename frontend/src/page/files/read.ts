// Reading a file that a person chose or dropped. Loaded when there is one.
import { MOST_OTHER } from "../state/kind.ts";
import { asTextOrBytes, kindOfFile, type Opened } from "./kinds.ts";

/** The part of a `File` that is used. */
export interface Readable {
  readonly name: string;
  readonly size: number;
  /** Its place in the folder that was opened. */
  readonly path?: string;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** What the server opens at once: a saved trace, or all the files of a dump together. */
export const MOST_OPENED = 32_000_000;

/** `maybe` is given the bytes of what may be a saved trace, before anyone has looked at them. */
export async function read(file: Readable, maybe: (bytes: Uint8Array) => void = () => undefined): Promise<Opened> {
  const saved = file.name.toLowerCase().endsWith(".json");
  const most = saved ? MOST_OPENED : MOST_OTHER;
  if (file.size > most)
    return {
      kind: "refused",
      why: `${file.name} has ${sizeOf(file.size)}; at most ${sizeOf(most)} can be opened. It was not sent anywhere.`,
    };
  if (file.size === 0) return { kind: "refused", why: `${file.name} is empty.` };
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    return { kind: "refused", why: `${file.name} cannot be read: it may be a folder, or gone.` };
  }
  if (saved) maybe(bytes);
  return (await kindOfFile(file.name, bytes)?.open(file.name, bytes)) ?? asTextOrBytes(bytes, null);
}

export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1).replace(/\.0$/, "")} MB`;
}
