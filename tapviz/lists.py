"""The value everything exchanges: all retrieval lists of one algorithm."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from threading import Lock
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Literal,
    NamedTuple,
    ParamSpec,
    Protocol,
    TypeVar,
    get_args,
)
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.runs import Run

Direction = Literal["ascending", "descending"]
UNGRADED = -1
"""Grade of a record that nobody judged."""
ReportedHow = Literal["said", "header", "inferred"]
"""How it is known where a program stopped reporting: somebody, or the file, says so; or its lists
end there."""

P = ParamSpec("P")
R = TypeVar("R")


class Frame(Protocol):
    """A table of any library that speaks Arrow: pandas, polars, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the table through Arrow's PyCapsule interface."""


class Grades(NamedTuple):
    """Grades of relevance, from 0; higher is better."""

    record: NDArray[np.int64]
    """Grade of each record, shape (N,); `UNGRADED` if nobody judged it."""
    total: NDArray[np.int64]
    """Records of the database of each grade from 0, for each query, shape (Q, G + 1)."""


class Kept(NamedTuple):
    """What is known of lists that were condensed: cut where nothing was asked any more."""

    e_keep: float
    """Score up to which all records of all lists were kept."""
    n_errors: int
    """Irrelevant records that were kept at least of each list that has so many."""
    length: NDArray[np.int64]
    """Records of each whole list, shape (Q,)."""
    found: NDArray[np.int64]
    """Relevant records among them, shape (Q,)."""
    values: Mapping[str, NDArray[np.float64]]
    """Of each query, by the names of the measures that ask for whole lists; each (Q,). And
    "interpolated", precision at each level of recall of `RECALL_GRID`, (Q, G)."""
    graded: bool = False
    """Whether records had grades, which are not kept."""

    def of(self, rows: NDArray[np.int64]) -> Kept:
        """The same of some queries."""
        values = {name: _frozen(each[rows]) for name, each in self.values.items()}
        length, found = _frozen(self.length[rows]), _frozen(self.found[rows])
        return self._replace(length=length, found=found, values=values)


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True, init=False, repr=False)
class RetrievalLists:
    """All retrieval lists of one algorithm, flat, best record first inside each query.

    A plain value: it is checked once, when it is made, and never changes afterwards. The arrays
    are read-only, and copies of arrays that anyone else can write to. It can be copied and
    pickled; a subset is pickled without the queries it leaves out. Records that are neither
    relevant nor irrelevant are left out beforehand.

    Parameters
    ----------
    score : array_like of float, shape (N,)
        E-value or score of each record exactly as read, query after query.
    relevant : array_like of bool, shape (N,)
        Whether each record is relevant to its query.
    offset : array_like of int, shape (Q + 1,)
        The list of query q is ``offset[q]:offset[q + 1]``; an empty list is an ordinary case.
    n_relevant : array_like of int, shape (Q,)
        T(q): relevant records in the database, retrieved or not.
    weight : array_like of float, shape (Q,), optional
        Positive weight of each query in averages and in the threshold E_k. Default 1.
    query : sequence of str, length Q, optional
        Unique ids of the queries. Default "1", "2", ...
    direction : {"ascending", "descending"}
        "ascending" if small scores are good (E-values), "descending" if large ones are.
    record : sequence of str, length N, optional
        Id of each record.
    query_class : sequence of str, length Q, optional
        Class of each query, such as a.1.1.2; empty where unknown.
    n_irrelevant : array_like of int, shape (Q,), optional
        F(q): irrelevant records in the database, retrieved or not, where that is known.
    join_report : JoinReport, optional
        What became of the rows of the file, where hits were joined with labels. Subsets keep that
        of the whole.
    class_level : int, optional
        Level of `query_class` to which the classes of a query and of a relevant record agree,
        where classes say what is relevant: 3 where superfamilies do.
    reported_to : array_like of float, shape (Q,), or float, optional
        Score up to which the program reported records of each query: beyond it nothing was
        measured. By default infinite, in the direction of worse scores: nothing is known.
    reported_how : {"said", "header", "inferred"}, optional
        How that is known: somebody, or the header of the file, says so; or it was inferred from
        where lists end. None where nothing is known; "said" by default where something is.
    grades : Grades, optional
        Grades of relevance, where labels have more than relevant and irrelevant.
    kept : Kept, optional
        How much was kept of lists that were condensed. What asks for more raises
        `tapviz.reported.NotKeptError`.
    given : mapping of str to array_like of float, shape (Q,), optional
        Scores of each query that somebody else computed, by their names; NaN where undefined. Such
        lists have no records.
    run : Run, optional
        The run of the program that made them, and what it cost.

    Attributes
    ----------
    whole : RetrievalLists
        The lists that a subset was taken from; the lists themselves otherwise.
    rows : ndarray of int64, shape (Q,)
        Place of each query among those of `whole`.

    Raises
    ------
    ValueError
        If anything is inconsistent; the message names the query and the record.

    See Also
    --------
    RetrievalLists.from_frame : From a table of pandas, polars or any other library with Arrow.
    tapviz.read : From the files that search programs write.

    Examples
    --------
    Two queries: the list of the first holds a relevant and an irrelevant record, that of the
    second is empty. The database has three relevant records for the first and one for the second.

    >>> from tapviz import RetrievalLists
    >>> lists = RetrievalLists(
    ...     score=[1e-30, 0.5],
    ...     relevant=[True, False],
    ...     offset=[0, 2, 2],
    ...     n_relevant=[3, 1],
    ...     query=["kinase", "globin"],
    ... )
    >>> lists
    <RetrievalLists: 2 queries, 2 records, ascending>
    >>> lists.subset(lists.n_relevant > 1).query.tolist()
    ['kinase']
    """

    score: NDArray[np.float64]
    relevant: NDArray[np.bool_]
    offset: NDArray[np.int64]
    n_relevant: NDArray[np.int64]
    weight: NDArray[np.float64]
    query: NDArray[np.str_]
    direction: Direction
    record: NDArray[np.object_] | None
    query_class: NDArray[np.str_] | None
    n_irrelevant: NDArray[np.int64] | None
    join_report: Any  # a `tapviz.labels.JoinReport`, which this module cannot import, or None
    class_level: int | None
    reported_to: NDArray[np.float64]
    reported_how: ReportedHow | None
    grades: Grades | None
    kept: Kept | None
    given: Mapping[str, NDArray[np.float64]] | None
    run: Run
    rows: NDArray[np.int64]
    _whole: (
        RetrievalLists | None
    )  # None for whole lists: one that held itself would outlive its use

    def __init__(
        self,
        score: ArrayLike,
        relevant: ArrayLike,
        offset: ArrayLike,
        n_relevant: ArrayLike,
        weight: ArrayLike | None = None,
        query: Sequence[str] | NDArray[Any] | None = None,
        direction: Direction = "ascending",
        record: Sequence[str] | NDArray[Any] | None = None,
        query_class: Sequence[str] | NDArray[Any] | None = None,
        n_irrelevant: ArrayLike | None = None,
        join_report: Any = None,
        class_level: int | None = None,
        reported_to: ArrayLike | None = None,
        reported_how: ReportedHow | None = None,
        grades: Grades | None = None,
        kept: Kept | None = None,
        given: Mapping[str, ArrayLike] | None = None,
        run: Run | None = None,
    ) -> None:
        offset = _array("offset", offset, np.int64)
        n_queries = max(offset.size - 1, 0)
        if query is None:
            query = [str(q + 1) for q in range(n_queries)]
        if reported_to is None:
            reported_to = -np.inf if direction == "descending" else np.inf
        ends = np.asarray(reported_to)
        if not ends.ndim:
            ends = np.full(n_queries, ends)
        self._set(
            score=_array("score", score, np.float64),
            relevant=_array("relevant", relevant, np.bool_),
            offset=offset,
            n_relevant=_array("n_relevant", n_relevant, np.int64),
            weight=_array("weight", np.ones(n_queries) if weight is None else weight, np.float64),
            query=_array("query", query, np.str_),
            direction=direction,
            record=None if record is None else _array("record", record, np.object_),
            query_class=None
            if query_class is None
            else _array("query_class", query_class, np.str_),
            n_irrelevant=None
            if n_irrelevant is None
            else _array("n_irrelevant", n_irrelevant, np.int64),
            join_report=join_report,
            class_level=class_level,
            reported_to=_array("reported_to", ends, np.float64),
            grades=None if grades is None else Grades(*map(_frozen, grades)),
            kept=kept,
            given=None
            if given is None
            else {name: _array(name, values, np.float64) for name, values in given.items()},
            run=run or Run(),
            rows=_frozen(np.arange(n_queries)),
            _whole=None,
        )
        known = bool(np.isfinite(self.reported_to).any())
        self._set(reported_how=(reported_how or "said") if known else None)
        _check(self)

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[RetrievalLists], tuple[Any, ...]]:
        """Make a copy as anything else is made: checked and read-only."""
        return RetrievalLists, tuple(getattr(self, name) for name in ARGUMENTS)

    @classmethod
    def from_records(
        cls,
        row: ArrayLike,
        score: ArrayLike,
        relevant: ArrayLike,
        *,
        n_relevant: ArrayLike,
        query: Sequence[str] | NDArray[Any],
        record: NDArray[Any] | None = None,
        direction: Direction = "ascending",
        second: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        query_class: Sequence[str] | NDArray[Any] | None = None,
        n_irrelevant: ArrayLike | None = None,
        join_report: Any = None,
        class_level: int | None = None,
        reported_to: ArrayLike | None = None,
        reported_how: ReportedHow | None = None,
        grades: Grades | None = None,
        kept: Kept | None = None,
        given: Mapping[str, ArrayLike] | None = None,
        run: Run | None = None,
    ) -> RetrievalLists:
        """Make lists from records in any order.

        Parameters
        ----------
        row : array_like of int, shape (N,)
            Place in `query` of the query of each record.
        score, relevant, record
            As in `RetrievalLists`, one of each per record, in the order of `row`.
        n_relevant, query, direction, weight, query_class, n_irrelevant, join_report
            As in `RetrievalLists`.
        class_level, reported_to, reported_how, grades, kept, given, run
            As in `RetrievalLists`; grades of records in the order of `row`.
        second : array_like of float, shape (N,), optional
            Second key among equal scores, larger first (the bit score). Records that both keys
            leave equal keep their order.

        Raises
        ------
        ValueError
            If a row is not the place of a query, or anything is inconsistent.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> lists = RetrievalLists.from_records(
        ...     row=[1, 0, 1],
        ...     score=[2.0, 0.1, 1.0],
        ...     relevant=[1, 1, 0],
        ...     n_relevant=[1, 1],
        ...     query=["a", "b"],
        ... )
        >>> lists.offset.tolist(), lists.score.tolist()
        ([0, 1, 3], [0.1, 1.0, 2.0])
        """
        row = _array("row", row, np.int64)
        if ((row < 0) | (row >= len(query))).any():
            msg = f"row: expected places of the queries, from 0 to {len(query) - 1}"
            raise ValueError(msg)
        key = np.asarray(score, np.float64)
        if direction == "descending":
            key = -key
        keys = (key, row) if second is None else (-np.asarray(second, np.float64), key, row)
        order = np.lexsort(keys)
        offset = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(query)))])
        return cls(
            score=np.asarray(score)[order],
            relevant=np.asarray(relevant)[order],
            offset=offset,
            n_relevant=n_relevant,
            weight=weight,
            query=query,
            direction=direction,
            record=None if record is None else np.asarray(record, np.object_)[order],
            query_class=query_class,
            n_irrelevant=n_irrelevant,
            join_report=join_report,
            class_level=class_level,
            reported_to=reported_to,
            reported_how=reported_how,
            grades=None if grades is None else Grades(grades.record[order], grades.total),
            kept=kept,
            given=given,
            run=run,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        qrels: Any = None,
        labels: Any = None,
        n_relevant: Mapping[str, int] | None = None,
        queries: Sequence[str] | None = None,
        direction: Direction | None = None,
        reported_to: float | None = None,
    ) -> RetrievalLists:
        """Make lists from a table of pandas, polars or any other library that speaks Arrow.

        Parameters
        ----------
        frame : Frame
            A row for each hit, in any order, with the columns

            - ``query`` and ``record``, ids;
            - ``evalue``, of which small ones are good, or ``score``, of which large ones are;
            - ``relevant``, unless `qrels` or `labels` say what is relevant;
            - ``n_relevant``, ``n_irrelevant``, ``weight``, ``query_class`` and ``reported_to``,
              all optional: T(q), F(q), weight and class of the row's query, and how far its list
              goes. They are read only where the table itself says what is relevant; so is
              ``reported_how``.

            A row with nothing but a query (and what belongs to it) stands for an empty list.
        qrels : Qrels or Frame, optional
            The relevant pairs: a table with the columns ``query``, ``record`` and, optionally,
            ``grade``, of which 1 and more mean relevant; or `Qrels`.
        labels : ClassTable, Patterns, Inline or other labels, optional
            Anything else that says what is relevant.
        n_relevant : mapping of str to int, optional
            T(q) of each query, where the table itself says what is relevant. Queries that only
            this names become empty lists.
        queries : sequence of str, optional
            The queries to keep, in this order, with empty lists where there is no row.
        direction : {"ascending", "descending"}, optional
            Whether small or large scores are good, if other than the name of the column says.
        reported_to : float, optional
            Score up to which the program reported records. By default what the table says, or
            what its lists let infer.

        Returns
        -------
        RetrievalLists
            Where the table itself says what is relevant, exactly its rows. With `qrels` and
            `labels` their rules hold, as for a file: see `tapviz.labels.JoinRules`.

        Raises
        ------
        ValueError
            If columns are missing or a cell is wrong; the message names the column and the row.
        TypeError
            If `frame` is no table.

        Examples
        --------
        >>> import pandas as pd
        >>> from tapviz import RetrievalLists
        >>> hits = pd.DataFrame({
        ...     "query": ["kinase", "kinase", "globin"],
        ...     "record": ["p1", "p2", "p3"],
        ...     "evalue": [1e-30, 0.5, 2.0],
        ... })
        >>> pairs = pd.DataFrame({"query": ["kinase", "globin"], "record": ["p1", "p9"]})
        >>> lists = RetrievalLists.from_frame(hits, qrels=pairs)
        >>> lists.relevant.tolist(), lists.n_relevant.tolist()
        ([True, False, False], [1, 1])
        """
        # The one import of a later room: labels make lists, so that lists cannot know of labels
        # until they are asked for some.
        from tapviz.labels.frames import lists_from_frame  # noqa: PLC0415

        return lists_from_frame(
            frame,
            labels=labels,
            qrels=qrels,
            n_relevant=n_relevant,
            queries=queries,
            direction=direction,
            reported_to=reported_to,
        )

    def to_frame(self, library: Literal["pandas", "arrow"] = "pandas") -> Any:
        """All records as a table, from which `from_frame` makes the same lists again.

        Parameters
        ----------
        library : {"pandas", "arrow"}
            What makes the table. That of Arrow is what others read without a copy, as
            ``polars.DataFrame(lists.to_frame("arrow"))``.

        Returns
        -------
        pandas.DataFrame or pyarrow.Table
            A row for each record, and one without a record for each empty list, with the columns
            ``query``, ``record`` (if there are ids), ``evalue`` (ascending) or ``score``
            (descending), ``relevant`` and ``n_relevant``; and ``weight``, ``query_class``,
            ``n_irrelevant``, ``reported_to`` and ``reported_how`` where they are known. Ids are
            categories.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> lists = RetrievalLists(
        ...     [1e-30, 0.5], [True, False], [0, 2, 2], [3, 1], query=["kinase", "globin"]
        ... )
        >>> lists.to_frame()[["query", "evalue", "n_relevant"]]
            query        evalue  n_relevant
        0  kinase  1.000000e-30           3
        1  kinase  5.000000e-01           3
        2  globin           NaN           1
        """
        import pyarrow as pa  # noqa: PLC0415  # whoever makes no table needs none

        length = np.diff(self.offset)
        row = np.repeat(np.arange(length.size), np.maximum(length, 1))
        empty = length[row] == 0
        record = np.zeros(row.size, np.int64)
        record[~empty] = np.arange(self.score.size)
        place = pa.array(record, mask=empty)

        def of_records(values: NDArray[Any], kind: pa.DataType) -> pa.Array:
            column = pa.array(values, kind)
            return (column.dictionary_encode() if kind == pa.string() else column).take(place)

        def of_queries(ids: NDArray[Any]) -> pa.Array:
            return pa.array(ids.tolist(), pa.string()).dictionary_encode().take(pa.array(row))

        columns = {"query": of_queries(self.query)}
        if self.record is not None:
            columns["record"] = of_records(self.record, pa.string())
        score = "evalue" if self.direction == "ascending" else "score"
        columns[score] = of_records(self.score, pa.float64())
        columns["relevant"] = of_records(self.relevant, pa.bool_())
        columns["n_relevant"] = pa.array(self.n_relevant[row])
        if (self.weight != 1).any():
            columns["weight"] = pa.array(self.weight[row])
        if self.query_class is not None:
            columns["query_class"] = of_queries(self.query_class)
        if self.n_irrelevant is not None:
            columns["n_irrelevant"] = pa.array(self.n_irrelevant[row])
        if self.reported_how is not None:
            columns["reported_to"] = pa.array(self.reported_to[row])
            columns["reported_how"] = of_queries(np.full(length.size, self.reported_how))
        table = pa.table(columns)
        return table if library == "arrow" else table.to_pandas()

    @property
    def whole(self) -> RetrievalLists:
        """The lists that a subset was taken from; the lists themselves otherwise."""
        return self if self._whole is None else self._whole

    @property
    def n_queries(self) -> int:
        """Number of queries, Q; empty lists count."""
        return self.rows.size

    @property
    def sign(self) -> int:
        """1 if scores ascend, -1 if they descend: ``sign * score`` is smallest for the best."""
        return 1 if self.direction == "ascending" else -1

    def with_reported_to(self, ends: ArrayLike, how: ReportedHow | None = "said") -> RetrievalLists:
        """Return the same lists with other ends of what the program reported.

        Parameters
        ----------
        ends : array_like of float, shape (Q,), or float
            As `reported_to`.
        how : {"said", "header", "inferred"}, optional
            As `reported_how`.

        Raises
        ------
        ValueError
            If a record lies beyond the end of its list.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> lists = RetrievalLists([1e-9, 0.5, 2.0], [1, 0, 1], [0, 2, 3], [2, 1], query=["a", "b"])
        >>> lists.with_reported_to(10).reported_to.tolist()
        [10.0, 10.0]
        """
        values = {name: getattr(self, name) for name in ARGUMENTS}
        return RetrievalLists(**values | {"reported_to": ends, "reported_how": how})

    def with_run(self, run: Run) -> RetrievalLists:
        """Return the same lists with another run.

        Parameters
        ----------
        run : Run
            As `run`.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> from tapviz.runs import Run
        >>> RetrievalLists([1e-9], [1], [0, 1], [2]).with_run(Run(seconds=12.5)).run.seconds
        12.5
        """
        values = {name: getattr(self, name) for name in ARGUMENTS}
        return RetrievalLists(**values | {"run": run})

    def with_weights(self, weight: ArrayLike) -> RetrievalLists:
        """Return the same lists with other query weights; `weigh` in `measures` knows usual ones.

        Parameters
        ----------
        weight : array_like of float, shape (Q,)
            Positive.

        Raises
        ------
        ValueError
            If a weight is not positive and finite.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> lists = RetrievalLists([1e-9, 0.5, 2.0], [1, 0, 1], [0, 2, 3], [2, 1], query=["a", "b"])
        >>> lists.with_weights([2, 1]).weight.tolist()
        [2.0, 1.0]
        """
        values = _array("weight", weight, np.float64)
        _check_weight(values, self.query)
        return self._view(self.rows, values)

    def subset(self, mask: ArrayLike) -> RetrievalLists:
        """Return the lists of some queries, in the same order; no record is copied or sorted.

        Parameters
        ----------
        mask : array_like of bool, shape (Q,)
            True for the queries to keep.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> lists = RetrievalLists([1e-9, 0.5, 2.0], [1, 0, 1], [0, 2, 3], [2, 1], query=["a", "b"])
        >>> lists.subset(lists.n_relevant > 1)
        <RetrievalLists: 1 queries, 2 records, ascending>
        """
        keep = np.asarray(mask)
        if keep.dtype != np.bool_ or keep.shape != self.rows.shape:
            msg = (
                f"mask: expected {self.n_queries} booleans, found {keep.dtype} of shape "
                f"{keep.shape}"
            )
            raise ValueError(msg)
        return self._view(self.rows[keep], self.weight[keep])

    def _view(self, rows: NDArray[np.int64], weight: NDArray[np.float64]) -> RetrievalLists:
        whole = self.whole
        view = object.__new__(RetrievalLists)
        view._set(
            n_relevant=_frozen(whole.n_relevant[rows]),
            weight=_frozen(weight),
            query=_frozen(whole.query[rows]),
            direction=whole.direction,
            query_class=None if whole.query_class is None else _frozen(whole.query_class[rows]),
            n_irrelevant=None if whole.n_irrelevant is None else _frozen(whole.n_irrelevant[rows]),
            join_report=whole.join_report,
            class_level=whole.class_level,
            reported_to=_frozen(whole.reported_to[rows]),
            reported_how=whole.reported_how,
            kept=None if whole.kept is None else whole.kept.of(rows),
            given=None
            if whole.given is None
            else {name: _frozen(values[rows]) for name, values in whole.given.items()},
            run=whole.run,
            rows=_frozen(rows),
            _whole=whole,
        )
        return view

    if not TYPE_CHECKING:  # for a type checker these are the fields above, and there are no others

        def __getattr__(self, name: str) -> Any:
            """Copy what a subset has per record when it is first asked for."""
            if name not in ("score", "relevant", "record", "offset", "grades"):
                msg = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise AttributeError(msg)
            length = np.diff(self.whole.offset)
            if name == "offset":
                value = _frozen(np.concatenate([[0], np.cumsum(length[self.rows])]))
            elif (value := getattr(self.whole, name)) is not None:
                keep = np.zeros(length.size, np.bool_)
                keep[self.rows] = True
                kept = np.repeat(keep, length)
                if name == "grades":
                    value = Grades(_frozen(value.record[kept]), _frozen(value.total[self.rows]))
                else:
                    value = _frozen(value[kept])
            self._set(**{name: value})
            return value

    def row_of(self, query: str | int) -> int:
        """Place of a query, given by its id or its place.

        Raises
        ------
        KeyError
            If there is no such query.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> lists = RetrievalLists([1e-9, 0.5, 2.0], [1, 0, 1], [0, 2, 3], [2, 1], query=["a", "b"])
        >>> lists.row_of("b")
        1
        """
        if isinstance(query, str):
            found = np.flatnonzero(self.query == query)
            if not found.size:
                msg = f"no query {query!r}"
                raise KeyError(msg)
            return int(found[0])
        if not -self.n_queries <= query < self.n_queries:
            msg = f"no query {query}: there are {self.n_queries}"
            raise KeyError(msg)
        return int(query) % self.n_queries

    def __repr__(self) -> str:
        records = int(np.diff(self.whole.offset)[self.rows].sum())
        return (
            f"<RetrievalLists: {self.n_queries:,} queries, {records:,} records, {self.direction}>"
        )


