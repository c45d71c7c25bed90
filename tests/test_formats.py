"""What is special about the format of each program: what is read of it, and what is refused."""

import numpy as np
import pytest

from tapviz.labels import ClassTable, JoinRules, Patterns, Qrels
from tapviz.measures import coverage_vs_epq, ipr_auc, roc_n_curve
from tapviz.readers import ReadError, detect, read
from tests.hits import (
    GOLDEN,
    HMMPFAM,
    LABELS,
    by_query,
    domtblout,
    hits_of,
    m8,
    outfmt7,
    problems,
    rows_of,
    tblout,
)
from tests.refused import refuses
from tests.twins import close, golden

ROWS = m8("q1", "r1", "1e-9", "30"), m8("q1", "r3", "2", "50"), m8("q2", "r2", "7", "9")
BLAST_END = "# BLAST processed 2 queries\n"
STAR = "q2\t*\t0.0\t0\t0\t0\t0\t0\t0\t0\t-1\t0\n"
CONVERGED = "\nSearch has CONVERGED!\n"
ITERATIONS = (
    outfmt7("q1", m8("q1", "r1", "1"), m8("q1", "r3", "2"), iteration=1)
    + outfmt7("q1", m8("q1", "r2", "5"), iteration=2)
    + outfmt7("q1", m8("q1", "r3", "6"), iteration=3)
    + outfmt7("q2", m8("q2", "r2", "7"), iteration=1)
    + outfmt7("q2", iteration=2)
    + f"{CONVERGED}# BLAST processed 5 queries\n"
)
FASTA = (
    "# ssearch36 -m 8C -E 10 q.fa db.fa\n# SSEARCH 36.3.8i May, 2023\n# Query: q1  - 9 aa\n"
    "# Database: db.fa\n# Fields: query id, subject id, % identity, alignment length, "
    "mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score\n"
    "# 1 hits found\n" + m8("q1", "r1") + "# SSEARCH processed 1 queries\n"
)
DIAMOND = (
    "# DIAMOND v2.1.3. http://github.com/bbuchfink/diamond\n# Invocation: diamond blastp\n"
    "# Fields: Query ID, Subject ID, Percentage of identical matches, Alignment length, "
    "Number of mismatches, Number of gap openings, Start of alignment in query, End of "
    "alignment in query, Start of alignment in subject, End of alignment in subject, "
    "Expected value, Bit score\n" + m8("q1", "r1")
)
USEARCH = "q1\tr1\t90.1\t69\t0\t0\t1\t69\t1\t69\t-1\t0\n"
RESEEK = {
    3: "3.1e-09\tq1\tr1\n0.052\tq1\tr3\n",
    4: "0.9212\tq1\tr1\t3.1e-09\n0.4713\tq1\tr3\t0.052\n",
    10: "q1\tr1\t1\t9\t9\t1\t9\t9\t50.1\t3.1e-09\nq1\tr3\t1\t9\t9\t1\t9\t9\t50.1\t0.052\n",
}
FOUR = "q1\tr1\t1e-9\t30\nq1\tr3\t2\t50\n"
COLUMNS = ("qseqid sseqid evalue bitscore", "6 qseqid,sseqid,evalue,bitscore",
           ("query", "target", "evalue", "bits"), "query+target+evalue+bits")  # fmt: skip
