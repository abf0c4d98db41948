// The help sheet, loaded when it is first asked for.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { onProgram } from "./Find.tsx";
import { useLater } from "./later.ts";

export function Help() {
  const { commands } = useApp();
  const turn = useSignal(0);
  const sheet = useLater(() => import("./HelpSheet.tsx"), turn.value > 0);
  useEffect(() => {
    commands.register({
      help() {
        turn.value += 1;
      },
    });
    // The graph has its own keys; the texts, alone and side by side, have "?". A single character is a key only where nothing else is
    // meant by it (WCAG 2.1.4), F1 everywhere.
    const onKey = (event: KeyboardEvent): void => {
      const asked = event.key === "F1" || (event.key === "?" && onProgram(event.target));
      if (!asked || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      commands.help();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return sheet === null ? null : <sheet.HelpSheet turn={turn.value} />;
}
