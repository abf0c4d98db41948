"""Whether a trace is true to itself: every id it uses is there, every index is in range, nesting ends.

Promises: a trace that passes can be walked without a check: no missing key, no endless nesting. Linear in the size of the trace.
Raises BadResult. Must never: judge whether the trace is the right one for the paste; a job can always lie about that.
"""

from collections.abc import Container, Iterable

from visualizer.model import Call, Eqn, Jaxpr, LiteralAtom, Module, Program, ProgramPatch, Region, Trace, TracePatch

from ._errors import BadResult

_DEEPEST_NESTING = 200
_LARGEST = 2**53

# The eqn ids of each program, by program id: what a later patch may refer to.
Shape = dict[str, frozenset[str]]


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
        _check_levels(change, shape[program])


def _check_program(program: Program) -> frozenset[str]:
    if program.entry is not None and program.entry not in program.jaxprs:
        raise BadResult("an entry that is not there")
    eqns: set[str] = set()
    edges: dict[str, list[str]] = {}
    for key, jaxpr in program.jaxprs.items():
        if key != jaxpr.id:
            raise BadResult("a jaxpr under another id")
        edges[key] = _check_jaxpr(jaxpr, program.jaxprs, eqns)
    _check_nesting(edges)
    known = frozenset(eqns)
    for twin in program.twins:
        for path in (twin.forward, twin.backward, twin.recomputed):
            if path is not None and not all(part.partition(":")[0] in known for part in path.split("/")):
                raise BadResult("a twin that is not there")
    _check_levels(program, known)
    _check_text(program, known)
    for embedded in program.embedded:
        _all_there(embedded.eqns, known, "an equation that calls a module")
        _check_module(embedded.module)
    return known


def _check_text(program: Program, eqns: frozenset[str]) -> None:
    """What is said of the paste's text."""
    for written in program.written:
        for value in written.values:
            if value.jaxpr not in program.jaxprs or not (value.eqn is None or value.eqn in eqns):
                raise BadResult("an expression of an equation that is not there")
            _all_there(value.parts.values(), program.jaxprs[value.jaxpr].vars, "the value of an expression")


def _check_jaxpr(jaxpr: Jaxpr, jaxprs: dict[str, Jaxpr], eqns: set[str]) -> list[str]:
    known = jaxpr.vars
    _all_there((*jaxpr.constvars, *jaxpr.invars, *jaxpr.consts), known, "a binder")
    for atom in jaxpr.outvars:
        if not isinstance(atom, LiteralAtom) and atom.var not in known:
            raise BadResult("a result that is not there")
    for key, var in known.items():
        if key != var.id:
            raise BadResult("a variable under another id")
        if any(isinstance(size, int) and not -_LARGEST < size < _LARGEST for size in var.shape):
            raise BadResult("a size out of range")
    nested: list[str] = []
    for eqn in jaxpr.eqns:
        if eqn.id in eqns:
            raise BadResult("two equations with one id")
        eqns.add(eqn.id)
        _check_eqn(eqn, known)
        for call in eqn.nested:
            _check_call(call, eqn, jaxprs)
            nested.append(call.jaxpr)
    return nested


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


def _check_levels(levels: Program | ProgramPatch, eqns: frozenset[str]) -> None:
    ops = {level: _check_module(module) for level, module in levels.modules.items()}
    for level, links in levels.links.items():
        for eqn, targets in links.items():
            if eqn not in eqns:
                raise BadResult("a link from an equation that is not there")
            if level in ops:
                _all_there(targets, ops[level], "a link's op")
    for text in levels.texts.values():
        length = 2 * len(text.text)
        if any(not 0 <= start <= end <= length for start, end in text.spans.values()):
            raise BadResult("a text span out of range")


def _check_module(module: Module) -> set[str]:
    ops: set[str] = set()
    waiting: list[tuple[Region, int]] = [(function.region, 0) for function in module.functions]
    for function in module.functions:
        _all_there(function.args, module.values, "a function's argument")
    for op in module.ops:
        ops.add(op.id)
        waiting += [(inner, 1) for inner in op.regions]
    while waiting:
        region, depth = waiting.pop()
        if depth > _DEEPEST_NESTING:
            raise BadResult("regions that are nested too deep")
        for block in region.blocks:
            _all_there(block.args, module.values, "a block argument")
            for op in block.ops:
                if op.id in ops:
                    raise BadResult("two ops with one id")
                ops.add(op.id)
                _all_there((operand.value for operand in op.operands), module.values, "an op's operand")
                _all_there(op.results, module.values, "an op's result")
                waiting += [(inner, depth + 1) for inner in op.regions]
    return ops


def _all_there(names: Iterable[str], known: Container[str], what: str) -> None:
    for name in names:
        if name not in known:
            raise BadResult(f"{what} that is not there")
