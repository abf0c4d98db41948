"""A serialised program against the ClosedJaxpr that it was made from: `check_program` gives what disagrees, as sentences.

The oracle is JAX: its own objects, its printer, its definitions of a scan's operands, its dead code elimination for what depends on what.
Nothing here uses the package's code but the public models and, where they are there, the public functions that write text back.
"""

from __future__ import annotations

import importlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from jax._src.lax.control_flow.conditionals import cond_p
from jax._src.lax.control_flow.loops import scan_p, while_p
from jax.extend.core import Literal

from tests.peer import walk
from tests.peer.wiring import check_call, check_reach
from visualizer.model import Program

Dict = dict[str, Any]
LIMIT = 10_000  # the longest text of one value on the wire
COUNTABLE = 2**53
_VARIABLE = re.compile(r"Var\(id=\d+\)")
_ADDRESS = re.compile(r"(?<= at 0x)[0-9a-fA-F]+")


def check_program(closed: Any, program: Program, *, back: bool = True, printed: str | None = None) -> list[str]:
    """Everything in which `program` says other than JAX; empty where they agree. `back`: write the text back from the program too.

    `printed` is `str(closed)`, for those who have it.
    """
    wire = program.model_dump(mode="json", by_alias=True)
    truth = str(closed) if printed is None else printed
    wrong = [*_json(program, wire), *_bodies(closed, wire), *_text(truth, wire)]
    return [*wrong, *_written_back(program, truth)] if back else wrong


def _json(program: Program, wire: Dict) -> Iterator[str]:
    try:
        text = json.dumps(wire, allow_nan=False, ensure_ascii=False).encode()
    except (ValueError, UnicodeEncodeError) as error:
        yield f"not strict JSON: {error}"
        return
    if Program.model_validate_json(text) != program:
        yield "the program is another after a round trip through JSON"


def _text(truth: str, wire: Dict) -> Iterator[str]:
    printed = wire["texts"].get("jaxpr")
    if printed is None:
        yield "texts: the program has no printed jaxpr"
        return
    if printed["text"] != truth:
        yield f"texts: the printed jaxpr differs from str(closed) {_first_difference(printed['text'], truth)}"
        return
    units = printed["text"].encode("utf-16-le")
    named = {eqn["id"]: eqn for jaxpr in wire["jaxprs"].values() for eqn in jaxpr["eqns"]}
    names = {key: var["name"] for jaxpr in wire["jaxprs"].values() for key, var in jaxpr["vars"].items()}
    for key, (start, end) in printed["spans"].items():
        piece = units[2 * start : 2 * end].decode("utf-16-le")
        eqn = named.get(key)
        if eqn is None or not 0 <= start < end <= len(units) // 2:
            yield f"texts: span of {key} is {start}..{end}"
        elif eqn["primitive"] not in piece and not any(name in piece for name in _own_names(eqn, names)):
            yield f"texts: at the span of {key} ({eqn['primitive']}) stands {piece[:60]!r}"


def _own_names(eqn: Dict, names: Dict) -> list[str]:
    """What a printed equation has of its own: its results, or, where those are dropped (`a[0] <- b`), the ref it writes."""
    return [names[end["var"]] for end in (*eqn["results"], *(operand["atom"] for operand in eqn["operands"][:1])) if "var" in end]


def _written_back(program: Program, truth: str) -> Iterator[str]:
    try:
        write = importlib.import_module("visualizer.text").jaxpr_text
    except (ImportError, AttributeError):
        return
    back = write(program)
    if back.split() != truth.split():
        yield f"text written back differs from str(closed) {_first_difference(' '.join(back.split()), ' '.join(truth.split()))}"


def _first_difference(ours: str, truth: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(ours, truth, strict=False)) if a != b), min(len(ours), len(truth)))
    return f"at {at}: {ours[max(0, at - 40) : at + 40]!r}, JAX prints {truth[max(0, at - 40) : at + 40]!r}"


