"""Tables with a line of column names: CSV, TSV and Parquet, also of several algorithms.

MMseqs2 and Foldseek write such a line with --format-mode 4, DIAMOND with --header simple.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from tapviz.files.limits import MAX_CELL, TEXT, Budget
from tapviz.files.parquet import groups
from tapviz.files.problems import MAX_PROBLEMS, Wrong, problem
from tapviz.files.source import Line, Source
from tapviz.labels import Hits, ReadError
from tapviz.lists import Direction, ReportedHow, RetrievalLists
from tapviz.readers import per_query
from tapviz.readers._lines import (
    ASCENDING,
    DESCENDING,
    Match,
    Problems,
    canonical,
    check_evalues,
    direction_of,
    is_number,
    score_column,
    some_rows,
    warn_if_split,
)
from tapviz.readers._table import (
    ROW,
    Column,
    Layout,
    Parsed,
    csv_cells,
    file_order,
    not_empty,
    number,
    pieces,
    read_cells,
    read_rows,
    score_columns,
    wrong_rows,
)
from tapviz.readers.condensed import with_kept
from tapviz.readers.options import ReadOptions
from tapviz.readers.parquet import DIRECTION, KEPT
from tapviz.reported import limit_of

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

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
TEXTS = tuple(ROLES)
CANONICAL = {name: role for role, names in ROLES.items() for name in names}

RELEVANT = {"1": 1, "1.0": 1, "true": 1, "yes": 1, "0": 0, "0.0": 0, "false": 0, "no": 0}
LEFT_OUT = ("", "na", "ignored")
WHOLE = re.compile(r"([0-9]{1,15})(\.0*)?")
MAX_ALGORITHMS = 500


class Table(NamedTuple):
    """All rows: texts as numbers of distinct ones, scores with NaN where there is none."""

    texts: Mapping[str, tuple[list[str], NDArray[np.int32]]]
    score_name: str
    score: NDArray[np.float64]
    bits: NDArray[np.float64]
    """Bit scores beside E-values; else none."""


def _table(
    layout: Layout,
    texts: Mapping[str, tuple[list[str], NDArray[np.int32]]],
    numbers: Sequence[NDArray[np.float64]],
) -> Table:
    """Rows with their score: the first column of numbers, or the order of the file."""
    name = layout.no_hit[0]
    by_name = dict(zip((column.name for column in layout.numbers), numbers, strict=True))
    if name in by_name:
        bits = by_name.get("bits", np.zeros(0)) if name == "evalue" else np.zeros(0)
        return Table(texts, name, by_name[name], bits)
    query_id, query = texts["query"]
    algorithm = texts.get("algorithm", ([], 0))[1]
    score = file_order(query + len(query_id) * np.int64(1) * algorithm)
    if "record" in texts:
        ids, codes = texts["record"]
        score[np.array([not text for text in ids] or [False])[codes]] = np.nan
    return Table(texts, name, score, np.zeros(0))


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first line of a file names columns such as query and score."""
    _, line = _header_line(head)
    names = _names(line)[0]
    if "query" not in names or len(names) < 2 or any(is_number(n.encode()) for n in names):
        return None
    scored = {"score", "relevant", *ASCENDING, *DESCENDING} & set(names)
    return Match(
        "certain" if scored else "possible", f"a line of column names: {', '.join(names[:6])}"
    )


def read(
    source: Source, options: ReadOptions, problems: Problems
) -> dict[str, Hits] | dict[str, RetrievalLists]:
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
    number, layout = layout_of(source, options, problems)
    some = pieces(source, lambda _: (layout, 0), skip=number + 1, comments=False)
    rows = read_rows(some, problems)
    problems.raise_any()
    texts = {column.name: rows.texts(at) for at, column in enumerate(layout.texts)}
    table = _table(layout, texts, [rows.numbers(at) for at in range(len(layout.numbers))])

    def line_of(row: int) -> Line:
        return source.row(row, below=number + 1, comments=False)

    return _judge(table, problems, options, line_of)


