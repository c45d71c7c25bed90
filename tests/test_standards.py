"""Standards of relevance: bands of levels, several at once, and what other scripts make of them."""

import csv
import json
import re
from itertools import takewhile
from pathlib import Path
from urllib.parse import parse_qs

import numpy as np
import pytest

from tapviz import Explorer, load_results
from tapviz import measures as m
from tapviz.cli import main
from tapviz.labels import STANDARDS, ClassTable, Held, Hits, JoinRules, Patterns, Standard
from tapviz.labels.rules import LEVELS, Unrelated
from tapviz.measures import sensitivity_to_error
from tapviz.page.app import App
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.sensitivity import STEP
from tapviz.readers import ReadOptions, read
from tapviz.readers.inputs import ResultFile, open_files
from tapviz.scores import named, selected
from tests.printed import stderr_of, stdout_of
from tests.refused import refuses

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "tests" / "golden" / "peers"
LOOKUP = dict(line.split() for line in (PEERS / "scop_lookup.tsv").read_text().splitlines())


def agreement(one, other):
    """Levels to which two classes agree."""
    pairs = zip(one.split("."), other.split("."), strict=True)
    return len([*takewhile(lambda pair: pair[0] == pair[1], pairs)])


# Levels to which the classes of relevant records agree, and of those that are left out: what
# bench.noselfhit.awk makes of a hit in its columns, and scop40.py of a pair by its standards.
RULES = {
    "family": ({4}, {2, 3}),
    "superfamily": ({3}, {2, 4}),
    "fold": ({2}, {3, 4}),
    "fam1": ({4}, {2, 3}),
    "sf2": ({3, 4}, set()),
    "sf3": ({3, 4}, {2}),
    "sf4": ({3}, {2, 4}),
    "fold5": ({2}, {3, 4}),
    "fold6": ({2, 3, 4}, set()),
}


def rule(name, agree):
    relevant, ignored = RULES[name]
    return "relevant" if agree in relevant else "ignored" if agree in ignored else "error"


def all_pairs(ids):
    """Every record found by every query."""
    n = len(ids)
    of = np.arange(n)
    return Hits("pairs.tsv", ids, ids, np.repeat(of, n), np.tile(of, n), np.tile(of * 1.0, n))


def states(table):
    """Relevant, error or ignored: what lists make of every pair."""
    lists = table.lists(all_pairs(list(table.records)))
    row = np.repeat(lists.query, np.diff(lists.offset))
    found = zip(row.tolist(), lists.record.tolist(), lists.relevant.tolist(), strict=True)
    return {(q, r): "relevant" if relevant else "error" for q, r, relevant in found}


@pytest.mark.parametrize("name", STANDARDS)
def test_a_standard_judges_as_the_script_that_it_is_named_after(name):
    table = ClassTable(LOOKUP, relevant=4, ignored=2).judged_by(STANDARDS[name])
    found = states(table)
    for query, of_query in LOOKUP.items():
        expected = {
            record: rule(name, agreement(of_query, of_record))
            for record, of_record in LOOKUP.items()
            if record != query
        }
        for record, state in expected.items():
            assert found.get((query, record), "ignored") == state
        assert table.n_relevant([query]).tolist() == [list(expected.values()).count("relevant")]
    lists = table.lists(all_pairs(list(LOOKUP)))
    retrieved = np.add.reduceat(lists.relevant, lists.offset[:-1])
    assert retrieved.tolist() == lists.n_relevant.tolist()
    assert (np.diff(lists.offset) - retrieved).tolist() == lists.n_irrelevant.tolist()


def test_a_record_of_several_classes_is_too_close_if_one_of_them_is():
    records = {
        "q": ("a.1.1.1", "b.1.1.1"),
        "family": ("a.1.1.1", "c.1.1.1"),
        "superfamily": ("a.1.1.2", "c.1.1.1"),
        "both": ("a.1.1.2", "b.1.1.1"),
        "other": "c.1.1.1",
    }
    table = ClassTable(records).judged_by(STANDARDS["superfamily"])
    found = {record: state for (query, record), state in states(table).items() if query == "q"}
    assert found == {"superfamily": "relevant", "other": "error"}
    assert table.n_relevant(["q"]).tolist() == [1]


