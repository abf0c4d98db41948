"""Runs a program by what the wire says of it: roles and wiring alone decide what flows where.

Promises: for a program of plain equations and of scan, while, cond and calls, the values that JAX itself computes, or the wire is wrong.
An equation that nests nothing, or whose bodies see elements or refs (reducers, kernels), is JAX's own to run.
"""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
from jax import lax
from jax.extend.core import Literal

from tests.peer import walk

Dict = dict[str, Any]
Values = list[Any]
# Their results come from the results of one body, once.
CALLS = {
    "jit",
    "closed_call",
    "call",
    "remat2",
    "custom_jvp_call",
    "custom_vjp_call",
    "remat_opt",
    "custom_vmap_call",
    "composite",
    "linear_call",
    "xla_metadata_call",
}


class Evaluator:
    """Runs bodies of one program. `wire` is the program as JSON; the equations of the ClosedJaxpr lend it their primitives."""

    def __init__(self, wire: Dict) -> None:
        self._jaxprs = wire["jaxprs"]
        self.ran: set[str] = set()

    def run(self, key: str, jaxpr: Any, consts: Any, args: Values) -> Values:
        """The results of a body."""
        body = self._jaxprs[key]
        values = dict(zip((*body["constvars"], *body["invars"]), (*consts, *args), strict=True))

        def read(atom: Dict, truth: Any) -> Any:
            return truth.val if isinstance(truth, Literal) else values[atom["var"]]

        for eqn, ours in zip(jaxpr.eqns, body["eqns"], strict=True):
            taken = [read(operand["atom"], atom) for operand, atom in zip(ours["operands"], eqn.invars, strict=True)]
            values.update(zip((result["var"] for result in ours["results"]), self._eqn(eqn, ours, taken), strict=True))
        return [read(atom, truth) for atom, truth in zip(body["outvars"], jaxpr.outvars, strict=True)]

    def _eqn(self, eqn: Any, ours: Dict, taken: Values) -> Values:
        name = ours["primitive"]
        calls = list(zip(ours["nested"], walk.nested(eqn), strict=True))
        rule = {"scan": self._scan, "while": self._while, "cond": self._cond}.get(name, self._call if name in CALLS else None)
        if rule is None or not calls:
            out = eqn.primitive.bind(*taken, **eqn.primitive.get_bind_params(eqn.params))
            return list(out) if eqn.primitive.multiple_results else [out]
        self.ran.add(name)
        return rule(ours, calls, taken)

    def _inside(self, call: Dict, found: Any, given: Values) -> Values:
        return self.run(call["jaxpr"], found.jaxpr, found.consts, given)

    @staticmethod
    def _given(call: Dict, taken: Values) -> Values:
        return [taken[wire["index"]] for wire in call["inputs"]]

    @staticmethod
    def _delivered(call: Dict, outs: Values, results: Dict | None = None) -> Dict:
        found: Dict = {} if results is None else results
        for out, ends in zip(outs, call["outputs"], strict=True):
            found.update({end["index"]: out for end in ends if end["to"] == "result"})
        return found

    def _call(self, ours: Dict, calls: Any, taken: Values) -> Values:
        ((call, found),) = calls
        results = self._delivered(call, self._inside(call, found, self._given(call, taken)))
        return [results[i] for i in range(len(ours["results"]))]

    def _cond(self, ours: Dict, calls: Any, taken: Values) -> Values:
        (index,) = (value for value, operand in zip(taken, ours["operands"], strict=True) if operand["role"] == "index")

        def branch(call: Dict, found: Any) -> Any:
            results = self._delivered(call, self._inside(call, found, self._given(call, taken)))
            return [results[i] for i in range(len(ours["results"]))]

        return lax.switch(index, [lambda call=call, found=found: branch(call, found) for call, found in calls])

    def _scan(self, ours: Dict, calls: Any, taken: Values) -> Values:
        ((call, found),) = calls
        params = {param["name"]: param["text"] for param in ours["params"]}
        roles = [operand["role"] for operand in ours["operands"]]
        steps = range(ours["trips"])
        binders = self._given(call, taken)
        sliced = [roles[wire["index"]] == "xs" for wire in call["inputs"]]
        ys: dict[int, Values] = {i: [] for i, result in enumerate(ours["results"]) if result["role"] == "ys"}
        for step in reversed(steps) if params["reverse"] == "True" else steps:
            given = [value[step] if cut else value for value, cut in zip(binders, sliced, strict=True)]
            outs = self._inside(call, found, given)
            for out, ends in zip(outs, call["outputs"], strict=True):
                for end in ends:
                    if end["to"] == "next":
                        binders[end["index"]] = out
                    elif end["index"] in ys:
                        ys[end["index"]].append(out)
        results: Dict = {i: jnp.stack(rows[::-1] if params["reverse"] == "True" else rows) for i, rows in ys.items() if rows}
        for ends, var in zip(call["outputs"], found.jaxpr.outvars, strict=True):
            if not steps:
                results.update({end["index"]: jnp.zeros((0, *var.aval.shape), var.aval.dtype) for end in ends if end["to"] == "result"})
            following = [end["index"] for end in ends if end["to"] == "next"]
            results.update({end["index"]: binders[following[0]] for end in ends if following and end["to"] == "result"})
        return [results[i] for i in range(len(ours["results"]))]

    def _while(self, ours: Dict, calls: Any, taken: Values) -> Values:
        named = {call["label"]: (call, found) for call, found in calls}
        cond, body = named["cond"], named["body"]
        into = {wire["index"]: i for i, wire in enumerate(body[0]["inputs"])}  # operand -> binder of the body

        def asked(values: tuple[Any, ...]) -> Any:
            (out,) = self._inside(*cond, self._given(cond[0], list(values)))
            return out

        def step(values: tuple[Any, ...]) -> tuple[Any, ...]:
            after = list(values)
            for out, ends in zip(self._inside(*body, self._given(body[0], after)), body[0]["outputs"], strict=True):
                for end in ends:
                    if end["to"] == "next":
                        (operand,) = (i for i, binder in into.items() if binder == end["index"])
                        after[operand] = out
            return tuple(after)

        last = lax.while_loop(asked, step, tuple(jnp.asarray(value) for value in taken))
        results: Dict = {}
        for ends in body[0]["outputs"]:
            (following,) = (end["index"] for end in ends if end["to"] == "next")
            (operand,) = (i for i, binder in into.items() if binder == following)
            results.update({end["index"]: last[operand] for end in ends if end["to"] == "result"})
        return [results[i] for i in range(len(ours["results"]))]
