"""Arguments that several commands take, and the files that they name."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Container, Mapping
from functools import cache
from typing import Any

from tapviz.cli.flags import Flag, whole
from tapviz.files.options import NOTHING, add_flags, flag_names, options_of
from tapviz.readers import FORMATS, ReadOptions
from tapviz.readers.inputs import Opened, ResultFile, files_of, open_files
from tapviz.state.settings import SETTINGS

NO_FILES = "give at least one file of results"
FLAGS = flag_names(ReadOptions)
"""Options of reading as messages call them."""
TYPES: Mapping[str, Callable[[str], Any]] = {"whole": whole, "number": float}


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
        kind = one.kind
        reads = one.from_flag or TYPES.get(kind)
        flag = Flag(
            one.help,
            (one.flag,),
            reads,
            one.values,
            one.metavar,
            kind == "several",
            kind == "switch",
        )
        flag.add(parser, name, usual.get(name))


def inputs_of(given: dict[str, Any], none: str = "") -> tuple[tuple[ResultFile, ...], ReadOptions]:
    """Files of results, and the options of reading them.

    Raises
    ------
    ValueError
        If there are no files, with the words of `none` unless these are empty.
    """
    options = {name: given.pop(name) for name in options_of(ReadOptions) if name in given}
    files = tuple(one for argument in given.pop("files") for one in files_of(argument))
    if none and not files:
        raise ValueError(none)
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
