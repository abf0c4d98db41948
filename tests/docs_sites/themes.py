"""One small site in every theme that people use, built of a saved diagram: nothing is traced, and the pictures are made once."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from .sites import ROOT, run, write

TRACE = ROOT / "frontend" / "test" / "traces" / "01_grad_of_scan.json"
ALT = "Forward & \"backward\" <scans>, 'side by side'"
# An option of a fence cannot hold its own quotes.
MARKDOWN_ALT = ALT.replace('"', "")
_TEXT = "Text around it, which is long enough to fill a line of the column and to show how wide that is.\n"
_REST = f"""
Site
====

{_TEXT}
.. jaxpr:: /saved.json
   :alt: {ALT}
   :caption: An *image* of the "gradient".

{_TEXT}
.. jaxpr:: /saved.json
   :mode: inline
   :alt: {ALT}
   :name: inline

{_TEXT}
.. jaxpr:: /saved.json
   :depth: 0
   :align: right
   :width: 40%
   :caption: At a side.

{_TEXT}
.. jaxpr:: /saved.json
   :depth: 0
   :align: left
   :mode: inline

{_TEXT}
"""
_MARKDOWN = f"""# Site

{_TEXT}
```jaxpr alt="{MARKDOWN_ALT}" caption='The "gradient"'
saved.json
```

{_TEXT}
```jaxpr depth="0"
saved.json
```
"""
_MKDOCS = """
site_name: Site
theme:
  name: material
  font: false
  palette:
    - {media: "(prefers-color-scheme)", toggle: {icon: material/brightness-auto, name: auto}}
    - {media: "(prefers-color-scheme: light)", scheme: default, toggle: {icon: material/brightness-7, name: light}}
    - {media: "(prefers-color-scheme: dark)", scheme: slate, toggle: {icon: material/brightness-4, name: dark}}
markdown_extensions:
  - pymdownx.superfences:
      custom_fences:
        - name: jaxpr
          class: jaxpr
          format: !!python/name:visualizer.markdown.fence
          validator: !!python/name:visualizer.markdown.validate
"""


@dataclass(frozen=True)
class Site:
    """A site as it was built, and what makes it light or dark."""

    theme: str
    index: Path
    toggle: str | None

    def pictures(self) -> list[str]:
        """Every picture of ours that the page shows, as its SVG."""
        text = self.index.read_text(encoding="utf-8")
        inline = re.findall(r'<svg [^>]*role="img" aria-label=.*?</svg>', text, re.DOTALL)
        files = re.findall(r'<img [^>]*src="([^"]*jaxpr-\w+\.svg)"', text)
        return [*inline, *((self.index.parent / name).read_text(encoding="utf-8") for name in files)]


SPHINX = {"furo": "furo", "pydata": "pydata_sphinx_theme", "rtd": "sphinx_rtd_theme", "alabaster": "alabaster"}
TOGGLES = {
    "furo": ".theme-toggle",
    "pydata": ".theme-change-button[data-mode={}]",
    "material": "label.md-header__button[for^=__palette]:not([hidden])",
    "zensical": "label.md-header__button[for^=__palette]:not([hidden])",
}


def built(folder: Path) -> dict[str, Site]:
    """The sites by theme. Those of Sphinx share what was read and the pictures; one has a folder for each page."""
    docs = write(folder / "docs", {"conf.py": "project = 'Site'\nextensions = ['visualizer.sphinx']\n", "index.rst": _REST})
    shutil.copyfile(TRACE, docs / "saved.json")
    found = {}
    for name, theme in SPHINX.items():
        out = folder / name
        builder = "dirhtml" if name == "pydata" else "html"
        given = ("-D", f"html_theme={theme}", "-D", f"jaxpr_cache_dir={folder}/cache", "-d", f"{folder}/read-{builder}")
        run("sphinx", "-q", "-W", "-b", builder, *given, str(docs), str(out), cwd=folder)
        found[name] = Site(name, out / "index.html", TOGGLES.get(name))
    pages = write(folder / "pages", {"mkdocs.yml": _MKDOCS, "docs/index.md": _MARKDOWN})
    shutil.copyfile(TRACE, pages / "saved.json")
    run("mkdocs", "build", "--strict", "-d", str(folder / "material"), cwd=pages, NO_MKDOCS_2_WARNING="1")
    run("zensical", "build", "--strict", cwd=pages)
    for name, out in (("material", folder / "material"), ("zensical", pages / "site")):
        found[name] = Site(name, out / "index.html", TOGGLES[name])
    return found
