"""Retrieval lists of NCBI's TAP programs: query, T(q), then relevance and score of each record."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from tapviz.files.source import Source
from tapviz.labels import ReadError
from tapviz.lists import Direction, RetrievalLists
from tapviz.readers._lines import Match, Options, Problems

COUNT = re.compile(rb"[0-9]{1,18}")
BLANK_LINES = re.compile(rb"([ \t\x0b\x0c]*\n)*")
END_OF_BLOCK = re.compile(rb"\n[ \t\x0b\x0c]*\n")


class Heads(NamedTuple):
    """The first two lines of each block, and where its records are."""

    query: list[str]
    weight: list[float]
    n_relevant: list[int]
    line: list[int]  # of the query, from 1; T(q) and the records follow
    spans: list[tuple[int, int]]  # of the bytes of the records


class Records(NamedTuple):
    """All records, block after block."""

    relevant: NDArray[np.bool_]
    score: NDArray[np.float64]
    record: NDArray[np.object_]


def recognise(head: Sequence[bytes]) -> Match | None:
    """Whether the first lines of a file look like this format, be it with mistakes."""
    first = [line.split() for line in head if line.strip()][:3]
    if len(first[0]) > 3:
        return None
    if len(first) < 2:
        return Match("possible", "a single line, which could be the id of a query")
    if len(first[1]) > 2 or re.match(rb"[-+]?[0-9]", first[1][0]) is None:
        return None
    total = len(first[0]) < 3 and len(first[1]) == 1 and COUNT.fullmatch(first[1][0])
    if total and (len(first) == 2 or first[2][0] in (b"0", b"1")):
        return Match("likely", "an id, a whole number, and rows that begin with 0 or 1")
    return Match("possible", "the first two lines could be an id and a number")


def read(source: Source, options: Options, problems: Problems) -> RetrievalLists:
    """Read blocks separated by blank lines; lists stay in the order of the file.

    Raises
    ------
    ReadError
        If a line is not as it should be, or the lists are not sorted in one direction.
    """
    data = source.data()
    heads = _heads(data, problems)
    size = [data.count(b"\n", *span) + (span[1] > span[0]) for span in heads.spans]
    records = _fast(data, heads.spans, sum(size)) or _slow(data, heads, problems)
    problems.raise_any()
    offset = np.concatenate([[0], np.cumsum(size, dtype=np.int64)])
    found = np.concatenate([[0], np.cumsum(records.relevant)])[offset]
    for q in np.flatnonzero(np.diff(found) > heads.n_relevant):
        message = (
            f"query {heads.query[q]}: {found[q + 1] - found[q]} of its records are marked "
            "relevant; expected at most T(q), the number of relevant records in the database"
        )
        problems.add("TooManyRelevant", heads.line[q] + 1, str(heads.n_relevant[q]), message)
    way = _direction(data, records.score, offset, heads, problems, given=options.direction)
    problems.raise_any()
    return RetrievalLists(
        score=records.score,
        relevant=records.relevant,
        offset=offset,
        n_relevant=heads.n_relevant,
        weight=heads.weight,
        query=heads.query,
        direction=way,
        record=records.record if records.record.any() else None,
    )


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
        If the format has no way to write an id: one with a blank in it, for instance.
    """
    several = [lists] if isinstance(lists, RetrievalLists) else list(lists)
    text = "\n".join(block for one in several for block in _written(one))
    if isinstance(path, (str, os.PathLike)):
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    else:
        path.write(text)


