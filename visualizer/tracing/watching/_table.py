"""The table that a run ends with.

Promises: as wide as the terminal, the programs that took longest first. Must never: fail on what the script did to its terminal.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from ._seen import Seen
from ._watch import Watch

ROWS = 20


def milliseconds(seen: Seen) -> float:
    """What JAX needed for a program before it could run."""
    return sum(stage.seconds for stage in seen.stages.values()) * 1e3


def types_of(seen: Seen, most: int = 200) -> str:
    """The arguments in words: `x: f32[3]`; those of one dictionary or list together, `params: 12 arrays`."""
    groups: dict[str, list[str]] = {}
    for number, arg in enumerate(seen.args):
        root = arg.name.split("[")[0].split(".")[0] or f"#{number}"
        groups.setdefault(root, []).append(arg.type)
    texts = []
    for root, types in groups.items():
        name = "" if root.startswith("#") else f"{root}: "
        texts.append(f"{name}{types[0] if len(types) == 1 else f'{len(types)} arrays'}")
    text = ", ".join(texts) + (f"; {seen.static}" if seen.static else "")
    return text if len(text) <= most else text[: most - 1] + "…"


def table(watch: Watch, written: str) -> str:
    """Lines to print. `written` names the report, empty where there is none."""
    compiles = sum(seen.stages["compile"].times for seen in watch.programs)
    spent = sum(map(milliseconds, watch.programs)) / 1e3
    counted = f"{_many(len(watch.programs), 'program')}, compiled {_times(compiles)}"
    lines = ["", f"jaxpr-visualizer: {counted}, {spent:.2f} s of {watch.seconds:.2f} s until they could run"]
    width = max(60, shutil.get_terminal_size((110, 20)).columns)
    shown = sorted(watch.programs, key=milliseconds, reverse=True)[:ROWS]
    rows = [_row(seen) for seen in shown]
    if rows:
        heads = ("program", "types", "calls", "traced", "compiled", "ms", "defined at")
        sizes = [max(len(row[column]) for row in [heads, *rows]) for column in range(len(heads))]
        sizes[0] = min(sizes[0], 28)
        spare = width - 2 - sum(sizes) - 2 * (len(sizes) - 1)
        sizes[1] = max(12, sizes[1] + min(0, spare))
        lines += ["  " + _line(row, sizes) for row in [heads, *rows]]
    if len(watch.programs) > ROWS:
        lines.append(f"  and {len(watch.programs) - ROWS} more")
    lines += [line for seen in shown[:5] for line in _again(seen)]
    if watch.operations:
        count = sum(seen.stages["compile"].times for seen in watch.operations.values())
        names = ", ".join(list(watch.operations)[:5]) + (", …" if len(watch.operations) > 5 else "")
        cost = sum(map(milliseconds, watch.operations.values()))
        lines.append(f"  beside them {_many(count, 'operation')} of JAX run one by one were compiled, {cost:.0f} ms ({names})")
    if watch.left_out:
        lines.append(f"  {watch.left_out} more programs were left out of the report (--most)")
    if not watch.programs:
        lines.append("  No function was jitted or traced.")
    if written:
        lines.append(f"  report: {written}. To see it: jaxpr-visualizer open {written.rpartition(' (')[0]}")
    return "\n".join(lines) + "\n"


def _again(seen: Seen) -> list[str]:
    """Why JAX had to trace a function more than once."""
    lines = []
    if seen.why:
        lines.append(f"  {seen.name}, {seen.why}" if seen.transformed else f"  {seen.name} was traced again: {seen.why}")
    if seen.anew:
        made = "made anew each time, though its types are the same"
        lines.append(f"  {seen.name} was traced {_times(seen.anew + 1)}: its function is {made}")
    return lines


def _row(seen: Seen) -> tuple[str, ...]:
    stages = seen.stages
    place = f"{Path(seen.site.file).name}:{seen.site.line}" if seen.site else ""
    return (
        seen.name,
        types_of(seen),
        str(seen.calls),
        str(stages["trace"].times),
        str(stages["compile"].times),
        f"{milliseconds(seen):.1f}",
        place,
    )


def _line(row: tuple[str, ...], sizes: list[int]) -> str:
    cells = [text if len(text) <= size else text[: size - 1] + "…" for text, size in zip(row, sizes, strict=True)]
    padded = [cell.rjust(size) if 2 <= at <= 5 else cell.ljust(size) for at, (cell, size) in enumerate(zip(cells, sizes, strict=True))]
    return "  ".join(padded).rstrip()


def _many(count: int, what: str) -> str:
    return f"{count} {what}" + ("" if count == 1 else "s")


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
