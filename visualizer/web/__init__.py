"""The HTTP side: a JSON API, the page, and the servers that carry them. Never imports jax or the tracing package."""

from ._app import create_app as create_app
from ._settings import Settings as Settings
from ._tracer import Tracer as Tracer
