"""Judges the tracing of the JAX that runs this: `python -m tests.versions.judge --seeds 20 --cases FOLDER [--only a,b]`, as JSON on stdout.

JAX itself is the oracle, without anything of ours: each program is traced and lowered by plain JAX in a process of its own, and what a
paste of it gives must be that program, with the same operations, or the error that plain JAX ends with. It runs under every
version that tracing knows, so nothing here may be newer.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import signal
import sys
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

import jax

Dict = dict[str, Any]
SECONDS = 60
_ADDRESS = re.compile(r"(?<= at 0x)[0-9a-fA-F]+")
_OPERATION = re.compile(r'(?:^|= )"?((?:stablehlo|chlo|mhlo)\.[a-z_A-Z0-9.]+)')


def masked(text: str) -> str:
    """A printed jaxpr without the addresses that JAX before 0.10 printed."""
    return _ADDRESS.sub(lambda found: "X" * len(found.group()), text)


def apart(work: Any) -> Dict:
    """What `work()` answers in a child of its own: a paste may change or end the process it runs in."""
    readable, writable = os.pipe()
    pid = os.fork()
    if pid == 0:
        signal.alarm(SECONDS)
        try:
            answer = work()
        except BaseException as error:
            answer = {"raised": type(error).__name__, "message": str(error)[:300], "where": traceback.format_exc()[-1500:]}
        with os.fdopen(writable, "w") as out:
            json.dump(answer, out)
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable) as answers:
        text = answers.read()
    os.waitpid(pid, 0)
    return json.loads(text) if text else {"raised": "Ended", "message": f"no answer within {SECONDS} s, or the process was ended"}


def plainly(source: str, entry: Dict) -> Dict:
    """What JAX alone makes of a program: the printed jaxpr and the operations it lowers to, or the error."""
    module = type(sys)("__main__")
    sys.modules["__main__"] = module
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(source, "<paste>", "exec"), module.__dict__)
        fun, args, kwargs = (eval(entry[key], module.__dict__) for key in ("fun", "args", "kwargs"))
        closed = jax.make_jaxpr(fun)(*args, **kwargs)
    found: Dict = {"text": masked(str(closed)), "operations": None}
    with contextlib.suppress(Exception):
        found["operations"] = operations(jax.jit(fun).lower(*args, **kwargs).as_text())
    return found


def operations(text: str) -> Dict:
    """How often each operation stands in the text of a module."""
    return dict(Counter(found[1] for line in text.splitlines() if (found := _OPERATION.search(line.strip()))))


def pasted(source: str, entry: Dict) -> Dict:
    """What ours makes of the same program."""
    from visualizer.model import Program
    from visualizer.text import jaxpr_text
    from visualizer.tracing._source import trace_source

    trace = trace_source(source, levels=["jaxpr", "stablehlo"], **entry)
    programs = []
    for wire in trace["programs"]:
        program = Program.model_validate(json.loads(json.dumps(wire)))
        text = program.texts["jaxpr"].text if "jaxpr" in program.texts else None
        programs.append({
            "name": program.name,
            "text": text,
            "back": None if text is None else jaxpr_text(program).split() == text.split(),
            "operations": operations(program.texts["stablehlo"].text) if "stablehlo" in program.texts else None,
            "links": len(program.links.get("stablehlo", {})),
            "eqns": sum(len(jaxpr.eqns) for jaxpr in program.jaxprs.values()),
        })  # fmt: skip
    return {"jax": trace["jax"], "programs": programs, "diagnostics": trace["diagnostics"]}


def case(source: str, entry: Dict) -> list[str]:
    """Everything in which ours says other than plain JAX of the same version."""
    plain, ours = apart(lambda: plainly(source, entry)), apart(lambda: pasted(source, entry))
    if plain.get("raised") == ours.get("raised") == "Ended":
        return []  # a loop without an end: the sandbox has the limits
    if "raised" in ours:
        return [f"ours raised {ours['raised']}: {ours.get('where', ours['message'])}"]
    wrong = [f"{found['name']}: the text written back is not the text printed" for found in ours["programs"] if found["back"] is False]
    broken = [found for found in ours["diagnostics"] if found["code"] in ("internal", "bad-result")]
    wrong += [f"{found['code']}: {found['message']}" for found in broken]
    if "raised" in plain:
        told = [str(found["type"]).rpartition(".")[2] for found in ours["diagnostics"]]
        if plain["raised"] not in told and not (plain["raised"] == "Ended" or ours["programs"]):
            wrong.append(f"plain JAX ends with {plain['raised']} ({plain['message']}), ours tells {told}")
        return wrong
    same = next((found for found in ours["programs"] if found["text"] == plain["text"]), None)
    if same is None:
        told = [f"{found['code']}: {found['message'][:200]}" for found in ours["diagnostics"]]
        return [*wrong, f"none of {len(ours['programs'])} programs is the one plain JAX prints ({plain['text'][:80]!r}...); told {told}"]
    if plain["operations"] is not None and same["operations"] is None:
        wrong.append(f"plain JAX lowers it, ours tells {[found['message'][:200] for found in ours['diagnostics']]}")
    elif plain["operations"] is not None and plain["operations"] != same["operations"]:
        wrong.append(f"operations {same['operations']}, plain JAX lowers to {plain['operations']}")
    if same["operations"] and same["eqns"] > 2 and not same["links"]:
        wrong.append("no equation is linked to an operation")
    return wrong


def generated(seed: int) -> list[str]:
    """A random program, object by object against JAX's own, and written back."""
    from tests.generated import seeded
    from tests.peer.check import check_program
    from visualizer.tracing import serialize

    program = seeded(seed)
    closed = jax.make_jaxpr(program.fun)(*program.args)
    return [*check_program(closed, serialize(closed), printed=masked(str(closed))), *flags(closed, serialize(closed))]


