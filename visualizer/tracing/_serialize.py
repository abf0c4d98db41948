"""A traced program as plain data: every jaxpr, equation, operand and body.

Promises: the dict has exactly the shape of `model.Program` (a test holds the two equal); every equation of every nested jaxpr is
there once, a body that several equations share appears once; ids are stable: the same program gives the same ids.
Must never: change the program, run any of it, or fail on a stranger's objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .autodiff._autodiff import explain
from .autodiff._branches import name_branches
from .autodiff._linear_flags import take_flags
from .autodiff._observed import notes_on
from .autodiff._origins import Laid, Origins
from .compat import printer, without_colour
from .eqns._custom_rules import custom_rules
from .eqns._garbage import no_collection
from .eqns._params import clamp
from .eqns._printing import hoisted_ids
from .eqns._text import PrintedProgram, print_program
from .eqns._walk import Walk, ids_of
from .mlir._embedded import embedded_modules
from .names._names import label_vars
from .source._spans import Source
from .source._targets import targets_of

Dict = dict[str, Any]


@dataclass
class SerializedProgram:
    """A program-shaped dict and the way back to JAX's objects. Keeps the jaxpr alive, so the ids of its objects stay theirs."""

    program: Dict
    closed: Any
    bodies: list[tuple[Any, Dict]]
    """Each Jaxpr with what it is in the program."""

    @cached_property
    def eqn_of(self) -> dict[int, str]:
        """id(JaxprEqn) -> our id of the equation."""
        return ids_of(self.bodies)


def serialize(
    closed: Any,
    *,
    name: str = "main",
    origin: str = "make_jaxpr",
    program_id: str = "p0",
    span: Dict | None = None,
    source: Source | None = None,
    namespace: Dict | None = None,
    function: Any = None,
    args: tuple[Any, ...] = (),
    text: bool = True,
) -> SerializedProgram:
    """Serialise a ClosedJaxpr. `source` gives spans and the person's own names; without it spans are null. `namespace`, that of the paste
    after it ran, and `function`, which was traced with `args`, give names to the arrays that the program closed over.

    `text=False` leaves out the printed jaxpr (benchmarks): variables then get letters in the order of the walk.
    """
    walk = Walk(source)
    with no_collection(), without_colour():
        entry = walk.run(closed)
        printed = print_program(closed, walk) if text else PrintedProgram({}, None, [])
        walk.name_vars(printed.letters)
        bodies = [(body.id, body.jaxpr, body.atoms) for body in walk.bodies]
        walk.printing.finish(bodies)
        jaxprs = {body.id: body.wire for body in walk.bodies}
        notes = notes_on((body.jaxpr, body.atoms) for body in walk.bodies)
        origins = Origins(jaxprs, {body.id: Laid(body.rows, body.calls, body.frame) for body in walk.bodies})
        name_branches(origins)
        twins = explain(origins, entry, walk.instruction, walk.has_transform("transpose"), notes)
        take_flags((body.jaxpr.eqns, body.wire["eqns"]) for body in walk.bodies)
        written = label_vars(walk, source, namespace, span if origin == "call" else None, function, args)
    program: Dict = {
        "id": program_id,
        "name": clamp(name),
        "origin": origin,
        "count": 1,
        "span": span,
        "entry": entry,
        "jaxprs": jaxprs,
        "twins": twins,
        "texts": {"jaxpr": printed.text} if printed.text else {},
        "modules": {},
        "links": {},
        "parameters": None,
        "made_from": None,
        "hoisted": hoisted_ids(printed.hoisted, bodies),
        "embedded": embedded_modules(walk.exported),
        "calls": walk.spans.calls,
        "loops": walk.spans.loops(targets_of(source.text).loops) if source is not None else [],
        "written": written,
        "printer": printer(bool(printed.text)),
        "rules": custom_rules(walk.calling.items(), source),
    }
    return SerializedProgram(program, closed, [(body.jaxpr, body.wire) for body in walk.bodies])
