"""What can be said about files of results, and about the files that say what is relevant."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from tapviz.files import Held, name_of, problems
from tapviz.files.options import OptionError, chosen, field_names, option, options_of, refuse
from tapviz.files.tables import ARROW, FileLike, Tabled, held, is_columns, table_of
from tapviz.labels import RELEVANCE, ClassTable, Inline, JoinRules, Labels, Qrels
from tapviz.labels.rules import STANDARDS, Standard, Unrelated
from tapviz.lists import Direction
from tapviz.lists.reported import FIELD
from tapviz.readers._table import number

OF_CLASSES = ("levels", "standard", "ignore_class", "with_others", "query_labels")
"""Options about classes of records."""
OF_RELEVANCE = (*RELEVANCE, *OF_CLASSES, *options_of(JoinRules))
"""Options that say what is relevant."""
FILE = (str, os.PathLike, Held, Tabled)
"""Types of what is read: paths, bytes with a name, tables with a name."""
_of_classes = partial(option, roles=("labels", "query_labels"))
_of_format = partial(option, by_format=True)


@dataclass(frozen=True, kw_only=True)
class ReadOptions(JoinRules):
    """Options of reading: arguments of `read`, flags of the command line and fields of the page.

    The rules by which hits and labels are joined, `JoinRules`, are among them; they are for labels
    that are files, since other labels have rules of their own.

    Raises
    ------
    ValueError
        If a value makes no sense, alone or together with others.

    Examples
    --------
    >>> from tapviz import read
    >>> from tapviz.readers import ReadOptions
    >>> options = ReadOptions(labels="classes.tsv.gz", queries="queries.txt", levels=(4, 2))
    >>> [read(file, options).n_queries for file in ("blastp.tsv.gz", "ssearch.tsv.gz")]
    [21, 21]
    """

    labels: Labels | FileLike | None = option(
        label="classes of records",
        help=": an id, a tab and a class such as a.1.1.2 on each line",
        metavar="TABLE",
    )
    qrels: FileLike | None = option(
        label="pairs with grades",
        help=": query, record and grade on each line, as in TREC's qrels",
        metavar="PAIRS",
    )
    gold: FileLike | None = option(
        label="gold sets",
        help=": a query and what is relevant to it on each line, as in BioCreative",
        metavar="SETS",
    )
    totals: FileLike | None = option(
        label="T(q) of each query",
        help=": a query and a whole number on each line, where the results mark what is relevant "
        "but not how many relevant records there are",
        metavar="TABLE",
    )
    query_labels: FileLike | None = option(
        label="classes of queries",
        help=", where they are not records of the database: an id, a tab and a class on each line",
        metavar="TABLE",
    )
    queries: FileLike | Sequence[str] | None = option(
        label="list of all queries",
        help=", with or without hits, one id per line; by default the queries of the results, "
        "although many programs write nothing for a query without hits",
        metavar="LIST",
    )
    runs: FileLike | None = option(
        label="what runs cost",
        help=": program, version, seconds and memory of each algorithm, as TOML, a table or the "
        "output of /usr/bin/time -v; by default runs.toml beside the results",
        metavar="FILE",
    )
    levels: tuple[int, int, int] = _of_classes(
        (3, 2, 0),
        kind="numbers",
        help="class levels that must agree for a record to be relevant, to be left out as related, "
        "and to be left out as too close; 0 leaves none out, and the last may be omitted",
        metavar="RELEVANT,IGNORED,CLOSER",
        label=(
            "relevant: same class to level",
            "ignore hits that share only level (0: none)",
            "ignore closer relatives, from level (0: none)",
        ),
        width=280,
    )
    standard: tuple[str, ...] = option(
        (),
        help="named standards of relevance instead of levels, separated by commas: "
        f"{', '.join(STANDARDS)}",
        metavar="NAMES",
    )
    ignore_class: tuple[str, ...] = _of_classes(
        (),
        help="classes whose records never count as errors, such as e, or ranges within which no "
        "hit is an error, such as b.67-b.70; separated by commas",
        metavar="CLASSES",
        label="classes that are never errors",
        placeholder="e, b.67-b.70",
    )
    with_others: bool = _of_classes(
        False,
        help="keep only queries that have other records in their family, in their superfamily "
        "outside it, and in their fold outside that, as Foldseek's benchmark does",
        label="only queries with others of family, superfamily and fold",
    )
    format: str | None = option(
        help="format of the results, if it is not recognised from their content"
    )
    score: str | None = _of_format(
        help="column of the score, such as bits, prob or lddt; rank means the order of the file, "
        "if it has no column of that name; by default E-values, or else the score of the format",
        metavar="COLUMN",
        label="score column",
        placeholder="E-value (default), bits, rank",
    )
    direction: Direction | None = option(
        kind="choice",
        choices={"as the file says": None, "small": "ascending", "large": "descending"},
        help="whether small scores are better (ascending, as for E-values) or large ones, where "
        "neither the format nor the column says so; by default as the lists are sorted",
        label="better scores are",
        width=150,
    )
    columns: tuple[str, ...] | None = _of_format(
        help="names of the columns of a table without a header, as they were given to the program, "
        "separated by blanks or commas: 'qseqid sseqid evalue'; std stands for the usual 12",
        metavar="NAMES",
        label="names of the columns",
        placeholder="usual 12; or qseqid sseqid evalue",
        width=250,
    )
    query_from_name: bool = _of_format(
        False,
        help="each file has the hits of one query, whose id is the file's name without its "
        "extension; for tables without a query column",
        label="the query is the name of the file",
    )
    iteration: int | None = _of_format(
        least=1,
        help="iteration of PSI-BLAST to read, or the last one of queries that ended before it; by "
        "default the last one of each query",
        label="iteration of PSI-BLAST",
        placeholder="the last",
        width=150,
    )
    reported_to: float | Mapping[str, float] | None = option(
        help="score up to which the program reported hits, such as the E-value limit of the "
        "search; for several files, one per algorithm: BLASTP=10,DIAMOND=0.001; by default what "
        "the file says, or what is inferred from the ends of its lists",
        metavar="LIMIT",
        label=FIELD,
        placeholder="10; or BLASTP=10, DIAMOND=0.001",
        width=250,
    )
    swap: bool = option(
        False,
        help="swap queries and records, as for hmmscan, where the profiles were the queries",
        label="swap queries and records, as for hmmscan",
    )

    skip_bad_rows: bool = option(
        False,
        help="leave out rows that cannot be read, unless that is most of them; the number left out "
        "is reported",
        label="leave out rows that cannot be read",
    )

    def __post_init__(self) -> None:
        if self.columns is not None:
            self._set("columns", _words(self.columns, r"[\s,+]+"))
        for name in ("standard", "ignore_class"):
            self._set(name, tuple(filter(None, _words(getattr(self, name) or (), r"[\s,]+"))))
        levels: tuple[int, ...] = self.levels
        if isinstance(levels, tuple) and len(levels) == len(("relevant", "ignored")):
            self._set("levels", (*levels, 0))
        if self.reported_to is not None:
            self._set("reported_to", _limits(self.reported_to))
        normalise: Sequence[str] = self.normalise
        if isinstance(normalise, list):
            self._set("normalise", tuple(normalise))
        for name in (*RELEVANCE, "query_labels", "runs", "queries"):
            self._set(name, _held(name, getattr(self, name)))
        super().__post_init__()
        self._check_labels()
        self._check_standard()

    def _check_standard(self) -> None:
        one, levels, labels = map(problems.option, ("standard", "levels", "labels"))
        for name in self.standard:
            if name not in STANDARDS:
                refuse(f"{one}: no {name!r}; expected some of {', '.join(STANDARDS)}")
        if self.standard and "levels" in chosen(self):
            refuse(f"{one} and {levels} both say what is relevant: leave one out")
        if self.standard and self.labels is None:
            refuse(f"{one} is about classes of records: give them by {labels}")
        for text in self.ignore_class:
            try:
                Unrelated.read(text)
            except ValueError as error:
                raise OptionError(f"{problems.option('ignore_class')}: {error}") from None

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_labels(self) -> None:
        given = [name for name in RELEVANCE if getattr(self, name) is not None]
        if len(given) > 1:
            named = [f"{_called(getattr(self, name))} ({problems.option(name)})" for name in given]
            files = " and ".join(named)
            refuse(f"only one file can say what is relevant, but there are {files}: leave one out")
        if self.labels is None or isinstance(self.labels, FILE):
            if self.query_labels is not None and self.labels is None:
                file, labels = name_of(self.query_labels), problems.option("labels")
                refuse(f"{file} has classes of queries: give those of records, too, by {labels}")
            return
        rules = {*OF_CLASSES, *options_of(JoinRules)} & chosen(self).keys()
        if rules:
            one = problems.option(min(rules))
            refuse(f"{one} is for labels in a file: these labels have rules of their own")

    def limit_of(self, algorithm: str) -> float | None:
        """Score up to which an algorithm reported hits; None if nobody has said it."""
        limits = self.reported_to
        return limits.get(algorithm) if isinstance(limits, Mapping) else limits

    def read_labels(self) -> Labels | None:
        """Read what is relevant; None if nothing says so. Of several standards it is the first.

        Raises
        ------
        ReadError
            If the file cannot be read.
        ValueError
            If the levels make no sense.
        """
        rules = JoinRules(**{one.name: getattr(self, one.name) for one in fields(JoinRules)})
        readers = {"qrels": Qrels.read, "gold": Qrels.read_gold, "totals": Inline.read}
        for name, read in readers.items():
            if (file := getattr(self, name)) is not None:
                return read(file, rules=rules)
        if self.labels is None or not isinstance(self.labels, FILE):
            return self.labels
        standards = [STANDARDS[name] for name in self.standard] or [Standard(*self.levels)]
        deepest = max(standards, key=lambda one: one.depth)
        asked = {name: getattr(deepest, name) for name in ("relevant", "ignored", "closer")}
        asked |= {"ignore_class": self.ignore_class, "with_others": self.with_others}
        table = ClassTable.read(self.labels, queries=self.query_labels, rules=rules, **asked)
        return table.judged_by(standards[0])


FIELDS = field_names(ReadOptions) | {
    "FORMATS": "the field “format”",
    "queries": "a file with the list of all queries",
}
"""What the page calls each option."""


def _words(given: str | Iterable[str], between: str) -> tuple[str, ...]:
    """Words as they are, or as a person or a program writes them in one text."""
    return tuple(re.split(between, given.strip()) if isinstance(given, str) else given)


class _Limits(dict[str, float]):
    """Limits by algorithm: a part of options, which can be keys."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))


