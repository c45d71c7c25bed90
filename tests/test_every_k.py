"""Intervals, differences and verdict at every k: looked up, and equal to those found anew."""

from time import process_time

import numpy as np
import pytest

from tapviz import Explorer, load_results, measures
from tapviz.scores import Case, EveryK, Memo, ThresholdRule, compare
from tapviz.scores.words import describe
from tapviz.state.numbers import SHARED

NAMES = ("BLASTP", "SSEARCH", "MMseqs2_iter3", "DIAMOND_default")
RESAMPLES = 200


def cases(k: int) -> dict[str, Case]:
    results = load_results()
    return {name: Case(results[name], ThresholdRule(k=k), 50, Memo()) for name in NAMES}


@pytest.fixture(scope="module")
def every() -> EveryK:
    return EveryK.of(cases(20), compare(cases(20), n_resamples=RESAMPLES))


@pytest.mark.parametrize("k", [1, 2, 7, 60, 73, 74, 100])
def test_what_is_looked_up_is_what_would_be_found(every: EveryK, k: int) -> None:
    found, wanted = every.at(cases(k)), compare(cases(k), n_resamples=RESAMPLES)
    for name in NAMES:
        one, same = (of.bootstrap.algorithms[name] for of in (found, wanted))
        assert one.tap == pytest.approx(same.tap, abs=1e-12, nan_ok=True)
        assert one.e0 == pytest.approx(same.e0, nan_ok=True)
        assert one.others.keys() == same.others.keys()
        for score, interval in one.others.items() if not same.reason else ():
            assert interval == pytest.approx(same.others[score], rel=1e-9, nan_ok=True), score
    for name, verdict in found.verdicts.items():
        np.testing.assert_equal(describe(verdict), describe(wanted.verdicts[name]))
    known = {(one.score, *one[:2]): one for one in found.differences}
    for one in wanted.differences:
        if one.score in found.verdicts:
            np.testing.assert_equal(known[one.score, *one[:2]]._asdict(), one._asdict())


def test_a_step_of_k_resamples_nothing_anew(every: EveryK, monkeypatch) -> None:
    """So that it can follow the hand."""
    for name in ("bootstrap", "bootstrap_by_k", "contrasts", "pairwise"):
        monkeypatch.delattr(measures, name)
    assert every.at(cases(31)).verdicts["tap"].place.k == 31
    with pytest.raises(AttributeError):
        compare(cases(31), n_resamples=RESAMPLES)


def test_a_step_of_k_costs_little_beside_finding_it_anew(every: EveryK) -> None:
    looked_up, anew = cases(31), cases(32)
    for at in (looked_up, anew):
        for case in at.values():
            _ = case.tap
    start = process_time()
    every.at(looked_up)
    between = process_time()
    compare(anew, n_resamples=1000)
    assert between - start < (process_time() - between) / 5


def test_choices_know_every_k_once_somebody_has_worked_it_out() -> None:
    explorer = Explorer(load_results("profiles"), k=5)
    found = explorer.compared()
    work = explorer.every_k(found)
    explorer.k = 12
    assert explorer.known is None
    work(None)
    try:
        assert explorer.known is not None
        assert explorer.known is explorer.known
        wanted = explorer.compared(seed=0).verdict("tap")
        assert describe(explorer.known.verdict("tap")) == describe(wanted)
        explorer.k = 9
        assert explorer.known is not None
        assert explorer.every_k(explorer.known) is None  # nothing is left to do
        explorer.compared_score = "mean_epq"
        assert explorer.known is None  # its differences are not among what is known
        explorer.compared_score = "tap"
        explorer.query_class = "a"
        assert explorer.known is None
        explorer.query_class = ""
        explorer.mode = "e0"
        assert explorer.known is None
    finally:
        SHARED.__init__(keep=16)


def test_what_n_does_not_change_stays_while_the_rest_is_found_anew() -> None:
    explorer = Explorer(load_results("profiles"), k=5)
    found = explorer.compared()
    assert explorer.or_at_any_n(found) is found
    explorer.n = 7
    kept, anew = explorer.or_at_any_n(None), explorer.compared()
    for name, one in kept.bootstrap.algorithms.items():
        wanted = anew.bootstrap.algorithms[name]
        assert (one.tap, one.e0) == (wanted.tap, wanted.e0)
        assert wanted.others.keys() - one.others.keys() == {"roc_n", "pooled_roc_n"}
        for score, interval in one.others.items():
            np.testing.assert_equal(interval, wanted.others[score])
    by_n = {"roc_n", "pooled_roc_n"}
    wanted = [one for one in anew.differences if one.score not in by_n]
    np.testing.assert_equal([*map(tuple, kept.differences)], [*map(tuple, wanted)])
    assert describe(kept.verdict("tap")) == describe(anew.verdict("tap"))
    for change in ({"compared_score": "roc_n"}, {"k": 6}, {"query_class": "a"}):
        explorer.or_at_any_n(anew)
        before = {name: getattr(explorer, name) for name in change}
        explorer.param.update(**change)
        assert explorer.or_at_any_n(None) is None, change
        explorer.param.update(**before)


def test_another_n_leaves_the_intervals_of_every_k_and_resamples_none_of_them() -> None:
    explorer = Explorer(load_results("profiles"), k=5, n=50)
    try:
        explorer.every_k(explorer.compared())(None)
        explorer.param.update(n=7, k=9)
        assert explorer.known is None  # nobody has found those of n yet
        assert explorer.known_at_every_k
        kept, anew = explorer.or_at_any_n(None), explorer.compared()
        for name, one in kept.bootstrap.algorithms.items():
            wanted = anew.bootstrap.algorithms[name]
            assert one.tap == pytest.approx(wanted.tap, abs=1e-12)
            assert not {"roc_n", "pooled_roc_n"} & one.others.keys()
        assert describe(kept.verdict("tap")) == describe(anew.verdict("tap"))
        explorer.compared_score = "roc_n"  # of which all depends on n
        assert explorer.or_at_any_n(None) is None
        assert not explorer.known_at_every_k
        explorer.compared_score = "tap"
        resampled = []
        explorer.every_k(anew)(lambda *done: resampled.append(done))
        assert not resampled
        explorer.k = 12
        by_n, wanted = explorer.known.bootstrap.algorithms, explorer.compared()
        for name, one in by_n.items():
            same = wanted.bootstrap.algorithms[name]
            assert one.others["roc_n"] == pytest.approx(same.others["roc_n"], rel=1e-9)
            assert one.tap == pytest.approx(same.tap, abs=1e-12)
    finally:
        SHARED.__init__(keep=16)