def read_parquet(
    source: Source, options: ReadOptions, problems: Problems
) -> dict[str, Hits] | dict[str, RetrievalLists]:
    """Read a Parquet file with such columns.

    Raises
    ------
    ReadError
        If it is damaged or a value is not as it should be.
    """
    from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for text

    try:
        with source.binary() as stream:
            schema = parquet.read_schema(stream)
            if header := per_query.Header.of(schema.names):
                _check_size(source, [*range(len(schema.names))], Budget(source.file))
                columns = parquet.read_table(stream).to_pydict()
                return per_query.from_columns(columns, header, options, problems)
            layout = _layout_of(schema.names, options, problems)
            # A text that is in all rows must not be read once for each.
            coded = [schema.names[column.at] for column in layout.texts]
            wanted = coded + [schema.names[column.at] for column in layout.numbers]
            for name in wanted:
                _check_type(schema.field(name), problems)
            problems.raise_any()
            budget = Budget(source.file)
            file = parquet.ParquetFile(stream, read_dictionary=wanted)
            leaves = enumerate(file.schema.column(at).path for at in range(len(file.schema)))
            _check_size(source, [at for at, path in leaves if path in wanted], budget)
            table = _read_groups(file, wanted, budget)
    except (
        *(pa.ArrowException, OSError, MemoryError, OverflowError, LookupError),
        UnicodeDecodeError,  # of the name of a column
    ) as error:
        message = f"the Parquet file is damaged or not a table ({error}); copy or write it again"
        raise ReadError([source.problem("Encoding", None, message)]) from None
    return _judge_rows(table, layout, problems, options, schema)


def read_arrow(
    data: Any, options: ReadOptions, problems: Problems
) -> dict[str, Hits] | dict[str, RetrievalLists]:
    """Read a table in memory with such columns; problems count its rows from 1.

    Raises
    ------
    ReadError
        If a value is not as it should be.
    TypeError
        If it is nothing that Arrow knows as a table.
    """
    if not hasattr(data, "__arrow_c_stream__"):
        msg = f"expected a file, or a table with named columns; found {type(data).__name__}"
        raise TypeError(msg)
    try:
        table = pa.table(data)
    except (pa.ArrowException, ValueError) as error:
        message = f"a column has values of different kinds ({error})"
        raise ReadError([problem("Encoding", problems.file, None, "", message)]) from None
    if header := per_query.Header.of(table.column_names):
        return per_query.from_columns(table.to_pydict(), header, options, problems)
    layout = _layout_of(table.column_names, options, problems)
    columns = table.select([column.at for column in (*layout.texts, *layout.numbers)])
    return _judge_rows(columns, layout, problems, options, table.schema)


def layout_of(source: Source, options: ReadOptions, problems: Problems) -> tuple[int, Layout]:
    """Place of the line of names, from 0, and the layout of the rows below it.

    Raises
    ------
    ReadError
        If a column that is needed is not among them, or is twice.
    """
    number, line = _header_line(source.head)
    names, delimiter, quoted = _names(line)
    return number, _layout(names, delimiter, options, problems, number + 1, line, quoted=quoted)


def _layout_of(columns: Sequence[str], options: ReadOptions, problems: Problems) -> Layout:
    """Layout of a table without lines, by the names of its columns."""
    names = [_role(name) for name in columns]
    return _layout(names, ", ", options, problems, None, ", ".join(names))


def _judge_rows(
    table: pa.Table, layout: Layout, problems: Problems, options: ReadOptions, schema: pa.Schema
) -> dict[str, Hits] | dict[str, RetrievalLists]:
    """Judge the columns of a layout, with the direction that `write_parquet` noted."""
    columns = _from_arrow(table, layout, problems)
    way = (schema.metadata or {}).get(DIRECTION, b"").decode("utf-8", "replace")
    known: Direction | None = way if way in ("ascending", "descending") else None

    def line_of(row: int) -> Line:
        shown = [columns.texts[name] for name in ("query", "record") if name in columns.texts]
        ids = [texts[codes[row]] for texts, codes in shown]
        return Line(row + 1, ", ".join([*ids, f"{columns.score[row]:g}"]).encode())

    found = _judge(columns, problems, options, line_of, known)
    if KEPT not in (schema.metadata or {}):
        return found
    return {
        name: with_kept(one, schema.metadata[KEPT], problems.file)
        for name, one in found.items()
        if isinstance(one, RetrievalLists)
    }


