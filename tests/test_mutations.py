"""Thousands of damaged files: a result, or a problem with file and line; in time and memory.

The same number makes the same file, so that a case that fails can be run alone. Many more of them
are run by ``pytest -m nightly tests/test_mutations.py``; ``TAPVIZ_SEED`` draws others.
"""

import io
import json
import os
import random
import re
import resource
import warnings
from functools import cache

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tapviz.readers import FORMATS, ReadError, ReadOptions, read_all
from tapviz.readers.inputs import guess
from tests.damaged import (
    ANY,
    GOLDEN,
    GOOD,
    PIECES,
    check_growth,
    check_problems,
    either_way,
    in_time,
    labels_of,
    outcome,
    packed,
    parquet_file,
)

PER_TEST = 500
MEMORY = 600  # MB, by which a process may have grown at most
HITS = b"query,record,evalue\nq1,r1,1e-9\nq1,r2,0.5\nq2,r3,2\n"
LABELS = {
    "labels": b"q1\ta.1.1\nq2\ta.1.2\nr1\ta.1.1\nr2\tb.1.1\nr3\ta.1.2\n",
    "query_labels": b"q1\ta.1.1\nq2\ta.1.2\n",
    "qrels": b"q1 0 r1 1\nq1 0 r2 0\nq2 0 r3 2\n",
    "gold": b"q1\tr1\nq1\tr2\nq2\tr3\n",
    "totals": b"q1 3\nq2 1\n",
    "queries": b"q1\nq2\nq3\n",
}
BEGINNINGS = [b"\xe2\x80\xa8\n", b"\xc2\xa0\n", b"\xef\xbb\xbf", b"\n" * 200, b"\xff\xfe", b"#\n",
              b" \n", b"\x85\n", b"\x1c\n", b"\xe3\x80\x80\t\n"]  # fmt: skip


def written_by_others():
    """The same table as other programs may write it in Parquet."""
    ids = pa.array(["q1", "q1", "q2"]), pa.array(["r1", "r2", "r3"])
    scores = pa.array([1e-9, 0.5, 2.0])
    options = [
        {"compression": "none", "use_dictionary": False},
        {"compression": "zstd", "data_page_version": "2.0"},
        {"compression": "gzip", "store_schema": False, "row_group_size": 1},
    ]
    for number, how in enumerate(options):
        query, record = (one.dictionary_encode() for one in ids) if number else ids
        table = {"query": query, "target": record, "evalue": scores, "bits": np.ones(3)}
        out = io.BytesIO()
        parquet.write_table(pa.table(table), out, **how)
        yield out.getvalue()


@cache
def samples():
    """Good files of results."""
    golden = [
        path.read_bytes()[:3000]
        for folder in ("tapk", "pooled", "roc", "sources")
        for path in sorted((GOLDEN / folder).glob("*.tsv"))[:5]
    ]
    return [*GOOD, *golden], [parquet_file(), *written_by_others()]


def of_lines(lines, chance):
    """Lines in another order, or with another cell, or two cells exchanged."""
    what, row = chance.choice(("shuffle", "move", "cell", "cells")), chance.randrange(len(lines))
    if what == "shuffle":
        chance.shuffle(lines)
    elif what == "move":
        lines.insert(chance.randrange(len(lines)), lines.pop(row))
    elif what == "cell":
        cells = lines[row].split(b"\t")
        cells[chance.randrange(len(cells))] = chance.choice(PIECES)
        lines[row] = b"\t".join(cells)
    else:
        cells = re.split(rb"([\t, ]+)", lines[row])
        one, other = chance.choices(range(len(cells)), k=2)
        cells[one], cells[other] = cells[other], cells[one]
        lines[row] = b"".join(cells)
    return lines


def mutated(text, chance):
    """A file with something cut out, put in, exchanged, doubled or flipped."""
    for _ in range(chance.randint(1, 5)):
        start = chance.randint(0, len(text))
        stop = min(len(text), start + chance.choice((0, 1, 1, 2, 8, 200)))
        what, piece = chance.randrange(9), b""
        if what == 0:
            piece = chance.choice(PIECES)
        elif what == 1:
            piece = chance.randbytes(chance.randint(1, 4))
        elif what == 2:
            piece = text[start:stop] * chance.randint(2, 50)
        elif what == 3:
            piece = bytes(byte ^ (1 << chance.randrange(8)) for byte in text[start:stop])
        elif what == 4:
            text = text[:stop]
        elif what == 5:
            start, stop = sorted((start, chance.randint(0, len(text))))
        elif what == 6:
            start, stop, piece = 0, 0, chance.choice(BEGINNINGS)
        else:
            text, start, stop = b"\n".join(of_lines(text.split(b"\n"), chance)), 0, 0
        text = text[:start] + piece + text[stop:]
    return text


def check(folder, seed, number):
    """Read a damaged file of results, or of labels."""
    chance = random.Random(f"{seed} {number}")  # noqa: S311  # so that it can be repeated
    texts, tables = samples()
    kind = chance.choices(("text", "packed", "parquet", "labels"), (60, 10, 15, 15))[0]
    path = folder / f"case {number}"
    if kind == "labels":
        name = chance.choice(sorted(LABELS))
        path.write_bytes(mutated(LABELS[name], chance))
        check_labels(path, name, folder)
    else:
        if kind == "parquet":
            text = mutated(chance.choice(tables), chance)
        else:
            text = mutated(chance.choice(texts), chance)
        if kind == "packed":
            text = packed(chance.choice(("gzip", "zstd", "bz2")), text)
            text = mutated(text, chance) if chance.random() < 0.5 else text
        path.write_bytes(text)
        options = {"format": chance.choice(sorted(FORMATS))} if chance.random() < 0.2 else {}
        either_way(path, chance.choice((ANY, labels_of(text))), **options)
    assert guess(path).words
    path.unlink()


