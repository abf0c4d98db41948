"""Run every check and every test; the last line is the sum, `N passed, N failed`. With --checks: everything but tests.

Checks count as one test each. Anything else on the command line goes to pytest.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
FRONTEND = ROOT / "frontend"
CHECKS = {
    "ruff check": (ROOT, ["ruff", "check", "-q", "."]),
    "ruff format": (ROOT, ["ruff", "format", "-q", "--check", "."]),
    "mypy": (ROOT, ["mypy", "--no-error-summary"]),
    "import rules": (ROOT, ["lint-imports", "--no-logo"]),
    "schema": (ROOT, [sys.executable, "scripts/schema.py", "--check"]),
    "TypeScript types": (FRONTEND, ["node", "scripts/types.mjs", "--check"]),
    "biome": (FRONTEND, ["npx", "biome", "check", "."]),
    "tsc": (FRONTEND, ["npx", "tsc", "--noEmit"]),
}
_COUNT = re.compile(r"(\d+) (passed|failed|error|errors|skipped)\b")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def main(arguments: list[str]) -> int:
    # The checkout is what is tested, whatever is installed.
    os.environ["PYTHONPATH"] = str(ROOT)
    total: Counter[str] = Counter()
    for name, (folder, command) in CHECKS.items():
        total[_check(name, folder, command)] += 1
    if "--checks" not in arguments:
        total += _tests("vitest", FRONTEND, ["npx", "vitest", "run"], re.compile(r"^\s*Tests\s"))
        total += _tests(
            "pytest", ROOT, [sys.executable, "-m", "pytest", "-q", *_chosen(arguments)], re.compile(r"^=* ?\d+ \w+.* in [\d.]+s")
        )
    skipped = f", {total['skipped']} skipped" if total["skipped"] else ""
    print(f"{total['passed']} passed, {total['failed']} failed{skipped}", flush=True)
    return 1 if total["failed"] else 0


def _chosen(arguments: list[str]) -> list[str]:
    # Building and installing a wheel takes minutes: in CI, or when asked for by `make test-wheel`.
    return arguments if os.environ.get("CI") or "-m" in arguments else ["-m", "not wheel", *arguments]


def _check(name: str, folder: Path, command: list[str]) -> str:
    start = time.monotonic()
    done = subprocess.run(command, cwd=folder, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(f"{name:<20} {'ok' if done.returncode == 0 else 'FAILED'} ({time.monotonic() - start:.1f} s)", flush=True)
    if done.returncode == 0:
        return "passed"
    print(done.stdout, flush=True)
    return "failed"


def _tests(name: str, folder: Path, command: list[str], closing: re.Pattern[str]) -> Counter[str]:
    """Run a test runner with its output shown, and read the counts off its closing line."""
    found: Counter[str] = Counter()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        assert process.stdout is not None
        for line in process.stdout:
            print(line, end="", flush=True)
            plain = _COLOUR.sub("", line)
            if closing.match(plain):
                found = Counter()
                for number, word in _COUNT.findall(plain):
                    found["failed" if word.startswith("error") else word] += int(number)
    if process.returncode != 0 and not found["failed"]:
        print(f"{name} ended with exit code {process.returncode}", flush=True)
        found["failed"] += 1
    return found


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
