// Which message tabs there are for an answer, and which one comes forward. Pure.
import type { Trace } from "../../model/types.ts";
import type { Failure } from "./types.ts";

export type MessageTab = "problems" | "output" | "notes" | "offers";

export interface MessageTabInfo {
  readonly id: MessageTab;
  readonly title: string;
  readonly count: number;
  readonly alarm: boolean;
}

/** Problems, notes and offers are there only when there are any; the output always is. */
export function tabsOf(trace: Trace | null, failure: Failure | null): MessageTabInfo[] {
  const problems = (trace?.diagnostics.length ?? 0) + (failure === null ? 0 : 1);
  const alarm = failure !== null || trace?.diagnostics.some((diagnostic) => diagnostic.severity === "error") === true;
  const all: MessageTabInfo[] = [
    { id: "problems", title: "Problems", count: problems, alarm },
    { id: "output", title: "Output", count: 0, alarm: false },
    { id: "notes", title: "Notes", count: trace?.notes.length ?? 0, alarm: false },
    { id: "offers", title: "Not called", count: trace?.offers.length ?? 0, alarm: false },
  ];
  return all.filter((tab) => tab.id === "output" || tab.count > 0);
}

export function preferredTab(trace: Trace | null, failure: Failure | null, before: MessageTab): MessageTab {
  const tabs = tabsOf(trace, failure);
  if (tabs.some((tab) => tab.alarm)) return "problems";
  if (trace !== null && trace.programs.length === 0 && trace.offers.length > 0) return "offers";
  return before !== "problems" && tabs.some((tab) => tab.id === before) ? before : "output";
}
