"""A verdict in words: sentences that are true whatever its numbers are, each with its pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from tapviz.lists.checks import Bools, Ints
from tapviz.lists.words import count, with_minus
from tapviz.measures import Interval, PairDifference
from tapviz.measures.tap_curves import SAME
from tapviz.scores.findings import listed
from tapviz.scores.verdict import CHOSEN, At, ByK, Sentence, There, Verdict, Words, ahead, changed_k

MOST = 3
"""Pairs, algorithms or runs of k that a sentence names; others are counted."""
NONE_CLEAR = "with no clear difference between them"


def describe(found: Verdict) -> Words:
    """What may be concluded, in words.

    Parameters
    ----------
    found : Verdict

    Returns
    -------
    Words
        *Best*, *better* and *ahead* are said of the scores at the place named: *clearly* where the
        interval, which holds for all pairs and every order of tied records, lies beyond 0.

    Examples
    --------
    >>> from tapviz.measures import Groups, Interval
    >>> from tapviz.scores.verdict import Basis, Place, verdict
    >>> from tapviz.scores.words import describe
    >>> basis = Basis(Groups.single(60), 0.95, "random signs of queries")
    >>> found = verdict(Place("TAP-20", k=20), {"A": Interval(0.396, 0.38, 0.41)}, [], basis)
    >>> for sentence in describe(found).conclusion:
    ...     print(sentence.text)
    The TAP-20 of A is 0.396 (95 % interval 0.380 to 0.410).
    There is no other program to compare it with.
    """
    if found.reason:
        return Words((Sentence(f"No verdict: {found.reason}."),), (), (*_left_out(found),))
    return Words((*_conclusion(found),), (*_by_k(found), *_common(found)), (*_basis(found),))


# --- the conclusion, at the place chosen -------------------------------------------------------


def _conclusion(found: Verdict) -> Iterator[Sentence]:
    if len(found.values) == 1:
        yield from _alone(found)
    elif all(pair.identical for pair in found.pairs):
        names, what = [*found.values], "both" if len(found.pairs) == 1 else "all of them"
        same = f"every query has the same {found.place.title} with {what}"
        yield Sentence(f"{listed(names)} are identical: {same}.", _at(found.pairs))
    elif len(found.pairs) == 1:
        yield _two(found)
    else:
        yield from _several(found) if len(found.tiers) == 1 else _parted(found)
        yield from _identical(found.pairs)
        yield from _tied(found.pairs)


def _alone(found: Verdict) -> Iterator[Sentence]:
    ((name, value),) = found.values.items()
    range_ = f" ({_interval(found, value)})" if np.isfinite(value.low) else ""
    yield Sentence(f"The {found.place.title} of {name} is {decimals(value.estimate)}{range_}.")
    yield Sentence("There is no other program to compare it with.")


def _two(found: Verdict) -> Sentence:
    (pair,) = found.pairs
    names, title = f"{pair.first} and {pair.second}", found.place.title
    larger = "larger" if found.place.higher_is_better else "smaller"
    by = partial(_by, found)
    if ahead(pair):
        text = f"{pair.first} does better than {pair.second}: its {title} is {larger} {by(pair)}."
    elif pair.ties_decide:
        best = pair if pair.listed.low > 0 else pair.turned
        text = (
            f"The order of ties decides between {names}: with records of equal score as listed, "
            f"the {title} of {best.first} is clearly {larger}, "
            f"{by(best._replace(difference=best.listed))}; in the least favourable order it is not."
        )
    else:
        at = pair.difference
        apart = f"the {title} of {pair.first} is {larger} {by(pair)}"
        equal = f"their {title} is equal ({_interval(found, at)})"
        text = (
            f"There is no clear difference between {names}: {apart if at.estimate else equal}, "
            f"which excludes differences beyond {decimals(_reach(pair))}."
        )
    return Sentence(text, _at([pair]))


def _parted(found: Verdict) -> Iterator[Sentence]:
    """Three algorithms or more of which some are clearly better than all others."""
    first, *others = found.tiers
    (border,) = _among(found.pairs, [first[-1]], [others[0][0]])
    lead = f"ahead of {border.second} {_by(found, border)}"
    if len(first) == 1:
        value = decimals(found.values[first[0]].estimate)
        text = f"{first[0]} does best: its {found.place.title} is {value}, {lead}."
    else:
        some = "and only some of the differences between them are clear"
        how = some if any(map(ahead, _among(found.pairs, first, first))) else NONE_CLEAR
        by = f"By {found.place.title}"
        text = f"{by}, {listed(first)} do best, {how}: even {first[-1]} is {lead}."
    yield Sentence(text, _at(pair for pair in found.pairs if pair.first in first))
    comes = "comes" if len(others[0]) == 1 else "come"
    text = f"Then {comes} {'; then '.join(_tier(found, tier) for tier in others)}."
    yield Sentence(text, _at(pair for pair in found.pairs if pair.second not in first))


def _tier(found: Verdict, names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    some = any(map(ahead, _among(found.pairs, names, names)))
    how = "between which only some differences are clear" if some else NONE_CLEAR
    return f"{listed(names)}, {how}"


def _several(found: Verdict) -> Iterator[Sentence]:
    """Three algorithms or more that cannot be parted."""
    clear, everything, by = found.clear, _at(found.pairs), f"By {found.place.title}"
    if not clear:
        most = max(found.pairs, key=lambda pair: pair.difference.estimate)
        text = (
            f"{by}, there is no clear difference between {listed([*found.values])}: the largest, "
            f"between {most.first} and {most.second}, is {decimals(most.difference.estimate)} "
            f"({_interval(found, most.difference)}); differences beyond "
            f"{decimals(max(map(_reach, found.pairs)))} are excluded."
        )
        yield Sentence(text, everything)
        return
    most = max(clear, key=lambda pair: sureness(pair.difference))
    which = "differs clearly," if len(clear) == 1 else "differ clearly, most clearly"
    text = (
        f"{by}, no program does clearly better than all others: {len(clear)} of the "
        f"{len(found.pairs)} pairs {which} {most.first} from {most.second}, {_by(found, most)}."
    )
    yield Sentence(text, everything)
    worse: dict[str, list[str]] = {}
    for pair in clear:
        worse.setdefault(pair.first, []).append(pair.second)
    (first, names), *others = worse.items()
    parts = [f"{first} does better than {listed(names)}"]
    parts += [f"{name} than {listed(names)}" for name, names in others]
    do = "does" if len(parts) - MOST == 1 else "do"
    yield Sentence(f"{_some(parts, 'program', f' {do} better than some')}.", _at(clear))


def _identical(pairs: Sequence[PairDifference]) -> Iterator[Sentence]:
    """Which of several are identical, every one to every other that is named with it."""
    same = [pair for pair in pairs if pair.identical]
    known = dict.fromkeys((pair.first, pair.second) for pair in same).keys()
    together: list[list[str]] = []
    for first, second in known:
        if any({first, second} <= {*names} for names in together):
            continue
        homes = (names for names in together if {(name, second) for name in names} <= known)
        home = next((names for names in homes if first in names), None)
        if home is None:
            together.append([first, second])
        else:
            home.append(second)
    if together:
        so_are = "".join(f"; so are {listed(names)}" for names in together[1:])
        yield Sentence(f"{listed(together[0])} are identical{so_are}.", _at(same))


def _tied(pairs: Sequence[PairDifference]) -> Iterator[Sentence]:
    """Between which of several the order of ties decides."""
    if tied := [pair for pair in pairs if pair.ties_decide]:
        text = _some([f"{pair.first} and {pair.second}" for pair in tied], "pair")
        yield Sentence(f"The order of ties decides between {text}.", _at(tied))


# --- the order, at every k ---------------------------------------------------------------------


def _by_k(found: Verdict) -> Iterator[Sentence]:
    by_k = found.by_k
    if by_k is None or by_k.last <= 1 or not found.pairs:
        return
    every, changed = f"every k from 1 to {by_k.last:,}", changed_k(found)
    n_changed: tuple[int, int] | None = None
    if len(found.pairs) == 1:
        text, spoken = _two_by_k(found.pairs[0], by_k, every), changed
    else:
        spoken = by_k.difference < 0
        clauses = []
        for column in np.flatnonzero(spoken.any(axis=0)).tolist():
            pair, clearly = found.pairs[column], _behind(by_k, column)[1].size > 0
            said = f"{pair.second} is ahead of {pair.first} {_behind_at(by_k, column)}"
            clauses.append((clearly, said))
        text = _changes(clauses, f"{len(found.pairs)} pairs", f" at some k from 1 to {by_k.last:,}")
        text = text or f"No two of these programs change places at any k from 1 to {by_k.last:,}"
        n_changed = len(clauses), len(found.pairs)
    named = (*_at(found.pairs), *_at_k(found, spoken))
    yield Sentence(f"{text}.", named, by_k.last, n_changed)
    clear = np.array([ahead(pair) for pair in found.pairs])
    if not clear.any():
        return
    remains = by_k.low[:, clear] > 0
    if clear.sum() == 1 and not remains.all():
        text = f"The clear difference remains clear at {remains.sum():,} of the {by_k.last:,} k"
    else:
        text = _remain(remains.shape[1], int(remains.all(axis=0).sum()), f"at {every}")
    named = (*_at(found.clear), *_at_k(found, changed & clear))
    yield Sentence(f"{text}.", named, by_k.last)


def _two_by_k(pair: PairDifference, by_k: ByK, every: str) -> str:
    apart = by_k.difference[:, 0]
    if (apart > 0).all():
        return f"{pair.first} is ahead at {every}"
    if not apart.any():
        return f"{pair.first} and {pair.second} are equal at {every}"
    if (apart >= 0).all():
        return f"{pair.second} is ahead at no k from 1 to {by_k.last:,}"
    return f"{pair.second} is ahead {_behind_at(by_k, 0)}"


def _behind(by_k: ByK, column: int) -> tuple[Ints, Ints]:
    """All k at which the second of a pair is ahead, and those at which it clearly is."""
    behind = by_k.difference[:, column] < 0
    clear = behind & (by_k.high[:, column] < 0)
    return np.flatnonzero(behind) + 1, np.flatnonzero(clear) + 1


def _behind_at(by_k: ByK, column: int) -> str:
    """At which k the second of a pair is ahead, and whether clearly."""
    behind, clear = _behind(by_k, column)
    if not clear.size:
        return f"at {some_k(behind)}, but not clearly"
    numbers = (by_k.difference, by_k.high, by_k.low)
    there = {k: Interval(*(-float(of[k - 1, column]) for of in numbers)) for k in clear.tolist()}
    most = max(there, key=lambda k: sureness(there[k]))
    where = "" if clear.size == behind.size else f" at {some_k(clear)}"
    at = f", at k = {most:,}" if clear.size > 1 else ""
    by = f"by {decimals(there[most].estimate)}, {_ends(there[most])}"
    return f"at {some_k(behind)}, clearly{where} ({by}{at})"


def some_k(k: Sequence[int] | Ints) -> str:
    """Some k in words.

    Parameters
    ----------
    k : sequence of int
        Ascending, at least one.

    Examples
    --------
    >>> from tapviz.scores.words import some_k
    >>> some_k([1, 2, 3, 7]), some_k([1, 3, 5, 7])
    ('k = 1 to 3 and 7', '4 k between 1 and 7')
    """
    every = np.asarray(k)
    runs = np.split(every, np.flatnonzero(np.diff(every) > 1) + 1)
    if len(runs) > MOST:
        return f"{every.size:,} k between {every[0]:,} and {every[-1]:,}"
    return "k = " + listed([f"{r[0]:,} to {r[-1]:,}" if r.size > 1 else f"{r[0]:,}" for r in runs])


# --- the order, at a common threshold ----------------------------------------------------------


def _common(found: Verdict) -> Iterator[Sentence]:
    there = found.common
    if there is None or not there.pairs or not found.pairs:
        return
    measured = "" if len(there.pairs) == len(found.pairs) else " measured there"
    start = f"At a common threshold, {there.where},"
    changes = sorted((p for p in there.pairs if p.difference.estimate < 0), key=_unclear)
    if len(found.pairs) == 1:
        text = _two_there(found.pairs[0], there.pairs[0])
    else:
        clauses = [(not _unclear(one), _lead(one.turned, f" of {one.first}")) for one in changes]
        total = f"{len(there.pairs)} pairs" if len(there.pairs) > 1 else "pair"
        who = f"the programs{measured}" if measured else "these programs"
        text = _changes(clauses, f"{total}{measured}", "") or f"no two of {who} change places"
    n_changed = (len(changes), len(there.pairs)) if len(found.pairs) > 1 else None
    yield Sentence(f"{start} {text}.", _at(there.pairs, there.at), changed=n_changed)
    if n_changed:
        yield from _clear_there(found, there, measured, changed=bool(changes))
    judged = [name for pair in changes[:1] for name in (pair.first, pair.second)]
    if judged and {*judged} <= {*found.thresholds}:
        at = [f"{name} at E = {found.thresholds[name]:.3g}" for name in judged]
        yield Sentence(f"{found.place.title} judges {listed(at)}.", _at(changes[:1], there.at))


def _two_there(pair: PairDifference, there: PairDifference) -> str:
    """Which of only two algorithms is ahead at a common threshold."""
    if there.difference.estimate == 0:
        return "neither is ahead"
    if there.difference.estimate < 0:
        return _lead(there.turned, "")
    return _lead(there, ", too" if pair.difference.estimate > 0 else "")


def _lead(pair: PairDifference, whom: str) -> str:
    """That the first of a pair is ahead, and whether clearly."""
    if not ahead(pair):
        return f"{pair.first} is ahead{whom}, but not clearly"
    by = f"by {decimals(pair.difference.estimate)} ({_ends(pair.difference)})"
    return f"{pair.first} is clearly ahead{whom}, {by}"


def _unclear(pair: PairDifference) -> bool:
    """Whether the second of a pair is not clearly ahead."""
    return not pair.difference.high < 0


def _clear_there(
    found: Verdict, there: There, measured: str, *, changed: bool
) -> Iterator[Sentence]:
    """How many clear differences remain so, and how many pairs differ clearly there only.

    Of those that change places it was said before.
    """
    clear = {(pair.first, pair.second) for pair in found.clear}
    same = [pair for pair in there.pairs if (pair.first, pair.second) in clear]
    more = [one for one in there.pairs if ahead(one) and (one.first, one.second) not in clear]
    if same:
        remain = sum(map(ahead, same))
        text = _remain(len(same), remain, "there", measured)
        if len(same) == 1 and not remain:
            how = "is no longer clear" if _unclear(same[0]) else "is clearly turned round"
            text = f"The clear difference{measured} {how} there"
        yield Sentence(f"{text}.", (*_at(same), *_at(same, there.at)))
    if more:
        other = "other " if same or changed else ""
        what = f"{len(more)} {other}{'pair' if len(more) == 1 else 'pairs'}"
        differ = "differs" if len(more) == 1 else "differ"
        yield Sentence(f"{what} {differ} clearly there.", (*_at(more), *_at(more, there.at)))


# --- what it rests on --------------------------------------------------------------------------


def _basis(found: Verdict) -> Iterator[Sentence]:
    basis, n_pairs = found.basis, len(found.pairs)
    if not n_pairs:
        yield from _left_out(found)
        return
    yield Sentence(f"From {basis.groups}: {basis.method}.")
    if n_pairs > 1:
        at_once = f"hold for all {n_pairs} pairs at once"
        by_itself = "" if found.by_k is None else ", each k and threshold by itself"
        yield Sentence(f"The {100 * basis.level:g} % intervals {at_once}{by_itself}.")
    if basis.dependent:
        yield Sentence(
            "Queries share relevant records, and were taken one by one: this says more than they "
            "can tell."
        )
    if found.by_k is not None and found.by_k.ends:
        ends, last = found.by_k.ends, found.by_k.last
        have = "has" if len(ends) == 1 else "have"
        text = f"{listed(ends)} {have} no E_k beyond k = {last:,}."
        if not found.by_k.kept:
            text = f"Of {listed(ends)}, too little was kept to compare them beyond k = {last:,}."
        yield Sentence(text)
    if found.common is not None and found.common.unknown:
        names = found.common.unknown
        were = "was" if len(names) == 1 else "were"
        yield Sentence(f"{listed(names)} {were} not measured at {found.common.where}.")
    yield from _left_out(found)


def _left_out(found: Verdict) -> Iterator[Sentence]:
    """Queries and algorithms that cannot be judged, and why; those of one reason together."""
    if n := found.basis.left_out:
        total = count(found.basis.groups.code.size + n, "query")
        are = f"{n:,} of {total} {'is' if n == 1 else 'are'} left out of the comparison"
        yield Sentence(f"{are}: not all programs have a score of {'it' if n == 1 else 'them'}.")
    reasons: dict[str, list[str]] = {}
    for name, why in found.left_out.items():
        reasons.setdefault(why[:1].lower() + why[1:].rstrip("."), []).append(name)
    for why, names in reasons.items():
        yield Sentence(f"{listed(names)} {'is' if len(names) == 1 else 'are'} left out: {why}.")


# --- parts of sentences ------------------------------------------------------------------------


def _changes(clauses: Iterable[tuple[bool, str]], total: str, where: str) -> str:
    """Which pairs change places, those first that clearly do; empty if none does."""
    clear_first = sorted(clauses, key=lambda clause: not clause[0])
    if not clear_first:
        return ""
    n, rest = len(clear_first), clear_first[MOST:]
    clear = sum(clause[0] for clause in rest)
    one = "clearly" if clear else "not clearly"
    how = one if len(rest) == 1 else f"{clear or 'none'} of them clearly"
    named = _some([text for _, text in clear_first], "pair", f", {how}")
    which = "the only" if total.startswith("pair") else f"{n} of the"
    return f"{which} {total} {'changes' if n == 1 else 'change'} places{where}: {named}"


def _remain(total: int, remaining: int, where: str, measured: str = "") -> str:
    """How many of the clear differences are clear elsewhere, the same way round."""
    if total == 1:
        return f"The clear difference{measured} remains clear {where}"
    if total == remaining:
        return f"The {total} clear differences{measured} remain clear {where}"
    some = f"{remaining or 'none'} {'remain' if remaining > 1 else 'remains'}"
    return f"Of the {total} clear differences{measured}, {some} clear {where}"


def _some(parts: Sequence[str], what: str, said: str = "") -> str:
    """The first of some parts of a sentence, and how many others there are."""
    rest = len(parts) - MOST
    others = f"; and {rest} other {what if rest == 1 else f'{what}s'}{said}" if rest > 0 else ""
    return "; ".join(parts[:MOST]) + others


def _by(found: Verdict, pair: PairDifference) -> str:
    return f"by {decimals(pair.difference.estimate)} ({_interval(found, pair.difference)})"


def _interval(found: Verdict, interval: Interval) -> str:
    return f"{100 * found.basis.level:g} % interval {_ends(interval)}"


def _ends(interval: Interval) -> str:
    return f"{decimals(interval.low)} to {decimals(interval.high)}"


def decimals(value: float, digits: int = 3) -> str:
    """So many decimals, or the first digit of what they would not show: it may be beyond 0.

    Examples
    --------
    >>> from tapviz.scores.words import decimals
    >>> decimals(0.3961), decimals(0.00004), decimals(-0.0), decimals(0.2, 0)
    ('0.396', '0.00004', '0.000', '0.2')
    """
    if abs(value) <= SAME:
        return f"{0:.{digits}f}"
    if abs(value) < 0.5 * 10.0**-digits:
        text = np.format_float_positional(value, precision=1, unique=False, fractional=False)
    else:
        text = f"{value:,.{digits}f}"
    return with_minus(text)


def sureness(difference: Interval) -> float:
    """How far a difference is from 0, where 1 is as far as its interval reaches.

    Examples
    --------
    >>> from tapviz.measures import Interval
    >>> from tapviz.scores.words import sureness
    >>> sureness(Interval(0.5, 0.25, 0.75))
    2.0
    """
    at, low, _ = difference
    return at / (at - low) if at > low else np.inf


def _reach(pair: PairDifference) -> float:
    """The largest difference, either way round, that its interval does not exclude."""
    return max(abs(pair.difference.low), abs(pair.difference.high))


def _among(
    pairs: Iterable[PairDifference], first: Sequence[str], second: Sequence[str]
) -> list[PairDifference]:
    return [pair for pair in pairs if pair.first in first and pair.second in second]


def _at(pairs: Iterable[PairDifference], at: str = CHOSEN) -> tuple[At, ...]:
    return tuple((at, pair.first, pair.second) for pair in pairs)


def _at_k(found: Verdict, which: Bools) -> tuple[At, ...]:
    """Pairs at each k of a mask of shape (K, P)."""
    at = np.argwhere(which).tolist()
    return tuple(one for k, pair in at for one in _at([found.pairs[pair]], f"k={k + 1}"))