FULL = "#                 --- full sequence ----\n# target name  accession  query name\n#---\n"
DOMAINS = "# target name        accession   tlen query name\n"
TWO_DOMAINS = (
    DOMAINS
    + domtblout("r1", "q1", "1e-9", 1, "0.5")
    + domtblout("r1", "q1", "1e-9", 2, "1e-7")
    + domtblout("r3", "q1", "2e-8", 1, "1e-8")
    + "# [ok]\n"
)
HMMSEARCH = """hmmsearch - search a sequence database with a profile HMM
HMMER 2.3.2 (Oct 2003)

Query HMM:   q1
Accession:   [none]
  [HMM has been calibrated; E-values are empirical estimates]

Scores for complete sequences (score includes all domains):
Sequence Description                                    Score    E-value  N
-------- -----------                                    -----    ------- ---
r1       A globin, 2.5 of it                            290.8    1.3e-86   1
r3                                                       -1.5        6.2   1

Parsed for domains:
Sequence Domain  seq-f seq-t    hmm-f hmm-t      score  E-value
-------- ------- ----- -----    ----- -----      -----  -------
r2         1/1       1   145 [.     1   150 []   290.8  1.3e-86

Total sequences searched: 45
"""
TAP = "q1 2.5\n3\n1\t0.1\n0\t0.1\tmore\n1 0.5 \n\n \n\nq2\n0\n\nq3\n1\n0 7e+1\n"
BOTH_WAYS = "q\n3\n1 3\n0 5\n1 3\n"
ARTICLES = {"labels": Qrels({"d1": {"p1": 1}, "d2": {"p3": 1}}), "format": "int"}
CLASSES = {"labels": Qrels({"ACT": {"d1": 1, "d2": 0, "d3": 1, "d4": 0, "d5": 1}}), "format": "act"}
RANKED = "d1\tp2\t2\t0.5\nd1\tp1\t1\t0.9\nd2\tp1\t1\t.25\n"
JUDGED = "d1\t1\t1\t0.9\nd2\t0\t1\t0.8\nd3\t0\t2\t0.3\nd4\t1\t2\t0.6\n"
BY_RANK = {"score": "rank"}
NOT_THERE = {"labels": None, "queries": ["q3", "q9"]}
CUT_OFF = "# target name\n" + tblout("r1", "q1")
RUN = "q1 Q0 r1 1 -5 sys\nq1 Q0 r3 2 -7 sys\n"
MORE = "".join(row[:-1] + "\t0.25\n" for row in ROWS)
SWAPPED = ClassTable(
    dict.fromkeys(("q1", "q2"), "a.1.1"), dict.fromkeys(("r1", "r2", "r3"), "a.1.1")
)
IN_PAIRS = {"labels": Qrels({"d1": {"p1|p2": 1}}), "format": "ipt"}


def lists_of(text):
    """Records, scores and relevance of each query, from ``q1 r1=0.5 r2=3!; q2``."""
    found = {}
    for part in text.split("; "):
        query, *rows = part.split(" ")
        cells = [[*row.rstrip("!").rsplit("=", 1), row[-1] != "!"] for row in rows]
        found[query] = [(record, float(score), good) for record, score, good in cells]
    return found


def options_in(said):
    """Options from ``score=rank iteration=1``; the usual labels unless the file is judged."""
    options = {"labels": LABELS}
    if not isinstance(said, str):
        return options | said
    for word in said.split():
        name, _, value = word.partition("=")
        options |= {name: int(value) if value.isdigit() else value} if value else {"labels": None}
    return options


