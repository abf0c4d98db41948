"""A large answer in parts: what is looked at first, packed, and the rest to be asked for.

What is left out of an answer: the printed text of a level, the lowered module with its links, and bodies far down once the entry and the
levels below it hold `KEPT` equations. A program of up to `SMALL` equations stays as it is.

Promises: works on plain JSON values; an answer with its parts put in (`_join.py`) is the answer as it was. Must never: change what it was
given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._rows import Packer, pack_numbers

Dict = dict[str, Any]

SMALL = 1_000
# What the answer holds itself, beyond the entry, and what one part holds of the rest: about 40 bytes an equation.
KEPT = 10_000
IN_A_PART = 5_000


def in_parts(emit: Callable[[Dict], None]) -> Callable[[Dict], None]:
    """`emit` for messages that are cut into an outline and its parts on the way."""
    large: set[str] = set()

    def cut(message: Dict) -> None:
        parts: list[Dict] = []
        if message.get("trace"):
            programs = [_outline(program, parts, large) for program in message["trace"]["programs"]]
            message = {**message, "trace": {**message["trace"], "programs": programs}}
        elif message.get("patch"):
            patches = {name: _patch(name, patch, parts) if name in large else patch for name, patch in message["patch"]["programs"].items()}
            message = {**message, "patch": {**message["patch"], "programs": patches}}
        emit(message)
        for part in parts:
            emit({"level": message["level"], "trace": None, "patch": None, "part": part})

    return cut


def _outline(program: Dict, parts: list[Dict], large: set[str]) -> Dict:
    jaxprs: dict[str, Dict] = program["jaxprs"]
    if sum(len(jaxpr["eqns"]) for jaxpr in jaxprs.values()) <= SMALL:
        return program
    large.add(program["id"])
    packer = Packer()
    left: list[Dict] = []
    kept: dict[str, Dict] = {}
    room = KEPT
    for jaxpr in _outside_in(program):
        # The entry is what is looked at: however large it is, it is there.
        if jaxpr["id"] != program["entry"] and (room := room - len(jaxpr["eqns"])) < 0 and jaxpr["eqns"]:
            left.append(jaxpr)
            kept[jaxpr["id"]] = _head(jaxpr)
        else:
            kept[jaxpr["id"]] = _packed(jaxpr, packer)
    out = []
    if text := program["texts"].get("jaxpr"):
        out.append(_leave(parts, program["id"], "jaxpr", "text", texts={"jaxpr": _packed_text(text)}))
    for some in _batches(left):
        own = Packer()
        bodies = {jaxpr["id"]: _packed(jaxpr, own) for jaxpr in some}
        out.append(_leave(parts, program["id"], "jaxpr", "bodies", jaxprs=bodies, templates=own.templates))
    ordered = {name: kept[name] for name in jaxprs}
    written = [{**each, "values": [], "packed": packer.rows(each["values"])} for each in program.get("written", ())]
    # The templates last: until here some are added.
    return {**program, "jaxprs": ordered, "texts": {}, "written": written, "templates": packer.templates, "left_out": out}


def _outside_in(program: Dict) -> Iterator[Dict]:
    """Every jaxpr, those that are opened first first."""
    jaxprs = program["jaxprs"]
    order = dict.fromkeys([program["entry"]] if program["entry"] in jaxprs else [])
    waiting = list(order)
    for name in waiting:
        for eqn in jaxprs[name]["eqns"]:
            for call in eqn["nested"]:
                if call["jaxpr"] not in order:
                    order[call["jaxpr"]] = None
                    waiting.append(call["jaxpr"])
    for name in jaxprs:
        order.setdefault(name)
    return (jaxprs[name] for name in order)


def _batches(jaxprs: list[Dict]) -> Iterator[list[Dict]]:
    """Neighbours come together: who opens one body looks at the next one."""
    some: list[Dict] = []
    size = 0
    for jaxpr in jaxprs:
        if some and size + len(jaxpr["eqns"]) > IN_A_PART:
            yield some
            some, size = [], 0
        some.append(jaxpr)
        size += len(jaxpr["eqns"])
    if some:
        yield some


def _packed(jaxpr: Dict, packer: Packer) -> Dict:
    if not jaxpr["eqns"]:
        return jaxpr
    variables = jaxpr["vars"].values()
    body = {
        "eqns": packer.rows(map(_eqn, jaxpr["eqns"])),
        # The letters differ from variable to variable; without them most are alike.
        "vars": packer.rows({key: value for key, value in variable.items() if key != "name"} for variable in variables),
        "names": " ".join(variable["name"] for variable in variables),
        "count": len(jaxpr["eqns"]),
    }
    return {**jaxpr, "eqns": [], "vars": {}, "packed": body}


def _eqn(eqn: Dict) -> Dict:
    """The call that it was traced in as an id: it differs between equations that are otherwise alike."""
    return eqn if eqn.get("call") is None else {**eqn, "call": f"c{eqn['call']}"}


def _head(jaxpr: Dict) -> Dict:
    """What its equation must know of a body: what goes in and out."""
    ends = [*jaxpr["constvars"], *jaxpr["invars"], *(atom["var"] for atom in jaxpr["outvars"] if "var" in atom)]
    return {**jaxpr, "eqns": [], "vars": {name: jaxpr["vars"][name] for name in ends}, "left_out": len(jaxpr["eqns"])}


def _patch(program: str, patch: Dict, parts: list[Dict]) -> Dict:
    out = []
    for level, text in patch["texts"].items():
        out.append(_leave(parts, program, level, "text", texts={level: _packed_text(text)}))
    for level, module in patch["modules"].items():
        spans = patch["texts"].get(level, {}).get("spans", {})
        packed = _packed_module(module, spans, patch["links"].get(level, {}))
        out.append(_leave(parts, program, level, "module", modules={level: packed}))
    return {"texts": {}, "modules": {}, "links": {}, "left_out": out}


def _packed_text(text: Dict) -> Dict:
    """Every id of a level begins with the same letter; where that is not so, the spans stay as they are."""
    letters = {name[:1] for name in text["spans"]}
    if len(letters) != 1 or not all(name[1:].isdecimal() and str(int(name[1:])) == name[1:] for name in text["spans"]):
        return text
    numbers = [number for name, (start, end) in text["spans"].items() for number in (int(name[1:]), start, end)]
    return {**text, "spans": {}, "packed": {"letter": letters.pop(), "rows": pack_numbers(numbers)}}


def _packed_module(module: Dict, spans: Mapping[str, Any], links: Mapping[str, Any]) -> Dict:
    packer = Packer()
    blocks: list[str] = []
    functions = []
    count = 0
    for function in module["functions"]:
        region = function["region"]
        for block in region["blocks"]:
            blocks.append(packer.rows(_without_span(op, spans) for op in block["ops"]))
            count += len(block["ops"])
        empty = [{**block, "ops": []} for block in region["blocks"]]
        functions.append({**function, "region": {**region, "blocks": empty}})
    values = packer.rows(list(pair) for pair in module["values"].items())
    linked = packer.rows([eqn, list(ops)] for eqn, ops in links.items())
    packed = {"templates": packer.templates, "blocks": blocks, "values": values, "links": linked, "count": count}
    return {**module, "text": "", "functions": functions, "values": {}, "packed": packed}


def _without_span(op: Dict, spans: Mapping[str, Any]) -> Dict:
    """Where an op stands in the text is said by the text too, and differs from op to op."""
    regions = [
        {**region, "blocks": [{**block, "ops": [_without_span(inner, spans) for inner in block["ops"]]} for block in region["blocks"]]}
        for region in op["regions"]
    ]
    known = op["id"] in spans and list(spans[op["id"]]) == list(op["text_span"] or ())
    return {**op, "regions": regions, **({"text_span": None} if known else {})}


def _leave(parts: list[Dict], program: str, level: str, kind: str, **held: Any) -> Dict:
    """Add a part, and say what is in it."""
    name = f"{program}.{len(parts)}.{level}"
    part: Dict = {"name": name, "program": program, "jaxprs": {}, "templates": [], "texts": {}, "modules": {}, "links": {}, **held}
    parts.append(part)
    bodies = part["jaxprs"].values()
    eqns = sum(body["packed"]["count"] for body in bodies) + sum(module["packed"]["count"] for module in part["modules"].values())
    return {"part": name, "kind": kind, "level": level, "jaxprs": list(part["jaxprs"]), "eqns": eqns, "bytes": _size(part)}


def _size(value: Any) -> int:
    """About how many bytes a value is as JSON."""
    if isinstance(value, str):
        return len(value) + 2
    if isinstance(value, dict):
        return 2 + sum(len(key) + 4 + _size(inner) for key, inner in value.items())
    if isinstance(value, list | tuple):
        return 2 + sum(1 + _size(inner) for inner in value)
    return 4
