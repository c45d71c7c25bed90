"""What is doubtful about results: found here, once, for page, command line, export and report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.lists.reported import is_measured, measured_to
from tapviz.lists.words import count
from tapviz.measures import Bracket, Tap, disagreements

VISIBLE = 0.0005
"""Differences that show in three decimals are larger."""
MANY = 0.1
"""Share of the queries that depend on others, from which on intervals mislead."""

Kind = Literal[
    "order",
    "pooled_outside",
    "short_lists",
    "not_measured",
    "cut_lists",
    "shared_relevant",
    "ties",
    "no_relevant",
    "empty_lists",
    "few_errors",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which a reader should hear of them."""


class Finding(NamedTuple):
    """Something a reader of the scores should know; `describe` puts it into words."""

    kind: Kind
    algorithms: tuple[str, ...]
    """Those concerned; for "order" one ranked above by the pooled score, and the other."""
    numbers: Mapping[str, Any]
    """By name; a tuple has one number for each algorithm."""


def visible(low: float, high: float) -> bool:
    """Whether two numbers differ in three decimals, and not by rounding only.

    Examples
    --------
    >>> from tapviz.scores.findings import visible
    >>> visible(0.3661, 0.3674), visible(0.36601, 0.36602)
    (True, False)
    """
    return high - low > VISIBLE and round(low, 3) != round(high, 3)


def order(
    taps: Mapping[str, float], pooled: Mapping[str, float], score: str, n: int
) -> list[Finding]:
    """Pairs of algorithms that TAP and pooled ROC_n rank differently.

    Parameters
    ----------
    taps, pooled : mapping of str to float
        Mean TAP and pooled ROC_n of each algorithm.
    score : str
        What the TAP is called, such as TAP-20.
    n : int

    Examples
    --------
    >>> from tapviz.scores.findings import order
    >>> taps, pooled = {"A": 0.4, "B": 0.5}, {"A": 0.3, "B": 0.2}
    >>> [finding.algorithms for finding in order(taps, pooled, "TAP-20", n=50)]
    [('A', 'B')]
    """
    pairs = disagreements(taps, pooled)
    if not pairs:
        return []
    better, worse = pairs[0]
    return [Finding("order", (worse, better), {"score": score, "n": n, "pairs": len(pairs)})]


def pooled_outside(
    own: Mapping[str, NDArray[np.float64]], pooled: Mapping[str, float], n: int
) -> list[Finding]:
    """Pooled scores outside the range of their parts (Carroll et al. 2010, Condition 6).

    Parameters
    ----------
    own : mapping of str to ndarray of float, shape (Q,)
        ROC_n of each query.
    pooled : mapping of str to float
    n : int

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.scores.findings import pooled_outside
    >>> [one.algorithms for one in pooled_outside({"A": np.array([0.4, 0.6])}, {"A": 0.1}, n=50)]
    [('A',)]
    """
    outside = {}
    for name, values in own.items():
        defined = values[np.isfinite(values)]
        if not defined.size:
            continue
        low, high = float(defined.min()), float(defined.max())
        if pooled[name] < low - VISIBLE or pooled[name] > high + VISIBLE:
            outside[name] = (pooled[name], low, high)
    if not outside:
        return []
    columns = zip(("pooled", "low", "high"), zip(*outside.values(), strict=True), strict=True)
    return [Finding("pooled_outside", tuple(outside), {"n": n, **dict(columns)})]


def short_lists(taps: Mapping[str, Tap]) -> list[Finding]:
    """Algorithms too few of whose lists hold k errors, and the rule that was applied.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.scores.findings import short_lists
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> [one.kind for one in short_lists({"RPS-BLAST": tap_k(lists, k=1000)})]
    ['short_lists']
    """
    short = {name: at for name, at in taps.items() if at.too_short and np.isfinite(at.reached)}
    if not short:
        return []
    at = next(iter(short.values()))
    numbers = {
        "k": at.k,
        "reached": tuple(at.reached for at in short.values()),
        "rule": at.short_lists,
    }
    return [Finding("short_lists", tuple(short), numbers)]


