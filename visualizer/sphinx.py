"""`extensions = ["visualizer.sphinx"]`: the directive `jaxpr` for Sphinx, in reStructuredText and in MyST."""

from visualizer.integrations._sphinx import setup as setup
