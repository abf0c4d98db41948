// The body of `POST /api/v1/trace` for a state of the page: the one place that knows what is asked for. Pure.
import type { TraceRequest } from "../../model/types.ts";
import { entryOf } from "./asked.ts";
import type { State } from "./types.ts";

/** Fields that are left out have the server's defaults. */
export type TraceBody = Pick<TraceRequest, "source" | "levels" | "static_numbers"> &
  Partial<Pick<TraceRequest, "fun" | "args" | "signature" | "transforms" | "parts" | "input" | "data">>;

export type Wanted = Pick<State, "source" | "staticNumbers" | "asked" | "wishes" | "compile"> & Partial<Pick<State, "input" | "file">>;

export function requestOf({ source, input = null, file = null, staticNumbers, asked, wishes, compile }: Wanted): TraceBody {
  return {
    ...(file === null ? { source, ...(input !== null && { input }) } : { source: "", data: file.data }),
    levels: compile ? ["jaxpr", "stablehlo", "hlo"] : ["jaxpr", "stablehlo"],
    static_numbers: staticNumbers,
    parts: true,
    ...(asked === null ? {} : entryOf(asked)),
    ...(wishes.length === 0 ? {} : { transforms: wishes.map(({ base, steps }) => ({ program: base.id, steps: [...steps] })) }),
  };
}
