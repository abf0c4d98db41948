"""A numeric oracle for kinds, independent of how they are found.

A value that carries a cotangent is linear in what the backward pass was started with, one that carries a tangent in the tangent that came
in; a residual does not depend on either. So each seed of a program (the 1 that `grad` starts from, the basis of a Jacobian) is made an
input, the program is evaluated with that input once, doubled and zero, and every value of every equation, at every depth, is compared.

Control flow cannot hide anything: every branch is evaluated, and a loop of unknown length takes two steps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax._src import api as _api
from jax._src.lax import lax as _lax

from visualizer.tracing._serialize import SerializedProgram, serialize
from visualizer.tracing.autodiff._observed import forget, observing

SEEDS = 8
CALLS = {
    "jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr", "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr", "checkpoint": "jaxpr", "remat2": "jaxpr", "remat": "jaxpr", "custom_vmap_call": "call",
    "linear_call": "callee", "remat_opt": "fwd_jaxpr",
}  # fmt: skip
Dict = dict[str, Any]
Values = dict[str, list[tuple[list[Any], list[Any]]]]


@contextmanager
def seeding(seeds: Any) -> Iterator[None]:
    """What `grad`, the Jacobians, `jvp`, and what `vjp` and `linearize` give start from is scaled by `seeds[k]`, the k-th by the k-th."""
    one, basis, jvp, vjp, linearize = _lax._one_vjp, _api._std_basis, jax.jvp, jax.vjp, jax.linearize
    taken = iter(range(SEEDS))

    def scaled(tree: Any) -> Any:
        """All that one differentiation starts from, by one seed."""
        seed = seeds[next(taken, SEEDS - 1)]
        return jax.tree.map(
            lambda x: jnp.asarray(x) * seed.astype(jnp.result_type(x)) if jnp.issubdtype(jnp.result_type(x), jnp.inexact) else x, tree
        )

    def vjp_scaled(fun: Any, *primals: Any, **options: Any) -> Any:
        out, back, *rest = vjp(fun, *primals, **options)
        return (out, lambda ct: back(scaled(ct)), *rest)

    def linearize_scaled(fun: Any, *primals: Any, **options: Any) -> Any:
        out, push, *rest = linearize(fun, *primals, **options)
        return (out, lambda *tangents: push(*scaled(tangents)), *rest)

    _lax._one_vjp = lambda ans: scaled(one(ans))
    _api._std_basis = lambda tree: scaled(basis(tree))
    jax.jvp = lambda fun, primals, tangents, **options: jvp(fun, primals, scaled(tangents), **options)
    jax.vjp, jax.linearize = vjp_scaled, linearize_scaled
    try:
        yield
    finally:
        _lax._one_vjp, _api._std_basis, jax.jvp, jax.vjp, jax.linearize = one, basis, jvp, vjp, linearize


def seeded_jaxpr(fun: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    """The closed jaxpr of `fun` with its seeds as the first input."""

    def run(seeds: Any, *args: Any) -> Any:
        with seeding(seeds):
            return fun(*args)

    jax.clear_caches()  # a body that was differentiated before would come with the seed it had then
    return jax.make_jaxpr(run)(jnp.ones(SEEDS), *args)


class _Recorder:
    def __init__(self, ids: dict[int, str]) -> None:
        self._ids = ids
        self.seen: Values = defaultdict(list)

    def run(self, jaxpr: Any, consts: Any, args: Any) -> list[Any]:
        env: dict[Any, Any] = dict(zip((*jaxpr.constvars, *jaxpr.invars), (*consts, *args), strict=True))

        def read(atom: Any) -> Any:
            return atom.val if isinstance(atom, jax.extend.core.Literal) else env[atom]

        for eqn in jaxpr.eqns:
            ins = [read(atom) for atom in eqn.invars]
            outs = self.eqn(eqn, ins)
            self.seen[self._ids[id(eqn)]].append(([_number(x) for x in ins], [_number(x) for x in outs]))
            env.update(zip(eqn.outvars, outs, strict=True))
        return [read(atom) for atom in jaxpr.outvars]

    def closed(self, jaxpr: Any, args: Any) -> list[Any]:
        return self.run(getattr(jaxpr, "jaxpr", jaxpr), getattr(jaxpr, "consts", ()), args)

    def eqn(self, eqn: Any, ins: list[Any]) -> list[Any]:
        name, params = eqn.primitive.name, eqn.params
        if name in CALLS:
            return self.closed(params[CALLS[name]], ins)
        rule = getattr(self, f"_{name}", None)
        if rule is not None:
            return list(rule(ins, **params))
        outs = eqn.primitive.bind(*ins, **eqn.primitive.get_bind_params(params))
        return list(outs) if eqn.primitive.multiple_results else [outs]

    def _scan(self, ins: list[Any], *, jaxpr: Any, length: int, reverse: bool, num_consts: int, num_carry: int, **_: Any) -> list[Any]:
        consts, carry, xs = ins[:num_consts], ins[num_consts : num_consts + num_carry], ins[num_consts + num_carry :]
        rows: list[Any] = [None] * length
        for i in reversed(range(length)) if reverse else range(length):
            out = self.closed(jaxpr, [*consts, *carry, *(x[i] for x in xs)])
            carry, rows[i] = out[:num_carry], out[num_carry:]
        return [*carry, *(jnp.stack(column) for column in zip(*rows, strict=True))]

    def _while(self, ins: list[Any], *, cond_jaxpr: Any, body_jaxpr: Any, cond_nconsts: int, body_nconsts: int) -> list[Any]:
        carry = ins[cond_nconsts + body_nconsts :]
        for _ in range(2):
            self.closed(cond_jaxpr, [*ins[:cond_nconsts], *carry])
            carry = self.closed(body_jaxpr, [*ins[cond_nconsts : cond_nconsts + body_nconsts], *carry])
        return carry

    def _cond(self, ins: list[Any], *, branches: Any, **_: Any) -> list[Any]:
        index = jnp.clip(jnp.asarray(ins[0]).astype(int), 0, len(branches) - 1)
        outs = [self.closed(branch, ins[1:]) for branch in branches]
        found = outs[0]
        for number, other in enumerate(outs[1:], 1):
            found = [jnp.where(index == number, b, a) for a, b in zip(found, other, strict=True)]
        return found


def _number(x: Any) -> Any:
    x = jnp.asarray(x) if not jnp.issubdtype(getattr(x, "dtype", np.dtype(float)), jax.dtypes.prng_key) else jnp.zeros(())
    return x if jnp.issubdtype(x.dtype, jnp.inexact) else jnp.zeros(())


class Judged:
    """A program whose every value has been measured against its seeds."""

    def __init__(self, fun: Callable[..., Any], args: tuple[Any, ...]) -> None:
        forget()
        with observing():
            closed = seeded_jaxpr(fun, args)
        self.serialized: SerializedProgram = serialize(closed)
        self.watched: Dict = self.serialized.program
        forget()
        self.unwatched: Dict = serialize(closed).program
        self.program = self.watched
        base = 1 + np.arange(SEEDS) / 8
        rows = [base] + [np.where(np.arange(SEEDS) == k, factor * base, base) for k in range(SEEDS) for factor in (2, 0)]
        seeds, *rest = closed.in_avals
        del seeds, rest

        def measure(seeds: Any) -> Values:
            recorder = _Recorder(self.serialized.eqn_of)
            recorder.run(closed.jaxpr, closed.consts, [seeds, *jax.tree.leaves(args)])
            return dict(recorder.seen)

        rows_ = jnp.asarray(np.array(rows), jnp.float32)
        quickly = {"xla_backend_optimization_level": 0, "xla_llvm_disable_expensive_passes": True}
        self.values = jax.tree.map(np.asarray, jax.jit(jax.vmap(measure), compiler_options=quickly)(rows_))

    def as_if(self, *, watched: bool) -> Judged:
        """The same numbers, judged by the kinds of a program that was, or was not, watched while it was traced."""
        other = copy(self)
        other.program = self.watched if watched else self.unwatched
        return other

    def ends(self) -> Iterator[tuple[str, dict[str, Any], set[int], set[int]]]:
        """Every operand and result of floating point: where it is, its wire dict, the seeds it is linear in, those it depends on."""
        for jaxpr in self.program["jaxprs"].values():
            for eqn in jaxpr["eqns"]:
                for side, ends in enumerate((eqn["operands"], eqn["results"])):
                    for index, end in enumerate(ends):
                        seen = [values[side][index] for values in self.values.get(eqn["id"], ())]
                        if seen:
                            linear = set.intersection(*(_linear(value) for value in seen))
                            depends = set.union(*(_depends(value) for value in seen))
                            yield f"{eqn['id']} {eqn['primitive']} {'operand' if side == 0 else 'result'} {index}", end, linear, depends

    def wrong_links(self) -> list[str]:
        """Residuals of twins that the numbers deny, and those that they show and no twin names; of scans that ran once.

        A residual is a result of the forward side that is an operand of the backward side, number for number.
        """
        found = []
        for twin in self.program["twins"]:
            forward, backward = (self._runs(twin[side]) for side in ("recomputed" if twin["recomputed"] else "forward", "backward"))
            if forward is None or backward is None:
                continue
            links: dict[int, set[int]] = defaultdict(set)
            for link in twin["residuals"]:
                links[link["operand"]].add(link["result"])
            for k, operand in enumerate(backward[0]):
                equal = {i for i, result in enumerate(forward[1]) if _same(result, operand)}
                if operand.size > len(operand) and (len(links[k]) != min(len(equal), 1) or not links[k] <= equal):
                    found.append(f"{twin['backward']} operand {k}: {links[k]}, by the numbers {equal}")
        return found

    def _runs(self, path: str) -> tuple[list[Any], list[Any]] | None:
        name = path.rsplit("/", 1)[-1].split(":")[0]
        runs = self.values.get(name, [])
        primitives = {eqn["id"]: eqn["primitive"] for jaxpr in self.program["jaxprs"].values() for eqn in jaxpr["eqns"]}
        return runs[0] if len(runs) == 1 and primitives[name] == "scan" else None

    def wrong(self) -> list[str]:
        """Cotangents and tangents that are not linear in any seed."""
        kinds = ("cotangent", "tangent")
        return [f"{where}: {end['kind']}" for where, end, linear, _ in self.ends() if end["kind"] in kinds and not linear]

    def dependent_residuals(self) -> list[str]:
        """Residuals that depend on a seed: none in a program that is differentiated once."""
        return [where for where, end, _, depends in self.ends() if end["kind"] == "residual" and depends]

    def unmarked(self) -> list[str]:
        """What is linear in a seed, depends on it, and has no kind."""
        return [where for where, end, linear, depends in self.ends() if end["kind"] is None and linear & depends]


def _same(a: Any, b: Any) -> bool:
    return a.shape == b.shape and np.array_equal(a, b) and bool(np.ptp(b) > 0)


def _scale(values: Any) -> float:
    return float(np.max(np.abs(values), initial=0)) or 1.0


def _linear(values: Any) -> set[int]:
    if not np.all(np.isfinite(values)):
        return set(range(SEEDS))
    base, close = values[0], 2e-3 * _scale(values)
    return {
        k
        for k in range(SEEDS)
        if np.all(np.abs(values[1 + 2 * k] - 2 * base) <= close) and np.all(np.abs(values[2 + 2 * k]) <= close * 1e-2)
    }


def _depends(values: Any) -> set[int]:
    if not np.all(np.isfinite(values)):
        return set()
    base, close = values[0], 1e-4 * _scale(values)
    return {k for k in range(SEEDS) if np.any(np.abs(values[1 + 2 * k] - base) > close)}
