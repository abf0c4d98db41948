"""Hostile pastes, through the way that every job goes. After each the next request is answered as before and no process is left."""

from __future__ import annotations

import errno
import os
from dataclasses import replace
from pathlib import Path

import pytest

from .conftest import QUICK, Box, make

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.sandbox, pytest.mark.skipif(os.uname().sysname != "Linux", reason="the jail is Linux's")]

# name: (paste, code of the first diagnostic)
ENDED = {
    "infinite loop": ("while True: pass", "cpu-limit"),
    "infinite loop that catches everything": (
        "while True:\n  try:\n    while True: pass\n  except BaseException: pass",
        "cpu-limit",
    ),
    "ignores SIGXCPU and all others": (
        "import signal\nfor s in set(signal.Signals) - {9, 19}: signal.signal(s, signal.SIG_IGN)\nwhile True: pass",
        "cpu-limit",
    ),
    "10 GB bytearray": ("x = bytearray(10 * 2**30)", "memory-limit"),
    "10 GB of text": ("x = 'a' * (10 * 2**30)", "memory-limit"),
    "10 GB in numpy": ("import numpy\nx = numpy.ones((10 * 2**30,), 'uint8')", "memory-limit"),
    # As where there is no memory left for the answer: what ends it is the memory.
    "most of the memory and no answer": ("x = bytearray(b'1') * (220 * 2**20)\nos.close(4)", "memory-limit"),
    "memory bit by bit": ("x = []\nwhile True: x.append(bytearray(2**20))", "memory-limit"),
    "os._exit": ("os._exit(0)", "crashed"),
    "os._exit with a status": ("os._exit(7)", "crashed"),
    "os._exit with a status of ours": ("os._exit(97)", "crashed"),
    "breaks the Python that answers": (
        "class M(type(sys)):\n  def __getattribute__(s, n): raise SystemExit(3)\nsys.__class__ = M",
        "crashed",
    ),
    "a timer": ("import signal, time\nsignal.alarm(1)\ntime.sleep(10)", "crashed"),
    "os.abort": ("os.abort()", "crashed"),
    "segfault": ("import ctypes\nctypes.string_at(0)", "crashed"),
    "SIGKILL by itself": ("import signal\nsignal.raise_signal(signal.SIGKILL)", "crashed"),
    "sys.exit": ("sys.exit(3)", "crashed"),
    "native recursion": ("sys.setrecursionlimit(10**9)\ndef r(n): return max([n], key=lambda m: r(m + 1))\nr(0)", "crashed"),
    "closes the result": ("import time\nos.close(4)\nos.close(1)\nos.close(2)\ntime.sleep(10**6)", "crashed"),
    "closes every descriptor and goes on": ("import time\nos.closerange(0, 1000)\ntime.sleep(10**6)", "crashed"),
    "puts the output in place of the result": ("os.dup2(1, 4)", "crashed"),
    "closes the result and returns": ("os.close(4)", "crashed"),
    "endless result line": ("while True: os.write(4, b'[' * 65536)", "result-limit"),
    "deep JSON": (r"os.write(4, b'[' * 10**6 + b'\n')", "bad-result"),
    "deep JSON that closes": (r"os.write(4, b'[' * 10**5 + b']' * 10**5 + b'\n')", "bad-result"),
    "deep control line": (r"os.write(4, b'{\"again\":' * 10**5 + b'\n')", "bad-result"),
    "not JSON": (r"os.write(4, b'hello\n')", "bad-result"),
    "not UTF-8": (r"os.write(4, b'\"\xff\xfe\"\n')", "bad-result"),
    "UTF-16": (r"os.write(4, 'hello'.encode('utf-16') + b'\n')", "bad-result"),
    "a pickle": ("import pickle\nos.write(4, pickle.dumps(print) + b'\\n')", "bad-result"),
    "NaN": (r"os.write(4, json_of(message()).replace(b'0.001', b'NaN') + b'\n')", "bad-result"),
    "Infinity": (r"os.write(4, json_of(message()).replace(b'0.001', b'1e999') + b'\n')", "bad-result"),
    "lone surrogate": (r"os.write(4, json_of(message('X')).replace(b'X', b'\\ud800') + b'\n')", "bad-result"),
    "a number of 5000 digits": (
        r"os.write(4, json_of(message()).replace(b'\"schema\": 1', b'\"schema\": ' + b'9' * 5000) + b'\n')",
        "bad-result",
    ),
    "an unknown level": ("m = message(); m['level'] = 'x'; emit(m); answer = 'silent'", "bad-result"),
    "a report of the self-test": (r"os.write(4, b'{\"canary\":{\"leaks\":[]}}\n')", "bad-result"),
    "a patch before the trace": ("emit(patch()); answer = 'silent'", "bad-result"),
    "runs again twice": ("emit({'again': {'source': request['source']}}); answer = 'silent'", "bad-result"),
    "runs again with nonsense": (r"os.write(4, b'{\"again\":[]}\n')", "bad-result"),
}

