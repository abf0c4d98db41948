// Asks the worker for drawings. The newest request of a client wins; cancelling ends the worker, and the next request starts a fresh one.
import { rolesInTurns } from "../drawing/roles.ts";
import type { SceneItem, Tell } from "../drawing/scene.ts";
import { type Filed, filedOf } from "../model/filed.ts";
import { packedModule, packedProgram } from "../model/packed.ts";
import { inTurns } from "../model/slices.ts";
import type { Program } from "../model/types.ts";
import type { Drawing, FromWorker, List, OutlineMessage, Paintable, Sent, Subject, ToWorker, Wanted } from "./protocol.ts";
import { StopIndex } from "./stops.ts";

/** The part of `Worker` that is used, so that tests can stand in for it. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** How many programs the worker holds at a time. */
const KEPT = 4;

export class Cancelled extends Error {}

interface Waiting {
  readonly pieces: Map<List, SceneItem[]>;
  readonly tell: Tell;
  readonly resolve: (drawing: Paintable) => void;
  readonly reject: (error: Error) => void;
}

function keep(pieces: Map<List, SceneItem[]>, list: List, items: readonly SceneItem[]): void {
  const known = pieces.get(list);
  if (known === undefined) pieces.set(list, [...items]);
  else for (const item of items) known.push(item);
}

/** What the subject stays, whatever levels come to it. */
const identityOf = (subject: Subject): object => (subject.kind === "program" ? subject.program.jaxprs : subject.module);

function sentOf(subject: Subject, from: Filed | null): Sent {
  if (from !== null) {
    const places = subject.kind === "module" ? subject.places : undefined;
    return { kind: "filed", file: from.file.id, program: from.program, level: from.level, ...(places && { places }) };
  }
  if (subject.kind === "program") {
    const known = packedProgram(subject.program);
    return known === null ? subject : { kind: "packed-program", packed: known };
  }
  const known = packedModule(subject.module);
  return known === null ? subject : { kind: "packed-module", packed: known, ...(subject.places && { places: subject.places }) };
}

/** What things look like: a script of its own, there long before the first trace is. */
const shapes = () => import("../drawing/svg/picture.ts");

export class LayoutClient {
  readonly #start: () => WorkerLike;
  #worker: WorkerLike | null = null;
  /** What the worker holds, oldest first; it alone keeps nothing here. */
  #loaded: { readonly identity: WeakRef<object>; readonly token: number; readonly file: number | null }[] = [];
  /** The files that it has. */
  #files = new Set<number>();
  /** What nobody on the page has any more, the worker need not have, either. */
  readonly #let = new FinalizationRegistry<number>((token) => this.#forget(token));
  #nextToken = 0;
  #nextId = 0;
  #waiting = new Map<number, Waiting>();
  #asked = new Map<number, { hear(message: FromWorker): void; reject(error: Error): void }>();

  constructor(start: () => WorkerLike) {
    this.#start = start;
    shapes().catch(() => undefined);
  }