def not_measured(taps: Mapping[str, Tap], lists: Mapping[str, RetrievalLists]) -> list[Finding]:
    """Algorithms whose program stopped reporting before a threshold, for all queries or for some.

    Parameters
    ----------
    taps : mapping of str to Tap
        TAP of each algorithm at its threshold.
    lists : mapping of str to RetrievalLists
        Of the same algorithms.

    Examples
    --------
    >>> from tapviz import load_results, tap
    >>> from tapviz.scores.findings import not_measured
    >>> lists = {"DIAMOND_default": load_results()["DIAMOND_default"]}
    >>> taps = {name: tap(one, 100.0) for name, one in lists.items()}
    >>> [one.numbers["limit"] for one in not_measured(taps, lists)]
    [(10.0,)]
    """
    given = {
        name: measured_to(lists[name])
        for name, at in taps.items()
        if at.k is None and not is_measured(lists[name], at.e0)
    }
    found = []
    if given:
        numbers = {
            "e0": next(taps[name].e0 for name in given),
            "limit": tuple(given.values()),
            "how": tuple(lists[name].reported_how for name in given),
        }
        found.append(Finding("not_measured", tuple(given), numbers))
    ended = {
        name: int(np.count_nonzero(one.sign * one.reported_to < one.sign * taps[name].e0))
        for name, one in lists.items()
        if name not in given and np.isfinite(taps[name].e0)
    }
    some = {name: count for name, count in ended.items() if count}
    return found + _counted("cut_lists", some, taps, {})


def shared_relevant(shares: NDArray[np.bool_]) -> list[Finding]:
    """Queries whose lists depend on one another, where nothing says which belong together.

    Parameters
    ----------
    shares : ndarray of bool, shape (Q,)
        Whether each query has a relevant record that is relevant to another, too.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.scores.findings import shared_relevant
    >>> [one.numbers["count"] for one in shared_relevant(np.array([True, True, False]))]
    [2]
    """
    count = int(np.count_nonzero(shares))
    if count < MANY * shares.size or not count:
        return []
    return [Finding("shared_relevant", (), {"count": count, "queries": shares.size})]


def ties(score: str, brackets: Mapping[str, Bracket[float]]) -> list[Finding]:
    """Algorithms whose score depends visibly on the order of records of equal score.

    Examples
    --------
    >>> from tapviz.scores.findings import ties
    >>> from tapviz.measures import Bracket
    >>> [one.algorithms for one in ties("TAP-20", {"A": Bracket(0.3, 0.4), "B": Bracket(0.5, 0.5)})]
    [('A',)]
    """
    found = {name: one for name, one in brackets.items() if visible(one.low, one.high)}
    if not found:
        return []
    low = tuple(one.low for one in found.values())
    high = tuple(one.high for one in found.values())
    return [Finding("ties", tuple(found), {"score": score, "low": low, "high": high})]


def no_relevant(taps: Mapping[str, Tap]) -> list[Finding]:
    """Queries with T(q) = 0, the same for all algorithms, and the rule that was applied.

    Examples
    --------
    >>> from tapviz import RetrievalLists, tap
    >>> from tapviz.scores.findings import no_relevant
    >>> lists = RetrievalLists(
    ...     score=[0.2], relevant=[False], offset=[0, 1], n_relevant=[0], query=["q1"]
    ... )
    >>> [one.kind for one in no_relevant({"A": tap(lists, 1.0)})]
    ['no_relevant']
    """
    at = next(iter(taps.values()), None)
    if at is None or not at.n_no_relevant:
        return []
    numbers = {"count": at.n_no_relevant, "queries": at.per_query.size, "rule": at.no_relevant}
    return [Finding("no_relevant", (), numbers)]


def empty_lists(taps: Mapping[str, Tap]) -> list[Finding]:
    """Algorithms that retrieved nothing for some queries.

    Examples
    --------
    >>> from tapviz import RetrievalLists, tap
    >>> from tapviz.scores.findings import empty_lists
    >>> lists = RetrievalLists(
    ...     score=[0.2], relevant=[True], offset=[0, 1, 1], n_relevant=[3, 2], query=["q1", "q2"]
    ... )
    >>> [one.numbers["count"] for one in empty_lists({"A": tap(lists, 1.0)})]
    [(1,)]
    """
    counts = {name: at.n_empty for name, at in taps.items() if at.n_empty}
    return _counted("empty_lists", counts, taps, {})


def few_errors(taps: Mapping[str, Tap], counts: Mapping[str, int], n: int) -> list[Finding]:
    """Algorithms with lists of fewer than n errors, given how many each has.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.scores.findings import few_errors
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> [one.algorithms for one in few_errors({"A": tap_k(lists, k=5)}, {"A": 12}, n=50)]
    [('A',)]
    """
    short = {name: count for name, count in counts.items() if count}
    return _counted("few_errors", short, taps, {"n": n})


def _counted(
    kind: Kind, counts: Mapping[str, int], taps: Mapping[str, Tap], numbers: Mapping[str, Any]
) -> list[Finding]:
    if not counts:
        return []
    queries = next(iter(taps.values())).per_query.size
    more = {"count": tuple(counts.values()), "queries": queries}
    return [Finding(kind, tuple(counts), {**numbers, **more})]


