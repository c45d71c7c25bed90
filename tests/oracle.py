"""An oracle: files of each format whose rows are known, and damage that does what is known."""

import bz2
import gzip
import random
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from tapviz.files.options import OptionError
from tapviz.files.problems import doubts
from tapviz.labels import Held, pair_id
from tapviz.lists import RetrievalLists
from tapviz.readers import ReadError, ReadOptions
from tapviz.readers.reading import contents_of

SCORES = ("0", "3.11e-40", "1E-30", "2e-9", "0.0001", "0.5", "1", "2.50", "10", "1e+2")
CONFIDENCES = ("1", "0.96", "0.9", "0.75", "5e-1", "0.25", "0.1", "0.05", "1e-3", "1e-9")
IDS = [
    "d1x3ka_", "P12345", "007", "1e5", "NA", "nan", "null", "sp|P1|X", "é", "a.1.1.1", "TRUE", "q-1"
]  # fmt: skip
NO_NUMBERS = ("x", "1_000", "1e", "--1", "0x1f", "١٢", "１２", "e5", "1.2.3", "True", "1 e5")
FIELDS = (
    "# BLASTP 2.12.0+\n# Fields: query acc.ver, subject acc.ver, % identity, alignment length, "
    "mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score\n"
)
LF = "\n"


class Row(NamedTuple):
    query: str
    record: str
    score: str


class Form(NamedTuple):
    """A format: how it writes rows, and which of its lines are rows."""

    name: str
    line: str
    """A row, with places for its fields, and its rank."""
    at: int
    """Place of the cell of its score."""
    head: str = ""
    options: dict[str, str] = {}  # noqa: RUF012
    scores: tuple[str, ...] = SCORES
    comments: bool = True
    before: str = ""
    """Lines before the rows of a query."""
    after: tuple[str, ...] = ()
    """Lines after them."""
    blank: bool = True
    """Whether blank lines mean nothing."""


BLAST = "{query}\t{record}\t39.5\t9\t8\t6\t1\t9\t1\t9\t{score}\t130"
HMMER = "{record} - {query} - {score} 64.6 0.0 1 2 3 1 1 1 1 1 1 1 1 some words"
DOMAIN = "{record} - 86 {query} - 255 {score} 178.0 0.4 1 1 0.33 0.1 9 0.1 1 2 3 4 5 6 0.9 words"
PFAM = (
    "Query sequence: {query}\nScores for sequence family classification:\n"
    f"Model{' Description':<47} Score   E-value N\n-----{' -----------':<47} -----   ------- -"
)
FORMS = {
    "blast": Form("blast", BLAST, 10),
    "blast7": Form("blast7", BLAST, 10, FIELDS),
    "custom": Form(
        "blast", "{record}\t{score}\t{query}", 1, options={"columns": "sseqid,evalue,qseqid"}
    ),
    "hmmer": Form("hmmer", HMMER, 4, "# target name        accession  query name\n"),
    "domtblout": Form("domtblout", DOMAIN, 6, "# target name accession tlen query name\n"),
    "csv": Form("table", "{query},{record},{score}", 2, "query,record,evalue\n", comments=False),
    "tsv": Form(
        "table", "{query}\t{record}\t{score}", 2, "query\trecord\tevalue\n", comments=False
    ),
    "trec": Form(
        "trec",
        "{query} Q0 {record} {rank} {score} system",
        4,
        options={"direction": "descending"},
        scores=SCORES[::-1],
        comments=False,
    ),
    "reseek": Form("reseek", "0.5\t{query}\t{record}\t{score}", 3),
    "profmark": Form("profmark", "{score} 13.1 {record} {query}", 0),
    "int": Form("int", "{query}\t{record}\t{rank}\t{score}", 3, scores=CONFIDENCES, comments=False),
    "ipt": Form(
        "ipt", "{query}\tA0\t{record}\t{rank}\t{score}", 4, scores=CONFIDENCES, comments=False
    ),
    "hmmer2": Form(
        "hmmer2",
        "{record:<52} 26.5 {score:>9} 1",
        -2,
        "hmmpfam - search\nHMMER 2.3.2 (Oct 2003)\n\n",
        comments=False,
        before=PFAM,
        after=("", "//", ""),
        blank=False,
    ),
    "tap": Form(
        "tap",
        "0\t{score}\t\t{record}",
        1,
        options={"direction": "ascending"},
        comments=False,
        before="{query}\n1",
        after=("",),
        blank=False,
    ),
}
ALIKE = ("int", "ipt", "reseek", "profmark")
"""Formats that odd ids may make look like another."""
PACKED = {
    "plain": bytes,
    "gzip": gzip.compress,
    "two members": lambda data: gzip.compress(data[:90]) + gzip.compress(data[90:]),
    "bz2": bz2.compress,
    "zstd": lambda data: pa.compress(data, codec="zstd", asbytes=True),
}


