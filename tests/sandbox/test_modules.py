"""Modules in the real sandbox: whatever the text or the bytes are, there is a graph or a diagnostic, and the next request is answered."""

from __future__ import annotations

import base64
import io
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.tracing.modules.texts import BLOCKS, DEEP, LOCATED, LOOP, REDUCED, UNKNOWN
from visualizer.model import Trace, merge_messages
from visualizer.sandbox import Limits, Supervisor

pytestmark = pytest.mark.sandbox
TEXTS = [BLOCKS, LOCATED, LOOP, REDUCED, UNKNOWN]
PIECES = [
    "%0",
    "@f",
    "tensor<",
    ">",
    "{",
    "}",
    "(",
    ")",
    '"',
    "//",
    "// -----\n",
    "loc(",
    "dense<",
    "^bb0",
    "#loc",
    "!x.y",
    "\n",
    ":",
    "=",
    "é",
    "999999999999",
]
# Of processor time, with what a retry gets after the limit, on a machine that does much else.
LONGEST = 60.0
Ask = Callable[..., Trace]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    with Supervisor("visualizer.tracing:worker", limits=Limits(cpu_seconds=3, wall_seconds=60)) as supervisor:

        def ask(source: str = "", **request: Any) -> Trace:
            started = time.monotonic()
            lines = list(supervisor.trace({"source": source, "levels": ["jaxpr", "stablehlo"], **request}))
            assert time.monotonic() - started < LONGEST
            return Trace.model_validate(merge_messages(lines))

        yield ask


def told(trace: Trace) -> None:
    """There is a program, or a reason with a place."""
    assert trace.programs or trace.diagnostics
    assert not {found.code for found in trace.diagnostics} & {"internal", "bad-result", "crashed", "result-limit"}, trace.diagnostics
    for found in trace.diagnostics:
        assert found.message and (found.span is not None or found.code in ("empty-paste", "not-text", "too-large"))


def mutated(text: str, seed: int) -> str:
    """Some of it cut, doubled, swapped or replaced."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 1, 3, 10, 60]))
        new = chance.choice(["", chance.choice(PIECES), text[start:end] * 2, text[end : end + 20]])
        text = text[:start] + new + text[end:]
    return text


@given(st.sampled_from(TEXTS), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_mutated_text_ends_in_a_graph_or_a_line(ask: Ask, text: str, seed: int) -> None:
    told(ask(mutated(text, seed), input="mlir"))


def bytecodes() -> list[bytes]:
    from jaxlib.mlir.dialects import stablehlo

    from visualizer.tracing._compat_mlir import mlir_context
    from visualizer.tracing.compat import mlir

    context = mlir_context()
    context.allow_unregistered_dialects = True
    module = mlir().Module.parse(LOOP, context=context)
    plain = io.BytesIO()
    module.operation.write_bytecode(plain)
    return [plain.getvalue(), stablehlo.serialize_portable_artifact(module, stablehlo.get_minimum_version())]


def test_mutated_bytecode_ends_in_a_graph_or_a_reason(ask: Ask) -> None:
    for number, data in enumerate(bytecodes()):
        for seed in range(10):
            chance = random.Random(seed * 7 + number)
            broken = bytearray(data)
            for _ in range(chance.randint(1, 3)):
                broken[chance.randrange(4, len(broken))] = chance.randrange(256)
            if seed % 5 == 0:
                del broken[chance.randrange(4, len(broken)) :]
            trace = ask(data=base64.b64encode(broken).decode())
            assert trace.programs or trace.diagnostics
            assert not {found.code for found in trace.diagnostics} & {"internal", "bad-result", "crashed"}, trace.diagnostics


def test_what_kills_the_parser_costs_its_section_alone(ask: Ask) -> None:
    trace = ask(f"{LOOP}// -----\n{DEEP}\n// -----\n{BLOCKS}")
    assert [program.name for program in trace.programs] == ["@loop", "@f"]
    (found,) = trace.diagnostics
    assert (found.code, found.message) == ("parser-crash", "jaxlib's MLIR parser crashed on this section (SIGSEGV).")
    assert found.span is not None and found.span.line == LOOP.count("\n") + 2
    assert ask(LOOP).programs


def test_what_always_kills_it_ends_too(ask: Ask) -> None:
    trace = ask("\n// -----\n".join([DEEP] * 7), input="mlir")
    assert trace.programs == ()
    assert {found.code for found in trace.diagnostics} == {"parser-crash"}
    assert "what follows was not read" in trace.diagnostics[-1].message
