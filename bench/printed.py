"""Reading printed jaxprs against JAX's own `str(jaxpr)` of the same programs, at 300, 3,000 and 30,000 equations; and 50,000 lines.

Times are of the CPU, the best of several, taken in turn so that a busy machine slows both alike.
"""

from __future__ import annotations

import os
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")

from bench._table import Row, print_table
from bench.serialize import SIZES, best_of, blocks, network, unrolled

LINES = 50_000
SECONDS = 3.0


def long_print() -> str:
    """A print of many lines, of all forms."""
    lines, last = ["{ lambda ; a:f32[2,3]. let"], "a"
    while len(lines) < LINES:
        for _ in range(12):
            name = f"v{len(lines)}"
            lines.append(f"    {name}:f32[2,3] = add {last} 1.0:f32[]")
            last = name
        name = f"v{len(lines)}"
        lines += [
            f"    {name}:f32[2,2] = dot_general[",
            "      dimension_numbers=(([1], [1]), ([], []))",
            "      preferred_element_type=float32",
            f"    ] {last} {last}",
            f"    {name}b:f32[2,3] = jit[",
            "      name=f",
            "      jaxpr={ lambda ; a:f32[2,2]. let b:f32[2,3] = sin a in (b,) }",
            f"    ] {name}",
        ]
        last = f"{name}b"
    return "\n".join([*lines, f"  in ({last},) }}"])


def main() -> None:
    """Print the table."""
    from visualizer.text.parse import read
    from visualizer.tracing.eqns._garbage import no_collection

    rows = []
    with no_collection():
        for size in SIZES:
            for make in (unrolled, network, blocks):
                closed = make(size)
                text = str(closed)
                ours, theirs = best_of(3 if size > 10_000 else 7, lambda t=text: read(t), lambda c=closed: str(c))  # type: ignore[misc]
                rows.append(Row(f"{make.__name__}, about {size:,} equations", ours, theirs))
        text = long_print()
        started = time.process_time()
        read(text)
        rows.append(Row(f"{LINES:,} lines / {SECONDS:g} s", (time.process_time() - started) * 1e3, SECONDS * 1e3, budget=1.0))
    print_table("Read a printed jaxpr against printing it", rows)


if __name__ == "__main__":
    main()
