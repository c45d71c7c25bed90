"""What is doubtful about results: found here, once, for page, command line, export and report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import starmap
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np

from tapviz.lists import RetrievalLists, is_measured, measured_to, not_kept
from tapviz.lists.checks import Bools, Floats
from tapviz.lists.words import count, percent
from tapviz.measures import Bracket, Tap, disagreements, largest_k

T = TypeVar("T")
Taps = Mapping[str, Tap]

VISIBLE = 0.0005
"""Differences that show in three decimals are larger."""
MANY = 0.1
"""Share of the queries that depend on others, from which on intervals mislead."""


class Finding(NamedTuple):
    """Something a reader of the scores should know; `describe` puts it into words."""

    kind: str
    """One of `KINDS`."""
    algorithms: tuple[str, ...]
    """Those concerned; for "order" one ranked above by the pooled score, and the other."""
    numbers: Mapping[str, Any]
    """By name; a tuple has one number for each algorithm."""


def visible(low: float, high: float, digits: int = 3) -> bool:
    """Whether two numbers differ in so many decimals, and not by rounding only.

    Examples
    --------
    >>> from tapviz.scores.findings import visible
    >>> visible(0.3661, 0.3674), visible(0.36601, 0.36602)
    (True, False)
    """
    return high - low > 0.5 * 10.0**-digits and round(low, digits) != round(high, digits)


def order(
    taps: Mapping[str, float],
    pooled: Mapping[str, float],
    score: str,
    n: int,
    *,
    ties: Mapping[str, Bracket[float] | None] | None = None,
) -> list[Finding]:
    """Pairs of algorithms that TAP and pooled ROC_n rank differently.

    Parameters
    ----------
    taps, pooled : mapping of str to float
        Mean TAP and pooled ROC_n of each algorithm.
    score : str
        What the TAP is called, such as TAP-20.
    n : int
    ties : mapping of str to Bracket, optional
        Pooled ROC_n in the worst and the best order of records of equal score; nothing is said of
        pairs that these decide.

    Examples
    --------
    >>> from tapviz.scores.findings import order
    >>> taps, pooled = {"A": 0.4, "B": 0.5}, {"A": 0.3, "B": 0.2}
    >>> [finding.algorithms for finding in order(taps, pooled, "TAP-20", n=50)]
    [('A', 'B')]
    """
    pairs = disagreements(taps, pooled, ties=ties)
    told = {"score": score, "n": n, "pairs": len(pairs)}
    return [Finding("order", (worse, better), told) for better, worse in pairs[:1]]


def pooled_outside(own: Mapping[str, Floats], pooled: Mapping[str, float], n: int) -> list[Finding]:
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
    defined = {name: values[np.isfinite(values)] for name, values in own.items()}
    outside = {
        name: (pooled[name], float(values.min()), float(values.max()))
        for name, values in defined.items()
        if values.size
        and (pooled[name] < values.min() - VISIBLE or pooled[name] > values.max() + VISIBLE)
    }
    names = {"pooled": itemgetter(0), "low": itemgetter(1), "high": itemgetter(2)}
    return _found("pooled_outside", outside, {"n": n, **names})


def short_lists(taps: Taps, lists: Mapping[str, RetrievalLists]) -> list[Finding]:
    """Algorithms too few of whose lists hold k errors, the rule applied, and a k that all hold.

    Parameters
    ----------
    taps : mapping of str to Tap
        TAP-k of each algorithm.
    lists : mapping of str to RetrievalLists
        Of the same algorithms.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.scores.findings import short_lists
    >>> lists = {"RPS-BLAST": load_results("profiles")["RPS-BLAST"]}
    >>> taps = {name: tap_k(one, k=1000) for name, one in lists.items()}
    >>> [one.numbers["largest"] for one in short_lists(taps, lists)]
    [176]
    """
    short = {name: at for name, at in taps.items() if at.too_short and np.isfinite(at.reached)}
    if not short:
        return []
    first = next(iter(taps.values()))
    largest = min(largest_k(one, first.quantile or 0.5) for one in lists.values())
    numbers = {"k": first.k, "reached": attrgetter("reached"), "rule": first.short_lists}
    return _found("short_lists", short, {**numbers, "largest": largest})


def not_measured(taps: Taps, lists: Mapping[str, RetrievalLists]) -> list[Finding]:
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
    beyond = {
        name: lists[name]
        for name, at in taps.items()
        if at.k is None
        and not is_measured(lists[name], at.e0)
        and not not_kept(lists[name], to=at.e0)
    }
    e0 = next(iter(taps.values())).e0
    numbers = {"e0": e0, "limit": measured_to, "how": attrgetter("reported_how")}
    numbers["n_measured"] = len(taps) - len(beyond)
    ended = {
        name: int(np.count_nonzero(one.sign * one.reported_to < one.sign * taps[name].e0))
        for name, one in lists.items()
        if name not in beyond and np.isfinite(taps[name].e0)
    }
    return _found("not_measured", beyond, numbers) + _counted("cut_lists", ended, taps)


def shared_relevant(shares: Bools) -> list[Finding]:
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
    shown = {name: one for name, one in brackets.items() if visible(one.low, one.high)}
    numbers = {"score": score, "low": attrgetter("low"), "high": attrgetter("high")}
    return _found("ties", shown, numbers)


def no_relevant(taps: Taps, *, with_tap: bool = True) -> list[Finding]:
    """Queries with T(q) = 0, the same for all algorithms, and the rule that was applied.

    That of TAP, or, where it was not asked for, of the other scores.

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
    rule = at.no_relevant if with_tap else "without"
    numbers = {"count": at.n_no_relevant, "queries": at.per_query.size, "rule": rule}
    return [Finding("no_relevant", (), numbers)]


