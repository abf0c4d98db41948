"""What the store promises, on every database: one link for one content, a token for each creator, nothing given out that was not put in."""

from __future__ import annotations

import itertools
import re
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from visualizer.links import LinkStore, StoreProblem
from visualizer.links import _store as module
from visualizer.links._names import LETTERS, ids_of, is_id
from visualizer.links._tables import creators, links, past

from .contents import content


def count(store, table):
    with store.database.reading() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar()


def change(store, **values):
    with store.database.writing() as connection:
        connection.execute(update(links).values(**values))


def test_what_was_put_in_comes_out(store):
    shared = content("x = '\N{SNOWMAN} \N{CLINKING BEER MUGS}\0'", view="stablehlo", later={"b": [1, None], "a": 0.5})
    before = datetime.now(UTC) - timedelta(seconds=2)
    added = store.add(shared, b"\x00kept\xff", "grad(\N{GREEK SMALL LETTER LAMDA})")
    link = store.get(added.id)
    assert added.created
    assert (link.id, link.content, link.title, link.kept) == (added.id, shared, "grad(\N{GREEK SMALL LETTER LAMDA})", b"\x00kept\xff")
    assert before <= link.created <= datetime.now(UTC) + timedelta(seconds=2)
    assert link.state == shared.address


def test_ids_are_short_and_plain(store):
    added = store.add(content(), None, "")
    assert re.fullmatch(f"[{LETTERS}]{{12}}", added.id)
    assert is_id(added.id)
    assert not any(map(is_id, ("", added.id[:-1], added.id.upper(), added.id + "/", "0" * 12, added.id + "\n")))
    assert not set("01ilou") & set(LETTERS)


@pytest.mark.parametrize("name", ["", "x", "a\0b", "\ud800", "23456789bcdf", "2" * 64, "2" * 65, "2" * 1_000_000])
def test_a_name_that_no_link_has_is_none(store, name):
    store.add(content(), None, "")
    assert store.get(name) is None
    assert not store.delete(name, "token")


def test_the_same_content_is_one_link(store):
    one, other = store.add(content(), b"k", "t"), store.add(content(), b"other", "other")
    assert (one.id, one.created, other.created) == (other.id, True, False)
    assert one.delete_token != other.delete_token
    assert store.get(one.id).kept == b"k"
    assert (count(store, links), count(store, creators)) == (1, 2)


def test_only_the_last_creator_takes_a_link_along(store):
    one, other = store.add(content(), None, ""), store.add(content(), None, "")
    stranger = store.add(content("other"), None, "")
    assert not store.delete(one.id, stranger.delete_token)
    assert not store.delete(one.id, "")
    assert not store.delete("23456789bcdf", one.delete_token)
    assert store.delete(one.id, one.delete_token)
    assert not store.delete(one.id, one.delete_token)
    assert store.get(one.id) is not None
    assert store.delete(one.id, other.delete_token)
    assert store.get(one.id) is None
    assert store.get(stranger.id) is not None
    assert (count(store, links), count(store, creators)) == (1, 1)
    # Shared anew, it has its old name.
    assert store.add(content(), None, "").id == one.id


def test_no_token_is_stored(store):
    added = store.add(content(), b"k", "t")
    with store.database.reading() as connection:
        rows = [*connection.execute(select(links)), *connection.execute(select(creators))]
    assert added.delete_token.encode() not in b"".join(bytes(value) for row in rows for value in row if isinstance(value, bytes))


def test_what_could_not_be_kept_at_first_is_kept_later(store):
    added = store.add(content(), None, "")
    assert not store.has_kept(content())
    store.add(content(), b"k", "f")
    assert store.has_kept(content())
    assert (store.get(added.id).kept, store.get(added.id).title) == (b"k", "f")


def colliding(monkeypatch):
    """From now on all contents share their first sixteen letters."""
    real = ids_of

    def ids(digest):
        return itertools.chain(("2" * size for size in range(12, 17)), (f"{'2' * 16}{name}" for name in real(digest)))

    monkeypatch.setattr(module, "ids_of", ids)


