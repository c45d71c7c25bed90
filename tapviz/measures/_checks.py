"""Arguments that several measures take, checked and worded once."""

from __future__ import annotations

from typing import Any

import numpy as np


def whole_number(name: str, value: Any, *, least: int = 1, of: str = "") -> int:
    """The value as an int; ValueError unless it is a whole number of at least `least`."""
    number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not number or value % 1 or value < least:
        expected = f"{of}, at least {least}" if of else f"of at least {least}"
        msg = f"{name} = {value}: expected a whole number {expected}"
        raise ValueError(msg)
    return int(value)


def number_of_errors(name: str, value: Any) -> int:
    """The k of TAP-k or the n of ROC_n; ValueError unless it is a whole number of at least 1."""
    return whole_number(name, value, of="of errors")


def check_quantile(quantile: float) -> float:
    """A quantile of the queries; ValueError if it is not in (0, 1]."""
    if not 0 < quantile <= 1:
        msg = f"quantile = {quantile}: expected a fraction of queries, above 0 and at most 1"
        raise ValueError(msg)
    return float(quantile)
