"""What the readers share: recognising rows, names of columns, which one is the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.files.problems import Problems, option
from tapviz.labels import Hits
from tapviz.labels.kinds import NUMBER
from tapviz.lists import Direction
from tapviz.readers._table import WITHOUT_ONE
from tapviz.readers.options import ReadOptions

__all__ = ["Match", "Problems"]

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

# Which way scores are better. A column that is not here needs a direction.
ASCENDING = {"evalue", "pvalue", "p-value", "qvalue", "fdr", "rank", "distance", "rmsd"}
ASCENDING |= {"domain_evalue"}
DESCENDING = {"bits", "domain_bits", "pident", "fident", "nident", "positive", "ppos", "sim"}
DESCENDING |= {"raw", "length", "alnlen", "qcov", "tcov", "qcovs", "qcovhsp", "scovhsp", "prob"}
DESCENDING |= {"lddt", "alntmscore", "qtmscore", "ttmscore", "tmscore", "aq", "confidence"}
DESCENDING |= {"probability", "corrected_bitscore", "pctid", "newts"}


class Match(NamedTuple):
    """How surely the first lines of a file are of a format, and what shows it."""

    certainty: Literal["certain", "likely", "possible"]
    why: str


def canonical(name: str) -> str:
    """The usual name of a column."""
    name = name.strip().lower()
    return CANONICAL.get(name, name)


def direction_of(score: str, options: ReadOptions, problems: Problems) -> Direction:
    """Whether small values of a column are better; a problem if neither name nor options tell.

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
    options: ReadOptions,
    problems: Problems,
    line: int | None = None,
    text: str | bytes = "",
) -> str | None:
    """Name of the column to rank by: the one asked for, else the E-value, else the bit score."""
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
        f"expected a column evalue or bits, found {', '.join(places)}; set {option('score')} to "
        "the column to rank by"
    )
    problems.add("MissingColumn", line, text, message)
    return None


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
        relevant=None if hits.relevant is None else hits.relevant[keep],
    )


def warn_if_split(hits: Hits, problems: Problems) -> None:
    """Warn if the rows of a query are not contiguous: two files in one, or rows sorted."""
    if not hits.query.size:
        return
    starts = np.flatnonzero(hits.query[1:] != hits.query[:-1]) + 1
    first = hits.query[np.concatenate([[0], starts])]
    unique, count = np.unique(first, return_counts=True)
    if unique.size < first.size:
        name = hits.query_id[unique[count > 1][0]]
        others = int((count > 1).sum()) - 1
        more = f" (and of {others} other {'query' if others == 1 else 'queries'})" if others else ""
        problems.warn(
            f"the rows of {name}{more} are not contiguous; they were merged. If the file holds two "
            "searches, separate them"
        )


def warn_cut_off(problems: Problems, sign: str) -> None:
    """Warn that the end of a file is missing."""
    problems.warn(f"the file seems to be cut off: {sign}. Run the search again")


def rows_in(head: Sequence[bytes]) -> list[bytes]:
    """Lines that are neither blank nor comments."""
    return [line for line in head if line.strip() and not line.startswith(b"#")]


def is_number(cell: bytes) -> bool:
    """Whether a cell is a number as programs write it."""
    text = cell.decode("utf-8", "replace").strip(" \t")
    return bool(NUMBER.fullmatch(text) or WITHOUT_ONE.fullmatch(text))
