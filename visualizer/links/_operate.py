"""What whoever runs a server does with its links: look at them, take one down, check them all, and move them to another database.

Promises: what is taken down is not taken again until it is allowed; what is moved keeps its id and its creators' tokens.
Must never: stop at what is damaged; it is named, and the rest goes on.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, text

from ._content import BadLink, Content, from_text
from ._names import ids_of, is_id
from ._problems import StoreProblem
from ._store import Link, LinkStore, link_of, link_sum
from ._tables import creators, links, past, removed

FORMAT = 1
Dict = dict[str, Any]


class Listed(NamedTuple):
    """`size` is in bytes, as it is stored."""

    id: str
    title: str
    created: int
    creators: int
    size: int


def listed(store: LinkStore) -> list[Listed]:
    """All of them, the newest first."""
    shares = select(func.count()).select_from(creators).where(creators.c.link == links.c.digest).scalar_subquery()
    size = func.length(links.c.content) + func.coalesce(func.length(links.c.kept), 0)
    wanted = select(links.c.id, links.c.title, links.c.created, shares, size).order_by(links.c.created.desc(), links.c.id)
    with store.database.reading() as connection:
        return [Listed(*row) for row in connection.execute(wanted)]


def remove(store: LinkStore, name: str) -> bool:
    """Take a link down, whoever made it; its content is refused from now on. False where there is none."""
    with store.database.writing() as connection:
        found = connection.execute(select(links.c.digest, links.c.id).where(links.c.id == name).with_for_update()).first()
        if found is None:
            return False
        connection.execute(delete(creators).where(creators.c.link == found.digest))
        connection.execute(delete(links).where(links.c.digest == found.digest))
        connection.execute(insert(removed).values(digest=found.digest, id=found.id, created=int(time.time())))
    return True


def allow(store: LinkStore, name: str) -> bool:
    """Whether its content was refused; it is taken again from now on."""
    with store.database.writing() as connection:
        found = connection.execute(select(removed).where(removed.c.id == name)).first()
        if found is None:
            return False
        connection.execute(delete(removed).where(removed.c.id == name))
        connection.execute(insert(past).values(id=found.id, digest=found.digest, created=found.created))
    return True


def check(store: LinkStore) -> Iterator[str]:
    """What is damaged, in words; nothing where all is well."""
    if store.database.is_sqlite:
        try:
            with store.database.reading() as connection:
                found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check"))]
        except StoreProblem as problem:
            found = [problem.detail]
        yield from (f"the file: {line}" for line in found if line != "ok")
    try:
        names = _names(store)
    except StoreProblem as problem:
        yield f"the list of links: {problem.detail or problem}"
        return
    for name in names:
        try:
            link = store.get(name)
        except StoreProblem as problem:
            yield f"{name}: {problem.detail or problem}"
            continue
        if link is not None and link.is_mended:
            yield f"{name}: what was kept of its program is damaged; the link opens without its picture"


def _names(store: LinkStore) -> list[str]:
    with store.database.reading() as connection:
        return list(connection.execute(select(links.c.id).order_by(links.c.id)).scalars())


def exported(store: LinkStore) -> Iterator[Dict]:
    """Everything, one object each; `{"damaged": why}` in place of what cannot be read."""
    yield {"jaxpr-visualizer links": FORMAT}
    for name in _names(store):
        try:
            with store.database.reading() as connection:
                row = connection.execute(select(links).where(links.c.id == name)).first()
                shares = (
                    connection.execute(select(creators.c.token, creators.c.created).where(creators.c.link == row.digest)).all()
                    if row
                    else []
                )
            if row is not None:
                yield _plain(link_of(row), [[share.token.hex(), share.created] for share in shares])
        except StoreProblem as problem:
            yield {"damaged": f"{name}: {problem.detail or problem}"}
    with store.database.reading() as connection:
        without = {table.name: connection.execute(select(table)).all() for table in (removed, past)}
    for kind, rows in without.items():
        yield from ({kind: row.digest.hex(), "id": row.id, "created": row.created} for row in rows)


def _plain(link: Link, shares: list[list[object]]) -> Dict:
    kept = None if link.kept is None else base64.b64encode(link.kept).decode()
    content = link.content.text.decode()
    return {
        "id": link.id,
        "content": content,
        "title": link.title,
        "kept": kept,
        "created": int(link.created.timestamp()),
        "creators": shares,
    }


def imported(store: LinkStore, lines: Iterable[str]) -> Iterator[tuple[bool, str]]:
    """Puts in what `exported` gave: whether each is here now, and its id or why not. What is here already is not touched."""
    for number, line in enumerate(lines, 1):
        try:
            data = json.loads(line)
            if number == 1 and data != {"jaxpr-visualizer links": FORMAT}:
                yield False, "this is no file of `links export`, or one of a newer version"
                return
            if number > 1:
                yield _put(store, data)
        except (BadLink, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            yield False, f"line {number} cannot be read: {error}"
            if number == 1:
                return


def _put(store: LinkStore, data: Dict) -> tuple[bool, str]:
    if "damaged" in data:
        return False, str(data["damaged"])
    # Of what was taken down or back there is only the hash.
    without = next((table for table in (removed, past) if table.name in data), None)
    content = None
    if without is None:
        content = from_text(str(data["content"]).encode())
        digest = content.digest
    else:
        digest = bytes.fromhex(str(data[without.name]))
    name = str(data["id"])
    if not is_id(name) or name not in ids_of(digest):
        return False, f"{name[:80]!r} is not the name of its content"
    created = int(data["created"])
    datetime.fromtimestamp(created, UTC)  # raises where that is no time
    with store.database.writing() as connection:
        for table in (links, removed):
            there = connection.execute(select(table.c.digest, table.c.id).where((table.c.id == name) | (table.c.digest == digest))).first()
            if there is not None:
                same = there.digest == digest and there.id == name
                return same, name if same else f"{name}: another link has its place here"
        before = connection.execute(select(past.c.digest).where(past.c.id == name)).scalar()
        if before not in (None, digest):
            return False, f"{name}: another link had its place here"
        connection.execute(delete(past).where(past.c.id == name))
        if content is not None:
            _put_link(connection, content, data)
        elif without is not None:
            connection.execute(insert(without).values(digest=digest, id=name, created=created))
    return True, name


def _put_link(connection: Connection, content: Content, data: Dict) -> None:
    kept = None if data["kept"] is None else base64.b64decode(data["kept"], validate=True)
    title = str(data["title"])
    values = {"title": title, "kept": kept, "sum": link_sum(title, kept), "created": int(data["created"])}
    connection.execute(insert(links).values(digest=content.digest, id=data["id"], content=content.packed, **values))
    for token, when in data["creators"]:
        connection.execute(insert(creators).values(token=bytes.fromhex(token), link=content.digest, created=int(when)))
