"""Compare what is read of every section of every .mlir file in a folder with what jaxlib alone counts in it.

    python -m tests.corpus.modules FOLDER [--jobs 2] [--seconds 20] [--only PART] [--verbose]

Each section is read as a paste (`trace_source`, and the answer passes the gate) and by jaxlib alone, in children that may die. They agree
when both have the same operations by name, functions, regions, blocks and depth; when both refuse it with the same message at the same
line; or when it kills or stalls both. Prints what disagrees and a summary; exits 1 when anything does, 2 when there is nothing to compare.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from visualizer.sandbox._gate import Gate
from visualizer.sandbox._limits import Limits
from visualizer.tracing._request import trace_request
from visualizer.tracing.modules import _parse

from .crew import done_by_children
from .jaxlib_alone import judged, sections
from .shape import Shape, ops_of, shape_of

Json = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """One section, to be read by us or by jaxlib alone."""

    file: Path
    before: int
    text: str


def read_by_us(task: Task) -> Json:
    """As `judged`, from our own answer. What else is wrong with the answer is in `wrong`."""
    _one_context()
    messages: list[Json] = []
    trace_request({"source": task.text, "input": "mlir", "levels": ["jaxpr", "stablehlo"]}, messages.append)
    gate = Gate(Limits())
    for message in messages:
        if "reading" not in message:
            gate.check(json.dumps(message).encode())
    trace = messages[-1]["trace"]
    if not trace["programs"]:
        (found,) = trace["diagnostics"]
        if found["code"] == "empty-paste":  # nothing but comments
            return {"empty": True}
        if found["code"] != "mlir-error":
            return {"wrong": f"{found['code']}: {found['message']}"}
        return {"refused": found["message"], "line": found["span"]["line"] if found["span"] else None}
    (program,) = trace["programs"]
    module = program["modules"]["stablehlo"]
    if "stablehlo" not in program["texts"] or trace["diagnostics"]:
        return {"wrong": f"a program with {trace['diagnostics']}"}
    shape = shape_of(module)
    return {
        "ops": dict(shape.ops),
        "functions": shape.functions,
        "regions": shape.regions,
        "blocks": shape.blocks,
        "depth": shape.depth,
        "placed": sum(span is not None for span in _spans(module)),
    }


@cache
def _one_context() -> None:
    """A request has an MLIR context of its own, which takes longer to make than most sections take to read: here a child has one."""
    context = _parse.mlir_context()
    context.enable_multithreading(False)
    _parse.mlir_context = lambda: context


def _spans(module: Json) -> Iterator[Any]:
    for op in ops_of(module):
        yield op["span"]


def verdict(ours: Json, truth: Json) -> tuple[str, list[str]]:
    """`agree`, `refused`, `killed`, or `WRONG` with the reasons."""
    if "died" in truth:
        same = "died" in ours and (ours["died"] == "time") == (truth["died"] == "time")
        return ("killed", []) if same else ("WRONG", [f"it ends jaxlib ({truth['died']}), and ours says {_short(ours)}"])
    for key in ("died", "raised", "wrong"):
        if key in ours:
            return "WRONG", [f"{key}: {ours[key]}"]
    if "refused" in truth:
        if "refused" not in ours or not ours["refused"].startswith(truth["refused"][:200].strip()):
            return "WRONG", [f"jaxlib refuses it ({truth['refused'][:200]}), ours says {_short(ours)}"]
        if truth["line"] is not None and ours["line"] != truth["line"]:
            return "WRONG", [f"jaxlib refuses it at line {truth['line']}, ours at line {ours['line']}"]
        return "refused", []
    if "refused" in ours:
        return "WRONG", [f"ours refuses it: {ours['refused'][:300]}"]
    if "empty" in ours:
        return ("agree", []) if truth["ops"] == {"builtin.module": 1} else ("WRONG", [f"ours finds nothing in it, jaxlib {truth['ops']}"])
    differences = _shape(ours).differences(_shape(truth))
    return ("WRONG", differences) if differences else ("agree", [])


def _shape(found: Json) -> Shape:
    functions = [tuple(function) for function in found["functions"]]
    return Shape(Counter(found["ops"]), functions, found["regions"], found["blocks"], found["depth"])  # type: ignore[arg-type]


def _short(found: Json) -> str:
    return str(found.get("refused") or found.get("died") or "it can be read")[:300]


def by_jaxlib(task: Task) -> Json:
    """The truth."""
    return judged(task.text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=20.0, help="the longest that one section may take")
    parser.add_argument("--only", default="", help="a part of the file's path")
    parser.add_argument("--verbose", action="store_true", help="a line for each file")
    options = parser.parse_args(arguments)
    files = sorted(path for path in options.folder.rglob("*.mlir") if path.is_file() and options.only in str(path))
    tasks: list[Task] = []
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        tasks += [Task(file, before, section) for before, section in sections(text)]
    if not tasks:
        print(f"no .mlir files in {options.folder}", file=sys.stderr)
        return 2
    started = time.monotonic()
    crew = partial(done_by_children, tasks=tasks, jobs=options.jobs, seconds=options.seconds)
    verdicts: Counter[str] = Counter()
    ops = placed = 0
    here: Counter[str] = Counter()
    for index, (task, truth, ours) in enumerate(zip(tasks, crew(by_jaxlib), crew(read_by_us), strict=True)):
        found, reasons = verdict(ours, truth)
        verdicts[found] += 1
        here[found] += 1
        if found == "agree" and "ops" in ours:
            ops += sum(ours["ops"].values()) - 1 - len(ours["functions"])
            placed += ours["placed"]
        for reason in reasons:
            print(f"{task.file.relative_to(options.folder)}:{task.before + 1}: {reason}")
        if index + 1 == len(tasks) or tasks[index + 1].file != task.file:
            if options.verbose:
                print(f"{task.file.relative_to(options.folder)!s:60} {', '.join(f'{count} {name}' for name, count in here.items())}")
            here.clear()
    agree, refused, killed, wrong = (verdicts[name] for name in ("agree", "refused", "killed", "WRONG"))
    print(
        f"{len(tasks):,} sections of {len(files):,} files in {time.monotonic() - started:.0f} s: {agree:,} agree with jaxlib, "
        f"{refused:,} are refused by both with the same message, {killed:,} end both, {wrong:,} disagree"
    )
    print(f"{placed:,} of {ops:,} operations have their place in the text")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
