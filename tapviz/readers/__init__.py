"""Files of search programs become retrieval lists.

To add a format: a module with ``recognise`` and ``read``, and its line in `FORMATS`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tapviz.labels import ClassTable, Hits, Problem, ReadError, problem, read_bytes
from tapviz.lists import Direction, RetrievalLists
from tapviz.readers import blast, hmmer, tap
from tapviz.readers._others import unread

__all__ = ["FORMATS", "ClassTable", "Format", "Problem", "ReadError", "read"]


class Format(NamedTuple):
    """A format `read` knows.

    Attributes
    ----------
    title : str
        Which programs write it.
    recognise : callable
        Whether the first lines of a file look like it.
    read : callable
        From the name of a file, its bytes and the direction given, its hits, which need labels,
        or its lists.
    """

    title: str
    recognise: Callable[[Sequence[bytes]], bool]
    read: Callable[[str, bytes, Direction | None], Hits | RetrievalLists]


# In the order in which files are tried: the most telling first.
FORMATS = {
    "hmmer": Format("HMMER3 --tblout; HMMER2 hmmpfam reports", hmmer.recognise, hmmer.read),
    "blast": Format(
        "BLAST -outfmt 6 and 7, DIAMOND, MMseqs2, FASTA -m 8", blast.recognise, blast.read
    ),
    "tap": Format("retrieval lists of NCBI's TAP programs", tap.recognise, tap.read),
}


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    labels: ClassTable | None = None,
    queries: str | os.PathLike[str] | Iterable[str] | None = None,
) -> RetrievalLists:
    """Read the retrieval lists of one algorithm.

    Parameters
    ----------
    path : path
        A file of a search program; gzip is unpacked.
    format : {"tap", "blast", "hmmer"}, optional
        Format of the file. Default: recognised from its content.
    direction : {"ascending", "descending"}, optional
        Whether small or large scores are good, for "tap". Default: as the lists are sorted.
        The E-values of "blast" and "hmmer" ascend.
    labels : ClassTable, optional
        What is relevant. "blast" and "hmmer" need it, "tap" says it itself.
    queries : path or iterable of str, optional
        The queries to keep, in this order, with an empty list where there is no hit; or a file
        with an id per line, of which the first word counts. Default: the queries of the file.
        A program that finds nothing for a query often writes nothing, so that means over queries
        are wrong without it.

    Returns
    -------
    RetrievalLists
        Q lists, N records.

    Raises
    ------
    ReadError
        If a file cannot be read; the error names up to 10 lines.
    ValueError, TypeError
        If the arguments make no sense, alone or together.

    Warns
    -----
    UserWarning
        If a file looks cut off, rows of a query are apart, or queries have no label.
    """
    if format is not None and format not in FORMATS:
        msg = f"format {format!r}: expected one of {', '.join(map(repr, FORMATS))}"
        raise ValueError(msg)
    if direction not in (None, "ascending", "descending"):
        msg = f'direction {direction!r}: expected "ascending" or "descending"'
        raise ValueError(msg)
    if isinstance(labels, (str, os.PathLike)):  # the type says no, but people do it
        msg = f"labels: expected a ClassTable, give ClassTable.read({os.fspath(labels)!r})"  # type: ignore[unreachable]
        raise TypeError(msg)
    file = os.fspath(path)
    data = read_bytes(path)
    wanted = None if queries is None else _query_ids(queries)
    if not data.strip() and (format in (None, "tap") or wanted is None):
        message = "the file is empty; if the program found nothing, give format and queries"
        raise ReadError([problem("EmptyInput", file, None, "", message)])
    head = data[:65536].split(b"\n")[:100]
    if other := unread(file, head):
        raise ReadError([other])
    name = format or _recognise(file, head)
    found = FORMATS[name].read(file, data, direction)
    del data  # a large file is not needed beside its lists
    if isinstance(found, RetrievalLists):
        if labels is not None:
            msg = f"{file}: this file says itself what is relevant; leave labels out"
            raise ValueError(msg)
        return found if wanted is None else _pick(file, found, wanted)
    if direction == "descending":
        msg = f'{file}: "{name}" files are read by E-value, and E-values ascend'
        raise ValueError(msg)
    if labels is None:
        message = (
            f'a "{name}" file does not say what is relevant: give '
            "labels=ClassTable.read(...) or --labels classes.tsv, a table of ids and classes"
        )
        raise ReadError([problem("LabelsNeeded", file, None, "", message)])
    if not found.query_id and wanted is None:
        message = "there is no hit in this file; if that is so, say for which queries"
        raise ReadError([problem("EmptyInput", file, None, "", message)])
    return labels.lists(found, wanted)


def _recognise(file: str, head: Sequence[bytes]) -> str:
    for name, known in FORMATS.items():
        if known.recognise(head):
            return name
    number, line = next((n, line) for n, line in enumerate(head, 1) if line.strip())
    known_titles = "; ".join(f'"{name}" ({known.title})' for name, known in FORMATS.items())
    message = f"expected one of {known_titles}. If it is one of them, give format"
    raise ReadError([problem("WrongFormat", file, number, line, message)])


def _query_ids(queries: str | os.PathLike[str] | Iterable[str]) -> list[str]:
    """Ids of queries, from a file or as they are."""
    if not isinstance(queries, (str, os.PathLike)):
        ids = [str(query) for query in queries]
        if twice := [query for query in dict.fromkeys(ids) if ids.count(query) > 1]:
            msg = f"queries: {twice[0]!r} occurs more than once"
            raise ValueError(msg)
        if not ids:
            msg = "queries: expected at least one id"
            raise ValueError(msg)
        return ids
    file = os.fspath(queries)
    first: dict[str, int] = {}
    problems = []
    for number, line in enumerate(read_bytes(queries).split(b"\n"), 1):
        if not line.strip():
            continue
        query = line.split()[0].decode()
        if query in first:
            message = f"query {query} is also in line {first[query]}; expected each once"
            problems.append(problem("DuplicateQuery", file, number, line, message))
        first.setdefault(query, number)
    if not first:
        message = "expected an id of a query in each line, found nothing"
        problems.append(problem("EmptyInput", file, None, "", message))
    if problems:
        raise ReadError(problems)
    return list(first)


def _pick(file: str, lists: RetrievalLists, wanted: Sequence[str]) -> RetrievalLists:
    """Keep some lists of a TAP file, in the order wanted."""
    place = {str(query): row for row, query in enumerate(lists.query)}
    missing = [query for query in wanted if query not in place]
    if missing:
        message = (
            f"{len(missing)} of the queries wanted are not in this file, {missing[0]} among them; "
            "T(q) of a query is only here, so that its list cannot be made up"
        )
        raise ReadError([problem("MissingQuery", file, None, "", message)])
    rows = [place[query] for query in wanted]
    start, end = lists.offset[rows], lists.offset[[row + 1 for row in rows]]
    at = [i for a, b in zip(start, end, strict=True) for i in range(a, b)]
    return RetrievalLists(
        score=lists.score[at],
        relevant=lists.relevant[at],
        offset=[0, *(end - start).cumsum()],
        n_relevant=lists.n_relevant[rows],
        weight=lists.weight[rows],
        query=lists.query[rows],
        direction=lists.direction,
        record=None if lists.record is None else lists.record[at],
    )
