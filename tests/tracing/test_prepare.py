from __future__ import annotations

import subprocess
import sys


def test_a_prepared_process_has_one_thread_and_no_backend():
    script = (
        "from visualizer.tracing import worker\n"
        "from visualizer.tracing import compat, _prepare\n"
        "worker.prepare()\n"
        "print(_prepare.threads(), compat.backend_started(), worker.describe()['jax'] == compat.JAX_VERSION)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "1 False True\n"


def test_the_package_alone_does_not_load_jax():
    script = "import sys, visualizer.tracing; print('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "False\n"
