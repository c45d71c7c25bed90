"""What Foldseek's script bench.noselfhit.awk counts, as it counts it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tapviz.labels.classes import ClassTable
from tapviz.labels.hits import Hits
from tapviz.labels.join import IRRELEVANT, RELEVANT, UNLABELLED
from tapviz.labels.rules import LEVELS, STANDARDS, Standard
from tapviz.lists.checks import places


def rocx(hits: Hits, table: ClassTable, queries: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Columns of a ``.rocx`` file: sensitivity up to the first false positive, level by level.

    Lines count in the order of the file, each of several lines on one record (HSPs), too. Hits
    on records without a class are false positives. The columns SFAM and FOLD are divided by one
    record more than there are: the script is followed.

    Parameters
    ----------
    hits : Hits
    table : ClassTable
        Classes of four levels.
    queries : sequence of str
        The rows.

    Returns
    -------
    dict of str to ndarray of float64, shape (Q,)
        FAM, SFAM, FOLD, FP, FAMCNT, SFAMCNT and FOLDCNT.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.labels import ClassTable, Hits
    >>> from tapviz.labels.foldseek import rocx
    >>> table = ClassTable({"q": "a.1.1.1", "r": "a.1.1.1", "s": "a.1.1.2", "x": "b.1.1.1"})
    >>> query, score = np.zeros(4, np.int64), np.arange(4.0)
    >>> hits = Hits("m8", ["q"], ["r", "s", "x"], query, np.array([0, 1, 2, 1]), score)
    >>> {name: column.tolist() for name, column in rocx(hits, table, ["q"]).items()}["SFAM"]
    [0.5]
    """
    states = {name: table.judged_by(STANDARDS[name]).judge(hits) for name in LEVELS}
    known = next(iter(states.values()))
    row = places(queries, hits.query_id)[hits.query]
    own = places(hits.record_id, hits.query_id)[hits.query]
    counts, size = (row >= 0) & (own != hits.record), len(queries)
    unlabelled, error = counts & (known == UNLABELLED), counts & (known == IRRELEVANT)
    first = np.full(size, row.size)
    at = np.flatnonzero(unlabelled | error)[::-1]
    first[row[at]] = at  # of equal indices the last one written stays
    before = counts & (np.arange(row.size) < first[row])
    some = first < row.size
    false = np.bincount(row[unlabelled], minlength=size).astype(np.float64)
    false[some] += error[first[some]]
    # With the query itself.
    records = [table.judged_by(Standard(at)).n_relevant(queries) + 1.0 for at in (4, 3, 2)]
    family, superfamily, fold = records
    divisors = (family - 1, superfamily - (family - 1), fold - (superfamily - 1))
    columns = {}
    for column, name, divisor in zip(("FAM", "SFAM", "FOLD"), LEVELS, divisors, strict=True):
        found = np.bincount(row[before & (states[name] == RELEVANT)], minlength=size)
        columns[column] = found / divisor
    counted = zip(("FAMCNT", "SFAMCNT", "FOLDCNT"), records, strict=True)
    return columns | {"FP": false} | dict(counted)
