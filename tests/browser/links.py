"""Short links for the tests of what a link serves, and a page of another site that shows one in a frame."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.links.contents import address


def shared(server: str, source: str, **state: Any) -> str:
    """The name of a new link."""
    body = json.dumps({"state": address({"source": source, **state})}).encode()
    request = urllib.request.Request(server + "/api/v1/links", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return str(json.load(response)["id"])


@contextmanager
def site(html: str, headers: dict[str, str] | None = None) -> Iterator[str]:
    """The address of a page of another origin than the server's: by its name, where the server has its number."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            for name, value in {"Content-Type": "text/html; charset=utf-8", **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://localhost:{http.server_address[1]}/"
        finally:
            http.shutdown()
            thread.join()
