"""How far a conclusion holds: by other groups, at other k and thresholds, for other ties."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from tapviz.lists.checks import Floats, Ints
from tapviz.scores.findings import listed
from tapviz.scores.verdict import At, ByK, Kind, There, Verdict

State = Literal["holds", "weakens", "turns", "—"]
STATES: tuple[State, ...] = ("holds", "weakens", "turns", "—")


class Condition(NamedTuple):
    """What becomes of a conclusion under one other condition.

    Examples
    --------
    >>> from tapviz.scores.holds import Condition
    >>> Condition("fold", "groups", "weakens", held=2, weakened=1, turned=0).state
    'weakens'
    """

    name: str
    """"fold", "every k from 1 to 73", "E = 0.01", "the worst order of ties"."""
    kind: Kind
    state: State
    """Holds where every difference does, turns where one is clearly the other way round, weakens
    otherwise; a dash where it is not known."""
    held: int
    """Pairs of which the same can be said there."""
    weakened: int
    """Pairs of which it cannot, nor clearly the opposite."""
    turned: int
    """Pairs that are clearly the other way round."""
    reason: str = ""
    """What is not known there, and why."""
    pairs: tuple[At, ...] = ()
    """All that were looked at; for every k those k at which one does not hold."""


class Holds(NamedTuple):
    """How far a conclusion holds.

    Examples
    --------
    >>> from tapviz.scores.holds import Condition, Holds
    >>> print(
    ...     Holds((
    ...         Condition("family", "groups", "holds", 3, 0, 0),
    ...         Condition("every k from 1 to 73", "k", "holds", 3, 0, 0),
    ...         Condition("E = 0.01", "threshold", "weakens", 2, 1, 0),
    ...         Condition("E = 1", "threshold", "turns", 2, 0, 1),
    ...     )).text
    ... )
    What is clear holds by family and at every k; weakens at E = 0.01; turns at E = 1.
    """

    conditions: tuple[Condition, ...]
    clear: bool = True
    """Whether clear differences are judged; where there is none, it is the order."""

    @property
    def text(self) -> str:
        """All conditions in one sentence; empty if there are none."""
        said = [
            f"{'is not known' if state == '—' else state} {_places(state, some)}"
            for state in STATES
            if (some := [one for one in self.conditions if one.state == state])
        ]
        what = "What is clear" if self.clear else "The order, though not clear,"
        return f"{what} {'; '.join(said)}." if said else ""

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """Condition, state, and how many pairs that is: the rows of a table."""
        return [(one.name, one.state, _detail(one)) for one in self.conditions]


def how_far(found: Verdict, theres: Sequence[There], by_k: ByK | None = None) -> Holds:
    """Judge the clear differences, or where there is none the order, under other conditions.

    Parameters
    ----------
    found : Verdict
    theres : sequence of There
        The same pairs by other groups, at other thresholds, for the worst order of ties, each with
        its kind.
    by_k : ByK, optional
        The same at every k, as in the verdict.

    Returns
    -------
    Holds
        A clear difference holds where it is clear, too, the same way round; without any, a pair
        holds where it does not change places. Nothing to judge: no conditions.

    Examples
    --------
    >>> from tapviz.measures import Groups, Interval
    >>> from tapviz.scores.holds import how_far
    >>> from tapviz.scores.verdict import Basis, Place, verdict
    >>> basis = Basis(Groups.single(60), 0.95, "random signs of queries")
    >>> how_far(verdict(Place("nDCG@10"), {"A": Interval(0.5, 0.4, 0.6)}, [], basis), []).text
    ''
    """
    clear = bool(found.clear)
    order = [pair for pair in found.pairs if pair.difference.estimate > 0]
    judged = {(pair.first, pair.second): pair for pair in (found.clear or order)}
    if not judged:
        return Holds((), clear)
    conditions = [_there(one, judged, clear=clear) for one in theres]
    if by_k is not None and by_k.last > 1:
        columns = [(one.first, one.second) in judged for one in found.pairs]
        at = next((n for n, one in enumerate(conditions) if one.kind != "groups"), len(conditions))
        conditions.insert(at, _every_k([*judged], by_k, np.flatnonzero(columns), clear=clear))
    return Holds(tuple(conditions), clear)


def _there(there: There, judged: Mapping[tuple[str, str], Any], *, clear: bool) -> Condition:
    """One place, as far as the pairs in question were measured there."""
    found = [one for one in there.pairs if (one.first, one.second) in judged]
    # Without an interval nothing is known of what is clear.
    same = [one for one in found if not clear or np.isfinite(one.difference.low)]
    missing = there.unknown if len(same) < len(judged) else ()
    reason = there.reason or (f"without {listed(missing)}" if missing else "")
    reason = reason or next((one.reason for one in found if one not in same and one.reason), "")
    if not same:
        return Condition(there.where, there.kind, "—", 0, 0, 0, reason or "not measured")
    at, low, high = np.array([one.difference for one in same]).T
    pairs = tuple((there.at, one.first, one.second) for one in same)
    stands = _stands(at, low, high, clear=clear)
    if there.kind == "ties":  # what they decide does not hold for every order of them
        decided = [judged[one.first, one.second].ties_decide for one in same]
        stands = np.where(decided, np.minimum(stands, 0), stands)
    return _condition(there.where, there.kind, stands, pairs, reason)


def _every_k(
    judged: Sequence[tuple[str, str]], by_k: ByK, columns: Ints, *, clear: bool
) -> Condition:
    """All k at once: a pair holds if it does at every one of them."""
    numbers = (of[:, columns] for of in (by_k.difference, by_k.low, by_k.high))
    stands = _stands(*numbers, clear=clear)
    pairs = tuple((f"k={row + 1}", *judged[n]) for row, n in np.argwhere(stands < 1).tolist())
    return _condition(f"every k from 1 to {by_k.last:,}", "k", stands.min(axis=0), pairs)


def _stands(difference: Floats, low: Floats, high: Floats, *, clear: bool) -> Ints:
    """1 where what is judged holds, -1 where it is clearly the other way round, 0 elsewhere."""
    holds = low > 0 if clear else difference >= 0
    return holds.astype(np.int64) - (high < 0)


def _condition(
    name: str, kind: Kind, stands: Ints, pairs: tuple[At, ...], reason: str = ""
) -> Condition:
    """What becomes of the pairs, each of which stands or not."""
    held, weakened, turned = (int((stands == one).sum()) for one in (1, 0, -1))
    state: State = "turns" if turned else "weakens" if weakened else "holds"
    return Condition(name, kind, state, held, weakened, turned, reason, pairs)


def _places(state: State, conditions: Iterable[Condition]) -> str:
    """Conditions of one state in words."""
    by_kind: dict[Kind, list[str]] = {}
    for one in conditions:
        by_kind.setdefault(one.kind, []).append(_name(one))
    whole = state in {"holds", "—"}
    said = {
        "groups": "by {}",
        "k": f"at {'every' if whole else 'some'} k",
        "threshold": "at {}",
        "ties": "for every order of ties" if whole else "for some orders of ties",
    }
    return listed([said[kind].format(listed(names)) for kind, names in by_kind.items()])


def _name(one: Condition) -> str:
    return f"{one.name} ({one.reason})" if one.reason and one.state != "—" else one.name


def _detail(one: Condition) -> str:
    """How many pairs, in words of a table."""
    counts = {"hold": one.held, "weaken": one.weakened, "turn": one.turned}
    said = [f"{count} {verb}{'s' if count == 1 else ''}" for verb, count in counts.items() if count]
    return ", ".join([*said, *([one.reason] if one.reason else [])])
