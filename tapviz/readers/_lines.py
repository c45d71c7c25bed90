"""What the readers share: strict numbers, a short list of problems, which column is the score."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files.problems import option
from tapviz.labels import MAX_PROBLEMS, Hits, Problem, ReadError, problem
from tapviz.lists import Direction
from tapviz.readers.options import ReadOptions

Options = ReadOptions  # the name by which the formats know them

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
WITHOUT_ONE = re.compile(r"e-[0-9]{1,4}")  # as BLAST wrote 1e-171 before BLAST+
NOT_FINITE = re.compile(r"[+-]?(nan(\(\w*\))?|inf(inity)?)", re.IGNORECASE)

# What programs call the columns that are read, in headers, `# Fields:` lines and options.
NAMES = {
    "query": {"query id", "query acc.ver", "query acc.", "qseqid", "qaccver", "qacc", "qid"}
    | {"query_id", "queryid"},
    "record": {"subject id", "subject acc.ver", "subject acc.", "subject ids", "target id"}
    | {"target", "sseqid", "saccver", "sacc", "tid", "docno", "hit", "target_id", "record_id"},
    "evalue": {"e-value", "e value", "expected value", "expect", "e_value"},
    "bits": {"bit score", "bitscore", "bit_score", "bit-score"},
    "pident": {"% identity", "percentage of identical matches"},
}
CANONICAL = {name: usual for usual, names in NAMES.items() for name in names}

# Which scores are good. A column that is not here needs a direction.
ASCENDING = {"evalue", "pvalue", "p-value", "qvalue", "fdr", "rank", "distance", "rmsd"}
ASCENDING |= {"domain_evalue"}
DESCENDING = {"bits", "domain_bits", "pident", "fident", "nident", "positive", "ppos", "sim"}
DESCENDING |= {"raw", "length", "alnlen", "qcov", "tcov", "qcovs", "qcovhsp", "scovhsp", "prob"}
DESCENDING |= {"lddt", "alntmscore", "qtmscore", "ttmscore", "tmscore", "aq", "confidence"}
DESCENDING |= {"probability", "corrected_bitscore", "pctid", "newts"}


class Match(NamedTuple):
    """That a file looks like a format, and by what."""

    certainty: Literal["certain", "likely", "possible"]
    why: str


class Problems:
    """The first problems of a file, and what is doubtful about it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Problem] = []
        self.doubts: list[str] = []

    def add(self, code: str, line: int | None, text: str | bytes, message: str) -> None:
        """Note a problem; those after the first 10 are dropped."""
        if not self.full:
            self.found.append(problem(code, self.file, line, text, message))

    def warn(self, message: str) -> None:
        """Note something that is read all the same."""
        self.doubts.append(message)

    @property
    def full(self) -> bool:
        return len(self.found) >= MAX_PROBLEMS

    def raise_any(self) -> None:
        """Raise `ReadError` if there is a problem."""
        if self.found:
            raise ReadError(sorted(self.found, key=lambda p: p.line or 0))

    def number(self, text: str, line: int, row: str | bytes, what: str) -> float:
        """Read a finite number as programs write it: digits, no ``nan``, ``inf`` or ``1_0``.

        A problem is noted, and 0 returned, for anything else.
        """
        text = text.strip(" \t")
        if NUMBER.fullmatch(text):
            value = float(text)
            if math.isfinite(value):
                return value
        elif not NOT_FINITE.fullmatch(text):
            self.add("NotANumber", line, row, f"{what}: expected a number, found {text[:40]!r}")
            return 0.0
        self.add("NonFinite", line, row, f"{what}: expected a finite number, found {text[:40]!r}")
        return 0.0

    def score(self, text: str, line: int, row: str | bytes, name: str) -> float:
        """Read a score: a number, and not a negative one if it is an E-value."""
        if not name.endswith("evalue"):
            return self.number(text, line, row, name)
        if WITHOUT_ONE.fullmatch(text):
            text = "1" + text
        value = self.number(text, line, row, "E-value")
        if value < 0:
            message = f"E-value: expected 0 or more, found {text[:40]!r}"
            if value == -1:
                message += "; where the program computed none, give score, as in score='pident'"
            self.add("NegativeEvalue", line, row, message)
        return value


def canonical(name: str) -> str:
    """The usual name of a column."""
    name = name.strip().lower()
    return CANONICAL.get(name, name)


