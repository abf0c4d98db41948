"""A real site of MkDocs with Material, and what its fence says of what it cannot draw."""

from __future__ import annotations

import logging
import re

import pytest

from visualizer.drawing._engine import BUNDLE
from visualizer.markdown import fence, validate

from .sites import Page, run, saved, write

pytest.importorskip("material")
pytestmark = pytest.mark.skipif(not BUNDLE.is_file(), reason="the drawing is not built: make build")
SETTINGS = """
site_name: Site
theme: {name: material, font: false}
markdown_extensions:
  - attr_list
  - pymdownx.superfences:
      custom_fences:
        - name: jaxpr
          class: jaxpr
          format: !!python/name:visualizer.markdown.fence
          validator: !!python/name:visualizer.markdown.validate
"""
INDEX = """# Site

```jaxpr name="fig-a" caption='A "scan" & its <b>gradient</b>' alt="Forward & 'backward' <scans>" source="true"
def f(x):
    return x * 2 + 1
trace(f, f32[3])
```

``` {.jaxpr #fig-b .wide width="50%"}
saved.json
```

See [the first](#fig-a).
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = write(tmp_path_factory.mktemp("site"), {"mkdocs.yml": SETTINGS, "docs/index.md": INDEX})
    saved(folder / "saved.json")
    run("mkdocs", "build", "--strict", cwd=folder, NO_MKDOCS_2_WARNING="1")
    return folder


def test_a_fence_is_a_figure_with_its_words_and_no_ids_of_its_own(site):
    text = (site / "site/index.html").read_text()
    page = Page(site / "site/index.html")
    assert [figure.get("id") for figure in page.of("figure")] == ["fig-a", "fig-b"]
    first, second = (svg["aria-label"] for svg in page.of("svg", role="img"))
    assert first == "Forward & 'backward' <scans>"
    assert second.startswith("<lambda>: dataflow graph. Inputs x.")
    assert "<figcaption>A &quot;scan&quot; &amp; its &lt;b&gt;gradient&lt;/b&gt;</figcaption>" in text
    for picture in re.findall(r'<svg [^>]*role="img".*?</svg>', text, re.DOTALL):
        assert not re.search(r"\sid=|<script|foreignObject|prefers-color-scheme", picture)
    assert "light-dark(" in text
    assert page.of("div", style="overflow-x:auto;width:50%")[0]["class"] == "jaxpr-diagram wide"
    assert "x * 2 + 1" in text


def test_strict_stops_at_what_cannot_be_drawn(site, tmp_path):
    write(tmp_path, {"mkdocs.yml": SETTINGS, "docs/index.md": "```jaxpr\nx = 1\nx / 0\n```\n"})
    said = run("mkdocs", "build", "--strict", cwd=tmp_path, code=1, NO_MKDOCS_2_WARNING="1")
    assert "index.md: jaxpr: line 2 of the fence: ZeroDivisionError: division by zero [x = 1]" in said
    # Zensical hands its --strict to no extension, and counts no warning of one.
    pytest.importorskip("zensical")
    said = run("zensical", "build", "--strict", cwd=tmp_path, code=1)
    assert "index.md: jaxpr: line 2 of the fence: ZeroDivisionError: division by zero [x = 1]" in said
    said = run("zensical", "build", "--clean", cwd=tmp_path)
    assert "index.md: jaxpr: line 2 of the fence: ZeroDivisionError: division by zero [x = 1]" in said
    assert "x / 0" in (tmp_path / "site/index.html").read_text()


def asked(source, **options):
    given: dict[str, str] = {}
    validate("jaxpr", options, given, {}, None)
    return fence(source, "jaxpr", "jaxpr", given, None)


@pytest.mark.parametrize(
    ("source", "options", "said"),
    [
        ("", {}, "It is empty."),
        ("nothing.json", {}, "There is no file nothing.json in "),
        ("trace(f)", {"args": "f32[3]"}, "args are for `module:function`."),
        ("nothing.json", {"depth": "deep"}, "depth is 'deep'; it is a number."),
        ("nothing.json", {"level": "cuda"}, "level is 'cuda'; it is one of jaxpr, stablehlo, hlo."),
        ("nothing.json", {"colour": "red"}, "there is no option 'colour'. There are align, alt, args"),
    ],
)
def test_what_is_wrong_is_said_and_the_source_is_shown_as_text(source, options, said, caplog):
    with caplog.at_level(logging.WARNING, "mkdocs"):
        shown = asked(f"{source}<script>" if source == "trace(f)" else source, **options)
    assert any(said in record.message for record in caplog.records)
    assert shown.startswith('<div class="highlight"><pre><code')
    assert "<script>" not in shown
