"""A printed jaxpr as a program of the wire again: what `visualizer.text` writes, read back."""

from ._errors import JaxprError as JaxprError
from ._public import parse_jaxpr as parse_jaxpr
from ._read import Reading as Reading
from ._read import holds_jaxpr as holds_jaxpr
from ._read import read as read
from ._source import without_colours as without_colours
