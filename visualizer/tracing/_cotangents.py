"""Which values are cotangents, and which are residuals.

JAX's name stacks say which equations belong to a transposed side, not which of their values carry the cotangent. Gradients do: a value of
a transposed side that is read outside of it is one. From there the cotangent is followed back through linear primitives to where it came
in, and forward through every equation that reads one.

Promises: a kind is given only where it follows; a body reached in two ways keeps only the kinds that both agree on.
Must never: guess. A product of two values that could both be the cotangent ends the search.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ._levels import Levels, is_transposed, leaves, saves
from ._linear import NONLINEAR, rule
from ._origins import MAX_DEPTH, Instance, Origins, is_transparent

Dict = dict[str, Any]
# C: a cotangent. P: could be one. I: came from outside, could be one. N: is none.
State = str
Kinds = list[str | None]
MAX_ROUNDS = 4


class Cotangents:
    """The analysis of one program. `scans` are known to be transposes of a forward scan: each carry of theirs is a cotangent."""

    def __init__(self, origins: Origins, scans: Iterable[str]) -> None:
        self.origins = origins
        self._scans = frozenset(scans)
        self._solved: dict[tuple[Any, ...], _Solution] = {}
        self._recorded: set[tuple[Any, ...]] = set()
        self._kinds: dict[str, Kinds] = {}
        self._depth = 0
        self._touched: dict[str, bool] = {}

    def mark(self, entry: str) -> None:
        """Set `kind` on the operands and results of the program."""
        binders = (None,) * len(self.origins.jaxprs[entry]["invars"])
        outs = (False,) * len(self.origins.jaxprs[entry]["outvars"])
        self._record(Instance(entry, "", binders), ("I",) * len(binders), outs, outs)
        for body, kinds in self._kinds.items():
            ends = [end for eqn in self.origins.jaxprs[body]["eqns"] for end in (*eqn["operands"], *eqn["results"])]
            for end, kind in zip(ends, kinds, strict=True):
                end["kind"] = kind

    def is_float(self, body: str, var: str) -> bool:
        """Whether a variable can carry a cotangent at all."""
        return str(self.origins.jaxprs[body]["vars"][var]["dtype"]).startswith(("float", "bfloat", "complex"))

    def solve(self, instance: Instance, states: tuple[State, ...], demand: tuple[bool, ...]) -> _Solution:
        """The states of every value of an instance, given those of its binders and which of its results are cotangents."""
        key = (instance, states, demand)
        known = self._solved.get(key)
        if known is None:
            known = self._solved[key] = _Solution(self, instance, states)
            if self._depth < MAX_DEPTH:
                self._depth += 1
                known.run(demand)
                self._depth -= 1
        return known

    def _record(self, instance: Instance, states: tuple[State, ...], demand: tuple[bool, ...], saved: tuple[bool, ...]) -> None:
        key = (instance, states, demand, saved)
        if key in self._recorded or self._depth >= MAX_DEPTH:
            return
        self._recorded.add(key)
        if not (self._touches(instance.body) or instance.around or any(saved)):
            self._merge(instance.body, None)
            return
        solution = self.solve(instance, states, demand)
        residuals = solution.residuals(saved)
        self._merge(instance.body, solution.kinds(residuals))
        self._depth += 1
        for eqn, own in solution.eqns:
            if eqn["nested"]:
                for call, inner in solution.calls(eqn, own):
                    self._record(*inner, solution.saved_outs(eqn, call, residuals))
        self._depth -= 1

    def _touches(self, body: str) -> bool:
        """Whether any equation in the body, at any depth, belongs to a differentiation."""
        known = self._touched.get(body)
        if known is None:
            self._touched[body] = False
            eqns = self.origins.jaxprs[body]["eqns"]
            known = any(self.origins.levels(eqn, "") for eqn in eqns) or any(
                self._touches(call["jaxpr"]) for eqn in eqns if eqn["nested"] for call in eqn["nested"]
            )
            self._touched[body] = known
        return known

    def _merge(self, body: str, kinds: Kinds | None) -> None:
        eqns = self.origins.jaxprs[body]["eqns"]
        if kinds is None:
            if body in self._kinds:
                self._kinds[body] = [None] * len(self._kinds[body])
            else:
                self._kinds[body] = [None] * sum(len(eqn["operands"]) + len(eqn["results"]) for eqn in eqns)
            for eqn in eqns:
                for call in eqn["nested"]:
                    self._merge(call["jaxpr"], None)
        elif body in self._kinds:
            self._kinds[body] = [a if a == b else None for a, b in zip(self._kinds[body], kinds, strict=True)]
        else:
            self._kinds[body] = kinds


class _Solution:
    """The states of one instance's values."""

    def __init__(self, whole: Cotangents, instance: Instance, states: Sequence[State]) -> None:
        self.whole = whole
        self.instance = instance
        self.jaxpr = whole.origins.jaxprs[instance.body]
        self.made = whole.origins.made(instance)
        self.states: dict[str, State] = dict(zip(self.jaxpr["invars"], states, strict=True))
        self.marks: set[tuple[str, int]] = set()
        self.found = 0
        self.eqns = [(eqn, whole.origins.levels(eqn, instance.around)) for eqn in self.jaxpr["eqns"]]

    def run(self, demand: Sequence[bool]) -> None:
        """Settle the states: forward and back until nothing more is found."""
        transposed = [(eqn, own) for eqn, own in self.eqns if is_transposed(own)]
        self._gradients(demand)
        for turn in range(MAX_ROUNDS):
            before = self.found
            for eqn, own in transposed:
                self._forward(eqn, own)
            if turn and self.found == before:
                break
            before = self.found
            for eqn, own in reversed(transposed):
                self._backward(eqn, own)
            if self.found == before:
                break

    def binders(self) -> list[State]:
        """The states of the binders."""
        return [self.states[var] for var in self.jaxpr["invars"]]

    def outs(self) -> list[State]:
        """The states of the results."""
        return [self.states.get(atom["var"], "I") if "var" in atom else _literal(atom) for atom in self.jaxpr["outvars"]]

    def _cotangent(self, var: str) -> None:
        if self.states.get(var) != "C" and self.whole.is_float(self.instance.body, var):
            self.states[var] = "C"
            self.found += 1

    def _gradients(self, demand: Sequence[bool]) -> None:
        made = self.made
        for eqn, own in self.eqns:
            for operand in eqn["operands"]:
                at = made.get(operand["atom"].get("var"))
                if at is not None and at != own and is_transposed(at) and leaves(at, own):
                    self._cotangent(operand["atom"]["var"])
        for atom, wanted in zip(self.jaxpr["outvars"], demand, strict=True):
            if "var" in atom:
                at = made.get(atom["var"])
                if (wanted and (at is None or is_transposed(at))) or (at and is_transposed(at) and leaves(at, self.instance.around)):
                    self._cotangent(atom["var"])

    def _state(self, atom: Dict, own: Levels) -> State:
        var = atom.get("var")
        if var is None:
            return _literal(atom)
        made = self.made.get(var)
        if made is not None and made != own and not is_transposed(made) and not own.startswith(made):
            return "N"
        return self.states.get(var, "I")

    def _forward(self, eqn: Dict, own: Levels) -> None:
        results = eqn["results"]
        if eqn["nested"]:
            states = self._through(eqn, own)[1]
        elif len(results) == 1 and self.states.get(results[0]["var"]) == "C":
            return
        else:
            states = [_combine(eqn["primitive"], [self._state(operand["atom"], own) for operand in eqn["operands"]])] * len(results)
        for result, state in zip(results, states, strict=True):
            var = result["var"]
            if state == "C":
                self._cotangent(var)
                self.states.setdefault(var, "N")  # no number: not one
            elif self.states.get(var) != "C":
                self.states[var] = state

    def _backward(self, eqn: Dict, own: Levels) -> None:
        for result in eqn["results"]:
            if self.states.get(result["var"]) == "C":
                break
        else:
            return
        if eqn["nested"]:
            for index in self._through(eqn, own)[0]:
                self._mark(eqn, index, own)
            return
        which = rule(eqn["primitive"], len(eqn["operands"]))
        if which == "one":
            which = self._factor(eqn, own)
        for index in which or ():
            self._mark(eqn, index, own)

    def _mark(self, eqn: Dict, index: int, own: Levels) -> None:
        atom = eqn["operands"][index]["atom"]
        if "literal" in atom:
            self.marks.add((eqn["id"], index))
            return
        var = atom["var"]
        made = self.made.get(var)
        if made is not None and is_transposed(made):
            self._cotangent(var)
        elif made is not None and not own.startswith(made):
            return  # of a forward side: never a cotangent
        elif var in self.states and is_transposed(self.instance.around):
            self._cotangent(var)
        elif self.whole.is_float(self.instance.body, var):
            self.marks.add((eqn["id"], index))  # from outside: it is one here, elsewhere it may be anything

    def _factor(self, eqn: Dict, own: Levels) -> tuple[int, ...]:
        """Which factor of a product is the cotangent; nothing when two could be."""
        atoms = [operand["atom"] for operand in eqn["operands"]]
        states = [self._state(atom, own) for atom in atoms]
        if "C" in states:
            return (states.index("C"),)
        likely = [i for i, state in enumerate(states) if state == "P" and "var" in atoms[i]]
        seeds = [i for i, state in enumerate(states) if state == "P" and "literal" in atoms[i]]
        outside = [i for i, state in enumerate(states) if state == "I"]
        for candidates in (likely, seeds, outside):
            if candidates:
                return tuple(candidates) if len(candidates) == 1 else ()
        return ()

    def calls(self, eqn: Dict, own: Levels) -> list[tuple[Dict, tuple[Instance, tuple[State, ...], tuple[bool, ...]]]]:
        """Each body of an equation: the instance, the states of its binders and which of its results are cotangents."""
        inner = self.whole.origins.nested(eqn, own, self.made)
        found = [self._state(operand["atom"], own) for operand in eqn["operands"]]
        results = [self.states.get(result["var"]) == "C" for result in eqn["results"]]
        if eqn["id"] in self.whole._scans:
            found = ["C" if self._enters_transposed_scan(operand) else state for operand, state in zip(eqn["operands"], found, strict=True)]
            results = [result["role"] == "carry" or _is_pure(own) for result in eqn["results"]]
        elif not (is_transparent(eqn) or eqn["primitive"] == "cond"):
            found, results = ["I"] * len(found), [False] * len(results)
        calls = []
        for call, instance in zip(eqn["nested"], inner, strict=True):
            states = tuple(found[wire["index"]] if wire["from"] == "operand" else "I" for wire in call["inputs"])
            demand = tuple(any(end["to"] == "result" and results[end["index"]] for end in ends) for ends in call["outputs"])
            calls.append((call, (instance, states, demand)))
        return calls

    def _enters_transposed_scan(self, operand: Dict) -> bool:
        """JAX's transposed scan takes residuals, carried cotangents, cotangents of the ys, then more residuals."""
        if operand["role"] == "carry":
            return True
        made = self.made.get(operand["atom"].get("var", ""))
        return operand["role"] == "xs" and made is not None and is_transposed(made)

    def _through(self, eqn: Dict, own: Levels) -> tuple[list[int], list[State]]:
        """Which operands of an equation with bodies are cotangents, and the states of its results."""
        if eqn["id"] in self.whole._scans:
            entering = [i for i, operand in enumerate(eqn["operands"]) if self._enters_transposed_scan(operand)]
            for i in entering:
                self._mark(eqn, i, own)
            return entering, ["C" if result["role"] == "carry" or _is_pure(own) else "P" for result in eqn["results"]]
        if not (is_transparent(eqn) or eqn["primitive"] == "cond"):
            return [], ["P"] * len(eqn["results"])
        operands: set[int] = set()
        results = ["N"] * len(eqn["results"])
        for call, inner in self.calls(eqn, own):
            solution = self.whole.solve(*inner)
            operands.update(
                wire["index"]
                for wire, state in zip(call["inputs"], solution.binders(), strict=True)
                if state == "C" and wire["from"] == "operand"
            )
            for ends, state in zip(call["outputs"], solution.outs(), strict=True):
                for end in ends:
                    results[end["index"]] = _likeliest(results[end["index"]], state)
        return sorted(operands), results

    def residuals(self, saved: Sequence[bool]) -> set[str]:
        """The variables of the body that a forward side saves for its transposed side; `saved` says which results are saved outside."""
        found = {atom["var"] for atom, is_saved in zip(self.jaxpr["outvars"], saved, strict=True) if is_saved and "var" in atom}
        for eqn, own in self.eqns:
            if own:
                found.update(operand["atom"]["var"] for operand in eqn["operands"] if self._is_residual(operand["atom"], own))
        return found

    def _is_residual(self, atom: Dict, own: Levels) -> bool:
        return "var" in atom and saves(self.made.get(atom["var"]), own)

    def saved_outs(self, eqn: Dict, call: Dict, residuals: set[str]) -> tuple[bool, ...]:
        """Which results of a body are saved: those of which the equation's result is, step by step or as it is (not a last carry)."""
        return tuple(
            any(end["to"] == "result" and eqn["results"][end["index"]]["var"] in residuals for end in ends)
            and all(end["to"] != "next" for end in ends)
            for ends in call["outputs"]
        )

    def kinds(self, residuals: set[str]) -> Kinds:
        """The kind of every operand and result, equation by equation."""
        kinds: Kinds = []
        made, marks = self.made, self.marks
        cotangents = {var for var, state in self.states.items() if state == "C"}
        for eqn, own in self.eqns:
            for index, operand in enumerate(eqn["operands"]):
                var = operand["atom"].get("var")
                at = made.get(var)
                if at is not None and at != own and saves(at, own):
                    kinds.append("residual")
                elif var in cotangents or (marks and (eqn["id"], index) in marks):
                    kinds.append("cotangent")
                else:
                    kinds.append(None)
            for result in eqn["results"]:
                var = result["var"]
                if var in residuals and var in made:
                    kinds.append("residual")
                else:
                    kinds.append("cotangent" if var in cotangents else None)
        return kinds


def _is_pure(own: Levels) -> bool:
    """Whether the transposed side was not differentiated further: else its scans also give what that needs."""
    return "F" not in own[: own.rindex("T")]


def _literal(atom: Dict) -> State:
    """`grad` starts from 1; a sum over no cotangents is 0."""
    return "P" if atom["literal"] in ("1.0", "0.0", "(1+0j)", "0j") else "N"


def _combine(primitive: str, states: Sequence[State]) -> State:
    if "C" in states:
        return "C"
    if primitive in NONLINEAR or not states:
        return "N"
    return _likeliest(*states)


def _likeliest(*states: State) -> State:
    return min(states, key="CPIN".index)
