// The body of `POST /api/v1/trace` for a state of the page: the one place that knows what is asked for. Pure.
import type { TraceRequest } from "../../model/types.ts";
import { entryOf } from "./asked.ts";
import type { State } from "./types.ts";

/** Fields that are left out have the server's defaults. */
export type TraceBody = Pick<TraceRequest, "source" | "levels" | "static_numbers"> &
  Partial<Pick<TraceRequest, "fun" | "args" | "signature" | "transforms" | "parts" | "input" | "data" | "jax">>;

/** What is opened as a trace: the body as it goes out, or null for what the command was told to open. */
export interface OpenBody {
  readonly opens: string | null;
}

export type Wanted = Pick<State, "source" | "staticNumbers" | "asked" | "wishes" | "compile" | "jax"> &
  Partial<Pick<State, "input" | "file">>;

export function bodyOf(wanted: Wanted): TraceBody | OpenBody {
  const as = wanted.file?.as;
  return as === undefined ? requestOf(wanted) : { opens: as === "told" ? null : (wanted.file?.data ?? "") };
}

export function requestOf({ source, input = null, file = null, staticNumbers, asked, wishes, compile, jax }: Wanted): TraceBody {
  return {
    ...(file === null ? { source, ...(input !== null && { input }) } : { source: "", data: file.data }),
    levels: compile ? ["jaxpr", "stablehlo", "hlo"] : ["jaxpr", "stablehlo"],
    static_numbers: staticNumbers,
    parts: true,
    ...(jax === null ? {} : { jax }),
    ...(asked === null ? {} : entryOf(asked)),
    ...(wishes.length === 0 ? {} : { transforms: wishes.map(({ base, steps }) => ({ program: base.id, steps: [...steps] })) }),
  };
}
