"""A small assembler for the classic BPF programs that seccomp runs.

Promises: instructions in the kernel's layout; jumps are relative and checked to fit.
Must never: know which calls are allowed; that is `_seccomp`.
"""

import struct
from typing import NamedTuple

LOAD, AND, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
# struct seccomp_data: nr, arch, instruction pointer, six 64-bit arguments (little endian: the low half comes first).
NR, ARCH, _ARGUMENTS = 0, 4, 16
_LONGEST_JUMP = 255
_LONGEST_PROGRAM = 4096


class Instruction(NamedTuple):
    code: int
    yes: int
    no: int
    k: int


def load(offset: int) -> Instruction:
    return Instruction(LOAD, 0, 0, offset)


def argument(index: int) -> Instruction:
    """Load the low 32 bits of an argument."""
    return load(_ARGUMENTS + 8 * index)


def argument_high(index: int) -> Instruction:
    return load(_ARGUMENTS + 8 * index + 4)


def mask(bits: int) -> Instruction:
    return Instruction(AND, 0, 0, bits)


def when_equal(k: int, yes: int, no: int) -> Instruction:
    """Skip `yes` instructions when the loaded value equals k, else `no`."""
    return _jump(EQUAL, k, yes, no)


def when_at_least(k: int, yes: int, no: int) -> Instruction:
    return _jump(AT_LEAST, k, yes, no)


def when_any_bit(bits: int, yes: int, no: int) -> Instruction:
    return _jump(ANY_BIT, bits, yes, no)


def give(value: int) -> Instruction:
    return Instruction(RETURN, 0, 0, value)


def assemble(program: list[Instruction]) -> bytes:
    """The program as `struct sock_filter[]`. ValueError when it is longer than the kernel takes."""
    if len(program) > _LONGEST_PROGRAM:
        raise ValueError(f"a filter of {len(program)} instructions; the kernel takes {_LONGEST_PROGRAM}")
    return b"".join(struct.pack("HBBI", *instruction) for instruction in program)


def _jump(code: int, k: int, yes: int, no: int) -> Instruction:
    if not (0 <= yes <= _LONGEST_JUMP and 0 <= no <= _LONGEST_JUMP):
        raise ValueError(f"a jump over {max(yes, no)} instructions does not fit")
    return Instruction(code, yes, no, k)
