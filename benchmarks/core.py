"""How long a change takes: four algorithms with 8,920 queries of 331 records each, on one core.

Run it with ``python benchmarks/core.py`` (``--records 1240`` for 4 x 11 million). It prints medians
and 95th percentiles of CPU time, in which other programs count least, beside two budgets; and
ratios to other ways of doing the same, timed in the same run: a machine changes the times far more
than the ratios. Of the first use, which asks for much memory, the largest time shows how long the
system may take to find it.
"""

# ruff: noqa: E402, PLC0415  NumPy comes after its environment, and TAP-k may be absent
from __future__ import annotations

import os

# One core. And NumPy's AVX-512 sort is several times slower than its AVX2 sort on some machines
# and would flatter this package; where a machine has no AVX-512 the variable changes nothing.
os.environ.setdefault("NPY_DISABLE_CPU_FEATURES", "X86_V4 AVX512_ICL AVX512_SPR")
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import argparse
from collections.abc import Callable, Iterator
from time import process_time

import numpy as np
from numpy.typing import NDArray

from tapviz.lists import RetrievalLists
from tapviz.measures import (
    epq_distribution,
    error_threshold,
    errors_per_query,
    mean_precision_recall,
    pooled_roc_n,
    roc_n,
    roc_n_curve,
    tap,
    tap_curve,
    tap_k,
)

QUERIES, RECORDS, ALGORITHMS = 8920, 331, 4
BUDGET_CHANGE, BUDGET_SUBSET, BUDGET_FIRST = 50, 150, 1500  # milliseconds
GRID = np.concatenate([[0.0], np.logspace(-60, 1, 59)])
PEER_QUERIES = 400


def synthetic(seed: int, *, records: int = RECORDS, printed: bool) -> RetrievalLists:
    """Make lists of one algorithm whose relevant records tend to come first.

    E-values as programs print them have three significant digits and are 0 below 1e-180;
    otherwise all differ.
    """
    rng = np.random.default_rng(seed)
    shape = (QUERIES, records)
    depth = rng.uniform(5, 250, (QUERIES, 1))
    logarithm = np.sort(1 - depth * (1 - np.sqrt(rng.random(shape))) ** 2, axis=1)
    if printed:
        exponent = np.floor(logarithm).astype(int)
        digits = np.minimum((10 ** (logarithm - exponent + 2)).astype(int), 999)
        lowest = exponent.min()
        table = [[float(f"{d}e{e - 2}") for d in range(1000)] for e in range(lowest, 2)]
        score = np.array(table)[exponent - lowest, digits]
        score[score < 1e-180] = 0
    else:
        score = 10**logarithm
    size = rng.geometric(1 / 60, (QUERIES, 1))
    relevant = rng.random(shape) < 0.95 * np.exp(-np.arange(records) / size)
    n_relevant = relevant.sum(axis=1) + rng.geometric(0.05, QUERIES) - 1
    offset = np.arange(QUERIES + 1) * records
    return RetrievalLists(score.ravel(), relevant.ravel(), offset, n_relevant)


def change(lists: RetrievalLists, k: int) -> None:
    """Everything that another k, E_0 or n changes for one algorithm."""
    e0 = tap_k(lists, k=k).e0
    error_threshold(lists, k=k)
    tap(lists, e0 / 2)
    errors = errors_per_query(lists, e0)
    np.median(errors)
    errors.mean()
    np.nanmean(roc_n(lists, n=10 * k).per_query)
    pooled_roc_n(lists, n=50 * k)


def subset_change(algorithms: list[RetrievalLists], mask: NDArray[np.bool_]) -> None:
    """Everything that another choice of queries changes."""
    for number, whole in enumerate(algorithms):
        lists = whole.subset(mask)
        tap_curve(lists)
        tap_k(lists, k=5)
        mean_precision_recall(lists)
        roc_n_curve(lists, n=1000)
        pooled_roc_n(lists, n=1000)
        if number == 0:
            epq_distribution(lists, GRID)


def milliseconds(function: Callable[[], object], repeats: int) -> NDArray[np.float64]:
    """CPU times of repeated runs."""
    times = []
    for _ in range(repeats):
        start = process_time()
        function()
        times.append(process_time() - start)
    return 1e3 * np.array(times)


def masks(share: float) -> Iterator[NDArray[np.bool_]]:
    """Random choices of queries, for ever."""
    rng = np.random.default_rng(1)
    while True:
        yield rng.permutation(QUERIES) < share * QUERIES