def _check_type(field: pa.Field, problems: Problems) -> None:
    """Note a column that holds neither texts nor numbers, and might hold anything."""
    kind = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
    texts = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary(), pa.null())
    if not (kind in texts or pa.types.is_primitive(kind) or pa.types.is_decimal(kind)):
        message = f"column {field.name}: expected texts or numbers, found {kind}"
        problems.add("Encoding", None, str(kind), message)


def _check_size(source: Source, columns: Sequence[int], budget: Budget) -> None:
    """Raise `ReadError` if a file is larger than it seems."""
    unpacked = 0
    with source.binary() as stream:
        for group in groups(stream, columns):
            budget.take(ROW * group.n_rows)
            unpacked += group.size
            source.check_unpacked(unpacked, "write it with other settings, or as text")


def _read_groups(file: ParquetFile, columns: list[str], budget: Budget) -> pa.Table:
    """Read columns group by group, as far as they fit into the memory."""
    tables = []
    for at in range(file.num_row_groups):
        table = file.read_row_group(at, columns=columns).select(columns)
        table.validate(full=True)  # that texts are UTF-8, and so on
        budget.take(sum(_dictionary_size(column) for column in table.columns))
        tables.append(table)
    return pa.concat_tables(tables) if tables else file.read(columns=columns).select(columns)


def _dictionary_size(column: pa.ChunkedArray) -> int:
    """Bytes of the texts of a column; of its numbers, 0."""
    if not pa.types.is_dictionary(column.type):
        return 0
    return sum(part.dictionary.nbytes + TEXT * len(part.dictionary) for part in column.chunks)


def _judge(
    table: Table,
    problems: Problems,
    options: ReadOptions,
    line_of: Callable[[int], Line],
    known: Direction | None = None,
) -> dict[str, Hits] | dict[str, RetrievalLists]:
    """Make of the rows what `read` returns."""
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
    score = table.score
    keep = ~np.isnan(score)  # others only name a query
    relevant: NDArray[np.bool_] | None = None
    if "relevant" in table.texts:
        texts, codes = table.texts["relevant"]
        kind = np.array([RELEVANT.get(text.lower(), -1) for text in texts] or [0], np.int8)[codes]
        keep &= kind >= 0
        relevant = kind == 1
    direction = _direction(
        score, algorithm, query, keep, table.score_name, options, problems, known
    )
    problems.raise_any()
    for at in range(len(names) if known is None else 0):
        rows = np.flatnonzero(keep & (algorithm == at))
        check_evalues(
            query[rows],
            score[rows],
            table.bits[rows] if table.bits.size else table.bits,
            table.score_name,
            options,
            problems,
            partial(_line_among, rows, line_of),
        )
    if relevant is not None and "n_relevant" in table.texts:
        each = _per_query(table, problems, line_of)
        lists: dict[str, RetrievalLists] = {}
        for at, name in enumerate(names):
            rows = keep & (algorithm == at)
            found = _lists(name, table, relevant, score, rows, direction, each, problems, line_of)
            lists[name] = _with_ends(found, table, algorithm == at, problems)
        return lists
    by_algorithm: dict[str, Hits] = {}
    record_id, record = table.texts["record"]
    for at, name in enumerate(names):
        rows = keep & (algorithm == at)
        hits = Hits(
            file=problems.file,
            query_id=query_id,
            record_id=record_id,
            query=query,
            record=record,
            score=score,
            direction=direction,
            relevant=relevant,
        )
        by_algorithm[name] = some_rows(hits, rows)
        warn_if_split(by_algorithm[name], problems)
    return by_algorithm


