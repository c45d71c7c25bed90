"""What a command is, and its flags: the fields of dataclasses that it is given."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import MISSING, field, fields
from functools import partial
from typing import Any, NamedTuple, TypeVar

from tapviz.files import small

Given = dict[str, Any]
"""Arguments of a command that nobody has taken yet, by name."""
REQUIRED: Any = MISSING
"""Default of a flag that must be given."""
Options = argparse._ActionsContainer  # noqa: SLF001  # a parser, or a group of its options
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
KEY = "flag"
T = TypeVar("T")


class Command(NamedTuple):
    """A command: what runs it, its help, and what adds its flags."""

    run: Callable[[Given], int | None]
    """Returns the exit code, None for 0."""
    help: str
    description: str
    flags: tuple[Callable[[Options], None], ...] = ()
    is_brief: bool = False
    """Whether it reads, computes and ends, and makes no data frame."""


def group(parser: Options, title: str) -> Options:
    """A group of options of a parser; made, if there is none of that title."""
    known = {one.title: one for one in parser._action_groups}  # noqa: SLF001  # no other list
    return known.get(title) or parser.add_argument_group(title, GROUPS[title])


def add_flag(
    parser: Options,
    name: str,
    default: object,
    help: str,  # noqa: A002  # as argparse calls it
    called: str = "",
    *,
    read: Callable[[str], object] | None = None,
    choices: Collection[str] = (),
    several: bool = False,
    switch: bool = False,
) -> None:
    """Add the flag of a field.

    Parameters
    ----------
    parser : ArgumentParser, or a group of it
    name : str
        Of the field.
    default
        `REQUIRED` if there is none.
    help : str
        The default follows in brackets, if there is one that is not empty.
    called : str
        As in a help, "-o --output PATH": its names, if it is not called after the field, as --max-k
        after max_k, and what its value is called.
    read : callable, optional
        Value of a text. By default as the type of the default says.
    choices : collection of str
        The only values.
    several : bool
        Whether it may be given again: the field has them all.
    switch : bool
        Whether it has no value, as where the default is True or False.
    """
    words = called.split()
    flags = [one for one in words if one.startswith("-")] or ["--" + name.replace("_", "-")]
    if switch or isinstance(default, bool):
        parser.add_argument(*flags, dest=name, action="store_true", default=default, help=help)
        return
    required = default is REQUIRED
    shown = not required and default not in (None, "", ()) and "(default" not in help
    parser.add_argument(
        *flags,
        dest=name,
        action="append" if several else "store",
        type=read or READ.get(type(default), str),
        default=None if required else [] if several and default == () else default,
        required=required,
        choices=tuple(choices) or None,
        metavar=next((one for one in words if not one.startswith("-")), None),
        help=help + (" (default: %(default)s)" if shown else ""),
    )


def flag(help: str, called: str = "", default: object = "", **known: Any) -> Any:  # noqa: A002
    """Field of a dataclass that is a flag; `known` has further arguments of `add_flag`.

    Without a default it is an empty text, or no values if it may be given again.

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
    add = partial(add_flag, help=help, called=called, **known)
    return field(default=() if "several" in known else default, metadata={KEY: add})


def declared(own: type, title: str = "output") -> Callable[[Options], None]:
    """What adds the flags that a dataclass declares, to a group."""

    def add(parser: Options) -> None:
        for one in fields(own):
            if KEY in one.metadata:
                one.metadata[KEY](group(parser, title), one.name, one.default)

    return add


def take(given: Given, own: type[T]) -> T:
    """Take what a dataclass declares out of the arguments given."""
    flags = [one.name for one in fields(own) if KEY in one.metadata]  # type: ignore[arg-type]
    return own(**{name: given.pop(name) for name in flags})


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


whole = between(-MOST, MOST, f"of at most {MOST:,}")
"""Reads what fits into an array; what it means checks the rest."""


def names(text: str) -> tuple[str, ...]:
    """Names separated by commas or blanks."""
    return tuple(text.replace(",", " ").split())


READ: Mapping[type, Callable[[str], object]] = {int: whole, float: float}
"""What reads a value, by the type of the default."""
