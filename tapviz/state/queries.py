"""The lists that were opened, and the queries of them that are selected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
import param
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists, align
from tapviz.measures import query_weights
from tapviz.scores import Memo
from tapviz.state.parts import Part, filters, parts, select
from tapviz.state.query_filter import MAX_BOXES, Box, Range, Selection, find_ids
from tapviz.state.settings import Settings, affecting
from tapviz.state.usual import ended

R = TypeVar("R")


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

    def __init__(
        self,
        results: Mapping[str, RetrievalLists],
        judging: Mapping[str, Callable[[], Mapping[str, RetrievalLists]]] | None = None,
    ) -> None:
        if not results or not next(iter(results.values())).n_queries:
            msg = "no results: expected the lists of at least one algorithm with at least one query"
            raise ValueError(msg)
        self._opened: Mapping[str, RetrievalLists] = align(results)
        self._results: Mapping[str, RetrievalLists] = self._opened
        self.judging = dict(judging or {})
        self._selection: Selection | None = None
        self._lists: Mapping[str, RetrievalLists] | None = None
        self._all: Mapping[str, RetrievalLists] | None = None
        self._memo = Memo()
        super().__init__()
        # The first watchers: later ones see what follows from the new choice.
        self.param.watch(self._end_lists, "reported_to")
        self.param.watch(self._forget_selection, [*affecting("opened", "queries")])

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

    # --- the filter ------------------------------------------------------------------------

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
            self._results = ended(self._opened, event.new)
        except ValueError:
            with param.parameterized.discard_events(self):
                self.reported_to = event.old
            raise

    def _forget_selection(self, *_: Any) -> None:
        self._selection = self._lists = self._all = None
