// One line of the outline: what it is, its names, its type, what it reads.
import { type Row, spokenLine } from "../../program/outline/index.ts";

/** The height of every row, which is how one is found without drawing the others. */
export const ROW = 26;
const STEP = 14;
/** Deeper items stand no further in: the names must be read. */
const MOST_STEPS = 9;

interface Props {
  readonly row: Row;
  readonly top: number;
  readonly current: boolean;
  readonly marked: boolean;
  choose(): void;
  toggle(): void;
  reveal(): void;
  hover(on: boolean): void;
}

export function OutlineRow({ row, top, current, marked, choose, toggle, reveal, hover }: Props) {
  const { item, level, size, position, open } = row;
  const { title, name, type, note } = item.line;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keys of its items
    <div
      role="treeitem"
      class={`item item-${item.kind}`}
      aria-level={level}
      aria-setsize={size}
      aria-posinset={position}
      aria-expanded={item.inside === null ? undefined : open}
      aria-selected={marked}
      aria-busy={item.kind === "left" ? true : undefined}
      tabIndex={current ? 0 : -1}
      title={spokenLine(item)}
      style={{ top: `${top}px`, paddingLeft: `${6 + Math.min(level - 1, MOST_STEPS) * STEP}px` }}
      onClick={choose}
      onDblClick={reveal}
      onPointerEnter={() => hover(true)}
      onPointerLeave={() => hover(false)}
    >
      <span
        class="item-twist"
        aria-hidden="true"
        onClick={(event) => {
          if (item.inside === null) return;
          event.stopPropagation();
          toggle();
        }}
      >
        {item.inside === null ? "" : open ? "▾" : "▸"}
      </span>
      {item.role !== null && <span class={`item-role role-${item.role}`} aria-hidden="true" />}
      {/* What is read aloud is this very text: between its parts stand words and commas that are too small to see. */}
      <span class="item-line">
        <span class="item-title">{title}</span>
        {name !== "" && (
          <>
            <span class="item-between">{item.kind === "eqn" ? ", makes " : ", "}</span>
            <span class="item-name">{name}</span>
          </>
        )}
        {type !== "" && (
          <>
            <span class="item-between">, </span>
            <span class="item-type">{type}</span>
          </>
        )}
        {note !== "" && (
          <>
            <span class="item-between">, </span>
            <span class="item-note">{note}</span>
          </>
        )}
      </span>
    </div>
  );
}
