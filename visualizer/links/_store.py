"""The links that were shared, by the hash of what they hold.

Promises: the same content is one link, whoever shares it; everyone who did has a token, and it is gone when the last of them took theirs
back. What is given out hashes to what was put in. A call ends, with an answer or a StoreProblem, within seconds.
Must never: answer for a link that is not written, give the id of one content to another, ever, or store a token itself.
"""

from __future__ import annotations

import hashlib
import logging
import time
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from ._content import BadLink, Content, unpack
from ._engine import WAIT_SECONDS, Database
from ._names import ids_of, is_id, new_token, token_hash
from ._problems import Removed, StoreProblem
from ._schema import bring_up_to_date
from ._tables import creators, links, past, removed

log = logging.getLogger("visualizer.links")
MOST_BYTES = 4 * 1024**3
_TRIES = 5


@dataclass(frozen=True)
class Added:
    """`created` is false where the same content was there already."""

    id: str
    delete_token: str
    created: bool


@dataclass(frozen=True)
class Link:
    """`kept` is what was kept of its program (`kept_trace` opens it), None where nothing is, or where it is damaged (`is_mended`)."""

    id: str
    content: Content
    title: str
    kept: bytes | None
    created: datetime
    is_mended: bool = False

    @property
    def state(self) -> str:
        """`v1:...`, as it stands in an address."""
        return self.content.address


class LinkStore:
    """Thread-safe. Opening brings the tables up to date. Raises StoreProblem, as every call does."""

    def __init__(self, database: str, most_bytes: int = MOST_BYTES, wait_seconds: float = WAIT_SECONDS) -> None:
        self.database = Database(database, most_bytes, wait_seconds)
        try:
            bring_up_to_date(self.database)
        except BaseException:
            self.database.close()
            raise

    def close(self) -> None:
        self.database.close()

    def add(self, content: Content, kept: bytes | None, title: str) -> Added:
        """Keep it, or one more person's share in it. What was kept stays; where nothing was, `kept` is. Raises Removed."""
        token = new_token()
        for _ in range(_TRIES):
            try:
                with self.database.writing() as connection:
                    name, created = self._put(connection, content, kept, _plain(title), token_hash(token))
                return Added(name, token, created)
            except IntegrityError:  # PostgreSQL: another transaction has put the same in between
                continue
        raise StoreProblem("busy", "the same content was written by others each time")

    @staticmethod
    def _put(connection: Connection, content: Content, kept: bytes | None, title: str, token: bytes) -> tuple[str, bool]:
        now = int(time.time())
        if connection.execute(select(removed.c.digest).where(removed.c.digest == content.digest)).first():
            raise Removed
        there = connection.execute(select(links).where(links.c.digest == content.digest).with_for_update()).first()
        values = {"title": title, "kept": kept, "sum": link_sum(title, kept)}
        if there is None:
            name = _free_id(connection, content.digest)
            connection.execute(insert(links).values(digest=content.digest, id=name, content=content.packed, created=now, **values))
            connection.execute(delete(past).where(past.c.id == name))
        else:
            name = there.id
            if kept is not None and (there.kept is None or there.sum != link_sum(there.title, there.kept)):
                connection.execute(update(links).where(links.c.digest == content.digest).values(**values))
        connection.execute(insert(creators).values(token=token, link=content.digest, created=now))
        return name, there is None

    def has_kept(self, content: Content) -> bool:
        """Whether this content is here, with something kept of its program: then it need not be traced again."""
        with self.database.reading() as connection:
            found = connection.execute(select(links).where(links.c.digest == content.digest)).first()
        return found is not None and found.kept is not None and found.sum == link_sum(found.title, found.kept)

    def get(self, name: str) -> Link | None:
        """The link with this id. StoreProblem `damaged` where it is not what was put in; Removed where it was taken down."""
        if not is_id(name):
            return None
        with self.database.reading() as connection:
            found = connection.execute(select(links).where(links.c.id == name)).first()
            if found is None and connection.execute(select(removed.c.id).where(removed.c.id == name)).first():
                raise Removed
        return None if found is None else link_of(found)

    def delete(self, name: str, token: str) -> bool:
        """Take back what this token gave. False where it gave nothing of the link. The last one takes the link along."""
        if not is_id(name):
            return False
        with self.database.writing() as connection:
            # The row is held, so that nobody shares it anew while it goes.
            found = connection.execute(select(links.c.digest, links.c.created).where(links.c.id == name).with_for_update()).first()
            if found is None:
                return False
            mine = (creators.c.token == token_hash(token)) & (creators.c.link == found.digest)
            if connection.execute(delete(creators).where(mine)).rowcount == 0:
                return False
            left = connection.execute(select(func.count()).select_from(creators).where(creators.c.link == found.digest)).scalar()
            if not left:
                connection.execute(delete(links).where(links.c.digest == found.digest))
                connection.execute(insert(past).values(id=name, digest=found.digest, created=found.created))
        return True


def link_of(row: Row[tuple[object, ...]]) -> Link:
    """A row of `links`, checked. What is kept is only ever left out whole; content that is not what it was is a StoreProblem."""
    try:
        content = Content(unpack(row.content))
    except BadLink as error:
        raise StoreProblem("damaged", f"{row.id}: {error}") from None
    if content.digest != row.digest or row.id not in ids_of(content.digest):
        raise StoreProblem("damaged", f"{row.id}: the content has another hash")
    whole = row.sum == link_sum(row.title, row.kept)
    if not whole:
        log.error("what is kept of the program of link %s is damaged; the link opens without it", row.id)
    try:
        created = datetime.fromtimestamp(row.created, UTC)
    except (ValueError, OverflowError, OSError, TypeError):
        raise StoreProblem("damaged", f"{row.id}: it was made at no time that there is") from None
    return Link(row.id, content, row.title if whole else "", row.kept if whole else None, created, not whole)


def _free_id(connection: Connection, digest: bytes) -> str:
    for name in ids_of(digest):
        owners = (connection.execute(select(table.c.digest).where(table.c.id == name)).scalar() for table in (links, removed, past))
        if all(owner is None or owner == digest for owner in owners):
            return name
    raise StoreProblem("damaged", "two contents with one SHA-256")


def link_sum(title: str, kept: bytes | None) -> bytes:
    name = title.encode()
    return hashlib.sha256(b"%d:%b%b" % (len(name), name, b"-" if kept is None else b"+" + kept)).digest()


def _plain(title: str) -> str:
    """What every database takes as text."""
    return title.encode("utf-8", "replace").decode().replace("\0", "\N{REPLACEMENT CHARACTER}")[:300]
