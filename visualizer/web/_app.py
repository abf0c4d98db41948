"""The app factory: puts the parts together and knows nothing else."""

from __future__ import annotations

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from . import _errors, _front, _headers, _links, _open, _origin, _pages, _parts, _standalone, _status, _trace, shared
from ._keeper import Links
from ._settings import Settings
from ._tracer import Tracer


def create_app(settings: Settings, tracer: Tracer) -> Flask:
    """The WSGI application. `tracer` is used, not started or closed: that is the server's business."""
    app = Flask("visualizer.web", static_folder=None, template_folder=None)
    app.url_map.strict_slashes = False
    _headers.register(app)
    _errors.register(app)
    _origin.register(app, settings)
    store = _parts.PartStore(settings.parts_bytes, settings.parts_seconds)
    traces = _trace.register(app, settings, tracer, store)
    _open.register(app, settings, tracer, store)
    _parts.register(app, store)
    links = Links(settings.database, settings.links_bytes)
    # For whoever ends the server.
    app.extensions["links"] = links
    fronts = _front.Fronts(settings, traces)
    _links.register(app, settings, links, fronts)
    shared.register(app, settings, links, fronts)
    _status.register(app, settings, tracer)
    _standalone.register(app)
    _pages.register(app, settings.static)
    if settings.proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.proxies, x_proto=settings.proxies, x_host=settings.proxies)  # type: ignore[method-assign]
    return app
