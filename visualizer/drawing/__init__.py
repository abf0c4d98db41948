"""Pictures from Python: the frontend's own drawing, run in an embedded V8. Needs neither Node nor a browser, and never imports jax."""

from ._errors import BundleMissingError as BundleMissingError
from ._errors import DrawingError as DrawingError
from ._estimate import Estimate as Estimate
from ._estimate import estimate as estimate
from ._estimate import estimate_module as estimate_module
from ._svg import Open as Open
from ._svg import Overlay as Overlay
from ._svg import Theme as Theme
from ._svg import draw as draw
from ._svg import draw_module as draw_module
