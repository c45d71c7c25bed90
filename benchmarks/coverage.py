"""How often intervals hold the true value, and how often p is small where nothing differs.

Run it with ``python benchmarks/coverage.py``. The superfamilies of ``scope40`` are the population:
its scores are the truth. A sample draws superfamilies from it with replacement; its intervals and
p-values are made as the page makes them, with groups and, for comparison, of single queries. For a
true null, the lists of the two programs change places in each superfamily at random.

``--population unrounded`` adds random digits to E-values that programs print with two, so that a
threshold can be any number; ``made`` takes a population that has nothing to do with ``scope40``.

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
from tapviz.measures import Groups, class_groups, pooled_roc_n
from tapviz.scores import SCORES, Case, Compared, Memo, ThresholdRule, compare, differences

PAIR = ("phmmer", "MMseqs2_iter3")
K, N = 20, 50
SHOWN = ("tap", "threshold", "roc_n", "pooled_roc_n", "mean_average_precision", "auc_ipr")
BY_NAME = {score.name: score for score in SCORES}
NOMINAL = 0.95, 0.05
HELD, SMALL = (0.93, 0.97), (0.03, 0.07)
"""What is asked for: shares of intervals that hold the truth, and of p of at most 0.05."""


def unrounded(lists: RetrievalLists, rng: np.random.Generator) -> RetrievalLists:
    """The lists before their scores were rounded to two digits, as they may have been."""
    size = np.maximum(lists.score, np.finfo(float).tiny)
    digit = 10 ** (np.floor(np.log10(size)) - 1)
    score = size + digit * (rng.random(size.size) - 0.5)
    query = np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))
    order = np.lexsort((score, query))
    return RetrievalLists(score[order], lists.relevant[order], lists.offset, lists.n_relevant)


def made(rng: np.random.Generator) -> tuple[dict[str, RetrievalLists], Groups]:
    """Two programs on groups of a few queries, alike in how hard they are and how many err.

    E-values of relevant records are log-normal; errors come at random, at a rate that varies
    tenfold with the group.
    """
    size = 1 + rng.poisson(1, 6000)
    group = np.repeat(np.arange(size.size), size)
    hard = (rng.normal(0, 1.2, size.size))[group] + rng.normal(0, 0.5, group.size)
    n_relevant = 1 + rng.poisson(np.exp(rng.normal(2, 0.8, size.size)))[group]
    rate = 100 * np.exp(0.7 * rng.normal(0, 1, size.size))[group]
    results = {}
    for name, better in zip(PAIR, (0.0, 0.75), strict=True):
        errors = rng.poisson(rate)
        query = np.repeat(np.arange(group.size), n_relevant)
        hits = rng.normal(-6 + 5 * hard[query] - better + rng.normal(0, 0.3, group.size)[query], 5)
        miscalibrated = np.exp(rng.normal(0, 0.3, group.size))
        chance = 100 * rng.random(errors.sum()) * np.repeat(miscalibrated, errors)
        query = np.concatenate([query, np.repeat(np.arange(group.size), errors)])
        score = np.concatenate([10.0**hits, chance])
        relevant = np.arange(score.size) < hits.size
        some = np.flatnonzero(score < 100)
        some = some[np.lexsort((score[some], query[some]))]
        ends = np.cumsum(np.bincount(query[some], minlength=group.size))
        results[name] = RetrievalLists(score[some], relevant[some], [0, *ends], n_relevant)
    return results, Groups.of(group)


def population(name: str) -> tuple[dict[str, RetrievalLists], Groups]:
    """Results of the two programs, and the groups that samples are made of."""
    rng = np.random.default_rng(1)
    if name == "made":
        return made(rng)
    results = {program: load_results()[program] for program in PAIR}
    groups = class_groups(results[PAIR[0]])
    if name == "unrounded":
        results = {program: unrounded(lists, rng) for program, lists in results.items()}
    return results, groups


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
    parser.add_argument("--population", choices=("scope40", "unrounded", "made"), default="scope40")
    given = parser.parse_args()
    results, groups = population(given.population)
    members = np.split(np.argsort(groups.code, kind="stable"), np.cumsum(np.bincount(groups.code)))
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
    small = {way: dict.fromkeys(SHOWN, 0) for way in ways}
    rng = np.random.default_rng(0)
    for draw in range(given.draws):
        picked = [members[group] for group in rng.integers(0, groups.count, given.superfamilies)]
        rows, own = np.concatenate(picked), np.repeat(np.arange(len(picked)), [*map(len, picked)])
        sample = {name: drawn(lists, rows) for name, lists in results.items()}
        swap = (rng.random(len(picked)) < 0.5)[own]
        one, other = (sample[name] for name in PAIR)
        swapped = (chosen(one, other, swap), chosen(one, other, ~swap))
        null = dict(zip(PAIR, swapped, strict=True))
        for way, labels in zip(ways, (own, None), strict=True):
            found, nothing = (
                compare(
                    cases(of),
                    n_resamples=given.resamples,
                    seed=draw,
                    groups=labels,
                    ties=False,
                    compared=SHOWN,
                )
                for of in (sample, null)
            )
            for key, (low, high) in intervals(found).items():
                held[way][key] += low <= truth[key] <= high
            for name in SHOWN:
                small[way][name] += differences(nothing, name)[0].p <= NOMINAL[1]
    error = (NOMINAL[0] * (1 - NOMINAL[0]) / given.draws) ** 0.5
    print(
        f"{given.draws} samples of {given.superfamilies} groups of {given.population}, with "
        f"{given.resamples:,} resamples of each; standard error {error:.3f}. {PAIR[0]}, {PAIR[1]} "
        "and their difference; and p of at most 0.05 where nothing differs.\n"
    )
    print("| 95 % interval of | groups drawn | p | single queries drawn | p |")
    print("|---|---|---|---|---|")
    for name in SHOWN:
        cells = [BY_NAME[name].titled(ThresholdRule(k=K), N)]
        for way in ways:
            asked = (HELD, SMALL) if way == ways[0] else ((0, 1), (0, 1))
            shares = [held[way][name, of] / given.draws for of in (*PAIR, "difference")]
            cells.append(", ".join(_cell(one, asked[0]) for one in shares))
            cells.append(_cell(small[way][name] / given.draws, asked[1]))
        print(f"| {' | '.join(cells)} |")


def _cell(share: float, asked: tuple[float, float]) -> str:
    return f"{share:.3f}{'' if asked[0] <= share <= asked[1] else ' (outside)'}"


if __name__ == "__main__":
    main()
