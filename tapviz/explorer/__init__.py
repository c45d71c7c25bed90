"""The one place of state: what the person chose, and what follows from it. No Panel here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar
from urllib.parse import parse_qs, urlencode

import numpy as np
import pandas as pd
import param

from tapviz.explorer.history import History
from tapviz.explorer.query_filter import Box, Selection, select
from tapviz.lists import RetrievalLists, align
from tapviz.measures import (
    Bootstrap,
    Bracket,
    Comparison,
    Progress,
    RankedList,
    Tap,
    Ties,
    average_precision,
    bootstrap,
    compare_with,
    disagreements,
    error_quantile,
    pooled_roc_n,
    pooled_roc_n_bracket,
    ranked_list,
    roc_n,
    tap,
    tap_curve,
    tap_k,
)

R = TypeVar("R")

BY_ERRORS, BY_E_VALUE = "k", "e0"
MAX_K, MAX_N = 100, 1000
USUAL_E0 = 0.01
USUAL_QUANTILE = 0.5
VISIBLE = 0.0005
"""Differences that show in three decimals are larger."""
WORST_AND_BEST: tuple[Ties, Ties] = ("pessimistic", "optimistic")

FILTER = ("query_text", "query_class", "min_relevant", "max_relevant", "boxes")
MAX_BOXES = 5
"""Boxes that a link has room for."""
GRADUAL = {"k", "e0", "quantile", "n", *FILTER} - {"boxes"}
"""Choices that are dragged or typed."""

# What a link holds, in this order.
SETTINGS = (
    "mode",
    "k",
    "e0",
    "quantile",
    "n",
    "algorithms",
    "detail",
    "baseline",
    "view",
    *FILTER,
    "focus",
)


class Compared(NamedTuple):
    """What resampling the queries tells of the scores."""

    resampled: Bootstrap
    """Intervals of every algorithm."""
    comparisons: tuple[Comparison, ...]
    """Of every other algorithm with the baseline; none without a baseline."""
    tap_ties: dict[str, Bracket[float]]
    """TAP of every algorithm with the worst and the best order of records of equal score."""


class Score(NamedTuple):
    """One row of the score table."""

    algorithm: str
    tap: float
    threshold: float
    """E_k, or the given E_0."""
    median_epq: float
    mean_epq: float
    peak_tap: float
    peak_threshold: float
    mean_roc_n: float
    pooled_roc_n: float
    mean_average_precision: float
    reached: float
    """Share of the queries whose list holds k errors; NaN for a given E_0."""
    reason: str
    """Why `tap` is NaN; empty otherwise."""
    n_no_relevant: int
    n_empty: int
    pooled_ties: Bracket[float]
    """Pooled ROC_n with the worst and the best order of records of equal score."""


class Pinned(NamedTuple):
    """Scores of one view, kept to be compared with those of others."""

    words: str
    """The choices that made them."""
    scores: dict[str, Score]
    """Of every algorithm."""


class Explorer(param.Parameterized):
    """Retrieval results of several algorithms, and the choices under which they are judged.

    Everything but the choices is derived from them, once per change however many views look.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, for the same database. Queries that some algorithm lacks
        become empty lists of it.
    shown : sequence of str, optional
        Algorithms to begin with. Default: the first five.
    **params
        Choices to begin with.

    Raises
    ------
    ValueError
        If there is no algorithm or no query, or the algorithms disagree on T(q) or on the
        direction of scores.

    Examples
    --------
    >>> explorer = Explorer(load_results())
    >>> explorer.k = 5
    >>> explorer.scores
    """

    mode = param.Selector(
        default=BY_ERRORS,
        objects={"errors per query": BY_ERRORS, "E-value": BY_E_VALUE},
        doc="Threshold by errors per query (E_k) or by E-value (E_0).",
    )
    k = param.Integer(
        default=20,
        bounds=(1, None),
        softbounds=(1, MAX_K),
        doc="Errors of the median query at E_k.",
    )
    e0 = param.Number(default=USUAL_E0, doc="Threshold E_0; records at it are retrieved.")
    quantile = param.Number(
        default=USUAL_QUANTILE,
        bounds=(0, 1),
        inclusive_bounds=(False, True),
        doc="At least this share of the queries has reached k errors at E_k.",
    )
    n = param.Integer(default=50, bounds=(1, MAX_N), doc="Irrelevant records that ROC_n looks at.")
    algorithms = param.ListSelector(default=[], objects=[], doc="Algorithms shown.")
    detail = param.Selector(
        objects=[], doc="Algorithm that is looked at closely: boxes, histogram, influence, A vs B."
    )
    baseline = param.Selector(
        objects=[""], default="", doc="Algorithm the others are compared with; none if empty."
    )
    pinned = param.Parameter(default=None, doc="Scores of another view, as a `Pinned`, or None.")
    view = param.Selector(
        default="roc",
        objects=["roc"],
        check_on_set=False,
        doc="Name of the plot in the tab; the page says which there are.",
    )
    query_text = param.String(
        default="", doc="Keep queries whose id contains this text or regular expression."
    )
    query_class = param.String(default="", doc="Keep queries of this class and below, such as a.1.")
    min_relevant = param.Integer(
        default=0, bounds=(0, None), doc="Keep queries with T(q) of at least this."
    )
    max_relevant = param.Integer(
        default=None,
        bounds=(0, None),
        allow_None=True,
        doc="Keep queries with T(q) of at most this.",
    )
    boxes = param.ClassSelector(
        class_=tuple, default=(), doc="Keep queries whose TAPs lie in all of these boxes."
    )
    focus = param.Selector(
        objects=[""], default="", doc="Query whose ranked lists are shown; none if empty."
    )

    def __init__(
        self,
        results: Mapping[str, RetrievalLists],
        shown: list[str] | None = None,
        **params: Any,
    ) -> None:
        if not results or not next(iter(results.values())).n_queries:
            msg = "no results: expected the lists of at least one algorithm with at least one query"
            raise ValueError(msg)
        self._results = align(results)
        self._kept: dict[Any, tuple[Any, Any]] = {}
        self._lists: Mapping[str, RetrievalLists] | None = None
        self._selection: Selection | None = None
        names = list(results)
        asked = names[:5] if shown is None else shown
        shown = [name for name in asked if name in results]
        if not shown:
            msg = f"shown: none of {', '.join(asked)} is among the results, {', '.join(names)}"
            raise ValueError(msg)
        # Looks belong to algorithms: settled once, those shown at first get the clearest.
        self.style_order = tuple(dict.fromkeys([*shown, *names]))
        super().__init__()
        # The first watcher of the filter: whoever looks later sees the new selection.
        self.param.watch(self._forget_selection, list(FILTER))
        for choice in (self.param.algorithms, self.param.detail):
            choice.objects, choice.check_on_set = names, True
        self.param.baseline.objects = {"none": "", **{name: name for name in names}}
        self.param.focus.objects = ["", *self.first.query.tolist()]
        start = {"algorithms": shown, "detail": shown[0], "e0": self._usual_threshold()}
        self.param.update(**{**start, **params})
        self._history = History(self, SETTINGS, GRADUAL)

    @property
    def results(self) -> Mapping[str, RetrievalLists]:
        """Lists of all algorithms, with all queries, all in the same order."""
        return dict(self._results)

    @property
    def first(self) -> RetrievalLists:
        """Lists of the first algorithm, for what is common to all: queries, T(q), direction."""
        return next(iter(self._results.values()))

    @property
    def selection(self) -> Selection:
        """The queries that the filter keeps."""
        if self._selection is None:
            self._selection = select(
                self._results,
                text=self.query_text,
                within=self.query_class,
                least=self.min_relevant,
                most=self.max_relevant,
                boxes=self.boxes,
            )
        return self._selection

    @property
    def selected_queries(self) -> list[str]:
        """Ids of the queries that the filter keeps."""
        ids: list[str] = self.first.query[self.selection.mask].tolist()
        return ids

    @property
    def lists(self) -> Mapping[str, RetrievalLists]:
        """Lists of all algorithms, with the queries that the filter keeps."""
        if self._lists is None:
            mask = self.selection.mask
            self._lists = (
                self._results
                if self.selection.everything
                else {name: lists.subset(mask) for name, lists in self._results.items()}
            )
        return self._lists

    def measure(
        self,
        function: Callable[..., R],
        algorithm: str,
        *args: Any,
        whole: bool = False,
        **options: Any,
    ) -> R:
        """Evaluate a measure on an algorithm's lists, once per change.

        Parameters
        ----------
        function : callable
            A measure: a function whose first argument is `RetrievalLists`.
        algorithm : str
        whole : bool
            Use all queries instead of the selected ones.
        *args, **options
            Further arguments of the measure; hashable.
        """
        lists = (self._results if whole else self.lists)[algorithm]
        key = (lists, args, tuple(options.items()))
        return self.once(
            (function, algorithm, whole), key, lambda: function(lists, *args, **options)
        )

    def once(self, name: Any, key: Any, compute: Callable[[], R]) -> R:
        """Value of `compute`, evaluated again only when the key of that name has changed.

        Parameters
        ----------
        name : hashable
        key : object
            Whatever the value depends on.
        compute : callable
        """
        kept = self._kept.get(name)
        if kept is None or kept[0] != key:
            kept = self._kept[name] = (key, compute())
        return kept[1]

    def tap(self, algorithm: str) -> Tap:
        """TAP of an algorithm at the present threshold: E_k, or the given E_0.

        Where too few lists hold k errors it is NaN, with the reason.
        """
        if self.mode == BY_E_VALUE:
            return self.measure(tap, algorithm, self.e0)
        return self.measure(tap_k, algorithm, k=self.k, quantile=self.quantile)

    def ranked(self, algorithm: str) -> RankedList:
        """The list of the query in focus, at the algorithm's present threshold.

        Where that is undefined it is infinite: every record is before it.

        Raises
        ------
        KeyError
            If no query is in focus.
        """
        lists, e0 = self._results[algorithm], self.tap(algorithm).e0
        return self.once(
            ("ranked", algorithm),
            (lists, self.focus, e0),
            lambda: ranked_list(lists, self._focus_row, e0),
        )

    def tap_of_focus(self, algorithm: str) -> float:
        """TAP of the query in focus at the algorithm's present threshold."""
        at, row = self.tap(algorithm), self._focus_row
        kept = self.selection.mask
        if kept[row]:
            return float(at.per_query[np.count_nonzero(kept[:row])])
        return float(self.measure(tap, algorithm, at.e0, whole=True).per_query[row])

    def score(self, algorithm: str) -> Score:
        """Row of the score table for an algorithm."""
        threshold = self.e0 if self.mode == BY_E_VALUE else (self.k, self.quantile)
        key = (self.lists[algorithm], threshold, self.n)
        return self.once(("score", algorithm), key, lambda: self._score(algorithm))

    def _score(self, algorithm: str) -> Score:
        at = self.tap(algorithm)
        curve = self.measure(tap_curve, algorithm)
        median = mean = float("nan")
        lists = self.lists[algorithm]
        if np.isfinite(at.tap):
            errors = at.retrieved - at.relevant
            median = float(error_quantile(errors, lists.weight, 0.5))
            mean = float(errors @ lists.weight / lists.weight.sum())
        return Score(
            algorithm=algorithm,
            tap=at.tap,
            threshold=at.e0 if np.isfinite(at.e0) else float("nan"),
            median_epq=median,
            mean_epq=mean,
            peak_tap=curve.peak_tap,
            peak_threshold=curve.peak_threshold,
            mean_roc_n=self.measure(roc_n, algorithm, n=self.n).value,
            pooled_roc_n=self.measure(pooled_roc_n, algorithm, n=self.n),
            mean_average_precision=self.measure(_mean_average_precision, algorithm),
            reached=at.reached,
            reason=at.reason,
            n_no_relevant=at.n_no_relevant,
            n_empty=at.n_empty,
            pooled_ties=self.measure(pooled_roc_n_bracket, algorithm, n=self.n),
        )

    @property
    def compared_key(self) -> Any:
        """What `compared` depends on: it changes whenever the result would."""
        names = tuple(self.compared_names)
        at = self.e0 if self.mode == BY_E_VALUE else (self.k, self.quantile)
        return names, tuple(self.lists[name] for name in names), at, self.baseline

    @property
    def compared_names(self) -> list[str]:
        """Algorithms that are compared: those shown, and the baseline."""
        return [name for name in self._results if name in {*self.algorithms, self.baseline}]

    def compared(
        self, *, n_resamples: int = 1000, seed: int = 0, progress: Progress | None = None
    ) -> Compared:
        """Intervals of the scores, and comparisons with the baseline, by resampling queries.

        Parameters
        ----------
        n_resamples : int
            Resamples of the queries, the same for all algorithms; E_k is found anew in each.
        seed : int
            The same seed gives the same numbers.
        progress : callable, optional
            Called with the work done and its total; False stops it.

        Raises
        ------
        ValueError
            If no algorithm is shown.
        Cancelled
            If `progress` returned False.
        """
        return self.comparing()(progress, n_resamples=n_resamples, seed=seed)

    def comparing(self) -> Callable[..., Compared]:
        """`compared` of the present choices, for another thread: it looks at no others."""
        lists = {name: self.lists[name] for name in self.compared_names}
        return partial(
            _compared,
            lists,
            {name: self.tap(name) for name in lists},
            {"e0": self.e0}
            if self.mode == BY_E_VALUE
            else {"k": self.k, "quantile": self.quantile},
            self.baseline,
        )

    @property
    def disagreements(self) -> list[tuple[str, str]]:
        """Algorithms that TAP and pooled ROC_n order differently, each with one it beats by TAP."""
        scores = [self.score(name) for name in self.shown]
        return disagreements(
            {one.algorithm: one.tap for one in scores},
            {one.algorithm: one.pooled_roc_n for one in scores},
        )

    @property
    def warnings(self) -> list[str]:
        """What a reader of the scores should know, in words; empty if there is nothing."""
        scores = [self.score(name) for name in self.shown]
        found = [self._out_of_order(), *map(self._outside, scores), *map(self._ended, scores)]
        return [text for text in found if text]

    def _out_of_order(self) -> str:
        pairs = self.disagreements
        if not pairs:
            return ""
        before, after = pairs[0]
        name = f"TAP-{self.k}" if self.mode == BY_ERRORS else f"TAP at {self.e0:g}"
        more = f", and {len(pairs) - 1} other pairs likewise" if len(pairs) > 1 else ""
        return (
            f"Pooled ROC_{self.n} puts {after} before {before}, {name} puts it after{more}: a few "
            "queries may decide a pooled score"
        )

    def _outside(self, score: Score) -> str:
        """Whether a pooled score is outside the range of its parts (the paper, Condition 6)."""
        own = self.measure(roc_n, score.algorithm, n=self.n).per_query
        own, pooled = own[np.isfinite(own)], score.pooled_roc_n
        low, high = own.min(initial=np.inf), own.max(initial=-np.inf)
        if not own.size or low - VISIBLE <= pooled <= high + VISIBLE or np.isnan(pooled):
            return ""
        side = "below" if pooled < low else "above"
        return (
            f"Pooled ROC_{self.n} of {score.algorithm}, {pooled:.3f}, is {side} that of each of "
            f"its queries ({low:.3f} to {high:.3f})"
        )

    def _ended(self, score: Score) -> str:
        """Whether the lists end before the threshold is reached."""
        if not score.reason or not np.isfinite(score.reached):
            return ""
        share = f"{100 * score.reached:.3g} % of the queries have {self.k} errors"
        return (
            f"The lists of {score.algorithm} end too early for E_{self.k}: {share}. Run the search "
            "again with a larger E-value limit and more hits per query, or take a smaller k"
        )

    def pin(self) -> None:
        """Keep the scores of the present threshold, n and queries, to see how others differ."""
        by_errors = self.mode == BY_ERRORS
        at = f"TAP-{self.k}" if by_errors else f"TAP at {self.e0:g}"
        if by_errors and self.quantile != USUAL_QUANTILE:
            at += f" (quantile {self.quantile:g})"
        some = f"{self.selection.n_queries:,} of {self.first.n_queries:,} queries"
        words = f"{at}, ROC_{self.n}, {some}"
        self.pinned = Pinned(words, {name: self.score(name) for name in self._results})

    def unpin(self) -> None:
        """Forget the scores that were kept."""
        self.pinned = None

    @property
    def scores(self) -> pd.DataFrame:
        """Score table: a row for each algorithm shown, under the present choices."""
        rows = [self.score(name) for name in self.shown]
        return pd.DataFrame(rows, columns=list(Score._fields)).set_index("algorithm")

    @property
    def shown(self) -> list[str]:
        """Algorithms shown, in the order of the results."""
        return [name for name in self._results if name in self.algorithms]

    def clear_filter(self) -> None:
        """Select all queries again."""
        self._history.part()  # from the typing just before
        self.param.update(
            query_text="", query_class="", min_relevant=0, max_relevant=None, boxes=()
        )

    def select(self, box: Box, min_relevant: int = 0, max_relevant: int | None = None) -> str:
        """Keep, of the queries selected, those in a box; unless that would be none.

        Parameters
        ----------
        box : Box
        min_relevant, max_relevant : int
            Limits of T(q) besides: they narrow those chosen.

        Returns
        -------
        str
            Why the box was refused; empty if it was taken.
        """
        if len(self.boxes) >= MAX_BOXES:
            return f"There are {MAX_BOXES} boxes already: clear the filter first."
        tops = [most for most in (self.max_relevant, max_relevant) if most is not None]
        total, most = self.first.n_relevant, min(tops, default=None)
        least = max(self.min_relevant, min_relevant)
        inside = self.selection.mask & box.holds(self._results) & (least <= total)
        if most is not None:
            inside &= total <= most
        if not inside.any():
            return "There is no query in the box: the selection stays as it is."
        self.param.update(boxes=(*self.boxes, box), min_relevant=least, max_relevant=most)
        return ""

    def step_focus(self, by: int) -> None:
        """Focus on the query that comes so many places after the present one, of those selected.

        At the end it goes on from the beginning; without a focus it begins there.
        """
        rows = np.flatnonzero(self.selection.mask)
        if not rows.size:
            return
        if not self.focus:
            place = 0 if by > 0 else -1
        else:
            at = self.first.row_of(self.focus)
            # A query that the filter leaves out stands between two that it keeps.
            place = int(np.searchsorted(rows, at, side="left"))
            inside = place < rows.size and rows[place] == at
            place = (place + by - (by > 0 and not inside)) % rows.size
        self.focus = str(self.first.query[rows[place]])

    def find(self, text: str, most: int | None = None) -> list[str]:
        """Ids of the queries that contain a text, in whatever case; those selected first."""
        text = text.strip().lower()
        ids = self.first.query
        kept = self.selection.mask
        found = [q for q in (*ids[kept].tolist(), *ids[~kept].tolist()) if text in q.lower()]
        return found[:most]

    @property
    def can_undo(self) -> bool:
        """Whether a choice has been made that can be taken back."""
        return bool(self._history)

    def undo(self) -> None:
        """Take the last choice back; the steps of one drag or one word are one choice."""
        self._history.undo()

    def to_query(self, more: Mapping[str, str] | None = None) -> str:
        """Every setting, defaults included, as the query part of an address.

        Parameters
        ----------
        more : mapping of str to str, optional
            What else the address says.
        """
        values = list((more or {}).items())
        for name in SETTINGS:
            value = getattr(self, name)
            if name in ("algorithms", "boxes"):
                values += [(name, str(item)) for item in value or [""]]
            else:
                values.append((name, "" if value is None else str(value)))
        return "?" + urlencode(values)

    def from_query(self, query: str) -> list[str]:
        """Take settings from the query part of an address.

        Returns
        -------
        list of str
            What could not be used, and why; such settings keep their value.
        """
        problems = []
        given = parse_qs(query.lstrip("?"), keep_blank_values=True)
        for name in SETTINGS:
            if name not in given:
                continue
            text = given[name][-1]
            try:
                value: Any = text
                if name == "algorithms":
                    value = [item for item in given[name] if item]
                elif name == "boxes":
                    value = tuple(self._box(item) for item in given[name] if item)
                elif isinstance(self.param[name], param.Integer):
                    value = int(text) if text else None
                elif isinstance(self.param[name], param.Number):
                    value = float(text)
                    if not np.isfinite(value) or (name == "e0" and value < 0 and self._e_values()):
                        raise ValueError  # noqa: TRY301
                self.param.update(**{name: value})
            except ValueError:
                problems.append(f"{name} = {text!r} in the address cannot be used here")
        self._history.forget()  # here the person begins
        return problems

    def _forget_selection(self, *_: Any) -> None:
        self._selection = self._lists = None

    def _box(self, text: str) -> Box:
        box = Box.read(text)
        if box.a not in self._results or box.b not in self._results:
            raise ValueError(text)
        return box

    @property
    def _focus_row(self) -> int:
        """Place of the query in focus, in the lists of all algorithms."""
        return self.once("focus", self.focus, lambda: self.first.row_of(self.focus))

    def _e_values(self) -> bool:
        """Whether the scores are E-values, as far as one can see: they ascend from 0 or above."""
        return self.first.direction == "ascending" and all(
            lists.score.min(initial=0) >= 0 for lists in self._results.values()
        )

    def _usual_threshold(self) -> float:
        """Usual E-value where that is among the scores, else the middle of all scores."""
        score = np.concatenate([lists.score for lists in self._results.values()])
        if not score.size:
            return USUAL_E0
        if self.first.direction == "ascending" and score.min() <= USUAL_E0 <= score.max():
            return USUAL_E0
        return float(np.sort(score)[score.size // 2])


def _compared(
    lists: Mapping[str, RetrievalLists],
    taps: Mapping[str, Tap],
    at: Mapping[str, Any],
    baseline: str,
    progress: Progress | None = None,
    *,
    n_resamples: int = 1000,
    seed: int = 0,
) -> Compared:
    resampled = bootstrap(lists, **at, n_resamples=n_resamples, seed=seed, progress=progress)
    found = compare_with(baseline, taps, resampled, seed=seed) if baseline else ()
    ties = {
        name: Bracket(*(tap(lists[name], one.e0, ties=rule).tap for rule in WORST_AND_BEST))
        for name, one in taps.items()
        if np.isfinite(one.tap)
    }
    return Compared(resampled, found, ties)


def _mean_average_precision(lists: RetrievalLists) -> float:
    return average_precision(lists).value
