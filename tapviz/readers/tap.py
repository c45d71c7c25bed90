"""Retrieval lists of NCBI's TAP programs: query, T(q), then relevance and score of each record."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO, cast

import numpy as np

from tapviz.files import MAX_CELL, TEXT, Budget, Problems, Source, option, refuse, too_long
from tapviz.lists import Direction, RetrievalLists, write_atomically
from tapviz.lists.checks import Floats, Ints, retrieved
from tapviz.readers._lines import Match, Span, matches, pieces_of, span
from tapviz.readers._table import Column, Layout, expected, is_positive, read_rows
from tapviz.readers.options import ReadOptions

RELEVANCE = expected("BadRelevance", "0 or 1", ("0", "1").__contains__)
COUNT = re.compile(rb"[0-9]{1,18}")
ID = re.compile(rb"\s*[^\s,;]+\s*")
RECORD = 3  # column of its id, from 0
HEAD = 6 * TEXT  # bytes of what is known of a query
LINE = rb"[ \t\x0b\x0c]*+[^\n]++"  # that is not blank
# Not possessive: before 3.11.5 Python would take the line end that no such line follows, too.
BLOCK = re.compile(rb"^" + LINE + rb"(?:\n" + LINE + rb")*", re.MULTILINE)


class Heads(NamedTuple):
    """The first two lines of each block, and where its records are."""

    query: list[str]
    weight: list[float]
    n_relevant: list[int]
    line: list[int]  # of the query, from 1; T(q) and the records follow
    spans: list[Span]


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like this format, even with mistakes."""
    first = [line.split() for line in head if line.strip()][:3]
    if len(first[0]) > 3:
        return None
    if len([*filter(ID.fullmatch, head[:3])]) == 3:
        return None  # a list of ids: below T(q) there is a blank line, or relevance and score
    if len(first) < 2:
        return Match("possible", "a single line, which could be the id of a query")
    if len(first[1]) > 2 or re.match(rb"[-+]?[0-9]", first[1][0]) is None:
        return None
    total = len(first[0]) < 3 and len(first[1]) == 1 and COUNT.fullmatch(first[1][0])
    if total and (len(first) == 2 or first[2][0] in (b"0", b"1")):
        return Match("likely", "an id, a whole number, and rows that begin with 0 or 1")
    return Match("possible", "its first two lines, which could be an id and a number")


def read(source: Source, options: ReadOptions, problems: Problems) -> RetrievalLists:
    """Read blocks separated by blank lines; lists stay in the order of the file.

    Raises
    ------
    ReadError
        If a line is not as it should be, or the lists are not sorted in one direction.
    """
    data = source.data()
    heads = _heads(data, problems)
    among = Problems(source.file, skip_bad_rows=problems.skip_bad_rows)
    first = heads.spans[0] if heads.spans else Span(0, 0, 1, 0, 0)
    rows = read_rows(pieces_of(data, _layout(data, first), heads.spans), among)
    problems.take(among)
    problems.raise_any()
    (marks, mark), (ids, record), score = rows.texts(0), rows.texts(1), rows.numbers(0)
    relevant = np.array([one == "1" for one in marks] or [False])[mark]
    section, length = rows.runs()
    size = np.zeros(len(heads.query), np.int64)
    size[section] = length
    offset = np.concatenate([[0], np.cumsum(size)])
    listed = retrieved(relevant, offset)
    for q in np.flatnonzero(listed > heads.n_relevant):
        marked = f"query {heads.query[q]}: {listed[q]} of its records are marked relevant"
        message = f"{marked}; expected at most T(q), the number of relevant records in the database"
        problems.add("TooManyRelevant", heads.line[q] + 1, str(heads.n_relevant[q]), message)
    way = _direction(data, heads, score, offset, problems, options)
    problems.raise_any()
    known = {name: getattr(heads, name) for name in ("query", "weight", "n_relevant")}
    if any(ids):
        known["record"] = np.array([one.strip() for one in ids], np.object_)[record]
    return RetrievalLists(score, relevant, offset, **known, direction=way)


def write_tap(
    lists: RetrievalLists | Iterable[RetrievalLists], path: str | os.PathLike[str] | TextIO
) -> None:
    """Write lists in the format of NCBI's TAP programs; `read` gives the same numbers to the bit.

    Each list is the id of the query, and its weight if any is not 1; T(q); relevance and score of
    each record, and its id in column 4, where TAP-k ignores it. Classes and F(q) have no place in
    the format.

    Parameters
    ----------
    lists : RetrievalLists or iterable of them
        The lists; several are written one after the other.
    path : path or text file
        The file, which is replaced, or a file open for writing.

    Raises
    ------
    ValueError
        If the format has no way to write an id: one with a blank in it, for instance. Or if the
        file cannot be written.

    Examples
    --------
    >>> from tapviz import load_results, read
    >>> from tapviz.readers import write_tap
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> write_tap(lists, "rps-blast.tap")
    >>> bool((read("rps-blast.tap").score == lists.score).all())
    True
    """
    several = [lists] if isinstance(lists, RetrievalLists) else list(lists)
    text = "\n".join(block for one in several for block in _written(one))
    if isinstance(path, (str, os.PathLike)):
        write_atomically(path, text)
    else:
        path.write(text)


