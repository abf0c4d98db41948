"""The same StableHLO in Google's Model Explorer and in our page: from the opened file to the first picture, on the clock of one run.

Optional: it runs where `model-explorer` is on the path. The package (`pip install ai-edge-model-explorer`) brings 660 MB with it, a whole
TensorFlow among them, so it is no dependency of ours: give it a venv of its own and put that venv's `bin` at the end of the path.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Request, sync_playwright

from bench._table import Row, print_table
from bench.frames import FLAGS, ROOT, server

LAYERS = 42
# A step of Adam on twelve layers.
STEP = """
def step(params, means, squares, tokens, targets):
    value, grads = jax.value_and_grad(loss)(params, tokens, targets)
    means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, grads)
    squares = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, squares, grads)
    params = jax.tree.map(lambda p, m, s: p - 1e-3 * m / (jnp.sqrt(s) + 1e-8), params, means, squares)
    return params, means, squares, value


jax.make_jaxpr(step)(params, params, params, tokens, tokens)
"""
# It draws with WebGL, which Chromium has in software, too.
WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
PORT = 8299
WARM = 4000
# Nobody finds a file in the dialog sooner.
DIALOG = 1000
OLD = "() => { document.querySelector('.viewer > svg').id = 'before'; }"
DRAWN = """() => {
  const svg = document.querySelector('.viewer > svg');
  return svg.id !== 'before' && !document.querySelector(".viewer[aria-busy='true']") && svg.querySelector('[data-key]') !== null;
}"""


def traced(folder: Path, layers: int, ending: str | None = None) -> tuple[Path, Path]:
    """The gradient of a transformer: its trace as it is saved, and its StableHLO. `ending` stands in place of what it asks to be traced."""
    source = folder / "transformer.py"
    text = (ROOT / "frontend" / "test" / "programs" / "transformer.py").read_text("utf-8")
    text = text.replace("LAYERS, WIDTH, HEADS, TOKENS = 4,", f"LAYERS, WIDTH, HEADS, TOKENS = {layers},")
    if ending is not None:
        text = text[: text.rindex("jax.make_jaxpr")] + ending
    source.write_text(text, "utf-8")
    made = subprocess.run([sys.executable, "-m", "visualizer", "trace", str(source)], cwd=ROOT, capture_output=True, text=True, check=True)
    saved, module = folder / f"transformer{layers}.json", folder / f"transformer{layers}.mlir"
    saved.write_text(made.stdout, "utf-8")
    module.write_text(json.loads(made.stdout)["programs"][0]["texts"]["stablehlo"]["text"], "utf-8")
    return saved, module


def ours(browser: Browser, file: Path) -> float:
    """Milliseconds from the chosen file to the picture; an example stands there before.

    The file is chosen as a person does it, by the button and the system's dialog, whose time is not counted. The server has nothing to do
    with it, but it has just begun, and warms its workers on the cores that are measured: it is given the time for it, as theirs has it
    before its page is asked for.
    """
    with server() as address:
        page = browser.new_page(viewport={"width": 1600, "height": 1000})
        page.set_default_timeout(240_000)
        page.goto(address)
        page.wait_for_selector(".viewer svg [data-key]")
        page.wait_for_timeout(WARM)
        page.evaluate(OLD)
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Open…").click()
        page.wait_for_timeout(DIALOG)
        started = time.perf_counter()
        chooser.value.set_files(str(file))
        page.wait_for_function(DRAWN)
        return (time.perf_counter() - started) * 1000


def theirs(browser: Browser, program: str, module: Path) -> float:
    """Milliseconds from asking for the file, its page being there, to the canvas with the picture."""
    command = [program, "--no_open_in_browser", "--skip_health_check", "--host", "127.0.0.1", "--port", str(PORT), str(module)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as process:
        assert process.stdout is not None
        try:
            found = next(found for line in process.stdout if (found := re.search(r"http://[^\s\x1b]+", line)))
            page = browser.new_page(viewport={"width": 1600, "height": 1000})
            page.set_default_timeout(240_000)
            asked: list[float] = []

            def note(request: Request) -> None:
                if "send_command" in request.url:
                    asked.append(time.perf_counter())

            page.on("request", note)
            page.goto(found.group())
            page.wait_for_selector("canvas")
            return (time.perf_counter() - asked[0]) * 1000
        finally:
            process.terminate()


def main() -> None:
    program = shutil.which("model-explorer")
    if program is None:
        print("\nModel Explorer is not on the path: `pip install ai-edge-model-explorer` in a venv of its own (660 MB) to run this one.")
        return
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        step, step_module = traced(Path(folder), 12, STEP)
        _, module = traced(Path(folder), LAYERS)
        browser = playwright.chromium.launch(executable_path=path, args=[*(flag for flag in FLAGS if flag != "--disable-gpu"), *WEBGL])
        rows = [
            Row(
                "12 layers, gradient, Adam: jaxpr here, StableHLO there",
                ours(browser, step),
                theirs(browser, program, step_module),
                0.1,
            ),
            Row("StableHLO of 6,500 equations in both", ours(browser, module), theirs(browser, program, module), 1.0),
        ]
        browser.close()
    print_table("From the file to the picture, against Model Explorer (the reference is its time)", rows)


if __name__ == "__main__":
    main()
