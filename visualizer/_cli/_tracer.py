"""The supervisor that the commands use: the sandbox, told by name which worker to run."""

from __future__ import annotations

import sys

from visualizer.web import Tracer

WORKER = "visualizer.tracing:worker"


def make_tracer() -> Tracer:
    from visualizer.sandbox import Supervisor

    return Supervisor(WORKER, python=sys.executable)
