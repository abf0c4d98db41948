"""Who may talk to the server: the Host and Origin checks.

Promises: a page of another site can neither reach a loopback server by pointing its own name at 127.0.0.1 (DNS rebinding), nor post to it.
Must never: trust a header that a browser lets a page set.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, request

from ._errors import ApiError
from ._settings import Settings, host_name, is_loopback


def host_is_allowed(header: str, settings: Settings) -> bool:
    name = host_name(header)
    if name in {host_name(allowed) for allowed in settings.allowed_hosts}:
        return True
    if settings.loopback:
        return is_loopback(name)
    return not settings.allowed_hosts


def origin_is_allowed(origin: str, host: str, settings: Settings) -> bool:
    """Whether a page of `origin` may post: it must be the server's own, or one that the settings name."""
    if origin in settings.allowed_origins:
        return True
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.strip().lower()


def register(app: Flask, settings: Settings) -> None:
    def check() -> None:
        host = request.environ.get("HTTP_HOST", "")
        # Browsers always send it; HTTP/1.0 probes may not.
        if host and not host_is_allowed(host, settings):
            raise ApiError(
                403,
                "host-not-allowed",
                "This server does not answer to that host name.",
                "Open it at the address that it printed, or start it with --allow-host.",
            )
        if ("HTTP_HOST" in request.environ and not request.host) or request.scheme not in {"http", "https"}:
            # The two become the start of every address that the server gives out.
            how = "Send Host as browsers do, a name and, if need be, a port; a proxy says http or https."
            raise ApiError(400, "bad-host", "The headers name no host of the web.", how)
        if request.method in {"GET", "HEAD", "OPTIONS"}:
            return
        origin = request.headers.get("Origin")
        elsewhere = request.headers.get("Sec-Fetch-Site") in {"cross-site", "same-site"}
        if (origin is not None and not origin_is_allowed(origin, host, settings)) or (origin is None and elsewhere):
            raise ApiError(
                403,
                "origin-not-allowed",
                "Pages of other sites may not send code to this server.",
                "Open the server's own page and paste the code there.",
            )

    app.before_request(check)
