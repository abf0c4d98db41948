// The place of the signature bar, which is loaded when it is first wanted.
import { useComputed } from "@preact/signals";
import { useApp } from "../app.ts";
import { barOf } from "../state/asked.ts";
import { useLater } from "./later.ts";

export function SignatureBar() {
  const { store } = useApp();
  const wanted = useComputed(() => barOf(store.steady.value) !== "none");
  const panel = useLater(() => import("./Signature.tsx"), wanted.value);
  return wanted.value && panel !== null ? <panel.Signature /> : null;
}
