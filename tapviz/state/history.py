"""What was chosen before, so that choices can be taken back, and made again."""

from __future__ import annotations

from time import monotonic
from typing import Any

import param

from tapviz.state.settings import SETTINGS

ONE_STEP = 1.0
"""Seconds between two changes of one choice that still belong to one drag or one word."""


class History:
    """Former choices of an object with parameters, the latest last.

    Parameters
    ----------
    chosen : param.Parameterized
        Whose choices are remembered.
    """

    def __init__(self, chosen: param.Parameterized) -> None:
        self._chosen = chosen
        self._past: list[dict[str, Any]] = []
        self._future: list[dict[str, Any]] = []
        self._undoing = False
        self._last: tuple[frozenset[str], float] | None = None
        chosen.param.watch(self._remember, [*SETTINGS])

    def __bool__(self) -> bool:
        """Whether a choice has been made that can be taken back."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether a choice has been taken back that can be made again."""
        return bool(self._future)

    def undo(self) -> None:
        """Take the last choice back, if there is one."""
        self._move(self._past, self._future)

    def redo(self) -> None:
        """Make the choice again that was taken back last, if there is one."""
        self._move(self._future, self._past)

    def clear(self) -> None:
        """Forget all former choices."""
        self._past.clear()
        self._future.clear()
        self._last = None

    def _move(self, source: list[dict[str, Any]], target: list[dict[str, Any]]) -> None:
        """Choose as the last of the one says, and let the other know what was chosen."""
        if not source:
            return
        values, self._undoing = source.pop(), True
        target.append({name: getattr(self._chosen, name) for name in values})
        try:
            self._chosen.param.update(**values)
        finally:
            self._undoing, self._last = False, None

    def end_step(self) -> None:
        """Make the next change a choice of its own, whatever came just before."""
        self._last = None

    def _remember(self, *events: Any) -> None:
        if self._undoing:
            return
        self._future.clear()
        names, now = frozenset(event.name for event in events), monotonic()
        last, self._last = self._last, (names, now)
        gradual = all(SETTINGS[name].drag for name in names)
        same = last and last[0] == names and gradual and now - last[1] <= ONE_STEP
        if not same:
            self._past.append({event.name: event.old for event in events})
        elif all(getattr(self._chosen, name) == old for name, old in self._past[-1].items()):
            self._past.pop()  # and back again
            self._last = None
