"""Where an operation says it comes from, in words: its name, file and line, who called it, what was fused into it.

The text of a location is the one form of it that all versions of the bindings have in common.

Promises: everything that the location says is in the words, in its order, up to a length; an unknown location is None.
Must never: raise, or take a place in another file for one in the paste.
"""

from __future__ import annotations

import re

MOST = 500
_TOKEN = re.compile(
    r'"(?P<string>(?:[^"\\]|\\.)*)"(?P<place>:\d+:\d+(?: to (?:\d*:)?\d+)?)?'
    r"|(?P<word>callsite|fused|unknown)|(?P<at> at )|(?P<mark>[()\[\],<])"
)
# What a text without locations of its own has: the parser names each operation's place in the text, and calls the text "-".
PASTE = '"-":'


def location_text(text: str) -> str | None:
    """The words for what MLIR prints of a location (`loc(...)`), without the places in the paste itself."""
    inner = text.removeprefix("loc(").removesuffix(")")
    if inner == "unknown" or inner.startswith(PASTE):
        return None
    reader = _Reader(inner)
    words = reader.location()
    return None if not words else words if len(words) <= MOST else f"{words[:MOST]}…"


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def location(self, depth: int = 0) -> str:
        """One location from here on."""
        found = self._next()
        if found is None or depth > 100:
            return ""
        if found["string"] is not None:
            said = re.sub(r"\\(.)", r"\1", found["string"])
            if found["place"]:
                return "" if said == "-" else said + found["place"]
            if not self._takes("("):
                return said
            child = self.location(depth + 1)
            self._takes(")")
            return f"{said}, {child}" if said and child else said or child
        if found["word"] == "callsite":
            self._takes("(")
            callee = self.location(depth + 1)
            self._next()
            caller = self.location(depth + 1)
            self._takes(")")
            return f"{callee}, called from {caller}" if callee and caller else callee or caller
        if found["word"] == "fused":
            return self._fused(depth)
        return ""

    def _fused(self, depth: int) -> str:
        found = self._next()
        if found is not None and found["mark"] == "<":  # an attribute, which may hold anything: its end is the list's start
            start = self._text.find(">[", self._at)
            if start < 0:
                return ""
            self._at = start + 2
        parts = []
        while True:
            parts.append(self.location(depth + 1))
            if not self._takes(","):
                break
        self._takes("]")
        parts = [part for part in dict.fromkeys(parts) if part]
        return parts[0] if len(parts) == 1 else f"fused from {'; '.join(parts)}" if parts else ""

    def _next(self) -> re.Match[str] | None:
        while self._at < len(self._text) and self._text[self._at] == " " and not self._text.startswith(" at ", self._at):
            self._at += 1
        found = _TOKEN.match(self._text, self._at)
        self._at = found.end() if found else len(self._text)
        return found

    def _takes(self, mark: str) -> bool:
        while self._text.startswith(" ", self._at):
            self._at += 1
        if not self._text.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True
