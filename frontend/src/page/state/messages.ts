// Which tabs stand under the code for an answer, and which one comes forward. Pure.
import type { Trace } from "../../model/types.ts";
import { standsAtField } from "./asked.ts";
import type { Failure } from "./types.ts";

export type MessageTab = "inspector" | "outline" | "problems" | "output" | "notes";

export interface MessageTabInfo {
  readonly id: MessageTab;
  readonly title: string;
  readonly count: number;
  readonly alarm: boolean;
}

/** Problems and notes are there only when there are any; the inspector, the outline and the output always are. */
export function tabsOf(trace: Trace | null, failure: Failure | null): MessageTabInfo[] {
  const problems = (trace?.diagnostics.length ?? 0) + (failure === null ? 0 : 1);
  const alarm = failure !== null || trace?.diagnostics.some((diagnostic) => diagnostic.severity === "error") === true;
  const all: MessageTabInfo[] = [
    { id: "inspector", title: "Inspector", count: 0, alarm: false },
    { id: "outline", title: "Outline", count: 0, alarm: false },
    { id: "problems", title: "Problems", count: problems, alarm },
    { id: "output", title: "Output", count: 0, alarm: false },
    { id: "notes", title: "Notes", count: trace?.notes.length ?? 0, alarm: false },
  ];
  return all.filter((tab) => ["inspector", "outline", "output"].includes(tab.id) || tab.count > 0);
}

/**
 * What a new answer brings forward: a problem first, then what was printed unless something is being inspected. An error that stands at a
 * field of the page is seen there.
 */
export function preferredTab(trace: Trace | null, failure: Failure | null, before: MessageTab): MessageTab {
  const tabs = tabsOf(trace, failure);
  const elsewhere = trace?.diagnostics.some((diagnostic) => diagnostic.severity === "error" && !standsAtField(diagnostic)) === true;
  if (failure !== null || elsewhere) return "problems";
  if (trace !== null && trace.programs.length === 0) return "output";
  // An output that is empty was shown for want of anything else.
  const empty = before === "output" && trace !== null && trace.output.text === "";
  return before !== "problems" && !empty && tabs.some((tab) => tab.id === before) ? before : "inspector";
}
