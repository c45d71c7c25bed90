"""Parts of large files: parsed at once they are what the readers make of them, or not accepted."""

import gzip
import random

import numpy as np
import pytest

from tapviz import ReadError
from tapviz.condensing import inputs, parts
from tapviz.condensing.parts import rows_of_hits
from tapviz.files.problems import doubts
from tapviz.files.source import Held
from tapviz.readers import ReadOptions
from tapviz.readers.reading import contents_of

CASES = {
    "blast": (b"", "q{q}\tr{r}\t39.5\t144\t86\t1\t1\t143\t1\t144\t{e}\t{b}\n", {}),
    "columns": (b"", "{e}\tq{q}\tr{r}\t{b}\n", {"columns": "evalue query target bits"}),
    "bits": (b"", "q{q}\tr{r}\t{b}\n", {"columns": "query target bits", "score": "bits"}),
    "last": (b"", "q{q}\tr{r}\t{e}\tx\n", {"columns": "query target evalue more"}),
    "swap": (b"", "q{q}\tr{r}\t{e}\n", {"columns": "query target evalue", "swap": True}),
    "tsv": (b"query\ttarget\tevalue\tx\n", "q{q}\tr{r}\t{e}\tx\n", {}),
    "csv": (b"query,target,evalue,bits\n", "q{q},r{r},{e},{b}\n", {}),
    "reseek": (b"", "{a}\tq{q}\tr{r}\t{e}\n", {"format": "reseek", "score": "evalue"}),
}
FORMS = {"tsv": "table", "csv": "table", "reseek": "reseek"}
PIECES = [
    *(b"\n", b"\t", b",", b"#", b'"', b" ", b"\r\n", b"\r", b"\0", b"-", b"+", b"nan", b"inf"),
    *(b"*", b"_", b"e", b"e-171", b"1e999", b"0x1", b"\xff", b"\xc3\xa9", b"\xef\xbb\xbf", b"1."),
    *(b".5", b"1e-400", b"\t\t", b"\n\n", b"  \n", b"q" * 1001, b"1,5", b"\xe2\x80\xa8", b"="),
    b"'",
]


def case(name):
    header, row, options = CASES[name]
    one = inputs.Input("hits.tsv", FORMS.get(name, "blast"), 10**9, "", header)
    return one, row, ReadOptions(**options)


def block(row, draw, n_rows=30):
    """Some rows, those of a query mostly together."""
    lines = []
    for at in range(n_rows):
        values = {
            "q": at // 7 if draw.random() < 0.9 else draw.randrange(5),
            "r": draw.randrange(20),
            "e": draw.choice(["0.0", "1e-30", "2.5E-7", "0.03", "9", "4.94e-324", "1e-171"]),
            "b": draw.choice(["130", "81.6", "-3.2", "1e3"]),
            "a": draw.choice(["0.92", "0.5"]),
        }
        lines.append(row.format(**values))
    return "".join(lines).encode()


def damaged(text, draw):
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(text) + 1)
        end = min(at + draw.randrange(3), len(text))
        kind = draw.random()
        if kind < 0.6:
            text = text[:at] + draw.choice(PIECES) + text[at if draw.random() < 0.5 else end :]
        elif kind < 0.8:
            text = text[:at] + text[at + draw.randrange(1, 9) :]
        else:
            text = text[:end] + text[at:]
    return text


def told(rows):
    """What is in some rows, whatever they are held by."""
    query = np.repeat(rows.query, rows.length)
    return (
        [rows.query_id[at] for at in query],
        [rows.record_id[at] for at in rows.record],
        rows.score.tobytes(),
        list(dict.fromkeys(rows.query_id[at] for at in query)) == list(rows.query_id),
    )


@pytest.mark.parametrize("name", CASES)
def test_plain_rows_are_parsed_at_once_to_the_same_bits(name):
    one, row, options = case(name)
    text = block(row, random.Random(1), 400)  # noqa: S311
    found = parts._at_once(one, text, options)
    assert found is not None
    with doubts():
        (hits,) = contents_of(Held("hits.tsv", one.header + text), options).contents.values()
    assert told(found) == told(rows_of_hits(hits))
    assert found.record_id == hits.record_id


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_parsed_at_once_the_reader_reads_the_same(name, seed):
    one, row, options = case(name)
    draw = random.Random(f"{name} {seed}")  # noqa: S311
    accepted = 0
    for _ in range(100):
        text = damaged(block(row, draw), draw)
        found = parts._at_once(one, text, options)
        if found is None:
            continue
        accepted += 1
        asked = ReadOptions(**CASES[name][2] | {"format": one.format, "direction": "ascending"})
        try:
            with doubts():
                read = contents_of(Held("hits.tsv", one.header + text), asked).contents
        except ReadError as error:
            pytest.fail(f"{text!r}: {error}")
        (hits,) = read.values()
        assert told(found) == told(rows_of_hits(hits)), text
    assert accepted


@pytest.mark.parametrize("piece", [b"\t1\n", b"q\tr\n", b"# comment\n", b'"q"\tr\t1\tx\n'])
def test_a_row_that_is_not_like_the_others_is_for_the_reader(piece):
    one, row, options = case("columns")
    text = block(row, random.Random(2))  # noqa: S311
    assert parts._at_once(one, text + piece + text, options) is None


@pytest.mark.parametrize(("least", "size"), [(1000, 20_000), (20_000, 1000), (5000, 5000)])
def test_pieces_of_an_address_are_as_long_as_asked_for(tmp_path, least, size):
    text = b"".join(b"q%d\tr%d\t1e-9\n" % (at // 9, at) for at in range(9000))
    file = tmp_path / "hits.tsv.gz"
    file.write_bytes(gzip.compress(text))
    one = inputs.Input(file.as_uri(), "blast", file.stat().st_size, "", b"")
    pieces, read = zip(*inputs.texts_of(one, inputs.Part(0, 0, -1), size, least), strict=True)
    assert b"".join(pieces) == text
    assert sum(read) == one.size
    assert all(piece.endswith(b"\n") for piece in pieces)
    lengths = [len(piece) for piece in pieces[:-1]]
    assert 0.9 * least <= lengths[0] <= least + min(least, size)
    assert all(0.9 * size <= length <= size + min(least, size) for length in lengths[1:])
