"""Post every program of ../shared/cases to a server, as pasted and with its entry, and compare the answers with JAX's own truth.

Prints a table and a summary; exits 1 when a case that traces disagrees with its entry, or when fewer than 90 % are found as pasted.
With --url the server is yours; without it one is started on a free loopback port and stopped at the end.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.corpus import compare  # noqa: E402  (the folder above is not a package of ours)

Json = dict[str, Any]
SHARED = Path(os.environ.get("JAXPR_VISUALIZER_SHARED", ROOT.parent / "shared"))


@contextlib.contextmanager
def server() -> Iterator[str]:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port = s.getsockname()[1]
    command = [sys.executable, "-m", "visualizer", "serve", "--port", str(port), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                with urllib.request.urlopen(f"{url}/healthz", timeout=5):
                    break
            except OSError as error:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise SystemExit(f"the server did not start: {error}") from error
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(20)


def post(url: str, request: Json) -> Json:
    body = json.dumps(request).encode()
    call = urllib.request.Request(f"{url}/api/v1/trace", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(call, timeout=120) as answer:
            return json.load(answer)  # type: ignore[no-any-return]
    except urllib.error.HTTPError as error:
        return json.load(error)  # type: ignore[no-any-return]


def with_entry(url: str, source: str, expect: Json) -> list[str] | None:
    """None when the case has no entry to ask for."""
    entry, truth = expect["entry"], expect["truth"].get("trace")
    if entry["fun"] is None or truth is None:
        return None
    trace = post(url, {"source": source, **entry})
    if "error" in trace:
        return [f"HTTP error {trace['error']}"]
    if not truth["ok"]:
        return compare.failure(trace, truth)
    program = next((p for p in trace["programs"] if p["origin"] == "entry"), None)
    if program is None:
        return ["no program for the entry: " + "; ".join(f"{d['type']}: {d['message'][:100]}" for d in trace["diagnostics"])]
    wrong = compare.whole_program(program, truth) + compare.written(program)
    if expect["truth"].get("stablehlo", {}).get("ok"):
        wrong += compare.whole_module(program, expect["truth"]["stablehlo"])
    return wrong


def as_pasted(url: str, source: str, expect: Json) -> tuple[str, list[str]]:
    """What became of the plain paste: found, offered, failed as it should, or wrong, with the reasons."""
    trace = post(url, {"source": source})
    if "error" in trace:
        return "wrong", [f"HTTP error {trace['error']}"]
    wrong = [text for program in trace["programs"] for text in compare.written(program)]
    if wrong:
        return "wrong", wrong
    run, truth = expect["truth"]["run"], expect["truth"].get("trace")
    if not run["ok"]:
        wrong = compare.failure(trace, run)
        return ("wrong" if wrong else "failed"), wrong
    if truth is None or not truth["ok"]:
        return "ran", []
    if any(not compare.same_program(p, truth) for p in trace["programs"] if p["entry"] is not None):
        return "found", []
    if trace["offers"]:
        return "offered", [f"offers {[o['fun'] for o in trace['offers']]}"]
    found = [p["name"] for p in trace["programs"]]
    return "wrong", [f"programs {found}", *[f"{d['type']}: {d['message'][:100]}" for d in trace["diagnostics"]]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url")
    parser.add_argument("--cases", type=Path, default=SHARED / "cases")
    parser.add_argument("--only", default="", help="a part of the case's name")
    parser.add_argument("--extras", action="store_true", help="also the cases that need more than jax, flax, equinox and optax")
    options = parser.parse_args()
    cases = sorted(p.parent for p in options.cases.glob("*/expect.json") if options.only in p.parent.name)
    if not cases:
        print(f"no cases in {options.cases}: set JAXPR_VISUALIZER_SHARED or --cases")
        return 0
    entries = good = traced = found = bad_failures = 0
    with contextlib.nullcontext(options.url) if options.url else server() as url:
        for case in cases:
            expect = json.loads((case / "expect.json").read_text("utf-8"))
            if expect["needs"] and not options.extras:
                print(f"{case.name:42} needs {expect['needs']}")
                continue
            source = (case / "program.py").read_bytes().decode("utf-8")
            entry = with_entry(url, source, expect)
            paste, reasons = as_pasted(url, source, expect)
            print(f"{case.name:42} entry: {'-' if entry is None else 'agrees' if not entry else 'WRONG':7} paste: {paste}")
            for text in [*(entry or []), *(reasons if paste == "wrong" else [])]:
                print(f"{'':8}{text[:400]}")
            entries += entry is not None
            good += entry == []
            if expect["truth"]["run"]["ok"] and expect["truth"].get("trace", {}).get("ok"):
                traced += 1
                found += paste == "found"
            else:
                bad_failures += paste == "wrong"
    share = found / traced if traced else 1.0
    print(
        f"\nwith entry: {good} of {entries} agree with JAX; as pasted: {found} of {traced} found ({share:.0%}), {bad_failures} others wrong"
    )
    return 0 if good == entries and share >= 0.9 and not bad_failures else 1


if __name__ == "__main__":
    raise SystemExit(main())
