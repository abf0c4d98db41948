"""What to do about the errors that JAX programs run into most.

Promises: advice only where it is right for every program that raises this error; plain words, no blame.
Must never: run anything of the exception's but reading its message.
"""

from __future__ import annotations

import re
from typing import Any

_BY_TYPE = {
    "TracerBoolConversionError": "A traced value has no truth value while tracing. Use jnp.where or jax.lax.cond for the choice, "
    "jax.lax.while_loop for the loop, or hold the argument static.",
    "TracerIntegerConversionError": "A traced value cannot be a Python integer (a size, an index, a range). Hold the argument static "
    "(static_argnums, functools.partial), or use jax.lax.fori_loop and jax.lax.dynamic_slice.",
    "TracerArrayConversionError": "NumPy and Python's math need real values; a traced one has none. Use the jax.numpy function of "
    "the same name.",
    "ConcretizationTypeError": "A traced value is needed as a concrete one. Hold the argument static, or write the step with jax.numpy "
    "or jax.lax.",
    "NonConcreteBooleanIndexError": "The size of x[mask] depends on values. Use jnp.where(mask, x, 0), or jnp.nonzero with size=.",
    "UnexpectedTracerError": "A traced value left the function it belongs to, through a global, an attribute or a list. Return it instead.",
    "KeyReuseError": "A random key was used twice. Split it with jax.random.split.",
    "TypePromotionError": "The types differ and implicit promotion is off. Convert one of them with .astype(...).",
    "TabError": "Tabs and spaces are mixed in the indentation. Use one of them in the whole paste.",
    "IndentationError": "The indentation does not fit the lines before it.",
    "NameError": "The name is not defined at this point. Was a line left out of the paste?",
    "UnboundLocalError": "The name is assigned in this function, so it is local to it. Pass the value in, or use another name.",
    "MemoryError": "The paste needs more memory than it may use. Trace with jax.ShapeDtypeStruct instead of real arrays: shapes "
    "are enough.",
    "RecursionError": "A function calls itself without end, or nests too deeply.",
    "EOFError": "There is no keyboard here: input() has nothing to read. Give the value in the paste.",
    "FileNotFoundError": "Files are not there when a paste runs. Make the data in the paste: jnp.zeros or jax.ShapeDtypeStruct of the "
    "right shape.",
    "PermissionError": "A paste runs without files, network and processes. Make the data in the paste: zeros of the right shape are "
    "enough.",
    "OSError": "A paste runs without files, network and processes. Make the data in the paste: zeros of the right shape are enough.",
    "BdbQuit": "There is no keyboard here, so a debugger has nothing to read. Leave it out.",
    "AssertionError": "The condition is false. Mend what it checks, or leave the assertion out.",
    "AttributeError": "There is nothing of this name in that object: look for a slip in the name, or for what another version calls it.",
    "KeyError": "This key is not there. Print the keys that are, or use .get().",
    "IndexError": "The index is past the end. Print the length or the shape.",
    "ZeroDivisionError": "A Python number was divided by zero. Arrays of jax.numpy give inf or nan instead.",
    "BaseExceptionGroup": "Several errors were raised together. Run the parts one by one to see each.",
    "OnceError": "The call itself went well. To see its program, take the values before it and give it those, or make what gives them (a "
    "generator, a file) just before the call.",
    "KeyboardInterrupt": "The paste raised this itself.",
}
# What is right for every error: this is where the person's own Python would stop, too.
ANYTHING_ELSE = "The paste stops here, as it would in Python itself. Mend this line, or leave out what needs it."
_BY_SYNTAX = (
    (re.compile(r"was never closed"), "Close this bracket. Was the end of the paste cut off?"),
    (re.compile(r"^unmatched|does not match opening"), "Remove this bracket, or open it before."),
    (re.compile(r"^unterminated|f-string: expecting"), "Close the quotes or the brace. Text over several lines needs triple quotes."),
    (re.compile(r"^invalid (?:non-printable )?character"), "Delete this character, or put it into quotes."),
    (re.compile(r"^'(?:await|return|yield)"), "This stands in a function only: write def or async def around it, or leave it out."),
    (re.compile(r"Missing parentheses in call"), "This is Python 2. Write it with parentheses."),
    (re.compile(r"from __future__ imports must"), "Move this line to the start of the paste."),
)
_ANY_SYNTAX = (
    "Python cannot read the paste from here on. Look here and just before: a bracket, quote or colon is missing, or this is not Python."
)
_BY_MESSAGE = (
    (
        re.compile(r"scan body function carry input and carry output|body_fun output and input must have"),
        "The carry must leave a step as it came in: same shape and dtype. Start with the right type, or convert the new one with .astype.",
    ),
    (
        re.compile(r"branch(?:es| outputs) must have"),
        "Every branch must return the same structure, shapes and dtypes.",
    ),
    (
        re.compile(r"vmap got inconsistent sizes"),
        "The mapped axes must have one size. Use in_axes=None for an argument that is not mapped.",
    ),
    (
        re.compile(r"vmap was requested to map its argument"),
        "An argument has fewer axes than in_axes asks for. Use in_axes=None for an argument that is not mapped.",
    ),
    (
        re.compile(r"traced for \w+ returned a value of type"),
        "A traced function returns arrays and numbers only: leave the rest out of what it returns.",
    ),
    (
        re.compile(r"not a valid JAX (?:array )?type|is not a valid JAX type|Cannot interpret value of type|as an abstract array"),
        "JAX traces arrays and numbers. Pass anything else (text, functions) as a static argument: functools.partial, static_argnums.",
    ),
    (
        re.compile(r"Gradient only defined for scalar-output functions"),
        "jax.grad needs a function that returns one number. Reduce the output (.sum(), .mean()), or use jax.jacobian.",
    ),
    (
        re.compile(r"grad requires real- or complex-valued inputs"),
        "Only floating-point arguments can be differentiated. Convert with .astype(jnp.float32), or choose others with argnums.",
    ),
    (
        re.compile(r"JAX arrays are immutable|object does not support item assignment"),
        "JAX arrays cannot be changed in place. Write x = x.at[i].set(value).",
    ),
    (
        re.compile(r"Non-hashable static arguments|unhashable type"),
        "A static argument must be hashable: a tuple instead of a list or an array.",
    ),
    (
        re.compile(r"dot_general requires contracting dimensions|ncompatible shapes"),
        "The shapes do not fit. Print x.shape of both, or trace the parts one by one.",
    ),
    (
        re.compile(r"An overflow was encountered while parsing an argument"),
        "The Python integer does not fit into 32 bits. Make it a float, or switch on jax_enable_x64.",
    ),
    (
        re.compile(r"Array has been deleted"),
        "The array was donated or deleted. Use what the function returned, or do not donate it.",
    ),
    (re.compile(r"can't start new thread"), "Start fewer threads; tracing needs none."),
    (
        re.compile(r"error calling callback"),
        "The function that JAX calls back raised this. It runs in Python with real values: mend it, or leave the callback out.",
    ),
)
_REMOVED = {
    "xla_computation": "jax.xla_computation was removed. Use jax.jit(f).lower(*args), and .as_text() for the HLO.",
    "tree_map": "jax.tree_map was removed. Use jax.tree.map.",
    "tree_multimap": "jax.tree_multimap was removed. Use jax.tree.map.",
    "tree_leaves": "jax.tree_leaves was removed. Use jax.tree.leaves.",
    "tree_flatten": "jax.tree_flatten was removed. Use jax.tree.flatten.",
    "tree_unflatten": "jax.tree_unflatten was removed. Use jax.tree.unflatten.",
    "tree_structure": "jax.tree_structure was removed. Use jax.tree.structure.",
    "Primitive": "It moved to jax.extend.core.Primitive.",
    "Jaxpr": "It moved to jax.extend.core.Jaxpr.",
    "ClosedJaxpr": "It moved to jax.extend.core.ClosedJaxpr.",
    "DeviceArray": "Use jax.Array.",
    "abstract_arrays": "jax.abstract_arrays was removed. Use jax.core.ShapedArray, or jax.ShapeDtypeStruct.",
    "linear_util": "It moved to jax.extend.linear_util.",
    "host_callback": "jax.experimental.host_callback was removed. Use jax.debug.print, jax.debug.callback or jax.pure_callback.",
    "maps": "xmap was removed. Use jax.vmap with jax.shard_map.",
    "pjit": "Use jax.jit with in_shardings and out_shardings.",
}
# A metaclass may hide them.
_NAME_OF: Any = type.__dict__["__name__"]
_BASES_OF: Any = type.__dict__["__mro__"]
_NO_ATTRIBUTE = re.compile(r"module '(?P<module>jax[\w.]*)' has no attribute '(?P<name>\w+)'")
_NO_IMPORT = re.compile(r"cannot import name '(?P<name>\w+)' from '(?P<module>jax[\w.]*)'")


