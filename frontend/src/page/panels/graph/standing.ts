// How a picture follows the one before it: whether the camera looks afresh, what stays in its place, and which edit is told. It knows what
// was shown and never what is drawn: a picture that was asked for and overtaken leaves nothing but the edit that it would have shown.
import type { Direction, Levels } from "../../../drawing/scene.ts";
import { type Edits, isAnother } from "../../program/edits.ts";

export interface Picture {
  /** The program, by all that tells it from another one at the same place. */
  readonly front: string;
  /** The level, the program's place and the body that is shown alone. */
  readonly shown: string;
  readonly levels: Levels;
  readonly direction: Direction;
}

export interface Following {
  /** Of another program: no place of the old picture means anything in it. */
  readonly another: boolean;
  /** Whether the camera looks at it as if for the first time. */
  readonly refit: boolean;
  /** What an edit changed since the picture before, once. */
  readonly change: Edits | null;
}

export class Standing {
  #before: Picture | null = null;
  #told: Edits | null = null;
  /** The newest edit that was heard of, and how many there were since something was shown. */
  #heard: Edits | null = null;
  #edited = 0;

  asked(edits: Edits | null): void {
    if (edits !== null && edits !== this.#heard) this.#edited += 1;
    this.#heard = edits;
  }

  /** To be called once for each picture that is shown. `tells` is whether its level shows what edits are known of. */
  next(picture: Picture, edits: Edits | null, tells: boolean): Following {
    const before = this.#before;
    const there = before?.shown === picture.shown;
    const news = tells && there && edits !== this.#told ? edits : null;
    // A program of another name stands at the same place; what is known of an edit is known of the one before it alone.
    const another = picture.front !== before?.front || this.#edited > 1 || (news !== null && isAnother(news));
    this.#before = picture;
    this.#told = edits;
    this.#edited = 0;
    const refit = another || !there || before.levels !== picture.levels || before.direction !== picture.direction;
    return { another, refit, change: another ? null : news };
  }

  /** Nothing is shown: what comes next is looked at afresh. */
  cleared(): void {
    if (this.#before !== null) this.#before = { ...this.#before, shown: "" };
  }
}
