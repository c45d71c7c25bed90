"""The join of hits and labels, one for all kinds of labels."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from tapviz.files import Budget, option, warn
from tapviz.labels.hits import AnyInts, Hits, Ints32, JoinReport
from tapviz.labels.ids import check_labelled, check_overlap, near, normalised, refuse, samples
from tapviz.labels.rules import JoinRules
from tapviz.lists import Grades, RetrievalLists, count
from tapviz.lists.checks import Bools, Ints, places, retrieved
from tapviz.lists.reported import Ends, list_ends, with_all_records

# States of a hit by the labels.
IRRELEVANT, RELEVANT, IGNORED, UNLABELLED = range(4)

Totals = tuple[Ints, Ints | None]
"""T(q) of queries, and F(q) where it is known."""
SEEN = 1 << 22
"""Pairs of query and record that are marked at once."""
SPARSE = 64
"""Such pairs for each hit from which on sorting the hits is quicker."""


class Labels(Protocol):
    """Anything that tells which records are relevant to which query."""

    def lists(self, hits: Hits, queries: Sequence[str] | None = None) -> RetrievalLists:
        """Judge hits: the retrieval lists of a search."""


class Judge(Protocol):
    """Labels whose lists are made by the join, and what it asks of them."""

    names_queries: ClassVar[bool]
    """Whether the labels are given query by query, so that they are a list of queries, too."""

    @property
    def rules(self) -> JoinRules:
        """Rules of the join."""

    @property
    def described(self) -> str:
        """What the labels are, for the report."""

    def lists(self, hits: Hits, queries: Sequence[str] | None = None) -> RetrievalLists:
        """Judge hits: the retrieval lists of a search.

        Of several hits on one record (HSPs) the best one is kept. Lists are in the order of
        scores, equal ones in that of the file. Where labels take a table for the database, a hit
        on a record that is not in it, and that is irrelevant, leaves F(q) unknown.

        Parameters
        ----------
        hits : Hits
        queries : sequence of str, optional
            The queries to keep, in this order, with empty lists where there is no hit. Default:
            those that the file names, and then, where labels are given query by query, those
            that only the labels know. Queries without a label are left out with a warning.

        Raises
        ------
        ReadError
            If the labels know no query, or no record, of the file.
        """
        return join(hits, self, queries)

    def query_ids(self) -> Collection[str] | None:
        """Queries with labels; None if all have."""

    def kept(self, queries: Sequence[str]) -> list[str]:
        """Those of some queries with labels that are judged."""
        return list(queries)

    def record_ids(self) -> Collection[str] | None:
        """Records with labels; None if all have."""
        return None

    def normalised(self, hits: Hits) -> tuple[Judge, list[list[str]]]:
        """Return the same labels with ids normalised, and the ids that became equal."""

    def judge(self, hits: Hits) -> NDArray[np.int8]:
        """State of each hit."""

    def totals(self, hits: Hits, queries: Sequence[str], retrieved: Ints, /) -> Totals:
        """T(q) and, where known, F(q) of queries; `retrieved` counts relevant records in hits."""

    def classes(self, queries: Sequence[str]) -> list[str] | None:  # noqa: ARG002
        """Class of each query, if there are classes."""
        return None

    def graded(self, hits: Hits, some: NDArray[np.bool_], queries: Sequence[str]) -> Grades | None:  # noqa: ARG002
        """Grades of some hits, and of all records of queries, if there are grades."""
        return None

    @property
    def class_level(self) -> int | None:
        """Level to which the classes of a query and of a relevant record agree."""
        return None


def join(
    hits: Hits, labels: Judge, queries: Sequence[str] | None, described: str = ""
) -> RetrievalLists:
    """Turn hits into retrieval lists by labels.

    Hits of queries that are left out go first, then self hits, then what the labels ignore; of
    several hits on one record the best is kept. Lists are in the order of scores, equal ones in
    that of the file.

    Parameters
    ----------
    hits : Hits
    labels : Judge
    queries : sequence of str, optional
        The queries to keep, in this order, with empty lists where there is no hit.
    described : str
        What the labels are, for the report. Default: their own description.

    Raises
    ------
    ReadError
        If file and labels have no query or no record in common, or a record has no label and
        that is a mistake by the rules.
    """
    rules = labels.rules
    merged: list[list[str]] = []
    wanted = hits.query_id if queries is None else list(queries)
    if hits.complete:
        check_overlap(hits, labels, wanted)
    if rules.normalise:
        hits, labels, wanted, merged = normalised(hits, labels, wanted)
    chosen, counts = _queries(hits, labels, wanted, given=queries is not None)
    classes = labels.classes(chosen)
    budget = Budget(hits.file)
    budget.take_texts(chosen)
    budget.take_texts(classes or [])
    row = places(chosen, hits.query_id)[hits.query]
    ours = row >= 0
    n_ours = np.count_nonzero(ours)
    if rules.self_hits == "drop":
        own = places(hits.record_id, hits.query_id)[hits.query] == hits.record
        _warn_of_namesakes(hits, labels, own & ours)
        ours &= ~own
    n_others = np.count_nonzero(ours)
    state = _judged(hits, labels)
    unlabelled = ours & (state == UNLABELLED)
    n_unlabelled = np.count_nonzero(unlabelled)
    seen = np.zeros(len(hits.record_id), np.bool_)
    seen[hits.record[unlabelled]] = True
    targets = np.flatnonzero(seen).tolist()
    check_labelled(hits, labels, targets, int(n_others - n_unlabelled), int(n_others))
    if rules.takes_unlabelled and not rules.only_decoys:
        state[unlabelled] = IRRELEVANT
        unlabelled[:] = False
    ours &= state <= RELEVANT
    n_unlabelled_ignored = np.count_nonzero(unlabelled)
    n_judged = np.count_nonzero(ours)
    ends = _ends(hits, row, len(chosen))
    query, relevant = row[ours], state[ours] == RELEVANT
    # In a list, so that each is gone when another takes its place.
    columns: list[NDArray[Any]] = [hits.score[ours], hits.record[ours], relevant]
    grades = labels.graded(hits, ours, chosen)
    if grades is not None:
        columns.append(grades.record)
    del row, ours, state, unlabelled, relevant
    offset = _best_first(hits, query, columns, len(chosen))
    del query
    score, record, relevant, *graded = columns
    columns.clear()
    n_retrieved = retrieved(relevant, offset)
    n_relevant, n_irrelevant = labels.totals(hits, chosen, n_retrieved)
    report = JoinReport(
        file=hits.file,
        labels=described or labels.described,
        rules=rules,
        rows_read=hits.query.size,
        hits_kept=score.size,
        collapsed=int(n_judged - score.size),
        self_hits=int(n_ours - n_others),
        ignored=int(n_others - n_judged - n_unlabelled_ignored),
        unlabelled_ignored=int(n_unlabelled_ignored),
        rows_left_out=int(hits.query.size - n_ours),
        relevant=int(n_retrieved.sum()),
        irrelevant=int(score.size - n_retrieved.sum()),
        unlabelled_hits=int(n_unlabelled),
        unlabelled_targets=len(targets),
        queries=len(chosen),
        empty_lists=int(np.count_nonzero(np.diff(offset) == 0)),
        **counts,
        collisions=sum(len(group) - 1 for group in merged),
        rows_skipped=hits.n_skipped,
        ranked_by=hits.ranked_by,
        direction=hits.direction,
    )
    names = np.array(hits.record_id, np.object_)[record] if hits.named else None
    for own in (score, relevant) if names is None else (score, relevant, names):
        own.setflags(write=False)  # so that no copy is made of them
    return RetrievalLists(
        *(score, relevant, offset, n_relevant),
        query=chosen,
        direction=hits.direction,
        record=names,
        query_class=classes,
        n_irrelevant=n_irrelevant,
        join_report=report,
        class_level=labels.class_level,
        reported_to=ends.reported_to,
        reported_how=ends.how,
        grades=None if grades is None else grades._replace(record=graded[0]),
    )


def _ends(hits: Hits, row: Ints32, n_queries: int) -> Ends:
    """How far the lists go, by all hits: also by those that labels leave out."""
    if not hits.complete:
        return Ends(np.full(n_queries, hits.sign * np.inf), None)
    limit, ours = limit_within(hits), row >= 0
    # HSPs on one record stand together.
    first = np.ones(row.size, np.bool_)
    first[1:] = (row[1:] != row[:-1]) | (hits.record[1:] != hits.record[:-1])
    length = np.bincount(row[ours & first], minlength=n_queries)
    among = row, hits.score, length, with_all_records(length, len(hits.record_id))
    return list_ends(*among, hits.direction, limit=limit, how=hits.reported_how)


def limit_within(hits: Hits) -> float | None:
    """Limit of a search; None if hits lie beyond it, and only the file says so.

    That is of several runs in one file, or of other scores.

    Raises
    ------
    ReadError
        If a hit lies beyond the limit that somebody gave.
    """
    limit, sign, score = hits.reported_to, hits.sign, hits.score
    if limit is None or not (sign * score > sign * limit).any():
        return limit
    if hits.reported_how == "said":
        at = int(np.argmax(sign * score))
        query = hits.query_id[hits.query[at]]
        hit = f"query {query} has a hit at {score[at]:g}, which lies beyond {limit:g}"
        remedy = f"set {option('reported_to')} to the limit that the search was run with"
        refuse("BeyondReported", hits.file, [("", f"{hit}: {remedy}")])
    return None


def _judged(hits: Hits, labels: Judge) -> NDArray[np.int8]:
    """State of each hit by the labels and by the decoys."""
    state, rules = labels.judge(hits), labels.rules
    if rules.decoys is not None:
        of_decoy = rules.are_decoys(hits.record_id)[hits.record]
        if hits.complete and of_decoy.size and not of_decoy.any():
            warn(hits.file, f"no hit is of a decoy, which {option('decoys')} names: {rules.decoys}")
        if rules.only_decoys:
            state[(state == IRRELEVANT) & ~of_decoy] = IGNORED
        state[of_decoy] = IRRELEVANT
    return state


# Queries


def _warn_of_namesakes(hits: Hits, labels: Judge, own: Bools) -> None:
    """Warn of hits that are left out as those of queries on themselves, if they seem to be none.

    A query finds itself first. Questions and documents that are both numbered do not.
    """
    if not labels.names_queries or not own.any():
        return
    key = hits.score if hits.sign == 1 else -hits.score
    best = np.full(len(hits.query_id), np.inf)
    np.minimum.at(best, hits.query, key)
    found, late = np.count_nonzero(own), np.count_nonzero(key[own] > best[hits.query[own]])
    if 2 * late > found:
        out = f"{count(int(found), 'hit')} on a record with the id of the query left out"
        remedy = "if queries are not records of the database, set " + option("self_hits", "keep")
        warn(hits.file, f"{out}, as of queries on themselves; {remedy}")


def _queries(
    hits: Hits, labels: Judge, wanted: Sequence[str], *, given: bool
) -> tuple[list[str], dict[str, int]]:
    """Choose the queries that get a list, and count the others; warn of those without labels."""
    known = labels.query_ids()
    labelled = [query for query in wanted if known is None or query in known]
    missing = [query for query in wanted if known is not None and query not in known]
    if without := len(missing):
        has, is_left = ("has", "is") if without == 1 else ("have", "are")
        message = f"{has} no label and {is_left} left out: {samples(missing)}"
        rule, n_found, _ = near(missing, known or (), labels.rules.normalise)
        if rule:
            by = option("normalise", "+".join((*labels.rules.normalise, rule)))
            message += f"; {by} finds {n_found} of them"
        warn(hits.file, f"{without} of {count(len(wanted), 'query')} {message}")
    listed = set(wanted)
    added: list[str] = []
    wish = labels.rules.label_queries
    if not given and (labels.names_queries if wish is None else wish):
        decoys = labels.rules.decoys_among(known or ())
        added = [query for query in known or () if query not in listed and query not in decoys]
    ids = labelled + added
    kept = labels.kept(ids)
    not_listed = sum(query not in listed for query in hits.query_id) + len(ids) - len(kept)
    return kept, {
        "label_only_queries": len(added),
        "queries_without_labels": without,
        "queries_not_listed": not_listed,
    }


# Order


def _best_first(hits: Hits, query: Ints32, columns: list[NDArray[Any]], n_queries: int) -> Ints:
    """Order some hits by query and score, as listed if equal; keep the best on each record.

    Takes the query of each, and columns, score and record first, which it changes in place.
    Returns the offset of each list. Most programs write hits so: only lists that are not sorted, or
    have a record twice, are touched, one by one, and no more than they need.
    """
    ascending, n_records = hits.direction == "ascending", max(len(hits.record_id), 1)
    if (query[1:] < query[:-1]).any():
        order = np.argsort(query, kind="stable")
        query = query[order]
        for at, column in enumerate(columns):
            columns[at] = column[order]
        del order
    score, record = columns[0], columns[1]
    length = np.diff(np.searchsorted(query, np.arange(n_queries + 1, dtype=np.int32)))
    falls = score[1:] < score[:-1] if ascending else score[1:] > score[:-1]
    falls &= query[1:] == query[:-1]
    unsorted = np.zeros(n_queries, np.bool_)
    unsorted[query[1:][falls]] = True
    twice = _with_a_record_twice(query, record, length, n_records)
    bounds = np.concatenate([[0], np.cumsum(length)]).tolist()
    place = np.arange(length.max(initial=0))
    first = np.empty(n_records, np.int64)
    keep = np.ones(score.size, np.bool_)
    for at in np.flatnonzero(unsorted | twice).tolist():
        own = slice(bounds[at], bounds[at + 1])
        if unsorted[at]:
            order = np.argsort(score[own] if ascending else -score[own], kind="stable")
            for column in columns:
                column[own] = column[own][order]
        if twice[at]:
            records, within = record[own], place[: length[at]]
            first[records[::-1]] = within[::-1]  # of equal indices the last one written stays
            np.equal(first[records], within, out=keep[own])
            length[at] = np.count_nonzero(keep[own])
    if twice.any():
        for at, column in enumerate(columns):
            columns[at] = column[keep]
    return np.concatenate([[0], np.cumsum(length)])


def _with_a_record_twice(of_query: Ints32, record: AnyInts, length: Ints, n_records: int) -> Bools:
    """Which queries have several hits on one record, of hits in the order of the queries."""
    n_queries = length.size
    twice = np.zeros(n_queries, np.bool_)
    if n_records > SEEN or n_queries * n_records > SPARSE * record.size:
        narrow = n_queries * n_records <= np.iinfo(np.int32).max  # half the time to sort
        pair = np.multiply(of_query, n_records, dtype=np.int32 if narrow else np.int64)
        pair += record
        pair.sort()
        twice[pair[1:][pair[1:] == pair[:-1]] // n_records] = True
        return twice
    # A mark for each pair, in place of a sort: for some queries at a time.
    bounds = np.concatenate([[0], np.cumsum(length)])
    step = max(SEEN // n_records, 1)
    seen = np.empty((min(step, n_queries), n_records), np.bool_)
    for first in range(0, n_queries, step):
        last = min(first + step, n_queries)
        some = slice(bounds[first], bounds[last])
        marks = seen[: last - first]
        marks[:] = False
        pair = of_query[some] - np.int32(first)
        pair *= np.int32(n_records)
        pair += record[some]
        marks.ravel()[pair] = True
        if np.count_nonzero(marks) < pair.size:
            # One by one: along an axis it takes ten times as long.
            twice[first:last] = [np.count_nonzero(own) for own in marks] < length[first:last]
    return twice


# What labels say


def fingerprint(labels: object) -> str:
    """Letters that are the same for labels that judge every hit alike.

    Examples
    --------
    >>> from tapviz import ClassTable
    >>> from tapviz.labels import fingerprint
    >>> one = ClassTable({"d1": "a.1.1.1", "d2": "a.1.1.2"})
    >>> other = ClassTable({"d2": "a.1.1.2", "d1": "a.1.1.1"})
    >>> fingerprint(one) == fingerprint(other)
    True
    >>> fingerprint(one) == fingerprint(ClassTable(other.records, relevant=2))
    False
    """
    digest = blake2b(digest_size=16)
    for piece in _said(labels):
        digest.update(piece)
    return digest.hexdigest()


def _said(value: object) -> Iterator[bytes]:
    if is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__.encode()
        value = {each.name: getattr(value, each.name) for each in fields(value) if each.compare}
    if isinstance(value, Mapping):
        yield b"{%d" % len(value)
        for key in sorted(value, key=str):
            yield repr(key).encode() + b"\0"
            yield from _said(value[key])
    else:  # what is irrelevant anyway is judged as irrelevant
        yield repr("irrelevant" if value == "anyway" else value).encode() + b"\0"
