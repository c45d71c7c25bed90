"""Good files of every format, and what may come of a damaged one: a result, or a named problem."""

import bz2
import gzip
import io
import re
import signal
import threading
import warnings
from contextlib import contextmanager
from time import process_time

import numpy as np
import pyarrow as pa
import pytest

from tapviz.labels import ClassTable, pair_id
from tapviz.lists import RetrievalLists
from tapviz.readers import ReadError, _table, formats, read_all, write_parquet
from tests.hits import GOLDEN, HMMPFAM

SECONDS = 300  # only what hangs takes so long

TAP = "q1 2.5\n3\n1\t0.1\n0\t0.1\tmore\n1 0.5 \n\n \n\nq2\n0\n\nq3\n1\n0 7e+1\n"
TAP_WITH_RECORDS = "q\n1\n0\t5\t\tr2\textra\n1\t5\t\tr1\n0\t4\t\tr3\n"
PSIBLAST = """# Iteration: 1
# Query: q1 x
# Fields: query id, subject id, evalue
# 1 hits found
q1\tr1\t1e-5
# Iteration: 2
# Query: q1 x
# 2 hits found
q1\tr1\t1e-9
q1\tr2\t0.1

Search has CONVERGED!
# BLAST processed 2 queries
"""
FASTA = """# Fields: query id, query length, subject id, subject length, evalue
q1\tr1\t2
q1\tr2\t3
"""
STAR = "q1\t*\t0\t0\t0\t0\t0\t0\t0\t0\t-1\t0\nq2\tr1\t90.1\t9\t0\t0\t1\t9\t1\t9\t1e-5\t30\n"
JACKHMMER = """# Program: jackhmmer
# target name
r1 - q1 - 1 9 0 1 9 0 1 1 1 1 1 1 1 1 - x
# [ok]
r2 - q1 - 1 9 0 1 9 0 1 1 1 1 1 1 1 1 - x
# Program: jackhmmer
# [ok]
"""
CSV = """algorithm,query,record,score,relevant,n_relevant,weight
A,q1,r1,3.5,1,2,1.5
A,q1,"r,2",2,0,2,1.5
B,q1,r1,1,true,2,1.5
B,q2,,,,0,1
"""
TSV = """method\tquery\ttarget\tevalue\tbits\trelevant
A\tq1\tr1\t1e-5\t30\t1
A\tq1\tr2\t2\t9\t
"""
WITHOUT_RECORDS = "query,score,relevant,n_relevant\nq,1,1,2\nq,2,0,2\nq,3,1,2\n"
TEXTS = [TAP, TAP_WITH_RECORDS, HMMPFAM, PSIBLAST, FASTA, STAR, JACKHMMER, CSV, TSV]
ROCX = (
    "NAME\tSCOP\tFAM\tSFAM\tFOLD\tFP\tFAMCNT\tSFAMCNT\tFOLDCNT\n"
    "d1a\ta.1.1.1\t0.5\t0.25\t0\t3\t4\t4\t9\n"
    "d2b\ta.1.2.1\t1\t0\t0.125\t1\t2\t6\t8\n"
)
# As LigUnity and others write them: a row for each target, a column for each method.
WIDE = "target;Glide;LigUnity\nAA2AR;0.25;0.75\nABL1;0.5;\nACES;0;1\n"
TEXTS += [WITHOUT_RECORDS, ROCX, WIDE]

GOOD = [
    *(path.read_bytes()[:6000] for path in sorted((GOLDEN / "formats" / "good").iterdir())),
    *(path.read_bytes()[:3000] for path in sorted((GOLDEN / "trec").glob("v0[12].run"))),
    *(path.read_bytes()[:3000] for path in sorted((GOLDEN / "bc").glob("v0[146]*.results"))),
    (GOLDEN / "peers" / "profmark.out").read_bytes()[:3000],
    *(one.sample.encode() + b"\n" for one in formats() if one.name not in ("hmmer2", "parquet")),
    *(text.encode() for text in TEXTS),
]
PIECES = [b"\t", b"\n", b"\n\n", b" ", b"#", b"\r", b"nan", b"inf", b"-", b"1e999", b"_", b"\xff",
          b"\x00", b"\xc2\xa0", b"\xe2\x80\xa8", b"\x0b", b"\x1c", b'"', b"0", b"q1", b"# [ok]\n",
          b"# Query: q9\n# 0 hits found\n", b"# Iteration: 2\n", b"# Fields: evalue\n", b"//\n",
          b"+", b".", b"1e-5", b"\xef\xbb\xbf", b"\x1f\x8b", b",", b'""', b"*", b"9" * 400,
          b"\x1b[2J", b"-1", b"1e-999", b"\x7f", b"PAR1", b"BZh9", b"\n \n", b"|",
          b"\xe2\x80\xae"]  # fmt: skip


