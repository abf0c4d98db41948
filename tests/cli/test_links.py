"""`jaxpr-visualizer links`, and what `serve` does with its database."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import visualizer._cli._serve as serve_command
from tests.links.contents import content
from visualizer.cli import main
from visualizer.links import LinkStore
from visualizer.web import Settings


def invoke(*arguments: str, **options):
    return CliRunner().invoke(main, arguments, prog_name="jaxpr-visualizer", **options)


@pytest.fixture
def database(tmp_path):
    return str(tmp_path / "links.sqlite3")


@pytest.fixture
def store(database):
    made = LinkStore(database)
    yield made
    made.close()


def test_links_are_listed_removed_and_allowed_while_a_server_runs(store, database):
    added = store.add(content(), b"k" * 1000, "grad\x1b[2J(loss)")
    done = invoke("links", "list", "--database", database)
    assert done.exit_code == 0
    assert added.id in done.stdout
    assert "1 shared it" in done.stdout
    assert "\x1b" not in done.stdout
    done = invoke("links", "remove", f"https://example.org/s/{added.id}/", env={"JAXPR_VISUALIZER_DATABASE": database})
    assert (done.exit_code, done.stdout[:12]) == (0, added.id)
    assert invoke("links", "list", "--database", database).stdout == ""
    done = invoke("links", "remove", added.id, "--database", database)
    assert done.exit_code == 1
    assert done.stderr == f"Error: there is no such link: {added.id}\n"
    assert invoke("links", "allow", added.id, "--database", database).exit_code == 0
    assert store.add(content(), None, "").id == added.id


def test_a_check_says_that_all_is_whole_or_what_is_not(store, database):
    added = store.add(content(), b"k", "t")
    assert invoke("links", "check", "--database", database).stdout == "Everything is whole.\n"
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE links SET content = x'00'")
    done = invoke("links", "check", "--database", database)
    assert done.exit_code == 1
    assert done.stdout.startswith(f"{added.id}: ")
    assert done.stdout.endswith("1 damaged\n")
    done = invoke("links", "export", "--database", database)
    assert (done.exit_code, len(done.stdout.splitlines())) == (1, 1)
    assert f"Left out: {added.id}" in done.stderr


def test_links_move_to_another_database(store, database, tmp_path):
    added = store.add(content("x = '\N{CLINKING BEER MUGS}'"), b"k", "t")
    given = invoke("links", "export", "--database", database).stdout
    other = str(tmp_path / "other.sqlite3")
    done = invoke("links", "import", "--database", other, input=given)
    assert (done.exit_code, done.stdout) == (0, "1 are here now\n")
    moved = LinkStore(other)
    assert moved.get(added.id) == store.get(added.id)
    assert moved.delete(added.id, added.delete_token)
    moved.close()
    done = invoke("links", "import", "--database", other, input=json.dumps({"programs": []}))
    assert done.exit_code == 1
    assert "this is no file of `links export`" in done.stderr


def test_the_data_folder_is_where_links_are(tmp_path):
    assert invoke("links", "list", env={"JAXPR_VISUALIZER_DATA": str(tmp_path / "data"), "JAXPR_VISUALIZER_DATABASE": ""}).exit_code == 0
    assert (tmp_path / "data" / "links.sqlite3").is_file()


@pytest.mark.parametrize("command", ["list", "check", "export", "serve"])
def test_a_database_that_cannot_be_had_is_one_line(command, tmp_path):
    words = ["serve", "--port", "0", "--no-open"] if command == "serve" else ["links", command]
    for database, said in (("mysql://me:secret@host/db", "SQLite file or in PostgreSQL"), (str(tmp_path), "not a file")):
        done = invoke(*words, "--database", database)
        assert done.exit_code == 1
        assert done.stderr.startswith("Error: ")
        assert said in done.stderr
        assert "secret" not in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "env", "kept"),
    [
        ([], {}, "{data}/links.sqlite3"),
        (["--database", "{data}/mine.sqlite3"], {}, "{data}/mine.sqlite3"),
        ([], {"JAXPR_VISUALIZER_DATABASE": "{data}/set.sqlite3"}, "{data}/set.sqlite3"),
        (["--no-links"], {"JAXPR_VISUALIZER_DATABASE": "{data}/set.sqlite3"}, None),
    ],
)
def test_where_a_server_keeps_links(options, env, kept, tmp_path, monkeypatch):
    seen: list[Settings] = []

    def serve(settings, _make, sock, _server, _ready) -> None:
        sock.close()
        seen.append(settings)

    monkeypatch.setattr(serve_command, "serve", serve)
    data = str(tmp_path)
    env = {"JAXPR_VISUALIZER_DATA": data, "JAXPR_VISUALIZER_DATABASE": "", **{name: value.format(data=data) for name, value in env.items()}}
    done = invoke("serve", "--port", "0", "--no-open", *(option.format(data=data) for option in options), env=env)
    assert done.exit_code == 0, done.output
    assert seen[0].database == (kept and kept.format(data=data))