READ = {
    "the best of several HSPs": (
        m8("q1", "r1", "3.0") + m8("q1", "r1", "0.5") + m8("q1", "r3", "1.0"),
        "q1 r1=0.5 r3=1!",
    ),
    "equal E-values in the order of the file": (
        m8("q1", "r1", "0.0", "200") + m8("q1", "r3", "0.0", " 900.5"),
        "q1 r1=0 r3=0!",
    ),
    "a tab at the end of each row": (
        (m8("q1", "r1") + m8("q1", "r3", "0.5")).replace("\n", "\t\n"),
        "q1 r1=1e-05 r3=0.5!",
    ),
    "queries without hits of -outfmt 7": (
        outfmt7("q1", m8("q1", "r1")) + outfmt7("q2") + BLAST_END,
        "q1 r1=1e-05; q2",
    ),
    "columns where the fields say": (
        (
            "# BLASTP 2.12.0+\n# Query: q1\n# Database: db\n"
            "# Fields: evalue, subject id, bit score, query id\n# 1 hits found\n"
            f"0.25\tr1\t30\tq1\n{BLAST_END}"
        ),
        "q1 r1=0.25",
    ),
    "fields without bit score": (
        (
            "# BLASTP 2.12.0+\n# Query: q1\n# Fields: query id, subject id, evalue\n"
            "q1\tr1\t2\nq1\tr2\t1\n"
        ),
        "q1 r2=1 r1=2",
    ),
    "FASTA": (FASTA, "q1 r1=1e-05"),
    "DIAMOND": (DIAMOND, "q1 r1=1e-05"),
    "a star, which is not a record": (ROWS[0] + STAR, "q1 r1=1e-09; q2"),
    "nothing but a star": (STAR, "q2"),
    "USEARCH without E-values": (USEARCH, "q1 r1=90.1", "score=pident"),
    "the last iteration": (ITERATIONS, "q1 r3=6!; q2"),
    "the first iteration": (ITERATIONS, "q1 r1=1 r3=2!; q2 r2=7", "iteration=1"),
    "the second iteration": (ITERATIONS, "q1 r2=5; q2", "iteration=2"),
    "the third iteration": (ITERATIONS, "q1 r3=6!; q2", "iteration=3"),
    "the last iteration in the order of the file": (
        outfmt7("q1", m8("q1", "r2", "3"), m8("q1", "r1", "1"), iteration=1)
        + outfmt7("q1", m8("q1", "r1", "1"), m8("q1", "r2", "3"), iteration=2)
        + BLAST_END,
        "q1 r1=1 r2=2",
        "score=rank",
    ),
    **{
        f"reseek with {n} columns": (text, "q1 r1=3.1e-09 r3=0.052!", "format=reseek")
        for n, text in RESEEK.items()
    },
    "reseek by its own score": (RESEEK[4], "q1 r1=0.9212 r3=0.4713!", "format=reseek score=aq"),
    **{
        f"columns as {columns}": (FOUR, "q1 r1=1e-09 r3=2!", {"columns": columns})
        for columns in COLUMNS
    },
    "columns by bit score": (FOUR, "q1 r3=50! r1=30", {"columns": COLUMNS[0], "score": "bitscore"}),
    "the usual columns and more": (MORE, "q1 r1=1e-09 r3=2!; q2 r2=7", {"columns": "std qcovs"}),
    "queries and records exchanged": (
        "".join(ROWS),
        "r1 q1=1e-09; r3 q1=2; r2 q2=7",
        {"labels": SWAPPED, "swap": True},
    ),
    "phmmer": (
        FULL
        + tblout("r3", "q1", "2e-9", "30", "a description with 1e-5 blanks")
        + tblout("r1", "q1", "2e-9", "31")
        + tblout("r2", "q2", "0", "99.9", "")
        + "#\n# Program:         phmmer\n# [ok]\n",
        "q1 r3=2e-09! r1=2e-09; q2 r2=0",
    ),
    "hmmscan, of which the sequence is the query": (
        tblout("profile", "q1") + "#\n# Program:         hmmscan\n# [ok]\n",
        "q1 profile=1e-05",
        {"labels": ClassTable({"profile": "a.1.1"}, queries={"q1": "a.1.1"})},
    ),
    "domains of a record": (TWO_DOMAINS, "q1 r1=1e-09 r3=2e-08!"),
    "the best domain of a record": (TWO_DOMAINS, "q1 r3=1e-08! r1=1e-07", "score=domain_evalue"),
    "hmmpfam": (HMMPFAM, "q1 r1=1.1e-08 r3=2.2!; q2"),
    "hmmpfam in the order of the file": (HMMPFAM, "q1 r1=1 r3=2!; q2", "score=rank"),
    "hmmsearch": (HMMSEARCH, "q1 r1=1.3e-86 r3=6.2!"),
    "hmmsearch of two profiles by bit score": (
        HMMSEARCH + HMMSEARCH.replace("q1", "q2"),
        "q1 r1=290.8 r3=-1.5!; q2 r1=290.8 r3=-1.5!",
        "score=bits",
    ),
    "a TREC run with comments, blanks and more columns": (
        "# a comment\nq1  Q0 r1\t1 2.5 sys\n\nq1 Q0 r3 2 -2 sys and more\n",
        "q1 r1=2.5 r3=-2!",
    ),
    "a TREC run of E-values": (RUN, "q1 r3=-7! r1=-5", "direction=ascending"),
    "proteins of articles by confidence": (RANKED, "d1 p1=0.9 p2=0.5!; d2 p1=0.25!", ARTICLES),
    "proteins of articles by rank": (RANKED, "d1 p1=1 p2=2!; d2 p1=1!", ARTICLES | BY_RANK),
    "a pair of proteins, which has no order": ("d1\tp2\tp1\t1\t0.5\n", "d1 p1|p2=0.5", IN_PAIRS),
    "classes of articles as one list": (JUDGED, "ACT d1=0.9 d4=0.6! d3=-0.3 d2=-0.8!", CLASSES),
    "classes of articles by rank": (JUDGED, "ACT d1=1 d4=2! d3=3 d2=4!", CLASSES | BY_RANK),
    "E-values beside another score": (
        "query,record,evalue,score\nq1,r2,3,1\nq1,r1,1,2\n",
        "q1 r1=1 r2=3",
    ),
    "the score beside E-values": (
        "query,record,evalue,score\nq1,r2,3,1\nq1,r1,1,2\n",
        "q1 r2=1 r1=2",
        "score=score direction=ascending",
    ),
    "a column of ranks as any other": (
        "query,record,evalue,rank\nq1,r2,3,2\nq1,r1,1,1\n",
        "q1 r1=1 r2=2",
        "score=rank",
    ),
}
"""Text of a file, what is read of it (with ``!``: irrelevant), and options."""


