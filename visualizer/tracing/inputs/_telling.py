"""Pastes that look where held arrays and real ones differ, by the words they use: they are run for real from the start.

Promises: a word too many costs time only. Must never: be the only guard of something that can be guarded when it happens.
"""

from __future__ import annotations

import re

_WORDS = re.compile(
    r"live_arrays|single_device_arrays|live_buffers|ArrayImpl|_cache_size"  # the runtime's own books
    r"|getrefcount|getsizeof|get_objects|get_referrers|get_referents|tracemalloc"  # objects
    r"|memoryview|bytearray|\bbytes\(|frombuffer|struct\.pack|array\.array|hashlib|zlib|base64|binascii"  # bytes, which C code takes
    r"|ctypes|memory_stats|device_memory_profile|memory_analysis"  # memory
    r"|monitoring|log_compiles|explain_cache_misses|start_trace|start_server|transfer_guard"  # running
    r"|XLA_FLAGS|host_platform_device_count|num_cpu_devices|NUM_CPU_DEVICES"  # several devices
    r"|\bmap\(\s*type\b|=\s*type\s*[,)\n]|\btype\s*\)\s*\(|_replace_with|__class_getitem__"  # the class
)


def tells(text: str) -> bool:
    """Whether a paste may tell a held array from a real one."""
    return _WORDS.search(text) is not None
