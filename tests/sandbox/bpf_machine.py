"""Runs a classic BPF program on a made-up system call, as the kernel would: for tests of the filter without loading it."""

from __future__ import annotations

import struct

from visualizer.sandbox import _bpf


def judge(program: list[_bpf.Instruction], nr: int, arguments: tuple[int, ...] = (), arch: int = 0) -> int:
    """The program's answer."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<iIQ6Q", nr, arch, 0, *(value & 0xFFFFFFFFFFFFFFFF for value in padded))
    at, loaded = 0, 0
    while True:
        code, yes, no, k = program[at]
        at += 1
        if code == _bpf.RETURN:
            return k
        if code == _bpf.LOAD:
            (loaded,) = struct.unpack_from("<I", data, k)
        elif code == _bpf.AND:
            loaded &= k
        else:
            holds = {_bpf.EQUAL: loaded == k, _bpf.AT_LEAST: loaded >= k, _bpf.ANY_BIT: bool(loaded & k)}[code]
            at += yes if holds else no
