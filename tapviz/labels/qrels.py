"""Labels query by query: grades of records; or T(q), where the hits say what is relevant."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tapviz.files import QUERY, RECORD, FileLike, Row, RowError, Rows, Tabled, held, option, warn
from tapviz.labels.hits import Hits
from tapviz.labels.ids import collisions, grouped, normalise, refuse
from tapviz.labels.join import IRRELEVANT, RELEVANT, UNLABELLED, Judge, Totals
from tapviz.labels.kinds import GRADES, PAIR, TREC, WHOLE, check_no_hits, names_pairs
from tapviz.labels.rules import USUAL, JoinRules
from tapviz.lists import UNGRADED, Grades, RetrievalLists, count
from tapviz.lists.checks import Ints

ITEM, ITEMS = 2, 3
PAIRS = "query, record and grade, or query, iteration, record and grade"
PAIRS += f"; gold sets, which have no grades, are given as {option('gold')}"
GOLD = "query and item, or query and the items of a pair"

Entry = tuple[tuple[str, str], int]
"""Query and record, and the grade."""
NO_GRADE = int(np.iinfo(np.int64).min)
HIGHEST = 100
"""Grades beyond are not steps of relevance; lists do not keep them."""

COUNT = re.compile(r"\+?[0-9]{1,15}")
TOTAL = {"n_relevant", "t", "total", "total_relevant"}
"""Names of a column of T(q)."""

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
            Columns are separated by blanks, tabs or commas, grades are whole numbers; names of
            columns may stand above. Blank lines and lines that begin with ``#`` are skipped; the
            file may be compressed (gzip, zstd, bzip2). Or a table in memory with the columns
            query, record and grade, without which all grades are 1; or
            ``{query: {record: grade}}``, or a list of records of each query.
        min_rel, rules
            As in `Qrels`.

        Raises
        ------
        ReadError
            If the file cannot be read; the error names the lines.
        """
        given = held(path)

        def entry(query: str, *rest: str) -> Entry:
            *_, record, grade = rest if len(rest) > 1 else (*rest, "1")
            if not query or not record:
                message = "expected ids of a query and a record, found an empty cell"
                raise RowError(code="BadColumnCount", message=message)
            if WHOLE.fullmatch(grade):
                return (query, record), int(grade)
            message = f"grade: expected a whole number, found {grade[:40]!r}"
            raise RowError(code="BadRelevance", message=message)

        rows = Rows(given, QUERY, RECORD, GRADES)
        widths = (ITEM, PAIR, TREC) if isinstance(given, Tabled) else (PAIR, TREC)
        n_headers = sum(map(names_pairs, rows.first[:1]))
        below = islice(rows.read(PAIRS, widths, rows.separator_for(widths)), n_headers, None)
        return cls(_graded(rows, below, entry), min_rel, rules)

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

    def totals(self, _hits: Hits, queries: Sequence[str], _retrieved: Ints) -> Totals:
        """T(q), and F(q) if records without a grade are left out."""
        total = np.zeros((2, len(queries)), np.int64)
        for row, grade in self._counted(queries):
            total[int(grade < self.min_rel), row] += 1
        closed = self.rules.decoys is None and not self.rules.takes_unlabelled
        return total[0], total[1] if closed else None