@pytest.mark.parametrize("name", READ)
@pytest.mark.usefixtures("way")
def test_what_is_read(written, name):
    text, expected, options = (*READ[name], "")[:3]
    lists = read(written(text), **options_in(options))
    assert by_query(lists) == lists_of(expected)
    for rows in by_query(lists).values():
        scores = [score for _, score, _ in rows]
        assert scores == sorted(scores, reverse=lists.direction == "descending")


REFUSED = {
    "a record without query": (m8("", "r1"), "BadColumnCount 1"),
    "a query without record": (m8("q1", ""), "BadColumnCount 1"),
    "ten problems at most": (
        m8("q1", "r1") + m8("q1", "r1", "x") * 30,
        ", ".join(f"NotANumber {line}" for line in range(2, 12)),
    ),
    "fields that change within a file": (
        (
            "# Fields: query id, subject id, evalue\nq1\tr1\t2\n"
            "# Fields: query id, subject id, bit score, evalue\nq1\tr2\t9\t1\n"
        ),
        "BadHeader 3",
    ),
    "a row below comments": (
        outfmt7("q1", m8("q1", "r1")) + outfmt7("q2", m8("q2", "r1", "x")) + BLAST_END,
        "NotANumber 12",
    ),
    "no records": (FOUR, "MissingColumn", {"columns": "qseqid evalue bits x"}),
    "no score": (FOUR, "MissingColumn", {"columns": "qseqid sseqid x y"}),
    "more columns than names": (
        FOUR.split("\n", maxsplit=1)[0],
        "BadColumnCount 1",
        {"columns": "qseqid sseqid evalue"},
    ),
    "the usual columns and more": (
        MORE,
        "BadColumnCount 1, BadColumnCount 2, BadColumnCount 3",
        "format=blast",
    ),
    "PSI-BLAST without comments": (
        m8("q1", "r1") * 2 + CONVERGED,
        "BadColumnCount 4",
        {"words": "-outfmt 7"},
    ),
    "an iteration that there is not": (
        ITERATIONS,
        "MissingIteration",
        {"iteration": 4, "words": r"the file has iterations 1 to 3 \("},
    ),
    "an iteration where there are none": ("".join(ROWS), "MissingIteration", "iteration=1"),
    "USEARCH without E-values": (
        USEARCH,
        "NegativeEvalue 1",
        {"words": "found '-1'; where the program computed none, use score="},
    ),
    **{
        f"a HMMER table, {code}": (
            f"# target name\n{tblout('r1', 'q1')}{row}# [ok]\n",
            f"{code.split()[0]} 3",
        )
        for code, row in {
            "NonFinite": tblout("r1", "q1", "nan"),
            "NegativeEvalue": tblout("r1", "q1", "-1"),
            "NotANumber": tblout("r1", "q1", "1", "x"),
            "BadColumnCount": "r1 - q1 - 1e-5 30 0.1\n",
            "BadColumnCount 17": "r1 - q1 - 1e-5 30 0.1  2e-5 35 0.1  1.0 1 0 0 1 1 1 \n",
        }.items()
    },
    "a table of domains is no other": (
        DOMAINS + domtblout("r1", "q1", "1", 1),
        "WrongFormat 1",
        "format=hmmer",
    ),
    "a table of HMMER has no domains": (
        "#      --- full sequence ---- --- best 1 domain ----\n# target name\n"
        + tblout("r1", "q1"),
        "WrongFormat 1",
        "format=domtblout",
    ),
    "hmmsearch": (HMMSEARCH.replace("6.2   1", "6.2x  1"), "NotANumber 12"),
    "hmmpfam": (HMMPFAM.replace("1.1e-08", "1.1e-xx"), "NotANumber 14"),
    "hmmpfam without query": (
        HMMPFAM.replace("Query sequence: q1", "Query sequence:"),
        "BadHeader 7, BadColumnCount 14, BadColumnCount 15",
    ),
    "documents twice in a run": (
        "\n".join(
            ["# x", "", *(f"q1 Q0 r{n % 15} 1 {n} sys" for n in range(40)), "q2 Q0 r1 1 1 sys"]
        ),
        ", ".join(f"DuplicateTarget {line}" for line in range(18, 28)),
    ),
    **{
        f"articles, {row}": (f"d1\tp1\t1\t0.9\n{row}\n", f"{code} 2", "format=int")
        for row, code in {
            "d1\tp9\tx\t0.5": "NotANumber",
            "d1\tp9\t-2\t0.5": "RankOutOfRange",
            "d1\tp9\t2\thigh": "NotANumber",
            "d1\tp9\t2\tnan": "NonFinite",
            "d1\t\t2\t0.5": "BadColumnCount",
            "d1 p9 2 0.5": "BadColumnCount",
            "d1\tp9\t2\t-0.5": "ConfidenceOutOfRange",
        }.items()
    },
    "equal scores of TAP": ("q\n1\n1 5\n0 5\n", "DirectionUnknown", "judged"),
    "TAP, descending": (BOTH_WAYS, "NotMonotone 4", "judged direction=descending"),
    "TAP, ascending": (BOTH_WAYS, "NotMonotone 5", "judged direction=ascending"),
    "TAP, either": (BOTH_WAYS, "NotMonotone 5", "judged"),
    "lists of two directions": (
        "q1\n1\n1 5\n0 5\n0 3\n\nq2\n1\n0 1\n0 2\n0 3\n\nq3\n1\n0 2\n1 1\n0 2\n",
        "MixedDirection 10, NotMonotone 17",
        "judged",
    ),
    "heads and records in the order of lines": (
        "q1\n1\nx 5\n\nq1 no\n-1\n1\t1e999\n\nq4\n",
        (
            "BadRelevance 3, DuplicateQuery 5, BadWeight 5, BadRelevantCount 6, NonFinite 7, "
            "TruncatedRecord 9"
        ),
        "judged",
    ),
    "a query of TAP that there is not": (TAP, "MissingQuery", NOT_THERE),
    "a query of TAP twice": (
        "q\n1\n1 5\n\nq\n1\n1 5\n0 3\n",
        "DuplicateQuery 5",
        {"labels": None, "words": "line 5: query q is also in line 1"},
    ),
}
"""Text of a file, codes and lines of its problems, and options; `words` are in the message."""


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.usefixtures("way")
def test_what_is_refused(written, name):
    text, expected, options = (*REFUSED[name], "")[:3]
    options = options_in(options)
    caught = refuses(options.pop("words", "."), read, written(text), **options, error=ReadError)
    found = [f"{one.code} {one.line or ''}".strip() for one in caught.problems]
    assert ", ".join(found) == expected


