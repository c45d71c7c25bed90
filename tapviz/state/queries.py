"""The lists that were opened, and the queries of them that are selected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

import numpy as np
import param
from numpy.typing import NDArray

from tapviz.files.regex import RegexError
from tapviz.lists import RetrievalLists, align
from tapviz.lists.checks import check_results
from tapviz.lists.reported import all_kept, limit_of, scores_of_all, with_ends
from tapviz.measures import error_threshold, errors_per_query, query_weights
from tapviz.scores import Memo
from tapviz.scores.findings import BY_SCORES
from tapviz.state import query_filter
from tapviz.state.query_filter import Box, Judged, Judging, Range, Results, Selection
from tapviz.state.settings import DEFAULT_E0, SETTINGS, Settings, Stage, Value

R = TypeVar("R")


class Part(NamedTuple):
    """A part of the filter."""

    words: str
    alone: Mapping[str, Value]
    """The setting that keeps what this part alone keeps; as `select` takes it."""
    without: Mapping[str, Value]
    """The setting that takes it away, and nothing else."""


def filters(chosen: Settings) -> dict[str, Value]:
    """Settings that filter queries and are not as by default, by their names."""
    values = {name: getattr(chosen, name) for name, one in SETTINGS.items() if one.filters}
    return {name: value for name, value in values.items() if value != SETTINGS[name].default}


def parts(chosen: Settings, lists: RetrievalLists) -> list[Part]:
    """The parts of a filter that is on.

    Parameters
    ----------
    chosen : Settings
        Whose choices.
    lists : RetrievalLists
        For the direction of scores.
    """
    found = []
    for name, value in filters(chosen).items():
        setting = SETTINGS[name]
        if not isinstance(value, tuple):
            found.append(Part(setting.words.format(value), {name: value}, {name: setting.default}))
            continue
        for place, area in enumerate(value):
            others = (*value[:place], *value[place + 1 :])
            found.append(Part(area.words(lists), {name: (area,)}, {name: others}))
    return found


def kept(results: Results, wanted: Mapping[str, Any]) -> Results:
    """Lists of the queries that match a filter, as `select` takes it.

    Raises
    ------
    ValueError
        If none does.
    """
    if not wanted:
        return results
    mask = select(results, wanted).mask
    if not mask.any():
        told = ", ".join(f"{SETTINGS[name].flag} {value}" for name, value in wanted.items())
        raise ValueError(f"{told}: no query is left")
    return {name: lists.subset(mask) for name, lists in results.items()}


def select(results: Results, wanted: Mapping[str, Any], judged: Judged | None = None) -> Selection:
    """Queries that match all parts of a filter.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Lists of each algorithm, all with the same queries.
    wanted : mapping of str to object
        Settings that filter queries, by their names.
    judged : callable, optional
        As in `Range.holds`.
    """
    lists, problem = next(iter(results.values())), ""
    mask = np.ones(lists.n_queries, np.bool_)
    for name, value in wanted.items():
        keeps = SETTINGS[name].keeps
        try:
            if keeps is not None:
                mask &= keeps(lists, value)
            elif isinstance(value, tuple):
                for area in value:
                    mask &= area.holds(results, judged)
        except RegexError as error:
            problem = f"‘{query_filter.clipped(str(value).strip())}’ is {error}; it is not applied"
    return Selection(mask, problem)


class Queries(Settings):
    """The queries that a person selected, with the lists of every algorithm.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        Of each algorithm, for the same database.
    judging : mapping of str to callable, optional
        By names of standards of relevance, what returns the same results judged by them.

    Raises
    ------
    ValueError
        If there is no algorithm or no query, or the algorithms disagree on T(q) or on the
        direction of scores.
    """

    judging: Judging = MappingProxyType({})

    def __init__(self, results: Results, judging: Judging | None = None) -> None:
        check_results(results)
        if not next(iter(results.values())).n_queries:
            raise ValueError("results: expected at least one query")
        self._opened: Results = align(results)
        self._results: Results = self._opened
        self.judging = dict(judging or {})
        self._memo = Memo()
        self._changes = Counter[Stage]()
        super().__init__()  # type: ignore[no-untyped-call]  # Param says no types of it
        # The first watchers: later ones see what follows from the new choice.
        self.param.watch(self._count_changes, [*SETTINGS])
        self.param.watch(self._end_lists, "reported_to")

    def changes(self, *stages: Stage) -> tuple[int, ...]:
        """How often settings were changed that affect each stage: a key of what follows of them."""
        return tuple(map(self._changes.__getitem__, stages))

    def once(self, name: Hashable, key: object, compute: Callable[[], R]) -> R:
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
    def results(self) -> Results:
        """Lists of all algorithms, with all queries, all in the same order."""
        return dict(self._results)

    @property
    def first(self) -> RetrievalLists:
        """Lists of the first algorithm, for what is common to all: queries, T(q), direction."""
        return next(iter(self._results.values()))

    @property
    def shown(self) -> list[str]:
        """Algorithms shown, in the order of the results."""
        chosen = self.algorithms
        return [name for name in self._results if name in chosen]

    @property
    def selection(self) -> Selection:
        """The queries that the filter keeps."""

        def compute() -> Selection:
            selection = select(self._results, filters(self), self._all_judged)
            if self.weights == "none":
                return selection
            weight = query_weights(self.first, self.weights)
            return selection._replace(mask=selection.mask & (weight > 0))

        return self.once("selection", self.changes("opened", "queries"), compute)

    @property
    def queries_chosen(self) -> bool:
        """Whether queries were chosen by how algorithms do on them, not only by what they are."""
        return any(getattr(self, name) for name in BY_SCORES)

    @property
    def selected_queries(self) -> list[str]:
        """Ids of the queries that the filter keeps."""
        ids: list[str] = self.first.query[self.selection.mask].tolist()
        return ids

    @property
    def lists(self) -> Results:
        """Lists of all algorithms, with the queries that the filter keeps."""
        key = self.changes("opened", "queries")
        return self.once("lists", key, lambda: self._weighed(self.selection.mask))

    @property
    def all_lists(self) -> Results:
        """Lists of all algorithms, with all queries that have a weight, whatever the filter."""

        def compute() -> Results:
            return self._weighed(query_weights(self.first, self.weights) > 0)

        return self.once("all lists", self.changes("opened", "queries"), compute)

    def judged(self, standard: str) -> Results:
        """The lists of the queries selected, judged by one of the standards in `judging`."""

        def compute() -> Results:
            found = self._all_judged(standard)
            query = next(iter(found.values())).query
            return self._weighed(np.isin(query, self.first.query[self.selection.mask]), found)

        return self.once(("judged", standard), self.lists, compute)

    def _all_judged(self, standard: str) -> Results:
        """The lists of all queries, judged by one of the standards in `judging`."""
        return self.once(("all judged", standard), (), lambda: align(self.judging[standard]()))

    def _weighed(self, use: NDArray[np.bool_], results: Results | None = None) -> Results:
        """Lists with some of the queries, and the weights chosen."""
        found = self._results if results is None else results
        if not use.all():
            found = {name: lists.subset(use) for name, lists in found.items()}
        if self.weights == "none":
            return found
        weight = query_weights(next(iter(found.values())), self.weights)
        if not weight.all():  # by another standard, nothing may be relevant to a query
            found = {name: lists.subset(weight > 0) for name, lists in found.items()}
        return {name: lists.with_weights(weight[weight > 0]) for name, lists in found.items()}

    def find(self, text: str, most: int | None = None) -> list[str]:
        """Ids of the queries that contain a text, in whatever case; those selected first."""
        ids, selected, text = self.first.query, self.selection.mask, text.strip().lower()
        ordered = [*ids[selected].tolist(), *ids[~selected].tolist()]
        return [one for one in ordered if text in one.lower()][:most]

    # --- the filter ------------------------------------------------------------------------

    @property
    def filter_parts(self) -> list[Part]:
        """The parts of the filter that are on."""
        return parts(self, self.first)

    def kept_by(self, part: Part) -> int:
        """How many queries a part of the filter alone keeps."""

        def compute() -> int:
            return select(self._results, part.alone, self._all_judged).n_queries

        key = self.changes("opened"), *part.alone.values()
        return self.once(("kept", part.words), key, compute)

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
        tops = [most for most in (self.max_relevant, max_relevant) if most is not None]
        total, most = self.first.n_relevant, min(tops, default=None)
        least = max(self.min_relevant, min_relevant)
        inside = box.holds(self._results) & (least <= total)
        if most is not None:
            inside &= total <= most
        limits = {"min_relevant": least, "max_relevant": most}
        return self._narrow("box", "boxes", inside, boxes=(*self.boxes, box), **limits)

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
        holds = [area.holds(self._results, self._all_judged) for area in areas]
        inside, ranges = np.all(holds, axis=0), (*self.ranges, *areas)
        return self._narrow("range", "ranges", inside, ranges=ranges)

    def _narrow(self, area: str, areas: str, inside: NDArray[np.bool_], **chosen: Any) -> str:
        """Choose areas, which the setting of that name has, and what else; or say why not."""
        if len(chosen[areas]) > (most := query_filter.MAX_BOXES):
            return f"There are {most} {areas} already. Clear the filter first."
        if not (self.selection.mask & inside).any():
            return f"No selected query is in the {area}. The selection is unchanged."
        self.param.update(**chosen)
        return ""

    def _end_lists(self, event: param.parameterized.Event) -> None:
        """Let lists end where a person says; where that cannot be, the choice is as it was."""
        try:
            self._results = ended(self._opened, event.new)
        except ValueError:
            with param.parameterized.discard_events(self):
                self.reported_to = event.old
            raise

    def _count_changes(self, *events: param.parameterized.Event) -> None:
        self._changes.update(SETTINGS[event.name].affects for event in events)


def usual_errors(results: Results) -> dict[str, int]:
    """The usual k and n, or what is kept of lists that were condensed for less."""
    usual = {"k": Settings.k, "n": Settings.n}
    condensed = [
        (lists, lists.kept)
        for lists in results.values()
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


def usual_threshold(results: Results) -> float:
    """Default E-value where that is among the scores, else the middle of all scores."""
    score = np.concatenate(scores_of_all(results.values()))
    if not score.size:
        return DEFAULT_E0
    direction = next(iter(results.values())).direction
    if direction == "ascending" and score.min() <= DEFAULT_E0 <= score.max():
        return DEFAULT_E0
    return float(np.sort(score)[score.size // 2])


def most_errors(lists: RetrievalLists) -> int:
    """Most errors of any list, as far as they were kept."""
    if lists.kept is not None and not all_kept(lists):
        return lists.kept.n_errors
    return int(errors_per_query(lists, lists.sign * np.inf).max(initial=0))


def said(results: Results) -> dict[str, float]:
    """How far programs reported of which somebody has said it."""
    return {
        name: limit_of(lists.reported_to, lists.direction)
        for name, lists in results.items()
        if lists.reported_how == "said"
    }


def ended(results: Results, limits: Mapping[str, float]) -> Results:
    """The same lists, of which some end at other limits.

    Raises
    ------
    ValueError
        If there is no such algorithm, a limit is not a number, or a record lies beyond it.
    """
    if unknown := limits.keys() - results.keys():
        msg = f"reported_to names {min(unknown)!r}: expected one of {', '.join(map(repr, results))}"
        raise ValueError(msg)
    for name, limit in limits.items():
        if not np.isfinite(limit):
            raise ValueError(f"reported_to of {name} is {limit}: expected a number")
    known = said(results)
    changed = {name: limit for name, limit in limits.items() if limit != known.get(name)}
    ends = {name: with_ends(results[name], limit=limit) for name, limit in changed.items()}
    return {**results, **ends}
