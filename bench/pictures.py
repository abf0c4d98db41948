"""Headless pictures against Graphviz: the SVG of every program of the tests and of every printed jaxpr of ../shared/cases, as it opens at
first and with everything open, by `draw` and by `dot -Tsvg` of our DOT of the same graph.

Processor time of a picture: of ours in a process that has drawn before (as in a notebook, a documentation build or the server), the process
itself on a line of its own; of Graphviz in a process of its own, as it has none other. Peak memory is that of the processes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench._table import Row, print_table

ROOT = Path(__file__).parent.parent
TRACES = ROOT / "frontend" / "test" / "traces"
CASES = ROOT.parent / "shared" / "cases"
# Nobody opens all of more than this.
MOST_EQUATIONS = 400
# Dot ends no earlier on some; what it then took is counted.
SECONDS = 30
MIB = 1 << 20


def programs(cases: Path) -> Iterator[tuple[str, Any]]:
    """Name and program of everything that is drawn."""
    from visualizer.model import Program
    from visualizer.text.parse import read

    for path in sorted(TRACES.glob("*.json")):
        for at, found in enumerate(json.loads(path.read_text(encoding="utf-8"))["programs"]):
            if found["entry"] is not None:
                yield f"{path.stem}-{at}", Program.model_validate(found)
    for path in sorted(cases.glob("*/jaxpr.txt")):
        for found in read(path.read_text(encoding="utf-8")).programs:
            yield path.parent.name, Program.model_validate(found)


def pictures(cases: Path) -> Iterator[tuple[str, Any, str]]:
    """Name, program and what is open of it."""
    for name, program in programs(cases):
        yield f"{name}, at first", program, "initial"
        if sum(len(jaxpr.eqns) for jaxpr in program.jaxprs.values()) <= MOST_EQUATIONS:
            yield f"{name}, all open", program, "all"


def ours(cases: Path) -> None:
    """In a process of its own: draw all and print milliseconds of each, the first one apart, and the peak in bytes."""
    from visualizer.drawing import draw

    todo = list(pictures(cases))
    data = [(name, program.model_dump(mode="json", by_alias=True), opened) for name, program, opened in todo]
    rest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    spent: dict[str, float] = {}
    started = time.process_time()
    draw(data[0][1], open=data[0][2])
    first = time.process_time() - started
    for name, program, opened in data:
        started = time.process_time()
        draw(program, open=opened)
        spent[name] = 1e3 * (time.process_time() - started)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"first": 1e3 * first, "spent": spent, "peak": 1024 * (peak - rest), "whole": 1024 * peak}))


def theirs(source: str) -> tuple[float, int, bool]:
    """Milliseconds and peak bytes of `dot -Tsvg`, and whether it came to its end."""
    limit = ["sh", "-c", f"ulimit -t {SECONDS}; exec dot -Tsvg"]
    process = subprocess.Popen(limit, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    assert process.stdin is not None
    process.stdin.write(source.encode())
    process.stdin.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return 1e3 * (used.ru_utime + used.ru_stime), 1024 * used.ru_maxrss, process.returncode == 0


def at(values: list[float], share: float) -> float:
    """The value that this share of all are at or below."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--ours", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.ours:
        ours(given.cases)
        return
    if shutil.which("dot") is None:
        print("pictures: there is no dot to compare with: sh scripts/setup_renderers.sh", file=sys.stderr)
        return
    from visualizer.drawing import dot_source, graph_of

    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "bench.pictures", "--ours", "--cases", str(given.cases)], env=environment, capture_output=True, check=True
    )
    own = json.loads(done.stdout)
    spent: dict[str, float] = own["spent"]
    dot: dict[str, float] = {}
    peaks: list[int] = []
    unfinished = []
    for name, program, opened in pictures(given.cases):
        dot[name], peak, finished = theirs(dot_source(graph_of(program, open=opened)))  # type: ignore[arg-type]
        peaks.append(peak)
        if not finished:
            unfinished.append(name)
    mine, other = list(spent.values()), list(dot.values())
    rows = [
        Row("median picture", statistics.median(mine), statistics.median(other), 1.0),
        Row("95 of 100 pictures within", at(mine, 0.95), at(other, 0.95), 1.0),
        Row("worst picture", max(mine), max(other), 1.0),
        Row("all pictures", sum(mine), sum(other), 0.5),
        Row("the first picture of a process, with V8", own["first"], statistics.median(other)),
    ]
    print_table(f"SVG against dot -Tsvg, {len(mine)} pictures (processor time)", rows)
    slowest = max(spent, key=lambda name: spent[name] / dot[name])
    print(f"most behind: {slowest}, {spent[slowest]:.1f} ms against {dot[slowest]:.1f} ms")
    print(
        f"slower than dot: {sum(spent[name] > dot[name] for name in spent)} of {len(spent)}; dot not done in {SECONDS} s: {len(unfinished)}"
    )
    print(f"peak memory: ours {own['whole'] / MIB:.0f} MiB ({own['peak'] / MIB:.0f} for drawing), dot {max(peaks) / MIB:.0f} MiB")


if __name__ == "__main__":
    main()
