"""The servers: gunicorn where it runs, waitress elsewhere. Both get a socket that is already bound.

Promises: one process with threads; the tracer is started in the process that serves and closed when that ends, by SIGTERM or SIGINT too.
Must never: bind by itself, so that a busy port is known, and said in one line, before anything else starts.
"""

from __future__ import annotations

import errno
import signal
import socket
from collections.abc import Callable
from types import FrameType
from typing import Any, Literal

from flask import Flask

from ._app import create_app
from ._settings import Settings
from ._tracer import BackgroundTracer, Tracer

Server = Literal["auto", "gunicorn", "waitress"]
# Long enough for the longest job, so that a stop does not cut off an answer that is nearly there.
GRACE_SECONDS = 10


class CannotBind(Exception):
    """The address cannot be had; the message says why and what to do."""


def bind(host: str, port: int) -> socket.socket:
    """A listening-to-be socket; `port` 0 takes any free one. Raises CannotBind."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except socket.gaierror as error:
        raise CannotBind(f"{host} is not an address of this machine: {error.strerror}.") from None
    sock = socket.socket(family, kind, protocol)
    try:
        # On Windows the option means that two servers may share a port.
        if hasattr(signal, "SIGHUP"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
    except OSError as error:
        sock.close()
        raise CannotBind(_why(error, host, port)) from None
    return sock


def _why(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} on {host} is taken by another program. Choose another one with --port, or --port 0 for any that is free."
    if error.errno == errno.EACCES:
        return f"Port {port} needs rights that you do not have here. Choose one above 1023 with --port."
    return f"{host}:{port} cannot be bound: {error.strerror}."


def address_of(sock: socket.socket) -> str:
    """The address to type into a browser on this machine, `http://127.0.0.1:8000/`."""
    host, port = sock.getsockname()[:2]
    if host in {"0.0.0.0", "::"}:  # noqa: S104 - read, not bound
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def choose_server(wanted: Server) -> Server:
    if wanted != "auto":
        return wanted
    # gunicorn forks a process that has loaded much; that is known to go wrong outside Linux.
    return "gunicorn" if socket.has_ipv6 and _is_linux() and _has_gunicorn() else "waitress"


def _is_linux() -> bool:
    import sys

    return sys.platform == "linux"


def _has_gunicorn() -> bool:
    import importlib.util

    return importlib.util.find_spec("gunicorn") is not None


def serve(settings: Settings, make_tracer: Callable[[], Tracer], sock: socket.socket, server: Server, on_ready: Callable[[], None]) -> None:
    """Serve until told to stop. `on_ready` is called once when the socket listens; a paste may still have to wait for the tracer."""
    if choose_server(server) == "gunicorn":
        _serve_gunicorn(settings, make_tracer, sock, on_ready)
    else:
        _serve_waitress(settings, make_tracer, sock, on_ready)


def _serve_gunicorn(settings: Settings, make_tracer: Callable[[], Tracer], sock: socket.socket, on_ready: Callable[[], None]) -> None:
    from gunicorn.app.base import BaseApplication

    from ._worker import Worker

    tracers: list[BackgroundTracer] = []
    apps: list[Flask] = []

    def close(_arbiter: object, _worker: object) -> None:
        # Ctrl-C comes twice, from the terminal and from the parent; the second must not cut the closing short.
        for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        for tracer in tracers:
            tracer.close()
        for app in apps:
            app.extensions["painter"].close()
            app.extensions["links"].close()

    options: dict[str, Any] = {
        "bind": f"fd://{sock.detach()}",
        "worker_class": Worker,
        "workers": 1,
        "threads": settings.threads,
        "timeout": 120,
        "graceful_timeout": GRACE_SECONDS,
        "keepalive": 5,
        # Whose word about scheme and path holds is said by `proxies` alone; gunicorn would believe everything on this machine.
        "forwarded_allow_ips": "",
        "loglevel": "warning",
        "control_socket_disable": True,
        "proc_name": "jaxpr-visualizer",
        "when_ready": lambda _arbiter: on_ready(),
        "worker_exit": close,
    }

    class Application(BaseApplication):  # type: ignore[misc]
        def load_config(self) -> None:
            for name, value in options.items():
                self.cfg.set(name, value)

        def load(self) -> Flask:
            # Runs in the worker: threads and pipes of the tracer must not be made before the fork.
            tracer = BackgroundTracer(make_tracer())
            tracers.append(tracer)
            tracer.start()
            apps.append(create_app(settings, tracer))
            return apps[-1]

    Application().run()


def _serve_waitress(settings: Settings, make_tracer: Callable[[], Tracer], sock: socket.socket, on_ready: Callable[[], None]) -> None:
    from waitress.server import create_server

    tracer = BackgroundTracer(make_tracer())
    tracer.start()
    previous = signal.signal(signal.SIGTERM, _stop)
    app = create_app(settings, tracer)
    try:
        http = create_server(
            app,
            sockets=[sock],
            threads=settings.threads,
            ident="jaxpr-visualizer",
            # Stream each level as it is ready instead of filling a buffer first.
            send_bytes=1,
            # Keep reading while a job runs: that is how it learns that the client has left.
            channel_request_lookahead=1,
            max_request_body_size=max(settings.body_bytes * 2, 64 * 1024 * 1024),
            channel_timeout=60,
        )
        on_ready()
        http.run()
    finally:
        signal.signal(signal.SIGTERM, previous)
        tracer.close()
        app.extensions["painter"].close()
        app.extensions["links"].close()


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise SystemExit(0)