def _written(lists: RetrievalLists) -> Iterator[str]:
    """Each list as a few lines."""
    weighted = bool((lists.weight != 1).any())
    records = lists.record if lists.record is not None and (lists.record != "").any() else None
    for q, query in enumerate(lists.query.tolist()):
        if not query or not query.isprintable() or " " in query:
            refuse(f"query {query!r}: the format has no blanks in ids; rename it")
        part = slice(int(lists.offset[q]), int(lists.offset[q + 1]))
        rows = [query + (f" {lists.weight[q].item()!r}" if weighted else "")]
        rows.append(str(lists.n_relevant[q]))
        relevant, score = lists.relevant[part].tolist(), lists.score[part].tolist()
        rows += [f"{row:d}\t{value!r}" for row, value in zip(relevant, score, strict=True)]
        names = () if records is None else records[part]
        for at, record in enumerate(names, len(rows) - len(score)):
            if not record.isprintable() or record != record.strip():
                refuse(f"record {record!r}: such an id cannot be in a column; rename it")
            rows[at] += f"\t\t{record}"
        yield "\n".join(rows) + "\n"


def _heads(data: bytes, problems: Problems) -> Heads:
    """Read id, weight and T(q) of each query; the records are left for later."""
    heads, budget = Heads([], [], [], [], []), Budget(problems.file)
    for line, block in matches(BLOCK, data):
        head, *below = block[0].split(b"\n", 2)
        words = [word.decode() for word in head.split()]
        budget.take(HEAD + len(head), line)
        if len(words[0]) > MAX_CELL:
            problems.add("CellTooLong", line, head, too_long(words[0]))
        if len(words) > 2:
            found = f"expected the id of a query and at most a weight, found {len(words)} words"
            problems.add("BadHeader", line, head, f"{found}; blank lines separate the lists")
        problems.is_first(words[0], line, head, "DuplicateQuery", f"query {words[0]}")
        total = below[0].strip() if below else b""
        if not below:
            wanted = "expected the number of relevant records in the next line"
            problems.add("TruncatedRecord", line, head, f"a query without T(q): {wanted}")
        elif not COUNT.fullmatch(total):
            wanted = "expected the number of relevant records in the database, T(q)"
            found = repr(total[:40].decode("utf-8", "replace"))
            problems.add("BadRelevantCount", line + 1, below[0], f"{wanted}, found {found}")
        heads.query.append(words[0])
        weight = words[1] if len(words) == 2 else "1"
        if not is_positive(weight):
            wanted = "weight: expected a positive number after the id of the query"
            found = f"found {weight[:40]!r}; an id cannot have a blank in it"
            problems.add("BadWeight", line, head, f"{wanted}, {found}")
        heads.weight.append(float(weight) if is_positive(weight) else 1.0)
        heads.n_relevant.append(int(total) if COUNT.fullmatch(total) else 0)
        heads.line.append(line)
        if len(below) == 2:
            start, stop = block.end() - len(below[1]), min(block.end() + 1, len(data))
            heads.spans.append(span(data, start, stop, line + 2, len(heads.query) - 1))
    budget.take_texts(heads.query)
    return heads


def _layout(data: bytes, first: Span) -> Layout:
    """How records are written, by the first of them."""
    row = data[first.start : first.stop].split(b"\n", 1)[0]
    separator = "\t" if b"\t" in row else " "
    width = max(row.count(separator.encode()) + 1, 2)
    place = RECORD if separator == "\t" and width > RECORD else width  # which is not there
    return Layout(
        texts=(Column("relevance", 0, RELEVANCE), Column("record", place)),
        numbers=(Column("score", 1),),
        width=width,
        separator=separator,
        expected=lambda _: "expected relevance (0 or 1) and score separated by a blank or a tab",
        split=lambda row: _cells(row, place),
    )


def _cells(row: bytes, place: int) -> list[str] | None:
    """Relevance, score, and in a place of its own the id that stands in column 4 between tabs."""
    words = [word.decode() for word in row.split(None, 2)[:2]]
    if len(words) < 2:
        return None
    columns = row.split(b"\t")
    record = columns[RECORD].decode() if len(columns) > RECORD else ""
    return [*words, *[""] * (place - 2), record]


def _direction(
    data: bytes, heads: Heads, score: Floats, offset: Ints, problems: Problems, options: ReadOptions
) -> Direction:
    """Direction of the lists, from the first unequal neighbours unless given."""
    given, step = options.direction, np.sign(np.diff(score))
    step[offset[(offset > 0) & (offset < score.size)] - 1] = 0  # between two lists
    unequal = np.flatnonzero(step)
    if given is None and not unequal.size:
        small, large = (option("direction", way) for way in ("ascending", "descending"))
        unknown = "cannot tell whether small or large scores are better"
        why = f"since no list has two different ones; set {small} (E-values) or {large} (scores)"
        problems.add("DirectionUnknown", None, b"", f"{unknown}, {why}")
        return "ascending"
    sign = int(step[unequal[0]]) if given is None else {"ascending": 1, "descending": -1}[given]
    way, other = ("ascending", "descending")[:: sign or 1]
    row = np.searchsorted(offset, unequal, side="right") - 1
    begins = np.diff(row, prepend=-1) != 0  # the first unequal neighbours of a list
    against = step[unequal] != sign
    mixed: set[int] = set()
    for at, q, first in zip(unequal[against], row[against], begins[against], strict=True):
        if problems.full:
            break
        number = heads.line[q] + 2 + int(at + 1 - offset[q])
        text = data.split(b"\n", number)[number - 1]
        if given is None and first:
            mixed.add(q)
            message = f"this list is {other}, those before it are {way}; a file has one direction"
            problems.add("MixedDirection", number, text, message)
        elif q not in mixed:
            found = f"{score[at + 1]} after {score[at]}: expected {way} scores, best record first"
            remedy = f"sort it, or set {option('direction', other)}"
            problems.add("NotMonotone", number, text, f"{found}; {remedy}")
    return cast("Direction", way)