def packed(codec, text):
    if codec == "zstd":
        return pa.compress(text, codec="zstd", asbytes=True)
    return {"gzip": gzip.compress, "bz2": bz2.compress}[codec](text)


def parquet_file():
    lists = RetrievalLists(
        [1.0, 2.0, 2.0], [True, False, True], [0, 2, 2, 3], [1, 1, 4], record=["a", "b", "c"]
    )
    out = io.BytesIO()
    write_parquet({"A": lists, "B": lists}, out)
    return out.getvalue()


class TooSlowError(Exception):
    """A reader hangs."""


@contextmanager
def in_time():
    """Raise `TooSlowError` if something takes too long."""

    def ring(*_):
        raise TooSlowError

    assert threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def check_growth(work, size, times=8):
    """Work of a larger size takes longer in proportion, and nowhere near its square.

    Both sizes are worked on in this process and compared with each other, so that the machine
    counts for nothing. Of several times the least are compared: those of the least disturbance.
    """

    def spent(size):
        begun = process_time()
        work(size)
        return process_time() - begun

    work(size)  # what is loaded and compiled once
    small, large = spent(size), spent(times * size)
    for _ in range(4):
        if large < 3 * times * small:
            return
        small, large = min(small, spent(size)), min(large, spent(times * size))
    assert large < 3 * times * small


def outcome(path, labels, **options):
    """What a file is: lists, or what is wrong; and what is doubtful."""
    with warnings.catch_warnings(record=True) as caught, in_time():
        warnings.simplefilter("always")
        try:
            found = read_all(path, labels=labels, **options)
        except ReadError as error:
            check_problems(error, path)
            return error.problems
        except ValueError as error:
            if "leave labels out" not in str(error):
                raise
            return outcome(path, None, **options)  # a broken table that looks like lists
    assert all(warning.category is UserWarning for warning in caught)
    assert all(isinstance(lists, RetrievalLists) for lists in found.values())
    return [str(warning.message) for warning in caught], [
        (name, lists.direction, *(np.asarray(getattr(lists, one)).tolist() for one in ARRAYS))
        for name, lists in found.items()
    ]


ARRAYS = ("query", "n_relevant", "weight", "offset", "score", "relevant", "record")


def either_way(path, labels, **options):
    found = outcome(path, labels, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_table, "at_once", lambda *_: None)
        assert outcome(path, labels, **options) == found
    return found


def check_problems(error, path):
    """Each problem says something, in a line that there is."""
    assert 1 <= len(error.problems) <= 10
    n_lines = len(re.split(rb"\r\n|\r|\n", path.read_bytes()))
    packed_or_parquet = path.read_bytes().startswith((b"\x1f\x8b", b"BZh", b"\x28\xb5", b"PAR1"))
    for problem in error.problems:
        assert problem.message
        assert len(problem.text) <= 80
        assert problem.text.isprintable() or not problem.text
        assert problem.line is None or problem.line >= 1
        inside = problem.file != str(path) or packed_or_parquet
        assert problem.line is None or problem.line <= n_lines or inside


def labels_of(text):
    """Labels that know every word of a file."""
    words = re.split(r"[\s,\"]+", text.decode("utf-8", "replace"))
    rows = [line.split("\t") for line in text.decode("utf-8", "replace").splitlines()]
    pairs = [pair_id(row[1], row[2]) for row in rows if len(row) == 5]
    return ClassTable(dict.fromkeys([*words, *pairs, "ACT", "x"], "a.1.1"))


ANY = labels_of(b"\n".join(GOOD))
