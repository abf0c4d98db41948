"""What whoever runs a server does: taking down, checking, moving from one database to another."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import delete, insert, update

from visualizer.links import Removed
from visualizer.links._operate import allow, check, exported, imported, listed, remove
from visualizer.links._tables import links, past

from .contents import content


def lines(store):
    return [json.dumps(one) for one in exported(store)]


def test_what_was_taken_down_is_not_taken_again(store):
    added = store.add(content(), b"k", "t")
    assert remove(store, added.id)
    assert not remove(store, added.id)
    with pytest.raises(Removed):
        store.get(added.id)
    with pytest.raises(Removed):
        store.add(content(), None, "")
    assert not store.delete(added.id, added.delete_token)
    assert allow(store, added.id)
    assert not allow(store, added.id)
    assert store.get(added.id) is None
    assert [json.loads(line).get("past") for line in lines(store)[1:]] == [content().digest.hex()]
    assert store.add(content(), None, "").id == added.id


def test_the_list_says_what_each_is(store):
    one, other = store.add(content("a"), b"kept", "first"), store.add(content("b"), None, "second")
    store.add(content("a"), None, "")
    found = {each.id: each for each in listed(store)}
    assert (found[one.id].title, found[one.id].creators, found[one.id].size) == ("first", 2, len(content("a").packed) + 4)
    assert (found[other.id].title, found[other.id].creators, found[other.id].size) == ("second", 1, len(content("b").packed))


def test_a_check_names_what_is_damaged_and_nothing_else(store):
    good, bad, poor = (store.add(content(text), b"k", text).id for text in "abc")
    assert list(check(store)) == []
    with store.database.writing() as connection:
        connection.execute(update(links).where(links.c.id == bad).values(content=b"x"))
        connection.execute(update(links).where(links.c.id == poor).values(kept=b"x"))
    found = list(check(store))
    assert sorted(said.split(":")[0] for said in found) == sorted((bad, poor))
    assert not any(good in said for said in found)


def test_links_move_to_another_database_with_their_creators(store, opened, tmp_path):
    one = store.add(content("a", view="stablehlo"), b"\x00kept", "first")
    two = store.add(content("a", view="stablehlo"), None, "")
    gone = store.add(content("b"), None, "second")
    remove(store, gone.id)
    back = store.add(content("c"), None, "third")
    store.delete(back.id, back.delete_token)
    other = opened(str(tmp_path / "moved.sqlite3"))
    assert [said for said in imported(other, lines(store)) if not said[0]] == []
    assert other.get(one.id) == store.get(one.id)
    with pytest.raises(Removed):
        other.get(gone.id)
    # Once more changes nothing, and is no failure.
    assert all(there for there, _ in imported(other, lines(store)))
    assert lines(other) == lines(store)
    assert other.delete(one.id, two.delete_token)
    assert other.delete(one.id, one.delete_token)
    assert other.get(one.id) is None


def test_a_link_that_is_moved_takes_no_name_that_another_content_had(store, opened, tmp_path):
    moved = store.add(content("a"), None, "first")
    other = opened(str(tmp_path / "moved.sqlite3"))
    for digest, there in ((b"\7" * 32, False), (content("a").digest, True)):
        with other.database.writing() as connection:
            connection.execute(delete(past))
            connection.execute(insert(past).values(id=moved.id, digest=digest, created=1))
        assert [found[0] for found in imported(other, lines(store))] == [there]
        assert (other.get(moved.id) is not None) == there
    assert lines(other) == lines(store)


def test_what_cannot_be_moved_is_named_and_the_rest_goes_on(store, opened, tmp_path):
    bad, good = store.add(content("a"), None, ""), store.add(content("b"), None, "")
    with store.database.writing() as connection:
        connection.execute(update(links).where(links.c.id == bad.id).values(content=b"x"))
    other = opened(str(tmp_path / "moved.sqlite3"))
    found = list(imported(other, lines(store)))
    assert sorted(there for there, _ in found) == [False, True]
    assert any(bad.id in said for there, said in found if not there)
    assert other.get(good.id).content == content("b")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "{}",
        '{"id": "23456789bcdf", "content": "{\\"source\\": \\"x\\"}", "title": "", "kept": null, "created": 1, "creators": []}',
        '{"removed": "zz", "id": "23456789bcdf", "created": 1}',
        '{"removed": "", "id": "x", "created": 1}',
    ],
)
def test_a_line_that_is_none_is_named(store, line):
    first = lines(store)[0]
    [(there, said)] = list(imported(store, [first, line]))
    assert not there
    assert said
    assert list(imported(store, [line, first])) != []
    assert listed(store) == []


def test_a_time_that_is_none_is_named_and_not_taken(store, opened, tmp_path):
    good, bad = (store.add(content(text), None, text).id for text in "ab")
    all_ = lines(store)
    with store.database.writing() as connection:
        connection.execute(update(links).where(links.c.id == bad).values(created=10**15))
    assert [said.split(":")[0] for said in check(store)] == [bad]
    changed = [line.replace(f'"created": {json.loads(line).get("created")}', f'"created": {10**400}') for line in all_[1:]]
    assert [there for there, _ in imported(opened(str(tmp_path / "new.sqlite3")), [all_[0], *changed])] == [False, False]
    assert store.get(good) is not None
