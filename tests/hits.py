"""Rows of files of hits as programs write them, and what becomes of such files."""

from itertools import pairwise
from pathlib import Path

import numpy as np

from tapviz.files import Problems, Source
from tapviz.labels import ClassTable, Hits
from tapviz.readers import FORMATS, ReadError, ReadOptions, detect, read
from tests.refused import refuses

GOLDEN = Path(__file__).parent / "golden"
LABELS = ClassTable(
    dict.fromkeys(("q", "q1", "q2", "q3", "r1", "r2"), "a.1.1") | {"r3": "b.1.1", "t1": "b.1.1"}
)


def m8(query, record, evalue="1e-5", bits="36.6"):
    """Row of a BLAST table."""
    return f"{query}\t{record}\t56.909\t108\t46\t1\t1\t108\t3\t110\t{evalue}\t{bits}\n"


def tblout(record, query, evalue="1e-5", score="36.6", description="-"):
    """Row of a HMMER3 table."""
    domains = "2e-5 35 0.1  1.0 1 0 0 1 1 1 1"
    return f"{record}  -  {query} -  {evalue} {score} 0.1  {domains} {description}\n"


def domtblout(record, query, evalue, domain, best="1e-5"):
    """Row of a HMMER3 table of domains."""
    own = f"{domain} 2 {best} {best} 20 0 1 9 1 9 1 9 0.9"
    return f"{record} - 99 {query} - 88 {evalue} 30 0.1 {own} -\n"


def outfmt7(query, *rows, announced=None, iteration=None):
    """Block of a BLAST table with comments."""
    fields = (
        "# Fields: query acc.ver, subject acc.ver, % identity, alignment length, mismatches, "
        "gap opens, q. start, q. end, s. start, s. end, evalue, bit score\n"
    )
    return (
        "# BLASTP 2.12.0+\n"
        + (f"# Iteration: {iteration}\n" if iteration else "")
        + f"# Query: {query} some words\n# Database: db\n"
        + (fields if rows else "")
        + f"# {len(rows) if announced is None else announced} hits found\n"
        + "".join(rows)
    )


def problems(path, words=None, **options):
    """Codes and lines of the problems of a file, which are told with these words."""
    caught = refuses(words, read, path, **options, error=ReadError)
    assert all(problem.file == str(path) for problem in caught.problems)
    return [(problem.code, problem.line) for problem in caught.problems]


def by_query(lists):
    """Records, scores and relevance of each query."""
    columns = (lists.record.tolist(), lists.score.tolist(), lists.relevant.tolist())
    each, ends = [*zip(*columns, strict=True)], pairwise(lists.offset)
    return {query: each[slice(*two)] for query, two in zip(lists.query.tolist(), ends, strict=True)}


def same(one, other):
    """Hold that two lists have the same records, scores and relevance, and the same T(q)."""
    for name in ("query", "record", "score", "relevant", "offset", "n_relevant"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name


def hits_of(path, name=None, **options):
    """What a reader hands to the labels."""
    name = name or detect(path).format
    problems = Problems(str(path))
    found = FORMATS[name].read(Source(path), ReadOptions(**options), problems)
    assert not problems.found
    if isinstance(found, dict):
        (found,) = found.values()
    return found


def rows_of(hits):
    """Rows of hits: query, target, score."""
    rows = zip(hits.query, hits.record, hits.score.tolist(), strict=True)
    return [(hits.query_id[query], hits.record_id[record], score) for query, record, score in rows]


def hits(*rows, direction="ascending", relevant=None):
    """Hits from rows (query, record, score)."""
    query_id, record_id = (list(dict.fromkeys(row[of] for row in rows)) for of in (0, 1))
    return Hits(
        file="hits.tsv",
        query_id=query_id,
        record_id=record_id,
        query=np.array([query_id.index(row[0]) for row in rows], np.int64),
        record=np.array([record_id.index(row[1]) for row in rows], np.int64),
        score=np.array([row[2] for row in rows], np.float64),
        direction=direction,
        relevant=None if relevant is None else np.array(relevant, np.bool_),
    )


def trec_hits(run):
    """Hits of a run, with scores as 32-bit floats, as trec_eval keeps them, so that some tie."""
    rows = [line.split() for line in (GOLDEN / "trec" / run).read_text().splitlines()]
    found = ((row[0], row[2], float(np.float32(row[4]))) for row in rows)
    return hits(*found, direction="descending")


HMMPFAM = """hmmpfam - search one or more sequences against HMM database
HMMER 2.3.2 (Oct 2003)
- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -
HMM file:                 fs.hmm
- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -

Query sequence: q1
Accession:      [none]
Description:    [none]

Scores for sequence family classification (score includes all domains):
Model        Description                                Score    E-value  N
--------     -----------                                -----    ------- ---
r1           Globin, 2 domains                           26.5    1.1e-08   1
r3                                                       -1.9        2.2   1

Parsed for domains:
Model        Domain  seq-f seq-t    hmm-f hmm-t      score  E-value
--------     ------- ----- -----    ----- -----      -----  -------
r2             1/1       1     9 [.     1    10 [.   -10.2  3.3e+02
//

Query sequence: q2
Accession:      [none]
Description:    [none]

Scores for sequence family classification (score includes all domains):
Model        Description                                Score    E-value  N
--------     -----------                                -----    ------- ---
\t[no hits above thresholds]

Parsed for domains:
\t[no hits above thresholds]
//
"""
