"""Run every benchmark: bench/*.py, then the frontend's. Names choose among them: `make bench ARGS="paste layout"`. Always exits 0."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
LAYOUT = "layout"


def names() -> list[str]:
    """The benchmarks there are."""
    return [*sorted(path.stem for path in (ROOT / "bench").glob("[!_]*.py")), LAYOUT]


def command(name: str) -> list[str]:
    """How one is run."""
    if name == LAYOUT:
        return [shutil.which("npm") or "npm", "run", "--silent", "bench", "--prefix", "frontend"]
    return [sys.executable, "-m", f"bench.{name}"]


def main() -> int:
    chosen = sys.argv[1:] or names()
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        print(f"no benchmark is called {', '.join(unknown)}; there are {', '.join(names())}", file=sys.stderr)
        return 2
    for name in chosen:
        ended = subprocess.run(command(name), cwd=ROOT, check=False)
        if ended.returncode:
            print(f"{name}: ended with {ended.returncode}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