RUN_OF_DISTANCES = "".join(
    f"{query} Q0 r{rank} {rank} {rank / 4} sys\n" for query in ("q1", "q2") for rank in range(1, 6)
)

ITERATION = dict.fromkeys(["r1", "r2", "q2", "q3", "r3"], "1e-5") | {"r1": "1e-9", "r3": "1"}


DOUBTFUL = {
    "a HMMER table that is cut off": (CUT_OFF, "seems to be cut off"),
    "hmmpfam that is cut off": (HMMPFAM.rstrip().removesuffix("//"), "cut off"),
    "hmmsearch that is cut off": (HMMSEARCH.replace("Total sequences", ""), "cut off"),
    "a TREC run of E-values": (RUN, 'if these are E-values .* set direction="ascending"'),
    "a TREC run of distances, by its ranks": (
        RUN_OF_DISTANCES,
        'ranks rise with the scores, .* if they are, set direction="ascending"$',
    ),
    "no E-values": (
        "# Fields: query id, subject id, bit score\nq1\tr1\t30\nq1\tr3\t50\n",
        "no column of E-values; the lists are by bit score",
    ),
    "a guess": (RESEEK[4], "read as 'reseek'"),
    "records of which nothing says whether they are relevant": (
        "query,record,evalue,relevant\nq1,r1,1,1\n\nq1,r2,2,\nq1,r3,3,NA\nq1,t1,4,ignored\nq2,,,\n",
        "2 rows left out, the first in line 4: nothing stands under relevant",
    ),
    "rows that are apart": (
        m8("q1", "r1") + m8("q2", "r1") + m8("q1", "r2"),
        "the rows of q1 are not contiguous",
    ),
    "iterations of PSI-BLAST that nothing tells apart": (
        "".join(m8("q1", *row) for row in ITERATION.items()) * 2,
        "the list of q1 is written more than once; .* write the file with -outfmt 7",
    ),
    "fewer rows than announced": (
        outfmt7("q1", m8("q1", "r1"), announced=2),
        "announces 2 hits and has 1",
    ),
}


