"""What "token for token" means: two printed jaxprs are equal up to where their lines break.

JAX's printer knows three breaks: a space, nothing (after an opening and before a closing bracket), and `; ` between equations. Where it
breaks the line, each of them is a line break with indentation. So, outside of string literals: white space is one separator, whatever
its length; a line break inside a bracket, at its edge, is nothing; and a semicolon between equations is not compared, while the one in the
head of a jaxpr (`lambda a ; b .`) is. All else must be the same, character by character.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""
    (?P<string> '(?:[^'\\\n]|\\.)*' | "(?:[^"\\\n]|\\.)*" )
  | (?P<mark> [][(){},;] )
  | (?P<space> \s+ )
  | (?P<word> [^][(){},;\s'"]+ )
  | (?P<quote> ['"] )
    """,
    re.VERBOSE,
)


def tokens(text: str) -> list[str]:
    """The tokens of a printed jaxpr; a separator is a token too."""
    found: list[str] = []
    head = broken = False
    for match in _TOKEN.finditer(text):
        token = match.group()
        if match.lastgroup == "space":
            broken = "\n" in token
            at_edge = broken and found[-1:] in (["["], ["("])
            if not at_edge and found[-1:] != [" "]:
                found.append(" ")
            continue
        if token in ("]", ")") and broken and found[-1:] == [" "]:
            found.pop()
        broken = False
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
            around = slice(max(0, number - 9), number + 6)
            return f"token {number}: ours {''.join(left[around])!r}, JAX {''.join(right[around])!r}"
    return None if len(left) == len(right) else f"{len(left)} tokens, JAX has {len(right)}"
