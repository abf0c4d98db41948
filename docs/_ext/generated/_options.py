"""The options of the three integrations, from the code that reads them. Each needs a sentence here; a test holds the two equal."""

from __future__ import annotations

from docutils.parsers.rst import directives

from visualizer.integrations import _markdown, _myst, _sphinx

from ._table import code, table

SAID = {
    "args": "Types of the function's arguments, as jaxprs print them: `f32[4,8], {'b': f32[8]}`. Parsed, never evaluated.",
    "caption": "Caption under the picture, in the markup of the page.",
    "alt": "What is spoken of the picture. Left out, it is made from what the picture shows.",
    "title": "Title inside the picture. Left out, it is the name of the program.",
    "name": "Target for references.",
    "label": "Target for references.",
    "class": "Classes of the figure.",
    "align": "Where the picture stands.",
    "width": "Width of the picture, like `50%` or `400px`. Left out, it is the picture's own, at most that of the page.",
    "direction": "Which way the values flow: down (`TB`) or to the right (`LR`).",
    "depth": "Open bodies down to this depth. Left out, what fits on a screen is open.",
    "level": "What to draw.",
    "mode": "`img` is a file, which opens in full size on a click; `inline` is markup of the page, so that its text can be searched.",
    "show-source": "Show the code above the picture.",
    "source": "`true` shows the code above the picture.",
}
CHOICES = {
    "align": "`left`, `center`, `right`",
    "direction": "`TB`, `LR`",
    "level": "`jaxpr`, `stablehlo`, `hlo`",
    "mode": "`img`, `inline`",
    "source": "`true`, `false`",
}
CONF = {
    "jaxpr_mode": "The `:mode:` of directives that have none.",
    "jaxpr_setup": "Python code that runs before the code of each directive, such as imports.",
    "jaxpr_cache_dir": "Where pictures are kept. Left empty, `.jaxpr_cache` beside the output folder.",
    "jaxpr_timeout": "Seconds that one diagram may take.",
}


def _value(name: str, reader: object = None) -> str:
    if reader is directives.flag:
        return "(none)"
    return CHOICES.get(name, "a number" if name == "depth" else "text")


def directive() -> str:
    """Of Sphinx."""
    spec = _sphinx.JaxprDirective.option_spec
    return table(["Option", "Value", "Meaning"], [[code(f":{name}:"), _value(name, spec[name]), SAID[name]] for name in spec])


def fence() -> str:
    """Of MkDocs and Zensical."""
    names = sorted((*_markdown._CHOICES, *_markdown._FREE))
    return table(["Option", "Value", "Meaning"], [[code(name), _value(name), SAID[name]] for name in names])


def myst() -> str:
    """Of MyST."""
    (spec,) = _myst.SPEC["directives"]
    return table(["Option", "Meaning"], [[code(f":{name}:"), one["doc"]] for name, one in spec["options"].items()])


def settings() -> str:
    """Of `conf.py`."""
    found: dict[str, object] = {}

    class App:
        def __getattr__(self, name: str) -> object:
            return lambda *_, **__: None

        def add_config_value(self, name: str, default: object, *_: object) -> None:
            found[name] = default

    _sphinx.setup(App())
    return table(["Setting", "Default", "Meaning"], [[code(name), code(repr(default)), CONF[name]] for name, default in found.items()])