def test_levels_that_make_no_band():
    with pytest.raises(ValueError, match="relevant 3, closer 3: expected a lower level"):
        ClassTable(LOOKUP, relevant=3, ignored=2, closer=3)
    with pytest.raises(ValueError, match=r"class 'a\.1\.1': expected at least 4 levels"):
        ClassTable({"r": "a.1.1"}).judged_by(STANDARDS["superfamily"])


def test_classes_that_are_nobodys_errors():
    records = {f"p{fold}": f"b.{fold}.1.1" for fold in (67, 69, 70, 71)}
    records |= {"e1": "e.1.1.1", "e2": "e.1.1.1"}
    table = ClassTable(records, relevant=4, ignored=2, ignore_class=("e", "b.67-b.70"))
    found = states(table)
    assert ("p67", "p69") not in found
    assert ("p70", "p67") not in found
    assert found["p67", "p71"] == found["p71", "p67"] == "error"
    assert not any("e" in q + r for (q, r), state in found.items() if state == "error")
    assert found["e1", "e2"] == "relevant"
    lists = table.lists(all_pairs(list(records)))
    errors = dict.fromkeys(records, 0)
    for (query, _), state in found.items():
        errors[query] += state == "error"
    assert dict(zip(lists.query.tolist(), lists.n_irrelevant.tolist(), strict=True)) == errors
    assert "no errors with e, b.67-b.70" in str(lists.join_report)


def test_how_classes_that_are_nobodys_errors_are_written():
    assert Unrelated.read("b.66-b.68").classes == ("b.66", "b.67", "b.68")
    assert Unrelated.read("c.2+c.5").classes == ("c.2", "c.5")
    assert Unrelated.read("e").alone
    for text in ("b.70-b.67", "b.1-c.2", "a-", "a b", "", "b.1-b.9999"):
        refuses("expected a", Unrelated.read, text)


def test_higher_classes_may_be_missing():
    """As in Rfam, where most families have no clan."""
    rfam = Held("rfam.tsv", b"q\tRF1\tCL1\nr\tRF2\tCL1\ns\tRF3\t\nt\tRF3\t\nu\tRF4\t\n")
    found = states(ClassTable.read(rfam, relevant=2, ignored=1))
    assert ("q", "r") not in found
    assert found["s", "t"] == "relevant"
    assert found["s", "u"] == found["q", "u"] == "error"
    clans = states(ClassTable.read(rfam, relevant=1, ignored=0))
    assert clans["q", "r"] == clans["s", "t"] == "relevant"
    assert clans["s", "u"] == "error"


def test_only_queries_with_others_at_each_level():
    with (PEERS / "foldseek.rocx.expected").open() as file:
        kept = {row["NAME"] for row in csv.DictReader(file, delimiter="\t")}
    records = {**LOOKUP, "alone": "z.1.1.1", "pair1": "y.1.1.1", "pair2": "y.1.1.1"}
    table = ClassTable(records, with_others=True)
    hits = all_pairs(list(records))
    assert set(table.lists(hits).query.tolist()) == kept
    assert table.lists(hits).join_report.queries_not_listed == len(records) - len(kept)
    normalised = ClassTable(records, with_others=True, rules=JoinRules(normalise=("case",)))
    assert set(normalised.lists(hits).query.tolist()) == kept


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A search in Foldseek's layout, and the classes of its domains."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.m8").write_bytes((PEERS / "foldseek.m8").read_bytes())
    (tmp_path / "classes.tsv").write_bytes((PEERS / "scop_lookup.tsv").read_bytes())
    return tmp_path


def test_several_standards_from_one_reading():
    opened = open_files(["run.m8"], labels="classes.tsv", standard=",".join(LEVELS))
    assert opened.standard == "family"
    for name, judged in zip(LEVELS, opened.by_standard(LEVELS), strict=True):
        alone = read("run.m8", labels="classes.tsv", standard=name)
        both = judged.results["run"]
        assert judged.standard == name
        assert both.relevant.tolist() == alone.relevant.tolist()
        assert both.n_relevant.tolist() == alone.n_relevant.tolist()
        assert both.join_report == alone.join_report
        scope = {}
        exec(judged.opening, scope)  # noqa: S102  # what the page hands out
        assert scope["results"]["run"].relevant.tolist() == both.relevant.tolist()


