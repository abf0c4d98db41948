"""The self-test: sends attacks through the very way a job goes, and believes only a complete report.

Promises: fails closed: no report, half a report or an attack that was not tried counts as a leak.
"""

import os
import secrets
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ._attacks import ATTACKS

_MARK = "JAXPR_VISUALIZER_CANARY"


@contextmanager
def targets() -> Iterator[dict[str, Any]]:
    """Lay out what the attacks go for: a file of the server's that everybody may read, listening sockets, folders open to all."""
    with tempfile.TemporaryDirectory(prefix="jaxpr-visualizer-canary-") as folder, socket.socket() as tcp:
        Path(folder).chmod(0o777)
        secret = Path(folder) / "secret"
        secret.write_text("canary")
        secret.chmod(0o644)
        tcp.bind(("127.0.0.1", 0))
        tcp.listen(4)
        abstract = f"jaxpr-visualizer-{secrets.token_hex(8)}"
        with socket.socket(socket.AF_UNIX) as by_path, socket.socket(socket.AF_UNIX) as by_name:
            path = str(Path(folder) / "socket")
            by_path.bind(path)
            Path(path).chmod(0o666)
            by_path.listen(4)
            by_name.bind("\0" + abstract)
            by_name.listen(4)
            # Set before the zygote starts, which must not inherit it.
            os.environ[_MARK] = "canary"
            try:
                yield {
                    "secret": str(secret),
                    "folders": [folder, str(Path.cwd())],
                    "port": tcp.getsockname()[1],
                    "socket": path,
                    "abstract": abstract,
                    "pid": os.getpid(),
                    "mark": _MARK,
                }
            finally:
                os.environ.pop(_MARK, None)


def judge(report: dict[str, Any] | None) -> list[str]:
    """The leaks in a report; `self-test` when it is not a whole one."""
    if report is None or report.get("tried") != list(ATTACKS) or not isinstance(report.get("leaks"), list):
        return ["self-test"]
    return [str(name) for name in report["leaks"]]
