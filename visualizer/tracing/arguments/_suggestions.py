"""What a parameter of a function that nobody calls probably takes, in the words of a signature.

From, in this order: an annotation with a shape (`Float[Array, "3 4"]`, `"f32[3]"`), the default, a shape in the docstring (`x: f32[3]`,
`x: (3, 4)`), a variable of the paste with the parameter's name, an annotation with a type of Python's (`_python_types`).

Promises: what is suggested can be read as a signature in this paste. Must never: invent the size of an array; read the value of one.
"""

from __future__ import annotations

import contextlib
import re
import types
from collections.abc import Mapping
from types import MappingProxyType, NoneType
from typing import Any

import jax

from ._python_types import python_type
from ._recordable import is_array
from ._signature_text import signature_text
from ._signature_types import WORDS, SignatureError, read_type

Dict = dict[str, Any]
_leaves = jax.tree.leaves
_Shape = jax.ShapeDtypeStruct
MAX_TEXT = 200
_CONTAINERS = (dict, list, tuple)
_SHORT = {name: word for word, name in WORDS.items() if word != name}
_NUMBERS = {"float": "float", "complex": "complex"}
# jaxtyping's words: https://docs.kidger.site/jaxtyping/api/array/
_JAXTYPING = {"Float": "float", "Int": "int", "Bool": "bool", "Complex": "complex", "Integer": "int", "Inexact": "float", "Key": "key<fry>"}
_ANNOTATED = re.compile(r"""^(?:\w+\.)*(?P<kind>[A-Z]\w*)\[\s*[\w.]+\s*,\s*(?P<quote>['"])(?P<sizes>[^'"]*)(?P=quote)\s*\]$""")
_SHAPED = re.compile(
    r"^(?:(?:an?|the|array|arrays|tensor|matrix|vector|ndarray|(?:\w+\.)+\w+|float|of|with|shaped?)[\s:=]+)*(?P<shape>\([\w\s,]*\))",
    re.IGNORECASE,
)
_DOCUMENTED = re.compile(r"^[ \t]*(?:[-*]\s+|:param\s+|@param\s+)?`{0,2}(?P<name>\*{0,2}\w+)`{0,2}[ \t]*:[ \t]*(?P<rest>.+)$", re.MULTILINE)


def suggestions(
    args: list[Dict], doc: str, namespace: Dict, static: tuple[str, ...] = (), compared: Mapping[str, str] = MappingProxyType({})
) -> list[str | None]:
    """For each parameter (name, annotation, default) what to type, or None where nothing is known; no type for what jit holds static.

    `compared` has for names what the function compares them with.
    """
    documented = {found["name"].lstrip("*"): found["rest"].strip() for found in _DOCUMENTED.finditer(doc)}
    found = [_suggestion(arg, documented, namespace, compared) for arg in args]
    return [None if arg["name"] in static and _is_type(text, namespace) else text for arg, text in zip(args, found, strict=True)]


def _suggestion(arg: Dict, documented: dict[str, str], namespace: Dict, compared: Mapping[str, str]) -> str | None:
    name, annotation = arg["name"], (arg["annotation"] or "").strip()
    if name.startswith("*"):
        return None
    if (found := _of_annotation(annotation, namespace)) is not None:
        return found
    if arg["default"] is not None:
        return arg["default"] if len(arg["default"]) < MAX_TEXT else None  # a longer one was cut
    if name in documented and (found := _of_document(documented[name], namespace)) is not None:
        return found
    kind = python_type(annotation, namespace)
    if (kind is None or kind.takes(namespace.get(name))) and (found := _of_variable(name, namespace)) is not None:
        return found
    if kind is not None:
        return compared.get(name) if kind.only == (str,) and kind.example is None else kind.example
    return f"{_word(_NUMBERS[annotation])}[]" if annotation in _NUMBERS else compared.get(name)


def _of_annotation(annotation: str, namespace: Dict) -> str | None:
    if len(annotation) > 1 and annotation[0] == annotation[-1] and annotation[0] in "'\"":
        annotation = annotation[1:-1]
    found = _ANNOTATED.match(annotation)
    if found is None:
        return (
            _readable(annotation, namespace)
            if "[" in annotation and annotation.partition("[")[0].strip("~") in (*WORDS, "key<fry>")
            else None
        )
    kind, sizes = found["kind"], [_size(size, namespace) for size in found["sizes"].split()]
    word = _word(_JAXTYPING[kind]) if kind in _JAXTYPING else _SHORT.get(kind.lower(), "")
    if None in sizes or not word:
        return None
    return _readable(f"{word}[{','.join(map(str, sizes))}]", namespace)


def _size(word: str, namespace: Dict) -> int | None:
    """The size that a word of jaxtyping's stands for: `3`, `n=3`, or a name that the paste has as a whole number."""
    word = word.rpartition("=")[2]
    if word.isascii() and word.isdigit():
        return int(word)
    value = namespace.get(word)
    return value if type(value) is int and value >= 0 else None


def _of_document(text: str, namespace: Dict) -> str | None:
    """`f32[3]` and `(3, 4)` at the start of what a docstring says of a parameter."""
    word = re.match(r"~?\w+(?:<\w+>)?\s*\[[^\[\]]*\]", text)
    if word is not None and word.group().partition("[")[0].strip(" ~") in (*WORDS, "key<fry>"):
        return _readable(word.group(), namespace)
    shape = _SHAPED.match(text)
    if shape is None:
        return None
    sizes = [_size(size.strip(), namespace) for size in shape["shape"][1:-1].split(",") if size.strip()]
    return None if None in sizes else _readable(f"{_word('float')}[{','.join(map(str, sizes))}]", namespace)


def _of_variable(name: str, namespace: Dict) -> str | None:
    """The type of the paste's variable of this name; what cannot be written as types is given by its name."""
    value = namespace.get(name)
    if value is None or isinstance(value, (types.ModuleType, type)):
        return None
    try:
        leaves = _leaves(value)
    except Exception:  # a container of the person's
        return name
    if leaves and all(map(is_array, leaves)) and (is_array(value) or type(value) in _CONTAINERS):
        text = signature_text(value)
        if len(text) <= MAX_TEXT and _readable(text, namespace) is not None:
            return text
    return plain_text(value) or name


def plain_text(value: Any) -> str | None:
    """A plain Python value as it is typed; None for all others, and for one that is too long."""
    if type(value) in (NoneType, bool, int, float, complex) or (type(value) is str and len(value) <= MAX_TEXT):
        with contextlib.suppress(ValueError):  # a number of thousands of digits
            text = repr(value)
            return text if len(text) <= MAX_TEXT else None
    return None


def _readable(text: str, namespace: Dict) -> str | None:
    try:
        return text if all(map(is_array, _leaves(read_type(text, namespace)))) else None
    except SignatureError:
        return None


def _is_type(text: str | None, namespace: Dict) -> bool:
    """Whether there is a type or an array in what was suggested, which jax.jit does not take for a static parameter."""
    try:
        return text is not None and any(map(is_array, _leaves(read_type(text, namespace))))
    except SignatureError:
        return True


def _word(kind: str) -> str:
    """JAX's word for a Python number's type, 64 bits wide where the paste asked for that."""
    wide = bool(jax.config.jax_enable_x64)
    return {"float": "f64" if wide else "f32", "int": "i64" if wide else "i32", "complex": "c128" if wide else "c64"}.get(kind, kind)
