"""Which column is the score: E-values that are none, the order of the file, and directions."""

from contextlib import nullcontext

import numpy as np
import pyarrow as pa
import pytest

from tapviz.files.problems import doubts
from tapviz.labels import Qrels
from tapviz.readers import ReadError, ReadOptions, read, read_all
from tapviz.readers.datasets import load_results
from tapviz.readers.reading import contents_of
from tests.hits import LABELS, by_query, m8, outfmt7, problems, tblout

BLAST_END = "# BLAST processed 2 queries\n"


def test_a_score_whose_direction_nobody_knows(written):
    path = written("q1\tr1\t3\nq1\tr3\t2\n")
    options = {"labels": LABELS, "columns": "qseqid sseqid zeal", "score": "zeal"}
    assert problems(path, **options) == [("DirectionUnknown", None)]
    assert read(path, **options, direction="descending").score.tolist() == [3, 2]
    assert read(path, **options, direction="ascending").score.tolist() == [2, 3]
    # What is said wins over what the name of a column promises.
    options |= {"columns": "qseqid sseqid bits", "score": "bits"}
    assert read(path, **options, direction="ascending").score.tolist() == [2, 3]


def foldseek(*, bits=True, header=False, queries=6, hits=8):
    """Table of Foldseek's TM-align mode, with TM-scores in the column of E-values."""
    generator = np.random.default_rng(0)
    names = "query,target,fident,alnlen,mismatch,gapopen,qstart,qend,tstart,tend,evalue,bits"
    rows = [names.replace(",", "\t")] if header else []
    for q in range(queries):
        for at, tm in enumerate(sorted(generator.uniform(0.2, 1, hits), reverse=True)):
            score = f"{tm:.3E}\t{int(100 * tm) if bits else 0}"
            rows.append(f"q{q}\tr{at}\t0.3\t99\t9\t0\t1\t99\t1\t99\t{score}")
    return "\n".join(rows) + "\n"


FIRST = Qrels({f"q{q}": {"r0": 1} for q in range(6)})


@pytest.mark.parametrize("bits", [True, False])
@pytest.mark.parametrize("header", [True, False])
def test_a_score_in_the_column_of_evalues_is_not_read_upside_down(written, bits, header):
    with pytest.raises(ReadError) as caught:
        read(written(foldseek(bits=bits, header=header)), qrels=None, labels=FIRST)
    found = caught.value.problems
    assert [(one.code, one.line) for one in found] == [
        ("NotEvalues", line + header) for line in (1, 2, 3)
    ]
    words = found[0].render({"score": "--score {}", "direction": "--direction {}"})
    assert f"disagrees with {'the bit scores' if bits else 'the order of the file'}" in words
    for offered in ("--score bits", "--direction descending", "--score rank"):
        assert offered in words
    assert found[0].text.startswith("q0 → r0")


@pytest.mark.parametrize(
    ("queries", "hits", "enough"), [(1, 7, True), (1, 6, False), (13, 2, True)]
)
def test_few_rows_show_it_unless_chance_could(written, queries, hits, enough):
    path = written(foldseek(bits=False, queries=queries, hits=hits))
    with pytest.raises(ReadError, match="disagrees") if enough else nullcontext():
        contents_of(path, ReadOptions(queries=["q0"]))


def test_rows_in_any_order_are_taken_for_evalues(written):
    draw = np.random.default_rng(4)
    for _ in range(300):
        n_rows = draw.integers(7, 40)
        query = draw.integers(0, draw.integers(1, 5), n_rows)
        score = draw.choice([1e-9, 1e-3, 0.1, 1, 2, 5, 10], n_rows)
        pairs = enumerate(zip(query, score, strict=True))
        rows = "".join(f"q{q}\tr{at}\t{e}\n" for at, (q, e) in pairs)
        with doubts():  # that rows of a query are not together
            options = ReadOptions(columns="query target evalue")
            hits = contents_of(written(rows), options).contents[""]
        assert hits.score.tolist() == score.tolist()


@pytest.mark.parametrize(
    ("said", "direction", "best"),
    [
        ({"score": "bits"}, "descending", "r0"),
        ({"direction": "descending"}, "descending", "r0"),
        ({"score": "rank"}, "ascending", "r0"),
        ({"score": "evalue"}, "ascending", "r7"),
        ({"direction": "ascending"}, "ascending", "r7"),
    ],
)
def test_what_the_person_says_of_such_a_column_wins(written, said, direction, best):
    lists = read(written(foldseek()), labels=FIRST, **said)
    assert lists.direction == direction
    assert {lists.record[at] for at in lists.offset[:-1]} == {best}


def test_evalues_that_agree_with_the_bit_scores_may_stand_in_any_order(written):
    rows = [m8("q1", f"r{at}", f"1e-{at}", 10 * at) for at in range(1, 20)]
    assert read(written("".join(rows)), labels=LABELS).score[0] == 1e-19


def test_a_table_in_memory_that_is_upside_down():
    scores = [0.9 - 0.1 * at for at in range(9)]
    frame = {"query": ["q1"] * 9, "record": [f"r{at}" for at in range(9)], "evalue": scores}
    with pytest.raises(ReadError, match="order of the file") as caught:
        read(pa.table(frame), labels=LABELS)
    said = [(one.line, one.text) for one in caught.value.problems]
    assert said == [(1, "q1, r0, 0.9"), (2, "q1, r1, 0.8"), (3, "q1, r2, 0.7")]


@pytest.mark.parametrize("name", ["scope40", "profiles"])
def test_bundled_results_are_not_refused(name):
    for algorithm, lists in load_results(name).items():
        assert read(lists.to_frame("arrow"), name=algorithm).score.tolist() == lists.score.tolist()


RANKED = {
    "blast": m8("q1", "r2", "3") + m8("q1", "r1", "1") + m8("q2", "r1", "1"),
    "blast7": outfmt7("q1", m8("q1", "r2", "3"), m8("q1", "r1", "1"))
    + outfmt7("q2", m8("q2", "r1", "1"))
    + BLAST_END,
    "hmmer": tblout("r2", "q1", "3") + tblout("r1", "q1", "1") + tblout("r1", "q2") + "# [ok]\n",
    "table": "query,record,evalue,bits\nq1,r2,3,1\nq1,r1,1,2\nq2,r1,1,1\n",
    "trec": "q1 Q0 r2 1 0.1 x\nq1 Q0 r1 2 0.2 x\nq2 Q0 r1 1 5 x\n",
    "profmark": "3 1 r2 q1\n1 2 r1 q1\n1 2 r1 q2\n",
    "reseek": "0.1\tq1\tr2\t3\n0.9\tq1\tr1\t1\n0.9\tq2\tr1\t1\n",
}


@pytest.mark.parametrize("form", list(RANKED))
def test_lists_in_the_order_of_the_file(written, form):
    lists = read(written(RANKED[form]), format=form, labels=LABELS, score="rank")
    assert (lists.direction, lists.record.tolist()) == ("ascending", ["r2", "r1", "r1"])
    assert lists.score.tolist() == [1, 2, 1]


def test_several_algorithms_and_queries_without_hits_in_the_order_of_the_file(written):
    path = written(
        "algorithm,query,record,evalue\nA,q1,r2,3\nA,q1,r1,1\nA,q2,,\nB,q1,r1,5\nB,q2,r2,1\n"
    )
    found = read_all(path, labels=LABELS, score="rank")
    assert by_query(found["A"]) == {"q1": [("r2", 1, True), ("r1", 2, True)], "q2": []}
    assert by_query(found["B"]) == {"q1": [("r1", 1, True)], "q2": [("r2", 1, True)]}
