"""The formats that `read` knows: to add one is to add its record to `FORMATS`.

Of others that are known, too, a message says what they seem to be, and how to make a table of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from shlex import quote
from typing import Literal, NamedTuple

from tapviz.files import MAX_CELL, File, Line, Problem, Problems, ReadError, Source, option, toml_of
from tapviz.files.problems import problem
from tapviz.files.source import PACKED
from tapviz.labels import Hits
from tapviz.lists import RetrievalLists
from tapviz.readers import _lines, _table, blast, hmmer, parquet, per_query, table, tap, text
from tapviz.readers.options import ReadOptions

Contents = Hits | RetrievalLists | dict[str, Hits] | dict[str, RetrievalLists]
"""What is in a file: hits, which need labels, or lists; of several algorithms by name."""


class Format(NamedTuple):
    """A format `read` knows.

    Attributes
    ----------
    title : str
        What it is.
    programs : str
        Which programs write it.
    sample : str
        Two lines of it.
    recognise : callable
        Whether the first lines of a file look like it, how surely and by what.
    read : callable
        From a file and the options of reading, its contents.
    needs : tuple of str
        Options, by the names of their fields in `ReadOptions`, that it cannot do without or may
        ask for: the page shows their fields where a file has this format.
    by_line : bool
        Whether each line stands for itself, so that a large file can be read a part at a time.

    Examples
    --------
    >>> from tapviz.readers import FORMATS
    >>> "score" in FORMATS["table"].needs
    True
    """

    title: str
    programs: str
    sample: str
    recognise: Callable[[Sequence[bytes]], _lines.Match | None]
    read: Callable[[Source, ReadOptions, Problems], Contents]
    needs: tuple[str, ...] = ("score", "reported_to", "swap")
    by_line: bool = False


# Of formats that a file looks like equally surely, the first one is taken.
FORMATS = {
    "domtblout": Format(
        "HMMER3 --domtblout",
        "phmmer, jackhmmer, hmmsearch, hmmscan",
        "# target name accession tlen query name accession qlen E-value score bias # of c-Evalue\n"
        "fn3           PF00041.13  86 7LESS_DROME P13368   2554 5.6e-57 178.0  0.4 1  9     0.33",
        partial(hmmer.recognise, hmmer.DOMTBLOUT),
        partial(hmmer.read, hmmer.DOMTBLOUT),
        by_line=True,
    ),
    "hmmer": Format(
        "HMMER3 --tblout",
        "phmmer, jackhmmer, hmmsearch, hmmscan",
        "# target name        accession  query name           accession    E-value  score  bias\n"
        "d1x3ka_              -          d2bk9a_              -            5.5e-18   64.6   0.0",
        partial(hmmer.recognise, hmmer.TBLOUT),
        partial(hmmer.read, hmmer.TBLOUT),
        by_line=True,
    ),
    "hmmer2": Format(
        "HMMER2 reports",
        "hmmpfam, hmmsearch",
        "Model        Description                                Score    E-value  N\n"
        "F_a.1.1.2                                                26.5    1.1e-08   1",
        hmmer.recognise_hmmer2,
        hmmer.read_hmmer2,
    ),
    "blast7": Format(
        "BLAST tabular with comments (-outfmt 7)",
        "blastp, psiblast, rpsblast; SSEARCH and FASTA -m 8C; DIAMOND --header verbose",
        "# Fields: query acc.ver, subject acc.ver, % identity, ..., evalue, bit score\n"
        "d2bk9a_\td2c0ka_\t39.583\t144\t86\t1\t1\t143\t1\t144\t3.11e-40\t130",
        blast.recognise_comments,
        blast.read,
        ("columns", "score", "iteration", "reported_to", "swap"),
    ),
    "per-query": Format(
        "scores of each query, with a line of column names",
        "tapviz score --per-query, Foldseek's bench.awk (.rocx), spreadsheets, pandas, R",
        "query,algorithm,class,TAP-20,ROC_50\nd2bk9a_,BLASTP,a.1.1.2,0.715,0.842",
        per_query.recognise,
        per_query.read,
        ("direction",),
    ),
    "table": Format(
        "tables with a line of column names: CSV, TSV",
        "MMseqs2 and Foldseek --format-mode 4, DIAMOND --header simple, spreadsheets, pandas, R",
        "algorithm,query,record,score,relevant,n_relevant\nBLASTP,d2bk9a_,d2c0ka_,3.11e-40,1,18",
        table.recognise,
        table.read,
        ("score", "direction", "query_from_name", "reported_to", "swap"),
        by_line=True,
    ),
    "blast": Format(
        "BLAST tabular (-outfmt 6), also with other columns",
        "BLAST, DIAMOND, MMseqs2, Foldseek, SSEARCH and FASTA -m 8, USEARCH and VSEARCH blast6out",
        "d2bk9a_\td2c0ka_\t39.583\t144\t86\t1\t1\t143\t1\t144\t3.11e-40\t130\n"
        "d2bk9a_\td1x3ka_\t26.351\t148\t101\t3\t1\t147\t5\t145\t3.88e-21\t81.6",
        blast.recognise,
        blast.read,
        ("columns", "score", "query_from_name", "iteration", "reported_to", "swap"),
        by_line=True,
    ),
    "profmark": Format(
        "profmark .out",
        "HMMER's benchmark",
        "2.04672e-40 131.0 VM001/5/39-152 VM001\n0.0033 18.2 decoy75382 VM001",
        hmmer.recognise_profmark,
        hmmer.read_profmark,
        by_line=True,
    ),
    "trec": Format(
        "TREC run",
        "what trec_eval reads",
        "q1 Q0 D286 1 29.4866 system\nq1 Q0 D194 2 24.067 system",
        text.recognise_trec,
        text.read_trec,
        ("score", "direction", "reported_to", "swap"),
        by_line=True,
    ),
    "int": Format(
        "BioCreative II.5 INT results",
        "proteins of articles, as bc-evaluate reads them",
        "10.1016/j.febslet.2005.01.870\tP65260\t1\t0.96\n"
        "10.1016/j.febslet.2005.01.870\tP06931\t2\t0.92",
        partial(text.recognise, "int"),
        partial(text.read, "int"),
    ),
    "ipt": Format(
        "BioCreative II.5 IPT results",
        "pairs of proteins of articles, as bc-evaluate reads them",
        "10.1016/j.febslet.2007.01.033\tQ30142\tQ84474\t1\t0.96\n"
        "10.1016/j.febslet.2007.01.033\tP12828\tQ09159\t2\t0.92",
        partial(text.recognise, "ipt"),
        partial(text.read, "ipt"),
    ),
    "act": Format(
        "BioCreative II.5 ACT results",
        "classes of articles, as bc-evaluate reads them",
        "10.1016/j.febslet.2005.08.162\t1\t1\t0.97\n10.1016/j.febslet.2006.10.782\t0\t1\t0.94",
        partial(text.recognise, "act"),
        partial(text.read, "act"),
    ),
    "reseek": Format(
        "reseek .tsv",
        "reseek -search with its own columns; others need columns",
        "0.9212\td1a1xa_\td1jsga_\t3.1e-09\n0.4713\td1a1xa_\td2bk9a_\t0.052",
        blast.recognise_reseek,
        partial(blast.read, reseek=True),
        ("columns", "score", "reported_to", "swap"),
        by_line=True,
    ),
    "tap": Format(
        "retrieval lists of NCBI's TAP programs",
        "TAP-k, tap.pl, tapviz",
        "d2bk9a_\n18",
        tap.recognise,
        tap.read,
        ("direction", "reported_to"),
    ),
    "parquet": Format(
        "Parquet, with the columns of a table",
        "tapviz, pandas, polars, R",
        "(binary) algorithm  query    record   score     relevant  n_relevant\n"
        "         BLASTP     d2bk9a_  d2c0ka_  3.11e-40  true      18",
        lambda _: None,  # it is recognised by its first bytes, and has no lines
        parquet.read,
        ("score", "direction", "reported_to", "swap"),
    ),
}


class FormatInfo(NamedTuple):
    """What a person wants to know of a format."""

    name: str
    title: str
    programs: str
    sample: str


class Detection(NamedTuple):
    """The format that a file seems to have.

    Attributes
    ----------
    format : str
        Name of the format.
    certainty : {"certain", "likely", "possible"}
        Whether the file says so itself, looks like nothing else, or could be something else.
    why : str
        By what it was recognised.
    """

    format: str
    certainty: Literal["certain", "likely", "possible"]
    why: str


CERTAINTIES = ("certain", "likely", "possible")


def formats() -> list[FormatInfo]:
    """Return the formats that `read` knows, each with a sample of two lines.

    Examples
    --------
    >>> from tapviz.readers import formats
    >>> "blast" in [one.name for one in formats()]
    True
    """
    return [FormatInfo(name, *known[:3]) for name, known in FORMATS.items()]


def detect(path: File) -> Detection:
    """Recognise the format of a file from its content, not its name.

    Parameters
    ----------
    path : path
        A file of a search program, which may be compressed with gzip, zstd or bzip2.

    Raises
    ------
    ReadError
        If the file cannot be opened, or looks like nothing that is read.

    Examples
    --------
    >>> from tapviz.readers import detect
    >>> found = detect("blastp.tsv.gz")
    >>> found.format, found.certainty
    ('blast', 'likely')
    """
    source = Source(path)
    check_readable(source)
    return recognised(source)


def layout_of(form: str, source: Source, options: ReadOptions) -> _table.Layout | None:
    """How the rows of a table are written where that is the same in the whole file.

    Raises
    ------
    ReadError
        If a column that is needed is not there.
    """
    if form == "table":
        return table.layout_of(source, options, Problems(source.file))[1]
    if form in ("blast", "reseek"):
        return blast.layout_of(source, options, reseek=form == "reseek")
    return None


def recognised(source: Source) -> Detection:
    """Format of an open file; `ReadError` if it looks like none."""
    if source.is_parquet:
        return Detection("parquet", "certain", "it begins with PAR1")
    with_text = any(line.strip() for line in source.head)
    matches = [
        Detection(name, *match)
        for name, known in FORMATS.items()
        if with_text and (match := known.recognise(source.head)) is not None
    ]
    if matches:
        return min(matches, key=lambda found: CERTAINTIES.index(found.certainty))
    raise ReadError([_unrecognised(source.file, source.head)])


# Files that are not read: what they seem to be, and the command that makes a table of them


class Other(NamedTuple):
    """A file that is known, but not read, as `others.toml` has it."""

    pattern: re.Pattern[bytes]
    """Of a comment, or of the first row."""
    seems: str
    """What it is, and, unless there is a command, what to do with it."""
    command: str = ""
    """Filters it, and so makes a table of it."""
    within: str = ""
    """Text that one of the first lines has, too."""
    long: bool = False
    """Whether the beginning of a long line is looked at."""

    def looks_like(self, line: bytes, head: Sequence[bytes]) -> bool:
        """Whether a line, or its beginning, is of such a file, and its first lines are, too."""
        # To search in longer lines takes the square of their length.
        text = line[:MAX_CELL] if self.long or len(line) <= MAX_CELL else b""
        known = self.pattern.match(text) is not None
        return known and any(self.within.encode() in each for each in head)


@cache
def others() -> tuple[Other, ...]:
    """What is known, but not read; the first one that a line looks like is meant."""
    text = files("tapviz.readers").joinpath("others.toml").read_text("utf-8")
    told = toml_of(text, "others.toml")["file"]
    return tuple(Other(**one | {"pattern": re.compile(one["pattern"].encode())}) for one in told)


SEPARATORS = {"tabs": "\t", "commas": ",", "semicolons": ";"}
FEW = 3
"""Columns of a table of classes: id, class and higher class."""
TREC = 6
GUESSES = {4: "profmark", TREC: "trec", 12: "blast", 18: "hmmer", 22: "domtblout"}  # by columns


def check_readable(source: Source) -> None:
    """Raise `ReadError` if a file has a format that is known, but not read.

    It is known by its comments and its first row.
    """
    for number, line in enumerate(source.head, 1):
        other = next((one for one in others() if one.looks_like(line, source.head)), None)
        if other is not None:
            seems, shown = f"this seems to be {other.seems}", line
            if other.command:
                filtered = _filtered(source.file, other.command.strip())
                seems, shown = f"{seems}; a command makes a table of it:\n    {filtered}", b""
            raise ReadError([problem("WrongFormat", source.file, number, shown, seems)])
        if line.strip() and not line.startswith(b"#"):
            return


def _filtered(file: str, command: str) -> str:
    """Command that makes a table of a file, which may be packed, by one that filters it."""
    unpack = PACKED.get(Path(file).suffix.lower())
    into = quote(f"{file}.tsv")
    if unpack is None:
        return f"{command} < {quote(file)} > {into}"
    return f"{unpack} {quote(file)} | {command} > {into}"


def _unrecognised(file: str, head: Sequence[bytes]) -> Problem:
    """Describe the first row of a file that looks like no format, and what it could be."""
    filled = (Line(at, line) for at, line in enumerate(head, 1) if line.strip())
    number, row = next(_lines.rows_in(head), None) or next(filled, (None, b""))
    shown = row.decode("utf-8", "replace")
    what = next((what for what, mark in SEPARATORS.items() if mark in shown), "blanks")
    if what == "commas" and shown.count(";") > shown.count(","):  # which are in numbers
        what = "semicolons"
    cells = shown.split(SEPARATORS.get(what))
    seen = ", ".join(repr(cell[:20]) for cell in cells[:3]) + (", ..." if len(cells) > 3 else "")
    numbers = [_lines.is_number(cell.encode()) for cell in cells]
    if what == "semicolons":
        separated = "tabs between its columns, decimal points and no line sep=;"
        advice = f"if this is a table, write it with {separated}"
    elif what in SEPARATORS and 1 < len(cells) <= FEW and not any(numbers):
        advice = f"if this is a table of ids and classes, give it as {option('labels')}"
    elif what == "commas" and len(cells) == TREC and cells[1].strip() == "Q0":
        advice = "the best guess is a TREC run, whose columns blanks separate"
    elif what == "tabs" or (what == "commas" and any(numbers[2:])):
        names = option("columns", blast.likely_columns(cells))
        advice = f"if this is a table of hits, name its columns, as in {names}"
    elif what == "commas":
        advice = "if this is a table, put names of columns above it, as in query,record,score"
    elif len(cells) in GUESSES:
        advice = f"the best guess is {option('format', GUESSES[len(cells)])}"
    else:
        advice = f"if you know the format, set {option('format')}"
    columns = "1 column" if len(cells) == 1 else f"{len(cells)} columns separated by {what}"
    message = f"the format is not recognised from {columns}: {seen}; {advice}"
    return problem("WrongFormat", file, number, row, f"{message}. All formats: {option('FORMATS')}")
