"""Landlock: a process gives up every file but those named, for good.

Promises: a ruleset is built once and applied by each child; it allows reading the given roots and nothing else: no write, no execute,
no TCP (ABI 4), no signal and no abstract socket beyond the child (ABI 6).
Must never: allow more than it was asked to when the kernel knows less; a kernel without Landlock gives ABI 0, not an error.
"""

import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path

from . import _kernel

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
# How many file rights each ABI knows, counted from bit 0; a right that is handled and not granted is refused.
_FILE_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_FILE_RIGHTS_NOW = 16
_BIND_AND_CONNECT_TCP = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3


def abi() -> int:
    """The Landlock version of this kernel, 0 when there is none (or it is switched off)."""
    try:
        return _kernel.syscall(_CREATE, None, 0, _VERSION_FLAG)
    except OSError:
        return 0


def attributes(version: int) -> bytes:
    """`struct landlock_ruleset_attr` for an ABI, cut to the fields that it knows."""
    files = (1 << _FILE_RIGHTS.get(version, _FILE_RIGHTS_NOW)) - 1
    tcp = _BIND_AND_CONNECT_TCP if version >= 4 else 0
    scope = _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    size = 8 if version < 4 else 16 if version < 6 else 24
    return struct.pack("QQQ", files, tcp, scope)[:size]


def ruleset(readable: Iterable[Path]) -> int:
    """A new ruleset under which only the given files and folders can be read; its file descriptor. OSError without Landlock."""
    packed = attributes(abi())
    descriptor = _kernel.syscall(_CREATE, packed, len(packed), 0)
    for path in readable:
        _allow_reading(descriptor, path)
    return descriptor


def restrict(descriptor: int) -> None:
    """Apply a ruleset to this thread and all that it starts. It cannot be undone. Needs no_new_privs."""
    _kernel.syscall(_RESTRICT, descriptor, 0)


def _allow_reading(descriptor: int, path: Path) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        is_folder = stat.S_ISDIR(os.fstat(opened).st_mode)
        rights = _READ_FILE | _READ_DIR if is_folder else _READ_FILE
        _kernel.syscall(_ADD_RULE, descriptor, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, opened), 0)
    finally:
        os.close(opened)
