"""Arrays as lists hold them, and what must be true of them together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from tapviz.lists.lists import RetrievalLists

Direction = Literal["ascending", "descending"]
ReportedHow = Literal["said", "header", "inferred"]
"""How it is known where a program stopped reporting: somebody, or the file, says so; or its lists
end there."""


def array_of(name: str, values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
    """Read-only array of one dimension; a copy, where anyone else could write to it."""
    try:
        if dtype is np.bool_:
            given = np.asarray(values)
            if given.dtype != np.bool_ and not np.isin(given, (0, 1)).all():
                msg = "expected only true and false, or 1 and 0"
                raise ValueError(msg)  # noqa: TRY301  # named below, as NumPy's own are
        elif dtype is np.int64:
            given = np.asarray(values)
            if (
                given.dtype.kind not in "iu"
                and not (np.isfinite(given) & (given == np.rint(given))).all()
            ):
                msg = "expected whole numbers"
                raise ValueError(msg)  # noqa: TRY301
        array = np.asarray(values) if _is_ours(values, dtype) else np.array(values, dtype)
    except (TypeError, ValueError) as error:
        msg = f"{name}: {error}"
        raise ValueError(msg) from None
    if array.ndim != 1:
        msg = f"{name}: expected one dimension, found shape {array.shape}"
        raise ValueError(msg)
    return frozen(array)


def _is_ours(values: Any, dtype: type[np.generic]) -> bool:
    """Whether no one else can write to an array: it is read-only, and not a view."""
    array = isinstance(values, np.ndarray) and values.dtype == dtype
    return array and values.base is None and not values.flags.writeable


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Return the same array, read-only from now on."""
    array.setflags(write=False)
    return array


def check(lists: RetrievalLists) -> None:
    """Raise ValueError if anything is inconsistent; the message names the query and record."""
    offset, score = lists.offset, lists.score
    if lists.direction not in ("ascending", "descending"):
        msg = f'direction {lists.direction!r}: expected "ascending" or "descending"'
        raise ValueError(msg)
    if lists.reported_how not in (None, *get_args(ReportedHow)):
        msg = f'reported_how {lists.reported_how!r}: expected "said", "header" or "inferred"'
        raise ValueError(msg)
    if not offset.size or offset[0] != 0 or offset[-1] != score.size or (np.diff(offset) < 0).any():
        msg = (
            "offset: expected Q + 1 numbers that rise from 0 to the number of records, "
            f"{score.size}"
        )
        raise ValueError(msg)
    for name, size in (("relevant", score.size), ("record", score.size)):
        array = getattr(lists, name)
        if array is not None and array.size != size:
            msg = f"{name}: expected one per record, {size}, found {array.size}"
            raise ValueError(msg)
    for name in ("n_relevant", "weight", "query", "query_class", "n_irrelevant", "reported_to"):
        array = getattr(lists, name)
        if array is not None and array.size != offset.size - 1:
            msg = f"{name}: expected one per query, {offset.size - 1}, found {array.size}"
            raise ValueError(msg)
    for name, values in (lists.given or {}).items():
        if values.size != offset.size - 1 or np.isinf(values).any():
            msg = f"{name}: expected a number, or NaN, for each of {offset.size - 1} queries"
            raise ValueError(msg)
    if lists.given is not None and score.size:
        msg = "given: scores of queries are given where there are no records"
        raise ValueError(msg)
    grades = lists.grades
    if grades is not None and (
        grades.record.shape != score.shape or len(grades.total) != offset.size - 1
    ):
        msg = (
            f"grades: expected one per record, {score.size}, and a row per query, "
            f"{offset.size - 1}, found {grades.record.size} and {len(grades.total)}"
        )
        raise ValueError(msg)
    unique, first, count = np.unique(lists.query, return_index=True, return_counts=True)
    if unique.size != lists.query.size:
        twice = int(first[count > 1].min())
        msg = f"query {lists.query[twice]}: the id occurs more than once; query ids must be unique"
        raise ValueError(msg)
    check_weight(lists.weight, lists.query)
    _check_records(lists)


def check_weight(weight: NDArray[np.float64], query: NDArray[np.str_]) -> None:
    """Raise ValueError unless there is a positive finite weight for each query."""
    if weight.size != query.size:
        msg = f"weight: expected one per query, {query.size}, found {weight.size}"
        raise ValueError(msg)
    wrong = np.flatnonzero(~(np.isfinite(weight) & (weight > 0)))
    if wrong.size:
        msg = f"query {query[wrong[0]]}: weight {weight[wrong[0]]} is not a positive finite number"
        raise ValueError(msg)


def _check_records(lists: RetrievalLists) -> None:
    offset, score = lists.offset, lists.score

    def where(record: int) -> str:
        row = int(np.searchsorted(offset, record, side="right")) - 1
        name = "" if lists.record is None else f" ({lists.record[record]})"
        return f"query {lists.query[row]}, record {record - offset[row] + 1}{name}"

    wrong = np.flatnonzero(~np.isfinite(score))
    if wrong.size:
        msg = f"{where(wrong[0])}: score {score[wrong[0]]} is not a finite number"
        raise ValueError(msg)
    ascending = lists.direction == "ascending"
    rising = score[1:] >= score[:-1] if ascending else score[1:] <= score[:-1]
    inner = offset[(offset > 0) & (offset < score.size)]
    rising[inner - 1] = True  # between two lists the order is free
    wrong = np.flatnonzero(~rising) + 1
    if wrong.size:
        at = int(wrong[0])
        msg = (
            f"{where(at)}: score {score[at]} comes after {score[at - 1]}, but {lists.direction} "
            "lists have the best record first"
        )
        raise ValueError(msg)
    wrong = np.flatnonzero(np.isnan(lists.reported_to))
    if wrong.size:
        msg = f"query {lists.query[wrong[0]]}: reported_to is not a number"
        raise ValueError(msg)
    some = np.flatnonzero(np.diff(offset))
    last = offset[some + 1] - 1
    beyond = last[lists.sign * score[last] > lists.sign * lists.reported_to[some]]
    if beyond.size:
        end = lists.reported_to[int(np.searchsorted(offset, beyond[0], side="right")) - 1]
        msg = f"{where(beyond[0])}: score {score[beyond[0]]} lies beyond reported_to, {end:g}"
        raise ValueError(msg)
    retrieved = np.diff(np.searchsorted(np.flatnonzero(lists.relevant), offset))
    wrong = np.flatnonzero((lists.n_relevant < 0) | (retrieved > lists.n_relevant))
    if wrong.size:
        row = int(wrong[0])
        msg = (
            f"query {lists.query[row]}: {retrieved[row]} relevant records were retrieved, but "
            f"n_relevant says the database has {lists.n_relevant[row]}"
        )
        raise ValueError(msg)
    if lists.n_irrelevant is None:
        return
    errors = np.diff(offset) - retrieved
    wrong = np.flatnonzero((lists.n_irrelevant < 0) | (errors > lists.n_irrelevant))
    if wrong.size:
        row = int(wrong[0])
        msg = (
            f"query {lists.query[row]}: {errors[row]} irrelevant records were retrieved, but "
            f"n_irrelevant says the database has {lists.n_irrelevant[row]}"
        )
        raise ValueError(msg)
