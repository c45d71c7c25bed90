"""Bootstrap of groups of queries at many thresholds: for every k, or for many E_0."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tapviz.lists import RetrievalLists
from tapviz.measures._common import OnProgress, Progress, check_quantile, number_of_errors, refuse
from tapviz.measures.bootstrap import Bootstrap, BootstrappedByK, Followed, setting
from tapviz.measures.groups import GroupsOf
from tapviz.measures.replicates import Resampling
from tapviz.measures.tap import Tap, tap_k, taps

__all__ = ["BootstrapByE0", "BootstrapByK", "bootstrap_by_e0", "bootstrap_by_k"]

# How often groups are drawn in the replicates that are held at a time: 64 MB.
HELD = 1 << 23


class BootstrapByK(NamedTuple):
    """Intervals of every algorithm for each k from 1."""

    algorithms: dict[str, BootstrappedByK]
    """Their arrays begin with k = 1."""
    setting: Bootstrap
    """What made them, without algorithms; its k is the largest."""

    def at(self, k: int) -> Bootstrap:
        """What `bootstrap` returns at one k, with intervals of the errors among other scores.

        Raises
        ------
        ValueError
            If k is not a whole number from 1 to the largest.
        """
        most = self.setting.k or 0
        message = f"k = {k}: expected at most {most}, the max_k of the resamples"
        refuse(number_of_errors("k", k) > most, message)
        found = {name: one.at(int(k) - 1) for name, one in self.algorithms.items()}
        return self.setting._replace(algorithms=found, k=int(k))


def bootstrap_by_k(
    results: Mapping[str, RetrievalLists],
    *,
    max_k: int = 100,
    quantile: float = 0.5,
    fixed_threshold: bool = False,
    n_resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    bayesian: bool = False,
    groups: GroupsOf = "relevance",
    progress: OnProgress | None = None,
) -> BootstrapByK:
    """How TAP-k, E_k and errors per query vary with the choice of queries, for k = 1, 2, ...

    The same numbers as of `bootstrap` at each k, at the price of a few. Replicates visit few
    thresholds, the same ones at many k: between two of these only some queries gain or lose, and
    sums over what is drawn take that much work for all replicates at once.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        As in `bootstrap`.
    max_k : int
        Largest k, K, at least 1.
    quantile, fixed_threshold, n_resamples, seed, level, bayesian, groups
        As in `bootstrap`.
    progress : callable, optional
        Called with the work done and its total, after each k of each algorithm; False stops it.

    Returns
    -------
    BootstrapByK
        Each algorithm's arrays of the shape (K,), NaN where TAP-k is undefined, with the reason;
        `at` returns all algorithms at one k.

    Raises
    ------
    ValueError
        If there is no algorithm, or they differ in queries, T(q) or weights; if a number is out
        of its range; or if there are no such groups.
    Cancelled
        If `progress` returned False.

    References
    ----------
    As `bootstrap`; Carroll et al. (2010), Bioinformatics 26:1708, section 2.3.4, for E_k.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import bootstrap_by_k
    >>> found = bootstrap_by_k(load_results("profiles"), max_k=5, n_resamples=100, seed=1)
    >>> found.algorithms["RPS-BLAST"].tap.low.round(2).tolist()
    [0.43, 0.39, 0.37, 0.35, 0.34]
    >>> [round(number, 2) for number in found.at(5).algorithms["RPS-BLAST"].tap]
    [0.38, 0.34, 0.41]
    """
    of = Resampling.of(results, groups, n_resamples, seed, level, bayesian=bayesian)
    max_k, quantile = number_of_errors("max_k", max_k), check_quantile(quantile)

    def points(lists: RetrievalLists) -> Iterable[Tap]:
        return (tap_k(lists, k=k, quantile=quantile) for k in range(1, max_k + 1))

    work = Progress(progress, of.n_resamples * max_k * len(results))
    algorithms = _followed(results, of, points, None if fixed_threshold else quantile, work)
    rule = "fixed" if fixed_threshold else "re-estimated"
    return BootstrapByK(algorithms, setting(of, rule, max_k, quantile))


class BootstrapByE0(NamedTuple):
    """Intervals of every algorithm at each of P thresholds."""

    algorithms: dict[str, BootstrappedByK]
    setting: Bootstrap
    """What made them, without algorithms."""
    e0: tuple[float, ...]
    """The thresholds, from strict to loose."""

    def at(self, e0: float) -> Bootstrap:
        """What `bootstrap` returns at one of them, with intervals of the errors among other scores.

        Raises
        ------
        ValueError
            If it is not among them.
        """
        refuse(e0 not in self.e0, f"e0 = {e0}: expected one of those that were resampled")
        place = self.e0.index(e0)
        found = {name: one.at(place) for name, one in self.algorithms.items()}
        return self.setting._replace(algorithms=found)


def bootstrap_by_e0(
    results: Mapping[str, RetrievalLists],
    e0: Sequence[float],
    *,
    n_resamples: int = 1000,
    seed: int = 0,
    level: float = 0.95,
    bayesian: bool = False,
    groups: GroupsOf = "relevance",
    progress: OnProgress | None = None,
) -> BootstrapByE0:
    """How TAP and errors per query at many thresholds vary with the choice of queries.

    The same numbers as of `bootstrap` at each threshold, at the price of a few.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        As in `bootstrap`.
    e0 : sequence of float
        Thresholds, P of them, from strict to loose.
    n_resamples, seed, level, bayesian, groups
        As in `bootstrap`.
    progress : callable, optional
        Called with the work done and its total, after each threshold of each algorithm; False
        stops it.

    Returns
    -------
    BootstrapByE0
        Each algorithm's arrays of the shape (P,), NaN where TAP is undefined, with the reason; `at`
        returns all algorithms at one threshold.

    Raises
    ------
    ValueError
        As `bootstrap`, or if there is no threshold.
    Cancelled
        If `progress` returned False.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import bootstrap_by_e0
    >>> found = bootstrap_by_e0(load_results("profiles"), [0.001, 0.01, 1], n_resamples=100, seed=1)
    >>> found.algorithms["RPS-BLAST"].tap.low.round(2).tolist()
    [0.39, 0.41, 0.4]
    >>> [round(number, 2) for number in found.at(0.01).algorithms["RPS-BLAST"].tap]
    [0.46, 0.41, 0.52]
    """
    refuse(not len(e0), "e0: expected at least one threshold")
    strictest = float(e0[0])
    of = Resampling.of(results, groups, n_resamples, seed, level, bayesian=bayesian, e0=strictest)
    work = Progress(progress, of.n_resamples * len(e0) * len(results))
    algorithms = _followed(results, of, lambda lists: taps(lists, e0), None, work)
    return BootstrapByE0(algorithms, setting(of, "given", None, None), tuple(e0))


def _followed(
    results: Mapping[str, RetrievalLists],
    of: Resampling,
    points: Callable[[RetrievalLists], Iterable[Tap]],
    quantile: float | None,
    work: Progress,
) -> dict[str, BootstrappedByK]:
    """Each algorithm at its thresholds, one after the other: all at a time would need much."""
    once = list(of.draws(HELD)) if of.n_resamples * of.groups.count <= HELD else None
    algorithms = {}
    for name, lists in results.items():
        one = Followed(lists, points(lists), quantile, errors=True)
        for some in once or of.draws(HELD):
            one.add(some, work)
        algorithms[name] = one.found(of)
    return algorithms
