"""Files of search programs become retrieval lists.

To add a format: a module with ``recognise`` and ``read``, and its line in `FORMATS`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from tapviz.files.source import Progress
from tapviz.labels import (
    ClassTable,
    File,
    Held,
    Hits,
    Labels,
    Problem,
    ReadError,
    Source,
    name_of,
    problem,
    warn,
)
from tapviz.lists import Direction, RetrievalLists
from tapviz.readers import biocreative, blast, hmmer, hmmer2, table, tap, trec
from tapviz.readers._lines import Match, Options, Problems
from tapviz.readers._others import unread, unrecognised
from tapviz.readers.table import write_parquet
from tapviz.readers.tap import write_tap

__all__ = [
    "FORMATS",
    "ClassTable",
    "Detection",
    "Format",
    "FormatInfo",
    "Problem",
    "ReadError",
    "detect",
    "formats",
    "read",
    "read_all",
    "write_parquet",
    "write_tap",
]

Found = Hits | RetrievalLists | dict[str, Hits] | dict[str, RetrievalLists]


class Format(NamedTuple):
    """A format `read` knows.

    Attributes
    ----------
    title : str
        What it is.
    programs : str
        Which programs write it.
    sample : str
        Two lines of it.
    recognise : callable
        Whether the first lines of a file look like it, how surely and by what.
    read : callable
        From a file and what a person says about it, its hits, which need labels, or its lists;
        of several algorithms by name.
    takes : tuple of str
        What a person can say about it, besides the direction.
    """

    title: str
    programs: str
    sample: str
    recognise: Callable[[Sequence[bytes]], Match | None]
    read: Callable[[Source, Options, Problems], Found]
    takes: tuple[str, ...] = ("score",)


def _no_text(_head: Sequence[bytes]) -> None:
    """Nothing: Parquet is recognised by its first bytes, and has no lines."""


# Of formats that a file looks like equally surely, the first one is taken.
FORMATS = {
    "domtblout": Format(
        "HMMER3 --domtblout",
        "phmmer, jackhmmer, hmmsearch, hmmscan",
        "# target name accession tlen query name accession qlen E-value score bias # of c-Evalue\n"
        "fn3           PF00041.13  86 7LESS_DROME P13368   2554 5.6e-57 178.0  0.4 1  9     0.33",
        hmmer.recognise_domains,
        hmmer.read_domains,
    ),
    "hmmer": Format(
        "HMMER3 --tblout",
        "phmmer, jackhmmer, hmmsearch, hmmscan",
        "# target name        accession  query name           accession    E-value  score  bias\n"
        "d1x3ka_              -          d2bk9a_              -            5.5e-18   64.6   0.0",
        hmmer.recognise,
        hmmer.read,
    ),
    "hmmer2": Format(
        "HMMER2 reports",
        "hmmpfam, hmmsearch",
        "Model        Description                                Score    E-value  N\n"
        "F_a.1.1.2                                                26.5    1.1e-08   1",
        hmmer2.recognise,
        hmmer2.read,
    ),
    "blast7": Format(
        "BLAST -outfmt 7, with comments",
        "blastp, psiblast, rpsblast; SSEARCH and FASTA -m 8C; DIAMOND --header verbose",
        "# Fields: query acc.ver, subject acc.ver, % identity, ..., evalue, bit score\n"
        "d2bk9a_\td2c0ka_\t39.583\t144\t86\t1\t1\t143\t1\t144\t3.11e-40\t130",
        blast.recognise_comments,
        blast.read,
        ("columns", "score", "iteration"),
    ),
    "table": Format(
        "tables with a line of column names: CSV, TSV",
        "MMseqs2 and Foldseek --format-mode 4, DIAMOND --header simple, spreadsheets, pandas, R",
        "algorithm,query,record,score,relevant,n_relevant\nBLASTP,d2bk9a_,d2c0ka_,3.11e-40,1,18",
        table.recognise,
        table.read,
    ),
    "blast": Format(
        "BLAST -outfmt 6, also with columns of one's own",
        "BLAST, DIAMOND, MMseqs2, Foldseek, SSEARCH and FASTA -m 8, USEARCH and VSEARCH blast6out",
        "d2bk9a_\td2c0ka_\t39.583\t144\t86\t1\t1\t143\t1\t144\t3.11e-40\t130\n"
        "d2bk9a_\td1x3ka_\t26.351\t148\t101\t3\t1\t147\t5\t145\t3.88e-21\t81.6",
        blast.recognise,
        blast.read,
        ("columns", "score", "iteration"),
    ),
    "profmark": Format(
        "profmark .out",
        "HMMER's benchmark",
        "2.04672e-40 131.0 VM001/5/39-152 VM001\n0.0033 18.2 decoy75382 VM001",
        trec.recognise_profmark,
        trec.read_profmark,
    ),
    "trec": Format(
        "TREC run",
        "what trec_eval reads",
        "q1 Q0 D286 1 29.4866 system\nq1 Q0 D194 2 24.067 system",
        trec.recognise,
        trec.read,
        (),
    ),
    "int": Format(
        "BioCreative II.5 INT results",
        "proteins of articles, as bc-evaluate reads them",
        "10.1016/j.febslet.2005.01.870\tP65260\t1\t0.96\n"
        "10.1016/j.febslet.2005.01.870\tP06931\t2\t0.92",
        biocreative.recognise,
        biocreative.read,
    ),
    "ipt": Format(
        "BioCreative II.5 IPT results",
        "pairs of proteins of articles, as bc-evaluate reads them",
        "10.1016/j.febslet.2007.01.033\tQ30142\tQ84474\t1\t0.96\n"
        "10.1016/j.febslet.2007.01.033\tP12828\tQ09159\t2\t0.92",
        biocreative.recognise_pairs,
        biocreative.read_pairs,
    ),
    "act": Format(
        "BioCreative II.5 ACT results",
        "classes of articles, as bc-evaluate reads them",
        "10.1016/j.febslet.2005.08.162\t1\t1\t0.97\n10.1016/j.febslet.2006.10.782\t0\t1\t0.94",
        biocreative.recognise_classes,
        biocreative.read_classes,
    ),
    "reseek": Format(
        "reseek .tsv",
        "reseek -search with its own columns; others need columns",
        "0.9212\td1a1xa_\td1jsga_\t3.1e-09\n0.4713\td1a1xa_\td2bk9a_\t0.052",
        blast.recognise_reseek,
        blast.read_reseek,
        ("columns", "score"),
    ),
    "tap": Format(
        "retrieval lists of NCBI's TAP programs",
        "TAP-k, tap.pl, tapviz",
        "d2bk9a_\n18",
        tap.recognise,
        tap.read,
        (),
    ),
    "parquet": Format(
        "Parquet, with the columns of a table",
        "tapviz, pandas, polars, R",
        "(binary) algorithm  query    record   score     relevant  n_relevant\n"
        "         BLASTP     d2bk9a_  d2c0ka_  3.11e-40  true      18",
        _no_text,
        table.read_parquet,
    ),
}


class FormatInfo(NamedTuple):
    """What a person wants to know of a format."""

    name: str
    title: str
    programs: str
    sample: str


class Detection(NamedTuple):
    """What a file looks like.

    Attributes
    ----------
    format : str
        Name of the format.
    certainty : {"certain", "likely", "possible"}
        Whether the file says so itself, looks like nothing else, or could be something else.
    why : str
        By what it was recognised.
    """

    format: str
    certainty: Literal["certain", "likely", "possible"]
    why: str


CERTAINTIES = ("certain", "likely", "possible")


def formats() -> list[FormatInfo]:
    """Return the formats that `read` knows, each with a sample of two lines."""
    return [FormatInfo(name, *known[:3]) for name, known in FORMATS.items()]


def detect(path: File) -> Detection:
    """Recognise the format of a file from its content, not its name.

    Parameters
    ----------
    path : path
        A file of a search program, which may be compressed with gzip, zstd or bzip2.

    Raises
    ------
    ReadError
        If the file cannot be opened, or looks like nothing that is read.
    """
    source = Source(path)
    _check_known(source)
    return _detect(source)


def read(
    path: File,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    labels: Labels | None = None,
    queries: File | Iterable[str] | None = None,
    algorithm: str | None = None,
    columns: str | Sequence[str] | None = None,
    score: str | None = None,
    iteration: int | None = None,
    swap: bool = False,
    progress: Progress | None = None,
) -> RetrievalLists:
    """Read the retrieval lists of one algorithm.

    Parameters
    ----------
    path : path or Held
        A file of a search program; what gzip, zstd or bzip2 made small is unpacked, up to 16 GB,
        and beyond 64 MB up to 200 times its size.
    format : str, optional
        Format of the file, a name in `formats`. Default: recognised from its content, with a
        warning where it could be another one.
    direction : {"ascending", "descending"}, optional
        Whether small or large scores are good, where neither the format nor the column says so:
        E-values ascend. Default for retrieval lists of TAP and tables with a column "score": as
        the lists are sorted.
    labels : ClassTable, Qrels or other labels, optional
        What is relevant, unless the file says it itself.
    queries : path or iterable of str, optional
        The queries to keep, in this order, with an empty list where there is no hit; or a file
        with an id per line, of which the first word counts. Default: the queries of the file.
        A program that finds nothing for a query often writes nothing, so that means over queries
        are wrong without it.
    algorithm : str, optional
        Which one, where a table has several; see `read_all`.
    columns : str or sequence of str, optional
        Names of the columns of a table without a line of names, as they were given to the
        program: "qseqid sseqid evalue bitscore". "std" stands for the 12 usual ones.
    score : str, optional
        The column to judge by, such as "bits", "prob", "lddt" or, of BioCreative, "rank".
        Default: E-values, where there are any, or what the format has.
    iteration : int, optional
        Iteration of PSI-BLAST to read, of queries that ended before it the last. Default: the
        last one of each query.
    swap : bool
        Exchange queries and records, as for hmmscan where profiles are what was searched with.
    progress : callable, optional
        Called now and then with the bytes read, the size of the file and the lines read; what it
        raises ends the reading.

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
        If a file could be of another format, looks cut off, or rows of a query are apart.
    """
    asked = _Asked(
        path, format, direction, labels, queries, columns, score, iteration, swap, progress
    )
    found, wanted = _load(asked)
    file = name_of(path)
    if algorithm is None and len(found) > 1:
        message = (
            f"several algorithms are in this file: {', '.join(map(repr, found))}; say which one, "
            "as in algorithm=..., or read them all with read_all"
        )
        raise ReadError([problem("AlgorithmNeeded", file, None, "", message)])
    if algorithm is not None and algorithm not in found:
        message = f"no algorithm {algorithm!r} here, but {', '.join(map(repr, found)) or 'none'}"
        raise ReadError([problem("MissingAlgorithm", file, None, "", message)])
    one = found[algorithm] if algorithm is not None else next(iter(found.values()))
    return _judged(one, asked, wanted)


def read_all(
    path: File,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    labels: Labels | None = None,
    queries: File | Iterable[str] | None = None,
    columns: str | Sequence[str] | None = None,
    score: str | None = None,
    iteration: int | None = None,
    swap: bool = False,
    progress: Progress | None = None,
) -> dict[str, RetrievalLists]:
    """Read the retrieval lists of all algorithms of a file.

    Only tables with a column of algorithms hold more than one. All algorithms have the queries
    that any of them has, with empty lists where it found nothing.

    Parameters
    ----------
    path, format, direction, labels, queries, columns, score, iteration, swap, progress
        As in `read`.

    Returns
    -------
    dict of str to RetrievalLists
        By the name of the algorithm; where the file does not say it, by that of the file without
        endings.

    Raises
    ------
    ReadError, ValueError, TypeError
        As `read`.

    Warns
    -----
    UserWarning
        As `read`.
    """
    asked = _Asked(
        path, format, direction, labels, queries, columns, score, iteration, swap, progress
    )
    found, wanted = _load(asked)
    name = Path(name_of(path)).name
    return {
        one or name.split(".")[0] or name: _judged(hits, asked, wanted)
        for one, hits in found.items()
    }


class _Asked(NamedTuple):
    """What `read` was asked for."""

    path: File
    format: str | None
    direction: Direction | None
    labels: Labels | None
    queries: File | Iterable[str] | None
    columns: str | Sequence[str] | None
    score: str | None
    iteration: int | None
    swap: bool
    progress: Progress | None


def _load(asked: _Asked) -> tuple[dict[str, Hits | RetrievalLists], list[str] | None]:
    """Hits or lists of each algorithm of a file, and the queries to keep."""
    options = _options(asked)
    source = Source(asked.path, asked.progress)
    wanted = None if asked.queries is None else _query_ids(asked.queries)
    empty = not source.is_parquet and not any(line.strip() for line in source.head)
    if empty and (asked.format in (None, "tap", "table") or wanted is None):
        if any(line.strip() for _, line in source.lines()):
            message = "the file begins with thousands of blank lines; remove them"
        else:
            message = "the file is empty; if the program found nothing, give format and queries"
        raise ReadError([problem("EmptyInput", source.file, None, "", message)])
    _check_known(source)
    problems = Problems(source.file)
    name = asked.format or _format(source, options, problems)
    if (name == "parquet") is not source.is_parquet:
        what = "is a Parquet file" if source.is_parquet else "is no Parquet file"
        message = f"expected {name!r}, but this {what}; leave format out"
        raise ReadError([problem("WrongFormat", source.file, None, "", message)])
    for option in ("columns", "score", "iteration"):
        if getattr(options, option) is not None and option not in FORMATS[name].takes:
            msg = f"{source.file}: {option} has no meaning for {name!r} files"
            raise ValueError(msg)
    found = FORMATS[name].read(source, options, problems)
    problems.raise_any()
    for doubt in problems.doubts:
        warn(source.file, doubt)
    several: Mapping[str, Hits | RetrievalLists]
    several = found if isinstance(found, dict) else {"": found}
    return {one: _checked(hits, name, asked, wanted) for one, hits in several.items()}, wanted


def _options(asked: _Asked) -> Options:
    """Check what does not depend on the file."""
    if asked.format is not None and asked.format not in FORMATS:
        msg = f"format {asked.format!r}: expected one of {', '.join(map(repr, FORMATS))}"
        raise ValueError(msg)
    if asked.direction not in (None, "ascending", "descending"):
        msg = f'direction {asked.direction!r}: expected "ascending" or "descending"'
        raise ValueError(msg)
    if isinstance(asked.labels, (str, os.PathLike)):  # the type says no, but people do it
        msg = f"labels: expected a ClassTable, give ClassTable.read({os.fspath(asked.labels)!r})"  # type: ignore[unreachable]
        raise TypeError(msg)
    if asked.iteration is not None and asked.iteration < 1:
        msg = f"iteration {asked.iteration}: expected 1 or more"
        raise ValueError(msg)
    return Options(
        direction=asked.direction,
        columns=None if asked.columns is None else blast.column_names(asked.columns),
        score=asked.score,
        iteration=asked.iteration,
    )


def _checked(
    found: Hits | RetrievalLists, name: str, asked: _Asked, wanted: Sequence[str] | None
) -> Hits | RetrievalLists:
    """Hits or lists with what they need, or the error that says so."""
    file = name_of(asked.path)
    if isinstance(found, RetrievalLists):
        if asked.labels is not None:
            msg = f"{file}: this file says itself what is relevant; leave labels out"
            raise ValueError(msg)
        if asked.swap:
            msg = f"{file}: swap is for hits, not for lists that are judged already"
            raise ValueError(msg)
        return found
    if asked.labels is None:
        advice = (
            f'a "{name}" file does not say what is relevant: give '
            "labels=ClassTable.read(...) or --labels classes.tsv, a table of ids and classes"
        )
        if found.relevant is not None:
            advice = (
                "the file says which records are relevant, but not how many are in the database, "
                "T(q): add a column n_relevant, or give labels=Inline.read(...), a table of T(q)"
            )
        raise ReadError([problem("LabelsNeeded", file, None, "", advice)])
    if not found.query_id and wanted is None:
        message = "there is no hit in this file; if that is so, say for which queries"
        raise ReadError([problem("EmptyInput", file, None, "", message)])
    if asked.swap:
        found = found._replace(
            query_id=found.record_id,
            record_id=found.query_id,
            query=found.record,
            record=found.query,
        )
    return found


def _judged(
    found: Hits | RetrievalLists, asked: _Asked, wanted: list[str] | None
) -> RetrievalLists:
    if isinstance(found, RetrievalLists):
        return found if wanted is None else _pick(name_of(asked.path), found, wanted)
    if asked.labels is None:  # `_checked` has said so
        raise TypeError
    return asked.labels.lists(found, wanted)


def _check_known(source: Source) -> None:
    if other := unread(source.file, source.head):
        raise ReadError([other])


def _format(source: Source, options: Options, problems: Problems) -> str:
    """Name of the format of a file; a warning if it could be another one."""
    if options.columns is not None:
        # No table with columns of somebody's own looks like anything.
        named = blast.recognise_comments(source.head)
        return "blast7" if named else "blast"
    found = _detect(source)
    if found.certainty == "possible":
        problems.warn(
            f"taken for {found.format!r} ({FORMATS[found.format].title}), since {found.why}; if it "
            "is, give format"
        )
    return found.format


def _detect(source: Source) -> Detection:
    if source.is_parquet:
        return Detection("parquet", "certain", "it begins with PAR1")
    matches: list[Detection] = []
    if any(line.strip() for line in source.head):
        for name, known in FORMATS.items():
            match = known.recognise(source.head)
            if match is not None:
                matches.append(Detection(name, match.certainty, match.why))
    if matches:
        return min(matches, key=lambda found: CERTAINTIES.index(found.certainty))
    raise ReadError([unrecognised(source.file, source.head)])


def _query_ids(queries: File | Iterable[str]) -> list[str]:
    """Ids of queries, from a file or as they are."""
    if not isinstance(queries, (str, os.PathLike, Held)):
        ids = [str(query) for query in queries]
        if twice := [query for query in dict.fromkeys(ids) if ids.count(query) > 1]:
            msg = f"queries: {twice[0]!r} occurs more than once"
            raise ValueError(msg)
        if not ids:
            msg = "queries: expected at least one id"
            raise ValueError(msg)
        return ids
    file = name_of(queries)
    first: dict[str, int] = {}
    problems = []
    for number, line in Source(queries).lines():
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
    """Keep some lists, in the order wanted."""
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
        query_class=None if lists.query_class is None else lists.query_class[rows],
        n_irrelevant=None if lists.n_irrelevant is None else lists.n_irrelevant[rows],
    )
