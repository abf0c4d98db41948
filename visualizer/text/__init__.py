"""A program of the wire as text again, and printed jaxprs as programs."""

from ._jaxpr import jaxpr_text as jaxpr_text
from .parse import JaxprError as JaxprError
from .parse import parse_jaxpr as parse_jaxpr
