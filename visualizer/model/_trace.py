"""The answer to one paste: everything that was traced, everything that was said, everything that went wrong."""

from typing import Literal

from pydantic import Field

from ._base import Wire
from ._module import Module
from ._program import Jaxpr, LeftOut, LevelText, Program
from ._source import Diagnostic, Span
from ._transform import Transform

SCHEMA = 1


class Output(Wire):
    """What the paste printed, stdout and stderr together in order; `truncated` when the cap cut it."""

    text: str
    truncated: bool


class OfferedArg(Wire):
    """A parameter of a function that nobody calls: what the person must give before it can be traced.

    `suggestion` is something in the words of a signature that probably fits, null where nothing is known.
    """

    name: str
    annotation: str | None
    default: str | None
    suggestion: str | None = None


class Offer(Wire):
    """Something in the paste that could be traced if the person names arguments for it."""

    fun: str
    args: tuple[OfferedArg, ...]
    span: Span | None


class Trace(Wire):
    """One paste, traced. A stage that fails leaves the earlier stages standing and adds a diagnostic.

    A trace that is kept in a file says what it is of: `title` names the script or the folder, `text` is what the spans are of.
    """

    schema_: Literal[1] = Field(alias="schema")
    input: Literal["python", "jaxpr", "mlir", "hlo"]
    jax: str
    programs: tuple[Program, ...]
    output: Output
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...]
    offers: tuple[Offer, ...]
    timings: dict[str, float]
    title: str = ""
    text: str | None = None


class ProgramPatch(Wire):
    """What a later level adds to a program."""

    texts: dict[Literal["jaxpr", "stablehlo", "hlo"], LevelText]
    modules: dict[Literal["stablehlo", "hlo"], Module]
    links: dict[Literal["stablehlo", "hlo"], dict[str, tuple[str, ...]]]
    left_out: tuple[LeftOut, ...] = ()


class TracePatch(Wire):
    """What a later level adds to a trace: by program id; diagnostics and notes are appended, timings merged."""

    programs: dict[str, ProgramPatch]
    diagnostics: tuple[Diagnostic, ...]
    notes: tuple[str, ...]
    timings: dict[str, float]


class Part(Wire):
    """What was left out of a program of an answer in parts. Of `texts`, `modules` and `links` it holds what belongs to its level."""

    name: str
    program: str
    jaxprs: dict[str, Jaxpr]
    templates: tuple[str, ...]
    texts: dict[Literal["jaxpr", "stablehlo", "hlo"], LevelText]
    modules: dict[Literal["stablehlo", "hlo"], Module]
    links: dict[Literal["stablehlo", "hlo"], dict[str, tuple[str, ...]]]


class LevelMessage(Wire):
    """One line of a streamed answer: first the `trace`, then a `patch` for each later level.

    A `part` is what was left out of the level before it. The server keeps those and gives each when it is asked for.
    """

    level: Literal["jaxpr", "stablehlo", "hlo"]
    trace: Trace | None
    patch: TracePatch | None
    part: Part | None = None


class TraceRequest(Wire):
    """What a person asks for. `fun`, `args`, `kwargs` are expressions evaluated in the paste's namespace after it ran.

    `signature` takes the place of `args` and `kwargs`: per parameter of `fun`, in order, its type (`f32[3]`), a pytree of types
    (`{'w': f32[3]}`), or a Python expression, which is static. `transforms` are programs beside those of the paste. With `parts` a large
    program comes in parts: packed, what is looked at first in the answer, the rest when it is asked for.
    """

    source: str
    jax: str | None = None
    fun: str | None = None
    args: str | None = None
    kwargs: str | None = None
    levels: tuple[Literal["jaxpr", "stablehlo", "hlo"], ...] = ("jaxpr", "stablehlo")
    static_numbers: bool = False
    signature: dict[str, str] | None = None
    transforms: tuple[Transform, ...] = Field(default=(), max_length=32)
    parts: bool = False
    input: Literal["python", "jaxpr", "mlir", "hlo"] | None = None
    data: str | None = None


class OpenFile(Wire):
    """A file that a person opens: its name, with the folders that were opened with it, and its bytes in base64."""

    name: str = Field(max_length=1000)
    data: str


class OpenRequest(Wire):
    """Files that are opened together: those of a dump, say. They become one Trace."""

    files: tuple[OpenFile, ...] = Field(max_length=2000)
