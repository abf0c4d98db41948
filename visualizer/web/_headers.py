"""The security headers of every answer, errors too.

Promises: nothing inline runs, nothing is loaded from elsewhere, nobody may frame the page; the nonce in the policy is new for every answer.
Must never: loosen the policy for one route by editing it in place; a route that needs another policy gets its own function.
"""

from __future__ import annotations

import secrets

from flask import Flask, Response, g

# The names of the trusted-types policies that the page creates (frontend/src/page). A worker's address is the only sink it needs.
TRUSTED_TYPES = "jaxpr-visualizer"

_FIXED = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


def content_security_policy(nonce: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            f"style-src 'self' 'nonce-{nonce}'",
            "img-src 'self' data: blob:",
            "font-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "object-src 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            f"trusted-types {TRUSTED_TYPES}",
        )
    )


def _new_nonce() -> None:
    g.nonce = secrets.token_urlsafe(16)


def _add(response: Response) -> Response:
    # A request that fails before its first hook still gets a policy.
    response.headers["Content-Security-Policy"] = content_security_policy(g.get("nonce") or secrets.token_urlsafe(16))
    for name, value in _FIXED.items():
        response.headers[name] = value
    return response


def register(app: Flask) -> None:
    app.before_request(_new_nonce)
    app.after_request(_add)
