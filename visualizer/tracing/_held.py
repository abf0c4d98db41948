"""Arrays whose type is known and whose value is computed only when something reads it.

Running a paste costs little; compiling its eager array code costs 25 to 170 ms for each `jnp.ones`. A held array carries the operation
that would make it. To the paste and to every library it is a concrete array (no Tracer, `isinstance(x, jax.Array)`, the same methods),
so the trace state stays the clean top level; the one place where a concrete value is needed is `Held.now`.

Promises: whoever reads a value gets the one a real run would give.
Must never: compute what nobody reads, or start a backend by itself.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import compat


class NeedsValueError(BaseException):
    """A value cannot be given; the paste must run for real. A BaseException, so that the paste's `except Exception` does not swallow it."""


class Policy:
    """What happens when a value is read. `refused` is set when one could not be given, even where the paste swallowed the exception."""

    def __init__(self) -> None:
        self.asked: Callable[[Held, str], None] | None = None
        self.refused = False


policy = Policy()
_thread = threading.local()  # .real > 0 while this thread computes for real


class Node:
    """One operation that has not run: `run` does it; `primitive`, `params` and `where` say it to a tracer."""

    __slots__ = ("args", "outs", "params", "primitive", "run", "where")

    def __init__(self, run: Callable[..., Sequence[Any]], args: Sequence[Any], primitive: Any, params: dict[str, Any]) -> None:
        self.run: Callable[..., Sequence[Any]] | None = run
        self.args = args
        self.outs: Sequence[Any] | None = None
        self.primitive = primitive
        self.params = params
        self.where = compat.current_source_info()


class _DefaultPlace:
    """What JAX's own code gets when it only asks whether an array is sharded: the sharding of the default device, without starting it."""

    num_devices = 1
    is_fully_replicated = True
    is_fully_addressable = True
    _is_concrete = True
    __class__ = property(lambda _: compat.SingleDeviceSharding)

    def __getattr__(self, name: str) -> Any:
        return getattr(compat.default_sharding(), name)

    def __eq__(self, other: object) -> bool:
        return self is other or compat.default_sharding() == other

    def __hash__(self) -> int:
        return hash(compat.default_sharding())


_HERE = _DefaultPlace()


class Held:
    """An eager array that has not been computed. `here`: it lives on the default device, as far as anyone can tell without a backend.

    Not a subclass of jaxlib's array, but `isinstance` also asks `__class__`: a `jax.Array` to everyone who asks in Python, and unknown
    to C++, which therefore takes its slow path to ours.
    """

    __slots__ = ("__weakref__", "_gone", "_here", "_i", "_node", "_val", "aval")
    __hash__ = None  # type: ignore[assignment]
    __array_priority__ = 100
    __class__ = property(lambda _: compat.ArrayImpl)

    def __init__(self, aval: Any, node: Node, index: int, here: bool) -> None:
        self.aval = aval
        self._node = node
        self._i = index
        self._val: Any = None
        self._here = here
        self._gone = False

    def _now(self, why: str = "value") -> Any:
        """The value, computed if need be. Raises NeedsValueError for an array that was given away (donated)."""
        if self._gone:
            refuse("donated")
        if self._val is None:
            if policy.asked:
                policy.asked(self, why)
            compute(self._node)
            self._val = self._node.outs[self._i]  # type: ignore[index]
        return self._val

    shape = property(lambda self: self.aval.shape)
    dtype = property(lambda self: self.aval.dtype)
    ndim = property(lambda self: len(self.aval.shape))
    size = property(lambda self: math.prod(self.aval.shape))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    weak_type = property(lambda self: self.aval.weak_type)
    _committed = property(lambda self: False if self._here else self._now("_committed")._committed)

    @property
    def sharding(self) -> Any:
        """JAX itself mostly asks in order to compare: it gets a stand-in. The person gets the real one."""
        if not self._here:
            return self._now("sharding").sharding
        caller = sys._getframe(1).f_globals.get("__name__", "")
        return _HERE if isinstance(caller, str) and caller.startswith("jax.") else compat.default_sharding()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if not self.shape:
            raise TypeError("iteration over a 0-d array")
        return (row for chunk in self._chunk_iter(100) for row in chunk._unstack())

    def block_until_ready(self) -> Held:
        """Waiting is not reading."""
        return self

    def copy_to_host_async(self) -> None:
        """Nothing to copy yet."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.array(np.asarray(self._now("__array__")), dtype=dtype)

    def __copy__(self) -> Held:
        return self

    def __deepcopy__(self, memo: Any) -> Held:
        return self

    def __format__(self, spec: str) -> str:
        return format(self._now("__format__"), spec)

    def __reduce__(self) -> Any:
        return self._now("__reduce__").__reduce__()

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{compat.ARRAY_TYPE_TEXT} object has no attribute {name!r}")


def is_held(value: Any) -> bool:
    """Whether a value is a held array (`isinstance` would say that it is JAX's)."""
    return type(value) is Held


def refuse(why: str) -> None:
    """End the run: only a real one can say what happens now."""
    policy.refused = True
    raise NeedsValueError(why)


def compute(node: Node) -> None:
    """Run an operation and what it needs. Depth first without recursion: ten thousand chained steps must not overflow the stack."""
    todo = [node]
    while todo:
        current = todo[-1]
        if current.outs is not None or current.run is None:
            todo.pop()
            continue
        needed = [arg._node for arg in current.args if type(arg) is Held and arg._val is None and arg._node.outs is None]
        if needed:
            todo.extend(needed)
            continue
        with really():
            current.outs = current.run(*[_value(arg) for arg in current.args])
        current.run = None
        todo.pop()


def _value(arg: Any) -> Any:
    if type(arg) is not Held:
        return arg
    return arg._val if arg._val is not None else arg._node.outs[arg._i]  # type: ignore[index]


@contextlib.contextmanager
def really() -> Iterator[None]:
    """Compute for real, at the top level, even when asked for inside a trace."""
    _thread.real = getattr(_thread, "real", 0) + 1
    try:
        with compat.eval_context(), compat.real_device():
            yield
    finally:
        _thread.real -= 1


def computing() -> bool:
    """Whether this thread is computing for real."""
    return bool(getattr(_thread, "real", 0))


def values(args: Sequence[Any]) -> list[Any]:
    """The arguments with every held array computed."""
    return [arg._now("effect") if type(arg) is Held else arg for arg in args]


def _asks_real(name: str) -> property:
    return property(lambda self: getattr(self._now(name), name))


def _become_an_array() -> None:
    """Give Held every method an array has: those made of operations stay operations, all others ask the real array."""
    compat.register_array_type(Held, lambda held: held._now("argument"))
    for name in dir(compat.ArrayImpl):
        inherited = hasattr(object, name) and name not in ("__repr__", "__str__")
        if name not in Held.__dict__ and name != "__del__" and not inherited:
            setattr(Held, name, _asks_real(name))
    # `print(type(x))` reads the same.
    Held.__name__ = Held.__qualname__ = compat.ArrayImpl.__name__
    Held.__module__ = compat.ArrayImpl.__module__


_become_an_array()
