"""Weights of queries: by T(q), its square, or the size of the query's family."""

import numpy as np
import pytest

from tapviz import Explorer, RetrievalLists, load_results, read
from tapviz import measures as m
from tapviz.cli import main
from tapviz.plots import PLOTS, PlotData
from tapviz.readers.tap import write_tap
from tapviz.scores import Policies, score
from tapviz.state import Choices
from tests.printed import json_of, stdout_of
from tests.refused import refuses


def four(**more):
    """Two queries of one superfamily, one of another, and one without relevant records."""
    scores, relevant = [1, 2, 3, 1, 2, 1, 2, 3, 1], [1, 0, 1, 0, 1, 1, 1, 0, 0]
    classes = ["a.1.1.1", "a.1.1.2", "b.1.1.1", "c.1.1.1"]
    more |= {"query": list("abcd"), "query_class": classes, "class_level": 3}
    return RetrievalLists(scores, relevant, [0, 3, 5, 8, 9], [2, 1, 4, 0], **more)


BARE = RetrievalLists([1.0], [True], [0, 1], [1])


def test_weights_by_hand():
    lists = four()
    assert m.query_weights(lists, "none").tolist() == [1, 1, 1, 1]
    assert m.query_weights(lists, "relevant").tolist() == [2, 1, 4, 0]
    assert m.query_weights(lists, "relevant_squared").tolist() == [4, 1, 16, 0]
    assert m.query_weights(lists, "family").tolist() == [0.5, 0.5, 1, 1]
    linear = m.weigh(lists, "relevant")
    assert (linear.query.tolist(), linear.weight.tolist()) == (["a", "b", "c"], [2, 1, 4])
    assert m.weigh(lists, "none") is lists
    part = lists.subset(np.array([False, True, True, True]))
    assert m.weigh(part, "family").weight.tolist() == [0.5, 1, 1]  # a is of the family all the same
    assert m.weigh(part, "relevant").query.tolist() == ["b", "c"]


def test_weights_that_nobody_can_have_are_refused():
    refuses(r'quadratic.*: expected "none", "relevant"', m.query_weights, four(), "quadratic")
    refuses("classes of the queries are not known", m.weigh, BARE, "family")
    assert "family" not in m.weight_titles(BARE)
    assert m.weight_titles(four())["family"] == "1 / queries of its superfamily"
    assert m.weight_titles(four(weight=[1, 2, 1, 1]))["none"] == "the weight in its file"


def test_means_are_weighted_by_hand():
    # Average precisions are (1 + 2/3) / 2, 1/2 and (1 + 1) / 4; d has none.
    lists, own = four(), np.array([5 / 6, 1 / 2, 1 / 2])
    found = {how: m.average_precision(m.weigh(lists, how)).value for how in m.weight_titles(lists)}
    by_hand = {
        "none": own.mean(),
        "relevant": own @ [2, 1, 4] / 7,
        "relevant_squared": own @ [4, 1, 16] / 21,
        "family": own @ [0.5, 0.5, 1] / 2,
    }
    assert found == pytest.approx(by_hand, rel=1e-15)


def test_the_threshold_is_a_weighted_median():
    # First errors at 2 (a), 1 (b), 3 (c) and 1 (d): half of all have one at 1, but of the
    # weight T(q) 1/7 at 1, 3/7 at 2 and all at 3.
    lists = four()
    assert m.error_threshold(lists, k=1).e_k == 1
    assert m.error_threshold(m.weigh(lists, "relevant"), k=1).e_k == 3
    assert m.error_threshold(m.weigh(lists, "family"), k=1).e_k == 1  # 0.5 + 1 of 3
    at = m.tap_k(m.weigh(lists, "relevant"), k=1)
    assert at.value == pytest.approx(m.tap(lists, 3.0).per_query[:3] @ [2, 1, 4] / 7, rel=1e-15)


def test_normalised_coverage_by_hand():
    lists = four()
    curve = {
        how: m.coverage_vs_epq(lists, coverage=how).coverage
        for how in ("pooled", "mean_recall", "mean_family_recall")
    }
    # At 1: a finds 1 of 2, c 1 of 4. At 2: b finds 1 of 1, c 2 of 4. At 3: a 2 of 2.
    assert curve["pooled"] == pytest.approx([2 / 7, 4 / 7, 5 / 7])
    by_hand = [(1 / 2 + 1 / 4) / 3, (1 / 2 + 1 + 1 / 2) / 3, (1 + 1 + 1 / 2) / 3]
    assert curve["mean_recall"] == pytest.approx(by_hand)
    # The family of a and b has the mean of their recalls.
    by_hand = [(1 / 4 + 1 / 4) / 2, (3 / 4 + 1 / 2) / 2, (1 + 1 / 2) / 2]
    assert curve["mean_family_recall"] == pytest.approx(by_hand)
    errors = m.coverage_vs_epq(lists, coverage="mean_family_recall").epq
    assert errors.tolist() == m.coverage_vs_epq(lists).epq.tolist()


