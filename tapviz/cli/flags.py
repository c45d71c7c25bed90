"""What a command is, and its flags: the fields of dataclasses that it is given."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from math import isnan
from typing import Any, NamedTuple, TypeVar

from tapviz.files import small
from tapviz.files.options import add_flags, flag_names, option, options_of
from tapviz.live.gc_tuning import gc_disabled
from tapviz.readers import ReadOptions

FLAGS = flag_names(ReadOptions) | {"FORMATS": "tapviz formats"}
"""Options of reading as messages call them."""
Given = dict[str, Any]
"""Arguments of a command that nobody has taken yet, by name."""
Options = argparse._ActionsContainer  # noqa: SLF001  # a parser, or a group of its options
AddFlags = Callable[[Options], None]
GROUPS = {
    "read": "how files are read",
    "relevance": "which records are relevant to which query",
    "scores": "which scores, at which thresholds, of which queries",
    "statistics": "intervals and comparisons",
    "view": "what is shown",
    "run": "what is known of a run",
    "server": "how pages are served",
    "output": "what is written, and where to",
    "gate": "what is to fail",
}
"""Groups of options, and what they are about."""
MOST = 1_000_000_000
T = TypeVar("T")
Run = Callable[[Given], int | None]


class Command(NamedTuple):
    """A command: what runs it, its help, and what adds its flags."""

    run: Run
    """Returns the exit code, None for 0."""
    help: str
    description: str
    flags: tuple[AddFlags, ...]
    is_brief: bool
    """Whether it reads, computes and ends, and makes no data frame: garbage is not collected."""


COMMANDS: dict[str, Command] = {}
"""By name, in the order in which the help names them."""


def command(
    brief: str, description: str, flags: tuple[AddFlags, ...] = (), *, is_brief: bool = False
) -> Callable[[Run], Run]:
    """Decorate what runs the command that it is called after."""

    def add(run: Run) -> Run:
        runs = gc_disabled()(run) if is_brief else run
        COMMANDS[run.__name__.strip("_")] = Command(runs, brief, description, flags, is_brief)
        return run

    return add


def group(parser: Options, title: str) -> Options:
    """A group of options of a parser; made, if there is none of that title."""
    known = {one.title: one for one in parser._action_groups}  # noqa: SLF001  # no other list
    return known.get(title) or parser.add_argument_group(title, GROUPS[title])


def flag(help: str, called: str = "", default: object = "", **known: Any) -> Any:  # noqa: A002
    """Field of a dataclass that is a flag.

    Parameters
    ----------
    help : str
        The default follows in brackets, if there is one that is not empty.
    called : str
        As of an `Option`.
    default
        `REQUIRED` if there is none. What may be given again is a sequence, and () by default.
    **known
        ``choices``, the only values; and ``read``, the value of a text, by default as the type of
        the default says.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from tapviz.cli.flags import declared, flag, take
    >>> @dataclass
    ... class Look:
    ...     width: float = flag("in mm", default=86.0)
    >>> parser = argparse.ArgumentParser()
    >>> declared(Look)(parser)
    >>> take(vars(parser.parse_args(["--width", "178"])), Look)
    Look(width=178.0)
    """
    choices = {one: one for one in known.pop("choices", ())}
    read = known.get("read", READ.get(type(default)))
    return option(default, help=help, called=called, choices=choices, read=read)


switch = partial(flag, default=False)
"""A flag without a value."""
several = partial(flag, default=())
"""A flag that may be given again, or whose value names several."""


def declared(own: type, title: str = "output") -> AddFlags:
    """What adds the flags that a dataclass declares, to a group."""
    return lambda parser: add_flags(group(parser, title), own)


def take(given: Given, own: type[T]) -> T:
    """Take what a dataclass declares out of the arguments given; what is not given is as usual."""
    names = options_of(own)  # type: ignore[arg-type]  # a class is hashable
    return own(**{name: given.pop(name) for name in names if name in given})


def between(least: int, most: int, expected: str = "") -> Callable[[str], int]:
    """What reads a whole number of an argument between two others."""

    def read(text: str) -> int:
        with suppress(ValueError):
            if least <= (value := small.whole(text)) <= most:
                return value
        raise argparse.ArgumentTypeError(
            f"expected a whole number {expected or f'from {least} to {most}'}, found {text[:40]!r}"
        )

    return read


def real(text: str) -> float:
    """A number, which may be infinite."""
    with suppress(ValueError):
        if not isnan(value := small.number(text)):
            return value
    raise argparse.ArgumentTypeError(f"expected a number, found {text[:40]!r}")


whole = between(-MOST, MOST, f"of at most {MOST:,}")
"""Reads what fits into an array; what it means checks the rest."""


def names(text: str) -> tuple[str, ...]:
    """Names separated by commas or blanks."""
    return tuple(text.replace(",", " ").split())


READ: Mapping[type, Callable[[str], object]] = {int: whole, float: float}
"""What reads a value, by the type of the default."""
