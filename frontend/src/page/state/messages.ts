// Which tabs stand under the code for an answer, and which one comes forward. Pure.
import type { Trace } from "../../model/types.ts";
import type { Failure } from "./types.ts";

export type MessageTab = "inspector" | "problems" | "output" | "notes" | "offers";

export interface MessageTabInfo {
  readonly id: MessageTab;
  readonly title: string;
  readonly count: number;
  readonly alarm: boolean;
}

/** Problems, notes and offers are there only when there are any; the inspector and the output always are. */
export function tabsOf(trace: Trace | null, failure: Failure | null): MessageTabInfo[] {
  const problems = (trace?.diagnostics.length ?? 0) + (failure === null ? 0 : 1);
  const alarm = failure !== null || trace?.diagnostics.some((diagnostic) => diagnostic.severity === "error") === true;
  const all: MessageTabInfo[] = [
    { id: "inspector", title: "Inspector", count: 0, alarm: false },
    { id: "problems", title: "Problems", count: problems, alarm },
    { id: "output", title: "Output", count: 0, alarm: false },
    { id: "notes", title: "Notes", count: trace?.notes.length ?? 0, alarm: false },
    { id: "offers", title: "Functions", count: trace?.offers.length ?? 0, alarm: false },
  ];
  return all.filter((tab) => tab.id === "inspector" || tab.id === "output" || tab.count > 0);
}

/** What a new answer brings forward: a problem first, then what could be traced, then what was printed unless something is being inspected. */
export function preferredTab(trace: Trace | null, failure: Failure | null, before: MessageTab): MessageTab {
  const tabs = tabsOf(trace, failure);
  if (tabs.some((tab) => tab.alarm)) return "problems";
  if (trace !== null && trace.programs.length === 0) return trace.offers.length > 0 ? "offers" : "output";
  return before !== "problems" && before !== "offers" && tabs.some((tab) => tab.id === before) ? before : "inspector";
}
