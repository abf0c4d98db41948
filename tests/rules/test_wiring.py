"""Roles and wiring of every primitive that nests jaxprs."""

from __future__ import annotations

from typing import Any

import jax
import pytest

from tests.tracing import kernels, programs
from visualizer.model import Program
from visualizer.rules import RULES, Site, wire
from visualizer.tracing._serialize import serialize

Dict = dict[str, Any]


def eqns_of(program: tuple[Any, Any], primitive: str) -> tuple[Dict, list[Dict]]:
    fun, args = program
    made = serialize(jax.make_jaxpr(fun)(*args)).program
    Program.model_validate(made)
    return made, [eqn for jaxpr in made["jaxprs"].values() for eqn in jaxpr["eqns"] if eqn["primitive"] == primitive]


def wires(call: Dict) -> tuple[list[str], list[list[str]]]:
    return (
        [f"{wire['from']} {wire['index']}" for wire in call["inputs"]],
        [[f"{end['to']} {end['index']}" for end in ends] for ends in call["outputs"]],
    )


def test_scan() -> None:
    _, (eqn,) = eqns_of(programs.scan(), "scan")
    assert [operand["role"] for operand in eqn["operands"]] == ["const", "carry", "xs"]
    assert [result["role"] for result in eqn["results"]] == ["carry", "ys"]
    assert eqn["trips"] == 4
    (call,) = eqn["nested"]
    assert (call["param"], call["label"]) == ("jaxpr", "body")
    assert wires(call) == (["operand 0", "operand 1", "operand 2"], [["next 1", "result 0"], ["result 1"]])


def test_while() -> None:
    _, (eqn,) = eqns_of(programs.while_loop(), "while")
    assert [operand["role"] for operand in eqn["operands"]] == ["cond_const", "body_const", "carry", "carry"]
    assert [result["role"] for result in eqn["results"]] == ["carry", "carry"]
    body, condition = eqn["nested"]
    assert (condition["param"], condition["label"]) == ("cond_jaxpr", "cond")
    assert wires(condition) == (["operand 0", "operand 2", "operand 3"], [["predicate 0"]])
    assert (body["param"], body["label"]) == ("body_jaxpr", "body")
    assert wires(body) == (["operand 1", "operand 2", "operand 3"], [["next 1", "result 0"], ["next 2", "result 1"]])


def test_cond_has_the_false_branch_first() -> None:
    made, (eqn,) = eqns_of(programs.cond(), "cond")
    assert [operand["role"] for operand in eqn["operands"]] == ["index", "operand"]
    assert [(call["param"], call["label"]) for call in eqn["nested"]] == [("branches[0]", "false"), ("branches[1]", "true")]
    assert [[inner["primitive"] for inner in made["jaxprs"][call["jaxpr"]]["eqns"]] for call in eqn["nested"]] == [["mul"], ["sin"]]
    assert all(wires(call) == (["operand 1"], [["result 0"]]) for call in eqn["nested"])


def test_switch_numbers_its_branches() -> None:
    _, (eqn,) = eqns_of(programs.switch(), "cond")
    assert [call["label"] for call in eqn["nested"]] == ["branch 0", "branch 1", "branch 2"]


@pytest.mark.parametrize(
    ("program", "primitive", "param"),
    [
        (programs.jit, "jit", "jaxpr"),
        (programs.checkpoint, "remat2", "jaxpr"),
        (programs.custom_jvp, "custom_jvp_call", "call_jaxpr"),
        (programs.custom_vjp, "custom_vjp_call", "call_jaxpr"),
        (programs.shard_map, "shard_map", "jaxpr"),
    ],
)
def test_plain_calls_are_one_to_one(program: Any, primitive: str, param: str) -> None:
    _, (eqn,) = eqns_of(program(), primitive)
    (call,) = eqn["nested"]
    count = len(eqn["operands"])
    assert (call["param"], call["label"]) == (param, "body")
    assert wires(call) == ([f"operand {i}" for i in range(count)], [["result 0"]])


