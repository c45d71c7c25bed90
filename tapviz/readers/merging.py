"""Several files of one algorithm as one; and what the names of files say: algorithm or query."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tapviz.files import File, Held, Source, name_of, option, refuse
from tapviz.files.source import PACKED
from tapviz.labels import Hits
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import numbered
from tapviz.readers._lines import canonical, first_line, is_number
from tapviz.readers.blast import STANDARD
from tapviz.readers.options import ReadOptions

DOT = re.compile(r"\.(?!\d)")
"""What begins the endings of a file; that in 7.5 is of a version or a setting."""
OF_RECORD = ("score", "relevant", "record")
OF_QUERY = ("query", "n_relevant", "weight", "query_class", "n_irrelevant", "reported_to")
"""Arguments of `RetrievalLists` that have a value for each record, or for each query."""


def merged(name: str, parts: Sequence[Hits | RetrievalLists]) -> Hits | RetrievalLists:
    """One algorithm's hits, or lists, that several files hold.

    The hits of a query may be in several files; lists of a query are in one.

    Parameters
    ----------
    name : str
        The algorithm.
    parts : sequence of Hits or of RetrievalLists
        Of at least one file, in the order of the files.

    Raises
    ------
    ValueError
        If they are of both kinds, some say what is relevant and some do not, or their scores
        differ in direction; or if a query has two lists.
    """
    hits = [one for one in parts if isinstance(one, Hits)]
    lists = [one for one in parts if isinstance(one, RetrievalLists)]
    if (hits and lists) or len({one.relevant is None for one in hits}) > 1:
        refuse(f"{name}: some files say what is relevant, and others do not")
    if len({one.direction for one in parts}) > 1:
        refuse(f"{name}: scores of some files ascend, those of others descend")
    return _merged_hits(name, hits) if hits else _merged_lists(name, lists)


def _merged_hits(name: str, parts: Sequence[Hits]) -> Hits:
    query_id, queries = _united([one.query_id for one in parts])
    record_id, records = _united([one.record_id for one in parts])
    relevant = [one.relevant for one in parts if one.relevant is not None]
    limits = {(one.reported_to, one.reported_how) for one in parts}
    reported_to, reported_how = limits.pop() if len(limits) == 1 else (None, "said")
    return parts[0]._replace(
        file=name,
        query_id=query_id,
        record_id=record_id,
        query=np.concatenate([at[one.query] for at, one in zip(queries, parts, strict=True)]),
        record=np.concatenate([at[one.record] for at, one in zip(records, parts, strict=True)]),
        score=np.concatenate([one.score for one in parts]),
        relevant=np.concatenate(relevant) if relevant else None,
        n_skipped=sum(one.n_skipped for one in parts),
        reported_to=reported_to,
        reported_how=reported_how,
    )


def _united(parts: Sequence[Sequence[str]]) -> tuple[list[str], list[NDArray[np.int32]]]:
    """Ids of several parts together, and the place there of each part's."""
    together, place = numbered(chain.from_iterable(parts))
    return together, np.split(place, np.cumsum([*map(len, parts)])[:-1])


def _merged_lists(name: str, parts: Sequence[RetrievalLists]) -> RetrievalLists:
    queries = [query for one in parts for query in one.query.tolist()]
    if len({*queries}) < len(queries):
        twice = next(one for one in queries if queries.count(one) > 1)
        refuse(f"{name}: query {twice} has a list in two files; expected each once")
    scores = {tuple(one.given or ()) for one in parts}
    if len(scores) > 1:
        refuse(f"{name}: files of one algorithm have different scores of each query")

    known = all(one.reported_how is not None for one in parts)
    joined: dict[str, NDArray[np.generic] | None] = {}
    for field in (*OF_RECORD, *OF_QUERY):
        values = [getattr(one, field) for one in parts]
        whole = all(one is not None for one in values) and (known or field != "reported_to")
        joined[field] = np.concatenate(values) if whole else None
    length = np.concatenate([np.diff(one.offset) for one in parts])
    given_by = [one.given or {} for one in parts]
    given = {score: np.concatenate([own[score] for own in given_by]) for score in scores.pop()}
    return parts[0].replaced(
        **joined,
        offset=np.concatenate([[0], np.cumsum(length)]),
        **dict.fromkeys(("grades", "kept", "join_report", "run")),
        reported_how=parts[0].reported_how if known else None,
        given=given or None,
    )


