"""A program of the wire as text again."""

from ._jaxpr import jaxpr_text as jaxpr_text
