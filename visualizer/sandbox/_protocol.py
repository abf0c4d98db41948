"""What the supervisor, the zygote and a job's child say to each other.

supervisor -> zygote   one JSON datagram: the configuration, then `{"fork": ticket, "cpu": seconds}`
zygote -> supervisor   `{"ready": ...}` or `{"broken": why}`; then `{"child": ticket, "pid": n}` with four descriptors (job, result, output,
                       pidfd), `{"refused": ticket, "why": text}`, `{"exit": ticket, "status": n, "cpu": s, "peak_mb": n}`
supervisor -> child    the request, JSON, on the job pipe, until its end. It never passes through the zygote's memory.
child -> supervisor    lines of JSON on the result pipe: messages, and these control lines
"""

import json
import socket
from dataclasses import asdict, dataclass
from typing import Any

from ._limits import Limits

# The child's own descriptors; 0 is empty, 1 and 2 are the output pipe.
JOB_FD, RESULT_FD = 3, 4
# A request with this key runs the self-test instead of the worker. It is harmless to ask for: it only tries to break out.
CANARIES = "canaries"

DONE = b'{"done":true}'
AGAIN_PREFIX = b'{"again":'
READING_PREFIX = b'{"reading":'
FAILED_PREFIX = b'{"failed":'
CANARY_PREFIX = b'{"canary":'

LARGEST_DATAGRAM = 128 * 1024
ALL_LAYERS = frozenset({"rlimits", "namespaces", "uid", "landlock", "seccomp"})


@dataclass(frozen=True, slots=True)
class Config:
    """What a zygote needs to know. `layers` is a subset of ALL_LAYERS; fewer are for measuring and for tests of the self-test only."""

    worker: str
    limits: Limits
    slots: int
    layers: tuple[str, ...]
    import_paths: tuple[str, ...] = ()

    def to_json(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @classmethod
    def from_json(cls, data: bytes) -> "Config":
        fields = json.loads(data)
        return cls(
            worker=fields["worker"],
            limits=Limits(**fields["limits"]),
            slots=fields["slots"],
            layers=tuple(fields["layers"]),
            import_paths=tuple(fields["import_paths"]),
        )


def send(channel: socket.socket, message: dict[str, Any], descriptors: tuple[int, ...] = ()) -> None:
    """Send one message. OSError when the other side is gone."""
    socket.send_fds(channel, [json.dumps(message).encode()], descriptors)


def receive(channel: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """The next message and its descriptors; None when the other side is gone."""
    try:
        data, descriptors, _, _ = socket.recv_fds(channel, LARGEST_DATAGRAM, 4)
    except OSError:
        return None
    if not data:
        return None
    message: dict[str, Any] = json.loads(data)
    return message, descriptors
