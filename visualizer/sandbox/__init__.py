"""Runs a stranger's text in a jailed, single-use child process and hands back JSON that was checked.

Promises: every job ends, within its limits, in checked messages that say what happened; nothing of a job outlives it.
Must never: import jax, numpy or flask, unpickle anything, or run the text in the caller's process. The names are loaded on demand,
because the zygote imports this package too and must stay small.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._errors import BadResult as BadResult
    from ._errors import SandboxError as SandboxError
    from ._gate import Gate as Gate
    from ._limits import Limits as Limits
    from ._pool import Other as Other
    from ._pool import Pool as Pool
    from ._supervisor import Supervisor as Supervisor

_HOMES = {
    "Supervisor": "_supervisor",
    "Limits": "_limits",
    "SandboxError": "_errors",
    "BadResult": "_errors",
    "Gate": "_gate",
    "Pool": "_pool",
    "Other": "_pool",
}
__all__ = ["BadResult", "Gate", "Limits", "Other", "Pool", "SandboxError", "Supervisor"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
