"""Sites that are built with diagrams in them, as an author would write them."""

from __future__ import annotations

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import visualizer as viz
from visualizer.drawing import svg_of

ROOT = Path(__file__).resolve().parents[2]
ALT = "Forward & \"backward\" <scans>, 'side by side'"
CONF = """
import os, pathlib, sys
sys.path.insert(0, str(pathlib.Path(__file__).parent))
project = "Site"
extensions = ["visualizer.sphinx", "myst_parser"]
html_theme = "furo"
numfig = True
man_pages = [("index", "site", "Site", ["somebody"], 1)]
jaxpr_setup = "open('traced.txt', 'a').write('code ')"
if os.environ.get("RUN_JAX"):
    import jax.numpy
    (jax.numpy.ones(3) + 1).block_until_ready()

def read(app, tree):
    # Nothing that traces or draws is in the process that reads.
    loaded = sorted({"visualizer.tracing", "visualizer._api._diagram", "py_mini_racer"} & set(sys.modules))
    open("read.txt", "a").write(f"{os.getpid()} {app.env.docname} {','.join(loaded)}\\n")

def setup(app):
    app.connect("doctree-read", read)
"""
OWN = """
open('traced.txt', 'a').write('own ')

def double(x, how):
    assert how == "twice"
    return x["a"] * 2
"""
SAVED = ".. jaxpr:: /saved.json\n   :mode: {mode}\n   :alt: Saved {mode}\n"
PAGES = {
    "index.rst": f"""
Site
====

.. jaxpr::
   :name: fig-scan
   :caption: A *scan* and "its" <gradient>.
   :alt: {ALT}
   :align: center
   :show-source:

   import jax, jax.numpy as jnp

   def loss(w, xs):
       return jax.lax.scan(lambda h, x: (jnp.tanh(h @ w + x), h), jnp.zeros(3), xs)[0].sum()

   trace(jax.grad(loss), f32[3,3], f32[5,3])

See :numref:`fig-scan`.

.. toctree::
   :glob:

   sub/*
   md
""",
    "sub/own.rst": "Own\n===\n\n.. jaxpr:: own:double\n   :args: {'a': f32[2]}, 'twice'\n   :width: 50%\n   :name: fig-own\n",
    "md.md": "# MyST\n\n```{jaxpr}\n:caption: By *MyST*\n\ntrace(lambda x: x + 1, f32[3])\n```\n",
    "sub/inline.rst": f"Inline\n======\n\n{SAVED.format(mode='inline')}",
    **{f"sub/img{at}.rst": f"Image {at}\n=======\n\n{SAVED.format(mode='img')}" for at in range(3)},
}


def saved(path: Path) -> None:
    """A saved diagram, of what JAX made of a function."""
    viz.trace(lambda x: x * 3, viz.spec("f32[4]")).save(path)


def write(folder: Path, pages: dict[str, str]) -> Path:
    for name, text in pages.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def run(*command: str, cwd: Path, code: int | None = 0, **environment: str) -> str:
    """What a builder said. PYTHONPATH has this very package."""
    paths = os.pathsep.join([environment.pop("first", ""), str(ROOT)]).strip(os.pathsep)
    whole = {**os.environ, "PYTHONPATH": paths, "NO_COLOR": "1", "PYTHONWARNINGS": "ignore", **environment}
    done = subprocess.run([sys.executable, "-m", *command], cwd=cwd, capture_output=True, text=True, env=whole, timeout=300)
    assert code is None or done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def sphinx(site: Path, builder: str, *more: str, code: int | None = 0, **environment: str) -> str:
    return run("sphinx", "-b", builder, *more, ".", f"../out/{builder}", cwd=site, code=code, **environment)


class Page(HTMLParser):
    """The tags of a page with their attributes, and nothing but well-formed ones."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def of(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [given for name, given in self.tags if name == tag and all(given.get(key) == value for key, value in wanted.items())]

    def diagrams(self) -> list[dict[str, str | None]]:
        return [given for given in self.of("img") if "dark-light" in (given.get("class") or "")]


def light_svg(path: Path) -> str:
    """The picture of a saved diagram, as `draw` makes it."""
    found = viz.load(path)
    return svg_of(found.program, found.options)
