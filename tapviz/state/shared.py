"""Slow results that several pages of one process need, each computed once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

R = TypeVar("R")


class Shared:
    """The latest results by what they depend on; threads that need the same wait for the first.

    Parameters
    ----------
    keep : int
        How many results are kept.

    Examples
    --------
    >>> from tapviz.state.shared import Shared
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
