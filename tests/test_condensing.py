"""Condensed results: the same numbers as of the whole, however the work was split."""

import errno
import gzip
import os
import pickle
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain, repeat
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock

import fsspec
import numpy as np
import pyarrow as pa
import pytest
from distributed import Client
from pyarrow import parquet

from tapviz import ReadError, read
from tapviz import measures as m
from tapviz.cli import main
from tapviz.condensing import condense, inputs, run, stored, workers_of
from tapviz.condensing.cluster import MOST_THREADS
from tapviz.labels import doubts
from tests.printed import stderr_of
from tests.refused import refuses

K, N = 6, 8
COLUMNS = ("query", "target", "evalue")


class Shuffled(Executor):
    """Threads that finish their tasks in another order than they began."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(4)
        self._random = random.Random(3)  # noqa: S311

    def submit(self, function, /, *args, **kwargs) -> Future:
        delay = self._random.random() / 50
        return self._pool.submit(lambda: (time.sleep(delay), function(*args, **kwargs))[1])


def rows_of_search():
    """Rows with many ties, several hits on one record, and queries apart."""
    draw, rows = np.random.default_rng(0), []
    for query in range(25):
        for _ in range(draw.integers(0, 90)):
            record = f"r{draw.integers(0, 120)}"
            score = float(draw.choice([1e-30, 1e-9, 1e-3, 0.1, 0.5, 1, 2, 5, 10]))
            rows.append((f"q{query}", record, score))
        rows.append((f"q{query}", f"q{query}", 1e-50))  # itself
    half = len(rows) // 2
    return rows[:half] + [rows[half + at] for at in draw.permutation(len(rows) - half)]


def as_text(rows):
    return "".join(f"{query}\t{record}\t{score}\n" for query, record, score in rows)


def searched(folder):
    """Three files of one search, and the classes of its queries and records."""
    rows = rows_of_search()
    files = [folder / f"hits{at}.tsv" for at in range(3)]
    third = len(rows) // 3
    for file, own in zip(files, (rows[:third], rows[third:-third], rows[-third:]), strict=True):
        file.write_text(as_text(own))
    classes = [f"q{at}\ta.{at % 5}.{at % 3}.1\n" for at in range(24)]  # of one none is known
    classes += [f"r{at}\ta.{at % 5}.{at % 4}.1\n" for at in range(110)]
    labels = folder / "classes.tsv"
    labels.write_text("".join(classes))
    return files, labels


@pytest.fixture
def files(tmp_path):
    return searched(tmp_path)[0]


@pytest.fixture
def labels(files):
    return files[0].with_name("classes.tsv")


@pytest.fixture
def command(files, labels, tmp_path):
    """What is typed to condense the search into the folder `out`."""
    given = ["condense", *map(str, files), "--labels", str(labels), "--columns", " ".join(COLUMNS)]
    return [*given, "--max-k", str(K), "--max-n", str(N), "-o", str(tmp_path / "out")]


@pytest.fixture
def parts(tmp_path):
    return tmp_path / "out.partial" / "parts"


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The lists of the search whole, and condensed at once."""
    files, labels = searched(tmp_path_factory.mktemp("search"))
    return whole(files, labels), condensed(files, files[0].with_name("out"), labels)


def in_one(files, into):
    into.write_text("".join(file.read_text() for file in files))
    return into


def whole(files, labels, columns=COLUMNS, **options):
    """The lists as they are read in memory, from one file."""
    one = in_one(files, labels.with_name("one.tsv"))
    with pytest.warns(UserWarning, match="no label|not contiguous"):
        return read(one, labels=labels, columns=columns, **options)


GIVEN = {"columns": COLUMNS, "max_k": K, "max_n": N}


def condensed(files, output, labels, **options):
    with pytest.warns(UserWarning, match="no label|not contiguous"):
        return condense(files, output, labels=labels, **GIVEN | options)


