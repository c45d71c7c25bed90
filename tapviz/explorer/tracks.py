"""Values that a live report shows at the positions of its controls, each distinct one kept once."""

from __future__ import annotations

import marshal
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping
from itertools import groupby
from operator import is_
from typing import Any, Literal, TypeVar

Control = Literal["threshold", "k", "n"]
"""What a table follows: k or E_0, whichever makes the threshold; k alone; or n."""

K = TypeVar("K", bound=Hashable)
PLAINLY = 2
"""Version of what `marshal` writes: equal values are equal bytes, sooner than JSON is made."""
SHORT = 20
"""Values of a column that is not worth shortening."""


def key_of(value: Any) -> str | bytes:
    """What is the same of equal values that JSON has."""
    return value if isinstance(value, str) else marshal.dumps(value, PLAINLY)


class Track:
    """Values at the positions of a control, each distinct one kept once."""

    def __init__(self) -> None:
        self._places: dict[object, int] = {}
        self._values: list[object] = []
        self._at: defaultdict[Control, list[int]] = defaultdict(list)
        self._sources: tuple[object, ...] = ()
        self._last = 0

    def add(self, control: Control, value: Any, times: int = 1) -> None:
        """Add what is seen at the next positions of a control, so many."""
        self._last = self._places.setdefault(key_of(value), len(self._values))
        if self._last == len(self._values):
            self._values.append(value)
        self._at[control] += [self._last] * times

    def add_made(
        self, control: Control, times: int, make: Callable[..., object], *sources: object
    ) -> None:
        """Add what is made of some things; the very same as before are not looked at again."""
        if len(sources) == len(self._sources) and all(map(is_, sources, self._sources)):
            self._at[control] += [self._last] * times
            return
        self._sources = sources
        self.add(control, make(*sources), times)

    def data(self) -> dict[str, object]:
        """The values and their places: one value if nothing moves it.

        Places are pairs of a value and how often it comes one after the other; none are written if
        every position has a value of its own.
        """
        follows = [control for control, at in self._at.items() if len(set(at)) > 1]
        if not follows:
            return {"values": self._values[:1]}
        if len(follows) > 1:
            msg = f"a table follows one control, and this one would follow {' and '.join(follows)}"
            raise AssertionError(msg)
        at = self._at[follows[0]]
        data: dict[str, object] = {"values": _shortened(self._values), "control": follows[0]}
        if at != list(range(len(at))):
            data["runs"] = [part for one, run in groupby(at) for part in (one, len(list(run)))]
        return data


class Tracks(defaultdict[K, Track]):
    """Tracks by the names of what they are of."""

    def __init__(self) -> None:
        super().__init__(Track)

    def add(self, control: Control, values: Mapping[K, object], times: int = 1) -> None:
        """Add what is seen of several things at the next positions of a control."""
        for name, value in values.items():
            self[name].add(control, value, times)

    def data(self) -> dict[K, dict[str, object]]:
        """The values and their places, by name."""
        return {name: track.data() for name, track in self.items()}


def _shortened(values: list[object]) -> list[object]:
    """Long columns as what differs from the longest: how much they begin alike, and the rest."""
    longest = max((one for one in values if isinstance(one, list)), key=len, default=list[object]())
    if len(longest) < SHORT or longest not in values:
        return values
    result: list[object] = []
    for one in values:
        if one is longest or not isinstance(one, list):
            result.append(one)
            continue
        pairs = enumerate(zip(one, longest, strict=False))
        alike = next((i for i, (a, b) in pairs if a != b), len(one))
        result.append({"alike": alike, "rest": one[alike:]} if alike > SHORT else one)
    return [{"longest": values.index(longest)}, *result] if result != values else values
