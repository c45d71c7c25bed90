"""Results of text retrieval: TREC runs, and those of BioCreative II.5.

Of BioCreative, proteins (INT) or their pairs (IPT) of articles, and articles (ACT). Lists are by
confidence; with ``score="rank"`` they are by rank.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files import MAX_CELL, MAX_PROBLEMS, TEXT, Budget, Problems, Source, option, too_long
from tapviz.labels import Hits, pair_id
from tapviz.lists.checks import numbered
from tapviz.readers import _lines, _table
from tapviz.readers.options import ReadOptions

# TREC: query, Q0, document, rank, score, tag

EXPECTED = "expected 6 columns, query Q0 document rank score tag, found {}"
RUN = _table.words({"query": 0, "document": 2, "rank": 3}, {"score": 4}, "score", 6, EXPECTED)


def recognise_trec(head: Sequence[bytes]) -> _lines.Match | None:
    """Whether the first lines of a file look like a TREC run, even with mistakes."""
    cells = _lines.first_line(head).text.split()
    if 4 < len(cells) < 8 and cells[1].upper() == b"Q0":
        return _lines.Match("certain", "the second column is Q0")
    if len(cells) == RUN.width and cells[3].isdigit() and _lines.is_number(cells[4]):
        return _lines.Match("possible", "6 columns, of which 4 and 5 could be rank and score")
    return None


def read_trec(source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read a run by its scores, of which large values are better unless `options` says otherwise.

    Ranks and tags are ignored, as trec_eval does, but ranks that contradict are warned of;
    ``score="rank"`` is the order of the file.

    Raises
    ------
    ReadError
        If a row is not as it should be, or a document is twice in a list.
    """
    asked = replace(options, score="score" if options.score is None else options.score)
    ranked = _lines.score_column({"score": 4}, asked, problems) == _lines.RANK
    problems.raise_any()
    rows = _table.read_rows(_lines.pieces(source, lambda _: (RUN, 0)), problems)
    problems.raise_any()
    direction = options.direction or ("ascending" if ranked else "descending")
    hits = rows.hits(source.file, direction, ranked=ranked)
    _lines.warn_if_split(hits, problems)
    _check_pairs(source, hits, problems)
    if ranked or options.direction is not None:
        return hits
    ascending = option("direction", "ascending")
    if hits.score.size and hits.score.max() <= 0:
        seen = "no score is above 0, and large values are taken to be better"
        problems.warn(f"{seen}; if these are E-values or distances, set {ascending}")
    elif hits.score.size and _ranks_contradict(hits, *rows.texts(2)):
        seen = "large scores are taken to be better, but in most lists ranks rise with the scores"
        problems.warn(f"{seen}, as if small ones were; if they are, set {ascending}")
    return hits


def _ranks_contradict(hits: Hits, ranks: Sequence[str], codes: NDArray[np.int32]) -> bool:
    """Whether in most lists ranks rise with the scores."""
    rank = np.array([float(text) if text.isdecimal() else np.nan for text in ranks])[codes]
    agrees = _lines.rises(rank) * -_lines.rises(hits.score)
    return bool(_lines.contradict(hits.query, agrees * (hits.query[1:] == hits.query[:-1])))


def _check_pairs(source: Source, hits: Hits, problems: Problems) -> None:
    """Find documents that are twice in a list."""
    pair = hits.query * np.int64(max(len(hits.record_id), 1)) + hits.record
    _, first = np.unique(pair, return_index=True)
    for row in np.delete(np.arange(pair.size), first)[:MAX_PROBLEMS].tolist():
        document, query = hits.record_id[hits.record[row]], hits.query_id[hits.query[row]]
        message = f"document {document} is twice in the list of query {query}; expected each once"
        problems.add("DuplicateTarget", *source.row(row), message)
    problems.raise_any()


# BioCreative II.5

ACT_QUERY = "ACT"
SCORES = {"confidence": 1, "rank": 0}
CLASSES = {"1": True, "t": True, "true": True, "y": True, "yes": True, "+": True}
CLASSES |= {"0": False, "f": False, "false": False, "n": False, "no": False, "-": False}
DOI = re.compile(rb"10\.[0-9]+/\S")
Task = Literal["int", "ipt", "act"]
COLUMNS: dict[Task, str] = {
    "int": "article, protein, rank and confidence",
    "ipt": "article, two proteins, rank and confidence",
    "act": "article, class (0 or 1), rank and confidence",
}


class Row(NamedTuple):
    """A result."""

    line: int
    text: str
    query: str
    record: str
    group: tuple[str, bool]  # in which ranks run from 1: a query, or a class of articles
    rank: int
    confidence: float

    def in_list(self, last: int) -> tuple[int, float]:
        """Rank and confidence; those of an article of class 0 count from the end of the list."""
        if self.group[1]:
            return self.rank, self.confidence
        return last - self.rank, -self.confidence


def recognise(task: Task, head: Sequence[bytes]) -> _lines.Match | None:
    """Whether the first rows of a file look like results of a task, even with mistakes."""
    rows = [line.split(b"\t") for line in head if line.strip()][:20]
    cells = rows[0] if rows else []
    fits = {
        "int": 3 <= len(cells) <= 4 and not _is_class(cells[1]),
        "ipt": len(cells) == 5 and not any(map(_lines.is_number, cells[1:3])),
        "act": len(cells) == 4 and _is_class(cells[1]),
    }
    if not fits[task]:
        return None
    # The document comes first, rank and confidence last.
    doi = DOI.match(cells[0]) is not None
    ranked = cells[-2].strip().isdigit() and _lines.is_number(cells[-1])
    if doi and ranked:
        return _lines.Match("likely", "a DOI, and a rank and a confidence at the end of the row")
    if doi and len(cells) == 3 and cells[-1].strip().isdigit():
        return _lines.Match("possible", "a DOI and a rank")
    last = [_table.number(row[-1].decode("utf-8", "replace"), "") for row in rows]
    if ranked and all(
        len(row) == len(cells) and isinstance(value, float) and 0 <= value <= 1
        for row, value in zip(rows, last, strict=True)
    ):
        return _lines.Match("possible", "the last columns could be a rank and a confidence")
    return None


