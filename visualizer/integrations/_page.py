"""Which page of MkDocs or Zensical a fence stands in, and whether a warning is to end the build there.

Promises: where neither is known, because another builder uses the fence, there is no page and nothing ends. Must never: import a builder.
"""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Page:
    """`path` is that of the page in its folder of documents, or empty. `strict`: nobody but the fence can end the build."""

    path: str = ""
    strict: bool = False


def page_of_markdown(md: Any) -> Page:
    """The page that an instance of Markdown converts."""
    # MkDocs keeps the file where links are made relative; it counts the warnings that are logged itself.
    links = _registered(md, "treeprocessors", "relpath")
    if links is not None:
        return Page(str(getattr(getattr(links, "file", None), "src_uri", "")))
    # Zensical keeps the page and its settings, and knows nothing of logging. Its `--strict` reaches no extension.
    context = _registered(md, "preprocessors", "rendering_context")
    if context is not None:
        settings = getattr(context, "config", None) or {}
        strict = bool(settings.get("strict")) or bool({"-s", "--strict"}.intersection(sys.argv[1:]))
        return Page(str(getattr(getattr(context, "page", None), "path", "")), strict)
    return Page()


def _registered(md: Any, where: str, name: str) -> Any:
    # A registry of Markdown's is no dictionary.
    with contextlib.suppress(AttributeError, KeyError, TypeError):
        return getattr(md, where)[name]
    return None
