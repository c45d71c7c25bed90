"""The files a person gives, and the results that are in them.

They become lists in stages, each a function: the folder of a store becomes its runs (`_parts`),
a file what it holds, hits or lists (`_read`), files of one name one algorithm (`_by_algorithm`),
and hits, judged by labels, lists that all have the same queries (`_judged`).
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from glob import glob
from itertools import repeat
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files.limits import FREE_AT_LEAST, MB, free_memory
from tapviz.files.options import OptionError, chosen, flag_names, options_of, refuse, takes
from tapviz.files.parquet import groups
from tapviz.files.problems import ReadError, doubts, gathered, option, rendered, told, warn
from tapviz.files.source import CODECS, File, Held, OnReadProgress, Source, name_of
from tapviz.files.tables import FileLike, Tabled, scored
from tapviz.labels import LEVELS, STANDARDS, ClassTable, Hits, Labels, fingerprint, kind_of
from tapviz.labels.foldseek import rocx
from tapviz.lists import RetrievalLists, align
from tapviz.lists.runs import RUN
from tapviz.readers import FORMATS, Loaded, ReadOptions, detect, load
from tapviz.readers.datasets import dataset_info, load_results
from tapviz.readers.merging import merged, names_of, short_name
from tapviz.readers.parquet import lists_in
from tapviz.readers.per_query import algorithms_of
from tapviz.readers.reading import check_names
from tapviz.readers.runs import look_like_runs
from tapviz.readers.store import Stored, check_judged, check_options, left_out, load_run, runs

FILE_OPTIONS = {name: one for name, one in options_of(ReadOptions).items() if one.kind == "file"}
"""Options that are files."""
ROLES = {"results": "results", **{n: one.title for n, one in FILE_OPTIONS.items()}, "": "left out"}
"""What a file can be: results, an option of `ReadOptions`, or left out; and how to call it."""
OFFERED = ("family", "superfamily", "fold", "sf3", "sf2", "fold6")
"""Standards that a page offers, none of them twice by another name."""
GB = 1000 * MB
ROW = 120
"""Bytes of memory that a row takes, about, from reading to the first scores."""
PACKED, PACKED_ROW = 5, 40
"""How many times its size packed text is, and bytes of a row of it, about."""
STANDARD_INPUT = "/dev/stdin"
IN_MEMORY = (Held, Tabled)
OF_KIND = {"classes": "labels", "pairs": "qrels"}


class ResultFile(NamedTuple):
    """A file of results, its format where it is not recognised, and the name of its algorithm."""

    file: File | Tabled
    format: str | None = None
    algorithm: str | None = None


class _OfStore(ResultFile):
    """A run that a folder has, and that is left out if it is damaged."""


class Opened(NamedTuple):
    """Results read from a person's files, what they are, and what is doubtful about them."""

    results: dict[str, RetrievalLists]
    title: str = ""
    doubts: tuple[str, ...] = ()
    opening: str = ""
    """Lines of Python that read the same results, and bind them to ``results``."""
    about: str = ""
    """What counts as relevant, and whose data these are."""
    standard: str = ""
    """Name of the standard of relevance, if it is a named one."""
    standards: tuple[str, ...] = ()
    """Those that `judged` can judge the same hits by, without reading them again."""
    labels: Labels | None = None
    """What says which records are relevant, where the results do not say it themselves."""
    judged: Callable[[str], Opened] | None = None
    """The same results by another standard; `None` if classes do not tell what is relevant."""
    stored: Stored = Stored()
    """A run of a store among them that was judged by labels, if there is one."""

    @property
    def judged_by(self) -> tuple[str, str]:
        """Fingerprint of the labels, those of now or of the store, and they in words."""
        now = self.labels is not None
        return judged_by(self.labels) if now else (self.stored.judged, self.stored.judged_by)

    @property
    def class_of_record(self) -> Callable[[str], str] | None:
        """Class of a record of the database, where the labels are classes."""
        return self.labels.class_of_record if isinstance(self.labels, ClassTable) else None

    @property
    def judging(self) -> dict[str, Callable[[], dict[str, RetrievalLists]]]:
        """The results by each level of the classes that can judge them, when called."""

        def by(name: str) -> Callable[[], dict[str, RetrievalLists]]:
            return lambda: self.judged(name).results if self.judged else self.results

        known = [name for name in LEVELS if name in self.standards]
        return {name: by(name) for name in known} if self.judged and len(known) > 1 else {}

    def by_standard(self, names: Sequence[str]) -> list[Opened]:
        """The same results by each of some standards; by none: as they are."""
        return [self.judged(name) for name in names] if self.judged and names else [self]


