"""Forward scans and their transposes, where the text itself decides.

A print has no name stacks, but a scan that autodiff transposed gives itself away: it runs the other way for as many steps, takes what the
forward scan stacked as xs, its carries are all linear (printed as `linear` up to 0.9), or are added up by `add_any`, which autodiff alone
writes, with nothing else done to them that is not linear.

Promises: a twin only where one forward scan fits, and residuals by the identity of variables; cotangents only where the forward scan
carries no tangent beside its values. Must never: pair a person's own reverse scan.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

Dict = dict[str, Any]
_PASSES = frozenset(
    {"convert_element_type", "copy", "copy_p", "reshape", "squeeze", "broadcast_in_dim", "transpose", "optimization_barrier"}
)


def twins_of(jaxprs: Mapping[str, Dict], entry: str) -> list[Dict]:
    """The twins of a program. What a forward scan saves for its transpose gets its kind, as does what the transpose carries."""
    return [twin for path, body, inside in _bodies(jaxprs, entry) if not inside for twin in _in_body(jaxprs, path, body)]


def _bodies(jaxprs: Mapping[str, Dict], entry: str) -> Iterator[tuple[str, Dict, bool]]:
    """Every body once, with the path of the first instance that leads to it, and whether it is within a checkpoint's backward side."""
    seen = {entry}
    queue = [("", entry, False)]
    for prefix, key, inside in queue:  # grows as it goes
        body = jaxprs[key]
        yield prefix, body, inside
        for eqn in body["eqns"]:
            within = inside or any(param["name"] == "differentiated" and param["text"] == "True" for param in eqn["params"])
            for number, call in enumerate(eqn["nested"]):
                if call["jaxpr"] not in seen:
                    seen.add(call["jaxpr"])
                    again = any(other["jaxpr"] == call["jaxpr"] for other in eqn["nested"][:number])
                    queue.append((f"{prefix}{eqn['id']}:{number}/" if again else f"{prefix}{eqn['id']}/", call["jaxpr"], within))


def _in_body(jaxprs: Mapping[str, Dict], prefix: str, body: Dict) -> Iterator[Dict]:
    scans = [eqn for eqn in body["eqns"] if eqn["primitive"] == "scan" and eqn["trips"] is not None and len(eqn["nested"]) == 1]
    if len(scans) < 2:
        return
    made = {result["var"]: (eqn, index) for eqn in scans for index, result in enumerate(eqn["results"])}
    for back in scans:
        links: dict[str, list[Dict]] = defaultdict(list)
        sources: dict[str, Dict] = {}
        for index, operand in enumerate(back["operands"]):
            source = made.get(operand["atom"].get("var", ""))
            if source is not None:
                sources[source[0]["id"]] = source[0]
                links[source[0]["id"]].append({"result": source[1], "operand": index})
        stacked = {key for key, found in links.items() if any(back["operands"][link["operand"]]["role"] == "xs" for link in found)}
        if len(stacked) != 1:
            continue
        forward = sources[next(iter(stacked))]
        if _param(forward, "reverse") == _param(back, "reverse") or forward["trips"] != back["trips"]:
            continue
        if _is_transposed(jaxprs, back):
            _mark(forward, back, links[forward["id"]], cotangents=not _may_push(jaxprs, forward))
            yield {
                "forward": prefix + forward["id"],
                "backward": prefix + back["id"],
                "recomputed": None,
                "residuals": links[forward["id"]],
            }


def _mark(forward: Dict, back: Dict, links: list[Dict], *, cotangents: bool) -> None:
    for link in links:
        forward["results"][link["result"]]["kind"] = back["operands"][link["operand"]]["kind"] = "residual"
    for side in ("operands", "results") if cotangents else ():
        for end in back[side]:
            if end["role"] == "carry" and "var" in end.get("atom", end):
                end["kind"] = "cotangent"


def _is_transposed(jaxprs: Mapping[str, Dict], eqn: Dict) -> bool:
    flags = [operand["linear"] for operand in eqn["operands"]]
    if flags and all(flag is not None for flag in flags):
        roles = [(operand["role"], operand["linear"]["value"]) for operand in eqn["operands"]]
        carried = [value for role, value in roles if role == "carry"]
        return bool(carried) and all(carried) and not any(value for role, value in roles if role == "const")
    return _adds_up(jaxprs, eqn)


def _adds_up(jaxprs: Mapping[str, Dict], eqn: Dict) -> bool:
    """Whether `add_any`, and no `add`, adds to what the scan carries, and every carry is nothing but linear in the carries."""
    body = jaxprs[eqn["nested"][0]["jaxpr"]]
    carries = [index for index, operand in enumerate(eqn["operands"]) if operand["role"] == "carry"]
    if not carries:
        return False
    linear = {body["invars"][index] for index in carries}
    added = False
    for inner in body["eqns"]:
        reads = [operand["atom"].get("var") in linear for operand in inner["operands"]]
        if inner["primitive"] == "add_any" and any(reads):
            added = True
        elif any(reads) and not _keeps(inner, reads):
            return False
        elif not any(reads):
            continue
        linear.update(result["var"] for result in inner["results"])
    ends = [atom.get("var") for atom in body["outvars"][: len(carries)]]
    return added and all(end in linear for end in ends)


def _may_push(jaxprs: Mapping[str, Dict], forward: Dict) -> bool:
    """Whether a forward scan may carry a tangent beside its value (a hessian): then its transpose carries tangents of cotangents, too."""
    body = jaxprs[forward["nested"][0]["jaxpr"]]
    carries = [body["invars"][index] for index, operand in enumerate(forward["operands"]) if operand["role"] == "carry"]
    pairs = ((body["vars"][one], body["vars"][other], other) for one in carries for other in carries if one != other)
    return any(_is_tangent_type(value, tangent) and _is_affine(body, var) for value, tangent, var in pairs)


def _is_tangent_type(value: Dict, tangent: Dict) -> bool:
    """Whether it is that of a tangent of the value, or of several that `vmap` put together."""
    axes = iter(tangent["shape"] or ())
    return bool(value["dtype"] == tangent["dtype"] and all(size in axes for size in value["shape"] or ()))


def _is_affine(body: Dict, var: str) -> bool:
    """Whether nothing is known to be done with a binder that is not linear in it, up to a sum. Of a call nothing is known."""
    found = {var}
    for eqn in body["eqns"]:
        reads = [operand["atom"].get("var") in found for operand in eqn["operands"]]
        if not any(reads):
            continue
        if eqn["primitive"] not in ("add", "sub", "add_any") and not eqn["nested"] and not _keeps(eqn, reads):
            return False
        found.update(result["var"] for result in eqn["results"])
    return True


def _keeps(eqn: Dict, reads: list[bool]) -> bool:
    """Whether an equation gives what is linear in the operands that are."""
    primitive = eqn["primitive"]
    if primitive in ("mul", "dot_general", "conv_general_dilated"):
        return reads.count(True) == 1
    if primitive == "div":
        return reads[:2] == [True, False]
    return primitive in _LINEAR


_LINEAR = _PASSES | {"neg", "reduce_sum", "select_n", "pad", "slice", "concatenate", "rev", "cumsum", "symbolic_zeros", "pvary", "psum"}


def _param(eqn: Dict, name: str) -> str | None:
    return next((str(param["text"]) for param in eqn["params"] if param["name"] == name), None)
