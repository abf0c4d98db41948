"""Whether a trace is true to itself: every id it uses is there, every index is in range, nesting ends.

Promises: a trace that passes can be walked without a check: no missing key, no endless nesting. Linear in the size of the trace.
Raises BadResult. Must never: judge whether the trace is the right one for the paste; a job can always lie about that.
"""

import re
from collections.abc import Container, Iterable
from dataclasses import dataclass, field

from visualizer.model import (
    Call,
    Eqn,
    Jaxpr,
    LevelText,
    LiteralAtom,
    Module,
    Part,
    Program,
    ProgramPatch,
    Region,
    Trace,
    TracePatch,
)
from visualizer.model.parts import numbers_of

from ._errors import BadResult
from ._integrity_rows import Templates, rows

_DEEPEST_NESTING = 200
_LARGEST = 2**53

_PATH = re.compile(r"e\d+(:\d+)?(/e\d+(:\d+)?)*")


@dataclass
class Known:
    """What is known of a program: what a later patch or part may refer to."""

    jaxprs: dict[str, Jaxpr]
    eqns: set[str] = field(default_factory=set)
    edges: dict[str, list[str]] = field(default_factory=dict)
    vars: dict[str, Container[str]] = field(default_factory=dict)
    missing: dict[str, set[str]] = field(default_factory=dict)
    """The parts that are yet to come, with the bodies they must hold."""


Shape = dict[str, Known]


def check_trace(trace: Trace) -> Shape:
    shape: Shape = {}
    for program in trace.programs:
        if program.id in shape:
            raise BadResult("two programs with one id")
        shape[program.id] = _check_program(program)
    return shape


def check_patch(patch: TracePatch, shape: Shape) -> None:
    for program, change in patch.programs.items():
        if program not in shape:
            raise BadResult("a patch for a program that is not there")
        _check_levels(change, shape[program].eqns)
        _expect(change, shape[program])


def check_part(part: Part, shape: Shape) -> None:
    """A part is one that was left out, and holds the bodies that it was said to hold, with the binders they were said to have."""
    known = shape.get(part.program)
    bodies = None if known is None else known.missing.pop(part.name, None)
    if known is None or bodies is None or bodies != set(part.jaxprs):
        raise BadResult("a part that was not left out")
    templates = Templates(part.templates)
    for key, jaxpr in part.jaxprs.items():
        head = known.jaxprs[key]
        same = all(getattr(jaxpr, ends) == getattr(head, ends) for ends in ("constvars", "invars", "outvars"))
        if key != jaxpr.id or jaxpr.left_out or not same:
            raise BadResult("a body that is another one")
        _check_jaxpr(jaxpr, known, templates)
    if part.jaxprs:
        _check_nesting(known.edges)
    _check_levels(part, known.eqns)


def _expect(said: Program | ProgramPatch, known: Known) -> None:
    for left in said.left_out:
        if left.part in known.missing or not all(name in known.jaxprs and known.jaxprs[name].left_out > 0 for name in left.jaxprs):
            raise BadResult("a part that does not fit")
        known.missing[left.part] = set(left.jaxprs)


def _check_program(program: Program) -> Known:
    if program.entry is not None and program.entry not in program.jaxprs:
        raise BadResult("an entry that is not there")
    known = Known(dict(program.jaxprs))
    templates = Templates(program.templates)
    for key, jaxpr in program.jaxprs.items():
        if key != jaxpr.id:
            raise BadResult("a jaxpr under another id")
        _check_jaxpr(jaxpr, known, templates)
    _check_nesting(known.edges)
    whole = not any(jaxpr.left_out for jaxpr in program.jaxprs.values())
    for twin in program.twins:
        for path in (twin.forward, twin.backward, twin.recomputed):
            if path is None:
                continue
            # Where bodies come later, a path may lead into one of them.
            there = all(part.partition(":")[0] in known.eqns for part in path.split("/")) if whole else _PATH.fullmatch(path)
            if not there:
                raise BadResult("a twin that is not there")
    _check_levels(program, known.eqns)
    _check_text(program, known, templates)
    _expect(program, known)
    for embedded in program.embedded:
        _all_there(embedded.eqns, known.eqns, "an equation that calls a module")
        _check_module(embedded.module)
    return known


def _check_text(program: Program, known: Known, templates: Templates) -> None:
    """What is said of the paste's text."""
    for written in program.written:
        for value in written.values:
            _check_value(value.jaxpr, value.eqn, value.parts.values(), known)
        for at, numbers in rows(templates, written.packed):
            reading = templates.evaluation(at)
            jaxpr, *eqn = templates.names(at, numbers, reading.own)
            _check_value(jaxpr, eqn[0] if eqn else None, templates.names(at, numbers, reading.uses), known)