class Guess(NamedTuple):
    """What a file seems to be.

    Attributes
    ----------
    role : str
        A key of `ROLES`.
    format : str
        Name of the format of results; empty if it is not recognised, or the file is not results.
    words : str
        What it was recognised as, and by what.
    """

    role: str
    format: str
    words: str


def guess(file: File) -> Guess:
    """Say what a file seems to be, from its content; the person may know better."""
    found = kind = None
    with suppress(ReadError):  # reading it says why
        source = Source(file)
        if look_like_runs(source.head):
            return Guess("runs", "", f"probably {FILE_OPTIONS['runs'].title}")
        if not source.is_parquet:
            kind = kind_of(source.head)
        found = detect(file)
    # A table of labels looks like many things; a format that is certain looks like nothing else.
    if kind is not None and (found is None or found.certainty != "certain"):
        role = OF_KIND.get(kind, kind)
        return Guess(role, "", f"probably {FILE_OPTIONS[role].help}")
    if found is None:
        return Guess("results", "", "not recognised")
    words = f"{FORMATS[found.format].title}, recognised from {found.why}"
    return Guess("results", found.format, words)


def with_roles(
    options: ReadOptions, files: Sequence[tuple[str, ResultFile]]
) -> tuple[tuple[ResultFile, ...], ReadOptions]:
    """Split files by their roles: those of results, and options that name the others.

    Raises
    ------
    ValueError
        If two files have a role that only one can have, or do not go together.
    """
    others: dict[str, Any] = {}
    for role, given in files:
        if role in others:
            both = f"{name_of(others[role])} and {name_of(given.file)}"
            refuse(f"{both} are both given as {ROLES[role]}: choose one, and leave the other out")
        if role not in ("results", ""):
            others[role] = given.file
    results = tuple(given for role, given in files if role == "results")
    return results, replace(options, **others)


def bundled(name: str = "scope40") -> Opened:
    """A bundled data set, as if it were a person's own files.

    Raises
    ------
    ValueError
        If there is no such data set; the message lists those there are.
    """
    known = dataset_info(name)
    opening = f"from tapviz import load_results\n\nresults = load_results({name!r})"
    about = f"{known.description} {known.caveat} {known.attribution}"
    return Opened(load_results(name), known.title, opening=opening, about=about)


