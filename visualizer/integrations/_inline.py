"""A picture as part of a page's own markup: its colours follow the page, not the system.

Promises: each colour is that of the drawing's light and dark pictures; a reader without `light-dark()` has the light one.
"""

from __future__ import annotations

import re

_STYLE = re.compile(r"<style>@media \(prefers-color-scheme:dark\)\{(.*?)\}</style>", re.DOTALL)
_RULE = re.compile(r"\.(jv-[\w-]+)\{([^}]*)\}")
_TAG = re.compile(r"<[a-z]\w*\s[^<>]*>")
_BACKGROUND = "jv-background"
_CLASS = re.compile(r'\sclass="([^"]*)"')


def inline_svg(light: str, auto: str) -> str:
    """The light picture with the dark colours of the one that follows the system, chosen by the page's `color-scheme`."""
    found = _STYLE.search(auto)
    dark = dict(_RULE.findall(found[1])) if found else {}
    rules: dict[str, str] = {}
    for tag in _TAG.findall(light):
        named = _CLASS.search(tag)
        for name in named[1].split() if named else ():
            if name in dark and name not in rules:
                rules[name] = _both(tag, dark[name])
    # The page has a background already.
    rules[_BACKGROUND] = "fill:none"
    style = "".join(f".jaxpr-diagram .{name}{{{rule}}}" for name, rule in sorted(rules.items()) if rule)
    # In a narrow column it is scrolled instead of becoming too small to read. A rem may be anything.
    head = light.index(">") + 1
    opening = light[: head - 1] + ' style="max-width:max(100%,576px);height:auto">'
    return f"{opening}<style>@supports (color:light-dark(red,red)){{{style}}}</style>{light[head:]}"


def _both(tag: str, dark: str) -> str:
    """The declarations of a class, each with its light value, which stands on the tag, and its dark one."""
    found = []
    for declaration in dark.split(";"):
        name, _, value = declaration.partition(":")
        given = re.search(rf'\s{re.escape(name)}="([^"]*)"', tag)
        if given is not None and value:
            found.append(f"{name}:light-dark({given[1]},{value})")
    return ";".join(found)