ARGUMENTS = tuple(signature(RetrievalLists).parameters)
"""What lists are made of: the names of the arguments of `RetrievalLists`."""


def derived(
    *, keep: int | None = None
) -> Callable[
    [Callable[Concatenate[RetrievalLists, P], R]], Callable[Concatenate[RetrievalLists, P], R]
]:
    """Compute once what depends on whole lists alone, and keep it as long as they live.

    The function is always called with ``lists.whole``: lists never change, so neither does what
    is derived from them, and every subset reads its queries from the same arrays. Its other
    arguments are policies, all of them required, by position or by name. Nothing it returns may
    hold the lists themselves. Threads may call it at the same time: at worst each of them
    computes the same once.

    Parameters
    ----------
    keep : int, optional
        For how many policies the result is kept, the latest. Default: for each; there are few.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.lists import RetrievalLists, derived
    >>> @derived()
    ... def longest(lists):
    ...     print("computed")
    ...     return int(np.diff(lists.offset).max())
    >>> lists = RetrievalLists([1.0, 2.0], [True, False], [0, 1, 2], [1, 1])
    >>> longest(lists), longest(lists.subset([True, False]))
    computed
    (1, 1)
    """

    def decorate(
        function: Callable[Concatenate[RetrievalLists, P], R],
    ) -> Callable[Concatenate[RetrievalLists, P], R]:
        names = tuple(signature(function).parameters)[1:]
        # As in a WeakKeyDictionary, which takes longer to look up.
        cache: dict[ref[RetrievalLists], dict[tuple[Any, ...], R]] = {}
        lock = Lock()

        def forget(gone: ref[RetrievalLists]) -> None:
            cache.pop(gone, None)

        @wraps(function)
        def wrapper(lists: RetrievalLists, /, *args: P.args, **kwargs: P.kwargs) -> R:
            whole = lists.whole
            policies: tuple[Any, ...] = args
            if len(args) < len(names):
                policies = (*args, *map(kwargs.__getitem__, names[len(args) :]))
            known = cache.get(ref(whole))
            if known is not None and policies in known:
                return known[policies]
            value = function(whole, *args, **kwargs)
            with lock:
                # Another dictionary, not a changed one: no thread finds it half done.
                known = {**cache.get(ref(whole), {}), policies: value}
                while keep is not None and len(known) > keep:
                    del known[next(iter(known))]
                cache[ref(whole, forget)] = known
            return value

        return wrapper

    return decorate


