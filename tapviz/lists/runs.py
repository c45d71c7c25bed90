"""What a run was, and what it cost: program, version, seconds, memory."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple, TypeVar

T = TypeVar("T")
RUN = "@"
"""Stands between the name of a system and that of its run."""


class Run(NamedTuple):
    """What is known about the run of a program that made some results.

    Examples
    --------
    >>> from tapviz import RetrievalLists
    >>> from tapviz.lists.runs import Run
    >>> lists = RetrievalLists([1e-9, 0.5], [1, 0], [0, 2], [1])
    >>> lists = lists.with_run(Run(program="MMseqs2", version="15-6f452", seconds=12.5))
    >>> lists.run.version, lists.run.seconds
    ('15-6f452', 12.5)
    """

    program: str = ""
    version: str = ""
    command: str = ""
    database: str = ""
    date: str = ""
    """As 2026-03-01."""
    seconds: float = math.nan
    """From start to end; NaN if unknown, as the others."""
    cpu_seconds: float = math.nan
    """Of all processors together."""
    memory: float = math.nan
    """At most, in GB (1e9 bytes)."""

    @property
    def known(self) -> dict[str, str | float]:
        """What is known, by name."""
        return {
            name: value
            for name, value in self._asdict().items()
            if value != "" and not (isinstance(value, float) and math.isnan(value))
        }


def version_key(version: str) -> tuple[tuple[int, str], ...]:
    """Sorts versions, and dates: 2.9 before 2.10.

    Examples
    --------
    >>> from tapviz.lists.runs import version_key
    >>> sorted(["2.10", "10", "2.9", "v3"], key=version_key)
    ['v3', '2.9', '2.10', '10']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", version)
    digits = ((part.lstrip("0"), part) for part in parts)
    return tuple((len(n), n) if part[0] in "0123456789" else (-1, part) for n, part in digits)


def systems(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Systems that have several runs among some algorithms, with the names of these.

    A run is called as its system is, with ``@`` and what tells it from the others, such as
    ``esm2@seed1``. One run alone makes no system.

    Parameters
    ----------
    names : iterable of str
        Of algorithms.

    Examples
    --------
    >>> from tapviz.lists.runs import systems
    >>> systems(["BLASTP", "esm2@seed1", "esm2@seed2", "prott5@seed1"])
    {'esm2': ('esm2@seed1', 'esm2@seed2')}
    """
    names = list(names)
    found: dict[str, list[str]] = {}
    for name in names:
        system, at, run = name.rpartition(RUN)
        if at and system and run:
            found.setdefault(system, []).append(name)
    return {
        system: tuple(runs)
        for system, runs in found.items()
        if len(runs) > 1 and system not in names
    }


def as_systems(of: Mapping[str, T], together: Callable[[Mapping[str, T]], T]) -> dict[str, T]:
    """What belongs to algorithms, with that of all runs of a system in place of the first.

    Parameters
    ----------
    of : mapping of str to object
        By the names of algorithms.
    together : callable
            Makes one of several; called with what the runs of a system have, by their names.

    Examples
    --------
    >>> from tapviz.lists.runs import as_systems
    >>> as_systems({"A@1": 0.25, "B": 0.5, "A@2": 0.75}, lambda runs: sum(runs.values()))
    {'A': 1.0, 'B': 0.5}
    """
    runs = systems(of)
    system = {run: name for name, several in runs.items() for run in several}
    found: dict[str, T] = {}
    for name, one in of.items():
        whole = system.get(name)
        if whole is None:
            found[name] = one
        elif whole not in found:
            found[whole] = together({run: of[run] for run in runs[whole]})
    return found