def test_standards_are_offered_for_classes_of_scop_only():
    opened = open_files(["run.m8"], labels="classes.tsv")
    assert opened.standard == "sf3"  # the usual levels
    assert set(opened.standards) == {"family", "superfamily", "fold", "sf3", "sf2", "fold6"}
    flat = Held("flat.tsv", b"".join(f"{name}\tx\n".encode() for name in LOOKUP))
    opened = open_files(["run.m8"], labels=flat, levels=(1, 0))
    assert opened.standards == ("",)
    assert opened.judged("").results is opened.results


NONSENSE = [
    ({"standard": "famly"}, "no 'famly'; expected some of family, superfamily"),
    ({"standard": "fold", "levels": (2, 0)}, "both say what is relevant"),
    ({"standard": "fold", "labels": None}, "is about classes of records"),
    ({"ignore_class": "b.2-b.1"}, r"ignore_class: 'b\.2-b\.1': expected a range"),
]


@pytest.mark.parametrize(("options", "words"), NONSENSE)
def test_options_of_standards_that_make_no_sense(options, words):
    refuses(words, ReadOptions, **{"labels": "classes.tsv"} | options)
    refuses("expected one here", read, "run.m8", labels="classes.tsv", standard=("fold", "family"))
    assert ReadOptions(labels="c.tsv", levels=(4, 2)).levels == (4, 2, 0)
    assert Standard(4, 2).words == "same to level 4 relevant, to level 2 ignored"


def test_scores_by_several_standards(capsys):
    def scored(standards, output):
        arguments = ["score", "run.m8", "--labels", "classes.tsv", "-k", "1", "--resamples", "0"]
        return stdout_of(capsys, [*arguments, "--standard", standards, "--output", output])

    text = scored("family,superfamily", "table")
    assert text.startswith("Standard: family\n")
    assert "\nStandard: superfamily\n" in text
    both = json.loads(scored("family,superfamily", "json"))
    assert list(both) == ["family", "superfamily"]
    alone = json.loads(scored("superfamily", "json"))
    assert {**alone, "command": ""} == {**both["superfamily"], "command": ""}
    assert alone["standard"] == "superfamily"
    rows = csv.DictReader(scored("family,superfamily", "csv").splitlines())
    by_csv = {(row["standard"], row["score"]): row["value"] for row in rows}
    assert float(by_csv["superfamily", "MAP"]) == alone["algorithms"][0]["mean_average_precision"]
    assert "% Standard: fold" in scored("family,fold", "latex")


def test_the_page_switches_between_standards_without_reading_again():
    app = App(open_files(["run.m8"], labels="classes.tsv"))
    choice = app._standard
    assert choice in [*app.dashboard._places.header]
    assert choice.value == "sf3"
    app.dashboard.explorer.k = 3
    assert app.dashboard.explorer.groups == 3
    choice.value = "fold"
    explorer = app.dashboard.explorer
    alone = read("run.m8", labels="classes.tsv", standard="fold")
    assert explorer.first.n_relevant.tolist() == alone.n_relevant.tolist()
    assert (explorer.k, explorer.groups) == (3, 2)
    assert parse_qs(explorer.to_query(app.dashboard._address_extras)[1:])["standard"] == ["fold"]
    app.dashboard._on_button("undo")
    assert choice.value == "sf3"
    assert app.dashboard.explorer.k == 3
    choice.value = "fold"
    assert app.dashboard.explorer.first.n_relevant.tolist() == alone.n_relevant.tolist()
    app._choice.value = "scope40"
    assert choice not in [*app.dashboard._places.header]


def test_means_of_several_files_by_foldseeks_script(folder, capsys):
    """Of two files, a header and a row for each: the means of the rows of each alone."""
    rows = (folder / "run.m8").read_text().splitlines()
    (folder / "half.m8").write_text("\n".join([*rows[::2], ""]))
    judged = ["--labels", "classes.tsv", "--compat", "foldseek"]
    means = stdout_of(capsys, ["score", "run.m8", "half=half.m8", *judged]).splitlines()
    found = {row["NAME"]: row for row in csv.DictReader(means, delimiter="\t")}
    assert list(found) == ["run.m8", "half"]
    assert "give one file for a" in stderr_of(capsys, ["score", "a=run.m8", "a=half.m8", *judged])
    for name, file in (("run.m8", "run.m8"), ("half", "half.m8")):
        alone = stdout_of(capsys, ["score", file, *judged]).splitlines()
        own = [*csv.DictReader(alone, delimiter="\t")]
        assert int(found[name]["queries"]) == len(own)
        for column in ("FAM", "SFAM", "FOLD", "FAM_tapviz", "SFAM_tapviz", "FOLD_tapviz"):
            mean = sum(float(row[column]) for row in own) / len(own)
            assert float(found[name][column]) == pytest.approx(mean, abs=1e-5)


