"""Arguments that several measures take, checked and worded once; and what is imported late."""

from __future__ import annotations

import math
from importlib import import_module
from types import ModuleType

import numpy as np

from tapviz.lists import RetrievalLists, check_kept

MOST = 1_000_000_000
"""Largest k and n: what they are multiplied with has eight bytes."""


def special() -> ModuleType:
    """Distributions of scipy, which take longer to import than all measures together."""
    return import_module("scipy.special")


def refuse(wrong: object, message: str) -> None:
    """ValueError with the message if something is wrong."""
    if wrong:
        raise ValueError(message)


def check_number(name: str, value: float | str, right: object, expected: str) -> None:
    """ValueError unless the number is right, which says what was expected instead."""
    refuse(not right, f"{name} = {value}: expected {expected}")


def check_fraction(name: str, value: float) -> float:
    """A fraction; ValueError if it is not in (0, 1)."""
    check_number(name, value, 0 < value < 1, "a fraction above 0 and below 1")
    return float(value)


def kept_errors(lists: RetrievalLists, n: int) -> int:
    """A number of errors n, up to which condensed lists have kept all records."""
    check_kept(lists, errors=n)
    return number_of_errors("n", n)


def check_choice(name: str, value: object, *known: str | None) -> None:
    """ValueError unless the value is one of those known, all of which it says."""
    if value not in known:
        *first, last = ("None" if one is None else f'"{one}"' for one in known)
        raise ValueError(f"{name} {value!r}: expected {', '.join(first)} or {last}")


def check_quantile(quantile: float) -> float:
    """A quantile of the queries; ValueError if it is not in (0, 1]."""
    expected = "a fraction of queries, above 0 and at most 1"
    check_number("quantile", quantile, 0 < quantile <= 1, expected)
    return float(quantile)


def whole_number(name: str, value: float, *, least: int = 1, of: str = "") -> int:
    """The value as an int; ValueError unless it is a whole number of at least `least`."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    right = number and not value % 1 and least <= value <= (MOST if of else math.inf)
    expected = f"{of}, at least {least}" if of else f"of at least {least}"
    expected += f" and at most {MOST:,}" if number and value > MOST else ""
    check_number(name, value, right, f"a whole number {expected}")
    return int(value)


def number_of_errors(name: str, value: float) -> int:
    """The k of TAP-k or the n of ROC_n; ValueError unless it is a whole number of at least 1."""
    return whole_number(name, value, of="of errors")
