"""Arguments that several commands take: files, the options of reading them, and settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from functools import cache
from itertools import product
from os.path import realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tapviz.cli.flags import FLAGS, Given, Options, between, group, real, take, whole
from tapviz.cli.terminal import YELLOW, coloured, say
from tapviz.files.options import Kind, Option, add_flags, options_of
from tapviz.readers import FORMATS, ReadOptions
from tapviz.readers.datasets import dataset_info
from tapviz.readers.inputs import FILE_OPTIONS, Opened, ResultFile, bundled, files_of, open_files
from tapviz.readers.options import OF_RELEVANCE
from tapviz.state.settings import BY_E_VALUE, BY_ERRORS, SETTINGS

if TYPE_CHECKING:
    from tapviz.explorer import Explorer

NO_FILES = "give at least one file of results"
OUTPUTS = ("output", "into", "per_query", "save_baseline")
"""Arguments that name what a command writes."""
OF_FOLDERS = ("*.parquet", "condensed.json", "store.json")
"""What is read of a store, or of a condensed data set."""
PARAMETER = re.compile(r"\w+ parameter 'Explorer\.(\w+)'")
"""A setting as Python calls it where its value is refused."""
TYPES: Mapping[str, Callable[[str], object]] = {"whole": whole, "number": real}
KINDS: Mapping[str, Kind] = {"several": "several", "switch": "switch"}


OF_ALGORITHMS = (
    "results, one file per algorithm; NAME=FILES for several files of one algorithm, as a folder "
    "or a quoted pattern such as 'mmseqs=runs/*.m8'; NAME@=FILES for several runs of one system; "
    "or a store, a folder of runs; - is standard input"
)


def add_files(parser: Options, help: str = OF_ALGORITHMS) -> None:  # noqa: A002  # as argparse
    """Files of results, and the options of reading them."""
    parser.add_argument("files", nargs="*", metavar="FILE", help=help)
    others = options_of(ReadOptions).keys() - OF_RELEVANCE
    for title, only in (("read", others), ("relevance", OF_RELEVANCE)):
        add_flags(group(parser, title), ReadOptions, {"format": FORMATS}, only)


def add_settings(parser: Options, wanted: Container[str] = SETTINGS, title: str = "view") -> None:
    """A flag for each setting that has one and is wanted."""
    for name, one in SETTINGS.items():
        if one.flag and name in wanted:
            read = one.from_flag or TYPES.get(one.kind)
            if one.filters and one.kind == "whole":  # which nothing else checks
                read = between(*one.parameter.bounds)
            flag = Option(
                name=name,
                help=one.help,
                called=one.called,
                kind=KINDS.get(one.kind, "text"),
                read=read,
                choices={value: value for value in one.values},
            )
            flag.add_to(group(parser, "statistics" if one.affects == "intervals" else title))


def settings_of(given: Given, wanted: Iterable[str] = SETTINGS) -> dict[str, Any]:
    """Settings that were given, of those that are wanted."""
    flags = (name for name in wanted if SETTINGS[name].flag)  # others are options of reading
    return {name: given.pop(name) for name in flags if name in given}


def inputs_of(given: Given, none: str = "") -> tuple[tuple[ResultFile, ...], ReadOptions]:
    """Files of results, and the options of reading them.

    Raises
    ------
    ValueError
        If there are no files, with the words of `none` unless these are empty; or if something is
        said about classes where no table of them is given.
    """
    files = tuple(one for argument in given.pop("files") for one in files_of(argument))
    if none and not files:
        raise ValueError(none)
    for name in ("levels", "ignore_class", "with_others"):
        if name in given and "labels" not in given:
            flag = options_of(ReadOptions)[name].flag
            raise ValueError(f"{flag} is about classes of records: give them by --labels")
    return files, take(given, ReadOptions)


def outputs_of(given: Given) -> list[str]:
    """What a command writes."""
    named = [given[name] for name in OUTPUTS if given.get(name)]
    return [str(one) for of in named for one in (of if isinstance(of, list) else [of])]


def check_outputs(given: Given) -> None:
    """Raise ValueError if a command would write over a file that it reads, or has written."""
    made = [realpath(one) for one in outputs_of(given)]
    for output, file in zip(outputs_of(given), made, strict=True):
        if output != "-" and made.count(file) > 1:
            raise ValueError(f"{output} is made twice")
    read = [str(one.file) for argument in given.get("files", ()) for one in files_of(argument)]
    read += [str(path) for one, of in product(read, OF_FOLDERS) for path in Path(one).glob(of)]
    read += [given[name] for name in (*FILE_OPTIONS, "baseline") if name in given]
    for output, file in product(outputs_of(given), read):
        with suppress(OSError):  # of what is not there
            if Path(output).is_file() and Path(output).samefile(file):
                raise ValueError(f"{output}: this file is also read: write to another one")


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
    warn(opened.doubts)
    return opened


def warn(doubts: Iterable[str]) -> None:
    """Say on standard error what is doubtful."""
    for doubt in doubts:
        say(f"{coloured('warning:', YELLOW)} {doubt}")


def explorer_of(given: Given) -> tuple[Explorer, Opened]:
    """The explorer with the choices of the command line, and what it shows."""
    from tapviz.explorer import Explorer  # noqa: PLC0415

    chosen = settings_of(given)
    shown = chosen.pop("algorithms", None)
    files, options = inputs_of(given)
    if len(options.standard) > 1:
        raise ValueError("--standard: give one here; tapviz score takes several")
    own = open_once(files, options)
    opened = own or bundled()
    results = opened.results
    if unknown := [name for name in shown or () if name not in results]:
        raise ValueError(f"--algorithm {unknown[0]}: expected one of {', '.join(results)}")
    shown = shown or list(results if own else dataset_info().shown)
    mode = BY_E_VALUE if "e0" in chosen else BY_ERRORS
    try:
        return Explorer(results, shown, judging=opened.judging, mode=mode, **chosen), opened
    except ValueError as error:
        said = PARAMETER.sub(lambda found: SETTINGS[found[1]].flag, str(error)).removesuffix(".")
        why = ": no list has more errors" if said.startswith("-k must be at most") else ""
        raise ValueError(said + why) from None
