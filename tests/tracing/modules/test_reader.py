from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

import pytest

from visualizer.model import Trace
from visualizer.tracing import trace_source
from visualizer.tracing.compat import mlir

from .texts import BLOCKS, LOCATED, LOOP, REDUCED, UNKNOWN


def read(text: str, **request: Any) -> dict[str, Any]:
    found = trace_source(text, **request)
    Trace.model_validate(found)
    assert found["input"] == "mlir"
    return found


def ops_of(module: dict[str, Any]) -> Iterator[dict[str, Any]]:
    def within(region: dict[str, Any]) -> Iterator[dict[str, Any]]:
        for block in region["blocks"]:
            for op in block["ops"]:
                yield op
                for inner in op["regions"]:
                    yield from within(inner)

    for function in module["functions"]:
        yield from within(function["region"])
    yield from module["ops"]


def module_of(found: dict[str, Any]) -> dict[str, Any]:
    (program,) = found["programs"]
    return program["modules"]["stablehlo"]


def covered(text: str, span: dict[str, Any]) -> str:
    lines = text.split("\n")[span["line"] - 1 : span["end_line"]]
    lines[-1] = lines[-1][: span["end_col"]]
    lines[0] = lines[0][span["col"] :]
    return "\n".join(lines)


def spans(text: str) -> dict[str, str]:
    """What each operation covers in the text, by its name and how many of that name came before it."""
    found: dict[str, str] = {}
    for op in ops_of(module_of(read(text))):
        key, number = op["name"], 2
        while key in found:
            key, number = f"{op['name']} {number}", number + 1
        found[key] = "" if op["span"] is None else covered(text, op["span"])
    return found


def test_a_module_is_a_program_without_a_jaxpr():
    found = read(LOOP)
    (program,) = found["programs"]
    assert (program["name"], program["origin"], program["entry"], program["span"], program["jaxprs"]) == ("@loop", "module", None, None, {})
    module = program["modules"]["stablehlo"]
    assert module["dialect"] == "stablehlo"
    assert [function["name"] for function in module["functions"]] == ["main", "step"]
    assert program["texts"]["stablehlo"]["text"] == module["text"]
    (call,) = [op for op in ops_of(module) if op["name"] == "func.call"]
    assert call["callee"] == "step"
    (loop,) = [op for op in ops_of(module) if op["name"] == "stablehlo.while"]
    assert [region["label"] for region in loop["regions"]] == ["cond", "body"]
    assert [module["values"][result]["role"] for result in loop["results"]] == ["counter", "carry"]
    assert found["diagnostics"] == []


def test_operations_stand_where_the_paste_has_them():
    found = spans(LOOP)
    assert found["stablehlo.constant"] == "%zero = stablehlo.constant dense<0> : tensor<i32>"
    assert found["func.call"] == "%next = func.call @step(%c) : (tensor<4xf32>) -> tensor<4xf32>"
    assert found["stablehlo.while"].startswith("%out:2 = stablehlo.while(") and found["stablehlo.while"].endswith("tensor<4xf32>\n    }")
    assert found["func.return"] == "return %out#1 : tensor<4xf32>"
    main, step = module_of(read(LOOP))["functions"]
    assert covered(LOOP, main["span"]).startswith("func.func public @main(") and covered(LOOP, main["span"]).endswith("\n  }")
    assert covered(LOOP, step["span"]).count("\n") == 3


def test_values_have_the_names_that_the_text_gives_them():
    module = module_of(read(LOOP))
    named = {value["label"] for value in module["values"].values()} - {None}
    assert named == {"%x", "%n", "%zero", "%one", "%out#0", "%out#1", "%i", "%c", "%more", "%next", "%j"}
    (loop,) = [op for op in ops_of(module) if op["name"] == "stablehlo.while"]
    assert [[module["values"][arg]["label"] for arg in region["blocks"][0]["args"]] for region in loop["regions"]] == [["%i", "%c"]] * 2
    # What MLIR prints by itself is nobody's name.
    assert {value["label"] for value in module_of(read(module["text"]))["values"].values()} == {None}


