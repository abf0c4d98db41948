"""The tables: what the migrations make is what the store uses, and what earlier versions made goes on working."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

import visualizer.links._schema as schema
from visualizer.links._operate import check, imported
from visualizer.links._tables import metadata

from .contents import content

SAVED = Path(__file__).parent / "saved"
# What was stored in each of them when it was saved.
ID, TOKEN = "z8ptvyd9s7q5", "Yxnwodqt3_QHPXkdQVvHge7jyfGjFqOF0JxSheWY3QU"
CONTENT = content("import jax\n# gr\N{LATIN SMALL LETTER U WITH DIAERESIS}n\n", view="stablehlo", later={"z": 1})


def test_the_migrations_make_the_tables_of_the_store(store):
    with store.database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_newest_step_is_the_one_that_the_store_asks_for():
    config = Config()
    config.set_main_option("script_location", str(Path(schema.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [schema.HEAD]


@pytest.mark.parametrize("file", sorted(SAVED.glob("*.sql")), ids=lambda file: file.stem)
def test_a_database_of_every_version_is_brought_up_to_date(file, sqlite, opened):
    Path(sqlite).parent.mkdir()
    with closing(sqlite3.connect(sqlite)) as connection:
        connection.executescript(file.read_text("utf-8"))
    holds_what_was_saved(opened(sqlite))


def test_an_export_of_every_version_can_be_put_in(store):
    files = sorted(SAVED.glob("*.jsonl"))
    assert files
    for file in files:
        assert [said for there, said in imported(store, file.read_text("utf-8").splitlines()) if not there] == []
    holds_what_was_saved(store)


def holds_what_was_saved(store):
    assert list(check(store)) == []
    link = store.get(ID)
    assert (link.content, link.kept, link.title, link.created.year) == (CONTENT, b"\x00kept\xff", "grad(loss)", 2026)
    assert not store.delete(ID, "another")
    assert store.delete(ID, TOKEN)
    assert store.get(ID) is None
