"""Formats that are known but not read, so that the message can say what to do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tapviz.labels import Problem, problem

# How a comment or the first row of such a file looks, and what to say.
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


def unread(file: str, head: Sequence[bytes]) -> Problem | None:
    """Name the format of a file that cannot be read, from its comments and its first row."""
    for number, line in enumerate(head, 1):
        for pattern, what in OTHERS:
            if re.match(pattern, line):
                return problem("WrongFormat", file, number, line, f"this looks like {what}")
        if line.strip() and not line.startswith(b"#"):
            break
    return None
