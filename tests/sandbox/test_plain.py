"""The `local` tier: no jail, the same answers, the same ends; never public."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import eventually

pytestmark = pytest.mark.sandbox


def test_it_answers_and_says_what_it_is(start):
    box = start(isolation="plain")
    health = box.supervisor.health()
    assert (health["tier"], health["ready"], health["leaks"]) == ("local", True, ["no-jail"])
    assert box.supervisor.allows_public() is False
    assert box.run("answer = 6 * 7").text == "42"


def test_jobs_end_there_too(start):
    box = start(isolation="plain")
    assert box.run("while True: pass").codes == ["cpu-limit"]
    assert box.run("os._exit(3)").diagnostics[0]["message"].startswith("The code ended its own process (exit status 3)")
    assert box.run("import ctypes; ctypes.string_at(0)").codes == ["crashed"]
    assert box.run("x = bytearray(10 * 2**30)").codes == ["memory-limit"]
    assert box.run("os.write(1, b'printed'); os._exit(0)").text == "printed"
    assert box.run("answer = 'still here'").text == "still here"


def test_closing_the_answer_kills_the_process(start):
    box = start(isolation="plain")
    lines = box.supervisor.trace({"source": "import time\nemit(message(str(os.getpid()))); time.sleep(10**6)"})
    pid = json.loads(next(lines))["trace"]["output"]["text"]
    assert Path(f"/proc/{pid}").exists() or not Path("/proc").exists()
    lines.close()
    assert eventually(lambda: not Path(f"/proc/{pid}").exists())


def test_it_runs_again_there_too(start):
    box = start(isolation="plain")
    source = "if 'second' not in request:\n  emit({'again': {**request, 'second': True}}); import time; time.sleep(10**6)\nanswer = 'twice'"
    assert box.run(source).text == "twice"
