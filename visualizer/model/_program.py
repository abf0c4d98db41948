"""A traced program: jaxprs with the role of every operand, and the wiring of every nested body.

Ids are unique within one Program across all of its jaxprs (`j0`, `e12`, `v5`). An *instance* of an equation is a path
`e3/e7`: the enclosing equations, outermost first, then the equation. When one equation nests the same jaxpr twice the segment of
the second and later calls carries the call's index, `e3:1/e7`.
"""

from typing import Literal

from pydantic import Field

from ._base import Wire
from ._module import Module
from ._source import Span
from ._transform import Parameter, Transform

Origin = Literal["make_jaxpr", "trace", "lower", "export", "call", "expression", "entry", "module"]
Role = Literal["const", "carry", "xs", "ys", "cond_const", "body_const", "index", "operand", "result", "arg"]
Kind = Literal["residual", "cotangent", "tangent"]


class VarAtom(Wire):
    """An operand that is a variable, by its id."""

    var: str


class LiteralAtom(Wire):
    """An operand that is a literal: its value as JAX prints it, and its aval (`f32[]`)."""

    literal: str
    aval: str


Atom = VarAtom | LiteralAtom


class Linear(Wire):
    """Whether an operand enters linearly. `derived` is true when the value comes from our analysis, false when JAX prints it."""

    value: bool
    derived: bool


class Var(Wire):
    """A variable. `name` is JAX's own letter, `label` the person's own name for it (`batch['x']`) where one is known."""

    id: str
    name: str
    aval: str
    shape: tuple[int | str, ...]
    dtype: str
    weak_type: bool
    label: str | None


class Const(Wire):
    """The value behind a constvar: its text when it is short, and its size in bytes."""

    text: str | None
    bytes: int


class Param(Wire):
    """One param of an equation as JAX prints it; of a nested jaxpr the text is its id."""

    name: str
    text: str


class Operand(Wire):
    """One invar of an equation with its role (from the primitive) and kind (from autodiff)."""

    atom: Atom
    role: Role
    kind: Kind | None
    linear: Linear | None


class Result(Wire):
    """One outvar of an equation; `used` is false when nothing reads it."""

    var: str
    aval: str
    used: bool
    role: Role
    kind: Kind | None


class CallInput(Wire):
    """Where an inner invar comes from: operand `index` of the equation, a `result` (a ref it writes), or the primitive itself."""

    from_: Literal["operand", "result", "grid", "scratch", "inner"] = Field(alias="from")
    index: int


class CallOutput(Wire):
    """Where an inner outvar goes: a `result` of the equation, the carry of the `next` step, or the `predicate` of a while.

    `index` is that of the result; for `next`, of the invar of the same body that reads the value in the next step; for `predicate`, 0.
    """

    to: Literal["result", "next", "predicate"]
    index: int


class Call(Wire):
    """One nested jaxpr of an equation, and its wiring: one input per inner invar, one list of outputs per inner outvar.

    `consts` is one input per inner constvar where the equation gives those (what a kernel closes over), else empty. `finals` is one list
    per inner invar where what a ref holds at the end is a result of the equation, else empty.
    """

    param: str
    label: str
    jaxpr: str
    inputs: tuple[CallInput, ...]
    outputs: tuple[tuple[CallOutput, ...], ...]
    consts: tuple[CallInput, ...] = ()
    finals: tuple[tuple[CallOutput, ...], ...] = ()


class TextPiece(Wire):
    """A piece of what JAX prints that stands for nothing else on the wire."""

    text: str


class Hoisted(Wire):
    """A jaxpr that JAX prints ahead of the program (`let f = ... in`); elsewhere it stands by its name, which need not be the only one so.

    `jaxprs` are its ids: more than one where it is used with different constants.
    """

    name: str
    jaxprs: tuple[str, ...]


class Lettering(Wire):
    """The names of one printing: {variable id: letter}, and what stands ahead of the rest, in order."""

    letters: dict[str, str]
    hoisted: tuple[Hoisted, ...]


class JaxprPiece(Wire):
    """A nested jaxpr where JAX prints it. `alone` is null when it is printed with the program; else it has letters of its own."""

    jaxpr: str
    alone: Lettering | None


Piece = TextPiece | VarAtom | JaxprPiece


class PrintedParam(Wire):
    """A param as JAX prints it; `pieces` is null when it prints just what `params` and `nested` of the equation say."""

    name: str
    pieces: tuple[Piece, ...] | None