def describe(finding: Finding) -> str:  # noqa: PLR0911  # one for each kind
    """A finding in words, without a full stop; subscripts are written E_20 and ROC_50.

    Examples
    --------
    >>> from tapviz.scores.findings import describe, order
    >>> found = order({"A": 0.4, "B": 0.5}, {"A": 0.3, "B": 0.2}, "TAP-20", n=50)
    >>> "TAP-20" in describe(found[0])
    True
    """
    names, given = finding.algorithms, finding.numbers
    match finding.kind:
        case "order":
            n, score, others = given["n"], given["score"], given["pairs"] - 1
            more = f", as for {count(others, 'other pair')}" if others else ""
            return (
                f"Pooled ROC_{n} ranks {names[0]} above {names[1]}; {score} ranks it below{more}. "
                "A few queries can dominate a pooled score"
            )
        case "pooled_outside":
            rows = zip(given["pooled"], given["low"], given["high"], strict=True)
            each = _each(
                names,
                (
                    f"{one:.3f} is {'below' if one < low else 'above'} {low:.3f} to {high:.3f}"
                    for one, low, high in rows
                ),
            )
            return (
                f"Pooled ROC_{given['n']} lies outside the range of ROC_{given['n']} of the "
                f"single queries: {each}"
            )
        case "short_lists":
            k, rule = given["k"], SHORT_LISTS[given["rule"]].format(k=given["k"])
            shares = listed([f"{100 * share:.3g} %" for share in given["reached"]])
            return (
                f"The lists of {listed(names)} end too early for E_{k}: {shares} of the queries "
                f"have {count(k, 'error')}; {rule}. Run the search again with a "
                "larger E-value limit and more hits per query, or take a smaller k"
            )
        case "not_measured":
            parts = (
                f"{'seems to have ' if how == 'inferred' else ''}stopped at {limit:.3g}"
                for limit, how in zip(given["limit"], given["how"], strict=True)
            )
            return (
                f"Nothing was measured at {given['e0']:g}: {_each(names, parts)}. Scores and "
                "comparisons there leave out what was not measured. Run the search again with "
                "a larger limit, or take a stricter threshold"
            )
        case "cut_lists":
            counts = _each(names, map("{:,}".format, given["count"]))
            return (
                "A number of hits per query cut lists before the threshold, so that errors are "
                f"missing: {counts} of {count(given['queries'], 'list')}. Ask the program for more "
                "hits"
            )
        case "shared_relevant":
            return (
                f"{given['count']:,} of {count(given['queries'], 'query')} share relevant records "
                "with others, so that their lists are alike, and their classes are not known: "
                "intervals and p-values, which take queries for independent, are too small"
            )
        case "ties":
            ends = zip(given["low"], given["high"], strict=True)
            ranges = _each(names, (f"{low:.3f} to {high:.3f}" for low, high in ends))
            return f"Ties change {given['score']}, by the order of records of equal score: {ranges}"
        case "no_relevant":
            some, one = given["count"], given["count"] == 1
            rule = NO_RELEVANT[given["rule"]].format(them="it" if one else "each of them")
            return (
                f"{some:,} of {count(given['queries'], 'query')} {'has' if one else 'have'} no "
                f"relevant record in the database (T(q) = 0): {rule}, the other scores leave "
                f"{'it' if one else 'them'} out"
            )
        case "empty_lists":
            counts, every = given["count"], count(given["queries"], "list")
            if len(names) == 1:
                verb = "is" if counts[0] == 1 else "are"
                return f"{names[0]}: {counts[0]:,} of {every} {verb} empty"
            return f"Empty lists: {_each(names, map('{:,}'.format, counts))} of {every}"
        case "few_errors":
            n, counts = given["n"], _each(names, map("{:,}".format, given["count"]))
            return (
                f"Curves of ROC_{n} stay flat from the end of a list with fewer than "
                f"{count(n, 'error')}: {counts} of {count(given['queries'], 'list')}"
            )


SHORT_LISTS = {
    "error": "there is no E_{k}",
    "worst_score": "the threshold is the worst score of all lists",
    "pad": "the lists are continued with irrelevant records",
}
NO_RELEVANT = {
    "reference": "TAP counts 1 / (retrieved + 1) for {them}",
    "zero": "TAP counts 0 for {them}",
    "exclude": "TAP leaves {them} out",
}


def _each(names: Sequence[str], parts: Iterable[str]) -> str:
    return ", ".join(f"{name} {part}" for name, part in zip(names, parts, strict=True))


def listed(parts: Sequence[str]) -> str:
    """Words joined by commas and a last "and".

    Examples
    --------
    >>> from tapviz.scores.findings import listed
    >>> listed(["A", "B", "C"])
    'A, B and C'
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
