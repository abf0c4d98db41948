"""Diagrams in documents: what Sphinx, MkDocs and MyST call. Loads neither jax nor the drawing: a fresh process does both."""
