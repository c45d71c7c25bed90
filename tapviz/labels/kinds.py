"""Files of labels: which kind one looks like, by its first lines, and its ids and classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import islice
from typing import Literal

from tapviz.files import ID, QUERY, RECORD, FileLike, RowError, Rows, option
from tapviz.files.rows import separator_of, split, unquoted
from tapviz.lists.writing import NUMBER

Kind = Literal["classes", "pairs", "gold", "totals", "queries"]

WHOLE = re.compile(r"[+-]?[0-9]{1,9}")
ARTICLE = re.compile(r"10\.[0-9]+/\S+")
ONE, TOTAL, PAIR, TREC = 1, 2, 3, 4  # columns
GOLD = (2, 3)
FASTA = re.compile(rb">\S+\s+[^\s.]+(\.[^\s.,]+)+(,\S+)?(\s|$)")
"""A header with an id and a class."""
CLASS = {"class", "classes", "label", "sccs", "scop"}
"""Names of a column of classes."""
HIGHER = {*CLASS, "family", "superfamily", "fold", "clan", "group"}
"""Names above columns of classes and higher ones in a file."""
GRADES = {"grade", "relevance", "relevant", "rel", "label", "score"}
"""Names of a column of grades."""
OF_RECORD = {*ID, "sid", "domain", "protein", "sequence", "accession", "name"}
"""Names above a column of ids in a file."""
SCORE = re.compile(r"[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+")
"""A number that is not a name of a class."""
SEVERAL = re.compile("[,;|]")
"""What people write between several classes."""
MAX_CLASSES = 200
"""Classes of an id. To compare two ids takes the square of their number."""
COLUMNS = "id and class, separated by a tab or a comma, and perhaps higher classes"
EMPTY = f"expected {COLUMNS}, found an empty one"


def kind_of(head: Sequence[bytes]) -> Kind | None:
    """Kind of labels that the first lines of a file look like; None if they look like none.

    Parameters
    ----------
    head : sequence of bytes
        The first lines of the file.

    Returns
    -------
    {"classes", "pairs", "gold", "totals", "queries"} or None
        What `ClassTable`, `Qrels.read`, `Qrels.read_gold` or `Inline.read` reads, or a list of
        ids. A guess: a table of two columns may be one or the other.

    Examples
    --------
    >>> from tapviz.labels import kind_of
    >>> kind_of([b"q1 d1 1", b"q1 d2 0"])
    'pairs'
    """
    first = next((line for line in head if line.strip()), b"")
    if first.startswith(b">"):
        return "classes" if FASTA.match(first) else None
    texts = [line.decode("utf-8", "replace").strip() for line in head if line[:1] != b"#"]
    lines = list(filter(None, texts))
    words = [line.split() for line in lines]
    separator = separator_of(lines)
    widths = {len(row) for row in words}
    width = widths.pop() if len(widths) == 1 else 0
    named = not any(NUMBER.fullmatch(row[0]) for row in words)
    if width == ONE and separator != ",":
        several = any("," in row[0] for row in words)  # columns of CSV
        return "queries" if named and not several else None
    if width in GOLD and all(ARTICLE.fullmatch(row[0]) for row in words):
        return "gold"
    if width and named and all(WHOLE.fullmatch(row[-1]) for row in words):
        trec = width == TREC and all(row[1] in ("0", "Q0") for row in words)
        pairs: Kind | None = "pairs" if width == PAIR or trec else None
        return "totals" if width == TOTAL else pairs
    return _kind_of_table([split(line, separator) for line in lines], separator)


def _kind_of_table(rows: Sequence[Sequence[str]], separator: str) -> Kind | None:
    """Kind of rows of an id and texts, none of them a number, or of what is below names."""
    # A score may be that of a result, but not of a record of a corpus, as BEIR calls them.
    if rows and names_pairs(rows[0]):
        names = _column_names(rows[0])
        if names[-1] != "score" or names[-2].startswith("corpus"):
            return "pairs"
    known = bool(rows) and names_columns(rows[0])
    widths = {len(row) for row in rows}
    numbers = any(NUMBER.fullmatch(cell.strip()) for row in rows for cell in row[1:])
    if len(widths) != 1 or widths == {ONE} or (numbers and not known):
        return None
    known = known or separator == ","  # which those of gold sets do not have
    flat = widths == {TOTAL} and not any("." in row[-1] for row in rows)
    several = len({row[0] for row in rows}) < len(rows)
    return "gold" if flat and several and not known else "classes"


def names_columns(row: Sequence[str]) -> bool:
    """Whether a row has names of columns: of ids, and of classes."""
    names = [unquoted(cell.strip()).lower() for cell in row]
    return len(names) > 1 and names[0] in OF_RECORD and HIGHER.issuperset(names[1:])


def _column_names(row: Sequence[str]) -> list[str]:
    """Names of columns in a row, or between the blanks of its only cell."""
    names = [unquoted(cell.strip()).lower() for cell in row]
    return names[0].split() if len(names) == ONE else names


def names_pairs(row: Sequence[str]) -> bool:
    """Whether a row has names of columns: of ids of queries and records, and of grades."""
    names = _column_names(row)
    pair = len(names) in (PAIR, TREC) and names[0] in QUERY
    return pair and names[-2] in RECORD and names[-1] in GRADES


def check_no_hits(rows: Rows, expected: str) -> None:
    """Raise `ReadError` if rows are hits of a search: most have a score behind two ids."""
    hits = [
        any(SCORE.fullmatch(cell.strip()) and not _is_level(cell, row) for cell in row[2:])
        for row in rows.first
    ]
    if 2 * sum(hits) > len(hits):
        seen = "these seem to be results, of which each row is a hit"
        says = "what says which records are relevant"
        rows.add("WrongFormat", None, "", f"{seen}; expected {expected}, that is, {says}")
    rows.raise_any()


def _is_level(cell: str, row: Sequence[str]) -> bool:
    """Whether 1.1 is the higher level of a class such as 1.1.1 in its row."""
    return any(other.startswith(f"{cell}.") for other in row)


def too_many(key: str, several: Sequence[object]) -> str:
    """Why the classes of an id are too many; empty if they are not."""
    if len(several) <= MAX_CLASSES:
        return ""
    return f"{key}: expected at most {MAX_CLASSES} classes of an id; leave some of them out"


def wrong_class(parts: Sequence[str], levels: int, *, in_one: bool = True) -> str:
    """What is wrong with a class, which is a text `in_one` or has columns; empty if nothing is."""
    classes = SEVERAL.split(".".join(parts)) if in_one else []
    depths = {one.count(".") for one in classes}
    if len(classes) > 1 and len(depths) == 1 and 0 not in depths:
        return "these seem to be several classes; give the id a row, or an item of a list, for each"
    if len(parts) >= levels and all(parts[:levels]):
        return ""
    expected = f"expected at least {levels} levels separated by dots, as in a.1.1.2"
    fewer = "if classes have fewer levels, say to which those of relevant records agree"
    depth = max([*parts, ""].index(""), 1)
    return f"{expected}; {fewer}: {option('levels', f'{depth},{depth - 1}')}"


def _path(names: tuple[str, ...], levels: int) -> tuple[str, ...]:
    """Levels of the class in a row, from the highest."""
    path = names[0].split(".") if len(names) == 1 else list(names[::-1])
    if len(names) > 1:
        for level in range(len(path) - 2, -1, -1):
            # Nothing outside the lower class is in the same higher one.
            path[level] = path[level] or f"({path[level + 1].strip('()')})"
    if wrong := wrong_class(path, levels, in_one=len(names) == 1):
        if not names[-1]:
            wrong += ". The last column is empty: if each row ends in a tab, remove it"
        raise RowError(code="BadClass", message=wrong)
    return tuple(path)


def read_classes(path: FileLike, levels: int) -> dict[str, list[tuple[str, ...]]]:
    """Classes of each id, level by level from the highest."""
    rows = Rows(path, ID, CLASS)
    check_no_hits(rows, COLUMNS)
    n_headers = sum(map(names_columns, rows.first[:1]))
    path_of = cache(partial(_path, levels=levels))  # most are in many rows
    classes: dict[str, list[tuple[str, ...]]] = {}
    if (plain := None if rows.is_fasta else rows.pairs()) is not None:
        del plain[:n_headers]
        with suppress(RowError):  # which reading row by row tells
            paths = {name: path_of((name,)) for name in {name for _, name in plain}}
            for key, name in plain:
                classes.setdefault(key, []).append(paths[name])
            if not any(too_many(*several) for several in classes.items()):
                return classes
    classes = {}

    def entry(key: str, *names: str) -> tuple[tuple[str, tuple[str, ...]], None]:
        if not key or not names[0]:
            raise RowError(code="BadColumnCount", message=EMPTY)
        return (key, path_of(names)), None

    given = rows.headers() if rows.is_fasta else rows.read(COLUMNS, separator=rows.separator)
    words = "{0} with this class", "a table of ids and classes"
    below = islice(given, n_headers, None)
    for row, (key, own), _ in rows.entries(below, entry, "DuplicateTarget", *words):
        several = classes.setdefault(key, [])
        several.append(own)
        if len(several) == MAX_CLASSES + 1:  # said once
            rows.add("TooManyClasses", row.line, row.text, too_many(key, several))
    return classes
