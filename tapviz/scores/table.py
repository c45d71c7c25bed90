"""SCORES: every score, declared once; and how its threshold is chosen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from inspect import signature
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from tapviz import measures
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import Floats
from tapviz.lists.words import MINUS, threshold, with_minus
from tapviz.measures.roc import n_ending_early, roc_n_of_queries
from tapviz.measures.tap import tap_reordered
from tapviz.measures.tap_curves import SAME, peak_tap_bracket
from tapviz.scores.words import decimals

__all__ = [
    "DASH", "MARK", "SCORES", "SUBSCRIPT", "USUAL_K", "Score", "ThresholdRule", "number", "p_text",
]  # fmt: skip

R = TypeVar("R")

USUAL_K = 20
SUBSCRIPT = re.compile(r"_(?:(?<=\bE_)|(?<=\bROC_))(\w+)")
"""Titles and messages write E_20 and ROC_50; page and LaTeX set what follows lower.

What stands before the underscore is asked behind it: an underscore is sooner found than letters.
"""
MARK = "*"
"""After the title of a score that has a note."""
DASH = "—"
"""An undefined number."""


class ThresholdRule(NamedTuple):
    """How a threshold is chosen: by errors per query, E_k, or given, E_0.

    Examples
    --------
    >>> from tapviz.scores import ThresholdRule
    >>> ThresholdRule(k=5).title, ThresholdRule(k=None, e0=0.01).title
    ('TAP-5', 'TAP at 0.01')
    """

    k: int | None = USUAL_K
    e0: float | None = None
    """Used where k is None."""
    quantile: float = 0.5
    short_lists: measures.ShortLists = "error"
    no_relevant: measures.NoRelevant = "reference"

    @property
    def title(self) -> str:
        """What TAP there is called: TAP-20, or TAP at 0.01."""
        if self.k is None and self.e0 is not None:
            return f"TAP at {threshold(self.e0)}"
        return f"TAP-{self.k}"


@dataclass(frozen=True, kw_only=True)
class Score:
    """A score: how it is computed, what it is called, and what there is to know about it.

    Titles have places for k and n, and write subscripts as E_{k}.
    """

    name: str
    """Of its column in Python, and of its key in JSON."""
    title: str
    title_at_e0: str = ""
    """The title where the threshold is given; with a place for e0."""
    group: str = ""
    """What stands above the columns of neighbours that belong together."""
    short: str = ""
    """The title below that of the group."""
    measure: Callable[..., float]
    """Called with lists, and by keyword with what `takes` names."""
    takes: tuple[Literal["tap", "tap_at", "curve", "own_roc_n", "n"], ...] = ()
    """What it depends on besides the queries, by the names that a `Case` has for it: a change of
    anything else does not compute it."""
    digits: int | None = 3
    """Decimals; None for significant digits."""
    significant: int = 3
    """So many, about: larger numbers have all before the point."""
    per_query: Callable[..., Floats | None] | None = None
    """What each query scores by itself, called as `measure` is, where the score is their mean: for
    its interval, and for tests of two algorithms."""
    linear: Callable[..., Floats] | None = None
    """What each query contributes to the mean, where that is not what it scores: called with lists,
    TAP and the groups drawn, and by keyword with whether E_k is taken for known."""
    figure: str = ""
    """What it is called in `Bootstrapped`, where resampling the queries finds it anyway."""
    resampled: Callable[..., measures.Replicate] | None = None
    """The score of other choices of the queries, called as `measure` is, for its interval, where
    it is not a mean over queries or takes another threshold for each choice."""
    interval_shown: bool = False
    """Whether tables have a column of intervals without being asked."""
    ties: Callable[..., measures.Bracket[float]] | None = None
    """The score with the worst and the best order of equal scores, called as `measure` is, where it
    depends on their order and is not a mean over queries."""
    reordered: Callable[..., Floats] | None = None
    """What some queries score, where the score is a mean and depends on the order of equal scores:
    called as `measure` is, with their lists in the worst or the best order, and the places of the
    queries among all. The worst order must be the one with the irrelevant records first."""
    pooled: bool = False
    """Whether it goes through all lists merged, rather than through each."""
    compact: bool = True
    """Whether the page's table has it without being asked."""
    in_tables: bool = True
    """Whether tables for people show it; JSON, CSV and Python always do."""
    higher_is_better: bool | None = True
    """None if it is neither."""
    range: tuple[float, float] | None = (0.0, 1.0)
    """None if it has no limits of its own."""
    description: str
    note: str = ""
    """What its value and interval are that one must know to read them; tables mark its title."""
    source: str = ""
    also_called: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """By the name: fields are many, and scores are looked up often."""
        return hash(self.name)

    @cached_property
    def sign(self) -> int:
        """-1 if smaller ones are better, 1 otherwise: by it, larger ones are."""
        return -1 if self.higher_is_better is False else 1

    @cached_property
    def has_interval(self) -> bool:
        """Whether resampling the queries gives an interval of it."""
        return bool(self.figure or self.resampled or self.per_query)

    @property
    def brief(self) -> str:
        """The first sentence of the description, without a full stop, and the note."""
        first = self.description.partition(". ")[0].removesuffix(".")
        return f"{first}; {self.note}" if self.note else first

    def marked(self, title: str) -> str:
        """A title of it, with a mark if there is a note."""
        return f"{title}{MARK}" if self.note else title

    @property
    def has_ties(self) -> bool:
        """Whether it can depend on the order of records of equal score."""
        return self.ties is not None or self.reordered is not None

    def figure_in(self, of: measures.Bootstrapped | measures.Replicates) -> Any:
        """What is known of it there, in resamples or by groups; None if it was not resampled."""
        return getattr(of, self.figure) if self.figure else of.others.get(self.name)

    @cached_property
    def at_threshold(self) -> bool:
        """Whether it depends on the threshold."""
        return "tap" in self.takes

    @cached_property
    def at_n(self) -> bool:
        """Whether it depends on n."""
        return not {"n", "own_roc_n"}.isdisjoint(self.takes)

    def less(self, one: measures.PairDifference) -> measures.Interval:
        """The score of the first algorithm minus that of the second, whichever is better."""
        found = one.turned if self.higher_is_better is False else one
        return rounded_alike(*found.difference)

    def titled(self, rule: ThresholdRule, n: int, *, short: bool = False) -> str:
        """Its title for a threshold and n; if `short`, the one below that of the group."""
        title = self.title_at_e0 if rule.k is None and self.title_at_e0 else self.title
        title = self.short if short and self.short else title
        return title.format(k=rule.k, n=n, e0="" if rule.e0 is None else threshold(rule.e0))

    def text(self, value: float) -> str:
        """The number as tables show it; a dash if it is undefined."""
        if not math.isfinite(value):
            return DASH
        if self.digits is None:
            return number(value, self.significant)
        return decimals(value, self.digits)

    def signed(self, value: float, minus: str = MINUS) -> str:
        """A difference of the score, with its sign."""
        if not math.isfinite(value):
            return DASH
        sign = "" if abs(value) <= SAME else "+" if value > 0 else minus
        return f"{sign}{self.text(abs(value))}"

    def between(self, low: float, high: float, minus: str = MINUS) -> str:
        """An interval of the score, or of a difference."""
        ends = [f"{minus if end < -SAME else ''}{self.text(abs(end))}" for end in (low, high)]
        return " to ".join(ends)

    def interval_text(self, low: float, high: float, none: str = "", minus: str = MINUS) -> str:
        """The same where it is known; otherwise why there is none, or a dash."""
        return self.between(low, high, minus=minus) if math.isfinite(low) else none or DASH


