"""`jaxpr-visualizer serve`: check, bind, print the address, serve."""

from __future__ import annotations

import functools
import os
import sys
import threading
import webbrowser
from dataclasses import replace

import click

from visualizer.web import Settings
from visualizer.web._serve import CannotBind, Server, address_of, bind, serve
from visualizer.web.opening import File

from ._links import default_database, why_not
from ._tracer import ALONE_SECONDS, SHARED_SECONDS, make_tracer


def run(
    host: str,
    port: int,
    open_: bool | None,
    server: Server,
    allow_host: tuple[str, ...],
    allow_origin: tuple[str, ...],
    proxies: int,
    cpu_seconds: int | None,
    opened: tuple[File, ...] = (),
    opened_title: str = "",
    database: str | None = None,
    links: bool = True,
    links_per_hour: int | None = None,
    allow_frame: tuple[str, ...] = ("*",),
) -> int:
    """Exit code 0 after a stop that was asked for, 1 when the address, the isolation or the database cannot be had."""
    settings = Settings(host=host, allowed_hosts=allow_host, allowed_origins=allow_origin, proxies=proxies)
    settings = replace(settings, opened=opened, opened_title=opened_title, frame_ancestors=allow_frame)
    settings = replace(settings, database=(database or default_database()) if links else None, links_per_hour=links_per_hour)
    # One that was asked for must be there. The person's own is opened when the first link is made, or not at all.
    if links and database and (problem := why_not(database)):
        click.echo(f"Error: {problem}", err=True)
        return 1
    try:
        sock = bind(host, port)
    except CannotBind as error:
        click.echo(f"Error: {error}", err=True)
        return 1
    if not settings.alone and (refusal := _why_not_public(host)):
        sock.close()
        click.echo(f"Error: {refusal}", err=True)
        return 1
    address = address_of(sock) + ("?opened" if opened else "")

    def ready() -> None:
        click.echo(f"jaxpr-visualizer is at {address}  (stop it with Ctrl-C)")
        if not (settings.static / "index.html").exists():
            click.echo("The page is not built, only the API answers: run `make build` first.", err=True)
        elif open_ or (open_ is None and _is_desktop()):
            # Some browsers' launchers do not return at once.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    seconds = cpu_seconds or (ALONE_SECONDS if settings.alone else SHARED_SECONDS)
    serve(settings, functools.partial(make_tracer, seconds), sock, server, ready)
    return 0


def _why_not_public(host: str) -> str | None:
    """What is missing on this machine for serving others, or None. Starts the sandbox once to know."""
    tracer = make_tracer()
    try:
        tracer.start()
        if tracer.allows_public():
            return None
        health = tracer.health()
    finally:
        tracer.close()
    leaks = ", ".join(str(leak) for leak in health.get("leaks") or ()) or "unknown"
    return (
        f"Code from others cannot be isolated well enough on this machine, so the server does not listen on {host} for others "
        f"(what gets through: {leaks}). `jaxpr-visualizer doctor` says more; --host 127.0.0.1 alone serves yourself."
    )


def _is_desktop() -> bool:
    if not sys.stdout.isatty():
        return False
    return sys.platform in {"darwin", "win32"} or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
