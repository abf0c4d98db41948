"""A traced program as plain data: every jaxpr, equation, operand and body.

Promises: the dict has exactly the shape of `model.Program` (a test holds the two equal); every equation of every nested jaxpr is
there once, a body that several equations share appears once; ids are stable: the same program gives the same ids.
Must never: change the program, run any of it, or fail on a stranger's objects.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ._autodiff import explain
from ._branches import name_branches
from ._embedded import CALL, embedded_modules
from ._garbage import no_collection
from ._names import label_vars
from ._nested import jaxprs_in
from ._observed import notes_on
from ._params import Budget, clamp, is_long, param_text, safe_text
from ._printing import Printing, hoisted_ids
from ._printing import Site as PrintedSite
from ._roles import roles, trips
from ._spans import Source, Spans
from ._targets import targets_of
from ._text import PrintedProgram, print_program
from ._types import Types
from ._wiring import Site, wire
from ._wiring_rules import RULES
from .compat import ClosedJaxpr, DropVar, Literal, Transform, literal_text, stack_of, user_instruction, without_colour

Dict = dict[str, Any]


@dataclass
class Body:
    """One jaxpr of the program: the wire dict beside JAX's own objects."""

    id: str
    jaxpr: Any
    consts: tuple[Any, ...]
    wire: Dict
    ids: dict[Any, str] = field(default_factory=dict)  # Var -> id
    used: set[str] = field(default_factory=set)


@dataclass
class SerializedProgram:
    """A program-shaped dict and the way back to JAX's objects. Keeps the jaxpr alive, so the ids of its objects stay theirs."""

    program: Dict
    closed: Any
    eqn_of: dict[int, str]
    """id(JaxprEqn) -> our id of the equation."""
    jaxpr_of: dict[int, str]
    """id(Jaxpr) -> our id of the jaxpr."""


def serialize(
    closed: Any,
    *,
    name: str = "main",
    origin: str = "make_jaxpr",
    program_id: str = "p0",
    span: Dict | None = None,
    source: Source | None = None,
    namespace: Dict | None = None,
    text: bool = True,
) -> SerializedProgram:
    """Serialise a ClosedJaxpr. `source` gives spans and the person's own names; without it spans are null. `namespace`, that of the paste
    after it ran, gives names to the arrays that the program closed over.

    `text=False` leaves out the printed jaxpr (benchmarks): variables then get letters in the order of the walk.
    """
    walk = Walk(source)
    with no_collection(), without_colour():
        entry = walk.run(closed)
        printed = print_program(closed, walk) if text else PrintedProgram({}, None, [])
        walk.name_vars(printed.letters)
        bodies = [(body.id, body.jaxpr, body.ids) for body in walk.bodies]
        walk.printing.finish(bodies)
        jaxprs = {body.id: body.wire for body in walk.bodies}
        name_branches(jaxprs)
        notes = notes_on(body.ids for body in walk.bodies)
        twins = explain(jaxprs, entry, lambda eqn: user_instruction(walk.objects[eqn]), walk.has_transform("transpose"), notes)
        written = label_vars(walk, source, namespace, called=span if origin == "call" else None)
    program: Dict = {
        "id": program_id,
        "name": clamp(name),
        "origin": origin,
        "count": 1,
        "span": span,
        "entry": entry,
        "jaxprs": jaxprs,
        "twins": twins,
        "texts": {"jaxpr": printed.text} if printed.text else {},
        "modules": {},
        "links": {},
        "parameters": None,
        "made_from": None,
        "hoisted": hoisted_ids(printed.hoisted, bodies),
        "embedded": embedded_modules(walk.exported),
        "calls": walk.spans.calls,
        "loops": walk.spans.loops(targets_of(source.text).loops) if source is not None else [],
        "written": written,
    }
    return SerializedProgram(program, closed, walk.eqn_of, {id(body.jaxpr): body.id for body in walk.bodies})


