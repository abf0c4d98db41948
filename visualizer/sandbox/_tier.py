"""What this machine's sandbox is good for, decided by what the self-test found and by nothing that a version string promises.

A: Landlock and seccomp hold, in a file tree and a network of their own. B: Landlock and seccomp hold (inside most containers).
C: seccomp in an own file tree and network, on a kernel without Landlock; public with a warning. local: anything else.
"""

from collections.abc import Collection
from typing import Literal

Tier = Literal["A", "B", "C", "local"]
PUBLIC: frozenset[Tier] = frozenset({"A", "B", "C"})


def decide(leaks: Collection[str], layers: Collection[str], namespaces: Collection[str]) -> Tier:
    """The tier for a finished self-test. One leak, whatever it is, makes it `local`."""
    if leaks or "rlimits" not in layers or "seccomp" not in layers:
        return "local"
    own_tree = {"mount", "net"} <= set(namespaces)
    if "landlock" in layers:
        return "A" if own_tree else "B"
    return "C" if own_tree else "local"
