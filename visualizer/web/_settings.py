"""Everything that a deployment may choose about the web side, in one frozen value. Limits of a single job are the sandbox's."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from pathlib import Path

from .opening import File

STATIC = Path(__file__).parent / "static"
MEGABYTE = 1024 * 1024
# So many threads may wait for pictures of links.
PICTURE_THREADS = 12


def is_loopback(host: str) -> bool:
    """Whether an address or host name can only mean this machine (`localhost`, `127.0.0.1`, `::1`)."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def host_name(header: str) -> str:
    """The name in a Host header, without port, brackets or final dot: `[::1]:8000` gives `::1`."""
    text = header.strip().lower()
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0].rstrip(".")


def default_capacity() -> int:
    """Jobs that run at once: two per core, since half of a job is waiting."""
    return max(2, 2 * (os.cpu_count() or 1))


@dataclass(frozen=True)
class Settings:
    """`host` is the address that is bound: when it is loopback, requests that name another host are refused (DNS rebinding).

    `allowed_hosts` narrows the Host header (for loopback: adds to it); `allowed_origins` adds origins that may post;
    `proxies` is how many reverse proxies in front are trusted for X-Forwarded-For. What large answers left out is kept for `parts_seconds`
    after it was last used, `parts_bytes` of it (compressed). `opened` are the files that the page shows at `/?opened`.
    Short links are kept in `database` (a path, or the address of a PostgreSQL database), or not at all; a SQLite file has `links_bytes` at
    most. `frame_ancestors` are the sources of pages that may show a link in a frame, as a content security policy names them.
    """

    host: str = "127.0.0.1"
    static: Path = STATIC
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()
    proxies: int = 0
    body_bytes: int = 24 * MEGABYTE
    capacity: int = field(default_factory=default_capacity)
    queue: int = 8
    queue_seconds: float = 15.0
    jobs_per_client: int | None = None
    cache_bytes: int = 64 * MEGABYTE
    parts_bytes: int = 64 * MEGABYTE
    parts_seconds: float = 3600.0
    opened: tuple[File, ...] = ()
    opened_title: str = ""
    database: str | None = None
    links_bytes: int = 4096 * MEGABYTE
    links_per_hour: int | None = None
    frame_ancestors: tuple[str, ...] = ("*",)

    @property
    def loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def alone(self) -> bool:
        """Whether only people on this machine can reach the server: a proxy, or another name, lets others in to a loopback address, too."""
        return self.loopback and not self.proxies and all(is_loopback(host_name(name)) for name in self.allowed_hosts)

    @property
    def client_jobs(self) -> int:
        """Jobs one client may have running or waiting: where nobody else can reach the server all there are, else four."""
        if self.jobs_per_client is not None:
            return self.jobs_per_client
        return self.capacity + self.queue if self.alone else 4

    @property
    def client_links(self) -> int | None:
        """Links one client may make in an hour: where nobody else can reach the server any number."""
        return self.links_per_hour if self.alone or self.links_per_hour is not None else 60

    @property
    def threads(self) -> int:
        """Server threads: one per job and per waiter for either a job or a picture; four more so that pages and /healthz always answer."""
        return max(16, self.capacity + self.queue + PICTURE_THREADS + 4)
