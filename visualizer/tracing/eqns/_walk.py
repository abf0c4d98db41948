"""The walk over a traced program: each jaxpr, equation, operand and body as plain data, with the way back to JAX's objects.

Promises: breadth first with a queue, so that neither length nor depth can exhaust the stack; the same program gives the same ids. What the
analyses after it ask of every equation (`Row`) is laid out on the way, for a second look at each costs as much as the first.
Must never: change the program, run any of it, or fail on a stranger's objects.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import count
from typing import Any

import numpy as np

from visualizer.rules import ROLES_OF, RULES, Site, by_rule, roles, straight, trips
from visualizer.tracing.autodiff._origins import Row
from visualizer.tracing.compat import (
    ClosedJaxpr,
    DropVar,
    Jaxpr,
    Literal,
    Transform,
    UnspecifiedValue,
    arg_names,
    function_site,
    has_printing_rule,
    is_where_custom_vjp_was_called,
    literal_text,
    result_paths,
    user_instruction,
    value_paths,
)
from visualizer.tracing.mlir._embedded import CALL
from visualizer.tracing.source._spans import Source, Spans

from ._nested import jaxprs_under
from ._params import LIMIT, Budget, clamp, param_text, safe_text
from ._plain_params import Said, is_the_same_around, key_of, left_open, remember, said
from ._printing import COMMON as _COMMON
from ._printing import Looks, Printing
from ._printing import Site as PrintedSite
from ._types import Types

Dict = dict[str, Any]
_VARIABLE = re.compile(r"Var\(id=(\d+)\)")
# Tuples of these alone, and of equal values and types, have equal texts. (Those of numbers do not: 0.0 is -0.0.)
_SIMPLE = frozenset({int, bool, str, type(None), UnspecifiedValue, np.int32, np.int64})
_JAXPRS = frozenset({ClosedJaxpr, Jaxpr})
# What has none of something shares it: nothing changes it.
_NONE: list[Any] = []
_ENTRY = "j0"
_ROLES_OF = frozenset(ROLES_OF)
_new = tuple.__new__


# A variable: the wire's atom, which all readers share, its place among those of its body, and the wire's result, if it is one.
Atom = tuple[Dict, int, Dict | None]


@dataclass(slots=True)
class Body:
    """One jaxpr of the program: the wire dict beside JAX's own objects."""

    id: str
    jaxpr: Any
    consts: tuple[Any, ...]
    wire: Dict = field(default_factory=dict)
    vars: Dict = field(default_factory=dict)  # those of the wire
    atoms: dict[Any, Atom] = field(default_factory=dict)  # by Var, in the order of `vars`
    rows: list[Row] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)  # numbers of the equations with bodies
    called: list[str] = field(default_factory=list)  # the ids of those bodies, in turn
    frame: tuple[Any, ...] = ()  # as `Laid` has it
    paths: list[str | None] = field(default_factory=list)  # of the results in what the person's function returned
    labelled: bool = False  # whether JAX has a name for any of its variables

    @property
    def callers(self) -> list[Dict]:
        """The equations with bodies."""
        return [self.rows[number].eqn for number in self.calls]


def ids_of(jaxprs: Iterable[tuple[Any, Dict]]) -> dict[int, str]:
    """id(JaxprEqn) -> our id, of each Jaxpr and what it is on the wire. What is there with several constants has the id of the first."""
    found: dict[int, str] = {}
    for jaxpr, wire_jaxpr in jaxprs:
        for eqn, known in zip(jaxpr.eqns, wire_jaxpr["eqns"], strict=True):
            found.setdefault(id(eqn), known["id"])
    return found


