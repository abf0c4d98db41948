"""What "token for token" means: two printed jaxprs are equal up to where their lines break.

JAX's printer knows three breaks: a space, nothing (beside a bracket of params), and `; ` between equations. On a new line each of them is a
line break with indentation. So outside of string literals white space only separates, brackets and commas stand alone, and a semicolon
counts in the head of a jaxpr (`lambda a ; b .`) but not between equations. All else must be the same, character by character.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<string> '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" )
  | (?P<mark> [][(){},;] )
  | (?P<word> (?: [^][(){},;\s'"] | '(?![^'\n]*') | "(?![^"\n]*") )+ )
  | (?P<quote> ['"] )
  | (?P<space> \s+ )
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[str]:
    """The tokens of a printed jaxpr."""
    found: list[str] = []
    head = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if match.lastgroup == "space":
            continue
        if match.lastgroup == "word":
            head = token == "lambda" or (head and token != "let")
        if token != ";" or head:
            found.append(token)
    return found


def first_difference(ours: str, theirs: str) -> str | None:
    """None where the two are equal token for token; else where they first differ."""
    left, right = tokens(ours), tokens(theirs)
    for number, (a, b) in enumerate(zip(left, right, strict=False)):
        if a != b:
            around = slice(max(0, number - 6), number + 4)
            return f"token {number}: ours {' '.join(left[around])!r}, JAX {' '.join(right[around])!r}"
    return None if len(left) == len(right) else f"{len(left)} tokens, JAX has {len(right)}: {(left + right)[min(len(left), len(right))]!r}"
