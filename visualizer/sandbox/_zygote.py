"""The zygote: a program that has loaded the worker, with one thread, and forks a jailed child for each job.

Promises: started by exec with a literal environment, so it holds nothing of its caller; no text of a job ever enters it (jobs travel on
pipes whose other ends it hands out and closes), so no child can find another's. Ends when its supervisor is gone.
Must never: start a thread, or fork when there is a second one.
"""

import gc
import importlib
import importlib.util
import json
import os
import select
import socket
import sys
import traceback
from pathlib import Path
from typing import Any, cast

if __package__ in (None, ""):  # run as a program, by an interpreter that may have another JAX and not this package
    # Jobs see files by their real paths only; what was found through a symbolic link (`.venv -> elsewhere`) is found directly.
    sys.path[:] = [os.path.realpath(entry) for entry in sys.path]
    # This very package, whatever the path has under its name; and nothing else of the folder it is in, which may hold another JAX.
    _home = Path(__file__).resolve().parents[1]
    _spec = importlib.util.spec_from_file_location("visualizer", _home / "__init__.py", submodule_search_locations=[str(_home)])
    assert _spec is not None and _spec.loader is not None
    sys.modules["visualizer"] = importlib.util.module_from_spec(_spec)
    _spec.loader.exec_module(sys.modules["visualizer"])

from visualizer.sandbox import _child, _jail, _kernel, _landlock, _namespaces, _pages, _protocol, _roots
from visualizer.sandbox._protocol import Config


def load_worker(name: str) -> _child.Worker:
    """The worker `package.module` or `package.module:attribute`."""
    module_name, _, attribute = name.partition(":")
    module: Any = importlib.import_module(module_name)
    return cast(_child.Worker, getattr(module, attribute) if attribute else module)


class Zygote:
    """The loop: forks on request, reports the ends."""

    def __init__(self, channel: socket.socket, config: Config, tasks: int) -> None:
        self._channel = channel
        self._config = config
        self._tasks = tasks
        self._free = list(range(config.slots))
        self._children: dict[int, tuple[int, int, int]] = {}  # pidfd -> pid, ticket, slot
        self._poll = select.poll()

    def prepare(self) -> dict[str, Any]:
        """Load everything, find the layers of this machine; what to tell the supervisor."""
        config, layers = self._config, frozenset(self._config.layers)
        sys.path += config.import_paths
        file = _worker_file(config.worker)
        roots = _roots.readable(file, config.import_paths)
        namespaces = _namespaces.enter() if "namespaces" in layers else ()
        if "namespaces" in layers and _namespaces.tree_is_possible(roots) and _namespaces.own_tree(roots):
            namespaces = (*namespaces, "mount")
        self._worker = load_worker(config.worker)
        self._worker.prepare()
        self._jail = _jail.prepare(config.limits, layers, roots, config.slots)
        threads = self._threads()
        if threads != 1:
            raise RuntimeError(f"the worker's prepare() left {threads} threads; a fork would lose them and their locks")
        gc.collect()
        gc.freeze()
        self._pages = _pages.learn(getattr(self._worker, "rehearse", None), self._tasks)
        return {
            "jax": self._worker.describe().get("jax", ""),
            "describe": self._worker.describe(),
            "layers": self._jail.names(),
            "namespaces": list(namespaces),
            "landlock_abi": _landlock.abi(),
            "counts_threads": self._jail.counts_threads(),
            "rehearsed_bytes": sum(length for _, length, advice in self._pages if advice == _kernel.MADV_POPULATE_WRITE),
        }

    def serve(self) -> None:
        """Fork and reap until the supervisor is gone."""
        self._poll.register(self._channel, select.POLLIN)
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor != self._channel.fileno():
                    self._reap(descriptor)
                    continue
                received = _protocol.receive(self._channel)
                if received is None:
                    return
                self._fork(received[0]["fork"], received[0]["cpu"])

    def _threads(self) -> int:
        return len(os.listdir(self._tasks))  # noqa: PTH208 - by descriptor: /proc is gone

    def _fork(self, ticket: int, cpu_seconds: int) -> None:
        if not self._free:
            _protocol.send(self._channel, {"refused": ticket, "why": "every slot is taken"})
            return
        slot = self._free.pop()
        ours_job, job = os.pipe()
        result, ours_result = os.pipe()
        output, ours_output = os.pipe()
        try:
            pid = os.fork()
        except OSError as problem:
            _close(ours_job, job, result, ours_result, output, ours_output)
            self._free.append(slot)
            _protocol.send(self._channel, {"refused": ticket, "why": str(problem)})
            return
        if pid == 0:
            self._become_child(ours_job, ours_result, ours_output, slot, cpu_seconds)
        pidfd = os.pidfd_open(pid)
        self._children[pidfd] = (pid, ticket, slot)
        self._poll.register(pidfd, select.POLLIN)
        _protocol.send(self._channel, {"child": ticket, "pid": pid}, (job, result, output, pidfd))
        _close(ours_job, job, result, ours_result, output, ours_output)

    def _become_child(self, job: int, result: int, output: int, slot: int, cpu_seconds: int) -> None:
        try:
            self._channel.detach()
            try:
                moved = _child.take_descriptors(job, result, output, self._jail.ruleset)
            except OSError:
                os.write(output, _child.NOT_CLOSED)
                raise
            _child.run(self._worker, _jail.with_ruleset(self._jail, moved), slot, cpu_seconds, self._pages)
        finally:
            os._exit(_child.SETUP_FAILED)

    def _reap(self, pidfd: int) -> None:
        pid, ticket, slot = self._children.pop(pidfd)
        self._poll.unregister(pidfd)
        _, status, usage = os.wait4(pid, 0)
        os.close(pidfd)
        self._free.append(slot)
        spent = round(usage.ru_utime + usage.ru_stime, 4)
        _protocol.send(self._channel, {"exit": ticket, "status": status, "cpu": spent, "peak_mb": usage.ru_maxrss // 1024})


def _close(*descriptors: int) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _worker_file(name: str) -> str | None:
    """The folder of the worker's package, or its file when it is a lone module; found without importing it."""
    found = importlib.util.find_spec(name.partition(":")[0].partition(".")[0])
    if found is None or found.origin is None:
        return None
    return str(Path(found.origin).parent) if found.submodule_search_locations else found.origin


def main(descriptor: int) -> None:
    """Run a zygote on the supervisor's socket."""
    channel = socket.socket(fileno=descriptor)
    received = _protocol.receive(channel)
    if received is None:
        return
    # Opened before the file tree is left behind: the tree that follows has no /proc.
    tasks = os.open("/proc/self/task", os.O_RDONLY | os.O_DIRECTORY)
    zygote = Zygote(channel, Config.from_json(json.dumps(received[0]).encode()), tasks)
    try:
        ready = zygote.prepare()
    except Exception:
        _protocol.send(channel, {"broken": traceback.format_exc()[-4000:]})
        return
    _protocol.send(channel, {"ready": ready})
    try:
        zygote.serve()
    except OSError:
        return


def main_plain() -> None:
    """Do one job in this very process, under rlimits alone: the `local` tier of machines without the kernel's help."""
    config = Config.from_json(sys.argv[2].encode())
    sys.path += config.import_paths
    worker = load_worker(config.worker)
    worker.prepare()
    _child.run_plain(worker, config.limits)


if __name__ == "__main__":
    if sys.argv[1] == "plain":
        main_plain()
    else:
        main(int(sys.argv[1]))
    # Without the libraries' own endings, which can take seconds.
    os._exit(0)
