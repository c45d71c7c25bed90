"""The choices as the query part of an address, and back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs, urlencode

import numpy as np
import param

from tapviz.choices.query_filter import MAX_BOXES, Box, Range, clipped

MAX_ADDRESS = 64_000
"""Characters of an address that are read; browsers and servers rarely take as many."""
MAX_TEXT = 2000
"""Characters of one setting, such as a box: two names and six numbers."""
SEVERAL = ("algorithms", "boxes", "ranges", "table_scores", "reported_to")
"""Choices that an address names once for each item."""

READ: Mapping[str, Callable[[str], Box | Range]] = {"boxes": Box.read, "ranges": Range.read}


def encode(
    chosen: param.Parameterized, names: Sequence[str], more: Mapping[str, str] | None = None
) -> str:
    """Every choice, defaults included, as the query part of an address.

    Parameters
    ----------
    chosen : param.Parameterized
        Whose choices.
    names : sequence of str
        Parameters that are choices.
    more : mapping of str to str, optional
        What else the address says; it comes first.
    """
    values = list((more or {}).items())
    for name in names:
        value = getattr(chosen, name)
        if name in SEVERAL:
            items = [f"{of}={at!r}" for of, at in value.items()] if name == "reported_to" else value
            values += [(name, str(item)) for item in items or [""]]
        else:
            values.append((name, "" if value is None else str(value)))
    return "?" + urlencode(values)


def decode(
    chosen: param.Parameterized,
    names: Sequence[str],
    query: str,
    *,
    algorithms: Collection[str],
    standards: Collection[str],
    e_values: bool,
    where: str = "the address",
) -> list[str]:
    """Take choices from the query part of an address.

    Parameters
    ----------
    chosen : param.Parameterized
    names : sequence of str
    query : str
    algorithms : collection of str
        Those of the results: a box is of two of them.
    standards : collection of str
        Those by which the results can be judged, if several.
    e_values : bool
        Whether scores are E-values, so that a threshold is not negative.
    where : str
        Where they stand, for messages.

    Returns
    -------
    list of str
        What could not be used; such choices keep their value.
    """
    problems = []
    if len(query) > MAX_ADDRESS:
        problems.append(f"{where} is read up to its {MAX_ADDRESS:,}th character")
    given = parse_qs(query.lstrip("?")[:MAX_ADDRESS], keep_blank_values=True)
    for name in names:
        if name not in given:
            continue
        text = given[name][-1]
        try:
            if any(len(item) > MAX_TEXT for item in given[name]):
                raise ValueError  # noqa: TRY301
            value: Any = text
            if name in SEVERAL:
                items = [item for item in given[name] if item]
                if name in READ:
                    value = _areas(items, READ[name], algorithms, standards)
                else:
                    value = _limits(items) if name == "reported_to" else items
            elif isinstance(chosen.param[name], param.Boolean):
                value = {"True": True, "False": False}.get(text, text)
            elif isinstance(chosen.param[name], param.Integer):
                value = int(text) if text else None
            elif isinstance(chosen.param[name], param.Number):
                value = float(text)
                if not np.isfinite(value) or (name == "e0" and value < 0 and e_values):
                    raise ValueError  # noqa: TRY301
            chosen.param.update(**{name: value})
        except ValueError:
            problems.append(f"{name} = {clipped(text)!r} in {where} cannot be used here")
    return problems


def _limits(texts: Sequence[str]) -> dict[str, float]:
    """Limits of algorithms, written as BLASTP=10."""
    parts = [text.rpartition("=") for text in texts]
    return {name: float(limit) for name, _, limit in parts}


def _areas(
    texts: Sequence[str],
    read: Callable[[str], Box | Range],
    algorithms: Collection[str],
    standards: Collection[str],
) -> tuple[Box | Range, ...]:
    if len(texts) > MAX_BOXES:
        raise ValueError(texts)
    areas = tuple(map(read, texts))
    if not {name for area in areas for name in area.algorithms} <= set(algorithms):
        raise ValueError(texts)
    named = {area.standard for area in areas if isinstance(area, Range)}
    if not named <= {"", *standards}:
        raise ValueError(texts)
    return areas