WAITING = {
    "sleeps for ever": "import time\ntime.sleep(10**6)",
    "stops itself": "import signal\nsignal.raise_signal(signal.SIGSTOP)",
    "waits on a lock": "import threading\nl = threading.Lock(); l.acquire(); l.acquire()",
    "waits for input": "os.read(os.pipe()[0], 1)",
    "ignores every signal and waits": "import signal as s\nfor n in set(s.Signals) - {9, 19}: s.signal(n, s.SIG_IGN)\ns.pause()",
}

# Pastes that go on after the attempt: what is attempted, and whether the kernel must say which error.
ATTEMPTS = {
    "fork": "os.fork()",
    "fork, in C": "libc_fork()",
    "subprocess": "__import__('subprocess').run(['/usr/bin/id'])",
    "posix_spawn": "os.posix_spawn('/usr/bin/id', ['id'], {})",
    "exec": "os.execv('/usr/bin/id', ['id'])",
    "TCP": "__import__('socket').create_connection(('127.0.0.1', 80), 1)",
    "TCP server": "__import__('socket').create_server(('127.0.0.1', 0))",
    "UDP": "__import__('socket').socket(2, 2)",
    "unix socket": "__import__('socket').socket(1)",
    "netlink socket": "__import__('socket').socket(16, 3)",
    "socketpair": "__import__('socket').socketpair()",
    "/etc/passwd": "open('/etc/passwd').read()",
    "a file of the server": f"open({str(ROOT / 'README.md')!r}).read()",
    "the project's settings": f"open({str(ROOT / 'pyproject.toml')!r}).read()",
    "the root folder's homes": "os.listdir('/home')",
    "root's home": "os.listdir('/root')",
    "its own environment": "open('/proc/self/environ').read()",
    "its own maps": "open('/proc/self/maps').read()",
    "the zygote's environment": "open(f'/proc/{os.getppid()}/environ').read()",
    "the zygote's memory": "open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
    "the zygote's descriptors": "os.listdir(f'/proc/{os.getppid()}/fd')",
    "the server's environment": f"open('/proc/{os.getpid()}/environ').read()",
    "the process list": "os.listdir('/proc')",
    "write /tmp": "open('/tmp/x', 'w')",
    "write /dev/shm": "open('/dev/shm/x', 'w')",
    "write here": "open('x', 'w')",
    "write the standard library": "open(os.__file__, 'a')",
    "write the packages": "open(__import__('pydantic').__file__, 'a')",
    "make a folder": "os.mkdir('/tmp/x')",
    "remove a file": "os.remove(os.__file__)",
    "change a mode": "os.chmod(os.__file__, 0o777)",
    "link": "os.symlink('/etc/passwd', '/tmp/x')",
    "change directory": "os.chdir('/tmp')",
    "kill the zygote": "os.kill(os.getppid(), 9)",
    "kill the server": f"os.kill({os.getpid()}, 9)",
    "kill everything": "os.kill(-1, 9)",
    "kill its group": "os.killpg(0, 9)",
    "queue a signal": "c('sigqueue', os.getppid(), 9, 0)",
    "trace the zygote": "c('ptrace', 16, os.getppid(), 0, 0)",
    "read the zygote's memory directly": "c('process_vm_readv', os.getppid(), 0, 0, 0, 0, 0)",
    "shared memory": "__import__('mmap').mmap(-1, 10 * 2**30)",
    "memfd": "os.memfd_create('x')",
    "System V memory": "c('shmget', 0, 4096, 0o1600)",
    "raise a limit": "__import__('resource').setrlimit(__import__('resource').RLIMIT_CPU, (10**6, 10**6))",
    "raise a limit, in C": "c('setrlimit', 0, b'\\xff' * 16)",
    "a user namespace": "c('unshare', 0x10000000)",
    "become root": "os.setuid(0)",
    "become root for files": "check(c0('setfsuid', 0), c0('setfsuid', -1), 'setfsuid')",
    "mount": "c('mount', 0, 0, 0, 0, 0)",
    "io_uring": "c('syscall', 425, 8, 0)",
    "bpf": "c('syscall', 321, 0, 0, 0)",
    "userfaultfd": "c('syscall', 323, 0)",
    "keyring": "c('syscall', 250, 0, 0)",
    "perf": "c('perf_event_open', 0)",
    "own the pipe's signals": "__import__('fcntl').fcntl(1, 8, os.getppid())",
    "become dumpable": "c('prctl', 4, 1, 0, 0, 0)",
    "a child by clone": "c('syscall', 56, 17, 0, 0, 0, 0)",
    "a child by clone3": "c('syscall', 435, b'\\0' * 88, 88)",
    "set the clock": "__import__('time').clock_settime(0, 0)",
    "priority": "os.nice(-20)",
    "reboot": "c('reboot', 0)",
}

