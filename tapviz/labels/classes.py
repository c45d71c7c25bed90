"""Labels by classes: a band of levels is relevant, what is closer or near it left out.

Or by families, which ids name.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from itertools import chain, product
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from tapviz.files import Budget, FileLike, ReadError, Regex, held, name_of, option, warn
from tapviz.files.problems import rendered
from tapviz.labels.hits import Hits, Ints32
from tapviz.labels.ids import collisions, grouped, normalise
from tapviz.labels.join import IGNORED, IRRELEVANT, RELEVANT, UNLABELLED, Judge, Totals, join
from tapviz.labels.kinds import read_classes, too_many, wrong_class
from tapviz.labels.rules import LEVELS, STANDARDS, USUAL, JoinRules, Standard, Unrelated, named
from tapviz.lists import RetrievalLists
from tapviz.lists.checks import Ints, numbered

Classes = str | tuple[str, ...]  # one, or several

CODE = 16
"""Bytes of a class of an id, as a number."""
NEAR = 0
"""Level to which classes agree of records that are not errors, whatever else they are."""
MAX_WORK = 5_000_000_000
"""Pairs of classes of the hits that are compared, which takes seconds."""
SCOP = re.compile(r"[a-z](\.[0-9]+){3}")


class _Level:
    """Who agrees to a level of the classes: of each class, by its place among all of a table."""

    def __init__(self, groups: list[frozenset[str]], n_records: Ints, ignored: set[int]) -> None:
        self.groups, self.n_records = groups, n_records
        self.ignored = ignored
        """Classes whose members are nobody's errors."""
        self._holders: defaultdict[str, list[int]] = defaultdict(list)
        for at in np.flatnonzero(n_records).tolist():
            for group in groups[at]:
                self._holders[group].append(at)
        self._sizes: dict[frozenset[str], int] = {}
        self._total = np.full(len(groups), -1, np.int64)

    def total(self, place: NDArray[np.intp]) -> NDArray[np.int64]:
        """How many records agree with some classes; counted when it is first asked for."""
        for at in np.unique(place[self._total[place] < 0]).tolist():
            groups = self.groups[at]
            if groups not in self._sizes:
                holding = self.ignored.union(*(self._holders[group] for group in groups))
                self._sizes[groups] = int(self.n_records[list(holding)].sum())
            self._total[at] = self._sizes[groups]
        return self._total[place]

    @cached_property
    def numbers(self) -> tuple[Ints32, NDArray[np.intp], NDArray[np.intp]]:
        """Groups as numbers, those of a class behind one another.

        And where those of each class begin, and how many there are; the last ones of no class.
        """
        _, codes = numbered(chain.from_iterable(self.groups))
        size = np.array([*map(len, self.groups), 0], np.intp)
        return codes, np.cumsum(size) - size, size


