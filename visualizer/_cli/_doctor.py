"""`jaxpr-visualizer doctor`: what works on this machine, and what to do about the rest.

Promises: one line per finding, `ok`, `note` (works, with less) or `fail` (something that you need does not).
The exit code is 1 when one is `fail`.
Must never: change anything.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import click

from visualizer.runtimes import installed
from visualizer.web import Settings, Tracer
from visualizer.web._serve import CannotBind, bind, choose_server

from ._tracer import make_tracer

Verdict = Literal["ok", "note", "fail"]
LIBRARIES = ("flax", "equinox", "optax")
TIERS = {
    "A": "Landlock and seccomp hold, in a file tree and a network of their own; may serve others",
    "B": "Landlock and seccomp hold; may serve others",
    "C": "seccomp holds, in a file tree and a network of their own; may serve others, a kernel with Landlock is better",
    "local": "for your own code on your own machine; `serve` listens on loopback only",
}
LAYERS = {
    "rlimits": "no limits of processor time and memory per job",
    "landlock": "files are not fenced off by the kernel (Landlock: Linux 5.13 or newer, switched on)",
    "seccomp": "system calls are not filtered (seccomp with x86-64 or arm64 Linux)",
    "uid": "jobs run as your own user: only root, or user namespaces, can give them another",
}
NAMESPACES = "no namespaces here (usual in containers): network and file tree are fenced off by the other layers alone"


@dataclass(frozen=True)
class Finding:
    """One line of the report."""

    verdict: Verdict
    text: str


def run(port: int) -> int:
    bad = False
    for finding in findings(Settings(), make_tracer(), port):
        click.echo(f"{finding.verdict:<5} {finding.text}")
        bad = bad or finding.verdict == "fail"
    return 1 if bad else 0


def findings(settings: Settings, tracer: Tracer, port: int) -> Iterator[Finding]:
    yield _python()
    yield from _jax()
    yield from _sandbox(tracer)
    yield from _built(settings.static)
    yield Finding("ok", f"server: {choose_server('auto')}")
    yield _port(settings.host, port)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    good = (3, 11) <= sys.version_info[:2] <= (3, 13)
    return Finding("ok", f"Python {version}") if good else Finding("fail", f"Python {version}: 3.11, 3.12 or 3.13 is needed")


def _jax() -> Iterator[Finding]:
    # Asked of the installed metadata: importing jax here would take longer than everything else together.
    for name in ("jax", "jaxlib"):
        version = _version(name)
        if version is None:
            yield Finding("fail", f"{name} is not installed: pip install {name}")
        else:
            yield Finding("ok", f"{name} {version}")
    for one in installed():
        if one.problem:
            yield Finding("note", f"JAX {one.version} beside it cannot be used: {one.problem}")
        else:
            yield Finding("ok", f"JAX {one.version} beside it ({one.about}): pastes can be traced with it")
    there = [f"{name} {version}" for name in LIBRARIES if (version := _version(name))]
    missing = [name for name in LIBRARIES if _version(name) is None]
    if there:
        yield Finding("ok", f"pastes may also import {', '.join(there)}")
    if missing:
        yield Finding("note", f"not installed, so pastes cannot import them: {', '.join(missing)}")


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _sandbox(tracer: Tracer) -> Iterator[Finding]:
    try:
        tracer.start()
        health = tracer.health()
    except Exception as error:  # whatever it is, it belongs in the report
        yield Finding("fail", f"the sandbox does not start: {error}")
        return
    finally:
        tracer.close()
    yield from sandbox_findings(health)


def sandbox_findings(health: Mapping[str, Any]) -> Iterator[Finding]:
    """What the sandbox says about itself, in sentences."""
    if not health.get("ready"):
        yield Finding("fail", f"the sandbox is not ready: {health.get('error') or 'no reason given'}")
        return
    tier = str(health.get("tier"))
    public = tier in {"A", "B", "C"}
    yield Finding("ok" if public else "note", f"isolation {tier}: {TIERS.get(tier, 'unknown')}")
    leaks = [str(leak) for leak in health.get("leaks") or ()]
    if leaks:
        yield Finding("note", f"the self-test got through by: {', '.join(leaks)}")
    layers = [str(layer) for layer in health.get("layers") or ()]
    for name, meaning in LAYERS.items():
        if not any(layer.split()[0] == name for layer in layers):
            yield Finding("note", f"without {name}: {meaning}")
    if not health.get("namespaces"):
        yield Finding("note", NAMESPACES)


def _built(static: Path) -> Iterator[Finding]:
    if (static / "index.html").exists():
        yield Finding("ok", "the page is built")
    else:
        yield Finding("fail", "the page is not built: run `make build` in the repository, or install the wheel")
    bundle = Path(__file__).parent.parent / "drawing" / "bundle"
    if any(bundle.glob("*.js")):
        yield Finding("ok", "the drawing code for export is built")
    else:
        yield Finding("note", "the drawing code for export is not built: run `make build`")


def _port(host: str, port: int) -> Finding:
    try:
        bind(host, port).close()
    except CannotBind as error:
        return Finding("note", str(error))
    return Finding("ok", f"port {port} is free")