def _is_class(cell: bytes) -> bool:
    """Whether this could be meant for a class; no protein has such a name."""
    text = cell.strip().decode("utf-8", "replace").lower()
    return text in CLASSES or re.fullmatch("[0-9]", text) is not None


def read(task: Task, source: Source, options: ReadOptions, problems: Problems) -> Hits:
    """Read proteins of articles (INT), their pairs (IPT), or the classes of articles (ACT).

    A pair has no order: the record is ``A|B``. Classes are one list, of the query "ACT": the
    articles of class 1 come first, then those of class 0, the most certain one last; their
    confidence is taken as negative, and their rank from the end.

    Raises
    ------
    ReadError
        If a row is not as it should be.
    """
    asked = replace(options, score=options.score or "confidence")
    name, direction = _lines.scored_by(SCORES, asked, problems)
    rows: list[Row] = []
    budget = Budget(source.file)
    for number, line in source.lines():
        if line.strip():
            budget.take(10 * TEXT + 3 * len(line), number)
            rows += _row(line.decode(), number, task, problems)
        if problems.full:
            break
    _check_ranks(rows, problems)
    _check_records(rows, task, problems)
    problems.raise_any()
    _warn_if_rising(rows, problems)
    place = {query: at for at, query in enumerate(dict.fromkeys(row.query for row in rows))}
    last = len(rows) + 1
    rows.sort(key=lambda row: (place[row.query], row.in_list(last)[0]))
    query_id, query = numbered(row.query for row in rows)
    record_id, record = numbered(row.record for row in rows)
    score = np.array([row.in_list(last)[SCORES[name]] for row in rows], np.float64)
    return Hits(source.file, query_id, record_id, query, record, score, direction)


def _row(text: str, line: int, task: Task, problems: Problems) -> Iterator[Row]:
    """The result in a line, if there is one."""
    cells = [cell.strip() for cell in text.split("\t")]
    width = 5 if task == "ipt" else 4
    if len(cells) != width or not all(cells):
        wanted = f"expected {width} columns separated by tabs, {COLUMNS[task]}"
        problems.add("BadColumnCount", line, text, f"{wanted}, found {sum(map(bool, cells))}")
        return
    if len(longest := max(cells, key=len)) > MAX_CELL:
        problems.add("CellTooLong", line, text, too_long(longest))
        return
    query, record, positive = cells[0], cells[1], True
    if task == "ipt":
        record = pair_id(*cells[1:3])
    elif task == "act":
        query, record, positive = ACT_QUERY, cells[0], CLASSES.get(cells[1].lower(), True)
        if cells[1].lower() not in CLASSES:
            message = f"class: expected 0 or 1, found {cells[1][:40]!r}"
            problems.add("BadRelevance", line, text, message)
    rank = int(cells[-2]) if re.fullmatch("[0-9]{1,9}", cells[-2]) else 0
    if not rank:
        code, expected = "NotANumber", "a whole number"
        if re.fullmatch("[+-]?[0-9]+", cells[-2]):
            code, expected = "RankOutOfRange", "1 or more"
        problems.add(code, line, text, f"rank: expected {expected}, found {cells[-2][:40]!r}")
    confidence = _table.number(cells[-1], "confidence")
    if isinstance(confidence, tuple):
        problems.add(confidence[0], line, text, confidence[1])
        confidence = 0.0
    elif not 0 < confidence <= 1:
        message = f"confidence: expected more than 0 and at most 1, found {cells[-1][:40]!r}"
        problems.add("ConfidenceOutOfRange", line, text, message)
    yield Row(line, text, query, record, (query, positive), rank, confidence)


def _check_ranks(rows: Sequence[Row], problems: Problems) -> None:
    """Ranks are 1, 2, ... in each list, each once, in any order of lines."""
    groups: dict[tuple[str, bool], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row)
    for (query, _), group in groups.items():
        first: dict[int, int] = {}
        for row in group:
            before = first.setdefault(row.rank, row.line)
            if row.rank and before != row.line:
                message = f"rank {row.rank} of {query} is also in line {before}"
                problems.add("RankNotUnique", *row[:2], message)
        if problems.full or 0 in first or len(first) < len(group):
            continue
        for expected, row in enumerate(sorted(group, key=lambda row: row.rank), 1):
            if row.rank != expected:
                message = f"rank {row.rank} of {query}, but no rank {expected}; expected no gaps"
                problems.add("RankNotConsecutive", *row[:2], message)
                break


def _check_records(rows: Sequence[Row], task: Task, problems: Problems) -> None:
    code = "DuplicateQuery" if task == "act" else "DuplicateTarget"
    for row in rows:
        what = row.record if task == "act" else f"{row.record} of {row.query}"
        problems.is_first((row.query, row.record), *row[:2], code, what)


def _warn_if_rising(rows: Sequence[Row], problems: Problems) -> None:
    for above, below in pairwise(sorted(rows, key=lambda row: (row.group, row.rank))):
        if above.group == below.group and below.confidence > above.confidence:
            ranks = f"rank {above.rank} to {below.rank} of {below.group[0]}"
            differ = f"lists by confidence and by rank differ, see {option('score', 'rank')}"
            problems.warn(f"line {below.line}: the confidence rises from {ranks}; {differ}")
            return