PRELUDE = """
import ctypes, json
_libc = ctypes.CDLL(None, use_errno=True)
def c0(name, *a): return getattr(_libc, name)(*a)
def c(name, *a):
    if c0(name, *a) < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def libc_fork():
    if c0('fork') < 0: raise OSError(ctypes.get_errno(), 'fork')
def check(before, after, what):
    if after != 0 or before == 0: raise PermissionError(what)
def json_of(value): return json.dumps(value).encode()
"""


@pytest.fixture(scope="module")
def hasty():
    with make(limits=replace(QUICK, wall_seconds=0.5)) as supervisor:
        yield Box(supervisor)


def still_works(box) -> None:
    answer = box.run("answer = 6 * 7")
    assert (answer.text, answer.codes) == ("42", [])
    assert box.settles(), box.children()


@pytest.mark.parametrize("name", ENDED)
def test_it_ends_in_a_diagnostic(box, name):
    source, code = ENDED[name]
    answer = box.run(PRELUDE + source)
    assert answer.codes[0] == code, answer.diagnostics
    if "clos" in name and "JSON" not in name:
        assert answer.diagnostics[0]["message"] == "The code closed the file descriptor that its answer travels on."
    assert answer.diagnostics[0]["message"]
    assert "sandbox could not be closed" not in answer.diagnostics[0]["message"]
    assert answer.diagnostics[0]["advice"]
    still_works(box)


@pytest.mark.parametrize("name", WAITING)
def test_waiting_ends_with_the_clock(hasty, name):
    answer = hasty.run(WAITING[name])
    assert answer.codes == ["wall-limit"], answer.diagnostics
    assert answer.diagnostics[0]["message"] == "Stopped after 0.5 s, the longest one run may take."
    still_works(hasty)


@pytest.mark.parametrize("name", ATTEMPTS)
def test_it_is_refused(box, name):
    answer = box.run(f"{PRELUDE}\n{ATTEMPTS[name]}\nanswer = 'LEAK'")
    assert answer.codes == []
    assert answer.text.split(":")[0] in ("PermissionError", "FileNotFoundError", "OSError", "AttributeError", "ValueError"), answer.text
    if answer.text.startswith("OSError"):
        assert any(f"[Errno {number}]" in answer.text for number in (errno.ENOSYS, errno.EROFS)), answer.text
    if answer.text.startswith("AttributeError"):
        assert "undefined symbol" in answer.text
    still_works(box)


def test_a_fork_bomb_starts_nothing(box):
    source = "n = 0\nfor _ in range(500):\n  try:\n    if os.fork() == 0: os._exit(0)\n    n += 1\n  except OSError: pass\nanswer = n"
    assert box.run(source).text == "0"
    still_works(box)


def test_a_thread_bomb_is_stopped(box):
    source = (
        "import threading\nthreading.stack_size(65536)\ne = threading.Event()\nn = 0\ntry:\n  while n < 5000:\n"
        "    threading.Thread(target=e.wait, daemon=True).start()\n    n += 1\nexcept RuntimeError: pass\nanswer = n"
    )
    answer = box.run(source)
    assert answer.codes == ["thread-limit"] or int(answer.text) <= 130, answer.messages
    still_works(box)