def _direction(
    score: NDArray[np.float64],
    algorithm: NDArray[np.int32],
    query: NDArray[np.int32],
    keep: NDArray[np.bool_],
    score_name: str,
    options: ReadOptions,
    problems: Problems,
    known: Direction | None,
) -> Direction:
    """As given, by the file or the name of the column, or as all lists are sorted."""
    if known is not None:
        if options.direction not in (None, known):
            msg = (
                f"{problems.file}: direction {options.direction!r}, but in the file it is {known!r}"
            )
            raise ValueError(msg)
        return known
    trial = Problems(problems.file)
    way = direction_of(score_name, options, trial)
    if not trial.found:
        return way
    score, algorithm, query = score[keep], algorithm[keep], query[keep]
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


def _line_among(rows: NDArray[np.int64], line_of: Callable[[int], Line], row: int) -> Line:
    """Line of one of some rows."""
    return line_of(int(rows[row]))


class _QueryColumns(NamedTuple):
    """What is the same in all rows of a query."""

    n_relevant: NDArray[np.int64]
    n_irrelevant: NDArray[np.int64] | None
    weight: NDArray[np.float64] | None
    query_class: list[str] | None


def _per_query(table: Table, problems: Problems, line_of: Callable[[int], Line]) -> _QueryColumns:
    query_id, query = table.texts["query"]

    def same(name: str) -> list[str] | None:
        if name not in table.texts:
            return None
        texts, codes = table.texts[name]
        if name != "class":  # 3 and 3.0 are the same number
            first_with: dict[float, int] = {}
            equal = [first_with.setdefault(float(text), at) for at, text in enumerate(texts)]
            codes = np.array(equal or [0], np.int32)[codes]
        first = np.full(len(query_id), -1, np.int64)
        first[query[::-1]] = codes[::-1]  # of equal indices the last one written stays
        for row in np.flatnonzero(first[query] != codes).tolist():
            if problems.full:
                break
            line, q = line_of(row), query[row]
            message = (
                f"{name} of query {query_id[q]} is {texts[codes[row]][:40]!r} here and "
                f"{texts[first[q]][:40]!r} before; expected one for each query"
            )
            problems.add("BadRelevantCount", line.number, line.text, message)
        return [texts[at] for at in first.tolist()]

    total, others, weight, classes = map(same, ("n_relevant", "n_irrelevant", "weight", "class"))
    problems.raise_any()
    return _QueryColumns(
        np.array([int(float(text)) for text in total or []], np.int64),
        None if others is None else np.array([int(float(text)) for text in others], np.int64),
        None if weight is None else np.array([float(text) for text in weight], np.float64),
        classes,
    )


def _lists(
    name: str,
    table: Table,
    relevant: NDArray[np.bool_],
    score: NDArray[np.float64],
    rows: NDArray[np.bool_],
    direction: Direction,
    each: _QueryColumns,
    problems: Problems,
    line_of: Callable[[int], Line],
) -> RetrievalLists:
    query_id, query = table.texts["query"]
    of = f"{name}: " if name else ""
    at = np.flatnonzero(rows)
    for kind, total in ((True, each.n_relevant), (False, each.n_irrelevant)):
        if total is None:
            continue
        count = np.bincount(query[at][relevant[at] == kind], minlength=len(query_id))
        for q in np.flatnonzero(count > total)[:MAX_PROBLEMS].tolist():
            line = line_of(int(at[query[at] == q][0]))
            word = "relevant" if kind else "irrelevant"
            message = (
                f"{of}query {query_id[q]}: {count[q]} of its records are {word}; expected at most "
                f"{total[q]}, the number of {word} records in the database"
            )
            problems.add("TooManyRelevant", line.number, line.text, message)
    problems.raise_any()
    record = None
    if "record" in table.texts:
        record_id, codes = table.texts["record"]
        record = np.array(record_id, np.object_)[codes[at]]
        pair = query[at].astype(np.int64) * len(record_id) + codes[at]
        _, count = np.unique(pair, return_counts=True)
        if (count > 1).any():
            problems.warn(f"{of}{int((count > 1).sum())} records are more than once in a list")
    return RetrievalLists.from_records(
        query[at],
        score[at],
        relevant[at],
        n_relevant=each.n_relevant,
        query=query_id,
        record=record,
        direction=direction,
        weight=each.weight,
        query_class=each.query_class,
        n_irrelevant=each.n_irrelevant,
    )


