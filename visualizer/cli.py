"""The command line.

Promises: `--help` and errors of usage come at once (flask, pydantic and the sandbox are imported by the command that needs them);
exit codes are 0 good, 1 the program failed or the machine is not fit, 2 usage, 3 our own failure.
Must never: import jax; print a stack trace unless JAXPR_VISUALIZER_DEBUG is set.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import Any

import click

from ._version import __version__


class _Group(click.Group):
    """Turns what nobody expected into one line and exit code 3."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except OSError as error:  # help on a full disk: click writes it outside of any command
            if os.environ.get("JAXPR_VISUALIZER_DEBUG"):
                raise
            click.echo(f"Error: {error.strerror}.", err=True)
            os._exit(3)  # Python would complain again when it closes stdout

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, KeyboardInterrupt, SystemExit):
            raise
        except Exception as error:
            if os.environ.get("JAXPR_VISUALIZER_DEBUG"):
                raise
            click.echo(f"Error: {type(error).__name__}: {_short(str(error))}", err=True)
            click.echo("This is a fault of jaxpr-visualizer. Set JAXPR_VISUALIZER_DEBUG=1 to see where; please report it.", err=True)
            sys.exit(3)


def _short(text: str) -> str:
    """The first and the last line: what lies between is somebody's stack trace."""
    lines = [line.strip() for line in text.strip().splitlines()]
    return text.strip() if len(lines) < 2 else f"{lines[0]} ... {lines[-1]}"


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": "JAXPR_VISUALIZER"})
@click.version_option(__version__, prog_name="jaxpr-visualizer", message="%(prog)s %(version)s")
def main() -> None:
    """See the program that JAX traced: paste code, read its jaxpr as a graph."""


