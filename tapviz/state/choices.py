"""The choices of a person, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from weakref import ref

import numpy as np
import param
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, align
from tapviz.lists.reported import all_kept, limit_of, scores_of_all, with_ends
from tapviz.lists.runs import as_systems, systems
from tapviz.measures import (
    AcceptedErrors,
    OnProgress,
    RankedList,
    Tap,
    class_depth,
    error_threshold,
    errors_per_query,
    level_name,
    query_weights,
    ranked_list,
    tap,
    weight_titles,
)
from tapviz.scores import (
    COMPARABLE,
    COSTS,
    Case,
    Compared,
    EveryK,
    Memo,
    Policies,
    QueryTable,
    Score,
    SystemCase,
    ThresholdRule,
    asked_for,
    comparable,
    comparable_scores,
    compare,
    find,
    known_costs,
    query_table,
)
from tapviz.scores.findings import Finding
from tapviz.state import address
from tapviz.state.history import History
from tapviz.state.parts import Part, filters, parts, select
from tapviz.state.query_filter import MAX_BOXES, Box, Range, Selection, find_ids, next_row
from tapviz.state.settings import (
    BY_E_VALUE,
    BY_ERRORS,
    DEFAULT_E0,
    MAX_K,
    SETTINGS,
    Settings,
    affecting,
)
from tapviz.state.shared import Shared

if TYPE_CHECKING:
    import pandas as pd

R = TypeVar("R")

N_RESAMPLES = 1000

SHARED = Shared(keep=16)
"""Comparisons of whole results, which every page of a process that shows the same data needs."""


class Pinned(NamedTuple):
    """Scores of one view, kept to be compared with those of others.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.state import Choices
    >>> choices = Choices(load_results("profiles"), k=5)
    >>> choices.pin()
    >>> choices.k = 20
    >>> choices.pinned.rule.k
    5
    """

    rule: ThresholdRule
    n: int
    n_queries: int
    scores: dict[str, dict[str, float]]
    """Of every algorithm, by name of the score."""


class Choices(Settings):
    """What a person chose, and the numbers that follow from it.

    Plots are made of these; a `tapviz.explorer.Explorer` draws them as well.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.state import Choices
    >>> choices = Choices(load_results("profiles"), k=5)
    >>> choices.query_class = "a"
    >>> choices.k, choices.selection.everything
    (5, False)
    >>> choices.undo()
    >>> choices.selection.everything
    True
    """

    def __init__(
        self,
        results: Mapping[str, RetrievalLists],
        shown: list[str] | None = None,
        judging: Mapping[str, Callable[[], Mapping[str, RetrievalLists]]] | None = None,
        class_of_record: Callable[[str], str] | None = None,
        **params: Any,
    ) -> None:
        if not results or not next(iter(results.values())).n_queries:
            msg = "no results: expected the lists of at least one algorithm with at least one query"
            raise ValueError(msg)
        self._opened: Mapping[str, RetrievalLists] = align(results)
        self._results: Mapping[str, RetrievalLists] = self._opened
        self.judging = dict(judging or {})
        self._class_of_record = class_of_record
        self._selection: Selection | None = None
        self._lists: Mapping[str, RetrievalLists] | None = None
        self._all: Mapping[str, RetrievalLists] | None = None
        self._memo = Memo()
        self._memos = {key: Memo() for key in product(results, (False, True))}
        self._cases: dict[str, Case] = {}
        names = list(results)
        wanted = names[:5] if shown is None else shown
        shown = [name for name in wanted if name in results]
        if not shown:
            msg = f"shown: none of {', '.join(wanted)} is among the results, {', '.join(names)}"
            raise ValueError(msg)
        # Styles belong to algorithms: settled once, those shown at first get the clearest.
        self.style_order = tuple(dict.fromkeys([*shown, *names]))
        super().__init__()
        # The first watchers: later ones see what follows from the new choice.
        self.param.watch(self._end_lists, "reported_to")
        self.param.watch(self._forget_selection, [*affecting("opened", "queries")])
        cases = affecting("opened", "queries", "threshold", "n")
        self.param.watch(lambda *_: self._cases.clear(), [*cases])
        for choice in (self.param.algorithms, self.param.focus_algorithm):
            choice.objects, choice.check_on_set = names, True
        self.param.focus.objects = ["", *self.first.query.tolist()]
        # Of more errors than any list has, no threshold can have k.
        most = max(_most_errors(one) for one in results.values())
        self.param.k.bounds = (1, max(MAX_K, most))
        for choice, offered in (
            (self.param.baseline, [*systems(names), *names]),
            (self.param.opponent, names),
        ):
            choice.objects = {"none": "", **{name: name for name in offered}}
        titles = weight_titles(self.first)
        self.param.weights.objects = {title: name for name, title in titles.items()}
        if "family" not in titles:
            known = self.param.coverage_of.objects
            self.param.coverage_of.objects = dict([*known.items()][:2])
        depth = class_depth(self.first)
        self.param.groups.bounds = (0, depth)
        levels = {level_name(self.first, level): f"{level}" for level in range(1, depth + 1)}
        self.param.queries_by.objects = {"closed": "", "queries": "query", **levels}
        start: dict[str, Any] = {
            "algorithms": shown,
            "focus_algorithm": shown[0],
            "e0": self._default_threshold(),
            "groups": self.first.class_level or depth,
            "reported_to": _said(self._opened),
            **self._usual_errors(),
        }
        if self.first.given:
            names_given = list(self.first.given)
            self.param.compared_score.objects = names_given
            self.param.table_scores.objects = names_given
            start["compared_score"] = names_given[0]
        self.param.update(**{**start, **params})
        self._history = History(self)

    # --- lists and queries -----------------------------------------------------------------

    @property
    def results(self) -> Mapping[str, RetrievalLists]:
        """Lists of all algorithms, with all queries, all in the same order."""
        return dict(self._results)

    @property
    def first(self) -> RetrievalLists:
        """Lists of the first algorithm, for what is common to all: queries, T(q), direction."""
        return next(iter(self._results.values()))

    @property
    def shown(self) -> list[str]:
        """Algorithms shown, in the order of the results."""
        return [name for name in self._results if name in self.algorithms]

    @property
    def selection(self) -> Selection:
        """The queries that the filter keeps."""
        if self._selection is None:
            self._selection = select(self._results, filters(self), self._all_judged)
            if self.weights != "none":
                mask = self._selection.mask & (query_weights(self.first, self.weights) > 0)
                self._selection = self._selection._replace(mask=mask)
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
            self._lists = self._weighed(self.selection.mask)
        return self._lists

    @property
    def all_lists(self) -> Mapping[str, RetrievalLists]:
        """Lists of all algorithms, with all queries that have a weight, whatever the filter."""
        if self._all is None:
            self._all = self._weighed(query_weights(self.first, self.weights) > 0)
        return self._all

    def judged(self, standard: str) -> Mapping[str, RetrievalLists]:
        """The lists of the queries selected, judged by one of the standards in `judging`."""

        def compute() -> Mapping[str, RetrievalLists]:
            found = self._all_judged(standard)
            query = next(iter(found.values())).query
            return self._weighed(np.isin(query, self.first.query[self.selection.mask]), found)

        return self.once(("judged", standard), self.lists, compute)

    def _all_judged(self, standard: str) -> Mapping[str, RetrievalLists]:
        """The lists of all queries, judged by one of the standards in `judging`."""
        return self.once(("all judged", standard), (), lambda: align(self.judging[standard]()))

    def _weighed(
        self, use: NDArray[np.bool_], results: Mapping[str, RetrievalLists] | None = None
    ) -> Mapping[str, RetrievalLists]:
        """Lists with some of the queries, and the weights chosen."""
        found = self._results if results is None else results
        if not use.all():
            found = {name: lists.subset(use) for name, lists in found.items()}
        if self.weights == "none":
            return found
        weight = query_weights(next(iter(found.values())), self.weights)
        return {name: lists.with_weights(weight) for name, lists in found.items()}

    def find(self, text: str, most: int | None = None) -> list[str]:
        """Ids of the queries that contain a text, in whatever case; those selected first."""
        return find_ids(self.first.query, self.selection.mask, text)[:most]

    # --- numbers ---------------------------------------------------------------------------

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
            Use all queries, `all_lists`, instead of the selected ones.
        *args, **options
            Further arguments of the measure; hashable.
        """
        lists = (self.all_lists if whole else self.lists)[algorithm]
        return self._memos[algorithm, whole].measure(function, lists, *args, **options)

    def once(self, name: Any, key: Any, compute: Callable[[], R]) -> R:
        """Value of `compute`, evaluated again only when the key of that name has changed.

        Parameters
        ----------
        name : hashable
        key : object
            Whatever the value depends on.
        compute : callable
        """
        return self._memo.once(name, key, compute)

    @property
    def rule(self) -> ThresholdRule:
        """How the threshold is chosen; where too few lists hold k errors there is none."""
        if self.mode == BY_E_VALUE:
            return ThresholdRule(None, self.e0, self.quantile)
        return ThresholdRule(self.k, None, self.quantile)

    @property
    def policies(self) -> Policies:
        """The same choices for `tapviz.scores.score`, which takes lists of the queries selected."""
        same = {name: getattr(self, name) for name in Policies._fields if name in SETTINGS}
        rule, scores = self.rule, tuple(self.table_scores)
        at = {"k": (), "e0": (rule.e0,)} if rule.k is None else {"k": (rule.k,), "e0": ()}
        own = {"groups": self.groups or None, "scores": scores, "queries": filters(self)}
        return Policies(**same | at | own)

    def case(self, algorithm: str) -> Case:
        """The selected lists of an algorithm with the present threshold and n, to be scored.

        Those of all its runs that are shown, if it is a system of several.
        """
        if algorithm in self.systems:
            return SystemCase.of({run: self.case(run) for run in self.systems[algorithm]})
        if algorithm not in self._cases:
            lists, memo = self.lists[algorithm], self._memos[algorithm, False]
            self._cases[algorithm] = Case(lists, self.rule, self.n, memo)
        return self._cases[algorithm]

    def tap(self, algorithm: str) -> Tap:
        """TAP of an algorithm at the present threshold: E_k, or the given E_0.

        Where too few lists hold k errors it is NaN, with the reason.
        """
        return self.case(algorithm).tap

    @property
    def scores_shown(self) -> tuple[Score, ...]:
        """The scores of the table: the usual ones, or those chosen; and costs that are known."""
        return tuple(dict.fromkeys([*asked_for(self.first, self.table_scores), *self.costs]))

    @property
    def costs(self) -> tuple[Score, ...]:
        """What is known of the costs of the runs."""
        return known_costs(self._results.values())

    def score(self, algorithm: str) -> dict[str, float]:
        """Scores of an algorithm by their names, those of `SCORES` and of the table.

        NaN where undefined.
        """
        case = self.case(algorithm)
        return {one.name: case.value(one) for one in self._scores}

    @property
    def _scores(self) -> list[Score]:
        """The usual scores, and those chosen besides."""
        return list(dict.fromkeys([*asked_for(self.first), *self.scores_shown]))

    @property
    def scores(self) -> pd.DataFrame:
        """Score table: a row for each algorithm shown, under the present choices."""
        import pandas as pd  # noqa: PLC0415  # slow to import, and not for the command line

        scores = self._scores
        tied = [score for score in scores if score.has_ties]
        columns = [score.name for score in scores]
        columns += [f"{score.name}_{end}" for score in tied for end in ("worst", "best")]
        rows = []
        for name in self.shown:
            case = self.case(name)
            brackets = [end for score in tied for end in case.ties(score) or ()]
            rows.append([*self.score(name).values(), *brackets, case.tap.reason])
        index = pd.Index(self.shown, name="algorithm")
        return pd.DataFrame(rows, index, [*columns, "reason"])

    def findings(self, compared: Compared | None = None) -> list[Finding]:
        """What is doubtful about the scores of the algorithms shown, and of the baseline.

        Parameters
        ----------
        compared : Compared, optional
            Knows whether groups of queries were drawn.
        """
        cases = {name: self.case(name) for name in self.rows}
        return find(cases, compared, self.table_scores)

    @property
    def compared_key(self) -> Any:
        """What `compared` depends on: it changes whenever the result would."""
        names = tuple(self.compared_names)
        lists = tuple(self.lists[name] for name in names)
        scores = tuple(self.table_scores), tuple(self.comparable)
        # Of k and E_0 the one that is not the threshold changes nothing.
        idle = BY_ERRORS if self.mode == BY_E_VALUE else BY_E_VALUE
        known = affecting("threshold", "n", "intervals")
        how = tuple((name, getattr(self, name)) for name in known if name != idle)
        return names, lists, how, scores, "" if self._follows_k else self.compared_score

    @property
    def compared_names(self) -> list[str]:
        """Algorithms that are compared: those shown, and the baseline."""
        baseline = systems(self._results).get(self.baseline, (self.baseline,))
        return [name for name in self._results if name in {*self.algorithms, *baseline}]

    @property
    def systems(self) -> dict[str, tuple[str, ...]]:
        """Systems with several runs among the algorithms compared, and the names of these."""
        return systems(self.compared_names)

    @property
    def rows(self) -> list[str]:
        """Rows of the score table: what is compared, each system in place of its runs."""
        return [*as_systems(dict.fromkeys(self.compared_names, ""), "".join)]

    def compared(
        self, *, n_resamples: int = N_RESAMPLES, seed: int = 0, progress: OnProgress | None = None
    ) -> Compared:
        """Intervals of the scores, and differences of every two algorithms, by resampling queries.

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

    @property
    def known(self) -> Compared | None:
        """`compared` of the present choices, if it was computed before; None if not.

        Where `every_k` is known it is looked up, without differences of E_k and of errors at E_k.
        """
        key = self._shared_key
        found: Compared | None = SHARED.known((key, N_RESAMPLES, 0)) or SHARED.known((key, "known"))
        every: EveryK | None = SHARED.known(self.every_k_key)
        if found is not None or every is None or not self._follows_k or self.k > MAX_K:
            return found
        cases = {name: self.case(name) for name in self.rows}
        return SHARED.once((key, "known"), lambda: every.at(cases))

    @property
    def _follows_k(self) -> bool:
        """Whether k changes nothing that `every_k` does not know."""
        mine = self.mode == BY_ERRORS and not self.first.given and not self.systems
        at_threshold = self.score_compared.at_threshold and self.compared_score != "tap"
        return mine and self.selection.everything and not at_threshold

    @property
    def every_k_key(self) -> Any:
        """What `every_k` depends on."""
        names, lists, how, *others = self._shared_key
        return "every k", names, lists, tuple(one for one in how if one[0] != "k"), *others

    def every_k(self, compared: Compared) -> Callable[[OnProgress | None], EveryK] | None:
        """Work for another thread, after which `known` knows every k; None if there is none.

        Parameters
        ----------
        compared : Compared
            Of the present choices.
        """
        if compared.bootstrap is None or not self._follows_k or self.k > MAX_K:
            return None
        if SHARED.known(self.every_k_key) is not None:
            return None
        copies = {name: self.case(name).copy() for name in self.rows}
        key, fixed = self.every_k_key, self.fixed_threshold

        def work(progress: OnProgress | None) -> EveryK:
            return SHARED.once(
                key, lambda: EveryK.of(copies, compared, fixed_threshold=fixed, progress=progress)
            )

        return work

    def comparing(self) -> Callable[..., Compared]:
        """`compared` of the present choices, for another thread: later changes do not affect it."""
        for name in self.compared_names:
            self.tap(name)  # so that both threads have it
        cases = {name: self.case(name) for name in self.rows}
        policies = {
            "groups": self.groups or None,
            "scores": self.scores_shown,
            "compared": [*self.comparable],
            "fixed_threshold": self.fixed_threshold,
            "peak": self.peak_interval,
        }
        key = self._shared_key if self.selection.everything else None

        def compute(
            progress: OnProgress | None = None, *, n_resamples: int = N_RESAMPLES, seed: int = 0
        ) -> Compared:
            def work() -> Compared:
                copies = {name: one.copy() for name, one in cases.items()}
                return compare(copies, progress, n_resamples=n_resamples, seed=seed, **policies)

            return work() if key is None else SHARED.once((key, n_resamples, seed), work)

        return compute

    @property
    def _shared_key(self) -> Any:
        """`compared_key`, which keeps no lists from being forgotten."""
        names, lists, *others = self.compared_key
        return names, tuple(map(ref, lists)), *others

    @property
    def score_compared(self) -> Score:
        """The score by which algorithms are compared."""
        return self.comparable[self.compared_score]

    @property
    def comparable(self) -> dict[str, Score]:
        """Scores by which algorithms can be compared: the usual ones, and those of the table."""
        usual = comparable_scores(self.first)
        offered = self.param.compared_score.objects
        found = {**usual, **{one.name: one for one in self.scores_shown if one.name in offered}}
        name = self.compared_score
        return found if name in found else {**found, name: comparable(name, self.first)}

    def query_table(self, pair: Sequence[str]) -> QueryTable:
        """Scores of each query selected, and errors, with the algorithms shown and two others.

        By the score by which algorithms are compared; where queries have none of it, by TAP.

        Parameters
        ----------
        pair : sequence of str
            A and B, whose scores are compared.
        """
        names = [name for name in self._results if name in {*self.algorithms, *pair}]
        cases = {name: self.case(name) for name in names}
        score = self.score_of_queries
        key = tuple(cases.values()), score.name, tuple(pair)
        return self.once("query table", key, lambda: query_table(cases, score, pair))

    @property
    def score_of_queries(self) -> Score:
        """The score compared, or TAP where queries have none of it."""
        score = self.score_compared
        return score if score.per_query is not None else COMPARABLE["tap"]

    @property
    def versions(self) -> dict[str, str]:
        """Versions of the runs, or when they were made where they have none."""
        runs = {name: lists.run for name, lists in self._results.items()}
        said = {name: run.version or run.date for name, run in runs.items()}
        return {name: text for name, text in said.items() if text}

    @property
    def cost_shown(self) -> Score:
        """The cost that scores are drawn against: the one chosen, or the first that is known."""
        known = {one.name: one for one in self.costs or COSTS}
        return known.get(self.cost, next(iter(known.values())))

    @property
    def accepted(self) -> AcceptedErrors:
        """The errors per query that are accepted."""
        return AcceptedErrors(self.accepted_errors, self.accepted_statistic, self.accepted_quantile)

    def use_threshold(self, e0: float) -> None:
        """Take a threshold E_0 for all algorithms, instead of one by errors."""
        self.param.update(mode=BY_E_VALUE, e0=e0)

    def pin(self) -> None:
        """Keep the scores of the present threshold, n and queries, to see how others differ."""
        scores = {name: self.score(name) for name in self._results}
        self.pinned = Pinned(self.rule, self.n, self.selection.n_queries, scores)

    def unpin(self) -> None:
        """Forget the scores that were kept."""
        self.pinned = None

    # --- the query in focus ----------------------------------------------------------------

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
        selected = self.selection.mask
        if selected[row]:
            return float(at.per_query[np.count_nonzero(selected[:row])])
        known = self._memos[algorithm, True]
        return float(known.measure(tap, self._results[algorithm], at.e0).per_query[row])

    def class_of_record(self, record: str) -> str:
        """Class of a record of the database; empty where it is not known."""
        if self._class_of_record is not None and (known := self._class_of_record(record)):
            return known
        return self.once("classes", self.first, self._classes_of_queries).get(record, "")

    def _classes_of_queries(self) -> dict[str, str]:
        lists = self.first
        known = lists.query_class
        return {} if known is None else dict(zip(lists.query.tolist(), known.tolist(), strict=True))

    def step_focus(self, by: int) -> None:
        """Focus on the query that comes so many places after the present one, of those selected.

        At the end it goes on from the beginning; without a focus it begins there.
        """
        row = next_row(self.selection.mask, self._focus_row if self.focus else None, by)
        if row is not None:
            self.focus = str(self.first.query[row])

    @property
    def _focus_row(self) -> int:
        """Place of the query in focus, in the lists of all algorithms."""
        return self.once("focus", self.focus, lambda: self.first.row_of(self.focus))

    # --- the filter ------------------------------------------------------------------------

    def clear_filter(self) -> None:
        """Select all queries again."""
        self._history.end_step()  # what was typed just before is a choice of its own
        self.param.update(**{name: SETTINGS[name].default for name in filters(self)})

    @property
    def filter_parts(self) -> list[Part]:
        """The parts of the filter that are on."""
        return parts(self, self.first)

    def kept_by(self, part: Part) -> int:
        """How many queries a part of the filter alone keeps."""
        results = self._results
        key = tuple(results.values()), part.words, tuple(part.alone.values())
        return self.once(
            ("kept", part.words),
            key,
            lambda: select(results, part.alone, self._all_judged).n_queries,
        )

    def drop(self, part: Part) -> None:
        """Take a part of the filter away."""
        self._history.end_step()  # not of one piece with what was typed just before
        self.param.update(**part.without)

    def select(self, box: Box, min_relevant: int = 0, max_relevant: int | None = None) -> str:
        """Narrow the selection to the queries in a box, unless none of them is in it.

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
            return f"There are {MAX_BOXES} boxes already. Clear the filter first."
        tops = [most for most in (self.max_relevant, max_relevant) if most is not None]
        total, most = self.first.n_relevant, min(tops, default=None)
        least = max(self.min_relevant, min_relevant)
        inside = self.selection.mask & box.holds(self._results) & (least <= total)
        if most is not None:
            inside &= total <= most
        if not inside.any():
            return "No selected query is in the box. The selection is unchanged."
        self.param.update(boxes=(*self.boxes, box), min_relevant=least, max_relevant=most)
        return ""

    def keep(self, *areas: Range) -> str:
        """Narrow the selection to the queries in some ranges, unless none of them is.

        Parameters
        ----------
        *areas : Range

        Returns
        -------
        str
            Why that was refused; empty if it was done.
        """
        if len(self.ranges) + len(areas) > MAX_BOXES:
            return f"There are {MAX_BOXES} ranges already. Clear the filter first."
        inside = self.selection.mask
        for area in areas:
            inside = inside & area.holds(self._results, self._all_judged)
        if not inside.any():
            return "No selected query is in the range. The selection is unchanged."
        self.ranges = (*self.ranges, *areas)
        return ""

    def _end_lists(self, event: Any) -> None:
        """Let lists end where a person says; where that cannot be, the choice is as it was."""
        try:
            self._results = _ended(self._opened, event.new)
        except ValueError:
            with param.parameterized.discard_events(self):
                self.reported_to = event.old
            raise

    def _forget_selection(self, *_: Any) -> None:
        self._selection = self._lists = self._all = None

    # --- undo and the address --------------------------------------------------------------

    @property
    def can_undo(self) -> bool:
        """Whether a choice has been made that can be taken back."""
        return bool(self._history)

    def undo(self) -> None:
        """Take the last choice back; the steps of one drag or one word are one choice."""
        self._history.undo()

    @property
    def can_redo(self) -> bool:
        """Whether a choice has been taken back that can be made again."""
        return self._history.can_redo

    def redo(self) -> None:
        """Make the choice again that was taken back last."""
        self._history.redo()

    def to_query(self, more: Mapping[str, str] | None = None) -> str:
        """Every setting, defaults included, as the query part of an address.

        Parameters
        ----------
        more : mapping of str to str, optional
            What else the address says.
        """
        return address.encode(self, more)

    def from_query(self, query: str, where: str = "the address") -> list[str]:
        """Take settings from the query part of an address.

        Parameters
        ----------
        query : str
        where : str
            Where it stands, for messages.

        Returns
        -------
        list of str
            What could not be used, and why; such settings keep their value.
        """
        problems = address.decode(self, query, where)
        self._history.clear()  # undo does not go back beyond the address
        return problems

    @property
    def has_e_values(self) -> bool:
        """Whether the scores are E-values, as far as one can see: they ascend from 0 or above."""
        return self.first.direction == "ascending" and all(
            lists.score.min(initial=0) >= 0 for lists in self._results.values()
        )

    def _usual_errors(self) -> dict[str, int]:
        """The usual k and n, or what is kept of lists that were condensed for less."""
        usual = {"k": self.param.k.default, "n": self.param.n.default}
        condensed = [
            (lists, lists.kept)
            for lists in self._results.values()
            if lists.kept is not None and not all_kept(lists)
        ]
        most = min((kept.n_errors for _, kept in condensed), default=max(usual.values()))
        usual = {name: min(value, most) for name, value in usual.items()}
        while usual["k"] > 1 and not all(
            lists.sign * error_threshold(lists, k=usual["k"]).e_k <= lists.sign * kept.e_keep
            for lists, kept in condensed
        ):
            usual["k"] -= 1
        return usual

    def _default_threshold(self) -> float:
        """Default E-value where that is among the scores, else the middle of all scores."""
        score = np.concatenate(scores_of_all(self._results.values()))
        if not score.size:
            return DEFAULT_E0
        if self.first.direction == "ascending" and score.min() <= DEFAULT_E0 <= score.max():
            return DEFAULT_E0
        return float(np.sort(score)[score.size // 2])


def _most_errors(lists: RetrievalLists) -> int:
    """Most errors of any list, as far as they were kept."""
    if lists.kept is not None and not all_kept(lists):
        return lists.kept.n_errors
    return int(errors_per_query(lists, lists.sign * np.inf).max())


def _said(results: Mapping[str, RetrievalLists]) -> dict[str, float]:
    """How far programs reported of which somebody has said it."""
    return {
        name: limit_of(lists.reported_to, lists.direction)
        for name, lists in results.items()
        if lists.reported_how == "said"
    }


def _ended(
    results: Mapping[str, RetrievalLists], limits: Mapping[str, float]
) -> dict[str, RetrievalLists]:
    """The same lists, of which some end at other limits.

    Raises
    ------
    ValueError
        If there is no such algorithm, a limit is no number, or a record lies beyond it.
    """
    if unknown := limits.keys() - results.keys():
        msg = f"reported_to names {min(unknown)!r}: expected one of {', '.join(map(repr, results))}"
        raise ValueError(msg)
    for name, limit in limits.items():
        if not np.isfinite(limit):
            msg = f"reported_to of {name} is {limit}: expected a number"
            raise ValueError(msg)
    known = _said(results)
    return {
        name: lists
        if limits.get(name) in (None, known.get(name))
        else with_ends(lists, limit=limits[name])
        for name, lists in results.items()
    }
