"""Cuts a byte stream into lines, holding back the unfinished rest.

Promises: linear in the bytes, however small the pieces are.
"""


class Lines:
    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self.total = 0

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that `data` completes, without their newlines."""
        self.total += len(data)
        first, *others = data.split(b"\n")
        self._pieces.append(first)
        if not others:
            return []
        lines = [b"".join(self._pieces), *others[:-1]]
        self._pieces = [others[-1]]
        return lines

    def rest(self) -> bytes:
        """What came after the last newline."""
        return b"".join(self._pieces)
