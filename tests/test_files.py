"""Files are written whole or not at all, and read within limits."""

import bz2
import os
import re
import subprocess
import sys
import threading
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tapviz import ClassTable, ReadError, read
from tapviz.files import limits, source
from tapviz.files.parquet import groups
from tapviz.files.source import Source
from tapviz.lists.writing import write_atomically
from tests.refused import error_of, refuses


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_file_is_replaced_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    path.chmod(0o640)
    write_atomically(path, "new: E₀\n")
    assert path.read_bytes() == b"new: E\xe2\x82\x80\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert names_in(tmp_path) == ["report.html"]


def test_a_new_file_has_the_permissions_that_others_have(tmp_path):
    (tmp_path / "by hand").write_bytes(b"x")
    write_atomically(tmp_path / "new", b"x")
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "by hand").stat().st_mode


def test_a_link_leads_to_the_new_file(tmp_path):
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to("real.csv")
    write_atomically(tmp_path / "link.csv", "new")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text() == "new"


def test_a_device_is_written_to_as_it_is():
    write_atomically(os.devnull, "nothing is left of this")
    assert not os.path.isfile(os.devnull)  # noqa: PTH113


LIMITED = """
import resource, signal, sys
from tapviz.lists.writing import write_atomically
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_atomically("figure.svg", b"x" * 5000)
except ValueError as error:
    print(error)
"""


