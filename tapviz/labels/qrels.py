"""Labels by pairs of a query and a record."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tapviz.files.problems import MAX_PROBLEMS, Problem, ReadError, problem
from tapviz.files.source import File, name_of, table_lines
from tapviz.labels.hits import Hits
from tapviz.labels.ids import grouped, normalise
from tapviz.labels.join import IRRELEVANT, RELEVANT, UNLABELLED, join
from tapviz.labels.rules import USUAL, JoinRules
from tapviz.lists import RetrievalLists

GRADE = re.compile(r"[+-]?[0-9]{1,9}")
PAIR, TREC = 3, 4  # columns
ITEM, ITEMS = 2, 3
PAIRS = (
    "query, record and grade, or query, iteration, record and grade; gold sets, which have no "
    "grades, are read by Qrels.read_gold"
)
GOLD = "query and item, or query and the items of a pair"

ACT = "ACT"
CLASS = {"0": 0, "f": 0, "false": 0, "n": 0, "-": 0, "1": 1, "t": 1, "true": 1, "y": 1, "+": 1}


@dataclass(frozen=True, eq=False)
class Qrels:
    """Relevance of pairs of a query and a record, as TREC's qrels and as gold sets.

    A record is relevant to a query if its grade is at least `min_rel`; a lower one, also a
    negative one, is irrelevant. Records without a grade for the query are irrelevant, too, unless
    the rules say otherwise. T(q) counts the relevant records, found or not. Queries with grades
    but without hits are empty lists, unless the rules say otherwise. F(q) is known where records
    without a grade are left out.

    Parameters
    ----------
    grades : mapping of str to mapping of str to int
        Of each query, the grade of each record.
    min_rel : int
        Smallest grade of a relevant record, 1 or more.
    rules : JoinRules
        What else the join goes by.

    Raises
    ------
    ValueError
        If `min_rel` is below 1.
    """

    grades: Mapping[str, Mapping[str, int]]
    min_rel: int = 1
    rules: JoinRules = USUAL

    names_queries: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.min_rel < 1:
            msg = f"min_rel={self.min_rel}: expected 1 or more, since grade 0 means irrelevant"
            raise ValueError(msg)

    @classmethod
    def read(cls, path: File, *, min_rel: int = 1, rules: JoinRules = USUAL) -> Qrels:
        """Read pairs: ``query record grade``, or TREC's ``query iteration record grade``.

        Parameters
        ----------
        path : path or Held
            Columns are separated by blanks or tabs, grades are whole numbers. Blank lines and
            lines that begin with ``#`` are skipped; the file may be packed by
            gzip, zstd or bzip2.
        min_rel, rules
            As in `Qrels`.

        Raises
        ------
        ReadError
            If the file cannot be read; the error names the lines.
        """
        table = _Table(path)
        for number, line, columns in table.rows((PAIR, TREC), PAIRS):
            if not GRADE.fullmatch(columns[-1]):
                message = f"grade: expected a whole number, found {columns[-1][:40]!r}"
                table.add("BadRelevance", number, line, message)
                continue
            table.label(number, line, columns[0], columns[-2], int(columns[-1]))
        return cls(table.done(), min_rel, rules)

    @classmethod
    def read_gold(cls, path: File, *, rules: JoinRules = USUAL) -> Qrels:
        """Read gold sets, as those of BioCreative: what is listed for a query is relevant.

        ``query item`` is an item, ``query item item`` a pair without order, whose id is that of
        `pair_id`. If all items are 0 or 1 (or f or t, n or y, - or +), they are classes of
        articles (ACT): then the articles are records of one query, "ACT".

        Parameters
        ----------
        path : path or Held
            As in `read`.
        rules
            As in `Qrels`.

        Raises
        ------
        ReadError
            If the file cannot be read; the error names the lines.
        """
        table = _Table(path)
        rows = list(table.rows((ITEM, ITEMS), GOLD))
        classes = all(len(cells) == ITEM and cells[1].lower() in CLASS for *_, cells in rows)
        for number, line, (query, *items) in rows:
            if classes:
                table.label(number, line, ACT, query, CLASS[items[0].lower()])
            else:
                record = items[0] if len(items) == 1 else pair_id(items[0], items[1])
                table.label(number, line, query, record, 1)
        return cls(table.done(), rules=rules)

    def lists(self, hits: Hits, queries: Sequence[str] | None = None) -> RetrievalLists:
        """Judge hits: the retrieval lists of a search.

        Parameters
        ----------
        hits : Hits
        queries : sequence of str, optional
            The queries to keep, in this order, with empty lists where there is no hit. Default:
            those that the file names, and then those that only the labels know. Queries without
            labels are left out with a warning.

        Raises
        ------
        ReadError
            If the labels know no query, or no record, of the file.
        """
        return join(hits, self, queries, f"grades of pairs: {self.min_rel} or more relevant")

    def query_ids(self) -> Collection[str]:
        """Queries with grades."""
        return self.grades.keys()

    def record_ids(self) -> Collection[str]:
        """Records with a grade for any query."""
        return dict.fromkeys(record for own in self.grades.values() for record in own)

    def normalised(self, hits: Hits) -> tuple[Qrels, list[list[str]]]:
        """Return the same grades with ids normalised, and the ids that became equal.

        Raises
        ------
        ReadError
            If a pair has two grades then.
        """
        rules = self.rules.normalise
        queries, records = grouped(self.grades, rules), grouped(self.record_ids(), rules)
        collisions = [
            group for side in (queries, records) for group in side.values() if len(group) > 1
        ]
        grades: dict[str, dict[str, int]] = {}
        problems: list[Problem] = []
        for query, group in queries.items():
            own = grades[query] = {}
            for before in group:
                names = normalise(self.grades[before], rules)
                for name, grade in zip(names, self.grades[before].values(), strict=True):
                    if own.setdefault(name, grade) != grade:
                        message = (
                            f"after normalise={rules!r} the labels have two grades, {own[name]} "
                            f"and {grade}, of {name} for query {query}; expected one"
                        )
                        problems.append(problem("DuplicateTarget", hits.file, None, name, message))
        if problems:
            raise ReadError(problems)
        return replace(self, grades=grades), collisions

    def judge(self, hits: Hits) -> NDArray[np.int8]:
        """State of each hit."""
        place = {record: at for at, record in enumerate(hits.record_id)}
        n_records = np.int64(len(place))
        pairs, state = [], []
        for row, query in enumerate(hits.query_id):
            for record, grade in self.grades.get(query, {}).items():
                if record in place:
                    pairs.append(row * n_records + place[record])
                    state.append(RELEVANT if grade >= self.min_rel else IRRELEVANT)
        # One more than any pair, so that every search ends at a place that is there.
        key = np.array([*pairs, len(hits.query_id) * n_records], np.int64)
        order = np.argsort(key)
        key, of_key = key[order], np.array([*state, UNLABELLED], np.int8)[order]
        wanted = hits.query * n_records + hits.record
        at = np.searchsorted(key, wanted)
        judged = of_key[at]
        judged[key[at] != wanted] = UNLABELLED
        return judged

    def totals(
        self,
        hits: Hits,  # noqa: ARG002
        queries: Sequence[str],
        found: NDArray[np.int64],  # noqa: ARG002
    ) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """T(q), and F(q) if records without a grade are left out."""
        drop = self.rules.self_hits == "drop"
        total = np.zeros((2, len(queries)), np.int64)
        for row, query in enumerate(queries):
            for record, grade in self.grades[query].items():
                if not (drop and record == query) and not self.rules.is_decoy(record):
                    total[int(grade < self.min_rel), row] += 1
        closed = self.rules.decoys is None and self.rules.unlabelled != "irrelevant"
        return total[0], total[1] if closed else None

    def classes(self, queries: Sequence[str]) -> None:  # noqa: ARG002
        """Nothing: pairs have no classes."""
        return


def pair_id(one: str, other: str) -> str:
    """Id of a pair of items without order."""
    return "|".join(sorted((one, other)))


class _Table:
    """A file of labels, read row by row."""

    def __init__(self, path: File) -> None:
        self.path, self.file = path, name_of(path)
        self.problems: list[Problem] = []
        self.grades: dict[str, dict[str, int]] = {}
        self.first: dict[tuple[str, str], int] = {}

    def add(self, code: str, number: int | None, line: str, message: str) -> None:
        """Note a problem."""
        self.problems.append(problem(code, self.file, number, line, message))

    def rows(self, widths: tuple[int, ...], expected: str) -> Iterator[tuple[int, str, list[str]]]:
        """Yield number, line and columns of the rows, which all have one of the widths."""
        for number, line in table_lines(self.path):
            columns = line.split()
            if len(columns) in widths:
                widths = (len(columns),)  # the first row tells
                yield number, line, columns
            else:
                width = " or ".join(map(str, widths))
                message = f"expected {width} columns ({expected}), found {len(columns)}"
                self.add("BadColumnCount", number, line, message)
            if len(self.problems) >= MAX_PROBLEMS:
                return

    def label(self, number: int, line: str, query: str, record: str, grade: int) -> None:
        """Note the grade of a pair, which is given once."""
        if (query, record) in self.first:
            message = (
                f"{record} is also in line {self.first[query, record]} for query {query}; "
                "expected each pair once"
            )
            self.add("DuplicateTarget", number, line, message)
            return
        self.first[query, record] = number
        self.grades.setdefault(query, {})[record] = grade

    def done(self) -> dict[str, dict[str, int]]:
        """All grades.

        Raises
        ------
        ReadError
            If anything is wrong, or there is nothing.
        """
        if not self.problems and not self.grades:
            self.add("EmptyInput", None, "", "expected labels of queries, found nothing")
        if self.problems:
            raise ReadError(sorted(self.problems, key=lambda found: found.line or 0))
        return self.grades