def align(results: Mapping[str, RetrievalLists]) -> dict[str, RetrievalLists]:
    """Give all algorithms the same queries in the same order.

    A program that found nothing for a query leaves no row for it: a query that one algorithm
    has and another has not becomes an empty list of the other. Lists that already agree are
    returned as they are.

    Raises
    ------
    ValueError
        If two algorithms differ on T(q) or the weight of a query, or on the direction of scores.

    Examples
    --------
    >>> from tapviz import RetrievalLists, align
    >>> lists = RetrievalLists([1e-9, 0.5, 2.0], [1, 0, 1], [0, 2, 3], [2, 1], query=["a", "b"])
    >>> other = RetrievalLists([1.0], [1], [0, 1], [4], query=["c"])
    >>> {name: one.query.tolist() for name, one in align({"one": lists, "other": other}).items()}
    {'one': ['a', 'b', 'c'], 'other': ['a', 'b', 'c']}
    """
    for name, lists in results.items():
        other, first = next(iter(results.items()))
        if lists.direction != first.direction:
            msg = (
                f"{other} has {first.direction} scores and {name} {lists.direction} ones: "
                "no threshold is common to both; load them separately"
            )
            raise ValueError(msg)
    queries = list(dict.fromkeys(q for one in results.values() for q in one.query.tolist()))
    place = {query: row for row, query in enumerate(queries)}
    rows = {name: np.array([place[q] for q in one.query.tolist()]) for name, one in results.items()}
    n_relevant = _common(results, rows, "n_relevant", "relevant records in the database, T(q)")
    weight = _common(results, rows, "weight", "as its weight")
    n_irrelevant = None
    if all(one.n_irrelevant is not None for one in results.values()):
        n_irrelevant = _common(
            results, rows, "n_irrelevant", "irrelevant records in the database, F(q)"
        )
    total = _totals(results, rows, len(queries))
    query_class = np.full(len(queries), "", np.object_)
    for name, lists in results.items():
        if lists.query_class is not None:
            query_class[rows[name]] = lists.query_class
    return {
        name: lists
        if lists.query.tolist() == queries
        else RetrievalLists.from_records(
            np.repeat(rows[name], np.diff(lists.offset)),
            lists.score,
            lists.relevant,
            n_relevant=n_relevant,
            query=queries,
            record=lists.record,
            direction=lists.direction,
            weight=weight,
            query_class=query_class if query_class.any() else None,
            n_irrelevant=n_irrelevant,
            join_report=lists.join_report,
            class_level=lists.class_level,
            reported_to=_placed(rows[name], lists, len(queries)),
            reported_how=lists.reported_how,
            grades=None if total is None else Grades(_graded(lists), total),
            kept=_placed_kept(rows[name], lists, len(queries)),
            given=_given(rows[name], lists, len(queries)),
            run=lists.run,
        )
        for name, lists in results.items()
    }


