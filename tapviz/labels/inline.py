"""Labels in the file of hits itself: in a column of its own, or in the ids."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from tapviz.files.problems import warn
from tapviz.files.regex import Regex
from tapviz.files.rows import RowError, Rows
from tapviz.files.tables import QUERY, FileLike
from tapviz.labels.classes import ClassTable
from tapviz.labels.hits import Hits
from tapviz.labels.ids import collisions, grouped, normalise
from tapviz.labels.join import RELEVANT, Judge, join
from tapviz.labels.plausible import refuse
from tapviz.labels.rules import USUAL, JoinRules, named
from tapviz.lists import RetrievalLists, count

COUNT = re.compile(r"\+?[0-9]{1,15}")
TOTAL = {"n_relevant", "t", "total", "total_relevant"}
"""Names of a column of T(q)."""


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
        marked = 2 * (hits.query * np.int64(len(hits.record_id)) + hits.record) + hits.relevant
        marked.sort()
        changes = (marked[1:] != marked[:-1]) & (marked[1:] // 2 == marked[:-1] // 2)
        both = marked[1:][changes] // 2

        def wrong(pair: int) -> tuple[str, str]:
            query, record = divmod(pair, len(hits.record_id))
            return hits.record_id[record], (
                f"{hits.record_id[record]} is, for query {hits.query_id[query]}, relevant in one "
                "row and irrelevant in another of the same query; expected one"
            )

        refuse("BadRelevance", hits.file, map(wrong, both.tolist()))
        return hits.relevant.astype(np.int8) * np.int8(RELEVANT)

    def totals(
        self, hits: Hits, queries: Sequence[str], retrieved: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], None]:
        """T(q) of the table, or what was retrieved; F(q) is never known."""
        if isinstance(self.n_relevant, str):
            return retrieved, None
        total = np.array([self.n_relevant[query] for query in queries], np.int64)

        def wrong(row: int) -> tuple[str, str]:
            return queries[row], (
                f"query {queries[row]}: {retrieved[row]} of its records are relevant; expected "
                f"at most T(q), which is {total[row]} in the table"
            )

        refuse("TooManyRelevant", hits.file, map(wrong, np.flatnonzero(retrieved > total).tolist()))
        return total, None


@dataclass(frozen=True, eq=False)
class Patterns:
    """Families by a regular expression that finds their names in ids.

    A record is relevant to a query if the expression finds the same text in both ids: its first
    group, or all that it matches where it has none. It may be the id of the query itself: in
    ``globin/12`` and ``globin``, both times ``[^/]+`` finds ``globin``. Decoys are defined by
    the rules; then only they are irrelevant, and the members of other families are left out.

    Parameters
    ----------
    family : str
        Regular expression, searched in ids. Records in whose id it finds nothing have no label.
        Backreferences and what looks around are not supported.
    records : iterable of str
        Ids of the records of the database, by which T(q) is counted. Decoys need not be among
        them. Other records, which should not be, have no label.
    rules : JoinRules
        Other rules of the join.

    Raises
    ------
    ValueError
        If the expression is none, or cannot be used.

    Examples
    --------
    >>> from tapviz import Patterns, read
    >>> import pandas as pd
    >>> hits = pd.DataFrame(
    ...     {"query": ["globin/1"] * 2, "record": ["globin/2", "kinase/7"], "evalue": [1e-9, 0.3]}
    ... )
    >>> labels = Patterns("[^/]+", ["globin/1", "globin/2", "globin/3", "kinase/7"])
    >>> lists = read(hits, labels=labels)
    >>> lists.relevant, lists.n_relevant
    (array([ True, False]), array([2]))
    """

    family: str
    records: Iterable[str]
    rules: JoinRules = USUAL

    def __post_init__(self) -> None:
        with named("family", self.family):
            Regex(self.family)
        object.__setattr__(self, "records", tuple(self.records))  # an iterator ends

    def lists(self, hits: Hits, queries: Sequence[str] | None = None) -> RetrievalLists:
        """Judge hits as a table of classes does; queries without a family are left out."""
        records = self._families(self.records)
        own = self._families([*hits.query_id, *(queries or ())])
        # Of one level, whatever is in it.
        table = ClassTable(records, own, relevant=1, ignored=0, rules=self.rules, separator="\n")
        return join(hits, table, queries, f"families in ids: {self.family!r}")

    def _families(self, ids: Iterable[str]) -> dict[str, str]:
        """Family of each id that has one, by the id as it was."""
        names = list(ids)
        with named("family", self.family):
            families = Regex(self.family).first_group(normalise(names, self.rules.normalise))
        return {name: family for name, family in zip(names, families, strict=True) if family}
