"""The choices as the query part of an address, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlencode

from tapviz.state.query_filter import clipped
from tapviz.state.settings import SETTINGS

if TYPE_CHECKING:
    from tapviz.state.choices import Choices

MAX_ADDRESS = 64_000
"""Characters of an address that are read; browsers and servers rarely take as many."""
MAX_TEXT = 2000
"""Characters of one setting, such as a box: two names and six numbers."""


def texts(value: Any) -> list[str]:
    """The value of a setting as an address names it: once for each item; limits as BLASTP=10.

    Examples
    --------
    >>> from tapviz.state.address import texts
    >>> texts({"BLASTP": 10.0}), texts(["A", "B"]), texts([]), texts(None), texts(5)
    (['BLASTP=10.0'], ['A', 'B'], [''], [''], ['5'])
    """
    if isinstance(value, Mapping):
        value = [f"{name}={limit!r}" for name, limit in value.items()]
    if isinstance(value, (list, tuple)):
        return [str(item) for item in value] or [""]
    return ["" if value is None else str(value)]


def encode(chosen: Choices, more: Mapping[str, str] | None = None) -> str:
    """Every setting, defaults included, as the query part of an address.

    Parameters
    ----------
    chosen : Choices
    more : mapping of str to str, optional
        What else the address says; it comes first.
    """
    own = [(name, text) for name in SETTINGS for text in texts(getattr(chosen, name))]
    return "?" + urlencode([*(more or {}).items(), *own])


def decode(chosen: Choices, query: str, where: str = "the address") -> list[str]:
    """Take settings from the query part of an address.

    Parameters
    ----------
    chosen : Choices
    query : str
    where : str
        Where they stand, for messages.

    Returns
    -------
    list of str
        What could not be used; such settings keep their value.
    """
    problems = []
    if len(query) > MAX_ADDRESS:
        problems.append(f"{where} is read up to its {MAX_ADDRESS:,}th character")
    given = parse_qs(query.lstrip("?")[:MAX_ADDRESS], keep_blank_values=True)
    for name, one in SETTINGS.items():
        if name not in given:
            continue
        try:
            if any(len(item) > MAX_TEXT for item in given[name]):
                raise ValueError  # noqa: TRY301
            value = one.read(given[name])
            if one.fits is not None and not one.fits(chosen, value):
                raise ValueError  # noqa: TRY301
            chosen.param.update(**{name: value})
        except ValueError:
            problems.append(f"{name} = {clipped(given[name][-1])!r} in {where} cannot be used here")
    return problems
