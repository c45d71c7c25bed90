"""The command line: its commands, their flags and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapviz.cli import condense, figure, formats, lesson, report, score, serve, store, threshold
from tapviz.cli.arguments import add_files, inputs_of, open_once
from tapviz.cli.terminal import BAD_INPUT, FAILURES, Parser, exit_code, tell
from tapviz.files.limits import Limits, keep_memory, leave_pandas_out, set_limits
from tapviz.readers.inputs import Opened

if TYPE_CHECKING:
    from panel.viewable import Viewer


COMMANDS = {
    "explore": serve.EXPLORE,
    "serve": serve.SERVE,
    "score": score.COMMAND,
    "threshold": threshold.COMMAND,
    "figure": figure.COMMAND,
    "report": report.COMMAND,
    "condense": condense.COMMAND,
    "lesson": lesson.COMMAND,
    "add": store.ADD,
    "site": store.SITE,
    "formats": formats.COMMAND,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns
    -------
    int
        The exit code: 0, or 1 if a score is worse than was accepted; 2 if something was wrong, of
        which one message has told; 130 after an interrupt, 141 if whoever read the output has gone.
    """
    parser = Parser(
        prog="tapviz", description="Judge the retrieval of sequence and structure search programs."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, one in COMMANDS.items():
        flags = commands.add_parser(name, help=one.help, description=one.description)
        for add in one.flags:
            add(flags)

    def run() -> int | None:
        given = vars(parser.parse_args(arguments))
        command = COMMANDS[given.pop("command")]
        if arguments is None and command.is_brief:  # and the process is its own
            keep_memory()
            leave_pandas_out()
        return command.run(given)

    return exit_code(run)


def explore_app(arguments: Sequence[str]) -> Viewer:
    """The application for the arguments after ``panel serve apps/explore.py --args``.

    Bad input ends the server with a message and exit code 2: no session could show anything else.
    """
    from tapviz.cli.server import page  # noqa: PLC0415

    return page(_opened("apps/explore.py", arguments))


def lesson_app(arguments: Sequence[str]) -> Viewer:
    """The application for the arguments after ``panel serve apps/lesson.py --args``.

    With files, the explorer that the lesson leads to opens these.
    """
    from tapviz.cli.server import page  # noqa: PLC0415

    return page(_opened("apps/lesson.py", arguments), learn=True)


def _opened(app: str, arguments: Sequence[str]) -> Opened | None:
    parser = Parser(prog=f"panel serve {app} --args")
    add_files(parser)
    try:
        opened = open_once(*inputs_of(vars(parser.parse_args(arguments))))
    except FAILURES as error:
        tell(error)
        sys.exit(BAD_INPUT)
    set_limits(Limits())  # from here on, of whoever visits
    return opened
