"""How often intervals hold the true value, and how often equal programs are told apart.

Run it with ``python benchmarks/coverage.py``; ``--only`` takes some of its parts:

families
    The share of benchmarks in which any of several equal programs is called better than another.
    Lists are made, as are groups of equal sizes and of sizes by Zipf's law.
cranfield
    The same with the runs of ``cranfield``, which change places at random in each query.
intervals
    The share of 95 % intervals that hold the truth, in five settings. The groups of a population
    are drawn with replacement; its scores are the truth.
advice
    What new queries meet at the thresholds that are advised.

The n of pooled ROC_n is a number of errors of all queries together: the truth for a sample is that
of the population at as many errors a query.
"""

from __future__ import annotations

# First: it makes NumPy use one core.
import core  # noqa: F401

# isort: split
import argparse
from collections.abc import Iterator
from itertools import product

import numpy as np
from advice_coverage import drawn
from advice_coverage import report as advice
from numpy.typing import NDArray

from tapviz import load_results
from tapviz.lists import RetrievalLists
from tapviz.measures import (
    Contrasts,
    Groups,
    average_precision,
    class_groups,
    contrasts,
    linear_tap,
    pooled_roc_n,
    tap_k,
)
from tapviz.scores import Case, Compared, Memo, ThresholdRule, compare, differences, named

PAIR = ("phmmer", "MMseqs2_iter3")
K, N = 20, 50
FEW_K = 5
"""Where lists are short."""
PROGRAMS, GROUPS, SIZES = (2, 3, 9, 20), (10, 15, 20, 50, 100), ("equal", "Zipf")
PARTS = ("families", "cranfield", "intervals", "advice")
WANTED = (0.03, 0.065)
"""Share of benchmarks with any false "better"."""
SHOWN = (
    "tap",
    "threshold",
    "roc_n",
    "pooled_roc_n",
    "peak_tap",
    "mean_average_precision",
    "sepq@0.1",
    "ndcg@10",
)
SETTINGS = (
    ("scope40", 20),
    ("scope40", 50),
    ("unrounded", 50),
    ("made", 15),
    ("made, Zipf sizes", 50),
)
"""Populations, and how many of their groups a sample has."""


def equal_programs(
    rng: np.random.Generator, n_programs: int, size: NDArray[np.integer]
) -> tuple[dict[str, RetrievalLists], Groups]:
    """Lists of programs of which none is better than another, for queries in groups.

    Some groups are harder than others, for all programs; and some suit one program, others
    another, so that queries of a group differ alike.
    """
    group = np.repeat(np.arange(size.size), size)
    hard = rng.normal(0, 1.2, size.size)[group] + rng.normal(0, 0.5, group.size)
    n_relevant = 1 + rng.poisson(np.exp(rng.normal(2, 0.8, size.size)))[group]
    rate = 30 * np.exp(0.7 * rng.normal(0, 1, size.size))[group]
    results = {}
    for program in range(n_programs):
        suits = rng.normal(0, 1, size.size)[group]
        results[f"program {program}"] = _lists(rng, hard, suits, n_relevant, rate, worst=30)
    return results, Groups.of(group)


def _lists(
    rng: np.random.Generator,
    hard: NDArray[np.float64],
    suits: NDArray[np.float64],
    n_relevant: NDArray[np.int64],
    rate: NDArray[np.float64],
    worst: float,
) -> RetrievalLists:
    """Relevant records with log-normal E-values, and errors that come at random."""
    n_queries = hard.size
    errors = rng.poisson(rate)
    of_hits = np.repeat(np.arange(n_queries), n_relevant)
    own = suits + rng.normal(0, 0.3, n_queries)
    hits = 10.0 ** rng.normal(-6 + 5 * hard[of_hits] + own[of_hits], 5)
    calibrated = np.exp(rng.normal(0, 0.3, n_queries))
    chance = worst * rng.random(errors.sum()) * np.repeat(calibrated, errors)
    query = np.concatenate([of_hits, np.repeat(np.arange(n_queries), errors)])
    score = np.concatenate([hits, chance])
    some = np.flatnonzero(score < worst)
    some = some[np.lexsort((score[some], query[some]))]
    ends = np.cumsum(np.bincount(query[some], minlength=n_queries))
    return RetrievalLists(score[some], some < hits.size, [0, *ends], n_relevant)


