"""jaxpr-visualizer: see the program that JAX traced. Importing this loads neither jax nor flask."""

from ._version import __version__ as __version__