def test_locations_are_words_and_take_no_place_away():
    found = spans(LOCATED)
    assert found["stablehlo.add"] == "%0 = stablehlo.add %arg0, %arg0 : tensor<2xf32> loc(#loc2)"
    assert found["stablehlo.custom_call"].startswith('%1 = "stablehlo.custom_call"') and found["stablehlo.custom_call"].endswith(":40:2))")
    said = {op["name"]: op.get("location") for op in ops_of(module_of(read(LOCATED)))}
    assert said == {
        "stablehlo.add": "jit(f)/add, train.py:12:4",
        "stablehlo.custom_call": "jit(f)/call, train.py:3:1, called from train.py:40:2",
        "stablehlo.negate": "fused from a; b, m.py:1:2",
        "func.return": None,
    }


def test_blocks_end_what_stands_before_them():
    found = spans(BLOCKS)
    assert found["cf.cond_br"] == "cf.cond_br %c, ^yes(%x : f32), ^no"
    assert found["cf.br"] == "cf.br ^no"
    (function,) = module_of(read(BLOCKS))["functions"]
    assert [len(block["ops"]) for block in function["region"]["blocks"]] == [1, 2, 1]
    assert all(op["text_span"] is not None for op in ops_of(module_of(read(BLOCKS))))


def test_a_reducer_in_short_has_no_place_and_the_reduction_has():
    found = spans(REDUCED)
    assert found["stablehlo.reduce"].startswith("%0 = stablehlo.reduce(%x init: %z) applies")
    assert found["stablehlo.add"] == ""
    assert found["stablehlo.reduce 2"].endswith("\n    }")
    assert found["stablehlo.add 2"] == "%2 = stablehlo.add %a, %b : tensor<f32>"


def test_what_jaxlib_does_not_know_is_kept_with_a_note():
    found = read(UNKNOWN)
    assert [op["name"] for op in ops_of(module_of(found))] == ["mine.show", "mine.show", "func.return"]
    assert found["notes"] == ["jaxlib does not know these operations, so they are kept as they stand, unchecked: mine.show ×2."]
    assert spans(UNKNOWN)["mine.show"] == '"mine.show"(%x) {note = "π"} : (tensor<2xf32>) -> ()'


def test_each_section_of_a_split_file_is_a_program_with_its_lines():
    text = f"// only comments\n// -----\n{LOOP}// -----\nfunc.func @broken() {{\n  return %no : f32\n}}\n// -----\n\n{UNKNOWN}"
    found = read(text)
    assert [program["name"] for program in found["programs"]] == ["@loop", "@f"]
    assert [covered(text, program["span"]).strip() for program in found["programs"]] == [LOOP.strip(), UNKNOWN.strip()]
    assert [op["name"] for op in ops_of(found["programs"][1]["modules"]["stablehlo"])] == ["mine.show", "mine.show", "func.return"]
    (problem,) = found["diagnostics"]
    assert covered(text, problem["span"]) == "%no"
    assert problem["message"] == "use of undeclared SSA value name"
    places = [covered(text, op["span"]) for op in ops_of(found["programs"][1]["modules"]["stablehlo"])]
    assert places[0].startswith('"mine.show"(%x) {note')


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("module {\n  func.func @f() {\n", "", "expected operation name in quotes"),
        ("module {\n  check.that %x\n}", "check.that", "Dialect `check' not found for custom op 'check.that'"),
        (
            'module {\n  %0 = "a.c"() {a = "é"} : () -> f32 "a.d"(%y) : (f32) -> ()\n}',
            "%y",
            "use of undeclared SSA value",
        ),
        ('module {\n  %0 = "stablehlo.add"() : () -> f32 loc("t.py":1:2)\n}', '"stablehlo.add"', "expected 2 operands, but found 0"),
    ],
)
def test_what_does_not_parse_has_the_parsers_message_at_its_place(text, place, message):
    found = read(text)
    assert found["programs"] == []
    (problem,) = found["diagnostics"]
    assert message in problem["message"]
    assert covered(text, problem["span"]) == place


