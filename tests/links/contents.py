"""Contents and addresses of links for the tests, made as the page makes them."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

from visualizer.links import Content, read


def address(state: dict[str, Any], level: int = 6) -> str:
    """What stands in an address for this state, in the order in which it is given."""
    return packed(json.dumps(state, ensure_ascii=False, separators=(",", ":")).encode(), level)


def packed(text: bytes, level: int = 6) -> str:
    return "v1:" + base64.urlsafe_b64encode(zlib.compress(text, level)).rstrip(b"=").decode()


def content(source: str = "import jax", **state: Any) -> Content:
    return read(address({"source": source, **state}))
