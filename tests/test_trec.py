"""What trec_eval prints: of the Cranfield collection, of tied runs, of queries without hits."""

import json
from functools import cache

import numpy as np
import pytest

from tapviz import load_results
from tapviz.cli import main
from tests.printed import stdout_of
from tests.twins import GOLDEN, golden

CRANFIELD = golden("trec/cranfield.json")["cases"]
SMALL = {case["id"]: case for case in golden("trec/cases.json")["cases"]}
COMMON = "mean_over_common_queries (trec_eval default)"
ALL = "mean_over_all_qrels_queries (trec_eval -c; numbers that count sum to 0)"


@cache
def written(folder, name):
    """Run and judgements of a search of the bundled data, as files: arguments that open them."""
    algorithm, _, _ = name.partition(" tied")
    lists = load_results("cranfield")[algorithm]
    digits = 6 if name == algorithm else 0 if algorithm == "BM25" else 1
    run, qrels = [], []
    for row, query in enumerate(lists.query.tolist()):
        run += [
            f"{query} Q0 {record} 1 {np.round(score, digits)} {algorithm}"
            for record, score in hits(lists, row)
        ]
        qrels += judgements(lists, row)
    (folder / "run.txt").write_text("\n".join(run) + "\n")
    (folder / "qrels.txt").write_text("\n".join(qrels) + "\n")
    return [str(folder / "run.txt"), "--qrels", str(folder / "qrels.txt")]


def hits(lists, row):
    """Records of a query, and their scores."""
    part = slice(lists.offset[row], lists.offset[row + 1])
    return [*zip(lists.record[part].tolist(), lists.score[part].tolist(), strict=True)]


def judgements(lists, row):
    """Lines of judgements: records found by their ids, others by ids of their own."""
    part = slice(lists.offset[row], lists.offset[row + 1])
    grades, query = lists.grades.record[part].tolist(), lists.query[row]
    known = [(id_, grade) for (id_, _), grade in zip(hits(lists, row), grades, strict=True)]
    known = [(id_, grade) for id_, grade in known if grade >= 0]
    for grade, total in enumerate(lists.grades.total[row].tolist()):
        known += [(f"missed{grade}.{i}", grade) for i in range(total - grades.count(grade))]
    return [f"{query} 0 {id_} {grade}" for id_, grade in known]


def printed(text):
    """Measures and means, as printed."""
    rows = [line.split("\t") for line in text.splitlines()]
    assert {row[1] for row in rows} == {"all"}
    return {row[0].strip(): row[2] for row in rows}


def as_trec(name, value):
    return f"{value:.0f}" if name.startswith("num_") else f"{value:.4f}"


@pytest.mark.parametrize("name", CRANFIELD)
def test_trec_evals_numbers_of_cranfield_and_of_tied_runs(name, tmp_path, capsys):
    arguments = ["score", *written(tmp_path, name), "--resamples", "0"]
    expected = {one: as_trec(one, value) for one, value in CRANFIELD[name].items()}
    usual = printed(stdout_of(capsys, [*arguments, "--compat", "trec"]))
    assert usual.pop("runid") == "run"
    assert len(usual) == 4 + 5 + 11 + 9
    assert usual == {one: expected[one] for one in usual}
    asked = "MAP,nDCG,nDCG@10,ndcg_cut_5,R@100,success_5,AP@10,RR,Rprec,bpref"
    more = printed(stdout_of(capsys, [*arguments, "--compat", "trec", "--scores", asked]))
    assert len(more) == len(asked.split(","))
    assert more == {one: expected[one] for one in more}
    arguments += ["--ties", "docid", "--self-hits", "keep", "--scores", asked, "--output", "json"]
    told = json.loads(stdout_of(capsys, arguments))
    assert told["policies"]["ties"] == "docid; ROC_n trapezoid"
    (found,) = told["algorithms"]
    ours = {"mean_average_precision": "map", "ndcg@10": "ndcg_cut_10", "mrr": "recip_rank"}
    for own, theirs in ours.items():
        assert as_trec(theirs, found[own]) == expected[theirs]


