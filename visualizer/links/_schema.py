"""The tables brought up to date when a store is opened.

Promises: one process at a time does it, in one transaction, so that the tables are of one version, whole; others wait for it.
Must never: touch a database that a newer version has written.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from ._engine import Database, use_wal
from ._problems import StoreProblem

# The newest step in `migrations/versions`. A database that has it needs no alembic, which takes its time to load.
HEAD = "0002"
# A number that is ours among the advisory locks of a PostgreSQL database.
_LOCK = 0x6A61787072


def bring_up_to_date(database: Database) -> None:
    """Raises StoreProblem."""
    if database.is_sqlite:
        use_wal(database)
    with database.reading() as connection:
        if _version(connection) == HEAD:
            return
    with database.writing() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        found = _version(connection)
        if found != HEAD:
            _upgrade(connection, found)


def _version(connection: Connection) -> str | None:
    """The step that the tables are at; None where there are none."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection, found: str | None) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if found is not None and found not in known:
        raise StoreProblem("newer", f"the database is at {found}, this version knows {', '.join(sorted(known))}")
    command.upgrade(config, "head")