def test_alignments_of_a_record_that_stand_apart_are_no_second_list(written):
    """As of HH-suite, which lists by probability: few records have several."""
    rows = [*ITERATION.items(), ("r1", "1e-2")]
    path = written("".join(m8("q1", *row) for row in rows))
    assert by_query(read(path, labels=LABELS)) == lists_of(
        "q1 r1=1e-9 r2=1e-5 q2=1e-5 q3=1e-5 r3=1!"
    )


@pytest.mark.parametrize(("text", "words"), DOUBTFUL.values(), ids=DOUBTFUL)
def test_what_is_doubtful_is_said_where_tapviz_is_called(written, text, words):
    with pytest.warns(UserWarning, match=words) as warned:
        read(written(text), labels=LABELS)
    assert [warning.filename for warning in warned] == [__file__]


@pytest.mark.parametrize(
    ("evalue", "value"),
    [("2e-101", 2e-101), ("e-171", 1e-171), ("0.0", 0), ("4.940656e-324", 5e-324), ("1E+02", 100),
     (".5", 0.5), ("+1.", 1), ("1e-400", 0), ("342211688231646", 342211688231646.0), (" 7 ", 7)],
)  # fmt: skip
@pytest.mark.usefixtures("way")
def test_numbers_as_programs_write_them(written, evalue, value):
    assert read(written(m8("q1", "r1", evalue)), labels=LABELS).score.tolist() == [value]


@pytest.mark.parametrize(
    ("evalue", "code"),
    [("nan", "NonFinite"), ("inf", "NonFinite"), ("-inf", "NonFinite"), ("1e400", "NonFinite"),
     ("Infinity", "NonFinite"), ("1_0", "NotANumber"), ("\u0661", "NotANumber"),
     ("", "NotANumber"), ("0x1", "NotANumber"), ("1e", "NotANumber"), ("e5", "NotANumber"),
     ("NA", "NotANumber"), ("-1", "NegativeEvalue"), ("\u00a01", "NotANumber"),
     ("\x0b1", "NotANumber")],
)  # fmt: skip
def test_numbers_that_are_none(written, evalue, code):
    for row in (m8("q1", "r3", evalue), m8("q1", "r3", "1", evalue)):
        if row.endswith("\t-1\n"):  # which a bit score may be
            continue
        assert problems(written(m8("q1", "r1") + row), labels=LABELS) == [(code, 2)]


def test_quotes_are_part_of_an_id(written):
    labels = ClassTable({"q1": "a.1.1", "\"5'-kinase": "a.1.1"})
    assert read(written(m8("q1", "\"5'-kinase")), labels=labels).relevant.tolist() == [True]


def test_columns_and_options_that_cannot_be(written):
    path = written(FOUR)
    for columns in ("", " ", ()):
        refuses("expected names", read, path, labels=LABELS, columns=columns)
    with pytest.raises(ValueError, match="columns has no meaning for 'tap' files"):
        read(path, format="tap", columns="qseqid sseqid evalue")
    with pytest.raises(ReadError, match="no column 'prob'; there are query, record, pident"):
        read(path, labels=LABELS, columns="std qcovs", score="prob")
    with pytest.raises(ValueError, match="iteration is 0: expected a whole number, 1 or more"):
        read(path, labels=LABELS, iteration=0)
    refuses("swap is for hits", read, written("q\n1\n1 2\n0 3\n"), swap=True)


