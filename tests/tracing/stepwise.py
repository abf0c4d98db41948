"""A numeric oracle for twins, independent of how they are found: what every equation with bodies took and gave, step by step.

A program is run by the jaxpr alone, and of each instance of an equation with bodies it is noted, for every step of the loops around it,
what its operands and results were. What a twin says is saved must be read number for number, and what is equal must be said. Which pair
is meant is told by scopes of the person's (`mark`), which no rule of ours looks at.

Only the branch that is taken is run; a loop of unknown length takes two steps.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.tracing.linearity import CALLS
from visualizer.tracing._serialize import serialize
from visualizer.tracing.autodiff._observed import forget, observing

Dict = dict[str, Any]
Values = list[Any]
Steps = tuple[int, ...]
mark = jax.named_scope


class Stepped:
    """A program that was run. `seen` has {path: {steps: (operands, results)}}."""

    def __init__(self, fun: Any, *args: Any, watched: bool = True) -> None:
        forget()
        if watched:
            with observing():
                closed = jax.make_jaxpr(fun)(*args)
        else:
            closed = jax.make_jaxpr(fun)(*args)
        made = serialize(closed)
        forget()
        self.program = made.program
        self.eqns = {eqn["id"]: eqn for jaxpr in self.program["jaxprs"].values() for eqn in jaxpr["eqns"]}
        self.seen: dict[str, dict[Steps, tuple[Values, Values]]] = defaultdict(dict)
        self.marks: dict[str, tuple[str, ...]] = {}
        self._ids = made.eqn_of
        self._steps: Steps = ()
        self._run(closed.jaxpr, closed.consts, jax.tree.leaves(args), "", ())

    def eqn(self, path: str) -> Dict:
        """The equation of an instance."""
        found: Dict = self.eqns[path.rsplit("/", 1)[-1].split(":")[0]]
        return found

    def pairs(self, primitive: str = "scan") -> list[tuple[str, str]]:
        """Where the two of each twin stand, by the scopes around them."""
        twins = [twin for twin in self.program["twins"] if self.eqn(twin["backward"])["primitive"] == primitive]
        return [("/".join(self.marks[twin["forward"]]), "/".join(self.marks[twin["backward"]])) for twin in twins]

    def wrong_links(self) -> list[str]:
        """What twins say is saved and is not, and what is saved and no twin says."""
        found = []
        for twin in self.program["twins"]:
            saver, back = twin["recomputed"] or twin["forward"], twin["backward"]
            links = {(link["result"], link["operand"]) for link in twin["residuals"]}
            steps = self.seen[saver].keys() & self.seen[back].keys()
            if not steps:
                continue
            results, operands = (len(next(iter(self.seen[path].values()))[side]) for path, side in ((saver, 1), (back, 0)))
            equal = {(i, k) for i in range(results) for k in range(operands) if self._equal(saver, i, back, k, steps)}
            found += [f"{saver} {i} is not {back} {k}" for i, k in links - equal]
            said = {k for _, k in links}
            found += [f"{saver} {i} is {back} {k}" for i, k in equal if k not in said and self._tells(back, k)]
        return found

    def _equal(self, saver: str, result: int, back: str, operand: int, steps: Any) -> bool:
        pairs = ((self.seen[saver][at][1][result], self.seen[back][at][0][operand]) for at in steps)
        return all(a.shape == b.shape and a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)

    def _tells(self, path: str, operand: int) -> bool:
        """Whether its numbers are such that no others are equal to them by chance."""
        numbers = np.concatenate([np.ravel(np.asarray(operands[operand], float)) for operands, _ in self.seen[path].values()])
        return len(np.unique(numbers)) > 2

    # ------------------------------------------------------------------ running
    def _run(self, jaxpr: Any, consts: Any, args: Values, prefix: str, around: tuple[str, ...]) -> Values:
        env: dict[Any, Any] = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*consts, *args), strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, jax.extend.core.Literal) else env[atom]

        for eqn in jaxpr.eqns:
            path, taken = prefix + self._ids[id(eqn)], [read(atom) for atom in eqn.invars]
            scopes = (*around, *(entry["name"] for entry in self.eqn(path)["stack"] if entry["name"].startswith("at_")))
            given = self._eqn(eqn, taken, path, scopes)
            if self.eqn(path)["nested"]:
                self.seen[path][self._steps] = [jnp.asarray(x) for x in taken], [jnp.asarray(x) for x in given]
                self.marks[path] = tuple(dict.fromkeys(scopes))
            env.update(zip(eqn.outvars, given, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def _inside(self, body: Any, args: Values, path: str, number: int, around: tuple[str, ...]) -> Values:
        calls = self.eqn(path)["nested"]
        again = calls[number]["jaxpr"] in [call["jaxpr"] for call in calls[:number]]
        prefix = f"{path}:{number}/" if again else f"{path}/"
        return self._run(getattr(body, "jaxpr", body), getattr(body, "consts", ()), args, prefix, around)

    def _eqn(self, eqn: Any, taken: Values, path: str, around: tuple[str, ...]) -> Values:
        name, params = eqn.primitive.name, eqn.params
        if name in CALLS:
            return self._inside(params[CALLS[name]], taken, path, 0, around)
        if name == "cond":
            number = int(np.clip(int(taken[0]), 0, len(params["branches"]) - 1))
            return self._inside(params["branches"][number], taken[1:], path, number, around)
        if name == "scan":
            return self._scan(params, taken, path, around)
        if name == "while":
            carry = taken[params["cond_nconsts"] + params["body_nconsts"] :]
            for _ in range(2):
                consts = taken[params["cond_nconsts"] :][: params["body_nconsts"]]
                carry = self._inside(params["body_jaxpr"], [*consts, *carry], path, 1, around)
            return carry
        out = eqn.primitive.bind(*taken, **eqn.primitive.get_bind_params(params))
        return list(out) if eqn.primitive.multiple_results else [out]

    def _scan(self, params: Dict, taken: Values, path: str, around: tuple[str, ...]) -> Values:
        first, length = params["num_consts"], params["length"]
        xs = first + params["num_carry"]
        carry, rows = taken[first:xs], [taken[:0]] * length
        before = self._steps
        for step in reversed(range(length)) if params["reverse"] else range(length):
            self._steps = (*before, step)
            given = self._inside(params["jaxpr"], [*taken[:first], *carry, *(x[step] for x in taken[xs:])], path, 0, around)
            carry, rows[step] = given[: xs - first], given[xs - first :]
        self._steps = before
        return [*carry, *(jnp.stack(column) for column in zip(*rows, strict=True))]