def check_labels(path, name, folder):
    """Read good hits with damaged labels."""
    hits = folder / "hits.csv"
    hits.write_bytes(HITS)
    others = {}
    if name in ("queries", "query_labels"):
        others["labels"] = folder / "classes.tsv"
        others["labels"].write_bytes(LABELS["labels"])
    if name == "totals":
        hits.write_bytes(b"query,record,evalue,relevant\nq1,r1,1e-9,1\nq1,r2,0.5,0\nq2,r3,2,1\n")
    with warnings.catch_warnings(), in_time():
        warnings.simplefilter("ignore", UserWarning)
        try:
            read_all(hits, ReadOptions(**{name: path}, **others))
        except ReadError as error:
            check_problems(error, path)


def check_many(folder, seed, numbers):
    """Read damaged files; name the first that fails."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in numbers:
        try:
            check(folder, seed, number)
        except Exception as error:
            error.add_note(f"seed {seed!r}, number {number}: {folder / f'case {number}'}")
            raise
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < MEMORY * 1024


@pytest.mark.parametrize("part", range(10))
def test_damaged_files(tmp_path, part):
    check_many(tmp_path, "", range(part * PER_TEST, (part + 1) * PER_TEST))


@pytest.mark.nightly
@pytest.mark.parametrize("part", range(200))
def test_many_damaged_files(tmp_path, part):
    seed = os.environ.get("TAPVIZ_SEED", "night")
    check_many(tmp_path, seed, range(part * PER_TEST, (part + 1) * PER_TEST))


def test_comments_that_name_other_columns_after_all_rows(tmp_path):
    row = b"d2bk9a_\td2c0ka_\t39.583\t144\t86\t1\t1\t143\t1\t144\t3.11e-40\t130\n"
    named = b"\n# Fields: query acc.ver, subject acc.ver, % identity, ..., evalue, bit score"
    (tmp_path / "damaged").write_bytes(row + named)
    (problem,) = either_way(tmp_path / "damaged", labels_of(row))
    assert (problem.code, problem.line) == ("BadHeader", 3)


def test_what_is_damaged_was_good(tmp_path):
    for number, text in enumerate([*GOOD, packed("zstd", GOOD[0]), parquet_file()]):
        path = tmp_path / str(number)
        path.write_bytes(text)
        found = either_way(path, ANY)
        known = {problem.code for problem in found} if isinstance(found, list) else set()
        # Cut in the middle of a row, or two lines that are only the beginning of a file.
        cut = {"BadColumnCount", "DirectionUnknown", "LabelsNeeded", "EmptyInput"}
        assert known <= cut, text[:200]


def test_manifest_names_all_files():
    manifest = json.loads((GOLDEN / "formats" / "manifest.json").read_text())
    for kind in ("good", "bad"):
        files = {path.name for path in (GOLDEN / "formats" / kind).iterdir()}
        assert files == {case["file"] for case in manifest[kind]}


N = 12_500
ROW = "q1\tr1\t56.9\t108\t46\t1\t1\t108\t3\t110\t{}\t36.6\n"
HOSTILE = {
    "digits that end in a letter": lambda n: ROW.format("1e-9") + ROW.format("1" * n + "x"),
    "a comment of one word": lambda n: f"# {'BLAST' * n}\n{ROW.format('1e-9')}",
    "a comment of another word": lambda n: f"# {'fast' * n}\n{ROW.format('1e-9')}",
    "a report of one word": lambda n: f"RPS{'BLAST' * n}\n",
    "quotes that do not end": lambda n: f'query,record,evalue\n{"," * n}"q,{chr(34) * n}\n',
    "blanks": lambda n: f"q1{' ' * n}x\n1\n1 1\n\n{' ' * n}x\n1\n",
    "ends of lines": lambda n: "q\r" * n,
    "an algorithm in each row": lambda n: (
        "algorithm,query,record,evalue,relevant,n_relevant\n"
        + "".join(f"a{at},q{at},r,1,1,1\n" for at in range(n))
    ),
    "more relevant records than there are": lambda n: (
        "query,record,evalue,relevant,n_relevant\n" + "".join(f"q{at},r,1,1,0\n" for at in range(n))
    ),
    "a document again and again": lambda n: "q1 Q0 d1 1 1 t\n" * n,
    "a rank again and again": lambda n: "10.1/a\tP1\t1\t0.5\n" * n,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_more_text_takes_more_time_in_proportion(tmp_path, text):
    path = tmp_path / "hits"

    def work(size):
        path.write_text(text(size), newline="")
        assert outcome(path, ANY)
        with in_time():
            assert guess(path).words

    check_growth(work, N)


def test_an_id_of_thousands_of_classes(tmp_path):
    path = tmp_path / "classes.tsv"
    (tmp_path / "hits.csv").write_bytes(HITS)

    def work(size):
        others = "".join(f"q1\ta.{at}.1\n" for at in range(size))
        path.write_text(f"q2\ta.1.1\nr1\ta.1.1\n{others}")
        with in_time(), pytest.raises(ReadError, match="at most 200 classes of an id") as caught:
            read_all(tmp_path / "hits.csv", labels=path)
        assert [one.line for one in caught.value.problems] == [2 + 201]

    check_growth(work, N)