@takes(ReadOptions)
def open_files(
    files: Iterable[FileLike | ResultFile] | Mapping[str, FileLike],
    options: ReadOptions | None = None,
    *,
    progress: OnReadProgress | None = None,
    called: Mapping[str, str] | None = None,
    **more: Any,
) -> Opened:
    """Read files of results, and join them with labels.

    Parameters
    ----------
    files : iterable, or mapping by names, of path, open file, Held, table, mapping or ResultFile
        At least one; names are those of algorithms. Those with the same name are one algorithm's.
    options : ReadOptions, optional
        Options, of which those given by keyword replace some.
    progress : callable, optional
        Called now and then with the bytes of results read, those of all files, and the lines
        read. What it raises ends the reading.
    called : mapping of str to str, optional
        What options are called where doubts are shown, see `tapviz.files.problems.rendered`.
    {options}

    Raises
    ------
    ReadError
        If a file cannot be read.
    ValueError
        If the results do not belong together, or the options make no sense.
    """
    asked = replace(options or ReadOptions(), **more)
    named = files.items() if isinstance(files, Mapping) else zip(repeat(None), files)
    given = [_given(one, name) for name, one in named]
    with doubts(called) as doubtful:
        parts = [part for one in given for part in _parts(one)]
        _check_memory([one.file for one in parts], asked)
        labels = asked.read_labels()
        loaded, stored, wrong = list[Loaded](), list[Stored | None](), list[Any]()
        for report, one in zip(_progress(parts, progress), parts, strict=True):
            with left_out(name_of(one.file)) if isinstance(one, _OfStore) else gathered(wrong):
                stored.append(None if isinstance(one.file, Tabled) else Stored.read(one.file))
                loaded.append(_read(one, stored[-1], asked, labels, report))
        if wrong:
            raise ReadError(wrong)
        if not loaded:
            refuse("no run of this folder can be read: give one of its files, to be told why")
        runs_of_store = _judged_alike(stored, labels)
        if all(stored):
            check_options(name_of(parts[0].file), runs_of_store, asked, judged_by(labels)[0])
        held = _by_algorithm(loaded)
        results = _judged(held, labels)
    check_names(asked, results)
    title = ", ".join(Path(one.path).name for one in held)
    if runs_of_store:
        title = ", ".join(Path(name_of(one.file)).name for one in given)
    elif len(held) < len(parts):
        title = f"{', '.join(results)} ({len(parts)} files)"
    opened = Opened(results, title, tuple(doubtful), _as_python(given, asked), labels=labels)
    if runs_of_store:
        by = next((one for one in runs_of_store if one.judged), Stored())
        about = f"Relevant by {by.judged_by}." if by.judged_by else ""
        return opened._replace(about=about, stored=by)
    return _switchable(opened, given, held, asked, called)


# The stages


def _given(one: FileLike | ResultFile, name: str | None) -> ResultFile:
    """What was given for a file of results, as a file or a table."""
    file, *more = one if isinstance(one, ResultFile) else (one, None, name)
    return ResultFile(scored(file, more[1] or "table"), *more)


def _parts(one: ResultFile) -> list[ResultFile]:
    """The file or the condensed data set, or the runs of a folder that is a store."""
    file = one.file
    if isinstance(file, IN_MEMORY) or lists_in(file) or not Path(file).is_dir():
        return [one]
    found = runs(file)
    if not found:
        what = "this is a folder without runs; open a file in it, or add runs by tapviz add"
        refuse(f"{name_of(file)}: {what}")
    return [_OfStore(path) for path in found]


def _read(
    one: ResultFile,
    run: Stored | None,
    asked: ReadOptions,
    labels: Labels | None,
    progress: OnReadProgress | None,
) -> Loaded:
    """Read what a file holds: a run of a store, or anything else."""
    if run is not None and not isinstance(one.file, Tabled):
        return load_run(one.file, run, asked)._replace(algorithm=one.algorithm or "")
    options = replace(asked, format=one.format or asked.format)
    return load(one.file, options, labels, progress=progress, algorithm=one.algorithm or "")


def _judged_alike(stored: Sequence[Stored | None], labels: Labels | None) -> list[Stored]:
    """The runs of stores, if all that is opened was judged by the same labels."""
    found = [run for run in stored if run is not None]
    if found and labels is not None and len(found) < len(stored):
        found.append(Stored("another file", "", *judged_by(labels)))
    check_judged(found)
    return found