def rounded_alike(estimate: float, low: float, high: float) -> measures.Interval:
    """An interval of which no end lies on the wrong side of the estimate by rounding.

    Sums of the same numbers in another order may differ in their last digit.

    Examples
    --------
    >>> from tapviz.scores.table import rounded_alike
    >>> rounded_alike(0.3, 0.1 + 0.2, 0.4)
    Interval(estimate=0.3, low=0.3, high=0.4)
    """
    alike = partial(math.isclose, estimate, rel_tol=1e-9, abs_tol=1e-12)
    low = min(low, estimate) if alike(low) else low
    return measures.Interval(estimate, low, max(high, estimate) if alike(high) else high)


def number(value: float, significant: int = 3) -> str:
    """A number of any size: 0.353, 1.2e-30, 12.3, 9,970.

    Examples
    --------
    >>> from tapviz.scores import number
    >>> [number(value) for value in (0.35312, 1.23e-30, 12.34, 9970.0)]
    ['0.353', '1.2e-30', '12.3', '9,970']
    """
    size = abs(value)
    if size != 0 and not 1e-3 <= size < 1e5:  # noqa: PLR2004
        return with_minus(f"{value:.2g}")
    return with_minus(f"{value:,.0f}" if size >= 100 else f"{value:.{significant}g}")  # noqa: PLR2004


def p_text(p: float) -> str:
    """A p-value as tables show it; a dash if it is undefined.

    Examples
    --------
    >>> from tapviz.scores import p_text
    >>> [p_text(p) for p in (1e-9, 0.0001, 0.0123, 0.456)]
    ['<0.0001', '0.0001', '0.012', '0.46']
    """
    if not math.isfinite(p):
        return DASH
    if p < 0.00005:  # noqa: PLR2004
        return "<0.0001"
    return f"{p:.4f}" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"  # noqa: PLR2004


