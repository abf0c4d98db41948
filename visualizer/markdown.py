"""The fence `jaxpr` for MkDocs, Zensical and whatever else uses `pymdownx.superfences`."""

from visualizer.integrations._markdown import fence as fence
from visualizer.integrations._markdown import validate as validate
