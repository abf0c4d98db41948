"""What the server relies on: streaming, cancelling, a second run, limits on the number of jobs, a zygote that dies, no leftovers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from visualizer.model import LevelMessage
from visualizer.sandbox import SandboxError, Supervisor, _canaries

from .conftest import HERE, QUICK, Answer, eventually, stat

pytestmark = [pytest.mark.sandbox, pytest.mark.skipif(sys.platform != "linux", reason="the jail is Linux's")]


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_messages_arrive_while_the_job_runs(box):
    source = "import time\nemit(message('first')); time.sleep(10**6)"
    lines = box.supervisor.trace({"source": source})
    first = LevelMessage.model_validate_json(next(lines))
    assert first.trace is not None
    assert first.trace.output.text == "first"
    lines.close()
    assert box.settles()


def test_levels_that_were_answered_stay_standing(box):
    answer = box.run("emit(message('kept'))\nwhile True: pass")
    assert answer.text == "kept"
    assert [message["level"] for message in answer.messages] == ["jaxpr", "stablehlo"]
    assert answer.codes == ["cpu-limit"]
    assert answer.diagnostics[0]["stage"] == "lower"


def test_two_levels_pass(box):
    answer = box.run("emit(message('a')); emit(patch()); answer = 'silent'")
    assert [message["level"] for message in answer.messages] == ["jaxpr", "stablehlo"]
    assert answer.messages[1]["patch"]["notes"] == ["patched"]


def test_a_level_comes_once(box):
    answer = box.run("emit(message('a')); emit(patch()); emit(patch()); answer = 'silent'")
    assert answer.codes == ["bad-result"]
    assert len(answer.messages) == 3


def test_cancelling_kills_the_job_without_a_word(box):
    asked = []
    source = "import time\ntime.sleep(10**6)"
    assert list(box.supervisor.trace({"source": source}, cancelled=lambda: asked.append(1) is None)) == []
    assert len(asked) == 1
    assert box.settles()


def test_a_job_may_run_once_more_in_a_fresh_child(box):
    source = (
        "if request.get('engine') != 'real':\n"
        "  emit({'again': {**request, 'engine': 'real'}}); os.write(1, b'lost'); import time; time.sleep(10**6)\n"
        "answer = (request['engine'], request['extra'])"
    )
    assert box.run(source, extra="kept").text == "('real', 'kept')"
    assert box.settles()


def test_the_second_run_has_what_the_first_left_of_the_processor(start):
    box = start(limits=replace(QUICK, cpu_seconds=3, wall_seconds=20.0))
    source = (
        "import resource, time\n"
        "if 'second' not in request:\n"
        "  while time.process_time() < 1.2: pass\n"
        "  emit({'again': {**request, 'second': True}}); time.sleep(10**6)\n"
        "answer = resource.getrlimit(resource.RLIMIT_CPU)"
    )
    assert box.run(source).text == "(2, 3)"


def test_a_second_run_after_a_message_is_refused(box):
    answer = box.run("emit(message('a')); emit({'again': request}); answer = 'silent'")
    assert answer.codes == ["bad-result"]


def test_a_parser_that_dies_is_told_of_and_what_it_died_of_is_left_out(box):
    source = (
        "died = dict(request.get('died', ()))\n"
        "for section in range(4):\n"
        "  if section not in died:\n"
        "    emit({'reading': section})\n"
        "    if section % 2: os.abort()\n"
        "answer = (died, request['extra'])"
    )
    assert box.run(source, extra="kept").text == "({1: 'SIGABRT', 3: 'SIGABRT'}, 'kept')"
    assert box.settles()


def test_a_parser_that_never_ends_is_told_of_with_the_time_that_is_left(start):
    box = start(limits=replace(QUICK, cpu_seconds=1, wall_seconds=20.0))
    source = "died = request.get('died')\nif not died:\n  emit({'reading': 7})\n  while True: pass\nanswer = died"
    assert box.run(source).text == "[[7, 'cpu']]"


def test_a_parser_that_always_dies_ends_all_the_same(box):
    answer = box.run("emit({'reading': 1}); os.abort()")
    assert answer.codes == ["crashed"]


@pytest.mark.parametrize("line", ["[]", "-1", "1.5", '"a"', "1, 2", "9" * 10, ""])
def test_the_number_of_a_section_is_a_number(box, line):
    answer = box.run(f"os.write(4, b'{{\"reading\":' + {line.encode()!r} + b'}}\\n'); answer = 'silent'")
    assert answer.codes == ["bad-result"]


def test_more_than_size_jobs_wait_and_more_than_the_queue_are_told(start):
    box = start(size=1, queue=1, limits=replace(QUICK, queue_seconds=5.0))
    first = box.supervisor.trace({"source": "import time\nemit(message('a')); time.sleep(10**6)"})
    next(first)
    assert box.supervisor.health()["jobs_running"] == 1
    waited: list[Answer] = []
    waiter = threading.Thread(target=lambda: waited.append(box.run("answer = 'waited'")))
    waiter.start()
    assert eventually(lambda: box.supervisor.health()["jobs_waiting"] == 1)
    refused = box.run("answer = 1")
    assert refused.codes == ["busy"]
    assert refused.diagnostics[0]["message"] == "Too many runs are waiting already; this server is busy."
    first.close()
    waiter.join(10)
    assert waited[0].text == "waited"
    assert box.supervisor.health()["jobs_running"] == 0


def test_waiting_for_a_place_ends(start):
    box = start(size=1, queue=1, limits=replace(QUICK, queue_seconds=0.1))
    first = box.supervisor.trace({"source": "import time\nemit(message('a')); time.sleep(10**6)"})
    next(first)
    assert box.run("answer = 1").diagnostics[0]["message"] == "No run became free within 0.1 s; this server is busy."
    first.close()


def test_many_callers_at_once_each_get_their_own_answer(start):
    box = start(size=3, queue=50)
    answers: dict[int, str] = {}

    def ask(number: int) -> None:
        answers[number] = box.run(f"answer = {number}").text

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == {number: str(number) for number in range(24)}
    assert box.settles()


def test_a_zygote_that_dies_is_replaced_and_its_jobs_are_told(start):
    box = start()
    lines = box.supervisor.trace({"source": "import time\nemit(message('a')); time.sleep(10**6)"})
    got = [next(lines)]
    old = box.zygote()
    os.kill(old, signal.SIGKILL)
    answer = Answer(got + list(lines))
    assert answer.codes == ["crashed"]
    assert answer.diagnostics[0]["message"] == "The sandbox restarted while the code ran."
    assert box.run("answer = 'again'").text == "again"
    assert box.zygote() != old
    health = box.supervisor.health()
    assert (health["ready"], health["restarts"], health["leaks"]) == (True, 1, [])


def test_a_zygote_that_fails_the_self_test_gets_no_jobs_of_strangers(start, monkeypatch):
    box = start(limits=replace(QUICK, queue_seconds=3.0))
    if not box.supervisor.allows_public():
        pytest.skip("this machine has no public tier")
    monkeypatch.setattr(_canaries, "judge", lambda report: ["udp"])
    os.kill(box.zygote(), signal.SIGKILL)
    assert eventually(lambda: box.supervisor.health()["leaks"] == ["udp"])
    assert box.supervisor.allows_public() is False
    assert box.run("answer = 1").codes == ["busy"]
    assert box.supervisor.health()["tier"] == "local"


def test_when_the_server_is_killed_everything_of_it_ends():
    script = (
        f"import sys; sys.path[:0] = [{str(HERE.parents[1])!r}]; from visualizer.sandbox import Supervisor\n"
        f"s = Supervisor('fake_worker', import_paths=({str(HERE)!r},)); s.start()\n"
        "lines = s.trace({'source': 'import time; emit(message(str(os.getpid()))); time.sleep(10**6)'})\n"
        "print(s._runtime.pid, next(lines).decode().split('text\":\"')[1].split('\"')[0], flush=True)\n"
        "import time; time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        zygote, job = (int(text) for text in server.stdout.readline().split())
        assert Path(f"/proc/{zygote}").exists()
        assert Path(f"/proc/{job}").exists()
        server.kill()
        server.wait()
    assert eventually(lambda: stat(zygote)[0] in "ZX" and stat(job)[0] in "ZX")


def test_after_close_nothing_is_left(start):
    box = start()
    zygote = box.zygote()
    lines = box.supervisor.trace({"source": "import time\nemit(message('a')); time.sleep(10**6)"})
    next(lines)
    children = box.children()
    assert children
    before = descriptors()
    box.supervisor.close()
    assert Answer(list(lines)).codes == ["crashed"]
    for pid in (zygote, *children):
        assert eventually(lambda pid=pid: not Path(f"/proc/{pid}").exists()), pid
    assert descriptors() < before
    assert box.run("answer = 1").codes == ["busy"]


def test_no_descriptor_is_lost(box):
    box.run("answer = 1")
    assert box.settles()
    before = descriptors()
    for source in ("answer = 1", "os._exit(1)", "os.close(4)", "os.write(4, b'x\\n')"):
        box.run(source)
    # Fewer where something of an earlier test was on its way out.
    assert eventually(lambda: descriptors() <= before)


def test_a_worker_that_does_not_load_says_why(start):
    with pytest.raises(SandboxError, match="No module named 'no_such_worker'"):
        start("no_such_worker")


def test_a_python_that_does_not_run_says_so(start):
    with pytest.raises(SandboxError, match="cannot start"):
        start(python="/no/such/python")


def test_a_worker_with_threads_is_refused(start):
    with pytest.raises(SandboxError, match="left 2 threads"):
        start("threaded_worker")


def test_it_does_not_survive_a_fork(box, monkeypatch):
    monkeypatch.setattr(box.supervisor, "_owner", os.getpid() + 1)
    with pytest.raises(SandboxError, match="does not survive a fork"):
        list(box.supervisor.trace({"source": "answer = 1"}))


def test_before_the_start_it_is_busy():
    supervisor = Supervisor("fake_worker", import_paths=(str(HERE),), limits=replace(QUICK, queue_seconds=0.05))
    answer = Answer(list(supervisor.trace({"source": "answer = 1"})))
    assert answer.codes == ["busy"]
    assert "self-test" in answer.diagnostics[0]["message"]
    assert supervisor.health()["ready"] is False
    assert supervisor.allows_public() is False


def test_a_request_that_is_too_large_is_told(start):
    box = start(limits=replace(QUICK, request_bytes=1 << 20))
    answer = box.run("#" * (1 << 20))
    assert answer.codes == ["request-limit"]
    assert answer.diagnostics[0]["message"] == "The request is larger than 1 MB, the most that is read."


def test_a_large_request_passes(box):
    assert box.run("answer = len(request['source'])\n" + "#" * (5 << 20)).text == str((5 << 20) + len("answer = len(request['source'])\n"))


def test_text_of_all_kinds_travels(box):
    text = 'žluťoučký \U0001f40e \u2028 </script> \x00 \\ud800 " \\ '
    assert box.run(f"answer = {text!r}").text == text


def test_a_lone_surrogate_becomes_the_replacement_character(box):
    assert box.run(r"answer = '\ud800|\udfff|\\ud800|\ud83d\ude00'").text == "\ufffd|\ufffd|\\ud800|\U0001f600"


def test_the_sandbox_loads_neither_jax_nor_numpy_nor_flask():
    script = (
        "import sys, visualizer.sandbox as s; s.Supervisor; from visualizer.sandbox import _zygote; "
        "print(sorted({'jax', 'jaxlib', 'numpy', 'flask', 'werkzeug', 'visualizer.tracing'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=HERE.parents[1], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_the_zygote_is_small(box):
    """It must not load what only the supervisor needs: pydantic, subprocess."""
    assert eval(box.run("answer = sorted({'pydantic', 'subprocess', 'jax', 'numpy'} & set(sys.modules))").text) == []


def test_the_health_is_json(box):
    health = json.loads(json.dumps(box.supervisor.health()))
    assert health["ready"] is True
    assert health["jax"] == "0.0.fake"
    assert health["worker"] == {"jax": "0.0.fake"}
    assert health["leaks"] == []
    assert "seccomp" in health["layers"]


COMPILES = """
emit(message("first"))
emit(patch("stablehlo"))
import time
while time.process_time() < 1.2: pass
emit(patch("hlo"))
while True: pass
"""


def test_a_run_that_compiles_has_more_time_and_its_limit_leaves_every_level_that_was_there(start):
    box = start(limits=replace(QUICK, compile_seconds=1, wall_seconds=30.0))
    answer = box.run(COMPILES, levels=["jaxpr", "stablehlo", "hlo"])
    assert [message["level"] for message in answer.messages] == ["jaxpr", "stablehlo", "hlo", "hlo"]
    [problem] = answer.diagnostics
    assert (problem["code"], problem["stage"]) == ("cpu-limit", "compile")
    assert "after 2 s" in problem["message"]
    [problem] = box.run(COMPILES, levels=["jaxpr", "hlo"]).diagnostics
    assert (problem["code"], problem["stage"]) == ("cpu-limit", "compile")
    # Without that level the time is the usual one.
    assert [message["level"] for message in box.run(COMPILES).messages] == ["jaxpr", "stablehlo", "hlo"]
    assert box.run(COMPILES).diagnostics[0]["stage"] == "lower"