def _by_algorithm(loaded: Sequence[Loaded]) -> list[Loaded]:
    """Files that were given the same name of an algorithm as one; others have names apart."""
    together: dict[str | int, list[Loaded]] = {}
    for at, one in enumerate(loaded):
        together.setdefault(one.algorithm or at, []).append(one)
    held = []
    for files in together.values():
        first = files[0]
        if len(files) > 1:
            if named := next((one for one in files if any(one.contents)), None):
                raise named.named_itself()
            parts = [part for one in files for part in one.contents.values()]
            both = merged(first.algorithm, parts)
            first = first._replace(file=first.algorithm, contents={"": both})
        held.append(first)
    taken = [name for one in held for name in (*one.contents, one.algorithm)]
    unnamed = [one.path for one in held if "" in one.contents and not one.algorithm]
    by_file = names_of(unnamed, taken)
    return [one._replace(by_file=by_file.get(one.path, "")) for one in held]


def _judged(loaded: Sequence[Loaded], labels: Labels | None) -> dict[str, RetrievalLists]:
    """Lists of all algorithms, with the same queries."""
    results: dict[str, RetrievalLists] = {}
    for one in loaded:
        found = one.lists(labels)
        for name, lists in found.items():
            again = one.path if len(found) == 1 else f"{one.path}: {name}"
            if {name, again} <= results.keys():
                refuse(f"{again} was given more than once: give each a name of its own")
            results[again if name in results else name] = lists
    return _columns_apart(align(results), loaded[0])


def _columns_apart(results: dict[str, RetrievalLists], first: Loaded) -> dict[str, RetrievalLists]:
    """Columns of scores of each query as algorithms, if they stand in one file that names none."""
    if len(results) > 1:
        scores = dict.fromkeys(tuple(lists.given or ()) for lists in results.values())
        if len(scores) > 1:
            seen = "; ".join(", ".join(one) or "ranked lists" for one in scores)
            refuse(f"files with scores of each query do not go together: {seen}")
        return results
    ((name, lists),) = results.items()
    if not lists.given or first.algorithm or any(first.contents):
        return results
    apart = algorithms_of(lists, name)
    if apart:
        taken = f"the columns {', '.join(apart)} are taken for algorithms"
        warn(first.file, f"{taken}; if they are scores of one, add a column algorithm")
    return apart or results


def _switchable(
    opened: Opened,
    given: Sequence[ResultFile],
    held: Sequence[Loaded],
    asked: ReadOptions,
    called: Mapping[str, str] | None,
) -> Opened:
    """The same results with what judges their hits by other standards, if classes can."""
    labels = opened.labels
    if not isinstance(labels, ClassTable):
        return opened
    own = [name for name, one in STANDARDS.items() if one[:3] == labels.standard[:3]]
    standard = (*asked.standard, *(name for name in OFFERED if name in own), *own, "")[0]
    offered = OFFERED if labels.is_scop else ()

    @cache
    def judged(name: str) -> Opened:
        if name == standard:
            return first
        table = labels.judged_by(STANDARDS[name])
        with doubts(called) as more:
            results = _judged(held, table)
        by = asked
        if not isinstance(asked.labels, ClassTable):
            by = replace(asked, standard=(name,), levels=ReadOptions.levels)
        return first._replace(
            results=results,
            about=f"Relevant by {table.described}.",
            doubts=tuple(dict.fromkeys([*opened.doubts, *more])),
            opening=_as_python(given, by),
            standard=name,
            labels=table,
        )

    first = opened._replace(
        about=f"Relevant by {labels.described}.",
        standard=standard,
        standards=tuple(dict.fromkeys([standard, *offered, *asked.standard])),
        judged=judged,
        opening=_as_python(given, replace(asked, standard=asked.standard[:1])),
    )
    return first


