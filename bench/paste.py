"""From the paste to the response: through the web app and the sandbox, warm, against JAX by hand in a warm process.

The response is measured where the server hands it out (Flask's own client, so no network). Every request differs by a comment, so none is
answered from the cache. Measurements of the two sides alternate, and the best of each counts: what else the machine does is noise on both.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from bench._programs import Paste, pastes
from bench._table import Row, milliseconds, print_table
from visualizer.sandbox import Supervisor
from visualizer.web import Settings, create_app

WORKER = "visualizer.tracing._worker"
# Time for the sandbox to have a locked child ready again, as between two people's pastes.
PAUSE_SECONDS = 0.2
# Of the training scan's 19 ms of processor time, the least of many, JAX's tracing in a child that wakes up takes 6 (3 to 5 by hand),
# the held arrays 2, serialising 4, reading and compiling the text 1, the gate 2, Flask and its client 3; StableHLO
# adds 16, of which 11 are JAX's lowering. By hand it is 13 to 16, 22 to 24 for the gradient of a scan (21 of ours). So the rows of the
# jaxpr are over their budget: 1.25 and 1.14 on a quiet machine, 1.56 for new sizes; what is left beside JAX is spread thin. Of first use
# next to nothing is left: the second job of one child takes 0.92 of the first (0.86 for new sizes), which meets 19 page faults.
BUDGETS = {"jaxpr": 1.0, "stablehlo": 2.0, "real": 5.0}


class Reference:
    """A process of `bench._reference`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "bench._reference"]
        self._process = subprocess.Popen(
            command, cwd=Path(__file__).parent.parent, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, do: str, paste: Paste) -> float:
        assert self._process.stdin and self._process.stdout
        source = paste.source if do == "real" else paste.setup
        self._process.stdin.write(json.dumps({"do": do, "source": source, "fun": paste.fun, "args": paste.args}) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(30)


class Server:
    """The app on a running sandbox."""

    def __init__(self) -> None:
        self._supervisor = Supervisor(WORKER)
        self._supervisor.start()
        self._client: FlaskClient = create_app(Settings(), self._supervisor).test_client()
        self._count = 0

    def __call__(self, paste: Paste, *levels: str) -> float:
        """Milliseconds from the request to the end of the answer."""
        time.sleep(PAUSE_SECONDS)
        self._count += 1
        request: dict[str, Any] = {"source": f"{paste.source}\n# {self._count}\n", "levels": levels}
        answers: list[bytes] = []

        def post() -> None:
            headers = {"Accept": "application/x-ndjson", "Origin": "http://localhost"}
            response = self._client.post("/api/v1/trace", json=request, headers=headers)
            answers.append(response.data)

        spent = milliseconds(post)
        check(answers[0], paste, levels)
        return spent

    def tier(self) -> str:
        return str(self._supervisor.health()["tier"])

    def close(self) -> None:
        self._supervisor.close()


def check(answer: bytes, paste: Paste, levels: tuple[str, ...]) -> None:
    """A quick answer that says nothing is no answer."""
    lines = [json.loads(line) for line in answer.splitlines()]
    if len(lines) != len(levels) or not lines[0]["trace"]["programs"]:
        raise SystemExit(f"{paste.name}: no program in {answer[:2000]!r}")
    if "stablehlo" in levels and not all(patch["modules"] for patch in lines[1]["patch"]["programs"].values()):
        raise SystemExit(f"{paste.name}: no module in {answer[:2000]!r}")


def real(paste: Paste) -> float:
    """Running the paste for real, in a process that is warm and has not seen it."""
    reference = Reference()
    try:
        return reference("real", paste)
    finally:
        reference.close()


def measure(server: Server, reference: Reference, paste: Paste, rounds: int, runs: int) -> list[Row]:
    jaxpr, stablehlo, bare = [], [], []
    for number in range(rounds):
        one = paste.at(number)
        jaxpr.append(server(one, "jaxpr"))
        stablehlo.append(server(one, "jaxpr", "stablehlo"))
        bare.append(reference("bare", one))
    budgets = BUDGETS if paste.plain else {}
    rows = [
        Row(f"{paste.name}: jaxpr / make_jaxpr + lower by hand", min(jaxpr), min(bare), budgets.get("jaxpr")),
        Row(f"{paste.name}: with StableHLO / make_jaxpr + lower by hand", min(stablehlo), min(bare), budgets.get("stablehlo")),
    ]
    if paste.sizes is None:
        ran = min(real(paste) for _ in range(runs))
        rows.append(Row(f"{paste.name}: running it for real / jaxpr", min(jaxpr), ran, BUDGETS["real"], at_least=True))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--runs", type=int, default=2, help="fresh processes that run the paste for real")
    options = parser.parse_args()
    server, reference = Server(), Reference()
    try:
        rows = [row for paste in pastes() for row in measure(server, reference, paste, options.rounds, options.runs)]
    finally:
        server.close()
        reference.close()
    print_table(f"Paste to response (sandbox tier {server.tier()}, best of {options.rounds})", rows)


if __name__ == "__main__":
    main()