def flags(closed: Any, program: Any) -> list[str]:
    """Whether `linear` is what JAX's own params say, where they do."""
    wrong: list[str] = []
    todo = [(closed.jaxpr, program.entry)]
    while todo:
        jaxpr, key = todo.pop()
        for theirs, ours in zip(jaxpr.eqns, program.jaxprs[key].eqns):
            if theirs.primitive.name == "scan":
                todo.append((theirs.params["jaxpr"].jaxpr, ours.nested[0].jaxpr))
                said = theirs.params.get("linear")
                found = [operand.linear and (operand.linear.value, operand.linear.derived) for operand in ours.operands]
                if said is not None and found != [(flag, False) for flag in said]:
                    wrong.append(f"{ours.id}: linear {found}, JAX says {said}")
    return wrong


def main() -> None:
    """Judge, and print {name: what is wrong}."""
    options = argparse.ArgumentParser()
    options.add_argument("--seeds", type=int, default=0)
    options.add_argument("--cases", type=Path)
    options.add_argument("--only", default="")
    options.add_argument("--examples", type=Path)
    asked = options.parse_args()
    found: dict[str, list[str]] = {}
    for seed in range(asked.seeds):
        try:
            found[f"seed {seed}"] = generated(seed)
        except Exception:
            found[f"seed {seed}"] = [traceback.format_exc()[-1500:]]
    only = set(filter(None, asked.only.split(",")))
    for path in sorted(asked.cases.glob("*/expect.json")) if asked.cases else ():
        told = json.loads(path.read_text())
        if told["entry"] and isinstance(told["entry"]["fun"], str) and not told["needs"] and (not only or path.parent.name[:3] in only):
            found[path.parent.name] = case((path.parent / "program.py").read_text(), told["entry"])
    json.dump({"jax": jax.__version__, "judged": found}, sys.stdout)


if __name__ == "__main__":
    main()