def as_parquet(rows, path, row_group_size=100):
    columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))
    columns["evalue"] = [float(score) for score in columns["evalue"]]
    parquet.write_table(pa.table(columns), path, row_group_size=row_group_size)


def rows_in(files):
    return [line.split("\t") for file in files for line in file.read_text().splitlines()]


@pytest.fixture(autouse=True)
def _in_parts_on_a_quick_disk(monkeypatch):
    """Cut files into parts, and let no test wait until what it wrote is on the disk."""
    in_pieces(monkeypatch, 700)
    monkeypatch.setattr(stored, "_sync", lambda _path: None)


def in_pieces(monkeypatch, size):
    monkeypatch.setattr(run, "LEAST_PART", size)
    monkeypatch.setattr(run, "MOST_PART", size)


def assert_same(full, cut):
    """All that is promised to be the same is, to the bit."""
    for name in ("query", "n_relevant", "query_class", "reported_to"):
        assert getattr(cut, name).tolist() == getattr(full, name).tolist(), name
    assert cut.reported_how == full.reported_how
    for k in range(1, K + 1):
        np.testing.assert_equal(m.error_threshold(cut, k=k), m.error_threshold(full, k=k))
        ours, theirs = m.tap_k(cut, k=k), m.tap_k(full, k=k)
        np.testing.assert_equal(ours.value, theirs.value)
        np.testing.assert_equal(ours.per_query, theirs.per_query)
    e_keep = m.error_threshold(full, k=K).e_k
    assert np.isfinite(e_keep)
    for e0 in sorted(set(full.score[full.sign * full.score <= full.sign * e_keep].tolist())):
        assert m.tap(cut, e0=e0).value == m.tap(full, e0=e0).value
        assert m.errors_per_query(cut, e0).tolist() == m.errors_per_query(full, e0).tolist()
    for n in range(1, N + 1):
        assert m.pooled_roc_n(cut, n=n) == m.pooled_roc_n(full, n=n)
        np.testing.assert_equal(m.roc_n(cut, n=n).per_query, m.roc_n(full, n=n).per_query)


def test_files_of_several_programs_are_not_made_one(command, files, capsys):
    """Their lists would be merged, of each record with the best of its scores."""
    at = command.index(str(files[0]))
    command[at : at + 2] = f"BLAST={files[0]}", f"MMseqs2={files[1]}"
    assert main(command) == 2
    assert "expected the files of one program, found BLAST, MMseqs2" in capsys.readouterr().err


@pytest.mark.parametrize("size", [10**6, 4000, 700, 60])
def test_any_number_of_parts_in_any_order_gives_the_same_bits(
    both, files, labels, tmp_path, monkeypatch, size
):
    in_pieces(monkeypatch, size)
    full, once = both
    cut = condensed(files, tmp_path / "out", labels, executor=Shuffled(), workers=4)
    assert cut.score.size < full.score.size
    assert_same(full, cut)
    assert_equal(cut, once)


def test_a_part_with_nothing_in_it_is_a_part_where_queries_are_given(files, labels, tmp_path):
    queries, given = tmp_path / "queries.txt", {"labels": labels, **GIVEN}
    queries.write_text("".join(f"q{at}\n" for at in range(24)))
    message = r"empty\.m8.*: the file is empty"
    with doubts():
        expected = condense(files, tmp_path / "expected", queries=queries, **given)
    for name, content in (("empty.m8", b"\n"), ("empty.m8.gz", gzip.compress(b""))):
        empty, output = tmp_path / name, tmp_path / f"{name} out"
        empty.write_bytes(content)
        parts = [empty, *files[:2], empty, *files[2:]]
        with doubts():
            assert_equal(condense(parts, output, queries=queries, **given), expected)
            with pytest.raises(ReadError, match=f"{message}; if the program found"):
                condense(parts, tmp_path / "other", **given)
            with pytest.raises(ReadError, match=message):
                condense([empty, empty], tmp_path / "other", queries=queries, **given)


