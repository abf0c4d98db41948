"""The supervisors that the commands use: the sandbox, told by name which worker to run, under each JAX that is installed."""

from __future__ import annotations

import sys

from visualizer.web import Tracer

WORKER = "visualizer.tracing:worker"


# A program of 50,000 equations is traced, serialised and lowered in 25 s; where others can reach the server a paste gets less.
ALONE_SECONDS = 30
SHARED_SECONDS = 5


def make_tracer(cpu_seconds: int = SHARED_SECONDS) -> Tracer:
    """A tracer that gives each paste `cpu_seconds` of processor time, and four times as long to wait for it on a busy machine."""
    from visualizer.runtimes import default_version, installed
    from visualizer.sandbox import Limits, Other, Pool, Supervisor

    limits = Limits(cpu_seconds=cpu_seconds, wall_seconds=4.0 * cpu_seconds)

    def make(python: str | None) -> Supervisor:
        return Supervisor(WORKER, python=python or sys.executable, limits=limits)

    def others() -> dict[str, Other]:
        return {one.version: Other(str(one.python), one.stamp, one.problem) for one in installed()}

    return Pool(make, default_version(), others)
