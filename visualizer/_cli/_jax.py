"""`jaxpr-visualizer jax list | add | remove`: which versions of JAX pastes can be traced with."""

from __future__ import annotations

import click

from visualizer.runtimes import RuntimeProblem, default_version, installed
from visualizer.runtimes._install import add, remove
from visualizer.web.opening import plain

from ._output import say


def run_list() -> int:
    """Exit code 0."""
    default = default_version()
    click.echo(f"{default:<10} default" if default else "no JAX is installed in this environment")
    for one in installed():
        click.echo(f"{one.version:<10} {one.about}{f', not usable: {one.problem}' if one.problem else ''}")
    if not installed():
        click.echo("Another version: `jaxpr-visualizer jax add 0.6.0`")
    return 0


def run_add(version: str, python: str | None) -> int:
    """Exit code 0, or 1 where it could not be installed."""
    try:
        made = add(version, python, _say)
    except RuntimeProblem as problem:
        say(f"Error: {problem}")
        return 1
    except KeyboardInterrupt:
        say("Stopped; nothing was left behind.")
        return 1
    click.echo(f"JAX {made.version} is here ({made.about}): `jaxpr-visualizer trace --jax {made.version} FILE`, or choose it in the page.")
    return 0


def run_remove(version: str) -> int:
    """Exit code 0, or 1 where it was not there."""
    try:
        remove(version, _say)
    except RuntimeProblem as problem:
        say(f"Error: {problem}")
        return 1
    click.echo(f"JAX {plain(version)} is removed.")
    return 0


def _say(line: str) -> None:
    say(f"  {line}")
