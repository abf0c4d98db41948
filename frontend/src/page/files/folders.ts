// The files of dropped folders, with their places in them. Loaded when a folder is dropped.
import type { Readable } from "./read.ts";

/** More than any dump: a home folder that was dropped by mistake is not read to its end. */
const MOST = 5_000;

export async function filesIn(entries: readonly FileSystemEntry[]): Promise<Readable[]> {
  const found: Readable[] = [];
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry !== undefined && found.length < MOST; entry = waiting.shift()) {
    if (entry.name.startsWith(".")) continue;
    if (isFile(entry)) {
      const { fullPath } = entry;
      const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed)).catch(() => null);
      if (file !== null)
        found.push({ name: file.name, size: file.size, path: fullPath.replace(/^\//, ""), arrayBuffer: () => file.arrayBuffer() });
    } else waiting.push(...(await listed(entry as FileSystemDirectoryEntry)));
  }
  return found.sort((a, b) => ((a.path ?? "") < (b.path ?? "") ? -1 : 1));
}

function isFile(entry: FileSystemEntry): boolean {
  return entry.isFile;
}

/** Browsers give a folder in pieces of a hundred entries, until an empty one. */
async function listed(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed)).catch(() => []);
    if (some.length === 0 || all.length > MOST) return all;
    all.push(...some);
  }
}
