"""Numbers as the words show them, and lists as bars."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from tapviz.draw.style import brief
from tapviz.lesson import numbers
from tapviz.lesson.lists import two_lists
from tapviz.lesson.scene import Control
from tapviz.lists import RetrievalLists

FIGURE4 = "?dataset=figure4&view=roc&n=50"
"""Address of the explorer that shows the two lists."""


def whole(name: str, label: str, last: int, **options: Any) -> Control:
    """Control of a whole number from 1; its stops are such numbers."""
    stops = [stop - 1 for stop in options.pop("stops", ())]
    return Control(name, label, counts(np.arange(1, last + 1)), stops=stops, **options)


def counts(values: ArrayLike) -> list[str]:
    """Whole numbers as texts."""
    return [f"{value:,.0f}" for value in np.asarray(values).tolist()]


def three(values: ArrayLike) -> list[str]:
    """Numbers with three decimals."""
    return [f"{value:.3f}" for value in np.asarray(values, np.float64).tolist()]


def percent(value: float, digits: int = 2) -> str:
    """A change in percent, with its sign."""
    return f"{100 * value:+.{digits}f} %".replace("-", "−")


def two() -> list[dict[str, Any]]:
    """The two synthetic lists, for `Lanes`."""
    return lanes_of(two_lists())


def lanes_of(lists: RetrievalLists) -> list[dict[str, Any]]:
    """Records of each list: R or I, the E-value as text and its exponent, and the id if any."""
    found = []
    for q, name in enumerate(lists.query.tolist()):
        records = slice(int(lists.offset[q]), int(lists.offset[q + 1]))
        score = lists.score[records]
        with np.errstate(divide="ignore"):
            exponent = np.maximum(np.log10(score), -330)
        one = {
            "name": name,
            "records": "".join("R" if right else "I" for right in lists.relevant[records]),
            "e": [brief(float(value)) for value in score],
            "exponent": exponent.round(2).tolist(),
        }
        if lists.record is not None:
            one["id"] = lists.record[records].tolist()
        found.append(one)
    return found


def order_of(lists: RetrievalLists) -> str:
    """Place of the list that each record of the merged list comes from."""
    return "".join(map(str, numbers.merged(lists).query.tolist()))
