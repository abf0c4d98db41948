"""What `jaxpr-visualizer run` costs a script: the same script by `python` and watched, in processor time.

Three scripts, each the worst of its kind: calls of a program that does next to nothing, which JAX answers without Python; such calls of
two types, which have to be told apart; and nothing but compilations. The loop is timed in its thread, inside the script; the whole has
the start, the imports and the report in it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench._table import Row, print_table

HEAD = "import json, sys, time\nimport jax, jax.numpy as jnp\nf = jax.jit(lambda x: x + 1)\nx = jnp.ones(3)\nf(x)\n"
TAIL = "\nprint(json.dumps(1e3 * (time.thread_time() - started)))\n"
SCRIPTS = {
    "calls of one type": "started = time.thread_time()\nfor _ in range(20_000): x = f(x)\nx.block_until_ready()",
    "calls of two types": "y = jnp.ones(4); f(y)\nstarted = time.thread_time()\n"
    "for _ in range(10_000): x = f(x); y = f(y)\nx.block_until_ready(); y.block_until_ready()",
    "compilations": "started = time.thread_time()\nfor n in range(1, 41): jax.jit(lambda v: jnp.tanh(v) * n)(jnp.ones(n))",
}
# Of the loop alone; the third has the whole of what is kept of a program in it.
BUDGETS = {"calls of one type": 1.3, "calls of two types": 2.0, "compilations": 1.5}


def measured(script: Path, *command: str) -> tuple[float, float]:
    """Milliseconds of the loop, as the script has them, and of the whole process."""
    before = os.times()
    done = subprocess.run([sys.executable, *command, script.name], cwd=script.parent, capture_output=True, text=True, check=True)
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return float(json.loads(done.stdout)), 1e3 * spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    root = str(Path(__file__).parent.parent)
    os.environ["PYTHONPATH"] = root + (os.pathsep + os.environ["PYTHONPATH"] if os.environ.get("PYTHONPATH") else "")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SCRIPTS.items():
            script = Path(folder, f"{name.replace(' ', '_')}.py")
            script.write_text(HEAD + text + TAIL)
            bare, watched = [], []
            for _ in range(rounds):  # alternating: what else the machine does is noise on both
                bare.append(measured(script))
                watched.append(measured(script, "-m", "visualizer", "run", "--quiet"))
                time.sleep(0.1)
            rows.append(Row(f"{name}, the loop", min(loop for loop, _ in watched), min(loop for loop, _ in bare), BUDGETS[name]))
            rows.append(Row(f"{name}, with the report", min(whole for _, whole in watched), min(whole for _, whole in bare)))
    print_table("run against python (processor time)", rows)


if __name__ == "__main__":
    main()
