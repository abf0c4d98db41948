"""From a paste or a file of MLIR to the programs of an answer: one for each module in it.

Promises: a section that cannot be read says why, at its line, and takes nothing with it. Before each section it is said on the way out
which one comes (`reading`), so that the parser's death, which this process does not survive, can be told of: the request then comes again
and says which sections (`died`) are to be left out.
Must never: raise on what a module holds.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import Any

from visualizer.tracing._answer import Answer
from visualizer.tracing._given import Emit, Given
from visualizer.tracing.lowering._links import argument_label
from visualizer.tracing.mlir._derived_roles import derive_roles
from visualizer.tracing.mlir._module import SerializedModule, serialize_module
from visualizer.tracing.problems._errors import diagnostic
from visualizer.tracing.problems._sayings import internal

from ._brackets import without_locations
from ._locations import location_text
from ._names import give
from ._parse import Parser, Problem
from ._places import Places
from ._sections import Section, sections_of
from ._words import advice, dead, given_up

Dict = dict[str, Any]
# How many sections of a paste are shown, and how many are said to be wrong one by one.
MAX_MODULES = 1_000
MAX_PROBLEMS = 100
# After so many deaths of the parser nothing more is tried.
MAX_DEATHS = 4
_TOKEN = re.compile(r'"[^"\n]*"|[%@#!^]?[\w.$\-]+|\S')
_PLAIN = frozenset({"builtin", "func"})


def read_modules(given: Given, answer: Answer, emit: Emit) -> None:
    """Read what was given (see `_readers.py`)."""
    work = _Reading(given, answer, emit)
    with answer.timed("read"):
        if given.data is not None:
            work.file(given.data)
        else:
            work.text()
    work.finish()
    emit(answer.message())


class _Reading:
    def __init__(self, given: Given, answer: Answer, emit: Emit) -> None:
        self._source, self._answer, self._emit = given.source, answer, emit
        self._died: dict[int, str] = {int(index): str(why) for index, why in given.request.get("died") or ()}
        self._parser = Parser()
        self._unknown: Counter[str] = Counter()
        self._problems = 0
        self._several = False

    def file(self, data: bytes) -> None:
        """The module of a file of bytecode."""
        whole = Section(0, "", 0)
        if self._starts(whole):
            self._take(whole, self._parser.data(data), text=False)

    def text(self) -> None:
        """The modules of a text."""
        sections = list(sections_of(self._source.text))
        wanted = [section for section in sections if not section.empty]
        self._several = len(sections) > 1
        slow = sum(why in ("cpu", "wall") for why in self._died.values())
        last = max(self._died) if len(self._died) >= MAX_DEATHS or slow > 1 else None
        for section in wanted:
            if last is not None and section.index > last:
                self._answer.add(given_up(self._lines_of(section)))
                return
            if len(self._answer.trace["programs"]) >= MAX_MODULES:
                self._answer.note(f"The first {MAX_MODULES:,} modules are shown; the text has {len(wanted):,} sections.")
                return
            if self._starts(section):
                self._take(section, self._parser.text(section.text), text=True)
        if not wanted:
            self._answer.add(diagnostic("empty-paste", "There is no module in the text, only comments.", advice="Paste the whole module."))

    def finish(self) -> None:
        """Say what is said of the whole."""
        if self._unknown:
            some = ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in self._unknown.most_common(8))
            more = f" and {len(self._unknown) - 8} more" if len(self._unknown) > 8 else ""
            self._answer.note(f"jaxlib does not know these operations, so they are kept as they stand, unchecked: {some}{more}.")
        if self._problems > MAX_PROBLEMS:
            self._answer.note(f"{self._problems - MAX_PROBLEMS:,} more sections cannot be read; the first {MAX_PROBLEMS} say why.")

    def _starts(self, section: Section) -> bool:
        """Whether a section is to be read. One that ended the process before is not."""
        why = self._died.get(section.index)
        if why is None:
            self._emit({"reading": section.index})
            return True
        self._answer.add(dead(why, self._lines_of(section), self._several))
        return False

    def _take(self, section: Section, found: Any, *, text: bool) -> None:
        if isinstance(found, Problem):
            self._refuse(section, found, text=text)
            return
        try:
            made = serialize_module(found, label=argument_label)
            dialect = self._named(made)
            derive_roles(made.module)
            spans = self._placed(section, found, made) if text else False
            title = _title(found, made)
        except (RecursionError, MemoryError) as error:
            self._answer.add({**internal(error), "span": self._lines_of(section), "stage": "read"})
            return
        except Exception as error:  # what bytes say need not make sense, and each binding has its own words for it
            message = f"jaxlib's parser read the module, but it cannot be walked: {str(error).strip() or type(error).__name__}"
            self._answer.add(diagnostic("mlir-error", message, type_="MLIRError", advice=advice(message), span=self._lines_of(section)))
            return
        if not spans and text:
            self._answer.note("Where the operations stand in the text is not known, so hovering a line does not light them.")
        made.module["dialect"] = dialect
        self._answer.trace["programs"].append(self._program(section, made, title, text=text))

    def _named(self, made: SerializedModule) -> str:
        """Fill in what every operation says of where it comes from; the dialect that most of them are of."""
        said: dict[str, str | None] = {}
        dialects: Counter[str] = Counter()
        registered: dict[str, bool] = {}
        for op, wire in made.ops:
            name = wire["name"]
            if name not in registered:
                registered[name] = self._parser.registered(name)
            if not registered[name]:
                self._unknown[name] += 1
            dialects[name.partition(".")[0]] += 1
            text = str(op.location)
            if text not in said:
                said[text] = location_text(text)
            if said[text] is not None:
                wire["location"] = said[text]
        return next((name for name, _ in dialects.most_common() if name not in _PLAIN), "builtin")

    def _placed(self, section: Section, module: Any, made: SerializedModule) -> bool:
        """Fill in where every operation stands in the paste. False where that cannot be told."""
        bare = without_locations(section.text)
        placed = module if bare is section.text else self._parser.text(bare)
        if isinstance(placed, Problem):
            return False
        found = list(Places(placed, section.text, section.before, self._source).spans())
        ops = iter(made.ops)
        functions = iter(made.module["functions"])
        wires: list[tuple[str, Dict]] = []
        for view in module.body.operations:
            inner = view.operation
            if inner.name == "func.func":
                function = next(functions)
                wires.append(("func.func", function))
                count = len(made.inside[function["name"]])
            else:
                count = _count(inner)
            wires += [(op.name, wire) for op, wire in itertools.islice(ops, count)]
        if [name for name, _ in wires] != [name for name, *_ in found]:
            return False
        values = made.module["values"]
        for (name, wire), (_, span, results, binders) in zip(wires, found, strict=True):
            wire["span"] = span
            if name == "func.func":
                give(values, wire.get("args", []), binders)
            else:
                give(values, wire["results"], results)
                for block in (block for region in wire["regions"] for block in region["blocks"]) if binders else ():
                    give(values, block["args"], binders)
        return True

    def _program(self, section: Section, made: SerializedModule, title: str, *, text: bool) -> Dict:
        module = made.module
        spans = {wire["id"]: wire["text_span"] for _, wire in made.ops if wire["text_span"] is not None}
        return {
            "id": f"p{len(self._answer.trace['programs'])}",
            "name": title or (f"section {section.index + 1}" if self._several else "module"),
            "origin": "module",
            "count": 1,
            "span": self._lines_of(section) if text and self._several else None,
            "entry": None,
            "jaxprs": {},
            "twins": [],
            "texts": {"stablehlo": {"text": module["text"], "spans": spans}},
            "modules": {"stablehlo": module},
            "links": {},
        }

    def _refuse(self, section: Section, problem: Problem, *, text: bool) -> None:
        self._problems += 1
        if self._problems > MAX_PROBLEMS:
            return
        if problem.line is None and text and (bare := without_locations(section.text)) is not section.text:
            # The message names the file that the operation comes from; without locations it names the line of the paste.
            again = self._parser.text(bare)
            problem = again if isinstance(again, Problem) else problem
        span = self._place(section, problem) if text else None
        message = problem.message or "The parser gives no reason."
        self._answer.add(diagnostic("mlir-error", message, type_="MLIRError", advice=advice(message), span=span))

    def _place(self, section: Section, problem: Problem) -> Dict | None:
        if problem.line is None:
            return self._lines_of(section)
        line = section.before + problem.line
        if not 1 <= line <= len(self._source.lines):
            return self._source.whole_line(len(self._source.lines))
        text = self._source.lines[line - 1].text
        start = len(text.encode("utf-8", "surrogatepass")[: problem.column].decode("utf-8", "ignore"))
        token = _TOKEN.match(text, start)
        return self._source.chars(line, start, line, token.end() if token else len(text))

    def _lines_of(self, section: Section) -> Dict | None:
        """From the first line of a section with anything in it to the last."""
        lines = section.text.split("\n")
        full = [at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("//")] or [0]
        first, last = section.before + full[0] + 1, section.before + full[-1] + 1
        return self._source.chars(first, 0, last, len(self._source.lines[last - 1].text))


def _count(op: Any) -> int:
    return 1 + sum(_count(view.operation) for region in op.regions for block in region.blocks for view in block.operations)


def _title(module: Any, made: SerializedModule) -> str:
    """What a module is called: its name, or that of its main function: the one of that name, the only one that no other calls, the only
    public one of those. Where none is more than the others, how many there are. "" where there is none."""
    if made.module["name"]:
        return f"@{made.module['name']}"
    names = [function["name"] for function in made.module["functions"]]
    called = {wire["callee"] for _, wire in made.ops}
    roots = [name for name in names if name not in called] or names
    public = _public(module)
    main = next(
        (group[0] for group in (["main"] if "main" in names else [], roots, [one for one in roots if one in public]) if len(group) == 1), ""
    )
    return f"@{main}" if main else f"{len(names):,} functions" if names else ""


def _public(module: Any) -> set[str]:
    """The functions that are said to be so, and where none is, those that are not said to be private."""
    said: dict[str, str] = {}
    for view in module.body.operations:
        attributes = view.operation.attributes
        if "sym_name" in attributes:
            visibility = str(attributes["sym_visibility"]) if "sym_visibility" in attributes else ""
            said[str(attributes["sym_name"]).strip('"')] = visibility.strip('"')
    return {name for name, visibility in said.items() if visibility == "public"} or {
        name for name, visibility in said.items() if visibility != "private"
    }