def _check_value(jaxpr: str, eqn: str | None, parts: Iterable[str], known: Known) -> None:
    body = known.jaxprs.get(jaxpr)
    # Of a body that comes later nothing is known yet.
    if body is not None and body.left_out:
        return
    if body is None or not (eqn is None or eqn in known.eqns):
        raise BadResult("an expression of an equation that is not there")
    _all_there(parts, known.vars[jaxpr], "the value of an expression")


def _check_jaxpr(jaxpr: Jaxpr, known: Known, templates: Templates) -> None:
    if jaxpr.packed is not None and (jaxpr.eqns or jaxpr.vars or jaxpr.left_out):
        raise BadResult("a body that is there twice")
    if jaxpr.left_out and jaxpr.eqns:
        raise BadResult("a body that is left out and there")
    variables: Container[str] = jaxpr.vars if jaxpr.packed is None else _packed_vars(jaxpr, templates)
    known.vars[jaxpr.id] = variables
    _all_there((*jaxpr.constvars, *jaxpr.invars, *jaxpr.consts), variables, "a binder")
    for atom in jaxpr.outvars:
        if not isinstance(atom, LiteralAtom) and atom.var not in variables:
            raise BadResult("a result that is not there")
    for key, var in jaxpr.vars.items():
        if key != var.id:
            raise BadResult("a variable under another id")
        _check_sizes(var.shape)
    nested = known.edges[jaxpr.id] = []
    if jaxpr.packed is not None:
        _check_packed(jaxpr, known, templates, nested)
        return
    for eqn in jaxpr.eqns:
        _claim(eqn.id, known)
        _check_eqn(eqn, variables)
        for call in eqn.nested:
            _check_call(call, eqn, known.jaxprs)
            nested.append(call.jaxpr)


def _claim(eqn: str, known: Known) -> None:
    if eqn in known.eqns:
        raise BadResult("two equations with one id")
    known.eqns.add(eqn)


def _check_sizes(shape: tuple[int | str, ...]) -> None:
    if any(isinstance(size, int) and not -_LARGEST < size < _LARGEST for size in shape):
        raise BadResult("a size out of range")


def _packed_vars(jaxpr: Jaxpr, templates: Templates) -> set[str]:
    assert jaxpr.packed is not None
    found: set[str] = set()
    count = 0
    for at, numbers in rows(templates, jaxpr.packed.vars):
        reading = templates.var(at)
        _check_sizes(reading.thing.shape)
        count += 1
        found.update(templates.names(at, numbers, reading.own))
    if len(found) != count or jaxpr.packed.names.count(" ") != count - 1:
        raise BadResult("variables that are not one each")
    return found


def _check_packed(jaxpr: Jaxpr, known: Known, templates: Templates, nested: list[str]) -> None:
    assert jaxpr.packed is not None
    count = 0
    for at, numbers in rows(templates, jaxpr.packed.eqns):
        reading = templates.eqn(at)
        count += 1
        for name in templates.names(at, numbers, reading.own):
            _claim(name, known)
        _all_there(templates.names(at, numbers, reading.uses), known.vars[jaxpr.id], "an operand or result")
        if reading.thing.trips is not None and not 0 <= reading.thing.trips < _LARGEST:
            raise BadResult("a length out of range")
        if reading.thing.nested:
            eqn = templates.filled(at, numbers)
            for call in eqn.nested:
                _check_call(call, eqn, known.jaxprs)
                nested.append(call.jaxpr)
    if count != jaxpr.packed.count:
        raise BadResult("a count that is not that of the equations")


def _check_eqn(eqn: Eqn, known: Container[str]) -> None:
    for operand in eqn.operands:
        if not isinstance(operand.atom, LiteralAtom) and operand.atom.var not in known:
            raise BadResult("an operand that is not there")
    _all_there((result.var for result in eqn.results), known, "a result")
    if eqn.trips is not None and not 0 <= eqn.trips < _LARGEST:
        raise BadResult("a length out of range")


def _check_call(call: Call, eqn: Eqn, jaxprs: dict[str, Jaxpr]) -> None:
    inner = jaxprs.get(call.jaxpr)
    if inner is None:
        raise BadResult("a nested jaxpr that is not there")
    if len(call.inputs) != len(inner.invars) or len(call.outputs) != len(inner.outvars):
        raise BadResult("a call that does not fit its jaxpr")
    if len(call.consts) not in (0, len(inner.constvars)) or len(call.finals) not in (0, len(inner.invars)):
        raise BadResult("a call that does not fit its jaxpr")
    for entry in (*call.inputs, *call.consts):
        top = len(eqn.operands) if entry.from_ == "operand" else len(eqn.results) if entry.from_ == "result" else _LARGEST
        if not 0 <= entry.index < top:
            raise BadResult("a call input out of range")
    for outputs in (*call.outputs, *call.finals):
        for output in outputs:
            top = len(eqn.results) if output.to == "result" else len(inner.invars) if output.to == "next" else _LARGEST
            if not 0 <= output.index < top:
                raise BadResult("a call output out of range")


