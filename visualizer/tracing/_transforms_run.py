"""The wishes of a request for transformed programs, one by one.

Promises: a wish that fails gives a diagnostic whose field is the step at fault, and takes nothing else with it. The program of wish 1 on
program `p0` has the id `p0.t1`, whatever becomes of the other wishes.
Must never: raise what tracing raises.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._transforms import Made, StepError, applied, traced, unfit_result
from .arguments._parameters import Call
from .problems._advice import ANYTHING_ELSE
from .problems._errors import diagnostic, from_exception
from .running._recorded import Rank, Recorded
from .source._paste import PasteSource

Dict = dict[str, Any]
MAX_NAME = 200
_STEP = {"argnums": None, "in_axes": None, "size": None, "has_aux": False}


@dataclass
class Result:
    """What came of one wish: a program to show under `id`, or a diagnostic. `error`: what JAX raised, where that may depend on the run."""

    id: str
    program: Recorded | None = None
    problem: Dict | None = None
    error: BaseException | None = None


@dataclass
class Wishes:
    """The programs that wishes may name, by id: their calls and names."""

    known: dict[str, Made | None] = field(default_factory=dict)

    def offer(self, program: str, name: str, call: Call | None, x64: bool = False) -> None:
        """A program that is shown; `call` is None where its function is not known."""
        self.known[program] = None if call is None else Made(call, name, x64)

    def fulfilled(self, wish: Dict, index: int, source: PasteSource) -> Result:
        """Trace one wish (Transform-shaped), the `index`-th of the request. Runs the function: call it where that is unheard."""
        steps = [{**_STEP, **step} for step in wish["steps"]]
        result = Result(f"{wish['program']}.t{index}")
        start = self._start(wish["program"], index)
        if not isinstance(start, Made):
            result.problem = _problem(*start)
            return result
        made, reached = start, [start]
        for number, step in enumerate(steps):
            try:
                made = applied(made, step)
            except StepError as error:
                result.problem = _problem(str(error), error.advice, f"transforms[{index}].steps[{number}]")
                return result
            except Exception as error:  # what a library put into its arguments may do anything
                found = from_exception(error, source, "trace", code="transform")
                advice = found["advice"] or f"Its arguments are none that {step['name']} takes."
                result.problem = {**found, "advice": advice, "field": f"transforms[{index}].steps[{number}]"}
                return result
            reached.append(made)
        try:
            closed, stage = traced(made)
        except BaseException as error:
            result.problem, result.error = _failed(error, reached, steps, f"transforms[{index}]", source)
            return result
        call, name = made.call, made.name[:MAX_NAME]
        program = Recorded(closed, name, "entry", Rank.EXPLICIT, -1, None, call.fun, call.args, call.kwargs, stage)
        program.known_call, program.x64, program.made_from = call, made.x64, {"program": wish["program"], "steps": steps}
        program.wish = f"transforms[{index}]"
        result.program = program
        return result

    def _start(self, program: str, index: int) -> Made | tuple[str, str, str]:
        """The call that the steps are applied to; or what is wrong with the wish: message, advice, field."""
        where = f"transforms[{index}].program"
        if program not in self.known:
            known = ", ".join(list(self.known)[:8])
            here = f"the programs here are {known}" if known else "nothing was traced"
            return (
                f"There is no program {program[:40]!r}: {here}.",
                "Choose one that is there." if known else "Name a function to trace.",
                where,
            )
        start = self.known[program]
        if start is None:
            advice = "Call the function with arrays, or write jax.make_jaxpr(f)(x), so that it is seen."
            return f"The function of program {program} is not known, so it cannot be transformed.", advice, where
        return start


def _failed(
    error: BaseException, reached: list[Made], steps: list[Dict], where: str, source: PasteSource
) -> tuple[Dict, BaseException | None]:
    """The diagnostic of a wish that JAX would not trace, at the first step that it would not; and the error, unless types alone say why."""
    number = _first_failing(reached)
    step, before = steps[number], reached[number]
    at = f"{where}.steps[{number}]"
    unfit: StepError | None = None
    try:
        unfit = unfit_result(before, step)
    except BaseException:  # then it is not the result
        unfit = None
    if unfit is not None:
        return _problem(str(unfit), unfit.advice, at), None
    found = from_exception(error, source, "trace", code="transform")
    if found["advice"] in ("", ANYTHING_ELSE) or (found["span"] is None and found["type"] == "AssertionError"):  # JAX's own assertion
        found["advice"] = f"{before.name[:MAX_NAME]} itself can be traced: look at what {step['name']} makes of it."
    return {**found, "message": f"{reached[number + 1].name[:MAX_NAME]}: {found['message']}", "field": at}, error


def _first_failing(reached: list[Made]) -> int:
    for number, made in enumerate(reached[1:-1]):
        try:
            traced(made)
        except BaseException:
            return number
    return len(reached) - 2


def _problem(message: str, advice: str, at: str) -> Dict:
    return {**diagnostic("transform", message, advice=advice, stage="trace"), "field": at}
