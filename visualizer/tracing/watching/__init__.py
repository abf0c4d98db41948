"""Watches a person's own script in its own Python process: what `jaxpr-visualizer run` puts beside it.

While the script runs this package is loaded under a name of its own and imports nothing else of this project, so that nothing the script
imports is shadowed. Promises: the script does what it would do unwatched; what goes wrong here is a warning. Must never: import jax itself.
"""
