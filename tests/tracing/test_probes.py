"""Values on demand must never change an answer: 163 things that Python code does with arrays, held and for real."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.tracing.jobs import plain
from visualizer.tracing._source import merged

PRELUDE = "import jax, jax.numpy as jnp, numpy as np\ndef f(x): return jnp.sin(x) * 2\nx = jnp.arange(3.)\n"
LIBRARIES = ("flax", "optax", "equinox")
# Their answer needs a real run, and they ask for one.
AGAIN = {"donation, then reuse"}
# What they print is compared with plain Python's, too: files whose probes watch what running does.
WATCHED = ("effects", "places", "types")


def probes() -> list[tuple[str, str, str, str]]:
    """(file, name, reason, code) of every probe."""
    found = []
    for path in sorted((Path(__file__).parent / "probes").glob("*.txt")):
        for section in re.split(r"^== ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            title, _, code = section.partition("\n")
            name, _, reason = title.partition(" | ")
            found.append((path.stem, name, reason, code if code.startswith("# alone") else PRELUDE + code))
    return found


PROBES = probes()


def same_everywhere(text: str) -> str:
    """A text without addresses and global counters."""
    return re.sub(r"0x[0-9a-f]+|id=\d+|key=\d+", "ID", text)


def facts(trace: dict) -> dict:
    """What must be equal: programs at every level, what was printed, what went wrong."""
    return {
        "programs": [
            (p["name"], p["origin"], p["count"], p["span"], same_everywhere(p["texts"]["jaxpr"]["text"]))
            for p in trace["programs"]
            if p["origin"] not in ("module", "expression")  # a real run cannot give these
        ],
        "modules": [
            {level: same_everywhere(module["text"]) for level, module in p["modules"].items()}
            for p in trace["programs"]
            if p["origin"] not in ("module", "expression")
        ],
        "output": same_everywhere(trace["output"]["text"]),
        "diagnostics": [
            (d["type"], same_everywhere(d["message"]), d["span"], d["stage"])
            for d in trace["diagnostics"]
            if d["code"] != "nothing-to-trace"
        ],
    }


def ahead(_test, *, file, name, reason, code):
    """The requests of one probe."""
    if missing(reason):
        return []
    runs = [{"source": code}] if name in AGAIN else [{"source": code}, {"source": code, "engine": "real"}]
    return [*runs, plain(code)] if file in WATCHED else runs


def missing(reason):
    """A library that a probe needs and that is not there."""
    return next((library for library in LIBRARIES if library in reason and importlib.util.find_spec(library) is None), None)


def test_every_probe_has_a_reason():
    assert len(PROBES) == 163
    assert len({name for _, name, _, _ in PROBES}) == 163
    assert all(reason for _, _, reason, _ in PROBES)


@pytest.mark.parametrize(("file", "name", "reason", "code"), PROBES, ids=[f"{file}: {name}" for file, name, _, _ in PROBES])
def test_held_and_real_runs_agree(jobs, file, name, reason, code):
    if missing(reason):
        pytest.skip(f"{missing(reason)} is not installed")
    messages = jobs.messages({"source": code})
    if name in AGAIN:
        assert messages == [{"again": {"source": code, "engine": "real"}}]
        return
    held, real = merged(messages), merged(jobs.messages({"source": code, "engine": "real"}))
    assert facts(held) == facts(real)
    assert held["programs"]
    assert [d for d in held["diagnostics"] if d["severity"] == "error"] == []
    if file in WATCHED:
        assert same_everywhere(held["output"]["text"]) == same_everywhere(jobs.printed(code))
