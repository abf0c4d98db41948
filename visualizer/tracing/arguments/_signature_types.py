"""Types in the words of a signature: `f32[3]`, `key<fry>[]`, `~f32[]`, and Python expressions around them.

A text is read by Python's own parser, so pytrees, calls of the paste's classes, comprehensions and expressions for sizes are what they are
in Python. Three things are added: `f32[n, 3]` is a type (also with nothing between the brackets), `key<fry>[...]` is the type of random
keys, and `~` before a type makes it weak, as JAX prints it.

Promises: every failure is a SignatureError that says what could not be read, and where. Must never: take for a type what the paste itself
defines and can index.
"""

from __future__ import annotations

import ast
import io
import tokenize
from typing import Any

import jax
import numpy as np

from visualizer.tracing import compat
from visualizer.tracing.problems._errors import is_a, said_by

Dict = dict[str, Any]
_Shape = jax.ShapeDtypeStruct
_eval_shape, _key = jax.eval_shape, jax.random.key
_parse, _compile, _fix = ast.parse, compile, ast.fix_missing_locations
_tokens, _Text = tokenize.generate_tokens, io.StringIO
_BITS = {"int": (2, 4, 8, 16, 32, 64), "uint": (2, 4, 8, 16, 32, 64), "float": (16, 32, 64), "complex": (64, 128)}
_SMALL = ("e3m4", "e4m3", "e4m3b11fnuz", "e4m3fn", "e4m3fnuz", "e5m2", "e5m2fnuz", "e8m0fnu")
_FULL = ["bool", "bfloat16", *(f"{kind}{size}" for kind, sizes in _BITS.items() for size in sizes), *(f"float8_{kind}" for kind in _SMALL)]
_KEYS = {"fry": "threefry2x32", "rbg": "rbg", "urbg": "unsafe_rbg"}
MAX_TEXT = 20_000
MAX_RANK = 64
# More elements than any machine has bytes; sizes that a sum of a few of them cannot push over what JSON's numbers hold.
MAX_ELEMENTS = 2**48
_FILE = "<signature>"
_EXAMPLE = "Types are written as JAX prints them: f32[3], i32[], key<fry>[]."


def _word_of(name: str) -> str:
    return compat.aval_text(compat.ShapedArray((), np.dtype(name))).removesuffix("[]")


WORDS = {word: name for name in _FULL for word in (_word_of(name), name)}
"""The words for types, JAX's short ones and the full ones, and the names of their dtypes."""


class SignatureError(Exception):
    """A text that could not be read. `column` is where, 1-based (None: the whole); `cause`: what Python raised, if it did."""

    def __init__(self, message: str, column: int | None = None, advice: str = "", cause: BaseException | None = None) -> None:
        super().__init__(message)
        self.column = column
        self.advice = advice
        self.cause = cause


def read_type(text: str, namespace: Dict) -> Any:
    """The value of a text: types are ShapeDtypeStructs, the rest is what Python gives. Raises SignatureError."""
    if len(text) > MAX_TEXT:
        raise SignatureError(f"This is longer than {MAX_TEXT} characters.", advice="Give the structure in the paste, and its name here.")
    try:
        reading = _Reading(text)
        tree = _parse(reading.text, _FILE, "eval")
        own = _Types(namespace)
        code = _compile(_fix(own.visit(tree)), _FILE, "eval", dont_inherit=True)
    except BaseException as error:
        raise _unreadable(error, text) from None
    try:
        return eval(code, {**namespace, **own.used})
    except BaseException as error:
        raise _failed(error, reading) from None


class _Reading:
    """A text with `[]` after a word written as `[()]`, which Python can parse, and the way back."""

    def __init__(self, text: str) -> None:
        # A type may go over lines where Python would not let it; with comments in it, it may not.
        self.lines = text.replace("\r", "\n").strip()
        if "#" not in self.lines:
            self.lines = self.lines.replace("\n", " ")
        self.lead = len(text) - len(text.lstrip())
        self.inserted: list[int] = []
        for at in _empty_brackets(self.lines):
            self.inserted.append(at + 2 * len(self.inserted))
        parts, last = [], 0
        for index, at in enumerate(self.inserted):
            parts.append(self.lines[last : at - 2 * index])
            last = at - 2 * index
        self.text = "()".join([*parts, self.lines[last:]])

    def column(self, byte: int) -> int:
        """The 1-based column of the person's text for a 0-based byte of ours."""
        char = len(self.text.encode("utf-8", "surrogatepass")[:byte].decode("utf-8", "ignore"))
        return self.lead + char - 2 * sum(1 for at in self.inserted if at < char) + 1


def _empty_brackets(text: str) -> list[int]:
    """Where in a text `()` must stand for `f32[]` to be Python: between a bracket that follows a word or `>` and the one that closes it."""
    found: list[int] = []
    before: list[tokenize.TokenInfo] = []
    try:
        for token in _tokens(_Text(text).readline):
            if token.string == "]" and len(before) == 2 and before[1].string == "[" and before[0].type == tokenize.NAME:
                found.append(token.start[1])
            before = [*before[-1:], token]
    except (tokenize.TokenError, SyntaxError):  # Python's parser says it better
        pass
    return found


