"""What the jail costs: the same jobs in children with every layer and with none, turn by turn, in one run.

Usage: python -m bench.sandbox [--worker package.module] [--jobs N]. Figures in milliseconds; CPU is the child's and the zygote's together
(the fork and the lock are in it), wall is from the request to the last message, for a child that stood ready.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from visualizer.sandbox._gate import Gate
from visualizer.sandbox._job import Job
from visualizer.sandbox._limits import Limits
from visualizer.sandbox._protocol import ALL_LAYERS, Config
from visualizer.sandbox._runtime import Runtime

ROOT = Path(__file__).resolve().parents[1]
LIMITS = Limits()
JAX_SOURCE = """
import jax, jax.numpy as jnp
answer = jax.make_jaxpr(jax.grad(lambda x: jnp.sum(jnp.tanh(x) ** 2)))(jax.ShapeDtypeStruct((4,), 'float32'))
"""
SOURCES = {
    "fake_worker": "answer = 1",
    "jax_worker": JAX_SOURCE,
    "visualizer.tracing:worker": (ROOT / "visualizer/examples/02_training_scan.py").read_text(),
}


@dataclass
class Series:
    """The figures of one way to run the jobs."""

    runtime: Runtime
    start_seconds: float
    child: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    zygote_before: float = 0.0

    def zygote_cpu(self) -> float:
        """Milliseconds of processor time of the zygote so far."""
        return int(Path(f"/proc/{self.runtime.pid}/schedstat").read_text().split()[0]) / 1e6

    def one(self, request: bytes) -> None:
        child = self.runtime.take(None, 10)
        began = time.perf_counter()
        job = Job(child, LIMITS, LIMITS.cpu_seconds, time.monotonic() + LIMITS.wall_seconds, Gate(LIMITS), "answer")
        messages = list(job.run(request))
        self.wall.append((time.perf_counter() - began) * 1e3)
        if job.ending is not None or not messages:
            raise SystemExit(f"the job ended: {job.ending} {job.detail}")
        how = child.wait(5)
        if how is None:
            raise SystemExit("the child did not end")
        self.child.append(how.cpu_seconds * 1e3)
        self.runtime.refill()


def begin(worker: str, layers: frozenset[str]) -> Series:
    config = Config(worker, LIMITS, 12, tuple(sorted(layers)), (str(ROOT / "tests/sandbox"),))
    began = time.perf_counter()
    runtime = Runtime(sys.executable, config, spares=2)
    series = Series(runtime, time.perf_counter() - began)
    series.zygote_before = series.zygote_cpu()
    return series


def report(name: str, series: Series, jobs: int) -> float:
    zygote = (series.zygote_cpu() - series.zygote_before) / jobs
    total = statistics.median(series.child) + zygote
    cpu = f"child CPU median {statistics.median(series.child):6.2f} min {min(series.child):6.2f}   zygote CPU {zygote:5.2f}"
    wall = f"wall median {statistics.median(series.wall):7.2f} min {min(series.wall):6.2f} ms"
    print(f"  {name:10s} start {series.start_seconds:5.2f} s   {cpu}   {wall}")
    return total


def measure(worker: str, jobs: int) -> None:
    request = json.dumps({"source": SOURCES[worker], "levels": ["jaxpr"]}).encode()
    open_, closed = begin(worker, frozenset()), begin(worker, ALL_LAYERS)
    own_before = resource.getrusage(resource.RUSAGE_SELF)
    for _ in range(jobs):
        open_.one(request)
        closed.one(request)
    own = resource.getrusage(resource.RUSAGE_SELF)
    print(
        f"{worker}, {jobs} jobs each, layers: {', '.join(closed.runtime.ready['layers'])}; {', '.join(closed.runtime.ready['namespaces'])}"
    )
    without, with_ = report("no layers", open_, jobs), report("all layers", closed, jobs)
    spent = (own.ru_utime + own.ru_stime - own_before.ru_utime - own_before.ru_stime) * 1e3 / (2 * jobs)
    print(f"  isolation costs {with_ - without:.2f} ms of CPU a job (goal: under 5); the supervisor's own part {spent:.2f} ms")
    open_.runtime.close()
    closed.runtime.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worker", choices=SOURCES, action="append")
    parser.add_argument("--jobs", type=int, default=60)
    arguments = parser.parse_args()
    for worker in arguments.worker or SOURCES:
        measure(worker, arguments.jobs)


if __name__ == "__main__":
    main()
