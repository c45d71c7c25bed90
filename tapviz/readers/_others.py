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
        rb"<\?xml|<!DOCTYPE|<BlastOutput",
        "XML; write a table, with BLAST's -outfmt 6 or -outfmt 7",
    ),
    (
        rb"Query: +\S.*\[[LM]=[0-9]+\]",
        "the main report of HMMER3; write the table with --tblout",
    ),
    (
        rb"hmmsearch - search",
        "a report of HMMER2's hmmsearch, which is not read yet; hmmpfam's is",
    ),
    (
        rb"#.*--- this domain ---|# *target name +accession +tlen ",
        "HMMER3's table of domains (--domtblout), which is not read yet; write --tblout",
    ),
    (rb"# *target name .*\b(hmmfrom|alifrom)\b", "nhmmer's table, which is not read yet"),
    (rb"# *target name .*\bmdl\b", "Infernal's table, which is not read yet"),
    (
        rb"(query|qseqid|qaccver)\t(target|sseqid|saccver)(\t|$)",
        (
            "a table with a line of column names (--format-mode 4, or columns of your own), which "
            "is not read yet; write the 12 default columns without it"
        ),
    ),
    (rb"\S+[ \t]+Q0[ \t]+\S+([ \t]+\S+){2,3}[ \t]*$", "a TREC run, which is not read yet"),
    (
        rb"[^\t]+\t[^\t]+\t([^\t]+\t)?[0-9]+\t(0?\.[0-9]+|1(\.0*)?)$",
        "BioCreative results, which are not read yet",
    ),
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
