"""Tables with a line of column names: CSV and TSV, also of several algorithms.

MMseqs2 and Foldseek write such a line with --format-mode 4, DIAMOND with --header simple.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from tapviz.files import MAX_PROBLEMS, Budget, Line, Problems, ReadError, Source, refuse
from tapviz.labels import Hits
from tapviz.lists import Direction, ReportedHow, RetrievalLists, count
from tapviz.lists.reported import limit_of
from tapviz.readers import _lines, _table
from tapviz.readers._lines import Match, Place, is_number
from tapviz.readers._table import Column, Layout
from tapviz.readers.options import ReadOptions

# Columns that are not scores, and what else people call them.
ROLES = {
    "algorithm": {"method", "program", "system", "tool"},
    "query": set(),
    "record": {"subject", "document", "doc"},
    "relevant": {"relevance", "label", "rel", "is_relevant"},
    "n_relevant": {"t", "total_relevant"},
    "n_irrelevant": {"f", "total_irrelevant"},
    "weight": set(),
    "class": {"query_class"},
    "reported_to": set(),
    "reported_how": set(),
}

OF_QUERY: dict[str, type[np.generic]] = {
    "n_relevant": np.int64,
    "n_irrelevant": np.int64,
    "weight": np.float64,
    "class": np.object_,
}
"""Columns that have one value for each query, and their types."""
OF_LISTS = {"class": "query_class"}
"""What `RetrievalLists` calls them otherwise."""
TEXTS = tuple(ROLES)
CANONICAL = {name: role for role, names in ROLES.items() for name in names}

RELEVANT = {"1": 1, "1.0": 1, "true": 1, "yes": 1, "0": 0, "0.0": 0, "false": 0, "no": 0}
RELEVANT |= {"ignored": -1, "": -2, "na": -2}
"""Others are left out, with a warning where nobody says so."""
HOW: dict[str, ReportedHow] = {how: how for how in get_args(ReportedHow)}
WHOLE = re.compile(r"([0-9]{1,15})(\.0*)?")
DIRECTION = b"tapviz.direction"
"""Where a file says whether its scores ascend."""
DIRECTIONS: dict[bytes, Direction] = {b"ascending": "ascending", b"descending": "descending"}
MAX_ALGORITHMS = 500


Codes = tuple[list[str], NDArray[np.int32]]
"""Distinct texts as they appear, and which of them each row has."""
Contents = dict[str, Hits] | dict[str, RetrievalLists]


class Table:
    """All rows of a table, and where to say what is wrong with them.

    Attributes
    ----------
    texts : mapping of str to tuple of list of str and ndarray
        Columns of texts.
    score_name : str
    score : ndarray of float
        The column of that name, or the order of the file; NaN where there is none.
    bits : ndarray of float
        Bit scores beside E-values; else none.
    names : list of str
        The algorithms, "" if there is no such column.
    keep : ndarray of bool
        Rows that are records; others only name a query.
    relevant : ndarray of bool, optional
    problems : Problems
    """

    def __init__(
        self,
        layout: Layout,
        texts: Mapping[str, Codes],
        numbers: Sequence[NDArray[np.float64]],
        problems: Problems,
        line_of: _lines.LineOf | None = None,  # None where rows have no lines
    ) -> None:
        self.texts, self.problems, self._line_of = texts, problems, line_of
        self.query_id, self.query = texts["query"]
        no_algorithm = [""], np.zeros(self.query.size, np.int32)
        self.names, self.algorithm = texts.get("algorithm", no_algorithm)
        self.record_id, self.record = texts.get("record", ([], no_algorithm[1]))
        self.score_name = layout.no_hit[0]
        by_name = dict(zip((column.name for column in layout.numbers), numbers, strict=True))
        self.bits = by_name.get("bits" if self.score_name == "evalue" else "", np.zeros(0))
        if self.score_name in by_name:
            self.score = by_name[self.score_name]
        else:
            lists = self.query + len(self.query_id) * np.int64(1) * self.algorithm
            self.score = _table.file_order(lists)
            if "record" in texts:
                unnamed = [not text for text in self.record_id]
                self.score[np.array(unnamed or [False])[self.record]] = np.nan
        self.keep = ~np.isnan(self.score)
        if _table.NO_HIT in self.record_id:  # beside which numbers are none
            self.keep &= self.record != self.record_id.index(_table.NO_HIT)
        self.relevant: NDArray[np.bool_] | None = None
        if "relevant" in texts:
            said, codes = texts["relevant"]
            kinds = np.array([RELEVANT.get(text.lower(), -1) for text in said] or [0], np.int8)
            kind = kinds[codes]
            self._warn_of_unsaid(np.flatnonzero(self.keep & (kind < -1)))
            self.keep &= kind >= 0
            self.relevant = kind == 1

    def _warn_of_unsaid(self, rows: NDArray[np.intp]) -> None:
        """Warn of records of which nothing says whether they are relevant."""
        if rows.size:
            first = f"the first in {self.problems.unit} {self.line(int(rows[0])).number}"
            unsaid = f"{count(rows.size, 'row')} left out, {first}: nothing stands under relevant"
            remedy = "Write 0 where a record is irrelevant, or ignored where it is to be left out"
            self.problems.warn(f"{unsaid}. {remedy}")

    def rows(self, algorithm: int) -> NDArray[np.bool_]:
        """Which rows are records of an algorithm."""
        return np.asarray(self.keep & (self.algorithm == algorithm))

    def line(self, row: int) -> Line:
        """Line of a row; where it has none, its place from 1, and its ids and score."""
        if self._line_of is not None:
            return self._line_of(row)
        shown = [self.texts[name] for name in ("query", "record") if name in self.texts]
        ids = [texts[codes[row]] for texts, codes in shown]
        return Line(row + 1, ", ".join([*ids, f"{self.score[row]:g}"]).encode())

    def direction(self, options: ReadOptions, known: Direction | None) -> Direction:
        """As given, by the file or the name of the column, or as all lists are sorted."""
        file, self.problems.ranked_by = self.problems.file, self.score_name
        if known is not None:
            if options.direction not in (None, known):
                refuse(f"{file}: direction {options.direction!r}, but in the file it is {known!r}")
            return known
        trial = Problems(file)
        way = _lines.direction_of(self.score_name, options, trial, checked=True)
        if not trial.found:
            return way
        score, algorithm = self.score[self.keep], self.algorithm[self.keep]
        query = self.query[self.keep]
        inside = (algorithm[1:] == algorithm[:-1]) & (query[1:] == query[:-1])
        steps = {*np.unique(np.sign(np.diff(score))[inside]).tolist()} - {0.0}
        if not score.size or steps == {1.0}:
            return "ascending"
        if steps == {-1.0}:
            return "descending"
        self.problems.found += trial.found
        return way

    def check_evalues(self, algorithm: int, options: ReadOptions) -> None:
        """Find a column that is read as E-values and is none, in the rows of an algorithm."""
        columns, rows = (self.query, self.score, self.bits), self.rows(algorithm)
        _lines.check_evalues(columns, self.score_name, options, self.problems, self.line, rows)

    def of_queries(self, name: str) -> NDArray[Any] | None:
        """Values of a column in which all rows of a query have the same."""
        if name not in self.texts:
            return None
        query, (texts, codes) = self.query, self.texts[name]
        if name != "class":  # 3 and 3.0 are the same number
            numbers = [float(text) for text in texts]
            _, at, same = np.unique(numbers, return_index=True, return_inverse=True)
            codes = at[same][codes].astype(np.int32)
        first = np.full(len(self.query_id), -1, np.int64)
        first[query[::-1]] = codes[::-1]  # of equal indices the last one written stays
        for row in np.flatnonzero(first[query] != codes)[:MAX_PROBLEMS].tolist():
            here, before = (repr(texts[at][:40]) for at in (codes[row], first[query[row]]))
            two = f"{name} of query {self.query_id[query[row]]} is {here} here and {before} before"
            message = f"{two}; expected one for each query"
            self.problems.add("BadRelevantCount", *self.line(row), message)
        values = np.array([texts[at] for at in first.tolist()], np.object_)
        return values if name == "class" else values.astype(np.float64).astype(OF_QUERY[name])

    def hits(self, algorithm: int, direction: Direction) -> Hits:
        """Hits of an algorithm."""
        columns = self.query_id, self.record_id, self.query, self.record, self.score
        hits = Hits(self.problems.file, *columns, direction, self.relevant)
        hits = _lines.some_rows(hits, self.rows(algorithm))
        if self._line_of is not None:  # tables without lines may have any order
            _lines.warn_if_split(hits, self.problems)
        return hits

    def lists(
        self, at: int, relevant: NDArray[np.bool_], direction: Direction, each: Mapping[str, Any]
    ) -> RetrievalLists:
        """Lists of an algorithm from its rows that are records."""
        rows = np.flatnonzero(self.rows(at))
        query, relevant = self.query[rows], relevant[rows]
        of = f"{self.names[at]}: " if self.names[at] else ""
        for word, kind in (("relevant", True), ("irrelevant", False)):
            total = each[f"n_{word}"]
            if total is None:
                continue
            counts = np.bincount(query[relevant == kind], minlength=len(self.query_id))
            for q in np.flatnonzero(counts > total)[:MAX_PROBLEMS].tolist():
                found = f"{of}query {self.query_id[q]}: {counts[q]} of its records are {word}"
                most = f"at most {total[q]}, the number of {word} records in the database"
                line = self.line(int(rows[query == q][0]))
                self.problems.add("TooManyRelevant", *line, f"{found}; expected {most}")
        self.problems.raise_any()
        record = None
        if "record" in self.texts:
            codes = self.record[rows]
            record = np.array(self.record_id, np.object_)[codes]
            pair = query.astype(np.int64) * len(self.record_id) + codes
            n_twice = int((np.unique(pair, return_counts=True)[1] > 1).sum())
            if n_twice:
                self.problems.warn(f"{of}{n_twice} records are more than once in a list")
        columns = query, self.score[rows], relevant
        lists = RetrievalLists.from_records(
            *columns, query=self.query_id, record=record, direction=direction, **each
        )
        return self._with_ends(lists, self.algorithm == at)

    def _with_ends(self, lists: RetrievalLists, rows: NDArray[np.bool_]) -> RetrievalLists:
        """Lists that end where the rows of their algorithm say."""
        if "reported_to" not in self.texts:
            return lists
        texts, codes = self.texts["reported_to"]
        unknown = lists.sign * np.inf
        value = np.array([float(text) if text else unknown for text in texts])[codes[rows]]
        ends = np.full(lists.n_queries, limit_of(value, lists.direction))
        ends[self.query[rows][::-1]] = value[::-1]  # of equal indices the last one written stays
        texts, codes = self.texts.get("reported_how", ([""], np.zeros(rows.size, np.int32)))
        how = next((HOW.get(texts[code]) for code in codes[rows][:1].tolist()), None)
        try:
            return lists.with_reported_to(ends, how)
        except ValueError as error:
            message = f"column reported_to: {error}"
            raise ReadError.of("BeyondReported", self.problems.file, message) from None


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first line of a file names columns such as query and score."""
    names = [*map(role_of, _cells(_lines.first_line(head).text)[0])]
    if "query" not in names or len(names) < 2 or any(is_number(n.encode()) for n in names):
        return None
    scored = {"score", "relevant", *_lines.ASCENDING, *_lines.DESCENDING} & set(names)
    why = f"a line of column names: {', '.join(names[:6])}"
    return Match("certain" if scored else "possible", why)


