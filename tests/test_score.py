"""`tapviz score`: its numbers in each form, no formulas in them; what TAP-k prints, to the byte."""

import csv
import io
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tapviz
from tapviz import load_results
from tapviz import measures as m
from tapviz.cli import main
from tapviz.cli.arguments import open_once
from tapviz.draw.style import styles
from tapviz.draw.table import to_csv
from tapviz.explorer.report import pieces
from tapviz.explorer.score_table import score_table
from tapviz.lists import RetrievalLists
from tapviz.lists.writing import as_csv
from tapviz.plots import PLOTS, PlotData
from tapviz.readers import read
from tapviz.scores import (
    SCORES,
    Case,
    Memo,
    Policies,
    Score,
    ThresholdRule,
    as_json,
    as_table,
    number,
    score,
)
from tapviz.scores import as_csv as scores_as_csv
from tapviz.scores.written import AS_WIDE, as_latex
from tapviz.state import Choices
from tests.printed import csv_of, json_of, stdout_of
from tests.refused import error_of, refuses
from tests.twins import GOLDEN, golden

ORDERS = ("pessimistic", "optimistic")
PRINTED = golden("tapk/printed.json")["cases"]


def lists_file(folder, name, seed, *, queries=12, records=40):
    """A file in the format of the TAP programs, and its lists."""
    rng = np.random.default_rng(seed)
    score = np.sort(np.round(10.0 ** rng.uniform(-8, 1, (queries, records)), 9), axis=1)
    relevant = rng.random((queries, records)) < np.exp(-np.arange(records) / 8)
    lines = []
    for query in range(queries):
        lines += ["", f"q{query}", "25"]
        lines += [
            f"{int(r)}\t{float(s)!r}" for r, s in zip(relevant[query], score[query], strict=True)
        ]
    path = folder / f"{name}.lists"
    path.write_text("\n".join(lines))
    return path, read(path)


@pytest.fixture(autouse=True)
def _fresh():
    open_once.cache_clear()


