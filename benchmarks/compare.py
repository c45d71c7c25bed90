"""How long comparisons take: six algorithms with 9,000 queries of 300 records each, on one core.

Run it with ``python benchmarks/compare.py``. It prints CPU time, in which other programs count
least, beside the budget; and the ratio to the obvious way, TAP-k and the curve of each replicate,
timed on a few replicates in the same run and scaled.
"""

from __future__ import annotations

# First: it makes NumPy use one core.
import core

# isort: split
from collections.abc import Callable
from resource import RUSAGE_SELF, getrusage
from time import process_time

import numpy as np

from tapviz.lists import RetrievalLists
from tapviz.measures import tap_curve, tap_k
from tapviz.measures.bootstrap import bootstrap
from tapviz.measures.groups import Groups
from tapviz.measures.significance import delong, randomization_test, wilcoxon
from tapviz.scores import SCORES, Case, Memo, ThresholdRule, compare

core.QUERIES, core.RECORDS = 9000, 300
ALGORITHMS, REPLICATES, K = 6, 1000, 20
BUDGET, BUDGET_RANDOMIZATION = 10, 2  # seconds
FEW = 3


def interior(seed: int) -> RetrievalLists:
    """Make lists whose curve has its peak between thresholds that all differ.

    Errors have E-values that mean something: their number is about the E-value.
    """
    rng = np.random.default_rng(seed)
    shape = (core.QUERIES, core.RECORDS)
    relevant = rng.random(shape) < rng.uniform(0.02, 0.3, (core.QUERIES, 1))
    error = np.log10(20 * rng.random(shape)) + 0.5 * rng.standard_normal((core.QUERIES, 1))
    logarithm = np.where(relevant, 1 - rng.gamma(1.2, 8, shape), error)
    order = np.argsort(logarithm, axis=1)
    score = 10 ** np.take_along_axis(logarithm, order, 1)
    return RetrievalLists(
        score.ravel(),
        np.take_along_axis(relevant, order, 1).ravel(),
        np.arange(core.QUERIES + 1) * core.RECORDS,
        relevant.sum(axis=1) + rng.geometric(0.05, core.QUERIES) - 1,
    )


def algorithms(make: Callable[[int], RetrievalLists]) -> dict[str, RetrievalLists]:
    """Make algorithms with the same T(q)."""
    made = [make(seed) for seed in range(ALGORITHMS)]
    total = np.max([lists.n_relevant for lists in made], axis=0)
    return {
        f"algorithm {number}": RetrievalLists(lists.score, lists.relevant, lists.offset, total)
        for number, lists in enumerate(made)
    }


def seconds(function: Callable[[], object]) -> float:
    start = process_time()
    function()
    return process_time() - start


def obvious(results: dict[str, RetrievalLists]) -> float:
    """Seconds for all replicates, each as a subset with weights."""
    rng = np.random.Generator(np.random.PCG64(0))
    taken = []
    for _ in range(FEW):
        count = np.bincount(rng.integers(0, core.QUERIES, core.QUERIES), minlength=core.QUERIES)

        def replicate(count=count) -> None:
            for lists in results.values():
                drawn = lists.subset(count > 0).with_weights(count[count > 0])
                tap_k(drawn, k=K)
                tap_curve(drawn)

        taken.append(seconds(replicate))
    return REPLICATES * float(np.median(taken))


def row(what: str, taken: float, budget: float | None = None) -> None:
    verdict = "" if budget is None else f"{budget:8} {'met' if taken <= budget else 'NOT MET'}"
    print(f"  {what:60}{taken:8.2f}{verdict}")


def measure(title: str, make: Callable[[int], RetrievalLists]) -> None:
    """Print the table for one kind of lists."""
    results = algorithms(make)
    print(f"\n{title}: {ALGORITHMS} x {core.QUERIES:,} queries x {core.RECORDS} records")
    print(f"  {'seconds':60}{'':8}{'budget':>8}")

    def points() -> None:
        for lists in results.values():
            tap_k(lists, k=K)
            tap_curve(lists)

    row("once, after loading: TAP-k and the curve of each", seconds(points))
    before = getrusage(RUSAGE_SELF).ru_maxrss
    ours = seconds(lambda: bootstrap(results, k=K, n_resamples=REPLICATES, peak=True))
    more = (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1e6
    row(f"bootstrap: E_k, TAP-{K}, peak, differences; {REPLICATES:,} replicates", ours, BUDGET)
    row(
        "the same with Dirichlet weights",
        seconds(lambda: bootstrap(results, k=K, bayesian=True, peak=True)),
    )
    row(
        "the same at E_k of all",
        seconds(lambda: bootstrap(results, k=K, fixed_threshold=True, peak=True)),
    )
    pairs = Groups.of(np.arange(core.QUERIES) // 2)
    row(
        "the same, two queries a group",
        seconds(lambda: bootstrap(results, k=K, groups=pairs, peak=True)),
    )
    rule = ThresholdRule(k=K)
    cases = {name: Case(lists, rule, 50, Memo()) for name, lists in results.items()}
    for case in cases.values():
        for score in SCORES:
            case.value(score)
    row(
        f"every score but the peak; {REPLICATES:,} replicates",
        seconds(lambda: compare(cases, n_resamples=REPLICATES, groups=pairs)),
        BUDGET,
    )
    slow = obvious(results)
    row(f"the obvious way, from {FEW} replicates", slow)
    print(f"  obvious / bootstrap: {slow / ours:.0f}    memory at most {more:.1f} GB above before")


def tests() -> None:
    """Print the table of the tests."""
    rng = np.random.default_rng(0)
    a, b = rng.random((2, core.QUERIES))
    relevant = rng.random(1_000_000) < 0.1
    scores = rng.standard_normal((2, relevant.size)) + relevant
    wilcoxon(a, b)  # imports scipy.stats
    print(f"\nTests: {core.QUERIES:,} queries; DeLong: {relevant.size:,} records")
    print(f"  {'seconds':60}{'':8}{'budget':>8}")
    row(
        "randomization test, 10,000 choices of signs",
        seconds(lambda: randomization_test(a, b)),
        BUDGET_RANDOMIZATION,
    )
    row("Wilcoxon", seconds(lambda: wilcoxon(a, b)))
    row("DeLong", seconds(lambda: delong(relevant, *scores)))


if __name__ == "__main__":
    tests()
    measure("E-values as printed", lambda seed: core.synthetic(seed, printed=True))
    measure("all E-values differ", lambda seed: core.synthetic(seed, printed=False))
    measure("all differ, peak in between", interior)
