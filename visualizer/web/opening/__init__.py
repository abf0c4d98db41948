"""Files that a person opens: saved traces, dumps of JAX and XLA, modules; all of them one Trace. See `_files.py`."""

from ._files import File as File
from ._files import Refused as Refused
from ._files import is_saved_trace as is_saved_trace
from ._files import trace_of as trace_of