class _Types(ast.NodeTransformer):
    """Names the types of a text by words that no person can write, and remembers what they mean."""

    def __init__(self, namespace: Dict) -> None:
        self._namespace = namespace
        self.used: Dict = {}

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and not self._is_the_pastes(node.value.id) and node.value.id in WORDS:
            node.value = self._word(node.value, node.value.id, WORDS[node.value.id])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`key<fry>[2]`, which Python takes for two comparisons."""
        self.generic_visit(node)
        parts = [node.left, *node.comparators]
        if len(parts) != 3 or not isinstance(node.ops[0], ast.Lt) or not isinstance(node.ops[1], ast.Gt):
            return node
        word, kind, sizes = parts
        if (
            isinstance(word, ast.Name)
            and word.id == "key"
            and isinstance(kind, ast.Name)
            and kind.id in _KEYS
            and isinstance(sizes, ast.List)
        ):
            value = self._word(word, f"key<{kind.id}>", _key_dtype(_KEYS[kind.id]))
            shape = ast.copy_location(ast.Tuple(sizes.elts, ast.Load()), sizes)
            return ast.copy_location(ast.Subscript(value, shape, ast.Load()), node)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        operand = node.operand
        if isinstance(node.op, ast.Invert) and isinstance(operand, ast.Subscript) and isinstance(operand.value, ast.Name):
            word = self.used.get(operand.value.id)
            if isinstance(word, _Word):
                operand.value = self._word(operand.value, "~" + word.word, word.dtype)
                return ast.copy_location(operand, node)
        return node

    def _word(self, at: ast.expr, word: str, dtype: Any) -> ast.Name:
        name = f"{word} []"
        self.used[name] = _Word(word, dtype)
        return ast.copy_location(ast.Name(name, ast.Load()), at)

    def _is_the_pastes(self, name: str) -> bool:
        """Whether the paste has a thing of this name that can be indexed. `f32 = jnp.float32` cannot."""
        value = self._namespace.get(name)
        return value is not None and hasattr(type(value), "__getitem__")


def _key_dtype(impl: str) -> Any:
    return _eval_shape(lambda: _key(0, impl=impl)).dtype


class _Word:
    """The word before the brackets."""

    def __init__(self, word: str, dtype: Any) -> None:
        self.word, self.dtype = word, dtype

    def __getitem__(self, sizes: Any) -> Any:
        shape = sizes if type(sizes) is tuple else (sizes,)
        if len(shape) > MAX_RANK:
            raise SignatureError(f"An array has at most {MAX_RANK} axes, this one has {len(shape)}.")
        count = 1
        for size in shape:
            if isinstance(size, (bool, np.bool_)) or not isinstance(size, (int, np.integer)):
                raise SignatureError(f"A size in {self.word}[...] is a whole number, not {_said(size)}.")
            if size < 0:
                raise SignatureError(f"A size in {self.word}[...] cannot be negative: {_said(size)}.")
            count *= max(int(size), 1)
            if count > MAX_ELEMENTS:
                raise SignatureError("This array would have more than 2**48 elements.")
        return _Shape(tuple(map(int, shape)), self.dtype, weak_type=self.word.startswith("~"))


def _said(value: Any) -> str:
    if type(value) is int and value.bit_length() > 64:
        return "one of that length"
    return repr(value)[:40] if type(value) in (int, float, str, bool, complex) else f"a {type(value).__name__}"


def _unreadable(error: BaseException, text: str) -> SignatureError:
    """What Python's parser, or its compiler, said."""
    if is_a(error, (SyntaxError,)):
        reading = _Reading(text)
        offset = getattr(error, "offset", None) or len(reading.text) + 1
        column = reading.column(len(reading.text[: offset - 1].encode("utf-8", "surrogatepass")))
        if not text.strip():
            return SignatureError("Nothing is written here.", 1, _EXAMPLE)
        return SignatureError(said_by(error), min(column, len(text) + 1), _EXAMPLE, error)
    if is_a(error, (RecursionError, MemoryError)):
        return SignatureError("This is nested too deeply to be read.", advice="Give the structure in the paste, and its name here.")
    return SignatureError(said_by(error), advice=_EXAMPLE, cause=error)


def _failed(error: BaseException, reading: _Reading) -> SignatureError:
    """What evaluating a text raised, at the place of the text where it was raised."""
    column = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == _FILE:
            positions = list(trace.tb_frame.f_code.co_positions())
            index = trace.tb_lasti // 2
            byte = positions[index][2] if 0 <= index < len(positions) else None
            column = reading.column(byte) if byte is not None else column
        trace = trace.tb_next
    if is_a(error, (SignatureError,)):
        error.column = column  # type: ignore[attr-defined]
        error.advice = _EXAMPLE  # type: ignore[attr-defined]
        return error  # type: ignore[return-value]
    advice = _EXAMPLE if is_a(error, (NameError,)) else ""
    return SignatureError(said_by(error), column, advice, error)
