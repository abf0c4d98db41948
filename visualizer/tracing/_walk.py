"""The walk over a traced program: each jaxpr, equation, operand and body as plain data, with the way back to JAX's objects.

Promises: breadth first with a queue, so that neither length nor depth can exhaust the stack; the same program gives the same ids. What the
analyses after it ask of every equation (`Row`) is laid out on the way, for a second look at each costs as much as the first.
Must never: change the program, run any of it, or fail on a stranger's objects.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from visualizer.rules import ROLES_OF, RULES, Site, roles, trips, wire

from ._embedded import CALL
from ._nested import jaxprs_under
from ._origins import Row
from ._params import LIMIT, Budget, clamp, is_long, param_text, safe_text
from ._printing import Printing
from ._printing import Site as PrintedSite
from ._spans import Source, Spans
from ._types import Types
from .compat import (
    ClosedJaxpr,
    DropVar,
    Jaxpr,
    Literal,
    Transform,
    UnspecifiedValue,
    arg_names,
    function_site,
    literal_text,
    name_stack_of,
    result_paths,
    value_paths,
)

Dict = dict[str, Any]
_VARIABLE = re.compile(r"Var\(id=(\d+)\)")
# Tuples of these alone, and of equal values and types, have equal texts. (Those of numbers do not: 0.0 is -0.0.)
_SIMPLE = frozenset({int, bool, str, type(None), UnspecifiedValue})
_JAXPRS = frozenset({ClosedJaxpr, Jaxpr})


@dataclass(slots=True)
class Body:
    """One jaxpr of the program: the wire dict beside JAX's own objects."""

    id: str
    jaxpr: Any
    consts: tuple[Any, ...]
    wire: Dict
    ids: dict[Any, str] = field(default_factory=dict)  # Var -> id
    atoms: dict[Any, Dict] = field(default_factory=dict)  # Var -> the wire's atom; of those that are read, all readers share it
    rows: list[Row] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)  # numbers of the equations with bodies
    paths: list[str | None] = field(default_factory=list)  # of the results in what the person's function returned

    @property
    def callers(self) -> list[Dict]:
        """The equations with bodies."""
        return [self.rows[number].eqn for number in self.calls]


