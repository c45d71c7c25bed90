"""Scenes 8 and 9: errors of the median user, and a threshold that is too loose."""

from __future__ import annotations

from functools import cache

import numpy as np

from tapviz.draw.picture import Picture
from tapviz.draw.style import brief
from tapviz.explorer import BY_E_VALUE, Explorer
from tapviz.lesson import numbers
from tapviz.lesson.charts import nothing, points_at, until
from tapviz.lesson.numbers import CLOSELY, SEARCHES
from tapviz.lesson.pieces import counts, three
from tapviz.lesson.scene import Ask, Chart, Control, Follows, Scene, Table
from tapviz.measures import mean_recall
from tapviz.plots import PLOTS, PlotData

LOOSE = 0.01
"""Threshold at which the errors of the bundled data are given."""
STRICT = 1e-10
"""Threshold up to which curves of the bundled data are shown before the reader has predicted."""


def errors() -> Scene:
    """Scene 8: one query has all errors; the mean moves, the median does not."""
    queries = np.array([m * 10**p for p in range(6) for m in (1, 2, 5)] + [10**6])
    errors = np.array([0, *(m * 10**p for p in range(6) for m in (1, 2, 5)), 10**6, 2 * 10**6])
    cells = [numbers.one_query_errs(int(q), int(e)) for q in queries for e in errors]
    here = numbers.bundled_errors(CLOSELY, LOOSE)
    worst = numbers.one_query_errs(1_000_000, 2_000_000)
    data, plot = _bundled(), PLOTS["epq"]
    return Scene(
        "errors",
        1,
        ("Predict the mean and the median, then press Reveal.",),
        {
            "real_mean": f"{here.mean:.3f}",
            "real_median": f"{here.median:.0f}",
            "real_worst": f"{here.largest:,.0f}",
            "real_queries": numbers.bundled_lists().n_queries,
        },
        asks=(
            Ask("mean", "mean errors per query", worst.mean, high=2_000_000, step=0.1),
            Ask("median", "median errors per query", worst.median, high=2_000_000, step=0.1),
        ),
        controls=(
            Control(
                "n_queries", "queries", counts(queries), start=18, stops=(6, 12, 18), asked=False
            ),
            Control(
                "n_errors",
                "errors of one of them",
                counts(errors),
                start=20,
                stops=(5, 11, 20),
                asked=False,
            ),
        ),
        tables=(
            Table(("n_queries",), {"n_queries": counts(queries)}),
            Table(("n_errors",), {"n_errors": counts(errors)}),
            Table(
                ("n_queries", "n_errors"),
                {
                    "mean": [_mean_text(one.mean) for one in cells],
                    "median": [
                        f"{one.median:,.0f}"
                        + (", the upper of the two" if n == 2 and one.median else "")  # noqa: PLR2004
                        for one, n in zip(cells, np.repeat(queries, errors.size), strict=True)
                    ],
                },
            ),
        ),
        charts=(
            Chart(
                f"Bundled data, {CLOSELY}: errors per query; dashed: mean, solid: median",
                plot.picture(data),
                plot.text(data),
                known=tuple(layer.name for layer in plot.picture(data).layers),
                height=300,
            ),
        ),
        extra={
            "kind": "dots",
            "control": "n_queries",
            "dots": [min(int(q), 1000) for q in queries],
            "notes": [
                f"Each dot is {q // 1000:,} users" if q > 1000 else "Each dot is a user"  # noqa: PLR2004
                for q in queries.tolist()
            ],
        },
        explorer=f"?view=calibration&mode=e0&e0={LOOSE}&focus_algorithm={CLOSELY}",
    )


