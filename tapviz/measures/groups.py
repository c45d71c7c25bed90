"""Queries that belong together, as those of a superfamily, whose lists are alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product, takewhile
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists import RetrievalLists, count, derived
from tapviz.lists.checks import numbered
from tapviz.measures._common import Bools, Floats, Ints, refuse, special, sum_by_query
from tapviz.measures._ranking import row_of_query

__all__ = [
    "GroupMeans", "Groups", "GroupsOf", "Members", "agreement", "as_groups", "class_depth",
    "class_groups", "class_members", "group_means", "in_class", "level_name", "level_names",
    "shares_relevant",
]  # fmt: skip

ENOUGH_GROUPS = 10
"""Below so many groups, or queries where there are none, their choice says little of others."""

SCOP = re.compile(r"[a-z](\.\d+)*")
COVERAGE = 0.95
"""Of an interval of a mean."""
SCOP_LEVELS = ("classes", "folds", "superfamilies", "families")
"""What the levels of a class of SCOP, such as a.1.1.2, are called."""


@dataclass(frozen=True, eq=False)
class Groups:
    """A division of queries into groups, which are drawn, or change their sign, as a whole.

    Queries whose groups are unknown stand for themselves.

    Attributes
    ----------
    code : ndarray of int64, shape (Q,)
        The group of each query: 0, 1, ... in the order in which they first occur.
    unit : str
        What groups are called, as "superfamilies".
    count : int
        How many groups there are.

    Examples
    --------
    >>> from tapviz.measures import Groups
    >>> groups = Groups.of(["globin", "globin", "kinase"], unit="families")
    >>> groups.code.tolist(), str(groups)
    ([0, 0, 1], '2 families, 3 queries')
    """

    code: Ints
    unit: str
    count: int

    @classmethod
    def of(cls, labels: ArrayLike, unit: str = "groups") -> Groups:
        """Groups of queries with equal labels.

        Parameters
        ----------
        labels : array_like, shape (Q,)
            Label of the group of each query.
        unit : str
            What groups are called.

        Raises
        ------
        ValueError
            If there is not one dimension, or a label is NaN.
        """
        values = np.asarray(labels)
        message = f"groups: expected a label of each query, found shape {values.shape}"
        refuse(values.ndim != 1, message)
        message = "groups: expected a label of each query, found NaN"
        refuse(values.dtype.kind == "f" and np.isnan(values).any(), message)
        known, code = numbered(values.tolist())
        return cls(code.astype(np.int64), unit, len(known))

    @classmethod
    def single(cls, n_queries: int) -> Groups:
        """Each query on its own."""
        return cls(np.arange(n_queries), "queries", n_queries)

    def among(self, some: Bools) -> Groups:
        """The groups of some of the queries, a boolean for each, shape (Q,)."""
        return Groups.of(self.code[some], self.unit)

    def sums(self, values: Floats) -> Floats:
        """Sum over the queries of each group, shape (G,), of numbers of shape (Q,)."""
        return sum_by_query(self.code, values, self.count)

    @property
    def few(self) -> str:
        """Why there are too few groups for an interval; empty if there are enough."""
        return self._few(self.count)

    def few_among(self, some: Bools) -> str:
        """The same of those of some of the queries, a boolean for each, shape (Q,)."""
        return self._few(int(np.count_nonzero(np.bincount(self.code[some]))))

    def _few(self, count: int) -> str:
        return "" if count >= ENOUGH_GROUPS else f"fewer than {ENOUGH_GROUPS} {self.unit}"

    @property
    def grouped(self) -> bool:
        """Whether they are groups, rather than single queries."""
        return self.unit != "queries"

    def __str__(self) -> str:
        queries = count(self.code.size, "query")
        return f"{counted(self.count, self.unit)}, {queries}" if self.grouped else queries


Labels = Groups | ArrayLike | None
GroupsOf = Labels | Literal["relevance"]
"""`Groups`; a label of each query; a level of their classes; "relevance"; or None."""


def class_groups(lists: RetrievalLists, level: int | None = None) -> Groups:
    """Groups of queries whose classes agree to a level.

    Parameters
    ----------
    lists : RetrievalLists
        Lists with the classes of queries.
    level : int, optional
        1 or more; by default the level at which relevance was judged, and where that is not
        known whole classes. A query of several classes, written with commas between, joins their
        groups.

    Raises
    ------
    ValueError
        If classes of queries are unknown, or have no such level.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import class_groups
    >>> lists = load_results()["BLASTP"]
    >>> print(class_groups(lists), class_groups(lists, level=2), sep="; ")
    431 superfamilies, 862 queries; 299 folds, 862 queries
    """
    if lists.query_class is None:
        msg = "groups: the classes of the queries are not known; give a label of each query"
        raise ValueError(msg)
    names, deepest = lists.query_class.tolist(), class_depth(lists)
    if level is None:
        level = lists.class_level or deepest
    message = f"groups = {level}: expected a level of the classes, from 1 to {max(deepest, 1)}"
    refuse(not 1 <= level <= max(deepest, 1) or level % 1, message)
    separator = _separator(names)

    def classes(name: str) -> list[str]:
        return [separator.join(one.split(separator)[:level]) for one in _several(name)]

    several = [classes(name) if name else [("query", row)] for row, name in enumerate(names)]
    return Groups.of(_joined(several), unit=level_name(lists, level))


def level_name(lists: RetrievalLists, level: int) -> str:
    """What the groups of a level of the classes are called, in the plural.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import level_name
    >>> [level_name(load_results()["BLASTP"], level) for level in (1, 2, 3, 4)]
    ['classes', 'folds', 'superfamilies', 'families']
    """
    if _in_scop(lists) and class_depth(lists) <= len(SCOP_LEVELS):
        return SCOP_LEVELS[level - 1]
    return "classes" if class_depth(lists) == 1 else f"classes of level {level}"


@derived()
def _in_scop(lists: RetrievalLists) -> bool:
    """Whether the classes of the queries are written as those of SCOP."""
    names = [] if lists.query_class is None else lists.query_class.tolist()
    return all(SCOP.fullmatch(one) for name in names for one in _several(name) if name)


def agreement(one: str, other: str) -> int:
    """Levels, from the first on, to which two classes agree; of several, the two that agree most.

    Examples
    --------
    >>> from tapviz.measures import agreement
    >>> agreement("a.1.1.2", "a.1.2.1"), agreement("a.1.1.2", "b.1, a.1.1.2")
    (2, 4)
    """
    separator = _separator([one, other])
    names = ([name.split(separator) for name in _several(classes)] for classes in (one, other))
    pairs = (zip(*parts, strict=False) for parts in product(*names))
    return max(sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], each)) for each in pairs)


def level_names(lists: RetrievalLists) -> list[str]:
    """What a class of each level is called, in the singular.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import level_names
    >>> level_names(load_results()["BLASTP"])
    ['class', 'fold', 'superfamily', 'family']
    """
    return [singular(level_name(lists, level)) for level in range(1, class_depth(lists) + 1)]


@derived()
def class_depth(lists: RetrievalLists) -> int:
    """Levels of the deepest class of a query, also of one that a subset leaves out; or 0.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import class_depth
    >>> class_depth(load_results()["BLASTP"])
    4
    """
    names = [] if lists.query_class is None else lists.query_class.tolist()
    separator = _separator(names)
    classes = (one for name in names if name for one in _several(name))
    return max((one.count(separator) + 1 for one in classes), default=0)


class Members(NamedTuple):
    """Queries of each class of a level; one that has several classes is in each of them."""

    label: NDArray[np.str_]
    """The classes, sorted, shape (G,)."""
    query: Ints
    """Place of a query among the lists, shape (M,)."""
    code: Ints
    """Place of its class in `label`, shape (M,)."""


def class_members(lists: RetrievalLists, level: int) -> Members:
    """Queries of each class of a level, as a filter by that class keeps them.

    Unlike `class_groups` it joins no classes that have a query in common: whoever asks for the
    queries of a.1 gets those, whatever else they belong to.

    Parameters
    ----------
    lists : RetrievalLists
    level : int
        1 or more. A query whose class has no such level is in none.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import class_members
    >>> members = class_members(load_results()["BLASTP"], level=1)
    >>> members.label[:4].tolist(), members.query.size
    (['a', 'b', 'c', 'd'], 862)
    """
    whole = _members(lists, level)
    query = row_of_query(lists)[whole.query].astype(np.int64)
    some, code = np.unique(whole.code[query >= 0], return_inverse=True)
    return Members(whole.label[some], query[query >= 0], code.astype(np.int64))


@derived()
def _members(lists: RetrievalLists, level: int) -> Members:
    """`class_members` of whole lists."""
    names = [] if lists.query_class is None else lists.query_class.tolist()
    separator = _separator(names)
    labels: list[str] = []
    queries: list[int] = []
    for row, name in enumerate(names):
        parts = [one.split(separator) for one in _several(name)] if name else []
        own = {separator.join(one[:level]) for one in parts if len(one) >= level}
        labels += sorted(own)
        queries += [row] * len(own)
    label, code = np.unique(np.array(labels, np.str_), return_inverse=True)
    return Members(label, np.array(queries, np.int64), code.astype(np.int64))


def in_class(query_class: NDArray[np.str_], wanted: str) -> Bools:
    """Which queries are of a class, or of one below it: a.1 holds a.1 and a.1.2, not a.10.

    Parameters
    ----------
    query_class : ndarray of str, shape (Q,)
    wanted : str

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import in_class
    >>> in_class(np.array(["a.1.2", "a.10", "b.4, a.1.7", ""]), "a.1").tolist()
    [True, False, True, False]
    """
    below = tuple(wanted + separator for separator in (".", " / "))
    names, code = np.unique(query_class, return_inverse=True)
    held = [
        any(one == wanted or one.startswith(below) for one in _several(name))
        for name in names.tolist()
    ]
    return np.array(held, np.bool_)[code]


class GroupMeans(NamedTuple):
    """Means of the values of the queries of each group."""

    n: Ints
    """Queries with a value, shape (G,)."""
    mean: Floats
    """NaN where no query has one."""
    low: Floats
    high: Floats
    """95 % interval of the mean; NaN for fewer than `ENOUGH_GROUPS` queries, or of unequal
    weights."""


def group_means(values: ArrayLike, members: Members, weight: ArrayLike | None = None) -> GroupMeans:
    """Mean of a value in each group, with an interval by Student's t.

    Parameters
    ----------
    values : array_like of float, shape (Q,)
        NaN where a query has none.
    members : Members
    weight : array_like of float, shape (Q,), optional
        Weights of the queries.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.measures import Members, group_means
    >>> members = Members(np.array(["a", "b"]), np.arange(3), np.array([0, 0, 1]))
    >>> group_means([0.2, 0.4, 0.9], members).mean.round(3).tolist()
    [0.3, 0.9]
    """
    given = np.asarray(values, np.float64)[members.query]
    known = ~np.isnan(given)
    value, code = given[known], members.code[known]
    every = np.ones(given.size) if weight is None else np.asarray(weight, np.float64)[members.query]
    weights = every[known]
    size = members.label.size
    n = np.bincount(code, minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(code, weights * value, size) / np.bincount(code, weights, size)
        spread = np.bincount(code, (value - mean[code]) ** 2, size) / np.maximum(n - 1, 1)
        error = np.sqrt(spread / n)
    least, most = np.full(size, np.inf), np.zeros(size)
    np.minimum.at(least, code, weights)
    np.maximum.at(most, code, weights)
    enough = (n >= ENOUGH_GROUPS) & (least == most)
    quantile = special().stdtrit(np.maximum(n - 1, 1), (1 + COVERAGE) / 2)
    half = np.where(enough, quantile * error, np.nan)
    return GroupMeans(n, mean, mean - half, mean + half)


def as_groups(groups: GroupsOf, lists: RetrievalLists) -> Groups:
    """Groups of the queries of some lists, however they are given.

    Parameters
    ----------
    groups : Groups, array_like, int, "relevance" or None
        A label of each query; a level of their classes; "relevance" for that at which relevance
        was judged, where classes are known; None for single queries.
    lists : RetrievalLists

    Raises
    ------
    ValueError
        If there is not a label for each query, or no such level.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.measures import as_groups
    >>> lists = load_results()["BLASTP"]
    >>> print(as_groups(None, lists), as_groups(4, lists), sep="; ")
    862 queries; 689 families, 862 queries
    """
    if isinstance(groups, str):
        message = f'groups = {groups!r}: expected labels, a level, "relevance" or None'
        refuse(groups != "relevance", message)
        return class_groups(lists) if class_depth(lists) else Groups.single(lists.n_queries)
    if isinstance(groups, int | np.integer):
        return class_groups(lists, int(groups))
    return as_labels(groups, lists.n_queries)


def as_labels(groups: Labels, n_queries: int) -> Groups:
    """Groups of so many queries, where only labels can say which they are.

    Raises
    ------
    ValueError
        If there is not a label for each query.

    Examples
    --------
    >>> from tapviz.measures.groups import as_labels
    >>> str(as_labels([7, 7, 3], 3))
    '2 groups, 3 queries'
    """
    if groups is None:
        return Groups.single(n_queries)
    found = groups if isinstance(groups, Groups) else Groups.of(groups)
    message = f"groups: expected a label of each of {n_queries} queries, found {found.code.size}"
    refuse(found.code.size != n_queries, message)
    return found


def shares_relevant(lists: RetrievalLists) -> Bools:
    """Whether a relevant record that a query found was found by another, relevant to it as well.

    Parameters
    ----------
    lists : RetrievalLists
        With the ids of records; without them nothing is known to be shared.

    Returns
    -------
    ndarray of bool, shape (Q,)

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.measures import shares_relevant
    >>> lists = RetrievalLists([1.0, 2.0], [True, True], [0, 1, 2], [1, 1], record=["r1", "r1"])
    >>> shares_relevant(lists).tolist()
    [True, True]
    """
    query, record = _relevant_records(lists)
    row = row_of_query(lists)[query]
    query, record = row[row >= 0], record[row >= 0]
    found = np.zeros(lists.n_queries, np.bool_)
    found[query[np.bincount(record)[record] > 1]] = True
    return found


@derived()
def _relevant_records(lists: RetrievalLists) -> tuple[Ints, Ints]:
    """Query, and number of the id, of each relevant record; empty where there are no ids."""
    if lists.record is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    relevant = np.flatnonzero(lists.relevant)
    query = np.repeat(np.arange(lists.n_queries), np.diff(lists.offset))[relevant]
    return query, Groups.of(lists.record[relevant]).code


def counted(number: int, unit: str) -> str:
    """A number of groups.

    Examples
    --------
    >>> from tapviz.measures.groups import counted
    >>> counted(1, "superfamilies"), counted(1351, "queries")
    ('1 superfamily', '1,351 queries')
    """
    return f"{number:,} {singular(unit) if number == 1 else unit}"


def singular(unit: str) -> str:
    """One of what groups are called.

    Examples
    --------
    >>> from tapviz.measures.groups import singular
    >>> [singular(unit) for unit in ("superfamilies", "classes of level 2", "folds", "queries")]
    ['superfamily', 'class of level 2', 'fold', 'query']
    """
    noun, *more = unit.split(" ", 1)
    ending = "es" if noun == "classes" else "s"
    one = noun[:-3] + "y" if noun.endswith("ies") else noun.removesuffix(ending)
    return " ".join([one, *more])


def _separator(names: Iterable[str]) -> str:
    return " / " if any(" / " in name for name in names) else "."


def _several(name: str) -> list[str]:
    return name.split(", ")


def _joined(several: Sequence[Sequence[object]]) -> Ints:
    """Number of the group of each query, where queries that share a label are of one group."""
    parent: dict[object, object] = {}

    def root(label: object) -> object:
        while (above := parent.setdefault(label, label)) != label:
            parent[label] = parent[above]
            label = above
        return label

    for labels in several:
        for other in labels[1:]:
            parent[root(other)] = root(labels[0])
    return numbered(root(labels[0]) for labels in several)[1].astype(np.int64)