_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _all(options: tuple[_Decorator, ...]) -> _Decorator:
    """Several options as one decorator, in their order."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return add


# What is traced of a file.
_traced_options: tuple[_Decorator, ...] = (
    click.option("--fun", help="What to trace: an expression in the names of the program, like `jax.grad(loss)`."),
    click.option("--args", help="Its arguments, like `(w, xs)`."),
    click.option("--kwargs", help="Its keyword arguments, like `{'lr': 0.1}`."),
    click.option(
        "--signature", metavar="TYPES", help="Types in place of arguments, like `w: f32[3], xs: f32[6,2,3]`; other values are static."
    ),
    click.option(
        "--transform",
        "transforms",
        multiple=True,
        metavar="STEPS",
        help="A program made from another, like `grad`, `grad, vmap(in_axes=(None, 0))` or `p1: jit`. May be given several times.",
    ),
)


_cpu_seconds = click.option(
    "--cpu-seconds",
    type=click.IntRange(1, 3600),
    default=None,
    help="Processor time that one paste may use. [default: 30 on this machine alone, 5 where others can reach it]",
)


_port = click.option("--port", type=click.IntRange(0, 65535), default=8080, show_default=True, help="Port; 0 takes any that is free.")
_opens = click.option(
    "--open/--no-open", "open_", default=None, help="Open the page in a browser. [default: when this is a desktop's terminal]"
)
_database = click.option(
    "--database",
    metavar="PATH|URL",
    envvar="JAXPR_VISUALIZER_DATABASE",
    help="Where short links are kept: a file, or postgresql+psycopg://... [default: links.sqlite3 in your data folder]",
)


def _frame_sources(_context: click.Context, _option: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """They stand in a header as they are."""
    for each in given:
        if each != "none" and not re.fullmatch(r"https?://(\*\.)?[\w.-]+(:(\d{1,5}|\*))?", each, re.ASCII):
            raise click.BadParameter(f"{each!r} is no address of a site like https://docs.example.org.")
    return tuple(each for each in given if each != "none") if given else ("*",)


@main.command()
@_cpu_seconds
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@_port
@_opens
@click.option("--server", type=click.Choice(["auto", "gunicorn", "waitress"]), default="auto", show_default=True, help="What carries HTTP.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="A host name that requests may use. May be given several times.")
@click.option("--allow-origin", multiple=True, metavar="URL", help="An origin beside the server's own whose pages may post code.")
@click.option(
    "--allow-frame",
    multiple=True,
    metavar="URL",
    callback=_frame_sources,
    help="A site whose pages may show links in frames, like https://docs.example.org, or none. May be given several times. [default: any]",
)
@click.option(
    "--proxies", type=click.IntRange(0, 9), default=0, show_default=True, help="Reverse proxies in front whose X-Forwarded headers hold."
)
@_database
@click.option("--links/--no-links", default=True, help="Keep short links, or store nothing at all.")
@click.option(
    "--links-per-hour",
    type=click.IntRange(0),
    help="Short links that one client may make. [default: any number on this machine alone, 60 where others can reach it]",
)
def serve(**options: Any) -> None:
    """Serve the page and the API on this machine."""
    from ._cli._serve import run

    sys.exit(run(**options))


@main.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@_all(_traced_options)
@click.option(
    "--level",
    "levels",
    multiple=True,
    type=click.Choice(["jaxpr", "stablehlo", "hlo"]),
    default=("jaxpr", "stablehlo"),
    show_default=True,
    help="A level to show. May be given several times.",
)
@click.option("--jax", metavar="VERSION", help="The JAX to trace with, like 0.6.0; see `jaxpr-visualizer jax list`.")
@_cpu_seconds
@click.option("-o", "--output", metavar="FILE", help="Write the JSON there; `jaxpr-visualizer open` shows it.")
@click.option("--static-numbers", is_flag=True, help="Hold Python numbers static, which makes them literals.")
@click.option("--indent", type=click.IntRange(0, 8), default=None, help="Indent the JSON by this many spaces.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["json", "jaxpr"]),
    default="json",
    show_default=True,
    help="The Trace as JSON, or the jaxpr of each program as JAX prints it.",
)
def trace(**options: Any) -> None:
    """Trace the program in FILE (- for standard input) and print its Trace as JSON.

    With `--format jaxpr` it prints the jaxpr of every program instead, written from the Trace alone, and problems on standard error.

    Exit code 0: all is well. 1: the program failed, and the JSON holds what went wrong. 2: a wrong command line. 3: the fault is ours.
    """
    from ._cli._trace import run

    sys.exit(run(**options))


@main.command("open")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", metavar="FILE", help="Write one report instead of showing it; - is standard output.")
@_cpu_seconds
@_port
@_opens
def open_command(paths: tuple[str, ...], output: str | None, **options: Any) -> None:
    """Show a report, a saved trace, or what JAX and XLA dumped.

    PATH is a report of `run`, the JSON of `trace`, a folder that JAX wrote (JAX_DUMP_IR_TO) or XLA (--xla_dump_to), or any files of MLIR,
    bytecode, HLO, printed jaxprs and jax.export. Several become one report, program by program. They are read in the sandbox.
    """
    from ._cli._open import run as show

    serving = {"host": "127.0.0.1", "server": "auto", "allow_host": (), "allow_origin": (), "proxies": 0}
    sys.exit(show(paths, output, **serving, **options))


@main.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("-o", "--output", "out", metavar="FILE", help="The report. [default: the script's name and .trace.json, in this folder]")
@click.option("-m", "--module", is_flag=True, help="Run a module, as `python -m` does; SCRIPT is its name.")
@click.option(
    "--level",
    "levels",
    multiple=True,
    type=click.Choice(["jaxpr", "stablehlo", "hlo"]),
    default=("jaxpr", "stablehlo"),
    show_default=True,
    help="What the report holds beside the jaxprs; `hlo` is what XLA made of each program. May be given several times.",
)
@click.option("--most", type=click.IntRange(1, 5000), default=500, show_default=True, help="Programs that the report holds at most.")
@click.option("--all", "all_", is_flag=True, help="Operations of JAX that run outside of any program are programs, too.")
@click.option("--quiet", is_flag=True, help="No table at the end.")
@click.argument("command", metavar="SCRIPT [ARGS]...", nargs=-1, required=True, type=click.UNPROCESSED)
def run(**options: Any) -> None:
    """Run a Python script of your own and report every program that it jits or traces.

    It runs as `python SCRIPT ARGS` would, not in the sandbox, with the Python that jaxpr-visualizer is installed in. At its end a table of
    its programs is on standard error, and the report is a Trace: `jaxpr-visualizer open` shows it. The exit code is the script's own. A
    script that ends by os._exit or a signal other than Ctrl-C leaves no report.
    """
    from ._cli._run import run as become

    become(**options)


@main.group()
def jax() -> None:
    """The versions of JAX that programs are traced with."""


@jax.command("list")
def jax_list() -> None:
    """Say which are here."""
    from ._cli._jax import run_list

    sys.exit(run_list())


@jax.command("add")
@click.argument("version")
@click.option("--python", metavar="INTERPRETER", help="The Python it runs on, like python3.12. [default: the one of this environment]")
def jax_add(version: str, python: str | None) -> None:
    """Install another one, like 0.6.0, in an environment of its own under your data folder (JAXPR_VISUALIZER_DATA)."""
    from ._cli._jax import run_add

    sys.exit(run_add(version, python))


@jax.command("remove")
@click.argument("version")
def jax_remove(version: str) -> None:
    """Remove one that was added."""
    from ._cli._jax import run_remove

    sys.exit(run_remove(version))


@main.group()
def links() -> None:
    """The short links that a server keeps: for whoever runs it. What is done here holds for running servers at once."""


def _work(work: str, database: str | None, *arguments: str) -> None:
    from ._cli import _links

    sys.exit(_links.run(getattr(_links, work), database, *arguments))


@links.command("list")
@_database
def links_list(database: str | None) -> None:
    """Say which there are, the newest first."""
    _work("list_", database)


@links.command("remove")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@_database
def links_remove(names: tuple[str, ...], database: str | None) -> None:
    """Take links down, whoever made them (an id, or the whole address); the same content is refused from now on."""
    _work("remove", database, *names)


@links.command("allow")
@click.argument("names", metavar="ID...", nargs=-1, required=True)
@_database
def links_allow(names: tuple[str, ...], database: str | None) -> None:
    """Take again what was removed, when somebody shares it again."""
    _work("allow", database, *names)


@links.command("check")
@_database
def links_check(database: str | None) -> None:
    """Read everything and name what is damaged. Exit code 1 where something is."""
    _work("check", database)


@links.command("export")
@_database
def links_export(database: str | None) -> None:
    """Write every link to standard output, a line each, with the hashes of its creators' tokens: a backup, or for another database."""
    _work("export", database)


