"""From what was read to the wire: ids instead of names, roles, and the wiring of bodies by the rules that tracing uses.

Promises: the ids are those that tracing gives the same program, body by body in the order in which they are met. What the print does not
hold is absent: kinds and effects are empty, no constant has a value, no type is weak. Must never: recurse.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import Any

from visualizer.rules import ROLES_OF, RULES, Site, roles, trips, wire

from ._nodes import Atom, Body, Equation, Inner, Param, Pieces
from ._params import InnerJaxpr, Params, value_of
from ._stacks import stack_of, where_of
from ._types import type_of

Dict = dict[str, Any]
Place = Callable[[int, int], Dict]
_HOLDS = re.compile(r"jaxpr|\A(?:branches|call|callee)\Z")
_LIST = re.compile(r"\(([^()\[\]{},='\"]*)\)\Z")


class Wire:
    """One program. `place` gives the Span of a range; `notes` the annotations that stand at the line of a position."""

    def __init__(self, place: Place, notes: Callable[[int], list[str]] | None, margin: int) -> None:
        self.jaxprs: dict[str, Dict] = {}
        self.hoisted: list[Dict] = []
        """What is printed ahead, in order."""
        self.starts: dict[str, tuple[int, int]] = {}
        self._place, self._notes = place, notes
        self._indent = "\n" + " " * margin
        self._ids: dict[int, str] = {}
        self._queue: deque[Body] = deque()
        self._vars = self._eqns = 0
        self._names: dict[int, str] = {}
        self._alone: list[tuple[Dict, dict[str, Body]]] = []

    def program(self, entry: Body) -> str:
        """Take in a program; the id of its outermost jaxpr."""
        first = self._id(entry)
        self._fill_all()
        # JAX also prints ahead what is only used in a print of its own.
        self.hoisted = self._ahead(entry.table)
        for alone, table in self._alone:  # grows as it goes
            alone["hoisted"] = self._ahead(table)
        return first

    def _ahead(self, table: dict[str, Body]) -> list[Dict]:
        found = [{"name": name, "jaxprs": [self._id(body)]} for name, body in table.items()]
        self._fill_all()
        return found

    def _fill_all(self) -> None:
        while self._queue:
            self._fill(self._queue.popleft())

    def _id(self, body: Body) -> str:
        known = self._ids.get(id(body))
        if known is None:
            known = self._ids[id(body)] = f"j{len(self._ids)}"
            self._queue.append(body)
        return known

    def _fill(self, body: Body) -> None:
        key = self._ids[id(body)]
        variables: Dict = {}
        names: dict[str, str] = {}
        constvars = [self._var(binder.name, binder.aval, names, variables) for binder in body.constvars]
        invars = [self._var(binder.name, binder.aval, names, variables) for binder in body.invars]
        # What stands for equations that are left out comes first in its place, but its results are found later.
        eqns = [self._eqn(eqn, names, variables, body) for eqn in body.eqns]
        outvars = [_atom(out, names) for out in body.outs]
        used = {operand["atom"].get("var") for eqn in eqns for operand in eqn["operands"]} | {out.get("var") for out in outvars}
        for eqn in eqns:
            for result in eqn["results"]:
                result["used"] = result["var"] in used
        self.jaxprs[key] = {
            "id": key,
            "name": self._names.get(id(body), ""),
            "constvars": constvars,
            "consts": {},
            "invars": invars,
            "outvars": outvars,
            "eqns": eqns,
            "vars": variables,
            "bound": {},
            "defined": None,
        }

    def _var(self, name: str, aval: str, names: dict[str, str], variables: Dict) -> str:
        key = f"v{self._vars}"
        self._vars += 1
        shape, dtype = type_of(aval)
        # JAX prints a result that is not read as `_`, and with it what a jit gives for it: where there are several, none can be told.
        names[name] = key if name != "_" or name not in names else ""
        variables[key] = {"id": key, "name": name, "aval": aval, "shape": shape, "dtype": dtype, "weak_type": False, "label": None}
        return key

    def _eqn(self, eqn: Equation, names: dict[str, str], variables: Dict, body: Body) -> Dict:
        key = f"e{self._eqns}"
        self._eqns += 1
        self.starts[key] = (eqn.start, eqn.end)
        atoms = [_atom(operand, names) for operand in eqn.operands]
        operands: list[Dict] = [{"atom": atom, "role": "arg", "kind": None, "linear": None} for atom in atoms]
        avals = [variables[atom["var"]]["aval"] if "var" in atom else atom["aval"] for atom in atoms]
        params, pieces, inner = self._params(eqn.params, body) if eqn.params else ([], {}, [])
        results = [
            {
                "var": self._var(result.name, result.aval, names, variables),
                "aval": result.aval,
                "used": False,
                "role": "result",
                "kind": None,
            }
            for result in eqn.results
        ]
        notes = self._notes(eqn.start) if self._notes is not None else []
        made = {
            "id": key,
            "primitive": eqn.primitive,
            "params": params,
            "operands": operands,
            "results": results,
            "nested": [],
            "effects": [f"{eqn.effect}<{atoms[0].get('var', '?')}:{avals[0]}>"] if eqn.effect else [],
            "stack": stack_of(notes) if notes else [],
            "span": self._place(eqn.start, eqn.end),
            "trips": None,
            "printed": self._printed(eqn, params, pieces, names),
            "call": None,
        }
        if (where := where_of(notes)) is not None:
            made["where"] = where
        if inner or eqn.primitive in ROLES_OF:
            self._wire(made, inner, avals, eqn.refs)
        return made

    def _params(self, given: list[Param], body: Body) -> tuple[list[Dict], dict[str, list[Dict]], list[tuple[str, Body]]]:
        """The params as text, those that are printed in pieces, and the jaxprs in them by their paths."""
        texts: list[Dict] = []
        pieces: dict[str, list[Dict]] = {}
        inner: list[tuple[str, Body]] = []
        for name, value in sorted(given, key=lambda param: param.name):
            if isinstance(value, list):
                value = self._resolved(name, value, body)
                found = [(f"{name}{piece.path}", piece.body) for piece in value if isinstance(piece, Inner)]
                if any(inside.alone for _, inside in found):
                    pieces[name] = [self._piece(piece, {}) for piece in value]
                text = _shown(value, self._id)
                inner += found
                if not found and _HOLDS.search(name) and text in body.table:
                    inner.append((name, body.table[text]))
                    text = self._id(body.table[text])
            elif _HOLDS.search(name) and (listed := _listed(value, body.table)):
                inner += [(f"{name}{path}", each) for path, each in listed]
                ids = [self._id(each) for _, each in listed]
                text = ids[0] if not listed[0][0] else _tuple(ids)
            else:
                text = value
            texts.append({"name": name, "text": text})
        return texts, pieces, inner

    def _resolved(self, name: str, value: Pieces, body: Body) -> Pieces:
        """A value without the margin of the paste, and with jaxprs where names of such are listed: `(f f1)`."""
        value = [piece.replace(self._indent, "\n") if isinstance(piece, str) and "\n" in piece else piece for piece in value]
        if not _HOLDS.search(name) or not isinstance(value[0], str) or not value[0].startswith("("):
            return value
        said = [piece.split() if isinstance(piece, str) else [piece] for piece in (*[str(value[0])[1:]], *value[1:])]
        items = [item for part in said for item in part]
        last = items[-1] if items else None
        if isinstance(last, str) and last.endswith(")"):
            items[-1:] = [last[:-1]] if last != ")" else []
        if not items or not all(isinstance(item, Inner) or item in body.table for item in items):
            return value
        bodies = [item.body if isinstance(item, Inner) else body.table[str(item)] for item in items]
        return ["(", *[Inner(f"[{index}]", each) for index, each in enumerate(bodies)], ")"]

    def _printed(self, eqn: Equation, params: list[Dict], pieces: dict[str, list[Dict]], names: dict[str, str]) -> Dict | None:
        if eqn.pieces is not None:
            return {"params": None, "pieces": _joined([self._piece(piece, names) for piece in eqn.pieces])}
        order = [param.name for param in eqn.params]
        if not pieces and order == [param["name"] for param in params]:
            return None
        return {"params": [{"name": name, "pieces": pieces.get(name)} for name in order], "pieces": None}

    def _piece(self, piece: str | Inner | Atom, names: dict[str, str]) -> Dict:
        if isinstance(piece, str):
            return {"text": piece}
        if isinstance(piece, Atom):
            return {"var": names[piece.text]} if piece.aval is None and piece.text != "_" else {"text": piece.text}
        if not piece.body.alone:
            return {"jaxpr": self._id(piece.body), "alone": None}
        alone: Dict = {"letters": {}, "hoisted": []}
        self._alone.append((alone, piece.body.table))
        return {"jaxpr": self._id(piece.body), "alone": alone}

    def _wire(self, eqn: Dict, inner: list[tuple[str, Body]], avals: list[str], refs: list[int]) -> None:
        """Set what follows from the primitive: roles, trips, the wiring of bodies, and which operands JAX says are linear."""
        primitive, operands, results = eqn["primitive"], eqn["operands"], eqn["results"]
        texts = {param["name"]: param["text"] for param in eqn["params"]}
        types = {path: InnerJaxpr([each.aval for each in body.constvars], [each.aval for each in body.invars]) for path, body in inner}
        params = Params(texts, types, (len(operands), len(results)), refs)
        if primitive in ROLES_OF:
            taken, given = roles(primitive, params, len(operands), len(results))
            for operand, role in zip(operands, taken, strict=True):
                operand["role"] = role
            for result, role in zip(results, given, strict=True):
                result["role"] = role
            eqn["trips"] = trips(primitive, params)
            _set_linear(operands, texts.get("linear"))
        outs = [result["aval"] for result in results]
        for path, body in inner:
            if primitive in ("jit", "pjit", "xla_call") and "name" in texts:
                self._names.setdefault(id(body), texts["name"])
            given_by = [_type_of(out, body) for out in body.outs]
            site = Site(primitive, params, path, avals, outs, types[path].invars, given_by, _same, types[path].constvars)
            made = wire(site, RULES)
            eqn["nested"].append({"param": path, "label": made.label, "jaxpr": self._id(body), **made.wire})


def _listed(value: str, table: dict[str, Body]) -> list[tuple[str, Body]]:
    """The jaxprs that a value names, with the steps to them: `f`, `(f f1)`."""
    if value in table:
        return [("", table[value])]
    found = _LIST.match(value)
    names = found.group(1).split() if found else []
    return [(f"[{index}]", table[name]) for index, name in enumerate(names)] if all(name in table for name in names) else []


def _tuple(ids: list[str]) -> str:
    return f"({', '.join(ids)}{',' if len(ids) == 1 else ''})"


def _same(aval: Any) -> str:
    return str(aval)


def _type_of(out: Atom, body: Body) -> str:
    return body.types.get(out.text, "") if out.aval is None else out.aval


def _atom(atom: Atom, names: dict[str, str]) -> Dict:
    key = names[atom.text] if atom.aval is None else ""
    return {"var": key} if key else {"literal": atom.text, "aval": atom.aval or ""}


def _set_linear(operands: list[Dict], text: str | None) -> None:
    """What versions up to 0.9 print as `linear` of a scan or cond: of each operand, or of each but the index."""
    flags = value_of(text) if text is not None else None
    if not isinstance(flags, tuple) or not all(type(flag) is bool for flag in flags):
        return
    skipped = 1 if operands and operands[0]["role"] == "index" else 0
    if len(flags) + skipped == len(operands):
        for operand, flag in zip(operands[skipped:], flags, strict=True):
            operand["linear"] = {"value": flag, "derived": False}


def _shown(value: Pieces, id_of: Callable[[Body], str]) -> str:
    """The text of a param with ids where its jaxprs stand."""
    jaxprs = [id_of(piece.body) for piece in value if isinstance(piece, Inner)]
    said = "".join(piece for piece in value if isinstance(piece, str))
    if len(jaxprs) == 1 and not said.strip():
        return jaxprs[0]
    if jaxprs and not said.strip("() \n"):
        return _tuple(jaxprs)
    return "".join(piece if isinstance(piece, str) else id_of(piece.body) for piece in value if not isinstance(piece, Atom))


def _joined(pieces: list[Dict]) -> list[Dict]:
    """Pieces with texts that follow each other made one."""
    done: list[Dict] = []
    for piece in pieces:
        if "text" in piece and done and "text" in done[-1]:
            done[-1] = {"text": done[-1]["text"] + piece["text"]}
        elif piece != {"text": ""}:
            done.append(piece)
    return done