def read(source: Source, options: ReadOptions, problems: Problems) -> Contents:
    """Read a table by the names of its columns.

    Needed are query and a score: the one in `options`, an E-value, ``score`` or a bit score.
    ``algorithm``, ``record``, ``relevant`` and ``n_relevant``, T(q), are known as well. A row
    without score is a query without hits. Empty under ``relevant`` is neither.

    Returns
    -------
    dict of str to Hits or RetrievalLists
        By algorithm, "" if there is no such column; lists where the table has columns
        ``relevant`` and ``n_relevant``, T(q).

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    line, layout = layout_of(source, options, problems)
    some = _lines.pieces(source, lambda _: (layout, 0), skip=line + 1, comments=False)
    rows = _table.read_rows(some, problems)
    problems.raise_any()
    texts = {column.name: rows.texts(at) for at, column in enumerate(layout.texts)}
    numbers = [rows.numbers(at) for at in range(len(layout.numbers))]
    line_of = partial(source.row, below=line + 1, comments=False)
    return judged(Table(layout, texts, numbers, problems, line_of), options)


def layout_of(source: Source, options: ReadOptions, problems: Problems) -> tuple[int, Layout]:
    """Place of the line of names, from 0, and the layout of the rows below it.

    Raises
    ------
    ReadError
        If a column that is needed is not among them, or is twice.
    """
    line = _lines.first_line(source.head)
    return line.number - 1, layout_by(*_cells(line.text), options, problems, line)


def judged(table: Table, options: ReadOptions, noted: bytes = b"") -> Contents:
    """Make of the rows what `read` returns, by the direction that `write_parquet` noted."""
    known, problems, names = DIRECTIONS.get(noted), table.problems, table.names
    if len(names) > MAX_ALGORITHMS:
        found = f"expected at most {MAX_ALGORITHMS} algorithms, found {len(names):,}"
        message = f"{found}: the column of algorithms seems to hold something else; rename it"
        raise ReadError.of("TooManyAlgorithms", problems.file, message)
    Budget(problems.file).take_texts(table.query_id, len(names))
    direction = table.direction(options, known)
    problems.raise_any()
    for at in range(len(names) if known is None else 0):
        table.check_evalues(at, options)
    if table.relevant is None or "n_relevant" not in table.texts:
        return {name: table.hits(at, direction) for at, name in enumerate(names)}
    each = {OF_LISTS.get(name, name): table.of_queries(name) for name in OF_QUERY}
    problems.raise_any()
    marked = table.relevant
    return {name: table.lists(at, marked, direction, each) for at, name in enumerate(names)}


def role_of(name: str) -> str:
    """What a column is, by its name; its name if it has no role."""
    name = _lines.canonical(name)
    return CANONICAL.get(name, name)


def _cells(line: bytes) -> tuple[list[str], str]:
    """Names of columns as written, and what separates them."""
    text = line.decode("utf-8", "replace")
    delimiter = "\t" if "\t" in text else ","
    return _table.csv_cells(text, delimiter, quoted=True) or [], delimiter


def layout_by(
    called: Sequence[str], separator: str, options: ReadOptions, problems: Problems, at: Place
) -> Layout:
    """How rows are read, by the names of the columns.

    Raises
    ------
    ReadError
        If a column that is needed is not among them, or is twice.
    """
    names = [*map(role_of, called)]
    places: dict[str, int] = {}
    twice = "two columns are called {!r}, or mean it; expected one"
    for place, name in enumerate(names):
        if name in places and name in (*TEXTS, "bits"):
            problems.add("BadHeader", *at, twice.format(name))
        places.setdefault(name, place)
    judged = "relevant" in places and "n_relevant" in places
    needed = ("query",) if judged else ("query", "record")
    _lines.check_ids(names, problems, at, *needed, called=called)
    if not judged:  # of no use then, and not checked
        for name in (*OF_QUERY, "reported_to", "reported_how"):
            places.pop(name, None)
    scores = {name: at for name, at in places.items() if name not in TEXTS}
    score = "score"
    if options.score is not None or score not in scores or "evalue" in scores:
        score = _lines.score_column(scores, options, problems, at) or ""
    if names.count(score) > 1:
        problems.add("BadHeader", *at, twice.format(score))
    problems.raise_any()
    separated = "commas" if separator == "," else "tabs"

    def expected(row: str) -> str:
        cells = _table.csv_cells(row, separator, quoted=True)
        found = "a quote that does not end" if cells is None else str(len(cells))
        if cells and not cells[-1]:
            found += ", the last one empty"
        return f"expected {len(names)} columns separated by {separated}, found {found}"

    return Layout(
        texts=tuple(
            Column(name, places[name], CHECKS.get(name), of_hit=name in ("record", "relevant"))
            for name in TEXTS
            if name in places
        ),
        numbers=_table.score_columns(score, places, of_hit=True),
        width=len(names),
        separator=separator,
        expected=expected,
        no_hit=(score, "record", "relevant"),
        quoted=True,
    )


def _is_end(text: str) -> bool:
    """Whether a text says where a list ends."""
    no_end = text.lower().lstrip("+-") in ("", "inf")
    return no_end or isinstance(_table.number(text, ""), float)


COUNT = _table.expected("BadRelevantCount", "a whole number", WHOLE.fullmatch)
CHECKS: dict[str, _table.Check] = {
    **dict.fromkeys(("algorithm", "query", "record"), _table.not_empty),
    "relevant": _table.expected(
        "BadRelevance", "1, 0 or nothing", lambda text: text.lower() in RELEVANT
    ),
    **dict.fromkeys(("n_relevant", "n_irrelevant"), COUNT),
    "weight": _table.expected("BadWeight", "a positive number", _table.is_positive),
    "reported_to": _table.expected("NotANumber", "a number, inf or nothing", _is_end),
    "reported_how": _table.expected(
        "NotAChoice", f"{', '.join(HOW)} or nothing", lambda text: text in ("", *HOW)
    ),
}