@pytest.mark.parametrize("megabytes", [1, 100])
def test_prints_past_the_worker_do_not_hold_the_answer_up(box, megabytes):
    answer = box.run(f"b = b'A' * 2**20\nfor _ in range({megabytes}): os.write(1, b)\nanswer = 'after'")
    assert (answer.text, answer.codes) == ("after", [])
    still_works(box)


def test_what_was_printed_before_a_crash_is_kept_and_cut(box):
    answer = box.run("os.write(1, b'hello ')\nos.write(2, b'there')\nos._exit(1)")
    assert (answer.text, answer.trace["output"]["truncated"], answer.codes) == ("hello there", False, ["crashed"])
    answer = box.run("os.write(1, b'A' * 2**20)\nos._exit(1)")
    assert (len(answer.text), answer.trace["output"]["truncated"]) == (64 * 1024, True)
    assert answer.codes == ["crashed", "output-limit"]
    still_works(box)


def test_a_forged_answer_counts_only_as_a_valid_one(box):
    """What runs in the process can always answer for it; it must be an answer all the same, and it is text."""
    forged = PRELUDE + r"os.write(4, json_of(message('<img src=x onerror=alert(1)>')) + b'\n{\"done\":true}\n'); os._exit(0)"
    answer = box.run(forged)
    assert (answer.text, answer.codes) == ("<img src=x onerror=alert(1)>", [])
    still_works(box)


def test_doubled_keys_do_not_reach_the_reader(box):
    source = (
        PRELUDE
        + r"os.write(4, json_of(message('last')).replace(b'{\"text\"', b'{\"text\": NaN, \"text\"') + b'\n{\"done\":true}\n'); os._exit(0)"
    )
    answer = box.run(source)
    assert answer.codes == ["bad-result"] or answer.text == "last"
    still_works(box)


def test_it_may_replace_what_it_likes_in_its_own_python(box):
    source = (
        "import json, json.encoder, builtins, io\n"
        "json.dumps = json.loads = json.JSONEncoder = None\njson.encoder.c_make_encoder = json.encoder.encode_basestring_ascii = None\n"
        "os.write = os.read = os.close = os._exit = None\nsys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = 5\n"
        "answer = 'as usual'\nfor n in ('len', 'print', 'open', 'memoryview', 'isinstance', 'type', 'getattr'): delattr(builtins, n)\n"
    )
    answer = box.run(source)
    assert (answer.text, answer.codes) == ("as usual", [])
    still_works(box)


def test_garbage_on_every_descriptor_reaches_nobody(box):
    source = "n = 0\nfor d in [0, 3, *range(5, 200)]:\n  try:\n    os.write(d, b'garbage'); n += 1\n  except OSError: pass\nanswer = n"
    assert box.run(source).text == "0"
    still_works(box)


def test_living_on_after_the_end_of_the_answer_is_no_use(box):
    source = r"""
import threading, time
threading.Thread(target=lambda: time.sleep(10**6), daemon=False).start()
os.write(4, json_of(message('early')) + b'\n{"done":true}\n')
time.sleep(10**6)
"""
    answer = box.run(PRELUDE + source)
    assert (answer.text, answer.codes) == ("early", [])
    still_works(box)


def test_one_job_finds_nothing_of_another(box):
    secret = "swordfish"
    for _ in range(3):
        box.run(f"x = '{secret}' * 2\nanswer = x")
    source = (
        "import gc\nneedle = ''.join(['sword', 'fish'])\n"
        "found = [o for o in gc.get_objects() if isinstance(o, (list, dict, tuple, set)) and any(isinstance(i, str) and needle in i "
        "for i in (o.values() if isinstance(o, dict) else o))]\n"
        "answer = [type(o).__name__ for o in found if not (isinstance(o, dict) and o.get('needle') == needle)]"
    )
    assert box.run(source).text == "[]"


def test_random_numbers_differ_between_jobs(box):
    drawn = {box.run("import random\nanswer = random.random()").text for _ in range(4)}
    assert len(drawn) == 4


def test_the_environment_is_literal(box, monkeypatch):
    assert eval(box.run("answer = sorted(os.environ)").text) == [
        "HOME", "JAX_PLATFORMS", "LANG", "MALLOC_ARENA_MAX", "MKL_NUM_THREADS", "NPROC", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH",
        "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "TF_CPP_MIN_LOG_LEVEL", "XLA_FLAGS",
    ]  # fmt: skip
