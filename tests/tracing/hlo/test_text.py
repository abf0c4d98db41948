"""The printed grammar: every instruction with its place, and errors with theirs."""

from __future__ import annotations

import pytest

from visualizer.tracing.hlo._attributes import unquoted
from visualizer.tracing.hlo._shapes import element, leaves, parts
from visualizer.tracing.hlo._text import HloError, read_hlo

from .texts import BRANCHES, LOOP


def test_instructions_stand_where_they_say():
    module = read_hlo(LOOP)
    assert [computation.name for computation in module.computations] == ["fused", "body", "cond", "main"]
    for computation in module.computations:
        assert LOOP[computation.start :].startswith(("%", "ENTRY %"))
        assert LOOP[: computation.end].endswith("}")
        for one in computation.instructions:
            assert LOOP[one.start : one.end].removeprefix("ROOT ").startswith(f"%{one.name} = ")
            assert LOOP[one.end] == "\n"
    body = module.computations[1]
    assert [(one.opcode, one.operands) for one in body.instructions if one.root] == [("tuple", ["next", "new", "xs"])]
    assert body.instructions[0].shape == "(s32[], f32[3]{0}, f32[5,3]{1,0})"
    assert module.tables["FileLocations"][1].startswith("{file_name_id=1")


def test_the_short_form_without_percents_and_types():
    module = read_hlo(BRANCHES)
    main = module.computations[-1]
    assert main.entry
    assert main.instructions[3].attributes == {"true_computation": "neg", "false_computation": "same"}
    assert [one.literal for one in main.instructions if one.opcode in ("constant", "parameter")] == ["0", "1", "0"]


@pytest.mark.parametrize(
    ("line", "operands", "attributes"),
    [
        ('a = f32[2]{0} add(f32[2]{0} %x, f32[2]{0} %y), metadata={op_name="a, b\\"}" source_line=1}', ["x", "y"], ["metadata"]),
        ("a = f32[8,128]{1,0:T(8,128)S(1)} copy(x), sharding={devices=[2,1]<=[2]}", ["x"], ["sharding"]),
        ('a = ((f32[2], token[]), s32[]) custom-call(), custom_call_target="f", backend_config="{a: [1, 2)}"', [], None),
        ("a = f32[1,1] convolution(x, y), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f", ["x", "y"], ["window", "dim_labels"]),
        ("a = (f32[2], /*index=1*/f32[2]) tuple(x, /*index=1*/y)", ["x", "y"], []),
        ("a = f32[<=4] get-tuple-element((f32[<=4], s32[]) x), index=0", ["x"], ["index"]),
    ],
)
def test_what_instructions_hold(line, operands, attributes):
    found = read_hlo(f"HloModule m\n\nENTRY e {{\n  {line}\n}}\n").computations[0].instructions[0]
    assert found.operands == operands
    assert attributes is None or list(found.attributes) == attributes


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("module {}", "module"),
        ("HloModule m\n\nENTRY e {\n  a = f32[2] add(x\n}\n", "}\n"),
        ("HloModule m\n\nENTRY e {\n  a = nothing\n}\n", "nothing"),
        ("HloModule m\n\nENTRY e {\n  = f32[] add(x)\n}\n", "= f32"),
        ('HloModule m\n\nENTRY e {\n  a = f32[] constant(1), metadata={op_name="x\n}\n', '"x'),
        ("HloModule m\n\nwhat is this", "what"),
    ],
)
def test_errors_name_their_place(text, at):
    with pytest.raises(HloError) as raised:
        read_hlo(text)
    assert abs(raised.value.at - text.index(at)) <= 1


def test_shapes():
    assert parts("f32[2]") is None
    assert leaves("(s32[], (f32[2]{0:T(8,128)}, token[]), ())") == ("s32[]", "f32[2]{0:T(8,128)}", "token[]")
    assert element("(s32[], (f32[2], token[]), f32[])", 1) == range(1, 3)
    assert element("(s32[])", 4) is None


def test_xla_escapes_byte_by_byte():
    assert unquoted(r'"jit(f)/\037e1\037/gr\303\274n\n"') == "jit(f)/\x1fe1\x1f/grün\n"
    assert unquoted('"grün"') == "grün"
