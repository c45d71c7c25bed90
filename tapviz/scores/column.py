"""Scores at a threshold as columns of tables, and which of them are asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tapviz.lists import RetrievalLists
from tapviz.scores import findings
from tapviz.scores.more import given_scores, named, selected
from tapviz.scores.table import SCORES, Score, ThresholdRule

__all__ = [
    "COMPARABLE", "Column", "Value", "asked_for", "columns", "comparable", "comparable_scores",
    "leading",
]  # fmt: skip

COMPARABLE = {score.name: score for score in SCORES if score.in_tables}
"""Scores by which algorithms can be compared, by their names."""


class Column(NamedTuple):
    """A score at one threshold and n."""

    score: Score
    rule: ThresholdRule
    n: int

    @property
    def title(self) -> str:
        """What it is called in full."""
        return self.score.titled(self.rule, self.n)


class Value(NamedTuple):
    """A score of one algorithm; what is not known or undefined is NaN."""

    value: float
    low: float = math.nan
    """Interval by resampling the queries."""
    high: float = math.nan
    worst: float = math.nan
    """Over all orders of records of equal score."""
    best: float = math.nan
    reason: str = ""
    """Why a score is undefined, where that is known; empty otherwise."""
    too_short: bool = False
    """Whether too few lists hold k errors for a score at a threshold."""
    no_interval: str = ""
    """Why there is no interval, where one was asked for; empty otherwise."""
    runs: tuple[float, ...] = ()
    """The score of each run of a system that has several; see `systems`."""

    @property
    def sd(self) -> float:
        """Standard deviation over the runs."""
        return float(np.std(self.runs, ddof=1)) if self.runs else math.nan

    @property
    def numbers(self) -> dict[str, float]:
        """All but the reasons, by name."""
        return dict(zip(self._fields[:5], self[:5], strict=True)) | {"sd": self.sd}

    @property
    def tied(self) -> bool:
        """Whether the order of equal scores changes it visibly."""
        return findings.visible(self.worst, self.best)


def columns(
    rules: Sequence[ThresholdRule], n: int, scores: Sequence[Score] | None = None
) -> list[Column]:
    """Columns of a table of scores: first those at each threshold, then the others.

    Parameters
    ----------
    rules : sequence of ThresholdRule
    n : int
    scores : sequence of Score, optional
        Default: the usual ones, `SCORES`.

    Examples
    --------
    >>> from tapviz.scores import ThresholdRule, columns
    >>> [column.title for column in columns([ThresholdRule(k=5)], n=50)][:2]
    ['TAP-5', 'E_5']
    """
    scores = SCORES if scores is None else scores
    at = [Column(score, rule, n) for rule in rules for score in scores if score.at_threshold]
    return at + [Column(score, rules[0], n) for score in scores if not score.at_threshold]


def leading(lists: RetrievalLists, names: Sequence[str] = ()) -> str:
    """Name of the score that a verdict is about: TAP, unless others were asked for.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores.column import leading
    >>> leading(load_results()["BLASTP"]), leading(load_results()["BLASTP"], ["ndcg@10", "tap"])
    ('tap', 'ndcg@10')
    """
    if not names and not lists.given:
        return "tap"
    judging = (one for one in asked_for(lists, names) if one.in_tables)
    return next((one.name for one in judging if one.higher_is_better is not None), "tap")


def compared_by(lists: RetrievalLists, names: Sequence[str] = ()) -> list[str]:
    """Names of the scores by which algorithms are compared, where nobody says by which.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores.column import compared_by
    >>> compared_by(load_results()["BLASTP"])
    ['tap']
    """
    return [*comparable_scores(lists)] if lists.given else [leading(lists, names)]


def asked_for(lists: RetrievalLists, names: Sequence[str] = ()) -> tuple[Score, ...]:
    """Scores of some names and presets; of none, those that the lists usually have.

    Raises
    ------
    ValueError
        If there is no such score.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores.column import asked_for
    >>> [one.name for one in asked_for(load_results()["BLASTP"], ["sepq@1"]) if one.in_tables]
    ['sepq@1']
    """
    if not lists.given:
        return selected(names) if names else SCORES
    known = comparable_scores(lists)
    for name in names:
        if name not in known:
            rest = "others need ranked lists, not a table of scores"
            raise ValueError(f"no score {name[:40]!r}: there are {', '.join(lists.given)}; {rest}")
    shown = [one for one in known.values() if not names or one.name in names]
    return (*shown, *(one for one in SCORES if one.name == "n_queries"))


def comparable_scores(lists: RetrievalLists) -> Mapping[str, Score]:
    """Scores by which algorithms are compared, by name.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.scores import comparable_scores
    >>> "roc_n" in comparable_scores(load_results()["BLASTP"])
    True
    """
    return {one.name: one for one in given_scores(lists)} if lists.given else COMPARABLE


def comparable(name: str, lists: RetrievalLists | None = None) -> Score:
    """Score of a name by which algorithms can be compared, of lists or of given scores.

    Raises
    ------
    ValueError
        If there is none.

    Examples
    --------
    >>> from tapviz.scores.column import comparable
    >>> comparable("tap").name, comparable("sepq@1").name
    ('tap', 'sepq@1')
    """
    known = COMPARABLE if lists is None else comparable_scores(lists)
    if name in known:
        return known[name]
    one = None if lists is not None and lists.given else named(name)
    if one is None or not one.in_tables:
        raise ValueError(f"compared by {name!r}: expected one of {', '.join(known)}")
    return one
