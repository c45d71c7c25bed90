"""Files that are not read: formats known for that, and files that look like no format at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tapviz.files.limits import MAX_CELL
from tapviz.files.problems import Problem, option, problem

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
    (
        rb"<\?xml|<!DOCTYPE|<BlastOutput",
        "XML; write a table, with BLAST's -outfmt 6 or -outfmt 7",
    ),
    (
        rb"Query: +\S.*\[[LM]=[0-9]+\]",
        "the main report of HMMER3; write the table with --tblout",
    ),
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
    (rb"[HNSLRDC]\t[0-9*]+\t[0-9*]+\t", "USEARCH's .uc file; write the table with -blast6out"),
]

SEPARATORS = {"tabs": "\t", "commas": ",", "blanks": None}
GUESSES = {4: "profmark", 6: "trec", 12: "blast", 18: "hmmer", 22: "domtblout"}  # by columns


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
    if what == "tabs":
        names = option("columns", "query target evalue")
        advice = f"if this is a table of hits, name its columns, as in {names}"
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
