"""Verdicts made from tables of numbers, by hand or at random."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from tapviz.measures import Groups, Interval, PairDifference
from tapviz.scores.verdict import Basis, ByK, Place, There, Verdict, verdict

Numbers = tuple[float, float, float]
Pairs = Mapping[tuple[str, str], Numbers]
"""How much better the first is than the second, and the ends of the interval."""


def paragraphs(text: str) -> dict[str, list[str]]:
    """Sentences, each after a dash, by the line above them."""
    parts = re.findall(r"^(\w.*)\n((?:[- ] .*\n)*)", text, re.MULTILINE)
    return {
        name: [" ".join(one.split()) for one in re.split("^- ", told, flags=re.MULTILINE)[1:]]
        for name, told in parts
    }


def record(
    pair: tuple[str, str],
    difference: Numbers,
    *,
    listed: Numbers | None = None,
    identical: bool = False,
    units: int = 60,
) -> PairDifference:
    by = Interval(*difference)
    return PairDifference(
        first=pair[0],
        second=pair[1],
        score="tap",
        difference=by,
        p=p_value(by),
        listed=by if listed is None else Interval(*listed),
        wins=0 if identical else 20,
        ties=units if identical else units - 30,
        losses=0 if identical else 10,
        units=units,
        unit="queries",
        identical=identical,
        reason=None if np.isfinite(by).all() else "no interval",
        test="studentised maximum",
    )


def p_value(by: Interval) -> float:
    """Below 0.05 where the interval has no 0, and smaller the shorter it is."""
    if np.isnan(by.low):
        return np.nan
    if by.low <= 0 <= by.high:
        return 0.5
    near = by.low if by.low > 0 else by.high
    return 0.05 * (1 - near / by.estimate)


def by_k(names: Sequence[str], tables: Sequence[Pairs], ends: tuple[str, ...] = ()) -> ByK:
    """Tables for k = 1, 2, ..., with the columns of the pairs of names, the best first."""
    columns = [*combinations(names, 2)]
    numbers = np.array([[at[pair] for pair in columns] for at in tables], float)
    difference, low, high = np.moveaxis(numbers.reshape(len(tables), len(columns), 3), 2, 0)
    p = np.where((low > 0) | (high < 0), 0.01, 0.5)
    return ByK(len(tables), ends, difference, low, high, p)


def made(
    values: Mapping[str, float],
    pairs: Pairs,
    *,
    place: Place | None = None,
    ks: Sequence[Pairs] | None = None,
    there: Pairs | None = None,
    listed: Pairs | None = None,
    identical: frozenset[tuple[str, str]] = frozenset(),
    thresholds: Mapping[str, float] | None = None,
    left_out: Mapping[str, str] | None = None,
    units: int = 60,
    level: float = 0.95,
    reason: str = "",
) -> Verdict:
    """A verdict of these numbers; names and pairs with the best first."""
    spread = {name: Interval(at, at - 0.02, at + 0.02) for name, at in values.items()}
    measured = {name for pair in there or () for name in pair}
    unknown = tuple(name for name in values if name not in measured)
    return verdict(
        place or Place("TAP-20", k=20),
        spread,
        [
            record(
                pair,
                by,
                listed=(listed or {}).get(pair),
                identical=pair in identical,
                units=units,
            )
            for pair, by in pairs.items()
        ],
        Basis(Groups.single(units), level, "random signs of queries"),
        thresholds=thresholds,
        by_k=None if ks is None else by_k([*values], ks),
        common=None
        if there is None
        else There("E = 0.01", tuple(record(pair, by) for pair, by in there.items()), unknown),
        left_out=left_out,
        reason=reason,
    )
