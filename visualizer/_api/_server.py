"""The page, served from the person's own process while it goes on."""

from __future__ import annotations

import subprocess
import sys
from types import TracebackType


class Server:
    """A server of the page on this machine. `url` is its address; it ends with `close`, with its `with` block, or with this process."""

    def __init__(self, host: str, port: int, open_browser: bool) -> None:
        import socket
        import time
        import urllib.request

        if port == 0:
            with socket.socket() as found:
                found.bind((host, 0))
                port = int(found.getsockname()[1])
        self.url = f"http://{host}:{port}/"
        opened = "--open" if open_browser else "--no-open"
        command = [sys.executable, "-m", "visualizer", "serve", "--host", host, "--port", str(port), opened]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 60
        while True:
            if self._process.poll() is not None:
                said = (self._process.stderr.read() if self._process.stderr else "").strip()
                raise RuntimeError(f"The server did not start: {said.splitlines()[-1] if said else 'it ended at once'}")
            try:
                with urllib.request.urlopen(f"{self.url}healthz", timeout=5):
                    return
            except OSError:
                if time.monotonic() > deadline:
                    self.close()
                    raise RuntimeError("The server did not answer within a minute.") from None
                time.sleep(0.05)

    def close(self) -> None:
        """End the server. Idempotent."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(20)
            except subprocess.TimeoutExpired:
                self._process.kill()
        if self._process.stderr is not None:
            self._process.stderr.close()

    def wait(self) -> None:
        """Wait until the server ends."""
        self._process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Server {self.url}{'' if self._process.poll() is None else ' (ended)'}>"


def serve(*, host: str = "127.0.0.1", port: int = 0, open_browser: bool = False) -> Server:
    """Serve the page in a process of its own; port 0 takes one that is free. Raises RuntimeError when the server does not start."""
    return Server(host, port, open_browser)