@pytest.mark.parametrize("seed", range(4))
def test_parts_in_any_order_are_accepted_as_the_whole_is(files, labels, tmp_path, seed):
    lines = files[0].read_text().splitlines(keepends=True)
    draw = np.random.default_rng(seed)
    parts = [tmp_path / f"{piece}.tsv" for piece in range(7)]
    for part, own in zip(parts, np.array_split(lines, len(parts)), strict=True):
        part.write_text("".join(draw.permutation(own)))
    with doubts():
        full = read(in_one(parts, tmp_path / "one.tsv"), labels=labels, columns=COLUMNS)
        assert_same(full, condense(parts, tmp_path / "out", labels=labels, **GIVEN))


@pytest.mark.parametrize("names", [b"", b"query\ttarget\tevalue\n"])
def test_files_with_few_hits_each_are_judged_together(tmp_path, names):
    """As other scores in the column of E-values: nothing of it shows in a single list."""
    labels = tmp_path / "classes.tsv"
    labels.write_text("".join(f"{kind}{at}\ta.1.1\n" for kind in "qr" for at in range(9)))
    parts = [tmp_path / f"{at}.tsv" for at in range(9)]
    rows = [b"q%d\tr1\t0.9\nq%d\tr2\t0.5\nq%d\tr3\t0.2\n" % (at, at, at) for at in range(9)]
    for part, own in zip(parts, rows, strict=True):
        part.write_bytes(names + own)
    one = tmp_path / "one.tsv"
    one.write_bytes(names + b"".join(rows))
    columns = {} if names else {"columns": COLUMNS}
    large = {"score": "evalue", "direction": "descending"}
    with pytest.raises(ReadError, match="disagrees with the order of the file"):
        read(one, labels=labels, **columns)
    with pytest.raises(ReadError, match=r"0\.tsv, 1\.tsv.*disagrees with the order of the file"):
        condense(parts, tmp_path / "out", labels=labels, **columns)
    found = condense(parts, tmp_path / "out", labels=labels, **columns, **large)
    assert found.direction == "descending"


def test_many_buckets_give_the_same_bits(both, files, labels, tmp_path, monkeypatch):
    monkeypatch.setattr(run, "ROW", 10**9)  # so that hardly a row fits into a bucket
    monkeypatch.setattr(run, "MOST_BUCKETS", 40)
    assert_same(both[0], condensed(files, tmp_path / "out", labels))


def test_what_is_kept_ends_with_a_tie_or_with_the_list(both):
    full, _ = both
    e_keep = m.error_threshold(full, k=K).e_k
    for row in range(full.n_queries):
        all_of, own = (one.score[one.offset[row] : one.offset[row + 1]] for one in both)
        errors = all_of[~full.relevant[full.offset[row] : full.offset[row + 1]]]
        end = max(e_keep, errors[N - 1] if errors.size >= N else np.inf)
        assert own.tolist() == all_of[all_of <= end].tolist()


def test_large_scores_may_be_the_better_ones(files, labels, tmp_path):
    for file in files:
        rows = [(q, r, round(-np.log(float(score)), 3)) for q, r, score in rows_in([file])]
        file.write_text(as_text(rows))
    options = {"columns": ("query", "target", "bits"), "score": "bits"}
    cut = condensed(files, tmp_path / "out", labels, **options)
    assert cut.direction == "descending"
    assert_same(whole(files, labels, **options), cut)


def test_lists_that_are_too_short_for_any_k_are_kept_whole(tmp_path):
    hits, labels = tmp_path / "hits.tsv", tmp_path / "classes.tsv"
    hits.write_text("a\tb\t1e-9\na\tc\t0.5\nd\tc\t2.0\n")
    labels.write_text("a\tx.1.1\nb\tx.1.1\nc\ty.1.1\nd\ty.1.1\n")
    given = {"labels": labels, "columns": COLUMNS}
    cut = condense(hits, tmp_path / "out", **given)
    assert cut.score.tolist() == read(hits, **given).score.tolist()