def files_of(argument: str) -> list[ResultFile]:
    """Files that an argument of the command line names: one, or those of one algorithm.

    Parameters
    ----------
    argument : str
        A file; or a name of the algorithm, an equals sign, and a file, a folder, or a pattern such
        as ``runs/*.m8``. What is a file is one, whatever its name; ``-`` is standard input. After
        a name with ``@`` at its end each file is a run of that system, with all queries, as one of
        several seeds.

    Raises
    ------
    ValueError
        If there is no such file.

    Examples
    --------
    >>> from tapviz.readers.inputs import files_of
    >>> files_of("BLASTP=blastp.tsv.gz")
    [ResultFile(file='blastp.tsv.gz', format=None, algorithm='BLASTP')]
    """
    name, equals, pattern = argument.partition("=")
    if argument == "-" or (name and pattern == "-"):
        return [ResultFile(STANDARD_INPUT, algorithm=name if equals else None)]
    if not equals or not name or Path(argument).exists():
        return [ResultFile(argument)]
    if Path(pattern).is_dir() and lists_in(pattern) is None:
        inside = [path for path in Path(pattern).iterdir() if path.is_file()]
        found = [str(path) for path in inside if not path.name.startswith(".")]
    else:
        # Unlike that of `Path`, it takes a pattern that begins with a slash.
        found = [pattern] if Path(pattern).exists() else glob(pattern, recursive=True)  # noqa: PTH207
    if not found:
        refuse(f"{argument}: there is no file {pattern}")
    if name.endswith(RUN):
        runs_of = names_of(sorted(found))
        return [ResultFile(path, algorithm=name + run) for path, run in runs_of.items()]
    return [ResultFile(path, algorithm=name) for path in sorted(found)]


def judged_by(labels: Labels | None) -> tuple[str, str]:
    """Fingerprint of labels, and they in words; both are empty if there are none."""
    if labels is None:
        return "", ""
    return fingerprint(labels), getattr(labels, "described", "patterns in ids")


class FirstErrors(NamedTuple):
    """What Foldseek's script counts in a file, and its lists by family, superfamily and fold."""

    queries: list[str]
    classes: list[str]
    rocx: dict[str, NDArray[np.float64]]
    lists: list[RetrievalLists]


def first_errors(file: FileLike, options: ReadOptions) -> FirstErrors:
    """Read one file as Foldseek's benchmark does, and as tapviz does.

    Rows are the queries with other records of each level, with hits or without.

    Raises
    ------
    ReadError
        If the file cannot be read.
    ValueError
        If no table of classes judges it, or it holds several algorithms.
    """
    asked = replace(options, standard=LEVELS, levels=ReadOptions.levels, with_others=True)
    asked = replace(asked, label_queries=True)
    labels = asked.read_labels()
    if not isinstance(labels, ClassTable):
        refuse(f"{option('labels')}: expected a table of classes, which Foldseek's benchmark is by")
    loaded = load(file, asked, labels)
    (hits, *several) = loaded.contents.values()
    if several or not isinstance(hits, Hits):
        refuse(f"{name_of(file)}: expected hits of one program")
    standards = (labels.judged_by(STANDARDS[name]) for name in LEVELS)
    lists = [one for standard in standards for one in loaded.lists(standard).values()]
    if not (queries := lists[0].query.tolist()):
        needed = "other records of its family, of its superfamily and of its fold, as it takes"
        refuse(f"{name_of(file)}: no query has {needed} in Foldseek's benchmark")
    classes = [labels.class_of(query) or "" for query in queries]
    return FirstErrors(queries, classes, rocx(hits, labels, queries), lists)


def explain(error: Exception, called: Mapping[str, str]) -> list[str]:
    """Say what is wrong, an item for each problem of a file.

    Parameters
    ----------
    error : Exception
        What `open_files` raised.
    called : mapping of str to str
        What options are called where it is shown, see `tapviz.files.problems.rendered`.
    """
    if isinstance(error, ReadError):
        advice = [rendered(error.advice, called)] if error.advice else []
        return [*told(error.problems, called), *advice]
    return [rendered(error.marked, called) if isinstance(error, OptionError) else str(error)]


