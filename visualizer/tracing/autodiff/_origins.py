"""Where each value of a program was made, as far as automatic differentiation is concerned.

Promises: follows values through the bodies of calls and through binders, for each way a body is reached, once per distinct way.
Must never: give a place to a value that came into the program from outside (an argument, a constant, a literal, an equation that no
differentiation touched): those are None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ._levels import Levels, is_transposed, levels

Dict = dict[str, Any]
Made = Levels | None
# Bodies nested deeper than this are not analysed: what is in them keeps no kind.
MAX_DEPTH = 100
# Only these have operands that are carries.
LOOPS = frozenset({"scan", "while"})
_new = tuple.__new__


class Instance(NamedTuple):
    """A body as it is reached in one way: the levels around it, and where each of its binders was made."""

    body: str
    around: Levels
    binders: tuple[Made, ...]


class Row(NamedTuple):
    """An equation laid out for the analysis: the variables of its operands (None for a literal), and those it makes."""

    eqn: Dict
    primitive: str
    operands: tuple[str | None, ...]
    results: tuple[str, ...]
    calls: bool
    """Whether it has bodies."""
    stack: list[Dict]
    form: tuple[Any, ...]
    """What it has in common with others like it: primitive, name stack, literals, and the place of each operand among the variables."""


class Ends(NamedTuple):
    """How one body is wired. Bodies that are wired alike share one."""

    sources: tuple[int, ...]
    """Per binder the operand that it comes from, -1 where it comes from elsewhere."""
    results: tuple[tuple[int, ...], ...]
    """Per result of the body, the results of the equation that it is."""
    fed: tuple[tuple[int, int], ...]
    """Number of a result, and the binder that has it in the next step."""


class Laid(NamedTuple):
    """A jaxpr laid out for the analysis."""

    rows: list[Row]
    calls: list[int]
    """The numbers of the equations that have bodies."""
    frame: tuple[Any, ...]
    """What else it has in common with others like it: how many binders, the dtypes of its variables, and which of them are its results."""


class Layout:
    """One instance: the levels of each equation, where each variable was made, and what was made elsewhere than it is read."""

    __slots__ = ("foreign", "made", "owns", "rows", "transposed")

    def __init__(self, rows: list[Row], made: dict[str, Levels]) -> None:
        self.rows = rows
        self.made = made
        self.owns: list[Levels] = []
        self.foreign: list[tuple[int, int, str, Made, Levels]] = []
        """Number of the equation, index of the operand, its variable, where that was made, and where it is read."""
        self.transposed: list[int] = []
        """Numbers of the equations on a transposed side."""


class Origins:
    """Where values are made, instance by instance."""

    def __init__(self, jaxprs: dict[str, Dict], laid: dict[str, Laid] | None = None) -> None:
        """`laid` has each jaxpr laid out; where there is none, that is done here."""
        self.jaxprs = jaxprs
        self.alike: Callable[[str], str] = str  # of all bodies that are alike, the one that is looked at
        self._laid = {body: _lay_out(jaxpr) for body, jaxpr in jaxprs.items()} if laid is None else laid
        self._levels: dict[Levels, dict[int, Levels]] = {}
        self._layouts: dict[Instance, Layout] = {}
        self._plain: dict[tuple[int, ...], bool] = {}
        self._ends: dict[tuple[int, int], Ends] = {}
        self._depth = 0

    def levels(self, stack: list[Dict], around: Levels) -> Levels:
        """The levels of an equation in a body that is reached at the levels `around`. Name stacks are interned, so their ids do."""
        if not stack:
            return around
        cache = self._levels.setdefault(around, {})
        known = cache.get(id(stack))
        if known is None:
            known = cache[id(stack)] = levels(stack, around)
        return known

    def all_levels(self) -> set[Levels]:
        """All levels that have been met so far."""
        return {own for known in self._levels.values() for own in known.values()}

    def rows(self, body: str) -> list[Row]:
        """The equations of a body, laid out."""
        return self._laid[body].rows

    def calls(self, body: str) -> list[int]:
        """The numbers of the equations of a body that have bodies themselves."""
        return self._laid[body].calls

    def callers(self, body: str) -> list[Dict]:
        """Those equations."""
        rows, calls, _ = self._laid[body]
        return [rows[number].eqn for number in calls]

    def frame(self, body: str) -> tuple[Any, ...]:
        """What a body, but for its equations, has in common with others like it."""
        return self._laid[body].frame

    def is_plain(self, row: Row) -> bool:
        """`is_transparent`, looked at once: equations that are wired alike share the lists of their wires."""
        eqn = row.eqn
        nested = eqn["nested"]
        if len(nested) != 1 or eqn["trips"] is not None:
            return False
        key = (id(nested[0]["inputs"]), id(nested[0]["outputs"]), len(row.operands), len(row.results))
        known = self._plain.get(key)
        if known is None:
            known = self._plain[key] = is_transparent(eqn)
        return known

    def ends(self, call: Dict) -> Ends:
        """How a body is wired."""
        key = (id(call["inputs"]), id(call["outputs"]))
        known = self._ends.get(key)
        if known is None:
            known = self._ends[key] = _ends(call)
        return known

    def layout(self, instance: Instance) -> Layout:
        """Where the variables of an instance's body were made; those from outside are absent from `made`."""
        known = self._layouts.get(instance)
        if known is not None:
            return known
        body, around, binders = instance
        made = {var: at for var, at in zip(self.jaxprs[body]["invars"], binders, strict=True) if at is not None}
        layout = self._layouts[instance] = Layout(self.rows(body), made)
        if self._depth < MAX_DEPTH:
            self._depth += 1
            self._lay(layout, around)
            self._depth -= 1
        return layout

    def nested(self, row: Row, own: Levels, made: dict[str, Levels]) -> list[Instance]:
        """The instances of an equation's bodies. The binders of a carry are also fed by the step before."""
        inside = own or None
        places: list[Made] = [made.get(var) for var in row.operands]  # type: ignore[arg-type]
        if row.primitive in LOOPS:
            places = [inside if operand["role"] == "carry" else at for operand, at in zip(row.eqn["operands"], places, strict=True)]
        found = []
        for call in row.eqn["nested"]:
            binders = tuple([places[index] if index >= 0 else inside for index in self.ends(call).sources])
            # Past the constructor of named tuples, as wherever there are many.
            found.append(_new(Instance, (self.alike(call["jaxpr"]), own, binders)))
        return found

    def _lay(self, layout: Layout, around: Levels) -> None:
        made, foreign, transposed = layout.made, layout.foreign, layout.transposed
        known, place = self._levels.setdefault(around, {}), made.get
        for number, row in enumerate(layout.rows):
            _, _, operands, results, calls, stack, _ = row
            own = (known.get(id(stack)) or self.levels(stack, around)) if stack else around
            layout.owns.append(own)
            if own:
                if is_transposed(own):
                    transposed.append(number)
                for index, var in enumerate(operands):
                    if (at := place(var, own)) != own:  # type: ignore[arg-type]
                        foreign.append((number, index, var, at, own))  # type: ignore[arg-type]
            elif made:
                for index, var in enumerate(operands):
                    if var in made:
                        foreign.append((number, index, var, made[var], own))
            if calls and self.is_plain(row):
                self._call(row, own, made)
            elif own:
                for result in results:
                    made[result] = own

    def _call(self, row: Row, own: Levels, made: dict[str, Levels]) -> None:
        (inner,) = self.nested(row, own, made)
        inside = self.layout(inner).made
        for result, atom in zip(row.results, self.jaxprs[inner.body]["outvars"], strict=True):
            at = inside.get(atom["var"]) if "var" in atom else None
            if at:
                made[result] = at


