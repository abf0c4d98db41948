"""Names of links and the tokens that delete them.

Promises: an id is made of its content's hash alone, in letters that are not taken for one another and spell no words; a token cannot be
guessed, and only its hash is stored.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator

# No 0 o, 1 i l, and no vowels.
LETTERS = "23456789bcdfghjkmnpqrstvwxyz"
SHORTEST = 12
_ID = re.compile(f"[{LETTERS}]{{{SHORTEST},64}}")


def is_id(text: str) -> bool:
    """Whether a link can have this id."""
    return _ID.fullmatch(text) is not None


def _letters(digest: bytes) -> str:
    number = int.from_bytes(digest, "big")
    text = ""
    # 53 of them hold 256 bits.
    for _ in range(53):
        number, at = divmod(number, len(LETTERS))
        text += LETTERS[at]
    return text


def ids_of(digest: bytes) -> Iterator[str]:
    """The ids that this content may have, the shortest first: a longer one where another content has the shorter."""
    text = _letters(digest)
    yield from (text[:count] for count in range(SHORTEST, len(text) + 1))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def token_hash(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()