def empty_lists(taps: Taps) -> list[Finding]:
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
    return _counted("empty_lists", {name: at.n_empty for name, at in taps.items()}, taps)


def few_errors(taps: Taps, counts: Mapping[str, int], n: int) -> list[Finding]:
    """Algorithms with lists of fewer than n errors, given how many each has.

    Examples
    --------
    >>> from tapviz import load_results, tap_k
    >>> from tapviz.scores.findings import few_errors
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> [one.algorithms for one in few_errors({"A": tap_k(lists, k=5)}, {"A": 12}, n=50)]
    [('A',)]
    """
    return _counted("few_errors", counts, taps, n=n)


def missing(given: Mapping[str, Mapping[str, Floats]], scores: Sequence[str]) -> list[Finding]:
    """Algorithms that lack scores of queries of which others have them; those alike together.

    Parameters
    ----------
    given : mapping of str to mapping of str to ndarray of float, shape (Q,)
        By algorithm and score, what each query scores.
    scores : sequence of str
        Those to look at.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.scores.findings import describe, missing
    >>> own = {"A": {"MAP": np.array([0.5, 0.25])}, "B": {"MAP": np.array([0.75, np.nan])}}
    >>> describe(missing(own, ["MAP"])[0]).partition(".")[0]
    'Some queries lack MAP: B 1 of 2 queries'
    """
    alike: dict[tuple[tuple[int, ...], int, int], list[str]] = {}
    for score in scores:
        known = ~np.isnan([of[score] for of in given.values()])
        n, some = known.sum(axis=1), known.any(axis=0)
        total, common = int(some.sum()), int(known[n > 0].all(axis=0).sum())
        lacks = tuple(np.where(n > 0, total - n, 0).tolist())
        alike.setdefault((lacks, total, common), []).append(score)
    found: list[Finding] = []
    for (lacks, queries, common), names in alike.items():
        each = {name: n for name, n in zip(given, lacks, strict=True) if n}
        numbers = {"score": listed(names), "count": int, "queries": queries, "common": common}
        found += _found("missing", each, numbers)
    return found


def _counted(kind: str, counts: Mapping[str, int], taps: Taps, **numbers: int) -> list[Finding]:
    """A finding about algorithms with a count other than 0."""
    some = {name: count for name, count in counts.items() if count}
    queries = next(iter(taps.values())).per_query.size if some else 0
    return _found(kind, some, {**numbers, "count": int, "queries": queries})


def _found(kind: str, each: Mapping[str, T], numbers: Mapping[str, Any]) -> list[Finding]:
    """A finding about some algorithms, if there are any: what can be called is asked of each."""
    values = {
        name: tuple(map(number, each.values())) if callable(number) else number
        for name, number in numbers.items()
    }
    return [Finding(kind, tuple(each), values)] if each else []


def describe(finding: Finding) -> str:
    """A finding in words, without a full stop; subscripts are written E_20 and ROC_50.

    Examples
    --------
    >>> from tapviz.scores.findings import describe, order
    >>> found = order({"A": 0.4, "B": 0.5}, {"A": 0.3, "B": 0.2}, "TAP-20", n=50)
    >>> "TAP-20" in describe(found[0])
    True
    """
    kind, names, numbers = finding
    columns = [number for number in numbers.values() if isinstance(number, tuple)]
    own = [*starmap(OF_EACH.get(kind, "{:,}".format), zip(*columns, strict=True))]
    each = ", ".join(f"{name} {part}" for name, part in zip(names, own, strict=False))
    one, others = numbers.get("count") in (1, (1,)), numbers.get("pairs", 1) - 1
    rule = RULES.get(numbers.get("rule", ""), "")
    words = {
        "names": names,
        "programs": listed(names) if names else "",
        "each": each,
        "unmeasured": _unmeasured(finding, own, each) if kind == "not_measured" else "",
        "more": f", as for {count(others, 'other pair')}" if others else "",
        "errors": count(numbers.get("k") or numbers.get("n") or 0, "error"),
        "shares": _shares([*map(percent, numbers.get("reached", (0,)))]),
        "smaller": (
            f"k = {largest}, the largest that all lists shown allow"
            if (largest := numbers.get("largest"))
            else "a threshold E_0: no k has an E_k"
        ),
        "rule": rule.format(
            each="it" if one else "each of them", them="it" if one else "them", k=numbers.get("k")
        ),
        "queries": count(numbers.get("queries", 0), "query"),
        "lists": count(numbers.get("queries", 0), "list"),
        "have": "has" if one else "have",
        "are": "is" if one else "are",
        "them": "it" if one else "them",
    }
    alone = kind == "empty_lists" and len(names) == 1
    return (ONE_WITH_EMPTY if alone else TEXTS[kind]).format(**{**numbers, **words})


