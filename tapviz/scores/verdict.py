"""What may be concluded of some algorithms: the numbers, put together; `words` says them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from tapviz.lists.checks import Bools, Floats, Ints
from tapviz.measures import Groups, Interval, PairDifference
from tapviz.measures.differences import NO_INTERVAL

CHOSEN = "chosen"
"""The place at which algorithms are compared, among others that are looked at besides."""

Kind = Literal["groups", "k", "threshold", "ties"]
"""What another place has of its own."""
At = tuple[str, str, str]
"""Where two algorithms are compared, and which: "chosen", "k=3" or "E=0.01", first, second."""


class Place(NamedTuple):
    """Where algorithms are compared, and by which score.

    Examples
    --------
    >>> from tapviz.scores.verdict import Place
    >>> Place("TAP-20", k=20).title
    'TAP-20'
    """

    title: str
    """What the score is called there: "TAP-20", "TAP at 0.01", "nDCG@10"."""
    k: int | None = None
    """Of TAP-k."""
    e0: float | None = None
    """Of TAP at a threshold."""
    higher_is_better: bool = True


class ByK(NamedTuple):
    """All pairs by TAP-k at k = 1, 2, ..., each k judged by itself.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.scores.verdict import ByK
    >>> apart = np.array([[0.1], [0.2]])
    >>> ByK(2, ("B",), apart, apart - 0.15, apart + 0.15, np.array([[0.3], [0.01]])).clear.tolist()
    [[0], [1]]
    """

    last: int
    """The largest k at which all algorithms have a TAP-k; 0 if there is none."""
    ends: tuple[str, ...]
    """Algorithms that have none at the next k; empty if no larger k was looked at."""
    difference: Floats
    """Shape (last, P), of the pairs as `Verdict.pairs` has them: first minus second."""
    low: Floats
    high: Floats
    p: Floats
    kept: bool = True
    """Whether there is no E_k beyond, rather than none that was kept of condensed lists."""

    @property
    def clear(self) -> Ints:
        """1 where the first of a pair is clearly ahead, -1 where the second is, 0 elsewhere."""
        return (self.low > 0).astype(np.int64) - (self.high < 0)


class There(NamedTuple):
    """All pairs at another place than the one chosen.

    Examples
    --------
    >>> from tapviz.scores.verdict import There
    >>> There("fold", (), ("A", "B"), kind="groups", reason="fewer than 10 folds").at
    'fold'
    """

    where: str
    """"E = 0.01", "fold", "the worst order of ties"."""
    pairs: tuple[PairDifference, ...]
    """As `Verdict.pairs` has them, the same first; those that were not measured are missing."""
    unknown: tuple[str, ...] = ()
    """Algorithms that were not measured there."""
    kind: Kind = "threshold"
    reason: str = ""
    """Why nothing was measured there."""

    @property
    def at(self) -> str:
        """The place as records name it: "E=0.01"."""
        return self.where.replace(" ", "") if self.kind == "threshold" else self.where


class Basis(NamedTuple):
    """What intervals and p rest on.

    Examples
    --------
    >>> from tapviz.measures import Groups
    >>> from tapviz.scores.verdict import Basis
    >>> str(Basis(Groups.single(60), level=0.95, method="10,000 random signs").groups)
    '60 queries'
    """

    groups: Groups
    level: float
    method: str
    """In words."""
    dependent: bool = False
    """Whether queries that are taken one by one share relevant records."""
    left_out: int = 0
    """Queries besides, of which not all algorithms have the score."""


class Verdict(NamedTuple):
    """What may be concluded; `tapviz.scores.words.describe` puts it into words."""

    place: Place
    values: Mapping[str, Interval]
    """Score of each algorithm that is judged, best first."""
    thresholds: Mapping[str, float]
    """At which each was judged, where there is one."""
    pairs: tuple[PairDifference, ...]
    """Every two algorithms, the better one first; of equal ones, the one given first."""
    tiers: tuple[tuple[str, ...], ...]
    """Best first. Each algorithm is clearly better than every one of a later tier."""
    by_k: ByK | None
    """None where the score is not TAP-k."""
    common: There | None
    """At a common threshold; None where a threshold is given, scores are not E-values, or the score
    is not TAP-k."""
    left_out: Mapping[str, str]
    """Algorithms that cannot be judged, and why."""
    basis: Basis
    reason: str
    """Why nothing can be concluded; empty otherwise."""

    @property
    def clear(self) -> tuple[PairDifference, ...]:
        """Pairs of which the first is clearly better."""
        return tuple(pair for pair in self.pairs if ahead(pair))


class Sentence(NamedTuple):
    """A sentence, and the pairs that it speaks of.

    Examples
    --------
    >>> from tapviz.scores.verdict import Sentence
    >>> Sentence("A is ahead at every k from 1 to 9.", (("chosen", "A", "B"),), last_k=9).text
    'A is ahead at every k from 1 to 9.'
    """

    text: str
    pairs: tuple[At, ...] = ()
    last_k: int = 0
    """Where it speaks of every k from 1 to this one; `pairs` then has those k at which something
    differs from the chosen place. 0 elsewhere."""
    changed: tuple[int, int] | None = None
    """How many pairs change places, and of how many, where the sentence names some of several."""


class Words(NamedTuple):
    """A verdict in words.

    Examples
    --------
    >>> from tapviz.scores.verdict import Sentence, Words
    >>> Words((Sentence("No verdict: nothing is relevant."),), (), ()).text
    'No verdict: nothing is relevant.'
    """

    conclusion: tuple[Sentence, ...]
    """Who does better than whom, by how much, and between whom there is no clear difference."""
    order: tuple[Sentence, ...]
    """Whether that is so at every k and at a common threshold."""
    basis: tuple[Sentence, ...]
    """What it rests on, and who is left out."""

    @property
    def text(self) -> str:
        """All sentences in one line."""
        return " ".join(sentence.text for part in self for sentence in part)


def ahead(pair: PairDifference) -> bool:
    """Whether the first of a pair is clearly better.

    Examples
    --------
    >>> from tapviz.measures import Interval, PairDifference
    >>> from tapviz.scores.verdict import ahead
    >>> by = Interval(0.1, 0.05, 0.15)
    >>> counts = {"wins": 1, "ties": 0, "losses": 0, "units": 40, "unit": "folds"}
    >>> rest = {"score": "tap", "p": 0.01, "reason": None, "test": "", "identical": False}
    >>> pair = PairDifference(first="A", second="B", difference=by, listed=by, **counts, **rest)
    >>> ahead(pair), ahead(pair.turned)
    (True, False)
    """
    return pair.difference.low > 0


def best_first(values: Mapping[str, Interval], *, higher_is_better: bool = True) -> list[str]:
    """Names by their scores; of equal ones, the one given first.

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.scores.verdict import best_first
    >>> best_first({"A": Interval(0.1, 0.0, 0.2), "B": Interval(0.3, 0.2, 0.4)})
    ['B', 'A']
    """
    return sorted(values, key=lambda name: values[name].estimate, reverse=higher_is_better)


def ordered(names: Sequence[str], pairs: Iterable[PairDifference]) -> tuple[PairDifference, ...]:
    """Pairs of algorithms, each with the earlier name first, in the order of the names.

    Parameters
    ----------
    names : sequence of str
        As `best_first` has them.
    pairs : iterable of PairDifference
        Of these algorithms, either of a pair first.

    Examples
    --------
    >>> from tapviz.measures import Interval, PairDifference
    >>> from tapviz.scores.verdict import ordered
    >>> by = Interval(-0.1, -0.15, -0.05)
    >>> counts = {"wins": 1, "ties": 0, "losses": 9, "units": 40, "unit": "folds"}
    >>> rest = {"score": "tap", "p": 0.01, "reason": None, "test": "", "identical": False}
    >>> pair = PairDifference(first="A", second="B", difference=by, listed=by, **counts, **rest)
    >>> [(one.first, one.second, one.wins) for one in ordered(["B", "A"], [pair])]
    [('B', 'A', 9)]
    """
    rank = {name: place for place, name in enumerate(names)}
    turned = [one if rank[one.first] < rank[one.second] else one.turned for one in pairs]
    return tuple(sorted(turned, key=lambda one: (rank[one.first], rank[one.second])))


def tiers(names: Sequence[str], pairs: Iterable[PairDifference]) -> tuple[tuple[str, ...], ...]:
    """Part an order wherever every algorithm before is clearly better than every one after.

    Parameters
    ----------
    names : sequence of str
        Best first.
    pairs : iterable of PairDifference
        Every two of them, the better one first.

    Examples
    --------
    >>> from tapviz.scores.verdict import tiers
    >>> tiers(["A", "B"], [])  # nothing is known of the two
    (('A', 'B'),)
    """
    clear = {(pair.first, pair.second) for pair in pairs if ahead(pair)}
    starts = [
        place
        for place in range(len(names))
        if all((a, b) in clear for a in names[:place] for b in names[place:])
    ]
    ends = [*starts[1:], len(names)]
    return tuple(tuple(names[a:b]) for a, b in zip(starts, ends, strict=True))


def verdict(
    place: Place,
    values: Mapping[str, Interval],
    pairs: Iterable[PairDifference],
    basis: Basis,
    *,
    thresholds: Mapping[str, float] | None = None,
    by_k: ByK | None = None,
    common: There | None = None,
    left_out: Mapping[str, str] | None = None,
    reason: str = "",
) -> Verdict:
    """Put together what may be concluded.

    Parameters
    ----------
    place : Place
    values : mapping of str to Interval
        Score of each algorithm that can be judged.
    pairs : iterable of PairDifference
        Every two of them, in any order.
    basis : Basis
    thresholds : mapping of str to float, optional
        At which each was judged.
    by_k : ByK, optional
        Its columns, and the pairs of `common`, as `ordered` has them.
    common : There, optional
    left_out : mapping of str to str, optional
        Algorithms that cannot be judged, and why.
    reason : str, optional
        Why nothing can be concluded, if the caller knows: that no query has a relevant record, say.

    Returns
    -------
    Verdict
        Without pairs and tiers where there is a reason for no verdict: the one given; no algorithm,
        or one of several, has the score; there are fewer than ten groups of queries; or two
        algorithms have no interval.

    Raises
    ------
    ValueError
        If the differences for each k are not those of the pairs.

    Examples
    --------
    >>> from tapviz.measures import Groups, Interval
    >>> from tapviz.scores.verdict import Basis, Place, verdict
    >>> values = {"A": Interval(0.5, 0.4, 0.6), "B": Interval(0.4, 0.3, 0.5)}
    >>> basis = Basis(Groups.single(8), 0.95, "random signs of queries")
    >>> verdict(Place("TAP-20", k=20), values, [], basis).reason[:22]
    '8 queries are too few '
    """
    names = best_first(values, higher_is_better=place.higher_is_better)
    listed = ordered(names, pairs)
    if by_k is not None and (shape := by_k.difference.shape) != (by_k.last, len(listed)):
        expected = f"expected {len(listed)} pairs at {by_k.last} k"
        raise ValueError(f"by_k: {expected}, found differences of shape {shape}")
    thresholds, left_out = thresholds or {}, left_out or {}
    reason = reason or _reason(place, names, listed, basis.groups, left_out)
    known = {name: values[name] for name in names}
    judged = ((), ()) if reason else (listed, tiers(names, listed))
    return Verdict(place, known, thresholds, *judged, by_k, common, left_out, basis, reason)


def _reason(
    place: Place,
    names: Sequence[str],
    pairs: Sequence[PairDifference],
    groups: Groups,
    left_out: Mapping[str, str],
) -> str:
    """Why nothing can be concluded; empty if something can."""
    if not names:
        return f"{place.title} is undefined"
    if len(names) == 1:
        return f"{place.title} is defined for {names[0]} only" if left_out else ""
    if groups.few:
        few = f"{groups} {'is' if groups.code.size == 1 else 'are'} too few"
        needed = f"at least 10 {groups.unit} are needed"
        return f"{few} to say how the programs would do on others; {needed}"
    for one in pairs:
        if not np.isfinite(one.difference).all():
            why = f" ({one.reason.removeprefix(NO_INTERVAL)})" if one.reason else ""
            return f"the difference between {one.first} and {one.second} has no interval{why}"
    return ""


def changed_k(found: Verdict) -> Bools:
    """Where the sign of a difference, or whether it is clear, is not what it is at the chosen k.

    Returns
    -------
    ndarray of bool, shape (K, P)
        For each k from 1 to the last, and each pair; of shape (0, P) without TAP-k.

    Examples
    --------
    >>> from tapviz.measures import Groups, Interval
    >>> from tapviz.scores.verdict import Basis, Place, changed_k, verdict
    >>> basis = Basis(Groups.single(60), 0.95, "random signs of queries")
    >>> one = {"A": Interval(0.5, 0.4, 0.6)}
    >>> changed_k(verdict(Place("nDCG@10"), one, [], basis)).shape
    (0, 0)
    """
    if found.by_k is None or not found.pairs:
        return np.zeros((0, len(found.pairs)), np.bool_)
    sign = [np.sign(pair.difference.estimate) for pair in found.pairs]
    changed: Bools = np.sign(found.by_k.difference) != sign
    changed |= found.by_k.clear != [*map(ahead, found.pairs)]
    return changed


def as_plain(found: Verdict, words: Words) -> dict[str, object]:
    """A verdict as JSON has it: pairs with their places, and sentences that point to them.

    Parameters
    ----------
    found : Verdict
    words : Words
        Of the same, as `tapviz.scores.words.describe` says them.

    Returns
    -------
    dict
        `pairs`: all at the chosen place and at the common threshold, and at each k where the sign
        of a difference, or whether it is clear, is another. `sentences`: text, part, `pairs` as
        indices, and `every_k`, the first and the last, of those that speak of every k.

    Examples
    --------
    >>> from tapviz.measures import Groups, Interval
    >>> from tapviz.scores.verdict import Basis, Place, as_plain, verdict
    >>> from tapviz.scores.words import describe
    >>> basis = Basis(Groups.single(60), 0.95, "random signs of queries")
    >>> found = verdict(Place("TAP-20", k=20), {}, [], basis)
    >>> as_plain(found, describe(found))["sentences"][0]["text"]
    'No verdict: TAP-20 is undefined.'
    """
    pairs = {(one["at"], one["a"], one["b"]): one for one in _plain_pairs(found)}
    index = {key: place for place, key in enumerate(pairs)}
    sentences = []
    for part, said in words._asdict().items():
        for text, named, last_k, _ in said:
            one = {"text": text, "part": part, "pairs": [index[key] for key in named]}
            sentences.append(one | ({"every_k": [1, last_k]} if last_k else {}))
    return {"pairs": [*pairs.values()], "sentences": sentences}


def _plain_pairs(found: Verdict) -> Iterator[dict[str, object]]:
    measured = {CHOSEN: found.pairs}
    if found.common is not None and not found.reason:
        measured[found.common.at] = found.common.pairs
    for at, pairs in measured.items():
        for pair in pairs:
            yield _plain(at, pair, (*pair.difference, pair.p))
    if (by_k := found.by_k) is None:
        return
    for row, column in np.argwhere(changed_k(found)).tolist():
        numbers = (of[row, column] for of in (by_k.difference, by_k.low, by_k.high, by_k.p))
        yield _plain(f"k={row + 1}", found.pairs[column], numbers)


def _plain(at: str, pair: PairDifference, numbers: Iterable[float]) -> dict[str, object]:
    difference, low, high, p = numbers
    named = {"difference": difference, "low": low, "high": high, "p": p}
    known = {name: float(one) if np.isfinite(one) else None for name, one in named.items()}
    clear = bool(low > 0 or high < 0)
    return {"a": pair.first, "b": pair.second, "at": at, **known, "clear": clear}
