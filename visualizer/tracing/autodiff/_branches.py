"""Which branch of a cond is taken for false and which for true.

JAX lowers `lax.cond` and a `lax.switch` of two branches to the same primitive, with an int32 index. Only where the index was a bool is one
of the branches the true one: `lax.cond` converts its predicate as it is, `lax.switch` clamps a number.

Promises: follows the index through calls, in and out, and into what a forward scan stacked for its backward one; every way that leads to
it must start at a bool.
Must never: guess. A literal, a carried value, anything computed leaves the branches numbered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ._origins import Origins

Dict = dict[str, Any]
# What gives on the elements that it was given.
PASSES = frozenset({"stop_gradient", "copy", "copy_p", "pvary", "optimization_barrier", "broadcast_in_dim", "reshape", "squeeze"})


def name_branches(program: Origins) -> None:
    """Set the labels of two branches that are known to be false and true."""
    origins = _Indices(program)
    for body in program.jaxprs:
        for eqn in program.callers(body):
            if eqn["primitive"] != "cond" or len(eqn["nested"]) != 2:
                continue
            branches = {call["param"]: call for call in eqn["nested"]}
            first, second = branches.get("branches[0]"), branches.get("branches[1]")
            if first is None or second is None or (first["label"], second["label"]) != ("branch 0", "branch 1"):
                continue
            if origins.bool_at(body, eqn["operands"][0]["atom"]):
                first["label"], second["label"] = "false", "true"


class _Indices:
    def __init__(self, program: Origins) -> None:
        self._program = program
        self._jaxprs: Mapping[str, Dict] = program.jaxprs
        self._made: dict[str, dict[str, tuple[Dict, int]]] = {}
        self._callers: dict[str, list[tuple[str, Dict, Dict]]] | None = None

    def bool_at(self, body: str, atom: Dict) -> bool:
        """Whether every way that leads to `atom` starts at a bool that was converted."""
        seen: set[str] = set()
        todo = [(body, atom)]
        while todo:
            where, one = todo.pop()
            if "var" not in one:
                return False
            if one["var"] in seen:
                continue
            seen.add(one["var"])
            before = self._before(where, one["var"])
            if before is None:
                return False
            todo.extend(before)
        return True

    def _before(self, body: str, var: str) -> list[tuple[str, Dict]] | None:
        """What a variable is made of, empty at a converted bool; None where it is made of anything else."""
        found = self._made_in(body).get(var)
        if found is None:
            return self._outside(body, var)
        eqn, index = found
        if eqn["nested"]:
            return self._inside(eqn, index)
        operands = eqn["operands"]
        if eqn["primitive"] == "convert_element_type" and "var" in operands[0]["atom"]:
            return [] if self._jaxprs[body]["vars"][operands[0]["atom"]["var"]]["dtype"] == "bool" else None
        if eqn["primitive"] in PASSES and index < len(operands):
            return [(body, operands[index]["atom"])]
        return None

    def _made_in(self, body: str) -> dict[str, tuple[Dict, int]]:
        """The equation that makes each variable of a body, and which result it is; laid out when an index leads there."""
        known = self._made.get(body)
        if known is None:
            rows = self._program.rows(body)
            known = self._made[body] = {var: (row.eqn, index) for row in rows for index, var in enumerate(row.results)}
        return known

    def _outside(self, body: str, var: str) -> list[tuple[str, Dict]] | None:
        """The operands that a binder has, at every call of its body."""
        invars = self._jaxprs[body]["invars"]
        callers = self._calls().get(body)
        if var not in invars or not callers:
            return None
        atoms = []
        for where, eqn, call in callers:
            source = call["inputs"][invars.index(var)]
            if source["from"] != "operand" or eqn["operands"][source["index"]]["role"] == "carry":
                return None
            atoms.append((where, eqn["operands"][source["index"]]["atom"]))
        return atoms

    def _inside(self, eqn: Dict, index: int) -> list[tuple[str, Dict]] | None:
        """The values in the bodies that a result is, or is stacked of."""
        if eqn["results"][index]["role"] == "carry":
            return None
        atoms = [(call["jaxpr"], atom) for call, atom in self._results(eqn, index)]
        return atoms or None

    def _results(self, eqn: Dict, index: int) -> Iterator[tuple[Dict, Dict]]:
        for call in eqn["nested"]:
            outvars = self._jaxprs[call["jaxpr"]]["outvars"]
            for atom, targets in zip(outvars, call["outputs"], strict=True):
                if any(to["to"] == "result" and to["index"] == index for to in targets):
                    yield call, atom

    def _calls(self) -> dict[str, list[tuple[str, Dict, Dict]]]:
        """From each body to where it is called; laid out when an index leads out of one."""
        if self._callers is None:
            self._callers = {}
            for body in self._jaxprs:
                for eqn in self._program.callers(body):
                    for call in eqn["nested"]:
                        self._callers.setdefault(call["jaxpr"], []).append((body, eqn, call))
        return self._callers
