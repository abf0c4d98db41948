"""Compare a Trace (as JSON) with what JAX itself said about a case: `expect.json` of ../shared/cases.

Each function returns the differences as sentences; an empty list means agreement. Nothing here imports jax: the truth is a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.text.tokens import first_difference
from visualizer.model import Program
from visualizer.text import jaxpr_text

Json = dict[str, Any]


def bodies(program: Json) -> Iterator[tuple[int, str]]:
    """Every body of a program, an instance at a time, as (depth, jaxpr id): a body that two equations share is met twice."""
    stack = [(0, program["entry"])]
    while stack:
        depth, jaxpr = stack.pop()
        yield depth, jaxpr
        stack.extend((depth + 1, call["jaxpr"]) for eqn in program["jaxprs"][jaxpr]["eqns"] for call in eqn["nested"])


def summary(program: Json) -> Json:
    """The counts that say whether two programs are the same one."""
    primitives: Counter[str] = Counter()
    depths = []
    for depth, jaxpr in bodies(program):
        depths.append(depth)
        primitives.update(eqn["primitive"] for eqn in program["jaxprs"][jaxpr]["eqns"])
    top = program["jaxprs"][program["entry"]]
    return {
        "total_eqns": sum(primitives.values()),
        "max_depth": max(depths),
        "num_bodies": len(depths),
        "primitive_counts": dict(primitives),
        "in_avals": [top["vars"][v]["aval"] for v in top["invars"]],
        "out_avals": [_aval(top, atom) for atom in top["outvars"]],
    }


def same_program(program: Json, truth: Json) -> list[str]:
    found = summary(program)
    return [f"{key}: {found[key]!r}, JAX says {truth[key]!r}" for key in found if found[key] != truth[key]]


def whole_program(program: Json, truth: Json) -> list[str]:
    """Everything the truth holds: counts, then body by body the avals, roles, names, literals, unused outputs, name stacks."""
    wrong = same_program(program, truth)
    by_path = {body["path"]: body for body in truth["bodies"]}
    todo = [("top", program["entry"])]
    while todo:
        path, jaxpr_id = todo.pop()
        body = by_path.get(path)
        if body is None:
            if not truth.get("truncated"):
                wrong.append(f"{path}: JAX has no such body")
            continue
        jaxpr = program["jaxprs"][jaxpr_id]
        wrong += [f"{path}: {text}" for text in _body(jaxpr, body)]
        for call in body.get("calls", []) if len(jaxpr["eqns"]) == body["num_eqns"] else []:
            nested = jaxpr["eqns"][call["eqn"]]["nested"]
            inner = call.get("bodies", [])
            if len(nested) != len(inner):
                wrong.append(f"{path}: eqn {call['eqn']} has {len(nested)} bodies, JAX says {len(inner)}")
            todo.extend(
                zip(sorted(inner, key=_place), (c["jaxpr"] for c in sorted(nested, key=lambda c: _place(c["param"]))), strict=False)
            )
    return wrong


def written(program: Json) -> list[str]:
    """The text written back from the structure alone against what JAX printed."""
    printed = program["texts"].get("jaxpr")
    if printed is None:
        return []
    text = jaxpr_text(Program.model_validate({**program, "texts": {}}))
    difference = None if text == printed["text"] else first_difference(text, printed["text"])
    return [f"text written back: {difference}"] if difference else []


def _place(param: str) -> tuple[str, list[int]]:
    """Where a body stands in the params, so that two spellings sort alike: `a.b[1].c`, `a.b.c[1]` and `while.a.b.c[1]`."""
    last = param.rsplit("/", 1)[-1].split(":", 1)[-1]
    last = re.sub(r"^[\w-]+\.(?=.)", "", last) if ":" in param else last
    indices = [int(i) for i in re.findall(r"\[(\d+)\]", last)]
    return re.sub(r"\[\d+\]", "", re.sub(r"\[(\D\w*)\]", r".\1", last)), indices


def _aval(jaxpr: Json, atom: Json) -> str:
    return str(jaxpr["vars"][atom["var"]]["aval"] if "var" in atom else atom["aval"])


def _body(jaxpr: Json, body: Json) -> Iterator[str]:
    eqns, variables = jaxpr["eqns"], jaxpr["vars"]
    found: Json = {
        "num_eqns": len(eqns),
        "primitives": [eqn["primitive"] for eqn in eqns],
        "invars": [variables[v]["aval"] for v in jaxpr["invars"]],
        "constvars": [variables[v]["aval"] for v in jaxpr["constvars"]],
        "weak_invars": [i for i, v in enumerate(jaxpr["invars"]) if variables[v]["weak_type"]],
        "unused_eqn_outputs": [[i, k] for i, eqn in enumerate(eqns) for k, r in enumerate(eqn["results"]) if not r["used"]],
    }
    for key, value in found.items():
        if value != body[key]:
            yield f"{key}: {value!r}, JAX says {body[key]!r}"
    if len(eqns) != body["num_eqns"]:
        return  # nothing below would line up
    yield from _names(jaxpr, body)
    yield from _literals(eqns, body)
    yield from _outvars(jaxpr, body)
    for index, text in body.get("name_stacks", {}).items():
        if (stack := stack_text(eqns[int(index)]["stack"])) != text:
            yield f"eqn {index}: name stack {stack!r}, JAX says {text!r}"
    for call in body.get("calls", []):
        eqn = eqns[call["eqn"]]
        for side, ends in (("operands", eqn["operands"]), ("results", eqn["results"])):
            if side not in call:
                continue
            ours = [[end["role"], _aval(jaxpr, end["atom"]) if side == "operands" else end["aval"]] for end in ends]
            said = [[role, text.split(" literal ")[0]] for role, text in call[side]]
            if ours != said:
                yield f"eqn {call['eqn']} {call['primitive']}: {side} {ours!r}, JAX says {said!r}"


def _names(jaxpr: Json, body: Json) -> Iterator[str]:
    for var, name in zip(jaxpr["invars"], body["arg_names"] or [], strict=False):
        label = jaxpr["vars"][var]["label"]
        if name and label != name:
            yield f"invar {var} is called {label!r}, JAX says {name!r}"


def _literals(eqns: list[Json], body: Json) -> Iterator[str]:
    ours = [
        (i, k, o["atom"]["literal"], o["atom"]["aval"])
        for i, eqn in enumerate(eqns)
        for k, o in enumerate(eqn["operands"])
        if "literal" in o["atom"]
    ]
    if len(body["literal_operands"]) == 40:  # the truth stops there
        ours = ours[:40]
    places, theirs = [(i, k, aval) for i, k, _, aval in ours], [(i, k, aval) for i, k, _, aval in body["literal_operands"]]
    if places != theirs:
        yield f"literal operands at {places!r}, JAX says {theirs!r}"
        return
    for (i, k, text, _), (_, _, value, _) in zip(ours, body["literal_operands"], strict=True):
        if not _same_number(text, value):
            yield f"eqn {i} operand {k} is {text!r}, JAX says {value!r}"


def _same_number(text: str, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return True
    text = text.split(":")[0]
    if text in ("True", "False"):
        return float(text == "True") == value
    try:
        return abs(float(text) - value) <= 1e-6 * max(1.0, abs(value))
    except ValueError:
        return False


def _outvars(jaxpr: Json, body: Json) -> Iterator[str]:
    made = {r["var"]: [i, k] for i, eqn in enumerate(jaxpr["eqns"]) for k, r in enumerate(eqn["results"])}
    if len(jaxpr["outvars"]) != len(body["outvars"]):
        yield f"{len(jaxpr['outvars'])} outvars, JAX says {len(body['outvars'])}"
        return
    for atom, theirs in zip(jaxpr["outvars"], body["outvars"], strict=True):
        if _aval(jaxpr, atom) != theirs["aval"]:
            yield f"outvar {_aval(jaxpr, atom)}, JAX says {theirs['aval']}"
        if "from_eqn" in theirs and made.get(atom.get("var", "")) != theirs["from_eqn"]:
            yield f"outvar from {made.get(atom.get('var', ''))}, JAX says {theirs['from_eqn']}"
        if theirs.get("passthrough_of", ["", 0])[0] == "in" and jaxpr["invars"][theirs["passthrough_of"][1]] != atom.get("var"):
            yield f"outvar {atom} is not invar {theirs['passthrough_of'][1]}"


def stack_text(stack: list[Json]) -> str:
    """The name stack as JAX prints it (`NameStack.__str__` in jax/_src/source_info_util.py)."""
    parts: list[str] = []
    for entry in reversed(stack):
        if entry["kind"] == "scope":
            parts.append(entry["name"])
        elif parts:
            parts[-1] = f"{entry['name']}({parts[-1]})"
        else:
            parts.append(f"{entry['name']}()")
    return "/".join(reversed(parts))


def whole_module(program: Json, truth: Json) -> list[str]:
    """The StableHLO of a program: ops by name, functions with their types."""
    module = program["modules"].get("stablehlo")
    if module is None:
        return ["there is no StableHLO module"]
    counts: Counter[str] = Counter({"builtin.module": 1, "func.func": len(module["functions"])})
    counts.update(op["name"] for op in module["ops"])
    todo = [region for op in module["ops"] for region in op["regions"]] + [f["region"] for f in module["functions"]]
    while todo:
        for block in todo.pop()["blocks"]:
            for op in block["ops"]:
                counts[op["name"]] += 1
                todo.extend(op["regions"])
    wrong = []
    theirs_counts: Counter[str] = Counter(truth["op_counts"])
    if counts != theirs_counts:
        wrong.append(f"ops {dict(counts - theirs_counts)} more, {dict(theirs_counts - counts)} fewer than JAX's")
    ours = [[f["name"], [module["values"][a]["type"] for a in f["args"]], list(f["results"])] for f in module["functions"]]
    theirs = [[f["name"], f["args"], f["results"]] for f in truth["functions"]]
    # The truth shortens a long type: tensor<400000x..xf32>.
    if not re.fullmatch(re.escape(repr(theirs)).replace(r"\.\.", r"[\dx]+"), repr(ours)):
        wrong.append(f"functions {ours!r}, JAX says {theirs!r}")
    return wrong


def failure(trace: Json, truth: Json) -> list[str]:
    """A program that is meant to fail: the right error type at the person's own line."""
    errors = [d for d in trace["diagnostics"] if d["severity"] == "error"]
    if not errors:
        return [f"no error, JAX says {truth['error']}"]
    said = [(d["type"], d["span"]["line"] if d["span"] else None) for d in errors]
    if (truth["error"], truth.get("user_line")) not in said:
        return [f"errors {said!r}, JAX says {(truth['error'], truth.get('user_line'))!r}"]
    return []
