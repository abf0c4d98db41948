"""What the sandbox loads into its zygote: `prepare`, `describe`, `trace_request`.

Promises: the process's own settings stand before NumPy and JAX are first imported (one thread, CPU).
Must never: import them at the top of this module's own imports' expense: importing it imports JAX.
"""

from __future__ import annotations

import os

# OpenBLAS starts its threads when NumPy is imported; a process with threads must not fork.
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

from ._prepare import describe as describe
from ._prepare import prepare as prepare
from ._prepare import rehearse as rehearse
from ._request import trace_request as trace_request
