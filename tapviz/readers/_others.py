"""Files that are not read: formats known for that, and files that look like no format at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tapviz.files.limits import MAX_CELL
from tapviz.files.problems import Problem, option, problem
from tapviz.readers._lines import is_number

# Pattern of a comment or the first row of such a file, and what to do with it.
OTHERS = [
    (
        rb"(T?BLAST[NPX]|(PSI|RPS)\S*BLAST\S*) +[0-9]|Query= ",
        "the pairwise report of BLAST; write the table with -outfmt 6 or -outfmt 7",
    ),
    (
        rb"\S+ +(searches|compares) a .*(data ?bank|database|sequence)",
        "the report of FASTA or SSEARCH; write the table with -m 8 or -m 8C",
    ),
    (rb"<\?xml|<!DOCTYPE|<BlastOutput", "XML; write a table, with BLAST's -outfmt 6 or -outfmt 7"),
    (rb"Query: +\S.*\[[LM]=[0-9]+\]", "the main report of HMMER3; write the table with --tblout"),
    (
        rb"# *target name .*\b(hmmfrom|alifrom)\b",
        "nhmmer's table, which is not read: a hit is a place in a sequence, not a record",
    ),
    (
        rb"# *target name .*\bmdl\b",
        "Infernal's table, which is not read: a hit is a place in a sequence, not a record",
    ),
    (
        rb"\S+[ \t]+(0|Q0)[ \t]+\S+[ \t]+-?[0-9]+[ \t]*$",
        "relevance judgements (qrels), which are labels; give a run here and them as labels",
    ),
    (
        rb"10\.[0-9]+/\S+\t[^\t]+(\t[A-Za-z][^\t]*)?$",
        "a gold standard of BioCreative, which is labels; give results here and it as labels",
    ),
    (
        rb"[^;\t]*;score;ident;",
        (
            "a table of pLM-BLAST, separated by semicolons; separate it by commas, name sid "
            "record, and qid query, a column to be added where the file is of one query"
        ),
    ),
    (
        rb"(?i:SpecId|PSMId)\t(?i:label)\t",
        (
            "Percolator's table of peptide-spectrum matches, which are no lists of queries; write "
            "a table with query, record and score"
        ),
    ),
    (rb"[HNSLRDC]\t[0-9*]+\t[0-9*]+\t", "USEARCH's .uc file; write the table with -blast6out"),
]

SEPARATORS = {"tabs": "\t", "commas": ",", "blanks": None}
E_VALUE = re.compile(r"[0-9](\.[0-9]+)?[eE]-[0-9]+")
FEW = 3
"""Columns of a table of classes: id, class and higher class."""
TREC = 6
GUESSES = {4: "profmark", TREC: "trec", 12: "blast", 18: "hmmer", 22: "domtblout"}  # by columns


def unread(file: str, head: Sequence[bytes]) -> Problem | None:
    """Name the format of a file that cannot be read, from its comments and its first row."""
    for number, line in enumerate(head, 1):
        for pattern, what in OTHERS:
            # To search in longer lines takes the square of their length.
            if len(line) <= MAX_CELL and re.match(pattern, line):
                return problem("WrongFormat", file, number, line, f"this seems to be {what}")
        if line.strip() and not line.startswith(b"#"):
            break
    return None


def unrecognised(file: str, head: Sequence[bytes]) -> Problem:
    """Describe the first row of a file that looks like no format, and what it could be."""
    number, row = next(
        ((n, line) for n, line in enumerate(head, 1) if line.strip() and line[:1] != b"#"),
        next(((n, line) for n, line in enumerate(head, 1) if line.strip()), (None, b"")),
    )
    text = row.decode("utf-8", "replace")
    what, separator = next(
        ((what, mark) for what, mark in SEPARATORS.items() if mark and mark in text),
        ("blanks", None),
    )
    cells = text.split(separator)
    seen = ", ".join(repr(cell[:20]) for cell in cells[:3]) + (", ..." if len(cells) > 3 else "")
    if what == "tabs" and 1 < len(cells) <= FEW and not any(map(is_number, row.split(b"\t"))):
        advice = f"if this is a table of ids and classes, set {option('labels')} to it"
    elif what == "tabs":
        names = option("columns", _hit_columns(cells))
        advice = f"if this is a table of hits, name its columns, as in {names}"
    elif what == "commas" and len(cells) == TREC and cells[1].strip() == "Q0":
        advice = "the best guess is a TREC run, whose columns blanks separate"
    elif what == "commas":
        advice = "if this is a table, put names of columns above it, as in query,record,score"
    elif len(cells) in GUESSES:
        advice = f"the best guess is {option('format', GUESSES[len(cells)])}"
    else:
        advice = f"if you know the format, set {option('format')}"
    columns = "1 column" if len(cells) == 1 else f"{len(cells)} columns separated by {what}"
    message = (
        f"the format is not recognised from {columns}: {seen}; {advice}. tapviz formats lists all"
    )
    return problem("WrongFormat", file, number, row, message)


def _hit_columns(cells: Sequence[str]) -> str:
    """Likely names of the columns of a table of hits, by the first E-value of its first row."""
    at = next((at for at, cell in enumerate(cells) if at > 1 and E_VALUE.fullmatch(cell)), None)
    if at is None:
        return "query target evalue"
    between = (f"column{place}" for place in range(3, at + 1))
    after = (f"column{place}" for place in range(at + 2, len(cells) + 1))
    return " ".join(["query", "target", *between, "evalue", *after])
