"""A program written as JAX prints its jaxpr, from the structure on the wire alone.

Promises: for a program that `tracing` serialised with its text, token for token what `str(closed_jaxpr)` prints (JAX 0.10.2,
`core.pp_toplevel_jaxpr`; of an older JAX what that one prints, as `Program.printer` says); the line breaks are JAX's too, except inside
equations that have a printing rule wholly their own.
Must never: read `Program.texts`; fail on a program that the model accepts and whose ids are all there; recurse.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from visualizer.model import Atom, Eqn, Hoisted, Jaxpr, JaxprPiece, LiteralAtom, Piece, PrintedParam, Printer, Program, TextPiece, VarAtom

from ._hoisting import hoisted, names_of, refuse_cycles, stands_in
from ._layout import Break, Doc, Group, Nest, join, layout


def jaxpr_text(program: Program) -> str:
    """The program as JAX prints it.

    Raises ValueError where there is no jaxpr to write (a pasted module), where a jaxpr contains itself, and where an id names nothing.
    """
    if program.entry is None:
        raise ValueError(f"{program.id} has no jaxpr: it is a module without one.")
    try:
        refuse_cycles(program)
        return layout(_printing(program, hoisted(program), {}).toplevel(program.entry))
    except KeyError as error:
        raise ValueError(f"{program.id} names {error.args[0]}, which it does not hold.") from None


@dataclass(frozen=True)
class _Printing:
    """One printing: letters are given once in it. `letters` holds those that are not the variables' own."""

    program: Program
    ahead: Sequence[Hoisted]
    names: Mapping[str, str]
    letters: Mapping[str, str]

    def toplevel(self, jaxpr: str) -> Doc:
        lets: list[Doc] = [
            ["let ", each.name, " = ", self._let(number)._body(each.jaxprs[0]), " in", Break()]
            for number, each in enumerate(self.ahead)
            if each.jaxprs
        ]
        return [*lets, self._body(jaxpr)]

    def _let(self, number: int) -> _Printing:
        """What prints a jaxpr that stands ahead: an older JAX knew the names of those before it alone."""
        return self if _printer(self.program).named_first else replace(self, names=names_of(self.ahead[:number]))

    def _nested(self, jaxpr: str) -> Doc:
        name = self.names.get(jaxpr)
        return name if name is not None else lambda: self._body(jaxpr)

    def _body(self, key: str) -> Doc:
        jaxpr = self.program.jaxprs[key]
        eqns = join(Break("; "), [_later(self, jaxpr, eqn) for eqn in jaxpr.eqns])
        outvars = _vars([self._atom(jaxpr, atom) for atom in jaxpr.outvars], ",")
        inside = ["{ ", "lambda ", self._binders(jaxpr, jaxpr.constvars), "; ", self._binders(jaxpr, jaxpr.invars), ". ", "let"]
        end: list[Doc] = [Break(), "in ", "(", outvars, ",)" if len(jaxpr.outvars) == 1 else ")"]
        return Group([Nest(2, [*inside, Nest(2, [Break(), *eqns]), *end]), " }"])

    def eqn(self, jaxpr: Jaxpr, eqn: Eqn) -> Doc:
        printed = eqn.printed
        if printed is not None and printed.pieces is not None:
            return self._pieces(jaxpr, printed.pieces)
        if printed is not None and printed.params is not None:
            params: Iterable[PrintedParam] = printed.params
        else:
            params = [PrintedParam(name=param.name, pieces=None) for param in eqn.params]
        results: list[Doc] = [self._binders(jaxpr, [result.var for result in eqn.results]), " = "] if eqn.results else []
        operands = _vars([self._atom(jaxpr, operand.atom) for operand in eqn.operands])
        return [*results, eqn.primitive, self._params(jaxpr, eqn, params), " ", operands]

    def _params(self, jaxpr: Jaxpr, eqn: Eqn, params: Iterable[PrintedParam]) -> Doc:
        docs: list[Doc] = []
        for param in params:
            value = self._value(eqn, param.name) if param.pieces is None else self._pieces(jaxpr, param.pieces)
            docs.append([f"{param.name}=", value])
        if not docs:
            return ""
        return Group([Nest(2, ["[", Break(""), *join(Break(), docs)]), Break(""), "]"])

    def _value(self, eqn: Eqn, name: str) -> Doc:
        """What JAX prints for a param of which nothing special is said: a jaxpr, a tuple of jaxprs, or text."""
        text = next((param.text for param in eqn.params if param.name == name), None)
        if text is None:
            raise KeyError(name)
        nested = [call for call in eqn.nested if stands_in(call, name)]
        if nested and nested[0].param == name:
            return self._nested(nested[0].jaxpr)
        if nested or text == "()":
            return Group([Nest(2, ["(", Break(""), *join(Break(), [self._nested(call.jaxpr) for call in nested])]), Break(""), ")"])
        return text

    def _pieces(self, jaxpr: Jaxpr, pieces: Iterable[Piece]) -> Doc:
        docs: list[Doc] = []
        for piece in pieces:
            if isinstance(piece, TextPiece):
                docs.append(piece.text)
            elif isinstance(piece, JaxprPiece):
                docs.append(self._piece(piece))
            else:
                docs.append(self._atom(jaxpr, piece))
        return docs

    def _piece(self, piece: JaxprPiece) -> Doc:
        if piece.alone is None:
            return self._nested(piece.jaxpr)
        alone = _printing(self.program, piece.alone.hoisted, piece.alone.letters)
        # JAX makes a text of it first, at the left margin, and that text stands here as it is.
        return lambda: layout(alone.toplevel(piece.jaxpr))

    def _binders(self, jaxpr: Jaxpr, variables: Iterable[str]) -> Doc:
        return _vars([_typed(self._letter(jaxpr, var), jaxpr.vars[var].aval) for var in variables])

    def _letter(self, jaxpr: Jaxpr, var: str) -> str:
        letter = self.letters.get(var)
        return letter if letter is not None else jaxpr.vars[var].name

    def _atom(self, jaxpr: Jaxpr, atom: Atom | VarAtom) -> str:
        if isinstance(atom, LiteralAtom):
            return _typed(atom.literal, atom.aval) if _printer(self.program).typed_literals else atom.literal
        return self._letter(jaxpr, atom.var)


def _printer(program: Program) -> Printer:
    return program.printer or _NEWEST


_NEWEST = Printer(typed_literals=True, named_first=True)


def _printing(program: Program, ahead: Sequence[Hoisted], letters: Mapping[str, str]) -> _Printing:
    return _Printing(program, ahead, names_of(ahead), letters)


def _typed(text: str, aval: str) -> str:
    # What was read from a print of a version that prints no types of literals has none.
    return f"{text}:{aval}" if aval else text


def _later(printing: _Printing, jaxpr: Jaxpr, eqn: Eqn) -> Doc:
    return lambda: printing.eqn(jaxpr, eqn)


def _vars(texts: list[str], separator: str = "") -> Doc:
    return Nest(2, Group(join([separator, Group(Break())], list(texts)))) if texts else ""
