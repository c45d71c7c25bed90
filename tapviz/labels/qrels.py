"""Labels by pairs of a query and a record."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tapviz.files.rows import Row, RowError, Rows
from tapviz.files.tables import QUERY, RECORD, FileLike, Tabled, held
from tapviz.labels.hits import Hits
from tapviz.labels.ids import collisions, grouped, normalise
from tapviz.labels.join import IRRELEVANT, RELEVANT, UNLABELLED, Judge
from tapviz.labels.kinds import check_no_hits
from tapviz.labels.plausible import refuse
from tapviz.labels.rules import USUAL, JoinRules
from tapviz.lists import UNGRADED, Grades

GRADE = re.compile(r"[+-]?[0-9]{1,9}")
PAIR, TREC = 3, 4  # columns
ITEM, ITEMS = 2, 3
PAIRS = (
    "query, record and grade, or query, iteration, record and grade; gold sets, which have no "
    "grades, are read by Qrels.read_gold"
)
GOLD = "query and item, or query and the items of a pair"

GRADES = {"grade", "relevance", "relevant", "rel", "label", "score"}
"""Names of a column of grades."""

Entry = tuple[tuple[str, str], int]
"""Query and record, and the grade."""
NO_GRADE = int(np.iinfo(np.int64).min)
HIGHEST = 100
"""Grades beyond are no steps of relevance; lists do not keep them."""

ACT = "ACT"
CLASS = {"0": 0, "f": 0, "false": 0, "n": 0, "-": 0, "1": 1, "t": 1, "true": 1, "y": 1, "+": 1}


@dataclass(frozen=True, eq=False)
class Qrels(Judge):
    """Relevance of pairs of a query and a record, as TREC's qrels and as gold sets.

    A record is relevant to a query if its grade is at least `min_rel`; a lower one, also a
    negative one, is irrelevant. Records without a grade for the query are irrelevant, too, unless
    the rules differ. T(q) counts the relevant records, retrieved or not. Queries with grades
    but without hits are empty lists, unless the rules differ. F(q) is known where records
    without a grade are left out.

    Parameters
    ----------
    grades : mapping of str to mapping of str to int
        Of each query, the grade of each record.
    min_rel : int
        Smallest grade of a relevant record, 1 or more.
    rules : JoinRules
        Other rules of the join.

    Raises
    ------
    ValueError
        If `min_rel` is below 1.

    Examples
    --------
    >>> import pandas as pd
    >>> from tapviz import Qrels, read
    >>> hits = pd.DataFrame({"query": ["q1", "q1"], "record": ["d1", "d2"], "evalue": [1e-9, 0.3]})
    >>> lists = read(hits, labels=Qrels({"q1": {"d1": 1, "d2": 0, "d3": 2}}))
    >>> lists.relevant, lists.n_relevant
    (array([ True, False]), array([2]))
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
    def read(cls, path: FileLike, *, min_rel: int = 1, rules: JoinRules = USUAL) -> Qrels:
        """Read pairs: ``query record grade``, or TREC's ``query iteration record grade``.

        Parameters
        ----------
        path : path, Held, open file, table or mapping
            Columns are separated by blanks or tabs, grades are whole numbers. Blank lines and
            lines that begin with ``#`` are skipped; the file may be compressed (gzip, zstd,
            bzip2). Or a table in memory with the columns query, record and grade, without which
            all grades are 1; or ``{query: {record: grade}}``, or a list of records of each query.
        min_rel, rules
            As in `Qrels`.

        Raises
        ------
        ReadError
            If the file cannot be read; the error names the lines.
        """
        given = held(path)
        of_table = isinstance(given, Tabled)

        def entry(query: str, *rest: str) -> Entry:
            *_, record, grade = rest if len(rest) > 1 else (*rest, "1")
            if not query or not record:
                message = "expected ids of a query and a record, found an empty cell"
                raise RowError(code="BadColumnCount", message=message)
            if GRADE.fullmatch(grade):
                return (query, record), int(grade)
            message = f"grade: expected a whole number, found {grade[:40]!r}"
            raise RowError(code="BadRelevance", message=message)

        rows = Rows(given, QUERY, RECORD, GRADES)
        widths = (ITEM, PAIR, TREC) if of_table else (PAIR, TREC)
        return cls(_graded(rows, rows.read(PAIRS, widths), entry), min_rel, rules)

    @classmethod
    def read_gold(cls, path: FileLike, *, rules: JoinRules = USUAL) -> Qrels:
        """Read gold sets, as those of BioCreative: what is listed for a query is relevant.

        ``query item`` is an item, ``query item item`` a pair without order, whose id is that of
        `pair_id`. If all items are 0 or 1 (or f or t, n or y, - or +), they are classes of
        articles (ACT): then the articles are records of one query, "ACT".

        Parameters
        ----------
        path : path, Held, open file, table or mapping
            As in `read`; or ``{query: [item, ...]}``, where a pair is a tuple.
        rules
            As in `Qrels`.

        Raises
        ------
        ReadError
            If the file cannot be read; the error names the lines.
        """
        rows = Rows(path, QUERY, RECORD)
        check_no_hits(rows, GOLD)
        gold = list(rows.read(GOLD, (ITEM, ITEMS)))
        classes = all(len(row.columns) == ITEM and row.columns[1].lower() in CLASS for row in gold)

        def entry(query: str, *items: str) -> Entry:
            if classes:
                return (ACT, query), CLASS[items[0].lower()]
            return (query, items[0] if len(items) == 1 else pair_id(*items)), 1

        return cls(_graded(rows, gold, entry), rules=rules)

    @property
    def described(self) -> str:
        """What the labels are."""
        return f"grades of pairs: {self.min_rel} or more relevant"

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
        grades: dict[str, dict[str, int]] = {}
        wrong = []
        for query, group in queries.items():
            of_query = grades[query] = {}
            for before in group:
                names = normalise(self.grades[before], rules)
                for name, grade in zip(names, self.grades[before].values(), strict=True):
                    if of_query.setdefault(name, grade) != grade:
                        two = f"two grades, {of_query[name]} and {grade}, of {name}"
                        after = f"after {self.rules.normalisation} the labels have {two}"
                        wrong.append((name, f"{after} for query {query}; expected one"))
        refuse("DuplicateTarget", hits.file, wrong)
        return replace(self, grades=grades), collisions(queries, records)

    def judge(self, hits: Hits) -> NDArray[np.int8]:
        """State of each hit."""
        grade = self._grade(hits)
        state = np.where(grade >= self.min_rel, RELEVANT, IRRELEVANT).astype(np.int8)
        state[grade == NO_GRADE] = UNLABELLED
        return state

    def graded(self, hits: Hits, some: NDArray[np.bool_], queries: Sequence[str]) -> Grades | None:
        """Grades of some hits, and how many records of queries have each."""
        highest = max(max(own.values(), default=0) for own in self.grades.values())
        if highest > HIGHEST:
            return None
        total = np.zeros((len(queries), max(highest, 1) + 1), np.int64)
        for row, grade in self._counted(queries):
            if grade >= 0:
                total[row, grade] += 1
        return Grades(np.maximum(self._grade(hits)[some], UNGRADED), total)

    def _counted(self, queries: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield place of the query and grade of all records that count in the database."""
        drop = self.rules.self_hits == "drop"
        decoys = self.rules.decoys_among({one for query in queries for one in self.grades[query]})
        for row, query in enumerate(queries):
            for record, grade in self.grades[query].items():
                if not (drop and record == query) and record not in decoys:
                    yield row, grade

    def _grade(self, hits: Hits) -> NDArray[np.int64]:
        """Grade of each hit; `NO_GRADE` where there is none."""
        place = {record: at for at, record in enumerate(hits.record_id)}
        n_records = np.int64(len(place))
        pairs, grades = [], []
        for row, query in enumerate(hits.query_id):
            for record, grade in self.grades.get(query, {}).items():
                if record in place:
                    pairs.append(row * n_records + place[record])
                    grades.append(grade)
        # One more than any pair, so that every search ends at a place that is there.
        key = np.array([*pairs, len(hits.query_id) * n_records], np.int64)
        order = np.argsort(key)
        key, of_key = key[order], np.array([*grades, NO_GRADE], np.int64)[order]
        wanted = hits.query * n_records + hits.record
        at = np.searchsorted(key, wanted)
        found = of_key[at]
        found[key[at] != wanted] = NO_GRADE
        return found

    def totals(
        self,
        hits: Hits,  # noqa: ARG002
        queries: Sequence[str],
        retrieved: NDArray[np.int64],  # noqa: ARG002
    ) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
        """T(q), and F(q) if records without a grade are left out."""
        total = np.zeros((2, len(queries)), np.int64)
        for row, grade in self._counted(queries):
            total[int(grade < self.min_rel), row] += 1
        closed = self.rules.decoys is None and not self.rules.takes_unlabelled
        return total[0], total[1] if closed else None


def pair_id(one: str, other: str) -> str:
    """Id of a pair of items without order.

    Examples
    --------
    >>> from tapviz.labels import pair_id
    >>> pair_id("P2", "P1")
    'P1|P2'
    """
    return "|".join(sorted((one, other)))


def _graded(
    rows: Rows, given: Iterable[Row], entry: Callable[..., Entry]
) -> dict[str, dict[str, int]]:
    """Grade of each record, by query."""
    table: dict[str, dict[str, int]] = {}
    words = "{1} for query {0}", "labels of queries"
    for _, (query, record), grade in rows.entries(given, entry, "DuplicateTarget", *words):
        table.setdefault(query, {})[record] = grade
    return table