def _bodies(closed: Any, wire: Dict) -> Iterator[str]:
    """Body by body, from the entry down; each jaxpr of JAX's must be one of ours, and the other way round."""
    todo = [(closed.jaxpr, tuple(closed.consts), wire["entry"])]
    ours_of: dict[tuple[int, ...], str] = {}
    theirs_of: dict[str, tuple[int, ...]] = {}
    ids: Counter[str] = Counter()
    while todo:
        jaxpr, consts, key = todo.pop()
        truth = (id(jaxpr), *map(id, consts))
        if ours_of.setdefault(truth, key) != key:
            yield f"one jaxpr is both {ours_of[truth]} and {key}"
        if theirs_of.setdefault(key, truth) != truth:
            yield f"{key} is two jaxprs"
            continue
        if ids[key]:
            continue
        body = wire["jaxprs"].get(key)
        if body is None or body["id"] != key:
            yield f"{key} is not among the jaxprs"
            continue
        ids.update([key, *body["vars"], *(eqn["id"] for eqn in body["eqns"])])
        yield from (f"{key}: {text}" for text in _body(jaxpr, consts, body, wire, todo))
    yield from (f"{key} is nobody's jaxpr" for key in wire["jaxprs"] if key not in theirs_of)
    yield from (f"{key} is the id of {count} things" for key, count in ids.items() if count > 1)


def _body(jaxpr: Any, consts: tuple[Any, ...], body: Dict, wire: Dict, todo: list[Any]) -> Iterator[str]:
    if len(body["eqns"]) != len(jaxpr.eqns):
        yield f"{len(body['eqns'])} equations, JAX has {len(jaxpr.eqns)}"
        return
    known: dict[Any, str] = {}
    uses = {atom for eqn in jaxpr.eqns for atom in eqn.invars if not isinstance(atom, Literal)}
    uses |= {atom for atom in jaxpr.outvars if not isinstance(atom, Literal)}
    for side in ("constvars", "invars"):
        theirs = getattr(jaxpr, side)
        if len(body[side]) != len(theirs):
            yield f"{len(body[side])} {side}, JAX has {len(theirs)}"
        for key, var in zip(body[side], theirs, strict=False):
            yield from _binds(key, var, body, known, side)
    if set(body["consts"]) != set(body["constvars"][: len(consts)]):
        yield f"values for {sorted(body['consts'])}, JAX has {len(consts)}"
    for eqn, ours in zip(jaxpr.eqns, body["eqns"], strict=True):
        where = f"{ours['id']} ({eqn.primitive.name})"
        yield from (f"{where}: {text}" for text in _eqn(eqn, ours, body, known, uses, wire, todo))
    if len(body["outvars"]) != len(jaxpr.outvars):
        yield f"{len(body['outvars'])} outvars, JAX has {len(jaxpr.outvars)}"
    for ours, atom in zip(body["outvars"], jaxpr.outvars, strict=False):
        yield from _reads(ours, atom, known, "outvar")
    if set(body["vars"]) != set(known.values()):
        yield f"variables that nothing binds: {sorted(set(body['vars']) - set(known.values()))}"


def _binds(key: str, var: Any, body: Dict, known: dict[Any, str], where: str) -> Iterator[str]:
    ours = body["vars"].get(key)
    if ours is None or ours["id"] != key:
        yield f"{where}: no variable {key}"
        return
    if known.setdefault(var, key) != key:
        yield f"{where}: one variable is both {known[var]} and {key}"
    aval = var.aval
    inner = getattr(aval, "inner_aval", aval)
    truth = {
        "aval": aval.str_short(short_dtypes=True),
        "shape": [size if isinstance(size, int) else str(size) for size in getattr(inner, "shape", ())],
        "dtype": str(getattr(inner, "dtype", "")),
        "weak_type": bool(getattr(aval, "weak_type", False)),
    }
    for name, value in truth.items():
        if ours[name] != value:
            yield f"{where}: {name} {ours[name]!r}, JAX says {value!r}"


def _reads(ours: Dict, atom: Any, known: dict[Any, str], where: str) -> Iterator[str]:
    if isinstance(atom, Literal):
        text = (str(np.asarray(atom.val).item()) if not np.shape(atom.val) else "[...]") if hasattr(atom, "pretty_print") else str(atom)
        truth: Dict = {"literal": text, "aval": atom.aval.str_short(short_dtypes=True)}
        if ours != truth and not (len(text) > LIMIT and ours.get("aval") == truth["aval"]):
            yield f"{where}: {ours}, JAX says {truth}"
    elif ours != {"var": known.get(atom)}:
        yield f"{where}: {ours}, JAX reads {known.get(atom)}"