def with_query(file: File, options: ReadOptions) -> tuple[File, ReadOptions]:
    """The file with a first column that holds its own name, as the query of each row.

    Parameters
    ----------
    file : path or Held
        A table of the hits of one query: with a line of names, or with names in `options`.
    options : ReadOptions
        Those of reading the file.

    Returns
    -------
    file : path or Held
    options : ReadOptions
        Those of reading what was returned.
    """
    source = Source(file)
    if source.is_parquet:
        refuse(f"{option('query_from_name')}: {source.file} is not text")
    query = query_of(name_of(file))
    lines = source.data().splitlines()
    first = first_line(lines).text
    separator = next((mark for mark in (b"\t", b",", b";") if mark in first), b" ")
    names = options.columns or first.decode("utf-8", "replace").split(separator.decode())
    nameless = options.columns is None and is_number(first.rpartition(separator)[2])
    if "query" in map(canonical, names) or (nameless and len(names) == len(STANDARD)):
        has = f"{source.file} has a column of queries already"
        refuse(f"{has}: leave {option('query_from_name')} out")
    if separator.decode() in query or '"' in query:  # which CSV quotes, and blanks cannot
        if separator not in (b"\t", b","):
            refuse(f"{option('query_from_name')}: rename {source.file}, or separate by tabs")
        query = '"' + query.replace('"', '""') + '"'
    cell = b"query" if options.columns is None else query.encode()
    for at, line in enumerate(lines):
        if line.strip() and line[:1] != b"#":
            lines[at] = cell + separator + line
            cell = query.encode()
    if options.columns is not None:
        options = replace(options, columns=("query", *options.columns))
    return Held(source.file, b"\n".join([*lines, b""])), options


def query_of(file: str) -> str:
    """Id of a query in the name of a file: without folder, ending, and that of what packed it.

    Examples
    --------
    >>> from tapviz.readers.merging import query_of
    >>> query_of("hits/d1.2.tsv.gz"), query_of("d2bk9a_")
    ('d1.2', 'd2bk9a_')
    """
    path = Path(file)
    if path.suffix.lower() in PACKED:
        path = path.with_suffix("")
    return path.stem


def short_name(file: str) -> str:
    """What an algorithm is called by its file alone: without folder and endings.

    Examples
    --------
    >>> from tapviz.readers.merging import short_name
    >>> short_name("hits/blastp.v1.tsv.gz"), short_name("mmseqs_s7.5.m8"), short_name(".hits")
    ('blastp', 'mmseqs_s7.5', '.hits')
    """
    name = Path(file).name
    return DOT.split(name)[0] or name


def names_of(files: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """What algorithms are called by their files: the shortest names that tell these apart.

    Parameters
    ----------
    files : iterable of str
        Names of files, with folders where these are known.
    taken : collection of str
        Names of algorithms that were named otherwise.

    Examples
    --------
    >>> from tapviz.readers.merging import names_of
    >>> list(names_of(["blastp.v1.tsv.gz", "blastp.v2.tsv.gz", "phmmer.v1.tbl"]).values())
    ['blastp.v1', 'blastp.v2', 'phmmer']
    >>> list(names_of(["old/blastp.tsv", "new/blastp.tsv"]).values())
    ['old/blastp', 'new/blastp']
    """
    alike: dict[str, list[str]] = {}
    for file in dict.fromkeys(files):
        alike.setdefault(short_name(file), []).append(file)
    found: dict[str, str] = {}
    for group in alike.values():
        longer = zip(*map(_names, group), strict=True)
        apart = (one for one in longer if {*one}.isdisjoint(taken) and len({*one}) == len(one))
        found |= zip(group, next(apart, group), strict=True)
    return found


def _names(file: str) -> tuple[str, ...]:
    """What an algorithm can be called by its file, the shortest name first."""
    path, bare = Path(file), query_of(file)
    return short_name(file), bare, str(Path(path.parent.name, bare)), path.name, file
