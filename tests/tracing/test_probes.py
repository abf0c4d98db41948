"""Values on demand must never change an answer: what Python code does with arrays, held and for real."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from tests.tracing.jobs import plain
from visualizer.tracing._source import merged

PRELUDE = "import jax, jax.numpy as jnp, numpy as np\ndef f(x): return jnp.sin(x) * 2\nx = jnp.arange(3.)\n"
LIBRARIES = ("flax", "optax", "equinox")
# Their answer needs a real run, and they ask for one; all others are answered by the held run.
AGAIN = {
    "effects": {"donation, then reuse"},
    "devices": {
        *("deleted", "deleted, what was made of it stays", "deleted twice, never read", "donated and read", "donated, another shape"),
        *(
            "donated twice",
            "donated by name",
            "debug_nans in a context",
            "nans made before and read under the check",
            "donated and used again in one expression",
        ),
        *("donated, then printed, compared, pickled, iterated", "an array much too large, waited for"),
    },
    "programs": {"a module in which an array is deleted"},
    "swallowed": {"an out-of-memory attempt swallowed"},
}
# What they print is compared with plain Python's, too: files whose probes watch what running does.
WATCHED = ("again", "effects", "places", "types", "objects", "keys", "refs", "threads")
# What JAX itself says of the programs of these.
REFUSED = {"abstract meshes", "donated, then printed, compared, pickled, iterated", "a kernel that this machine cannot run"}


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
            (p["name"], p["origin"], p["count"], p["span"], same_everywhere(p["texts"]["jaxpr"]["text"])) for p in trace["programs"]
        ],
        "modules": [{level: same_everywhere(module["text"]) for level, module in p["modules"].items()} for p in trace["programs"]],
        "output": same_everywhere(trace["output"]["text"]),
        "diagnostics": [(d["code"], d["type"], same_everywhere(d["message"]), d["span"], d["stage"]) for d in trace["diagnostics"]],
        "notes": trace["notes"],
        "offers": trace["offers"],
    }


def ahead(_test, *, file, name, reason, code):
    """The requests of one probe."""
    if missing(reason):
        return []
    runs = [{"source": code}, {"source": code, "engine": "real"}]
    return [*runs, plain(code)] if file in WATCHED else runs


def missing(reason):
    """A library that a probe needs and that is not there."""
    return next((library for library in LIBRARIES if library in reason and importlib.util.find_spec(library) is None), None)


def test_every_probe_has_a_reason():
    assert len(PROBES) == 448
    assert len({(file, name) for file, name, _, _ in PROBES}) == len(PROBES)
    assert all(reason for _, _, reason, _ in PROBES)


@pytest.mark.parametrize(("file", "name", "reason", "code"), PROBES, ids=[f"{file}: {name}" for file, name, _, _ in PROBES])
def test_held_and_real_runs_agree(jobs, file, name, reason, code):
    if missing(reason):
        pytest.skip(f"{missing(reason)} is not installed")
    messages = jobs.messages({"source": code})
    real = merged(jobs.messages({"source": code, "engine": "real"}))
    if name in AGAIN.get(file, ()):
        assert messages == [{"again": {"source": code, "engine": "real"}}]
    else:
        assert facts(merged(messages)) == facts(real)
    assert real["programs"]
    assert name in REFUSED or [d for d in real["diagnostics"] if d["severity"] == "error"] == []
    if file in WATCHED:
        assert same_everywhere(real["output"]["text"]) == same_everywhere(jobs.printed(code))
