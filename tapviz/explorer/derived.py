"""What follows from results and choices: computed once per change, however many views look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, TypeVar

from tapviz.explorer.query_filter import Selection
from tapviz.lists import RetrievalLists
from tapviz.scores import Case, Memo, ThresholdRule

R = TypeVar("R")


class Derived:
    """Numbers derived from some results, of all queries and of those selected.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        With the same queries in the same order.
    select : callable
        Makes the present selection; called again after `forget_selection`.
    """

    def __init__(
        self, results: Mapping[str, RetrievalLists], select: Callable[[], Selection]
    ) -> None:
        self.results = results
        self._select = select
        self._selection: Selection | None = None
        self._lists: Mapping[str, RetrievalLists] | None = None
        self._memos = {key: Memo() for key in product(results, (False, True))}

    def forget_selection(self) -> None:
        """The filter has changed."""
        self._selection = self._lists = None

    @property
    def selection(self) -> Selection:
        """The queries that the filter keeps."""
        if self._selection is None:
            self._selection = self._select()
        return self._selection

    @property
    def lists(self) -> Mapping[str, RetrievalLists]:
        """Lists of all algorithms, with the queries that the filter keeps."""
        if self._lists is None:
            mask, everything = self.selection.mask, self.selection.everything
            self._lists = (
                self.results
                if everything
                else {name: lists.subset(mask) for name, lists in self.results.items()}
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
        """Evaluate a measure; see `Explorer.measure`."""
        lists = (self.results if whole else self.lists)[algorithm]
        return self._memos[algorithm, whole].measure(function, lists, *args, **options)

    def case(self, algorithm: str, rule: ThresholdRule, n: int) -> Case:
        """The selected lists of an algorithm with a threshold and n, to be scored."""
        return Case(self.lists[algorithm], rule, n, self._memos[algorithm, False])
