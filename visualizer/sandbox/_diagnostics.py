"""What a person reads when the sandbox ended their job: which limit, how much was allowed, what to do.

Promises: one diagnostic per cause, with a stable code. Must never: quote what the job wrote, or speak of our own machinery.
"""

import signal
from collections.abc import Iterable

from visualizer.model import Diagnostic, Stage

from ._limits import MB, Limits

# What a person can do about a program that is too large to compile here.
_SMALLER = (
    "The levels above are whole, only the compiled program is missing. What XLA compiles must be smaller: a scan over the layers in place "
    "of an unrolled loop is compiled once for all of them. On a server of your own, --cpu-seconds gives a run more."
)


def cpu_limit(limits: Limits, stage: Stage) -> Diagnostic:
    if stage == "compile":
        return _diagnostic(
            "cpu-limit",
            f"XLA was stopped after {limits.cpu_seconds} s of processor time, the limit of a run that compiles.",
            _SMALLER,
            stage,
        )
    return _diagnostic(
        "cpu-limit",
        f"Stopped after {limits.cpu_seconds} s of processor time, the limit for one run.",
        "Printing or reading an array computes it, and compiles what that needs: print shapes, or leave it out. An unrolled Python loop "
        "makes a very long program: use jax.lax.scan or jax.lax.fori_loop. A loop that never ends stops here as well. "
        "On a server of your own, --cpu-seconds gives a run more.",
        stage,
    )


def wall_limit(limits: Limits, stage: Stage) -> Diagnostic:
    if stage == "compile":
        return _diagnostic(
            "wall-limit", f"XLA was stopped after {limits.wall_seconds:g} s, the longest a run that compiles may take.", _SMALLER, stage
        )
    return _diagnostic(
        "wall-limit",
        f"Stopped after {limits.wall_seconds:g} s, the longest one run may take.",
        "The program was waiting for something (a sleep, a lock, an input that never comes), or this machine is busy: "
        "remove what waits, or run it again.",
        stage,
    )


def memory_limit(limits: Limits, stage: Stage) -> Diagnostic:
    if stage == "compile":
        return _diagnostic("memory-limit", f"XLA was stopped at the memory limit, {limits.memory_mb} MB for one run.", _SMALLER, stage)
    return _diagnostic(
        "memory-limit",
        f"Stopped at the memory limit, {limits.memory_mb} MB for one run.",
        "Tracing needs shapes, not values: use smaller arrays, or jax.ShapeDtypeStruct in place of real ones.",
        stage,
    )


def explain(found: Diagnostic, limits: Limits) -> Diagnostic:
    """Tell of the limit where the job ran into one and said so itself; its place is kept.

    For memory that is a MemoryError or XLA's RESOURCE_EXHAUSTED; for time the limit's own code.
    """
    if found.code == "cpu-limit":
        ours = cpu_limit(limits, found.stage)
    elif found.code == "wall-limit":
        ours = wall_limit(limits, found.stage)
    elif found.type == "MemoryError" or found.message.startswith("RESOURCE_EXHAUSTED"):
        ours = memory_limit(limits, found.stage)
        if found.message:
            ours = ours.model_copy(update={"message": f"{ours.message} {found.message}"})
    else:
        return found
    return found.model_copy(update={"code": ours.code, "message": ours.message, "advice": ours.advice})


def thread_limit(limits: Limits, stage: Stage) -> Diagnostic:
    return _diagnostic(
        "thread-limit",
        f"Stopped at the thread limit, {limits.threads} threads for one run.",
        "Start fewer threads; tracing needs none.",
        stage,
    )


def output_limit(limits: Limits, stage: Stage) -> Diagnostic:
    return _diagnostic(
        "output-limit",
        f"The output was cut after {_size(limits.output_bytes)}, the most that is kept of what a run prints.",
        "Print less: shapes rather than values, or only the last step.",
        stage,
        severity="info",
    )


def result_limit(limits: Limits, stage: Stage) -> Diagnostic:
    return _diagnostic(
        "result-limit",
        f"The traced program is larger than {_size(limits.result_bytes)}, the most that one answer may hold.",
        "Trace a part of it, ask for the jaxpr level only, or turn an unrolled Python loop into jax.lax.scan.",
        stage,
    )


# What the gate refuses of honest programs, too: its words for it, what a person reads, and what to do.
_BEYOND = {
    "nesting that is too deep": (
        "Bodies are nested more than 200 deep in this program, which is the most that is shown.",
        "Trace or paste an inner part of it; a jit within a jit can be left out.",
    ),
    "regions that are nested too deep": (
        "Regions are nested more than 200 deep in this module, which is the most that is shown.",
        "Paste an inner part of it, or ask for the jaxpr level only.",
    ),
    "a size out of range": (
        "An array of this program has a dimension of 2^53 or more, which cannot be shown.",
        "Look for a size that was mistyped, or overflowed, and make it smaller.",
    ),
    "a length out of range": (
        "A loop of this program has a length that is negative, or 2^53 or more, which cannot be shown.",
        "Look for a length that was mistyped, or overflowed.",
    ),
    "far too many values": (
        "This program consists of more values than can be shown.",
        "Trace a part of it, or turn an unrolled Python loop into jax.lax.scan.",
    ),
}


