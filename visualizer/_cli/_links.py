"""Where links are kept, and `jaxpr-visualizer links list | remove | allow | check | export | import`: for whoever runs a server."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from visualizer.links import StoreProblem
from visualizer.runtimes import data_folder
from visualizer.web.opening import plain

from ._output import say

if TYPE_CHECKING:
    from visualizer.links import LinkStore


def default_database() -> str:
    """The person's own, in their data folder."""
    return str(data_folder() / "links.sqlite3")


def why_not(database: str) -> str | None:
    """What is wrong with a database, with the details that its owner may know, or None. Brings its tables up to date."""
    from visualizer.links import LinkStore

    try:
        LinkStore(database).close()
    except StoreProblem as problem:
        return _words(problem)
    return None


def _words(problem: StoreProblem) -> str:
    return f"{problem} {problem.advice}" + (f" ({' '.join(problem.detail.split())})" if problem.detail else "")


@contextmanager
def _opened(database: str | None) -> Iterator[LinkStore]:
    from visualizer.links import LinkStore

    store = LinkStore(database or default_database())
    try:
        yield store
    finally:
        store.close()


def run(work: Callable[..., int], database: str | None, *arguments: str) -> int:
    """Exit code of the work, or 1 where the database does not allow it."""
    try:
        with _opened(database) as store:
            return work(store, *arguments)
    except StoreProblem as problem:
        say(f"Error: {_words(problem)}")
        return 1


def list_(store: LinkStore) -> int:
    """Exit code 0."""
    from visualizer.links._operate import listed

    for link in listed(store):
        when = datetime.fromtimestamp(link.created, UTC).strftime("%Y-%m-%d %H:%M")
        click.echo(f"{link.id:<14} {when}  {link.creators:>3} shared it  {link.size / 1000:>8.1f} kB  {plain(link.title)}")
    return 0


def remove(store: LinkStore, *names: str) -> int:
    """Exit code 0, or 1 where one was not there."""
    from visualizer.links._operate import remove as take_down

    return _each(names, lambda name: take_down(store, name), "removed; its content is not taken again (`links allow` takes it again)")


def allow(store: LinkStore, *names: str) -> int:
    """Exit code 0, or 1 where one was not removed."""
    from visualizer.links._operate import allow as take_again

    return _each(names, lambda name: take_again(store, name), "may be shared again")


def _each(names: tuple[str, ...], work: Callable[[str], bool], done: str) -> int:
    missing = 0
    for name in names:
        # What people have at hand is the address.
        name = name.rstrip("/").rpartition("/")[2]
        if work(name):
            click.echo(f"{plain(name)}: {done}.")
        else:
            missing += 1
            say(f"Error: there is no such link: {name}")
    return 1 if missing else 0


def check(store: LinkStore) -> int:
    """Exit code 0, or 1 where something is damaged."""
    from visualizer.links._operate import check as damaged

    found = list(damaged(store))
    for said in found:
        click.echo(plain(said))
    click.echo(f"{len(found)} damaged" if found else "Everything is whole.")
    return 1 if found else 0


def export(store: LinkStore) -> int:
    """Exit code 0, or 1 where something was damaged and is left out."""
    from visualizer.links._operate import exported

    lost = 0
    for one in exported(store):
        if "damaged" in one:
            lost += 1
            say(f"Left out: {one['damaged']}")
        else:
            click.echo(json.dumps(one, ensure_ascii=False))
    return 1 if lost else 0


def import_(store: LinkStore) -> int:
    """Exit code 0, or 1 where a line was not taken."""
    from visualizer.links._operate import imported

    here = lost = 0
    for there, said in imported(store, sys.stdin):
        here, lost = here + there, lost + (not there)
        if not there:
            say(f"Left out: {said}")
    click.echo(f"{here} are here now" + (f", {lost} were left out" if lost else ""))
    return 1 if lost else 0