class Printed(Wire):
    """How JAX prints an equation that has a printing rule of its own. One of the two is null.

    `params`: as it prints every equation, but with these params, in this order. `pieces`: wholly its own way (`a:f32[] <- x[0]`).
    """

    params: tuple[PrintedParam, ...] | None
    pieces: tuple[Piece, ...] | None


class Printer(Wire):
    """In what the printer of an older JAX differs from that of the newest.

    `typed_literals`: whether literals have their types (from 0.7). `named_first`: whether a jaxpr that is printed ahead stands by its name
    before that, too (from 0.10); else it is printed once more there.
    """

    typed_literals: bool
    named_first: bool


class StackEntry(Wire):
    """One entry of the name stack: a `scope` of the person's, or a `transform` of JAX (`jvp`, `transpose`, `vmap`)."""

    kind: Literal["scope", "transform"]
    name: str


class CodeCall(Wire):
    """One call of a Python function that equations were traced in: its name as Python says it (`Block.__call__`), which call it was made
    from (an index, always smaller; null for the outermost), and where in the paste.

    With `library` it is no function of the person's but the one of a library that they called there (`softmax`). With `handed` the person's
    function was handed to a library, which may have called it more than once (`tree.map`).
    """

    function: str
    caller: int | None
    span: Span | None
    library: bool = False
    handed: bool = False


class Eqn(Wire):
    """One equation. `trips` is how often its bodies run per call where JAX knows it (the length of a scan), else null.

    `effects` are as JAX prints them, with our ids for variables: `Write<v3:Ref{f32[4]}>`.

    `printed` is null where JAX prints `results = primitive[every param, by name] operands`. `call` is the innermost of the program's
    `calls` that it was traced in, null where that is not known or it stands in no function. `where` is the place in the person's program
    that a print names (`train.py:12:4 (step)`), null where `span` is that place.
    """

    id: str
    primitive: str
    params: tuple[Param, ...]
    operands: tuple[Operand, ...]
    results: tuple[Result, ...]
    nested: tuple[Call, ...]
    effects: tuple[str, ...]
    stack: tuple[StackEntry, ...]
    span: Span | None
    trips: int | None
    printed: Printed | None = None
    call: int | None = None
    where: str | None = None


class PackedBody(Wire):
    """The equations and variables of a large jaxpr as rows (see `parts/_rows.py`) of the templates that stand beside it.

    `names` are the letters of the variables in their order, with a space between them; `count` is the number of equations. The `call` of an
    equation is there as an id, `"c7"`.
    """

    eqns: str
    vars: str
    names: str
    count: int


class Jaxpr(Wire):
    """One jaxpr; a body that several equations share appears once.

    `bound` says where in the paste a closed-over variable, which is why it is a const here, was given its value: {var: span}.
    `defined` is the head of the function that it was traced from, decorators and all.
    In an answer in parts `packed` may hold what `eqns` and `vars` would, and `left_out` the number of equations that another part holds:
    then `eqns` is empty, and `vars` has what goes in and out.
    """

    id: str
    name: str
    constvars: tuple[str, ...]
    consts: dict[str, Const]
    invars: tuple[str, ...]
    outvars: tuple[Atom, ...]
    eqns: tuple[Eqn, ...]
    vars: dict[str, Var]
    bound: dict[str, Span] = {}
    defined: Span | None = None
    packed: PackedBody | None = None
    left_out: int = 0


class Residual(Wire):
    """A value saved by the forward equation (`result`, an index) that is an operand of the backward one (`operand`, an index)."""

    result: int
    operand: int


class Twin(Wire):
    """A forward equation and the backward one that transposes it, as instance paths; with checkpoint, the recomputed forward too.

    The residuals are results of `recomputed` where there is one, else of `forward`.
    """

    forward: str
    backward: str
    recomputed: str | None
    residuals: tuple[Residual, ...]


class PackedSpans(Wire):
    """Spans as numbers: little-endian int32 in base64, for each the number of its id, start and end. `letter` stands before the numbers."""

    letter: str
    rows: str


class LevelText(Wire):
    """The printed text of one level, and where each eqn or op stands in it: `[start, end)` in UTF-16 units.

    In an answer in parts `packed` may hold the spans.
    """

    text: str
    spans: dict[str, tuple[int, int]]
    packed: PackedSpans | None = None


