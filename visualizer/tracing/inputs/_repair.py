"""The repairs of a paste that Python cannot read: what chats, web pages, notebooks and documents put around code or into it.

Each takes the lines and returns them (as many) with a note about what it changed, or the same list when it changed nothing.

Promises: strings keep their text; the number of lines stays.
Must never: touch a line that is inside a string.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from visualizer.tracing.source._paste import Line
from visualizer.tracing.source._scan import scan

Repair = Callable[[list[Line]], tuple[list[Line], str]]
_MAX_LISTED = 8


def listed(numbers: list[int]) -> str:
    """`Line 3`, `Lines 1, 2 and 9`, `Lines 1, 2, 3, ... (40 lines)` of 0-based numbers."""
    names = [str(number + 1) for number in numbers]
    if len(names) == 1:
        return f"Line {names[0]}"
    if len(names) > _MAX_LISTED:
        return f"Lines {', '.join(names[:4])}, ... ({len(names)} lines)"
    return f"Lines {', '.join(names[:-1])} and {names[-1]}"


def _apply(lines: list[Line], edits: dict[int, Line]) -> list[Line]:
    return [edits.get(number, line) for number, line in enumerate(lines)]


# ---------------------------------------------------------------- characters
_SPACES = dict.fromkeys("\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " ")
_NOTHING = dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff", "")
_MARKS = {**dict.fromkeys("‐‑‒–—―−－", "-"), "…": "...", "×": "*", "÷": "/", "＝": "=", "，": ",", "：": ":", "；": ";"}
_MARKS |= dict(zip("（）［］｛｝＋＊／＜＞．＿％＆｜＠", "()[]{}+*/<>._%&|@", strict=True))
_CODE_CHARACTERS = {**_SPACES, **_NOTHING, **_MARKS}
_ODD = re.compile("[" + "".join(map(re.escape, _CODE_CHARACTERS)) + "]")


def plain_characters(lines: list[Line]) -> tuple[list[Line], str]:
    """Typographic quotes, dashes, spaces and invisible characters outside strings become what Python knows."""
    edits: dict[int, Line] = {}
    for number, (line, state) in enumerate(zip(lines, scan([line.text for line in lines]), strict=True)):
        if line.text.isascii():
            continue
        changes = [(at, at + 1, quote) for at, quote in state.quotes if line.text[at] != quote]
        for start, end in state.code:
            changes += [(odd.start(), odd.end(), _CODE_CHARACTERS[odd.group()]) for odd in _ODD.finditer(line.text, start, end)]
        if changes:
            edits[number] = line.edited(sorted(changes))
    if not edits:
        return lines, ""
    return _apply(
        lines, edits
    ), f"{listed(list(edits))}: typographic quotes, dashes, spaces or invisible characters were replaced by plain ones."


# ---------------------------------------------------------------- Markdown
_FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`]*)$")
_PYTHON_INFO = re.compile(r"(?i)^[{.:\s]*(?:py|python\d?(?:\.\d+)?|ipython\d?|pycon|jupyter|code-cell|code-block)\b")


def unfenced(lines: list[Line]) -> tuple[list[Line], str]:
    """Only what stands between Markdown fences is kept, of several languages the Python."""
    states = scan([line.text for line in lines])
    marks = [
        (number, found["mark"], found["info"].strip())
        for number, line in enumerate(lines)
        if not states[number].in_string and (found := _FENCE.match(line.text))
    ]
    if not marks:
        return lines, ""
    blocks = _blocks(marks, len(lines))
    python = [block for block in blocks if _PYTHON_INFO.match(block[0])] or [block for block in blocks if not block[0]] or blocks
    kept = {number for _, start, end in python for number in range(start, end)}
    fences = {number for number, _, _ in marks}
    if not any(lines[number].text.strip() for number in kept - fences):
        kept = set(range(len(lines)))  # a stray fence: the code stands outside
    dropped = [number for number, line in enumerate(lines) if line.text.strip() and (number not in kept or number in fences)]
    return _apply(
        lines, {number: lines[number].blank() for number in dropped}
    ), f"{listed(dropped)}: Markdown around the code was left out."


def _blocks(marks: list[tuple[int, str, str]], end: int) -> list[tuple[str, int, int]]:
    """(info, first line, line after the last) of each fenced block."""
    blocks = []
    opened: tuple[int, str, str] | None = None
    for number, mark, info in marks:
        if opened is None:
            opened = (number, mark, info)
        elif mark[0] == opened[1][0] and len(mark) >= len(opened[1]) and not info:
            blocks.append((opened[2], opened[0] + 1, number))
            opened = None
    if opened is not None:
        blocks.append((opened[2], opened[0] + 1, end))
    return blocks


# ---------------------------------------------------------------- prompts
_PROMPT = re.compile(r"(?:[ \t]*(?:>>>(?: |$|(?=\S))|In ?\[[ \d*]*\]:[ ]?))+")  # again and again: copied from a copy
_PYTHON_MORE = re.compile(r"[ \t]*\.\.\.(?: |$)")
_CELL_PROMPT = re.compile(r"[ \t]*In ?\[[ \d*]*\]:[ ]?")
_CELL_MORE = re.compile(r"[ \t]*\.{3,}:[ ]?")
_CELL_OUT = re.compile(r"[ \t]*Out ?\[[ \d*]*\]:")


def unprompted(lines: list[Line]) -> tuple[list[Line], str]:
    """`>>>`, `...` and `In [1]:` are cut off; what the session printed is left out."""
    states = scan([line.text for line in lines])
    is_prompt = [not state.in_string and bool(_PROMPT.match(line.text)) for line, state in zip(lines, states, strict=True)]
    if not any(is_prompt):
        return lines, ""
    first = is_prompt.index(True)
    edits: dict[int, Line] = {}
    if not _has_statement([line.text for line in lines[:first]]):
        edits = {number: line.blank() for number, line in enumerate(lines[:first]) if line.text}
    more, free = _PYTHON_MORE, False  # free: a notebook cell whose code stands below its prompt
    for number, line in enumerate(lines[first:], first):
        if is_prompt[number]:
            cell = bool(_CELL_PROMPT.match(line.text))
            more = _CELL_MORE if cell else _PYTHON_MORE
            edits[number] = line.edited([(0, _end(_PROMPT, line.text), "")])
            free = cell and not edits[number].text.strip()
        elif more.match(line.text):
            edits[number] = line.edited([(0, _end(more, line.text), "")])
        elif _CELL_OUT.match(line.text):
            free = False
            edits[number] = line.blank()
        elif not free and line.text:
            edits[number] = line.blank()
    edits = {number: line for number, line in edits.items() if line.text != lines[number].text}
    return _apply(lines, edits), "Prompts (>>>, In [1]:) were cut off, and what the session printed was left out."


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _has_statement(lines: list[str]) -> bool:
    """Whether lines are Python that does something: prose may parse as an expression."""
    try:
        tree = ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return any(not isinstance(node, ast.Expr) for node in tree.body)


# ---------------------------------------------------------------- indentation
_BLANKS = re.compile(r"[ \t]*")


def dedented(lines: list[Line]) -> tuple[list[Line], str]:
    """Indentation that every line has is cut off, also where only the first line lost it while it was copied."""
    states = scan([line.text for line in lines])
    indents = {
        number: _indent(line.text)
        for number, line in enumerate(lines)
        if states[number].starts_statement and line.text.strip() and not line.text.lstrip().startswith("#")
    }
    if not indents:
        return lines, ""
    first = min(indents)
    lost = not indents[first] and len(indents) > 1 and not lines[first].text.rstrip().endswith(":")
    common = _common([indent for number, indent in indents.items() if not (lost and number == first)])
    if not common:
        return lines, ""
    edits = {}
    for number, line in enumerate(lines):
        width = min(len(common), len(_indent(line.text)))
        if width and not (lost and number == first):
            edits[number] = line.edited([(0, width, "")])
    return _apply(lines, edits), "The indentation that all lines share was cut off."


def _indent(text: str) -> str:
    found = _BLANKS.match(text)
    return found.group() if found else ""


def _common(indents: list[str]) -> str:
    low, high = min(indents), max(indents)
    for index, char in enumerate(low):
        if index >= len(high) or high[index] != char:
            return low[:index]
    return low


# ---------------------------------------------------------------- notebooks
_MAGIC = re.compile(
    r"(?P<indent>[ \t]*)(?:"
    r"%{1,2}[A-Za-z]|!"
    r"|(?:[A-Za-z_]\w*\s*(?:,\s*\w+\s*)*=\s*)(?:%[A-Za-z]|!)"  # files = !ls
    r"|\?{1,2}[A-Za-z_]|[A-Za-z_][\w.]*\?{1,2}\s*$)"  # ?name, name?
)
_OTHER_LANGUAGE = re.compile(r"%%(?:bash|sh|script|html|javascript|js|latex|markdown|svg|writefile|file|perl|ruby|cmd|sql|cython)\b")
_NEXT_CELL = re.compile(r"%%\w|# ?%%|# In\[")
_SET_ENV = re.compile(r"[ \t]*%(?:set_)?env\s+(?P<name>\w+)(?:\s*=\s*|\s+)(?P<value>.*?)\s*$")


def without_magics(lines: list[Line]) -> tuple[list[Line], str]:
    """Notebook commands (%, %%, !, ?) are left out; %env is kept as what it does."""
    states = scan([line.text for line in lines])
    edits: dict[int, Line] = {}
    other = False
    for number, line in enumerate(lines):
        if other and _NEXT_CELL.match(line.text):
            other = False
        if other:
            if line.text.strip():
                edits[number] = line.blank()
        elif states[number].starts_statement and (found := _MAGIC.match(line.text)):
            other = bool(_OTHER_LANGUAGE.match(line.text))
            edits[number] = line.edited([(0, len(line.text), _instead(line.text, found["indent"]))])
    if not edits:
        return lines, ""
    return _apply(lines, edits), f"{listed(list(edits))}: notebook commands are not Python and were left out."


def _instead(text: str, indent: str) -> str:
    env = _SET_ENV.match(text)
    if env:
        return f"{indent}__import__('os').environ[{env['name']!r}] = {env['value']!r}"
    return f"{indent}pass" if indent else ""


REPAIRS: tuple[Repair, ...] = (unfenced, plain_characters, unprompted, dedented, without_magics)
