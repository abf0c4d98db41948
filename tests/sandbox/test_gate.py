"""The gate lets whole messages through and nothing else, and never raises anything but its own error."""

from __future__ import annotations

import gc
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from visualizer.sandbox import Limits, _reader
from visualizer.sandbox._errors import BadResult
from visualizer.sandbox._gate import Gate

from . import programs


def encode(value: object) -> bytes:
    return json.dumps(value).encode()


def refused(*lines: bytes) -> str:
    """Why the last of the lines is refused."""
    gate = Gate(Limits())
    for line in lines[:-1]:
        gate.check(line)
    with pytest.raises(BadResult) as problem:
        gate.check(lines[-1])
    return str(problem.value)


def test_a_trace_and_its_patch_pass_unchanged():
    gate = Gate(Limits())
    assert json.loads(gate.check(encode(programs.message()))) == programs.message()
    assert json.loads(gate.check(encode(programs.patch()))) == programs.patch()
    assert gate.levels == {"jaxpr", "stablehlo"}


def test_what_passes_is_made_anew():
    doubled = encode(programs.message()).replace(b'"notes": []', b'"notes": 5, "notes": []')
    try:
        passed = Gate(Limits()).check(doubled)
    except BadResult:
        return
    assert passed.count(b'"notes"') == 1


def test_a_line_has_no_newline_in_it():
    message = programs.message()
    message["trace"]["output"]["text"] = "a\nb\u2028c"
    passed = Gate(Limits()).check(encode(message))
    assert b"\n" not in passed
    assert json.loads(passed)["trace"]["output"]["text"] == "a\nb\u2028c"


@pytest.mark.parametrize(
    "line",
    [
        b"", b"null", b"[]", b"{}", b"5", b'"x"', b"{", b"\xff\xfe", b"\x00", "{}".encode("utf-16"), b"[" * 100_000, b'{"a":' * 100_000,
        b"[" * 100_000 + b"]" * 100_000, b"9" * 5000, b"NaN", b'"\\ud800"', b"\xef\xbb\xbf{}", b'{"level":"jaxpr"}',
    ],
    ids=range(18),
)  # fmt: skip
def test_what_is_no_message_is_refused(line):
    assert refused(line)


@settings(max_examples=50)
@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_else(data):
    assert refused(data)


@settings(max_examples=50)
@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_no_json_raises_anything_else(value):
    assert refused(encode(value))


@pytest.mark.parametrize(("old", "new"), [(b"0.5", b"NaN"), (b"0.5", b"Infinity"), (b"0.5", b"-Infinity"), (b"0.5", b"1e999")])
def test_numbers_that_json_has_not_are_refused(old, new):
    assert "trace.timings" in refused(encode(programs.message()).replace(old, new))


def test_a_lone_surrogate_is_refused():
    message = programs.message()
    message["trace"]["notes"] = ["X"]
    assert refused(encode(message).replace(b"X", b"\\ud800")) == "not JSON"
    assert refused(encode(message).replace(b"X", b"\xed\xa0\x80"))


def test_huge_numbers_are_refused():
    message = programs.message()
    message["trace"]["programs"][0]["jaxprs"]["j0"]["vars"]["v0"]["shape"] = [10**30]
    assert refused(encode(message)) == "a size out of range"
    message["trace"]["programs"][0]["count"] = 0
    assert refused(encode(message).replace(b'"count": 0', b'"count": ' + b"9" * 5000))


def test_an_unknown_field_is_left_out():
    message = programs.message()
    message["trace"]["surprise"] = {"<script>": [float("1e5")]}
    message["trace"]["programs"][0]["jaxprs"]["j0"]["eqns"][0]["surprise"] = 1
    assert json.loads(Gate(Limits()).check(encode(message))) == programs.message()


def test_a_field_that_is_missing_is_named():
    message = programs.message()
    del message["trace"]["output"]["text"]
    assert refused(encode(message)) == "missing at trace.output.text"


@pytest.mark.parametrize("filler", ["1", '""', "{}", "[]", "null"])
def test_a_line_of_nothing_but_values_is_refused_at_once(filler):
    line = encode(programs.message()).replace(b'"notes": []', b'"notes": [' + ",".join([filler] * 200_000).encode() + b"]")
    assert refused(line) in ("far too many values", "string_type at trace.notes")


