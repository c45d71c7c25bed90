"""Intervals for every k at once, beside resampling at one k after another.

Run it with ``OMP_NUM_THREADS=1 python benchmarks/intervals.py``. In processor time, each the best
of some runs in one process: all k from 1 to 100 of the nine algorithms of ``scope40``, with TAP-k,
E_k, mean and median errors per query, beside as many times what `bootstrap` takes at a few k; one
k of these afterwards; all that the page keeps of every k, with differences, their intervals and p,
beside the same, and the product of matrices that random signs are at the least; what the page looks
up at another k, with the verdict, beside comparing anew; and the k at hand of five algorithms for
half of the queries. The last is as many queries as ``--queries`` says, each with 60 records, and
the memory that they take.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np

from tapviz import load_results
from tapviz.lists import RetrievalLists
from tapviz.measures import (
    bootstrap,
    bootstrap_by_k,
    mean_error_replicates,
    median_error_replicates,
)
from tapviz.measures.intervals import signs
from tapviz.scores import Case, EveryThreshold, Memo, ThresholdRule, compare
from tapviz.scores.conclusion import Elsewhere
from tapviz.scores.table import BY_NAME

TAP = BY_NAME["tap"]
MAX_K, SOME_K, FIVE = 100, (1, 20, 50, 100), 5
BUDGET_ALL, BUDGET_ONE, BUDGET_HALF = 3.0, 0.002, 0.08  # seconds


def seconds(function: Callable[[], object], *, times: int = 3) -> float:
    """Least processor time of some runs."""
    found = []
    for _ in range(times):
        start = process_time()
        function()
        found.append(process_time() - start)
    return min(found)


def row(what: str, taken: float, budget: float | None = None, beside: float | None = None) -> None:
    """Print a time, with its budget and how many times as long the other way takes."""
    verdict = (
        "" if budget is None else f"{1e3 * budget:8,.0f} {'met' if taken <= budget else 'NOT MET'}"
    )
    ratio = "" if beside is None else f"  {beside / taken:.1f} times as fast"
    print(f"  {what:58}{1e3 * taken:10,.1f}{verdict}{ratio}")


def many(queries: int) -> RetrievalLists:
    """Make lists of which half of the queries have about 30 errors."""
    rng = np.random.default_rng(0)
    score = np.sort(rng.exponential(1, (queries, 60)), axis=1)
    relevant = rng.random(score.shape) < np.linspace(0.9, 0.1, 60)
    return RetrievalLists(
        score.ravel(), relevant.ravel(), np.arange(queries + 1) * 60, relevant.sum(axis=1) + 3
    )


def every_k(results: Mapping[str, RetrievalLists], apart: float) -> None:
    """Print what the page keeps of every k, and what it looks up at another one."""

    def cases(k: int) -> dict[str, Case]:
        return {
            name: Case(lists, ThresholdRule(k=k), 50, Memo()) for name, lists in results.items()
        }

    at_20 = cases(20)
    compared = compare(at_20)
    kept = EveryThreshold.of(at_20, compared)
    taken = seconds(
        lambda: (Elsewhere.of(cases(20), kept.judge), EveryThreshold.of(cases(20), compared)),
        times=2,
    )
    row(f"{len(results)} algorithms, all k: intervals, differences, p", taken, BUDGET_ALL, apart)
    sign = signs(compared.groups.count).sign
    sums = np.ones((sign.shape[1], MAX_K * len(results)), np.float32)
    product = seconds(lambda: sign @ sums)
    row(f"  the product of {sign.shape} and {sums.shape} alone", product)
    print(f"    {taken / product:.0f} times as long as the product")
    anew = seconds(lambda: compare(cases(21), scores=[TAP], compared=["tap"]))
    at_21 = cases(21)
    kept.at(at_21)  # finds TAP-k, which the plots of the page need before
    there = seconds(lambda: kept.at(at_21), times=20)
    row("another k, with the verdict; beside comparing by TAP-k anew", there, BUDGET_ONE, anew)
    row("the same, TAP-k of all lists found first", seconds(lambda: kept.at(cases(22)), times=9))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=10_000)
    queries = parser.parse_args().queries
    results = load_results("scope40")
    errors = {
        name: {"mean": mean_error_replicates(lists), "median": median_error_replicates(lists)}
        for name, lists in results.items()
    }
    five = dict(list(results.items())[:FIVE])
    chosen = np.arange(next(iter(five.values())).n_queries) % 2 == 0
    half = {name: lists.subset(chosen) for name, lists in five.items()}
    print(f"{'milliseconds':70}{'budget':>8}")
    one = [seconds(lambda k=k: bootstrap(results, k=k, others=errors)) for k in SOME_K]
    apart = MAX_K * float(np.mean(one))
    row(f"{len(results)} algorithms, one k after another, from {len(SOME_K)} k", apart)
    together = seconds(lambda: bootstrap_by_k(results, max_k=MAX_K))
    row(f"{len(results)} algorithms, all k from 1 to {MAX_K}", together, BUDGET_ALL, apart)
    found = bootstrap_by_k(results, max_k=MAX_K)
    row("one of these k", seconds(lambda: found.at(20)), BUDGET_ONE)
    every_k(results, apart)
    row(
        f"{FIVE} algorithms, half of the queries, k = 20",
        seconds(lambda: bootstrap(half, k=20)),
        BUDGET_HALF,
    )
    large = {"large": many(queries)}
    before = getrusage(RUSAGE_SELF).ru_maxrss
    taken = seconds(lambda: bootstrap_by_k(large, max_k=30), times=1)
    memory = (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1e3
    row(f"{queries:,} queries, all k from 1 to 30; {memory:,.0f} MB more", taken)


if __name__ == "__main__":
    main()
