"""Report of the join: what became of the rows of a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from tapviz.labels.rules import JoinRules
from tapviz.lists.words import count


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

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain values; the rules are a dict inside."""
        return asdict(self)

    def lines(self) -> list[tuple[str, int, str]]:
        """What happened, how often, and what it means: what ``str`` shows."""
        rules = self.rules
        unlabelled = f"{count(self.unlabelled_targets, 'target')}, taken for irrelevant"
        if rules.only_decoys or rules.unlabelled == "ignore":
            unlabelled = f"{count(self.unlabelled_targets, 'target')}, left out"
        left_out = (
            f"{count(self.queries_without_labels, 'query')} without labels, "
            f"{self.queries_not_listed:,} not asked for"
        )
        kept = f"{self.relevant:,} relevant, {self.irrelevant:,} irrelevant"
        queries = (
            f"{self.empty_lists:,} empty, {self.label_only_queries:,} known to the labels only"
        )
        lines = [
            ("rows read", self.rows_read, ""),
            ("hits kept", self.hits_kept, kept),
            (
                "collapsed (HSPs)",
                self.collapsed,
                "the scripts of Foldseek and reseek count each" if self.collapsed else "",
            ),
            (
                "self hits",
                self.self_hits,
                "count like others" if rules.self_hits == "keep" else "dropped",
            ),
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
