// A link's fragment from its content and back: `#v1:` + base64url of zlib-deflated UTF-8 JSON, by the browser's own streams. Loaded when
// it is first needed. Unpacking never holds more than it may, whatever the fragment claims.

import { type Linked, MOST_BYTES, MOST_LETTERS, PREFIX, toV1 } from "./format.ts";
import { fromV1 } from "./read.ts";

/** Why a link cannot be opened, in words for whoever opened it. */
export class LinkError extends Error {
  override readonly name = "LinkError";
}

/** The fragment, or null where it would be too long to be sent around. */
export async function pack(linked: Linked): Promise<string | null> {
  const text = new TextEncoder().encode(JSON.stringify(toV1(linked)));
  if (text.length > MOST_BYTES) return null;
  const packed = await through(text, new CompressionStream("deflate"), MOST_BYTES);
  const fragment = PREFIX + base64url(packed);
  return fragment.length > MOST_LETTERS ? null : fragment;
}

/** What a fragment holds. Throws LinkError. */
export async function unpack(fragment: string): Promise<Linked> {
  const version = /^#v(\d{1,6}):/.exec(fragment);
  if (version === null) throw new LinkError("The address is not one of a shared program.");
  if (Number(version[1]) !== 1)
    throw new LinkError(`The link is of version ${version[1]}, and this page knows version 1: it is older than the link.`);
  const letters = fragment.slice(version[0].length);
  if (letters.length > MOST_LETTERS) throw new LinkError("The link is longer than any that this page makes.");
  const bytes = fromBase64url(letters);
  if (bytes === null) throw new LinkError("The link has letters that no link has: it was changed on its way.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate"), MOST_BYTES));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError("The link is cut off or was changed on its way: copy it again, whole.");
  }
  const linked = fromV1(parsed(text));
  if (linked === null) throw new LinkError("The link holds no code.");
  return linked;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  transform: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(transform).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let { done, value } = await reader.read(); !done && value !== undefined; { done, value } = await reader.read()) {
    size += value.length;
    if (size > most) {
      await reader.cancel();
      throw new LinkError("The link unpacks to more than any code has.");
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[\w-]*$/.test(text)) return null;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = new Uint8Array(binary.length);
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}
