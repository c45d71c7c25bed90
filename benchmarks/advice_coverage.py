"""How often new queries have more errors than a threshold was found for, or promised.

Run it with ``python benchmarks/advice_coverage.py``. A population is drawn from, a group of queries
at a time, with replacement; the truth is what all of it has at the threshold advised: the queries
of ``scope40``, in superfamilies, or made ones, whose E-values are the errors to expect. It prints,
for each setting, the share of samples in which

- the threshold with as many errors *on average* makes more among all, and more than twice as many;
- nothing is promised, and the threshold with *at most* as many makes more: at most 0.1;
- the 95 % intervals of errors and of the threshold hold the truth;

and how many errors, of those accepted, what is promised uses in the mean. Behind a share stands its
Monte Carlo error. One superfamily of 431 makes two thirds of the errors of jackhmmer: samples
without it cannot know, and this is where the promise ends.
"""

from __future__ import annotations

# First: it makes NumPy use one core.
import core  # noqa: F401

# isort: split
import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz import RetrievalLists, load_results
from tapviz.measures import Groups, advise, class_groups, errors_per_query, loosest_threshold

SEED = 24
NOMINAL = {"exceeded": 0.5, "broken": 0.1, "errors": 0.95, "threshold": 0.95}


class Sample(NamedTuple):
    """Queries drawn from a population."""

    lists: RetrievalLists
    groups: Groups
    errors: Callable[[float], float]
    """Of the population, per query, at a threshold."""
    threshold: float
    """Of the population, with as many errors as are accepted."""


class Setting(NamedTuple):
    """A population, and how it is drawn from."""

    population: str
    n_groups: int
    accepted: float


SETTINGS = (
    *(Setting(name, n, 0.1) for name in ("BLASTP", "MMseqs2_iter3") for n in (110, 300)),
    Setting("MMseqs2_iter3", 110, 1.0),
    *(
        Setting(name, n, accepted)
        for name in ("even", "zipf", "log-normal")
        for n in (30, 100)
        for accepted in (0.1, 1.0)
    ),
    Setting("jackhmmer", 110, 0.1),
)


def drawn(lists: RetrievalLists, rows: NDArray[np.intp]) -> RetrievalLists:
    """Lists of the queries in some rows, which may come again, as queries of their own."""
    length = np.diff(lists.offset)[rows]
    offset = np.concatenate([[0], np.cumsum(length)])
    at = np.repeat(lists.offset[rows] - offset[:-1], length) + np.arange(offset[-1])
    return RetrievalLists(lists.score[at], lists.relevant[at], offset, lists.n_relevant[rows])


def of_program(setting: Setting, rng: np.random.Generator) -> Iterator[Sample]:
    """Superfamilies of scope40, drawn with replacement."""
    lists = load_results()[setting.population]
    code = class_groups(lists).code
    members = [np.flatnonzero(code == one) for one in range(code.max() + 1)]
    at = loosest_threshold(lists, errors=setting.accepted).threshold

    def errors(threshold: float) -> float:
        return float(errors_per_query(lists, threshold).mean())

    while True:
        some = [members[one] for one in rng.integers(0, len(members), setting.n_groups)]
        groups = Groups.of(np.repeat(np.arange(setting.n_groups), [one.size for one in some]))
        yield Sample(drawn(lists, np.concatenate(some)), groups, errors, at)


def of_made(setting: Setting, rng: np.random.Generator) -> Iterator[Sample]:
    """Lists of which E is the mean number of errors: these come at random, as E grows.

    All queries of a group have the same list, as those of a superfamily may have: two in each, or
    as many as Zipf's law says. Or there is one in each, and errors come at a log-normal rate.
    """
    furthest, n = 40 * setting.accepted, setting.n_groups
    while True:
        size, rate = np.full(n, 2), np.ones(n)
        if setting.population == "zipf":
            size = np.minimum(rng.zipf(2.0, n), 50)
        elif setting.population == "log-normal":
            size, rate = np.ones(n, np.int64), np.exp(2 * rng.normal(size=n) - 2)
        score: list[float] = []
        length = []
        for copies, mean in zip(size.tolist(), rate.tolist(), strict=True):
            errors = np.sort(rng.random(rng.poisson(mean * furthest))) * furthest
            score += [0.0, *errors.tolist()] * copies
            length += [1 + errors.size] * copies
        offset = np.concatenate([[0], np.cumsum(length)])
        relevant = np.zeros(len(score), np.bool_)
        relevant[offset[:-1]] = True
        lists = RetrievalLists(score, relevant, offset, [1] * len(length), reported_to=furthest)
        yield Sample(lists, Groups.of(np.repeat(np.arange(n), size)), float, setting.accepted)


def simulate(setting: Setting, draws: int, seed: int = SEED) -> dict[str, tuple[float, float]]:
    """Shares of so many samples, each with its standard error.

    "exceeded" and "twice": by the errors of the threshold with as many on average. "promised" and
    "broken": where there is a promise, and where it does not hold; "used": how many errors what is
    promised makes, of those accepted. "errors" and "threshold": where the intervals hold.
    """
    rng = np.random.default_rng(seed)
    made = of_program if setting.population in load_results() else of_made
    rows: dict[str, list[float]] = {}
    for _, sample in zip(range(draws), made(setting, rng), strict=False):
        found = advise(
            {"A": sample.lists},
            errors=setting.accepted,
            groups=sample.groups,
            n_repeats=5,
            n_resamples=1,
        ).algorithms["A"]
        fresh = 0.0 if found.reason else sample.errors(found.threshold.estimate)
        sure = 0.0 if found.promised.reason else sample.errors(found.promised.threshold)
        limit = setting.accepted * (1 + 1e-9)
        row = {
            "exceeded": fresh > limit,
            "twice": fresh > 2 * limit,
            "promised": not found.promised.reason,
            "broken": sure > limit,
            "used": sure / setting.accepted,
        }
        if not found.reason:
            row["errors"] = found.errors.low <= fresh <= found.errors.high
            row["threshold"] = found.threshold.low <= sample.threshold <= found.threshold.high
        for name, value in row.items():
            rows.setdefault(name, []).append(float(value))
    return {name: _share(values) for name, values in rows.items()}


def _share(values: list[float]) -> tuple[float, float]:
    """Mean and its standard error, which is not 0 where all values are the same."""
    spread = np.std([*values, 0.0, 1.0])
    return float(np.mean(values)), float(spread / np.sqrt(len(values)))


def report(draws: int) -> None:
    """Print the shares of so many samples of each setting."""
    names = ("exceeded", "twice", "promised", "broken", "used", "errors", "threshold")
    print(f"{'':14} groups accepted  " + "".join(f"{name:15}" for name in names))
    print(" " * 31 + "".join(f"{NOMINAL.get(name, ''):<15}" for name in names))
    for setting in SETTINGS:
        found = simulate(setting, draws)
        cells = "".join(
            f"{f'{share:.3f} ± {error:.3f}':15}" for share, error in (found[n] for n in names)
        )
        name, n_groups, accepted = setting
        print(f"{name:14} {n_groups:6} {accepted:8g}  {cells}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=300, help="samples of each setting")
    report(parser.parse_args().draws)


if __name__ == "__main__":
    main()
