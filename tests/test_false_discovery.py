"""q-values by decoys, and false discoveries by labels and by entrapment."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tapviz import ClassTable, Explorer, JoinRules, RetrievalLists, load_results, read
from tapviz.measures import false_discovery, paired_entrapment
from tapviz.plots import PLOTS, PlotData, plots_for
from tapviz.plots.q_value import judged
from tests.decoyed import RULES, decoyed
from tests.refused import refuses
from tests.strategies import examples
from tests.twins import golden

GOLDEN = golden("peers/qvalues.json")
NAMES = ("BLASTP", "SSEARCH")


def lists_of(*kinds, scores=None, offset=None):
    """Lists with a record for each letter, best first: target, false target or decoy."""
    kinds = "".join(kinds)
    return RetrievalLists(
        np.arange(1.0, len(kinds) + 1) if scores is None else scores,
        [one == "t" for one in kinds],
        [0, len(kinds)] if offset is None else offset,
        [len(kinds)] * (1 if offset is None else len(offset) - 1),
    ), np.array([one == "d" for one in kinds], np.bool_)


def test_by_hand():
    found = false_discovery(*lists_of("ttftdtfd"))
    assert found.targets.tolist() == [1, 2, 3, 4, 4, 5, 6, 6]
    assert found.decoys.tolist() == [0, 0, 0, 0, 1, 1, 1, 2]
    assert found.irrelevant.tolist() == [0, 0, 1, 1, 1, 1, 2, 2]
    # (decoys + 1) / targets is 1, 1/2, 1/3, 1/4, 2/4, 2/5, 2/6, 3/6: the least from there on.
    assert found.q_value == pytest.approx([1 / 4] * 4 + [1 / 3] * 3 + [1 / 2])
    assert found.observed == pytest.approx([0, 0, 1 / 3, 1 / 4, 1 / 4, 1 / 5, 1 / 3, 1 / 3])
    # Twice as many, where there is an entrapment record for each original one.
    assert found.combined() == pytest.approx(2 * found.observed)
    assert found.combined(0.5) == pytest.approx(np.minimum(3 * found.observed, 1))
    assert found.accepted([0.2, 0.25, 0.4, 1]).tolist() == [-1, 3, 6, 7]
    without = false_discovery(*lists_of("ttftdtfd"), plus_one=False)
    assert without.q_value == pytest.approx([0, 0, 0, 0, 1 / 6, 1 / 6, 1 / 6, 1 / 3])


def test_equal_scores_of_all_queries_are_accepted_together():
    lists, decoy = lists_of("tdtf", scores=[1.0, 2.0, 2.0, 2.0], offset=[0, 2, 4])
    found = false_discovery(lists, decoy, plus_one=False)
    assert (found.threshold.tolist(), found.targets.tolist()) == ([1, 2], [1, 3])
    assert found.q_value == pytest.approx([0, 1 / 3])
    first = false_discovery(lists.subset([True, False]), decoy, plus_one=False)
    assert (first.targets.tolist(), first.decoys.tolist()) == ([1, 1], [0, 1])


def test_what_cannot_be():
    lists, decoy = lists_of("td")
    for call, message in (
        (lambda: false_discovery(lists, ~decoy), "a decoy is relevant"),
        (lambda: false_discovery(lists, [True]), "expected true or false for each of 2 records"),
        (lambda: false_discovery(lists, decoy).combined(0), "ratio = 0: expected a number above 0"),
        (lambda: paired_entrapment(lists, decoy, {}), "no ids of records"),
    ):
        refuses(message, call)
    nothing = false_discovery(lists, [False, False])
    assert nothing.reason == "there is no decoy in the lists"
    assert nothing.threshold.size == nothing.q_value.size == 0


@pytest.mark.parametrize(
    ("score", "peer", "plus_one"),
    [
        ("score", "pyteomics", False),
        ("score", "pyteomics correction", True),
        ("score", "mokapot", True),
        ("tied score", "mokapot tied", True),
    ],
)
def test_q_values_of_other_programs(score, peer, plus_one):
    order = np.argsort(-np.array(GOLDEN[score]), kind="stable")
    scores, decoy, expected = (np.array(GOLDEN[name])[order] for name in (score, "decoy", peer))
    total = [int((~decoy).sum())]
    lists = RetrievalLists(scores, ~decoy, [0, decoy.size], total, direction="descending")
    found = false_discovery(lists, decoy, plus_one=plus_one)
    q = dict(zip(found.threshold.tolist(), found.q_value.tolist(), strict=True))
    assert [q[one] for one in scores.tolist()] == pytest.approx(np.minimum(expected, 1), rel=1e-12)


record = st.tuples(st.integers(0, 2), st.integers(0, 4), st.sampled_from("tfd"))


@examples(100)
@given(records=st.lists(record, min_size=1, max_size=20), plus_one=st.booleans())
def test_agrees_with_a_slow_twin(records, plus_one):
    query, score, kinds = zip(*sorted(records), strict=True)
    offset = np.cumsum([0, *(query.count(q) for q in range(3))])
    lists, decoy = lists_of(*kinds, scores=np.array(score, float), offset=offset)
    found = false_discovery(lists, decoy, plus_one=plus_one)
    if not decoy.any():
        assert found.reason
        return
    scores = sorted({score for _, score, _ in records})
    assert found.threshold.tolist() == scores

    def number(kinds, upto):
        return sum(kind in kinds and score <= upto for _, score, kind in records)

    least = 1
    for at, threshold in reversed([*enumerate(scores)]):
        targets = number("tf", threshold)
        least = min(least, (number("d", threshold) + plus_one) / max(targets, 1))
        assert found.q_value[at] == pytest.approx(least)
        observed = number("f", threshold) / targets if targets else np.nan
        assert found.observed[at] == pytest.approx(observed, nan_ok=True)


@examples(100)
@given(
    order=st.permutations(["a", "b", "c", "x a", "x b", "x c", "d"]),
    ties=st.lists(st.booleans(), min_size=7, max_size=7),
    absent=st.sets(st.sampled_from(["a", "b", "c"])),
)
def test_paired_entrapment_agrees_with_its_definition(order, ties, absent):
    scores = {name: float(at) for name, at in zip(order, np.cumsum(ties), strict=True)}
    listed = [name for name in order if name not in absent]
    relevant = [name in "abc" for name in listed]
    score = [scores[name] for name in listed]
    lists = RetrievalLists(score, relevant, [0, len(listed)], [3], record=listed)
    partner = {f"x {name}": name for name in "abc"}
    paired = paired_entrapment(lists, [name == "d" for name in listed], partner)
    scores.update(dict.fromkeys(absent, np.inf))
    pairs = [(scores[x], scores[name]) for x, name in partner.items()]
    for at, s in enumerate(sorted(set(score))):
        entrapped = sum(e <= s for e, _ in pairs)
        alone = sum(e <= s < t for e, t in pairs)
        better = sum(e < t <= s for e, t in pairs)
        targets = entrapped + sum(t <= s for _, t in pairs)
        expected = min((entrapped + alone + 2 * better) / targets, 1) if targets else np.nan
        assert paired[at] == pytest.approx(expected, nan_ok=True)


# On the page, in print and on the command line


@pytest.fixture(scope="module")
def results():
    bundled = load_results()
    return decoyed({name: bundled[name] for name in NAMES})


def test_decoys_drawn_by_lot_promise_what_is_found(results):
    data = PlotData(Explorer(results))
    assert "q_value" in [plot.name for plot in plots_for(data.explorer)]
    layers = PLOTS["q_value"].picture(data).columns
    for name in NAMES:
        curve = layers[f"curve {name}"]
        late = curve["x"] >= 0.02
        assert np.flatnonzero(late).size > 70
        assert np.abs(curve["y"] / curve["x"] - 1)[late].max() < 0.35
    assert layers["ideal"]["x"].tolist() == [0, 0.1]
    words = PLOTS["q_value"].text(data)
    assert words.startswith("At a q-value of 0.01, BLASTP accepts 3,")
    assert " targets, 1.1 % irrelevant; SSEARCH accepts 4," in words
    readout = layers["readout"]["text"].tolist()
    assert any(one.startswith("q-value up to 0.05<br><b>BLASTP</b>") for one in readout)


def test_a_subset_stands_before_all_queries(results):
    explorer, plot = Explorer(results, query_text="^d1"), PLOTS["q_value"]
    assert plot.picture(PlotData(explorer)).columns["ghost"]["x"].size
    explorer.query_text = "nothing has this"
    data = PlotData(explorer)
    assert "there is no decoy in the lists" in plot.text(data)
    assert plot.picture(data).columns["notice"]["text"].size == 1
    explorer.algorithms = []
    assert plot.text(data) == "No program is shown."


def test_where_only_decoys_are_irrelevant_there_is_nothing_to_compare_with():
    lists = {"A": load_results()["BLASTP"]}
    data = PlotData(Explorer(decoyed(lists, replace(RULES, beside_decoys="ignore"))))
    assert not PLOTS["q_value"].missing(data.explorer)
    assert PLOTS["q_value"].text(data) == (
        "There is no q-value to compare with labels: only decoys are irrelevant here; keep other "
        "irrelevant records beside them."
    )
    assert PLOTS["q_value"].missing(Explorer(lists))


def test_decoys_of_a_file(tmp_path):
    (tmp_path / "classes.tsv").write_text("q\ta.1.1.1\nr\ta.1.1.2\nx\tb.1.1.1\n")
    rows = ["q\tr\t1e-9", "q\tx\t0.1", "q\trev_r\t1", "q\trev_x\t2"]
    (tmp_path / "hits.tsv").write_text("query\trecord\tevalue\n" + "\n".join(rows) + "\n")
    rules = JoinRules(decoys="^rev_", beside_decoys="keep")
    labels = ClassTable.read(tmp_path / "classes.tsv", rules=rules)
    data = PlotData(Explorer({"hits": read(tmp_path / "hits.tsv", labels=labels)}))
    assert "hits accepts nothing" in PLOTS["q_value"].text(data)
    assert data.explorer.measure(judged, "hits").targets.tolist() == [1, 2, 2, 2]