def test_packed_files_parquet_and_tables_with_names_give_the_same(
    both, files, labels, tmp_path, monkeypatch
):
    packed = [file.with_suffix(".tsv.gz") for file in files]
    for file, plain in zip(packed, files, strict=True):
        file.write_bytes(gzip.compress(plain.read_bytes()))
    assert_equal(condensed(packed, tmp_path / "packed", labels), both[1])
    as_parquet(rows_in(files), tmp_path / "hits.parquet")
    named = in_one(files, tmp_path / "named.tsv")
    named.write_text("query\ttarget\tevalue\n" + named.read_text())
    in_pieces(monkeypatch, 500)
    for file in (tmp_path / "hits.parquet", named):
        assert_equal(condensed(file, tmp_path / file.stem, labels, columns=None), both[1])


def test_a_wrong_row_is_named_by_its_line_in_the_whole_file(files, labels, tmp_path, monkeypatch):
    in_pieces(monkeypatch, 300)
    lines = files[1].read_text().splitlines()
    lines[150] = "q1\tr1\tnot a number"
    files[1].write_text("\n".join(lines) + "\n")
    with pytest.raises(ReadError, match="expected a number") as caught:
        condense(files, tmp_path / "out", labels=labels, columns=COLUMNS)
    assert [(one.file, one.line) for one in caught.value.problems] == [(str(files[1]), 151)]
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "out.partial").exists()


class StoppedError(Exception):
    pass


def broken_off(files, output, labels, step, done):
    """Condense, and stop when so much of a step is done."""

    def stop(progress):
        if progress.step == step and progress.done >= done:
            raise StoppedError

    with pytest.raises(StoppedError), doubts():
        condense(files, output, labels=labels, **GIVEN, progress=stop)


@pytest.mark.parametrize("step", ["reading", "judging", "cutting"])
def test_a_run_that_was_broken_off_goes_on(both, files, labels, parts, tmp_path, step):
    broken_off(files, tmp_path / "out", labels, step, 2000 if step == "reading" else 1)
    assert not (tmp_path / "out").exists()
    os.truncate(min(parts.iterdir()) / "rows.bin", 100)  # as a disk may do
    assert_equal(condensed(files, tmp_path / "out", labels, resume=True), both[1])
    assert not (tmp_path / "out.partial").exists()


def test_what_was_finished_is_not_read_again(files, labels, parts, tmp_path):
    broken_off(files, tmp_path / "out", labels, "judging", 1)

    def inodes():
        return {part.name: part.stat().st_ino for part in parts.iterdir()}

    before, seen = inodes(), []

    def note(progress):
        if progress.step == "judging" and not seen:
            seen.append(inodes())

    condensed(files, tmp_path / "out", labels, resume=True, progress=note)
    assert seen == [before]


def test_an_earlier_run_of_something_else_is_not_gone_on_with(files, labels, tmp_path):
    broken_off(files, tmp_path / "out", labels, "reading", 1)

    def refused(message, **options):
        refuses(message, condense, files, tmp_path / "out", labels=labels, **GIVEN | options)

    refused("left of an earlier run")
    refused("had other files, labels or options", resume=True, max_k=K + 1)
    labels.write_text(labels.read_text().replace("r1\ta.1", "r1\ta.2"))
    refused("had other files, labels or options", resume=True)