def test_shared_body_is_there_once() -> None:
    made, eqns = eqns_of(programs.shared_jit(), "jit")
    assert len(eqns) == 2
    assert len({call["jaxpr"] for eqn in eqns for call in eqn["nested"]}) == 1
    assert len(made["jaxprs"]) == 2


def test_linear_solve_runs_solve_alone() -> None:
    _, (eqn,) = eqns_of(programs.linear_solve(), "custom_linear_solve")
    calls = {call["label"]: call for call in eqn["nested"]}
    assert [call["param"] for call in eqn["nested"]] == ["jaxprs.matvec", "jaxprs.vecmat", "jaxprs.solve", "jaxprs.transpose_solve"]
    assert wires(calls["matvec"]) == (["operand 0", "inner 0"], [[]])
    assert wires(calls["vecmat"]) == (["operand 1", "inner 0"], [[]])
    assert wires(calls["solve"]) == (["operand 2"], [["result 0"]])
    assert wires(calls["transpose_solve"]) == (["inner 0"], [[]])


def test_reducer_takes_accumulator_then_element() -> None:
    _, (eqn,) = eqns_of(programs.reduce(), "reduce")
    (call,) = eqn["nested"]
    assert call["label"] == "reducer"
    assert wires(call) == (["operand 1", "operand 0"], [["next 0", "result 0"]])


def test_pallas_index_maps_are_found_in_dataclasses() -> None:
    _, (eqn,) = eqns_of(programs.pallas(), "pallas_call")
    params = [call["param"] for call in eqn["nested"]]
    assert params == [
        "grid_mapping.block_mappings[0].index_map_jaxpr",
        "grid_mapping.block_mappings[1].index_map_jaxpr",
        "jaxpr",
    ]
    first, _, kernel = eqn["nested"]
    assert wires(first) == (["grid 0"], [[]])
    assert wires(kernel) == (["operand 0", "result 0"], [])


