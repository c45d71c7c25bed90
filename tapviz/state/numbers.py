"""The numbers that follow from choices, each computed again only when it changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from math import nan
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from weakref import ref

from tapviz import scores as scoring
from tapviz.files.extras import told
from tapviz.lists import RetrievalLists, derived
from tapviz.lists.runs import as_systems, systems
from tapviz.measures import AcceptedErrors, OnProgress, Tap
from tapviz.scores.case import foresee_n, foresee_thresholds
from tapviz.scores.conclusion import common_threshold
from tapviz.scores.findings import Finding
from tapviz.state.queries import Queries, filters
from tapviz.state.query_filter import Judging, Results
from tapviz.state.settings import BY_E_VALUE, BY_ERRORS, MAX_K, SETTINGS, affecting

if TYPE_CHECKING:
    import pandas as pd

R = TypeVar("R")

N_RESAMPLES = 1000
EPQ = ("median_epq", "mean_epq")
"""Scores that tell of errors at the threshold chosen."""
MOST_SUMS = 1 << 23
"""Numbers of groups at all E_0 together: 64 MB for each score that is resampled at all at once."""
AT_ONCE = 100_000
"""Queries times values of a setting that are computed together."""


class Shared:
    """The latest results by what they depend on; threads that need the same wait for the first.

    Parameters
    ----------
    keep : int
        How many results are kept.

    Examples
    --------
    >>> from tapviz.state.numbers import Shared
    >>> shared = Shared(keep=2)
    >>> shared.once("a", lambda: 1), shared.once("a", lambda: 2), shared.known("b")
    (1, 1, None)
    """

    def __init__(self, keep: int) -> None:
        self._keep, self._lock = keep, Lock()
        self._results: OrderedDict[Hashable, Any] = OrderedDict()
        self._busy: dict[Hashable, Lock] = {}

    def known(self, key: Hashable) -> Any:
        """Result for a key; None if there is none."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
            return self._results.get(key)

    def once(self, key: Hashable, compute: Callable[[], R]) -> R:
        """Result of `compute`, unless there is one for the key, or somebody is at it.

        Parameters
        ----------
        key : hashable
            Whatever the result depends on.
        compute : callable
            What it raises reaches its own caller only: who waits for it then computes.
        """
        with self._lock:
            busy = self._busy.setdefault(key, Lock())
        try:
            with busy:
                known: R | None = self.known(key)
                if known is not None:
                    return known
                result = compute()
                with self._lock:
                    self._results[key] = result
                    while len(self._results) > self._keep:
                        self._results.popitem(last=False)
                return result
        finally:
            with self._lock:
                self._busy.pop(key, None)


@derived()
def _measured(lists: RetrievalLists) -> scoring.Memo:  # noqa: ARG001  # that of these lists
    """What was measured of all queries, for whoever opens the same results next."""
    return scoring.Memo()


SHARED = Shared(keep=16)
"""Comparisons of whole results, which every page of a process that shows the same data needs."""


