"""Arrays whose type is known and whose value is computed only when something reads it.

Running a paste costs little; compiling its eager array code costs 25 to 170 ms for each `jnp.ones`. A held array carries the operation
that would make it. To the paste and to every library it is a concrete array (no Tracer, `isinstance(x, jax.Array)`, the same methods),
so the trace state stays the clean top level; the one place where a concrete value is needed is `Held._now`.

What could still tell a held array from a real one, and why it does not:

* its value: computed when read, in Python or by a C function (`__array__`, the buffer protocol, dlpack, pickle, `__float__`);
* what is changed between making and reading: numpy arrays are copied when an operation is held; options and contexts that an operation
  obeys are in its params; those under which JAX looks at values or at running (`debug_nans`, transfer guards, a mesh) hold nothing;
* an error of running (memory, a backend that refuses): operations that may be refused run at once (`compat.only_runs`), and any error while
  computing refuses the whole run, even where the paste swallows it;
* ends of life: an array that is deleted, donated and read, or donated to no use, refuses the run;
* its class: `__class__`, messages and `type(x)` as the paste calls it (`_sites`) give JAX's; arrays of random keys are of JAX's own
  class, their numbers held;
* the runtime's own books (`jax.live_arrays`, compile logs, cache sizes, reference counts) and several devices: a paste that names
  them is run for real (`_telling`).

What grows: held operations keep what they need, a real run forgets it. Beyond `MOST` of them each new one is computed at once and cut off,
so that a loop that never ends meets the time limit where it stands and not, elsewhere, the memory's.

What stays: `type(x)` taken inside a library; and an array too large for a real run that nothing reads or waits for costs nothing.

Promises: whoever reads a value gets the one a real run would give.
Must never: compute what nobody reads, up to `MOST`, or start a backend by itself before.
"""

from __future__ import annotations

import contextlib
import math
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from visualizer.tracing import compat


class NeedsValueError(BaseException):
    """A value cannot be given; the paste must run for real. A BaseException, so that the paste's `except Exception` does not swallow it."""


class Policy:
    """What happens when a value is read. `refused` is set when one could not be given, even where the paste swallowed the exception."""

    def __init__(self) -> None:
        self.asked: Callable[[Held, str], None] | None = None
        self.refused = False


policy = Policy()
_frame = sys._getframe
_thread = threading.local()  # .real > 0 while this thread computes for real


class Node:
    """One operation that has not run: `run` does it; `primitive`, `params` and `where` say it to a tracer, until it is cut off."""

    __slots__ = ("args", "outs", "params", "primitive", "run", "where")

    alive = 0
    """How many there are that have not been cut off."""

    def __init__(self, run: Callable[..., Sequence[Any]], args: Sequence[Any], primitive: Any, params: dict[str, Any]) -> None:
        Node.alive += 1
        self.run: Callable[..., Sequence[Any]] | None = run
        self.args = args
        self.outs: Sequence[Any] | None = None  # of random keys, their numbers
        self.primitive = primitive
        self.params = params
        self.where = compat.current_source_info()

    def __del__(self) -> None:
        if self.primitive is not None:
            Node.alive -= 1

    def cut_off(self) -> None:
        """Forget what made the results, which are there: an array that nothing else needs goes, as it would in a real run."""
        Node.alive -= 1
        self.primitive, self.args, self.params = None, (), {}


# More operations than anyone looks at. A loop that never ends would fill the memory with its past, which a real run forgets.
MOST = 100_000


def _jax_asks() -> bool:
    """Whether the caller of our caller is JAX."""
    caller = _frame(2).f_globals.get("__name__", "")
    return isinstance(caller, str) and caller.startswith("jax.")


class _DefaultPlace:
    """What JAX's own code gets when it only asks whether an array is sharded: the sharding of the default device, without starting it."""

    num_devices = 1
    is_fully_replicated = True
    is_fully_addressable = True
    _is_concrete = True
    __class__ = property(lambda _: compat.SingleDeviceSharding)

    def _to_xla_hlo_sharding(self, _rank: int) -> Any:
        return compat.replicated_everywhere

    def __repr__(self) -> str:
        return repr(compat.default_sharding())

    def __reduce__(self) -> Any:
        return compat.default_sharding().__reduce__()

    def __getattr__(self, name: str) -> Any:
        return getattr(compat.default_sharding(), name)

    def __eq__(self, other: object) -> bool:
        return self is other or compat.default_sharding() == other

    def __hash__(self) -> int:
        return id(self) if _jax_asks() else hash(compat.default_sharding())


_HERE = _DefaultPlace()