def direction_of(score: str, options: Options, problems: Problems) -> Direction:
    """Whether small values of a column are good; a problem if nobody knows.

    Raises
    ------
    ValueError
        If the direction given contradicts what the column means.
    """
    known: Direction | None = None
    if score in ASCENDING:
        known = "ascending"
    elif score in DESCENDING:
        known = "descending"
    if known and options.direction not in (None, known):
        what = "E-values" if score.endswith("evalue") else f"values of {score!r}"
        verb = known.removesuffix("ing")
        msg = f"{problems.file}: direction {options.direction!r}, but {what} {verb}"
        raise ValueError(msg)
    if known or options.direction:
        return known or options.direction or "ascending"
    message = (
        f"cannot tell whether small or large values of {score!r} are better; set "
        f"{option('direction', 'ascending')} (small) or {option('direction', 'descending')} (large)"
    )
    problems.add("DirectionUnknown", None, "", message)
    return "ascending"


def score_column(
    places: Mapping[str, int],
    options: Options,
    problems: Problems,
    line: int | None,
    text: str | bytes,
) -> str | None:
    """Name of the column to judge by: the one asked for, else the E-value, else the bit score."""
    if options.score is not None:
        name = canonical(options.score)
        if name in places:
            return name
        message = f"there is no column {options.score!r}; there are {', '.join(places)}"
        problems.add("MissingColumn", line, text, message)
        return None
    if "evalue" in places:
        return "evalue"
    if "bits" in places:
        problems.warn("there is no column of E-values; the lists are by bit score")
        return "bits"
    message = (
        f"expected a column evalue or bits, or score to say which one counts; there are "
        f"{', '.join(places)}"
    )
    problems.add("MissingColumn", line, text, message)
    return None


class Rows:
    """Hits gathered row by row."""

    def __init__(self) -> None:
        self.query_id: dict[str, int] = {}
        self.record_id: dict[str, int] = {}
        self._query, self._record = array("i"), array("i")
        self._score, self._bits = array("d"), array("d")

    def add(self, query: str, record: str, score: float, bits: float = 0.0) -> None:
        """Add the hit of a query on a record."""
        self._query.append(self.query_id.setdefault(query, len(self.query_id)))
        self._record.append(self.record_id.setdefault(record, len(self.record_id)))
        self._score.append(score)
        self._bits.append(bits)

    def hits(self, file: str, direction: Direction, *, bits: bool) -> Hits:
        """All hits so far, with or without bit scores."""
        return Hits(
            file=file,
            query_id=list(self.query_id),
            record_id=list(self.record_id),
            query=np.array(self._query, np.int32),
            record=np.array(self._record, np.int32),
            score=np.array(self._score, np.float64),
            bits=np.array(self._bits, np.float64) if bits else None,
            direction=direction,
        )


def fine(name: str, score: NDArray[np.float64], bits: NDArray[np.float64] | None) -> bool:
    """Whether all scores are such as `Problems.score` accepts."""
    if bits is not None and not np.isfinite(bits).all():
        return False
    if not np.isfinite(score).all():
        return False
    return not name.endswith("evalue") or not score.size or bool(score.min() >= 0)


def some_rows(hits: Hits, keep: NDArray[np.bool_]) -> Hits:
    """Keep some rows, and the ids of the records in them."""
    if keep.all():
        return hits
    record = hits.record[keep]
    used = np.unique(record)
    place = np.empty(len(hits.record_id), np.int32)
    place[used] = np.arange(used.size, dtype=np.int32)
    return hits._replace(
        record_id=[hits.record_id[at] for at in used.tolist()],
        query=hits.query[keep],
        record=place[record],
        score=hits.score[keep],
        bits=None if hits.bits is None else hits.bits[keep],
        relevant=None if hits.relevant is None else hits.relevant[keep],
    )


def warn_if_split(hits: Hits, problems: Problems) -> None:
    """Warn if the rows of a query do not stand together: two files in one, or rows sorted."""
    if not hits.query.size:
        return
    starts = np.flatnonzero(hits.query[1:] != hits.query[:-1]) + 1
    first = hits.query[np.concatenate([[0], starts])]
    unique, count = np.unique(first, return_counts=True)
    if unique.size < first.size:
        name = hits.query_id[unique[count > 1][0]]
        problems.warn(
            f"the rows of {name} (and of {int((count > 1).sum()) - 1} other queries) do not stand "
            "together; they were merged. If two searches are in this file, separate them",
        )


def rows_in(head: Sequence[bytes]) -> list[bytes]:
    """Lines that are neither blank nor comments."""
    return [line for line in head if line.strip() and not line.startswith(b"#")]


def is_number(cell: bytes) -> bool:
    """Whether a cell is a number as programs write it."""
    text = cell.decode("utf-8", "replace").strip(" \t")
    return bool(NUMBER.fullmatch(text) or WITHOUT_ONE.fullmatch(text))