@links.command("import")
@_database
def links_import(database: str | None) -> None:
    """Put in what `export` wrote, from standard input; names and tokens go on working, what is here already stays as it is."""
    _work("import_", database)


@main.command()
@click.argument("file", metavar="FILE|-|MODULE:FUNCTION")
@click.option("-o", "--output", required=True, metavar="OUT", help="The file to write; its end names the format. - is standard output.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(["svg", "png", "pdf", "html", "dot", "mermaid", "txt", "json"]),
    help="The format, where the name of the file does not say it.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 when the file is not what would be written.")
@click.option("--program", metavar="ID", help="Which program of several: its number, its name or its id.")
@click.option("--level", type=click.Choice(["jaxpr", "stablehlo", "hlo"]), help="What to draw. [default: jaxpr]")
@click.option("--depth", type=click.IntRange(0, 99), help="Open bodies down to this depth. [default: what fits on a screen]")
@click.option("--all", "everything", is_flag=True, help="Open every body.")
@click.option(
    "--open", "paths", multiple=True, metavar="PATH", help="Open this body alone, by its path (e3/e7). May be given several times."
)
@click.option(
    "--by", type=click.Choice(["auto", "scopes", "calls", "modules", "repeats", "none"]), default="auto", help="Grouping of large levels."
)
@click.option(
    "--theme", type=click.Choice(["light", "dark", "auto"]), default="light", show_default=True, help="auto follows the reader's."
)
@click.option(
    "--direction",
    type=click.Choice(["TB", "LR"]),
    default="TB",
    show_default=True,
    help="Which way the values flow: down, or to the right.",
)
@click.option("--overlay", type=click.Choice(["bytes", "flops", "memory", "lines", "scopes"]), help="Colour the boxes by this.")
@click.option("--width", type=click.FloatRange(16, 100_000), help="Width of an SVG, PNG or PDF in pixels.")
@click.option("--scale", type=click.FloatRange(0.1, 16), default=2.0, show_default=True, help="Pixels of a PNG for each of the SVG.")
@click.option("--title", help="Title of the picture.")
@click.option("--alt", help="What is spoken of the picture. [default: what is in it]")
@click.option("--legend/--no-legend", default=True, help="What the lines mean, under the picture.")
@_cpu_seconds
@_all(_traced_options)
def draw(
    file: str,
    output: str,
    format_: str | None,
    check: bool,
    program: str | None,
    cpu_seconds: int | None,
    depth: int | None,
    everything: bool,
    paths: tuple[str, ...],
    **options: Any,
) -> None:
    """Draw one program of FILE (Python, a saved trace, MLIR, HLO; - for standard input), or of MODULE:FUNCTION of your own code.

    The picture is the page's own; it needs no browser, and no Graphviz. MODULE:FUNCTION is imported in a fresh Python, not in the sandbox.

    Exit code 0: all is well. 1: no picture, or with --check a stale file. 2: a wrong command line. 3: something is not installed.
    """
    from ._cli._draw import run
    from ._cli._given import wishes_of

    if sum((depth is not None, everything, bool(paths))) > 1:
        raise click.UsageError("--depth, --all and --open exclude each other.")
    wishes = wishes_of(**{name: options.pop(name) for name in ("fun", "args", "kwargs", "signature", "transforms")})
    opened: Any = depth if depth is not None else "all" if everything else tuple(sorted(paths)) if paths else "initial"
    sys.exit(run(file, output, format_, program, check, cpu_seconds, {**options, "open": opened}, wishes))


@main.command()
@click.option("--port", type=click.IntRange(1, 65535), default=8080, show_default=True, help="Port that `serve` would use.")
def doctor(port: int) -> None:
    """Say what works on this machine, and what to do about the rest."""
    from ._cli._doctor import run

    sys.exit(run(port))


if __name__ == "__main__":
    main()
