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
    // The graph has its own keys; the texts, alone and side by side, have this one.
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== "?" || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !onProgram(event.target)) return;
      event.preventDefault();
      commands.help();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return sheet === null ? null : <sheet.HelpSheet turn={turn.value} />;
}
