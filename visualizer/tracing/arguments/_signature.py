"""Arguments typed by a person: `w: f32[3], xs: f32[6,2,3]` in one text, or a text for each parameter of a function.

Promises: types and arrays are traced, everything else in a text (numbers, strings, functions) is given to the function as it is; what is
left out has its default. A parameter that cannot be given raises ArgumentError with its name.
Must never: guess an argument.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import jax

from visualizer.tracing import compat

from ._fixed import Fixed, is_fixed, unfix
from ._python_types import advice_for, wants_text
from ._recordable import is_array
from ._signature_types import SignatureError, read_type

Dict = dict[str, Any]
_signature = inspect.signature
_flatten, _unflatten = jax.tree.flatten, jax.tree.unflatten
_Parameter, _Shape = inspect.Parameter, jax.ShapeDtypeStruct
_POSITIONAL = (_Parameter.POSITIONAL_ONLY, _Parameter.POSITIONAL_OR_KEYWORD)
_CODE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)
_STARS: dict[Any, str] = {_Parameter.VAR_POSITIONAL: "*", _Parameter.VAR_KEYWORD: "**"}
_ONE = re.compile(r"\s*(?:(?P<name>[^\W\d]\w*)\s*:)?\s*(?P<type>~?\w+(?:<\w+>)?\s*\[[^\[\]]*\])\s*(?:,|$)")
MAX_NAMED = 5
MAX_NAME = 80


class ArgumentError(Exception):
    """A parameter (None: the signature as a whole) that cannot be given. `cause` is what its expression raised, if it raised."""

    def __init__(self, name: str | None, message: str, advice: str = "", cause: BaseException | None = None) -> None:
        super().__init__(message)
        self.name = name
        self.advice = advice
        self.cause = cause


@dataclass(frozen=True)
class Arguments:
    """What to call a function with; a static value is hidden in Fixed. `static` names the parameters that hold one."""

    args: tuple[Any, ...]
    kwargs: Dict
    static: tuple[str, ...]


def shapes(text: str, namespace: Dict) -> tuple[Any, ...] | None:
    """The types of a text like `w: f32[3], y: i32[]`, in order (names are for the reader); None when it is not of this form."""
    text = text.strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    found: list[Any] = []
    at = 0
    while at < len(text):
        one = _ONE.match(text, at)
        if one is None:
            return None
        try:
            found.append(read_type(one["type"], namespace))
        except SignatureError:
            return None
        if not isinstance(found[-1], _Shape):
            return None
        at = one.end()
    return tuple(found) or None


def arguments(fun: Any, texts: Mapping[str, str], namespace: Dict) -> Arguments:
    """The arguments of `fun` that a text for each parameter gives. Raises ArgumentError."""
    said = {name.lstrip("*"): name for name in texts}
    parameters = _parameters(fun)
    if parameters is not None:
        _check_names(fun, said, parameters)  # before anything is evaluated: there may be many
    kinds = {parameter.name: parameter.annotation for parameter in parameters or ()}
    values = {name.lstrip("*"): _value(name, text, namespace, kinds.get(name.lstrip("*"))) for name, text in texts.items() if text.strip()}
    static = tuple(said[name] for name, value in values.items() if any(map(is_fixed, _flatten(value, is_leaf=is_fixed)[0])))
    if parameters is None:
        return Arguments(tuple(values.values()), {}, static)
    by_name = _check_static(fun, said, values)
    args: list[Any] = []
    kwargs: Dict = {}
    left_out: list[inspect.Parameter] = []
    for parameter in parameters:
        name = parameter.name
        if parameter.kind is _Parameter.VAR_POSITIONAL:
            rest = values.pop(name, ())
            if not isinstance(rest, (tuple, list)):
                raise ArgumentError(said[name], f"`*{name}` takes any number of arguments: write them as a tuple.", "One is `(f32[3],)`.")
            args += [*_defaults(left_out, rest), *rest]
        elif parameter.kind is _Parameter.VAR_KEYWORD:
            more = values.pop(name, {})
            if not isinstance(more, dict) or not all(isinstance(key, str) for key in more):
                raise ArgumentError(said[name], f"`**{name}` takes arguments by name: write them as a dict.", "Like `{'lr': f32[]}`.")
            named = {other.name for other in parameters if other.kind not in (_Parameter.POSITIONAL_ONLY, _Parameter.VAR_POSITIONAL)}
            if twice := [key for key in more if key in values or (key in named and key != name)]:
                advice = "Leave it out of one of them."
                raise ArgumentError(said[name], f"`**{name}` has `{twice[0][:MAX_NAME]}`, which has a field of its own.", advice)
            kwargs |= {**more, **values}
        elif name not in values:
            if parameter.default is _Parameter.empty:
                raise ArgumentError(name, f"`{name}` is needed, and nothing is given for it.", advice_for(parameter.annotation))
            left_out.append(parameter)
        elif parameter.kind in _POSITIONAL and not by_name.intersection((name, *kwargs)):
            args += [*_defaults(left_out, (name,)), values.pop(name)]
        else:
            kwargs[name] = values.pop(name)
    return Arguments(tuple(args), kwargs, static)


def _parameters(fun: Any) -> list[inspect.Parameter] | None:
    """What `fun` takes; None where it does not say (some functions written in C)."""
    try:
        return list(_signature(fun).parameters.values())
    except (TypeError, ValueError):
        return None
    except BaseException as error:  # an object of the person's that is called like a function
        raise ArgumentError(None, "What this function takes cannot be read.", cause=error) from None


def _defaults(left_out: list[inspect.Parameter], given: Any) -> Iterator[Any]:
    """The defaults of positional parameters that were left out before one that is given: the function gets them as they are."""
    if given:
        yield from (Fixed(parameter.default) for parameter in left_out)
        left_out.clear()


def _check_names(fun: Any, said: Mapping[str, str], parameters: list[inspect.Parameter]) -> None:
    known = [parameter.name for parameter in parameters]
    by_name = [parameter.name for parameter in parameters if parameter.kind is not _Parameter.POSITIONAL_ONLY]
    if any(parameter.kind is _Parameter.VAR_KEYWORD for parameter in parameters):
        known += [name for name in said if name not in by_name]
    for name, written in said.items():
        if name not in known:
            its = ", ".join(f"`{_STARS.get(parameter.kind, '')}{parameter.name}`" for parameter in parameters[:MAX_NAMED])
            takes = f"it takes {its}{', ...' * (len(parameters) > MAX_NAMED)}" if known else "it takes nothing"
            function = getattr(fun, "__name__", "") or "the function"
            raise ArgumentError(
                written, f"`{function}` has no parameter `{written[:MAX_NAME]}`: {takes}.", "Choose the function again, or leave this out."
            )


def _check_static(fun: Any, said: Mapping[str, str], values: Dict) -> frozenset[str]:
    """What `jax.jit` holds static is a value, and one that can be hashed: JAX would say so of the whole call only.

    Gives the parameters that it holds static only where they are given by name.
    """
    names, by_name = compat.static_names(fun)
    function = getattr(fun, "__name__", "") or "the function"
    for name in names:
        if name not in values:
            continue
        about = f"`{name}` is static in `{function}` (jax.jit was told so)"
        if not all(map(is_fixed, _flatten(values[name], is_leaf=is_fixed)[0])):
            raise ArgumentError(said[name], f"{about}: it takes a Python value, no type and no array.", "Write a value, like 2 or 'relu'.")
        try:
            hash(unfix(values[name]))
        except TypeError as error:
            advice = "Write a tuple in place of a list, and a value that does not change in place of a dict."
            raise ArgumentError(said[name], f"{about}, so it must be hashable: {error}.", advice) from None
        except BaseException as error:
            raise ArgumentError(said[name], f"{about}, and cannot be hashed.", cause=error) from None
    return frozenset(by_name)


def _value(name: str, text: str, namespace: Dict, annotation: Any) -> Any:
    try:
        value = read_type(text, namespace)
        leaves, tree = _flatten(value)
    except SignatureError as error:
        place = "" if error.column is None else f" (column {error.column})"
        bare = isinstance(error.cause, NameError) and wants_text(annotation)
        raise ArgumentError(name, f"`{name}`{place}: {error}", advice_for(annotation) if bare else error.advice, error.cause) from None
    except BaseException as error:  # a container of the person's may do anything
        raise ArgumentError(name, f"`{name}`: JAX cannot look into this value.", cause=error) from None
    for leaf in leaves:
        if not is_array(leaf) and _holds_types(leaf):
            kind = type(leaf).__name__
            raise ArgumentError(
                name,
                f"`{name}`: {kind} holds types, but JAX cannot look into it: its class is no pytree.",
                f"Register it: @jax.tree_util.register_dataclass above `class {kind}`.",
            )
    try:
        return _unflatten(tree, [leaf if is_array(leaf) else Fixed(leaf) for leaf in leaves])
    except BaseException as error:  # its class looks at what is in it
        raise ArgumentError(name, f"`{name}`: a container here cannot hold a static value.", cause=error) from None


def _holds_types(leaf: Any, depth: int = 2) -> bool:
    """Whether there are types in the attributes of an object that is no pytree, in its containers, and in objects like it in them."""
    if isinstance(leaf, _CODE) or compat.is_jit_made(leaf):
        return False
    try:
        inside = getattr(leaf, "__dict__", None)
        parts = list(inside.values()) if isinstance(inside, dict) else []
        parts += [getattr(leaf, slot, None) for kind in type.mro(type(leaf)) for slot in _slots(kind)]
        leaves = _flatten(parts)[0]
    except BaseException:  # an object that does not let itself be read is given as it is
        return False
    return any(isinstance(part, _Shape) or (depth > 1 and not is_array(part) and _holds_types(part, depth - 1)) for part in leaves)


def _slots(kind: type) -> tuple[str, ...]:
    """The slots of a class that is written in Python."""
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
