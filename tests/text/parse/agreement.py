"""What a print must say of a program, field by field, beside what tracing says of it.

Both are walked from their entries at once, so that neither ids nor how often a body is written down matter; all else is compared.
A print holds no name stacks, values of constants, labels and weak types: what follows from those may be absent from what was read, and
what is there must be what tracing says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jax

from visualizer.text.parse import read
from visualizer.tracing._serialize import serialize

Dict = dict[str, Any]


def truth(closed: Any) -> Dict:
    """What tracing says."""
    return serialize(closed).program


def said(text: str) -> Dict:
    """What a print says."""
    reading = read(text)
    assert [(found.message, found.span) for found in reading.problems] == []
    (program,) = reading.programs
    return program


def both(fun: Any, *args: Any) -> tuple[Dict, Dict]:
    """(what the print says, what tracing says) of a function of some arguments."""
    closed = jax.make_jaxpr(fun)(*args)
    return said(str(closed)), truth(closed)


def differences(mine: Dict, theirs: Dict, *, literals: bool = True) -> list[str]:
    """In what they differ, as paths with both sides; at most a few."""
    found: list[str] = []
    for difference in _differences(mine, theirs, literals):
        found.append(difference)
        if len(found) > 5:
            break
    return found


def _differences(mine: Dict, theirs: Dict, literals: bool) -> Iterator[str]:
    queue = [(mine["entry"], theirs["entry"], "")]
    seen: set[tuple[str, str]] = set()
    eqns: dict[str, set[str]] = {}
    for ours, their, path in queue:  # grows as it goes
        if (ours, their) in seen:
            continue
        seen.add((ours, their))
        a, b = mine["jaxprs"][ours], theirs["jaxprs"][their]
        ids = _Ids(a, b)
        for name in ("constvars", "invars"):
            yield from _same(f"{path}.{name}", [_type(a, v) for v in a[name]], [_type(b, v) for v in b[name]])
            ids.pair(a[name], b[name])
        yield from _same(f"{path}.eqns", [e["primitive"] for e in a["eqns"]], [e["primitive"] for e in b["eqns"]])
        for number, (x, y) in enumerate(zip(a["eqns"], b["eqns"], strict=False)):
            where = f"{path}/{number}:{y['primitive']}"
            eqns.setdefault(x["id"], set()).add(y["id"])
            yield from _eqn(where, a, b, x, y, ids, literals)
            for c, d in zip(x["nested"], _printed_calls(x, y), strict=False):
                queue.append((c["jaxpr"], d["jaxpr"], f"{where}.{d['param']}"))
        said, made = ([ids.atom(o, literals) for o in a["outvars"]], [_atom(o, literals) for o in b["outvars"]])
        # Of several that are printed as `_` none can be told.
        yield from _same(f"{path}.outvars", said, [t if s != ("_", "") else s for s, t in zip(said, made, strict=False)])
    for twin in mine["twins"]:
        end, start = _last(twin["backward"]), _last(twin["forward"])
        agrees = any(_last(t["backward"]) in eqns[end] and _last(t["forward"]) in eqns[start] for t in theirs["twins"])
        if not agrees:
            yield f"twin {twin} is none of {theirs['twins']}"


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1].split(":", 1)[0]


class _Ids:
    """Which variable is which."""

    def __init__(self, a: Dict, b: Dict) -> None:
        self._to: dict[str, str] = {}

    def pair(self, mine: list[str], theirs: list[str]) -> None:
        self._to.update(zip(mine, theirs, strict=False))

    def atom(self, atom: Dict, literals: bool) -> Any:
        return self._to.get(atom["var"], "?") if "var" in atom else _atom(atom, literals)


def _atom(atom: Dict, literals: bool) -> Any:
    if "var" in atom:
        return atom["var"]
    return (atom["literal"], atom["aval"]) if literals else "literal"


def _type(jaxpr: Dict, var: str) -> Any:
    wire = jaxpr["vars"][var]
    return wire["aval"], wire["shape"], wire["dtype"]


def _eqn(where: str, a: Dict, b: Dict, x: Dict, y: Dict, ids: _Ids, literals: bool) -> Iterator[str]:
    mine = [(ids.atom(o["atom"], literals), o["role"]) for o in x["operands"]]
    theirs = [(_atom(o["atom"], literals), o["role"]) for o in y["operands"]]
    if y["printed"] is not None and y["printed"]["pieces"] is not None and len(mine) < len(theirs):  # some rules of JAX leave operands out
        theirs = [operand for operand in theirs if operand in mine]
    known = [t if s[0] != ("_", "") else s for s, t in zip(mine, theirs, strict=False)]
    yield from _same(f"{where} operands", mine, known if len(mine) == len(theirs) else theirs)
    ids.pair([r["var"] for r in x["results"]], [r["var"] for r in y["results"]])
    yield from _same(
        f"{where} results",
        [(_type(a, r["var"]), r["role"], r["used"] or _is_dropped(a, r)) for r in x["results"]],
        [(_type(b, r["var"]), r["role"], r["used"] or _is_dropped(a, s)) for r, s in zip(y["results"], x["results"], strict=False)],
    )
    yield from _same(f"{where} trips", x["trips"], y["trips"])
    if x["effects"]:
        yield from _same(f"{where} effects", [_kind(e) for e in x["effects"]], [_kind(e) for e in y["effects"]])
    yield from _same(f"{where} params", _params(x), _shown_params(y))
    calls = _printed_calls(x, y)
    for c, d in zip(x["nested"], calls, strict=False):
        wiring = ("param", "inputs", "outputs", "consts", "finals")
        yield from _same(f"{where} wiring", [c[k] for k in wiring], [d[k] for k in wiring])
        if d["label"] not in ("true", "false"):
            yield from _same(f"{where} label", c["label"], d["label"])
    yield from _same(f"{where} nested", len(x["nested"]), len(calls))
    for side in ("operands", "results"):
        for mine, theirs in zip(x[side], y[side], strict=False):
            if mine["kind"] is not None:
                yield from _same(f"{where} kind", mine["kind"], theirs["kind"])
    if x["stack"]:
        yield from _same(f"{where} stack", x["stack"], y["stack"])


def _is_dropped(jaxpr: Dict, result: Dict) -> bool:
    return jaxpr["vars"][result["var"]]["name"] == "_"


def _kind(effect: str) -> str:
    return effect.partition("<")[0]


def _printed_calls(x: Dict, y: Dict) -> list[Dict]:
    """The calls of an equation that its print shows."""
    printed = y["printed"]
    if printed is None:
        return list(y["nested"])
    pieces = printed["pieces"] or [piece for param in printed["params"] or () for piece in param["pieces"] or ()]
    held = {piece["jaxpr"] for piece in pieces if "jaxpr" in piece}
    plain = [param["name"] for param in printed["params"] or () if param["pieces"] is None]
    return [c for c in y["nested"] if c["jaxpr"] in held or any(c["param"] == n or c["param"].startswith(f"{n}[") for n in plain)]


def _params(x: Dict) -> Any:
    if x["printed"] is not None and x["printed"]["pieces"] is not None:
        return None
    held = {call["jaxpr"] for call in x["nested"]}
    return [(p["name"], _unnamed(p["text"], held)) for p in x["params"]]


def _shown_params(y: Dict) -> Any:
    printed = y["printed"]
    held = {call["jaxpr"] for call in y["nested"]}
    texts = {p["name"]: _unnamed(p["text"], held) for p in y["params"]}
    if printed is None:
        return sorted(texts.items())
    if printed["pieces"] is not None:
        return None
    return sorted((p["name"], texts[p["name"]] if p["pieces"] is None else _text(p["pieces"])) for p in printed["params"])


def _text(pieces: list[Dict]) -> str:
    return "".join("@" if "jaxpr" in piece else piece["text"] for piece in pieces)


def _unnamed(text: str, held: set[str]) -> str:
    """A text with `@` where the id of a jaxpr stands."""
    for key in sorted(held, key=len, reverse=True):
        text = text.replace(key, "@")
    return text


def _same(where: str, mine: Any, theirs: Any) -> Iterator[str]:
    if mine != theirs:
        yield f"{where}: read {mine}, traced {theirs}"
