"""Lowering: JAX's own module, said as data; what fails becomes a diagnostic."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tests.tracing.lowered import TRAIN, Lowering, all_ops, shape, train
from visualizer.model import Diagnostic, ProgramPatch
from visualizer.tracing import compat
from visualizer.tracing._serialize import serialize
from visualizer.tracing.lowering import _stablehlo
from visualizer.tracing.lowering._stablehlo import lower


def test_the_module_is_jaxs_own_of_the_persons_own_function():
    made = Lowering(train, *TRAIN)
    assert made.text == str(made.traced.lower().compiler_ir("stablehlo"))
    assert made.module["name"] == "jit_train"
    assert made.module["functions"][0]["name"] == "main"
    assert not made.result.notes and not made.result.diagnostics


def test_without_the_traced_function_the_module_is_the_same():
    made = Lowering(train, *TRAIN)
    alone = lower(serialize(jax.make_jaxpr(train)(*TRAIN)))
    assert alone.patch["modules"]["stablehlo"] == made.module
    assert alone.patch["links"] == made.result.patch["links"]


def test_a_name_given_names_the_module():
    closed = jax.make_jaxpr(lambda x: x + 1)(shape(3))
    assert lower(serialize(closed), name="step").patch["modules"]["stablehlo"]["name"] == "jit_step"


def test_the_patch_is_of_the_models_shape_and_strict_json():
    patch = Lowering(train, *TRAIN).result.patch
    text = json.dumps(patch, allow_nan=False)
    assert ProgramPatch.model_validate_json(text).model_dump(mode="json", exclude_unset=True) == patch


def test_functions_arguments_and_results():
    made = Lowering(train, *TRAIN)
    main = made.module["functions"][0]
    values = made.module["values"]
    assert [values[arg]["type"] for arg in main["args"]] == ["tensor<3xf32>", "tensor<6x2x3xf32>", "tensor<6x2xf32>", "tensor<f32>"]
    assert [values[arg]["name"] for arg in main["args"]] == ["%arg0", "%arg1", "%arg2", "%arg3"]
    assert [values[arg]["label"] for arg in main["args"]] == ["w", "xs", "ys", "lr"]
    assert main["results"] == ["tensor<3xf32>", "tensor<6xf32>"]
    assert 'jax.result_info = "result[1]"' in main["attributes"]["res_attrs"]


def test_regions_have_the_names_of_their_operation():
    made = Lowering(train, *TRAIN)
    assert [region["label"] for region in made.only("stablehlo.while")["regions"]] == ["cond", "body"]
    assert [region["label"] for region in made.only("stablehlo.reduce")["regions"]] == ["reducer"]
    switch = Lowering(lambda i, x: jax.lax.switch(i, [jnp.sin, jnp.cos, jnp.tan], x), shape(dtype="int32"), shape(3))
    assert [region["label"] for region in switch.only("stablehlo.case")["regions"]] == ["branch 0", "branch 1", "branch 2"]
    ordered = Lowering(jnp.sort, shape(5))
    assert [region["label"] for region in ordered.only("stablehlo.sort")["regions"]] == ["comparator"]
    scattered = Lowering(lambda x: x.at[1:].add(2.0), shape(5))
    assert [region["label"] for region in scattered.only("stablehlo.scatter")["regions"]] == ["update"]


def test_a_call_names_its_function():
    made = Lowering(lambda x: jax.jit(jnp.sin)(x), shape(3))
    call = made.only("func.call")
    assert call["callee"] == "sin"
    assert "callee" not in call["attributes"]


def test_donation_and_shardings_of_the_persons_jit_are_kept():
    made = Lowering(jax.jit(lambda state, grad: state - grad, donate_argnums=0), shape(3), shape(3))
    assert "tf.aliasing_output = 0" in made.module["functions"][0]["attributes"]["arg_attrs"]
    assert "tf.aliasing_output = 0" in made.text


def test_an_unused_argument_is_dropped_as_jit_drops_it():
    made = Lowering(lambda used, unused: used * 2, shape(3), shape(4))
    assert [made.module["values"][arg]["label"] for arg in made.module["functions"][0]["args"]] == ["used"]


def test_big_constants_are_their_size():
    table = np.arange(1024, dtype=np.float32)
    made = Lowering(lambda x: x + table, shape(1024))
    texts = [op["attributes"]["value"] for op in made.ops.values() if op["name"] == "stablehlo.constant"]
    assert "dense<… 1,024 x f32> : tensor<1024xf32>" in texts
    assert len(made.text) < 1_500


def test_complex_constants():
    table = np.arange(100).astype(np.complex64)
    made = Lowering(lambda x: x * 1j + table, shape(100, dtype="complex64"))
    texts = [op["attributes"]["value"] for op in made.ops.values() if op["name"] == "stablehlo.constant"]
    assert sorted(texts) == [
        "dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>",
        "dense<… 100 x complex<f32>> : tensor<100xcomplex<f32>>",
    ]


def test_symbolic_shapes_lower_as_for_an_export():
    rows, columns = jax.export.symbolic_shape("b, k")
    made = Lowering(lambda x, y: (jnp.concatenate([x, x], axis=1) @ y, x.reshape(-1)), shape(rows, columns), shape(2 * columns, 3))
    assert not made.result.diagnostics
    assert "tensor<?x?xf32>" in made.text
    assert made.linked("dot_general") == [["stablehlo.dot_general"]]
    assert made.unlinked() == []


def test_an_operation_has_the_place_of_its_equation_in_the_paste():
    closed = jax.make_jaxpr(lambda x: jnp.sin(x) * 2)(shape(3))
    serialized = serialize(closed)
    span = {"line": 4, "col": 2, "end_line": 4, "end_col": 9}
    sin = next(eqn for eqn in serialized.program["jaxprs"]["j0"]["eqns"] if eqn["primitive"] == "sin")
    sin["span"] = span
    module = lower(serialized).patch["modules"]["stablehlo"]
    assert {op["name"]: op["span"] for op in all_ops(module)}["stablehlo.sine"] == span


def test_ids_are_unique_and_the_same_each_time():
    first, second = Lowering(train, *TRAIN), Lowering(train, *TRAIN)
    assert first.module == second.module
    ids = [op["id"] for op in all_ops(first.module)]
    assert len(set(ids)) == len(ids)


def test_a_lowering_that_fails_is_a_diagnostic_and_says_what_to_do():
    primitive = jax.extend.core.Primitive("of_no_device")
    primitive.def_abstract_eval(lambda x: x)
    result = lower(serialize(jax.make_jaxpr(lambda x: primitive.bind(x))(shape(3))))
    (problem,) = result.diagnostics
    assert result.patch == {"texts": {}, "modules": {}, "links": {}}
    assert problem["stage"] == "lower" and problem["code"] == "lowering-failed" and problem["type"] == "NotImplementedError"
    assert "of_no_device" in problem["message"] and "CPU" in problem["advice"]
    Diagnostic.model_validate(problem)


def test_what_the_tagged_program_cannot_do_the_program_itself_does(monkeypatch: pytest.MonkeyPatch):
    def broken(closed: object, eqn_of: object) -> object:
        raise TypeError("cannot be rebuilt")

    monkeypatch.setattr(_stablehlo, "tag", broken)
    made = Lowering(train, *TRAIN)
    assert made.module["name"] == "jit_train"
    assert made.links == {} and made.result.notes == [_stablehlo.NO_LINKS]


def test_a_traced_function_of_another_program_is_not_used():
    other = jax.jit(lambda a, b: a + b).trace(shape(3), shape(3))
    closed = jax.make_jaxpr(lambda x: x * 2)(shape(3))
    assert len(lower(serialize(closed), traced=(other,)).patch["modules"]["stablehlo"]["functions"][0]["args"]) == 1


def test_no_backend_is_started_for_a_lowering():
    source = (
        "import jax, jax.numpy as jnp\n"
        "from visualizer.tracing import compat\n"
        "from visualizer.tracing._serialize import serialize\n"
        "from visualizer.tracing.lowering._stablehlo import lower\n"
        "made = lower(serialize(jax.make_jaxpr(lambda x: jnp.sin(x))(jax.ShapeDtypeStruct((3,), 'float32'))))\n"
        "assert 'stablehlo.sine' in made.patch['modules']['stablehlo']['text'] and not made.diagnostics\n"
        "assert not compat.backend_started()\n"
        "made = lower(serialize(jax.make_jaxpr(lambda x: jax.pure_callback(lambda y: y, x, x))(jax.ShapeDtypeStruct((3,), 'float32'))))\n"
        "assert 'callback' in made.patch['modules']['stablehlo']['text'] and not made.diagnostics\n"
    )
    done = subprocess.run([sys.executable, "-c", source], env={**os.environ, "JAX_PLATFORMS": "cpu"}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_symbolic_shapes_are_told_from_plain_ones():
    (rows,) = jax.export.symbolic_shape("b")
    assert compat.has_symbolic_shape(jax.make_jaxpr(lambda x: x)(shape(rows)))
    assert not compat.has_symbolic_shape(jax.make_jaxpr(lambda x: x)(shape(3)))