class Case(NamedTuple):
    """A file, and what is known to come of it."""

    form: Form
    what: str
    data: bytes
    rows: list[Row] | None
    """Those that are read; None if the file is refused."""
    line: int | None = None
    """That at which it is refused; at first the place of the row among all lines."""
    either: bool = False
    """Whether it may be refused, too."""


def case(seed: int) -> Case:
    chance = random.Random(seed)  # noqa: S311
    form = FORMS[[*FORMS][seed % len(FORMS)]]
    rows, lines, places = [], [], []
    for query in chance.sample(IDS, chance.randint(1, 4)):
        records = chance.sample([*IDS, *(f"r{at}" for at in range(9))], chance.randint(1, 9))
        scores = sorted(chance.choices(range(len(form.scores)), k=len(records)))
        lines += form.before.format(query=query).split(LF) if form.before else []
        for rank, (record, score) in enumerate(zip(records, scores, strict=True), 1):
            rows.append(Row(query, record, form.scores[score]))
            places.append(len(lines))
            lines.append(form.line.format(**rows[-1]._asdict(), rank=rank))
        lines += form.after
    at = chance.randrange(len(rows))
    what = chance.choice([*CHANGES])
    made = CHANGES[what](Case(form, what, b"", rows, places[at]), lines, at, chance)
    return made if what in OF_ROWS else made._replace(line=None)


# --- what is done to a file: each takes the case, its lines, the place of a row, and chance -------


def whole(case, lines, *, end=LF):
    return case._replace(data=(case.form.head + LF.join(lines) + end).encode())


def changed(case, lines, *new):
    """The file with other lines in place of the row."""
    made = whole(case, [*lines[: case.line], *new, *lines[case.line + 1 :]])
    return made._replace(line=1 + case.form.head.count(LF) + case.line)


def without(case, at):
    return case._replace(rows=[*case.rows[:at], *case.rows[at + 1 :]])


def packing(case, lines, _, chance):
    made, pack = whole(case, lines), chance.choice([*PACKED.values()])
    return made._replace(data=pack(made.data))


def line_ends(case, lines, _, chance):
    data = whole(case, lines).data.decode()
    return case._replace(data=data.replace(LF, chance.choice(("\r\n", "\r", LF))).encode())


def no_last_end(case, lines, *_):
    return whole(case, lines, end="")


def mark(case, lines, *_):
    return case._replace(data="\ufeff".encode() + whole(case, lines).data)


def blank_lines(case, lines, _, chance):
    made = changed(case, lines, *[""] * chance.randint(1, 3), lines[case.line])
    return made if case.form.blank else made._replace(rows=None, either=True)


def comment(case, lines, *_):
    made = changed(case, lines, "# words of somebody", lines[case.line])
    return made if case.form.comments else made._replace(rows=None, either=True)


def row_gone(case, lines, at, _):
    made = without(changed(case, lines), at)._replace(either=True)
    return made if made.rows else made._replace(rows=None)


def cells_of(case, line):
    separator = next(one for one in (",", "\t", " ") if one in case.form.line)
    return line.split(separator), separator


