"""Tables with a line of column names: CSV and TSV, also of several algorithms.

MMseqs2 and Foldseek write such a line with --format-mode 4, DIAMOND with --header simple.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tapviz.files.limits import Budget
from tapviz.files.options import refuse
from tapviz.files.problems import MAX_PROBLEMS, Problems
from tapviz.files.source import Line, Source
from tapviz.labels import Hits
from tapviz.lists import Direction, ReportedHow, RetrievalLists
from tapviz.lists.reported import limit_of
from tapviz.readers import _lines, _pieces, _table
from tapviz.readers._lines import Match, is_number
from tapviz.readers._table import Column, Layout
from tapviz.readers.options import ReadOptions

# Columns that are no score, and what else people call them.
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
REPORTED = ("reported_to", "reported_how")

OF_QUERY: dict[str, type[np.generic]] = {
    "n_relevant": np.int64,
    "n_irrelevant": np.int64,
    "weight": np.float64,
    "class": np.object_,
}
"""Columns that have one value for each query, and their types."""
TEXTS = tuple(ROLES)
CANONICAL = {name: role for role, names in ROLES.items() for name in names}

RELEVANT = {"1": 1, "1.0": 1, "true": 1, "yes": 1, "0": 0, "0.0": 0, "false": 0, "no": 0}
LEFT_OUT = ("", "na", "ignored")
HOW: dict[str, ReportedHow] = {how: how for how in get_args(ReportedHow)}
WHOLE = re.compile(r"([0-9]{1,15})(\.0*)?")
DIRECTION = b"tapviz.direction"
"""Where a file says whether its scores ascend."""
DIRECTIONS: dict[bytes, Direction] = {b"ascending": "ascending", b"descending": "descending"}
MAX_ALGORITHMS = 500


Codes = tuple[list[str], NDArray[np.int32]]
"""Distinct texts as they appear, and which of them each row has."""
Contents = dict[str, Hits] | dict[str, RetrievalLists]


class Table(NamedTuple):
    """All rows of a table, and where to say what is wrong with them."""

    texts: Mapping[str, Codes]
    score_name: str
    score: NDArray[np.float64]
    """NaN where there is none."""
    bits: NDArray[np.float64]
    """Bit scores beside E-values; else none."""
    problems: Problems
    line_of: Callable[[int], Line] | None = None
    """Line of a row; None where rows have no lines."""

    @classmethod
    def of(
        cls,
        layout: Layout,
        texts: Mapping[str, Codes],
        numbers: Sequence[NDArray[np.float64]],
        problems: Problems,
        line_of: Callable[[int], Line] | None = None,
    ) -> Table:
        """Rows with their score: the first column of numbers, or the order of the file."""
        name = layout.no_hit[0]
        by_name = dict(zip((column.name for column in layout.numbers), numbers, strict=True))
        if name in by_name:
            bits = by_name.get("bits", np.zeros(0)) if name == "evalue" else np.zeros(0)
            return cls(texts, name, by_name[name], bits, problems, line_of)
        query_id, query = texts["query"]
        algorithm = texts.get("algorithm", ([], 0))[1]
        score = _table.file_order(query + len(query_id) * np.int64(1) * algorithm)
        if "record" in texts:
            ids, codes = texts["record"]
            score[np.array([not text for text in ids] or [False])[codes]] = np.nan
        return cls(texts, name, score, np.zeros(0), problems, line_of)

    def line(self, row: int) -> Line:
        """Line of a row; where it has none, its place from 1, and its ids and score."""
        if self.line_of is not None:
            return self.line_of(row)
        shown = [self.texts[name] for name in ("query", "record") if name in self.texts]
        ids = [texts[codes[row]] for texts, codes in shown]
        return Line(row + 1, ", ".join([*ids, f"{self.score[row]:g}"]).encode())

    def add(self, code: str, row: int, message: str) -> None:
        """Note what is wrong with a row."""
        line = self.line(row)
        self.problems.add(code, line.number, line.text, message)


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first line of a file names columns such as query and score."""
    _, line = _header_line(head)
    names = _names(line)[0]
    if "query" not in names or len(names) < 2 or any(is_number(n.encode()) for n in names):
        return None
    scored = {"score", "relevant", *_lines.ASCENDING, *_lines.DESCENDING} & set(names)
    return Match(
        "certain" if scored else "possible", f"a line of column names: {', '.join(names[:6])}"
    )