def test_large_constants_are_elided_with_their_size():
    numbers = ", ".join(["1.5"] * 4095 + ["2.5"])
    found = read(f"%0 = stablehlo.constant dense<[{numbers}]> : tensor<4096xf32>\n%1 = stablehlo.constant dense<7> : tensor<4096xi32>")
    values = [op["attributes"]["value"] for op in ops_of(module_of(found))]
    assert values == ["dense<… 4,096 x f32> : tensor<4096xf32>", "dense<7> : tensor<4096xi32>"]
    assert len(module_of(found)["text"]) < 400


def test_bytecode_and_artefacts_come_as_data():
    ir = mlir()
    from jaxlib.mlir.dialects import stablehlo

    from visualizer.tracing._compat_mlir import mlir_context

    with mlir_context() as context:
        module = ir.Module.parse(LOOP, context=context)
        import io

        plain = io.BytesIO()
        module.operation.write_bytecode(plain)
        portable = stablehlo.serialize_portable_artifact(module, stablehlo.get_minimum_version())
    for data in (plain.getvalue(), portable):
        found = read("", data=base64.b64encode(data).decode())
        assert [op["name"] for op in ops_of(module_of(found))] == [op["name"] for op in ops_of(module_of(read(LOOP)))]
        assert all(op["span"] is None for op in ops_of(module_of(found)))


def test_bytes_that_are_cut_short_are_refused():
    found = read("", data=base64.b64encode(b"ML\xefR\x01StableHLO_v1.0.0\0\x01\x02").decode())
    (problem,) = found["diagnostics"]
    assert problem["code"] == "mlir-error"
    assert problem["message"].startswith("It was made by StableHLO_v1.0.0.")
    assert problem["span"] is None


@pytest.mark.parametrize(
    ("data", "code", "part"),
    [
        ("!", "bad-data", "base64"),
        ("", "empty-paste", "empty"),
        (base64.b64encode(b"\x1f\x8b\x08").decode(), "unsupported-input", "gzip"),
        (base64.b64encode(b"\xff\xfe\x00").decode(), "not-text", "byte 0"),
    ],
)
def test_other_bytes_are_refused_in_words(data, code, part):
    (problem,) = trace_source("", data=data)["diagnostics"]
    assert (problem["code"], problem["field"]) == (code, "data")
    assert part in problem["message"]


def test_data_that_is_text_is_read_as_text():
    assert read("", data=base64.b64encode(LOOP.encode()).decode())["programs"][0]["name"] == "@loop"


def test_sections_that_killed_the_parser_are_left_out_and_told_of():
    text = "module @a {}\n// -----\nmodule @b {}\n// -----\nmodule @c {}\n"
    found = read(text, died=[[1, "SIGSEGV"]])
    assert [program["name"] for program in found["programs"]] == ["@a", "@c"]
    (problem,) = found["diagnostics"]
    assert (problem["code"], problem["message"]) == ("parser-crash", "jaxlib's MLIR parser crashed on this section (SIGSEGV).")
    assert covered(text, problem["span"]) == "module @b {}"
    slow = read(text, died=[[0, "cpu"], [1, "cpu"]])
    assert slow["programs"] == []
    assert [problem["severity"] for problem in slow["diagnostics"]] == ["error", "error", "warning"]


def test_a_module_without_a_name_is_called_after_the_function_that_no_other_calls():
    def function(name: str, body: str) -> str:
        return f"func.func @{name}(%a: tensor<f32>) -> tensor<f32> {{ {body} }}\n"

    helper = function("helper", "return %a : tensor<f32>")
    calls = "%0 = call @helper(%a) : (tensor<f32>) -> tensor<f32>  return %0 : tensor<f32>"
    assert [program["name"] for program in read(helper + function("model", calls))["programs"]] == ["@model"]
    text = "func.func @other() { return }\n" + helper + function("main", calls)
    assert [program["name"] for program in read(text)["programs"]] == ["@main"]
    several = "func.func @first() { return }\nfunc.func @second() { return }\n"
    assert [program["name"] for program in read(several)["programs"]] == ["2 functions"]
    assert [program["name"] for program in read(several + "func.func public @third() { return }\n")["programs"]] == ["@third"]
    private = several.replace("@first", "private @first")
    assert [program["name"] for program in read(private)["programs"]] == ["@second"]