def test_normalised_coverage_of_a_benchmark_is_the_mean_over_families():
    lists = load_results()["BLASTP"]
    groups = m.Groups.of([".".join(one.split(".")[:3]) for one in lists.query_class])
    found = m.coverage_vs_epq(lists, coverage="mean_family_recall")
    e0 = float(found.threshold[found.threshold.size // 2])
    bounds = zip(lists.offset, lists.offset[1:], strict=False)
    found_by = np.array([(lists.relevant[a:b] & (lists.score[a:b] <= e0)).sum() for a, b in bounds])
    known = lists.n_relevant > 0
    recall = found_by[known] / lists.n_relevant[known]
    sizes = 1 / np.bincount(groups.code)[groups.code]
    expected = recall @ sizes[known] / sizes[known].sum()
    assert found.coverage[found.threshold.size // 2] == pytest.approx(expected, rel=1e-12)


def test_pooled_precision_by_hand():
    """Relevant records and errors of a count 1/2, of b 1, of c 1/4; errors of d, T(q) = 0, 1."""
    found = m.pooled_precision_recall(four())
    # At 1: a and c find one, b and d make an error. At 2: a errs, b and c find one.
    assert found.threshold.tolist() == [1, 2, 3]
    gained, lost = np.array([3 / 4, 2, 5 / 2]), np.array([2, 5 / 2, 11 / 4])
    assert found.recall == pytest.approx(gained / 3, rel=1e-15)
    assert found.precision == pytest.approx(gained / (gained + lost), rel=1e-15)
    assert (found.n_queries, found.n_no_relevant) == (3, 1)
    best = found.interpolated([0.1, 0.7, 0.9])
    assert best.precision == pytest.approx([10 / 21, 10 / 21, 0], rel=1e-15)
    assert found.recall[1] == pytest.approx(m.mean_recall(four(), 2.0), rel=1e-15)
    with pytest.raises(ValueError, match="expected one of each of 4 queries"):
        m.pooled_precision_recall(four(), error_size=[1, 2])


def test_pooled_precision_is_that_of_foldseeks_script(tmp_path):
    """Against its rule in plain Python: an error counts 1 / max(T by fold only, T by family)."""
    rng = np.random.default_rng(5)
    classes = {f"d{i}": f"a.{i % 3}.{i % 5 % 2}.{i % 4 % 2}" for i in range(40)}
    ids = list(classes)
    table, hits = tmp_path / "classes.tsv", tmp_path / "hits.tsv"
    table.write_text("".join(f"{one}\t{name}\n" for one, name in classes.items()))
    pairs = [(a, b) for a in ids for b in ids if a != b and rng.random() < 0.4]
    e_values = rng.random(len(pairs)).round(6).tolist()
    scored = sorted((e, *pair) for e, pair in zip(e_values, pairs, strict=True))
    by_query = sorted(scored, key=lambda one: one[1])
    hits.write_text("".join(f"{a}\t{b}\t{e}\n" for e, a, b in by_query))

    def members(one, level):
        return sum(other != one and agree(one, other) >= level for other in ids)

    def agree(one, other):
        names = (classes[each].split(".") for each in (one, other))
        same = [a == b for a, b in zip(*names, strict=True)]
        return (*same, False).index(False)

    family = {one: members(one, 4) for one in ids}
    above = {one: members(one, 3) - family[one] for one in ids}
    fold = {one: members(one, 2) - members(one, 3) for one in ids}
    judged = [one for one in ids if family[one] and above[one] and fold[one]]
    gained = lost = 0.0
    expected = []
    for _, a, b in scored:
        if a in judged and agree(a, b) < 2:
            lost += 1 / max(fold[a], family[a], 1)
        elif a in judged and agree(a, b) == 4:
            gained += 1 / family[a]
        if a in judged and agree(a, b) in (0, 1, 4):
            expected.append((gained / (gained + lost), gained / len(judged)))
    given = {"labels": table, "with_others": True, "label_queries": True}
    given["columns"] = "qseqid sseqid evalue"
    lists = {name: read(hits, standard=name, **given) for name in ("family", "fold")}
    size = np.maximum(lists["fold"].n_relevant, lists["family"].n_relevant)
    found = m.pooled_precision_recall(lists["family"], error_size=size)
    assert lists["family"].query.tolist() == sorted(judged)
    assert np.column_stack(found[2:0:-1]) == pytest.approx(np.array(expected), rel=1e-12)


def test_plots_show_what_counts_alike():
    explorer = Explorer(load_results("profiles"), k=5)
    data = PlotData(explorer)
    plain = {name: PLOTS[name].picture(data) for name in ("coverage", "precision_recall")}
    explorer.coverage_of, explorer.precision_of = "mean_family_recall", "pooled"
    for name, quantity in (
        ("coverage", "coverage, mean over families"),
        ("precision_recall", "precision of all records, each 1 / T(q)"),
    ):
        picture = PLOTS[name].picture(data)
        assert picture.y.label == quantity
        curve = "curve" if name == "coverage" else "rest"
        layer = f"{curve} {explorer.shown[0]}"
        was, now = (
            next(one for one in drawn.layers if one.name == layer).columns["y"]
            for drawn in (plain[name], picture)
        )
        assert was.tolist() != now.tolist()
    assert "the mean over families, found" in PLOTS["coverage"].text(data)
    assert "coverage_of=mean_family_recall&precision_of=pooled" in explorer.to_query()


def test_intervals_resample_weighted_queries():
    """The replicates of a weighted mean are weighted means of the queries drawn."""
    lists = m.weigh(load_results("profiles")["RPS-BLAST"], "family")
    own = m.average_precision(lists).per_query
    others = {"one": {"map": m.mean_replicates(own)}}
    found = m.bootstrap({"one": lists}, k=5, n_resamples=40, seed=3, others=others, groups=None)
    rng = np.random.Generator(np.random.PCG64(3))
    for replicate in found.algorithms["one"].replicates.others["map"]:
        size = lists.n_queries
        drawn = np.bincount(rng.integers(0, size, size), minlength=size) * lists.weight
        known = ~np.isnan(own)
        assert replicate == pytest.approx(own[known] @ drawn[known] / drawn[known].sum())


def test_score_weighs_means_and_not_the_pool():
    results = load_results("profiles")
    tables = {
        how: score(results, Policies(k=(5,), n_resamples=0, weights=how))
        for how in ("none", "family")
    }
    place = {column.score.name: at for at, column in enumerate(tables["none"].columns)}
    for name, lists in results.items():
        plain, weighted = (tables[how].rows[name] for how in ("none", "family"))
        at = m.tap_k(m.weigh(lists, "family"), k=5)
        assert weighted[place["tap"]].value == at.value != plain[place["tap"]].value
        assert weighted[place["threshold"]].value == at.e0
        pooled = place["pooled_roc_n"]
        assert weighted[pooled].value == plain[pooled].value == m.pooled_roc_n(lists, n=50)


def test_the_command_line_weighs_and_says_so(tmp_path, capsys):
    file = tmp_path / "four.spouge"
    write_tap(four(), file)
    asked = ["score", str(file), "-k", "1", "--weights", "relevant", "--resamples", "0"]
    assert "Each query counts as T(q); pooled ROC_n knows no weights." in stdout_of(capsys, asked)
    assert "Each query counts as T(q)." in stdout_of(capsys, [*asked, "--scores", "tap,map"])
    printed = stdout_of(capsys, [*asked, "--output", "latex"])
    (caption,) = (line for line in printed.splitlines() if line.startswith(r"\caption"))
    assert "Each query counts as T(q); pooled ROC$_{n}$ knows no weights." in caption
    plain = json_of(capsys, asked)
    assert plain["policies"]["weights"] == "relevant"
    (one,) = plain["algorithms"]
    assert one["mean_average_precision"] == pytest.approx((5 / 6 * 2 + 0.5 + 2) / 7)
    assert main([*asked[:-4], "--weights", "family"]) == 2
    assert "classes of the queries are not known" in capsys.readouterr().err


def test_a_choice_of_weights_changes_numbers_and_not_the_queries():
    choices = Choices(load_results("profiles"), k=5)
    before = choices.scores["tap"]
    choices.weights = "family"
    lists = {name: m.weigh(lists, "family") for name, lists in choices.results.items()}
    for name in choices.shown:
        assert choices.scores["tap"][name] == m.tap_k(lists[name], k=5).value != before[name]
    assert choices.selection.everything
    choices.query_class = "a"
    (name, *_) = choices.shown
    assert choices.lists[name].weight.max() < choices.lists[name].n_queries
    assert choices.all_lists[name].n_queries == lists[name].n_queries
    assert "weights=family" in choices.to_query()
    choices.undo()
    choices.undo()
    assert choices.scores["tap"].tolist() == before.tolist()


def test_weights_by_t_leave_out_queries_without_relevant_records():
    choices = Choices({"one": four()}, k=1)
    choices.focus = "d"
    choices.weights = "relevant"
    assert choices.selected_queries == ["a", "b", "c"]
    assert choices.lists["one"].weight.tolist() == [2, 1, 4]
    assert choices.tap_of_focus("one") == m.tap(four(), 3.0).per_query[3]
    choices.query_text = "b"
    assert choices.lists["one"].weight.tolist() == [1]
    assert choices.all_lists["one"].query.tolist() == ["a", "b", "c"]


def test_an_address_with_weights_that_cannot_be_used_says_so():
    bare = Choices({"one": BARE})
    said = "weights = 'family' in the address cannot be used here"
    assert bare.from_query("?weights=family") == [said]
    assert (bare.from_query("?weights=relevant"), bare.weights) == ([], "relevant")
