"""`python -m visualizer.drawing._child`: one thing drawn of a program, its bytes on standard output.

Standard input is a line of JSON, `{"make", "options", "code", "framed", "cpu_seconds"}`, and after it a Trace of that one program as JSON,
compressed by zlib; nothing where there is no program.

Promises: a process of its own, with limits of its own, so that a drawing that takes too long or too much ends nothing but itself. Exit
code 2 and the reason in words on standard error where the drawing refused.
Must never: be handed a program that has not been through the gate.
"""

from __future__ import annotations

import contextlib
import json
import sys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from visualizer.model import Program

from ._card import card
from ._errors import DrawingError
from ._formats import Options, made
from ._page import Framed, page_of
from ._raster import pdf, png

REFUSED = 2
# Of memory that the process writes to; what V8 only reserves is not counted.
MEMORY_BYTES = 1536 << 20


def main() -> None:
    """Answer one request."""
    request = json.loads(sys.stdin.buffer.readline())
    _limit(request["cpu_seconds"])
    given = request["options"]
    opened = given.get("open", "initial")
    options = Options(**{**given, "open": tuple(opened) if isinstance(opened, list) else opened})
    packed = sys.stdin.buffer.read()
    program = Program.model_validate(json.loads(zlib.decompress(packed))["programs"][0]) if packed else None
    try:
        answer = MAKERS[request["make"]](program, options, request)
    except DrawingError as error:
        sys.stderr.write(str(error))
        raise SystemExit(REFUSED) from None
    sys.stdout.buffer.write(answer)


def _limit(seconds: int) -> None:
    # Where there is no such module there are no such limits; the time is kept by whoever waits.
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))


def _card(program: Program | None, options: Options, request: Mapping[str, Any]) -> bytes:
    return json.dumps(asdict(card(program, options, code=request["code"]))).encode()


def _card_png(program: Program | None, options: Options, request: Mapping[str, Any]) -> bytes:
    return png(card(program, options, code=request["code"]).svg, scale=1)


def _card_pdf(program: Program | None, options: Options, request: Mapping[str, Any]) -> bytes:
    return pdf(card(program, options, code=request["code"]).svg)


def _page(program: Program | None, options: Options, request: Mapping[str, Any]) -> bytes:
    return page_of(_there(program), options, Framed(**request["framed"])).encode()


def _there(program: Program | None) -> Program:
    if program is None:
        raise DrawingError("There is no program to draw.")
    return program


MAKERS: Mapping[str, Callable[[Program | None, Options, Mapping[str, Any]], bytes]] = {
    "svg": lambda program, options, _: made(_there(program), "svg", options),
    "png": lambda program, options, _: made(_there(program), "png", options),
    "pdf": lambda program, options, _: made(_there(program), "pdf", options),
    "card": _card,
    "card-png": _card_png,
    "card-pdf": _card_pdf,
    "page": _page,
}

if __name__ == "__main__":
    main()
