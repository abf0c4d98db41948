"""What the page asks the tracer for when it opens a link: the same request, so that the same answer is found again in the cache.

`frontend/src/page/state/request.ts` and `args.ts` are the page's side; `tests/links/test_wanted.py` holds the two together.
"""

from __future__ import annotations

import re
from typing import Any

from pydantic import ValidationError

from visualizer.model import TraceRequest

from ._content import LinkAsked, LinkState

_DTYPES = {
    "bool": "bool",
    "bf16": "bfloat16",
    **{f"f{bits}": f"float{bits}" for bits in (16, 32, 64)},
    **{f"c{bits}": f"complex{bits}" for bits in (64, 128)},
    **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}
_SHAPE = re.compile(
    rf""""[^"]*"|'[^']*'|(?:\b[A-Za-z_]\w*\s*:\s*)?\b({"|".join(_DTYPES)})\[([\d,\s]*)\]""",
    re.ASCII,
)
_COMMA = re.compile(r",\s*$")


def request_of(state: LinkState) -> TraceRequest | None:
    """The request, or None where what the link asks for is nothing that this version can ask for."""
    body: dict[str, Any] = {
        "source": state.source,
        "levels": ["jaxpr", "stablehlo", "hlo"] if state.compile else ["jaxpr", "stablehlo"],
        "static_numbers": state.static,
        "parts": True,
        "jax": state.jax,
        "transforms": [{"program": wish.id, "steps": wish.steps} for wish in state.wishes],
        **_entry(state.asked),
    }
    try:
        return TraceRequest.model_validate(body)
    except ValidationError:
        return None


def _entry(asked: LinkAsked | None) -> dict[str, Any]:
    if asked is None:
        return {}
    if asked.signature is not None:
        return {"fun": asked.fun, "signature": asked.signature}
    return {"fun": asked.fun, "args": args_expression(asked.args)} if (asked.args or "").strip() else {"fun": asked.fun}


def args_expression(typed: str | None) -> str:
    """A Python tuple from what was typed among the arguments of an expression; the shapes in it are spelt out."""
    text = (typed or "").strip()
    if not text:
        return "()"
    expanded = _SHAPE.sub(_struct, text)
    return expanded if _is_tuple(expanded) else f"({_COMMA.sub('', expanded)},)"


def _struct(found: re.Match[str]) -> str:
    dtype, dims = found.groups()
    if dtype is None:
        return found[0]
    sizes = "".join(f"{size.strip()}," for size in dims.split(",") if size.strip())
    return f'__import__("jax").ShapeDtypeStruct(({sizes}), "{_DTYPES[dtype]}")'


def _is_tuple(text: str) -> bool:
    """Whether the text is one pair of parentheses with a comma at its top level."""
    depth, comma = 0, False
    for at, letter in enumerate(text):
        if at == 0 and letter != "(":
            return False
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 1:
            comma = True
        if depth == 0 and at < len(text) - 1:
            return False
    return comma or text == "()"
