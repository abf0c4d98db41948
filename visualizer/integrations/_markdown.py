"""The fence `jaxpr` of pymdownx.superfences: a diagram in a page of MkDocs or Zensical.

Promises: whatever fails is a warning with its page (which `--strict` makes an error), and the code stands in the figure's place; all
that is the author's is escaped. Must never: trace or draw in the builder's process.
"""

from __future__ import annotations

import html
import logging
from pathlib import Path
from typing import Any

from ._maker import picture
from ._page import page_of_markdown
from ._wanted import NotDrawn, Wanted, is_function, options_of

# MkDocs counts what is logged below its name.
_logger = logging.getLogger("mkdocs.plugins.jaxpr")
_CACHE = Path(".cache", "jaxpr")
_CHOICES = {
    "align": ("left", "center", "right"),
    "direction": ("TB", "LR"),
    "level": ("jaxpr", "stablehlo", "hlo"),
    "source": ("true", "false"),
}
_FREE = ("args", "alt", "caption", "depth", "name", "title", "width")


def validate(language: str, inputs: dict[str, str], options: dict[str, Any], attrs: dict[str, Any], md: Any) -> bool:  # noqa: ARG001
    """Take the options of a fence, and warn of those that there are not. Called by superfences."""
    for name, value in inputs.items():
        if name in _CHOICES and str(value) not in _CHOICES[name]:
            _warn(md, f"{name} is {value!r}; it is one of {', '.join(_CHOICES[name])}.")
        elif name == "depth" and not str(value).isdigit():
            _warn(md, f"depth is {value!r}; it is a number.")
        elif name in _CHOICES or name in _FREE:
            options[name] = str(value)
        else:
            _warn(md, f"there is no option {name!r}. There are {', '.join(sorted((*_CHOICES, *_FREE)))}.")
    return True


def _warn(md: Any, said: str) -> None:
    page = page_of_markdown(md)
    whole = f"{page.path}: jaxpr: {said}" if page.path else f"jaxpr: {said}"
    if page.strict:
        from pymdownx.superfences import SuperFencesException

        # The one exception that superfences does not keep to itself.
        raise SuperFencesException(whole)
    _logger.warning("%s", whole)


def fence(source: str, language: str, css_class: str, options: dict[str, Any], md: Any, **more: Any) -> str:  # noqa: ARG001
    """The figure as HTML, or the code. Called by superfences."""
    try:
        made = picture(_wanted(source, options), folder=_CACHE, root=Path.cwd())
    except NotDrawn as error:
        where = "" if error.line is None else f"line {error.line} of the fence: "
        first = source.strip().splitlines()[0] if source.strip() else "(empty)"
        _warn(md, f"{where}{error} [{first}]")
        return _code(source)
    classes = " ".join(["jaxpr-diagram", *(more.get("classes") or [])])
    named = more.get("id_value") or options.get("name")
    style = "overflow-x:auto" + (f";width:{options['width']}" if options.get("width") else "")
    box = f'<div class="{_text(classes)}" style="{_text(style)}" tabindex="0">{made.inline}</div>'
    caption = f"<figcaption>{_text(options['caption'])}</figcaption>" if options.get("caption") else ""
    shown = _code(made.source.rstrip()) if options.get("source") == "true" and made.source.strip() else ""
    align = f' style="text-align:{options["align"]}"' if options.get("align") else ""
    target = f' id="{_text(named)}"' if named else ""
    return f"{shown}<figure{target}{align}>{box}{caption}</figure>"


def _wanted(source: str, options: dict[str, Any]) -> Wanted:
    depth = options.get("depth")
    said = {key: options.get(key) for key in ("level", "direction", "alt", "title")}
    given = options_of(depth=None if depth is None else int(depth), **said)
    text, args = source.strip(), options.get("args")
    if is_function(text):
        return Wanted(function=text, args=args, options=given)
    if args is not None:
        raise NotDrawn("args are for `module:function`. In code the types stand in trace(f, f32[3]).")
    if "\n" not in text and text.endswith(".json"):
        if not Path(text).is_file():
            raise NotDrawn(f"There is no file {text} in {Path.cwd().name}. A saved diagram is made by diagram.save({Path(text).name!r}).")
        return Wanted(saved=str(Path(text).resolve()), options=given)
    if not text:
        raise NotDrawn("It is empty. Write code whose last line is trace(f, f32[3]), or name a function or a saved .json file.")
    return Wanted(code=source, options=given)


def _code(source: str) -> str:
    return f'<div class="highlight"><pre><code class="language-python">{_text(source)}</code></pre></div>'


def _text(text: str) -> str:
    return html.escape(text, quote=True)