def _shares(shares: Sequence[str]) -> str:
    """Shares of the queries of each program, said once if all are equal."""
    if len(shares) > 1 and len({*shares}) == 1:
        return f"{shares[0]} of the queries of each"
    return f"{listed(shares)} of the queries"


def _unmeasured(finding: Finding, own: Sequence[str], each: str) -> str:
    """What was not measured at a threshold: nothing at all, or some programs."""
    _, names, numbers = finding
    at = f"at {numbers['e0']:,g}"
    if not numbers["n_measured"]:
        return f"Nothing was measured {at}: {each}"
    one = len(names) == 1
    if len({*own}) == 1:
        each = f"it {own[0]}" if one else f"they {own[0].replace('seems', 'seem')}"
    return f"{listed(names)} {'was' if one else 'were'} not measured {at}: {each}"


OF_EACH: Mapping[str, Callable[..., str]] = {
    "pooled_outside": lambda pooled, low, high: (
        f"{pooled:.3f} is {'below' if pooled < low else 'above'} {low:.3f} to {high:.3f}"
    ),
    "not_measured": lambda limit, how: (
        f"{'seems to have ' if how == 'inferred' else ''}stopped at {limit:.3g}"
    ),
    "ties": "{:.3f} to {:.3f}".format,
}
"""What is said of each algorithm; of others it is how many."""
TEXTS: Mapping[str, str] = {
    "chosen": "These queries were chosen by how programs do on them: intervals and "
    "p-values say nothing of other queries",
    "missing": "Some queries lack {score}: {each} of {queries}. By that, programs are compared "
    "over the {common:,} that all of them have; the mean of each program is over all that it has",
    "order": "Pooled ROC_{n} ranks {names[0]} above {names[1]}; {score} ranks it below{more}. A "
    "few queries can dominate a pooled score",
    "pooled_outside": "Pooled ROC_{n} lies outside the range of ROC_{n} of the single queries: "
    "{each}",
    "short_lists": "The lists of {programs} end too early for E_{k}: {shares} have {errors}; "
    "{rule}. Run the search again with a larger E-value limit and more hits per query, "
    "or take {smaller}",
    "not_measured": "{unmeasured}. Scores and comparisons there leave out what was not measured. "
    "Run the search again with a larger limit, or take a stricter threshold",
    "cut_lists": "A number of hits per query cut lists before the threshold, so that errors are "
    "missing: {each} of {lists}. Ask the program for more hits",
    "shared_relevant": "{count:,} of {queries} share relevant records with others, so that their "
    "lists are alike, and their classes are not known. Intervals and p-values treat queries as "
    "independent: intervals are too narrow, p-values too small",
    "ties": "Ties change {score}, by the order of records of equal score: {each}",
    "no_relevant": "{count:,} of {queries} {have} no relevant record in the database (T(q) = 0): "
    "{rule}",
    "empty_lists": "Empty lists: {each} of {lists}",
    "few_errors": "Curves of ROC_{n} stay flat from the end of a list with fewer than {errors}: "
    "{each} of {lists}",
}
BY_SCORES = frozenset({"boxes", "ranges"})
"""Filters that choose queries by how programs do on them: nothing is concluded of these."""
KINDS = tuple(TEXTS)
"""In the order in which a reader should hear of them."""
ONE_WITH_EMPTY = "{names[0]}: {count[0]:,} of {lists} {are} empty"
RULES = {
    "error": "there is no E_{k}",
    "worst_score": "the threshold is the worst score of all lists",
    "pad": "the lists are continued with irrelevant records",
    "reference": "TAP counts 1 / (retrieved + 1) for {each}; MAP, ROC_n and the like leave {them} "
    "out",
    "zero": "TAP counts 0 for {each}; MAP, ROC_n and the like leave {them} out",
    "exclude": "TAP, MAP, ROC_n and the like leave {them} out; the threshold, EPQ and pooled ROC_n "
    "do not",
    "without": "the means leave {them} out",
}
"""What is done with lists that are too short, and with queries without relevant records."""


def listed(parts: Sequence[str]) -> str:
    """Words joined by commas and a last "and".

    Examples
    --------
    >>> from tapviz.scores.findings import listed
    >>> listed(["A", "B", "C"])
    'A, B and C'
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
