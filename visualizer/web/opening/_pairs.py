"""The jaxpr and the modules of one program, found again among the files of a dump.

A dump numbers its jaxprs, its modules and its HLO each for itself, and not every program has all of them: only the order, the name and the
types say what belongs together.

Promises: what is put together has one name and types that fit; what does not fit stays a program of its own, nothing is lost.
"""

from __future__ import annotations

import re
from typing import Any

from ._names import same_name

Dict = dict[str, Any]
_SHAPED = re.compile(r"tensor<(.*?)>")


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
    if program["entry"] is not None:
        jaxpr = program["jaxprs"][program["entry"]]
        return ["x".join(map(str, jaxpr["vars"][name]["shape"])) for name in jaxpr["invars"]]
    module = program["modules"].get("stablehlo")
    main = next((function for function in (module or {}).get("functions", ()) if function["name"] == "main"), None)
    if main is None:
        return None
    values = module["values"]
    return [_shape(values[name]["type"]) for name in main["args"]]


def _shape(text: str) -> str:
    found = _SHAPED.search(text)
    return found.group(1).rpartition("x")[0] if found else text
