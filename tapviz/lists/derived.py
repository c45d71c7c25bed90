"""What follows from lists alone, computed once and forgotten with them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from threading import Lock
from typing import Concatenate, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from tapviz.lists.lists import RetrievalLists

P = ParamSpec("P")
R = TypeVar("R")
Measure = Callable[Concatenate[RetrievalLists, P], R]


def derived(*, keep: int | None = None) -> Callable[[Measure[P, R]], Measure[P, R]]:
    """Compute once what depends on whole lists alone, and keep it as long as they live.

    The function is always called with ``lists.whole``: lists never change, so neither does what
    is derived from them, and every subset reads its queries from the same arrays. Its other
    arguments are policies, all of them required, by position or by name. Nothing it returns may
    hold the lists themselves. Threads may call it at the same time: at worst each of them
    computes the same once.

    Parameters
    ----------
    keep : int, optional
        For how many policies the result is kept, the latest. Default: for each; there are few.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.lists import RetrievalLists, derived
    >>> @derived()
    ... def longest(lists):
    ...     print("computed")
    ...     return int(np.diff(lists.offset).max())
    >>> lists = RetrievalLists([1.0, 2.0], [True, False], [0, 1, 2], [1, 1])
    >>> longest(lists), longest(lists.subset([True, False]))
    computed
    (1, 1)
    """

    def decorate(function: Measure[P, R]) -> Measure[P, R]:
        names = tuple(signature(function).parameters)[1:]
        cache = WeakKeyDictionary[RetrievalLists, dict[tuple[object, ...], R]]()
        lock = Lock()

        @wraps(function)
        def wrapper(lists: RetrievalLists, /, *args: P.args, **kwargs: P.kwargs) -> R:
            whole = lists.whole
            policies = (*args, *map(kwargs.__getitem__, names[len(args) :]))
            known = cache.get(whole)
            if known is not None and policies in known:
                return known[policies]
            value = function(whole, *args, **kwargs)
            with lock:
                # Another dictionary, not a changed one: no thread finds it half done.
                known = {**cache.get(whole, {}), policies: value}
                while keep is not None and len(known) > keep:
                    del known[next(iter(known))]
                cache[whole] = known
            return value

        return wrapper

    return decorate
