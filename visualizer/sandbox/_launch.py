"""How the zygote program is started: exec, a literal environment, no descriptor but its socket.

Must never: pass on anything of the caller's environment or working directory.
"""

import os
import socket
import subprocess
from pathlib import Path

from ._errors import SandboxError
from ._protocol import Config

PROGRAM = Path(__file__).with_name("_zygote.py")

# Everything the worker and the jobs see. One thread per pool keeps the zygote single-threaded and a job's thread count small; a fixed hash
# seed makes runs repeatable; a home that does not exist keeps libraries from writing.
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NPROC": "1",
    # Each malloc arena reserves address space; with many cores they would use up RLIMIT_AS.
    "MALLOC_ARENA_MAX": "2",
    # What the jaxlib runtime reads: the CPU only, quiet.
    "JAX_PLATFORMS": "cpu",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
# No user site, no script folder on the path, no .pyc written. (-I would ignore the hash seed; the environment is literal anyway.)
_FLAGS = ("-s", "-P", "-B")


def command(python: str, *arguments: str) -> list[str]:
    """The command line that runs the zygote program."""
    return [python, *_FLAGS, str(PROGRAM), *arguments]


def start_zygote(python: str, config: Config) -> tuple[subprocess.Popen[bytes], socket.socket]:
    """Exec a zygote and send it its configuration; the process and our end of its socket. SandboxError when python does not run."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        process = subprocess.Popen(
            command(python, str(theirs.fileno())),
            pass_fds=[theirs.fileno()],
            env=ENVIRONMENT,
            cwd="/",
            stdin=subprocess.DEVNULL,
            # Ctrl-C in a terminal goes to the whole group; the zygote ends when its supervisor says so, not with a stack trace of its own.
            start_new_session=True,
        )
    except OSError as problem:
        ours.close()
        raise SandboxError(f"cannot start {python}: {problem.strerror or problem}") from problem
    finally:
        theirs.close()
    try:
        ours.send(config.to_json())
    except OSError as problem:
        ours.close()
        process.wait()
        raise SandboxError(f"{python} ended before it was configured") from problem
    return process, ours


def start_plain(python: str, config: Config, job: int, result: int, output: int) -> subprocess.Popen[bytes]:
    """Exec one unjailed child (the `local` tier) with its descriptors in the child's places."""

    def arrange() -> None:  # runs between fork and exec
        lifted = [os.dup(descriptor) for descriptor in (job, result)]
        while min(lifted) <= 4:
            lifted = [os.dup(descriptor) for descriptor in lifted]
        os.dup2(lifted[0], 3)
        os.dup2(lifted[1], 4)

    return subprocess.Popen(
        command(python, "plain", config.to_json().decode()),
        preexec_fn=arrange,  # noqa: PLW1509 - the descriptors must have fixed numbers, and this tier is for one person's own machine
        close_fds=False,
        env=ENVIRONMENT,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
