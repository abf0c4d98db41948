"""Documents laid out beside JAX's own printer."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from jax._src import pretty_printer as pp

from visualizer.text._layout import Break, Doc, Group, Nest, join, layout

TEXTS = st.text("ab \xe9\u65e5\n", max_size=12) | st.integers(1, 60).map(lambda size: "x" * size)
DOCS: st.SearchStrategy[Doc] = st.recursive(
    TEXTS | st.sampled_from([Break(), Break(""), Break("; ")]),
    lambda inner: (
        st.lists(inner, max_size=5)
        | inner.map(Group)
        | st.builds(Nest, st.integers(0, 4), inner)
        | inner.map(lambda doc: lambda: doc)
        | st.lists(inner, max_size=4).map(lambda docs: join(Break(), docs))
    ),
    max_leaves=25,
)


def theirs(doc: Any) -> Any:
    if isinstance(doc, str):
        return pp.text(doc)
    if isinstance(doc, list):
        return pp.concat([theirs(part) for part in doc])
    if isinstance(doc, Break):
        return pp.brk(doc.flat)
    if isinstance(doc, Group):
        return pp.group(theirs(doc.doc))
    if isinstance(doc, Nest):
        return pp.nest(doc.by, theirs(doc.doc))
    return theirs(doc())


@given(DOCS)
def test_lines_break_where_jax_breaks_them(doc: Doc) -> None:
    assert layout(doc) == theirs(doc).format(use_color=False)


def test_what_is_deep_does_not_recurse() -> None:
    doc: Doc = "x"
    for _ in range(100_000):
        doc = Group(Nest(0, [doc]))
    assert layout(doc) == "x"
