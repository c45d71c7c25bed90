"""What is handed on of a session: which data it is, a file, ranked lists, and Python."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode

import numpy as np

from tapviz.explorer import Explorer
from tapviz.files.small import json_of, text_of, whole, wrong
from tapviz.lists import RetrievalLists, count, derived, write_atomically
from tapviz.lists.writing import as_csv
from tapviz.scores import ThresholdRule, versions
from tapviz.scores.written import jsonable
from tapviz.state import SETTINGS, Choices, Pinned
from tapviz.state.choices import texts
from tapviz.state.query_filter import clipped
from tapviz.state.settings import settings

FORMAT = "tapviz session"
"""What such a file says that it is, before all else."""
FILE = "session.json"
"""Name under which it is offered."""
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
    n_queries = next(iter(results.values())).n_queries if results else 0
    return f"{hashed.hexdigest()}-{n_queries}q"


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


class Session(NamedTuple):
    """What a file of a session holds."""

    name: str
    """Of the file."""
    search: str
    """The choices, as in the address of a page."""
    pinned: Pinned | None
    algorithms: dict[str, str]
    """By name, a digest of their lists."""
    unknown: list[str]
    """Names of settings that this version does not have."""

    @property
    def dataset(self) -> str:
        """The bundled data set that was open; empty for files."""
        return parse_qs(self.search.lstrip("?")).get("dataset", [""])[-1]


def to_json(explorer: Explorer, address: Mapping[str, str] | None = None) -> str:
    """A session as JSON.

    Parameters
    ----------
    explorer : Explorer
    address : mapping of str to str, optional
        What the address of the page says besides the choices, such as the data set.
    """
    pinned = explorer.pinned
    plain = {
        "format": FORMAT,
        DATA: fingerprint(explorer.results),
        "algorithms": {name: digest(lists).hex() for name, lists in explorer.results.items()},
        "address": dict(address or {}),
        "settings": {
            name: [*map(str, value)] if isinstance(value, tuple) else value
            for name, value in settings(explorer).items()
        },
        "pinned": pinned and pinned._asdict() | {"rule": pinned.rule._asdict()},
        "versions": versions(),
    }
    # A score that is undefined is null, which JSON has in place of NaN.
    return json.dumps(jsonable(plain), indent=1, ensure_ascii=False) + "\n"


def is_session(data: bytes) -> bool:
    """Whether a file says that it is a session."""
    return data[:200].lstrip().startswith(b"{") and f'"{FORMAT}"'.encode() in data[:200]


def read_session(data: bytes, name: str) -> Session:
    """Read what `to_json` writes.

    Parameters
    ----------
    data : bytes
        Content of the file.
    name : str
        Of the file, for messages.

    Raises
    ------
    ReadError
        If it is anything else; the message says where and what.
    """
    plain = json_of(data, name)
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        message = f'expected a session that tapviz has saved, with "format": "{FORMAT}"'
        raise wrong(name, None, message)
    parts = {}
    for part in ("address", "settings", "algorithms"):
        parts[part] = plain.get(part, {})
        if not isinstance(parts[part], dict):
            raise wrong(name, None, f'"{part}" should hold names and values')
    values = [(key, str(value)) for key, value in parts["address"].items() if key != DATA]
    chosen = {key: value for key, value in parts["settings"].items() if key in SETTINGS}
    values += [(key, text) for key, value in chosen.items() for text in texts(value)]
    unknown = [key for key in parts["settings"] if key not in SETTINGS]
    algorithms = {key: str(value) for key, value in parts["algorithms"].items()}
    pinned = _pinned(plain.get("pinned"), name)
    return Session(name, "?" + urlencode(values), pinned, algorithms, unknown)


def use_session(explorer: Explorer, session: Session) -> list[str]:
    """Make the choices of a session.

    Parameters
    ----------
    explorer : Explorer
    session : Session

    Returns
    -------
    list of str
        What could not be used, and which data are not those of the session; such choices keep
        their value.
    """
    problems = [
        *other_lists(session, explorer.results),
        *(f"{clipped(key)!r} in {session.name} is not a setting here" for key in session.unknown),
        *explorer.from_query(session.search, where=session.name),
    ]
    pinned = session.pinned
    if pinned is not None and not set(explorer.results) <= set(pinned.scores):
        problems.append(f"{session.name}: what was pinned is of other algorithms; it is left out")
    elif pinned is not None:
        explorer.pinned = pinned
    return problems


def other_lists(session: Session, results: Mapping[str, RetrievalLists]) -> list[str]:
    """What is not the same as when the session was saved, in words; empty if all is."""
    saved, problems = session.algorithms, []
    if missing := [name for name in saved if name not in results]:
        problems.append(f"{', '.join(missing)}: not open, but part of the session")
    if added := [name for name in results if name not in saved]:
        problems.append(f"{', '.join(added)}: not part of the session")
    if other := [
        name for name in saved if name in results and digest(results[name]).hex() != saved[name]
    ]:
        problems.append(f"{', '.join(other)}: other hits, or labels, than when it was saved")
    return [f"{session.name}: {problem}" for problem in problems]


def save_session(explorer: Explorer, file: str | Path) -> None:
    """Save the choices made, to go on with them later.

    Parameters
    ----------
    explorer : Explorer
    file : str or Path
        A JSON file, which *Change data* of the page, ``tapviz explore --session`` and
        `open_session` take.

    Raises
    ------
    ValueError
        If it cannot be written; a session that was there is kept as it was.

    Examples
    --------
    >>> import tempfile
    >>> from tapviz import Explorer, load_results, open_session, save_session
    >>> explorer = Explorer(load_results("profiles"), k=5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_session(explorer, f"{folder}/session.json")
    ...     other = Explorer(load_results("profiles"))
    ...     open_session(other, f"{folder}/session.json")
    []
    >>> other.k
    5
    """
    write_atomically(file, to_json(explorer))


def open_session(explorer: Explorer, file: str | Path) -> list[str]:
    """Make the choices that were saved.

    Parameters
    ----------
    explorer : Explorer
    file : str or Path
        What `save_session` wrote, or the page's *Share*.

    Returns
    -------
    list of str
        What could not be used, and which data are not those of the session; such choices keep
        their value.

    Raises
    ------
    ReadError
        If the file is not a session, or cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from tapviz import Explorer, load_results, open_session, save_session
    >>> explorer = Explorer(load_results("profiles"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_session(Explorer(load_results("profiles"), n=10), f"{folder}/session.json")
    ...     open_session(explorer, f"{folder}/session.json")
    []
    >>> explorer.n
    10
    """
    return use_session(explorer, read_session(text_of(file).encode(), Path(file).name))


def _pinned(plain: Any, name: str) -> Pinned | None:
    """Scores that were kept."""
    if plain is None:
        return None
    try:
        rule = ThresholdRule(**plain["rule"])
        n, n_queries = plain["n"], plain["n_queries"]
        scores = {
            algorithm: {score: math.nan if value is None else value for score, value in of.items()}
            for algorithm, of in plain["scores"].items()
        }
        numbers = (rule.e0 if rule.k is None else rule.k, rule.quantile)
        numbers += tuple(value for of in scores.values() for value in of.values())
        are_numbers = all(type(one) in (int, float) for one in numbers)
        if not (are_numbers and all(type(one) is int and one > 0 for one in (n, n_queries))):
            raise TypeError  # noqa: TRY301
    except (AttributeError, KeyError, TypeError, ValueError):
        raise wrong(name, None, '"pinned" is not what tapviz saves') from None
    return Pinned(rule, n, n_queries, scores)


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
