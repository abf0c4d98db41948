"""Where links are kept, and what whoever runs a server does with them."""

from __future__ import annotations

from visualizer.links import StoreProblem
from visualizer.runtimes import data_folder


def default_database() -> str:
    """The person's own, in their data folder."""
    return str(data_folder() / "links.sqlite3")


def why_not(database: str) -> str | None:
    """What is wrong with a database, with the details that its owner may know, or None. Brings its tables up to date."""
    from visualizer.links import LinkStore

    try:
        LinkStore(database).close()
    except StoreProblem as problem:
        return words(problem)
    return None


def words(problem: StoreProblem) -> str:
    return f"{problem} {problem.advice}" + (f" ({' '.join(problem.detail.split())})" if problem.detail else "")
