"""Files that are not read: what they seem to be, and the command that makes a table of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from tapviz.files.limits import MAX_CELL
from tapviz.files.problems import Problem, option, problem
from tapviz.readers import blast
from tapviz.readers._lines import is_number


def _awk(score: str, program: str, split: str = "OFS") -> str:
    """A filter that prints query, record and score, below their names."""
    begin = f'BEGIN{{{split}="\\t"; print "query","record","{score}"}}'
    return f"awk '{begin} {program}'"


NO_RECORDS = "which is not read: a hit is a place in a sequence, not a record"
# Pattern of a comment or the first row of such a file, and what to do with it.
OTHERS = {
    rb"(T?BLAST[NPX]|(PSI|RPS)\S*BLAST\S*) +[0-9]|Query= ": (
        "the pairwise report of BLAST; write the table with -outfmt 6 or -outfmt 7"
    ),
    rb"\S+ +(searches|compares|performs) a .*(data ?bank|database|sequence|search)": (
        "the report of FASTA or SSEARCH; write the table with -m 8 or -m 8C"
    ),
    rb"Blast4-archive ::=": "BLAST's archive; write the table with blast_formatter -outfmt 6",
    rb"\s*\[\s*(\{|$)": "JSON; write a table, with DIAMOND's --outfmt 6",
    rb"<\?xml|<!DOCTYPE|<BlastOutput": "XML; write a table, with BLAST's -outfmt 6 or -outfmt 7",
    rb"Query: +\S.*\[[LM]=[0-9]+\]": "the main report of HMMER3; write the table with --tblout",
    rb"# *target name .*\b(hmmfrom|alifrom)\b": f"nhmmer's table, {NO_RECORDS}",
    rb"# *target name .*\bmdl\b": f"Infernal's table, {NO_RECORDS}",
    rb"\S+[ \t]+(0|Q0)[ \t]+\S+[ \t]+-?[0-9]+[ \t]*$": (
        "relevance judgements (qrels), which are labels; give a run here and them as labels"
    ),
    rb"10\.[0-9]+/\S+\t[^\t]+(\t[A-Za-z][^\t]*)?$": (
        "a gold standard of BioCreative, which is labels; give results here and it as labels"
    ),
    rb"[^;\t]*;score;ident;": (
        "a table of pLM-BLAST, separated by semicolons; separate it by commas, name sid "
        "record, and qid query, a column to be added where the file is of one query"
    ),
    rb"(?i:SpecId|PSMId)\t(?i:label)\t": (
        "Percolator's table of peptide-spectrum matches, which are no lists of queries; write "
        "a table with query, record and score"
    ),
    rb"[HNSLRDC]\t[0-9*]+\t[0-9*]+\t": "USEARCH's .uc file; write the table with -blast6out",
}

_TAGS = "for(i=12;i<=NF;i++) if($i~/^AS:i:/) s=substr($i,6);"
# Pattern of such a line: what the file seems to be, and a filter that makes a table of it.
FILTERED = {
    rb"@(HD|SQ|PG|RG|CO|mm)\t|([^\t@]+\t[0-9]+\t){2}[0-9]+\t(\*|([0-9]+[A-Z=])+)\t": (
        "SAM",
        _awk("bits", '!/^@/{s=""; ' + _TAGS + ' print $1,(s==""?s:$3),s}', "FS=OFS"),
    ),
    rb"[^\t]+(\t[0-9]+){3}\t[+-]\t[^\t]+(\t[0-9]+){6}(\t|$)": (
        "PAF",
        _awk("bits", "{s=$10; " + _TAGS + " print $1,$6,s}", "FS=OFS"),
    ),
    rb"##maf|a( \S+=\S+)+ *$": (
        "MAF, as LAST writes it",
        _awk(
            "evalue",
            '$1=="a"{n=0; for(i=2;i<=NF;i++) if($i~/^E=/) e=substr($i,3)} '
            '$1=="s"{if(n++) print $2,r,e; else r=$2}',
        ),
    ),
    rb"[0-9]+(\t[^\t]+\t[0-9]+\t[0-9]+\t[+-]\t[0-9]+){2}\t": (
        "LAST's own table",
        _awk(
            "evalue",
            '!/^#/{e=""; for(i=12;i<=NF;i++) if($i~/^E=/) e=substr($i,3); print $7,$2,e}',
            "FS=OFS",
        ),
    ),
    rb"Command line: \[exonerate|C4 Alignment|vulgar: ": (
        "the report of exonerate",
        _awk("bits", "/^vulgar:/{print $2,$6,$10}"),
    ),
    rb"# \S*(fast|search)\S* .*-m *\"?10\b": (
        "the report of FASTA or SSEARCH with -m 10",
        _awk(
            "evalue",
            '/^>>>/{q=substr($1,4); sub(/,$/,"",q)} /^>>[^>]/{r=substr($1,3)} '
            "/_expect:/{print q,r,$3}",
        ),
    ),
}
JSON = re.compile(rb"\s*\{\s*(\"|$)")
_OF_BLAST = (
    r"""python3 -c 'import json; print("query\trecord\tevalue\tbits"); """
    """own = lambda d: (d["title"] if "BL_ORD_ID" in d["id"] else d["id"]).split()[0]; """
    """query = lambda s: (s.get("query_title") or s["query_id"]).split()[0]; """
    r"""[print(query(s), own(h["description"][0]), p["evalue"], p["bit_score"], sep="\t") """
    """for one in json.load(open(0))["BlastOutput2"] """
    """for s in [one["report"]["results"]["search"]] for h in s["hits"] for p in h["hsps"]]'"""
)
_OF_RUNS = (
    r"""python3 -c 'import json; print("query\trecord\tscore"); """
    r"""[print(q, r, s, sep="\t") for q, own in json.load(open(0)).items() """
    """for r, s in sorted(own.items(), key=lambda one: -one[1])]'"""
)
UNPACK = {".gz": "gzip -cd", ".bz2": "bzip2 -cd", ".zst": "zstd -cd"}
SEPARATORS = {"tabs": "\t", "commas": ",", "blanks": None}
FEW = 3
"""Columns of a table of classes: id, class and higher class."""
TREC = 6
GUESSES = {4: "profmark", TREC: "trec", 12: "blast", 18: "hmmer", 22: "domtblout"}  # by columns


