"""What may be concluded: which algorithm retrieves better, in numbers and then in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tapviz.findings import listed
from tapviz.measures import Groups, Interval, TapByK
from tapviz.measures.order import SAME
from tapviz.measures.simultaneous import ENOUGH_RESAMPLES

COMMON_E = 0.01
"""The E-value at which all algorithms are judged for comparison: one that people use."""
MINUS = "\N{MINUS SIGN}"
SHOWN = 0.0005
"""The least that three decimals show."""
MOST_LISTED = 3
"""Algorithms of an unclear order of which it is said whom each surpasses."""


class Setting(NamedTuple):
    """Where algorithms are judged: each at its own E_k, or all at E_0.

    Examples
    --------
    >>> from tapviz.verdict import Setting
    >>> Setting(k=20, e0=None).score
    'TAP-20'
    """

    k: int | None
    e0: float | None
    """Used where k is None."""
    quantile: float = 0.5
    e_values: bool = True
    """Whether scores are E-values."""

    @property
    def score(self) -> str:
        """What the score is called: TAP-20, or TAP."""
        return "TAP" if self.k is None else f"TAP-{self.k}"


class Basis(NamedTuple):
    """What intervals rest on.

    Examples
    --------
    >>> from tapviz.measures import Groups
    >>> from tapviz.verdict import Basis
    >>> str(Basis(Groups.single(60), n_resamples=1000, level=0.95).groups)
    '60 queries'
    """

    groups: Groups
    n_resamples: int
    level: float
    dependent: bool = False
    """Whether queries that were drawn one by one share relevant records."""
    fixed_threshold: bool = False
    """Whether E_k of all queries was taken in each resample."""


class Pair(NamedTuple):
    """Two algorithms, and how much better the first one retrieves."""

    first: str
    second: str
    difference: Interval
    """Mean TAP of the first minus that of the second, with an interval corrected for all pairs."""

    @property
    def clear(self) -> bool:
        """Whether the first is better beyond chance: the interval lies above 0."""
        return self.difference.low > 0

    @property
    def turned(self) -> Pair:
        """The same with the second first."""
        at, low, high = self.difference
        return Pair(self.second, self.first, Interval(0.0 - at, 0.0 - high, 0.0 - low))


class Crossing(NamedTuple):
    """A clear pair whose order is another at some k."""

    pair: Pair
    """At the k where it is furthest from its order, the algorithm first that is ahead there."""
    k: int
    some_k: tuple[int, ...]
    """All k at which it is ahead."""
    others: int
    """Clear pairs besides this one whose order is another at some k."""


class ByK(NamedTuple):
    """Whether the order is the same for TAP-k at every k."""

    last: int
    """The largest k at which all algorithms have a TAP-k; 0 if there is none."""
    ends: tuple[str, ...]
    """Algorithms that have none at the next k."""
    crossing: Crossing | None
    """None if no clear pair changes places at any k from 1 to the last."""


class AtCommon(NamedTuple):
    """What is seen at a threshold that is common to all algorithms."""

    e0: float
    against: tuple[Pair, ...]
    """Pairs clear at both, in the opposite order; the clearest first."""
    more: tuple[Pair, ...]
    """Pairs clear here only."""
    unclear: tuple[Pair, ...]
    """Pairs clear there, and not here."""
    unknown: tuple[str, ...]
    """Algorithms that were not measured here."""


class Verdict(NamedTuple):
    """What may be concluded from the TAPs of some algorithms; `describe` puts it into words."""

    setting: Setting
    taps: Mapping[str, Interval]
    """Mean TAP of each algorithm that is judged, best first."""
    thresholds: Mapping[str, float]
    """At which each was judged."""
    tiers: tuple[tuple[str, ...], ...]
    """Best first. Each algorithm is clearly better than every one of a later tier."""
    pairs: tuple[Pair, ...]
    """Every two algorithms, the one with the larger TAP first."""
    by_k: ByK
    common: AtCommon | None
    """None where algorithms are judged at a common threshold, or scores are no E-values."""
    left_out: Mapping[str, str]
    """Algorithms that cannot be judged, and why."""
    basis: Basis
    reason: str
    """Why nothing can be concluded; empty otherwise."""

    @property
    def clear(self) -> tuple[Pair, ...]:
        """Pairs that can be told apart."""
        return tuple(pair for pair in self.pairs if pair.clear)


def ordered(
    taps: Mapping[str, Interval], differences: Mapping[tuple[str, str], Interval]
) -> tuple[Pair, ...]:
    """Every two algorithms, the one with the larger TAP first.

    Parameters
    ----------
    taps : mapping of str to Interval
    differences : mapping of (str, str) to Interval
        First less second, of every two in any order, corrected for all pairs.

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.verdict import ordered
    >>> taps = {"A": Interval(0.3, 0.2, 0.4), "B": Interval(0.4, 0.3, 0.5)}
    >>> (pair,) = ordered(taps, {("A", "B"): Interval(-0.1, -0.2, -0.05)})
    >>> pair.first, pair.second, pair.clear
    ('B', 'A', True)
    """
    names = _best_first(taps)
    listed = [Pair(a, b, interval) for (a, b), interval in differences.items()]
    pairs = [
        pair if names.index(pair.first) < names.index(pair.second) else pair.turned
        for pair in listed
    ]
    return tuple(sorted(pairs, key=lambda one: (names.index(one.first), names.index(one.second))))


def crossing(pairs: Iterable[Pair], by_k: Mapping[str, TapByK]) -> ByK:
    """Find the clear pair whose order changes most with k, and where it is furthest from its order.

    Its difference there is an estimate without an interval: whoever has resamples adds it.

    Parameters
    ----------
    pairs : iterable of Pair
    by_k : mapping of str to TapByK
        TAP-k of each algorithm at the same k.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Interval, TapByK
    >>> from tapviz.verdict import Pair, crossing
    >>> taps = {"A": [0.5, 0.6, 0.7], "B": [0.6, 0.6, 0.3]}
    >>> by_k = {name: TapByK(np.array(tap), np.ones(3)) for name, tap in taps.items()}
    >>> found = crossing([Pair("A", "B", Interval(0.4, 0.3, 0.5))], by_k)
    >>> found.last, found.crossing.pair.first, found.crossing.k
    (3, 'B', 1)
    """
    taps = {name: one.tap for name, one in by_k.items()}
    undefined = np.isnan([*taps.values()]).any(axis=0) if taps else np.zeros(0, np.bool_)
    last = int(np.argmax(undefined)) if undefined.any() else undefined.size
    ends = tuple(name for name, tap in taps.items() if np.isnan(tap[last : last + 1]).any())
    found: list[tuple[float, Crossing]] = []
    for pair in pairs:
        if not pair.clear:
            continue
        ahead = (taps[pair.second] - taps[pair.first])[:last]
        some = np.flatnonzero(ahead > SAME)
        if some.size:
            at = int(np.argmax(ahead))
            there = Interval(float(ahead[at]), np.nan, np.nan)
            turned = Pair(pair.second, pair.first, there)
            error = pair.difference.estimate - pair.difference.low
            one = Crossing(turned, at + 1, tuple((some + 1).tolist()), 0)
            found.append((there.estimate / error if error > 0 else np.inf, one))
    if not found:
        return ByK(last, ends, None)
    most = max(found, key=lambda one: one[0])[1]
    return ByK(last, ends, most._replace(others=len(found) - 1))


def at_common(
    e0: float,
    pairs: Iterable[Pair],
    there: Mapping[tuple[str, str], Interval],
    unknown: Sequence[str] = (),
) -> AtCommon:
    """Compare the pairs with what is seen at a common threshold.

    Parameters
    ----------
    e0 : float
    pairs : iterable of Pair
    there : mapping of (str, str) to Interval
        Differences at that threshold, of pairs in any order; those of algorithms that were not
        measured there are missing.
    unknown : sequence of str, optional
        These algorithms.

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.verdict import Pair, at_common
    >>> pair = Pair("A", "B", Interval(0.2, 0.1, 0.3))
    >>> at_common(0.01, [pair], {("A", "B"): Interval(-0.2, -0.3, -0.1)}).against[0].first
    'B'
    """
    listed = [Pair(a, b, interval) for (a, b), interval in there.items()]
    known = {(one.first, one.second): one for pair in listed for one in (pair, pair.turned)}
    against, more, unclear = [], [], []
    for pair in pairs:
        same = known.get((pair.first, pair.second))
        if same is None:
            continue
        if same.turned.clear and pair.clear:
            against.append(same.turned)
        elif not pair.clear and (same.clear or same.turned.clear):
            more.append(same if same.clear else same.turned)
        elif pair.clear and not same.clear:
            unclear.append(pair)
    return AtCommon(e0, _clearest(against), _clearest(more), tuple(unclear), tuple(unknown))


def verdict(
    setting: Setting,
    taps: Mapping[str, Interval],
    pairs: Sequence[Pair],
    basis: Basis,
    *,
    thresholds: Mapping[str, float],
    by_k: ByK = ByK(0, (), None),  # noqa: B008  # never changes
    common: AtCommon | None = None,
    left_out: Mapping[str, str] | None = None,
) -> Verdict:
    """Put together what may be concluded.

    Parameters
    ----------
    setting : Setting
    taps : mapping of str to Interval
        Mean TAP of each algorithm that can be judged.
    pairs : sequence of Pair
        Every two of them, as `ordered` has them.
    basis : Basis
    thresholds : mapping of str to float
        At which each was judged.
    by_k : ByK, optional
    common : AtCommon, optional
    left_out : mapping of str to str, optional
        Algorithms that cannot be judged, and why.

    Returns
    -------
    Verdict

    Examples
    --------
    >>> from tapviz.measures import Groups, Interval
    >>> from tapviz.verdict import Basis, Pair, Setting, describe, verdict
    >>> taps = {"A": Interval(0.5, 0.4, 0.6), "B": Interval(0.4, 0.3, 0.5)}
    >>> pairs = [Pair("A", "B", Interval(0.1, -0.02, 0.22))]
    >>> found = verdict(
    ...     Setting(20, None), taps, pairs, Basis(Groups.single(60), 1000, 0.95), thresholds={}
    ... )
    >>> found.tiers, "cannot be told apart" in describe(found).conclusion
    ((('A', 'B'),), True)
    """
    left_out = left_out or {}
    groups, reason = basis.groups, ""
    if not taps:
        reason = f"{setting.score} is undefined"
    elif left_out and len(taps) == 1:
        reason = f"only {next(iter(taps))} has a {setting.score}"
    elif len(taps) > 1 and groups.few:
        unit = groups.unit
        reason = (
            f"{groups} {'is' if groups.code.size == 1 else 'are'} too few to say how the "
            f"algorithms would do on others; at least 10 {unit} are needed"
        )
    elif len(taps) > 1 and basis.n_resamples < ENOUGH_RESAMPLES:
        reason = f"it takes at least {ENOUGH_RESAMPLES} resamples"
    names = _best_first(taps)
    kept = () if reason else tuple(pairs)
    return Verdict(
        setting=setting,
        taps={name: taps[name] for name in names},
        thresholds=thresholds,
        tiers=() if reason else _tiers(names, kept),
        pairs=kept,
        by_k=by_k,
        common=common,
        left_out=left_out,
        basis=basis,
        reason=reason,
    )


def _best_first(taps: Mapping[str, Interval]) -> list[str]:
    return sorted(taps, key=lambda name: -taps[name].estimate)


def _clearest(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """Those first whose interval is furthest from 0 for its width."""

    def distance(pair: Pair) -> float:
        at, low, _ = pair.difference
        return at / (at - low) if at > low else np.inf

    return tuple(sorted(pairs, key=distance, reverse=True))


def _tiers(names: Sequence[str], pairs: Iterable[Pair]) -> tuple[tuple[str, ...], ...]:
    """Split the order wherever everything before is clearly better than everything after."""
    clear = {(pair.first, pair.second) for pair in pairs if pair.clear}
    tiers: list[tuple[str, ...]] = []
    start = 0
    for end in range(1, len(names) + 1):
        if all((a, b) in clear for a in names[:end] for b in names[end:]):
            tiers.append(tuple(names[start:end]))
            start = end
    return tuple(tiers)


# --- words ---------------------------------------------------------------------------------


class Words(NamedTuple):
    """A verdict in words; each part is one or more sentences, or empty."""

    conclusion: str
    """Who retrieves better than whom, by how much, and who cannot be told apart."""
    order: str
    """Whether that is so at every k and at a common threshold."""
    basis: str
    """What it rests on, and who is left out."""


def describe(found: Verdict) -> Words:
    """What may be concluded, in words.

    Examples
    --------
    >>> from tapviz.measures import Groups, Interval
    >>> from tapviz.verdict import Basis, Pair, Setting, describe, verdict
    >>> taps = {"A": Interval(0.5, 0.4, 0.6), "B": Interval(0.4, 0.3, 0.5)}
    >>> pairs = [Pair("A", "B", Interval(0.1, 0.02, 0.18))]
    >>> basis = Basis(Groups.single(60), 1000, 0.95)
    >>> words = describe(verdict(Setting(20, None), taps, pairs, basis, thresholds={}))
    >>> print(words.conclusion[:67])
    Where half of the queries have 20 errors, A retrieves better than B
    >>> print(words.basis)
    From 1,000 resamples of 60 queries.
    """
    if found.reason:
        return Words(f"No verdict: {found.reason}.", "", " ".join(_left_out(found)))
    basis = " ".join([*_resamples(found), *_unknown(found), *_left_out(found)])
    return Words(_conclusion(found), " ".join(_order(found)), basis)


def _resamples(found: Verdict) -> Iterator[str]:
    """What intervals rest on."""
    basis, n_pairs = found.basis, len(found.pairs)
    if not basis.groups.few:
        start = f"Intervals corrected for {n_pairs} pairs, from" if n_pairs > 1 else "From"
        known = ", with E_k taken for known" if basis.fixed_threshold else ""
        yield f"{start} {basis.n_resamples:,} resamples of {basis.groups}{known}."
    if basis.dependent:
        yield (
            "Queries share relevant records, and were resampled one by one: this says more than "
            "they can tell."
        )
    ends = found.by_k.ends
    if found.clear and ends:
        have = "has" if len(ends) == 1 else "have"
        yield f"{listed(ends)} {have} no TAP-k beyond k = {found.by_k.last}."


def _unknown(found: Verdict) -> Iterator[str]:
    """Who was not measured at the common threshold."""
    if found.common is not None and found.common.unknown:
        names = found.common.unknown
        were = "was" if len(names) == 1 else "were"
        yield f"{listed(names)} {were} not measured at E = {found.common.e0:g}."


def _left_out(found: Verdict) -> Iterator[str]:
    """Algorithms that cannot be judged, and why; those of one reason together."""
    reasons: dict[str, list[str]] = {}
    for name, why in found.left_out.items():
        reasons.setdefault(why[:1].lower() + why[1:].rstrip("."), []).append(name)
    for why, names in reasons.items():
        yield f"{listed(names)} {'is' if len(names) == 1 else 'are'} left out: {why}."


def _where(setting: Setting) -> str:
    if setting.k is None:
        return f"At {_threshold(setting)}"
    half = setting.quantile == 0.5  # noqa: PLR2004  # the median
    share = "half" if half else f"{100 * setting.quantile:g} %"
    errors = "1 error" if setting.k == 1 else f"{setting.k:,} errors"
    return f"Where {share} of the queries have {errors}"


def _threshold(setting: Setting) -> str:
    return f"{'E =' if setting.e_values else 'a score of'} {setting.e0:g}"


def _conclusion(found: Verdict) -> str:
    """Who retrieves better than whom, by how much, and who cannot be told apart."""
    names, where = list(found.taps), _where(found.setting)
    tap = f"Threshold Average Precision ({found.setting.score})"
    level = f"{100 * found.basis.level:g} % interval"
    if len(names) == 1:
        (name,), (interval,) = names, found.taps.values()
        range_ = f" ({level} {_ends(interval)})" if np.isfinite(interval.low) else ""
        return (
            f"{where}, {name} has a {tap} of {interval.estimate:.3f}{range_}. There is no other "
            "algorithm to compare it with."
        )
    if len(names) == 2:  # noqa: PLR2004
        (pair,) = found.pairs
        by = f"by {_number(pair.difference.estimate)} ({level} {_ends(pair.difference)})"
        if pair.clear:
            better = f"{pair.first} retrieves better than {pair.second}"
            return f"{where}, {better}: its {tap} is larger {by}."
        return f"{where}, {listed(names)} cannot be told apart: their {tap} differs {by}."
    if len(found.tiers) == 1:
        return f"{where}, {_unclear(found, tap, level)}."
    first, second, *_ = found.tiers
    pair = next(p for p in found.pairs if (p.first, p.second) == (first[-1], second[0]))
    ahead = f"{_number(pair.difference.estimate)} above that of {pair.second}, the next"
    ahead += f" ({level} {_ends(pair.difference)})"
    if len(first) == 1:
        best = f"{first[0]} retrieves best: its {tap} is {ahead}"
    else:
        best = f"{_tier(found, first)} retrieve best: the {tap} of {first[-1]} is {ahead}"
    behind = found.tiers[2:] if len(second) == 1 else found.tiers[1:]
    then = ", then ".join(_tier(found, one) for one in behind)
    return f"{where}, {best}{'; then ' if then else ''}{then}."


def _tier(found: Verdict, names: Sequence[str]) -> str:
    """Algorithms of one tier, and whether any two of them can be told apart."""
    if len(names) == 1:
        return names[0]
    inside = [pair for pair in found.pairs if pair.first in names and pair.second in names]
    clear = [pair for pair in inside if pair.clear]
    if not clear:
        return f"{listed(names)} (not told apart)"
    if len(clear) == 1:
        return f"{listed(names)} (of which only {listed(clear[0][:2])} can be told apart)"
    return f"{listed(names)} (of whose {len(inside)} pairs {len(clear)} can be told apart)"


def _unclear(found: Verdict, tap: str, level: str) -> str:
    """Three algorithms or more without a clear order."""
    names, clear = list(found.taps), found.clear
    if not clear:
        most = max(found.pairs, key=lambda pair: pair.difference.estimate)
        return (
            f"{listed(names)} cannot be told apart: their {tap} differs by at most "
            f"{_number(most.difference.estimate)} ({level} {_ends(most.difference)}), "
            f"between {most.first} and {most.second}"
        )
    beaten: dict[str, list[str]] = {}
    for pair in clear:
        beaten.setdefault(pair.first, []).append(pair.second)
    if len(beaten) > MOST_LISTED:
        told = f"{len(clear)} of the {len(found.pairs)} pairs can be told apart"
    else:
        first, *others = beaten.items()
        told = f"{first[0]} retrieves better than {listed(first[1])}"
        told += "".join(f", {name} than {listed(worse)}" for name, worse in others)
        told += ", and no other two can be told apart"
    most = _clearest(clear)[0]
    return (
        f"none of {listed(names)} is clearly best: {told}. The {tap} of {most.first} is "
        f"{_number(most.difference.estimate)} above that of {most.second} "
        f"({level} {_ends(most.difference)})"
    )


def _order(found: Verdict) -> Iterator[str]:
    """Whether the order is the same at every k and at a common threshold."""
    if len(found.taps) == 1:
        return
    common = found.common
    if not found.clear:
        if common is not None:
            yield (
                f"But {_at(common)}, {_better(common.more)}."
                if common.more
                else f"Nor can they {_at(common)}."
            )
            yield from _judged(found)
        return
    same = [one for one in (_same_by_k(found.by_k), _same_at_common(common)) if one]
    if same:
        comma = "," if "," in same[0] else ""
        yield f"This order is the same {f'{comma} and '.join(same)}."
    crossed = found.by_k.crossing
    if crossed is not None and crossed.pair.clear:
        more = _more(crossed.others, "changes its order at some k", "change their order at some k")
        yield f"But at k = {crossed.k}, {_better([crossed.pair])}{more}."
    if common is not None and common.against:
        more = _more(len(common.against) - 1, "is turned round, too", "are turned round, too")
        worst = common.against[0]
        yield f"But {_at(common)}, {_better([worst])}{more}."
    yield from _judged(found)


def _same_by_k(by_k: ByK) -> str:
    """At which k the order is the same; empty where it clearly is not."""
    crossed, every = by_k.crossing, f"at every k from 1 to {by_k.last:,}"
    if crossed is None:
        return every if by_k.last > 1 else ""
    if crossed.pair.clear:
        return ""
    more = _more(crossed.others, "is at some k", "are at some k")
    ahead = f"{crossed.pair.first} is ahead of {crossed.pair.second}, but not clearly"
    return f"{every} except {_numbers(crossed.some_k)}, where {ahead}{more}"


def _same_at_common(common: AtCommon | None) -> str:
    """That the order is the same at a common threshold, or nearly; empty where it is not."""
    if common is None or common.against:
        return ""
    there = []
    if common.unclear:
        first, *others = common.unclear
        more = f", nor can {_pairs(len(others))}" if others else ""
        there.append(f"{listed(first[:2])} cannot be told apart{more}")
    if common.more:
        there.append(_better(common.more, also=not there))
    return f"{_at(common)}{', where ' if there else ''}{', and '.join(there)}"


def _at(common: AtCommon) -> str:
    return f"at a common threshold, E = {common.e0:g}"


def _better(pairs: Sequence[Pair], *, also: bool = False) -> str:
    """Who retrieves better: the clearest of some pairs, and how many others are told apart."""
    first, *others = pairs
    by = f"{_number(first.difference.estimate)} ({_ends(first.difference)})"
    return (
        f"{first.first} {'also ' if also else ''}retrieves better than {first.second}, by {by}"
        f"{_more(len(others), 'is told apart', 'are told apart')}"
    )


def _more(count: int, verb: str, plural: str) -> str:
    return f", and {_pairs(count)} {verb if count == 1 else plural}" if count else ""


def _pairs(count: int) -> str:
    return f"{count} other {'pair' if count == 1 else 'pairs'}"


def _judged(found: Verdict) -> Iterator[str]:
    """Where the score judges two algorithms of which a common threshold says something else."""
    told = (*found.common.against, *found.common.more) if found.common is not None else ()
    for pair in told[:1]:
        first, second = (f"{one} at E = {found.thresholds[one]:.3g}" for one in pair[:2])
        yield f"{found.setting.score} judges {first} and {second}."


def _numbers(some_k: Sequence[int]) -> str:
    """Some k in words."""
    first, last = some_k[0], some_k[-1]
    if first == last:
        return f"k = {first}"
    return f"{'' if last - first + 1 == len(some_k) else 'some of '}k = {first} to {last}"


def _number(value: float) -> str:
    """Three decimals, or the first digit of what they would not show: it may be beyond 0."""
    text = f"{value:.1g}" if 0 < abs(value) < SHOWN else f"{value:.3f}"
    return text.replace("-", MINUS)


def _ends(interval: Interval) -> str:
    return f"{_number(interval.low)} to {_number(interval.high)}"
