"""The jaxpr and the modules of one program, found again among the files of a dump.

A dump numbers its jaxprs, its modules and its HLO each for itself, and not every program has all of them: only the order, the name and the
types say what belongs together.

Promises: what is put together has one name and types that fit; what does not fit stays a program of its own, nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ._names import same_name

Dict = dict[str, Any]
_TENSOR = re.compile(r"tensor<(.*?)>")
_ARRAY = re.compile(r"\w+\[([\d,<=]*)\]")


def paired(programs: list[Dict]) -> list[Dict]:
    """The programs in their order, each with the modules that follow from it."""
    made: list[Dict] = []
    for program in programs:
        host = None if program["entry"] is not None else _host(program, made)
        if host is None:
            made.append(program)
            continue
        for group in ("texts", "modules", "links"):
            host[group] = {**host[group], **program[group]}
    return made


def _host(module: Dict, made: list[Dict]) -> Dict | None:
    name = same_name(module["name"])
    for program in made:
        free = not (program["texts"].keys() & module["texts"].keys() or program["modules"].keys() & module["modules"].keys())
        if free and same_name(program["name"]) == name and _fits(program, module):
            return program
    return None


def _fits(program: Dict, module: Dict) -> bool:
    """Whether the module takes what the program takes; a lowering may leave out arguments that nothing reads."""
    taken, wanted = _types(program), _types(module)
    if taken is None or wanted is None:
        return True
    rest = iter(taken)
    return all(any(given == want for given in rest) for want in wanted)


def _types(program: Dict) -> list[str] | None:
    """The shapes that a program takes, as `8x3`; None where it does not say."""
    if program["entry"] is not None:
        jaxpr = program["jaxprs"][program["entry"]]
        return ["x".join(map(str, jaxpr["vars"][name]["shape"])) for name in jaxpr["invars"]]
    for level, is_main in _MAINS.items():
        module = program["modules"].get(level)
        main = next((function for function in (module or {}).get("functions", ()) if is_main(function)), None)
        if module is not None and main is not None:
            return [_shape(module["values"][name]["type"]) for name in main["args"]]
    return None


_MAINS: dict[str, Callable[[Dict], bool]] = {
    "stablehlo": lambda function: function["name"] == "main",
    "hlo": lambda function: function.get("attributes", {}).get("entry") == "true",
}


def _shape(text: str) -> str:
    """`8x3` of `tensor<8x3xf32>` and of `f32[8,3]{1,0}`."""
    found = _TENSOR.search(text)
    if found:
        return found.group(1).rpartition("x")[0]
    found = _ARRAY.match(text)
    return found.group(1).replace(",", "x") if found else text