def loose() -> Scene:
    """Scene 9: mean TAP of four programs at every threshold."""
    exponents = [*range(-50, -10), *(np.arange(-40, 9) / 4).tolist()]
    # Each is exactly what is written of it: records may lie at 1e-05 itself.
    thresholds = np.array(sorted([*(float(f"{10.0**x:.2g}") for x in exponents), 0.2]))
    data, plot = _bundled(), PLOTS["tap"]
    picture = plot.picture(data)
    axis, styles = data.axis, data.styles
    taps = {name: numbers.bundled_curve(name).at(thresholds, 1) for name in SEARCHES}
    recall = {
        name: [mean_recall(numbers.bundled_lists(name), float(e)) for e in thresholds]
        for name in SEARCHES
    }
    x = np.asarray(axis.position(thresholds), np.float64)
    marks: Follows = {
        f"at {name}": ("sweep", "at", points_at(f"at {name}", x, taps[name], styles[name].color))
        for name in SEARCHES
    }
    end = float(np.asarray(axis.position(STRICT)))
    seen = tuple(layer for layer in picture.layers if layer.name not in ("threshold", "line"))
    picture = Picture(
        (*seen, *(nothing(layer) for _, _, layer in marks.values())), picture.x, picture.y
    )
    e_texts = [brief(float(e)) for e in thresholds]
    columns = {"sweep": e_texts}
    rows = []
    for q, name in enumerate(SEARCHES):
        columns[f"tap_{q}"], columns[f"found_{q}"] = three(taps[name]), three(recall[name])
        curve, at = numbers.bundled_curve(name), numbers.bundled_tap(name)
        rows.append(
            [
                name,
                f"{{tap_{q}}}",
                f"{{found_{q}}}",
                f"{curve.peak_tap:.3f} at {brief(curve.peak_threshold)}",
                f"{at.value:.3f} at {brief(at.e0)}",
            ]
        )
    shape = (
        "peaks"
        if all(
            numbers.bundled_curve(name).tap[-1] < numbers.bundled_curve(name).peak_tap
            for name in SEARCHES
        )
        else "rises"
    )
    return Scene(
        "loose",
        1.5,
        ("Predict what mean TAP does, then press Reveal.", "Move E₀ from 1e-10 to 100."),
        {"real_queries": numbers.bundled_lists().n_queries},
        asks=(
            Ask(
                "shape",
                "As E₀ goes from 1e-10 to 100, mean TAP",
                shape,
                {"rises": "only rises", "peaks": "rises and falls", "falls": "only falls"},
            ),
        ),
        controls=(
            Control(
                "sweep",
                "E₀, threshold",
                e_texts,
                start=int(np.argmin(np.abs(np.log10(thresholds / STRICT)))),
                stops=[
                    int(np.argmin(np.abs(np.log10(thresholds / e)))) for e in (STRICT, 0.2, 10, 100)
                ],
                goal=thresholds.size - 1,
                play=True,
            ),
        ),
        tables=(Table(("sweep",), columns),),
        charts=(
            Chart(
                "Mean TAP of four programs; ● at the threshold, ▲ peak",
                picture,
                "At E₀ = {sweep}: "
                + ", ".join(f"{name} {{tap_{q}}}" for q, name in enumerate(SEARCHES))
                + ".",
                marks,
                known=tuple(
                    layer.name
                    for layer in seen
                    if not (layer.name.startswith("curve") or layer.name == "name")
                ),
                before={
                    layer.name: until(layer, end)
                    for layer in seen
                    if layer.name.startswith("curve")
                },
                height=380,
            ),
        ),
        extra={
            "kind": "rows",
            "caption": "At your threshold, at the peak, and where the median user has 20 errors",
            "heads": ["at E₀ = {sweep}", "TAP", "share found", "peak TAP at E", "TAP-20 at E₂₀"],
            "rows": rows,
        },
        explorer="?view=roc&mode=e0&e0=0.2",
    )


def _mean_text(value: float) -> str:
    """Errors per query: a mean of few errors in many queries keeps two digits."""
    return f"{value:,.1f}" if value >= 1 or value == 0 else f"{value:.2g}"


@cache
def _bundled() -> PlotData:
    """What the explorer's own plots of the bundled data are made of."""
    results = {name: numbers.bundled_lists(name) for name in SEARCHES}
    return PlotData(
        Explorer(results, shown=list(SEARCHES), mode=BY_E_VALUE, e0=LOOSE, focus_algorithm=CLOSELY)
    )
