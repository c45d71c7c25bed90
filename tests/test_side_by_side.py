"""Whoever reads page, table, plots, LaTeX and JSON of six data sets finds no two that differ."""

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, load_results
from tapviz.measures import PairDifference
from tapviz.scores import Policies, Score, per_query, score
from tests.side_by_side import differing
from tests.test_conclusion import made

BY = ("pooled_roc_n", "ndcg@10", "mean_average_precision", "mean_epq", "peak_tap")


def again(lists, **changed):
    """The same with some arrays changed."""
    kept = {name: getattr(lists, name) for name in ("score", "relevant", "offset", "n_relevant")}
    return RetrievalLists(**(kept | changed))


def tied():
    """E-values of few digits; one program's ties the other way round; and one twice."""
    found = {f"p{n}": made(quality, seed=n) for n, quality in enumerate((0.3, 0.32, 0.9, 1.6))}
    found = {n: again(one, score=10.0 ** np.round(np.log10(one.score))) for n, one in found.items()}
    one = found["p2"]
    turned = one.relevant.copy()
    for start, stop in zip(one.offset, one.offset[1:], strict=False):
        for value in np.unique(one.score[start:stop]):
            at = start + np.flatnonzero(one.score[start:stop] == value)
            turned[at] = np.sort(turned[at])[::-1]
    return found | {"p2 turned": again(one, relevant=turned), "p2 again": again(one)}


def ten():
    """As few queries as there may be, and scores that are not E-values."""
    found = {}
    for n, quality in enumerate((0.2, 0.9, 1.0, 2.0)):
        one = made(quality, seed=n, n_queries=10)
        found[f"p{n}"] = again(one, score=-np.log10(one.score), direction="descending")
    return found


def short():
    """Lists of which some have no TAP-20, but a TAP at E = 0.01; and few clear differences."""
    found = {f"p{n}": made(0.3 + 0.2 * n, seed=n, n_queries=30, length=60) for n in range(5)}
    cut = {"n_queries": 30, "length": 14}
    return found | {f"short {n}": made(1 + 0.1 * n, seed=50 + n, **cut) for n in range(4)}


MADE = {"tied": tied, "ten": ten, "short": short}


@pytest.mark.parametrize("name", ["scope40", "profiles", "cranfield"])
def test_nothing_differs_of_bundled_data(name):
    results = load_results(name)
    assert not differing(results, reported=name == "profiles")
    for by in BY[:3:2]:
        assert not differing(results, by=by), by


@pytest.mark.parametrize("name", MADE)
def test_nothing_differs_of_data_with_all_that_is_awkward(name):
    results = MADE[name]()
    for by in ("tap", *BY):
        assert not differing(results, by=by), by


@pytest.mark.nightly
@pytest.mark.parametrize("k", [1, 5, 20, 60])
@pytest.mark.parametrize("name", ["scope40", "profiles", "cranfield", *MADE])
def test_nothing_differs_at_other_k_and_by_other_scores(name, k):
    results = MADE[name]() if name in MADE else load_results(name)
    for by in ("tap", *BY):
        assert not differing(results, k, by), by


def test_numbers_that_hide_what_is_clear_are_found(monkeypatch):
    """In cranfield by pooled ROC_50 an interval begins at 0.0005."""
    monkeypatch.setattr(Score, "between", lambda _, low, high, **__: f"{low:.3f} to {high:.3f}")
    found = differing(load_results("cranfield"), by="pooled_roc_n")
    assert any("table, ['LSI - Dirichlet LM'" in one for one in found)
    assert any(one.startswith("tooltip") for one in found)


def test_another_rule_of_what_is_clear_is_found(monkeypatch):
    monkeypatch.setattr(PairDifference, "clear", property(lambda one: one.p < 0.5))
    assert {"dots", "JSON"} <= {one.partition(",")[0] for one in differing(MADE["ten"]())}


def test_another_family_of_pairs_is_found(monkeypatch):
    """As if only those with a TAP-20 were compared at other thresholds."""
    import tapviz.scores.conclusion as module  # noqa: PLC0415

    whole = module.at_threshold

    def fewer(cases, *others):
        return whole({name: one for name, one in cases.items() if "short" not in name}, *others)

    monkeypatch.setattr(module, "at_threshold", fewer)
    assert any(one.startswith("E = 0.01") for one in differing(MADE["short"]()))


def test_numbers_of_tables_show_what_three_decimals_hide():
    (tap,) = (one for one in score(MADE["ten"](), Policies(k=(5,), n_resamples=0)).columns[:1])
    assert tap.score.between(0.00042, 0.0161) == "0.0004 to 0.016"
    assert tap.score.between(-0.00002, 0.5) == "−0.00002 to 0.500"
    assert (tap.score.signed(-0.00036), tap.score.signed(-1e-17)) == ("−0.0004", "0.000")
    assert tap.score.text(0.0) == "0.000"


def test_without_intervals_by_other_groups_nothing_is_known_of_them():
    """Pooled scores are resampled by the groups that were asked for, and no others."""
    found = Explorer(load_results("profiles"), k=20).compared().holding("pooled_roc_n")
    by_name = {one.name: one for one in found.conditions}
    assert by_name["superfamily"].state == "holds"
    for name in ("family", "fold"):
        assert by_name[name].state == "—"
        assert by_name[name].reason == "no interval: it was not resampled"
    assert by_name["every order of ties"].state == "holds"
    assert found.text == (
        "What is clear holds by superfamily and for every order of ties; "
        "is not known by family and fold."
    )


def test_scores_at_several_thresholds_have_titles_of_their_own():
    results = MADE["ten"]()
    table = score(results, Policies(k=(5, 9), e0=(0.0, 1.0), n_resamples=0, scores=("mean_epq",)))
    titles = [one.title for one in table.columns if one.score.in_tables]
    assert titles == ["mean EPQ at E_5", "mean EPQ at E_9", "mean EPQ at 0", "mean EPQ at 1"]
    assert [one.place.title for one in table.verdicts] == titles
    each = per_query(results, Policies(k=(), e0=(0.0, 1.0)))
    assert each["mean EPQ at 0"] != each["mean EPQ at 1"]
