"""The project's own documentation: `make docs` builds it into out/docs/html. What code can say of itself is generated (`_ext`)."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE / "_ext"), str(HERE.parent)]

from visualizer import __version__  # noqa: E402

project = "jaxpr-visualizer"
author = "the authors of jaxpr-visualizer"
release = version = __version__
extensions = ["visualizer.sphinx", "myst_parser", "sphinx.ext.autodoc", "sphinx_click", "sphinx_copybutton", "generated"]
exclude_patterns = ["_ext", "_static"]
# Docstrings name code in single backticks.
default_role = "code"
# They would make a dash of the two hyphens of an option.
smartquotes = False

myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
nitpicky = True
# No inventory is fetched while this is built: names of other projects, and those inside of ours, are text.
_TYPES = r"Any|Callable|Iterable|Literal|Path|PathLike|Protocol|TracebackType|optional"
nitpick_ignore_regex = [
    ("py:.*", rf"{_TYPES}|(jax|pathlib|os|collections|typing)\..*"),
    ("py:class", r"visualizer\.(model|drawing)\._.*"),
]

html_theme = "furo"
html_title = "jaxpr-visualizer"
html_static_path = ["_static"]
html_css_files = ["own.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_show_copyright = False
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