def test_a_file_that_changes_meanwhile_is_told(files, labels, tmp_path):
    after = files[2].read_text() + "q1\tr1\t3.0\n"
    given = {"labels": labels, "columns": COLUMNS}
    with pytest.raises(ReadError, match="changed while it was read"):
        condense(files, tmp_path / "out", **given, progress=lambda _: files[2].write_text(after))
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_condensed_says_why(files, labels, tmp_path):
    judged = tmp_path / "judged.tsv"
    judged.write_text("query\trecord\tevalue\trelevant\tn_relevant\na\tb\t1e-3\t1\t2\n")
    (tmp_path / "there").mkdir()
    usual = {"files": files, "output": tmp_path / "out", "labels": labels, "columns": COLUMNS}
    for options, message, kind in (
        ({"labels": None}, "give labels", ReadError),
        ({"files": judged, "columns": None}, "says itself what is relevant", ReadError),
        ({"files": tmp_path / "none.tsv"}, "no such file", ReadError),
        ({"output": tmp_path / "there"}, "is there already", ValueError),
        ({"max_k": 0}, "max_k is 0", ValueError),
        ({"score": "rank"}, "parts of a file know no order", ValueError),
        ({"quantile": 0}, "quantile is 0", ValueError),
        ({"memory": 10}, "memory is 10", ValueError),
    ):
        caught = refuses(message, condense, **usual | options)
        assert isinstance(caught, ReadError) == (kind is ReadError)


def test_addresses_of_fsspec_are_read(both, files, labels, tmp_path):
    memory = fsspec.filesystem("memory")
    for file in files:
        memory.pipe(f"/{file.name}", file.read_bytes())
        memory.pipe(f"/{file.name}.gz", gzip.compress(file.read_bytes()))
    for at, address in enumerate((f"local://{tmp_path}/{{}}", "memory:///{}", "memory:///{}.gz")):
        names = [address.format(file.name) for file in files]
        assert_equal(condensed(names, tmp_path / f"found{at}", labels), both[1])
    memory.pipe("/cut.tsv.gz", gzip.compress(files[0].read_bytes())[:-100])
    wrong = {"cut.tsv.gz": r"cut\.tsv\.gz.*cut off or damaged", "none": "no such file"}
    for name, message in wrong.items():
        with pytest.raises(ReadError, match=message):
            condense(f"memory:///{name}", tmp_path / name, labels=labels, columns=COLUMNS)


class WithoutRanges(SimpleHTTPRequestHandler):
    """A web server that gives a file as a whole, whatever part of it is asked for."""

    def log_message(self, *_):
        """Say nothing."""


