"""The directive `jaxpr` of Sphinx: a diagram from code, from a function's name, or from a saved file.

Promises: whatever fails is a warning `jaxpr.trace` with file and line, and the code stands in the figure's place; documents may be read and
written in parallel. Must never: trace or draw in Sphinx's own processes, or put text together as reST.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from visualizer._version import __version__
from visualizer.drawing import STYLE_FILE

from ._maker import TIMEOUT_SECONDS, picture
from ._sphinx_nodes import VISITORS, jaxpr_diagram
from ._wanted import NotDrawn, Picture, Wanted, is_function, options_of

_logger = logging.getLogger(__name__)


def _one_of(*words: str) -> Any:
    # docutils' own `choice` knows small letters only.
    def chosen(argument: str | None) -> str:
        for word in words:
            if word.lower() == (argument or "").strip().lower():
                return word
        raise ValueError(f"It is one of {', '.join(words)}")

    return chosen


class JaxprDirective(SphinxDirective):
    """`.. jaxpr::` with code, `.. jaxpr:: module:function`, or `.. jaxpr:: file.json`."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec = {
        "args": directives.unchanged,
        "caption": directives.unchanged,
        "alt": directives.unchanged,
        "title": directives.unchanged,
        "name": directives.unchanged,
        "class": directives.class_option,
        "align": _one_of("left", "center", "right"),
        "width": lambda argument: directives.length_or_percentage_or_unitless(argument, "px"),
        "direction": _one_of("TB", "LR"),
        "depth": directives.nonnegative_int,
        "level": _one_of("jaxpr", "stablehlo", "hlo"),
        "mode": _one_of("inline", "img"),
        "show-source": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """The figure, or the code and a warning."""
        code = "\n".join(self.content)
        argument = self.arguments[0].strip() if self.arguments else ""
        try:
            wanted = self._wanted(code, argument)
            made = picture(wanted, folder=self._cache(), root=Path(self.env.srcdir), seconds=self.config.jaxpr_timeout)
        except NotDrawn as error:
            self._warn(str(error), error.line)
            return [self._source(code or argument, "python" if code else "text")]
        for file in made.files:
            self.env.note_dependency(file)
        return [*self._shown(made), *self._figure(made)]

    def _shown(self, made: Picture) -> list[nodes.Node]:
        if "show-source" not in self.options:
            return []
        if made.source.strip():
            return [self._source(made.source.rstrip(), "python")]
        self._warn(":show-source: has nothing to show: a saved diagram holds no code, and of this function none was found.", None)
        return []

    def _warn(self, said: str, line: int | None) -> None:
        # The file is that of a docstring or of what was included, where the directive came from there.
        file, own = self.get_source_info()
        _logger.warning("%s", f"jaxpr: {said}", location=f"{file}:{line or own}", type="jaxpr", subtype="trace")

    def _wanted(self, code: str, argument: str) -> Wanted:
        said = {key: self.options.get(key) for key in ("level", "depth", "direction", "alt", "title")}
        common: dict[str, Any] = {"options": options_of(**said), "setup": self.config.jaxpr_setup}
        args = self.options.get("args")
        if code.strip() and argument:
            raise NotDrawn("It has both code and an argument. Give one of them.")
        if args is not None and not is_function(argument):
            raise NotDrawn(":args: are for `module:function`. In code the types stand in trace(f, f32[3]).")
        if code.strip():
            return Wanted(code=code, line=self._first_line(), **common)
        if is_function(argument):
            return Wanted(function=argument, args=args, **common)
        if argument.endswith(".json"):
            relative, file = self.env.relfn2path(argument)
            self.env.note_dependency(relative)
            if not Path(file).is_file():
                raise NotDrawn(f"There is no file {argument} here. A saved diagram is made by diagram.save({Path(argument).name!r}).")
            return Wanted(saved=file, options=common["options"])
        if "\n" in argument or "(" in argument:
            raise NotDrawn("Code stands below an empty line, or it is taken for the name of a function or a file.")
        if argument:
            raise NotDrawn(f"{argument!r} is neither a function (package.module:function) nor a saved diagram (a .json file).")
        raise NotDrawn("It is empty. Write code whose last line is trace(f, f32[3]), or name a function or a saved .json file.")

    def _first_line(self) -> int:
        """The line of the file that the code begins at, in reST and in MyST."""
        # MyST counts from the fence, docutils from the beginning.
        at = self.content_offset if self.content_offset >= self.lineno else self.lineno + self.content_offset
        line = self.state_machine.get_source_and_line(at + 1)[1]
        return max(int(line or self.lineno), 1)

    def _cache(self) -> Path:
        # Beside what is built, not in it: it is nothing to be published, and `make clean` takes it away.
        given = self.config.jaxpr_cache_dir
        return Path(self.env.srcdir, given) if given else Path(self.env.app.outdir).parent / ".jaxpr_cache"

    def _figure(self, made: Picture) -> list[nodes.Node]:
        node = jaxpr_diagram("", svg=made.svg, inline=made.inline, light=made.light, alt=made.alt, classes=self.options.get("class", []))
        node["mode"] = self.options.get("mode", self.config.jaxpr_mode)
        node["width"] = self.options.get("width")
        node["align"] = self.options.get("align", "default")
        self.set_source_info(node)
        if "caption" not in self.options:
            self.add_name(node)
            return [node]
        figure = nodes.figure("", node, align=node["align"], classes=["jaxpr-figure"])
        node["align"] = "default"
        if node["width"] and figure["align"] in ("left", "right"):
            # A figure at a side is as wide as what is in it: a part of that has no meaning.
            figure["width"], node["width"] = node["width"], "100%"
        self.set_source_info(figure)
        inline, messages = self.parse_inline(self.options["caption"], lineno=self.lineno)
        caption = nodes.caption(self.options["caption"], "", *inline)
        self.set_source_info(caption)
        figure += caption
        self.add_name(figure)
        return [figure, *messages]

    def _source(self, text: str, language: str) -> nodes.Node:
        block = nodes.literal_block(text, text, language=language)
        self.set_source_info(block)
        return block


def _copy_style(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        # Over what another version has written.
        shutil.copyfile(STYLE_FILE, Path(app.builder.outdir, "_static", STYLE_FILE.name))


def setup(app: Any) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_config_value("jaxpr_mode", "img", "env", str)
    app.add_config_value("jaxpr_setup", "", "env", str)
    app.add_config_value("jaxpr_cache_dir", "", "", str)
    app.add_config_value("jaxpr_timeout", TIMEOUT_SECONDS, "", (int, float))
    app.add_node(jaxpr_diagram, **VISITORS)
    app.add_directive("jaxpr", JaxprDirective)
    app.add_css_file(STYLE_FILE.name)
    app.connect("build-finished", _copy_style)
    return {"version": __version__, "env_version": 1, "parallel_read_safe": True, "parallel_write_safe": True}
