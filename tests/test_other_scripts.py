"""Numbers that other people's scripts print for the results at hand, and what they are here."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from tapviz import load_results
from tapviz import measures as m
from tapviz.labels import STANDARDS, ClassTable, JoinRules, Patterns
from tapviz.labels.standards import LEVELS
from tapviz.readers import read
from tapviz.scores import named

ROOT = Path(__file__).parents[1]
DATA = ROOT / "notebooks" / "data"
# Printed by the scripts for lists in the order of E-value, one hit of each pair, with self hits.
SCRIPTS = json.loads((ROOT / "tests" / "golden" / "peers" / "scripts.json").read_text())
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
    folder = ROOT / "tests" / "golden" / "peers"
    positives = [line.split()[0] for line in (folder / "profmark.pos").read_text().splitlines()]
    queries = [line.split()[0] for line in (folder / "profmark.tbl").read_text().splitlines()]
    labels = Patterns("[^/]+", positives, JoinRules(decoys="^decoy"))
    lists = read(folder / "profmark.out", labels=labels, queries=queries)
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
