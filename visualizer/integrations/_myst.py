"""The executable plugin of MyST (`myst build`, Jupyter Book 2): the directive `jaxpr` over standard input and output.

Promises: without arguments the plugin's specification, with `--directive jaxpr` the nodes for the directive on standard input, and
nothing else on standard output; what cannot be drawn is there as an error with its code. Must never: trace or draw in this process.
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

from ._maker import picture
from ._wanted import NotDrawn, Picture, Wanted, is_function, options_of

Dict = dict[str, Any]
# Where MyST keeps what it has made.
_CACHE = Path("_build", "jaxpr")
_CHOICES = {"align": ("left", "center", "right"), "direction": ("TB", "LR"), "level": ("jaxpr", "stablehlo", "hlo")}
_TEXTS = {
    "args": "The types of the function's arguments, as jaxprs print them.",
    "alt": "What the picture shows; made from it where it is left out.",
    "title": "The title of the picture.",
    "align": "left, center or right.",
    "width": "The width of the image.",
    "class": "Classes of the figure.",
    "label": "The name that references use.",
    "level": "jaxpr or stablehlo.",
    "direction": "TB or LR.",
}
SPEC: Dict = {
    "name": "Diagrams of jaxprs",
    "directives": [
        {
            "name": "jaxpr",
            "doc": "A JAX program as a graph: of code that ends in trace(f, f32[3]), of module:function, or of a saved .json file.",
            "arg": {"type": "string", "doc": "module:function, or a saved .json file."},
            "options": {
                **{name: {"type": "string", "doc": doc} for name, doc in _TEXTS.items()},
                "caption": {"type": "myst", "doc": "The caption."},
                "depth": {"type": "number", "doc": "How many levels of bodies are open."},
                "show-source": {"type": "boolean", "doc": "Show the code above the figure."},
            },
            "body": {"type": "string", "doc": "Code whose last expression is drawn."},
        }
    ],
}


def main() -> None:
    """Answer MyST."""
    if sys.argv[1:] == ["--directive", "jaxpr"]:
        json.dump(nodes_of(json.load(sys.stdin)), sys.stdout)
    elif not sys.argv[1:]:
        json.dump(SPEC, sys.stdout)
    else:
        sys.exit(f"This is a plugin that MyST starts: it takes nothing, or `--directive jaxpr`, not {' '.join(sys.argv[1:])!r}.")
    sys.stdout.write("\n")


def nodes_of(data: Dict) -> list[Dict]:
    """The nodes of one directive."""
    options = data.get("options") or {}
    argument, code = (data.get("arg") or "").strip(), data.get("body") or ""
    try:
        made = picture(_wanted(argument, code, options), folder=_CACHE, root=Path.cwd())
    except NotDrawn as error:
        where = "" if error.line is None else f" (line {error.line} of its code)"
        said = f"jaxpr: {error}{where}"
        sys.stderr.write(f"{said}\n")
        title = {"type": "admonitionTitle", "children": [_text("This diagram could not be drawn")]}
        told = {"type": "admonition", "kind": "error", "children": [title, {"type": "paragraph", "children": [_text(said)]}]}
        return [told, _code(code or argument)]
    shown = [_code(made.source.rstrip())] if options.get("show-source") and made.source.strip() else []
    return [*shown, _figure(made, options)]


def _wanted(argument: str, code: str, options: Dict) -> Wanted:
    for name, words in _CHOICES.items():
        if options.get(name) not in (None, *words):
            raise NotDrawn(f"{name} is {options[name]!r}; it is one of {', '.join(words)}.")
    depth = options.get("depth")
    if depth is not None and (int(depth) != depth or depth < 0):
        raise NotDrawn(f"depth is {depth}; it is a whole number, and not below 0.")
    said = {key: options.get(key) for key in ("level", "direction", "alt", "title")}
    given = options_of(depth=None if depth is None else int(depth), **said)
    args = options.get("args")
    if code.strip() and argument:
        raise NotDrawn("It has both code and an argument. Give one of them.")
    if args is not None and not is_function(argument):
        raise NotDrawn("args are for `module:function`. In code the types stand in trace(f, f32[3]).")
    if is_function(argument):
        return Wanted(function=argument, args=args, options=given)
    if argument:
        if not argument.endswith(".json") or not Path(argument).is_file():
            raise NotDrawn(f"{argument!r} is neither a function (package.module:function) nor a saved diagram below {Path.cwd().name}.")
        return Wanted(saved=str(Path(argument).resolve()), options=given)
    if not code.strip():
        raise NotDrawn("It is empty. Write code whose last line is trace(f, f32[3]), or name a function or a saved .json file.")
    return Wanted(code=code, options=given)


def _figure(made: Picture, options: Dict) -> Dict:
    # A plugin is not told which page it is for, so a path could not be one from there.
    data = base64.b64encode(made.svg.encode()).decode()
    image: Dict = {"type": "image", "url": f"data:image/svg+xml;base64,{data}", "alt": made.alt, "class": "jaxpr-diagram dark-light"}
    image.update({key: options[key] for key in ("width", "align") if options.get(key)})
    named = {}
    if options.get("label"):
        label = str(options["label"])
        named = {"label": label, "identifier": label.lower(), "html_id": label.lower()}
    children = [image]
    if options.get("caption"):
        caption = options["caption"]
        inline = caption if isinstance(caption, list) else [_text(str(caption))]
        children.append({"type": "caption", "children": [{"type": "paragraph", "children": inline}]})
    classed = {"class": options["class"]} if options.get("class") else {}
    return {"type": "container", "kind": "figure", **named, **classed, "children": children}


def _code(text: str) -> Dict:
    return {"type": "code", "lang": "python", "value": text}


def _text(value: str) -> Dict:
    return {"type": "text", "value": value}


if __name__ == "__main__":
    main()