def _with_ends(
    lists: RetrievalLists, table: Table, rows: NDArray[np.bool_], problems: Problems
) -> RetrievalLists:
    """Lists that end where the rows of their algorithm say."""
    if "reported_to" not in table.texts:
        return lists
    texts, codes = table.texts["reported_to"]
    query, unknown = table.texts["query"][1][rows], lists.sign * np.inf
    value = np.array([float(text) if text else unknown for text in texts])[codes[rows]]
    ends = np.full(lists.n_queries, limit_of(value, lists.direction))
    ends[query[::-1]] = value[::-1]  # of equal indices the last one written stays
    how: Any = None
    if "reported_how" in table.texts:
        texts, codes = table.texts["reported_how"]
        how = next((texts[code] for code in codes[rows][:1].tolist()), None) or None
    try:
        return lists.with_reported_to(ends, how)
    except ValueError as error:
        problems.add("BeyondReported", None, "", f"column reported_to: {error}")
        problems.raise_any()
        raise


def _header_line(head: Sequence[bytes]) -> tuple[int, bytes]:
    """Place, from 0, and text of the first line that is neither blank nor a comment."""
    return next(
        ((n, line) for n, line in enumerate(head) if line.strip() and not line.startswith(b"#")),
        (0, b""),
    )


def _role(name: str) -> str:
    name = canonical(name)
    return CANONICAL.get(name, name)


def _names(line: bytes) -> tuple[list[str], str, bool]:
    """Names of columns, what separates them, and whether cells may be quoted."""
    text = line.decode("utf-8", "replace")
    delimiter = "\t" if "\t" in text else ","
    quoted = delimiter == "," or text.startswith('"')
    cells = csv_cells(text, delimiter, quoted=quoted) or []
    return [_role(cell) for cell in cells], delimiter, quoted


