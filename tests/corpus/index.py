"""What a server answers to a file of ../shared/modules, compared with what `index.json` says of it: a comparison for each kind of file.

Promises: a file agrees, or is refused as it should be, or there are reasons; a kind that has no reader yet is said to be that.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable
from typing import Any

from .jaxlib_alone import sections
from .shape import Shape, ops_of, shape_of

Json = dict[str, Any]
Verdict = tuple[str, list[str]]


def request_of(name: str, data: bytes) -> Json:
    """The request for a file, as the command line and the page make it."""
    kinds = {".mlir": "mlir", ".hlo": "hlo", ".jaxpr.txt": "jaxpr"}
    kind = next((kind for end, kind in kinds.items() if name.endswith(end)), None)
    if kind is None:
        return {"source": "", "data": base64.b64encode(data).decode()}
    return {"source": data.decode("utf-8"), "input": kind}


def compared(entry: Json, text: str, answer: Json) -> Verdict:
    """`agrees`, `refused`, `not read yet`, or `WRONG` with the reasons."""
    if "error" in answer:
        return "WRONG", [str(answer["error"])]
    if any(found["code"] == "unsupported-input" for found in answer["diagnostics"]):
        return "not read yet", []
    return _COMPARISONS[entry["parse"]["kind"]](entry["parse"], text, answer)


def _mlir(truth: Json, text: str, answer: Json) -> Verdict:
    chunks = truth.get("chunks")
    whole = truth["whole_file_allow_unregistered"]
    if chunks is not None:
        return _sections(chunks, text, answer)
    return _one(whole, answer) if whole["ok"] else _refused(whole["error"], answer)


def _artefact(truth: Json, _: str, answer: Json) -> Verdict:
    return _one(truth, answer) if truth["ok"] else _refused("", answer)


def _one(truth: Json, answer: Json) -> Verdict:
    if len(answer["programs"]) != 1 or any(found["severity"] == "error" for found in answer["diagnostics"]):
        return "WRONG", [f"{len(answer['programs'])} programs, {[found['message'] for found in answer['diagnostics']][:3]}"]
    shape = shape_of(answer["programs"][0]["modules"]["stablehlo"])
    functions = [(f["name"], f["visibility"], f["num_args"] if f["blocks"] else -1, f["num_results"]) for f in truth["functions"]]
    expected = Shape(Counter(truth["op_counts"]), functions, truth["regions"], shape.blocks, truth["region_depth"])
    expected.blocks = truth.get("max_blocks_in_region", shape.blocks)
    return _told(shape.differences(expected))


def _sections(truth: Json, text: str, answer: Json) -> Verdict:
    shapes = [shape_of(program["modules"]["stablehlo"]) for program in answer["programs"]]
    found = sections(text)
    # A section without a module in it is an empty module to the parser, and no program to us.
    empty = sum(not any(line.strip() and not line.strip().startswith("//") for line in section.split("\n")) for _, section in found)
    ops = sum((shape.ops for shape in shapes), Counter({"builtin.module": empty}) if empty else Counter())
    reasons = Shape(Counter(ops)).differences(Shape(Counter(truth["op_counts_over_ok_chunks"])))
    if len(found) != truth["n"]:
        reasons.append(f"{len(found)} sections, expected {truth['n']}")
    if len(shapes) + empty != truth["ok"]:
        reasons.append(f"{len(shapes)} programs, expected {truth['ok'] - empty}")
    if max((shape.depth for shape in shapes), default=0) != truth["region_depth"]:
        reasons.append(f"depth: {max((shape.depth for shape in shapes), default=0)}, expected {truth['region_depth']}")
    errors = [found for found in answer["diagnostics"] if found["code"] == "mlir-error"]
    if not errors and truth["failed_n"]:
        reasons.append(f"{truth['failed_n']} sections fail, and nothing is said of them")
    if any(found["span"] is None for found in errors):
        reasons.append("a problem without its line")
    verdict, reasons = _told(reasons)
    return ("refused" if verdict == "agrees" and not truth["ok"] else verdict), reasons


def _refused(message: str, answer: Json) -> Verdict:
    said = [found["message"] for found in answer["diagnostics"] if found["severity"] == "error"]
    if answer["programs"] or not said:
        return "WRONG", [f"it is not refused: {len(answer['programs'])} programs"]
    # `error: "-":2:26: use of undeclared SSA value name`: the message, and its line.
    _, _, rest = message.partition("error: ")
    place, _, words = rest.partition(": ") if rest.startswith('"-":') else ("", "", rest)
    reasons = []
    if (first := words.split("\n")[0].strip()) and not any(one.startswith(first[:150]) for one in said):
        reasons.append(f"refused with {said[0][:200]!r}, expected {first[:200]!r}")
    if place:
        line = int(place.split(":")[1])
        lines = [found["span"]["line"] for found in answer["diagnostics"] if found["span"]]
        if line not in lines:
            reasons.append(f"refused at line {lines}, expected {line}")
    return ("WRONG", reasons) if reasons else ("refused", [])


def _hlo(truth: Json, _: str, answer: Json) -> Verdict:
    if len(answer["programs"]) != 1:
        return "WRONG", [str([found["message"] for found in answer["diagnostics"]][:3])]
    module = answer["programs"][0]["modules"]["hlo"]
    names = Counter("k" + "".join(part.capitalize() for part in op["name"].split("-")) for op in ops_of(module))
    # Parameters are binders, and what a computation gives is said by a `return` at its end.
    expected = {name: count for name, count in truth["opcode_counts"].items() if name != "kParameter"}
    reasons = [f"{name}: {names[name]}, expected {count}" for name, count in expected.items() if names[name] != count]
    reasons += [f"{name}: {count}, expected none" for name, count in names.items() if name not in expected and name != "kReturn"]
    if not truth["ok"]:
        reasons.append("XLA refuses it")
    return _told(reasons)


def _jaxpr(truth: Json, _: str, answer: Json) -> Verdict:
    if len(answer["programs"]) != 1:
        return "WRONG", [str([found["message"] for found in answer["diagnostics"]][:3])]
    program = answer["programs"][0]
    entry = program["jaxprs"][program["entry"]]
    said = truth["truth"]
    if "top_level_equations" in said:
        count = len(entry["eqns"])
        return _told([] if count == said["top_level_equations"] else [f"{count} equations, expected {said['top_level_equations']}"])
    return _told(list(_differences(program, entry, said, "")))


def _differences(program: Json, jaxpr: Json, truth: Json, path: str) -> list[str]:
    """How a jaxpr differs from what is said of it, and what is in it from what is said of that."""
    names = [eqn["primitive"] for eqn in jaxpr["eqns"]]
    found = [] if names == truth["prims"] else [f"{path or 'top'}: {names}, expected {truth['prims']}"]
    counted = {key: len(jaxpr[key]) for key in ("invars", "outvars", "constvars")}
    found += [f"{path or 'top'}: {count} {key}, expected {truth[key]}" for key, count in counted.items() if count != truth[key]]
    for inner in truth["sub"]:
        nested = jaxpr["eqns"][inner["eqn"]]["nested"] if inner["eqn"] < len(jaxpr["eqns"]) else []
        param = f"{inner['param']}[{inner['index']}]"
        call = next((call for call in nested if call["param"] in (param, inner["param"])), None)
        if call is None:
            found.append(f"{path}{inner['eqn']}: no jaxpr at {param}")
        else:
            found += _differences(program, program["jaxprs"][call["jaxpr"]], inner, f"{path}{inner['eqn']}/")
    return found


def _told(reasons: list[str]) -> Verdict:
    return ("WRONG", reasons) if reasons else ("agrees", [])


_COMPARISONS: dict[str, Callable[[Json, str, Json], Verdict]] = {
    "mlir-text": _mlir,
    "portable-artifact": _artefact,
    "hlo-text": _hlo,
    "jaxpr-text": _jaxpr,
}
