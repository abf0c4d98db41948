from __future__ import annotations

import pytest

from visualizer.tracing.inputs._telling import tells


@pytest.mark.parametrize(
    "text",
    [
        "print(len(jax.live_arrays()))",
        "os.environ['XLA_FLAGS'] = flags",
        "jax.config.update('jax_num_cpu_devices', 8)",
        "hashlib.sha256(x).hexdigest()",
        "list(map(type, xs))",
        "with jax.transfer_guard('disallow'): f(x)",
    ],
)
def test_what_may_tell_is_run_for_real(text):
    assert tells(text)


@pytest.mark.parametrize(
    "text", ["print(type(x))", "jax.tree.structure(x)", "from flax import struct", "isinstance(x, type)", "print(jax.device_count())"]
)
def test_ordinary_code_is_held(text):
    assert not tells(text)