def _limits(given: str | float | Mapping[str, float | str]) -> float | _Limits:
    """Limits as a person or a program writes them: one for all, or one for each algorithm."""
    if isinstance(given, str) and "=" in given:
        given = dict(part.rsplit("=", 1) for part in given.split(",") if "=" in part)
    if isinstance(given, Mapping):
        return _Limits({str(name).strip(): _limit(value) for name, value in given.items()})
    return _limit(given)


def _limit(given: float | str) -> float:
    value = number(str(given), "")
    if isinstance(value, tuple):
        expected = "a number, or one for each algorithm as in BLASTP=10,DIAMOND=0.001"
        refuse(f"{problems.option('reported_to')} is {given!r}: expected {expected}")
    return value


def _held(name: str, given: Any) -> Any:
    """What was given for a file: a file, a table, labels as they are, or ids of queries."""
    if given is None or hasattr(given, "lists"):
        return given
    is_table = hasattr(given, ARROW) and type(given).__name__ != "Series"
    is_file = isinstance(given, FILE) or hasattr(given, "read")
    if name == "queries" and not (is_table or is_file or hasattr(given, "collect")):
        if not isinstance(given, Iterable):
            msg = f"{name}: expected ids, a file or a table; found {type(given).__name__}"
            raise TypeError(msg)
        return tuple(str(one).strip() for one in given)
    if name == "runs" and isinstance(given, Mapping) and not is_columns(given):
        runs: list[Any] = [getattr(own, "known", own) for own in given.values()]
        if not all(isinstance(own, Mapping) for own in runs):
            msg = f"{name}: expected {{algorithm: {{field: value}}}}; found {given!r:.60}"
            raise TypeError(msg)
        fields = dict.fromkeys(key for own in runs for key in own)
        columns = {key: [str(own.get(key, "")) for own in runs] for key in fields}
        return Tabled(name, table_of({"algorithm": [*map(str, given)], **columns}))
    return held(given, name)


def _called(labels: Labels | FileLike) -> str:
    return name_of(labels) if isinstance(labels, FILE) else type(labels).__name__
