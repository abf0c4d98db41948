"""A diagram as a node of docutils, and what each of Sphinx's builders writes for it.

Promises: whatever the builder, the alt text is there. Must never: hold an id beside those that the document gives.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util import logging
from sphinx.writers.latex import rstdim_to_latexdim

from visualizer.drawing import DrawingError, pdf

_logger = logging.getLogger(__name__)


class jaxpr_diagram(nodes.General, nodes.Inline, nodes.Element):  # noqa: N801 - docutils finds a node's visitor by its name
    """A picture: `svg`, `inline` and `light` are the same one, `alt` is what it shows, `mode` is `img` or `inline`."""


def _html(self: Any, node: Any) -> None:
    classes = ["jaxpr-diagram", f"align-{node['align']}"]
    # What scrolls must be reached by the keyboard; in an image there is a link for that.
    reached = {"tabindex": "0"} if node["mode"] == "inline" else {}
    self.body.append(self.starttag(node, "div", "", CLASS=" ".join(classes), **reached))
    if node["mode"] == "inline":
        style = f' style="width:{node["width"]};' if node["width"] else None
        svg = node["inline"]
        self.body.append(svg.replace(' style="', style, 1) if style else svg)
    else:
        path = f"{self.builder.imgpath}/{_written(self.builder, node)}"
        style = f"width: {node['width']}" if node["width"] else None
        # pydata-sphinx-theme paints every other image white where it is dark.
        size = {} if style else _size(node["svg"])
        image = self.emptytag({}, "img", "", src=path, alt=node["alt"], CLASS="dark-light", **_given(style=style, **size))
        self.body.append(image if self.builder.name == "epub" else f"{self.starttag({}, 'a', '', href=path)}{image}</a>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _written(builder: Any, node: Any) -> str:
    """The name of the picture's file, which is there then."""
    name = f"jaxpr-{_hash(node['svg'])}.svg"
    folder = Path(builder.outdir, builder.imagedir)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(node["svg"], encoding="utf-8")
    return name


def _size(svg: str) -> dict[str, str | None]:
    """The picture's own size, so that the page does not move when it has come."""
    found = {name: re.search(rf'<svg[^>]*\s{name}="([\d.]+)"', svg) for name in ("width", "height")}
    return {name: match and match[1] for name, match in found.items()}


def _given(**attributes: str | None) -> dict[str, str]:
    return {name: value for name, value in attributes.items() if value is not None}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:20]


# Sphinx lets a picture be as high as the page, where a caption below it would stand on the footer.
_ROOM_FOR_CAPTION = r"\ifcsname spx@image@maxheight\endcsname\csname spx@image@maxheight\endcsname=.88\textheight\fi "


def _latex(self: Any, node: Any) -> None:
    name = f"jaxpr-{_hash(node['light'])}.pdf"
    try:
        Path(self.builder.outdir, name).write_bytes(pdf(node["light"]))
    except DrawingError as error:
        _logger.warning("%s", f"jaxpr: {error}", location=node, type="jaxpr", subtype="export")
        self.body.append(f"\n\n{self.encode(_words(node))}\n\n")
        raise nodes.SkipNode from None
    width = f"[width={rstdim_to_latexdim(node['width'])}]" if node["width"] else ""
    before, after = {"left": ("{", r"\hspace*{\fill}}"), "right": (r"{\hspace*{\fill}", "}")}.get(
        node["align"], (r"{\hfill", r"\hspace*{\fill}}")
    )
    target = self.hypertarget_to(node) if node.get("ids") else ""
    limit = _ROOM_FOR_CAPTION if isinstance(node.parent, nodes.figure) else ""
    self.body.append(f"\n\\par\n{target}{before}{limit}\\sphinxincludegraphics{width}{{{name}}}{after}\n\\par\n")
    raise nodes.SkipNode


def _words(node: Any) -> str:
    return f"[diagram: {node['alt']}]"


def _text(self: Any, node: Any) -> None:
    self.new_state()
    self.add_text(_words(node))
    self.end_state()
    raise nodes.SkipNode


def _man(self: Any, node: Any) -> None:
    self.body.append(self.deunicode(f"{_words(node)}\n".replace("\\", "\\\\")))
    raise nodes.SkipNode


def _texinfo(self: Any, node: Any) -> None:
    self.body.append(f"\n\n{self.escape(_words(node))}\n\n")
    raise nodes.SkipNode


VISITORS: dict[str, Any] = {
    "html": (_html, None),
    "latex": (_latex, None),
    "text": (_text, None),
    "man": (_man, None),
    "texinfo": (_texinfo, None),
}