FOLDSEEK = ["score", "run.m8", "--labels", "classes.tsv", "--compat", "foldseek"]


def by_name(lines):
    return {row["NAME"]: row for row in csv.DictReader(lines, delimiter="\t")}


def test_columns_of_foldseeks_script_and_ours_beside_them(capsys):
    assert main(FOLDSEEK) == 0
    printed = capsys.readouterr()
    rows = by_name(printed.out.splitlines())
    expected = by_name((PEERS / "foldseek.rocx.expected").read_text().splitlines())
    assert rows.keys() == expected.keys()
    for query, row in expected.items():
        for column, text in row.items():
            assert rows[query][column] == (text or "0"), (query, column)
        # The denominators of the script, and those there should be.
        family, superfamily, fold = (int(row[f"{n}CNT"]) for n in ("FAM", "SFAM", "FOLD"))
        for column, theirs, right in (
            ("FAM", family - 1, family - 1),
            ("SFAM", superfamily - family + 1, superfamily - family),
            ("FOLD", fold - superfamily + 1, fold - superfamily),
        ):
            found = float(row[column] or 0) * theirs
            ours = float(rows[query][f"{column}_tapviz"]) * right
            assert ours == pytest.approx(found, abs=1e-3), (query, column)
    assert "The script divides SFAM and FOLD by one record more" in printed.err
    assert "HSPs" not in printed.err


def test_hsps_and_queries_without_hits_in_foldseeks_script(folder, capsys):
    rows = (folder / "run.m8").read_text().splitlines()
    query = rows[1].split("\t")[0]
    kept = [row for row in rows if row.startswith(query)]
    (folder / "run.m8").write_text("\n".join([*kept[:2], kept[1], *kept[2:], ""]))
    assert main(FOLDSEEK) == 0
    printed = capsys.readouterr()
    found = by_name(printed.out.splitlines())
    assert len(found) == len(LOOKUP)
    assert float(found[query]["FAM"]) == 2  # one record, twice
    assert float(found[query]["FAM_tapviz"]) == 1
    assert {row["FAM"] for name, row in found.items() if name != query} == {"0"}
    assert "The script counts 1 further hit on" in printed.err
    assert main([*FOLDSEEK, "--min-relevant", "2"]) == 2
    assert "every query: give no --min-relevant" in capsys.readouterr().err
    assert main(["score", "run.m8", "--compat", "foldseek"]) == 2
    assert "is about classes of records" in capsys.readouterr().err
    (folder / "classes.tsv").write_text("".join(f"{name}\ta.1.1.1\n" for name in LOOKUP))
    assert "run.m8: no query has other records of its family, of" in stderr_of(capsys, FOLDSEEK)


def test_the_documentation_says_of_every_standard_what_it_judges():
    page = (ROOT / "docs" / "standards.md").read_text(encoding="utf-8")
    for names in re.findall(r"--scores ([a-z0-9_@.,]+[a-z0-9])", page):
        assert selected(names.split(","))
    rows = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| `")]
    said = {row[0].strip("`"): row[1:] for row in rows if row[0].strip("`") in STANDARDS}
    assert list(said) == list(STANDARDS)
    level = {2: "fold", 3: "superfamily", 4: "family"}
    for name, (relevant, left_out, error, *_) in said.items():
        standard = STANDARDS[name]
        if relevant.startswith("as "):
            assert STANDARDS[relevant.removeprefix("as ").strip("`")][:3] == standard[:3]
            continue
        but = f", other {level[standard.closer]}" if standard.closer else ""
        assert relevant == f"same {level[standard.relevant]}{but}"
        parts = [f"same {level[standard.closer]}"] if standard.closer else []
        if standard.ignored:
            parts.append(f"same {level[standard.ignored]}, other {level[standard.relevant]}")
        assert left_out == ("; ".join(parts) or "nothing")
        last = standard.ignored or standard.relevant
        assert error == ("other fold" if last == 2 else "everything else")


DATA = ROOT / "notebooks" / "data"
# Printed by the scripts for lists in the order of E-value, one hit of each pair, with self hits.
SCRIPTS = json.loads((PEERS / "scripts.json").read_text())
AWK = SCRIPTS["foldseek"]
SIX = 5e-7
"""awk prints six digits."""


