"""Write the traces that the drawing's and the page's tests use, from the example programs: frontend/test/traces/*.json.

    python scripts/fixtures.py [NAME ...]

Each program is run and every `jax.make_jaxpr(f)(...)` in it is recorded; of a program without one, the calls in CALLS are traced.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax

from visualizer.model import SCHEMA, Trace
from visualizer.tracing._serialize import SerializedProgram, serialize
from visualizer.tracing.autodiff._observed import observing
from visualizer.tracing.lowering._stablehlo import lower
from visualizer.tracing.source._paste import PasteSource

ROOT = Path(__file__).resolve().parent.parent
PROGRAMS = [ROOT / "visualizer" / "examples", ROOT / "frontend" / "test" / "programs"]
TRACES = ROOT / "frontend" / "test" / "traces"
LARGE = 300

CALLS = {
    "05_loop_until": [("newton", "newton", "jnp.float32(2.0), jnp.float32(1.0), jnp.float32(1e-6)")],
    "06_branches": [("clip_or_keep", "clip_or_keep", "jnp.linspace(-3.0, 3.0, 7), jnp.float32(1.5)")],
    "08_steps_that_differ": [("forward", "forward", "layers, jnp.ones((2, 6))")],
    "09_jit_in_jit": [("score", "score", "params, batch")],
    "10_rules_of_your_own": [("energy", "energy", "x"), ("grad(energy)", "jax.grad(energy)", "x")],
}


def trace(path: Path) -> dict[str, Any]:
    """Run one program and serialise what it traces."""
    text = path.read_text()
    source = PasteSource.of(text, f"<{path.stem}>")
    recorded: list[tuple[str, str, Any]] = []
    original = jax.make_jaxpr

    def make_jaxpr(fun: Any, **options: Any) -> Any:
        def traced(*args: Any, **kwargs: Any) -> Any:
            closed = original(fun, **options)(*args, **kwargs)
            recorded.append((getattr(fun, "__name__", "main"), "make_jaxpr", closed))
            return closed

        return traced

    printed = io.StringIO()
    namespace: dict[str, Any] = {"__name__": "__main__"}
    jax.make_jaxpr = make_jaxpr
    try:
        with contextlib.redirect_stdout(printed), observing():
            exec(compile(text, source.filename, "exec"), namespace)
    finally:
        jax.make_jaxpr = original
    for name, fun, args in CALLS.get(path.stem, []):
        closed = original(eval(fun, namespace))(*eval(f"({args},)", namespace))
        recorded.append((name, "call", closed))
    programs = [
        lowered(serialize(closed, name=name, origin=origin, program_id=f"p{i}", source=source))
        for i, (name, origin, closed) in enumerate(recorded)
    ]
    return {
        "schema": SCHEMA,
        "input": "python",
        "jax": jax.__version__,
        "programs": programs,
        "output": {"text": printed.getvalue(), "truncated": False},
        "diagnostics": [],
        "notes": [],
        "offers": [],
        "timings": {},
    }


def lowered(made: SerializedProgram) -> dict[str, Any]:
    """The program with its StableHLO; a large one without, as tests of the drawing need its jaxpr alone."""
    program = made.program
    if sum(len(jaxpr["eqns"]) for jaxpr in program["jaxprs"].values()) <= LARGE:
        patch = lower(made).patch
        program = {**program, "texts": {**program["texts"], **patch["texts"]}, "modules": patch["modules"], "links": patch["links"]}
    return program


def main(wanted: list[str]) -> None:
    """Write the traces of all programs, or of those named."""
    TRACES.mkdir(parents=True, exist_ok=True)
    for path in sorted(path for folder in PROGRAMS for path in folder.glob("*.py")):
        if wanted and path.stem not in wanted:
            continue
        made = trace(path)
        Trace.model_validate(made)
        out = TRACES / f"{path.stem}.json"
        out.write_text(json.dumps(made, separators=(",", ":"), ensure_ascii=False, allow_nan=False) + "\n")
        eqns = [sum(len(jaxpr["eqns"]) for jaxpr in program["jaxprs"].values()) for program in made["programs"]]
        print(f"{path.stem:32} {len(made['programs'])} programs, {eqns} equations, {out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