def _given(
    rows: NDArray[np.int64], lists: RetrievalLists, n_queries: int
) -> dict[str, NDArray[np.float64]] | None:
    """Scores of each query that were given, in another order; NaN where there are none."""
    if lists.given is None:
        return None
    found = {name: np.full(n_queries, np.nan) for name in lists.given}
    for name, values in lists.given.items():
        found[name][rows] = values
    return found


def _graded(lists: RetrievalLists) -> NDArray[np.int64]:
    return np.zeros(0, np.int64) if lists.grades is None else lists.grades.record


def _totals(
    results: Mapping[str, RetrievalLists],
    rows: Mapping[str, NDArray[np.int64]],
    n_queries: int,
) -> NDArray[np.int64] | None:
    """Records of each grade of each query, if all algorithms know them, shape (Q, G + 1)."""
    known = {name: one.grades.total for name, one in results.items() if one.grades is not None}
    if not known or len(known) < len(results):
        return None
    total = np.zeros((n_queries, max(one.shape[1] for one in known.values())), np.int64)
    for name, own in known.items():
        total[rows[name], : own.shape[1]] = own
    return total


def _placed(rows: NDArray[np.int64], lists: RetrievalLists, n_queries: int) -> NDArray[np.float64]:
    """Where lists end, in another order; a query without a row was searched as far as any."""
    known = lists.reported_to[np.isfinite(lists.reported_to)]
    furthest = lists.sign * np.inf
    if known.size:
        furthest = lists.sign * (lists.sign * known).max()
    ends = np.full(n_queries, furthest)
    ends[rows] = lists.reported_to
    return ends