def any_better(results: dict[str, RetrievalLists], groups: Groups, k: int) -> bool:
    """Whether any of the programs is called better than another by TAP-k."""
    sums = []
    for lists in results.values():
        found = tap_k(lists, k=k)
        if found.reason:
            return False
        linear = linear_tap(lists, found, groups) * lists.weight / lists.weight.sum()
        sums.append(np.bincount(groups.code, linear, groups.count))
    weight = next(iter(results.values())).weight
    share = np.bincount(groups.code, weight, groups.count) / weight.sum()
    return _any_clear(contrasts(np.array(sums)[:, None], share))


def _any_clear(found: Contrasts) -> bool:
    return bool(((found.low > 0) | (found.high < 0)).any())


def families(draws: int, seed: int) -> None:
    """Print the share of benchmarks of equal programs in which any is called better."""
    print(
        "Share of benchmarks of equal programs in which any is called better; wanted: "
        f"{WANTED[0]:g} to {WANTED[1]:g}. {draws:,} benchmarks each, standard error "
        f"{_error(0.05, draws):.3f}.\n"
    )
    print("| programs | sizes of groups | " + " | ".join(f"{n} groups" for n in GROUPS) + " |")
    print("|---" * (2 + len(GROUPS)) + "|")
    for n_programs, sizes in product(PROGRAMS, SIZES):
        cells = [_share(n_programs, sizes, n, draws, seed) for n in GROUPS]
        print(f"| {n_programs} | {sizes} | {' | '.join(cells)} |", flush=True)


def _share(n_programs: int, sizes: str, n_groups: int, draws: int, seed: int) -> str:
    rng = np.random.default_rng([seed, n_programs, n_groups, sizes == "Zipf"])
    better = 0
    for _ in range(draws):
        size = rng.integers(2, 4, n_groups)
        if sizes == "Zipf":
            size = np.minimum(rng.zipf(1.8, n_groups), 40)
        results, groups = equal_programs(rng, n_programs, size)
        better += any_better(results, groups, FEW_K)
    return _cell(better / draws, WANTED, draws, 0.05)


def cranfield(draws: int, seed: int) -> None:
    """Print the same for average precision of runs that change places at random in each query.

    Not of TAP-k: the scores of these runs have nothing in common, so that no threshold would fit
    lists of several.
    """
    results = load_results("cranfield")
    known = np.array([average_precision(lists).per_query for lists in results.values()])
    known = known[:, ~np.isnan(known).any(axis=0)]
    sizes = (10, 20, 50, 100, known.shape[1])
    print(
        f"\nThe same by MAP of the {len(known)} runs of cranfield, which change places at random.\n"
    )
    print("| " + " | ".join(f"{n} queries" for n in sizes) + " |")
    print("|---" * len(sizes) + "|")
    cells = []
    for n_queries in sizes:
        rng, better = np.random.default_rng([seed, n_queries]), 0
        share = np.full(n_queries, 1 / n_queries)
        for _ in range(draws):
            rows = rng.choice(known.shape[1], n_queries, replace=False)
            mixed = rng.permuted(known[:, rows], axis=0) * share
            better += _any_clear(contrasts(mixed[:, None], share))
        cells.append(_cell(better / draws, WANTED, draws, 0.05))
    print(f"| {' | '.join(cells)} |", flush=True)


def unrounded(lists: RetrievalLists, rng: np.random.Generator) -> RetrievalLists:
    """The lists before their scores were rounded to two digits, as they may have been."""
    size = np.maximum(lists.score, np.finfo(float).tiny)
    digit = 10 ** (np.floor(np.log10(size)) - 1)
    score = size + digit * (rng.random(size.size) - 0.5)
    query = np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))
    order = np.lexsort((score, query))
    return RetrievalLists(score[order], lists.relevant[order], lists.offset, lists.n_relevant)


def made(rng: np.random.Generator, size: NDArray[np.integer]) -> tuple[dict, Groups]:
    """Two programs on groups of queries, of which the second is better."""
    group = np.repeat(np.arange(size.size), size)
    hard = rng.normal(0, 1.2, size.size)[group] + rng.normal(0, 0.5, group.size)
    n_relevant = 1 + rng.poisson(np.exp(rng.normal(2, 0.8, size.size)))[group]
    rate = 100 * np.exp(0.7 * rng.normal(0, 1, size.size))[group]
    results = {
        name: _lists(rng, hard, np.full(group.size, -better), n_relevant, rate, worst=100)
        for name, better in zip(PAIR, (0.0, 0.75), strict=True)
    }
    return results, Groups.of(group)


