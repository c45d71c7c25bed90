"""What is handed on of a session: which data it is, the settings, and Python that repeats it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any
from urllib.parse import parse_qs

import numpy as np

from tapviz.explorer import Explorer
from tapviz.files.small import whole
from tapviz.lists import RetrievalLists, count, derived
from tapviz.lists.writing import as_csv
from tapviz.state import Choices
from tapviz.state.settings import settings

FINGERPRINT = re.compile("([0-9a-f]{12})-([0-9]{1,12})q")
DATA = "data"
"""Name under which a link holds the fingerprint."""
RANKED = (
    "query", "algorithm", "rank", "record", "score", "relevant", "n_relevant", "precision",
    "retrieved",
)  # fmt: skip
"""Columns of ranked lists."""


def fingerprint(results: Mapping[str, RetrievalLists]) -> str:
    """Short name of some results: equal for equal ones; it ends in the number of queries.

    It goes by the names of the algorithms, the ids, T(q) and weights of the queries, and by scores
    and relevance of all records; not by the ids of the records.

    Parameters
    ----------
    results : mapping of str to RetrievalLists
        With the same queries, as of `Explorer.results`; of subsets, the whole lists count.

    Returns
    -------
    str
        Such as "3f2a91c0b7e4-862q".
    """
    hashed = blake2b(digest_size=6)
    for name, lists in sorted(results.items()):
        hashed.update(json.dumps(name).encode())
        hashed.update(digest(lists))
    count = next(iter(results.values())).n_queries if results else 0
    return f"{hashed.hexdigest()}-{count}q"


@derived()
def digest(lists: RetrievalLists) -> bytes:
    """The same of the lists of one algorithm, without its name."""
    hashed = blake2b()
    hashed.update(json.dumps([lists.direction, lists.query.tolist()]).encode())
    for values in (lists.n_relevant, lists.weight, lists.offset, lists.score):
        hashed.update(np.ascontiguousarray(values).data)
    hashed.update(np.packbits(lists.relevant).data)
    return hashed.digest()


def other_data(query: str, present: str) -> str:
    """What to say if the query part of an address was made with other data; empty if it was not.

    Parameters
    ----------
    query : str
    present : str
        Fingerprint of the data that are open.
    """
    linked = parse_qs(query.lstrip("?")).get(DATA, [""])[-1]
    if linked in ("", present):
        return ""
    return (
        f"This link was made with other data ({described(linked)}) than what is open "
        f"({described(present)}). Its settings are used; the numbers will differ"
    )


def described(name: str) -> str:
    """Words for a fingerprint."""
    parts = FINGERPRINT.fullmatch(name)
    return f"{parts[1]}, {count(whole(parts[2]), 'query')}" if parts else repr(name[:40])


def again(explorer: Choices, **others: Any) -> Explorer:
    """Another explorer of the same results, with the same choices but for some."""
    shown, judging = list(explorer.style_order), explorer.judging
    copy = Explorer(explorer.results, shown, judging=judging, **(settings(explorer) | others))
    copy.take_over(explorer)
    return copy


def ranked_csv(explorer: Explorer) -> str:
    """Ranked lists of the query in focus as CSV, all records with each algorithm shown.

    The columns query, algorithm, record, score, relevant and n_relevant, T(q), are what
    `read_all` takes. Ids are written as they are, but for an apostrophe before what a spreadsheet
    would take for a formula; ``retrieved``, whether a record is at or before the threshold, is
    empty where there is no threshold.

    Raises
    ------
    KeyError
        If no query is in focus.
    """
    table: list[Sequence[str | float]] = [RANKED]
    for name in explorer.shown:
        ranked = explorer.ranked(name)
        rank, relevant = ranked.rank.tolist(), ranked.relevant.astype(int).tolist()
        blank, total = [""] * len(rank), [ranked.n_relevant] * len(rank)
        record = ranked.record.tolist() if ranked.record is not None else blank
        retrieved = (ranked.rank <= ranked.n_retrieved).astype(int).tolist()
        inside = retrieved if np.isfinite(explorer.tap(name).e0) else blank
        numbers = relevant, total, ranked.precision.tolist(), inside
        rows = zip(rank, record, ranked.score.tolist(), *numbers, strict=True)
        table += [(explorer.focus, name, *row) for row in rows]
    return as_csv(table)


def to_python(explorer: Explorer, opening: str) -> str:
    """Python that makes the present numbers again.

    Parameters
    ----------
    explorer : Explorer
    opening : str
        Lines that bind the results to the name ``results``.
    """
    order = list(explorer.style_order)  # who has which colour
    first = f"    {order!r},\n" if order != list(explorer.results) else ""
    chosen = "".join(f"    {name}={value!r},\n" for name, value in settings(explorer).items())
    kinds = [name for name, some in (("Box", explorer.boxes), ("Range", explorer.ranges)) if some]
    ends = [end for one in explorer.ranges for end in (one.low, one.high)]
    endless = "" if np.isfinite(ends).all() else "from math import inf\n\n"
    areas = f"from tapviz.state import {', '.join(kinds)}\n" if kinds else ""
    return (
        f"{endless}from tapviz import Explorer\n{areas}{opening.strip()}\n\n"
        f"explorer = Explorer(\n    results,\n{first}{chosen})\nprint(explorer.scores)\n"
    )
