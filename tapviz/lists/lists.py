"""All retrieval lists of one algorithm."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import checks
from tapviz.lists.cells import lists_html
from tapviz.lists.checks import Direction, Grades, Kept, ReportedHow, array_of, frozen
from tapviz.lists.runs import Run


class Frame(Protocol):
    """A table of any library that speaks Arrow: pandas, polars, pyarrow, DuckDB and others."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Export the table through Arrow's PyCapsule interface."""


class Others(TypedDict, total=False):
    """Arguments of `RetrievalLists` that say nothing of its records."""

    weight: ArrayLike | None
    query_class: Sequence[str] | NDArray[np.str_] | NDArray[np.object_] | None
    n_irrelevant: ArrayLike | None
    join_report: Any
    class_level: int | None
    reported_to: ArrayLike | None
    reported_how: ReportedHow | None
    kept: Kept | None
    given: Mapping[str, ArrayLike] | None
    run: Run | None


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
        `tapviz.lists.reported.NotKeptError`.
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

    judged_frame: ClassVar[Callable[..., RetrievalLists]]
    """What `from_frame` asks: labels make lists, so that `tapviz` binds it, which knows both."""

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
    # None for whole lists: one that held itself would outlive its use.
    _whole: RetrievalLists | None

    def __init__(
        self,
        score: ArrayLike,
        relevant: ArrayLike,
        offset: ArrayLike,
        n_relevant: ArrayLike,
        weight: ArrayLike | None = None,
        query: Sequence[str] | NDArray[np.str_] | NDArray[np.object_] | None = None,
        direction: Direction = "ascending",
        record: Sequence[str] | NDArray[np.str_] | NDArray[np.object_] | None = None,
        query_class: Sequence[str] | NDArray[np.str_] | NDArray[np.object_] | None = None,
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
        offset = array_of("offset", offset, np.int64)
        n_queries = max(offset.size - 1, 0)
        ends = np.asarray(np.inf if reported_to is None else reported_to)
        if reported_to is None and direction == "descending":
            ends = -ends
        arrays: dict[str, ArrayLike] = {
            "score": score,
            "relevant": relevant,
            "n_relevant": n_relevant,
            "weight": np.ones(n_queries) if weight is None else weight,
            "query": [str(q + 1) for q in range(n_queries)] if query is None else query,
            "reported_to": ends if ends.ndim else np.full(n_queries, ends),
        }
        others: dict[str, ArrayLike | None]
        others = {"record": record, "query_class": query_class, "n_irrelevant": n_irrelevant}
        arrays |= {name: values for name, values in others.items() if values is not None}
        own = {name: array_of(name, values, checks.KINDS[name]) for name, values in arrays.items()}
        self._set(
            **(dict.fromkeys(others) | own),
            offset=offset,
            direction=direction,
            join_report=join_report,
            class_level=class_level,
            grades=None if grades is None else Grades(*map(frozen, grades)),
            kept=kept,
            given=None
            if given is None
            else {name: array_of(name, values, np.float64) for name, values in given.items()},
            run=run or Run(),
            rows=frozen(np.arange(n_queries)),
            _whole=None,
        )
        known = bool(np.isfinite(self.reported_to).any())
        self._set(reported_how=(reported_how or "said") if known else None)
        checks.check(self)

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def __reduce__(self) -> tuple[type[RetrievalLists], tuple[object, ...]]:
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
        query: Sequence[str] | NDArray[np.str_],
        record: NDArray[np.object_] | None = None,
        direction: Direction = "ascending",
        second: ArrayLike | None = None,
        grades: Grades | None = None,
        **others: Unpack[Others],
    ) -> RetrievalLists:
        """Make lists from records in any order.

        Parameters
        ----------
        row : array_like of int, shape (N,)
            Place in `query` of the query of each record.
        score, relevant, record
            As in `RetrievalLists`, one of each per record, in the order of `row`.
        n_relevant, query, direction, grades
            As in `RetrievalLists`; grades of records in the order of `row`.
        second : array_like of float, shape (N,), optional
            Second key among equal scores, larger first (the bit score). Records that both keys
            leave equal keep their order.
        **others
            Other arguments of `RetrievalLists`: weight, query_class, n_irrelevant, join_report,
            class_level, reported_to, reported_how, kept, given, run.

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
        row = array_of("row", row, np.int64)
        if ((row < 0) | (row >= len(query))).any():
            raise ValueError(f"row: expected places of the queries, from 0 to {len(query) - 1}")
        key = np.asarray(score, np.float64)
        if direction == "descending":
            key = -key
        keys = (key, row) if second is None else (-np.asarray(second, np.float64), key, row)
        order = np.lexsort(keys)
        offset = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(query)))])
        record = None if record is None else np.asarray(record, np.object_)[order]
        grades = grades and grades._replace(record=grades.record[order])
        return cls(
            *(np.asarray(score)[order], np.asarray(relevant)[order], offset, n_relevant),
            query=query,
            direction=direction,
            record=record,
            grades=grades,
            **others,
        )

    @classmethod
    def from_frame(
        cls,
        frame: Frame,
        *,
        qrels: object = None,
        labels: object = None,
        n_relevant: Mapping[str, int] | None = None,
        queries: Sequence[str] | None = None,
        direction: Direction | None = None,
        reported_to: float | None = None,
    ) -> RetrievalLists:
        """Make lists from a table of pandas, polars or any other library that speaks Arrow.

        Parameters
        ----------
        frame : Frame
            A row for each hit, in any order, read as by `tapviz.read`; with the columns

            - ``query`` and ``record``, ids;
            - ``evalue``, of which small ones are good, or ``score``, of which those are that come
              first in all lists, unless `direction` says which;
            - ``relevant``, unless `qrels` or `labels` say what is relevant; a row without a value
              there is left out, with a warning;
            - ``n_relevant``, ``n_irrelevant``, ``weight``, ``query_class``, ``reported_to`` and
              ``reported_how``, all optional: T(q), F(q), weight and class of the row's query, and
              how far its list goes; read only where the table itself says what is relevant.

            A row with nothing but a query (and what belongs to it) stands for an empty list.
        qrels : Qrels, table, mapping or file, optional
            The relevant pairs: a table with the columns ``query``, ``record`` and, optionally,
            ``grade``, of which 1 and more mean relevant; ``{query: {record: grade}}``; or `Qrels`.
        labels : ClassTable, Patterns, Inline or other labels, table, mapping or file, optional
            Anything else that says what is relevant: a table of ids and classes, or
            ``{id: class}``.
        n_relevant : mapping of str to int, optional
            T(q) of each query, where the table itself says what is relevant. Queries that only
            this names become empty lists.
        queries : sequence of str, optional
            The queries to keep, in this order, with empty lists where there is no row.
        direction : {"ascending", "descending"}, optional
            Whether small or large scores are good, if neither the column nor its order says so.
        reported_to : float, optional
            Score up to which records were reported; by default as table or lists tell.

        Returns
        -------
        RetrievalLists
            Where the table itself says what is relevant, exactly its rows. With `qrels` and
            `labels` their rules hold, as for a file: see `tapviz.labels.JoinRules`.

        Raises
        ------
        ReadError
            If columns are missing or a cell is wrong; the message names the column and the row.
        ValueError, TypeError
            If the arguments make no sense together, or `frame` is not a table.

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
        return cls.judged_frame(frame, labels, qrels, n_relevant, queries, direction, reported_to)

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
            (descending, which `from_frame` must be told where no list has two scores),
            ``relevant`` and ``n_relevant``; and ``weight``, ``query_class``, ``n_irrelevant``,
            ``reported_to`` and ``reported_how`` where they are known. Ids are categories.

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
        # Whoever makes no table needs no Arrow.
        from tapviz.lists.writing import to_arrow  # noqa: PLC0415

        table = to_arrow(self)
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
        return self.replaced(reported_to=ends, reported_how=how)

    def with_run(self, run: Run) -> RetrievalLists:
        """Return the same lists with another run.

        Parameters
        ----------
        run : Run
            As `run`.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> from tapviz.lists.runs import Run
        >>> RetrievalLists([1e-9], [1], [0, 1], [2]).with_run(Run(seconds=12.5)).run.seconds
        12.5
        """
        return self.replaced(run=run)

    def replaced(self, **changes: object) -> RetrievalLists:
        """Return the same lists with other values of some arguments of `RetrievalLists`.

        Raises
        ------
        ValueError
            If they do not go with the others.

        Examples
        --------
        >>> from tapviz import RetrievalLists
        >>> RetrievalLists([1e-9], [1], [0, 1], [2]).replaced(n_relevant=[3]).n_relevant
        array([3])
        """
        values = {name: getattr(self, name) for name in ARGUMENTS}
        return RetrievalLists(**values | changes)

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
        values = array_of("weight", weight, np.float64)
        checks.check_weight(values, self.query)
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
            found = f"{keep.dtype} of shape {keep.shape}"
            raise ValueError(f"mask: expected {self.n_queries} booleans, found {found}")
        return self._view(self.rows[keep], self.weight[keep])

    def _view(self, rows: NDArray[np.int64], weight: NDArray[np.float64]) -> RetrievalLists:
        whole = self.whole
        view = object.__new__(RetrievalLists)
        of_queries = {name: getattr(whole, name) for name in checks.OF_QUERIES}
        given = (whole.given or {}).items()
        view._set(
            **{name: getattr(whole, name) for name in checks.OF_WHOLE},
            **{name: of if of is None else frozen(of[rows]) for name, of in of_queries.items()},
            weight=frozen(weight),
            kept=whole.kept and whole.kept.of(rows),
            given=whole.given and {name: frozen(values[rows]) for name, values in given},
            rows=frozen(rows),
            _whole=whole,
        )
        return view

    if not TYPE_CHECKING:  # for a type checker these are the fields above, and there are no others

        def __getattr__(self, name: str) -> Any:
            """Copy what a subset has per record when it is first asked for."""
            if name not in ("score", "relevant", "record", "offset", "grades"):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            length = np.diff(self.whole.offset)
            if name == "offset":
                value = frozen(np.concatenate([[0], np.cumsum(length[self.rows])]))
            elif (value := getattr(self.whole, name)) is not None:
                keep = np.zeros(length.size, np.bool_)
                keep[self.rows] = True
                kept = np.repeat(keep, length)
                if name == "grades":
                    value = Grades(frozen(value.record[kept]), frozen(value.total[self.rows]))
                else:
                    value = frozen(value[kept])
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
                raise KeyError(f"no query {query!r}")
            return int(found[0])
        if not -self.n_queries <= query < self.n_queries:
            raise KeyError(f"no query {query}: there are {self.n_queries}")
        return int(query) % self.n_queries

    def __repr__(self) -> str:
        n_records = np.diff(self.whole.offset)[self.rows].sum()
        size = f"{self.n_queries:,} queries, {n_records:,} records"
        return f"<RetrievalLists: {size}, {self.direction}>"

    _repr_html_ = lists_html


ARGUMENTS = tuple(signature(RetrievalLists).parameters)
"""What lists are made of: the names of the arguments of `RetrievalLists`."""
