"""The wheel in an empty environment, on a machine without Node: the page is in it, and a paste is traced."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.wheel, pytest.mark.timeout(900)]

ROOT = Path(__file__).parents[1]
PASTE = "import jax\nprint(jax.make_jaxpr(lambda x: x + 1)(1.0))\n"


def call(*command: str | Path, **options) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    if not (ROOT / "visualizer" / "web" / "static" / "index.html").exists():
        pytest.fail("the page is not built: run `make build` first")
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ".", cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bin_folder(wheel, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("empty") / "venv"
    call(sys.executable, "-m", "venv", folder)
    scripts = folder / "bin"
    call(scripts / "pip", "install", "-qq", "--require-hashes", "-r", ROOT / "locks" / "runtime.txt")
    call(scripts / "pip", "install", "-qq", "--no-deps", wheel)
    return scripts


@pytest.fixture
def bare(bin_folder, tmp_path) -> dict[str, str]:
    """An environment whose PATH has no Node, and a working folder that is not the repository."""
    return {"PATH": str(bin_folder), "HOME": str(tmp_path)}


def test_the_wheel_holds_the_page_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "visualizer/web/static/index.html" in names
    assert any(re.fullmatch(r"visualizer/web/static/assets/.+\.js", name) for name in names)
    assert any(re.fullmatch(r"visualizer/drawing/bundle/.+\.js", name) for name in names)
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"visualizer"}
    assert not [name for name in names if "__pycache__" in name or name.endswith(".ts")]


def test_trace_and_doctor(bin_folder, bare, tmp_path):
    done = call(bin_folder / "jaxpr-visualizer", "trace", "-", env=bare, cwd=tmp_path, input=PASTE)
    assert len(json.loads(done.stdout)["programs"]) == 1
    done = call(bin_folder / "jaxpr-visualizer", "doctor", env=bare, cwd=tmp_path)
    assert "ok    the page is built" in done.stdout


def test_serve(bin_folder, bare, tmp_path):
    command = [str(bin_folder / "jaxpr-visualizer"), "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, env=bare, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().split()[3]
            with urllib.request.urlopen(address, timeout=60) as page:
                text = page.read().decode()
            script = re.search(r'src="\./(assets/[^"]+\.js)"|src="/?(assets/[^"]+\.js)"', text)
            assert script is not None
            with urllib.request.urlopen(address + (script[1] or script[2]), timeout=60) as asset:
                assert asset.headers["Cache-Control"].endswith("immutable")
            request = urllib.request.Request(
                f"{address}api/v1/trace", json.dumps({"source": PASTE}).encode(), {"Content-Type": "application/json"}
            )
            with urllib.request.urlopen(request, timeout=60) as response:
                assert len(json.load(response)["programs"]) == 1
        finally:
            os.killpg(process.pid, signal.SIGTERM)
    assert process.returncode == 0