def _median_errors(lists: RetrievalLists, *, tap: measures.Tap) -> float:
    if not math.isfinite(tap.value):
        return math.nan
    return float(measures.error_quantile(tap.retrieved - tap.relevant, lists.weight, 0.5))


def errors_of_queries(_: RetrievalLists, *, tap: measures.Tap) -> Floats | None:
    """Errors of each query; None at E_k, where those of one depend on all others, who set it."""
    return None if tap.k is not None else (tap.retrieved - tap.relevant).astype(np.float64)


def mean_errors(lists: RetrievalLists, *, tap: measures.Tap) -> float:
    """Mean errors per query up to the threshold."""
    if not math.isfinite(tap.value):
        return math.nan
    return float((tap.retrieved - tap.relevant) @ lists.weight / lists.weight.sum())


def mean_over_queries(
    name: str, title: str, measure: Callable[..., measures.PerQuery], **known: Any
) -> Score:
    """A score that is the mean of what each query scores."""
    listed = {"ties": "listed"} if "ties" in signature(measure).parameters else {}
    return Score(
        name=name,
        title=title,
        compact=False,
        measure=lambda lists: measure(lists).value,
        per_query=lambda lists: measure(lists).per_query,
        reordered=lambda lists, _: measure(lists, **listed).per_query,
        **known,
    )


FROM_0 = (0.0, math.inf)
_of_tap = partial(Score, takes=("tap",))
_of_errors = partial(
    _of_tap, group="errors per query", compact=False, higher_is_better=False, range=FROM_0
)
_of_peak = partial(Score, group="peak TAP", takes=("curve",))


def _count(name: str, title: str, description: str, measure: Callable[..., float]) -> Score:
    return Score(
        name=name,
        title=title,
        measure=measure,
        takes=("n",) if "{n}" in title else (),
        digits=0,
        in_tables=False,
        higher_is_better=None,
        range=FROM_0,
        description=description,
    )


OPTIMISTIC = "optimistic: the threshold was chosen on the same queries"
PAPER = "Carroll et al. (2010), Bioinformatics 26:1708"
BRENNER = "Brenner, Chothia & Hubbard (1998), PNAS 95:6073"

