"""Makes the last message of an answer that the sandbox ends itself: a trace when there was none yet, else a patch to it.

Promises: what the job already answered stays standing; what it printed past the worker is in the trace.
"""

from typing import Literal

from visualizer.model import SCHEMA, Diagnostic, LevelMessage, Output, Stage, Trace, TracePatch

from . import _diagnostics, _gate
from ._job import Job
from ._limits import Limits

Level = Literal["jaxpr", "stablehlo", "hlo"]
_ORDER: tuple[Level, ...] = ("jaxpr", "stablehlo", "hlo")


def alone(diagnostic: Diagnostic, jax: str) -> bytes:
    """An answer that is only a diagnostic."""
    return _first([diagnostic], "", False, jax)


def ending(job: Job, limits: Limits, levels: frozenset[str], jax: str, *, compiles: Level | None = None) -> bytes | None:
    """The last message of a job that did not end well; None for one that did, or that nobody waits for any more.

    `compiles`: the level behind which it was compiling.
    """
    stage: Stage = "run" if not levels else "compile" if compiles in levels else "lower"
    diagnostic = _explain(job, limits, stage)
    if diagnostic is None:
        return None
    if levels:
        return _patch([diagnostic], levels)
    found = [diagnostic]
    if job.output_truncated:
        found.append(_diagnostics.output_limit(limits, stage))
    return _first(found, job.output.decode("utf-8", "replace"), job.output_truncated, jax)


def _explain(job: Job, limits: Limits, stage: Stage) -> Diagnostic | None:
    match job.ending:
        case None | "cancelled":
            return None
        case "cpu":
            return _diagnostics.cpu_limit(limits, stage)
        case "wall":
            return _diagnostics.wall_limit(limits, stage)
        case "memory":
            return _diagnostics.memory_limit(limits, stage)
        case "threads":
            return _diagnostics.thread_limit(limits, stage)
        case "result":
            return _diagnostics.result_limit(limits, stage)
        case "bad":
            return _diagnostics.bad_result(job.detail, stage)
        case "failed":
            return _diagnostics.memory_limit(limits, stage) if job.detail == "MemoryError" else _diagnostics.failed(job.detail, stage)
        case "signal":
            return _diagnostics.killed_by_signal(job.number, stage)
        case "closed":
            return _diagnostics.closed(stage)
        case "restarted":
            return _diagnostics.restarted(stage)
        case "no-jail":
            return _diagnostics.no_jail(stage)
        case "exit":
            return _diagnostics.ended_early(job.number, stage)


def _first(diagnostics: list[Diagnostic], text: str, truncated: bool, jax: str) -> bytes:
    trace = Trace(
        schema_=SCHEMA,
        input="python",
        jax=jax,
        programs=(),
        output=Output(text=text, truncated=truncated),
        diagnostics=tuple(diagnostics),
        notes=(),
        offers=(),
        timings={},
    )
    return _gate.to_json(LevelMessage(level="jaxpr", trace=trace, patch=None))


def _patch(diagnostics: list[Diagnostic], levels: frozenset[str]) -> bytes:
    level = next((name for name in _ORDER if name not in levels), _ORDER[-1])
    patch = TracePatch(programs={}, diagnostics=tuple(diagnostics), notes=(), timings={})
    return _gate.to_json(LevelMessage(level=level, trace=None, patch=patch))