def population(name: str) -> tuple[dict[str, RetrievalLists], Groups]:
    """Results of the two programs, and the groups that samples are made of."""
    rng = np.random.default_rng(1)
    if name == "made":
        return made(rng, 1 + rng.poisson(1, 6000))
    if name == "made, Zipf sizes":
        return made(rng, np.minimum(rng.zipf(1.8, 4000), 40))
    results = {program: load_results()[program] for program in PAIR}
    groups = class_groups(results[PAIR[0]])
    if name == "unrounded":
        results = {program: unrounded(lists, rng) for program, lists in results.items()}
    return results, groups


def cases(results: dict[str, RetrievalLists]) -> dict[str, Case]:
    rule = ThresholdRule(k=K)
    return {name: Case(lists, rule, N, Memo()) for name, lists in results.items()}


def intervals(found: Compared) -> Iterator[tuple[tuple[str, str], tuple[float, float]]]:
    """Ends of the intervals of each program and of the difference, by score."""
    for name in SHOWN:
        score = named(name)
        for program, one in found.bootstrap.algorithms.items():
            interval = one.others[name] if score.interval is None else score.interval(one)
            yield (name, program), interval[1:]
        (pair,) = differences(found, name)
        yield (name, "difference"), score.less(pair)[1:]


def coverage(name: str, n_groups: int, draws: int, n_resamples: int) -> None:
    """Print how often intervals hold the truth in one setting."""
    results, groups = population(name)
    members = np.split(np.argsort(groups.code, kind="stable"), np.cumsum(np.bincount(groups.code)))
    truth = {
        (score, program): case.value(named(score))
        for program, case in cases(results).items()
        for score in SHOWN
    }
    for program, lists in results.items():
        truth["pooled_roc_n", program] = pooled_roc_n(lists, n=round(N * groups.count / n_groups))
    for score in SHOWN:
        truth[score, "difference"] = truth[score, PAIR[0]] - truth[score, PAIR[1]]
    held, known = dict.fromkeys(truth, 0), dict.fromkeys(truth, 0)
    rng = np.random.default_rng(0)
    for draw in range(draws):
        picked = [members[group] for group in rng.integers(0, groups.count, n_groups)]
        rows, own = np.concatenate(picked), np.repeat(np.arange(len(picked)), [*map(len, picked)])
        found = compare(
            cases({program: drawn(lists, rows) for program, lists in results.items()}),
            n_resamples=n_resamples,
            seed=draw,
            groups=own,
            compared=SHOWN,
            peak=True,
        )
        for key, (low, high) in intervals(found):
            held[key] += low <= truth[key] <= high
            known[key] += bool(np.isfinite(low))
    print(
        f"\n{n_groups} groups of {name}: {draws:,} samples, {n_resamples:,} resamples each; "
        f"standard error {_error(0.95, draws):.3f}. {', '.join(PAIR)} and their difference.\n"
    )
    print("| 95 % interval of | first | second | difference |")
    print("|---" * 4 + "|")
    for score in SHOWN:
        cells = [
            _cell(held[score, of] / max(known[score, of], 1), (0.93, 0.97), draws, 0.95)
            + ("" if known[score, of] == draws else f" of {known[score, of]}")
            for of in (*PAIR, "difference")
        ]
        print(f"| {named(score).titled(ThresholdRule(k=K), N)} | {' | '.join(cells)} |", flush=True)


def _error(share: float, draws: int) -> float:
    return (share * (1 - share) / draws) ** 0.5


def _cell(share: float, wanted: tuple[float, float], draws: int, nominal: float) -> str:
    """A share, marked where it is outside by more than chance explains."""
    slack = 2 * _error(nominal, draws)
    inside = wanted[0] - slack <= share <= wanted[1] + slack
    return f"{share:.3f}{'' if inside else ' (outside)'}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=PARTS)
    given = parser.parse_args()
    for name in given.only or PARTS:
        if name == "advice":
            advice(given.draws)
        elif name == "intervals":
            for of, n_groups in SETTINGS:
                coverage(of, n_groups, given.draws, given.resamples)
        else:
            (families if name == "families" else cranfield)(given.draws, given.seed)


if __name__ == "__main__":
    main()