class Walk:
    """The walk over one program. Breadth first with a queue, so that neither length nor depth can exhaust the stack."""

    def __init__(self, source: Source | None) -> None:
        self.bodies: list[Body] = []
        self.eqn_of: dict[int, str] = {}
        self.objects: dict[str, Any] = {}  # id -> JaxprEqn
        self.exported: dict[str, Any] = {}  # those of them that call a module
        self.places: dict[str, tuple[int, int, int, int]] = {}  # id of an equation -> its range in the compiled text
        self.multiline: set[tuple[str | None, str]] = set()
        self.spans = Spans(source)
        self._budget = Budget()
        self.printing = Printing(self._body, self._budget.cut)
        self._types = Types()
        self._known: dict[Any, str] = {}
        self._queue: deque[Body] = deque()
        self._vars = self._eqns = 0
        self._texts: dict[int, str] = {}
        self._params: dict[tuple[object, ...], tuple[list[Dict], Dict | None]] = {}
        self._stacks: dict[Any, list[Dict]] = {}

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
        key = (id(inner), *map(id, consts))
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = f"j{len(self._known)}"
            self._queue.append(Body(known, inner, consts, {}))
        return known

    def _var(self, var: Any, body: Body, wires: Dict) -> str:
        known = self._types(var.aval)
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

    def _atom(self, atom: Any, body: Body) -> Dict:
        if isinstance(atom, Literal):
            try:
                text = clamp(literal_text(atom))
            except Exception:  # a value that cannot be printed is still an operand
                text = safe_text(getattr(atom, "val", "?"))
            return {"literal": text, "aval": self._types(atom.aval).text}
        var = body.ids[atom]
        body.used.add(var)
        return {"var": var}

    def _fill(self, body: Body) -> None:
        jaxpr = body.jaxpr
        variables: Dict = {}
        self.bodies.append(body)
        constvars = [self._var(var, body, variables) for var in jaxpr.constvars]
        invars = [self._var(var, body, variables) for var in jaxpr.invars]
        eqns = [self._eqn(eqn, body, variables) for eqn in jaxpr.eqns]
        outvars = [self._atom(atom, body) for atom in jaxpr.outvars]
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
        used = body.used
        for eqn in eqns:
            for result in eqn["results"]:
                result["used"] = result["var"] in used

    def _eqn(self, eqn: Any, body: Body, variables: Dict) -> Dict:
        key = f"e{self._eqns}"
        self._eqns += 1
        self.objects[key] = eqn
        self.eqn_of.setdefault(id(eqn), key)
        primitive, params = str(eqn.primitive.name), eqn.params
        if primitive == CALL:
            self.exported[key] = eqn
        same = (id(eqn.primitive), *params, *map(id, params.values()))
        known = self._params.get(same)
        nested, texts = ([], known[0]) if known else self._read_params(key, params)
        operand_roles, result_roles = roles(primitive, params, len(eqn.invars), len(eqn.outvars))
        operands = [
            {"atom": self._atom(atom, body), "role": role, "kind": None, "linear": None}
            for atom, role in zip(eqn.invars, operand_roles, strict=True)
        ]
        results = [
            {"var": self._var(var, body, variables), "aval": self._types(var.aval).text, "used": False, "role": role, "kind": None}
            for var, role in zip(eqn.outvars, result_roles, strict=True)
        ]
        printed = known[1] if known else self._printed(eqn, same, nested, texts, body)
        placed = self.spans.place(eqn)
        if placed.place is not None:
            self.places[key] = placed.place
        return {
            "id": key,
            "primitive": primitive,
            "params": texts,
            "operands": operands,
            "results": results,
            "nested": [self._call(eqn, primitive, path, jaxpr) for path, jaxpr in nested],
            "effects": sorted(safe_text(effect) for effect in eqn.effects) if eqn.effects else [],
            "stack": self._stack(eqn),
            "span": placed.span,
            "trips": trips(primitive, params),
            "printed": printed,
            "call": placed.call,
        }

    def _read_params(self, eqn: str, params: dict[str, Any]) -> tuple[list[tuple[str, Any]], list[Dict]]:
        """The jaxprs in the params, and the params as text."""
        nested = jaxprs_in(params)
        texts = [{"name": name, "text": self._text(params[name], bool(nested))} for name in sorted(params)]
        self.multiline.update((eqn, param["name"]) for param in texts if "\n" in param["text"])
        return nested, texts

    def _text(self, value: Any, nested: bool) -> str:
        known = self._texts.get(id(value))  # the params keep their values alive, so an id stays that of its value
        if known is None:
            known = self._texts[id(value)] = self._budget.cut(param_text(value, self._body if nested else None, None))
        elif is_long(known):
            return self._budget.cut(known)
        return known

    def _printed(self, eqn: Any, same: tuple[object, ...], nested: list[tuple[str, Any]], texts: list[Dict], body: Body) -> Dict | None:
        """How JAX prints an equation. Those of one primitive with the very same values as params (`same`) share their texts and this."""
        printed = self.printing.read(PrintedSite(eqn, nested, texts, body.ids))
        shared = not nested and (printed is None or printed["pieces"] is None)
        if shared and not any("\n" in param["text"] or is_long(param["text"]) for param in texts):
            self._params[same] = texts, printed
        return printed

    def _call(self, eqn: Any, primitive: str, path: str, jaxpr: Any) -> Dict:
        inner = jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr
        sides = (eqn.invars, eqn.outvars, inner.invars, inner.outvars)
        made = wire(Site(primitive, eqn.params, path, *sides, lambda atom: self._types(atom.aval).text, inner.constvars), RULES)
        return {"param": path, "label": made.label, "jaxpr": self._body(jaxpr), **made.wire}

    def _stack(self, eqn: Any) -> list[Dict]:
        stack = stack_of(eqn)
        known = self._stacks.get(stack)
        if known is None:
            known = self._stacks[stack] = [
                {"kind": "transform" if isinstance(entry, Transform) else "scope", "name": safe_text(entry.name)} for entry in stack
            ]
        return known

    def has_transform(self, name: str) -> bool:
        """Whether a transformation is on the name stack of any equation."""
        return any(entry["kind"] == "transform" and entry["name"] == name for stack in self._stacks.values() for entry in stack)

    def name_vars(self, names: dict[Any, str]) -> None:
        """Give every variable the letter JAX prints it with, or, where it prints none, one of ours."""
        fresh = 0
        for body in self.bodies:
            for var, key in body.ids.items():
                wire_var = body.wire["vars"][key]
                if var in names:
                    wire_var["name"] = names[var]
                elif isinstance(var, DropVar):
                    wire_var["name"] = "_"
                else:
                    wire_var["name"] = _letters(fresh)
                    fresh += 1


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
        return clamp(str(jaxpr.debug_info.func_name))
    except Exception:  # a jaxpr made by hand may have none
        return ""


def _const(value: Any) -> Dict:
    size = getattr(value, "nbytes", 0)
    shape = getattr(value, "shape", None)
    text = safe_text(value) if shape == () or type(value) in (int, float, bool, complex) else None
    return {"text": text, "bytes": size if type(size) is int else 0}
