"""A stranger's text on its way into HTML: what Jinja's escaping leaves, and the data block that the page reads.

Promises: no text turns the direction of what stands around it, and none ends the element that it stands in; nothing is lost: what is not
shown as it is, is shown as Python writes it.
"""

from __future__ import annotations

import json
import re
from typing import Any

from markupsafe import Markup

# Controls other than tab and line end, marks that turn the direction of text or cannot be seen, and halves of characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def seen(text: str) -> str:
    """Text of any number of lines, with everything in it visible."""
    return _HIDDEN.sub(_written, text.replace("\r\n", "\n").replace("\r", "\n"))


def line(text: str, most: int) -> str:
    """The same in one line of at most so many characters."""
    words = " ".join(seen(text).split())
    return words if len(words) <= most else words[: most - 1].rstrip() + "\u2026"


def data_block(value: Any) -> Markup:
    """JSON for a `<script type="application/json">`: ASCII, and without the characters that markup is made of."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def _written(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
