"""The security headers of every answer, errors too.

Promises: nothing inline runs, nothing is loaded from elsewhere, nobody may frame the page; the nonce in the policy is new for every answer.
Must never: loosen the policy for one route by editing it in place; a route that needs another policy gets its own function, here. Those are
`framed` (what stands in frames of other pages) and `picture` (what other pages show as an image).
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


def framed(response: Response, policy: str, ancestors: tuple[str, ...]) -> Response:
    """For what other pages may show in a frame: the policy of the page itself, and who may frame it."""
    who = " ".join(ancestors) or "'none'"
    g.own_headers = {
        "Content-Security-Policy": f"{policy}; frame-ancestors {who}",
        # A page that is isolated itself (COEP) shows only frames that are, too, and that say that others may have them.
        "Cross-Origin-Resource-Policy": "cross-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
        "X-Frame-Options": None,
        # Of a document in a frame it is not read; alone, the frame's page would lose whoever opened it.
        "Cross-Origin-Opener-Policy": None,
    }
    return response


def picture(response: Response) -> Response:
    """For an image that any page may show. Opened by itself, an SVG is a document: nothing in it runs or is loaded."""
    g.own_headers = {
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    return response


def _add(response: Response) -> Response:
    # A request that fails before its first hook still gets a policy.
    response.headers["Content-Security-Policy"] = content_security_policy(g.get("nonce") or secrets.token_urlsafe(16))
    for name, value in _FIXED.items():
        response.headers[name] = value
    own: dict[str, str | None] = g.pop("own_headers", {})
    for name, changed in own.items():
        if changed is None:
            response.headers.pop(name, None)
        else:
            response.headers[name] = changed
    return response


def register(app: Flask) -> None:
    app.before_request(_new_nonce)
    app.after_request(_add)