def unread(file: str, head: Sequence[bytes]) -> Problem | None:
    """Name the format of a file that cannot be read, from its comments and its first row."""
    for number, line in enumerate(head, 1):
        # To search in longer lines takes the square of their length.
        text = line if len(line) <= MAX_CELL else b""
        for pattern, what in OTHERS.items():
            if re.match(pattern, text):
                return problem("WrongFormat", file, number, line, f"this seems to be {what}")
        filters = [known for pattern, known in FILTERED.items() if re.match(pattern, text)]
        if JSON.match(line[:MAX_CELL]):
            of_blast = any(b'"BlastOutput2"' in one for one in head)
            filters = [("BLAST's JSON", _OF_BLAST) if of_blast else ("JSON", _OF_RUNS)]
        for what, by in filters:
            message = f"this seems to be {what}; a command makes a table of it:\n    "
            return problem("WrongFormat", file, number, "", message + filtered(file, by))
        if line.strip() and not line.startswith(b"#"):
            break
    return None


def filtered(file: str, command: str) -> str:
    """Command that makes a table of a file, which may be packed, by one that filters it."""
    unpack = UNPACK.get(Path(file).suffix.lower())
    into = quote(f"{file}.tsv")
    if unpack is None:
        return f"{command} < {quote(file)} > {into}"
    return f"{unpack} {quote(file)} | {command} > {into}"


def unrecognised(file: str, head: Sequence[bytes]) -> Problem:
    """Describe the first row of a file that looks like no format, and what it could be."""
    number, row = next(
        ((n, line) for n, line in enumerate(head, 1) if line.strip() and line[:1] != b"#"),
        next(((n, line) for n, line in enumerate(head, 1) if line.strip()), (None, b"")),
    )
    shown = row.decode("utf-8", "replace")
    what, separator = next(
        ((what, mark) for what, mark in SEPARATORS.items() if mark and mark in shown),
        ("blanks", None),
    )
    cells = shown.split(separator)
    seen = ", ".join(repr(cell[:20]) for cell in cells[:3]) + (", ..." if len(cells) > 3 else "")
    if what == "tabs" and 1 < len(cells) <= FEW and not any(map(is_number, row.split(b"\t"))):
        advice = f"if this is a table of ids and classes, set {option('labels')} to it"
    elif what == "commas" and len(cells) == TREC and cells[1].strip() == "Q0":
        advice = "the best guess is a TREC run, whose columns blanks separate"
    elif what == "tabs" or (what == "commas" and any(map(is_number, row.split(b",")[2:]))):
        names = option("columns", blast.likely_columns(cells))
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
