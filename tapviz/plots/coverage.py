"""Coverage against errors per query, with each algorithm's threshold."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping

import numpy as np

from tapviz import measures as m
from tapviz.draw import picture as p
from tapviz.draw.scale import PowerScale
from tapviz.draw.style import brief, number, to_thousandths
from tapviz.lists import count, is_measured
from tapviz.measures.coverage import Coverage
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, THRESHOLD, Plot, PlotData
from tapviz.scores import named

DRAWN_POINTS = 360
"""Steps of a curve that are drawn at most, about one per pixel."""
READ_POINTS = 60
"""Numbers of errors per query with a read-out."""
TEXT_EPQ = (0.1, 1.0)
"""Errors per query at which the text gives the coverage."""
SHARES = {
    "pooled": "Share of all relevant records",
    "mean_recall": "Share of the relevant records of a query, the mean over queries,",
    "mean_family_recall": "Share of the relevant records of a query, the mean over families,",
}
TITLES = {
    "pooled": "coverage",
    "mean_recall": "coverage, mean over queries",
    "mean_family_recall": "coverage, mean over families",
}
"""Of the axis, by what counts alike."""


def errors_axis(data: PlotData, rule: Coverage = "pooled") -> PowerScale:
    """Axis of mean errors per query, from 0 and one error of one query upwards.

    One error per query is that of the lightest, 1 / Q if all weigh the same. It ends with the
    curves of all queries of any algorithm; subsets may go beyond.
    """
    explorer = data.explorer
    curves = [m.coverage_vs_epq(one, coverage=rule) for one in explorer.results.values()]
    most = max((float(one.epq[-1]) for one in curves if one.epq.size), default=0.0)
    weight = explorer.first.weight
    return PowerScale.of(float(weight.min() / weight.sum()), most, zero=True)


def at_threshold(result: m.CoverageCurve, threshold: float, sign: int) -> tuple[float, float]:
    """Errors per query and coverage at a threshold; NaN if there is none."""
    if np.isnan(threshold):
        return float("nan"), float("nan")
    place = bisect_right(result.threshold, sign * threshold, key=lambda score: sign * score)
    if not place:
        return 0.0, float("nan") if result.reason else 0.0
    return float(result.epq[place - 1]), float(result.coverage[place - 1])


def curves(
    data: PlotData,
    options: Mapping[str, object],
    scale: PowerScale,
    titles: tuple[str, str],
    quantity: str = "coverage",
    right: float | None = None,
) -> c.Chart:
    """Lay out the curves, which no choice of a threshold changes.

    Of the exact curve, which has a step at every distinct score, the last step within each of
    `DRAWN_POINTS` equal parts of the axis is drawn, at its exact place: no step moves by more
    than about a pixel. All thresholds without an error are one place.

    Parameters
    ----------
    data : PlotData
    options : mapping
        Of `coverage_vs_epq`.
    scale : PowerScale
        Of `errors_axis`.
    titles : (str, str)
        Of the two axes.
    quantity : str
        What the read-out calls the share found.
    right : float, optional
        Room right of the lines, as in `line_chart`.
    """
    results, every = (of(m.coverage_vs_epq, **options) for of in (data.each, data.ghosts))
    found = {name: one for name, one in results.items() if not one.reason and one.epq.size}
    behind = {name: every[name] for name in found if name in every}
    shown = [*found.values(), *behind.values()]
    whole = scale.reaching(max((float(one.epq[-1]) for one in shown), default=0.0))
    places, errors = whole.grid(DRAWN_POINTS), whole.grid(READ_POINTS)
    ghosts, drawn = c.of_each(lambda one: _steps(data, whole, one, places), behind, found)

    def said(share: float, e0: float) -> str:
        return f"{quantity} {share:.3f}, threshold {brief(e0)}"

    rows = {}
    for name, curve in found.items():
        place = np.searchsorted(curve.epq, errors, side="right")
        at, share = np.append(np.nan, curve.threshold), np.append(0.0, curve.coverage)
        rows[name] = [*map(said, share[place], at[place])]
    heads = [f"at most {count(brief(value), 'error')} per query" for value in errors[1:].tolist()]
    # Those without a curve have no thresholds on it, either.
    drawn |= {one: c.NO_CURVE for one in data.styles if one not in drawn}
    across = p.Axis(titles[0], whole.start, whole.end, scale=scale)
    up = p.Axis(titles[1], 0.0, c.ceiling([float(one.coverage[-1]) for one in shown]))
    read = c.Readout(whole.position(errors), ["no error in any query", *heads], rows)
    return c.line_chart(data, drawn, across, up, read, ghosts=ghosts, right=right)


def _steps(data: PlotData, scale: PowerScale, curve: m.CoverageCurve, places: c.Array) -> c.Columns:
    """Corners of the steps that are drawn, and the place of each one's threshold.

    The coverage holds until the next one.
    """
    last = np.searchsorted(curve.epq, places, side="right") - 1
    last = np.append(last[last >= 0], curve.epq.size - 1)
    distinct = last[np.append(np.diff(last) > 0, True)]
    epq, coverage, at = curve.epq[distinct], curve.coverage[distinct], curve.threshold[distinct]
    if epq[0] > 0:  # there is an error before anything relevant
        epq, coverage, at = np.append(0.0, epq), np.append(0.0, coverage), np.append(at[0], at)
    x, y, at = np.repeat(scale.position(epq), 2), np.repeat(coverage, 2), np.repeat(at, 2)
    return {"x": x[1:], "y": y[:-1], "threshold": data.axis.position(at[:-1])}


def text(data: PlotData) -> str:
    """The plot in words."""

    def said(curve: m.CoverageCurve) -> str:
        values = " and ".join(to_thousandths(float(value)) for value in curve.at(TEXT_EPQ))
        most = float(curve.epq[-1]) if curve.epq.size else 0.0
        if most >= TEXT_EPQ[-1]:
            return values
        return f"{values} (its lists end at {count(number(most), 'error')} per query)"

    levels, rule = " and ".join(f"{value:g}" for value in TEXT_EPQ), data.explorer.coverage_of
    start = f"{SHARES[rule]} found at {levels} errors per query: "
    return data.curves(
        f"{PLOT.name} {rule} in words",
        lambda: c.each_in_words(
            data.each(m.coverage_vs_epq, coverage=rule), "coverage", start, said
        ),
    )


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    explorer, scale, rule = data.explorer, data.settled(errors_axis), data.explorer.coverage_of
    titles = "mean errors per query (log scale)", TITLES[rule]
    options = {"coverage": rule}
    found = data.curves(f"{PLOT.name} {rule}", lambda: curves(data, options, scale, titles))
    at = {}
    for name, curve in data.each(m.coverage_vs_epq, **options).items():
        e0 = explorer.case(name).value(named("threshold"))
        known = e0 if is_measured(explorer.lists[name], e0) else np.nan
        at[name] = at_threshold(curve, known, explorer.first.sign)
    return found.picture(c.diamonds(data, at, along=scale.position))


PLOT = Plot(
    name="coverage",
    title="Coverage",
    caption="against mean errors per query · ◆ at the threshold",
    how_to_read="""The share of all relevant records found (coverage) as the threshold is loosened,
    against the mean number of errors per query that this costs. Higher and further left is better.
    A setting makes each query, or each family, count alike rather than each relevant pair.""",
    printed="""Share of the relevant records found against the mean errors per query, as the
    threshold is loosened. Diamonds: at {at}.""",
    depends=(*FILTER, *THRESHOLD, "algorithms", "coverage_of"),
    picture=picture,
    text=text,
    tab="Coverage",
)
