"""Arguments that several commands take, and the files that they name."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Container, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from tapviz.files.options import NOTHING, add_flags, flag_names, options_of
from tapviz.readers import FORMATS, ReadOptions
from tapviz.readers.inputs import Opened, ResultFile, files_of, open_files
from tapviz.state.settings import SETTINGS

MOST = 1_000_000_000


FLAGS = flag_names(ReadOptions)
"""Options of reading as messages call them."""


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


PORT = between(0, 65535)
TYPES = {"whole": whole, "number": float}


def add_processes(parser: argparse.ArgumentParser, flag: str, most: int, what: str) -> None:
    """How many processes work, one by default."""
    told = f"{what} (default: %(default)s)"
    parser.add_argument(flag, type=between(1, most), default=1, help=told)


def add_files(parser: argparse.ArgumentParser) -> None:
    """Files of results, and the options of reading them."""
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="results, one file per algorithm; NAME=FILES, a folder or a pattern in quotes such as "
        "'mmseqs=runs/*.m8', whose files are one algorithm's; NAME@=FILES, each of which is a "
        "run of one system; or a folder of runs, a store",
    )
    add_flags(parser, ReadOptions, choices={"format": FORMATS})


def add_settings(
    parser: argparse.ArgumentParser, wanted: Container[str], usual: Mapping[str, Any] = NOTHING
) -> None:
    """A flag for each setting that has one and is wanted; `usual` says what it is without."""
    for name, one in SETTINGS.items():
        if not one.flag or name not in wanted:
            continue
        known: dict[str, Any] = {"dest": name, "help": one.help, "default": usual.get(name)}
        if one.kind == "switch":
            parser.add_argument(one.flag, **known, action="store_true")
            continue
        if one.kind == "several":
            known["action"] = "append"
        reads = one.from_flag or TYPES.get(one.kind)
        known |= {"metavar": one.metavar, "choices": one.values or None, "type": reads}
        parser.add_argument(one.flag, **known)


def inputs_of(given: dict[str, Any]) -> tuple[tuple[ResultFile, ...], ReadOptions]:
    """Files of results, and the options of reading them."""
    options = {name: given.pop(name) for name in options_of(ReadOptions) if name in given}
    files = tuple(one for argument in given.pop("files") for one in files_of(argument))
    return files, ReadOptions(**options)


@cache
def open_once(files: tuple[ResultFile, ...], options: ReadOptions) -> Opened | None:
    """Results in the files, read once per process; None if there are no files.

    Raises
    ------
    ReadError, ValueError
        As `open_files`.
    """
    if not files:
        return None
    opened = open_files(files, options, called=FLAGS)
    for doubt in opened.doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    return opened