class _Kind(type):
    """The class of `Held`. C code names a class by `tp_name`, Python by `__name__`: those of JAX's array differ."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        return str(compat.ArrayImpl.__name__)


# An array this large may be more than a real run is given, so waiting for it is reading it.
LARGE = 1 << 30


class Held(metaclass=_Kind):
    """An eager array that has not been computed. `here`: it lives on the default device, as far as anyone can tell without a backend.

    Not a subclass of jaxlib's array, but `isinstance` also asks `__class__`: a `jax.Array` to everyone who asks in Python, and unknown
    to C++, which therefore takes its slow path to ours.
    """

    __slots__ = ("__dict__", "__weakref__", "_gone", "_here", "_i", "_node", "_val", "aval")
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
        return _HERE if _jax_asks() else compat.default_sharding()

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
        if self._gone or self.nbytes > LARGE:
            self._now("block_until_ready")
        return self

    def delete(self) -> None:
        """Only a real run knows what is left of what was made of it."""
        refuse("delete")

    def copy_to_host_async(self) -> None:
        """Nothing to copy yet."""

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._now("__array__").__array__(dtype=dtype, copy=copy)

    def __copy__(self) -> Held:
        return self

    def __deepcopy__(self, memo: Any) -> Held:
        return self

    def __format__(self, spec: str) -> str:
        return format(self._now("__format__"), spec)

    def __reduce__(self) -> Any:
        return self._now("__reduce__").__reduce__()

    def __getattr__(self, name: str) -> Any:
        if name == "__cuda_array_interface__":  # there, and raises
            return self._now(name).__cuda_array_interface__
        raise AttributeError(f"{compat.ARRAY_TYPE_TEXT} object has no attribute {name!r}", name=name, obj=self)


def held_of(value: Any) -> Held | None:
    """The held array that a value is or, an array of random keys, stands on; None for every other."""
    if type(value) is Held:
        return value
    if type(value) is compat.KeyArray and type(value._base_array) is Held:
        return value._base_array
    return None


def type_of(*args: Any) -> Any:
    """The builtin `type` as the paste calls it."""
    return args[0].__class__ if len(args) == 1 and type(args[0]) in _OURS else type(*args)


_OURS = frozenset({Held, _DefaultPlace})


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
        needed = [held._node for held in map(held_of, current.args) if held is not None and held._val is None and held._node.outs is None]
        if needed:
            todo.extend(needed)
            continue
        try:
            with really():
                outs = current.run(*[computed(arg) for arg in current.args])
        except Exception:
            policy.refused = True  # a real run would have met it where the operation stands
            raise
        current.outs = [out._base_array if type(out) is compat.KeyArray else out for out in outs]
        current.run = None
        todo.pop()


def computed(arg: Any) -> Any:
    """The value of an argument; of a held array, whose operation has run."""
    held = held_of(arg)
    if held is None:
        return arg
    value = held._val if held._val is not None else held._node.outs[held._i]  # type: ignore[index]
    return value if held is arg else compat.with_base(arg, value)


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


def kept(arg: Any) -> Any:
    """The argument as it is now: a later change of a numpy array in place must not reach a held operation."""
    if isinstance(arg, np.ndarray):
        return arg.copy()
    if type(arg).__name__ == "TypedNdArray":
        return type(arg)(np.array(arg.val), arg.weak_type)
    return arg


def values(args: Sequence[Any]) -> list[Any]:
    """The arguments with every held array computed."""
    for arg in args:
        if (held := held_of(arg)) is not None:
            held._now("effect")
    return [computed(arg) for arg in args]


def _asks_real(name: str) -> property:
    return property(lambda self: getattr(self._now(name), name))


def _become_an_array() -> None:
    """Give Held every method an array has: those made of operations stay operations, all others ask the real array."""
    compat.register_array_type(Held, lambda held: held._now("argument"))
    for name in dir(compat.ArrayImpl):
        inherited = (hasattr(object, name) and name not in ("__repr__", "__str__")) or name == "__cuda_array_interface__"
        if name == "__numpy_dtype__":  # it warns whoever calls it
            setattr(Held, name, getattr(compat.ArrayImpl, name))
        elif name not in Held.__dict__ and name != "__del__" and not inherited:
            setattr(Held, name, _asks_real(name))
    # `print(type(x))` and messages read the same.
    type.__dict__["__name__"].__set__(Held, f"{compat.ArrayImpl.__module__}.{compat.ArrayImpl.__name__}")
    Held.__qualname__, Held.__module__, Held.__doc__ = compat.ArrayImpl.__name__, compat.ArrayImpl.__module__, compat.ArrayImpl.__doc__


_become_an_array()