def read(source: Source, options: ReadOptions, problems: Problems) -> Contents:
    """Read a table by the names of its columns.

    Needed are query and a score: ``score``, an E-value, a bit score or the one in `options`.
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
    some = _pieces.pieces(source, lambda _: (layout, 0), skip=line + 1, comments=False)
    rows = _table.read_rows(some, problems)
    problems.raise_any()
    texts = {column.name: rows.texts(at) for at, column in enumerate(layout.texts)}
    numbers = [rows.numbers(at) for at in range(len(layout.numbers))]
    line_of = partial(source.row, below=line + 1, comments=False)
    return judged(Table.of(layout, texts, numbers, problems, line_of), options)


def layout_of(source: Source, options: ReadOptions, problems: Problems) -> tuple[int, Layout]:
    """Place of the line of names, from 0, and the layout of the rows below it.

    Raises
    ------
    ReadError
        If a column that is needed is not among them, or is twice.
    """
    at, line = _header_line(source.head)
    names, delimiter = _names(line)
    return at, layout_by(names, delimiter, options, problems, at + 1, line)


def judged(table: Table, options: ReadOptions, noted: bytes = b"") -> Contents:
    """Make of the rows what `read` returns, by the direction that `write_parquet` noted."""
    known, problems = DIRECTIONS.get(noted), table.problems
    query_id, query = table.texts["query"]
    names, algorithm = table.texts.get("algorithm", ([""], np.zeros(query.size, np.int32)))
    if len(names) > MAX_ALGORITHMS:
        message = (
            f"expected at most {MAX_ALGORITHMS} algorithms, found {len(names):,}: the column of "
            "algorithms seems to hold something else; rename it"
        )
        problems.add("TooManyAlgorithms", None, "", message)
        problems.raise_any()
    Budget(problems.file).take_texts(query_id, len(names))
    keep = ~np.isnan(table.score)  # others only name a query
    known_records, records = table.texts.get("record", ([], np.zeros(0)))
    if _table.NO_HIT in known_records:  # beside which numbers are none
        keep &= records != known_records.index(_table.NO_HIT)
    relevant: NDArray[np.bool_] | None = None
    if "relevant" in table.texts:
        texts, codes = table.texts["relevant"]
        kind = np.array([RELEVANT.get(text.lower(), -1) for text in texts] or [0], np.int8)[codes]
        keep &= kind >= 0
        relevant = kind == 1
    direction = _direction(table, algorithm, keep, options, known)
    problems.raise_any()
    for at in range(len(names) if known is None else 0):
        _check_evalues(table, np.flatnonzero(keep & (algorithm == at)), options)
    if relevant is None or "n_relevant" not in table.texts:
        hits = {}
        for at, name in enumerate(names):
            record = table.texts["record"]
            all_rows = Hits(problems.file, query_id, record[0], query, record[1], table.score,
                            direction, relevant)  # fmt: skip
            hits[name] = _lines.some_rows(all_rows, keep & (algorithm == at))
            _lines.warn_if_split(hits[name], problems)
        return hits
    each = {name: _of_queries(table, name) for name in OF_QUERY}
    problems.raise_any()
    lists: dict[str, RetrievalLists] = {}
    for at, name in enumerate(names):
        rows = np.flatnonzero(keep & (algorithm == at))
        found = _lists(name, table, relevant, rows, direction, each)
        lists[name] = _with_ends(found, table, algorithm == at)
    return lists


def _direction(
    table: Table,
    algorithm: NDArray[np.int32],
    keep: NDArray[np.bool_],
    options: ReadOptions,
    known: Direction | None,
) -> Direction:
    """As given, by the file or the name of the column, or as all lists are sorted."""
    problems = table.problems
    if known is not None:
        if options.direction not in (None, known):
            refuse(
                f"{problems.file}: direction {options.direction!r}, but in the file it is {known!r}"
            )
        return known
    trial = Problems(problems.file)
    way = _lines.direction_of(table.score_name, options, trial, checked=True)
    if not trial.found:
        return way
    score, algorithm, query = table.score[keep], algorithm[keep], table.texts["query"][1][keep]
    inside = (algorithm[1:] == algorithm[:-1]) & (query[1:] == query[:-1])
    steps = set(np.unique(np.sign(np.diff(score))[inside]).tolist())
    if 1.0 in steps and -1.0 not in steps:
        return "ascending"
    if -1.0 in steps and 1.0 not in steps:
        return "descending"
    if not score.size:
        return "ascending"
    problems.found += trial.found
    return way


def _check_evalues(table: Table, rows: NDArray[np.int64], options: ReadOptions) -> None:
    """Find a column that is read as E-values and is none, in the rows of an algorithm."""
    query, score = table.texts["query"][1][rows], table.score[rows]
    bits = table.bits[rows] if table.bits.size else table.bits

    def line_of(row: int) -> Line:
        return table.line(int(rows[row]))

    _lines.check_evalues(query, score, bits, table.score_name, options, table.problems, line_of)


def _of_queries(table: Table, name: str) -> NDArray[Any] | None:
    """Values of a column in which all rows of a query have the same."""
    if name not in table.texts:
        return None
    (query_id, query), (texts, codes) = table.texts["query"], table.texts[name]
    if name != "class":  # 3 and 3.0 are the same number
        first_with: dict[float, int] = {}
        equal = [first_with.setdefault(float(text), at) for at, text in enumerate(texts)]
        codes = np.array(equal or [0], np.int32)[codes]
    first = np.full(len(query_id), -1, np.int64)
    first[query[::-1]] = codes[::-1]  # of equal indices the last one written stays
    for row in np.flatnonzero(first[query] != codes).tolist():
        if table.problems.full:
            break
        q = query[row]
        message = (
            f"{name} of query {query_id[q]} is {texts[codes[row]][:40]!r} here and "
            f"{texts[first[q]][:40]!r} before; expected one for each query"
        )
        table.add("BadRelevantCount", row, message)
    values = np.array([texts[at] for at in first.tolist()], np.object_)
    return values if name == "class" else values.astype(np.float64).astype(OF_QUERY[name])


def _lists(
    name: str,
    table: Table,
    relevant: NDArray[np.bool_],
    rows: NDArray[np.int64],
    direction: Direction,
    each: Mapping[str, Any],
) -> RetrievalLists:
    """Lists of an algorithm from its rows that are records."""
    (query_id, query), problems = table.texts["query"], table.problems
    of = f"{name}: " if name else ""
    for word, kind in (("relevant", True), ("irrelevant", False)):
        total = each[f"n_{word}"]
        if total is None:
            continue
        count = np.bincount(query[rows][relevant[rows] == kind], minlength=len(query_id))
        for q in np.flatnonzero(count > total)[:MAX_PROBLEMS].tolist():
            message = (
                f"{of}query {query_id[q]}: {count[q]} of its records are {word}; expected at most "
                f"{total[q]}, the number of {word} records in the database"
            )
            table.add("TooManyRelevant", int(rows[query[rows] == q][0]), message)
    problems.raise_any()
    record = None
    if "record" in table.texts:
        record_id, codes = table.texts["record"]
        record = np.array(record_id, np.object_)[codes[rows]]
        pair = query[rows].astype(np.int64) * len(record_id) + codes[rows]
        _, count = np.unique(pair, return_counts=True)
        if (count > 1).any():
            problems.warn(f"{of}{int((count > 1).sum())} records are more than once in a list")
    return RetrievalLists.from_records(
        query[rows],
        table.score[rows],
        relevant[rows],
        query=query_id,
        record=record,
        direction=direction,
        **{"query_class" if field == "class" else field: values for field, values in each.items()},
    )


def _with_ends(lists: RetrievalLists, table: Table, rows: NDArray[np.bool_]) -> RetrievalLists:
    """Lists that end where the rows of their algorithm say."""
    if "reported_to" not in table.texts:
        return lists
    texts, codes = table.texts["reported_to"]
    query, unknown = table.texts["query"][1][rows], lists.sign * np.inf
    value = np.array([float(text) if text else unknown for text in texts])[codes[rows]]
    ends = np.full(lists.n_queries, limit_of(value, lists.direction))
    ends[query[::-1]] = value[::-1]  # of equal indices the last one written stays
    texts, codes = table.texts.get("reported_how", ([""], np.zeros(rows.size, np.int32)))
    how = next((HOW.get(texts[code]) for code in codes[rows][:1].tolist()), None)
    try:
        return lists.with_reported_to(ends, how)
    except ValueError as error:
        table.problems.add("BeyondReported", None, "", f"column reported_to: {error}")
        table.problems.raise_any()
        raise


def _header_line(head: Sequence[bytes]) -> tuple[int, bytes]:
    """Place, from 0, and text of the first line that is neither blank nor a comment."""
    return next(
        ((n, line) for n, line in enumerate(head) if line.strip() and not line.startswith(b"#")),
        (0, b""),
    )


def role_of(name: str) -> str:
    """What a column is, by its name; its name if it has no role."""
    name = _lines.canonical(name)
    return CANONICAL.get(name, name)


def _names(line: bytes) -> tuple[list[str], str]:
    """Names of columns, and what separates them."""
    text = line.decode("utf-8", "replace")
    delimiter = "\t" if "\t" in text else ","
    cells = _table.csv_cells(text, delimiter, quoted=True) or []
    return [role_of(cell) for cell in cells], delimiter


def layout_by(
    names: list[str],
    separator: str,
    options: ReadOptions,
    problems: Problems,
    line: int | None,
    text: str | bytes,
) -> Layout:
    """How rows are read, by the names of the columns.

    Raises
    ------
    ReadError
        If a column that is needed is not among them, or is twice.
    """
    places: dict[str, int] = {}
    for at, name in enumerate(names):
        if name in places and name in (*TEXTS, "bits"):
            message = f"two columns are called {name!r}, or mean it; expected one"
            problems.add("BadHeader", line, text, message)
        places.setdefault(name, at)
    if "query" not in places:
        message = f"expected a column of queries; there are {', '.join(names)}"
        problems.add("MissingColumn", line, text, message)
    judged = "relevant" in places and "n_relevant" in places
    if "record" not in places and not judged:
        message = f"expected a column of records (targets); there are {', '.join(names)}"
        problems.add("MissingColumn", line, text, message)
    if not judged:  # of no use then, and not checked
        for name in ("weight", "n_relevant", "n_irrelevant", "class", *REPORTED):
            places.pop(name, None)
    scores = {name: at for name, at in places.items() if name not in TEXTS}
    if options.score is None and "score" in scores:
        score: str | None = "score"
    else:
        score = _lines.score_column(scores, options, problems, line, text)
    if score is not None and names.count(score) > 1:
        message = f"two columns are called {score!r}, or mean it; expected one"
        problems.add("BadHeader", line, text, message)
    problems.raise_any()
    score = score or "score"
    separated = "commas" if separator == "," else "tabs"

    def expected(row: str) -> str:
        cells = _table.csv_cells(row, separator, quoted=True)
        found = "a quote that does not end" if cells is None else str(len(cells))
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


COUNT = _table.expected(
    "BadRelevantCount", "a whole number", lambda text: bool(WHOLE.fullmatch(text))
)
CHECKS: dict[str, _table.Check] = {
    "algorithm": _table.not_empty,
    "query": _table.not_empty,
    "record": _table.not_empty,
    "relevant": _table.expected(
        "BadRelevance", "1, 0 or nothing", lambda text: text.lower() in (*RELEVANT, *LEFT_OUT)
    ),
    "n_relevant": COUNT,
    "n_irrelevant": COUNT,
    "weight": _table.expected("BadWeight", "a positive number", _table.is_positive),
    "reported_to": _table.expected("NotANumber", "a number, inf or nothing", _is_end),
    "reported_how": _table.expected(
        "NotAChoice", f"{', '.join(HOW)} or nothing", lambda text: text in ("", *HOW)
    ),
}
