"""Post every program of ../shared/cases to a server, as pasted and with its entry, and compare the answers with JAX's own truth; then every
file of ../shared/modules (`tests/corpus/index.py`).

Prints a table, which says in which way a paste agrees (`tests/corpus/cases.py`), and a summary; exits 1 when anything disagrees, as pasted
or with its entry.
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
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.corpus.cases import AGREED, as_pasted, with_entry  # noqa: E402  (the folder above is not a package of ours)
from tests.corpus.index import compared, request_of  # noqa: E402

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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url")
    parser.add_argument("--cases", type=Path, default=SHARED / "cases")
    parser.add_argument("--modules", type=Path, default=SHARED / "modules")
    parser.add_argument("--only", default="", help="a part of the name of the case or file")
    parser.add_argument("--extras", action="store_true", help="also the cases that need more than jax, flax, equinox and optax")
    options = parser.parse_args()
    with contextlib.nullcontext(options.url) if options.url else server() as url:
        agreed = [compare_cases(options, url), compare_modules(options, url)]
    return 0 if all(agreed) else 1


def compare_modules(options: argparse.Namespace, url: str) -> bool:
    """Every file that the index knows, against what it says."""
    index = options.modules / "index.json"
    entries = [each for each in json.loads(index.read_text("utf-8")) if options.only in each["file"]] if index.exists() else []
    verdicts: Counter[str] = Counter()
    for entry in entries:
        data = (options.modules / entry["file"]).read_bytes()
        request = {"levels": ["jaxpr", "stablehlo"], **request_of(entry["file"], data)}
        verdict, reasons = compared(entry, data.decode("utf-8", "replace"), post(url, request))
        verdicts[verdict] += 1
        print(f"{entry['file']:42} {verdict}")
        for text in reasons:
            print(f"{'':8}{text[:400]}")
    if entries:
        print(f"\nmodules: {', '.join(f'{count} {verdict}' for verdict, count in sorted(verdicts.items()))} of {len(entries)}")
    return verdicts["WRONG"] == 0


def compare_cases(options: argparse.Namespace, url: str) -> bool:
    """Every case, as pasted and with its entry."""
    cases = sorted(p.parent for p in options.cases.glob("*/expect.json") if options.only in p.parent.name)
    if not cases:
        print(f"no cases in {options.cases}: set JAXPR_VISUALIZER_SHARED or --cases")
        return True
    entries = good = traced = others = bad = 0
    ways: Counter[str] = Counter()
    ask = partial(post, url)
    for case in cases:
        expect = json.loads((case / "expect.json").read_text("utf-8"))
        if expect["needs"] and not options.extras:
            print(f"{case.name:42} needs {expect['needs']}")
            continue
        source = (case / "program.py").read_bytes().decode("utf-8")
        entry, asked = with_entry(ask, source, expect)
        paste, reasons = as_pasted(ask, source, expect, None if entry else asked)
        print(f"{case.name:42} entry: {'-' if entry is None else 'agrees' if not entry else 'WRONG':7} paste: {paste}")
        for text in [*(entry or []), *(reasons if paste == "wrong" else [])]:
            print(f"{'':8}{text[:400]}")
        entries += entry is not None
        good += entry == []
        if expect["truth"]["run"]["ok"] and expect["truth"].get("trace", {}).get("ok"):
            traced += 1
            ways[paste] += 1
        else:
            others += 1
            bad += paste == "wrong"
    agreed = sum(ways[way] for way in AGREED)
    print(
        f"\nwith entry: {good} of {entries} agree with JAX; {others - bad} of {others} that JAX does not trace fail or run as they should"
    )
    print(f"as pasted: {', '.join(f'{ways[way]} {way}' for way in AGREED)}: {agreed} of {traced} agree with JAX")
    return good == entries and agreed == traced and not bad


if __name__ == "__main__":
    raise SystemExit(main())