@pytest.fixture
def two(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return {"one": lists_file(tmp_path, "one", 1)[1], "two": lists_file(tmp_path, "two", 2)[1]}


def table(text):
    """Rows of the first table printed, its columns two blanks apart, each by the header."""
    lines = text.split("\n\n")[0].splitlines()
    header, *rows = ([cell.strip() for cell in re.split("  +", line)] for line in lines)
    return [dict(zip(header, row, strict=True)) for row in rows]


@pytest.mark.parametrize("case", PRINTED, ids=lambda c: "-".join([c["file"], *c["arguments"]]))
def test_what_tap_k_prints_byte_for_byte(case, capsys):
    names = {"-q": ["--quantile"], "-t": ["--e0"], "-p": ["--short-lists", "pad"]}
    arguments = [own for part in case["arguments"] for own in names.get(part, [part])]
    if arguments[:2] == ["-k", "1"]:
        arguments[2:2] = ["-k"]
    code = main(["score", str(GOLDEN / "tapk" / case["file"]), *arguments, "--compat", "ncbi"])
    said = capsys.readouterr()
    assert said.out == case["printed"]
    assert code == (2 if case["error"] else 0)
    if case["error"].startswith("Fewer than"):
        assert said.err == case["error"]


def test_policies_hold_for_what_tap_k_prints(tmp_path, capsys):
    path = tmp_path / "some.lists"
    path.write_text("q1\n2\n1 0.1\n0 0.2\n0 0.3\n\nq2\n0\n0 0.1\n\nq3\n1\n0 0.2\n1 0.3\n")

    def printed(*options):
        """TAP-1, and TAP at 0.2."""
        main(["score", str(path), "-k", "1", "--e0", "0.2", "--compat", "ncbi", *options])
        said = capsys.readouterr()
        assert not said.err
        return [line.split("\t")[1] for line in said.out.splitlines()[1::2]]

    # q1: (1/1 + 1/2) / 3 at both; q2: 1/2, with nothing relevant; q3: 0.
    assert printed() == ["0.3333", "0.3333"]
    assert printed("--no-relevant", "exclude") == ["0.2500", "0.2500"]
    assert printed("--no-relevant", "zero") == ["0.1667", "0.1667"]
    assert printed("--weights", "relevant", "--no-relevant", "zero") == ["0.3333", "0.3333"]
    assert printed("--min-relevant", "2") == ["0.5000", "0.5000"]


def test_table_holds_what_the_measures_say(two, capsys):
    assert main(["score", "one.lists", "two.lists", "-k", "3", "-k", "5", "-n", "7"]) == 0
    said = capsys.readouterr()
    rows = table(said.out)
    assert [row["algorithm"] for row in rows] == ["one", "two"]
    for row, lists in zip(rows, two.values(), strict=True):
        for k in (3, 5):
            assert row[f"TAP-{k}"].split(" ")[0] == f"{m.tap_k(lists, k=k).value:.3f}"
            assert row[f"E_{k}"] == number(m.tap_k(lists, k=k).e0)
        low, high = map(float, row["95 % interval"].split(" to "))
        assert low < m.tap_k(lists, k=5).value < high
        assert row["peak TAP*"].split(" ")[0] == f"{m.tap_curve(lists).peak_tap:.3f}"
        assert row["pooled ROC_7"].split(" ")[0] == f"{m.pooled_roc_n(lists, n=7):.3f}"
    assert "12 queries." in said.out
    assert "seed 0" in said.out
    assert not said.err


@pytest.mark.parametrize("n_queries", [11, 13, 17, 23])
@pytest.mark.parametrize("n_relevant", [4, 7, 9])
def test_an_end_is_never_on_the_wrong_side_of_its_estimate(n_queries, n_relevant):
    """Not even by rounding, where all queries are alike and intervals have no width."""
    relevant = np.array([1, 0, 1, 1, 0, 0, 1], np.bool_)
    scores = np.tile(np.arange(1.0, 8.0), n_queries)
    offset, total = 7 * np.arange(n_queries + 1), [n_relevant] * n_queries
    results = {
        name: RetrievalLists(scores, np.tile(own, n_queries), offset, total)
        for name, own in (("a", relevant), ("b", relevant[::-1]))
    }
    found = json.loads(as_json(score(results, Policies(k=(2,), n_resamples=20), baseline="a")))
    for own in found["algorithms"]:
        for numbers in (own, *own["thresholds"]):
            for name in [name for name in numbers if f"{name}_low" in numbers]:
                low, value, high = (numbers[name + end] for end in ("_low", "", "_high"))
                assert None in (low, value) or low <= value <= high
    (pair,) = found["comparisons"]
    assert pair["low"] <= pair["difference"] <= pair["high"]


def test_given_threshold_instead_of_k(two, capsys):
    (row,) = table(stdout_of(capsys, ["score", "one.lists", "--e0", "1e-3", "--resamples", "0"]))
    worst, best = (m.tap(two["one"], 1e-3, ties=order).value for order in ORDERS)
    assert row["TAP at 0.001"] == (f"{m.tap(two['one'], 1e-3).value:.3f} [{worst:.3f}, {best:.3f}]")
    assert row["E_0"] == "0.001"
    assert not [title for title in row if "TAP-" in title or "interval" in title]


@pytest.mark.usefixtures("two")
def test_the_same_seed_gives_the_same_text(capsys):
    texts = []
    for seed in ("3", "3", "4"):
        main(["score", "one.lists", "-k", "3", "--seed", seed, "--resamples", "200"])
        texts.append(capsys.readouterr().out.replace(f"seed {seed}", ""))
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_comparison_with_a_baseline(two, capsys):
    command = ["score", "one.lists", "two.lists", "-k", "3", "--compare", "one"]
    (found,) = json_of(capsys, command)["comparisons"]
    a, b = m.tap_k(two["two"], k=3), m.tap_k(two["one"], k=3)
    assert (found["first"], found["second"], found["score"]) == ("two", "one", "TAP-3")
    assert found["difference"] == pytest.approx(a.value - b.value, rel=1e-12)
    assert found["low"] < found["difference"] < found["high"]
    difference = a.per_query - b.per_query
    assert found["wins"] == (difference > 1e-12).sum()
    assert found["losses"] == (difference < -1e-12).sum()
    assert found["wins"] + found["ties"] + found["losses"] == 12
    assert 0 < found["p"] <= 1
    assert found["clear"] == (found["p"] <= 0.05)


@pytest.fixture
def three(two, tmp_path):
    return two | {"three": lists_file(tmp_path, "three", 3)[1]}


ALL = ["score", "one.lists", "two.lists", "three.lists", "-k", "3", "-k", "5", "--compare", "all"]


@pytest.mark.usefixtures("three")
def test_every_two_files_are_compared_by_the_scores_chosen(capsys):
    by = ["--compare-by", "tap", "--compare-by", "pooled_roc_n"]
    found = json_of(capsys, [*ALL, *by])
    scores = {
        (one["algorithm"], at["name"]): at["tap"]
        for one in found["algorithms"]
        for at in one["thresholds"]
    } | {(one["algorithm"], "pooled ROC_50"): one["pooled_roc_n"] for one in found["algorithms"]}
    pairs = [("one", "two"), ("one", "three"), ("two", "three")]
    expected = [(*pair, score) for score in ("TAP-3", "pooled ROC_50", "TAP-5") for pair in pairs]
    comparisons = found["comparisons"]
    assert [(one["first"], one["second"], one["score"]) for one in comparisons] == expected
    for one in comparisons:
        first, second = (scores[one[side], one["score"]] for side in ("first", "second"))
        assert one["difference"] == pytest.approx(first - second, rel=1e-9)
        assert one["low"] < one["high"]
        assert (one["units"], one["unit"]) == (12, "queries")
        pooled = one["score"] == "pooled ROC_50"
        assert 0 <= one["p"] <= 1
        assert one["test"] == "studentised maximum, all choices of signs of queries"
        assert one["wins"] + one["ties"] + one["losses"] == (0 if pooled else 12)
        assert one["reason"] is None
        assert one["clear"] == (one["low"] > 0 or one["high"] < 0) == (one["p"] <= 0.05)


@pytest.mark.usefixtures("three")
def test_comparisons_of_every_two_as_text_latex_and_csv(capsys):
    text = stdout_of(capsys, [*ALL, "--compare-by", "mean_epq"])
    line = next(line for line in text.splitlines() if line.startswith("one - two"))
    assert "mean EPQ at E_3" in line
    assert line.split()[-3:] == ["-", "-", "-"]  # at E_k no query has errors of its own
    text = stdout_of(capsys, ALL)
    assert len(re.findall(r"^\w+ - \w+ +TAP-[35] ", text, re.MULTILINE)) == 6
    assert re.search(r"95 % interval +p +wins", text)
    assert "one - three & TAP-5 & " in stdout_of(capsys, [*ALL, "--output", "latex"])
    rows = csv_of(capsys, ALL)
    rows = [row for row in rows if row["compared_with"]]
    assert len(rows) == 6
    for row in rows:
        assert float(row["low"]) < float(row["value"]) < float(row["high"])
        assert sum(int(row[name]) for name in ("wins", "ties", "losses")) == 12
        assert 0 < float(row["p"]) <= 1
        assert (row["units"], row["unit"]) == ("12", "queries")


def test_no_such_score_to_compare_by():
    results = {"a": RetrievalLists([1.0], [True], [0, 1], [1])}
    said = r"compared by 'n_queries': expected one of .*\btap, threshold\b"
    refuses(said, score, results, baseline="all", compared=["n_queries"])


def test_json_carries_policies_versions_and_counts(two, capsys):
    said = json_of(capsys, ["score", "one.lists", "-k", "3", "--quantile", "0.25", "--seed", "5"])
    assert said["versions"]["tapviz"] == tapviz.__version__
    assert set(said["versions"]) >= {"python", "numpy", "scipy"}
    assert (said["policies"]["quantile"], said["policies"]["seed"]) == (0.25, 5)
    assert said["policies"]["short_lists"] == "error"
    (one,) = said["algorithms"]
    assert (one["n_queries"], one["n_records"]) == (12, 480)
    (at,) = one["thresholds"]
    expected = m.tap_k(two["one"], k=3, quantile=0.25)
    assert (at["too_short"], at["reason"]) == (False, "")
    assert (at["tap"], at["threshold"]) == (expected.value, expected.e0)
    assert at["tap_low"] < expected.value < at["tap_high"]
    assert at["threshold_low"] <= expected.e0 <= at["threshold_high"]


def test_csv_has_numbers_in_full(two, capsys):
    rows = csv_of(capsys, ["score", "one.lists", "two.lists", "-k", "3", "--compare", "two"])
    found = {(row["algorithm"], row["score"], row["compared_with"]): row for row in rows}
    for name, lists in two.items():
        assert float(found[name, "TAP-3", ""]["value"]) == m.tap_k(lists, k=3).value
        assert float(found[name, "pooled ROC_50", ""]["value"]) == m.pooled_roc_n(lists)
    difference = float(found["one", "TAP-3", "two"]["value"])
    assert difference == m.tap_k(two["one"], k=3).value - m.tap_k(two["two"], k=3).value


def test_latex_is_a_table_with_special_characters_escaped(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lists_file(tmp_path, "a_b%c", 1)
    assert main(["score", "a_b%c.lists", "-k", "3", "--resamples", "0", "--output", "latex"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("% \\usepackage{booktabs}")
    shown = [score for score in SCORES if score.in_tables]
    fits = "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n"
    assert f"{fits}\\begin{{tabular}}{{l{'r' * len(shown)}}}" in said
    assert "\\end{tabular}}\n" in said
    assert "a\\_b\\%c & 0." in said
    assert "E$_{3}$" in said
    assert said.count(" \\\\\n") == 2


def test_where_too_few_lists_have_k_errors_there_is_no_tap_but_on_request(two, capsys):
    said = stdout_of(capsys, ["score", "one.lists", "-k", "39"])
    assert table(said)[0]["TAP-39"] == table(said)[0]["E_39"] == "-"
    assert "warning: The lists of one end too early for E_39: 0 % of the queries have 39" in said
    assert "there is no E_39" in said
    (largest,) = re.findall(r"or take k = (\d+), the largest that", said)
    found = (
        table(stdout_of(capsys, ["score", "one.lists", "-k", k]))[0][f"TAP-{k}"]
        for k in (largest, str(int(largest) + 1))
    )
    assert [one == "-" for one in found] == [False, True]
    said = stdout_of(capsys, ["score", "one.lists", "-k", "39", "--short-lists", "worst_score"])
    value, *ends = (
        m.tap_k(two["one"], k=39, short_lists="worst_score", ties=order).value
        for order in ("listed", *ORDERS)
    )
    assert table(said)[0]["TAP-39"] == f"{value:.3f} [{ends[0]:.3f}, {ends[1]:.3f}]"
    assert "the threshold is the worst score of all lists" in said
    # E_k is found anew in each resample, and there is none.
    assert table(said)[0]["95 % interval"] == "Fewer than half of the queries have 39 errors"


@pytest.mark.parametrize(("rule", "known"), [("pad", {}), ("worst_score", {"A": 2.0, "B": 3.0})])
def test_a_verdict_speaks_of_thresholds_that_there_are(rule, known):
    """Lists that are continued have none: it said "TAP-9 judges B at E = nan"."""
    a, b = (
        RetrievalLists([1.0, e] * 12, [1, 0] * 12, np.arange(0, 25, 2), [1] * 12)
        for e in (2.0, 3.0)
    )
    found = score({"A": a, "B": b}, Policies(k=(9,), short_lists=rule, n_resamples=0))
    assert found.verdicts[0].thresholds == known


@pytest.mark.parametrize("weights", ["relevant", "relevant_squared"])
def test_weights_by_relevant_records_that_no_query_has_are_refused(weights):
    lists = RetrievalLists([1.0, 2.0], [0, 0], [0, 2], [0])
    with pytest.raises(ValueError, match=f"weights '{weights}': nothing is relevant to any query"):
        score({"A": lists}, Policies(k=(1,), weights=weights))


def test_bracket_of_tied_scores_is_shown_where_it_matters():
    # All scores are equal: the first error of the pool can come before or after all relevant ones.
    lists = RetrievalLists([1.0] * 4, [1, 0, 1, 0], [0, 2, 4], [1, 1])
    found = score({"A": lists}, Policies(k=(1,), n=1, n_resamples=0))
    columns = [column.score.name for column in found.columns]
    pooled = found.rows["A"][columns.index("pooled_roc_n")]
    assert (pooled.worst, pooled.best) == m.pooled_roc_n_bracket(lists, n=1) == (0.0, 1.0)
    text = as_table(found)
    assert "[0.000, 1.000]" in text
    said = "Ties change pooled ROC_1, by the order of records of equal score: A 0.000 to 1.000"
    assert said in text


@pytest.mark.parametrize(
    ("ties", "said"),
    [
        ("docid", "by their ids, descending, as trec_eval has them"),
        ("optimistic", "relevant ones first"),
        ("pessimistic", "irrelevant ones first"),
    ],
)
def test_another_order_of_equal_scores_is_said_below_the_table(ties, said):
    lists = RetrievalLists([1.0] * 2, [1, 0], [0, 2], [1], record=["a", "b"])
    found = score({"A": lists}, Policies(k=(1,), n=1, n_resamples=0, ties=ties))
    assert f"\nRecords of equal score: {said}.\n" in as_table(found)


def test_only_what_depends_on_a_change_is_computed_again(two):
    calls = []

    def counted(one):
        def measure(lists, **taken):
            calls.append(one.name)
            return one.measure(lists, **taken)

        return replace(one, measure=measure)

    scores, memo = [counted(one) for one in SCORES], Memo()

    def evaluate(k, n):
        calls.clear()
        case = Case(two["one"], ThresholdRule(k), n, memo)
        for one in scores:
            case.value(one)
        return set(calls)

    assert evaluate(3, 7) == {one.name for one in SCORES}
    assert evaluate(3, 7) == set()
    assert evaluate(4, 7) == {"tap", "threshold", "median_epq", "mean_epq", "reached"}
    assert evaluate(4, 8) == {"roc_n", "pooled_roc_n", "n_short"}


def hits_before_error(lists, n):
    """A measure that nobody else has: relevant records before the n-th error, per query."""
    each = np.split(lists.relevant, lists.offset[1:-1])
    return float(np.mean([np.flatnonzero(~relevant)[n - 1] - n + 1 for relevant in each]))


THROW_AWAY = Score(
    name="hits",
    title="hits before error {n}",
    measure=hits_before_error,
    takes=("n",),
    digits=2,
    range=(0.0, np.inf),
    description="Relevant records before the n-th error, the mean over the queries.",
)


@pytest.mark.parametrize("place", [0, len(SCORES)])
def test_a_score_declared_once_is_everywhere(two, monkeypatch, capsys, place):
    scores = (*SCORES[:place], THROW_AWAY, *SCORES[place:])
    monkeypatch.setattr("tapviz.scores.column.SCORES", scores)
    values = {name: hits_before_error(lists, 4) for name, lists in two.items()}
    title = "hits before error 4"
    command = ["score", "one.lists", "two.lists", "-k", "3", "-n", "4"]
    rows = table(stdout_of(capsys, command))
    shown = {name: f"{value:.2f}" for name, value in values.items()}
    assert {row["algorithm"]: row[title] for row in rows} == shown
    said = json_of(capsys, command)["algorithms"]
    assert {one["algorithm"]: one["hits"] for one in said} == values
    found = csv_of(capsys, command)
    by_csv = {one["algorithm"]: one["value"] for one in found if one["score"] == title}
    assert {name: float(value) for name, value in by_csv.items()} == values
    said = stdout_of(capsys, [*command, "--output", "latex"])
    assert f"& {title} " in said
    assert f"{values['two']:.2f}" in said

    explorer = tapviz.Explorer(two, k=3, n=4)
    assert explorer.scores["hits"].to_dict() == values
    page = score_table(explorer, styles(list(two)))
    assert f">{title}</th>" in page
    for value in values.values():
        assert f"<td>{value:.2f}</td>" in page
    explorer.pin()
    explorer.n = 5
    before, now = values["one"], hits_before_error(two["one"], 5)
    assert f"<td>{now - before:+.2f}</td>" in score_table(explorer, styles(list(two)))
    explorer.n = 4
    explorer.unpin()
    text = next(pieces(explorer))
    assert f">{title}</th>" in text
    assert f"<td>{values['one']:.2f}</td>" in text


def test_queries_without_relevant_records_are_counted_and_the_rule_is_said(tmp_path, capsys):
    path = tmp_path / "some.lists"
    path.write_text("q1\n1\n1 1e-5\n0 1\n\nq2\n0\n0 2\n")
    said = stdout_of(capsys, ["score", str(path), "-k", "1"])
    words = "1 of 2 queries has no relevant record in the database (T(q) = 0): TAP counts 1 /"
    assert words in said
    said = stdout_of(capsys, ["score", str(path), "-k", "1", "--no-relevant", "exclude"])
    assert "like leave it out; the threshold, EPQ and pooled ROC_n do not" in said
    assert "needs" not in said


BAD_POLICIES = [
    (["-k", "0"], "k = 0: expected a whole number of errors, at least 1"),
    (["-n", "0"], "n = 0: expected a whole number of errors, at least 1"),
    (["--quantile", "2"], "quantile = 2.0: expected a fraction"),
    (["--min-relevant", "999"], "--min-relevant 999: no query is left"),
    (["--compare", "three"], "baseline 'three': expected one of 'one', 'two'"),
    (["--seed", "-1"], "seed = -1: expected a whole number"),
    (["--seed", "-1", "--resamples", "0", "--compare", "all"], "seed = -1: expected a whole num"),
    *(
        (["--resamples", n], f"resamples = {n}: expected a whole number, 0 or at least 2\n")
        for n in ("-1", "1")
    ),
    (["--compat", "ncbi"], "--compat ncbi: give one file"),
    (["--compat", "ncbi", "--fail-if", "tap < 0", "--baseline", "a"], "--compat: give no "),
    (["--compat", "trec", "--per-query", "q.csv"], "--compat: give no --per-query or --output"),
    (["--compat", "trec", "--output", "json"], "--compat: give no --per-query or --output"),
    (["--save-baseline", "old.txt"], "old.txt: expected a name that ends in .json"),
    (["--strict"], "--strict: give --fail-if"),
    (["--levels", "2"], "--levels is about classes of records: give them by --labels"),
    (["--with-others"], "--with-others is about classes of records: give them by --labels"),
]


@pytest.mark.parametrize(("arguments", "words"), BAD_POLICIES)
@pytest.mark.usefixtures("two")
def test_bad_policies_end_with_2_and_say_what_to_do(capsys, arguments, words):
    assert main(["score", "one.lists", "two.lists", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert not said.out


def test_warnings_of_the_readers_are_printed_with_the_scores(tmp_path, capsys):
    (tmp_path / "classes.tsv").write_text("q1\ta.1.1\nr1\ta.1.1\nr2\tb.1.1\n")
    row = "{}\t{}\t56.9\t108\t46\t1\t1\t108\t3\t110\t{}\t36.6\n"
    text = row.format("q1", "r1", "1e-9") + row.format("q1", "r2", "0.5")
    (tmp_path / "blast.tsv").write_text(text + row.format("stranger", "r1", "1e-9"))
    labels = ["--labels", str(tmp_path / "classes.tsv")]
    assert main(["score", str(tmp_path / "blast.tsv"), "-k", "1", *labels]) == 0
    assert "warning: " in (said := capsys.readouterr().out)
    assert "stranger" in said


@pytest.fixture
def families(tmp_path, monkeypatch):
    """Two files of hits, by name, of 24 queries in 12 superfamilies, two folds; and classes."""
    monkeypatch.chdir(tmp_path)
    names = [f"d{i}" for i in range(24)]
    own = [f"a.{1 + i // 12}.{1 + i // 2}.{1 + i % 2}" for i in range(24)]
    classes = "".join(f"{name}\t{one}\n" for name, one in zip(names, own, strict=True))
    (tmp_path / "classes.tsv").write_text(classes)
    for seed, name in enumerate(("one", "two")):
        rng = np.random.default_rng(seed)
        rows = [
            f"{query}\t{record}\t90\t9\t0\t0\t1\t9\t1\t9\t{evalue:.2e}\t50"
            for query in names
            for record, evalue in zip(names, 10.0 ** rng.uniform(-9, 1, 24), strict=True)
        ]
        (tmp_path / f"{name}.m8").write_text("\n".join(rows))
    return ["score", "one.m8", "two.m8", "--labels", "classes.tsv", "-k", "2", "--resamples", "50"]


RESAMPLED = [
    ([], "superfamilies", "12 superfamilies, 24 queries."),
    (["--groups", "4"], "families", "24 families, 24 queries."),
    (["--groups", "none"], "queries", "24 queries."),
]


@pytest.mark.parametrize(("flags", "unit", "queries"), RESAMPLED)
def test_what_is_resampled_is_said(families, flags, unit, queries, capsys):
    for output in ("table", "latex"):
        text = stdout_of(capsys, [*families, *flags, "--output", output, "--compare", "one"])
        assert queries in text
        assert f"50 resamples of the {unit}," in text
    assert f"choices of signs of {unit};" in text
    said = json_of(capsys, [*families, *flags])
    count = 12 if unit == "superfamilies" else 24
    assert said["resampled"] == {"unit": unit, "count": count, "queries": 24, "why_no_interval": ""}


def test_intervals_of_queries_resampled_in_groups_are_those_of_bootstrap(families, capsys):
    said = json_of(capsys, families)
    lists = read("one.m8", labels="classes.tsv")
    groups = [i // 2 for i in range(24)]
    found = m.bootstrap({"one": lists}, k=2, n_resamples=50, groups=groups).algorithms["one"]
    at = said["algorithms"][0]["thresholds"][0]
    assert [at["tap_low"], at["tap_high"]] == pytest.approx(found.tap[1:], rel=1e-12)


def test_too_few_groups_have_no_interval_and_the_cell_says_why(families, capsys):
    text = stdout_of(capsys, [*families, "--groups", "2", "--compare", "one"])
    assert "2 folds, 24 queries." in text
    assert text.count("fewer than 10 folds") == 3  # of two algorithms and their difference
    assert "Intervals:" not in text
    said = json_of(capsys, [*families, "--groups", "2"])
    assert said["algorithms"][0]["thresholds"][0]["tap_low"] is None
    assert said["resampled"]["why_no_interval"] == "fewer than 10 folds"


@pytest.mark.usefixtures("two")
def test_groups_that_are_none_end_with_2(families, capsys):
    assert main([*families, "--groups", "5"]) == 2
    assert "groups = 5: expected a level of the classes, from 1 to 4" in capsys.readouterr().err
    assert main(["score", "one.lists", "--groups", "3"]) == 2
    assert "the classes of the queries are not known" in capsys.readouterr().err
    error_of(main, [*families, "--groups", "fold"], error=SystemExit)
    assert "expected a level of the classes, such as 3, or none" in capsys.readouterr().err


def test_every_score_shown_has_an_interval_on_request(families, capsys):
    said = json_of(capsys, [*families, "--all-intervals", "-n", "5"])["algorithms"][0]
    lists = read("one.m8", labels="classes.tsv")
    others = {
        "mean_epq": m.mean_error_replicates(lists),
        "median_epq": m.median_error_replicates(lists),
        "roc_n": m.mean_replicates(m.roc_n(lists, n=5).per_query),
        "pooled_roc_n": m.pooled_replicates(lists, n=5),
        "mean_average_precision": m.mean_replicates(m.average_precision(lists).per_query),
        "auc_ipr": m.mean_replicates(m.ipr_auc(lists).per_query),
    }
    asked = {"k": 2, "n_resamples": 50, "others": {"one": others}, "peak": True}
    found = m.bootstrap({"one": lists}, **asked).algorithms["one"]
    expected = {"threshold": found.e0, "peak_tap": found.peak, **found.others}
    for name, (estimate, low, high) in expected.items():
        at = said["thresholds"][0] if name in ("threshold", "mean_epq", "median_epq") else said
        numbers = [at[name], at[f"{name}_low"], at[f"{name}_high"]]
        assert numbers == pytest.approx([estimate, low, high], rel=1e-9)
    header = stdout_of(capsys, [*families, "--all-intervals"]).splitlines()[0]
    n_intervals = sum(one.has_interval and one.in_tables for one in SCORES)
    assert header.count("95 % interval") == n_intervals
    assert stdout_of(capsys, families).splitlines()[0].count("95 % interval") == 1


def test_a_fixed_threshold_is_said(families, capsys):
    at = json_of(capsys, [*families, "--fixed-threshold"])["algorithms"][0]["thresholds"][0]
    assert at["threshold_low"] == at["threshold"] == at["threshold_high"]
    main([*families, "--fixed-threshold"])
    assert "E_k that of all queries in each; seed 0" in capsys.readouterr().out


NOT_RESAMPLED = [("zero", "count T(q) = 0 as 0"), ("exclude", "leave out T(q) = 0")]


@pytest.mark.parametrize(("rule", "words"), NOT_RESAMPLED)
def test_where_resampling_does_not_know_the_rule_it_is_said(tmp_path, capsys, rule, words):
    """Twelve queries would do for intervals; one of them has no relevant record."""
    lists = [f"q{q}\n{int(q > 0)}\n{int(q > 0)}\t1e-{q + 3}\n0\t0.5\n" for q in range(12)]
    path = tmp_path / "x.lists"
    path.write_text("\n".join(lists))
    command = ["score", str(path), "-k", "1", "--no-relevant", rule, "--resamples", "200"]
    reason = f"resampling cannot {words}"
    printed = stdout_of(capsys, command)
    assert f"No intervals of TAP and its peak: {reason}." in printed
    assert reason in printed.splitlines()[1]  # in place of the interval
    assert "Intervals:" not in printed  # of which there are none
    table = json_of(capsys, command)
    assert table["resampled"]["why_no_interval"] == reason
    assert table["algorithms"][0]["thresholds"][0]["tap_low"] is None
    found = score({"x": read(path, format="tap")}, Policies(k=(1,), no_relevant=rule))
    assert found.rows["x"][0].no_interval == reason
    main(command[:-2])  # by default there are resamples, too
    assert reason in capsys.readouterr().out
    assert "resampling" not in stdout_of(capsys, [*command[:-1], "0"])
    # Of what the rule does not touch there are those that there are without it.
    others = [*command, "--scores", "map,pooled_roc_n", "--all-intervals"]
    printed = stdout_of(capsys, others)
    assert "resampling" not in printed
    assert "Intervals: 95 %, 200 resamples" in printed
    cells = printed.splitlines()[1]
    assert cells == stdout_of(capsys, [*others, "--no-relevant", "reference"]).splitlines()[1]
    assert " to " in cells


FORMULAS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1+1"]
PLAIN = ["a", "d1abc", "1e-5", "-3", "+0.5", "-.5e-300", "a=b", "'=1", "", "sp|P1|X"]


def cells(text):
    return list(csv.reader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("text", FORMULAS)
def test_a_text_like_a_formula_gets_an_apostrophe(text):
    assert cells(as_csv([["x", text]])) == [["x", "'" + text.replace("\r", " ")]]


@pytest.mark.parametrize("text", PLAIN)
def test_other_texts_and_numbers_are_as_they_are(text):
    assert cells(as_csv([[text, -2.5, -1, np.float64(-1e-9)]])) == [[text, "-2.5", "-1", "-1e-09"]]


@given(st.lists(st.text("=+-@\t\r\n,;\"'a1", max_size=8), min_size=1, max_size=5))
def test_no_cell_of_any_text_begins_like_a_formula(texts):
    ((*row, end),) = cells(as_csv([[*texts, "end"]]))
    assert end == "end"
    for text, cell in zip(texts, row, strict=True):
        assert not re.match(r"[=+@\t\r\n-]", cell) or re.fullmatch("[+-]1+", cell)
        assert cell in (text.replace("\r", " "), "'" + text.replace("\r", " "))


@pytest.fixture(scope="module")
def hostile():
    ids = {"query": ["=HYPERLINK(1)", "@q"], "record": ["=1+1", "+a", "-b", "@c", "d", "e"]}
    scores = [1e-9, 0.1, 0.2, 1e-5, 3.0, 4.0]
    lists = RetrievalLists(scores, [1, 0, 1, 0, 1, 0], [0, 3, 6], [3, 2], **ids)
    return {"=A": lists, "[1cm]\n\\input{/etc/passwd}\n%": lists, "*^^M\u2028\\write18{x}": lists}


def test_scores_and_drawn_numbers_begin_no_formula(hostile):
    names = [name for name in hostile if not name.startswith("*")]
    data = PlotData(Choices(hostile, names, k=1, baseline="=A"))
    texts = [scores_as_csv(score(hostile, Policies(k=(1,), n_resamples=20), baseline="=A"))]
    texts += [to_csv(plot.picture(data)) for plot in PLOTS.values()]
    assert any("'=" in text for text in texts)
    for text in texts:
        for row in cells(text):
            assert not [cell for cell in row if re.match(r"[=@\t\r\n]|[+-](?![0-9.])", cell)]


def test_a_name_in_latex_is_neither_a_command_nor_the_end_of_a_comment(hostile):
    names = list(hostile)
    table = score(hostile, Policies(k=(2,), n_resamples=20))._replace(doubts=tuple(names))
    lines = as_latex(table).splitlines()
    assert len([line for line in lines if line.startswith("% ")]) >= len(names)
    for line in lines:
        if line.startswith("%") or line == AS_WIDE:
            continue
        assert not line.startswith(("[", "*"))
        assert set(re.findall(r"\\[a-zA-Z]+", line)) <= {
            *("\\begin", "\\end", "\\centering", "\\caption", "\\bigskip"),
            *("\\toprule", "\\midrule", "\\bottomrule"),
            *("\\textbackslash", "\\textasciicircum", "\\textless", "\\textgreater", "\\textbar"),
        }
    text = "\n".join(lines)
    assert "{}[1cm] \\textbackslash{}input\\{/etc/passwd\\} \\% & " in text
    assert "{}*\\textasciicircum{}\\textasciicircum{}M \\textbackslash{}write18\\{x\\} & " in text


def test_latex_has_minus_signs_and_names_as_they_are():
    """In the usual fonts of LaTeX a hyphen is short, and <, > and | are other signs."""
    results = load_results("profiles")
    one, other = [*results.values()][:2]
    named = {"<b>|x-2": one, "y": other}
    text = as_latex(score(named, Policies(k=(5,), n_resamples=100), baseline="y"))
    rows = [line for line in text.splitlines() if not line.startswith("%")]
    assert "\\textless{}b\\textgreater{}\\textbar{}x-2 - y" in "\n".join(rows)
    [difference] = [line for line in rows if line.startswith("\\textless{}b") and " - y " in line]
    assert re.search(r"& \$-\$0\.\d+ & \$-\$0\.\d+ to \$-\$0\.\d+ ", difference)
    assert not re.search(r"[&(\[] *-[\d.]|\de-\d", "\n".join(rows))
