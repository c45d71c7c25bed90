"""The command line: its commands, their flags and exit codes."""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tapviz.cli import terminal
from tapviz.cli.arguments import add_files, check_outputs, inputs_of, open_once
from tapviz.cli.flags import COMMANDS, declared, take
from tapviz.cli.terminal import Parser, Voice
from tapviz.files.limits import Limits, keep_memory, leave_pandas_out, set_limits

if TYPE_CHECKING:
    from panel.viewable import Viewer

for _module in ("serve", "score", "outputs", "run", "completion"):
    importlib.import_module(f"{__name__}.{_module}")  # which adds its commands


class _Version(argparse.Action):
    """Prints the version, which is looked up only now, and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version  # noqa: PLC0415

        print("tapviz", version("tapviz"))
        parser.exit(0)


def parser_of() -> tuple[Parser, dict[str, Parser]]:
    """The parser of the command line, and those of its commands by name."""
    what = "Judge the retrieval of sequence and structure search programs."
    parser = Parser(prog="tapviz", description=what)
    none = argparse.SUPPRESS  # since a command has an option of that name
    parser.add_argument("--version", action=_Version, nargs=0, dest=none, help="print the version")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    of = {}
    for name, one in COMMANDS.items():
        flags = of[name] = commands.add_parser(name, help=one.help, description=one.description)
        for add in (*one.flags, declared(Voice)):
            add(flags)
    return parser, of


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns
    -------
    int
        The exit code: 0, or 1 if a score is worse than was accepted; 2 if something was wrong, of
        which one message has told; 130 after an interrupt, 141 if whoever read the output has gone.
    """
    parser, commands = parser_of()

    def work() -> int | None:
        known, rest = parser.parse_known_args(arguments)
        given = vars(known)
        if rest:
            commands[given["command"]].refuse(rest)
        terminal.speak(take(given, Voice))
        command = COMMANDS[given.pop("command")]
        words = sys.argv[1:] if arguments is None else arguments
        check_outputs(given)
        given["line"] = shlex.join(["tapviz", *words])
        if arguments is None:  # and the process is its own
            terminal.tell_in_any_terminal()
            if command.is_brief:
                keep_memory()
                leave_pandas_out()
        return command.run(given)

    return terminal.exit_code(work)


def app(arguments: Sequence[str], *, learn: bool = False) -> Viewer:
    """The application for the arguments after ``panel serve apps/explore.py --args``.

    Bad input ends the server with a message and exit code 2: no session could show anything else.

    Parameters
    ----------
    arguments : sequence of str
    learn : bool
        Whether it is that of ``apps/lesson.py``; with files, the explorer that the lesson leads to
        opens these.
    """
    from tapviz.cli.server import page  # noqa: PLC0415

    parser = Parser(prog=f"panel serve apps/{'lesson' if learn else 'explore'}.py --args")
    add_files(parser)
    try:
        opened = open_once(*inputs_of(vars(parser.parse_args(arguments))))
    except terminal.FAILURES as error:
        terminal.tell(error)
        sys.exit(terminal.BAD_INPUT)
    set_limits(Limits())  # from here on, of whoever visits
    return page(opened, learn=learn)