def _written(lists: RetrievalLists) -> Iterator[str]:
    """Each list as a few lines."""
    weighted = bool((lists.weight != 1).any())
    with_record = lists.record is not None and bool((lists.record != "").any())
    for q, query in enumerate(lists.query.tolist()):
        if not query or not query.isprintable() or " " in query:
            msg = f"query {query!r}: the format has no blanks in ids; rename it"
            raise ValueError(msg)
        part = slice(int(lists.offset[q]), int(lists.offset[q + 1]))
        rows = [query + (f" {lists.weight[q].item()!r}" if weighted else "")]
        rows.append(str(lists.n_relevant[q]))
        relevant, score = lists.relevant[part].tolist(), lists.score[part].tolist()
        if with_record and lists.record is not None:
            for row, value, record in zip(relevant, score, lists.record[part], strict=True):
                if not record.isprintable() or record != record.strip():
                    msg = f"record {record!r}: such an id cannot be in a column; rename it"
                    raise ValueError(msg)
                rows.append(f"{row:d}\t{value!r}\t\t{record}")
        else:
            rows += [f"{row:d}\t{value!r}" for row, value in zip(relevant, score, strict=True)]
        yield "\n".join(rows) + "\n"


def _blocks(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield line, start and end of each run of lines that are not blank."""
    data += b"\n\n"
    at, counted, number = 0, 0, 1
    while True:
        found = BLANK_LINES.match(data, at)
        at = found.end() if found else at
        if at >= len(data):
            return
        number += data.count(b"\n", counted, at)
        counted = at
        end = END_OF_BLOCK.search(data, at)
        stop = end.start() if end else len(data)
        yield number, at, stop
        at = stop + 1


def _heads(data: bytes, problems: Problems) -> Heads:
    """Read id, weight and T(q) of each query; the records are left for later."""
    heads = Heads([], [], [], [], [])
    first: dict[str, int] = {}
    for number, start, end in _blocks(data):
        head, *below = data[start:end].split(b"\n", 2)
        words = [word.decode() for word in head.split()]
        if len(words) > 2:
            message = (
                f"expected the id of a query and at most a weight, found {len(words)} words; "
                "blank lines separate the lists"
            )
            problems.add("BadHeader", number, head, message)
        if words[0] in first:
            message = f"query {words[0]} is also in line {first[words[0]]}; expected each once"
            problems.add("DuplicateQuery", number, head, message)
        first.setdefault(words[0], number)
        total = below[0].strip() if below else b""
        if not below:
            message = (
                "a query without T(q): expected the number of relevant records in the next line"
            )
            problems.add("TruncatedRecord", number, head, message)
        elif not COUNT.fullmatch(total):
            message = (
                "expected the number of relevant records in the database, T(q), found "
                f"{total[:40].decode('utf-8', 'replace')!r}"
            )
            problems.add("BadRelevantCount", number + 1, below[0], message)
        heads.query.append(words[0])
        weight = words[1] if len(words) == 2 else "1"
        heads.weight.append(_weight(weight, number, head, problems))
        heads.n_relevant.append(int(total) if COUNT.fullmatch(total) else 0)
        heads.line.append(number)
        heads.spans.append((end - len(below[1]) if len(below) == 2 else end, end))
    return heads


def _weight(text: str, number: int, row: bytes, problems: Problems) -> float:
    trial = Problems(problems.file)
    value = trial.number(text, number, row, "weight")
    if not trial.found and value > 0:
        return value
    message = (
        f"weight: expected a positive number after the id of the query, found {text[:40]!r}; an id "
        "cannot have a blank in it"
    )
    problems.add("BadWeight", number, row, message)
    return 1.0


def _fast(data: bytes, spans: list[tuple[int, int]], expected: int) -> Records | None:
    """Read all records at once; None if anything is not as it should be."""
    rows = b"\n".join(data[start:end] for start, end in spans if end > start)
    first = rows[: rows.find(b"\n")] if b"\n" in rows else rows
    delimiter = "\t" if b"\t" in rows else " "
    names = [str(column) for column in range(first.count(delimiter.encode()) + 1)]
    with_record = delimiter == "\t" and len(names) > 3
    types = {"0": pa.dictionary(pa.int32(), pa.string()), "1": pa.float64()}
    if with_record:
        types["3"] = pa.string()
    if len(names) < 2 or rows.startswith(BOM_UTF8):
        return None
    try:
        table = csv.read_csv(
            pa.BufferReader(rows),
            read_options=csv.ReadOptions(column_names=names),
            parse_options=csv.ParseOptions(delimiter=delimiter, quote_char=False),
            convert_options=csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[]
            ),
        ).unify_dictionaries()
    except pa.ArrowInvalid:
        return None
    coded = table["0"].combine_chunks()
    known = coded.dictionary.to_pylist()
    score = table["1"].to_numpy()
    if len(table) != expected or not set(known) <= {"0", "1"} or not np.isfinite(score).all():
        return None
    record = np.full(expected, "", np.object_)
    if with_record:
        record = pc.utf8_trim_whitespace(table["3"]).to_numpy()
    relevant = np.array([name == "1" for name in known], np.bool_)[coded.indices.to_numpy()]
    return Records(relevant, score, record)


def _slow(data: bytes, heads: Heads, problems: Problems) -> Records:
    """Read record by record, to say which line is wrong."""
    among = Problems(problems.file)
    relevant: list[bool] = []
    score: list[float] = []
    record: list[str] = []
    for line, span in zip(heads.line, heads.spans, strict=True):
        for number, row in enumerate(data[slice(*span)].split(b"\n"), line + 2):
            if span[0] == span[1]:
                break  # an empty list
            cells = row.split()
            if len(cells) < 2:
                message = "expected relevance (0 or 1) and score separated by a blank or a tab"
                among.add("BadColumnCount", number, row, message)
                continue
            if cells[0] not in (b"0", b"1"):
                found = cells[0][:40].decode("utf-8", "replace")
                among.add(
                    "BadRelevance", number, row, f"relevance: expected 0 or 1, found {found!r}"
                )
            relevant.append(cells[0] == b"1")
            score.append(among.number(cells[1].decode(), number, row, "score"))
            columns = row.split(b"\t")
            record.append(columns[3].decode().strip() if len(columns) > 3 else "")
        if among.full:
            break
    if among.found:
        both = problems.found + among.found
        raise ReadError(sorted(both, key=lambda found: found.line or 0))
    return Records(
        np.array(relevant, np.bool_),
        np.array(score, np.float64),
        np.array(record, np.object_),
    )


def _direction(
    data: bytes,
    score: NDArray[np.float64],
    offset: NDArray[np.int64],
    heads: Heads,
    problems: Problems,
    *,
    given: Direction | None,
) -> Direction:
    """Direction of the lists, from the first unequal neighbours unless given."""
    step = np.sign(np.diff(score))
    inner = offset[(offset > 0) & (offset < score.size)]
    step[inner - 1] = 0  # between two lists
    unequal = np.flatnonzero(step)
    if given is None and not unequal.size:
        message = (
            "no list has two different scores, so that nobody can tell whether small or large ones "
            'are good; say direction="ascending" (E-values) or "descending" (scores)'
        )
        problems.add("DirectionUnknown", None, b"", message)
        return "ascending"
    sign = int(step[unequal[0]]) if given is None else {"ascending": 1, "descending": -1}[given]
    way, other = ("ascending", "descending")[:: sign or 1]
    row = np.searchsorted(offset, unequal, side="right") - 1
    begins = np.diff(row, prepend=-1) != 0  # the first unequal neighbours of a list
    against = step[unequal] != sign
    mixed: set[Any] = set()
    for at, q, first in zip(unequal[against], row[against], begins[against], strict=True):
        if problems.full:
            break
        number = heads.line[q] + 2 + int(at + 1 - offset[q])
        text = data.split(b"\n", number)[number - 1]
        if given is None and first:
            mixed.add(q)
            message = f"this list is {other}, those before it are {way}; one file has one direction"
            problems.add("MixedDirection", number, text, message)
        elif q not in mixed:
            message = (
                f"{score[at + 1]} after {score[at]}: expected a list that is {way}, best record "
                "first; sort it, or give the other direction"
            )
            problems.add("NotMonotone", number, text, message)
    return cast("Direction", way)