  /** Draws `subject` as it is wanted; rejects with Cancelled when a newer request or `cancel` takes its place. */
  draw(subject: Subject, wanted: Wanted, title: string, tell: Tell = () => undefined): Promise<Paintable> {
    // A layout that is still running would only hold the newer one up.
    if (this.#waiting.size > 0) this.cancel();
    const worker = this.#ready();
    const token = this.#load(worker, subject);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { pieces: new Map(), tell, resolve, reject });
      worker.postMessage({ type: "draw", token, id, wanted, title });
    });
  }

  /** The same in words: what is open, by which groups, under which title. */
  outline(subject: Subject, { open, by, title }: Pick<OutlineMessage, "open" | "by" | "title">): Promise<string> {
    const worker = this.#ready();
    const token = this.#load(worker, subject);
    return this.ask(
      (id) => ({ type: "outline", token, id, open, by, title }),
      (said) => (said.type === "outlined" ? said.text : undefined),
    );
  }

  /** Asks the worker something. `heard` is given what it says, until it makes an answer of that. */
  ask<T>(question: (id: number) => ToWorker, heard: (said: FromWorker) => T | undefined): Promise<T> {
    const worker = this.#ready();
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const hear = (said: FromWorker): void => {
        const answer = heard(said);
        if (answer === undefined && said.type !== "failed") return;
        this.#asked.delete(id);
        if (answer === undefined) reject(new Error((said as { message: string }).message));
        else resolve(answer);
      };
      this.#asked.set(id, { hear, reject });
      const message = question(id);
      if (message.type === "file") this.#files.add(message.file);
      worker.postMessage(message);
    });
  }

  /** A file will be opened, most likely. */
  prepare(): void {
    this.#ready().postMessage({ type: "prepare" });
  }

  /** Whether the worker that there is has been given it. */
  holds(file: number): boolean {
    return this.#files.has(file);
  }

  /** Nothing of it will be asked for. */
  close(file: number): void {
    if (this.#files.delete(file)) this.#worker?.postMessage({ type: "close", file });
  }

  /** Begins with a program before the page itself has all of it: it will be drawn, most likely so. */
  expect(outline: Program, wanted: Wanted, title: string): void {
    // A layout that is still running would be in its way, and nobody waits for it much longer.
    if (this.#waiting.size > 0) return;
    const worker = this.#ready();
    const token =
      filedOf(outline.jaxprs) === null
        ? this.#send(worker, outline, { kind: "packed-program", packed: { outline, parts: [] } })
        : this.#load(worker, { kind: "program", program: outline });
    worker.postMessage({ type: "expect", token, wanted, title });
  }

  cancel(): void {
    this.#worker?.terminate();
    this.#gone(new Cancelled("cancelled"));
  }

  #load(worker: WorkerLike, subject: Subject): number {
    // A later level gives a new Program around the same jaxprs: that is no reason to send them again.
    const identity = identityOf(subject);
    const from = filedOf(identity as Program["jaxprs"]);
    const sent = sentOf(subject, from);
    // What was expected went by what came.
    const before = sent.kind === "packed-program" && sent.packed.parts.length === 0 ? sent.packed.outline : identity;
    const known = this.#loaded.find((entry) => [identity, before].includes(entry.identity.deref() ?? entry));
    if (known !== undefined) return known.token;
    // A worker that was begun anew reads it once more.
    if (from !== null && !this.#files.has(from.file.id)) {
      this.#files.add(from.file.id);
      worker.postMessage({ type: "file", file: from.file.id, text: from.file.text });
    }
    return this.#send(worker, before, sent);
  }

  #send(worker: WorkerLike, identity: object, subject: Sent): number {
    const token = this.#nextToken++;
    this.#loaded.push({ identity: new WeakRef(identity), token, file: subject.kind === "filed" ? subject.file : null });
    this.#let.register(identity, token);
    worker.postMessage({ type: "load", token, subject });
    if (this.#loaded.length > KEPT) this.#forget(this.#loaded[0]?.token ?? 0);
    return token;
  }

  #forget(token: number): void {
    const known = this.#loaded.find((entry) => entry.token === token);
    if (known === undefined) return;
    this.#loaded = this.#loaded.filter((entry) => entry !== known);
    this.#worker?.postMessage({ type: "forget", token });
    const { file } = known;
    if (file !== null && !this.#loaded.some((other) => other.file === file)) this.close(file);
  }

  #ready(): WorkerLike {
    if (this.#worker !== null) return this.#worker;
    const worker = this.#start();
    worker.onmessage = ({ data }) => {
      const asked = this.#asked.get(data.id);
      if (asked !== undefined) {
        asked.hear(data);
        return;
      }
      const waiting = this.#waiting.get(data.id);
      if (waiting === undefined) return;
      if (data.type === "stage") waiting.tell(data.stage);
      else if (data.type === "piece") keep(waiting.pieces, data.list, data.items);
      else if (data.type === "drawn") void this.#finish(data.id, waiting, data.drawing);
      else if (data.type === "failed") {
        this.#waiting.delete(data.id);
        waiting.reject(new Error(data.message));
      }
    };
    worker.onerror = () => this.#gone(new Error("The drawing could not be made: the layout worker stopped."));
    this.#worker = worker;
    return worker;
  }

  /** Puts the pieces of a large drawing together, and makes ready what it is painted from, without holding the page up. */
  async #finish(id: number, waiting: Waiting, sent: Drawing): Promise<void> {
    const scene = { ...sent.scene, ...Object.fromEntries(waiting.pieces) };
    waiting.tell(`Drawing ${scene.nodes.length.toLocaleString("en")} boxes`);
    const { pictured } = await shapes();
    const picture = await inTurns(pictured(scene, { theme: "light", title: sent.title, interactive: true }));
    const stops = await inTurns(StopIndex.inTurns(scene));
    await inTurns(rolesInTurns(scene));
    // Cancelled meanwhile, or overtaken.
    if (!this.#waiting.delete(id)) return;
    waiting.resolve({ ...sent, scene, picture, stops });
  }

  #gone(error: Error): void {
    this.#worker = null;
    this.#loaded = [];
    this.#files.clear();
    const waiting = [...this.#waiting.values(), ...this.#asked.values()];
    this.#waiting.clear();
    this.#asked.clear();
    for (const { reject } of waiting) reject(error);
  }
}