def _as_python(files: Sequence[ResultFile], options: ReadOptions) -> str:
    """Lines of Python that open the files with the options."""

    def written(value: object) -> str:
        if isinstance(value, Tabled):  # which has the name of a variable, if it can be one
            return value.name if value.name.isidentifier() else "table"
        return repr(value.name if isinstance(value, Held) else value)

    listed = []
    for file, *more in files:
        known = [file, *more]
        while known[-1] is None:
            known.pop()
        one, *others = map(written, known)
        listed.append(f"ResultFile({', '.join([one, *others])})" if others else one)
    names = "ResultFile, open_files" if any("ResultFile" in one for one in listed) else "open_files"
    asked = [f"{name}={written(value)}" for name, value in chosen(options).items()]
    inside = "".join(f"    {one},\n" for one in (f"[{', '.join(listed)}]", *asked))
    return f"from tapviz.readers.inputs import {names}\n\nresults = open_files(\n{inside}).results"


def _check_memory(files: Sequence[File | Tabled], options: ReadOptions) -> None:
    """Raise an error, with the command to type instead, if files are too large for the memory."""
    paths = [str(one) for one in files if not isinstance(one, IN_MEMORY) and Path(one).is_file()]
    free, needed = free_memory(), {path: memory_to_read(path) for path in paths}
    total = sum(needed.values())
    if free is None or total <= max(free, FREE_AT_LEAST):
        return
    largest = max(needed, key=lambda path: needed[path])
    flags = flag_names(ReadOptions)
    given = [
        flags[name].replace("{}", "" if value is True else shlex.quote(str(value))).strip()
        for name, value in chosen(options).items()
        if isinstance(value, (str, bool, int, float, Path))
    ]
    output = f"{short_name(largest)}-condensed"
    command = " ".join(["tapviz condense", shlex.quote(largest), *given, "-o", shlex.quote(output)])
    what = "this" if len(paths) == 1 else "all of these"
    takes = f"to read {what} takes about {total / GB:,.1f} GB of memory"
    remedy = "Condense it first, which takes 2 GB whatever its size, and open what that makes"
    message = f"{takes}, and {free / GB:,.1f} GB are free. {remedy}:\n    {command}"
    raise ReadError.of("TooLarge", largest, message)


def memory_to_read(path: str) -> int:
    """Bytes of memory that a file takes, about, until it is scored, by its size and first lines.

    Examples
    --------
    >>> from tapviz.readers.inputs import memory_to_read
    >>> 0 < memory_to_read("blastp.tsv.gz") < 10_000_000
    True
    """
    head, size = b"", Path(path).stat().st_size
    with suppress(OSError, ValueError), Path(path).open("rb") as stream:  # which reading tells
        head = stream.read(1 << 16)
        if head.startswith(b"PAR1"):
            return ROW * sum(n_rows for n_rows, _ in groups(stream, ()))
    if head.startswith(b"PAR1"):
        return size * PACKED
    if head.startswith(tuple(CODECS)):
        return size * PACKED * ROW // PACKED_ROW
    return size * ROW * max(head.count(b"\n"), 1) // max(len(head), 1)


def _size(file: File | Tabled) -> int:
    if isinstance(file, Held):
        return len(file.data)
    return file.table.nbytes if isinstance(file, Tabled) else Path(file).stat().st_size


def _progress(
    files: Sequence[ResultFile], report: OnReadProgress | None
) -> Iterator[OnReadProgress | None]:
    """What each of several files, in turn, tells how far it is read: that of all of them."""
    if report is None:
        yield from repeat(None, len(files))
        return
    sizes = [_size(one.file) for one in files]
    total, before, lines, now = sum(sizes), 0, 0, 0

    def tell(done: int, _size_of_file: int, n_lines: int) -> None:
        nonlocal now
        now = lines + n_lines
        report(before + done, total, now)

    for size in sizes:
        yield tell
        before, lines = before + size, now
        report(before, total, lines)