def judged(program, table, level):
    labels = table.judged_by(STANDARDS[level])
    return read(DATA / f"{program}.tsv.gz", labels=labels, queries=DATA / "queries.txt")


@pytest.fixture(scope="module")
def lists():
    """Lists of each program by each level, by name."""
    table = ClassTable.read(DATA / "classes.tsv.gz")
    each = [(program, level) for program in ("blastp", "ssearch") for level in LEVELS]
    return {(program, level): judged(program, table, level) for program, level in each}


def printed(script, program, level):
    """Value of each query in the column of a level."""
    at = list(LEVELS).index(level)
    return {query: values[at] for query, values in AWK[script][program].items()}


def ours(lists, n):
    """Sensitivity to the n-th error, and T(q), of each query."""
    values = m.sensitivity_to_error(lists, n=n).per_query
    return dict(zip(lists.query.tolist(), zip(values, lists.n_relevant, strict=True), strict=True))


@pytest.mark.parametrize("program", ["blastp", "ssearch"])
@pytest.mark.parametrize(("script", "n"), [("roc1.awk", 1), ("bench.awk", 5)])
def test_scripts_that_leave_the_query_in_its_family(lists, program, script, n):
    for level in ("superfamily", "fold"):
        found = ours(lists[program, level], n)
        for query, value in printed(script, program, level).items():
            assert found[query][0] == pytest.approx(value, abs=SIX)
    found = ours(lists[program, "family"], n)
    for query, value in printed(script, program, "family").items():
        sensitivity, total = found[query]
        with_itself = (1 + np.nan_to_num(sensitivity) * total) / (1 + total)
        assert with_itself == pytest.approx(value, abs=SIX)


@pytest.mark.parametrize("program", ["blastp", "ssearch"])
def test_the_script_without_self_hits_divides_by_one_record_too_many(lists, program):
    script = "bench.noselfhit.awk"
    for level, too_many in (("family", 0), ("superfamily", 1), ("fold", 1)):
        found = ours(lists[program, level], 1)
        for query, value in printed(script, program, level).items():
            sensitivity, total = found[query]
            assert sensitivity * total / (total + too_many) == pytest.approx(value, abs=SIX)


@pytest.mark.parametrize("program", ["blastp", "ssearch"])
def test_the_script_of_lolalign_divides_by_the_right_number(lists, program):
    columns = SCRIPTS["lolalign"][program]
    assert len(columns) == 7  # those with others of their family, superfamily and fold
    for at, level in enumerate(LEVELS):
        found = ours(lists[program, level], 1)
        for query, values in columns.items():
            assert found[query][0] == pytest.approx(values[at], abs=SIX)


@pytest.mark.parametrize("level", ["family", "superfamily"])
@pytest.mark.parametrize("program", ["blastp", "ssearch"])
def test_roc5_of_mmseqs2(program, level):
    """The program was given queries by other names, so that their hits on themselves count."""
    rules = {"rules": JoinRules(self_hits="keep"), "ignore_class": ("e", "b.67-b.70")}
    table = ClassTable.read(DATA / "classes.tsv.gz", **rules)
    lists = judged(program, table, level)
    found = m.roc_n(lists, n=5, ties="listed").per_query
    of_family = table.judged_by(STANDARDS["family"]).n_relevant(lists.query.tolist())
    expected = SCRIPTS["mmseqs"][program][level]
    assert sorted(expected) == sorted(lists.query)
    for query, value, total, family in zip(
        lists.query.tolist(), found, lists.n_relevant, of_family, strict=True
    ):
        # With --super-fam it leaves the family out of what is found, not out of what there is.
        size = total + family * (level == "superfamily")
        roc5, n_records = expected[query]
        assert size == n_records
        assert np.nan_to_num(value) * total / size == pytest.approx(roc5, abs=5.1e-8)