@dataclass(frozen=True, eq=False)
class Inline(Judge):
    """Relevance as given in the file of hits itself; only T(q) is missing there.

    Parameters
    ----------
    n_relevant : mapping of str to int, or "retrieved"
        T(q), the number of relevant records in the database, of each query; without the query
        itself where self hits are dropped. Queries without hits are empty lists, unless the
        rules differ. Or "retrieved", with a warning: the relevant records that were retrieved, as
        if there were no others. Then recall always reaches 1, and TAP is too high.
    rules : JoinRules
        Other rules of the join.

    Examples
    --------
    >>> import pandas as pd
    >>> from tapviz import Inline, read
    >>> hits = pd.DataFrame(
    ...     {"query": ["q1", "q1"], "record": ["d1", "d2"], "score": [9.5, 7.1], "relevant": [1, 0]}
    ... )
    >>> read(hits, labels=Inline({"q1": 4}), direction="descending").n_relevant
    array([4])
    """

    n_relevant: Mapping[str, int] | Literal["retrieved"]
    rules: JoinRules = USUAL

    names_queries: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if isinstance(self.n_relevant, str):
            if self.n_relevant != "retrieved":  # which the type does not allow
                msg = f'n_relevant={self.n_relevant!r}: expected T(q) of each query, or "retrieved"'  # type: ignore[unreachable]
                raise ValueError(msg)
        elif wrong := [(query, total) for query, total in self.n_relevant.items() if total < 0]:
            query, total = wrong[0]
            raise ValueError(f"n_relevant: query {query} has {total}, expected 0 or more")

    @classmethod
    def read(cls, path: FileLike, *, rules: JoinRules = USUAL) -> Inline:
        """Read a table of two columns, query and T(q), separated by blanks or tabs.

        Parameters
        ----------
        path : path, Held, open file, table or mapping
            Blank lines and lines that begin with ``#`` are skipped; the file may be compressed
            (gzip, zstd, bzip2). Or a table in memory of such columns, or ``{query: T(q)}``.
        rules
            As in `Inline`.

        Raises
        ------
        ReadError
            If the file cannot be read; the error names the lines.
        """

        def entry(query: str, total: str) -> tuple[tuple[str], int]:
            if COUNT.fullmatch(total):
                return (query,), int(total)
            message = "expected the number of relevant records in the database, T(q), found "
            raise RowError(code="BadRelevantCount", message=f"{message}{total[:40]!r}")

        rows = Rows(path, QUERY, TOTAL)
        given = rows.read("query and T(q)", (2,))
        expected = "a table of queries and T(q)"
        entries = rows.entries(given, entry, "DuplicateQuery", "query {}", expected)
        return cls({query: total for _, (query,), total in entries}, rules)

    @property
    def described(self) -> str:
        """What the labels are."""
        retrieved = self.n_relevant == "retrieved"
        return f"the file itself; T(q) {'is what was retrieved' if retrieved else 'from a table'}"

    def lists(self, hits: Hits, queries: Sequence[str] | None = None) -> RetrievalLists:
        """Judge hits, which have `relevant`, as other labels do.

        Raises
        ------
        ReadError
            If the hits are not marked as relevant or not, a record is marked as both, or more are
            relevant than T(q).
        """
        if hits.relevant is None:
            what = "use a table of classes, pairs or patterns instead"
            message = f"this file does not mark records as relevant; {what}"
            refuse("LabelsNeeded", hits.file, [("", message)])
        if self.n_relevant == "retrieved":
            total = "T(q) is taken to be the number of relevant records retrieved"
            missed = "how many were missed is not known, so that recall and TAP are too high"
            warn(hits.file, f"{total}; {missed}")
        return super().lists(hits, queries)

    def query_ids(self) -> Collection[str] | None:
        """Queries with T(q); None if all have."""
        return None if isinstance(self.n_relevant, str) else self.n_relevant.keys()

    def normalised(self, hits: Hits) -> tuple[Inline, list[list[str]]]:
        """Return the same table with ids normalised, and the ids that became equal.

        Raises
        ------
        ReadError
            If a query has two numbers then.
        """
        if isinstance(self.n_relevant, str):
            return self, []
        groups = grouped(self.n_relevant, self.rules.normalise)
        totals = {name: {self.n_relevant[query] for query in of} for name, of in groups.items()}
        twice = [name for name, values in totals.items() if len(values) > 1]
        several = f"more than one T(q) of {count(len(twice), 'query')}; expected one"
        message = f"after {self.rules.normalisation} the table has {several}"
        refuse("DuplicateQuery", hits.file, ((name, message) for name in twice))
        n_relevant = {name: values.pop() for name, values in totals.items()}
        return replace(self, n_relevant=n_relevant), collisions(groups)

    def judge(self, hits: Hits) -> NDArray[np.int8]:
        """State of each hit."""
        if hits.relevant is None:  # `lists` raises before
            raise TypeError
        pair = hits.query * np.int64(len(hits.record_id)) + hits.record
        both = np.intersect1d(pair[hits.relevant], pair[~hits.relevant])

        def wrong(pair: int) -> tuple[str, str]:
            query, record = divmod(pair, len(hits.record_id))
            name, of = hits.record_id[record], f"for query {hits.query_id[query]}"
            both = "relevant in one row and irrelevant in another of the same query"
            return name, f"{name} is, {of}, {both}; expected one"

        refuse("BadRelevance", hits.file, map(wrong, both.tolist()))
        return hits.relevant.astype(np.int8) * np.int8(RELEVANT)

    def totals(self, hits: Hits, queries: Sequence[str], retrieved: Ints) -> Totals:
        """T(q) of the table, or what was retrieved; F(q) is never known."""
        if isinstance(self.n_relevant, str):
            return retrieved, None
        total = np.array([self.n_relevant[query] for query in queries], np.int64)

        def wrong(row: int) -> tuple[str, str]:
            found = f"query {queries[row]}: {retrieved[row]} of its records are relevant"
            most = f"at most T(q), which is {total[row]} in the table"
            return queries[row], f"{found}; expected {most}"

        refuse("TooManyRelevant", hits.file, map(wrong, np.flatnonzero(retrieved > total).tolist()))
        return total, None


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
