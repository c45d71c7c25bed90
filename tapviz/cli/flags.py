"""Flags of a command, declared as the fields of a dataclass that the command is given."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields
from functools import partial
from typing import Any, TypeVar

REQUIRED: Any = MISSING
"""Default of a flag that must be given."""
MOST = 1_000_000_000
KEY = "flag"
T = TypeVar("T")


@dataclass(frozen=True)
class Flag:
    """What the command line says of a field, and how it reads the field's value.

    Parameters
    ----------
    help : str
        The default follows in brackets, if there is one that is not empty.
    names : tuple of str
        If it is not called after the field, as --max-k after max_k.
    read : callable, optional
        Value of a text. By default as the type of the default says.
    choices : collection of str
        The only values.
    metavar : str, optional
        What the value is called.
    several : bool
        Whether it may be given again: the field has them all.
    switch : bool
        Whether it has no value, as where the default is True or False.
    """

    help: str
    names: tuple[str, ...] = ()
    read: Callable[[str], Any] | None = None
    choices: Collection[str] = ()
    metavar: str | None = None
    several: bool = False
    switch: bool = False

    def add(self, parser: argparse.ArgumentParser, name: str, default: Any) -> None:
        """Add the flag of a field."""
        flags = self.names or ("--" + name.replace("_", "-"),)
        if self.switch or isinstance(default, bool):
            switch: dict[str, Any] = {"dest": name, "default": default, "help": self.help}
            parser.add_argument(*flags, action="store_true", **switch)
            return
        required = default is REQUIRED
        shown = not required and default not in (None, "", ()) and "(default" not in self.help
        parser.add_argument(
            *flags,
            dest=name,
            action="append" if self.several else "store",
            type=self.read or READ.get(type(default), str),
            default=None if required else [] if self.several and default == () else default,
            required=required,
            choices=tuple(self.choices) or None,
            metavar=self.metavar,
            help=self.help + (" (default: %(default)s)" if shown else ""),
        )


def flag(help: str, *names: str, default: Any = None, **known: Any) -> Any:  # noqa: A002
    """Field of a dataclass that is a flag; `known` has further fields of `Flag`.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> from tapviz.cli.flags import add_declared, flag, take
    >>> @dataclass
    ... class Look:
    ...     width: float = flag("in mm", default=86.0)
    >>> parser = argparse.ArgumentParser()
    >>> add_declared(parser, Look)
    >>> take(vars(parser.parse_args(["--width", "178"])), Look)
    Look(width=178.0)
    """
    return field(default=default, metadata={KEY: Flag(help, names, **known)})


def add_declared(parser: argparse.ArgumentParser, own: type) -> None:
    """Add the flags that a dataclass declares."""
    for one in fields(own):
        if KEY in one.metadata:
            one.metadata[KEY].add(parser, one.name, one.default)


def declared(own: type) -> Callable[[argparse.ArgumentParser], None]:
    """What adds the flags that a dataclass declares."""
    return partial(add_declared, own=own)


def take(given: dict[str, Any], own: type[T], **others: Any) -> T:
    """Take what a dataclass declares out of the arguments given; `others` are no flags."""
    flags = [one.name for one in fields(own) if KEY in one.metadata]  # type: ignore[arg-type]
    return own(**{name: given.pop(name) for name in flags}, **others)


def whole(text: str) -> int:
    """Whole number of an argument, which fits into an array; what it means checks the rest."""
    with suppress(ValueError):
        if abs(value := int(text)) <= MOST:
            return value
    msg = f"expected a whole number of at most {MOST:,}, found {text[:40]!r}"
    raise argparse.ArgumentTypeError(msg)


def between(least: int, most: int) -> Callable[[str], int]:
    """What reads a whole number of an argument between two others."""

    def read(text: str) -> int:
        with suppress(ValueError):
            if least <= (value := int(text)) <= most:
                return value
        msg = f"expected a whole number from {least} to {most}, found {text[:40]!r}"
        raise argparse.ArgumentTypeError(msg)

    return read


def names(text: str) -> tuple[str, ...]:
    """Names separated by commas or blanks."""
    return tuple(text.replace(",", " ").split())


READ: Mapping[type, Callable[[str], Any]] = {int: whole, float: float}
"""What reads a value, by the type of the default."""
