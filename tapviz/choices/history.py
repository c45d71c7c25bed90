"""What was chosen before, so that choices can be taken back."""

from __future__ import annotations

from collections.abc import Collection
from time import monotonic
from typing import Any

import param

ONE_STEP = 1.0
"""Seconds between two changes of one choice that still belong to one drag or one word."""


class History:
    """Former choices of an object with parameters, the latest last.

    Parameters
    ----------
    chosen : param.Parameterized
        Whose choices are remembered.
    names : collection of str
        Parameters that are choices.
    gradual : collection of str
        Those that are dragged or typed: the steps of one drag or one word are one choice.
    """

    def __init__(
        self, chosen: param.Parameterized, names: Collection[str], gradual: Collection[str]
    ) -> None:
        self._chosen = chosen
        self._gradual = frozenset(gradual)
        self._past: list[dict[str, Any]] = []
        self._undoing = False
        self._last: tuple[frozenset[str], float] | None = None
        chosen.param.watch(self._remember, list(names))

    def __bool__(self) -> bool:
        """Whether a choice has been made that can be taken back."""
        return bool(self._past)

    def undo(self) -> None:
        """Take the last choice back, if there is one."""
        if not self._past:
            return
        before, self._undoing = self._past.pop(), True
        try:
            self._chosen.param.update(**before)
        finally:
            self._undoing, self._last = False, None

    def clear(self) -> None:
        """Forget all former choices."""
        self._past.clear()
        self._last = None

    def end_step(self) -> None:
        """Make the next change a choice of its own, whatever came just before."""
        self._last = None

    def _remember(self, *events: Any) -> None:
        if self._undoing:
            return
        names, now = frozenset(event.name for event in events), monotonic()
        last, self._last = self._last, (names, now)
        same = last and last[0] == names <= self._gradual and now - last[1] <= ONE_STEP
        if not same:
            self._past.append({event.name: event.old for event in events})
        elif all(getattr(self._chosen, name) == old for name, old in self._past[-1].items()):
            self._past.pop()  # and back again
            self._last = None
