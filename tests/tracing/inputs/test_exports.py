"""Files of `jax.export`: what they say of themselves, their module drawn, the derivatives in them, and files that are broken."""

from __future__ import annotations

import base64
import random

import jax
import jax.numpy as jnp
import pytest
from jax import export

from visualizer.model import Trace
from visualizer.tracing import trace_source
from visualizer.tracing.inputs._files import opened

SHAPE = jax.ShapeDtypeStruct


def model(params, x, *, scale):
    return {"y": jnp.tanh(x @ params["w"]) * scale, "s": x.sum()}


def exported(*, symbolic: bool = False, platforms=("cpu",)):
    (size,) = export.symbolic_shape("b") if symbolic else (8,)
    unused = {"w": SHAPE((3, 4), "float32"), "b": SHAPE((4,), "float32")}
    fun = jax.jit(model)
    return export.export(fun, platforms=platforms)(unused, SHAPE((size, 3), "float32"), scale=SHAPE((), "float32"))


def read(data: bytes) -> Trace:
    return Trace.model_validate(trace_source("", data=base64.b64encode(data).decode()))


def test_a_function_says_what_it_is(tmp_path):
    made = exported()
    trace = read(bytes(made.serialize()))
    (program,) = trace.programs
    assert (program.name, program.origin, program.entry, trace.diagnostics) == ("model", "export", None, ())
    main = next(function for function in program.modules["stablehlo"].functions if function.name == "main")
    # The argument that nothing reads is not in the module.
    assert [program.modules["stablehlo"].values[value].label for value in main.args] == ["[0]['w']", "[1]", "scale"]
    (note,) = trace.notes
    version = made.calling_convention_version
    assert note == (
        "model takes [0]['b']: f32[4], [0]['w']: f32[3,4], [1]: f32[8,3], scale: f32[] and gives ['s']: f32[], ['y']: f32[8,4]. "
        f"Exported for cpu and one device, calling convention {version}."
    )
    assert program.texts["stablehlo"].text.count("stablehlo.tanh") == str(made.mlir_module()).count("stablehlo.tanh") == 1


def test_derivatives_that_are_in_the_file_are_programs_and_no_others():
    names = [[program.name for program in read(bytes(exported().serialize(vjp_order=order))).programs] for order in (0, 1, 2)]
    assert names == [["model"], ["model", "model vjp"], ["model", "model vjp", "model vjp 2"]]


def test_several_platforms_symbols_and_effects_are_told():
    trace = read(bytes(exported(symbolic=True, platforms=("cpu", "tpu")).serialize()))
    assert "Exported for cpu, tpu and one device" in trace.notes[0]
    assert "[1]: f32[b,3]" in trace.notes[0]
    (program,) = trace.programs
    main = next(function for function in program.modules["stablehlo"].functions if function.name == "main")
    labels = [program.modules["stablehlo"].values[value].label for value in main.args]
    assert labels[-3:] == ["[0]['w']", "[1]", "scale"]

    def checked(x):
        return jax.lax.reduce_precision(x, 8, 7)

    unchecked = export.export(jax.jit(checked), disabled_checks=[export.DisabledSafetyCheck.custom_call("mine")])(SHAPE((2,), "float32"))
    assert "Checks that are off: " in read(bytes(unchecked.serialize())).notes[0]


@pytest.mark.parametrize("seed", range(40))
def test_broken_files_are_refused_in_words(seed):
    data = bytearray(exported().serialize())
    module = data.index(b"ML\xefR")
    rest = module + len(exported().mlir_module_serialized)
    chance = random.Random(seed)
    places = [at for at in range(len(data)) if not module <= at < rest]
    for at in chance.sample(places, 3):
        data[at] = chance.randrange(256)
    trace = read(bytes(data))
    assert trace.programs or [found.severity for found in trace.diagnostics] == ["error"]
    assert all(found.message and found.advice for found in trace.diagnostics)


def test_only_a_flatbuffer_with_a_module_is_taken_for_one():
    data = bytes(exported().serialize())
    assert opened(base64.b64encode(data).decode()).kind == "export"
    for other in (data[:60], data.replace(b"ML\xefR", b"ML__"), b"\xff" * 200 + b"ML\xefR", bytes(100)):
        assert opened(base64.b64encode(other).decode()).kind != "export"