@pytest.mark.parametrize("escaped", ["", '"', "\\", '\\"'])
def test_commas_within_a_text_are_no_values(escaped):
    """A large constant of an HLO module is printed as nothing but numbers."""
    message = programs.message()
    message["trace"]["notes"] = [escaped + "1," * 200_000 + escaped, escaped]
    assert json.loads(Gate(Limits()).check(encode(message))) == message


@pytest.mark.parametrize("line", [b'"\\"' * 300_000 + b",", b'"' + b"\\" * 300_001 + b"," * 200_000, b'"' * 300_001 + b"," * 200_000])
def test_a_text_without_an_end_costs_no_more_than_one_with(line):
    assert refused(line + b"," * 200_000) in ("far too many values", "not JSON")


def test_only_the_first_error_of_a_field_is_collected():
    """Each would take 240 bytes of the server's memory."""
    message = programs.message()
    message["trace"]["notes"] = [1000000] * 100_000
    message["trace"]["timings"] = {str(number): "x" for number in range(100_000)}
    with pytest.raises(ValidationError) as problem:
        _reader._validator.validate_json(encode(message))
    assert problem.value.error_count() == 2  # one of each field


def test_large_lines_are_read_without_the_collector_which_comes_back():
    message = programs.message()
    message["trace"]["output"]["text"] = "x" * (1 << 19)
    assert gc.isenabled()
    assert json.loads(Gate(Limits()).check(encode(message))) == message
    assert gc.isenabled()
    assert refused(encode(message)[:-1]) == "not JSON"
    assert gc.isenabled()


def test_the_reason_does_not_quote_the_line():
    message = programs.message()
    message["level"] = "<script>"
    assert "script" not in refused(encode(message))


def test_the_order_is_kept():
    first, second = encode(programs.message()), encode(programs.patch())
    assert refused(second) == "a first message without its trace"
    assert refused(first, first) == "a level that was there already"
    assert refused(first, second, second) == "a level that was there already"
    both = {**programs.message(), "patch": programs.patch()["patch"]}
    assert refused(encode(both)) == "a first message without its trace"
    again = {**programs.message(), "level": "stablehlo"}
    assert refused(first, encode(again)) == "a second trace"


def damaged(change) -> bytes:
    program = programs.program()
    change(program)
    return encode(programs.message([program]))


def call_of(program):
    return program["jaxprs"]["j0"]["eqns"][0]["nested"][0]


DAMAGE = {
    "an entry that is not there": lambda p: p.update(entry="j9"),
    "a jaxpr under another id": lambda p: p["jaxprs"]["j0"].update(id="j5"),
    "a variable under another id": lambda p: p["jaxprs"]["j0"]["vars"]["v0"].update(id="v9"),
    "a binder that is not there": lambda p: p["jaxprs"]["j0"].update(invars=["v9"]),
    "a result that is not there": lambda p: p["jaxprs"]["j0"].update(outvars=[{"var": "v9"}]),
    "an operand that is not there": lambda p: p["jaxprs"]["j0"]["eqns"][0]["operands"][0].update(atom={"var": "v9"}),
    "two equations with one id": lambda p: p["jaxprs"]["j1"]["eqns"][0].update(id="e0"),
    "a nested jaxpr that is not there": lambda p: p["jaxprs"]["j0"]["eqns"][0]["nested"][0].update(jaxpr="j9"),
    "a call that does not fit its jaxpr": lambda p: p["jaxprs"]["j0"]["eqns"][0]["nested"][0].update(inputs=[]),
    "a call that does not fit its jaxpr (consts)": lambda p: call_of(p).update(consts=[{"from": "operand", "index": 0}]),
    "a call that does not fit its jaxpr (finals)": lambda p: call_of(p).update(finals=[[], []]),
    "a call output out of range (finals)": lambda p: call_of(p).update(finals=[[{"to": "result", "index": 1}]]),
    "an equation that calls a module that is not there": lambda p: p.update(embedded=[{"eqns": ["e9"], "module": programs.module()}]),
    "a function's argument that is not there": lambda p: p.update(
        embedded=[{"eqns": ["e0"], "module": {**programs.module(), "values": {}}}]
    ),
    "a call input out of range": lambda p: p["jaxprs"]["j0"]["eqns"][0]["nested"][0]["inputs"][0].update(index=1),
    "a call output out of range": lambda p: p["jaxprs"]["j0"]["eqns"][0]["nested"][0]["outputs"][0][0].update(index=-1),
    "a jaxpr that contains itself": lambda p: p["jaxprs"]["j1"]["eqns"][0].update(nested=[programs.call("j0")]),
    "a length out of range": lambda p: p["jaxprs"]["j0"]["eqns"][0].update(trips=-1),
    "a twin that is not there": lambda p: p.update(twins=[{"forward": "e0", "backward": "e0/e9", "recomputed": None, "residuals": []}]),
    "a link from an equation that is not there": lambda p: p.update(links={"stablehlo": {"e9": []}}),
    "a text span out of range": lambda p: p["texts"]["jaxpr"].update(spans={"e0": [0, 10**6]}),
}


