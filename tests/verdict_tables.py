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


TAP_20 = Place("TAP-20", k=20)


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


def made(values, pairs, *, place=TAP_20, ks=None, there=None, units=60, level=0.95, **others):
    """A verdict of these numbers; names and pairs with the best first.

    A pair has how much better the first is than the second, and the ends of the interval.
    """
    listed, identical = others.pop("listed", {}), others.pop("identical", ())
    spread = {name: Interval(at, at - 0.02, at + 0.02) for name, at in values.items()}
    records = [
        record(pair, by, listed=listed.get(pair), identical=pair in identical, units=units)
        for pair, by in pairs.items()
    ]
    over_k = None if ks is None else by_k([*values], ks)
    common = None
    if there is not None:
        measured = {name for pair in there for name in pair}
        unknown = tuple(name for name in values if name not in measured)
        common = There("E = 0.01", tuple(record(*one) for one in there.items()), unknown)
    basis = Basis(Groups.single(units), level, "random signs of queries")
    return verdict(place, spread, records, basis, by_k=over_k, common=common, **others)