class WithRanges(WithoutRanges):
    """One that gives the bytes that are asked for."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not asked:
            super().do_GET()
            return
        data = Path(self.translate_path(self.path)).read_bytes()
        first, last = int(asked[1]), min(int(asked[2] or len(data)), len(data) - 1)
        self.asked.append(asked[0])
        self.send_response(HTTPStatus.PARTIAL_CONTENT)
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        self.wfile.write(data[first : last + 1])

    def end_headers(self) -> None:
        self.send_header("Accept-Ranges", "bytes")
        super().end_headers()


@contextmanager
def serving(folder, handler):
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("handler", [WithRanges, WithoutRanges])
def test_addresses_of_the_web_are_read(both, files, labels, tmp_path, handler):
    """In parts where the server gives parts, and as a stream where it does not."""
    for file in files:
        file.with_suffix(".tsv.gz").write_bytes(gzip.compress(file.read_bytes()))
    with serving(tmp_path, handler) as address:
        for ending in ("", ".gz"):
            names = [f"{address}/{file.name}{ending}" for file in files]
            assert_equal(condensed(names, tmp_path / f"out{ending}", labels), both[1])
        as_parquet(rows_in(files), tmp_path / "hits.parquet")
        given = f"{address}/hits.parquet", tmp_path / "parquet"
        if handler is WithRanges:
            assert_equal(condensed(*given, labels, columns=None), both[1])
            assert len({*handler.asked}) > len(files)
        else:
            with pytest.raises(ReadError, match="only as a whole; download it"):
                condense(*given, labels=labels)
        with pytest.raises(ReadError, match="no such file"):
            condense(f"{address}/none.tsv", tmp_path / "none", labels=labels, columns=COLUMNS)


def assert_equal(found, expected):
    """Every record and every number of two condensed data sets is the same."""
    for name in ("query", "record", "score", "relevant"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist(), name
    np.testing.assert_equal(found.kept, expected.kept)


@pytest.mark.parametrize("names", [True, False])
def test_files_that_are_named_by_their_query(files, labels, tmp_path, names):
    """A file for each query, without a column of it."""
    rows = [row for row in rows_in(files) if row[0] != "q24"]  # of which no class is known
    (tmp_path / "hits").mkdir()
    made, inside = [], []
    for query in dict.fromkeys(row[0] for row in rows):
        own = [row for row in rows if row[0] == query]
        inside += own
        made.append(tmp_path / "hits" / f"{query}.tsv")
        text = "".join(f"{record}\t{score}\n" for _, record, score in own)
        made[-1].write_text("target\tevalue\n" + text if names else text)
    together = tmp_path / "together.tsv"
    together.write_text(as_text(inside))
    given = {"format": "table"} if names else {"format": "blast", "columns": COLUMNS[1:]}
    given = {"labels": labels, "max_k": K, "max_n": N, **given}
    found = condense(made, tmp_path / "out", query_from_name=True, **given)
    assert_same(read(together, labels=labels, columns=COLUMNS), found)


def test_a_data_set_of_parquet_is_a_folder(files, labels, tmp_path):
    """Split by the database: hits of a query are in all files."""
    folder, ordered = tmp_path / "hits.parquet", []
    for at in range(3):
        own = [row for row in rows_in(files) if sum(map(ord, row[1])) % 3 == at]
        ordered += own
        (folder / f"database={at}").mkdir(parents=True)
        as_parquet(own, folder / f"database={at}" / "0.parquet", row_group_size=50)
    together = tmp_path / "together.tsv"
    together.write_text(as_text(ordered))
    with doubts():
        found = condense(folder, tmp_path / "out", labels=labels, max_k=K, max_n=N)
        assert_same(read(together, labels=labels, columns=COLUMNS), found)
    assert_equal(read(tmp_path / "out"), found)
    (tmp_path / "nothing").mkdir()
    with pytest.raises(ReadError, match="no Parquet file in this folder"):
        condense(tmp_path / "nothing", tmp_path / "again", labels=labels)


def test_a_killed_worker_changes_nothing(both, files, labels, tmp_path):
    killed = []

    with workers_of(2, most_threads=0) as workers:

        def kill(progress):
            if not killed and progress.step == "reading":
                killed.append(workers.executor.submit(os.getpid).result())
                os.kill(killed[0], signal.SIGKILL)

        given = {"executor": workers.executor, "workers": workers.n_workers, "progress": kill}
        found = condensed(files, tmp_path / "out", labels, **given)
    assert killed
    assert_equal(found, both[1])


def test_the_command_makes_a_folder_that_scores_open(command, tmp_path, capsys):
    assert main(command) == 0
    said = capsys.readouterr()
    assert "records of 24 queries kept" in said.out
    assert "1 of 25 queries has no label" in said.err
    assert read(tmp_path / "out").n_queries == 24
    assert "is there already" in stderr_of(capsys, command)


@pytest.mark.parametrize("longest", [12, 90])
@pytest.mark.parametrize("seed", range(4))
def test_where_lists_end_is_found_as_in_a_whole_file(tmp_path, monkeypatch, seed, longest):
    """By E-values, by a number of hits, and of lists with all records, in any number of parts."""
    draw = np.random.default_rng(seed)
    rows = []
    for query in range(30):
        n = longest if seed % 2 and query % 3 else int(draw.integers(0, longest))
        found = draw.choice(longest if seed == 3 else 300, n, replace=seed == 0)
        scores = np.sort(10 ** draw.uniform(-9, 0.99, n))
        rows += [(f"q{query}", f"r{one}", score) for one, score in zip(found, scores, strict=True)]
    file, labels = tmp_path / "hits.tsv", tmp_path / "classes.tsv"
    file.write_text(as_text(rows))
    classes = [f"q{at}\ta.1.1.1\n" for at in range(30)]
    labels.write_text("".join([*classes, *(f"r{at}\ta.{at % 3}.1.1\n" for at in range(250))]))
    given = {"labels": labels, "columns": COLUMNS}
    monkeypatch.setattr(run, "MOST_BUCKETS", 7)
    monkeypatch.setattr(run, "ROW", 10**9)
    in_pieces(monkeypatch, 20 * longest)  # tens of parts
    with doubts():
        for limit in ({}, {"reported_to": 20.0}):
            full = read(file, **given, **limit)
            cut = condense(file, tmp_path / f"{limit}", **given, **limit, max_k=2, max_n=3)
            assert cut.reported_to.tolist() == full.reported_to.tolist()
            assert cut.reported_how == full.reported_how
        with pytest.raises(ReadError, match=r"lies beyond 0\.001"):
            condense(file, tmp_path / "less", **given, reported_to=0.001)


MANY_PARTS = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell may have them ignore
from tapviz.condensing import run
run.LEAST_PART = run.MOST_PART = 500
from tapviz.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(("how", "workers"), [(signal.SIGKILL, "1"), (signal.SIGINT, "2")])
def test_a_command_that_was_stopped_goes_on_by_resume(both, command, parts, tmp_path, how, workers):
    with started(command, "--workers", workers) as process:
        wait_until(lambda: len(list(parts.glob("[0-9]*"))) >= 3, process)
        process.send_signal(how)
        told = process.communicate()[1]
    assert process.returncode != 0
    assert ("--resume" in told) == (how == signal.SIGINT)
    assert not (tmp_path / "out").exists()
    assert len(list(parts.glob("[0-9]*"))) >= 3
    assert main([*command, "--resume"]) == 0
    assert_equal(read(tmp_path / "out"), both[1])


def test_a_full_disk_leaves_nothing_like_a_result(both, files, labels, tmp_path, monkeypatch):
    full = repeat(OSError(errno.ENOSPC, "No space left on device"))
    with monkeypatch.context() as patched:
        patched.setattr(stored, "_sync", Mock(side_effect=chain(repeat(None, 40), full)))
        with pytest.raises(OSError, match="no space left; make room"), doubts():
            condense(files, tmp_path / "out", labels=labels, **GIVEN)
    assert not (tmp_path / "out").exists()
    assert_equal(condensed(files, tmp_path / "out", labels, resume=True), both[1])


def children_of(pid):
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(one) for thread in threads for one in thread.read_text().split()]


def family_of(pid):
    return [one for child in children_of(pid) for one in (child, *family_of(child))]


def workers_among(pids):
    """Those that work: they have loaded what is to be run, and have started nothing."""
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids}
    begun = {pid for pid, line in lines.items() if b"spawn_main" in line or b"forkserver" in line}
    return [pid for pid in begun if not children_of(pid)]


def started(command, *more):
    """The command, with many parts, in a process of its own."""
    words = [sys.executable, "-c", MANY_PARTS, *command, *more]
    return subprocess.Popen(words, stderr=subprocess.PIPE, text=True)


def wait_until(done, process):
    """Wait for something that a process does, which must not end before."""
    while not (found := done()):
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.01)
    return found


def test_ctrl_c_does_not_wait_for_parts_that_never_end(both, command, parts, tmp_path):
    """Workers that do nothing any more end with the command."""
    count = MOST_THREADS + 1
    with started(command, "--workers", str(count)) as process:
        wait_until(lambda: list(parts.glob("[0-9]*")), process)
        workers = workers_among(family_of(process.pid))
        assert len(workers) == count
        for pid in workers:
            os.kill(pid, signal.SIGSTOP)
        process.send_signal(signal.SIGINT)
        told = process.communicate()[1]
    assert process.returncode == 130
    assert "the same command with --resume goes on" in told
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert main([*command, "--resume"]) == 0
    assert_equal(read(tmp_path / "out"), both[1])


@pytest.fixture
def cluster(tmp_path):
    """What the documentation says to type for a cluster: its commands, and two of them begun."""
    text = Path(__file__).parents[1].joinpath("docs/howto/large.md").read_text()
    block = text.split("### A cluster")[1]
    lines = [line.split() for line in block.splitlines() if line.startswith("    ")][:3]
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    lines = [[w.replace("node1", "127.0.0.1").replace("8786", port) for w in one] for one in lines]
    *begin, condensing = lines
    quiet = {"cwd": tmp_path, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with ExitStack() as processes:
        for program, *words in begin:
            assert program == "dask"
            process = subprocess.Popen([sys.executable, "-m", "dask", *words], **quiet)
            processes.callback(process.wait)
            processes.callback(process.terminate)
        yield process, condensing


def test_the_commands_for_a_cluster_with_a_worker_killed(both, command, parts, tmp_path, cluster):
    worker, (program, *words) = cluster
    assert (program, words[0]) == ("tapviz", "condense")
    address = words[words.index("--dask") :]
    with Client(address[1], timeout=600) as client:
        client.wait_for_workers(2)
    pids = workers_among(family_of(worker.pid))
    assert len(pids) == 2
    os.kill(pids[0], signal.SIGSTOP)  # so that the work is not done before it is killed
    with started(command, *address) as process:
        wait_until(lambda: len(list(parts.glob("[0-9]*"))) > 2, process)
        os.kill(pids[0], signal.SIGKILL)
        told = process.communicate()[1]
    assert process.returncode == 0, told
    assert "Dask's page about the workers: http://" in told
    assert_equal(read(tmp_path / "out"), both[1])
    with Client(address[1], timeout=600) as client:  # which goes on
        client.wait_for_workers(2)


# --- what others may have put there, and what can be read only once -------------------------------


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")
@pytest.mark.parametrize("how", ["folder", "link", "plan.pickle", "labels.pickle", "owner"])
def test_what_others_may_have_written_is_not_gone_on_with(files, labels, tmp_path, how):
    broken_off(files, tmp_path / "out", labels, "judging", 1)
    work = tmp_path / "out.partial"
    assert work.stat().st_mode & 0o777 == 0o700
    inputs._shared.cache_clear()

    class Evil:
        def __reduce__(self):
            return Path.touch, (tmp_path / "ran",)

    if how == "folder":
        work.chmod(0o777)
    elif how == "link":
        work.rename(tmp_path / "theirs")
        work.symlink_to(tmp_path / "theirs")
    elif how == "owner":
        if os.getuid():
            pytest.skip("only root gives files away")
        os.chown(work, 12345, 12345)
    else:
        (work / how).write_bytes(pickle.dumps(Evil()))
        (work / how).chmod(0o666)
    said = "belongs to another user, or others may write to it"
    with doubts(), pytest.raises(ValueError, match=said):
        condense(files, tmp_path / "out", labels=labels, **GIVEN, resume=True)
    assert not (tmp_path / "ran").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("what", ["a pipe", "a device"])
def test_results_that_can_be_read_only_once_are_refused_at_once(labels, tmp_path, what):
    file = tmp_path / "pipe" if what == "a pipe" else Path(os.devnull)
    if what == "a pipe":
        os.mkfifo(file)
    with pytest.raises(ReadError, match=r"can be read only once.*write it to a file first"):
        condense([file], tmp_path / "out", labels=labels, **GIVEN)
    assert not (tmp_path / "out.partial").exists()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_labels_that_come_through_a_pipe_are_read_once(both, files, labels, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(gzip.compress(labels.read_bytes())))
    writer.start()
    assert_equal(condensed(files, tmp_path / "out", pipe), both[1])
    writer.join()