@pytest.mark.usefixtures("way")
def test_records_of_dropped_iterations_are_no_records(written):
    blocks = [outfmt7("q1", m8("q1", r), iteration=n) for n, r in ((1, "gone"), (2, "r1"))]
    hits = hits_of(written("".join(blocks) + BLAST_END))
    assert (hits.record_id, hits.record.tolist()) == (["r1"], [0])


@pytest.mark.usefixtures("way")
def test_fasta_names_columns_it_does_not_write(written):
    text = (
        "# ssearch36 -m 8C q.fa db.fa\n# SSEARCH 36.3.8i Nov, 2022\n# Query: q1  - 153 aa\n"
        "# Fields: query id, query length, subject id, subject length, % identity, alignment "
        "length, mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score{}\n"
        "# 1 hits found\nq1\tr1\t100.00\t153\t0\t0\t1\t153\t1\t153\t7.7e-75\t266.2{}\n"
        "# SSEARCH processed 1 queries\n"
    )
    for more in (("", ""), (", BTOP", "\t153")):
        path = written(text.format(*more))
        assert rows_of(hits_of(path)) == [("q1", "r1", 7.7e-75)]
        assert rows_of(hits_of(path, score="bits")) == [("q1", "r1", 266.2)]
        assert hits_of(path, score="pident").score.tolist() == [100]


def test_tables_of_hmmer_without_comments(written):
    tables = {
        "hmmer": tblout("r1", "q1") + tblout("r3", "q1", "2"),
        "domtblout": domtblout("r1", "q1", "1e-5", 1) + domtblout("r3", "q1", "2", 1),
    }
    for name, text in tables.items():
        path = written(text)
        assert detect(path)[:2] == (name, "likely")
        with pytest.warns(UserWarning, match="cut off"):
            lists = read(path, labels=LABELS)
        assert by_query(lists) == {"q1": [("r1", 1e-5, True), ("r3", 2.0, False)]}


@pytest.mark.usefixtures("way")
def test_the_last_of_several_tables_of_jackhmmer(written):
    end = "#\n# Program:         {}\n# [ok]\n"
    tables = [
        "# target name\n" + tblout("r1", "q1", "1") + tblout("r3", "q1", "2") + tblout("r2", "q2"),
        "# target name\n" + tblout("r2", "q1", "3"),
        "# target name\n" + tblout("r2", "q3", "4"),
    ]
    path = written("".join(table + end.format("jackhmmer") for table in tables))
    with pytest.warns(UserWarning, match="2 rows are of tables of jackhmmer that are followed"):
        lists = read(path, labels=LABELS)
    assert by_query(lists) == lists_of("q1 r2=3; q2 r2=1e-5; q3 r2=4")
    # A database searched in two parts is another thing.
    path = written("".join(table + end.format("phmmer") for table in tables))
    with pytest.warns(UserWarning, match="the rows of q1 are not contiguous"):
        lists = read(path, labels=LABELS)
    assert lists.record.tolist() == ["r1", "r3", "r2", "r2", "r2"]


def test_tap_lists(written):
    def held(lists):
        names = ("query", "weight", "n_relevant", "score")
        return [getattr(lists, name).tolist() for name in names]

    lists = read(written(TAP))
    assert held(lists) == [["q1", "q2", "q3"], [2.5, 1, 1], [3, 0, 1], [0.1, 0.1, 0.5, 70]]
    assert lists.offset.tolist() == [0, 3, 3, 4]
    assert lists.relevant.tolist() == [True, False, True, False]
    assert (lists.direction, lists.record) == ("ascending", None)
    some = read(written(TAP), queries=["q3", "q1"])
    assert held(some) == [["q3", "q1"], [1, 2.5], [1, 3], [70, 0.1, 0.1, 0.5]]


def test_tap_lists_keep_the_order_of_the_file(written):
    lists = read(written("q\n1\n0\t5\t\tr2\textra\n1\t5\t\tr1\n0\t4\n"))
    assert (lists.direction, lists.record.tolist()) == ("descending", ["r2", "r1", ""])
    assert read(written("q\n1\n1 5\n0 5\n"), direction="descending").direction == "descending"


def test_the_fourth_column_is_a_record_only_with_tabs(written):
    assert read(written("q\n1\n0 5 a b\n1 6 c d\n")).record is None
    assert read(written("q\n1\n0\t5\t\tr2 \n1\t6\t\tr1\n")).record.tolist() == ["r2", "r1"]


