"""Ids that mean the same but are written differently."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

UNIPROT = re.compile(r"(?:sp|tr)\|([^|]+)(?:\|.*)?")


def _accession(name: str) -> str:
    match = UNIPROT.fullmatch(name)
    return match[1] if match else name


def _without_version(name: str) -> str:
    stem, _, version = name.rpartition(".")
    return stem if stem and version.isascii() and version.isdigit() else name


QUOTES = "\"'` \t\n\r\v\f\u00a0\u2018\u2019\u201c\u201d"
# In the order in which they are applied, whatever the order they are given in.
NORMALISATIONS: dict[str, Callable[[str], str]] = {
    "quotes": lambda name: name.strip(QUOTES) or name,  # "d1" and ' d1': d1
    "accession": _accession,  # sp|P12345|X and tr|P12345|X: P12345
    "version": _without_version,  # P12345.1: P12345
    "case": str.casefold,  # d1abcA_: d1abca_
}


def normalise(ids: Iterable[str], rules: Sequence[str]) -> list[str]:
    """Write ids in one way.

    Parameters
    ----------
    ids : iterable of str
    rules : sequence of {"quotes", "accession", "version", "case"}
        "quotes" takes quotes and blanks off both ends; "accession" takes the accession out of
        UniProt's ``sp|P12345|NAME``; "version" drops a full stop and digits from the end, as in
        ``P12345.1``; "case" makes no difference between capitals and small letters. They are
        applied in this order.

    Returns
    -------
    list of str
        An id for each id.

    Raises
    ------
    ValueError
        If there is no such rule.

    Examples
    --------
    >>> from tapviz.labels import normalise
    >>> normalise(["sp|P12345|NAME", "q99999.2"], ("accession", "version", "case"))
    ['p12345', 'q99999']
    """
    if isinstance(rules, str) or not set(rules) <= set(NORMALISATIONS):
        known = ", ".join(map(repr, NORMALISATIONS))
        raise ValueError(f"normalise={rules!r}: expected a tuple of names, out of {known}")
    names = list(ids)
    for rule, function in NORMALISATIONS.items():
        if rule in rules:
            names = list(map(function, names))
    return names


def grouped(ids: Iterable[str], rules: Sequence[str]) -> dict[str, list[str]]:
    """Different ids as they were, by what they become; more than one in a group is a collision."""
    unique = list(dict.fromkeys(ids))
    groups: dict[str, list[str]] = {}
    for name, before in zip(normalise(unique, rules), unique, strict=True):
        groups.setdefault(name, []).append(before)
    return groups


def collisions(*sides: Mapping[str, list[str]]) -> list[list[str]]:
    """Groups of different ids that have become equal."""
    return [group for side in sides for group in side.values() if len(group) > 1]