def sort_again(lists: RetrievalLists) -> NDArray[np.float64]:
    """Make a curve over all records the usual way."""
    return np.cumsum(lists.relevant[np.argsort(lists.score)], dtype=np.float64)


def row(what: str, times: NDArray[np.float64], budget: float | None = None) -> float:
    """Print a line of the table and return the median."""
    median, late = np.percentile(times, (50, 95))
    verdict = "" if budget is None else f"{budget:8} {'met' if late <= budget else 'NOT MET'}"
    print(f"  {what:50}{median:9.1f}{late:9.1f}{verdict}")
    return float(median)


def peer(lists: RetrievalLists, k: int) -> tuple[float, float, float] | None:
    """TAP-k from PyPI on some of the queries: time per record, and both values."""
    try:
        import tapk
    except ImportError:
        return None
    some = lists.subset(np.arange(QUERIES) < PEER_QUERIES)
    lines = []
    for q in range(PEER_QUERIES):
        records = slice(some.offset[q], some.offset[q + 1])
        lines += ["", some.query[q], str(some.n_relevant[q])]
        labels, scores = some.relevant[records], some.score[records].tolist()
        lines += [f"{label:d} {score!r}" for label, score in zip(labels, scores, strict=True)]
    parsed = list(tapk.parserecords(lines))
    times = milliseconds(lambda: tapk.evaluate(parsed, k=k, ascending=True), 5)
    value = tapk.evaluate(parsed, k=k, ascending=True).tap
    return float(np.median(times)) / some.score.size, value, tap_k(some, k=k).value


def measure(title: str, records: int, *, printed: bool) -> None:
    """Print the table for one kind of E-values."""
    algorithms = [synthetic(seed, records=records, printed=printed) for seed in range(ALGORITHMS)]
    one = algorithms[0]
    distinct = np.unique(one.score).size
    print(f"\n{title}: {ALGORITHMS} x {one.score.size:,} records, {distinct:,} distinct E-values")
    print(f"  {'milliseconds':50}{'median':>9}{'95 %':>9}{'budget':>8}")

    half, few = masks(0.5), masks(0.01)

    def first_use() -> None:
        # As if they had just been loaded: nothing is known of them.
        fresh = [
            RetrievalLists(one.score, one.relevant, one.offset, one.n_relevant)
            for one in algorithms
        ]
        for lists in fresh:
            change(lists, 5)
        subset_change(fresh, next(half))

    first = milliseconds(first_use, 3)
    row("the first use, once after loading", first)
    if records == RECORDS:
        verdict = "met" if np.median(first) <= BUDGET_FIRST else "NOT MET"
        print(f"    budget of the median: {BUDGET_FIRST}, {verdict}")
    numbers = iter(range(1, 100))

    def all_change() -> None:
        k = next(numbers)
        for lists in algorithms:
            change(lists, k)

    row("(a) another k, E_0, n", milliseconds(all_change, 21), BUDGET_CHANGE)
    times = milliseconds(lambda: subset_change(algorithms, next(half)), 21)
    row("(b) another subset, half of the queries", times, BUDGET_SUBSET)
    times = milliseconds(lambda: subset_change(algorithms, next(few)), 21)
    row("(b) another subset, 1 % of the queries", times, BUDGET_SUBSET)

    print("  one algorithm:")
    part = one.subset(next(half))
    sort_again(part)  # copies the records of the subset now, outside the times
    ours = row("tap_k", milliseconds(lambda: tap_k(one, k=5), 21))
    curve = row("tap_curve, half of the queries", milliseconds(lambda: tap_curve(part), 21))
    again = row(
        "sorting these again and a cumulative sum", milliseconds(lambda: sort_again(part), 5)
    )
    copy = row("copying their scores (the memory's limit)", milliseconds(part.score.copy, 21))
    print(f"  sorting / tap_curve: {again / curve:.1f}    tap_curve / copying: {curve / copy:.1f}")
    found = peer(one, 5)
    if found is None:
        print("  TAP-k is not installed: no comparison")
        return
    per_record, theirs, tapviz = found
    ratio = per_record * one.score.size / ours
    print(f"  TAP-k 1.0 / tap_k: {ratio:,.0f}")
    print(f"    TAP-k timed on {PEER_QUERIES} queries, without parsing, and scaled by records")
    print(f"    TAP-5 of these queries: {theirs:.12f} TAP-k, {tapviz:.12f} tapviz")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--records", type=int, default=RECORDS, help="of each query")
    given = options.parse_args()
    measure("E-values as printed", given.records, printed=True)
    measure("all E-values differ", given.records, printed=False)