# Written by hand from JAX's own source, a line per nested jaxpr: `param label | inputs | outputs`, then, where there are any, `| consts |
# finals`. o: operand, r: result, n: next, g: grid, s: scratch, i: inner; - goes nowhere.
TABLE: dict[str, tuple[str, list[str]]] = {
    # lax.py `_reduce_lower`: reducer(*accumulators, *elements); operands are arrays, then initial values.
    "reduce_two": ("reduce", ["jaxpr reducer | o2 o3 o0 o1 | n0+r0 n1+r1"]),
    "reduce_window": ("reduce_window", ["jaxpr reducer | o1 o0 | n0+r0"]),
    # slicing.py `_scatter_lower`: update(element of operand, element of updates); operand 1 is the indices.
    "scatter_add": ("scatter-add", ["update_jaxpr update | o0 o2 | n0+r0"]),
    "scatter_unique": ("scatter-mul", ["update_jaxpr update | o0 o2 | r0"]),
    # windowed_reductions.py: operand, source, init_value.
    "select_and_scatter": ("select_and_scatter", ["scatter_jaxpr scatter | o2 o1 | n0+r0", "select_jaxpr select | o0 o0 | -"]),
    # state/discharge.py `_run_state_impl`: every binder is a ref of an operand, and its last value is the result at the same place.
    "run_state": ("run_state", ["jaxpr body | o0 o1 |  |  | r0 r1"]),
    # pallas/primitives.py `run_scoped`: bound to the consts; the binders are what is allocated.
    "run_scoped": ("run_scoped", ["jaxpr body | s0 s1 | r0 | o0 | "]),
    "core_map": ("core_map", ["jaxpr kernel |  |  | o0 o1 | "]),
    # pallas/core.py `GridMapping`: kernel(*index, *inputs, *outputs, *scratch), index map(*place, *index).
    "pallas_grid": (
        "pallas_call",
        [
            *(f"grid_mapping.block_mappings[{i}].index_map_jaxpr index map | g0 | -" for i in range(4)),
            "jaxpr kernel | o0 o1 r0 r1 s0 |  |  | - - r0 r1 -",
        ],
    ),
    "pallas_prefetch": (
        "pallas_call",
        [
            *(f"grid_mapping.block_mappings[{i}].index_map_jaxpr index map | g0 o0 | -" for i in range(2)),
            "jaxpr kernel | o0 o1 r0 |  |  | - - r0",
        ],
    ),
    # pallas_call.py `_pallas_call_abstract_eval`: refs that the kernel closes over, then dynamic sizes of the grid, stand ahead.
    "pallas_dynamic_grid": (
        "pallas_call",
        [
            *(f"grid_mapping.block_mappings[{i}].index_map_jaxpr index map | g0 | -" for i in range(2)),
            "jaxpr kernel | o1 r0 |  |  | - r0",
        ],
    ),
    "pallas_closed_ref": (
        "pallas_call",
        [
            *(f"grid_mapping.block_mappings[{i}].index_map_jaxpr index map |  | -" for i in range(2)),
            "jaxpr kernel | o1 r0 |  | o0 | - r0",
        ],
    ),
    "masked_at_places": (
        "pallas_call",
        [
            *(f"grid_mapping.block_mappings[{i}].index_map_jaxpr index map | g0 | - -" for i in range(2)),
            "jaxpr kernel | o0 r0 |  |  | - r0",
        ],
    ),
    "semaphores": (
        "pallas_call",
        ["grid_mapping.block_mappings[0].index_map_jaxpr index map | g0 | -", "jaxpr kernel | r0 s0 |  |  | r0 -"],
    ),
    "copies_on_a_gpu": ("mpmd_map", ["jaxprs[0] kernel | o0 r0 |  |  | - r0"]),
    # pallas/mpmd.py `_mpmd_map_discharge_rule`: each kernel takes the operands, refs of the results, scratch.
    "mpmd": ("mpmd_map", ["jaxprs[0] kernel | o0 r0 s0 |  |  | - r0 -"]),
    # mosaic/sc_primitives.py `_parallel_loop_lowering_rule`: lower, upper, step, consts, carry; the body takes the counter, then the carry.
    "parallel_loop": ("parallel_loop", ["jaxpr body | i0 o5 | n1+r0 | o3 o4 | "]),
    # pallas/primitives.py `_jaxpr_call`: each ref is followed by its indices.
    "jaxpr_call": ("jaxpr_call", ["jaxpr body | o0 o2 | "]),
    # fuser/custom_fusion_lib.py: consts of the function, consts of its kernel, the arguments of both.
    "custom_fusion": ("custom_fusion", ["jaxpr body | o2 o3 | r0 | o0 | ", "pallas_jaxpr kernel | o2 o3 | r0 | o1 | "]),
    # custom_derivatives.py `_linear_call_impl`: the callee takes consts, residuals and linear operands as they stand.
    "linear_call": ("linear_call", ["callee body | o0 o1 | r0"]),
    "linear_call_with_const": ("linear_call", ["callee body | o0 o1 o2 | r0"]),
    "remat_opt": ("remat_opt", ["fwd_jaxpr body | o0 | r0"]),
    "custom_vmap": ("custom_vmap_call", ["call body | o0 o1 | r0"]),
    "custom_partitioning": ("custom_partitioning", ["call body | o0 | r0"]),
    "composite": ("composite", ["jaxpr body | o0 | r0"]),
    "compute_on": ("compute_on", ["jaxpr body | o0 | r0"]),
    "fused": ("fused_call", ["jaxpr body | o0 | r0"]),
    "xla_metadata": ("xla_metadata_call", ["jaxpr body | o0 | r0"]),
    "closed_call": ("closed_call", ["call_jaxpr body | o0 o1 | r0"]),
    "core_call": ("call", ["call_jaxpr body | o0 | r0"]),
    "pmap": ("shard_map", ["jaxpr body | o0 | r0"]),
    # conditionals.py `platform_dependent`: a cond whose branches are platforms.
    "platforms": ("cond", ["branches[0] cpu | o1 | r0", "branches[1] default | o1 | r0"]),
    # solves.py: consts of matvec, vecmat, solve, transpose_solve, then b; solve alone runs as it is, and has the auxiliary results.
    "linear_solve_with_aux": (
        "custom_linear_solve",
        [
            "jaxprs.matvec matvec | o0 i0 | -",
            "jaxprs.vecmat vecmat | o1 i0 | -",
            "jaxprs.solve solve | o2 o4 | r0 r1",
            "jaxprs.transpose_solve transpose_solve | o3 i0 | - -",
        ],
    ),
    "linear_solve_alone": ("custom_linear_solve", ["jaxprs.matvec matvec | o0 i0 | -", "jaxprs.solve solve | o1 o2 | r0"]),
}


