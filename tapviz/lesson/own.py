"""The lesson on a reader's own two programs: its opening, and two of their lists."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.style import brief
from tapviz.lesson import charts, numbers, scenes
from tapviz.lesson.content import content_of, encoded_of, rendered
from tapviz.lesson.numbers import K, N, joined
from tapviz.lesson.scene import Scene, Shown, scene
from tapviz.lists import RetrievalLists, check_ranked
from tapviz.measures import betweenness_violations, influence, roc_n, tap_k

TITLE = "Two programs, one pooled score"
STOPS = 60
"""Thresholds at which the two lists are read, at most."""


def own_page(results: Mapping[str, RetrievalLists]) -> str:
    """Queries of two programs as dots, and the lists of two of these; one HTML file.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        The lists of two programs, of the same queries.

    Raises
    ------
    ValueError
        If there are not two programs, or they have not the same queries, at least two, or there
        are no ranked lists, or nothing is relevant.
    """
    check_ranked(results, "the lesson")
    if len(results) != 2:  # noqa: PLR2004
        msg = f"expected the results of two programs, found {len(results)}: {', '.join(results)}"
        raise ValueError(msg)
    one, other = results.values()
    if one.n_queries < 2 or not np.array_equal(one.query, other.query):  # noqa: PLR2004
        raise ValueError(
            f"{' and '.join(results)}: expected the same queries, at least two; give both the same "
            "query list"
        )
    if not one.n_relevant.any():
        raise ValueError(f"{' and '.join(results)}: nothing is relevant to any query")
    found = own_scenes(results)
    files = [f"{scene.name.replace('_', '-')}.md" for scene in found]
    return rendered(encoded_of(content_of(found, files, TITLE)), TITLE)


def own_scenes(results: Mapping[str, RetrievalLists]) -> list[Scene]:
    """The opening, where the program with the better average comes first, and a pair of its lists.

    Without a pair whose lists have two errors, there is the opening alone.
    """
    means = {name: roc_n(lists, n=N).value for name, lists in results.items()}
    first, second = sorted(results, key=lambda name: -means[name])
    lists = results[first]
    paired = int((lists.n_relevant > 0).sum()) > 1
    rows, words = pair_of(lists) if paired else (np.arange(2), {})
    both = two_of(lists, rows)
    enough = paired and scenes.errors_in(both).sum() > 1
    opening = own({first: lists, second: results[second]}, enough=enough)
    if not enough:
        return [opening]
    words |= {"first": first, "name_a": lists.query[rows[0]], "name_b": lists.query[rows[1]]}
    words = {name: escape(str(text)) for name, text in words.items()}
    told = " ".join(_tap_in_words(name, results[name]) for name in (first, second))
    return [
        opening,
        scenes.alone(both, "own_alone", words, N - 1),
        scenes.predict(both, "own_pair", words),
        scenes.reading(both, "own_seats", words | seats_of(both)),
        scenes.stopping(
            both, "own_instead", *stops_of(both), STOPS // 2, words | {"told": escape(told)}
        ),
    ]


def own(results: Mapping[str, RetrievalLists], *, enough: bool) -> Scene:
    """The opening; the program with the better average is the first."""
    first, second = results
    found = numbers.opening_of([results[first], results[second]])
    fewest, _ = numbers.turning(found)
    constants, columns, extra = scenes.crowd_of(found, (first, second))
    average, pooled = scenes.larger_of(extra["means"], (first, second)), columns["verdict"][0]
    turns = f"Leaving out large dots, even all {found.largest.size}, does not change that."
    if fewest:
        dots = "one" if fewest == 1 else fewest
        other = second if pooled == first else first
        turns = f"Without {dots} of the large dots the pooled score says {other}. Which?"
    few = f"{first} has too few errors in any two lists to show more."
    words = {
        "first": first,
        "second": second,
        "average": average,
        "pooled": pooled,
        "finding": f"{'The two agree' if pooled == average else 'The two disagree'}. {turns}",
        "next": f"Next: two lists of {first}." if enough else few,
    }
    constants |= {name: escape(text) for name, text in words.items()}
    return scene("own", constants, {"out": columns}, extra=extra)


def pair_of(lists: RetrievalLists) -> tuple[NDArray[np.int64], Shown]:
    """Places of two queries, the better one first, and in words why it is these.

    The pair whose pooled ROC_50 is farthest outside the range of its own; without one, the query
    that supplies most of the first 50 pooled errors, and that with the best list.
    """
    own = roc_n(lists, n=N).per_query
    found = betweenness_violations(lists, k=K, n=N, limit=1)
    examined = f"{found.n_pairs:,} pairs of queries examined"
    if found.violations:
        (worst,) = found.violations
        rows, side = worst.rows, "below" if worst.pooled_roc_n < worst.roc_n.min() else "above"
        return rows[np.argsort(-own[rows], kind="stable")], {
            "why": f"Of {examined}, this one is pooled farthest outside the range of its own.",
            "verdict": f"{side} both",
            "often": f"Of {examined}, {found.n_pair_violations:,} are pooled outside the range of "
            "their own.",
        }
    own = np.where(lists.n_relevant > 0, own, -1)
    bad = int(np.argmax(np.where(own < 0, -1, influence(lists, k=K, n=N).supplied)))
    best = int(np.argmax(np.where(np.arange(own.size) == bad, -1, own)))
    rows = np.array([best, bad] if own[best] >= own[bad] else [bad, best])
    return rows, {
        "why": "One supplies most of the first 50 pooled errors; the other has the best list.",
        "verdict": "not outside",
        "often": f"None of {examined} is pooled outside the range of its own: your data do not "
        "show what the lesson shows.",
    }


def two_of(lists: RetrievalLists, rows: NDArray[np.int64]) -> RetrievalLists:
    """The lists of two queries, called A and B."""
    parts = [slice(*lists.offset[row : row + 2].tolist()) for row in rows]
    both = [(lists.score[part], lists.relevant[part]) for part in parts]
    return joined(both, ["A", "B"], lists.n_relevant[rows], lists.direction)


def stops_of(lists: RetrievalLists) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Places on the axis at which reading may stop, and the score of the last record there."""
    places, _ = charts.axis_of(lists)
    order = np.argsort(lists.sign * lists.score, kind="stable")
    last = np.flatnonzero(np.append(np.diff(places[order]) > 0, True))
    last = last[np.unique(np.linspace(0, last.size - 1, STOPS).round().astype(int))]
    return places[order][last], lists.score[order][last]


def seats_of(lists: RetrievalLists) -> Shown:
    """Who has taken the first 50 seats, and what had been read by then."""
    seen = numbers.read_until(numbers.merged(lists), N)
    taken = [of - right for of, right in zip(seen.of, seen.relevant_of, strict=True)]
    seats: Shown = {"taken": f"{sum(taken)}" if sum(taken) == N else f"only {sum(taken)}"}
    for q, name in enumerate("ab"):
        found, total = seen.relevant_of[q], int(lists.n_relevant[q])
        seats |= {f"taken_{name}": taken[q], f"found_{name}": found, f"total_{name}": total}
    return seats


def _tap_in_words(name: str, lists: RetrievalLists) -> str:
    at = tap_k(lists, k=K)
    if at.reason:
        return f"{name} has no TAP-20. {at.reason}"
    return f"TAP-20 of {name} is {at.value:.3f}, at E₂₀ = {brief(at.e0)}."
