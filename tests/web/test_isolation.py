"""The web side never imports jax: a process that serves has neither jax nor numpy nor our tracing in it.

Nor a database, before a link is asked for.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PROGRAM = """
import sys
from tests.web.conftest import FakeTracer
from visualizer.web import Settings, create_app
import visualizer.web._serve, visualizer._cli._serve, visualizer._cli._given, visualizer._cli._doctor, visualizer.sandbox
visualizer.sandbox.Supervisor
client = create_app(Settings(database="links.sqlite3"), FakeTracer()).test_client()
assert client.post("/api/v1/trace", json={"source": "import jax"}).status_code == 200
assert client.get("/api/v1/schema").status_code == 200
assert client.get("/api/v1/links").json == {"links": True}
found = {name.partition(".")[0] if not name.startswith("visualizer") else name for name in sys.modules}
print(sorted(found & {"jax", "jaxlib", "numpy", "ml_dtypes", "visualizer.tracing", "sqlalchemy", "alembic"}))
"""


def test_serving_loads_no_jax():
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "[]\n", "")