def no_number(case, lines, at, chance):
    cells, separator = cells_of(case, lines[case.line])
    wrong = chance.choice(NO_NUMBERS)
    if separator == " " or case.form.name == "tap":
        wrong = wrong.replace(" ", "_")
    cells[case.form.at] = wrong
    return without(changed(case, lines, separator.join(cells)), at)


def cell_gone(case, lines, at, _):
    cells, _ = cells_of(case, lines[case.line])
    return without(changed(case, lines, cells[0]), at)


def no_text(case, lines, _, chance):
    data = whole(case, lines).data
    before = [*case.form.head.splitlines(), *lines[: case.line]]
    place = sum(len(line.encode()) + 1 for line in before)
    wrong = chance.choice((b"\xff", b"\x00", b"\xc3\x28"))
    return case._replace(data=data[:place] + wrong + data[place:], rows=None)


def cut_off(case, lines, _, chance):
    data = PACKED[chance.choice(("gzip", "bz2", "zstd"))](whole(case, lines).data)
    return case._replace(data=data[: chance.randint(12, len(data) - 1)], rows=None)


def long_cell(case, lines, at, _):
    """An id becomes a sequence."""
    line = lines[case.line].replace(case.rows[at].record, "A" * 5000, 1)
    return changed(case, lines, line)._replace(rows=None)


CHANGES = {one.__name__: one for one in (
    packing, line_ends, no_last_end, mark, blank_lines, comment, row_gone, no_number, cell_gone,
    no_text, cut_off, long_cell,
)}  # fmt: skip
OF_ROWS = ("no_number", "cell_gone")
"""Damage of one row, which alone may be left out."""


# --- what comes of it -----------------------------------------------------------------------------


def rows_in(contents):
    found = []
    for one in contents.values():
        if isinstance(one, RetrievalLists):
            query = np.repeat(one.query, np.diff(one.offset)).tolist()
            ids = query, [] if one.record is None else one.record.tolist()
        else:
            ids = [one.query_id[at] for at in one.query], [one.record_id[at] for at in one.record]
        found += zip(*ids, one.score.tolist(), strict=True)
    return found


def outcome(made, *, given, skip=False):
    """What reading a case gives: rows, or why not; None where the reader says that it guesses."""
    if not given and made.form.name in ALIKE:
        return None
    options = dict(made.form.options)
    if given and "columns" not in options:
        options["format"] = made.form.name
    with doubts() as said:
        try:
            asked = ReadOptions(**options, skip_bad_rows=skip)
            found = contents_of(Held("made", made.data), asked).contents
        except ReadError as error:
            odd = "not recogni" in error.problems[0].message
            return None if odd and not given else error
        except OptionError:
            if given and not skip:
                raise
            return None  # of a format that has no rows to leave out, or was not recognised
    return None if any("read as" in one for one in said) else rows_in(found)


def wrong(made: Case) -> str:
    """What is not as it is known to be; empty if all is."""

    def called(record):
        return pair_id("A0", record) if made.form.name == "ipt" else record

    expected = made.rows and [
        (row.query, called(row.record), float(row.score)) for row in made.rows
    ]
    of_row = made.what in OF_ROWS
    found = {f"given={given}": outcome(made, given=given) for given in (True, False)}
    if of_row and len(made.rows) > 1:
        found["skip"] = outcome(made, given=True, skip=True)
    for how, one in found.items():
        if isinstance(one, ReadError):
            first = one.problems[0]
            if made.rows is not None and not made.either and not of_row:
                return f"refused, {how}: {one}"
            if not first.message or not str(first).replace(LF, "").isprintable():
                return f"said badly, {how}: {one}"
            if how == "given=True" and made.line not in (None, first.line):
                return f"line {first.line} is named, not {made.line}: {one}"
        elif one is not None and (expected is None or (of_row and how != "skip")):
            if not made.either:
                return f"not refused, {how}: {one}"
        elif one is not None and one != expected:
            return f"other rows, {how}: {one}"
    return ""
