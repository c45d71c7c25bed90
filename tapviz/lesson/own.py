"""The opening of the lesson on a reader's own two programs."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

import numpy as np

from tapviz.lesson import numbers
from tapviz.lesson.content import content_of, page_of
from tapviz.lesson.scene import Scene, scene
from tapviz.lesson.scenes import crowd_of
from tapviz.lists import RetrievalLists
from tapviz.measures import roc_n

TITLE = "Two programs, one pooled score"


def own_page(results: Mapping[str, RetrievalLists]) -> str:
    """Queries of two programs as dots, of which the largest can be left out; one HTML file.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        The lists of two programs, of the same queries.

    Raises
    ------
    ValueError
        If there are not two programs, or they have not the same queries, at least two.
    """
    if len(results) != 2:  # noqa: PLR2004
        msg = f"expected the results of two programs, found {len(results)}: {', '.join(results)}"
        raise ValueError(msg)
    one, other = results.values()
    if one.n_queries < 2 or not np.array_equal(one.query, other.query):  # noqa: PLR2004
        msg = (
            f"{' and '.join(results)}: expected the same queries, at least two; give both the same "
            "query list"
        )
        raise ValueError(msg)
    return page_of(content_of([own(results)], ["own.md"], TITLE), TITLE)


def own(results: Mapping[str, RetrievalLists]) -> Scene:
    """The opening, where the program with the better average comes first."""
    means = {name: roc_n(lists, n=numbers.N).value for name, lists in results.items()}
    first, second = sorted(results, key=lambda name: -means[name])
    found = numbers.opening_of([results[first], results[second]])
    fewest, _ = numbers.turning(found)
    pooled = first if found.pooled[0, 0] > found.pooled[0, 1] else second
    other = second if pooled == first else first
    dots = "one of the large dots" if fewest == 1 else f"{fewest} of the large dots"
    turns = (
        f"Without {dots} the pooled score says {other}. Which?"
        if fewest
        else f"It says so without any of the {found.largest.size} large dots, too."
    )
    constants, columns, extra = crowd_of(found, (first, second))
    words = {
        "first": first,
        "second": second,
        "pooled": pooled,
        "finding": f"{'The two agree' if pooled == first else 'The two disagree'}. {turns}",
    }
    return scene(
        "own",
        constants | {name: escape(text) for name, text in words.items()},
        {"out": columns},
        extra=extra,
    )
