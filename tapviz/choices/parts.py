"""The parts of the filter in words, each with what is left without it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import param

from tapviz.choices.query_filter import Box, Range
from tapviz.lists import RetrievalLists


class Part(NamedTuple):
    """A part of the filter."""

    words: str
    alone: Mapping[str, Any]
    """Arguments of `tapviz.choices.query_filter.select` that keep what this part alone keeps."""
    without: Mapping[str, Any]
    """Choices that take it away, and nothing else."""


def parts(chosen: param.Parameterized, lists: RetrievalLists) -> list[Part]:
    """The parts of a filter that is on.

    Parameters
    ----------
    chosen : param.Parameterized
        Whose choices.
    lists : RetrievalLists
        For the names of scores.
    """
    found = []
    if chosen.query_text:
        words = f"id contains ‘{chosen.query_text}’"
        found.append(Part(words, {"text": chosen.query_text}, {"query_text": ""}))
    if chosen.query_class:
        words = f"class {chosen.query_class}"
        found.append(Part(words, {"within": chosen.query_class}, {"query_class": ""}))
    if chosen.min_relevant:
        words = f"T(q) ≥ {chosen.min_relevant:,}"
        found.append(Part(words, {"least": chosen.min_relevant}, {"min_relevant": 0}))
    if chosen.max_relevant is not None:
        words = f"T(q) ≤ {chosen.max_relevant:,}"
        found.append(Part(words, {"most": chosen.max_relevant}, {"max_relevant": None}))
    for name in ("boxes", "ranges"):
        areas = getattr(chosen, name)
        for place, area in enumerate(areas):
            words = _box(area) if isinstance(area, Box) else _range(area, lists)
            others = (*areas[:place], *areas[place + 1 :])
            found.append(Part(words, {"boxes": (area,)}, {name: others}))
    return found


def _box(box: Box) -> str:
    sides = {box.a: (box.a_from, box.a_to), box.b: (box.b_from, box.b_to)}
    limits = (
        f"{name} {max(low, 0):.2g} to {min(high, 1):.2g}" for name, (low, high) in sides.items()
    )
    return "TAP: " + ", ".join(limits)


def _range(area: Range, lists: RetrievalLists) -> str:
    between = f"{area.low:.3g} to {area.high:.3g}"
    words: dict[str, Callable[[], str]] = {
        "error": lambda: _error(area, lists),
        "lead": lambda: _lead(area),
        "found": lambda: (
            f"{area.algorithm} finds {between} before error no. {area.at:.0f}"
            f"{f' ({area.standard})' if area.standard else ''}"
        ),
        "influence": lambda: (
            f"pooled ROC_{area.at:.0f} of {area.algorithm} changes by {between} without it"
        ),
        "score": lambda: f"{area.other} of {area.algorithm} {between}",
    }
    return words[area.quantity]()


def _lead(area: Range) -> str:
    if area.low > 0:
        return f"{area.algorithm} better than {area.other}"
    if area.high < 0:
        return f"{area.other} better than {area.algorithm}"
    return f"{area.algorithm} and {area.other} equal"


def _error(area: Range, lists: RetrievalLists) -> str:
    what = f"error no. {area.at:.0f} of {area.algorithm}"
    first, last = (area.low, area.high) if lists.direction == "ascending" else (area.high, area.low)
    if abs(first) == float("inf"):
        return f"{what}: never" if first == last else f"{what} by {last:.2g}"
    return f"{what} from {first:.2g}" + ("" if abs(last) == float("inf") else f" to {last:.2g}")
