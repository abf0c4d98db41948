"""Files that a person opens: saved traces, dumps of JAX and XLA, modules; all of them one Trace. See `_files.py`."""

from ._files import File as File
from ._files import is_saved_trace as is_saved_trace
from ._files import trace_of as trace_of
from ._names import kind_of as kind_of
from ._names import plain as plain
from ._refused import Refused as Refused
from ._saved import MOST_BYTES as MOST_BYTES
from ._saved import checked as checked
