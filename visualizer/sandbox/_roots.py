"""Which files a job may read: the Python it runs on, its installed packages, this package; nothing else of the machine.

Promises: no home, no /etc, no working directory, no source checkout beyond the package folder itself.
"""

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

# Shared libraries, the time zones (zoneinfo), and what the C library reads to count processors.
_SYSTEM = (
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/share/zoneinfo",
    "/dev/null",
    "/dev/urandom",
    "/sys/devices/system/cpu",
    "/proc/cpuinfo",
    "/proc/meminfo",
)


def readable(worker_file: str | None, import_paths: Iterable[str]) -> list[Path]:
    """The files and folders that exist, without those that lie inside another. `worker_file` is the worker module's file."""
    package = Path(__file__).resolve().parents[1]
    found = {Path(path) for path in _SYSTEM} | {package}
    paths = sysconfig.get_paths()
    found |= {Path(paths[name]) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    found.add(Path(sys.base_prefix) / "lib")
    if sys.prefix != sys.base_prefix:
        found |= {Path(sys.prefix) / name for name in ("lib", "lib64", "pyvenv.cfg")}
    # A virtual environment may stand on the packages of another.
    found |= {Path(path) for path in sys.path if Path(path).name in ("site-packages", "dist-packages")}
    if worker_file is not None:
        found.add(Path(worker_file).resolve())
    found |= {Path(path) for path in import_paths}
    return _outermost(path.resolve() for path in found if path.exists())


def can_read(path: Path) -> bool:
    """Whether this process can read a root, and for a folder something in it."""
    try:
        if not path.is_dir():
            os.close(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
            return True
        with os.scandir(path) as entries:
            first = next((entry for entry in entries if entry.is_file()), None)
        return first is None or os.access(first.path, os.R_OK, effective_ids=True)
    except OSError:
        return False


def _outermost(paths: Iterable[Path]) -> list[Path]:
    kept: list[Path] = []
    for path in sorted(set(paths)):
        if not any(path.is_relative_to(other) for other in kept):
            kept.append(path)
    return kept