class Walk:
    """The walk over one program."""

    def __init__(self, source: Source | None) -> None:
        self.bodies: list[Body] = []
        self.calling: dict[str, Any] = {}  # id -> JaxprEqn, of those with bodies
        self.exported: dict[str, Any] = {}  # those of them that call a module
        self.places: dict[str, tuple[int, int, int, int]] = {}  # id of an equation -> its range in the compiled text
        self.multiline: set[tuple[str | None, str]] = set()
        self.spans = Spans(source)
        self._placing = source is not None
        self._budget = Budget()
        self.printing = Printing(self._body, self._budget.cut)
        self._types = Types()
        self._known: dict[Any, str] = {}
        self._body_of: dict[int, tuple[str, Any]] = {}  # keeps what it has alive: an id stays that of its object
        self._queue: deque[Body] = deque()
        self._vars = self._eqns = 0
        # The params keep their values alive, the equations their literals and name stacks: an id stays that of its object.
        self._literals: dict[tuple[int, int], Dict] = {}
        self._texts: dict[int, str] = {}
        self._params: dict[tuple[object, ...], Said] = {}
        self._stacks: dict[tuple[Any, ...], list[Dict]] = {}
        self._stack_of: dict[int, list[Dict]] = {}
        # The params without jaxprs whose text is one line of common length, by what they are and by their texts.
        self._shown: dict[tuple[Any, ...], Dict] = {}
        # Equal tracebacks are one to a dict, and few programs have as many as equations.
        self._instructions: dict[Any, tuple[int | None, bool]] = {}
        self._places: dict[Any, int] = {}

    @cached_property
    def eqn_of(self) -> dict[int, str]:
        """id(JaxprEqn) -> our id."""
        return ids_of((body.jaxpr, body.wire) for body in self.bodies)

    @cached_property
    def objects(self) -> dict[str, Any]:
        """Our id -> JaxprEqn."""
        return {row.eqn["id"]: eqn for body in self.bodies for row, eqn in zip(body.rows, body.jaxpr.eqns, strict=True)}

    def run(self, closed: Any) -> str:
        """Serialise `closed` and everything in it; the id of the entry."""
        entry = self._body(closed)
        self.printing.outermost = closed.jaxpr
        while self._queue:
            self._fill(self._queue.popleft())
        return entry

    def _body(self, jaxpr: Any) -> str:
        """The id of a jaxpr; one not seen before is queued."""
        seen = self._body_of.get(id(jaxpr))
        if seen is not None:
            return seen[0]
        inner, consts = (jaxpr.jaxpr, tuple(jaxpr.consts)) if isinstance(jaxpr, ClosedJaxpr) else (jaxpr, ())
        key = (id(inner), *map(id, consts)) if consts else id(inner)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = f"j{len(self._known)}"
            self._queue.append(Body(known, inner, consts))
        self._body_of[id(jaxpr)] = known, jaxpr
        return known

    def _fill(self, body: Body) -> None:
        jaxpr, variables = body.jaxpr, body.vars
        self.bodies.append(body)
        constvars, invars = self._binders(jaxpr.constvars, body), self._binders(jaxpr.invars, body)
        eqns = self._eqns_of(body)
        outvars: list[Dict] = []
        outs: list[str | int] = []
        for atom in jaxpr.outvars:
            if isinstance(atom, Literal):
                given = self._literal(atom)
                outs.append(given["literal"])
            else:
                given, place, result = body.atoms[atom]
                outs.append(place)
                if result is not None:
                    result["used"] = True
            outvars.append(given)
        if body.id != _ENTRY:
            body.frame = (len(constvars), len(invars), tuple([var["dtype"] for var in variables.values()]), tuple(outs))
        body.wire = {
            "id": body.id,
            "name": _function_name(jaxpr),
            "constvars": constvars,
            "consts": {key: _const(value) for key, value in zip(constvars, body.consts, strict=False)} if body.consts else {},
            "invars": invars,
            "outvars": outvars,
            "eqns": eqns,
            "vars": variables,
            "bound": {},
            "defined": None,
        }
        body.paths = value_paths(jaxpr, result_paths(jaxpr))
        for key, label in zip(invars, arg_names(jaxpr), strict=False):  # JAX's own names of the binders
            if label:
                variables[key]["label"] = clamp(label)
                body.labelled = True

    def _binders(self, binders: Iterable[Any], body: Body) -> list[str]:
        """The keys of variables that no equation of the body makes."""
        atoms, variables, made, first, type_of = body.atoms, body.vars, list[str](), self._vars, self._types.known.get
        for number, var in enumerate(binders, first):
            text, shape, dtype, weak = type_of(id(var.aval)) or self._types(var.aval)
            key = f"v{number}"
            atoms[var] = {"var": key}, len(variables), None
            variables[key] = {"id": key, "name": "", "aval": text, "shape": shape, "dtype": dtype, "weak_type": weak, "label": None}
            made.append(key)
        self._vars = first + len(made)
        return made

    def _literal(self, atom: Any) -> Dict:
        which = (id(getattr(atom, "val", None)), id(atom.aval))
        known = self._literals.get(which)
        if known is None:
            try:
                text = clamp(literal_text(atom))
            except Exception:  # a value that cannot be printed is still an operand
                text = safe_text(getattr(atom, "val", "?"))
            known = self._literals[which] = {"literal": text, "aval": self._types(atom.aval).text}
        return known

    def _eqns_of(self, body: Body) -> list[Dict]:
        """The equations of a jaxpr. One loop, with what it asks of every equation at hand: it is a third of all that serialising takes."""
        known_params, stack_of, literal, type_of = self._params.get, self._stack_of.get, self._literal, self._types.known.get
        atoms, rows, variables, count = body.atoms, body.rows, body.vars, self._vars
        # Nothing asks what the entry is like.
        formed = body.id != _ENTRY
        found: list[Dict] = []
        for number, eqn in enumerate(body.jaxpr.eqns, self._eqns):
            key = f"e{number}"
            primitive, params = str(eqn.primitive.name), eqn.params
            same = (id(eqn.primitive), *params, *map(id, params.values()))
            known = known_params(same) or self._said(same, eqn)
            if known is None:
                nested, texts, looks = self._read_params(key, params)
            elif known[2]:
                nested, texts, looks = self._around(known, params)
            else:
                nested, texts, looks = _NONE, known[0], _COMMON
            operands: list[Dict] = []
            reads: list[str | None] = []
            places: list[str | int] = []
            for atom in eqn.invars:
                if isinstance(atom, Literal):
                    read = literal(atom)
                    reads.append(None)
                    places.append(read["literal"])
                else:
                    read, place, maker = atoms[atom]
                    reads.append(read["var"])
                    places.append(place)
                    if maker is not None:
                        maker["used"] = True
                operands.append({"atom": read, "role": "arg", "kind": None, "linear": None})
            results: list[Dict] = []
            made: list[str] = []
            # As `_binders` does: a call for each takes as long as half of what it does.
            for var in eqn.outvars:
                text, shape, dtype, weak = type_of(id(var.aval)) or self._types(var.aval)
                name = f"v{count}"
                count += 1
                result = {"var": name, "aval": text, "used": False, "role": "result", "kind": None}
                atoms[var] = {"var": name}, len(variables), result
                variables[name] = {"id": name, "name": "", "aval": text, "shape": shape, "dtype": dtype, "weak_type": weak, "label": None}
                results.append(result)
                made.append(name)
            length: int | None = None
            if primitive in _ROLES_OF:
                length = trips(primitive, params)
                for ends, names in zip((operands, results), roles(primitive, params, len(operands), len(results)), strict=True):
                    for end, role in zip(ends, names, strict=True):
                        end["role"] = role
            printed = known[1] if known else self._printed(same, eqn, nested, texts, body, looks)
            scopes = eqn.source_info.name_stack  # relative to its jaxpr: `Scope` and `Transform` entries, outermost first
            stack = stack_of(id(scopes))
            if stack is None:
                stack = self._stack(scopes)
            placed = self.spans.place(eqn) if self._placing else None
            if placed is not None and placed.place is not None:
                self.places[key] = placed.place
            wire_eqn = {
                "id": key,
                "primitive": primitive,
                "params": texts,
                "operands": operands,
                "results": results,
                "nested": [self._call(eqn, body, path, jaxpr) for path, jaxpr in nested] if nested else _NONE,
                "effects": _effects(eqn, body) if eqn.effects else _NONE,
                "stack": stack,
                "span": placed.span if placed is not None else None,
                "trips": length,
                "printed": printed,
                "call": placed.call if placed is not None else None,
            }
            form = (id(stack), len(results), primitive, *places) if formed else ()
            if nested:
                body.calls.append(len(rows))
                self.calling[key] = eqn
            # Past the constructor of named tuples, which takes as long as three of these.
            rows.append(_new(Row, (wire_eqn, primitive, tuple(reads), tuple(made), bool(nested), stack, form)))
            if primitive == CALL:
                self.exported[key] = eqn
            found.append(wire_eqn)
        self._eqns += len(found)
        self._vars = count
        return found

    def _said(self, same: tuple[object, ...], eqn: Any) -> Said | None:
        """What any program says of the params of an equation, but for the jaxprs in them, where it is known."""
        key = key_of(eqn.primitive, eqn.params)
        known = said(key) if key is not None else None
        if known is not None:
            self._params[same] = known
        return known

    def _around(self, known: Said, params: dict[str, Any]) -> tuple[list[tuple[str, Any]], list[Dict], Looks]:
        """What `_read_params` finds, where all but the jaxprs is known."""
        texts = [*known[0]]
        nested: list[tuple[str, Any]] = []
        for place, name in known[2]:
            jaxpr = params[name]
            nested.append((name, jaxpr))
            texts[place] = {"name": name, "text": self._body(jaxpr)}
        return nested, texts, _COMMON

    def _read_params(self, eqn: str, params: dict[str, Any]) -> tuple[list[tuple[str, Any]], list[Dict], Looks]:
        """The jaxprs in the params, the params as text, and how those look."""
        plain = direct = True
        nested: list[tuple[str, Any]] = []
        texts: list[Dict] = []
        for name in _sorted(tuple(params)):
            value = params[name]
            shown = self._shown.get((name, id(value)))
            if shown is None:
                kind = type(value)
                if kind is ClosedJaxpr or kind is Jaxpr:
                    nested.append((name, value))
                    shown = {"name": name, "text": self._body(value)}
                elif kind is tuple and value and _JAXPRS.issuperset(map(type, value)):
                    nested += [(f"{name}[{i}]", item) for i, item in enumerate(value)]
                    text = self._budget.cut(f"({', '.join(map(self._body, value))}{',' if len(value) == 1 else ''})")
                    plain = plain and len(text) <= LIMIT
                    shown = {"name": name, "text": text}
                else:
                    same = (name, value, *map(type, value)) if kind is tuple and _SIMPLE.issuperset(map(type, value)) else (name, id(value))
                    shown = self._shown.get(same)
                    if shown is None:
                        before = len(nested)
                        shown, common = self._show(eqn, name, value, nested, same)
                        plain = plain and common
                        direct = direct and len(nested) == before
            texts.append(shown)
        return nested, texts, _COMMON if plain and direct else Looks(plain, direct)

    def _show(self, eqn: str, name: str, value: Any, nested: list[tuple[str, Any]], same: tuple[Any, ...]) -> tuple[Dict, bool]:
        """One param not seen before, and whether its text is one line of common length; the jaxprs in it are added to `nested`."""
        before = len(nested)
        text = self._texts.get(id(value))
        if text is None:
            text = self._param(name, value, nested)
        elif len(text) > LIMIT:
            text = self._budget.cut(text)
        shown = {"name": name, "text": text}
        if "\n" in text:
            self.multiline.add((eqn, name))
            return shown, False
        if len(text) > LIMIT:
            return shown, False
        if len(nested) == before:
            shown = self._shown[same] = self._shown.setdefault((name, text), shown)
        return shown, True

    def _param(self, name: str, value: Any, nested: list[tuple[str, Any]]) -> str:
        """The text of one param that is no jaxpr; the jaxprs in it are added to `nested`."""
        if value is None or value is True or value is False:
            return str(value)
        found = jaxprs_under(name, value)
        text = self._budget.cut(param_text(value, self._body if found else None, None))
        if found:
            nested += found
        else:
            self._texts[id(value)] = text
        return text

    def _printed(
        self, same: tuple[object, ...], eqn: Any, nested: list[tuple[str, Any]], texts: list[Dict], body: Body, looks: Looks
    ) -> Dict | None:
        """How JAX prints an equation. Those of one primitive with the very same values as params (`same`) share their texts and this."""
        # JAX looks for itself into what holds jaxprs directly.
        common = looks.direct and not has_printing_rule(eqn.primitive)
        printed = None if common else self.printing.read(PrintedSite(eqn, nested, texts, body.atoms, looks))
        if looks.plain and (printed is None or printed["pieces"] is None):
            if not nested:
                self._params[same] = texts, printed, _NONE
            elif not is_the_same_around(eqn.primitive, printed):
                return printed
            key = key_of(eqn.primitive, eqn.params)
            if key is not None:
                remember(key, (texts, printed, left_open(eqn.params, texts) if nested else _NONE))
        return printed

    def _call(self, eqn: Any, body: Body, path: str, jaxpr: Any) -> Dict:
        inner = jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr
        primitive, invars, outvars = str(eqn.primitive.name), eqn.invars, eqn.outvars
        made = straight(primitive, path, len(invars), len(outvars), len(inner.invars), len(inner.outvars)) or by_rule(
            Site(primitive, eqn.params, path, invars, outvars, inner.invars, inner.outvars, self._type_text, inner.constvars), RULES
        )
        called, wires = self._body(jaxpr), made.wire
        body.called.append(called)
        return {
            "param": path,
            "label": made.label,
            "jaxpr": called,
            "inputs": wires["inputs"],
            "outputs": wires["outputs"],
            "consts": wires["consts"],
            "finals": wires["finals"],
        }

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

    def instruction(self, eqn: str) -> Any:
        """What stands for the instruction of the person's that an equation with bodies was traced from; None where there is none.

        What a `custom_vjp` rule made is of no instruction but itself: its two rules, which stand at one place then, transpose nothing.
        """
        called = self.calling[eqn]
        traceback = called.source_info.traceback
        known = self._instructions.get(traceback)
        if known is None:
            place = user_instruction(called)
            number = None if place is None else self._places.setdefault(place, len(self._places))
            known = self._instructions[traceback] = number, is_where_custom_vjp_was_called(called)
        number, of_rule = known
        return eqn if of_rule and called.primitive.name != "custom_vjp_call" else number

    def has_transform(self, name: str) -> bool:
        """Whether a transformation is on the name stack of any equation."""
        return any(entry["kind"] == "transform" and entry["name"] == name for stack in self._stacks.values() for entry in stack)

    def name_vars(self, names: dict[Any, str]) -> None:
        """Give every variable the letter JAX prints it with, or, where it prints none, one of ours."""
        unnamed = map(_letters, count())
        for body in self.bodies:
            made: Iterable[Dict] = body.vars.values()  # in the order in which they were met, as the atoms
            if len(body.vars) != len(body.atoms):  # a jaxpr made by hand may bind a variable twice
                made = [body.vars[atom["var"]] for atom, _, _ in body.atoms.values()]
            for var, variable in zip(body.atoms, made, strict=True):
                variable["name"] = names.get(var) or ("_" if isinstance(var, DropVar) else next(unnamed))


def _effects(eqn: Any, body: Body) -> list[str]:
    """The effects as JAX prints them, but for the address of a variable: that is ours (`Write<v3:Ref{f32[4]}>`)."""
    ids = {str(id(var)): body.atoms[var][0]["var"] for var in eqn.invars if not isinstance(var, Literal)}
    return sorted(_VARIABLE.sub(lambda found: ids.get(found.group(1), "?"), safe_text(effect)) for effect in eqn.effects)


@lru_cache(1024)
def _sorted(names: tuple[str, ...]) -> list[str]:
    return sorted(names)


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
