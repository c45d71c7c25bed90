"""What every command says to the terminal: problems, progress, exit codes."""

from __future__ import annotations

import argparse
import io
import logging
import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from shutil import get_terminal_size
from textwrap import shorten
from typing import Any, NoReturn

from tapviz.cli.flags import FLAGS, GROUPS, switch
from tapviz.files.extras import not_installed
from tapviz.readers import ReadError
from tapviz.readers.inputs import Opened, explain

WORSE, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141
"""Exit codes; the last two are 128 and the signal that would have ended the command."""

RED, GREEN, YELLOW = 31, 32, 33
SCREEN, FEW = 40, 8
"""Lines of a help that is shown as a whole; choices that a short one names are fewer."""
USED_MOST = {
    *("labels", "qrels", "queries", "standard", "format", "k", "e0", "n", "scores", "compare"),
    *("output", "form", "into", "per_query", "baseline", "fail_if", "plot", "width", "title"),
    *("store", "name", "errors", "workers", "resume", "port", "algorithms", "help"),
}
"""Arguments that the short help shows."""
LIKE = 0.7
"""How like an option a word is that is taken for it misspelt, from 0 to 1."""
FAILURES = (ReadError, ValueError, OSError, OverflowError, MemoryError, ModuleNotFoundError)
"""What is nobody's bug, but a wrong argument, a bad file, a full disk or a missing package."""


@dataclass(frozen=True, kw_only=True)
class Voice:
    """How a command speaks."""

    quiet: bool = switch("write nothing but errors to standard error")
    no_color: bool = switch("no colours there, as when NO_COLOR is set")


_present = Voice()


def speak(voice: Voice) -> None:
    """Say how the command that begins is to speak."""
    global _present  # noqa: PLW0603  # of the process
    _present = voice


def say(*lines: object) -> None:
    """Print lines on standard error, unless the command is to be quiet."""
    if not _present.quiet:
        print(*lines, sep="\n", file=sys.stderr)


def is_watched() -> bool:
    """Whether somebody looks at a terminal that is to tell how far the work is."""
    return sys.stderr.isatty() and not _present.quiet


def coloured(text: str, colour: int) -> str:
    """Text in a colour, where standard error is a terminal and nobody asked for none."""
    if _present.no_color or os.environ.get("NO_COLOR") or not sys.stderr.isatty():
        return text
    return f"\x1b[{colour}m{text}\x1b[0m"


class _Help(argparse.Action):
    """Prints the help of a `Parser`, or that of a group of its options, and ends."""

    def __call__(self, parser: Any, *given: Any) -> None:
        print(parser.help_of(given[1]), end="")
        parser.exit(0)


class Parser(argparse.ArgumentParser):
    """Answers wrong arguments with one line, and asks for help with a screen, not with all."""

    def __init__(self, **options: Any) -> None:
        # Abbreviated, --level would be --levels, of relevance.
        super().__init__(add_help=False, allow_abbrev=False, **options)
        self.color = "--no-color" not in sys.argv  # of Python 3.14, which has colours
        words = "show this, or the options of a group, or all"
        self.add_argument(
            "-h", "--help", action=_Help, nargs="?", const="", metavar="GROUP", help=words
        )

    def help_of(self, title: str) -> str:
        """Help of the options of a group, of "all", or, of "", of those that are used most."""
        groups = {one.title: one for one in self._action_groups if one.title in GROUPS}
        whole = self.format_help()
        if title == "all" or (not title and whole.count("\n") <= SCREEN):
            return whole
        if title and title not in groups:
            self.error(f"--help {title[:40]}: expected all, {', '.join(groups)}")
        formatter = self._get_formatter()
        formatter.add_usage(f"{self.prog} [options] [FILE ...]", [], [])
        formatter.add_text(self.description)
        if title:
            formatter.start_section(title)
            formatter.add_text(groups[title].description)
            formatter.add_arguments(groups[title]._group_actions)  # noqa: SLF001
            formatter.end_section()
            return formatter.format_help()
        rows = [(_flag(one), _brief(one)) for one in self._actions if one.dest in USED_MOST]
        rows += [("", ""), (f"More options: {self.prog} --help GROUP, or all", "")]
        rows += [(name, GROUPS[name]) for name in groups]
        width = max(len(flag) for flag, text in rows if text) + 2
        room = max(get_terminal_size().columns - width - 3, 20)
        lines = [
            f"  {left:<{width}}{shorten(text, room, placeholder=' ...')}" for left, text in rows
        ]
        return "\n".join([formatter.format_help(), *map(str.rstrip, lines), ""])

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """End because of words that are no arguments, with the options that they resemble."""
        word, options = words[0].partition("=")[0], self._option_string_actions
        names = [name for name in options if name.startswith("--")]
        short = [word[1:]] if word[1:] in options else []  # --k is -k
        meant = short or get_close_matches(word, names, 1, LIKE)
        like = f": did you mean {meant[0]}?" if meant else ""
        self.error(f"unrecognized arguments: {' '.join(words)}{like}")

    def error(self, message: str) -> NoReturn:
        """End with the message and where to read on."""
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see {self.prog} --help\n")


def _flag(one: argparse.Action) -> str:
    """An option as its help begins, such as -k K, or --scores NAMES."""
    value = one.metavar or ("{...}" if one.choices else one.dest.upper())
    called = ", ".join(one.option_strings)
    return called if one.nargs == 0 else f"{called} {value}"


def _brief(one: argparse.Action) -> str:
    """The beginning of its help."""
    choices = [*map(str, one.choices or ())]
    begin = f"{', '.join(choices)}: " if 0 < len(choices) < FEW else ""
    return begin + re.split(r"[;(:]", (one.help or "").replace("%%", "%"))[0].strip()


def tell(error: Exception) -> None:
    """Say what is wrong, on standard error if there is one."""
    if isinstance(error, MemoryError):
        lines = ["there is not enough memory; leave out rows or files, or close other programs"]
    elif isinstance(error, ModuleNotFoundError):
        lines = [not_installed(error)]
    elif isinstance(error, OSError) and error.strerror:
        lines = [f"{error.filename or 'standard output'}: {error.strerror}"]
    else:
        lines = explain(error, FLAGS)
    with suppress(OSError):
        print(*lines, sep="\n", file=sys.stderr)


def exit_code(work: Callable[[], int | None]) -> int:
    """Do the work of a command; one message tells what was wrong, if something was."""
    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()  # here, since nobody would see an error at exit
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except FAILURES as error:
        tell(error)
        drop_output()
        return BAD_INPUT
    return code or 0


def drop_output() -> None:
    """Drop what cannot be written, so that Python does not try again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        try:
            sys.stdout.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def tell_in_any_terminal() -> None:
    """Let a process write letters that its terminal lacks, and say nothing of caches."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # where its home is read-only


def told_of(opened: Opened) -> dict[str, Any]:
    """What a report says of what was opened; how far it is, it tells whoever looks on."""
    return {
        "opening": opened.opening,
        "about": opened.about,
        "doubts": opened.doubts,
        "progress": _show_progress if is_watched() else None,
    }


def _show_progress(done: int, total: int) -> None:
    """How far it is, in one line of the terminal that is written over."""
    end = "\n" if done == total else ""
    print(f"\rWritten: {100 * done // total} %", end=end, file=sys.stderr, flush=True)