def _lay_out(jaxpr: Dict) -> Laid:
    place = {var: number for number, var in enumerate(jaxpr["vars"])}
    rows: list[Row] = []
    for eqn in jaxpr["eqns"]:
        atoms = [operand["atom"] for operand in eqn["operands"]]
        reads = [place[atom["var"]] if "var" in atom else atom["literal"] for atom in atoms]
        operands, results = tuple([atom.get("var") for atom in atoms]), tuple([result["var"] for result in eqn["results"]])
        form = (id(eqn["stack"]), len(results), eqn["primitive"], *reads)
        rows.append(Row(eqn, eqn["primitive"], operands, results, bool(eqn["nested"]), eqn["stack"], form))
    dtypes = tuple([var["dtype"] for var in jaxpr["vars"].values()])
    outs = tuple([place[atom["var"]] if "var" in atom else atom["literal"] for atom in jaxpr["outvars"]])
    frame = (len(jaxpr["constvars"]), len(jaxpr["invars"]), dtypes, outs)
    return Laid(rows, [number for number, row in enumerate(rows) if row.calls], frame)


def _ends(call: Dict) -> Ends:
    outputs = call["outputs"]
    return Ends(
        tuple([wire["index"] if wire["from"] == "operand" else -1 for wire in call["inputs"]]),
        tuple([tuple([end["index"] for end in ends if end["to"] == "result"]) for ends in outputs]),
        tuple([(number, end["index"]) for number, ends in enumerate(outputs) for end in ends if end["to"] == "next"]),
    )


def is_transparent(eqn: Dict) -> bool:
    """Whether the equation is a plain call: one body that takes its operands and gives its results, one to one, once."""
    nested = eqn["nested"]
    if len(nested) != 1 or eqn["trips"] is not None:
        return False
    call = nested[0]
    return len(call["outputs"]) == len(eqn["results"]) and _straight(call["outputs"]) and _operands_only(call["inputs"], eqn)


def _straight(outputs: Sequence[Sequence[Dict]]) -> bool:
    for i, ends in enumerate(outputs):  # noqa: SIM110 - a generator costs more, and this runs for every equation with a body
        if len(ends) != 1 or ends[0]["to"] != "result" or ends[0]["index"] != i:
            return False
    return True


def _operands_only(inputs: Sequence[Dict], eqn: Dict) -> bool:
    if len(inputs) != len(eqn["operands"]):
        return False
    for i, wire in enumerate(inputs):  # noqa: SIM110
        if wire["from"] != "operand" or wire["index"] != i:
            return False
    return True