@pytest.mark.parametrize("reason", DAMAGE)
def test_a_program_that_is_not_true_to_itself_is_refused(reason):
    assert refused(damaged(DAMAGE[reason])) == reason.partition(" (")[0]


@pytest.mark.parametrize(
    ("kind", "message", "told"),
    [
        ("MemoryError", "", "Stopped at the memory limit, 1024 MB for one run."),
        ("MemoryError", "Unable to allocate 10 GiB", "Stopped at the memory limit, 1024 MB for one run. Unable to allocate 10 GiB"),
        ("JaxRuntimeError", "RESOURCE_EXHAUSTED: no", "Stopped at the memory limit, 1024 MB for one run. RESOURCE_EXHAUSTED: no"),
    ],
)
def test_a_job_that_ran_out_of_memory_is_told_how_much_it_had(kind, message, told):
    line = programs.message()
    span = {"line": 3, "col": 4, "end_line": 3, "end_col": 9}
    found = {
        "severity": "error",
        "code": "python-error",
        "type": kind,
        "message": message,
        "advice": "",
        "span": span,
        "frames": [],
        "stage": "run",
        "field": None,
    }
    other = {**found, "type": "ValueError", "message": "about MemoryError"}
    line["trace"]["diagnostics"] = [found, other]
    first, second = json.loads(Gate(Limits()).check(encode(line)))["trace"]["diagnostics"]
    assert (first["code"], first["type"], first["message"], first["span"]) == ("memory-limit", kind, told, span)
    assert "jax.ShapeDtypeStruct" in first["advice"]
    assert second == other


def test_two_programs_need_two_ids():
    assert refused(encode(programs.message([programs.program(), programs.program()]))) == "two programs with one id"


def test_nesting_has_an_end():
    program = programs.program()
    for number in range(2, 300):
        name, inner = f"j{number}", f"j{number - 1}"
        eqns = [programs.eqn(f"e{number}", ["v0"], ["v1"], [programs.call(inner)])]
        program["jaxprs"][name] = programs.jaxpr(name, ["v0"], ["v1"], eqns, ["v0", "v1"])
    assert refused(encode(programs.message([program]))) == "nesting that is too deep"


def test_a_patch_is_true_to_its_trace():
    first = encode(programs.message())
    stranger = programs.patch()
    stranger["patch"]["programs"]["p9"] = stranger["patch"]["programs"].pop("p0")
    assert refused(first, encode(stranger)) == "a patch for a program that is not there"
    for links, reason in ({"e9": ["o0"]}, "a link from an equation that is not there"), ({"e1": ["o9"]}, "a link's op that is not there"):
        patch = programs.patch()
        patch["patch"]["programs"]["p0"]["links"] = {"stablehlo": links}
        assert refused(first, encode(patch)) == reason


def test_a_module_is_true_to_itself():
    first = encode(programs.message())
    for change, reason in (
        (lambda block: block["ops"][0].update(operands=[{"value": "a9", "role": None}]), "an op's operand that is not there"),
        (lambda block: block["ops"][0].update(results=["a9"]), "an op's result that is not there"),
        (lambda block: block.update(args=["a9"]), "a block argument that is not there"),
        (lambda block: block["ops"].append(block["ops"][0]), "two ops with one id"),
    ):
        patch = programs.patch()
        change(patch["patch"]["programs"]["p0"]["modules"]["stablehlo"]["functions"][0]["region"]["blocks"][0])
        assert refused(first, encode(patch)) == reason
