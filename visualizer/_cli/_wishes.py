"""A signature and transformations as they are written on a command line.

Promises: text in, fields of a TraceRequest out; whatever cannot be read is an error of usage that says how it is written.
Must never: judge types or options: the tracer does, and names the field.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
import tokenize
from typing import Any

import click
from pydantic import ValidationError

from visualizer.model import Step, Transform

_PROGRAM = re.compile(r"\s*(p\d+(?:\.t\d+)*)\s*:")
_SIGNATURE = "Write it like 'w: f32[3], xs: f32[6,2,3]'."
_TRANSFORM = "Write it like 'grad', 'grad(argnums=1), vmap(in_axes=(None, 0), size=4)' or 'p1: jit'."


def signature(text: str) -> dict[str, str]:
    """`w: f32[3], n: 4`: the text of each parameter, split at the commas that stand in no bracket."""
    line = " ".join(text.splitlines())
    names: list[tuple[str, int, int]] = []  # name, where it starts, where its text starts
    tokens, depth = _tokens(line), 0
    for index, token in enumerate(tokens):
        depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        if token.string == ":" and depth == 0 and index and tokens[index - 1].type == tokenize.NAME:
            first = index - 1
            while first and tokens[first - 1].string in ("*", "**"):
                first -= 1
            if first == 0 or tokens[first - 1].string == ",":
                names.append((line[tokens[first].start[1] : token.start[1]].strip(), tokens[first].start[1], token.end[1]))
    if not names or line[: names[0][1]].strip():
        raise click.BadParameter(f"{text!r} names no parameter. {_SIGNATURE}", param_hint="--signature")
    ends = [start for _, start, _ in names[1:]] + [len(line)]
    found = {name: line[start:end].strip().rstrip(",").strip() for (name, _, start), end in zip(names, ends, strict=True)}
    if len(found) < len(names):
        raise click.BadParameter(f"{text!r} names a parameter twice. {_SIGNATURE}", param_hint="--signature")
    return found


def _tokens(line: str) -> list[tokenize.TokenInfo]:
    found: list[tokenize.TokenInfo] = []
    # A bracket that is open at the end: the tracer says where.
    with contextlib.suppress(tokenize.TokenError, SyntaxError):
        found.extend(token for token in tokenize.generate_tokens(io.StringIO(line).readline) if token.string)
    return found


def transform(text: str) -> Transform:
    """`grad`, or several steps, the first applied first; options in Python's words; `p1:` before it for another program than the first."""
    program = _PROGRAM.match(text)
    try:
        body = ast.parse(f"({text[program.end() if program else 0 :].strip()},)", mode="eval").body
        steps = tuple(_step(node) for node in body.elts) if isinstance(body, ast.Tuple) else ()
        return Transform(program=program[1] if program else "p0", steps=steps)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise click.BadParameter(f"{text!r}: {first['loc'][-1]}: {first['msg']}. {_TRANSFORM}", param_hint="--transform") from None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise click.BadParameter(f"{text!r} cannot be read. {_TRANSFORM}", param_hint="--transform") from None


def _step(node: ast.expr) -> Step:
    call = node if isinstance(node, ast.Call) else ast.Call(node, [], [])
    if not isinstance(call.func, ast.Name) or call.args:
        raise ValueError("no name of a transformation")
    options: dict[str, Any] = {str(option.arg): ast.literal_eval(option.value) for option in call.keywords}
    if isinstance(options.get("argnums"), int):
        options["argnums"] = (options["argnums"],)
    return Step.model_validate({"name": call.func.id, **options})