class Walk:
    """The walk over one program."""

    def __init__(self, source: Source | None) -> None:
        self.bodies: list[Body] = []
        self.eqn_of: dict[int, str] = {}
        self.objects: dict[str, Any] = {}  # id -> JaxprEqn
        self.exported: dict[str, Any] = {}  # those of them that call a module
        self.places: dict[str, tuple[int, int, int, int]] = {}  # id of an equation -> its range in the compiled text
        self.multiline: set[tuple[str | None, str]] = set()
        self.spans = Spans(source)
        self._placing = source is not None
        self._budget = Budget()
        self.printing = Printing(self._body, self._budget.cut)
        self._types = Types()
        self._known: dict[Any, str] = {}
        self._queue: deque[Body] = deque()
        self._vars = self._eqns = 0
        # The params keep their values alive, the equations their name stacks: an id stays that of its object.
        self._texts: dict[int, str] = {}
        self._tuples: dict[tuple[Any, ...], str] = {}
        self._params: dict[tuple[object, ...], tuple[list[Dict], Dict | None]] = {}
        self._stacks: dict[tuple[Any, ...], list[Dict]] = {}
        self._stack_of: dict[int, list[Dict]] = {}

    def run(self, closed: Any) -> str:
        """Serialise `closed` and everything in it; the id of the entry."""
        entry = self._body(closed)
        self.printing.outermost = closed.jaxpr
        while self._queue:
            self._fill(self._queue.popleft())
        return entry

    def _body(self, jaxpr: Any) -> str:
        """The id of a jaxpr; one not seen before is queued."""
        inner, consts = (jaxpr.jaxpr, tuple(jaxpr.consts)) if isinstance(jaxpr, ClosedJaxpr) else (jaxpr, ())
        key = (id(inner), *map(id, consts)) if consts else id(inner)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = f"j{len(self._known)}"
            self._queue.append(Body(known, inner, consts, {}))
        return known

    def _fill(self, body: Body) -> None:
        jaxpr = body.jaxpr
        variables: Dict = {}
        self.bodies.append(body)
        constvars = [self._var(var, body, variables) for var in jaxpr.constvars]
        invars = [self._var(var, body, variables) for var in jaxpr.invars]
        eqns = [self._eqn(eqn, body, variables) for eqn in jaxpr.eqns]
        outvars = [self._literal(atom) if isinstance(atom, Literal) else self._read(atom, body) for atom in jaxpr.outvars]
        body.wire.update(
            id=body.id,
            name=_function_name(jaxpr),
            constvars=constvars,
            consts={key: _const(value) for key, value in zip(constvars, body.consts, strict=False)},
            invars=invars,
            outvars=outvars,
            eqns=eqns,
            vars=variables,
            bound={},
            defined=None,
        )
        body.paths = value_paths(jaxpr, result_paths(jaxpr))
        for key, label in zip(invars, arg_names(jaxpr), strict=False):  # JAX's own names of the binders
            if label:
                variables[key]["label"] = clamp(label)
        used = {atom["var"] for atom in body.atoms.values()}
        for eqn in eqns:
            for result in eqn["results"]:
                result["used"] = result["var"] in used

    def _var(self, var: Any, body: Body, wires: Dict) -> str:
        aval = var.aval
        known = self._types.known.get(id(aval)) or self._types(aval)
        key = f"v{self._vars}"
        self._vars += 1
        body.ids[var] = key
        wires[key] = {
            "id": key,
            "name": "",
            "aval": known.text,
            "shape": known.shape,
            "dtype": known.dtype,
            "weak_type": known.weak,
            "label": None,
        }
        return key

    def _read(self, var: Any, body: Body) -> Dict:
        known = body.atoms.get(var)
        if known is None:
            known = body.atoms[var] = {"var": body.ids[var]}
        return known

    def _literal(self, atom: Any) -> Dict:
        try:
            text = clamp(literal_text(atom))
        except Exception:  # a value that cannot be printed is still an operand
            text = safe_text(getattr(atom, "val", "?"))
        return {"literal": text, "aval": self._types(atom.aval).text}

    def _eqn(self, eqn: Any, body: Body, variables: Dict) -> Dict:
        key = f"e{self._eqns}"
        self._eqns += 1
        self.objects[key] = eqn
        self.eqn_of.setdefault(id(eqn), key)
        primitive, params, invars, outvars = str(eqn.primitive.name), eqn.params, eqn.invars, eqn.outvars
        same = (id(eqn.primitive), *params, *map(id, params.values()))
        known = self._params.get(same)
        nested, texts, plain = ([], known[0], True) if known else self._read_params(key, params)
        length: int | None = None
        if primitive in ROLES_OF:
            operand_roles, result_roles = roles(primitive, params, len(invars), len(outvars))
            length = trips(primitive, params)
        else:
            operand_roles, result_roles = ["arg"] * len(invars), ["result"] * len(outvars)
        operands: list[Dict] = []
        reads: list[str | None] = []
        results: list[Dict] = []
        atoms, made = body.atoms, []
        for atom, role in zip(invars, operand_roles, strict=True):
            if isinstance(atom, Literal):
                read = self._literal(atom)
                reads.append(None)
            else:
                read = atoms.get(atom) or self._read(atom, body)
                reads.append(read["var"])
            operands.append({"atom": read, "role": role, "kind": None, "linear": None})
        for var, role in zip(outvars, result_roles, strict=True):
            name = self._var(var, body, variables)
            made.append(name)
            results.append({"var": name, "aval": variables[name]["aval"], "used": False, "role": role, "kind": None})
        printed = known[1] if known else self._printed(same, PrintedSite(eqn, nested, texts, body.ids, plain))
        stack = self._stack_of.get(id(name_stack_of(eqn)))
        placed = self.spans.place(eqn) if self._placing else None
        if placed is not None and placed.place is not None:
            self.places[key] = placed.place
        wire_eqn = {
            "id": key,
            "primitive": primitive,
            "params": texts,
            "operands": operands,
            "results": results,
            "nested": [self._call(eqn, primitive, path, jaxpr) for path, jaxpr in nested],
            "effects": _effects(eqn, body) if eqn.effects else [],
            "stack": self._stack(name_stack_of(eqn)) if stack is None else stack,
            "span": placed.span if placed is not None else None,
            "trips": length,
            "printed": printed,
            "call": placed.call if placed is not None else None,
        }
        if nested:
            body.calls.append(len(body.rows))
        body.rows.append(Row(wire_eqn, primitive, tuple(reads), tuple(made), bool(nested)))
        if primitive == CALL:
            self.exported[key] = eqn
        return wire_eqn

    def _read_params(self, eqn: str, params: dict[str, Any]) -> tuple[list[tuple[str, Any]], list[Dict], bool]:
        """The jaxprs in the params, the params as text, and whether each text is one line of common length."""
        plain = True
        nested: list[tuple[str, Any]] = []
        texts: list[Dict] = []
        for name in sorted(params):
            value = params[name]
            text = self._texts.get(id(value))
            if text is None:
                text = self._param(name, value, nested)
            elif len(text) > LIMIT:
                text = self._budget.cut(text)
            if "\n" in text:
                self.multiline.add((eqn, name))
                plain = False
            plain = plain and len(text) <= LIMIT
            texts.append({"name": name, "text": text})
        return nested, texts, plain

    def _param(self, name: str, value: Any, nested: list[tuple[str, Any]]) -> str:
        """The text of one param not seen before; the jaxprs in it are added to `nested`."""
        kind = type(value)
        if kind is ClosedJaxpr or kind is Jaxpr:
            nested.append((name, value))
            return self._body(value)
        if kind is tuple and value and _JAXPRS.issuperset(map(type, value)):
            nested += [(f"{name}[{i}]", item) for i, item in enumerate(value)]
            return self._budget.cut(f"({', '.join(map(self._body, value))}{',' if len(value) == 1 else ''})")
        flat = (value, *map(type, value)) if kind is tuple and _SIMPLE.issuperset(map(type, value)) else None
        text = self._tuples.get(flat) if flat is not None else None
        if text is None:
            found = jaxprs_under(name, value) if flat is None else []
            text = self._budget.cut(param_text(value, self._body if found else None, None))
            if found:
                nested += found
                return text
            if flat is not None and not is_long(text):
                self._tuples[flat] = text
        self._texts[id(value)] = text
        return text

    def _printed(self, same: tuple[object, ...], site: PrintedSite) -> Dict | None:
        """How JAX prints an equation. Those of one primitive with the very same values as params (`same`) share their texts and this."""
        printed = self.printing.read(site)
        if site.plain and not site.nested and (printed is None or printed["pieces"] is None):
            self._params[same] = site.texts, printed
        return printed

    def _call(self, eqn: Any, primitive: str, path: str, jaxpr: Any) -> Dict:
        inner = jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr
        made = wire(
            Site(primitive, eqn.params, path, eqn.invars, eqn.outvars, inner.invars, inner.outvars, self._type_text, inner.constvars), RULES
        )
        return {"param": path, "label": made.label, "jaxpr": self._body(jaxpr), **made.wire}

    def _type_text(self, atom: Any) -> str:
        return self._types(atom.aval).text

    def _stack(self, stack: Any) -> list[Dict]:
        entries = tuple(stack.stack)
        which = tuple(map(id, entries))
        known = self._stacks.get(which)
        if known is None:
            # A scope and a transformation of one name are equal to Python.
            same = (entries, tuple([isinstance(entry, Transform) for entry in entries]))
            known = self._stacks.get(same)
            if known is None:
                kinds = ["transform" if is_transform else "scope" for is_transform in same[1]]
                named = zip(entries, kinds, strict=True)
                known = self._stacks[same] = [{"kind": kind, "name": safe_text(entry.name)} for entry, kind in named]
            self._stacks[which] = known
        self._stack_of[id(stack)] = known
        return known

    def has_transform(self, name: str) -> bool:
        """Whether a transformation is on the name stack of any equation."""
        return any(entry["kind"] == "transform" and entry["name"] == name for stack in self._stacks.values() for entry in stack)

    def name_vars(self, names: dict[Any, str]) -> None:
        """Give every variable the letter JAX prints it with, or, where it prints none, one of ours."""
        fresh = 0
        for body in self.bodies:
            variables = body.wire["vars"]
            for var, key in body.ids.items():
                name = names.get(var)
                if name is None:
                    if isinstance(var, DropVar):
                        name = "_"
                    else:
                        name = _letters(fresh)
                        fresh += 1
                variables[key]["name"] = name


def _effects(eqn: Any, body: Body) -> list[str]:
    """The effects as JAX prints them, but for the address of a variable: that is ours (`Write<v3:Ref{f32[4]}>`)."""
    ids = {str(id(var)): body.ids.get(var, "?") for var in eqn.invars if not isinstance(var, Literal)}
    return sorted(_VARIABLE.sub(lambda found: ids.get(found.group(1), "?"), safe_text(effect)) for effect in eqn.effects)


@lru_cache(1 << 16)
def _letters(number: int) -> str:
    text = ""
    while True:
        number, digit = divmod(number, 26)
        text = chr(97 + digit) + text
        if number == 0:
            return text


def _function_name(jaxpr: Any) -> str:
    try:
        return clamp(str(function_site(jaxpr)[1]))
    except Exception:  # a jaxpr made by hand may have none
        return ""


def _const(value: Any) -> Dict:
    size = getattr(value, "nbytes", 0)
    shape = getattr(value, "shape", None)
    text = safe_text(value) if shape == () or type(value) in (int, float, bool, complex) else None
    return {"text": text, "bytes": size if type(size) is int else 0}
