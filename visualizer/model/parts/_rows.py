"""Lists of things that are alike, as a few templates and numbers: 50,000 equations in the space of 2,000.

A thing is taken as its JSON text. What differs between things that are alike is the numbers in their ids (`"e12"`, `"v5"`); what is left
is a template. A row is the index of the template and its numbers in order.

Promises: `unpack_rows` gives back what a `Packer` was given, whatever it holds. Must never: be given what is not JSON.
"""

from __future__ import annotations

import base64
import json
import re
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

# A whole string token, for a quote inside of a string has a backslash before it. Larger numbers stay in the template.
_ID = re.compile(r'"([a-z%])(0|[1-9]\d{0,8})"')
_ID_BESIDE_QUOTES = re.compile(r'(?<!\\)"([a-z%])(0|[1-9]\d{0,8})"')
_HOLE = re.compile(r'"([a-z%])#"')
# Stands before a template whose `"e#"` are a stranger's own strings.
_FIXED = " "
# Held here: these run beside a stranger's code, which may replace what the modules offer.
_to_base64, _from_base64, _array = base64.b64encode, base64.b64decode, array
_encode = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode


class Packer:
    """Turns things into rows; the templates of all its rows are one list."""

    def __init__(self) -> None:
        self._templates: dict[str, int] = {}

    @property
    def templates(self) -> list[str]:
        return list(self._templates)

    def rows(self, things: Iterable[Any]) -> str:
        """The things as rows: little-endian int32 in base64, for each the index of its template, then the number of each of its ids."""
        templates, encode = self._templates, _encode
        numbers: array[int] = _array("i")
        for thing in things:
            text = encode(thing)
            if '#"' in text:
                numbers.append(templates.setdefault(_FIXED + text, len(templates)))
                continue
            parts = (_ID_BESIDE_QUOTES if "\\" in text else _ID).split(text)
            holes = parts[2::3]
            numbers.append(templates.setdefault(_joined(parts), len(templates)))
            numbers.extend(map(int, holes))
        return pack_numbers(numbers)


def pack_numbers(numbers: Iterable[int]) -> str:
    """Numbers as rows are kept."""
    return _to_base64(_little_endian(_array("i", numbers)).tobytes()).decode()


def numbers_of(packed: str) -> array[int]:
    """The numbers that `pack_numbers` was given. Raises ValueError."""
    numbers: array[int] = _array("i")
    numbers.frombytes(_from_base64(packed, validate=True))
    return _little_endian(numbers)


def _joined(parts: list[str]) -> str:
    """Text, letter, number, text, letter, number, …, text: with the quotes that the pattern took."""
    return parts[0] + "".join(f'"{parts[at]}#"{parts[at + 2]}' for at in range(1, len(parts), 3))


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


class Template:
    """One template: the letters of the ids it holds, and the thing for given numbers."""

    def __init__(self, text: str) -> None:
        parts = [text] if text.startswith(_FIXED) else _HOLE.split(text)
        self._text = parts[0::2]
        self.letters = parts[1::2]

    def fill(self, numbers: Iterable[int]) -> Any:
        """The thing with these numbers in its ids. Raises ValueError when it is no JSON."""
        text = [self._text[0]]
        for letter, number, more in zip(self.letters, numbers, self._text[1:], strict=True):
            text.append(f'"{letter}{number}"{more}')
        return json.loads("".join(text))


def each_row(templates: Sequence[Template], rows: str) -> Iterator[tuple[int, array[int]]]:
    """The index of the template and the numbers of each row, in order. Raises ValueError where they do not fit."""
    numbers = numbers_of(rows)
    holes = [len(template.letters) for template in templates]
    at, end = 0, len(numbers)
    while at < end:
        template = numbers[at]
        if not 0 <= template < len(holes):
            raise ValueError("a template that is not there")
        after = at + 1 + holes[template]
        if after > end:
            raise ValueError("a row that is cut short")
        yield template, numbers[at + 1 : after]
        at = after


def unpack_rows(templates: Sequence[Template], rows: str) -> list[Any]:
    """The things. Raises ValueError for rows that do not fit their templates."""
    return [templates[template].fill(numbers) for template, numbers in each_row(templates, rows)]
