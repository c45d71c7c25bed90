"""Files of search programs, and tables in memory, become retrieval lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from tapviz.files import File, FileLike, OnReadProgress, Problems, ReadError, Rows, Source, name_of
from tapviz.files.limits import give_memory_back
from tapviz.files.options import chosen, options_of, refuse, takes
from tapviz.files.problems import Unit, option, warn
from tapviz.files.tables import QUERY, Tabled, coded, named_sources, scored
from tapviz.labels import Hits, Labels
from tapviz.lists import Direction, Frame, Grades, RetrievalLists, Run, align
from tapviz.lists.checks import in_runs, places
from tapviz.lists.reported import with_ends
from tapviz.readers import blast, parquet
from tapviz.readers.formats import FORMATS, Contents, check_readable, recognised
from tapviz.readers.merging import OF_QUERY, OF_RECORD, short_name, with_query
from tapviz.readers.options import FILE, OF_RELEVANCE, ReadOptions
from tapviz.readers.runs import costs_of
from tapviz.readers.table import role_of

TABLE = "table"
MANY = 5_000_000
"""Rows from which on it is worth the time to give back what reading took."""


@takes(ReadOptions)
def read(
    results: FileLike,
    options: ReadOptions | None = None,
    *,
    algorithm: str | None = None,
    name: str = "",
    progress: OnReadProgress | None = None,
    **more: Any,
) -> RetrievalLists:
    """Read the retrieval lists of one algorithm.

    Parameters
    ----------
    results : path, open file, Held, table or mapping
        A file of a search program, which may be compressed with gzip, zstd or bzip2: it is
        unpacked up to 16 GB, and beyond 64 MB up to 200 times its size. What is read must fit into
        the memory that is free. Or a table with named
        columns such as query, record and score: a DataFrame of pandas or polars, also a lazy one,
        or any object with ``__arrow_c_stream__``. Or ``{query: {record: score}}``, of which large
        scores are better, unless `direction` says otherwise. Each option that is a file takes a
        table, a mapping such as ``{id: class}`` or an open file as well.
    options : ReadOptions, optional
        Options, of which those given by keyword replace some.
    algorithm : str, optional
        Which one, where a table has several; see `read_all`.
    name : str, optional
        What messages call a table, which has no name; "table" by default.
    progress : callable, optional
        Called now and then with the bytes read, the size of the file and the lines read; what it
        raises ends the reading.
    {options}

    Returns
    -------
    RetrievalLists
        Q lists, N records.

    Raises
    ------
    ReadError
        If a file or table cannot be read; the error names up to 10 lines or rows.
    ValueError, TypeError
        If the arguments make no sense, alone or together.

    Warns
    -----
    UserWarning
        If a file could be of another format, looks cut off, or, as text, has rows of a query apart.

    Examples
    --------
    A file of hits, and a table of classes that says which of them are relevant:

    >>> from tapviz import read
    >>> lists = read("blastp.tsv.gz", labels="classes.tsv.gz", queries="queries.txt")
    >>> lists.n_queries
    21

    A table in memory, which says itself what is relevant:

    >>> import pandas as pd
    >>> table = pd.DataFrame(
    ...     {
    ...         "query": ["q1", "q1", "q2"],
    ...         "record": ["d1", "d2", "d3"],
    ...         "evalue": [1e-30, 0.2, 1e-8],
    ...         "relevant": [1, 0, 1],
    ...         "n_relevant": [4, 4, 2],
    ...     }
    ... )
    >>> read(table, direction="ascending").n_relevant
    array([4, 2])
    """
    if named_sources(results) is not None:
        refuse("several files or tables by their names are read by read_all")
    asked = replace(options or ReadOptions(), **more)
    labels = _labels(asked)
    loaded = load(results, asked, labels, name, progress)
    known = ", ".join(map(repr, loaded.contents))
    if algorithm is None and len(loaded.contents) > 1:
        remedy = "choose one by algorithm, or read them all with read_all"
        message = f"several algorithms are in this file: {known}; {remedy}"
        raise ReadError.of("AlgorithmNeeded", loaded.file, message)
    if algorithm is not None and algorithm not in loaded.contents:
        message = f"no algorithm {algorithm!r} here, but {known or 'none'}"
        raise ReadError.of("MissingAlgorithm", loaded.file, message)
    if algorithm is not None:
        loaded = loaded._replace(contents={algorithm: loaded.contents[algorithm]})
    (lists,) = loaded.lists(labels).values()
    return lists


@takes(ReadOptions)
def read_all(
    results: FileLike,
    options: ReadOptions | None = None,
    *,
    name: str = "",
    progress: OnReadProgress | None = None,
    **more: Any,
) -> dict[str, RetrievalLists]:
    """Read the retrieval lists of all algorithms of a file or table.

    Only tables with a column of algorithms hold more than one. All algorithms have the queries
    that any of them has, with empty lists where it found nothing.

    Parameters
    ----------
    results
        As in `read`; or several of these by the names of their algorithms.
    options, name, progress
        As in `read`.
    {options}

    Returns
    -------
    dict of str to RetrievalLists
        By the name of the algorithm; where there is no such column, by that of the file without
        endings.

    Raises
    ------
    ReadError, ValueError, TypeError
        As `read`.

    Warns
    -----
    UserWarning
        As `read`.

    Examples
    --------
    >>> import pandas as pd
    >>> from tapviz import read_all
    >>> table = pd.DataFrame(
    ...     {
    ...         "algorithm": ["BLASTP", "phmmer"],
    ...         "query": ["q1", "q2"],
    ...         "record": ["d1", "d3"],
    ...         "evalue": [1e-30, 1e-8],
    ...         "relevant": [1, 1],
    ...         "n_relevant": [4, 2],
    ...     }
    ... )
    >>> results = read_all(table, direction="ascending")
    >>> list(results), results["phmmer"].query.tolist()
    (['BLASTP', 'phmmer'], ['q1', 'q2'])

    A file, and what another library has in memory, by names:

    >>> mine = pd.DataFrame({"query": ["d2bk9a_"], "record": ["d2c0ka_"], "evalue": [1e-9]})
    >>> results = read_all({"BLASTP": "blastp.tsv.gz", "mine": mine}, labels="classes.tsv.gz")
    >>> {name: lists.n_queries for name, lists in results.items()}
    {'BLASTP': 21, 'mine': 21}
    """
    asked = replace(options or ReadOptions(), **more)
    sources = named_sources(results)
    labels = _labels(asked)
    if sources is None:
        return load(results, asked, labels, name, progress).lists(labels)
    found: dict[str, RetrievalLists] = {}
    for one, source in sources.items():
        own = scored(source, str(one) or TABLE)
        found |= load(own, asked, labels, progress=progress, algorithm=str(one)).lists(labels)
    check_names(asked, found)
    return align(found)


def lists_of_frame(
    frame: Frame,
    labels: Labels | FileLike | None,
    qrels: Labels | FileLike | None,
    n_relevant: Mapping[str, int] | None,
    queries: Sequence[str] | None,
    direction: Direction | None,
    reported_to: float | None,
) -> RetrievalLists:
    """Lists from a table: see `RetrievalLists.from_frame`, which this does the work of."""
    said = [each for each in (labels, qrels, n_relevant) if each is not None]
    if len(said) > 1:
        refuse("expected one of labels, qrels and n_relevant: each of them says what T(q) is")
    given = scored(frame, TABLE)
    if not isinstance(given, Tabled):
        raise TypeError(f"expected a table with named columns, found {type(frame).__name__}")
    names = [role_of(name) for name in given.table.column_names]
    table = given.table.rename_columns(names)
    if said:
        table = table.select([at for at, name in enumerate(names) if name != "n_relevant"])
    if n_relevant is not None and names.count("query") == 1:
        table = _with_totals(table, n_relevant)
    if hasattr(qrels, "lists"):
        labels, qrels = qrels, None
    asked = ReadOptions(
        labels=labels, qrels=qrels, queries=queries, direction=direction, reported_to=reported_to
    )
    return read(Tabled(TABLE, table), asked)


def _with_totals(table: pa.Table, totals: Mapping[str, int]) -> pa.Table:
    """A table with T(q) of the query of each row, and a row for each query that has none."""
    known, codes = coded(table["query"])
    of_row = pa.array(codes, mask=codes < 0)
    query, total = pa.array(known, pa.string()), pa.array(map(totals.get, known), pa.int64())
    table = table.drop_columns("query").append_column("query", query.take(of_row))
    table = table.append_column("n_relevant", total.take(of_row))
    silent = {one: total for one, total in totals.items() if one not in known}
    rest = pa.table({"query": [*silent], "n_relevant": [*silent.values()]})
    return pa.concat_tables([table, rest], promote_options="default")


class Loaded(NamedTuple):
    """What a file or a table holds, before labels say what of it is relevant.

    Examples
    --------
    >>> from tapviz.labels import STANDARDS
    >>> from tapviz.readers import ReadOptions, load
    >>> options = ReadOptions(labels="classes.tsv.gz", queries="queries.txt", standard="family")
    >>> labels = options.read_labels()
    >>> loaded = load("blastp.tsv.gz", options, labels)
    >>> folds = labels.judged_by(STANDARDS["fold6"])
    >>> [int(loaded.lists(one)["blastp"].relevant.sum()) for one in (labels, folds)]
    [50, 106]
    """

    file: str
    format: str
    contents: Mapping[str, Hits | RetrievalLists]
    """By algorithm, "" where the file names none."""
    queries: list[str] | None
    """Those to keep."""
    options: ReadOptions
    runs: Mapping[str, Run] = MappingProxyType({})
    """What is known of the runs of some algorithms, by their names."""
    algorithm: str = ""
    """What its one algorithm was called by whoever gave the file; else empty."""
    by_file: str = ""
    """What it is called by its file to tell it from those of others; empty if alone."""
    path: str = ""
    """The file, or the first of several that were read as one."""

    def run_of(self, algorithm: str) -> Run:
        """What is known of the run of an algorithm, by its name or that of the file."""
        file = Path(self.file).name
        stem = file if self.format == TABLE else short_name(file)
        known = (stem, file, algorithm) if algorithm == self.algorithm else (algorithm, file, stem)
        return next((self.runs[name] for name in known if name in self.runs), Run())

    @property
    def names(self) -> list[str]:
        """Names of the algorithms: in the file, as given, or that of the file without endings.

        Raises
        ------
        ValueError
            If several algorithms of a file were given one name.
        """
        if self.algorithm and self.algorithm not in self.contents:
            if len(self.contents) > 1:
                raise self.named_itself()
            return [self.algorithm]
        return [one or self.by_file or short_name(self.file) for one in self.contents]

    def named_itself(self) -> ValueError:
        """What is wrong if a file that has names of algorithms was given one."""
        return ValueError(f"{self.path} names its algorithms itself: {', '.join(self.contents)}")

    def lists(self, labels: Labels | None) -> dict[str, RetrievalLists]:
        """Lists of each algorithm, by its name; see `read_all`."""
        each = zip(self.names, self.contents.values(), strict=True)
        return {one: self._judged(found, labels, one) for one, found in each}

    def _judged(
        self, found: Hits | RetrievalLists, labels: Labels | None, name: str
    ) -> RetrievalLists:
        """Lists of an algorithm, which know where its program stopped reporting, and its run."""
        limit = self.options.limit_of(name)
        if isinstance(found, RetrievalLists):
            lists = _ending(found, limit, self.file)
            if self.queries is not None:
                lists = _pick(self.file, lists, self.queries)
        elif labels is None:  # which `_check_labels` has refused
            raise TypeError
        else:
            if limit is not None:
                found = found._replace(reported_to=limit, reported_how="said")
            lists = labels.lists(found, self.queries)
        run = self.run_of(name)
        return lists.with_run(run) if run.known else lists


def load(
    results: FileLike,
    options: ReadOptions,
    labels: Labels | None,
    name: str = "",
    progress: OnReadProgress | None = None,
    algorithm: str = "",
) -> Loaded:
    """Read a file or a table, and check that what it needs is there.

    Labels are read already, since several files share them, and may judge it in several ways.

    Parameters
    ----------
    results, options, name, progress
        As in `read`.
    labels : Labels, optional
        Those that will judge it.
    algorithm : str
        What its algorithm is called, where it names none.

    Raises
    ------
    ReadError, ValueError, TypeError
        As `read`.

    Examples
    --------
    >>> from tapviz.readers import ReadOptions, load
    >>> options = ReadOptions(labels="classes.tsv.gz", queries="queries.txt")
    >>> labels = options.read_labels()
    >>> files = "blastp.tsv.gz", "ssearch.tsv.gz"
    >>> [name for file in files for name in load(file, options, labels).lists(labels)]
    ['blastp', 'ssearch']
    """
    loaded = contents_of(results, options, name, progress)._replace(algorithm=algorithm)
    for one in loaded.contents.values():
        _check_labels(loaded.file, loaded.format, one, options, labels)
    if sum(one.score.size for one in loaded.contents.values()) > MANY:
        give_memory_back()
    return loaded


def contents_of(
    results: FileLike, options: ReadOptions, name: str = "", progress: OnReadProgress | None = None
) -> Loaded:
    """Read a file or a table, whatever labels may say of it.

    Raises
    ------
    ReadError, ValueError, TypeError
        As `read`.
    """
    if options.format is not None and options.format not in FORMATS:
        known = ", ".join(map(repr, FORMATS))
        refuse(f"{option('format')} is {options.format!r}: expected one of {known}")
    if options.columns is not None:
        options = replace(options, columns=blast.column_names(options.columns))
    file_or_table = scored(results, name or TABLE)
    if isinstance(file_or_table, Tabled):
        form, found, problems = TABLE, *_of_table(file_or_table, options)
    elif name and isinstance(results, FILE):
        refuse(f"name={name!r} is for a table: {name_of(results)} has a name")
    else:
        form, found, problems = _of_file(file_or_table, options, progress)
    problems.raise_any()
    for doubt in problems.doubts:
        warn(problems.file, doubt)
    by_algorithm = found if isinstance(found, dict) else {"": found}
    contents = {
        one: _complete(hits, options, problems) if isinstance(hits, Hits) else hits
        for one, hits in by_algorithm.items()
    }
    ids = (one.query_id if isinstance(one, Hits) else one.query for one in contents.values())
    queries = query_ids(options, chain.from_iterable(ids))
    file = problems.file if parquet.lists_in(results) is None else str(results)
    costs, _ = costs_of(results, options)
    return Loaded(file, form, contents, queries, options, costs, path=file)


def _of_file(
    file: File, options: ReadOptions, progress: OnReadProgress | None
) -> tuple[str, Contents, Problems]:
    """Format of a file, what it holds, and what is doubtful about it."""
    if options.query_from_name:
        file, options = with_query(file, options)
    source = Source(parquet.lists_in(file) or file, progress)
    unit: Unit = "row" if source.is_parquet else "line"
    problems = Problems(source.file, skip_bad_rows=options.skip_bad_rows, unit=unit)
    form = format_of(source, options, problems, wanted=options.queries is not None)
    _check_takes(source.file, form, options)
    return form, FORMATS[form].read(source, options, problems), problems


def _of_table(given: Tabled, options: ReadOptions) -> tuple[Contents, Problems]:
    """What a table in memory holds, and what is doubtful about it."""
    if options.format not in (None, TABLE):
        refuse(f"a table in memory has no format {options.format!r}: leave {option('format')} out")
    problems = Problems(given.name, unit="row")
    _check_takes(given.name, TABLE, options)
    if options.direction is None:
        options = replace(options, direction=given.direction)
    return parquet.read_arrow(given.table, options, problems), problems


def _complete(hits: Hits, options: ReadOptions, problems: Problems) -> Hits:
    """Hits with what was skipped, and with the sides that were asked for."""
    if not hits.query_id and options.queries is None:
        message = f"there is no hit in this file; if that is so, give {option('queries')}"
        raise ReadError.of("EmptyInput", problems.file, message)
    if options.swap:
        hits = hits._replace(
            query_id=hits.record_id, record_id=hits.query_id, query=hits.record, record=hits.query
        )
    return hits._replace(n_skipped=problems.n_skipped, ranked_by=problems.ranked_by)


def _labels(options: ReadOptions) -> Labels | None:
    if len(options.standard) > 1:  # of which each makes lists of its own
        refuse(f"{option('standard')}: expected one here; open_files judges by several")
    return options.read_labels()


def check_names(asked: ReadOptions, results: Mapping[str, RetrievalLists]) -> None:
    """Raise OptionError if options name algorithms that are not there."""
    known = ", ".join(map(repr, results))
    limits = asked.reported_to if isinstance(asked.reported_to, Mapping) else {}
    for name in limits.keys() - results.keys():
        refuse(f"{option('reported_to')} names {name!r}: expected one of {known}")
    if asked.runs is not None and not any(one.run.known for one in results.values()):
        refuse(f"{option('runs')}: no run of it is called as an algorithm here: {known}")


def format_of(source: Source, options: ReadOptions, problems: Problems, *, wanted: bool) -> str:
    """Name of the format of a file; a warning if it could be another one.

    Raises
    ------
    ReadError
        If it looks like none, or, unless queries are wanted without any hit, is empty.
    """
    empty = not source.is_parquet and not any(line.strip() for line in source.head)
    if empty and (options.format in (None, "tap", "table", "per-query") or not wanted):
        if any(line.strip() for _, line in source.lines()):
            message = "the file begins with thousands of blank lines; remove them"
            raise ReadError.of("WrongFormat", source.file, message)
        both = f"set {option('format')} and give {option('queries')}"
        message = f"the file is empty; if the program found nothing, {both}"
        raise ReadError.of("EmptyInput", source.file, message)
    check_readable(source)
    if options.format is not None:
        if (options.format == "parquet") is not source.is_parquet:
            what = "is a Parquet file" if source.is_parquet else "is not a Parquet file"
            message = f"expected {options.format!r}, but this {what}; leave {option('format')} out"
            raise ReadError.of("WrongFormat", source.file, message)
        return options.format
    if options.columns is not None and not source.is_parquet:
        # No table with columns of somebody's own looks like anything.
        return "blast7" if blast.recognise_comments(source.head) else "blast"
    detection = recognised(source)
    if detection.certainty == "possible":
        seen = f"read as {detection.format!r} ({FORMATS[detection.format].title})"
        problems.warn(f"{seen}, since {detection.why}; if it is, set {option('format')}")
    return detection.format


def _check_takes(file: str, form: str, options: ReadOptions) -> None:
    """Raise ValueError if an option is given that has no meaning for the format."""
    for name in chosen(options):
        if options_of(ReadOptions)[name].by_format and name not in FORMATS[form].needs:
            refuse(f"{file}: {option(name)} has no meaning for {form!r} files")


def _check_labels(
    file: str, form: str, found: Hits | RetrievalLists, options: ReadOptions, labels: Labels | None
) -> None:
    """Raise an error unless there are labels exactly where they are needed."""
    if isinstance(found, RetrievalLists):
        if given := [name for name in OF_RELEVANCE if name in chosen(options)]:
            says = "says itself what is relevant; leave"
            if found.kept:
                says = "was condensed with its labels; condense the other files, too, and leave"
            refuse(f"{file}: this file {says} {option(given[0])} out")
        if options.swap:
            refuse(f"{file}: {option('swap')} is for hits, not for lists that are judged already")
    elif labels is None and found.relevant is not None:
        but = "the file says which records are relevant, but not how many are in the database, T(q)"
        message = f"{but}: add a column n_relevant, or set {option('totals')} to a table of T(q)"
        raise ReadError.of("LabelsNeeded", file, message)
    elif labels is None:
        classes = f"{option('labels', 'classes.tsv')}, a table of ids and classes"
        pairs = f"what is relevant to each query by {option('qrels')} or {option('gold')}"
        message = f"a {form!r} file does not say what is relevant: give {classes}, or {pairs}"
        raise ReadError.of("LabelsNeeded", file, message)


def _ending(lists: RetrievalLists, limit: float | None, file: str) -> RetrievalLists:
    """Lists of a file that know where its program stopped reporting."""
    if limit is not None and lists.kept is not None:
        refuse(f"{file}: {option('reported_to')} is for the files that are condensed")
    if limit is None and (lists.reported_how is not None or lists.kept is not None):
        return lists
    try:
        return with_ends(lists, limit=limit)
    except ValueError as error:
        message = f"{error}: set {option('reported_to')} to the limit of the search"
        raise ReadError.of("BeyondReported", file, message) from None


def query_ids(options: ReadOptions, found: Iterable[str]) -> list[str] | None:
    """Ids of the queries to keep, from a file or as they are; None if none are asked for.

    Where ids `found` in the results have blanks, a line of the file is an id, up to a tab;
    elsewhere its first word is one. A header is left out.

    Raises
    ------
    ReadError, ValueError
        If the file cannot be read, or an id occurs twice.
    """
    if (queries := options.queries) is None:
        return None
    if isinstance(queries, tuple):
        if twice := [query for query, count in Counter(queries).items() if count > 1]:
            refuse(f"{option('queries')}: {twice[0]!r} occurs more than once")
        if not queries:
            refuse(f"{option('queries')}: expected at least one id")
        return list(queries)
    known, ids = {*found}, list[str]()
    rows = Rows(queries, header := {"id", *QUERY})
    for line, text, (name,) in rows.ids(with_blanks=any(" " in one for one in known)):
        is_header = not ids and name.casefold() in header and name not in known
        if not is_header and rows.is_first(name, line, text, "DuplicateQuery", f"query {name}"):
            ids.append(name)
    rows.done("an id of a query in each line", empty=not ids)
    return ids


def _pick(file: str, lists: RetrievalLists, wanted: Sequence[str]) -> RetrievalLists:
    """Keep some lists, in the order wanted."""
    rows = places(lists.query.tolist(), wanted).astype(np.int64)
    if missing := [wanted[at] for at in np.flatnonzero(rows < 0).tolist()]:
        are = f"{len(missing)} of the queries wanted are not in this file, {missing[0]} among them"
        message = f"{are}; T(q) of a query is only here, so that its list cannot be made up"
        raise ReadError.of("MissingQuery", file, message)
    at, offset = in_runs(lists.offset[rows], np.diff(lists.offset)[rows])
    of = dict.fromkeys(OF_RECORD, at) | dict.fromkeys(OF_QUERY, rows)
    grades, given, kept = lists.grades, lists.given, lists.kept
    return lists.replaced(
        **{name: each[of[name]] for name in of if (each := getattr(lists, name)) is not None},
        offset=offset,
        grades=grades and Grades(grades.record[at], grades.total[rows]),
        kept=kept and kept.of(rows),
        given=given and {name: values[rows] for name, values in given.items()},
    )
