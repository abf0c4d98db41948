// What is laid over the graph: amounts and origins of every equation, chosen one at a time.
import type { OverlayKind } from "../../drawing/scene.ts";
import { useApp } from "../app.ts";
import { Layers } from "./Icons.tsx";
import { Menu } from "./Menu.tsx";

const CHOICES: readonly { id: OverlayKind; title: string; about: string }[] = [
  { id: "bytes", title: "Bytes", about: "How large each value is" },
  { id: "flops", title: "Operations", about: "Estimated FLOPs of each equation, loops times their steps" },
  { id: "memory", title: "Live memory", about: "What is held while each equation runs, with the peak" },
  { id: "lines", title: "Source line", about: "Which line of the code each equation comes from" },
  { id: "scopes", title: "Name scope", about: "Named scopes and modules" },
];

export function Overlays() {
  const { store } = useApp();
  const { overlay } = store.state.value;
  const choose = (kind: OverlayKind | null): void => store.dispatch({ type: "overlay", overlay: kind });
  const items = CHOICES.map(({ id, ...words }) => ({
    id,
    ...words,
    radio: true as const,
    checked: overlay === id,
    choose: () => choose(id),
  }));
  const none = {
    id: "none",
    title: "Nothing",
    about: "Only the roles of the operands",
    radio: true as const,
    checked: overlay === null,
    choose: () => choose(null),
  };
  return (
    <span class={`overlays ${overlay === null ? "" : "on"}`}>
      <Menu label="Colour the boxes" icon={<Layers />} items={[none, ...items]} quiet hideLabel />
    </span>
  );
}
