"""An answer in parts put together again.

Promises: works on plain JSON values; what was cut (`_cut.py`) is as it was before. Must never: change what it was given.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._rows import Template, numbers_of, unpack_rows

Dict = dict[str, Any]


def put_in(program: Mapping[str, Any], part: Mapping[str, Any]) -> Dict:
    """The program with a part of it, unpacked."""
    done = {**program, "jaxprs": {**program["jaxprs"], **{name: _whole(body, part["templates"]) for name, body in part["jaxprs"].items()}}}
    texts = {level: _whole_text(text) for level, text in part["texts"].items()}
    for group in ("texts", "modules", "links"):
        done[group] = {**program[group], **(texts if group == "texts" else part[group])}
    done["left_out"] = [left for left in program.get("left_out", ()) if left["part"] != part["name"]]
    return done


def unpacked(program: Mapping[str, Any]) -> Dict:
    """A program whose parts are all put in, as it is where no parts were asked for."""
    jaxprs = {name: _whole(body, program.get("templates", ())) for name, body in program["jaxprs"].items()}
    whole = {**program, "jaxprs": jaxprs, "modules": dict(program["modules"]), "links": dict(program["links"])}
    for level, module in program["modules"].items():
        if module.get("packed") is not None:
            whole["modules"][level], whole["links"][level] = _whole_module(module, program["texts"][level])
    templates = [Template(text) for text in program.get("templates", ())]
    whole["written"] = [_whole_values(each, templates) for each in program.get("written", ())]
    for extra in ("templates", "left_out"):
        whole.pop(extra, None)
    return whole


def _whole(body: Dict, texts: Sequence[str]) -> Dict:
    packed = body.get("packed")
    if packed is None:
        return body
    templates = [Template(text) for text in texts]
    found = zip(unpack_rows(templates, packed["vars"]), packed["names"].split(" "), strict=True)
    variables = {one["id"]: {"id": one["id"], "name": name, **one} for one, name in found}
    whole = {**body, "eqns": [_eqn(eqn) for eqn in unpack_rows(templates, packed["eqns"])], "vars": variables}
    whole.pop("packed")
    return whole


def _eqn(eqn: Dict) -> Dict:
    call = eqn.get("call")
    return {**eqn, "call": int(call[1:])} if isinstance(call, str) else eqn


def _whole_values(written: Mapping[str, Any], templates: Sequence[Template]) -> Dict:
    whole = dict(written)
    if packed := whole.pop("packed", ""):
        whole["values"] = unpack_rows(templates, packed)
    return whole


def _whole_text(text: Dict) -> Dict:
    packed = text.get("packed")
    if packed is None:
        return text
    numbers = numbers_of(packed["rows"])
    letter = packed["letter"]
    spans = {f"{letter}{numbers[at]}": [numbers[at + 1], numbers[at + 2]] for at in range(0, len(numbers), 3)}
    return {"text": text["text"], "spans": spans}


def _whole_module(module: Dict, text: Mapping[str, Any]) -> tuple[Dict, Dict]:
    packed = module["packed"]
    templates = [Template(one) for one in packed["templates"]]
    blocks = iter(packed["blocks"])

    def spanned(op: Dict) -> Dict:
        for region in op["regions"]:
            for block in region["blocks"]:
                block["ops"] = [spanned(inner) for inner in block["ops"]]
        return {**op, "text_span": op["text_span"] or text["spans"].get(op["id"])}

    functions = []
    for function in module["functions"]:
        region = function["region"]
        filled = [{**block, "ops": [spanned(op) for op in unpack_rows(templates, next(blocks))]} for block in region["blocks"]]
        functions.append({**function, "region": {**region, "blocks": filled}})
    whole = {**module, "text": text["text"], "functions": functions, "values": dict(unpack_rows(templates, packed["values"]))}
    whole.pop("packed")
    return whole, dict(unpack_rows(templates, packed["links"]))