def _line(call: Dict) -> str:
    def ins(wires: list[Dict]) -> str:
        return " ".join(f"{wire['from'][0]}{wire['index']}" for wire in wires)

    def outs(ends: list[list[Dict]]) -> str:
        return " ".join("+".join(f"{end['to'][0]}{end['index']}" for end in some) or "-" for some in ends)

    line = f"{call['param']} {call['label']} | {ins(call['inputs'])} | {outs(call['outputs'])}"
    return f"{line} | {ins(call['consts'])} | {outs(call['finals'])}" if call["consts"] or call["finals"] else line


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", TABLE)
def test_wiring_is_what_jax_s_source_says(name: str) -> None:
    primitive, lines = TABLE[name]
    _, eqns = eqns_of(getattr(kernels, name)(), primitive)
    assert [_line(call) for call in eqns[0]["nested"]] == lines


def test_the_table_has_every_program() -> None:
    made = {name for name, value in vars(kernels).items() if callable(value) and getattr(value, "__module__", "") == kernels.__name__}
    made = {name for name in made if name[0] != "_"}
    assert made == set(TABLE)


@pytest.mark.parametrize(
    ("primitive", "params"),
    [
        ("scan", {"num_consts": 7, "num_carry": 9}),
        ("while", {"cond_nconsts": 5, "body_nconsts": 5, "cond_jaxpr": None}),
        ("cond", {"branches": ()}),
        ("pallas_call", {"grid_mapping": None}),
        ("run_state", {"is_initialized": (True, True, True)}),
        ("custom_linear_solve", {"const_lengths": (1, 2)}),
        ("custom_fusion", {"num_consts": "many", "pallas_num_consts": None}),
        ("jaxpr_call", {"ref_treedefs": (None,)}),
        ("mpmd_map", {"jaxprs": "none"}),
        ("select_and_scatter", {}),
    ],
)
def test_a_name_without_its_params_is_any_primitive(primitive: str, params: Dict) -> None:
    # Two operands of other types than the binder, so nothing may be told of it.
    for path in ("jaxpr", "body_jaxpr", "branches[0]", "jaxprs[0]", "jaxprs.solve", "select_jaxpr", "grid_mapping.block_mappings[0]"):
        made = wire(Site(primitive, params, path, ("f32[2]", "f32[3]"), ("f32[2]",), ("f32[]",), ("f32[]",), str), RULES)
        assert made.inputs == [("inner", 0)]
        assert made.outputs == [[]]


def test_a_module_that_is_called_is_part_of_the_program() -> None:
    exported = jax.export.export(jax.jit(lambda x: jax.numpy.sin(x) * 2))(jax.ShapeDtypeStruct((4,), "float32"))
    made, calls = eqns_of((lambda x: exported.call(exported.call(x)), (kernels.X,)), "call_exported")
    (embedded,) = made["embedded"]
    assert embedded["eqns"] == [call["id"] for call in calls]
    assert len(calls) == 2
    (main,) = embedded["module"]["functions"]
    ops = {op["name"] for op in main["region"]["blocks"][0]["ops"]}
    assert ops == {"stablehlo.sine", "stablehlo.constant", "stablehlo.broadcast_in_dim", "stablehlo.multiply", "func.return"}
    assert embedded["module"]["text"].startswith("module @jit__lambda")


def test_a_module_too_large_to_show_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("visualizer.tracing.mlir._embedded.LARGEST", 10)
    exported = jax.export.export(jax.jit(jax.numpy.sin))(jax.ShapeDtypeStruct((4,), "float32"))
    made, calls = eqns_of((exported.call, (kernels.X,)), "call_exported")
    assert len(calls) == 1
    assert made["embedded"] == []