@pytest.mark.parametrize("program", ["blastp", "ssearch"])
def test_precision_weighted_by_family(program):
    """Each row was printed for the hits up to an E-value."""
    file, given = DATA / f"{program}.tsv.gz", {"labels": DATA / "classes.tsv.gz"}
    given |= {"with_others": True, "label_queries": True}
    lists = {level: read(file, standard=level, **given) for level in ("family", "fold")}
    size = np.maximum(lists["fold"].n_relevant, lists["family"].n_relevant)
    found = m.pooled_precision_recall(lists["family"], error_size=size)
    for script in ("lolalign", "foldseek of queries with others"):
        for e_value, precision, recall in SCRIPTS["pooled"][script][program]:
            last = np.searchsorted(found.threshold, e_value, side="right") - 1
            assert found.precision[last] == pytest.approx(precision, abs=SIX)
            assert found.recall[last] == pytest.approx(recall, abs=SIX)
    # Foldseek's counts the errors of all other queries, too, and so is never more precise.
    every = np.array(SCRIPTS["pooled"]["foldseek"][program])
    judged = np.array(SCRIPTS["pooled"]["lolalign"][program])
    assert np.array_equal(every[:, 2], judged[:, 2])
    assert (every[:, 1] <= judged[:, 1]).all()
    assert every[-1, 1] < judged[-1, 1] / 5


def test_coverage_of_rocplot_c():
    positives = [line.split()[0] for line in (PEERS / "profmark.pos").read_text().splitlines()]
    queries = [line.split()[0] for line in (PEERS / "profmark.tbl").read_text().splitlines()]
    labels = Patterns("[^/]+", positives, JoinRules(decoys="^decoy"))
    lists = read(PEERS / "profmark.out", labels=labels, queries=queries)
    epq, coverage = np.array(SCRIPTS["profmark"]["rocplot.c"]).T
    assert m.coverage_vs_epq(lists).at(epq) == pytest.approx(coverage, abs=5e-6)


@pytest.mark.parametrize("name", list(SCRIPTS["reseek"]["sepq"]))
def test_sepq_of_reseek_is_that_of_a_threshold_that_is_not_above_it(name):
    lists = load_results("scope40")[name]
    for epq, theirs in zip((0.1, 1, 10), SCRIPTS["reseek"]["sepq"][name], strict=True):
        here = named(f"sepq@{epq:g}").measure(lists)
        assert here <= theirs + SIX
        assert theirs - here < 0.00135  # as the documentation says


def test_every_script_that_was_run_is_in_the_table_of_the_documentation():
    text = (ROOT / "docs" / "standards.md").read_text()
    others = ("LoLalign", "EvaluateResults", "scop40.py", "rocplot.pl", "rocplot.c", "trec_eval")
    table = re.split(r"^## Other people's scripts$", text, flags=re.MULTILINE)[1]
    for script in (*AWK, *others):
        assert script in table


FILES = [ResultFile(str(DATA / f"{name}.tsv.gz")) for name in ("blastp", "ssearch")]


def options(*standards):
    return ReadOptions(
        labels=str(DATA / "classes.tsv.gz"), queries=str(DATA / "queries.txt"), standard=standards
    )


@pytest.fixture(scope="module")
def opened():
    return open_files(FILES, options())


def area(layers, name, place):
    """Area below a curve in a panel."""
    x, y = layers[f"curve {name}"]["x"] - STEP * place, layers[f"curve {name}"]["y"]
    known = (x >= 0) & (x <= 1)
    return float(np.sum(np.diff(x[known]) * (y[known][1:] + y[known][:-1]) / 2))


@pytest.mark.parametrize("n", [1, 5])
def test_the_area_of_each_panel_is_the_mean_of_that_standard(opened, n):
    explorer = Explorer(opened.results, judging=opened.judging, n=n)
    layers = PLOTS["sensitivity"].picture(PlotData(explorer)).columns
    assert layers["panel"]["text"].tolist() == [*LEVELS]
    for place, level in enumerate(LEVELS):
        alone = open_files(FILES, options(level)).results  # read anew
        for name, lists in alone.items():
            mean = sensitivity_to_error(lists, n=n).value
            assert area(layers, name, place) == pytest.approx(mean, abs=1e-12)


def test_a_subset_is_that_of_every_panel(opened):
    explorer = Explorer(opened.results, judging=opened.judging, n=1)
    explorer.query_class = "a"
    data = PlotData(explorer)
    some = explorer.first.query[explorer.selection.mask]
    assert 0 < some.size < explorer.first.n_queries
    layers = PLOTS["sensitivity"].picture(data).columns
    for place, level in enumerate(LEVELS):
        lists = opened.judged(level).results["blastp"]
        mean = sensitivity_to_error(lists.subset(np.isin(lists.query, some)), n=1).value
        if np.isfinite(mean):
            assert area(layers, "blastp", place) == pytest.approx(mean, abs=1e-12)
    words = PLOTS["sensitivity"].text(data)
    places = [words.index(f"{level.capitalize()}: ") for level in LEVELS]
    assert places == sorted(places)


