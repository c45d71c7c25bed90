"""Who is relevant to whom: tables that turn the hits of a search program into retrieval lists.

Here too, because labels are files like any others: how a file is opened, and the one exception
that says what is wrong with it.
"""

from __future__ import annotations

import codecs
import gzip
import os
import warnings
import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import Direction, RetrievalLists

MAX_PROBLEMS = 10
MAX_TEXT = 80


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file.

    Attributes
    ----------
    code : str
        Short name of the kind of problem, such as "BadColumnCount".
    file : str
        The file as it was given.
    line : int or None
        Line, from 1; None where the whole file is meant.
    text : str
        What stands there: at most 80 characters, control characters made visible.
    message : str
        What was expected, what was found and what to do.
    """

    code: str
    file: str
    line: int | None
    text: str
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}, line {self.line}"
        text = f"\n    {self.text}" if self.text else ""
        return f"{place}: {self.message} ({self.code}){text}"


class ReadError(ValueError):
    """A file cannot be read.

    Attributes
    ----------
    problems : list of Problem
        The first problems of the file, at most 10, in the order of its lines.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)[:MAX_PROBLEMS]
        super().__init__("\n".join(map(str, self.problems)))


def problem(code: str, file: str, line: int | None, text: str | bytes, message: str) -> Problem:
    """Make a `Problem` whose text is short and printable."""
    if isinstance(text, bytes):
        text = text[: 4 * MAX_TEXT].decode("utf-8", "replace")
    visible = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:MAX_TEXT]
    )
    return Problem(code, file, line, visible[:MAX_TEXT], message)


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a text file: gzip is unpacked, lines end in LF, the text is known to be UTF-8.

    Raises
    ------
    ReadError
        If there is no such file, it may not be read, is damaged or is not UTF-8 text.
    """
    file = os.fspath(path)
    data = b""
    code, message = "NotFound", ""
    expected = "expected UTF-8 text; if it is text in another encoding, save it as UTF-8"
    try:
        data = Path(path).read_bytes()
        if data.startswith(b"\x1f\x8b"):
            data = gzip.decompress(data)
    except FileNotFoundError:
        message = "there is no such file; check the path"
    except IsADirectoryError:
        message = "this is a folder; give a file in it"
    except PermissionError:
        message = "no permission to read this file"
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        code = "Encoding"
        message = f"the gzip data is cut off or damaged ({error}); copy the file again"
    except (OSError, ValueError) as error:
        message = f"cannot be read: {error}"
    data = data.removeprefix(codecs.BOM_UTF8)
    if message:
        pass
    elif data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        code, message = "Encoding", f"this is UTF-16 text: {expected}"
    elif b"\0" in data:
        code, message = "Encoding", f"this is a binary file: {expected}"
    if message:
        raise ReadError([problem(code, file, None, "", message)])
    if not data.isascii():
        _check_utf8(data, file, expected)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return data


def _check_utf8(data: bytes, file: str, expected: str) -> None:
    decoder = codecs.getincrementaldecoder("utf-8")()
    step = 1 << 24  # in pieces, so that no second copy of a large file is made
    at = 0
    try:
        for at in range(0, len(data), step):
            decoder.decode(data[at : at + step], final=at + step >= len(data))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, at + error.start) + 1
        found = problem("Encoding", file, line, "", f"these bytes are not UTF-8: {expected}")
        raise ReadError([found]) from None


class Hits(NamedTuple):
    """What a search program found, as its file says it, before anybody says what is relevant.

    Attributes
    ----------
    file : str
        Where the hits were read.
    query_id : list of str, length Q
        Ids of the queries the file names, also those without hits.
    record_id : list of str, length R
        Ids of the records found.
    query, record : ndarray of int, shape (N,)
        Place in `query_id` and in `record_id` of each hit, in the order of the file.
    score : ndarray of float64, shape (N,)
        E-value or score of each hit as read.
    bits : ndarray of float64, shape (N,), or None
        Bit score of each hit, where the file has it besides.
    direction : {"ascending", "descending"}
        Whether small scores are good.
    relevant : ndarray of bool, shape (N,), or None
        What the file itself says of each hit, where it does.
    """

    file: str
    query_id: list[str]
    record_id: list[str]
    query: NDArray[np.integer]
    record: NDArray[np.integer]
    score: NDArray[np.float64]
    bits: NDArray[np.float64] | None = None
    direction: Direction = "ascending"
    relevant: NDArray[np.bool_] | None = None


@dataclass(frozen=True, eq=False)
class ClassTable:
    """A classification of the records of the database, and by it of what is relevant.

    Classes have levels, as a.1.1.2: class, fold, superfamily, family. A record is relevant to a
    query if their classes agree to level `relevant`. If they agree only to level `ignored`,
    nobody can say: the record is left out and counts nowhere. All others are irrelevant, also
    records that the table does not know. T(q) counts the records of the table, found or not,
    that are relevant, without the query itself.

    Parameters
    ----------
    records : mapping of str to str
        Class of each record of the database.
    queries : mapping of str to str, optional
        Class of each query, where queries are not records of the database.
    relevant : int
        Level to which the classes of relevant records agree.
    ignored : int
        Level to which the classes of records that are left out agree; 0 to leave none out.

    Raises
    ------
    ValueError
        If a class has fewer levels than `relevant`, or the levels make no sense.
    """

    records: Mapping[str, str]
    queries: Mapping[str, str] | None = None
    relevant: int = 3
    ignored: int = 2

    def __post_init__(self) -> None:
        if not 0 <= self.ignored <= self.relevant or self.relevant < 1:
            msg = (
                f"relevant={self.relevant}, ignored={self.ignored}: expected levels of the class, "
                "1 or more for relevant, and 0 to relevant for ignored"
            )
            raise ValueError(msg)
        for table in (self.records, self.queries or {}):
            for key, name in table.items():
                if wrong := _wrong_class(name, self.relevant):
                    msg = f"{key}: class {name!r}: {wrong}"
                    raise ValueError(msg)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        queries: str | os.PathLike[str] | None = None,
        relevant: int = 3,
        ignored: int = 2,
    ) -> ClassTable:
        """Read a table of two columns, id and class, separated by a tab.

        Parameters
        ----------
        path : path
            The classes of the records of the database. Blank lines and lines that begin with
            ``#`` are skipped; the file may be gzipped.
        queries : path, optional
            A second such table, with the classes of the queries, where they are not records of
            the database.
        relevant, ignored
            As in `ClassTable`.

        Raises
        ------
        ReadError
            If a file cannot be read; the error names the lines.
        ValueError
            If the levels make no sense.
        """
        return cls(
            records=_read_classes(path, relevant),
            queries=None if queries is None else _read_classes(queries, relevant),
            relevant=relevant,
            ignored=ignored,
        )

    def class_of(self, query: str) -> str | None:
        """Class of a query, None if the table does not say."""
        return (self.records if self.queries is None else self.queries).get(query)

    def n_relevant(self, queries: Sequence[str]) -> NDArray[np.int64]:
        """T(q) of some queries: records of the table that are relevant, the query left out.

        Parameters
        ----------
        queries : sequence of str, length Q
            Their ids.

        Returns
        -------
        ndarray of int64, shape (Q,)

        Raises
        ------
        KeyError
            If the table has no class for a query.
        """
        members = self._members(self.relevant)
        total = np.zeros(len(queries), np.int64)
        for row, query in enumerate(queries):
            own = self.class_of(query)
            if own is None:
                raise KeyError(query)
            group = _prefix(own, self.relevant)
            itself = self.records.get(query)
            total[row] = members[group] - (
                itself is not None and _prefix(itself, self.relevant) == group
            )
        return total

    def lists(self, hits: Hits, queries: Sequence[str] | None = None) -> RetrievalLists:
        """Judge hits: the retrieval lists of a search.

        The hit of a query on itself is dropped. Of several hits on one record (HSPs) the one
        with the smallest E-value is kept. Lists are in the order of E-values, equal ones in that
        of the file. T(q) and F(q) take the table for the database; a hit on a record that it does
        not know leaves F(q) unknown.

        Parameters
        ----------
        hits : Hits
        queries : sequence of str, optional
            The queries to keep, in this order, with empty lists where there is no hit. Default:
            those that the file names. Queries without a class are left out with a warning.

        Raises
        ------
        ReadError
            If the table knows no query, or no record, of the file.
        """
        wanted = hits.query_id if queries is None else list(queries)
        known = self._known(hits, wanted)
        place = {query: row for row, query in enumerate(known)}
        row_of = np.array([place.get(query, -1) for query in hits.query_id], np.int32)
        row = row_of[hits.query]

        of_query = [self.class_of(query) for query in hits.query_id]
        of_record = [self.records.get(record) for record in hits.record_id]

        def agree(level: int) -> NDArray[np.bool_]:
            codes: dict[str, int] = {}
            query = _class_codes(of_query, level, codes, unknown=-1)
            record = _class_codes(of_record, level, codes, unknown=-2)
            same: NDArray[np.bool_] = query[hits.query] == record[hits.record]
            return same

        record_place = {record: at for at, record in enumerate(hits.record_id)}
        itself = np.array([record_place.get(query, -1) for query in hits.query_id], np.int32)
        relevant = agree(self.relevant)
        kept = (row >= 0) & (itself[hits.query] != hits.record)
        kept &= relevant | ~agree(self.ignored)

        at, offset = _best_first(hits, row, np.flatnonzero(kept), len(known))
        n_relevant = self.n_relevant(known)
        n_irrelevant = None
        if None not in of_record:  # else the database has records that the table does not know
            n_irrelevant = self._n_other(known) - n_relevant
        return RetrievalLists(
            score=hits.score[at],
            relevant=relevant[at],
            offset=offset,
            n_relevant=n_relevant,
            query=known,
            direction="ascending",
            record=np.array(hits.record_id, np.object_)[hits.record[at]],
            query_class=[self.class_of(query) or "" for query in known],
            n_irrelevant=n_irrelevant,
        )

    def _members(self, level: int) -> Counter[str]:
        """Records of the table in each class of a level."""
        members: Counter[str] = Counter()
        for name, count in Counter(self.records.values()).items():
            members[_prefix(name, level)] += count
        return members

    def _n_other(self, queries: Sequence[str]) -> NDArray[np.int64]:
        """Records of the table that are relevant or irrelevant to queries, themselves left out."""
        group, wide = self._members(self.relevant), self._members(self.ignored)
        total = np.full(len(queries), len(self.records), np.int64)
        for row, query in enumerate(queries):
            own, itself = self.class_of(query) or "", self.records.get(query)
            if self.ignored:
                total[row] -= wide[_prefix(own, self.ignored)] - group[_prefix(own, self.relevant)]
            if itself is not None:
                left_out = self.ignored and _prefix(itself, self.ignored) == _prefix(
                    own, self.ignored
                )
                related = _prefix(itself, self.relevant) == _prefix(own, self.relevant)
                total[row] -= related or not left_out
        return total

    def _known(self, hits: Hits, wanted: Sequence[str]) -> list[str]:
        """Return the wanted queries that have a class; warn of the others."""
        table = self.records if self.queries is None else self.queries
        known = [query for query in wanted if query in table]
        if not known:
            raise _strangers(hits.file, wanted, table)
        if hits.record_id and not any(record in self.records for record in hits.record_id):
            raise _strangers(hits.file, hits.record_id, self.records)
        if len(known) < len(wanted):
            without = [query for query in wanted if query not in table]
            warnings.warn(
                f"{hits.file}: {len(without)} of {len(wanted)} queries have no class in the table "
                f"and are left out: {_samples(without)}",
                UserWarning,
                stacklevel=4,
            )
        return known


def _strangers(file: str, ids: Sequence[str], table: Mapping[str, str]) -> ReadError:
    message = (
        f"file and class table have no id in common: the file has {_samples(ids)}, the table has "
        f"{_samples(list(table))}; make the ids agree"
    )
    return ReadError([problem("NoOverlap", file, None, "", message)])


def _class_codes(
    classes: Sequence[str | None], level: int, codes: dict[str, int], *, unknown: int
) -> NDArray[np.int32]:
    """Classes up to a level as numbers; what has no class, or level 0, gets one of its own."""
    code: dict[str | None, int] = {None: unknown}
    for name in set(classes) - {None}:
        code[name] = codes.setdefault(_prefix(name or "", level), len(codes)) if level else unknown
    return np.array([code[name] for name in classes], np.int32)


def _best_first(
    hits: Hits, row: NDArray[np.int32], at: NDArray[np.int64], n_queries: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order the hits `at` by query and E-value, as listed if equal; keep the best on each record.

    Returns the hits and the offset of each list. Most programs write them so: only lists that are
    not sorted, or have a record twice, are touched, one by one.
    """
    of_query = row[at]
    if (of_query[1:] < of_query[:-1]).any():
        at = at[np.argsort(of_query, kind="stable")]
        of_query = row[at]
    length = np.bincount(of_query, minlength=n_queries)
    evalue, record = hits.score[at], hits.record[at]
    same = of_query[1:] == of_query[:-1]
    untidy = np.zeros(n_queries, np.bool_)
    untidy[of_query[1:][same & (evalue[1:] < evalue[:-1])]] = True
    pair = of_query * np.int64(len(hits.record_id)) + record
    pair.sort()
    untidy[pair[1:][pair[1:] == pair[:-1]] // max(len(hits.record_id), 1)] = True
    bounds = np.concatenate([[0], np.cumsum(length)])
    first = np.empty(len(hits.record_id), np.int64)
    kept = np.ones(at.size, np.bool_)
    for query in np.flatnonzero(untidy).tolist():
        start, stop = bounds[query], bounds[query + 1]
        own = start + np.argsort(evalue[start:stop], kind="stable")
        found = record[own]
        first[found[::-1]] = own[::-1]  # of equal indices the last one written stays
        kept[start:stop] = first[found] == own
        at[start:stop] = at[own]
        length[query] = kept[start:stop].sum()
    return at[kept], np.concatenate([[0], np.cumsum(length)])


def _samples(ids: Sequence[str]) -> str:
    return ", ".join(ids[:2]) + (", ..." if len(ids) > 2 else "") if ids else "nothing"


def _prefix(name: str, level: int) -> str:
    return ".".join(name.split(".")[:level])


def _wrong_class(name: str, levels: int) -> str:
    parts = name.split(".")
    if len(parts) < levels or not all(parts[:levels]):
        return (
            f"expected at least {levels} levels separated by dots, as in a.1.1.2; if classes have "
            "fewer levels, say to which one relevant records agree, as in relevant=1, ignored=0"
        )
    return ""


def _read_classes(path: str | os.PathLike[str], levels: int) -> dict[str, str]:
    file = os.fspath(path)
    classes: dict[str, str] = {}
    first: dict[str, int] = {}
    problems: list[Problem] = []
    for number, line in enumerate(read_bytes(path).decode().split("\n"), 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) != 2 or not all(columns):
            message = f"expected 2 columns separated by a tab, id and class, found {len(columns)}"
            problems.append(problem("BadColumnCount", file, number, line, message))
        elif wrong := _wrong_class(columns[1], levels):
            problems.append(problem("BadClass", file, number, line, wrong))
        elif columns[0] in classes:
            message = f"{columns[0]} is also in line {first[columns[0]]}; expected each id once"
            problems.append(problem("DuplicateTarget", file, number, line, message))
        else:
            classes[columns[0]] = columns[1]
            first[columns[0]] = number
        if len(problems) == MAX_PROBLEMS:
            break
    if not problems and not classes:
        message = "expected a table of ids and classes, found nothing"
        problems.append(problem("EmptyInput", file, None, "", message))
    if problems:
        raise ReadError(problems)
    return classes
