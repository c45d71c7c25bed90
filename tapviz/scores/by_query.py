"""The queries one by one, and class by class: who does better on which, and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.checks import Bools, Floats, Ints
from tapviz.measures import GroupMeans, class_members, group_means
from tapviz.scores.case import Cases
from tapviz.scores.table import Score

__all__ = ["EQUAL", "ClassTable", "QueryTable", "class_table", "query_table"]

EQUAL = 1e-12
"""Scores that differ by no more than this may be equal but for rounding."""


@dataclass(frozen=True, eq=False)
class QueryTable:
    """Scores of each query with each algorithm, and who does better."""

    lists: RetrievalLists
    """Those of one algorithm, for what is common to all."""
    score: dict[str, Floats]
    """By algorithm, shape (Q,); NaN where undefined."""
    errors: dict[str, Floats]
    """Irrelevant records up to the threshold; of no algorithm where there are no ranked lists."""
    difference: Floats
    """Score of A minus that of B, shape (Q,); NaN without B."""
    better: Ints
    """1 where A is better, -1 where B is, 0 where neither is; shape (Q,)."""

    @property
    def compared(self) -> Bools:
        """Queries whose scores with A and B are known, shape (Q,)."""
        return ~np.isnan(self.difference)

    def order(
        self, column: str, *, descending: bool = False, find: str = "", better: int | None = None
    ) -> Ints:
        """Places of the queries that match, in the order of a column; unknown values last.

        Parameters
        ----------
        column : str
            "query", "class", "n_relevant", "difference", "score NAME" or "errors NAME"; by any
            other those come first on which A and B differ most.
        descending : bool
        find : str
            Text that the id or the class contains, in whatever case.
        better : {1, 0, -1}, optional
            Only queries on which A is better, neither is, or B is.
        """
        keep = np.ones(self.lists.n_queries, np.bool_)
        if better is not None:
            keep = self.compared & (self.better == better)
        if text := find.strip().lower():
            known = [one for one in (self.lists.query, self.lists.query_class) if one is not None]
            rows = zip(*(names.tolist() for names in known), strict=True)
            keep &= [any(text in name.lower() for name in row) for row in rows]
        columns: dict[str, NDArray[np.generic] | None] = {
            "query": self.lists.query,
            "class": self.lists.query_class,
            "n_relevant": self.lists.n_relevant,
            "difference": self.difference,
            **{f"score {name}": values for name, values in self.score.items()},
            **{f"errors {name}": values for name, values in self.errors.items()},
        }
        by = columns.get(column, np.abs(self.difference))
        return _sorted(np.flatnonzero(keep), by, descending=descending or column not in columns)


@dataclass(frozen=True, eq=False)
class ClassTable:
    """Means over the queries of each class, and who does better on how many of them."""

    label: NDArray[np.str_]
    """The classes, shape (G,)."""
    n_queries: Ints
    score: dict[str, GroupMeans]
    """By algorithm."""
    difference: GroupMeans
    """Of the score of A minus that of B."""
    wins: Ints
    """Queries on which A is better, shape (G,)."""
    ties: Ints
    losses: Ints

    def order(self, column: str, *, descending: bool = False, find: str = "") -> Ints:
        """Places of the classes that match, in the order of a column; see `QueryTable.order`."""
        text = find.strip().lower()
        keep = np.array([text in name.lower() for name in self.label.tolist()], np.bool_)
        columns: dict[str, NDArray[np.generic] | None] = {
            "class": self.label,
            "query": self.label,
            "n_relevant": self.n_queries,
            "difference": self.difference.mean,
            **{f"score {name}": means.mean for name, means in self.score.items()},
        }
        return _sorted(np.flatnonzero(keep), columns.get(column), descending=descending)


def query_table(cases: Cases, score: Score, pair: Sequence[str]) -> QueryTable:
    """Scores of each query.

    Parameters
    ----------
    cases : mapping of str to Case
        By algorithm, all of the same queries.
    score : Score
        One that queries have.
    pair : sequence of str
        A and B, among the algorithms; only A where there is no other.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import SCORES, Case, Memo, ThresholdRule, query_table
    >>> results = load_results("profiles")
    >>> cases = {name: Case(one, ThresholdRule(k=5), 50, Memo()) for name, one in results.items()}
    >>> table = query_table(cases, SCORES[0], ["RPS-BLAST", "HMMER3 hmmscan"])
    >>> table.lists.query[table.order("difference", descending=True)[:2]].size
    2
    """
    first = next(iter(cases.values())).lists
    blank = np.full(first.n_queries, np.nan)
    each = {name: case.per_query(score) for name, case in cases.items()}
    values = {name: blank if one is None else one for name, one in each.items()}
    taps = {name: case.tap for name, case in cases.items()} if first.given is None else {}
    errors = {
        name: (at.retrieved - at.relevant).astype(np.float64) if np.isfinite(at.value) else blank
        for name, at in taps.items()
    }
    difference = values[pair[0]] - values[pair[1]] if len(pair) > 1 else blank
    better = np.where(np.abs(difference) > EQUAL, np.sign(score.sign * difference), 0)
    return QueryTable(first, values, errors, difference, np.nan_to_num(better).astype(np.int64))


def class_table(table: QueryTable, level: int) -> ClassTable:
    """Means over the queries of each class of a level; a query of several is in each of them.

    Parameters
    ----------
    table : QueryTable
    level : int
        1 or more.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import SCORES, Case, Memo, ThresholdRule, class_table, query_table
    >>> results = {name: load_results()[name] for name in ("BLASTP", "SSEARCH")}
    >>> cases = {name: Case(one, ThresholdRule(k=20), 50, Memo()) for name, one in results.items()}
    >>> folds = class_table(query_table(cases, SCORES[0], ["BLASTP", "SSEARCH"]), level=2)
    >>> folds.label[folds.order("difference")[:2]].tolist()
    ['g.46', 'g.18']
    """
    members, weight = class_members(table.lists, level), table.lists.weight
    outcome = np.where(table.compared, table.better, np.iinfo(np.int64).max)[members.query]
    some = [members.code, *(members.code[outcome == side] for side in (1, 0, -1))]
    n_queries, *sides = (np.bincount(one, minlength=members.label.size) for one in some)
    means = {name: group_means(values, members, weight) for name, values in table.score.items()}
    difference = group_means(table.difference, members, weight)
    return ClassTable(members.label, n_queries, means, difference, *sides)


def _sorted(rows: Ints, column: NDArray[np.generic] | None, *, descending: bool) -> Ints:
    """Some rows in the order of a column, equal ones in theirs, unknown ones last."""
    if column is None:
        return rows
    # The codes of texts can be negated, which texts cannot.
    numbers = column.dtype.kind == "f"
    codes = column[rows] if numbers else np.unique(column[rows], return_inverse=True)[1]
    values: Floats = codes.astype(np.float64)
    return rows[np.argsort(-values if descending else values, kind="stable")]