@dataclass(frozen=True, eq=False)
class ClassTable(Judge):
    """A classification of the records of the database, and by it of what is relevant.

    Classes have levels, as a.1.1.2: class, fold, superfamily, family. A record is relevant to a
    query if their classes agree to level `relevant`. If they agree only to level `ignored`,
    it is undecided: the record is left out and counts nowhere; so is one whose classes agree even
    to level `closer`. All others are irrelevant, also records that are not in the table, unless
    the rules differ. With several classes,
    as those of the domains of a protein, agreement of one class with any is enough. T(q) counts
    the records of the table, found or not, that are relevant, without the query itself. Named
    combinations of levels are in `STANDARDS`.

    Parameters
    ----------
    records : mapping of str to str, or to a tuple of str
        Class, or classes, of each record of the database.
    queries : mapping of str to str, or to a tuple of str, optional
        Class of each query, where queries are not records of the database.
    relevant : int
        Level to which the classes of relevant records agree.
    ignored : int
        Level to which the classes of records that are left out agree; 0 to leave none out.
    closer : int
        Level, below `relevant`, to which the classes of records agree that are too close to
        count, and left out; 0 to leave none out.
    ignore_class : tuple of str
        Classes that are trusted less than the others: a class such as ``e``, of which no hit, and
        on which no hit, is an error; or a range ``b.67-b.70``, or classes joined by ``+``, between
        which none is. Such hits are left out, unless they are relevant.
    with_others : bool
        Keep only queries to which other records are relevant by each of the standards "family",
        "superfamily" and "fold".
    rules : JoinRules
        Other rules of the join.
    separator : str
        Text between two levels of a class.

    Raises
    ------
    ValueError
        If a class has fewer levels than `relevant` and `closer`, an id has more than 200 classes,
        the levels make no sense, or what to ignore is not a class.

    Examples
    --------
    >>> from tapviz import ClassTable, read
    >>> table = ClassTable({"d1": "a.1.1.1", "d2": "a.1.1.2"}, relevant=3, ignored=2)
    >>> table.records["d2"]
    'a.1.1.2'
    >>> families = ClassTable.read("classes.tsv.gz", relevant=4, ignored=3)
    >>> read("blastp.tsv.gz", labels=families, queries="queries.txt").n_queries
    21
    """

    records: Mapping[str, Classes]
    queries: Mapping[str, Classes] | None = None
    relevant: int = 3
    ignored: int = 2
    rules: JoinRules = USUAL
    separator: str = "."
    closer: int = 0
    ignore_class: tuple[str, ...] = ()
    with_others: bool = False

    names_queries: ClassVar[bool] = False

    def __post_init__(self) -> None:
        given = f"relevant {self.relevant}"
        if not 0 <= self.ignored <= self.relevant or self.relevant < 1:
            levels = "levels of the class, 1 or more for relevant, and 0 to relevant for ignored"
            raise ValueError(f"{given}, ignored {self.ignored}: expected {levels}")
        if self.closer and self.closer <= self.relevant:
            level = "a lower level of the class for closer, or 0"
            raise ValueError(f"{given}, closer {self.closer}: expected {level}")
        for text in self.ignore_class:
            Unrelated.read(text)
        depth = max(self.standard.depth, STANDARDS["family"].depth if self.with_others else 0)
        right: set[Classes] = set()
        for key, own in chain(self.records.items(), (self.queries or {}).items()):
            if wrong := too_many(key, _several(own)):
                raise ValueError(wrong)
            for name in () if own in right else _several(own):
                if wrong := wrong_class(name.split(self.separator), depth):
                    raise ValueError(rendered(f"{key}: class {name!r}: {wrong}"))
            right.add(own)

    def __getstate__(self) -> dict[str, object]:
        """What it was made of, without what was found out since."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def read(
        cls,
        path: FileLike,
        *,
        queries: FileLike | None = None,
        relevant: int = 3,
        ignored: int = 2,
        closer: int = 0,
        ignore_class: tuple[str, ...] = (),
        with_others: bool = False,
        rules: JoinRules = USUAL,
    ) -> ClassTable:
        """Read a table of ids and classes, separated by a tab, or by a comma as in CSV.

        Two columns are id and class, with levels separated by full stops. More columns are id,
        class, and ever higher classes, as family, superfamily, fold: the last column is level 1.
        A higher class may be empty, as the clan of most families of Rfam: then nothing outside the
        lower class agrees with it. An id in several rows has several classes, at most 200.

        Parameters
        ----------
        path : path, Held, open file, table or mapping
            The classes of the records of the database. Blank lines and lines that begin with
            ``#`` are skipped, and so is a first row of names such as id and class; the file may be
            compressed (gzip, zstd, bzip2). Or sequences in
            FASTA, whose headers are an id and its class, or several with commas between. Or a
            table in memory of such columns, or ``{id: class}``, with several classes in a list.
        queries : path, Held, open file, table or mapping, optional
            A second such table, with the classes of the queries, where they are not records of
            the database.
        relevant, ignored, closer, ignore_class, with_others, rules
            As in `ClassTable`.

        Raises
        ------
        ReadError
            If a file cannot be read; the error names the lines.
        ValueError
            If the levels make no sense.
        """
        path = held(path)
        depth = max(relevant, closer, STANDARDS["family"].depth if with_others else 0)
        records = read_classes(path, depth)
        others = {} if queries is None else read_classes(queries, depth)
        paths = {path for own in (*records.values(), *others.values()) for path in own}
        # A tab is in no column, so that levels stay apart whatever their names are.
        separator = "\t" if any("." in level for path in paths for level in path) else "."
        name = {path: separator.join(path) for path in paths}
        joined, of_queries = (
            {key: _one_or_several([name[path] for path in own]) for key, own in table.items()}
            for table in (records, others)
        )
        asked = relevant, ignored, rules, separator, closer, ignore_class, with_others
        for one in map(Unrelated.read, ignore_class):
            if not any(one.holds(known, separator) for known in name.values()):
                warn(name_of(path), f"no class is {one.text}, which {option('ignore_class')} names")
        return cls(joined, None if queries is None else of_queries, *asked)

    def judged_by(self, standard: Standard) -> ClassTable:
        """Return the same table with other levels.

        Examples
        --------
        >>> from tapviz import ClassTable
        >>> from tapviz.labels import STANDARDS
        >>> table = ClassTable({"d1": "a.1.1.1", "d2": "a.1.1.1", "d3": "a.1.1.2"})
        >>> table.judged_by(STANDARDS["superfamily"]).n_relevant(["d1"])
        array([1])
        """
        relevant, ignored, closer = standard[:3]
        return replace(self, relevant=relevant, ignored=ignored, closer=closer)

    @property
    def standard(self) -> Standard:
        """The levels."""
        return Standard(self.relevant, self.ignored, self.closer)

    @property
    def is_scop(self) -> bool:
        """Whether all classes are such as a.1.1.2, of which levels are known by their names.

        Examples
        --------
        >>> from tapviz import ClassTable
        >>> ClassTable({"d1": "a.1.1.1", "d2": "a.1.1.2"}).is_scop
        True
        """
        known = {own for table in (self.records, self._of_queries) for own in table.values()}
        return all(SCOP.fullmatch(name) for own in known for name in _several(own))

    def class_of(self, query: str) -> str | None:
        """Class of a query, several with commas between; None if it is not in the table."""
        own = self._of_queries.get(query)
        return None if own is None else _written(own)

    def class_of_record(self, record: str) -> str:
        """Class of a record of the database, as `class_of` has it; empty if it is not there."""
        own = self.records.get(record)
        return "" if own is None else _written(own)

    def n_relevant(self, queries: Sequence[str]) -> NDArray[np.int64]:
        """T(q) of queries: records of the table that are relevant, without the query itself.

        Parameters
        ----------
        queries : sequence of str, length Q
            Their ids.

        Returns
        -------
        ndarray of int64, shape (Q,)

        Raises
        ------
        KeyError
            If the table has no class for a query.
        """
        n_relevant = self._n_agreeing(queries, self.relevant)
        return n_relevant - self._n_agreeing(queries, self.closer) if self.closer else n_relevant

    @property
    def described(self) -> str:
        """What the labels are."""
        none = f"; no errors with {', '.join(self.ignore_class)}" if self.ignore_class else ""
        return f"a table of classes: {self.standard.words}{none}"

    @property
    def _of_queries(self) -> Mapping[str, Classes]:
        return self.records if self.queries is None else self.queries

    def query_ids(self) -> Collection[str]:
        """Queries with a class."""
        return self._of_queries.keys()

    def record_ids(self) -> Collection[str]:
        """Records with a class."""
        return self.records.keys()

    def normalised(self, hits: Hits) -> tuple[ClassTable, list[list[str]]]:
        """Return the same table with ids normalised, and the ids that became equal.

        Records that became equal have the classes of all of them.
        """
        several: list[list[str]] = []

        def merged(table: Mapping[str, Classes]) -> dict[str, Classes]:
            groups = grouped(table, self.rules.normalise)
            several.extend(collisions(groups))
            return {
                name: _one_or_several([own for one in group for own in _several(table[one])])
                for name, group in groups.items()
            }

        queries = None if self.queries is None else merged(self.queries)
        try:
            return replace(self, records=merged(self.records), queries=queries), several
        except ValueError as error:  # ids that became equal have too many classes together
            raise ReadError.of("TooManyClasses", hits.file, str(error)) from None

    def kept(self, queries: Sequence[str]) -> list[str]:
        """Those of some queries that are judged: all, or those with others at each level."""
        if not self.with_others:
            return list(queries)
        tables = [self.judged_by(STANDARDS[name]) for name in LEVELS]
        some = np.all([table.n_relevant(queries) > 0 for table in tables], axis=0)
        return [query for query, keep in zip(queries, some.tolist(), strict=True) if keep]

    def judge(self, hits: Hits) -> NDArray[np.int8]:
        """State of each hit."""
        of_query = [self._of_queries.get(query) for query in hits.query_id]
        of_record = [self.records.get(record) for record in hits.record_id]
        query_place, record_place = self._placed(of_query), self._placed(of_record)

        def agree(hits: Hits, level: int) -> NDArray[np.bool_]:
            query = self._codes(query_place, level, hits.file, unknown=-1)
            return _agree(hits, query, self._codes(record_place, level, hits.file, unknown=-2))

        state = np.full(hits.query.size, IRRELEVANT, np.int8)
        near = np.flatnonzero(agree(hits, NEAR))
        state[near] = IGNORED
        for level, becomes in ((self.relevant, RELEVANT), (self.closer, IGNORED)):
            if level:
                among = hits._replace(query=hits.query[near], record=hits.record[near])
                near = near[agree(among, level)]
                state[near] = becomes
        if any(one.alone for one in self._unrelated):
            no_error = self._are_ignored(of_query)[hits.query]
            no_error |= self._are_ignored(of_record)[hits.record]
            state[no_error & (state == IRRELEVANT)] = IGNORED
        if (record_place < 0).any():
            state[(record_place < 0)[hits.record]] = UNLABELLED
        return state

    def totals(self, hits: Hits, queries: Sequence[str], _retrieved: Ints) -> Totals:
        """T(q), and F(q) if all records that are irrelevant are in the table."""
        n_relevant = self.n_relevant(queries)
        unlisted = [record for record in hits.record_id if record not in self.records]
        if self.rules.only_decoys or not self.rules.takes_unlabelled:
            unlisted = list(self.rules.decoys_among(unlisted))
        if unlisted:
            return n_relevant, None
        drop = self.rules.self_hits == "drop"
        itself = np.array([drop and query in self.records for query in queries], np.bool_)
        n_decoys = len(self.records) - len(self._database)
        decoys: Ints = n_decoys - (itself & self.rules.are_decoys(queries)).astype(np.int64)
        if self.rules.only_decoys:
            return n_relevant, decoys
        n_irrelevant = len(self.records) - itself - self._n_agreeing(queries, NEAR)
        no_error = self._are_ignored([self._of_queries[query] for query in queries])
        return n_relevant, np.where(no_error, decoys, n_irrelevant)

    def classes(self, queries: Sequence[str]) -> list[str]:
        """Class of each query; empty where it is not in the table."""
        return [self.class_of(query) or "" for query in queries]

    @property
    def class_level(self) -> int:
        """Level to which the classes of a query and of a relevant record agree."""
        return self.relevant

    @cached_property
    def _database(self) -> Mapping[str, Classes]:
        """The records without decoys, to which nothing is relevant."""
        if self.rules.decoys is None:
            return self.records
        decoys = self.rules.decoys_among(self.records)
        return {key: own for key, own in self.records.items() if key not in decoys}

    @cached_property
    def _unrelated(self) -> list[Unrelated]:
        return [Unrelated.read(text) for text in self.ignore_class]

    def _are_ignored(self, classes: Sequence[Classes | None]) -> NDArray[np.bool_]:
        """Whether each is of a class whose members are nobody's errors."""
        known = {own: self._is_ignored(own) for own in set(classes) if own is not None}
        return np.array([own is not None and known[own] for own in classes], np.bool_)

    def _is_ignored(self, own: Classes) -> bool:
        return any(one.alone for one in self._holding(own))

    def _holding(self, own: Classes) -> list[Unrelated]:
        """What is not trusted that one of some classes is among."""
        names, split = _several(own), self.separator
        return [one for one in self._unrelated if any(one.holds(name, split) for name in names)]

    def _groups(self, own: Classes, level: int) -> frozenset[str]:
        """Classes up to a level; at `NEAR` also what keeps its members from being errors."""
        split = self.separator
        upto = level or self.ignored or self.relevant
        groups = {split.join(name.split(split)[:upto]) for name in _several(own)}
        if level == NEAR:  # no class has a line break
            groups |= {f"\n{one.text}" for one in self._holding(own) if not one.alone}
        return frozenset(groups)

    @cached_property
    def _place(self) -> dict[Classes | None, int]:
        """Places of all classes, each once."""
        known = dict.fromkeys([*self.records.values(), *(self.queries or {}).values()])
        return {own: at for at, own in enumerate(known)}

    def _placed(self, classes: Sequence[Classes | None]) -> NDArray[np.intp]:
        """Place of each class, -1 for none."""
        return np.array([self._place.get(own, -1) for own in classes], np.intp)

    @cached_property
    def _levels(self) -> dict[int, _Level]:
        return {}

    def _level(self, level: int) -> _Level:
        if level not in self._levels:
            classes = [own for own in self._place if own is not None]
            groups = [self._groups(own, level) for own in classes]
            places = self._placed(list(self._database.values()))
            near = classes if level == NEAR else []
            ignored = {at for at, own in enumerate(near) if self._is_ignored(own)}
            n_records = np.bincount(places, minlength=len(groups))
            self._levels[level] = _Level(groups, n_records, ignored)
        return self._levels[level]

    def _n_agreeing(self, queries: Sequence[str], level: int) -> NDArray[np.int64]:
        """How many records agree with each query to a level, itself left out.

        To `NEAR` also those that are nobody's errors.
        """
        members, of_queries = self._level(level), self._of_queries
        place = self._placed([of_queries[query] for query in queries])
        total = members.total(place)
        if self.rules.self_hits != "drop":
            return total
        itself = self._placed([self._database.get(query) for query in queries])
        agrees = itself == place
        for at in np.flatnonzero(~agrees & (itself >= 0)).tolist():
            shared = members.groups[place[at]] & members.groups[itself[at]]
            agrees[at] = itself[at] in members.ignored or bool(shared)
        return np.asarray(total - agrees)

    def _codes(self, place: NDArray[np.intp], level: int, file: str, *, unknown: int) -> Ints32:
        """Classes up to a level as numbers, a row per class an id may have; `unknown` fills up."""
        code, start, size = self._level(level).numbers
        start, size = start[place], size[place]  # of -1, which is none, the last ones
        most = max(int(size.max(initial=0)), 1)
        Budget(file).take(CODE * most * place.size)
        found = np.full((most, place.size), unknown, np.int32)
        for at, row in enumerate(found):
            has = size > at
            row[has] = code[start[has] + at]
        return found