def advice_for(error: BaseException, message: str) -> str:
    """What to do about an exception; never empty."""
    return _advice_for(error, message) or ANYTHING_ELSE


def _advice_for(error: BaseException, message: str) -> str:
    kinds: tuple[type, ...] = _BASES_OF.__get__(type(error))
    names = [_NAME_OF.__get__(kind) for kind in kinds]
    if ImportError in kinds:
        return _about_import(error, message)
    if "SyntaxError" in names and names[0] not in _BY_TYPE:
        return next((advice for pattern, advice in _BY_SYNTAX if pattern.search(message)), _ANY_SYNTAX)
    for pattern, advice in _BY_MESSAGE:
        if pattern.search(message):
            return advice
    removed = _about_removed(_NO_ATTRIBUTE.search(message)) if names[0] == "AttributeError" else ""
    return removed or next((_BY_TYPE[name] for name in names if name in _BY_TYPE), "")


def _about_import(error: Any, message: str) -> str:
    removed = _about_removed(_NO_IMPORT.search(message))
    if removed:
        return removed
    if issubclass(type(error), ModuleNotFoundError) and isinstance(error.name, str):
        top = error.name.partition(".")[0]
        if top in ("jax", "jaxlib"):
            return f"{error.name} is not part of the installed JAX. It may have been removed or renamed."
        here = ", ".join(installed_libraries())
        more = " Whoever runs this server can add it: pip install 'jaxpr-visualizer[libraries]'." if top in _OFFERED else ""
        return f"{top} is not installed here. Installed are: {here}. Leave out what needs it, or paste its code.{more}"
    return ""


def _about_removed(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    known = _REMOVED.get(found["name"])
    return known or f"{found['module']}.{found['name']} is not part of the installed JAX. It may have been removed or renamed."


_LIBRARIES: list[str] = []
# The distribution's extra of the same name.
_OFFERED = frozenset({"blackjax", "diffrax", "equinox", "flax", "numpyro", "optax"})


def installed_libraries() -> list[str]:
    """The libraries that a paste may import beside Python's own."""
    return ["jax", "numpy", *_LIBRARIES]


def know_libraries(names: list[str]) -> None:
    """Say which libraries beside JAX are installed."""
    _LIBRARIES[:] = names