class Embedded(Wire):
    """A module that the equations call as it is (`jax.export`): what stands where another call would have a jaxpr."""

    eqns: tuple[str, ...]
    module: Module


class Evaluation(Wire):
    """One time that an expression was traced: the jaxpr and equation that give its value, and the variables of its parts by their paths.

    The path of the whole is "". `eqn` is null for a parameter, whose parts are binders of the jaxpr.
    """

    jaxpr: str
    eqn: str | None
    parts: dict[str, str]


class Written(Wire):
    """An expression or a parameter in the paste, and what it is in the program, in the order of the jaxprs. Only where that is certain.

    In an answer in parts `packed` may hold the values.
    """

    what: Literal["expression", "parameter"]
    span: Span
    values: tuple[Evaluation, ...]
    packed: str = ""


class LeftOut(Wire):
    """What an answer in parts leaves out of a program: the name of the part that holds it, what that is, and how large.

    `jaxprs` are the bodies in it, `eqns` how many equations (or ops) they hold; `bytes` is the size of the part.
    """

    part: str
    kind: Literal["bodies", "text", "module"]
    level: Literal["jaxpr", "stablehlo", "hlo"]
    jaxprs: tuple[str, ...]
    eqns: int
    bytes: int


class Ran(Wire):
    """What a run of a person's own script measured of a program (`jaxpr-visualizer run`).

    `calls` are those outside of other programs. The milliseconds are JAX's own, of all `traces`, `lowerings` and `compiles` together;
    `at_ms` is when it was first traced, from the start of the script. `file` and `line` are where its function is defined. `types` are
    those of its arguments, in words; `why` says what differs from the program of the same function before it, and `anew` how often an equal
    one was traced because its function had been made again.
    """

    calls: int
    traces: int
    lowerings: int
    compiles: int
    trace_ms: float
    lower_ms: float
    compile_ms: float
    at_ms: float
    file: str | None
    line: int | None
    types: str
    why: str
    anew: int


class Rule(Wire):
    """A rule of the person's own for an equation: the function of which name, and where it stands in the paste.

    `of` is the one argument that it is the derivative for (`defjvps`), null for a whole rule. `span` is null where it is not certain.
    """

    rule: Literal["jvp", "fwd", "bwd", "vmap"]
    name: str
    of: str | None
    span: Span | None


class Nondiff(Wire):
    """An argument that a rule takes and does not differentiate (`nondiff_argnums`), as text; `name` is null where it is not certain."""

    name: str | None
    text: str


class CustomRules(Wire):
    """What is known of the rules of one equation (`custom_jvp_call`, `custom_vjp_call`, `custom_vmap_call`)."""

    rules: tuple[Rule, ...]
    nondiff: tuple[Nondiff, ...]


class Program(Wire):
    """One program of a trace. `count` says how many identical ones were folded into it; `entry` is null for a module without a jaxpr.

    `parameters` are those of the function that it was traced from, null where the function is not known; `made_from` says which transforms
    of which program it is, null where the paste itself has it. `hoisted` are the jaxprs that JAX prints ahead of the rest, in
    its order. `calls` are the calls of functions that equations were traced in, `loops` the bodies of Python's
    loops and comprehensions in the paste that any of it was written in. `written` says what the paste's expressions are in it.
    In an answer in parts `templates` are those of what is packed in it, and `left_out` says what other parts hold.
    `printer` is null where the newest JAX printed it, or nobody.
    `ran` is there where the program comes from a run of a script. `rules` are the person's own rules, by the equation that has them.
    """

    id: str
    name: str
    origin: Origin
    count: int
    span: Span | None
    entry: str | None
    jaxprs: dict[str, Jaxpr]
    twins: tuple[Twin, ...]
    texts: dict[Literal["jaxpr", "stablehlo", "hlo"], LevelText]
    modules: dict[Literal["stablehlo", "hlo"], Module]
    links: dict[Literal["stablehlo", "hlo"], dict[str, tuple[str, ...]]]
    parameters: tuple[Parameter, ...] | None = None
    made_from: Transform | None = None
    hoisted: tuple[Hoisted, ...] = ()
    embedded: tuple[Embedded, ...] = ()
    calls: tuple[CodeCall, ...] = ()
    loops: tuple[Span, ...] = ()
    written: tuple[Written, ...] = ()
    templates: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    printer: Printer | None = None
    ran: Ran | None = None
    rules: dict[str, CustomRules] = {}