def _roles(eqn: Any) -> tuple[list[str], list[str]]:
    """By JAX's own definitions of the three primitives whose operands have roles."""
    taken, given, params = len(eqn.invars), len(eqn.outvars), eqn.params
    if eqn.primitive is scan_p:
        consts, carry = params["num_consts"], params["num_carry"]
        return ["const"] * consts + ["carry"] * carry + ["xs"] * (taken - consts - carry), ["carry"] * carry + ["ys"] * (given - carry)
    if eqn.primitive is while_p:
        cond, body = params["cond_nconsts"], params["body_nconsts"]
        return ["cond_const"] * cond + ["body_const"] * body + ["carry"] * (taken - cond - body), ["carry"] * given
    if eqn.primitive is cond_p:
        return ["index"] + ["operand"] * (taken - 1), ["result"] * given
    return ["arg"] * taken, ["result"] * given


def _eqn(eqn: Any, ours: Dict, body: Dict, known: dict[Any, str], uses: set[Any], wire: Dict, todo: list[Any]) -> Iterator[str]:
    if ours["primitive"] != eqn.primitive.name:
        yield f"primitive {ours['primitive']!r}"
        return
    operands, results = _roles(eqn)
    for name, side, truth in (("operands", eqn.invars, operands), ("results", eqn.outvars, results)):
        if len(ours[name]) != len(side):
            yield f"{len(ours[name])} {name}, JAX has {len(side)}"
            return
        if (found := [end["role"] for end in ours[name]]) != truth:
            yield f"{name} have the roles {found}, JAX's definition gives {truth}"
    for index, (end, atom) in enumerate(zip(ours["operands"], eqn.invars, strict=True)):
        yield from _reads(end["atom"], atom, known, f"operand {index}")
    for index, (end, var) in enumerate(zip(ours["results"], eqn.outvars, strict=True)):
        yield from _binds(end["var"], var, body, known, f"result {index}")
        if end["aval"] != var.aval.str_short(short_dtypes=True):
            yield f"result {index}: aval {end['aval']!r}"
        if end["used"] != (var in uses):
            yield f"result {index}: used is {end['used']}"
    yield from _about(eqn, ours, known)
    inside = walk.nested(eqn)
    if (params := [call["param"] for call in ours["nested"]]) != [found.path for found in inside]:
        yield f"nested jaxprs at {params}, JAX has {[found.path for found in inside]}"
        return
    for call, found in zip(ours["nested"], inside, strict=True):
        todo.append((found.jaxpr, found.consts, call["jaxpr"]))
        yield from (f"{call['param']}: {text}" for text in check_call(eqn, call, found.jaxpr))
    if inside:
        yield from check_reach(eqn, ours, wire["jaxprs"])


def _masked(address: re.Match[str]) -> str:
    return "X" * len(address.group())


def _about(eqn: Any, ours: Dict, known: Mapping[Any, str]) -> Iterator[str]:
    if [param["name"] for param in ours["params"]] != sorted(eqn.params):
        yield f"params {[param['name'] for param in ours['params']]}, JAX has {sorted(eqn.params)}"
    # JAX prints the address of a variable; on the wire stands its id.
    ids = {f"Var(id={id(var)})": known.get(var, "?") for var in eqn.invars if not isinstance(var, Literal)}
    effects = [_ADDRESS.sub(_masked, str(effect)) for effect in eqn.effects]
    if ours["effects"] != sorted(_VARIABLE.sub(lambda found: ids.get(found.group(), "?"), effect) for effect in effects):
        yield f"effects {ours['effects']}"
    stack = [(type(entry).__name__.lower(), entry.name) for entry in eqn.source_info.name_stack.stack]
    if [(entry["kind"], entry["name"]) for entry in ours["stack"]] != stack:
        yield f"name stack {ours['stack']}, JAX has {stack}"
    length = eqn.params["length"] if eqn.primitive is scan_p else None
    if ours["trips"] != (length if isinstance(length, int) and length < COUNTABLE else None):
        yield f"trips {ours['trips']}, JAX says {length}"