@pytest.mark.parametrize("name", [f"v0{n}" for n in range(1, 7)])
@pytest.mark.usefixtures("way")
def test_trec_runs(name):
    path = GOLDEN / "trec" / f"{name}.run"
    rows = [line.split() for line in path.read_text().splitlines()]
    hits = hits_of(path, "trec")
    assert rows_of(hits) == [(row[0], row[2], float(row[4])) for row in rows]
    assert hits.direction == "descending"
    assert detect(path)[:2] == ("trec", "certain")
    lists = read(path, labels=Qrels.read(path.with_suffix(".qrels"), rules=JoinRules()))
    assert lists.join_report.rows_read == len(rows)


@pytest.mark.usefixtures("way")
def test_profmark():
    path = GOLDEN / "peers" / "profmark.out"
    rows = [line.split() for line in path.read_text().splitlines()]
    assert rows_of(hits_of(path)) == [(q, target, float(e)) for e, _, target, q in rows]
    assert detect(path)[:2] == ("profmark", "certain")
    assert hits_of(path, score="bits").score.tolist() == [float(row[1]) for row in rows]
    names = path.with_suffix(".pos").read_text().split()
    queries = [line.split()[0] for line in path.with_suffix(".tbl").read_text().splitlines()]
    labels = Patterns(r"^[^/]+", names, rules=JoinRules(decoys=r"^decoy\d+$"))
    lists = read(path, labels=labels, queries=queries)
    assert lists.n_queries == len(queries)
    assert lists.n_relevant.tolist() == [
        sum(name.startswith(query + "/") for name in names) for query in queries
    ]
    found = {(target, query) for _, _, target, query in rows}
    own = {one for one in found if one[0].startswith(one[1] + "/") and one[1] in queries}
    decoys = {one for one in found if one[0].startswith("decoy")}
    assert (lists.relevant.sum(), (~lists.relevant).sum()) == (len(own), len(decoys))
    assert lists.join_report.ignored == len(rows) - len(own) - len(decoys) > 0
    # The curve of HMMER's rocplot.pl: at each decoy, errors per query and positives above it.
    epq, positives = np.loadtxt(path.with_suffix(".rocplot.expected")).T
    assert np.unique(lists.score).size == lists.score.size  # no ties, so no way to break them
    curve = roc_n_curve(lists, n=len(epq))
    assert curve.pooled * lists.n_relevant.sum() == close(positives)
    assert curve.errors / lists.n_queries == pytest.approx(epq, abs=5e-5)
    coverage = coverage_vs_epq(lists, max_epq=10)
    decoy = np.diff(coverage.epq, prepend=0) > 0
    np.testing.assert_array_equal(coverage.epq[decoy], epq)
    found = coverage.coverage[decoy] * lists.n_relevant.sum()
    assert found == pytest.approx(positives, rel=1e-12)
    # It stops at 10 false positives per query, where the hits go on.
    assert coverage_vs_epq(lists).epq[-1] > 10


BIOCREATIVE = golden("bc/cases.json")["cases"]


@pytest.mark.parametrize("case", BIOCREATIVE, ids=lambda case: case["id"])
def test_biocreative(case):
    """Lists of interactions are compared with bc-evaluate in test_interpolated.py."""
    path, gold = GOLDEN / "bc" / case["results"], Qrels.read_gold(GOLDEN / "bc" / case["gold"])
    assert detect(path)[:2] == (case["task"].lower(), "likely")
    if case["task"] != "ACT":
        return
    by_rank = read(path, labels=gold, score="rank")
    assert ipr_auc(by_rank).value == close(case["bc-evaluate 2.3.1"]["auc_iP/R"])
    assert by_rank.n_relevant.tolist() == [sum(gold.grades["ACT"].values())]
    # What was classified as negative has its confidence below 0.
    lists, hits = read(path, labels=gold), case["bc-evaluate 3.2"]["hits"]
    positive, relevant = lists.score > 0, lists.relevant
    chosen = {"tp": relevant & positive, "fp": ~relevant & positive, "fn": relevant & ~positive}
    assert {name: one.sum() for name, one in chosen.items()} == {one: hits[one] for one in chosen}


def test_what_labels_know_of_articles_is_counted(written):
    assert read(written(JUDGED), **CLASSES).n_relevant.tolist() == [3]
