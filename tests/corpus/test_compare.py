"""The comparer itself: it must agree with agreement, and notice each kind of difference."""

from __future__ import annotations

import copy

import pytest

from . import compare

PROGRAM = {
    "entry": "j0",
    "modules": {},
    "jaxprs": {
        "j0": {
            "constvars": [],
            "invars": ["v0"],
            "outvars": [{"var": "v1"}],
            "vars": {
                "v0": {"aval": "f32[3]", "weak_type": False, "label": "x"},
                "v1": {"aval": "f32[3]", "weak_type": False, "label": None},
            },
            "eqns": [
                {
                    "primitive": "mul",
                    "operands": [{"atom": {"var": "v0"}, "role": "arg"}, {"atom": {"literal": "2.0", "aval": "f32[]"}, "role": "arg"}],
                    "results": [{"var": "v1", "aval": "f32[3]", "used": True, "role": "result"}],
                    "nested": [],
                    "stack": [{"kind": "transform", "name": "transpose"}, {"kind": "transform", "name": "jvp"}],
                }
            ],
        }
    },
}
TRUTH = {
    "total_eqns": 1,
    "max_depth": 0,
    "num_bodies": 1,
    "primitive_counts": {"mul": 1},
    "in_avals": ["f32[3]"],
    "out_avals": ["f32[3]"],
    "bodies": [
        {
            "path": "top",
            "num_eqns": 1,
            "primitives": ["mul"],
            "invars": ["f32[3]"],
            "weak_invars": [],
            "constvars": [],
            "unused_eqn_outputs": [],
            "literal_operands": [[0, 1, 2.0, "f32[]"]],
            "arg_names": ["x"],
            "outvars": [{"aval": "f32[3]", "from_eqn": [0, 0]}],
            "name_stacks": {"0": "transpose(jvp())"},
            "calls": [{"eqn": 0, "primitive": "mul", "operands": [["arg", "f32[3]"], ["arg", "f32[]"]], "results": [["result", "f32[3]"]]}],
        }
    ],
}


def test_agreement_is_silent():
    assert compare.whole_program(PROGRAM, TRUTH) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.update(total_eqns=2), "total_eqns: 1, JAX says 2"),
        (lambda t: t["bodies"][0]["calls"][0]["operands"].__setitem__(0, ["const", "f32[3]"]), "operands"),
        (lambda t: t["bodies"][0].update(arg_names=["y"]), "called 'x', JAX says 'y'"),
        (lambda t: t["bodies"][0].update(unused_eqn_outputs=[[0, 0]]), "unused_eqn_outputs"),
        (lambda t: t["bodies"][0].update(literal_operands=[[0, 1, 3.0, "f32[]"]]), "is '2.0', JAX says 3.0"),
        (lambda t: t["bodies"][0].update(name_stacks={"0": "jvp()"}), "name stack 'transpose(jvp())', JAX says 'jvp()'"),
        (lambda t: t["bodies"][0]["outvars"][0].update(from_eqn=[0, 1]), "outvar from [0, 0], JAX says [0, 1]"),
    ],
)
def test_each_difference_is_said(change, said):
    truth = copy.deepcopy(TRUTH)
    change(truth)
    assert any(said in text for text in compare.whole_program(PROGRAM, truth))


def test_stack_text_wraps_as_jax_does():
    entry = lambda kind, name: {"kind": kind, "name": name}  # noqa: E731
    stack = [entry("transform", "jvp"), entry("scope", "layer"), entry("scope", "attn")]
    assert compare.stack_text(stack) == "jvp(layer)/attn"
    assert compare.stack_text([entry("transform", "transpose"), entry("transform", "jvp")]) == "transpose(jvp())"


def test_a_failure_needs_type_and_line():
    diagnostic = {"severity": "error", "type": "TypeError", "span": {"line": 8}}
    assert compare.failure({"diagnostics": [diagnostic]}, {"error": "TypeError", "user_line": 8}) == []
    assert compare.failure({"diagnostics": [diagnostic]}, {"error": "TypeError", "user_line": 9})
    assert compare.failure({"diagnostics": []}, {"error": "TypeError", "user_line": 9})


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("cond_jaxpr", "top/0:while.cond_jaxpr"),
        ("branches[1]", "top/3:scan.jaxpr/0:cond.branches[1]"),
        ("jaxprs.solve", "top/2:custom_linear_solve.jaxprs[solve]"),
        ("grid_mapping.block_mappings[2].index_map_jaxpr", "top/0:pallas_call.grid_mapping.block_mappings.index_map_jaxpr[2]"),
        ("update_jaxpr", "top/1:scatter-add.update_jaxpr"),
    ],
)
def test_two_spellings_of_a_place_are_one(ours, theirs):
    assert compare._place(ours) == compare._place(theirs)


def test_a_text_that_the_structure_does_not_give_is_noticed():
    import jax

    from visualizer.tracing import serialize

    program = serialize(jax.make_jaxpr(lambda x: x * 2.0)(1.0)).model_dump(mode="json")
    assert compare.written(program) == []
    program["texts"]["jaxpr"]["text"] = program["texts"]["jaxpr"]["text"].replace("2.0", "3.0")
    assert compare.written(program)[0].startswith("text written back: token")
