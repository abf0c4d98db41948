"""Mutated HLO texts: each is a graph, or a problem with a line; what kills XLA's parser kills a child, and is told of.

The parser is native code, so every text is read in a process of its own, as the sandbox does it.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import re

import pytest

from visualizer.model import Trace
from visualizer.tracing._source import trace_source

from .texts import BRANCHES, LOOP, SHARED

_TOKEN = re.compile(r"[\w.\-%]+|\s+|.", re.DOTALL)
_STRANGE = (
    "99999999999999999999",
    "-1",
    "f32[",
    "{",
    "}",
    "(",
    ")",
    "tuple",
    "s32[]",
    "while",
    '"',
    "parameter",
    "nan",
    "%x",
    "ROOT",
    "/*",
    ",",
)
SEEDS = range(4)
EACH = 40


def mutated(text: str, rng: random.Random) -> str:
    tokens = _TOKEN.findall(text)
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
        match rng.randrange(5):
            case 0:
                del tokens[at]
            case 1:
                tokens.insert(at, tokens[other])
            case 2:
                tokens[at] = rng.choice(_STRANGE)
            case 3:
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case _:
                tokens = tokens[: at + 1] if rng.random() < 0.3 else tokens
    return "".join(tokens)


def apart(text: str) -> dict | int:
    """The trace of a text, or the number of the signal that ended the process that read it."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        faulthandler.disable()
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        with os.fdopen(write, "w") as pipe:
            json.dump(trace_source(text, input="hlo"), pipe)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return -code if code else json.loads(said)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mutated_text_is_a_graph_or_a_problem_with_a_line(seed):
    rng = random.Random(seed)
    texts = [LOOP, BRANCHES, *(path.read_text() for path in sorted(SHARED.glob("*.hlo")))]
    for _ in range(EACH):
        text = mutated(rng.choice(texts), rng)
        found = apart(text)
        if isinstance(found, int):
            found = trace_source(text, input="hlo", died=[[index, "SIGSEGV"] for index in range(text.count("HloModule") + 1)])
        Trace.model_validate(found)
        problems = found["diagnostics"]
        assert found["programs"] or problems, text
        assert all(problem["span"] is not None and problem["code"] != "internal" for problem in problems), (problems, text)
