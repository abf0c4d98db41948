"""One request, answered in the process that runs the paste.

Promises: `trace_request` emits `LevelMessage`-shaped dicts, the jaxpr first, or the control message `again` when values on demand could not
carry the run to its end and a fresh process must run the paste for real; whatever the paste does, what is emitted is an answer. Where the
time of a limited process is over it answers, says `done` and ends the process.
Must never: raise; look anything up after the run that the paste may have replaced.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

from visualizer.model.parts import in_parts

from . import compat
from ._answer import Answer, patch_message
from ._capture import Capture, unheard
from ._given import Given
from ._serialize import serialize
from ._transforms import wide
from ._transforms_run import Wishes
from .arguments import _entry, _offers
from .arguments._parameters import wire_parameters
from .autodiff._observed import observing
from .eager._held import policy
from .eager._holding import fits, holding, remembering
from .eager._module_program import held_in, program_of
from .inputs._clean import Reading, is_code, read_paste
from .inputs._files import opened
from .inputs._readers import reader_of
from .inputs._telling import tells
from .lowering._stablehlo import lower
from .problems import _sayings
from .problems._errors import diagnostic, frames_at, from_exception, is_a
from .running import _async
from .running._ran import Ran
from .running._record import MAX_PROGRAMS
from .running._recorded import Rank, Recorded, size_of
from .running._run import Run, aside, execute, planned, stage_for
from .running._stopping import answering_when_stopped
from .source import _environment
from .source._paste import PasteSource
from .source._sites import Compiled, compile_sites, cut

Dict = dict[str, Any]
Emit = Callable[[Dict], None]
_clock = time.perf_counter
_nothing = contextlib.nullcontext
# No array can have caused these: a held run that ends so ends for real, too.
SURE = (SyntaxError, NameError, ImportError, SystemExit, EOFError)


# How many equations a program may have to be shown in the moment that is left when the time is over.
SOON = 5000
# And to be lowered then: about 0.3 ms each, of the second that the kernel leaves.
LOWERED_SOON = 1000
# How many values of a paste without programs are looked at for one.
MAX_VALUES = 8


class Again(BaseException):
    """The held run cannot be used."""


def trace_request(request: Dict, emit: Emit) -> None:
    """Answer `request` (TraceRequest-shaped, and `engine`: `held`, `real`, or `none` where Python is not to be run)."""
    answer = Answer()
    job = _Job(request, answer)
    if request.get("parts"):
        emit = in_parts(emit)
    try:
        try:
            job.read_and_run(emit)
        except Again:
            emit({"again": {**request, "engine": "real"}})
    except BaseException as error:  # ours, or what the paste did to us
        last = Answer()
        last.trace["programs"], last.trace["output"] = answer.trace.get("programs", []), job.capture.result()
        last.trace["diagnostics"] = [found for found in answer.trace.get("diagnostics", []) if "message" in found]
        if not (is_a(error, (MemoryError,)) and last.trace["diagnostics"]):  # the paste has said so
            last.add(_sayings.internal(error))
        emit(last.message())


class _Job:
    def __init__(self, request: Dict, answer: Answer) -> None:
        self.request = request
        self.answer = answer
        self.levels = tuple(request.get("levels") or ("jaxpr", "stablehlo"))
        self.held = request.get("engine", "held") == "held" and not fits()
        self.told = False
        self.static_numbers = bool(request.get("static_numbers"))
        self.capture = Capture()
        self.serialized: list[tuple[Recorded, Any]] = []
        self.namespace: Dict | None = None
        self.ran = Ran("")
        self.wishes = Wishes()

    def read_and_run(self, emit: Emit) -> None:
        if (jax := self.request.get("jax")) is not None and jax != compat.JAX_VERSION:
            self.answer.add(_sayings.unknown_jax(jax))
            emit(self.answer.message())
            return
        reading = self._read()
        if self.request.get("engine") == "none" and is_code(reading):
            reading = Reading(reading.source).refuse(_sayings.not_run())
        self.answer.trace["input"] = reading.input
        self.answer.note(*reading.notes)
        for found in reading.diagnostics:
            self.answer.add(found)
        if reading.tree is None:
            self._read_otherwise(reading, emit)
            return
        source = reading.source
        self.answer.note(*_environment.apply_environment(_environment.environment_of(reading.tree)))
        entry = _entry.wanted(self.request)
        try:
            compiled = compile_sites(reading.tree, source.filename, watch=not entry)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            self.answer.add(from_exception(error, source, "read"))
            emit(self.answer.message())
            return
        if "asyncio" in source.text:
            _async.ready()
        if tells(source.text):
            self.held, self.told = False, True
        self.ran = Ran(source.filename)
        with observing(), stage_for(source, self.capture) as main, self._engine():
            run = planned(main, source, compiled, static_numbers=self.static_numbers)
            self.namespace = run.namespace
            with answering_when_stopped(lambda code, frame: self._stopped(code, frame, run, source, emit)):
                execute(run, compiled, held=self.held, watch=not entry)
                self._after(run, source, reading.tree, compiled, entry)
            self._finish(emit)

    def _read(self) -> Reading:
        """What was given, as far as it can be told without a reader of its kind."""
        text, wanted = self.request["source"], self.request.get("input")
        if (data := self.request.get("data")) is not None:
            file = opened(data)
            if file.text is None:
                reading = Reading(PasteSource.of(""), input=file.kind or wanted or "python", data=file.data)
                return reading if file.problem is None else reading.refuse(file.problem)
            text = file.text
        return read_paste(text, wanted)

    def _read_otherwise(self, reading: Reading, emit: Emit) -> None:
        """Answer where there is no Python to run: with the programs of another reader, or why there are none."""
        reader = None if reading.diagnostics else reader_of(reading.input)
        if reader is None:
            emit(self.answer.message())
        else:
            reader(Given(reading.source, reading.data, self.request, self.levels), self.answer, emit)

    def _engine(self) -> contextlib.AbstractContextManager[None]:
        """How eager operations are run. One that may look for the difference is run by JAX alone."""
        if self.held:
            return holding(ran=self.ran.note)
        return _nothing() if self.told or fits() else remembering(ran=self.ran.note)

    def _after(self, run: Run, source: PasteSource, tree: ast.Module, compiled: Compiled, entry: bool) -> None:
        self._check(run.error)
        if run.error is not None and _sayings.is_hook(run.error):
            self.answer.add(_sayings.hook_lost(run.error, source))
        elif run.error is not None:
            self.answer.add(from_exception(run.error, source, "run"))
        elif run.exit is not None:
            self._exited(run, source)
        if run.threads_left:
            self.answer.note("A thread of the paste was still running after its last line: what it printed until then is shown.")
        if run.recorder.full:
            self.answer.note(f"The first {MAX_PROGRAMS} programs are shown; calls after them were not followed.")
        programs = self._entry(run, source) if entry else self._recorded(run, source, compiled.last)
        self.answer.time("run", run.seconds - run.recorder.tracing_seconds)
        self.answer.time("trace", run.recorder.tracing_seconds)
        with unheard():  # an object of the paste's may say that it is looked at
            self._show(programs, source)
        self._transform(run, source)
        if not entry:
            used = compiled.named | compiled.attributes
            with unheard():
                self.answer.trace["offers"] = _offers.offers(tree, used, run.namespace, source, everything=not programs)
            if not programs:
                self._nothing(run)

    def _stopped(self, code: str, frame: FrameType | None, run: Run, source: PasteSource, emit: Emit) -> None:
        """The time is over. The sandbox, which knows the limits, puts them into words."""
        run.reserve.give_up()
        frames = frames_at(frame, source)
        span = frames[-1]["span"] if frames else None
        self.answer.add(diagnostic(code, "Stopped at the time limit.", type_="TimeoutError", span=span, frames=frames, stage="run"))
        if not self.answer.trace["programs"]:
            self._show([program for program in run.recorder.best() if size_of(program.closed) <= SOON], source)
        self.answer.trace["output"] = self.capture.result()
        emit(self.answer.message())
        if "stablehlo" in self.levels and 0 < sum(size_of(program.closed) for program, _ in self.serialized) <= LOWERED_SOON:
            with contextlib.suppress(Exception):
                emit(self._lowered())
        emit({"done": True})

    def _finish(self, emit: Emit) -> None:
        self.answer.trace["output"] = self.capture.result()
        emit(self.answer.message())
        if "stablehlo" in self.levels and self.serialized:
            emit(self._lowered())
        if "hlo" in self.levels:
            self._compile(emit)

    def _compile(self, emit: Emit) -> None:
        """One message for each program, as soon as it is there: one that is too large takes nothing with it but those after it."""
        from .hlo import compile_program

        started = _clock()
        for program, made in self.serialized:
            with wide(program.x64), compat.in_mesh(program.mesh):
                compiled = compile_program(made, traced=program.stages())
            found = [{**each, "field": program.wish} for each in compiled.diagnostics]
            patches = {made.program["id"]: compiled.patch} if compiled.patch["modules"] else {}
            emit(patch_message(patches, found, compiled.notes, (_clock() - started) * 1e3, "hlo"))

    def _check(self, error: BaseException | None) -> None:
        """Raise Again when a held run met something that only a real run can answer."""
        if self.held and (policy.refused or (error is not None and not is_a(error, SURE))):
            raise Again

    def _exited(self, run: Run, source: PasteSource) -> None:
        code = None if run.exit is None else _sayings.code_of(run.exit)
        if run.exit is None or code is None or code == 0:
            return
        if isinstance(code, str):
            self.capture.write(code + "\n")
        self.answer.add(_sayings.exited(run.exit, source))

    def _nothing(self, run: Run) -> None:
        if run.error is None and not self.answer.trace["offers"] and not self.answer.trace["diagnostics"]:
            self.answer.add(_sayings.nothing())

    # ------------------------------------------------------------------ what was found
    def _recorded(self, run: Run, source: PasteSource, last: Any) -> list[Recorded]:
        recorder = run.recorder
        found = recorder.best()
        if not found and run.error is None:
            found = self.ran.programs() or self._value_program(run, source, last)
        best = found[0].rank if found else None
        for failed in recorder.untraced:
            if best is None or failed.rank <= best:
                reported = from_exception(failed.error, source, "trace", code="untraceable-call", severity="warning")
                reported["message"] = f"{failed.name} ran, and could not be traced: {reported['message']}"
                if reported["span"] is None and failed.place is not None:
                    reported["span"] = source.span(*failed.place)
                self.answer.add(reported)
        return found

    def _value_program(self, run: Run, source: PasteSource, last: Any) -> list[Recorded]:
        """The value of the last expression, or the module up to its last value."""
        shown = run.recorder.shown
        if isinstance(shown, (compat.ClosedJaxpr, compat.Traced)):
            closed = shown.jaxpr if isinstance(shown, compat.Traced) else shown
            return [Recorded(closed, cut(source.text, last), "expression", Rank.VALUE, -1, last)]
        said = " ".join(cut(source.text, last).split())[:80] if last else ""
        everything = (1, 0, len(source.lines), len(source.lines[-1].text.encode()))
        candidates = [(shown, said, "expression", last)]
        candidates += [(value, "module", "module", everything) for value in reversed(list(run.namespace.values()))]
        found = ((values, *about) for value, *about in candidates if (values := held_in(value)))
        with self.answer.timed("trace"):
            for values, name, origin, place in itertools.islice(found, MAX_VALUES):
                if (closed := program_of(values)).eqns:
                    return [Recorded(closed, name, origin, Rank.VALUE, -1, place)]
        return []

    def _entry(self, run: Run, source: PasteSource) -> list[Recorded]:
        try:
            entry = _entry.evaluate(self.request, run.namespace)
            self.answer.note(*entry.notes)
            if self.static_numbers:
                entry = _entry.hold_numbers(entry)
            with self.answer.timed("trace"):
                closed, traced = _entry.trace_entry(entry)
        except BaseException as error:
            self._check(error.cause if isinstance(error, _entry.EntryError) else error)
            self.answer.add(_entry.reported(error, self.request, source, run.error is not None))
            return []
        self._check(None)
        name = _entry.name_of(self.request)
        return [Recorded(closed, name, "entry", Rank.EXPLICIT, -1, None, entry.fun, entry.args, entry.kwargs, traced)]

    def _show(self, programs: list[Recorded], source: PasteSource) -> None:
        for index, program in enumerate(programs):
            self._serialize(program, f"p{index}", source, len(self.serialized))

    def _serialize(self, program: Recorded, program_id: str, source: PasteSource, at: int) -> None:
        """Show a program as the `at`-th."""
        with self.answer.timed("serialize"), wide(program.x64):
            try:
                place = source.span(*program.place) if program.place else None
                made = serialize(
                    program.closed,
                    name=program.name,
                    origin=program.origin,
                    program_id=program_id,
                    span=place,
                    source=source,
                    namespace=self.namespace,
                    function=program.fun,
                    args=program.args,
                )
                call = program.call()
                made.program.update(count=program.count, parameters=wire_parameters(call), made_from=program.made_from)
            except Exception as error:
                self.answer.add(_sayings.internal(error))
                return
            self.answer.trace["programs"].insert(at, made.program)
            self.serialized.insert(at, (program, made))
            self.wishes.offer(program_id, program.name, call, program.x64)
            if program.note:
                self.answer.note(f"{program.name} was traced {program.note}: with them traced it fails.")

    def _transform(self, run: Run, source: PasteSource) -> None:
        """Trace the transformed programs that are wished for, and show each after the program that it is made from."""
        if not self.serialized and any(found["severity"] == "error" for found in self.answer.trace["diagnostics"]):
            return  # what went wrong has been said
        for index, wish in enumerate(self.request.get("transforms") or ()):
            with self.answer.timed("trace"), aside(run.namespace):
                result = self.wishes.fulfilled(wish, index, source)
            self._check(result.error)
            if result.problem is not None:
                self.answer.add(result.problem)
            if result.program is not None:
                base = wish["program"]
                ids = [made.program["id"] for _, made in self.serialized]
                at = max(place for place, known in enumerate(ids) if known == base or known.startswith(base + ".")) + 1
                self._serialize(result.program, result.id, source, at)

    def _lowered(self) -> Dict:
        started = _clock()
        patches: Dict = {}
        diagnostics: list[Dict] = []
        notes: list[str] = []
        for program, made in self.serialized:
            try:
                with wide(program.x64), compat.in_mesh(program.mesh):
                    lowered = lower(made, traced=program.stages())
            except BaseException as error:
                diagnostics.append({**_sayings.not_lowered(error), "field": program.wish})
                continue
            patches[made.program["id"]] = lowered.patch
            diagnostics.extend({**found, "field": program.wish} for found in lowered.diagnostics)
            notes.extend(note for note in lowered.notes if note not in notes)
        return patch_message(patches, diagnostics, notes, (_clock() - started) * 1e3)
