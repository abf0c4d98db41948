"""What a link holds, version 1 of docs/links.md: read from its text, made canonical, written again.

Promises: equal content has equal bytes, whatever order or defaults its sender wrote; fields that this version does not know are kept, so
that links of newer pages survive older servers. Raises BadLink that says what is wrong.
Must never: unpack more than `MOST_BYTES`, whatever the text claims.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

# As in the page (frontend/src/page/state/links/format.ts).
PREFIX = "v1:"
MOST_LETTERS = 100_000
MOST_BYTES = 3_000_000
# Deeper, whoever reads it with less room on the stack could not; more values than any link has cost memory and time at every reading.
MOST_DEPTH = 100
MOST_VALUES = 100_000

Name = Annotated[str, Field(min_length=1, max_length=2000)]
_COPY = "Copy the link again, whole."
Dict = dict[str, Any]


class BadLink(Exception):
    """What was sent is no link: a stable code, what is wrong, and what to do."""

    def __init__(self, code: str, message: str, advice: str = _COPY) -> None:
        super().__init__(message)
        self.code = code
        self.advice = advice


class _Open(BaseModel):
    """Known fields are of their kind, others are kept as they are."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True, protected_namespaces=())


class LinkAsked(_Open):
    fun: str
    signature: dict[str, str] | None = None
    args: str | None = None


class LinkWish(_Open):
    id: str
    name: str
    steps: list[Dict]


class LinkState(_Open):
    """The fields of version 1. Words that have a list in the page (`view`, grouping) may be newer than that list."""

    source: str
    static: bool = False
    compile: bool = False
    jax: Annotated[str, Field(pattern=r"^\d{1,4}(\.\w{1,16}){1,4}$")] | None = None
    asked: LinkAsked | None = None
    wishes: list[LinkWish] = []
    program: Annotated[list[str], Field(min_length=2, max_length=3)] | None = None
    view: Name = "jaxpr"
    open: Annotated[list[Name], Field(max_length=20_000)] | None = None
    alone: Name | None = None
    selection: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    direction: Name | None = None
    levels: Annotated[list[int | str | None], Field(min_length=2, max_length=2)] | None = None


# What is as the page has it anyway is left out.
_DEFAULTS: Dict = {name: field.default for name, field in LinkState.model_fields.items() if name != "source"}
_AS_FITS = ["auto", None]


@dataclass(frozen=True)
class Content:
    """`text` is the canonical JSON, in UTF-8."""

    text: bytes

    @cached_property
    def digest(self) -> bytes:
        return hashlib.sha256(self.text).digest()

    @cached_property
    def state(self) -> LinkState:
        return LinkState.model_validate(json.loads(self.text))

    @cached_property
    def packed(self) -> bytes:
        return zlib.compress(self.text, 9)

    @property
    def address(self) -> str:
        """`v1:...`, as it stands in an address after the `#`."""
        return PREFIX + base64.urlsafe_b64encode(self.packed).rstrip(b"=").decode()


def read(text: str) -> Content:
    """The content of `v1:...`, with or without the `#` of an address. Raises BadLink."""
    letters = text.removeprefix("#")
    version = re.match(r"v(\d{1,6}):", letters)
    if version is None:
        raise BadLink("bad-link", "The state is not what stands in an address of a shared program.", "It begins with v1: there.")
    if version[1] != "1":
        raise BadLink("newer-link", f"The link is of version {version[1]}, and this server knows version 1.", "Update the server.")
    letters = letters[version.end() :]
    if len(letters) > MOST_LETTERS:
        raise BadLink("too-large", f"The link has more than {MOST_LETTERS:,} letters.", "Share the part of the code that matters.")
    return from_text(unpack(_bytes_of(letters)))


def unpack(packed: bytes) -> bytes:
    """Raises BadLink where it is cut off, changed, followed by something, or more than any link holds."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MOST_BYTES + 1)
    except zlib.error:
        raise BadLink("bad-link", "The link is cut off or was changed on its way.") from None
    if len(text) > MOST_BYTES:
        raise BadLink("too-large", "The link unpacks to more than any code has.", "Share the part of the code that matters.")
    if not unpacker.eof or unpacker.unused_data:
        raise BadLink("bad-link", "The link is cut off or was changed on its way.")
    return text


def from_text(text: bytes) -> Content:
    """The content of JSON in UTF-8. Raises BadLink."""
    try:
        data = _parsed(text.decode())
        if not isinstance(data, dict):
            raise BadLink("bad-link", "The link holds no object.")
        LinkState.model_validate(data)
        canonical = Content(_dumped(_canonical(data)).encode())
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])[:80]
        raise BadLink("bad-state", f"The field {where!r} of the link is wrong: {first['msg']}.", "docs/links.md has the fields.") from None
    except (ValueError, RecursionError):
        raise BadLink("bad-link", "The link does not hold JSON.") from None
    # Others read it with the same limits.
    if len(canonical.text) > MOST_BYTES or len(canonical.address) > MOST_LETTERS:
        raise BadLink("too-large", f"The link has more than {MOST_LETTERS:,} letters.", "Share the part of the code that matters.")
    return canonical


def _bytes_of(letters: str) -> bytes:
    try:
        if not re.fullmatch(r"[\w-]*", letters, re.ASCII):
            raise ValueError
        return base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    except (ValueError, binascii.Error):
        raise BadLink("bad-link", "The link has letters that no link has: it was changed on its way.") from None


def _parsed(text: str) -> Any:
    """Plain JSON of bounded size, without a half of a character anywhere in it. Raises ValueError, BadLink."""
    data = json.loads(_mended(text), parse_constant=_refuse)
    if not _is_bounded(data):
        raise BadLink("too-large", "The link holds more values, or deeper ones, than any link has.", "Make the link anew on the page.")
    # Halves can stand there as escapes, in names too; mended, two names may be one.
    return json.loads(_mended(_dumped(data))) if "\\u" in text else data


def _dumped(data: Any) -> str:
    # A number like 1e999 is none that JSON could hold again.
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _is_bounded(data: Any) -> bool:
    level, count = [data], 0
    for _ in range(MOST_DEPTH):
        level = [part for each in level if isinstance(each, (dict, list)) for part in (each.values() if isinstance(each, dict) else each)]
        count += len(level)
        if not level or count > MOST_VALUES:
            return count <= MOST_VALUES
    return False


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _mended(text: str) -> str:
    """Half a character, as browsers can write it, is U+FFFD here as it is for the tracer; halves that fit are one character."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _canonical(data: Dict) -> Dict:
    """In one order, without what goes without saying. The order within a signature is that of the parameters, and stays."""
    kept = {name: value for name, value in sorted(data.items()) if name not in _DEFAULTS or value != _DEFAULTS[name]}
    if kept.get("levels") == _AS_FITS:
        del kept["levels"]
    if (program := kept.get("program")) and program[2:] == [""]:
        kept["program"] = program[:2]
    if "asked" in kept:
        kept["asked"] = {name: value for name, value in sorted(kept["asked"].items()) if value is not None}
    if "wishes" in kept:
        kept["wishes"] = [_sorted(wish) | {"steps": [_sorted(step) for step in wish["steps"]]} for wish in kept["wishes"]]
    return kept


def _sorted(data: Dict) -> Dict:
    return dict(sorted(data.items()))