def _check_nesting(edges: dict[str, list[str]]) -> None:
    """No jaxpr contains itself, however far down, and the way down is short enough to recurse over."""
    depth: dict[str, int] = {}
    open_: set[str] = set()
    for start in edges:
        stack = [(start, iter(edges[start]))]
        if start in depth:
            continue
        open_.add(start)
        while stack:
            name, children = stack[-1]
            following = next((child for child in children if child not in depth), None)
            if following is None:
                stack.pop()
                open_.discard(name)
                depth[name] = 1 + max((depth[child] for child in edges[name]), default=0)
                if depth[name] > _DEEPEST_NESTING:
                    raise BadResult("nesting that is too deep")
            elif following in open_:
                raise BadResult("a jaxpr that contains itself")
            else:
                open_.add(following)
                stack.append((following, iter(edges[following])))


def _check_levels(levels: Program | ProgramPatch | Part, eqns: Container[str]) -> None:
    ops = {level: _check_module(module, eqns) for level, module in levels.modules.items()}
    for level, links in levels.links.items():
        for eqn, targets in links.items():
            if eqn not in eqns:
                raise BadResult("a link from an equation that is not there")
            if level in ops:
                _all_there(targets, ops[level], "a link's op")
    for text in levels.texts.values():
        _check_printed(text)


def _check_printed(text: LevelText) -> None:
    length = 2 * len(text.text)
    ranges = list(text.spans.values())
    if text.packed is not None:
        try:
            numbers = numbers_of(text.packed.rows)
        except ValueError:
            raise BadResult("spans that are no numbers") from None
        if len(numbers) % 3:
            raise BadResult("a span that is cut short")
        ranges += zip(numbers[1::3], numbers[2::3], strict=True)
    if any(not 0 <= start <= end <= length for start, end in ranges):
        raise BadResult("a text span out of range")


def _check_module(module: Module, eqns: Container[str] = ()) -> set[str]:
    ops: set[str] = set()
    values: Container[str] = module.values if module.packed is None else _packed_ops(module, ops, eqns)
    waiting: list[tuple[Region, int]] = [(function.region, 0) for function in module.functions]
    for function in module.functions:
        _all_there(function.args, values, "a function's argument")
    for op in module.ops:
        ops.add(op.id)
        waiting += [(inner, 1) for inner in op.regions]
    while waiting:
        region, depth = waiting.pop()
        if depth > _DEEPEST_NESTING:
            raise BadResult("regions that are nested too deep")
        for block in region.blocks:
            _all_there(block.args, values, "a block argument")
            for op in block.ops:
                if op.id in ops:
                    raise BadResult("two ops with one id")
                ops.add(op.id)
                _all_there((operand.value for operand in op.operands), values, "an op's operand")
                _all_there(op.results, values, "an op's result")
                waiting += [(inner, depth + 1) for inner in op.regions]
    return ops


def _packed_ops(module: Module, ops: set[str], eqns: Container[str]) -> set[str]:
    """The ids of the values; adds those of the ops."""
    packed = module.packed
    assert packed is not None
    blocks = [block for function in module.functions for block in function.region.blocks]
    if len(packed.blocks) != len(blocks) or module.values or any(block.ops for block in blocks):
        raise BadResult("ops that do not fit their blocks")
    templates = Templates(packed.templates)

    values = {name for at, numbers in rows(templates, packed.values) for name in templates.names(at, numbers, templates.value(at).own)}
    for block in packed.blocks:
        for at, numbers in rows(templates, block):
            reading = templates.op(at)
            for name in templates.names(at, numbers, reading.own):
                if name in ops:
                    raise BadResult("two ops with one id")
                ops.add(name)
            _all_there(templates.names(at, numbers, reading.uses), values, "an op's operand or result")
    for at, numbers in rows(templates, packed.links):
        reading = templates.link(at)
        _all_there(templates.names(at, numbers, reading.own), eqns, "a link's equation")
        _all_there(templates.names(at, numbers, reading.uses), ops, "a link's op")
    return values


def _all_there(names: Iterable[str], known: Container[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise BadResult(f"{what} that is not there")
