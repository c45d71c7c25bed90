"""Damaged files end in lists or in a `ReadError`, alike either way through a reader."""

import json
import re

from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tapviz.readers import FORMATS
from tests.damaged import ANY, GOLDEN, GOOD, PIECES, either_way, labels_of, packed, parquet_file
from tests.strategies import examples


@st.composite
def cut_and_pasted(draw, good):
    """A good file with a few bytes cut out, doubled, flipped, or put in."""
    text = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(len(text), start + 200)))
        doubled, flipped = text[start:stop] * 2, bytes(byte ^ 1 for byte in text[start:stop])
        others = st.binary(max_size=4) | st.sampled_from((doubled, flipped))
        text = text[:start] + draw(st.sampled_from(PIECES) | others) + text[stop:]
    return text


@st.composite
def rearranged(draw, good):
    """A good file with lines removed, doubled, moved, or columns of one exchanged; or cut off."""
    lines = draw(st.sampled_from(good)).split(b"\n")
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        what = draw(st.sampled_from(("remove", "double", "move", "columns", "number", "cut")))
        if what == "remove":
            del lines[at]
        elif what == "double":
            lines.insert(draw(st.integers(0, len(lines))), lines[at])
        elif what == "move":
            lines.insert(draw(st.integers(0, len(lines) - 1)), lines.pop(at))
        elif what == "cut":
            del lines[at + 1 :]
            lines[at] = lines[at][: draw(st.integers(0, len(lines[at])))]
        else:
            cells = re.split(rb"([\t, ]+)", lines[at])
            one, other = (draw(st.integers(0, len(cells) - 1)) for _ in range(2))
            if what == "columns":
                cells[one], cells[other] = cells[other], cells[one]
            else:
                cells[one] = draw(st.sampled_from(PIECES)) * draw(st.integers(1, 3))
            lines[at] = b"".join(cells)
        lines = lines or [b""]
    return b"\n".join(lines)


damaged = cut_and_pasted(GOOD) | rearranged(GOOD)
PACKED = [packed(codec, text) for text in GOOD[::5] for codec in ("gzip", "zstd", "bz2")]
damaged_binaries = cut_and_pasted([*PACKED, parquet_file()])


def check_either_way(tmp_path, text, labels=None, **options):
    path = tmp_path / "damaged"
    path.write_bytes(text)
    return either_way(path, labels or labels_of(text), **options)


SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


def cases(number):
    """Settings for so many cases, always the same ones."""
    return examples(number, derandomize=True, suppress_health_check=SLOW)


@cases(300)
@given(damaged)
def test_damaged_files(tmp_path, text):
    check_either_way(tmp_path, text)


@cases(100)
@given(damaged_binaries)
def test_damaged_binaries(tmp_path, text):
    check_either_way(tmp_path, text, ANY)


GIVEN = sorted(set(FORMATS) - {"parquet"})


@cases(100)
@given(damaged, st.sampled_from(GIVEN))
def test_damaged_files_of_a_format_that_is_given(tmp_path, text, name):
    check_either_way(tmp_path, text, format=name)


def test_comments_that_name_other_columns_after_all_rows(tmp_path):
    row = b"d2bk9a_\td2c0ka_\t39.583\t144\t86\t1\t1\t143\t1\t144\t3.11e-40\t130\n"
    named = b"\n# Fields: query acc.ver, subject acc.ver, % identity, ..., evalue, bit score"
    (problem,) = check_either_way(tmp_path, row + named, labels_of(row))
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