@dataclass(frozen=True, eq=False)
class Patterns:
    """Families by a regular expression that finds their names in ids.

    A record is relevant to a query if the expression finds the same text in both ids: its first
    group, or all that it matches where it has none. It may be the id of the query itself: in
    ``globin/12`` and ``globin``, both times ``[^/]+`` finds ``globin``. Decoys are defined by
    the rules; then only they are irrelevant, and the members of other families are left out.

    Parameters
    ----------
    family : str
        Regular expression, searched in ids. Records in whose id it finds nothing have no label.
        Backreferences and what looks around are not supported.
    records : iterable of str
        Ids of the records of the database, by which T(q) is counted. Decoys need not be among
        them. Other records, which should not be, have no label.
    rules : JoinRules
        Other rules of the join.

    Raises
    ------
    ValueError
        If the expression is none, or cannot be used.

    Examples
    --------
    >>> from tapviz import Patterns, read
    >>> import pandas as pd
    >>> hits = pd.DataFrame(
    ...     {"query": ["globin/1"] * 2, "record": ["globin/2", "kinase/7"], "evalue": [1e-9, 0.3]}
    ... )
    >>> labels = Patterns("[^/]+", ["globin/1", "globin/2", "globin/3", "kinase/7"])
    >>> lists = read(hits, labels=labels)
    >>> lists.relevant, lists.n_relevant
    (array([ True, False]), array([2]))
    """

    family: str
    records: Iterable[str]
    rules: JoinRules = USUAL

    def __post_init__(self) -> None:
        with named("family", self.family):
            Regex(self.family)
        object.__setattr__(self, "records", tuple(self.records))  # an iterator ends

    def lists(self, hits: Hits, queries: Sequence[str] | None = None) -> RetrievalLists:
        """Judge hits as a table of classes does; queries without a family are left out."""
        records = self._families(self.records)
        own = self._families([*hits.query_id, *(queries or ())])
        # Of one level, whatever is in it.
        table = ClassTable(records, own, relevant=1, ignored=0, rules=self.rules, separator="\n")
        return join(hits, table, queries, f"families in ids: {self.family!r}")

    def _families(self, ids: Iterable[str]) -> dict[str, str]:
        """Family of each id that has one, by the id as it was."""
        names = list(ids)
        with named("family", self.family):
            families = Regex(self.family).first_group(normalise(names, self.rules.normalise))
        return {name: family for name, family in zip(names, families, strict=True) if family}


def _agree(hits: Hits, query: Ints32, record: Ints32) -> NDArray[np.bool_]:
    """Whether query and record of each hit share a code."""
    same: NDArray[np.bool_] = query[0][hits.query] == record[0][hits.record]
    if len(query) == len(record) == 1:
        return same
    queries, records = np.any(query[1:] >= 0, axis=0), np.any(record[1:] >= 0, axis=0)
    at = np.flatnonzero(queries[hits.query] | records[hits.record])
    if len(query) * len(record) * at.size > MAX_WORK:
        message = "too many hits of ids with many classes; leave some of the classes out"
        raise ReadError.of("TooLarge", hits.file, message)
    of_query, of_record = query[:, hits.query[at]], record[:, hits.record[at]]
    for one, other in product(of_query, of_record):
        same[at] |= one == other
    return same


@lru_cache(maxsize=1 << 16)
def _written(own: Classes) -> str:
    """Classes as lists have them."""
    return ", ".join(_several(own)).replace("\t", " / ")


def _several(own: Classes) -> tuple[str, ...]:
    return (own,) if isinstance(own, str) else own


def _one_or_several(names: Sequence[str]) -> Classes:
    unique = tuple(dict.fromkeys(names))
    return unique[0] if len(unique) == 1 else unique