SCORES: tuple[Score, ...] = (
    _of_tap(
        name="tap",
        title="TAP-{k}",
        title_at_e0="TAP at {e0}",
        measure=lambda _, tap: tap.value,
        per_query=lambda _, tap: tap.per_query,
        linear=measures.linear_tap,
        figure="tap",
        interval_shown=True,
        reordered=tap_reordered,
        description="Threshold Average Precision, 0 to 1, larger is better. The precisions at the "
        "relevant records retrieved up to the threshold, plus the precision at the threshold, "
        "divided by T(q) + 1, where T(q) counts the relevant records in the database; the mean "
        "over the queries. The threshold is E_k, at which the median query has k errors, or a "
        "given E_0. A query with T(q) = 0 counts as 1 / (retrieved + 1), unless another rule is "
        "chosen; MAP, ROC_n and AUC iP/R leave it out.",
        source=f"{PAPER}, Equation (1) and section 2.3.4",
        also_called=("TAP-k", "threshold average precision", "APCP"),
    ),
    _of_tap(
        name="threshold",
        title="E_{k}",
        title_at_e0="E_0",
        measure=lambda _, tap: tap.e0 if math.isfinite(tap.e0) else math.nan,
        digits=None,
        figure="e0",
        higher_is_better=None,
        range=None,
        description="The threshold at which TAP is taken. E_k is the strictest score at which at "
        "least half of the queries (or another quantile) have k errors; E_0 is a score given by "
        "the reader. Records at the threshold are retrieved. E_k serves to compare programs at "
        "equal errors; `tapviz threshold` recommends one to search with.",
        source=f"{PAPER}, section 2.3.4",
        also_called=("E-value threshold", "cutoff"),
    ),
    _of_errors(
        name="median_epq",
        title="median EPQ at E_{k}",
        title_at_e0="median EPQ at {e0}",
        short="median",
        measure=_median_errors,
        resampled=lambda lists, tap: measures.median_error_replicates(lists),  # noqa: ARG005
        digits=0,
        description="Irrelevant records of the median query up to the threshold, the upper one of "
        "the two in the middle where the number of queries is even. At E_k there are more than k "
        "where several errors have that score.",
        source=f"{PAPER}, section 2.3.4",
        also_called=("median false positives per query",),
    ),
    _of_errors(
        name="mean_epq",
        title="mean EPQ at E_{k}",
        title_at_e0="mean EPQ at {e0}",
        short="mean",
        measure=mean_errors,
        digits=2,
        per_query=errors_of_queries,
        resampled=lambda lists, tap: measures.mean_error_replicates(lists),  # noqa: ARG005
        description="Irrelevant records up to the threshold, the mean over the queries.",
        source=BRENNER,
        also_called=("EPQ", "errors per query", "false positives per query"),
    ),
    _of_tap(
        name="reached",
        title="share of queries that reach error {k}",
        title_at_e0="share of queries that reach error k",
        measure=lambda _, tap: tap.reached,
        in_tables=False,
        higher_is_better=None,
        description="Share of the queries whose list holds at least k errors; undefined for a "
        "threshold that was given. Below the quantile there is no E_k.",
        source=f"{PAPER}, section 2.3.4",
    ),
    _of_peak(
        name="peak_tap",
        title="peak TAP",
        short="value",
        measure=lambda _, curve: curve.peak_tap,
        ties=peak_tap_bracket,
        figure="peak",
        description="The largest mean TAP over all thresholds. It was found with the labels at "
        f"hand: its threshold is not one to recommend, and value and interval are {OPTIMISTIC}.",
        note=OPTIMISTIC,
        source=f"{PAPER}, Figure 5 and Table 1",
        also_called=("maximum TAP",),
    ),
    _of_peak(
        name="peak_threshold",
        title="peak TAP at E_0",
        short="at E_0",
        measure=lambda _, curve: curve.peak_threshold,
        figure="peak_threshold",
        digits=None,
        significant=2,
        higher_is_better=None,
        range=None,
        description="The strictest threshold at which the mean TAP is largest, with records of "
        "equal score as listed.",
        source=f"{PAPER}, Table 1",
    ),
    Score(
        name="roc_n",
        title="ROC_{n}",
        group="ROC_{n}",
        short="mean",
        measure=lambda lists, own_roc_n, n: measures.mean_defined(own_roc_n, lists.weight),  # noqa: ARG005
        takes=("own_roc_n", "n"),
        per_query=lambda _, own_roc_n, n: own_roc_n,  # noqa: ARG005
        reordered=lambda lists, _, own_roc_n, n: (  # noqa: ARG005
            roc_n_of_queries(lists, n, ties="listed")
        ),
        description="ROC_n of each query, and then the mean. It is the area under the curve of "
        "relevant records found before each of the first n irrelevant ones, as a fraction of the "
        "best possible. Queries without a relevant record are left out.",
        source=f"Gribskov & Robinson (1996); {PAPER}, section 2.3.1",
        also_called=("ROC50", "AUC1 and sensitivity up to the first error (ROC_1)"),
    ),
    Score(
        name="pooled_roc_n",
        title="pooled ROC_{n}",
        group="ROC_{n}",
        short="pooled",
        measure=measures.pooled_roc_n,
        takes=("n",),
        resampled=measures.pooled_replicates,
        ties=measures.pooled_roc_n_bracket,
        pooled=True,
        description="ROC_n of all lists merged by score into one. A few queries can supply most of "
        "the n errors, and so decide it.",
        source=f"{PAPER}, section 2.3.2",
        also_called=("ROC_n (of programs and papers that merge the lists)",),
    ),
    mean_over_queries(
        "mean_average_precision",
        "MAP",
        measures.average_precision,
        description="Mean average precision, of whole lists. The precisions at the relevant "
        "records, divided by T(q); the mean over the queries. Queries without a relevant record, "
        "T(q) = 0, are left out; TAP counts them.",
        source=f"{PAPER}, section 2.3.3",
        also_called=("average precision", "AP", "map (trec_eval)"),
    ),
    mean_over_queries(
        "auc_ipr",
        "AUC iP/R",
        measures.ipr_auc,
        description="Area under interpolated precision against recall, mean over the queries. "
        "Queries without a relevant record, T(q) = 0, are left out; TAP counts them.",
        source="BioCreative II.5, evaluation, section 3.1",
        also_called=("area under interpolated precision-recall",),
    ),
    _count("n_queries", "queries", "Queries scored.", lambda lists: lists.n_queries),
    _count(
        "n_records",
        "records",
        "Records in all lists together.",
        lambda lists: int(lists.offset[-1] if lists.kept is None else lists.kept.length.sum()),
    ),
    _count(
        "n_no_relevant",
        "queries without relevant records",
        "Queries with T(q) = 0.",
        lambda lists: int((lists.n_relevant == 0).sum()),
    ),
    _count(
        "n_empty",
        "empty lists",
        "Queries for which nothing was retrieved.",
        lambda lists: int((np.diff(lists.offset) == 0).sum()),
    ),
    _count(
        "n_short",
        "lists that end before error {n}",
        "Lists with fewer than n errors, and with fewer than the database has where that is known.",
        n_ending_early,
    ),
)
"""Every score, in the order of the tables; those at the threshold come first in any table."""

BY_NAME = {score.name: score for score in SCORES}
"""The same by their names."""
