"""Labels in the ids themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tapviz.files.regex import Regex
from tapviz.labels.classes import ClassTable
from tapviz.labels.hits import Hits
from tapviz.labels.ids import normalise
from tapviz.labels.join import join
from tapviz.labels.rules import USUAL, JoinRules, named
from tapviz.lists import RetrievalLists


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
        table = ClassTable(
            self._families(self.records),
            self._families([*hits.query_id, *(queries or ())]),
            relevant=1,
            ignored=0,
            rules=self.rules,
            separator="\n",  # of one level, whatever is in it
        )
        return join(hits, table, queries, f"families in ids: {self.family!r}")

    def _families(self, ids: Iterable[str]) -> dict[str, str]:
        """Family of each id that has one, by the id as it was."""
        given = list(ids)
        with named("family", self.family):
            families = Regex(self.family).first_group(normalise(given, self.rules.normalise))
        return {name: family for name, family in zip(given, families, strict=True) if family}
