"""What is kept back for the answer is there when the paste has filled the rest, in a process of its own: a limit cannot be raised again."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import resource
from visualizer.tracing.running._reserve import Reserve

reserve = Reserve()
reserve.keep_back()
assert reserve._held is None  # without a limit there is nothing to keep back
resource.setrlimit(resource.RLIMIT_DATA, (256 << 20, 256 << 20))
for _ in range(2):
    reserve.keep_back()
    assert reserve._held is not None
    filled = []
    try:
        while True:
            filled.append(bytes(1 << 20))
    except MemoryError:
        pass
    try:
        bytes(24 << 20)
    except MemoryError:
        reserve.give_up()
    assert len(bytes(24 << 20)) == 24 << 20
    reserve.give_up()
"""


def test_a_full_memory_has_room_for_the_answer():
    subprocess.run([sys.executable, "-c", CODE], check=True)
