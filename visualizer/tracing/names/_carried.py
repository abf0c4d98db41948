"""Names carried along the wires: into bodies, out of them, and from one step of a loop to the next.

Promises: a body that is called from several places keeps a carried name only when all of them agree.
Must never: name a cotangent after the value it belongs to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

from visualizer.tracing.autodiff._origins import Row

Dict = dict[str, Any]


class Wires:
    """The jaxprs of a program and what runs between them. Most have no name in them: nothing is carried into and out of those."""

    def __init__(self, jaxprs: dict[str, Dict], calls: dict[str, list[Row]], called: dict[str, list[str]]) -> None:
        """`calls` has the equations of each jaxpr that have bodies, `called` those bodies."""
        self.jaxprs = jaxprs
        self._calls = calls
        self._called = called
        counts = Counter(inner for inners in called.values() for inner in inners)
        self._shared = {body for body, count in counts.items() if count > 1}
        self.order = [jaxprs[name] for name in callers_first(called, counts)]

    def carry(self, named: set[str] | None = None) -> None:
        """Carry names into bodies, out of them, and in again where that brought any. `named` has the jaxprs with names, if known."""
        if named is None:
            named = {name for name, body in self.jaxprs.items() if any(var["label"] for var in body["vars"].values())}
        self._inward(named)
        if self._outward(named):
            self._inward(named)

    def _inward(self, named: set[str]) -> None:
        """Carry names of operands to binders, and of a plain call's results to the values that it gives; callers first."""
        incoming: dict[str, dict[str, str | None]] = defaultdict(dict)
        for body in self.order:
            name, variables = body["id"], body["vars"]
            for var, label in incoming[name].items() if name in incoming else ():
                if suggest(variables[var], label):
                    named.add(name)
            # A call that brings no names to a body that others call too takes theirs from it.
            sharing = not self._shared.isdisjoint(self._called[name])
            labels = {key for key, var in variables.items() if var["label"]} if name in named else set()
            for eqn, _, reads, makes, *_ in self._calls[name] if labels or sharing else ():
                if not sharing and labels.isdisjoint(reads) and labels.isdisjoint(makes):
                    continue
                operands = [
                    variables[operand["atom"]["var"]]["label"] if _keeps_its_name(eqn, operand) else None for operand in eqn["operands"]
                ]
                results = [variables[var]["label"] for var in makes] if eqn["trips"] is None else None
                for call in eqn["nested"]:
                    self._enter(call, operands, results, incoming[call["jaxpr"]])

    def _enter(self, call: Dict, operands: list[str | None], results: list[str | None] | None, known: dict[str, str | None]) -> None:
        """Note the names that a call brings to the variables of its body; None where two calls disagree."""
        if call["jaxpr"] not in self._shared and not any(operands) and not (results and any(results)):
            return
        inner = self.jaxprs[call["jaxpr"]]
        for var, wire in zip(inner["invars"], call["inputs"], strict=True):
            if wire["from"] == "operand":
                label = operands[wire["index"]]
                known[var] = label if known.setdefault(var, label) == label else None
        if results is not None:
            # The caller's name for what `relu(x)` gives may be x too: in the body, that is another value.
            taken = {inner["vars"][var]["label"] for var in inner["invars"]}
            for atom, ends in zip(inner["outvars"], call["outputs"], strict=True):
                if "var" in atom and len(ends) == 1 and ends[0]["to"] == "result" and atom["var"] not in inner["invars"]:
                    label = results[ends[0]["index"]]
                    label = None if label in taken else label
                    known[atom["var"]] = label if known.setdefault(atom["var"], label) == label else None

    def _outward(self, named: set[str]) -> bool:
        """Carry names of a body's results to the equation's, where its bodies agree, and of a carry's binder to its next value.

        Whether any name was new.
        """
        news = False
        for body in reversed(self.order):
            name = body["id"]
            for row in self._calls[name] if not named.isdisjoint(self._called[name]) else ():
                if not named.isdisjoint([call["jaxpr"] for call in row.eqn["nested"]]) and self._leave(row.eqn, body["vars"]):
                    named.add(name)
                    news = True
        return news

    def _leave(self, eqn: Dict, variables: dict[str, Dict]) -> bool:
        news = False
        loops = eqn["primitive"] in ("scan", "while")
        given: dict[int, str | None] = {}
        for call in eqn["nested"]:
            inner = self.jaxprs[call["jaxpr"]]
            values = inner["vars"]
            for atom, ends in zip(inner["outvars"], call["outputs"], strict=True):
                value = values[atom["var"]] if "var" in atom else None
                if loops and value is not None and value["label"] is None:
                    for end in ends:
                        if end["to"] == "next":  # the same slot, a step later
                            news |= suggest(value, values[inner["invars"][end["index"]]]["label"])
                label = value["label"] if value is not None else None
                for end in ends:
                    if end["to"] == "result":
                        given[end["index"]] = label if given.setdefault(end["index"], label) == label else None
        for index, label in given.items():
            if label and eqn["results"][index]["kind"] != "cotangent":
                news |= suggest(variables[eqn["results"][index]["var"]], label)
        return news


def callers_first(called: dict[str, list[str]], waiting: Counter[str]) -> list[str]:
    """The jaxprs, each after all those that call it. `called` has what each calls; `waiting`, used up, how often each is called."""
    ready = [name for name in called if not waiting[name]]
    order = []
    while ready:
        name = ready.pop()
        order.append(name)
        for inner in called[name]:
            waiting[inner] -= 1
            if not waiting[inner]:
                ready.append(inner)
    return order


def _keeps_its_name(eqn: Dict, operand: Dict) -> bool:
    """Whether a body knows an operand by its name outside: not the first of many carries, which is called what the body calls all."""
    if "var" not in operand["atom"] or operand["kind"] == "cotangent":
        return False
    return operand["role"] != "carry" or eqn["primitive"] not in ("scan", "while")


def suggest(variable: Dict, name: str | None) -> bool:
    """Give a variable a name if it has none; whether it took it."""
    if name and variable["label"] is None:
        variable["label"] = name
        return True
    return False