@pytest.mark.parametrize("case", SMALL.values(), ids=SMALL)
def test_trec_eval_leaves_queries_without_hits_out(case, capsys):
    run, qrels = (str(GOLDEN / "trec" / case[which]) for which in ("run", "qrels"))
    assert main(["score", run, "--qrels", qrels, "--compat", "trec"]) == 0
    told = capsys.readouterr()
    found = printed(told.out)
    for name, value in case[COMMON].items():
        if name in found and not name.startswith("num_"):  # there the mean
            assert found[name] == as_trec(name, value), name
    silent = len(case["queries_only_in_qrels"])
    assert (f" {silent} of " in told.err) == (silent > 0)
    if silent and case["id"] != "v05":  # where a query without relevant records is left out here
        asked = ["--ties", "docid", "--scores", "map", "--output", "json", "--resamples", "0"]
        told = json.loads(stdout_of(capsys, ["score", run, "--qrels", qrels, *asked]))
        assert told["algorithms"][0]["mean_average_precision"] == pytest.approx(case[ALL]["map"])


def test_scores_count_in_single_precision(tmp_path, capsys):
    """1 + 1e-9 and 1 are one score for trec_eval 9, and the larger id comes first."""
    (tmp_path / "a.run").write_text("q 0 d1 1 1.000000001 a\nq 0 d2 2 1 a\n")
    (tmp_path / "q.qrels").write_text("q 0 d1 1\n")
    given = ["score", str(tmp_path / "a.run"), "--qrels", str(tmp_path / "q.qrels")]
    assert printed(stdout_of(capsys, [*given, "--compat", "trec"]))["recip_rank"] == "0.5000"
    told = stdout_of(capsys, [*given, "--ties", "docid", "--scores", "RR", "--resamples", "0"])
    assert "1.000" in told
    assert "Records of equal score: by their ids, descending, as trec_eval has them." in told


def test_questions_and_documents_that_are_both_numbered(tmp_path, capsys):
    """Question 5 is not document 5: it does not find it first, as a query finds itself."""
    given = ["score", *written(tmp_path, "BM25"), "--scores", "MAP", "--resamples", "0"]
    words = "on a record with the id of the query left out"
    told = stdout_of(capsys, given)
    assert words in told
    assert "set --self-hits keep" in told
    assert words not in stdout_of(capsys, [*given, "--self-hits", "keep"])
    itself = tmp_path / "itself.run"
    itself.write_text("1 0 1 1 9 a\n1 0 d2 2 8 a\n2 0 2 1 9 a\n2 0 1 2 8 a\n")
    told = stdout_of(capsys, ["score", str(itself), *given[2:]])
    assert words not in told


def test_what_trec_eval_has_not_is_refused(capsys):
    v01 = str(GOLDEN / "trec" / "v01")
    given = ["score", f"{v01}.run", "--qrels", f"{v01}.qrels"]
    assert main([*given, "--compat", "trec", "--scores", "map,tap,mrr@10"]) == 2
    said = capsys.readouterr()
    assert said.err == "--compat trec: trec_eval has no tap, mrr@10\n"
    assert not said.out


def test_of_several_runs_the_name_of_each_is_printed(tmp_path, capsys):
    for name, score in (("a", 2), ("b", 1)):
        (tmp_path / f"{name}.run").write_text(f"q1 Q0 d1 1 {score} r\n")
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    files, how = [str(tmp_path / f"{name}.run") for name in "ab"], ["--compat", "trec"]
    how += ["--qrels", str(tmp_path / "qrels"), "--scores", "map"]
    printed = stdout_of(capsys, ["score", *files, *how]).splitlines()
    assert [line.split() for line in printed] == [
        *(["runid", "all", "a"], ["map", "all", "1.0000"]),
        *(["runid", "all", "b"], ["map", "all", "1.0000"]),
    ]
    assert len(stdout_of(capsys, ["score", files[0], *how]).splitlines()) == 1
