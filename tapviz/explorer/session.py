"""A session as a file: every choice, what was pinned, and which data it was made with."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlencode

from tapviz.explorer import Explorer
from tapviz.explorer.share import DATA, digest, fingerprint
from tapviz.files.small import json_of, text_of, wrong
from tapviz.lists import RetrievalLists, write_atomically
from tapviz.scores import ThresholdRule, versions
from tapviz.scores.written import jsonable
from tapviz.state import SETTINGS, Pinned
from tapviz.state.choices import texts
from tapviz.state.query_filter import clipped
from tapviz.state.settings import settings

FORMAT = "tapviz session"
"""What such a file says that it is, before all else."""
FILE = "session.json"
"""Name under which it is offered."""


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
        *(f"{clipped(key)!r} in {session.name} is no setting here" for key in session.unknown),
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
        If the file is no session, or cannot be read.

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
