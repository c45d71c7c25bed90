"""Where search programs stopped reporting: beyond it nothing was measured.

A program lists what it finds up to some E-value, or so many hits of each query. A list that ends
there says nothing about what would have followed: an error that was not reported is not one that
was not made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.lists.checks import Bools, Direction, Floats, Ints, ReportedHow, retrieved
from tapviz.lists.lists import RetrievalLists

MEASURED = 0.9
"""Share of the queries, by weight, whose lists must go as far as a threshold for a mean there."""
MANY = 10
"""Hits in the last decade of E-values, or lists of one length, that do not happen to be so many.

The number of chance hits grows with E: where so many lie within a factor of ten and none beyond,
the program stopped there."""
MANY_LISTS = 0.05
"""Share of the lists that must be as long as the longest for their number of hits to be a limit."""
FEW, MOST_LISTS = 10, 0.5
"""Below so many hits many lists are as long as the longest without a limit, but not most."""
ROUND = (1.0, 2.0, 3.0, 5.0, 10.0)
"""E-values that people give, times powers of ten."""
FIELD = "reported up to"
"""What a form calls the option `reported_to`."""
REPORTED_TO = "set reported_to"
SEEMS = f", as the lists seem to end there; if the search went further, {REPORTED_TO}"
"""What an inferred end rests on, and what can be done where it is wrong."""
CLOSE = 0.8
"""Part of a round E-value from which on the last hit speaks for it."""


class NotKeptError(ValueError):
    """Of condensed lists something was asked for that was not kept of them."""


def all_kept(lists: RetrievalLists) -> bool:
    """Whether lists are whole: not condensed, or so short that nothing of them was left out."""
    if lists.kept is None:
        return True
    return bool((np.diff(lists.whole.offset)[lists.rows] == lists.kept.length).all())


class Asked(TypedDict, total=False):
    """What may be asked of lists."""

    to: float | None
    """All records up to this score."""
    errors: int
    """The first irrelevant records of each list, and all that comes before them."""
    k: int
    """The same, for E_k."""
    records: int
    """The first records of each list."""
    whole: bool
    """All records."""
    grades: bool
    """Grades of relevance."""


def not_kept(lists: RetrievalLists, **asked: Unpack[Asked]) -> str:
    """Why condensed lists do not tell what is asked for; empty if they do.

    Parameters
    ----------
    lists : RetrievalLists
    **asked
        See `Asked`.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.lists import Kept, RetrievalLists
    >>> from tapviz.lists.reported import not_kept
    >>> kept = Kept(0.2, 1, np.array([7]), np.array([1]), {})
    >>> lists = RetrievalLists([0.1], [False], [0, 1], [1], kept=kept)
    >>> not_kept(lists, to=0.2), not_kept(lists, to=0.5)
    ('', 'not kept beyond 0.2: condense with a larger --max-k')
    """
    if isinstance(lists, Mapping):
        msg = "lists: expected those of one algorithm, as in results['BLASTP']; found several"
        raise TypeError(msg)
    kept, reason = lists.kept, ""
    if kept is None:
        return reason
    to, k = asked.get("to"), asked.get("k", 0)
    n = max(asked.get("errors", 0), asked.get("records", 0), k)
    if kept.graded and asked.get("grades"):
        reason = "not kept: grades of relevance"
    elif all_kept(lists):
        reason = ""
    elif asked.get("whole"):
        reason = "not kept: it asks for whole lists, which were condensed"
    elif n > kept.n_errors:
        reason = f"not kept: condense with {'--max-k' if k else '--max-n'} {n}"
    elif to is not None and lists.sign * to > lists.sign * kept.e_keep:
        beyond = f" beyond {kept.e_keep:.3g}" if np.isfinite(kept.e_keep) else ""
        reason = f"not kept{beyond}: condense with a larger --max-k"
    return reason


def scores_of_all(results: Iterable[RetrievalLists]) -> list[NDArray[np.float64]]:
    """Scores of the records of each algorithm, as far as those of all lists were kept.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.lists import Kept, RetrievalLists
    >>> from tapviz.lists.reported import scores_of_all
    >>> kept = Kept(0.5, 1, np.array([7]), np.array([1]), {})
    >>> lists = RetrievalLists([0.1, 0.9], [True, False], [0, 2], [1], kept=kept)
    >>> scores_of_all([lists])
    [array([0.1])]
    """
    given = list(results)
    cut = [one.sign * one.kept.e_keep for one in given if one.kept and not all_kept(one)]
    if not cut:
        return [one.score for one in given]
    return [one.score[one.sign * one.score <= min(cut)] for one in given]


def check_kept(lists: RetrievalLists, **asked: Unpack[Asked]) -> None:
    """Raise `NotKeptError` if condensed lists do not tell what is asked for; see `not_kept`."""
    if reason := not_kept(lists, **asked):
        raise NotKeptError(reason)


def check_ranked(results: Mapping[str, RetrievalLists], what: str) -> None:
    """Raise ValueError if some results are scores of queries, which have nothing to do with what.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.lists.reported import check_ranked
    >>> check_ranked({"one": RetrievalLists([1e-9], [1], [0, 1], [1])}, "-k")
    """
    if given := [name for name, lists in results.items() if lists.given]:
        without = f"{given[0]} has scores of queries without them"
        raise ValueError(f"{what}: only for ranked lists, and {without}")


class Ends(NamedTuple):
    """How far each list goes, and how that is known."""

    reported_to: NDArray[np.float64]
    """Score at which each list ends; infinite where nothing is known, shape (Q,)."""
    how: ReportedHow | None


def measured_to(lists: RetrievalLists) -> float:
    """Loosest threshold to which nearly all queries were searched; infinite if none is known.

    Means over queries are defined up to there: to `MEASURED` of the queries, by weight. A common
    limit of E-value is that of all queries; where a number of hits cut the lists, some end earlier.
    Condensed lists tell nothing beyond what was kept of all of them.

    Parameters
    ----------
    lists : RetrievalLists

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.lists.reported import measured_to
    >>> measured_to(load_results()["DIAMOND_default"])
    10.0
    """
    sign, ends = lists.sign, lists.reported_to
    if lists.kept and not all_kept(lists):
        ends = sign * np.minimum(sign * ends, sign * lists.kept.e_keep)
    if not ends.size:
        return float(sign * np.inf)
    first, last = float(ends.min()), float(ends.max())
    if first == last:
        return first
    order = np.argsort(sign * ends, kind="stable")
    ended = np.cumsum(lists.weight[order])
    at = int(np.searchsorted(ended, (1 - MEASURED) * ended[-1] * (1 + 1e-12), side="right"))
    return float(ends[order[min(at, order.size - 1)]])


def is_measured(lists: RetrievalLists, threshold: float) -> bool:
    """Whether a mean over the queries at a threshold rests on lists that go as far as that.

    Parameters
    ----------
    lists : RetrievalLists
    threshold : float
        E_0. One that is not finite is not judged: True.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.lists.reported import is_measured
    >>> lists = load_results()["DIAMOND_default"]
    >>> is_measured(lists, 10.0), is_measured(lists, 100.0)
    (True, False)
    """
    if not np.isfinite(threshold):
        return True
    return bool(lists.sign * threshold <= lists.sign * measured_to(lists))


def not_measured(lists: RetrievalLists, threshold: float) -> str:
    """Why nothing can be said at a threshold; empty if it can.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.lists.reported import not_measured
    >>> not_measured(load_results()["DIAMOND_default"], 100.0)
    'not measured beyond 10'
    """
    if reason := not_kept(lists, to=threshold):
        return reason
    if is_measured(lists, threshold):
        return ""
    inferred = lists.reported_how == "inferred"
    return f"not measured beyond {measured_to(lists):.3g}{SEEMS if inferred else ''}"


def as_called(reason: str, option: str) -> str:
    """A reason that names the option of the search's limit as it is called where it is shown.

    Parameters
    ----------
    reason : str
        Only what `not_measured` says of inferred ends is changed, in plain text, and in Markdown
        and LaTeX, which have a backslash before the underscore.
    option : str

    Examples
    --------
    >>> from tapviz.lists.reported import SEEMS, as_called
    >>> as_called(f"not measured beyond 10{SEEMS}", "--reported-to").split("; ")[1]
    'if the search went further, set --reported-to'
    """
    for words in (REPORTED_TO, REPORTED_TO.replace("_", r"\_")):
        reason = reason.replace(words, f"set {option}")
    return reason


def list_ends(
    row: NDArray[np.integer],
    score: Floats,
    length: NDArray[np.integer],
    complete: Bools,
    direction: Direction,
    *,
    limit: float | None = None,
    how: ReportedHow = "said",
) -> Ends:
    """How far lists go, from where they end, and from the limit of the search where it is known.

    - A list with all records of the database was not cut: nothing lies beyond it.
    - Of lists of which many are as long as the longest, a number of hits cut these: each ends at
      its last record. If that is less than `FEW`, most must be, and no limit be known.
    - The others share the limit. Where it is not known, E-values infer it: at least `MANY` hits in
      the last decade, and none beyond, do not end by chance. The limit is then the round E-value
      just above the last hit, or this hit. Scores of which large ones are good have no such law.

    Parameters
    ----------
    row : ndarray of int, shape (N,)
        Query of each hit, before labels leave any out; -1 for none.
    score : ndarray of float, shape (N,)
    length : ndarray of int, shape (Q,)
        Records of each list.
    complete : ndarray of bool, shape (Q,)
        Which lists hold all records of the database.
    direction : {"ascending", "descending"}
    limit : float, optional
        Where the search stopped, as somebody or the file says.
    how : {"said", "header"}
        Who says so.
    """
    sign = 1 if direction == "ascending" else -1
    worst = np.full(length.size + 1, -np.inf)  # the last for hits of no query
    np.maximum.at(worst, row, sign * score)
    worst = worst[:-1]
    ends = np.full(length.size, np.inf)
    some = length > 0
    cut = some & ~complete
    longest = int(length[cut].max(initial=0))
    cut &= length == longest
    share = MOST_LISTS if longest < FEW else MANY_LISTS
    enough = np.count_nonzero(cut) >= max(MANY, share * np.count_nonzero(some))
    if not enough or (longest < FEW and limit is not None):  # families may be so small
        cut[:] = False
    known = sign * limit if limit is not None else np.inf
    if limit is None and direction == "ascending":
        known = _inferred(row, score, worst, some & ~complete)
    ends[~complete] = known
    ends[cut] = np.minimum(ends, worst)[cut]
    told = how if limit is not None else "inferred"
    return Ends(sign * ends, told if np.isfinite(ends).any() else None)


def _inferred(row: NDArray[np.integer], score: Floats, worst: Floats, among: Bools) -> float:
    """E-value at which a search stopped; infinite if its lists do not tell."""
    last = float(worst[among].max(initial=0.0))
    near = score > last / 10
    if last <= 0 or np.count_nonzero(np.append(among, False)[row[near]]) < MANY:
        return np.inf
    power = 10.0 ** np.floor(np.log10(last))
    limit = next((step * power for step in ROUND if last <= step * power), last)
    limit = max(float(f"{limit:.15g}"), last)  # 10.0 ** -3 times 3 is not quite 0.003
    return limit if last >= CLOSE * limit else last


def with_ends(lists: RetrievalLists, *, limit: float | None = None) -> RetrievalLists:
    """Return the same lists, which know how far they go: as is said, or as they end.

    Lists hold all records of the database if T(q) and F(q) say so; where F(q) is not known, if
    they have all records that any list has, or all of them have all that is relevant.

    Parameters
    ----------
    lists : RetrievalLists
    limit : float, optional
        Where the search stopped, as somebody says; inferred by default.

    Raises
    ------
    ValueError
        If a record lies beyond the limit.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz import RetrievalLists
    >>> from tapviz.lists.reported import with_ends
    >>> lists = RetrievalLists(np.arange(1, 10), np.zeros(9), [0, 9], [3])
    >>> with_ends(lists, limit=10).reported_to
    array([10.])
    """
    if not all_kept(lists):  # where these end tells nothing
        return lists if limit is None else lists.with_reported_to(limit)
    length = np.diff(lists.offset)
    row, complete = np.repeat(np.arange(length.size), length), _complete(lists, length)
    ends = list_ends(row, lists.score, length, complete, lists.direction, limit=limit)
    return lists.with_reported_to(*ends)


def _complete(lists: RetrievalLists, length: Ints) -> Bools:
    if lists.n_irrelevant is not None:
        return np.asarray(length >= lists.n_relevant + lists.n_irrelevant)
    if (retrieved(lists.relevant, lists.offset) == lists.n_relevant).all():
        return np.ones(length.size, np.bool_)
    if lists.record is None:
        return np.zeros(length.size, np.bool_)
    return with_all_records(length, len(set(lists.record.tolist())))


def with_all_records(length: NDArray[np.integer], n_records: int) -> NDArray[np.bool_]:
    """Which lists hold all records that are known, or all but their query itself.

    Only if many do, and at least half of those that are not empty: one may by chance.
    """
    complete = length >= max(n_records - 1, 1)
    enough = max(MANY, np.count_nonzero(length) / 2)
    return complete if np.count_nonzero(complete) >= enough else np.zeros(length.size, np.bool_)


def limit_of(reported_to: ArrayLike, direction: Direction) -> float:
    """Limit that lists have in common: the loosest of their ends that are known.

    Examples
    --------
    >>> import numpy as np
    >>> from tapviz.lists.reported import limit_of
    >>> limit_of([0.5, 10.0, np.inf], "ascending")
    10.0
    """
    sign = 1 if direction == "ascending" else -1
    ends = sign * np.asarray(reported_to, np.float64)
    known = ends[np.isfinite(ends)]
    return float(sign * (known.max() if known.size else np.inf))
