"""Tables of scores of each query that somebody else computed, such as Foldseek's ``.rocx``."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from tapviz.files import TEXT, Budget, Problems, Source
from tapviz.lists import RetrievalLists
from tapviz.readers import _table
from tapviz.readers._lines import ASCENDING, DESCENDING, Match, canonical, is_number
from tapviz.readers.options import ReadOptions

QUERY = {"query", "name", "target", "id", "query_name", "topic"}
ALGORITHM = {"algorithm", "method", "program", "system", "tool", "run"}
CLASS = {"class", "query_class", "scop"}
ABOUT = {"weight", "n_relevant", "class_level"}
OF_HITS = {"record", "relevant", "relevance", "score", "rank", "evalue", "bits"}
"""Columns of tables of hits."""
COUNTS = {"fp", "famcnt", "sfamcnt", "foldcnt"}
FOLDSEEK = ("fam", "sfam", "fold")
"""Columns of Foldseek's ``.rocx``; its counts are not scores."""
UNDEFINED = {"", "nan", "-nan", "na", "n/a", "null", "none", "-"}


class Header(NamedTuple):
    """Which column is what, by their places."""

    query: int
    algorithm: int | None
    about: Mapping[str, int]
    """Weight, T(q) and class of a query, and the level of the class."""
    scores: Mapping[str, int]

    @classmethod
    def of(cls, names: Sequence[str]) -> Header | None:
        """By the names of columns; None if these are not of such a table."""
        plain = [name.strip().lower() for name in names]
        usual = [canonical(name) for name in plain]
        # The first column names the query, unless another one says so.
        query = usual.index("query") if "query" in usual else 0
        if not plain or {usual[query], plain[query]}.isdisjoint(QUERY):
            return None
        others = {name: at for at, name in enumerate(plain) if at != query}
        hits = {canonical(name) for name in others} & (OF_HITS | ASCENDING | DESCENDING)
        if hits or len(others) < len(plain) - 1 or any(is_number(one.encode()) for one in plain):
            return None
        algorithm = next((at for name, at in others.items() if name in ALGORITHM), None)
        roles = {**dict.fromkeys(CLASS, "class"), **{name: name for name in ABOUT}}
        about = {roles[name]: at for name, at in others.items() if name in roles}
        foldseek = {*FOLDSEEK} <= {*plain}
        scores = {
            names[at].strip(): at
            for name, at in others.items()
            if at not in (algorithm, *about.values()) and not (foldseek and name in COUNTS)
        }
        return cls(query, algorithm, about, scores) if scores else None


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether a file has a line of names and then a number for each query."""
    lines = [line.decode("utf-8", "replace") for line in head if line.strip()]
    if len(lines) < 2:  # names, and a row
        return None
    names, *rows = _cells(lines[:50])
    header = Header.of(names)
    whole = rows[:-1] or rows  # the last one may go on beyond what is looked at
    if header is None or any(len(row) != len(names) for row in whole):
        return None
    numbers = [row[at] for row in whole for at in header.scores.values()]
    good = [is_number(cell.encode()) or cell.strip().lower() in UNDEFINED for cell in numbers]
    ids = {(row[header.query], row[header.algorithm or header.query]) for row in whole}
    if 2 * sum(good) < len(good) or len(ids) < len(whole):
        return None
    why = f"a line of column names, and a number of each query: {', '.join([*header.scores][:4])}"
    return Match("certain" if all(good) else "possible", why)


def read(source: Source, options: ReadOptions, problems: Problems) -> dict[str, RetrievalLists]:
    """Read scores of each query.

    Returns
    -------
    dict of str to RetrievalLists
        By algorithm, "" if there is no such column: lists without records, whose `given` are
        the scores.

    Raises
    ------
    ReadError
        If a cell is not a number, or a query occurs twice.
    """
    top, *below = [(number, line.decode()) for number, line in source.lines() if line.strip()]
    Budget(source.file).take(sum(4 * TEXT + 4 * len(line) for _, line in (top, *below)))
    names, *rows = _cells([line for _, line in (top, *below)])
    header = Header.of(names)
    if header is None:
        expected = "expected a column query, and numbers of each query in others"
        problems.add("BadHeader", *top, f"{expected}, found {', '.join(names[:6])}")
        problems.raise_any()
        return {}
    for at, row in zip(below, rows, strict=True):
        if len(row) != len(names):
            problems.add("BadColumnCount", *at, f"expected {len(names)} columns, found {len(row)}")
    problems.raise_any()
    by_line = {line: row for (line, _), row in zip(below, rows, strict=True)}
    return _lists(header, by_line, options, problems)


def from_columns(
    table: pa.Table, header: Header, options: ReadOptions, problems: Problems
) -> dict[str, RetrievalLists]:
    """The same of a table in memory, or in a Parquet file.

    Raises
    ------
    ReadError
        As `read`.
    """
    cells = table.to_pydict().values()
    columns = [["" if cell is None else str(cell) for cell in own] for own in cells]
    return _lists(header, dict(enumerate(zip(*columns, strict=True), 1)), options, problems)


def _cells(lines: Sequence[str]) -> list[list[str]]:
    """Cells of lines separated as the first one is."""
    first = lines[0]
    separator = max("\t,;", key=first.count)
    if separator not in first:
        return [line.split() for line in lines]
    # Row by row: a quote that does not end is a cell of its own row only.
    return [next(csv.reader([line], delimiter=separator), []) for line in lines]


def _lists(
    header: Header, rows: Mapping[int, Sequence[str]], options: ReadOptions, problems: Problems
) -> dict[str, RetrievalLists]:
    """Lists of each algorithm, of rows by their lines."""
    own: dict[str, list[int]] = {}
    for line, row in rows.items():
        name = "" if header.algorithm is None else row[header.algorithm].strip()
        query, text = row[header.query].strip(), "\t".join(row)
        problems.is_first((name, query), line, text, "DuplicateQuery", f"query {query}")
        own.setdefault(name, []).append(line)
    problems.raise_any()

    def numbers(some: Sequence[int], place: int, otherwise: float) -> Iterator[float]:
        for line in some:
            text = rows[line][place].strip()
            value = otherwise if text.lower() in UNDEFINED else _table.number(text, "")
            if isinstance(value, tuple):
                message = f"expected a number, or nothing, found {text[:40]!r}"
                problems.add("NotANumber", line, "\t".join(rows[line]), message)
            else:
                yield value

    found: dict[str, RetrievalLists] = {}
    for name, some in own.items():
        given = {score: [*numbers(some, place, math.nan)] for score, place in header.scores.items()}
        known = ABOUT & header.about.keys()
        about = {one: [*numbers(some, header.about[one], one == "weight")] for one in known}
        problems.raise_any()
        place = header.about.get("class")
        classes = [] if place is None else [rows[line][place].strip() for line in some]
        found[name] = RetrievalLists(
            [],
            [],
            np.zeros(len(some) + 1, np.int64),
            about.get("n_relevant", np.zeros(len(some))),
            weight=about.get("weight"),
            query=[rows[line][header.query].strip() for line in some],
            query_class=classes if any(classes) else None,
            class_level=int(max(about.get("class_level", [0]))) or None,
            direction=options.direction or "descending",
            given=given,
        )
    return found


def algorithms_of(lists: RetrievalLists, score: str) -> dict[str, RetrievalLists]:
    """Each of several columns as the same score of another algorithm.

    Where a table has no column of algorithms, its columns are these; but Foldseek's are the
    sensitivities at three levels of one.

    Parameters
    ----------
    lists : RetrievalLists
        Of one algorithm, with scores that were given.
    score : str
        What they are then called.
    """
    given = lists.given or {}
    if len(given) < 2 or {*FOLDSEEK} <= {name.lower() for name in given}:
        return {}
    return {name: lists.replaced(given={score: values}) for name, values in given.items()}
