"""Hits, which readers give to labels, and the report of what became of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.labels.rules import JoinRules
from tapviz.lists import Direction, ReportedHow, count

AnyInts = NDArray[np.integer]
Ints32 = NDArray[np.int32]


class Hits(NamedTuple):
    """The hits of a search program as its file gives them, before they are judged by labels.

    Attributes
    ----------
    file : str
        Where the hits were read.
    query_id : list of str, length Q
        Ids of the queries the file names, also those without hits.
    record_id : list of str, length R
        Ids of the records found.
    query, record : ndarray of int, shape (N,)
        Place in `query_id` and in `record_id` of each hit, in the order of the file.
    score : ndarray of float64, shape (N,)
        E-value or score of each hit as read.
    direction : {"ascending", "descending"}
        Whether small or large scores are better.
    relevant : ndarray of bool, shape (N,), or None
        Whether the file itself calls each hit relevant, where it does.
    complete : bool
        Whether these are all hits of the file. Of some of them it means nothing that they have no
        id in common with the labels, nor where they end.
    named : bool
        Whether the lists that are made of them are to have the ids of the records.
    n_skipped : int
        Rows of the file that could not be read and were left out.
    reported_to : float, optional
        Score up to which the program reported hits, where somebody or the file says so.
    reported_how : {"said", "header"}
        Who says so.
    ranked_by : str
        What the file calls the scores: "evalue", "bits".

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import ClassTable
    >>> from tapviz.labels import Hits
    >>> scores = np.array([1e-9, 2.0])
    >>> hits = Hits("mine", ["d1"], ["d2", "d3"], np.array([0, 0]), np.array([0, 1]), scores)
    >>> table = ClassTable({"d1": "a.1.1", "d2": "a.1.1", "d3": "b.1.1"})
    >>> table.lists(hits).relevant
    array([ True, False])
    """

    file: str
    query_id: list[str]
    record_id: list[str]
    query: AnyInts
    record: AnyInts
    score: NDArray[np.float64]
    direction: Direction = "ascending"
    relevant: NDArray[np.bool_] | None = None
    complete: bool = True
    named: bool = True
    n_skipped: int = 0
    reported_to: float | None = None
    reported_how: ReportedHow = "said"
    ranked_by: str = "score"

    @property
    def sign(self) -> int:
        """1 if small scores are better, -1 if large ones are."""
        return 1 if self.direction == "ascending" else -1


@dataclass(frozen=True)
class JoinReport:
    """What the join of hits and labels did, for the lists as a whole.

    ``rows_read`` is the sum of ``hits_kept``, ``collapsed``, ``self_hits``, ``ignored``,
    ``unlabelled_ignored`` and ``rows_left_out``. ``str`` gives the report as a few lines.

    Attributes
    ----------
    file : str
        The file of the hits.
    labels : str
        Description of the labels.
    rules : JoinRules
        The rules of the join.
    rows_read : int
        Hits in the file.
    hits_kept : int
        Records in the lists.
    collapsed : int
        Further hits of a query on a record that is kept with a better or equal score (HSPs).
    self_hits : int
        Hits of a query on itself that were dropped.
    ignored : int
        Hits that the labels, or the rule that only decoys are irrelevant, leave out.
    unlabelled_ignored : int
        Hits that were left out because their target has no label.
    rows_left_out : int
        Hits of queries that were left out.
    relevant, irrelevant : int
        Records of either kind in the lists.
    unlabelled_hits : int
        Hits of the queries kept whose target has no label, whatever the rule made of them.
    unlabelled_targets : int
        Different targets among them.
    queries : int
        Lists made.
    empty_lists : int
        Those without a record.
    label_only_queries : int
        Queries that only the labels name, added as empty lists.
    queries_without_labels : int
        Queries left out because the labels do not know them.
    queries_not_listed : int
        Queries of the file left out because they are not among those asked for.
    collisions : int
        Ids, of the file and of the labels, that normalisation made equal to another one.
    rows_skipped : int
        Rows that could not be read and were left out, as was asked for; none of ``rows_read``.
    queries_of_others : int
        Queries that only other algorithms list, added as empty lists.
    ranked_by : str
        What the file calls the scores that the lists are ranked by: "evalue", "bits".
    direction : {"ascending", "descending"}
        Whether small or large ones are better.

    Examples
    --------
    >>> from tapviz import read
    >>> report = read("blastp.tsv.gz", labels="classes.tsv.gz", queries="queries.txt").join_report
    >>> report.queries, report.empty_lists
    (21, 0)
    """

    file: str
    labels: str
    rules: JoinRules
    rows_read: int
    hits_kept: int
    collapsed: int
    self_hits: int
    ignored: int
    unlabelled_ignored: int
    rows_left_out: int
    relevant: int
    irrelevant: int
    unlabelled_hits: int
    unlabelled_targets: int
    queries: int
    empty_lists: int
    label_only_queries: int
    queries_without_labels: int
    queries_not_listed: int
    collisions: int
    rows_skipped: int = 0
    queries_of_others: int = 0
    ranked_by: str = "score"
    direction: Direction = "ascending"

    def with_empty(self, n: int) -> JoinReport:
        """Return the same with n empty lists more, of queries that only other algorithms list."""
        counts = ("queries", "empty_lists", "queries_of_others")
        return replace(self, **{name: getattr(self, name) + n for name in counts})

    def as_dict(self) -> dict[str, object]:
        """Everything as plain values; the rules are a dict inside."""
        return asdict(self)

    def lines(self) -> list[tuple[str, int, str]]:
        """What happened, how often, and what it means: what ``str`` shows."""
        rules = self.rules
        ignored = rules.only_decoys or rules.unlabelled == "ignore"
        unlabelled = count(self.unlabelled_targets, "target")
        unlabelled += ", left out" if ignored else ", taken for irrelevant"
        left_out = f"{count(self.queries_without_labels, 'query')} without labels"
        left_out += f", {self.queries_not_listed:,} not asked for"
        kept = f"{self.relevant:,} relevant, {self.irrelevant:,} irrelevant"
        only = f"{self.label_only_queries:,} known to the labels only"
        if self.queries_of_others:
            only += f", {self.queries_of_others:,} to other programs only"
        queries = f"{self.empty_lists:,} empty, {only}"
        counted = "the scripts of Foldseek and reseek count each" if self.collapsed else ""
        self_hits = "count like others" if rules.self_hits == "keep" else "dropped"
        lines = [
            ("rows read", self.rows_read, ""),
            ("hits kept", self.hits_kept, kept),
            ("collapsed (HSPs)", self.collapsed, counted),
            ("self hits", self.self_hits, self_hits),
            ("ignored", self.ignored, "only decoys are irrelevant" if rules.only_decoys else ""),
            ("without label", self.unlabelled_hits, unlabelled if self.unlabelled_hits else ""),
            ("of queries left out", self.rows_left_out, left_out),
            ("lists", self.queries, queries),
        ]
        if rules.normalise:
            lines.append(("ids made equal", self.collisions, f"by {', '.join(rules.normalise)}"))
        if self.rows_skipped:
            lines.append(("rows skipped", self.rows_skipped, "which could not be read"))
        return lines

    def __str__(self) -> str:
        lines = self.lines()
        width = max(len(f"{number:,}") for _, number, _ in lines)
        body = [f"  {name:<20}{number:>{width},}  {note}".rstrip() for name, number, note in lines]
        return "\n".join([f"{self.file}, by {self.labels}", *body])