def _placed_kept(rows: NDArray[np.int64], lists: RetrievalLists, n_queries: int) -> Kept | None:
    """What is known of condensed lists, in another order; of a query without a row it is 0."""
    if lists.kept is None:
        return None

    def placed(values: NDArray[Any]) -> NDArray[Any]:
        found = np.zeros((n_queries, *values.shape[1:]), values.dtype)
        found[rows] = values
        return _frozen(found)

    values = {name: placed(each) for name, each in lists.kept.values.items()}
    length, found = placed(lists.kept.length), placed(lists.kept.found)
    return lists.kept._replace(length=length, found=found, values=values)


def _common(
    results: Mapping[str, RetrievalLists],
    rows: Mapping[str, NDArray[np.int64]],
    field: str,
    meaning: str,
) -> NDArray[Any]:
    """Value of a field of each query, on which all algorithms that have the query must agree."""
    values: dict[int, tuple[Any, str]] = {}
    for name, lists in results.items():
        for row, query, own in zip(
            rows[name].tolist(), lists.query.tolist(), getattr(lists, field).tolist(), strict=True
        ):
            value, other = values.setdefault(row, (own, name))
            if value != own:
                msg = (
                    f"query {query}: {other} has {value:g} {meaning}, {name} has {own:g}; a query "
                    "must be the same for all algorithms: use the same labels for all"
                )
                raise ValueError(msg)
    return np.array([values[row][0] for row in range(len(values))])


def _array(name: str, values: ArrayLike, dtype: type[np.generic]) -> NDArray[Any]:
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
    return _frozen(array)


def _is_ours(values: Any, dtype: type[np.generic]) -> bool:
    """Whether no one else can write to an array: it is read-only, and not a view."""
    array = isinstance(values, np.ndarray) and values.dtype == dtype
    return array and values.base is None and not values.flags.writeable


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def _check(lists: RetrievalLists) -> None:
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
    _check_weight(lists.weight, lists.query)
    _check_records(lists)


def _check_weight(weight: NDArray[np.float64], query: NDArray[np.str_]) -> None:
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
    found = np.concatenate([[0], np.cumsum(lists.relevant)])
    retrieved = found[offset[1:]] - found[offset[:-1]]
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