def bad_result(why: str, stage: Stage) -> Diagnostic:
    """`why` is ours (the gate's words), never the job's."""
    if why in _BEYOND:
        return _diagnostic("not-shown", *_BEYOND[why], stage)
    return _diagnostic(
        "bad-result",
        f"The run gave an answer that is not a trace ({why}), so it is not shown.",
        "This happens when the code writes to file descriptors that are not its own or replaces parts of Python: remove that. "
        "If it does neither, please report it.",
        stage,
    )


_TIMERS = frozenset({signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF})


def killed_by_signal(number: int, stage: Stage) -> Diagnostic:
    try:
        name = signal.Signals(number).name
    except ValueError:
        name = f"signal {number}"
    if number in _TIMERS:
        advice = "A timer that the code set did this: leave it out (signal.alarm, signal.setitimer)."
        return _diagnostic("crashed", f"The process that ran the code was ended by a timer ({name}).", advice, stage)
    return _diagnostic(
        "crashed",
        f"The process that ran the code crashed ({name}).",
        "Native code did this: a wrong use of ctypes, os.abort, recursion that is too deep, or a fault in a library. "
        "Remove that part and run again.",
        stage,
    )


def ended_early(status: int, stage: Stage) -> Diagnostic:
    return _diagnostic(
        "crashed",
        f"The code ended its own process (exit status {status}) before there was an answer.",
        "Remove os._exit, or whatever closes the process or its file descriptors. Where a library did it (a wrong XLA_FLAGS), its output "
        "says why.",
        stage,
    )


def closed(stage: Stage) -> Diagnostic:
    return _diagnostic(
        "crashed",
        "The code closed the file descriptor that its answer travels on.",
        "Remove what closes file descriptors (os.close, os.closerange).",
        stage,
    )


def failed(name: str, stage: Stage) -> Diagnostic:
    """`name` is an exception's type; it is the job's word and is shown as text."""
    return _diagnostic(
        "crashed",
        "The code broke the Python it ran in before there was an answer.",
        "It replaced or exhausted something that tracing needs (builtins, the recursion limit, memory): remove that and run again.",
        stage,
        kind=name,
    )


def restarted(stage: Stage) -> Diagnostic:
    return _diagnostic(
        "crashed",
        "The sandbox restarted while the code ran.",
        "Run it again. If it happens each time with this code, please report it.",
        stage,
    )


def no_jail(stage: Stage) -> Diagnostic:
    return _diagnostic(
        "crashed",
        "The sandbox could not be closed around the code, so the code was not run.",
        "Run it again; if it stays so, the server's log and /healthz say which layer failed.",
        stage,
    )


def busy(waited_seconds: float) -> Diagnostic:
    text = f"No run became free within {waited_seconds:g} s" if waited_seconds else "Too many runs are waiting already"
    return _diagnostic("busy", f"{text}; this server is busy.", "Try again in a moment.", "read")


def unavailable() -> Diagnostic:
    return _diagnostic(
        "busy",
        "The sandbox is starting, or its self-test failed; nothing is run until it has passed.",
        "Try again in a moment; /healthz says which.",
        "read",
    )


def no_such_jax(wanted: str, there: Iterable[str], why: str = "") -> Diagnostic:
    listed = ", ".join(filter(None, there)) or "none"
    missing = f"JAX {wanted[:40]} cannot be used: {why}" if why else f"JAX {wanted[:40]} is not installed here"
    return _diagnostic("unknown-jax", f"{missing}; there is {listed}.", f"`jaxpr-visualizer jax add {wanted[:40]}` adds it.", "read")


def jax_does_not_start(wanted: str, why: str) -> Diagnostic:
    if not why:
        return _diagnostic("busy", "The server runs as many other versions of JAX as it can.", "Try again in a moment.", "read")
    advice = f"`jaxpr-visualizer jax remove {wanted[:40]}`, then add it again; or trace with another version."
    return _diagnostic("unknown-jax", f"JAX {wanted[:40]} is installed but does not start: {_last_line(why)}", advice, "read")


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[-1][:300]


def too_large(limits: Limits) -> Diagnostic:
    return _diagnostic(
        "request-limit",
        f"The request is larger than {_size(limits.request_bytes)}, the most that is read.",
        "Paste only the code that is to be traced.",
        "read",
    )


def _diagnostic(code: str, message: str, advice: str, stage: Stage, severity: str = "error", kind: str = "") -> Diagnostic:
    return Diagnostic(
        severity="info" if severity == "info" else "error",
        code=code,
        type=kind,
        message=message,
        advice=advice,
        span=None,
        frames=(),
        stage=stage,
    )


def _size(count: int) -> str:
    return f"{count // MB} MB" if count >= MB else f"{count // 1024} kB"
