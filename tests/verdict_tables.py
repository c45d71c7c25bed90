"""Verdicts made from tables of numbers, by hand or at random."""

import re
from itertools import combinations

import numpy as np

from tapviz.measures import Groups, Interval, PairDifference
from tapviz.scores.verdict import Basis, ByK, Place, There, verdict


def paragraphs(text):
    """Sentences, each after a dash, by the line above them."""
    parts = re.findall(r"^(\w.*)\n((?:[- ] .*\n)*)", text, re.MULTILINE)
    return {
        name: [" ".join(one.split()) for one in re.split("^- ", told, flags=re.MULTILINE)[1:]]
        for name, told in parts
    }


def record(pair, difference, *, listed=None, identical=False, units=60):
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


def p_value(by):
    """Below 0.05 where the interval has no 0, and smaller the shorter it is."""
    if np.isnan(by.low):
        return np.nan
    if by.low <= 0 <= by.high:
        return 0.5
    near = by.low if by.low > 0 else by.high
    return 0.05 * (1 - near / by.estimate)


def by_k(names, tables, ends=()):
    """Tables for k = 1, 2, ..., with the columns of the pairs of names, the best first."""
    columns = [*combinations(names, 2)]
    numbers = np.array([[at[pair] for pair in columns] for at in tables], float)
    difference, low, high = np.moveaxis(numbers.reshape(len(tables), len(columns), 3), 2, 0)
    p = np.where((low > 0) | (high < 0), 0.01, 0.5)
    return ByK(len(tables), ends, difference, low, high, p)


def made(
    values,
    pairs,
    *,
    place=None,
    ks=None,
    there=None,
    listed=None,
    identical=frozenset(),
    thresholds=None,
    left_out=None,
    units=60,
    level=0.95,
    reason="",
):
    """A verdict of these numbers; names and pairs with the best first.

    A pair has how much better the first is than the second, and the ends of the interval.
    """
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
