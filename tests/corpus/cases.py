"""One case of ../shared, asked for in two ways: with its entry, and as it is pasted.

A paste agrees in one of four ways, each compared as a whole: the truth is a program that is shown (`found`); it is what stands inside the
one call that is shown, or the other way round (`inside its call`); the paste calls nothing, and the function offered, traced from a
signature of the entry's types, is the truth (`by its signature`); or the paste calls a transformation of the function, which is the truth
when it is asked for by the entry, and what is shown is what JAX itself traces of that call (`called transformed`). All else is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import called, compare, inside

Json = dict[str, Any]
Post = Callable[[Json], Json]
"""From a TraceRequest to its Trace, or to what the server says is wrong."""
AGREED = ("found", "inside its call", "by its signature", "called transformed")


def with_entry(post: Post, source: str, expect: Json) -> tuple[list[str] | None, Json | None]:
    """The differences, None when the case has no entry to ask for; and the program of the entry."""
    entry, truth = expect["entry"], expect["truth"].get("trace")
    if entry["fun"] is None or truth is None:
        return None, None
    trace = post({"source": source, **entry})
    if "error" in trace:
        return [f"HTTP error {trace['error']}"], None
    if not truth["ok"]:
        return compare.failure(trace, truth), None
    program = next((p for p in trace["programs"] if p["origin"] == "entry"), None)
    if program is None:
        return ["no program for the entry: " + "; ".join(f"{d['type']}: {d['message'][:100]}" for d in trace["diagnostics"])], None
    wrong = compare.whole_program(program, truth) + compare.written(program)
    if expect["truth"].get("stablehlo", {}).get("ok"):
        wrong += compare.whole_module(program, expect["truth"]["stablehlo"])
    return wrong, program


def as_pasted(post: Post, source: str, expect: Json, asked: Json | None) -> tuple[str, list[str]]:
    """What became of the plain paste, with the reasons where it is wrong. `asked` is the program of the entry, where that agrees."""
    trace = post({"source": source})
    if "error" in trace:
        return "wrong", [f"HTTP error {trace['error']}"]
    wrong = [text for program in trace["programs"] for text in compare.written(program)]
    if wrong:
        return "wrong", wrong
    run, truth = expect["truth"]["run"], expect["truth"].get("trace")
    if not run["ok"]:
        wrong = compare.failure(trace, run)
        return ("wrong" if wrong else "failed"), wrong
    if truth is None or not truth["ok"]:
        return "ran", []
    programs = [program for program in trace["programs"] if program["entry"] is not None]
    differences = [compare.whole_program(program, truth) for program in programs]
    if [] in differences:
        return "found", []
    if any(inside.agrees(program, truth) for program in programs):
        return "inside its call", []
    if asked is not None:
        for offer in trace["offers"]:
            if offer["fun"] == expect["entry"]["fun"]:
                wrong = by_signature(post, source, offer, asked, truth)
                return ("wrong" if wrong else "by its signature"), wrong
        for program in programs:
            call = called.transformed_call(source, program, expect["entry"]["fun"])
            if call is not None:
                wrong = called.against_jax(source, program, call)
                return ("wrong" if wrong else "called transformed"), wrong
    closest = min(differences, key=len, default=[])
    found = [p["name"] for p in trace["programs"]]
    return "wrong", [f"programs {found}", *closest, *[f"{d['type']}: {d['message'][:100]}" for d in trace["diagnostics"]]]


def by_signature(post: Post, source: str, offer: Json, asked: Json, truth: Json) -> list[str]:
    """The function offered, traced as the page's signature bar asks for it: what it suggests, and where it cannot, the entry's types."""
    types = {parameter["name"]: parameter["text"] for parameter in asked["parameters"] or ()}
    signature = {arg["name"]: arg["suggestion"] or types.get(arg["name"]) for arg in offer["args"]}
    unknown = [name for name, text in signature.items() if text is None]
    if unknown:
        return [f"no type is known for {', '.join(unknown)}"]
    trace = post({"source": source, "fun": offer["fun"], "signature": signature})
    program = next((p for p in trace.get("programs", ()) if p["origin"] == "entry"), None)
    if program is None:
        return [f"nothing came of the signature {signature}: {trace.get('error') or [d['message'][:100] for d in trace['diagnostics']]}"]
    return compare.whole_program(program, truth) + compare.written(program)
