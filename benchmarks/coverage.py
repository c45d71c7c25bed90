"""How often intervals hold the true value, and how often p is small where nothing differs.

Run it with ``python benchmarks/coverage.py``. The superfamilies of ``scope40`` are the population:
its scores are the truth. A sample draws superfamilies from it with replacement; its intervals and
p-values are made as the page makes them, with groups and, for comparison, of single queries. For a
true null, the lists of the two programs change places in each superfamily at random.

The n of pooled ROC_n is a number of errors of all queries together: the truth for a sample is that
of the population at as many errors a query.
"""

from __future__ import annotations

# First: it makes NumPy use one core.
import core  # noqa: F401

# isort: split
import argparse

import numpy as np
from numpy.typing import NDArray

from tapviz import load_results
from tapviz.lists import RetrievalLists
from tapviz.measures import class_groups, pooled_roc_n, randomization_test, tap_k
from tapviz.scores import SCORES, Case, Compared, Memo, ThresholdRule, compare, differences

PAIR = ("phmmer", "MMseqs2_iter3")
K, N = 20, 50
SHOWN = ("tap", "threshold", "roc_n", "pooled_roc_n", "mean_average_precision", "auc_ipr")
BY_NAME = {score.name: score for score in SCORES}
NOMINAL = 0.95, 0.05
HELD, SMALL = (0.93, 0.97), (0.03, 0.07)
"""What is asked for: shares of intervals that hold the truth, and of p of at most 0.05."""


def drawn(lists: RetrievalLists, rows: NDArray[np.intp]) -> RetrievalLists:
    """Lists of the queries in some rows, which may come again, as queries of their own."""
    length = np.diff(lists.offset)[rows]
    offset = np.concatenate([[0], np.cumsum(length)])
    at = np.repeat(lists.offset[rows] - offset[:-1], length) + np.arange(offset[-1])
    return RetrievalLists(lists.score[at], lists.relevant[at], offset, lists.n_relevant[rows])


def chosen(one: RetrievalLists, other: RetrievalLists, swap: NDArray[np.bool_]) -> RetrievalLists:
    """The lists of one, and of another where they change places."""
    size = one.n_queries
    both = RetrievalLists(
        np.concatenate([one.score, other.score]),
        np.concatenate([one.relevant, other.relevant]),
        np.concatenate([one.offset, other.offset[1:] + one.offset[-1]]),
        np.concatenate([one.n_relevant, other.n_relevant]),
    )
    return drawn(both, np.arange(size) + size * swap)


def cases(results: dict[str, RetrievalLists]) -> dict[str, Case]:
    rule = ThresholdRule(k=K)
    return {name: Case(lists, rule, N, Memo()) for name, lists in results.items()}


def intervals(found: Compared) -> dict[tuple[str, str], tuple[float, float]]:
    """Ends of the intervals of each program and of the difference, by score."""
    ends = {}
    for name in SHOWN:
        for program, one in found.bootstrap.algorithms.items():
            at_threshold = BY_NAME[name].interval
            ends[name, program] = (
                one.others[name][1:] if at_threshold is None else (at_threshold(one)[1:])
            )
        (pair,) = differences(found, name)
        ends[name, "difference"] = pair.difference[1:]
    return ends


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--superfamilies", type=int, default=50, help="in each sample")
    parser.add_argument("--resamples", type=int, default=1000)
    given = parser.parse_args()
    results = {name: load_results()[name] for name in PAIR}
    groups = class_groups(results[PAIR[0]])
    members = [np.flatnonzero(groups.code == group) for group in range(groups.count)]
    truth = {
        (name, program): case.value(BY_NAME[name])
        for program, case in cases(results).items()
        for name in SHOWN
    }
    share = given.superfamilies / groups.count
    for program, lists in results.items():
        truth["pooled_roc_n", program] = pooled_roc_n(lists, n=round(N / share))
    for name in SHOWN:
        truth[name, "difference"] = truth[name, PAIR[0]] - truth[name, PAIR[1]]
    ways = ("superfamilies", "single queries")
    held = {way: dict.fromkeys(truth, 0) for way in ways}
    small = dict.fromkeys(ways, 0)
    rng = np.random.default_rng(0)
    for draw in range(given.draws):
        picked = [members[group] for group in rng.integers(0, groups.count, given.superfamilies)]
        rows, own = np.concatenate(picked), np.repeat(np.arange(len(picked)), [*map(len, picked)])
        sample = {name: drawn(lists, rows) for name, lists in results.items()}
        swap = (rng.random(len(picked)) < 0.5)[own]
        one, other = (sample[name] for name in PAIR)
        a, b = (
            tap_k(lists, k=K, short_lists="worst_score").per_query
            for lists in (chosen(one, other, swap), chosen(one, other, ~swap))
        )
        for way, labels in zip(ways, (own, None), strict=True):
            found = compare(
                cases(sample),
                n_resamples=given.resamples,
                seed=draw,
                groups=labels,
                ties=False,
                compared=SHOWN,
            )
            for key, (low, high) in intervals(found).items():
                held[way][key] += low <= truth[key] <= high
            small[way] += randomization_test(a, b, seed=draw, groups=labels).p <= NOMINAL[1]
    error = (NOMINAL[0] * (1 - NOMINAL[0]) / given.draws) ** 0.5
    print(
        f"{given.draws} samples of {given.superfamilies} superfamilies of scope40, with "
        f"{given.resamples:,} resamples of each; standard error {error:.3f}. {PAIR[0]} and "
        f"{PAIR[1]}.\n"
    )
    print("| 95 % interval of | resampled: superfamilies | single queries |\n|---|---|---|")
    for name in SHOWN:
        title = BY_NAME[name].titled(ThresholdRule(k=K), N)
        for of in (*PAIR, "difference"):
            shares = [held[way][name, of] / given.draws for way in ways]
            print(f"| {title}, {of} | {_cell(shares[0], HELD)} | {shares[1]:.3f} |")
    shares = [small[way] / given.draws for way in ways]
    print(f"| p <= 0.05 where nothing differs | {_cell(shares[0], SMALL)} | {shares[1]:.3f} |")


def _cell(share: float, asked: tuple[float, float]) -> str:
    return f"{share:.3f}{'' if asked[0] <= share <= asked[1] else ' (outside)'}"


if __name__ == "__main__":
    main()