def _layout(
    names: list[str],
    separator: str,
    options: ReadOptions,
    problems: Problems,
    line: int | None,
    text: str | bytes,
    *,
    quoted: bool = False,
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
        score = score_column(scores, options, problems, line, text)
    if score is not None and names.count(score) > 1:
        message = f"two columns are called {score!r}, or mean it; expected one"
        problems.add("BadHeader", line, text, message)
    problems.raise_any()
    score = score or "score"
    separated = "commas" if separator == "," else "tabs"

    def expected(row: str) -> str:
        cells = csv_cells(row, separator, quoted=quoted)
        found = "a quote that does not end" if cells is None else str(len(cells))
        return f"expected {len(names)} columns separated by {separated}, found {found}"

    return Layout(
        texts=tuple(
            Column(name, places[name], CHECKS.get(name), of_hit=name in ("record", "relevant"))
            for name in TEXTS
            if name in places
        ),
        numbers=score_columns(score, places, of_hit=True),
        width=len(names),
        separator=separator,
        expected=expected,
        no_hit=(score, "record", "relevant"),
        quoted=quoted,
    )


def _relevance(text: str) -> Wrong | None:
    if text.lower() in RELEVANT or text.lower() in LEFT_OUT:
        return None
    return "BadRelevance", f"expected 1, 0 or nothing, found {text[:40]!r}"


def _count(text: str) -> Wrong | None:
    if WHOLE.fullmatch(text):
        return None
    return "BadRelevantCount", f"expected a whole number, found {text[:40]!r}"


def _weight(text: str) -> Wrong | None:
    value = number(text, "weight")
    if isinstance(value, float) and value > 0:
        return None
    return "BadWeight", f"expected a positive number, found {text[:40]!r}"


def _end(text: str) -> Wrong | None:
    if text.lower().lstrip("+-") in ("", "inf") or isinstance(number(text, ""), float):
        return None
    return "NotANumber", f"expected a number, inf or nothing, found {text[:40]!r}"


def _how(text: str) -> Wrong | None:
    if text in ("", *get_args(ReportedHow)):
        return None
    return "NotAChoice", f"expected {', '.join(get_args(ReportedHow))} or nothing, found {text!r}"


CHECKS = {
    "algorithm": not_empty,
    "query": not_empty,
    "record": not_empty,
    "relevant": _relevance,
    "n_relevant": _count,
    "n_irrelevant": _count,
    "weight": _weight,
    "reported_to": _end,
    "reported_how": _how,
}


def _from_arrow(table: pa.Table, layout: Layout, problems: Problems) -> Table:
    """Read the columns of a Parquet file; the rows of problems count from 1.

    Raises
    ------
    ReadError
        If a value is not as it should be.
    """
    parsed = Parsed([], [])
    for column, values in zip((*layout.texts, *layout.numbers), table.columns, strict=True):
        is_text = len(parsed.texts) < len(layout.texts)
        try:
            if is_text:
                parsed.texts.append(_arrow_texts(values))
                continue
            numbers = _arrow_numbers(values)
        except pa.ArrowException:
            wanted = pa.string() if is_text else pa.float64()
            message = f"column {column.name}: expected {wanted}, found {values.type}"
            problems.add("NotANumber", None, str(values.type), message)
            continue
        if pc.any(pc.is_nan(numbers)).as_py():
            message = f"column {column.name}: expected finite numbers, found NaN"
            problems.add("NonFinite", None, "", message)
        parsed.numbers.append(numbers.to_numpy())
    problems.raise_any()
    for row in np.flatnonzero(wrong_rows(parsed, layout))[:MAX_PROBLEMS].tolist():
        cells = [""] * layout.width
        for column, codes in zip(layout.texts, parsed.texts, strict=True):
            cells[column.at] = codes[row].as_py()
        for column, values in zip(layout.numbers, parsed.numbers, strict=True):
            value = values[row].item()
            cells[column.at] = "" if math.isnan(value) else repr(value)
        read_cells(cells, row + 1, ", ".join(cells), layout, problems)
    problems.raise_any()
    texts = {
        column.name: (codes.dictionary.to_pylist(), codes.indices.to_numpy())
        for column, codes in zip(layout.texts, parsed.texts, strict=True)
    }
    return _table(layout, texts, parsed.numbers)


def _arrow_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_dictionary(column.type):  # whose texts must not be written out for each row
        parts = [part.dictionary.cast(pa.float64()).take(part.indices) for part in column.chunks]
        return pa.chunked_array(parts, pa.float64())
    return column.cast(pa.float64())


def _arrow_texts(column: pa.ChunkedArray) -> pa.DictionaryArray:
    """Distinct texts of a column, as they appear, and which one each row has; null is empty."""
    if not pa.types.is_dictionary(column.type):
        column = column.cast(pa.string()).dictionary_encode()
    parts = column.cast(pa.dictionary(pa.int32(), pa.string())).unify_dictionaries().chunks
    if not parts:
        return pa.array([], pa.string()).dictionary_encode()
    texts = pc.utf8_slice_codeunits(parts[0].dictionary, 0, MAX_CELL + 1)  # longer ones are wrong
    ids = [text or "" for text in texts.to_pylist()] + [""]
    codes = np.concatenate([part.indices.fill_null(len(ids) - 1).to_numpy() for part in parts])
    # Those that are in a row, as they appear: others may be in the dictionary, or one twice.
    used, first = np.unique(codes, return_index=True)
    place: dict[str, int] = {}
    of_code = np.zeros(len(ids), np.int32)
    for code in used[np.argsort(first)].tolist():
        of_code[code] = place.setdefault(ids[code], len(place))
    return pa.DictionaryArray.from_arrays(pa.array(of_code[codes]), list(place))
