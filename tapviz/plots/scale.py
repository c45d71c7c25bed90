"""What places on an axis mean: Bokeh's tickers and formatters, for where there is no browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from bokeh.models import CustomJSTicker, CustomJSTickFormatter, FixedTicker
from numpy.typing import ArrayLike, NDArray

from tapviz.draw import threshold_axis as axis
from tapviz.plots import epq, influence, order, roc

DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
ENOUGH = 4
"""Ticks that are enough; finer ones only if there are fewer (`axis.TICKER`)."""
PLAIN = range(-2, 4)
"""Powers of ten that are written as numbers."""


def values(formatter: CustomJSTickFormatter | None, places: ArrayLike) -> NDArray[np.float64]:
    """What is drawn at places on an axis.

    Parameters
    ----------
    formatter : CustomJSTickFormatter or None
        Of the axis; without one, places are values.
    places : array_like

    Raises
    ------
    KeyError
        If the formatter's code is not known here.
    """
    at = np.asarray(places, np.float64)
    if formatter is None:
        return at
    return MEANINGS[formatter.code](at, **formatter.args)


def said(formatter: CustomJSTickFormatter | None, place: float) -> str:
    """What the tick at a place says."""
    value = float(values(formatter, place))
    if formatter is None or formatter.code == influence.FORMATTER:
        return np.format_float_positional(float(f"{value:.4g}"), trim="-").replace("-", "−")
    if formatter.code != axis.FORMATTER:
        return f"{value:,.0f}"
    if value == 0:
        return "0"
    exponent = int(np.floor(np.log10(value) + 1e-6))
    if exponent in PLAIN:
        return f"{float(f'{value:.2g}'):g}"
    mantissa, power = f"{value / 10.0**exponent:.2g}", "10" + str(exponent).translate(DIGITS)
    return power if mantissa == "1" else f"{mantissa}·{power}"


def ticks(ticker: Any, low: float, high: float) -> list[float] | None:
    """Places of the ticks between two places; None where the ticker leaves them to whoever draws.

    Parameters
    ----------
    ticker : CustomJSTicker, FixedTicker or another
    low, high : float
    """
    if isinstance(ticker, FixedTicker):
        levels = [ticker.ticks]
    elif isinstance(ticker, CustomJSTicker):
        levels = ticker.args["levels"]
    else:
        return None
    seen = [[place for place in level if low <= place <= high] for level in levels]
    return next((level for level in seen if len(level) >= ENOUGH), seen[-1])


def _threshold(
    at: NDArray[np.float64], zero: float | None, kink: float, squeeze: float
) -> NDArray[np.float64]:
    found = 10.0 ** np.where(at >= kink, at, kink + (at - kink) * squeeze)
    return found if zero is None else np.where(np.abs(at - zero) < 1e-6, 0.0, found)  # noqa: PLR2004


MEANINGS: dict[str, Callable[..., NDArray[np.float64]]] = {
    axis.FORMATTER: _threshold,
    epq.FORMATTER: lambda at: 10**at - 1,
    roc.FORMATTER: lambda at: 10**at,
    influence.FORMATTER: lambda at: at,
    order.PLACE_FORMATTER: lambda at: -at,
}
"""What each formatter takes a place for, by its code."""
