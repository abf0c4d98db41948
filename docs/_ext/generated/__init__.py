"""Sphinx extension: `:::{generated} NAME` is what the code says of itself, written as Markdown when the site is built.

Promises: nothing that is generated is committed, so none of it can be stale. Must never: trace or draw in the builder's processes.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from . import _api, _errors, _keys, _options, _roles, _settings, _wire

WRITERS = {
    "directive-options": _options.directive,
    "fence-options": _options.fence,
    "myst-options": _options.myst,
    "sphinx-settings": _options.settings,
    "server-settings": _settings.server,
    "environment": _settings.environment,
    "limits": _settings.limits,
    "wire": _wire.models,
    "routes": _api.routes,
    "request": _wire.request,
    "errors": _errors.codes,
    "keys": _keys.tables,
    "roles": _roles.roles,
}


class Generated(SphinxDirective):
    """The Markdown of one writer, in the place of the directive; headings in it are sections."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        text = WRITERS[self.arguments[0]]()
        return self.parse_text_to_nodes(text, offset=self.lineno, allow_section_headings=True)


def setup(app: Any) -> dict[str, Any]:
    """What Sphinx calls."""
    app.add_directive("generated", Generated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