@pytest.mark.parametrize("weights", ["relevant", "relevant_squared"])
def test_queries_without_relevant_records_by_a_standard_weigh_nothing_in_its_panel(opened, weights):
    explorer = Explorer(opened.results, judging=opened.judging, n=1, weights=weights)
    layers = PLOTS["sensitivity"].picture(PlotData(explorer)).columns
    for place, level in enumerate(LEVELS):
        lists = opened.judged(level).results["blastp"]
        weight = lists.n_relevant.astype(float) ** (1 + (weights == "relevant_squared"))
        assert (weight == 0).any() == (level != "superfamily")
        found = np.nan_to_num(sensitivity_to_error(lists, n=1).per_query)
        mean = found @ weight / weight.sum()
        assert area(layers, "blastp", place) == pytest.approx(mean, abs=1e-12)


def test_a_box_in_a_panel_keeps_the_queries_that_its_standard_says(opened):
    explorer = Explorer(opened.results, judging=opened.judging, n=1)
    data = PlotData(explorer)
    for place, level in enumerate(LEVELS):
        explorer.clear_filter()
        name = explorer.shown[0]
        found = sensitivity_to_error(explorer.judged(level)[name], n=1).per_query
        ids = explorer.judged(level)[name].query
        worst = np.nanmin(found)
        expected = set(ids[found == worst].tolist())
        assert 0 < len(expected) < explorer.first.n_queries
        line = PLOTS["sensitivity"].picture(data).columns[f"curve {name}"]
        inside = (line["x"] >= STEP * place) & (line["x"] <= STEP * place + 1)
        at = line["x"][inside & (line["y"] == worst)]
        box = (at.min() - 0.01, at.max() + 0.01, worst - 0.01, worst + 0.01)
        explorer.algorithms = [name]
        assert PLOTS["sensitivity"].select(data, *box) == ""
        explorer.algorithms = [*explorer.style_order]
        assert set(explorer.selected_queries) == expected
        (part,) = explorer.filter_parts
        assert part.words.endswith(f"before error no. 1 ({level})")
        assert explorer.kept_by(part) == len(expected)
        other = Explorer(opened.results, judging=opened.judging)
        assert other.from_query(explorer.to_query()) == []
        assert other.selected_queries == explorer.selected_queries
    (problem,) = Explorer(opened.results).from_query(explorer.to_query())  # judged in one way alone
    assert problem.startswith("ranges = ")
    assert problem.endswith("in the address cannot be used here")
    with pytest.raises(ValueError, match="the results are judged by one standard alone"):
        explorer.ranges[0].holds(Explorer(opened.results).results)


def test_what_one_standard_alone_judges_has_one_panel(opened):
    picture = PLOTS["sensitivity"].picture(PlotData(Explorer(opened.results)))
    assert "panel" not in picture.columns
    assert picture.x.end < STEP + 1


def test_printed_with_a_panel_for_each(tmp_path):
    out = tmp_path / "levels.csv"
    files = [str(one.file) for one in FILES]
    given = ["--labels", str(DATA / "classes.tsv.gz"), "--queries", str(DATA / "queries.txt")]
    asked = ["figure", *files, *given, "--plot", "sensitivity", "-n", "1"]
    assert main([*asked, "-o", str(out)]) == 0
    assert all(level in out.read_text() for level in LEVELS)
    assert main([*asked, "-o", str(tmp_path / "levels.svg")]) == 0
    assert all(f">{level}<" in (tmp_path / "levels.svg").read_text() for level in LEVELS)


def test_the_axis_goes_on_below_every_panel(opened):
    explorer = Explorer(opened.results, judging=opened.judging)
    picture = PLOTS["sensitivity"].picture(PlotData(explorer))
    curves = [layer for layer in picture.layers if layer.name.startswith("curve")]
    last = max(float(np.nanmax(layer.columns["x"])) for layer in curves)
    assert picture.x.data_end == pytest.approx(last)
    assert len(picture.x.ticks) == 3 * len(LEVELS)
    assert max(picture.x.ticks) == pytest.approx(last)
