"""The corpus, lowered: every case whose truth holds a StableHLO module gives that module, all of it linked."""

from __future__ import annotations

import ast
import collections
import contextlib
import io
import json
import os
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import pytest

from tests.tracing.lowered import Dict, Lowering
from tests.tracing.mlir.test_derived_roles import check_derived
from tests.tracing.mlir.test_text import check_places
from visualizer.model import ProgramPatch
from visualizer.tracing import compat

SHARED = Path(os.environ.get("JAXPR_VISUALIZER_SHARED", Path(__file__).parents[4] / "shared"))
# What an entry cannot be taken from here: it needs devices that are set before JAX starts.
ELSEWHERE = {"060_sharding_constraint_explicit"}


def cases() -> Iterator[Any]:
    for path in sorted(SHARED.glob("cases/*/expect.json")):
        expect = json.loads(path.read_text("utf-8"))
        if expect["needs"] or expect["id"] in ELSEWHERE or not expect["truth"].get("stablehlo", {}).get("ok"):
            continue
        with contextlib.suppress(SyntaxError):  # notebooks, prompts and the like are cleaned elsewhere
            yield pytest.param(expect, ast.parse((path.parent / "program.py").read_text("utf-8")), id=expect["id"])


@pytest.fixture(autouse=True)
def configuration(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A paste may read the command line and change JAX's configuration."""
    monkeypatch.setattr("sys.argv", ["<paste>"])
    x64 = jax.config.jax_enable_x64
    yield
    jax.config.update("jax_enable_x64", x64)


def namespace(tree: ast.Module) -> Dict:
    """The names of a paste. Bare calls of its own functions are left out (one of them never ends); what fails ends it."""
    main = types.ModuleType("__main__")
    own = {"print", *(statement.name for statement in tree.body if isinstance(statement, ast.FunctionDef))}
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(Exception):
        for statement in tree.body:
            if not isinstance(statement, ast.Expr) or ast.unparse(statement).partition("(")[0] not in own:
                exec(compile(ast.Module([statement], []), "<paste>", "exec"), main.__dict__)
    return main.__dict__


@pytest.mark.corpus
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("expect", "tree"), list(cases()))
def test_the_module_of_a_case(expect: Dict, tree: ast.Module, monkeypatch: pytest.MonkeyPatch):
    space = namespace(tree)
    fun, args, kwargs = (eval(expect["entry"][part], space) for part in ("fun", "args", "kwargs"))
    with monkeypatch.context() as patch:
        patch.setattr(compat, "platform_is_enough", lambda: True)  # as in a fresh child: no device is asked for
        made = Lowering(fun, *args, **kwargs)
    assert not made.result.diagnostics and not made.result.notes
    truth, module = expect["truth"]["stablehlo"], made.module

    counts = collections.Counter(op["name"] for op in made.ops.values())
    assert {"builtin.module": 1, "func.func": len(module["functions"]), **counts} == truth["op_counts"]
    assert len(module["functions"]) == len(truth["functions"])
    for function, true in zip(module["functions"], truth["functions"], strict=True):
        types_of = [module["values"][arg]["type"] for arg in function["args"]]
        assert (function["name"], types_of, function["results"]) == (true["name"], true["args"], true["results"]) or ".." in str(true)

    plain = made.traced.lower().compiler_ir("stablehlo").operation.get_asm(large_elements_limit=64)
    assert made.text == plain  # the tags reach the locations and nothing else, and a device would have said nothing more
    check_places(made)
    check_derived(module)
    assert [name for name in unlinked(made) if not name.startswith("sdy.")] == []
    ids = list(made.ops)
    assert len(set(ids)) == len(ids)
    assert set().union(*made.links.values(), ()) <= set(ids) and set(made.links) <= set(made.eqns)
    assert (
        ProgramPatch.model_validate_json(json.dumps(made.result.patch, allow_nan=False)).model_dump(mode="json", exclude_unset=True)
        == made.result.patch
    )


def unlinked(made: Lowering) -> list[str]:
    """Operations without an equation, but for constants that belong to none: read by several (a captured array), or returned."""
    owners: dict[str, set[str]] = {}
    for eqn, ops in made.links.items():
        for op in ops:
            owners.setdefault(op, set()).add(eqn)
    readers: dict[str, set[frozenset[str]]] = {}
    for key, op in made.ops.items():
        for operand in op["operands"]:
            readers.setdefault(operand["value"], set()).add(frozenset(owners.get(key, ())))
    return [
        op["name"]
        for key, op in made.ops.items()
        if key not in owners
        and op["name"] != "func.return"
        and not (op["name"] == "stablehlo.constant" and (len(read := readers[op["results"][0]]) > 1 or frozenset() in read))
    ]
