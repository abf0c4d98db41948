// The help sheet, loaded when it is first asked for.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useApp } from "../app.ts";
import { useLater } from "./later.ts";

export function Help() {
  const { commands } = useApp();
  const turn = useSignal(0);
  const sheet = useLater(() => import("./HelpSheet.tsx"), turn.value > 0);
  useEffect(
    () =>
      commands.register({
        help() {
          turn.value += 1;
        },
      }),
    [],
  );
  return sheet === null ? null : <sheet.HelpSheet turn={turn.value} />;
}
