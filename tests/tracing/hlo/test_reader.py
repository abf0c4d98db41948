"""HLO texts as they are pasted: programs that validate, agree with XLA's own parser, and problems at their line."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from visualizer.model import Trace
from visualizer.tracing._compat_hlo import instructions_of, parse_hlo
from visualizer.tracing._source import trace_source

from .texts import BRANCHES, LOOP, SHARED

REAL = sorted(SHARED.glob("*.hlo"))


def traced(text, **request):
    trace = trace_source(text, **request)
    Trace.model_validate(trace)
    return trace


def module_of(text):
    trace = traced(text)
    assert trace["diagnostics"] == []
    return trace["programs"][0]["modules"]["hlo"]


def ops_of(block):
    for op in block["ops"]:
        if op["name"] != "return":
            yield op
        for region in op["regions"]:
            for inner in region["blocks"]:
                yield from ops_of(inner)


def given_by(block):
    assert block["ops"][-1]["name"] == "return"
    return [operand["value"] for operand in block["ops"][-1]["operands"]]


def all_ops(module):
    return [op for function in module["functions"] for block in function["region"]["blocks"] for op in ops_of(block)]


def test_a_loop_has_one_value_for_each_that_it_carries():
    module = module_of(LOOP)
    names = {key: value["name"] for key, value in module["values"].items()}
    assert [function["name"] for function in module["functions"]] == ["fused", "main"]
    main = module["functions"][1]
    assert [module["values"][arg]["label"] for arg in main["args"]] == ["params['h']", "xs"]
    loop = next(op for op in all_ops(module) if op["name"] == "while")
    assert [region["label"] for region in loop["regions"]] == ["cond", "body"]
    assert [names[value] for value in loop["results"]] == ["%loop#0", "%loop#1", "%loop#2"]
    cond, body = (region["blocks"][0] for region in loop["regions"])
    assert len(loop["operands"]) == len(body["args"]) == len(cond["args"]) == len(given_by(body)) == 3
    assert [names[value] for value in given_by(cond)] == ["%less"]
    fusion = next(op for op in all_ops(module) if op["name"] == "fusion")
    assert fusion["callee"] == "fused"
    assert [op["location"] for op in all_ops(module) if "location" in op] == ["jit(f)/while/body/add, train.py:7"]


def test_an_instruction_stands_at_its_line():
    module = module_of(LOOP)
    lines = LOOP.split("\n")
    for op in all_ops(module):
        span = op["span"]
        name = module["values"][op["results"][0]]["name"].partition("#")[0]
        assert lines[span["line"] - 1][span["col"] : span["end_col"]].removeprefix("ROOT ").startswith(f"{name} = ")
        assert LOOP[slice(*op["text_span"])] == lines[span["line"] - 1][span["col"] : span["end_col"]]


def test_branches_take_the_operands_of_their_conditional_in_turn():
    module = module_of(BRANCHES)
    conditional = next(op for op in all_ops(module) if op["name"] == "conditional")
    assert [region["label"] for region in conditional["regions"]] == ["true", "false"]
    taken = [region["blocks"][0]["args"] for region in conditional["regions"]]
    assert [len(args) for args in taken] == [1, 1]
    assert len(conditional["operands"]) == 1 + sum(len(args) for args in taken)
    # A reducer that two share stays a function, and stands in both.
    assert [function["name"] for function in module["functions"]] == ["plus", "main"]
    assert len(given_by(module["functions"][1]["region"]["blocks"][0])) == 3


@pytest.mark.skipif(not REAL, reason="the shared modules are not there")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_real_modules_agree_with_their_truth(path):
    text = path.read_text()
    truth = next(row for row in json.loads((SHARED / "index.json").read_text()) if row["file"] == path.name)["parse"]
    module = module_of(text)
    assert module["name"] == truth["name"]
    parsed = instructions_of(parse_hlo(text))
    assert {name: len(names) for name, names in parsed.items()} == truth["instructions_per_computation"]
    found = Counter(_camel(op["name"]) for op in {tuple(op["text_span"]): op for op in all_ops(module)}.values())
    found["kParameter"] = truth["opcode_counts"]["kParameter"]  # binders, not ops
    assert found == Counter(truth["opcode_counts"])


def _camel(opcode):
    return "k" + "".join(word.capitalize() for word in opcode.split("-"))


def test_several_modules_are_several_programs_and_a_broken_one_takes_nothing_with_it():
    broken = "HloModule bad\n\nENTRY e {\n  a = f32[3] parameter(0)\n  ROOT b = f32[3] addd(a, a)\n}\n"
    trace = traced(f"{LOOP}\n{broken}\n{BRANCHES}")
    assert [program["name"] for program in trace["programs"]] == ["jit_f", "pick"]
    [problem] = trace["diagnostics"]
    line = LOOP.count("\n") + 1 + 5
    assert (problem["code"], problem["span"]["line"], problem["span"]["col"]) == ("hlo-error", line, 18)
    assert "Unknown opcode: addd" in problem["message"]
    assert trace["programs"][1]["span"]["line"] == line + 3


def test_what_is_written_short_is_shown_as_xla_prints_it():
    trace = traced("HloModule m\n\nENTRY e {\n  a = f32[3] parameter(0)\n  ROOT b = f32[3] add(a, negate(a))\n}\n")
    assert trace["diagnostics"] == []
    assert [op["name"] for op in all_ops(trace["programs"][0]["modules"]["hlo"])] == ["negate", "add"]
    assert any("as XLA prints it" in note for note in trace["notes"])


@pytest.mark.parametrize("text", ["// only words", "HloModule", "HloModule m", "f32[3] add(", "HloModule m\n\nENTRY e { }"])
def test_what_cannot_be_read_says_so_at_a_line(text):
    trace = traced(text, input="hlo")
    assert trace["programs"] == []
    [problem] = trace["diagnostics"]
    assert problem["message"] and (problem["span"] is None) == (problem["code"] == "empty-paste")


def test_huge_constants_are_their_size():
    values = ", ".join(["1"] * 100)
    module = module_of(f"HloModule m\n\nENTRY e {{\n  ROOT a = f32[100] constant({{{values}}})\n}}\n")
    assert all_ops(module)[0]["attributes"]["value"] == "{… 100 x f32}"


def test_a_module_that_killed_the_parser_is_left_out_and_told_of():
    trace = traced(f"{BRANCHES}{LOOP}", died=[[0, "SIGSEGV"]])
    assert [program["name"] for program in trace["programs"]] == ["jit_f"]
    [problem] = trace["diagnostics"]
    assert (problem["code"], problem["message"]) == ("parser-crash", "XLA's HLO parser crashed on this section (SIGSEGV).")
    assert (problem["span"]["line"], problem["span"]["end_line"]) == (1, BRANCHES.count("\n"))
