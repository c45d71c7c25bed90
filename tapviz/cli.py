"""The command line: tapviz explore."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tapviz.labels import ClassTable
from tapviz.lists import Direction, RetrievalLists, align
from tapviz.readers import FORMATS, ReadError, read

if TYPE_CHECKING:
    from tapviz.dashboard.app import App

BAD_INPUT = 2


class Opened(NamedTuple):
    """Results read from the person's files."""

    results: dict[str, RetrievalLists]
    title: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit code: 0, or 2 on bad input."""
    parser = argparse.ArgumentParser(
        prog="tapviz", description="Judge the retrieval of sequence and structure search programs."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    explore = commands.add_parser(
        "explore",
        help="open results in the browser",
        description="Open results in the browser: your files, or the bundled bench.",
    )
    _add_files(explore)
    explore.add_argument("--port", type=int, default=0, help="port to serve at (default: any free)")
    explore.add_argument("--no-show", action="store_true", help="do not open the browser")
    given = parser.parse_args(arguments)
    files = vars(given)
    port, show = files.pop("port"), not files.pop("no_show")
    try:
        opened = _open(**_hashable(files))
    except (ReadError, ValueError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    _serve(opened, port=port, show=show)
    return 0


def explore_app(arguments: Sequence[str]) -> App:
    """The application for the arguments after ``panel serve apps/explore.py --args``.

    Bad input ends the server with a message and exit code 2: no session could show anything else.
    """
    from tapviz.dashboard.app import App  # noqa: PLC0415

    parser = argparse.ArgumentParser(prog="panel serve apps/explore.py --args")
    _add_files(parser)
    try:
        opened = _open(**_hashable(vars(parser.parse_args(arguments))))
    except (ReadError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(BAD_INPUT)
    return App() if opened is None else App(*opened)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="results, one file per algorithm")
    parser.add_argument("--labels", metavar="TABLE", help="class of each record: id TAB class")
    parser.add_argument(
        "--query-labels",
        metavar="TABLE",
        help="class of each query, where queries are not records of the database",
    )
    parser.add_argument("--queries", metavar="LIST", help="all queries, one per line, hits or not")
    parser.add_argument("--format", choices=sorted(FORMATS), help="format, where not recognised")
    parser.add_argument(
        "--direction",
        choices=("ascending", "descending"),
        help="whether small scores are good (E-values) or large ones",
    )


def _hashable(options: dict[str, Any]) -> dict[str, Any]:
    options.pop("command", None)
    return {**options, "files": tuple(options["files"])}


@cache
def _open(
    files: tuple[str, ...],
    labels: str | None,
    query_labels: str | None,
    queries: str | None,
    format: str | None,  # noqa: A002
    direction: Direction | None,
) -> Opened | None:
    """Results in the files, read once per process; None if there are no files.

    Raises
    ------
    ReadError
        If a file cannot be read.
    ValueError
        If the results do not belong together.
    """
    if not files:
        return None
    table = None if labels is None else ClassTable.read(labels, queries=query_labels)
    results: dict[str, RetrievalLists] = {}
    for file in files:
        name = _name(file)
        if name in results:
            name = file
        results[name] = read(
            file, format=format, direction=direction, labels=table, queries=queries
        )
    return Opened(align(results), ", ".join(Path(file).name for file in files))


def _name(file: str) -> str:
    """Name of an algorithm: that of its file, without endings such as .tsv.gz."""
    name = Path(file).name
    return name.split(".")[0] or name


def _serve(opened: Opened | None, *, port: int, show: bool) -> None:
    import panel as pn  # noqa: PLC0415

    from tapviz.dashboard.app import App  # noqa: PLC0415

    pn.extension()
    pn.serve(
        lambda: App() if opened is None else App(*opened), port=port, show=show, title="tapviz"
    )


if __name__ == "__main__":
    sys.exit(main())