@pytest.mark.subprocess
def test_the_old_file_stays_where_there_is_no_room_for_the_new_one(tmp_path):
    (tmp_path / "figure.svg").write_text("old")
    command, given = [sys.executable, "-c", LIMITED], {"cwd": tmp_path, "text": True}
    said = subprocess.check_output(command, **given)
    assert said == "figure.svg: cannot be written: File too large\n"
    assert names_in(tmp_path) == ["figure.svg"]
    assert (tmp_path / "figure.svg").read_text() == "old"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("file/sub", "Not a directory"),
        ("no folder/file", "No such file or directory"),
        ("folder", "Is a directory"),
        ("a\0b", "embedded null byte|lstat: embedded null character in path"),  # as Python says
        ("x" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_written_is_said(tmp_path, monkeypatch, name, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder").mkdir()
    error = refuses("cannot be written: ", write_atomically, name, "new")
    assert re.fullmatch(reason, str(error).split("cannot be written: ")[1])
    assert (tmp_path / "file").read_text() == "old"
    assert names_in(tmp_path) == ["file", "folder"]


ONE = ClassTable({"q1": "a.1.1"})


def problem_of(results, **options):
    (problem,) = error_of(read, results, **options, error=ReadError).problems
    return problem


def few(monkeypatch, size):
    """Let a file take so much memory, of which it is given a little at a time."""
    monkeypatch.setattr(limits, "_present", limits.Limits(decoded_file=size))
    monkeypatch.setattr(source, "CHUNK", 1 << 16)


def test_a_file_that_is_cut_off_while_it_is_read_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "CHUNK", 1000)
    path = tmp_path / "hits.tsv"
    path.write_bytes(b"q1\tr1\n" * 1000)
    chunks = Source(path).chunks()
    next(chunks)
    os.truncate(path, 3000)  # at the end of a row: what is left looks like a whole file
    caught = refuses("ended after 3,000 of 6,000 bytes", list, chunks, error=ReadError)
    assert [problem.code for problem in caught.problems] == ["Truncated"]


@pytest.mark.parametrize("codec", ["gzip", "zstd", "bz2"])
def test_so_is_a_packed_one_of_several_members(tmp_path, codec):
    text = os.urandom(300_000).hex().encode()
    member = bz2.compress(text) if codec == "bz2" else pa.compress(text, codec, asbytes=True)
    path = tmp_path / "hits.tsv"
    path.write_bytes(member * 3)
    opened = Source(path)
    assert len(opened.data()) == 3 * 600_000
    os.truncate(path, 2 * len(member))  # each member is whole
    refuses(f"ended after {2 * len(member):,} of {3 * len(member):,}", opened.data, error=ReadError)


@pytest.mark.parametrize("option", ["results", "labels", "queries"])
def test_devices_are_refused_by_name(tmp_path, option):
    (tmp_path / "hits.csv").write_text("query,record,evalue\nq1,r1,1\n")
    (tmp_path / "classes.tsv").write_text("q1\ta.1.1\nr1\ta.1.1\n")
    files = {"results": tmp_path / "hits.csv", "labels": tmp_path / "classes.tsv"}
    files[option] = "/dev/zero"
    refuses("/dev/zero: this is a device", read, files.pop("results"), **files, error=ReadError)


def piped(write, reading):
    """What comes out of reading a pipe into which something is written."""
    end, begin = os.pipe()
    thread = threading.Thread(target=write, args=(begin,))
    thread.start()
    try:
        return reading(f"/dev/fd/{end}")
    finally:
        os.close(end)
        thread.join()


def test_a_pipe_is_read_to_its_end():
    def write(begin):
        os.write(begin, b"query,record,evalue,relevant,n_relevant\nq1,r1,1e-9,1,2\n")
        os.close(begin)

    assert piped(write, read).query.tolist() == ["q1"]


def test_a_pipe_without_an_end_is_refused(monkeypatch):
    few(monkeypatch, 1_000_000)

    def write(begin):
        with suppress(BrokenPipeError), open(begin, "wb", buffering=0) as file:  # noqa: PTH123
            while True:
                file.write(b"q1,r1\n" * 1000)

    refuses("takes more than 1 MB of memory", piped, write, read, error=ReadError)


ROW = {"query": ["q1"], "record": ["r1"], "evalue": [1.0]}
LONG = "x" * 1001
TOO_LONG = {
    "hits": (f"query,record,evalue\nq1,r1,1\nq1,{LONG},2\n", {}, 3),
    "lists": (f"q1\n1\n1 1\n0 2\n\n{LONG}\n0\n0 1\n0 2\n", {"format": "tap"}, 6),
    "articles": (f"10.1/a\t{LONG}\t1\t0.9\n", {"format": "int"}, 1),
}


@pytest.mark.parametrize(("text", "options", "line"), TOO_LONG.values(), ids=TOO_LONG)
def test_an_id_of_a_thousand_letters_is_none(written, text, options, line):
    problem = problem_of(written(text), **options)
    assert (problem.code, problem.line) == ("CellTooLong", line)
    assert problem.message.endswith("at most 1,000 characters in a column, found 1,001")


def test_nor_in_labels_and_queries(written):
    path = written(f"q1\ta.1.1\n{LONG}\ta.1.1\n")
    for options in ({"labels": path}, {"queries": path, "labels": ONE}):
        problem = problem_of(pa.table(ROW), **options)
        assert (problem.code, problem.line) == ("CellTooLong", 2)


def lines_of(start, line, n=20_000):
    """A text of many lines that hold a number each."""
    return start + "".join(line.format(at) for at in range(n))


MANY = {
    "rows": lines_of("query,record,evalue\n", "q,r{},1\n"),
    "lists": lines_of("", "q{}\n1\n\n"),
    "queries without hits": lines_of("# BLASTP 2.2\n", "# Query: q{}\n# 0 hits found\n"),
    "articles": lines_of("", "10.1/a{0}\tP{0}\t1\t0.9\n"),
    "reports": lines_of("hmmpfam - search\n", "Query sequence: q{}\n"),
}


@pytest.mark.parametrize("text", MANY.values(), ids=MANY)
def test_what_takes_too_much_memory_is_not_read_to_its_end(written, monkeypatch, text):
    few(monkeypatch, 1_000_000)
    problem = problem_of(written(text), labels=ClassTable({"q": "a.1.1"}))
    assert problem.code == "TooLarge"
    assert "takes more than 1 MB of memory" in problem.message
    assert 1 < problem.line < text.count("\n")
    labels = written(lines_of("", "q{}\ta.1.1\n"))  # nor are labels
    refuses("takes more than 1 MB of memory", ClassTable.read, labels, error=ReadError)


def parquet_of(tmp_path, **columns):
    path = tmp_path / "hits.parquet"
    parquet.write_table(pa.table(ROW | columns), path, compression="zstd")
    return path


def all_alike(n, text):
    """A text that is in many rows and is stored once."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(n, np.int32)), [text])


def many_rows(n):
    return {"query": all_alike(n, "q1"), "record": all_alike(n, "r1"), "evalue": np.ones(n)}


def zigzag(number, length=0):
    """A number as Thrift writes it, if need be longer than it must be."""
    number, out = number << 1, bytearray()
    while number > 127 or len(out) + 1 < length:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes([*out, number])


def test_a_small_parquet_file_of_a_long_id_is_refused_whatever_its_footer_says(tmp_path):
    long_id = parquet_of(tmp_path, record=["x" * (100 << 20)])
    assert long_id.stat().st_size < 10_000
    too_large = "unpacks to more than is read, more than 200 times"
    refuses(too_large, read, long_id, labels=ONE, error=ReadError)
    sizes = parquet.read_metadata(long_id).row_group(0)
    data = long_id.read_bytes()
    for size in (sizes.total_byte_size, sizes.column(1).total_uncompressed_size):
        assert data.count(zigzag(size)) == 1
        data = data.replace(zigzag(size), zigzag(100, len(zigzag(size))))
    long_id.write_bytes(data)
    assert parquet.read_metadata(long_id).row_group(0).column(1).total_uncompressed_size == 100
    refuses(too_large, read, long_id, labels=ONE, error=ReadError)


@pytest.mark.parametrize("version", ["1.0", "2.0"])
@pytest.mark.parametrize("codec", ["none", "snappy", "zstd"])
def test_pages_are_as_large_as_arrow_knows_them(tmp_path, version, codec):
    n = 1000
    columns = {"id": [f"q{at}" for at in range(n)], "score": np.arange(n) / 7, "n": range(n)}
    table, path = pa.table(columns), tmp_path / "table.parquet"
    parquet.write_table(
        table, path, compression=codec, data_page_version=version, row_group_size=300,
        data_page_size=500, write_batch_size=50,
    )  # fmt: skip
    known = parquet.read_metadata(path)
    with path.open("rb") as file:
        found = list(groups(file, [0, 2]))
    assert [n_rows for n_rows, _ in found] == [300, 300, 300, 100]
    for at, (_, size) in enumerate(found):
        with_headers = sum(known.row_group(at).column(c).total_uncompressed_size for c in (0, 2))
        n_pages = 20
        assert with_headers - 100 * n_pages < size < with_headers


@pytest.mark.parametrize("name", ["query", "record", "relevant", "evalue"])
def test_a_text_that_is_stored_once_is_not_written_out_for_each_row(tmp_path, name):
    n = 20_000  # times 20 MB
    path = parquet_of(tmp_path, **many_rows(n) | {name: all_alike(n, "x" * (20 << 20))})
    caught = error_of(read, path, labels=ONE, error=ReadError)
    kinds = {(problem.code, problem.unit) for problem in caught.problems}
    assert kinds == {("NotANumber" if name == "evalue" else "CellTooLong", "row")}


def test_a_parquet_file_of_too_many_rows_is_refused_before_they_are_read(tmp_path, monkeypatch):
    path = parquet_of(tmp_path, **many_rows(100_000))
    assert path.stat().st_size < 10_000
    few(monkeypatch, 1_000_000)
    monkeypatch.setattr(parquet.ParquetFile, "read_row_group", None)
    refuses("takes more than 1 MB of memory", read, path, labels=ONE, error=ReadError)


def test_lists_and_texts_of_a_parquet_file_that_are_not_utf_8_are_refused(tmp_path):
    for name in ("query", "evalue"):
        path = parquet_of(tmp_path, **{name: [[1, 2]]})
        said = f"column {name}: expected texts or numbers, found list"
        refuses(said, read, path, labels=ONE, error=ReadError)
    path = parquet_of(tmp_path)
    for good, bad in ((b"record", b"rec\xffrd"), (b"q1", b"q\xff")):
        damaged = tmp_path / "damaged.parquet"
        damaged.write_bytes(path.read_bytes().replace(good, bad))
        assert problem_of(damaged, labels=ONE).code == "Encoding"


def test_without_limits_a_file_takes_what_is_free(monkeypatch):
    monkeypatch.setattr(limits, "free_memory", lambda: 2_000_000_000)
    assert limits.Budget("hits.tsv").size == 2_000_000_000
    few(monkeypatch, 1_000_000_000)
    for free in (2_000_000_000, None):
        monkeypatch.setattr(limits, "free_memory", lambda free=free: free)
        assert limits.Budget("hits.tsv").size == 1_000_000_000