class Numbers(Queries):
    """Scores and comparisons of the queries selected, at the threshold chosen.

    Parameters
    ----------
    results, judging
        As of `Queries`.
    """

    def __init__(self, results: Results, judging: Judging | None = None) -> None:
        super().__init__(results, judging)
        # Of all queries and of those selected: they are the same at first.
        self._memos = {
            (name, whole): _measured(lists).copy()
            for (name, lists), whole in product(self._results.items(), (False, True))
        }
        self._latest: tuple[Hashable, scoring.Compared] | None = None

    def take_over(self, other: Numbers) -> None:
        """Take over what was measured of the same results for others."""
        for key, memo in self._memos.items():
            memo.fill(other._memos[key])

    def leave(self) -> None:
        """Leave what was measured of all queries to others of the same results."""
        if self.selection.everything and self.weights == "none":
            for name, lists in self._results.items():
                _measured(lists).fill(self._memos[name, False])

    def measure(
        self,
        function: Callable[..., R],
        algorithm: str,
        *args: Hashable,
        whole: bool = False,
        **options: Hashable,
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

    @property
    def rule(self) -> scoring.ThresholdRule:
        """How the threshold is chosen; where too few lists hold k errors there is none."""

        def made() -> scoring.ThresholdRule:
            k, e0 = (self.k, None) if self.mode == BY_ERRORS else (None, self.e0)
            chosen = self._chosen(scoring.ThresholdRule)
            return scoring.ThresholdRule(**chosen | {"k": k, "e0": e0})

        return self.once("rule", self.changes("threshold"), made)

    @property
    def policies(self) -> scoring.Policies:
        """The same choices for `tapviz.scores.score`, which takes lists of the queries selected."""
        same = self._chosen(scoring.Policies)
        k, e0 = ((self.k,), ()) if self.mode == BY_ERRORS else ((), (self.e0,))
        differing = {"k": k, "e0": e0, "groups": self.groups or None}
        scores, queries = tuple(self.table_scores), filters(self)
        return scoring.Policies(**same | differing, scores=scores, queries=queries)

    def _chosen(self, of: type[scoring.ThresholdRule | scoring.Policies]) -> dict[str, Any]:
        """What was chosen for those fields of a record that are settings."""
        return {name: getattr(self, name) for name in of._fields if name in SETTINGS}

    def case(self, algorithm: str) -> scoring.Case:
        """The selected lists of an algorithm with the present threshold and n, to be scored.

        Those of all its runs that are shown, if it is a system of several.
        """

        def made() -> scoring.Case:
            if runs := self.systems.get(algorithm):
                return scoring.SystemCase.of({run: self.case(run) for run in runs})
            lists, memo = self.lists[algorithm], self._memos[algorithm, False]
            return scoring.Case(lists, self.rule, self.n, memo)

        key = self.changes("opened", "shown", "queries", "threshold", "n")
        return self.once(("case", algorithm), key, made)

    def foresee(self, setting: Literal["k", "e0", "n"], values: Sequence[Any]) -> None:
        """Compute at once what tables and plots ask at several values of k, of E_0 or of n.

        Parameters
        ----------
        setting : {"k", "e0", "n"}
        values : sequence
            To which the setting is changed next; from the strictest on.
        """
        thresholds = {"k": None, "e0": None}
        for name, lists in self.lists.items():
            case = scoring.Case(lists, self.rule, self.n, self._memos[name, False])
            if setting == "n":
                foresee_n([replace(case, n=n) for n in values])
            else:
                rules = [self.rule._replace(**thresholds | {setting: one}) for one in values]
                foresee_thresholds([replace(case, rule=rule) for rule in rules])

    def visit(self, setting: Literal["k", "e0", "n"], values: Sequence[Any]) -> Iterator[None]:
        """Change k, E_0 or n to several values in turn, of which many are computed at once."""
        at_once = max(AT_ONCE // max(self.selection.n_queries, 1), 1)
        for place, value in enumerate(values):
            if place % at_once == 0:
                self.foresee(setting, values[place : place + at_once])
            setattr(self, setting, value)
            yield

    def tap(self, algorithm: str) -> Tap:
        """TAP of an algorithm at the present threshold: E_k, or the given E_0.

        Where too few lists hold k errors it is NaN, with the reason.
        """
        return self.case(algorithm).tap

    @property
    def scores_shown(self) -> tuple[scoring.Score, ...]:
        """The scores of the table: the usual ones, or those chosen; and costs that are known."""

        def made() -> tuple[scoring.Score, ...]:
            asked = self._scores_asked
            usual = () if self.table_scores or self.first.given else self.errors_shown
            besides = [one for one in map(scoring.named, usual) if one not in asked]
            return (*besides, *asked)

        chosen = tuple(self.table_scores), self.mode, self.quantile
        return self.once("scores shown", (self.changes("opened"), chosen), made)

    @property
    def _scores_asked(self) -> tuple[scoring.Score, ...]:
        """Those chosen, or those that the command line has by itself; and costs."""
        asked = scoring.asked_for(self.first, self.table_scores)
        return tuple(dict.fromkeys([*asked, *self.costs]))

    @property
    def errors_shown(self) -> tuple[str, ...]:
        """Scores that tell of errors, unless others are chosen: at a common threshold, or the EPQ.

        Where the median query sets E_k it has k errors with every program: that tells nothing.
        """
        if self.mode == BY_E_VALUE or self.quantile != self.param.quantile.default:
            return EPQ
        results = self._results.values()
        common = self.once("common", self.changes("opened"), lambda: common_threshold(results))
        return EPQ if common is None else scoring.AT_COMMON

    @property
    def costs(self) -> tuple[scoring.Score, ...]:
        """What is known of the costs of the runs."""
        results = self._results.values()
        return self.once("costs", self.changes("opened"), lambda: scoring.known_costs(results))

    def score(self, algorithm: str) -> dict[str, float]:
        """Scores of an algorithm by their names, those of `SCORES` and of the table.

        NaN where undefined.
        """
        case = self.case(algorithm)
        return {one.name: case.value(one) for one in self._scores}

    @property
    def _scores(self) -> list[scoring.Score]:
        """The usual scores, and those chosen besides."""
        return list(dict.fromkeys([*scoring.asked_for(self.first), *self._scores_asked]))

    @property
    def scores(self) -> pd.DataFrame:
        """Score table: a row for each algorithm shown, under the present choices."""
        with told():
            import pandas as pd  # noqa: PLC0415  # slow to import, and not for the command line

        scores = self._scores
        tied = [score for score in scores if score.has_ties]
        columns = [score.name for score in scores]
        columns += [f"{score.name}_{end}" for score in tied for end in ("worst", "best")]
        rows = []
        for name in self.shown:
            case = self.case(name)
            brackets = [end for score in tied for end in case.ties(score) or (nan, nan)]
            rows.append([*self.score(name).values(), *brackets, case.tap.reason])
        return pd.DataFrame(rows, pd.Index(self.shown, name="algorithm"), [*columns, "reason"])

    def findings(self, compared: scoring.Compared | None = None) -> list[Finding]:
        """What is doubtful about the scores of the algorithms shown, and of the baseline.

        Parameters
        ----------
        compared : Compared, optional
            Knows whether groups of queries were drawn.
        """
        chosen = [Finding("chosen", (), {})] if self.queries_chosen else []
        return chosen + scoring.find(self.cases, compared, self.table_scores)

    @property
    def compared_key(self) -> Hashable:
        """What `compared` depends on: it changes whenever the result would."""
        return self._key(lambda lists: lists)

    @property
    def every_threshold_key(self) -> Hashable:
        """What `every_threshold` depends on."""
        return "every threshold", self._key(ref, BY_ERRORS, BY_E_VALUE)

    @property
    def _at_any_n_key(self) -> Hashable:
        """What resampling at every threshold depends on, which n does not change."""
        return "every threshold at any n", self._key(ref, BY_ERRORS, BY_E_VALUE, "n")

    def _key(self, of_lists: Callable[[RetrievalLists], Hashable], *idle: str) -> Hashable:
        """What `compared` depends on, but for some settings.

        References to the lists keep none from being forgotten.
        """
        chosen = self.changes("opened", "queries", "shown", "intervals"), self.mode, self.quantile
        names, *others = self.once("compared by", chosen, self._compared_by)
        # Of k and E_0 the one that is not the threshold changes nothing.
        without = *idle, BY_ERRORS if self.mode == BY_E_VALUE else BY_E_VALUE
        moved = affecting("threshold", "n")
        how = tuple(getattr(self, name) for name in moved if name not in without)
        by = "" if self._looked_up else self.compared_score
        return names, tuple(of_lists(self.lists[name]) for name in names), how, *others, by

    def _compared_by(self) -> tuple[tuple[str, ...], Hashable, Hashable, bool]:
        """Names of what is compared, and how it is, at whichever threshold and n."""
        scores = tuple(self.table_scores), tuple(self.comparable)
        how = tuple(getattr(self, name) for name in affecting("intervals"))
        return tuple(self.compared_names), how, scores, self.queries_chosen

    @property
    def compared_names(self) -> list[str]:
        """Algorithms that are compared: those shown, and the baseline."""
        baseline = systems(self._results).get(self.baseline, (self.baseline,))
        compared = {*self.algorithms, *baseline}
        return [name for name in self._results if name in compared]

    @property
    def systems(self) -> dict[str, tuple[str, ...]]:
        """Systems with several runs among the algorithms compared, and the names of these."""
        key = self.changes("opened"), tuple(self.algorithms), self.baseline
        return self.once("systems", key, lambda: systems(self.compared_names))

    @property
    def rows(self) -> list[str]:
        """Rows of the score table: what is compared, each system in place of its runs."""
        return [*as_systems(dict.fromkeys(self.compared_names, ""), "".join)]

    @property
    def cases(self) -> dict[str, scoring.Case]:
        """What the scores of each row are computed from."""
        return {name: self.case(name) for name in self.rows}

    def compared(
        self, *, n_resamples: int = N_RESAMPLES, seed: int = 0, progress: OnProgress | None = None
    ) -> scoring.Compared:
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
            If no program is shown.
        Cancelled
            If `progress` returned False.
        """
        return self.comparing()(progress, n_resamples=n_resamples, seed=seed)

    @property
    def known(self) -> scoring.Compared | None:
        """`compared` of the present choices, if it was computed before; None if not.

        Where `every_threshold` is known it is looked up, without differences of thresholds and of
        errors there.
        """
        key = self._key(ref)
        found: scoring.Compared | None = SHARED.known((key, N_RESAMPLES, 0))
        every = self._every_threshold()
        if found is not None or every is None or every.place(self.rule) is None:
            return found
        # Not shared: those of all positions would crowd out what takes long.
        return self.once("known", key, lambda: every.at(self.cases))

    def or_at_any_n(self, compared: scoring.Compared | None) -> scoring.Compared | None:
        """Comparisons of the present choices; if there are none, those that n does not change.

        Parameters
        ----------
        compared : Compared or None
            Of the present choices, as far as they are known.
        """
        key = self._key(lambda lists: lists, "n")
        if compared is not None:
            self._latest = key, compared.at_any("n")
        if compared is not None or self.score_compared.at_n:
            return compared
        if self._latest is not None and self._latest[0] == key:
            return self._latest[1]
        every = self._every_threshold(any_n=True)
        if every is None or every.place(self.rule) is None:
            return None
        return self.once("at any n", self._key(ref), lambda: every.at(self.cases))

    @property
    def known_at_every_threshold(self) -> bool:
        """Whether comparisons are known at every k or E_0, as far as that changes them."""
        return self._every_threshold(any_n=not self.score_compared.at_n) is not None

    def _every_threshold(self, *, any_n: bool = False) -> scoring.EveryThreshold | None:
        """What was found by `every_threshold`; at any n, what n does not change of it."""
        if not self._looked_up:
            return None
        # Both are asked for: what nobody asks for is forgotten.
        at_any_n: scoring.EveryThreshold | None = SHARED.known(self._at_any_n_key)
        every: scoring.EveryThreshold | None = SHARED.known(self.every_threshold_key)
        return at_any_n if any_n else every

    @property
    def _looked_up(self) -> bool:
        """Whether the threshold changes nothing that `every_threshold` does not know."""
        mine = self.mode == BY_E_VALUE or self.k <= MAX_K
        single = not self.first.given and not self.systems
        at_threshold = self.score_compared.at_threshold and self.compared_score != "tap"
        return mine and single and self.selection.everything and not at_threshold

    def every_threshold(
        self, compared: scoring.Compared, e0: Sequence[float] = ()
    ) -> Callable[[OnProgress | None], scoring.EveryThreshold] | None:
        """Work for another thread, after which `known` knows every k, or every E_0.

        Parameters
        ----------
        compared : Compared
            Of the present choices.
        e0 : sequence of float
            What E_0 may be, where it is given; always the same.

        Returns
        -------
        callable or None
            None if there is no such work.
        """
        if compared.bootstrap is None or compared.reason or not self._looked_up:
            return None
        if self.mode == BY_E_VALUE and not 0 < len(e0) * compared.groups.count <= MOST_SUMS:
            return None
        if SHARED.known(self.every_threshold_key) is not None:
            return None
        copies = {name: case.copy() for name, case in self.cases.items()}
        key, at_any_n = self.every_threshold_key, self._at_any_n_key
        resample = partial(
            scoring.EveryThreshold.of,
            copies,
            compared.at_any("n"),
            tuple(dict.fromkeys(e0)),
            fixed_threshold=self.fixed_threshold,
        )

        def work(progress: OnProgress | None) -> scoring.EveryThreshold:
            every = SHARED.once(at_any_n, lambda: resample(progress=progress))
            return SHARED.once(key, lambda: every._replace(compared=compared))

        return work

    def comparing(self) -> Callable[..., scoring.Compared]:
        """`compared` of the present choices, for another thread: later changes do not affect it."""
        for name in self.compared_names:
            self.tap(name)  # so that both threads have it
        cases = self.cases
        compare = partial(
            scoring.compare,
            groups=self.groups or None,
            scores=self.scores_shown,
            compared=[*self.comparable],
            fixed_threshold=self.fixed_threshold,
            peak=self.peak_interval,
            chosen=self.queries_chosen,
        )
        key = self._key(ref) if self.selection.everything else None

        def compute(
            progress: OnProgress | None = None, *, n_resamples: int = N_RESAMPLES, seed: int = 0
        ) -> scoring.Compared:
            def work() -> scoring.Compared:
                copies = {name: case.copy() for name, case in cases.items()}
                return compare(copies, progress, n_resamples=n_resamples, seed=seed)

            return work() if key is None else SHARED.once((key, n_resamples, seed), work)

        return compute

    @property
    def score_compared(self) -> scoring.Score:
        """The score by which algorithms are compared."""
        return self.comparable[self.compared_score]

    @property
    def comparable(self) -> dict[str, scoring.Score]:
        """Scores by which algorithms can be compared: the usual ones, and those of the table."""
        chosen = tuple(self.table_scores), self.compared_score, self.mode, self.quantile
        return self.once("comparable", (self.changes("opened"), chosen), self._comparable)

    def _comparable(self) -> dict[str, scoring.Score]:
        usual = scoring.comparable_scores(self.first)
        offered = self.param.compared_score.objects
        found = {**usual, **{one.name: one for one in self.scores_shown if one.name in offered}}
        name = self.compared_score
        return found if name in found else {**found, name: scoring.comparable(name, self.first)}

    def query_table(self, pair: Sequence[str]) -> scoring.QueryTable:
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
        return self.once("query table", key, lambda: scoring.query_table(cases, score, pair))

    @property
    def score_of_queries(self) -> scoring.Score:
        """The score compared, or TAP where queries have none of it."""
        score = self.score_compared
        return score if score.per_query is not None else scoring.COMPARABLE["tap"]

    @property
    def versions(self) -> dict[str, str]:
        """Versions of the runs, or when they were made where they have none."""
        said = {name: of.run.version or of.run.date for name, of in self._results.items()}
        return {name: text for name, text in said.items() if text}

    @property
    def cost_shown(self) -> scoring.Score:
        """The cost that scores are drawn against: the one chosen, or the first that is known."""
        known = {one.name: one for one in self.costs or scoring.COSTS}
        return known.get(self.cost, next(iter(known.values())))

    @property
    def accepted(self) -> AcceptedErrors:
        """The errors per query that are accepted."""
        return AcceptedErrors(self.accepted_errors, self.accepted_statistic, self.accepted_quantile)