def test_contents_whose_names_collide_have_names_of_their_own(store, monkeypatch):
    colliding(monkeypatch)
    names = [store.add(content(text), text.encode(), text).id for text in ("a", "b", "c")]
    assert names == ["2" * 12, "2" * 13, "2" * 14]
    assert [store.get(name).content for name in names] == [content("a"), content("b"), content("c")]
    # What is shared again is found by its whole hash, whatever became of the others.
    with store.database.reading() as connection:
        digest = connection.execute(select(links.c.digest).where(links.c.id == names[0])).scalar()
    assert digest == content("a").digest
    assert store.add(content("c"), None, "").id == names[2]


def test_the_name_of_a_link_that_was_taken_back_is_never_another_contents(store, monkeypatch):
    colliding(monkeypatch)
    first = store.add(content("a"), None, "")
    assert store.delete(first.id, first.delete_token)
    other = store.add(content("b"), None, "")
    assert (first.id, other.id) == ("2" * 12, "2" * 13)
    assert store.get(first.id) is None
    # Nor is it after the second was taken back, too; each has its own again.
    assert store.delete(other.id, other.delete_token)
    assert [store.add(content(text), None, "").id for text in "cba"] == ["2" * 14, other.id, first.id]
    assert (count(store, links), count(store, past)) == (3, 0)


def test_a_title_is_what_every_database_takes(store):
    added = store.add(content(), None, "a\0b" + "x" * 1000 + "\ud800")
    assert store.get(added.id).title.startswith("a\N{REPLACEMENT CHARACTER}b")
    assert len(store.get(added.id).title) == 300


@pytest.mark.parametrize(
    "values",
    [
        {"content": b""},
        {"content": content("other").packed},
        {"content": content().packed[:-3]},
        {"content": b"\xff" * 40},
        {"digest": b"\x07" * 32},
        {"id": "23456789bcdf"},
    ],
)
def test_content_that_is_not_what_was_put_in_is_never_given_out(store, values):
    name = store.add(content("import jax\n" * 20 if "other" not in str(values) else "x"), b"k", "t").id
    with store.database.writing() as connection:
        connection.execute(creators.delete())
    change(store, **values)
    with pytest.raises(StoreProblem) as found:
        store.get(values.get("id", name))
    assert found.value.code == "damaged"


@pytest.mark.parametrize("values", [{"kept": b"K"}, {"kept": None}, {"title": "T"}, {"sum": b"\0" * 32}])
def test_a_picture_that_is_damaged_is_left_out_and_mended_by_the_next(store, values):
    name = store.add(content(), b"k", "t").id
    change(store, **values)
    assert (store.get(name).content, store.get(name).kept, store.get(name).title) == (content(), None, "")
    assert not store.has_kept(content())
    store.add(content(), b"new", "t2")
    assert (store.get(name).kept, store.get(name).title) == (b"new", "t2")


def test_many_threads_share_the_same_and_different_contents(store):
    texts = [f"x = {number % 5}" for number in range(20)]
    added, failed = [], []

    def share(text):
        while True:
            try:
                added.append((text, store.add(content(text), text.encode(), text)))
                return
            except StoreProblem as problem:  # more at once than may wait
                if problem.code != "busy":
                    failed.append(problem)
                    return

    threads = [threading.Thread(target=share, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    assert len(added) == 20
    assert len({one.id for _, one in added}) == len(set(texts)) == sum(one.created for _, one in added)
    assert all(store.get(one.id).content == content(text) for text, one in added)
    assert all(store.delete(one.id, one.delete_token) for _, one in added)
    assert (count(store, links), count(store, creators)) == (0, 0)


def test_a_store_is_what_it_was_when_it_is_opened_again(database, opened):
    added = opened(database).add(content(), b"k", "t")
    assert opened(database).get(added.id).kept == b"k"


def test_the_file_is_its_owners(sqlite, opened):
    opened(sqlite).add(content(), None, "")
    rights = {path.name: path.stat().st_mode & 0o077 for path in Path(sqlite).parent.iterdir()}
    assert rights == dict.fromkeys(("links.sqlite3", "links.sqlite3-wal", "links.sqlite3-shm"), 0)


@pytest.mark.parametrize("setting", ["mysql://root@host/db", "sqlite://", "sqlite:///:memory:", "http://[", "postgresql+asyncpg://x/y"])
def test_a_setting_that_is_none_says_what_one_is(setting):
    with pytest.raises(StoreProblem, match=r"SQLite file or in PostgreSQL|cannot be read") as found:
        LinkStore(setting)
    assert "postgresql+psycopg://" in found.value.advice
