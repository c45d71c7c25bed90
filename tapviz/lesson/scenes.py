"""The scenes: `scenes.toml` says what they ask, and here are their numbers, tables and pictures.

Numbers come from `tapviz.lesson.numbers`, which asks `tapviz.measures`; the page that shows the
scenes computes none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from tapviz.draw.picture import Picture
from tapviz.draw.style import INK, brief
from tapviz.lesson import charts, numbers
from tapviz.lesson.charts import COLOR, DRAWN_ERRORS
from tapviz.lesson.numbers import CLOSELY, E0, SEARCHES, A, B, N, two_lists
from tapviz.lesson.scene import Scene, Shown, scene
from tapviz.lists import RetrievalLists
from tapviz.measures import errors_per_query, mean_recall, pooled_roc_n, ranked_list, tap, tap_curve
from tapviz.plots import PLOTS, PlotData

LISTS = two_lists()
MANY = 49
"""Good lists beside a bad one that make fifty."""
REAL_GROUPS = 200
"""Groups of real queries that are drawn."""
GOOD_LISTS = "lists like A beside the one like B"
TICKS = {float(at): str(at) for at in (1, 20, 40, 60, 80, 99)}
LOOSE = 0.01
"""Threshold at which the errors of the bundled data are given."""
STRICT = 1e-10
"""Threshold up to which curves of the bundled data are shown before the reader has predicted."""
UNDEFINED = "undefined"
CAVEAT = (
    "What is an error here is decided by SCOPe: a record of another fold is one. SCOPe splits some "
    "families that many call related, such as c.2 to c.5; by the rule their hits are errors."
)


def errors_in(lists: RetrievalLists) -> np.ndarray:
    """Errors in each of the whole lists."""
    return errors_per_query(lists, lists.sign * np.inf)


def counts(values: ArrayLike) -> list[str]:
    """Whole numbers as texts."""
    return [f"{value:,.0f}" for value in np.asarray(values).tolist()]


def three(values: ArrayLike) -> list[str]:
    """Numbers with three decimals."""
    found = np.asarray(values, np.float64).tolist()
    return [UNDEFINED if np.isnan(value) else f"{value:.3f}" for value in found]


def lanes_of(lists: RetrievalLists, *, merged: bool = False) -> Shown:
    """Records of each list: R or I, the score as text and where it is drawn, and the id if any.

    And, if they are merged, the place of the list that each record of the merged list comes from.
    """
    order = "".join(map(str, numbers.merged(lists).query.tolist())) if merged else ""
    lanes, (places, ticks) = [], charts.axis_of(lists)
    for q, name in enumerate(lists.query.tolist()):
        records = slice(int(lists.offset[q]), int(lists.offset[q + 1]))
        lane = {
            "name": name,
            "records": "".join("R" if right else "I" for right in lists.relevant[records]),
            "e": [brief(float(value)) for value in lists.score[records]],
            "exponent": places[records].tolist(),
        }
        if lists.record is not None:
            lane["id"] = lists.record[records].tolist()
        lanes.append(lane)
    unit = "score" if lists.sign < 0 else "E"
    return {"lists": lanes, "ticks": ticks, "unit": unit, "order": order}


def seats_of(lists: RetrievalLists) -> str:
    """Place of the list that each of the first errors of the merged list comes from."""
    pool = numbers.merged(lists)
    return "".join(map(str, pool.query[~pool.relevant][:N].tolist()))


def winner() -> Scene:
    """The opening: a few of many queries decide which of two programs pooling prefers."""
    found = numbers.opening()
    fewest, best = numbers.turning(found)
    constants, columns, extra = crowd_of(found, ("MMseqs2", "DIAMOND"))
    constants["choices"] = len(best)
    asks, controls = {"lifted": {"truth": fewest}}, {"out": {"stops": [int(best[0])]}}
    return scene("winner", constants, {"out": columns}, asks=asks, controls=controls, extra=extra)


def crowd_of(found: numbers.Opening, names: tuple[str, str]) -> tuple[Shown, Shown, Shown]:
    """Of an opening: numbers of its words, texts for every choice of dots, and the picture."""
    ahead = np.nan_to_num(np.sign(found.own[:, 0] - found.own[:, 1])).astype(int)
    sides = np.array(["second", "neither", "first"])[ahead + 1]
    small = np.setdiff1d(np.argsort(-ahead, kind="stable"), found.largest, assume_unique=True)
    first, second = found.pooled.T
    better, worse = (int((sign * ahead > 0).sum()) for sign in (1, -1))
    constants = {"queries": len(ahead), "better": better, "worse": worse}
    columns = {
        "gone": counts(np.bitwise_count(np.arange(len(first)))),
        "pooled_first": three(first),
        "pooled_second": three(second),
        "verdict": [larger_of(pair, names) for pair in found.pooled.tolist()],
    }
    means = np.nanmean(found.own, 0)
    extra = {
        "names": names,
        "verdict": names[0],
        "means": means.tolist(),
        "scales": _scales(found.pooled, means),
        "ids": found.query[small].tolist(),
        "sides": "".join(side[0] for side in sides[small]),
        "without": [three(row) for row in found.without[small]],
        "large": [
            {"id": str(found.query[q]), "side": sides[q], "errors": float(errors)}
            for q, errors in zip(found.largest, found.supplied, strict=True)
        ],
    }
    return constants, columns, extra


def larger_of(values: Sequence[float], names: tuple[str, str]) -> str:
    """The name of the larger one of two values, or that there is none."""
    first, second = values
    if np.isnan(first + second):
        return UNDEFINED
    return names[int(first < second)] if first != second else "neither"


def _scales(*values: ArrayLike) -> list[list[float]]:
    """Ticks of scales that show values each; all have the same step, and room for half of one."""
    low, high = (np.array([of(one) for one in values]) for of in (np.nanmin, np.nanmax))
    step = charts.step_of(max(float((high - low).max()), 0.001) / 3.5)
    return [(np.floor(at / step) * step + np.arange(5) * step).round(6).tolist() for at in low]


def alone(
    lists: RetrievalLists = LISTS, name: str = "alone", words: Shown | None = None, start: int = 0
) -> Scene:
    """Each list by itself, at every n."""
    n = np.arange(1, min(numbers.LONGEST, int(errors_in(lists).max())) + 1)
    curves = dict(zip("AB", numbers.curves(lists, n.size).own, strict=True))
    exact = np.array([numbers.pair(lists, int(at)).own for at in n])
    areas = [charts.area_below(f"area {of}", curve, COLOR[of]) for of, curve in curves.items()]
    picture = charts.shares_found(curves, n, "n, errors", below=[*areas, charts.upright(n)])
    follows = {"line": ("n", "at"), **{area.name: ("n", "upto") for area in areas}}
    chart = {"picture": picture, "follows": follows}
    columns = {"n": counts(n), "own_a": three(exact[:, 0]), "own_b": three(exact[:, 1])}
    controls = {"n": {"start": min(start, n.size - 1)}}
    return scene(name, words, {"n": columns}, controls=controls, lanes=lanes_of(lists), chart=chart)


def predict(
    lists: RetrievalLists = LISTS, name: str = "predict", words: Shown | None = None
) -> Scene:
    """Pooled ROC_50 of the two, predicted."""
    both, curves = numbers.pair(lists), numbers.curves(lists)
    seen = numbers.read_until(numbers.merged(lists), N)
    values = three([*both.own, float(np.mean(both.own)), both.pooled])
    told: Shown = dict(zip(("own_a", "own_b", "mean_own", "pooled"), values, strict=True))
    told |= {f"of_{name}": seen.of[q] - seen.relevant_of[q] for q, name in enumerate("ab")}
    drawn = {
        "A": curves.own[0][:100],
        "B": curves.own[1][:100],
        "average": np.full(100, np.mean(both.own)),
        "merged": curves.pooled[:100],
    }
    areas = [charts.area_below("area merged", curves.pooled[:N], COLOR["merged"])]
    later = {"average": f"average {told['mean_own']}", "merged": f"merged {told['pooled']}"}
    picture = charts.shares_found(
        drawn, np.arange(1, 101), "errors read", below=areas, at=N, later=later
    )
    picture = replace(picture, layers=(*picture.layers, charts.read_off(drawn)))
    before = {"readout": charts.read_off({name: drawn[name] for name in "AB"})}
    chart, lanes = {"picture": picture, "before": before}, lanes_of(lists, merged=True)
    asks = {"pooled": _beside(both.pooled, {"A alone": both.own[0], "B alone": both.own[1]})}
    return scene(name, told | (words or {}), asks=asks, lanes=lanes, chart=chart)


def merge() -> Scene:
    """The merged list, read error by error."""
    meeting = numbers.crossing(numbers.curves(LISTS))
    words = {
        "first_a": A[0][1] + A[1][1],
        "fiftieth": brief(10.0 ** B[1][3]),
        "first_error": brief(10.0 ** A[2][2]),
        "meeting": meeting,
    }
    return reading(LISTS, "merge", words, meeting - 1)


def reading(lists: RetrievalLists, name: str, words: Shown, goal: int | None = None) -> Scene:
    """Two lists merged, read error by error; position of the error that the reader must reach."""
    pool, curves = numbers.merged(lists), numbers.curves(lists)
    f = np.arange(1, min(DRAWN_ERRORS, int(errors_in(lists).sum())) + 1)
    seen = [numbers.read_until(pool, int(at)) for at in f]
    merged, alone = curves.pooled[: f.size], curves.own[1][: f.size]
    drawn = {"A": curves.own[0][: f.size], "B": alone, "merged": merged}
    turn = [] if goal is None else [goal - 1, goal]
    columns = {
        "f": counts(f),
        "of_a": counts([one.of[0] for one in seen]),
        "of_b": counts([one.of[1] for one in seen]),
        "merged": three(merged),
        "alone": three(alone),
        "side": np.where(merged < alone, "below", "not below").tolist(),
    }
    follows = {"curve merged": ("f", "upto"), "line": ("f", "at"), "name merged": ("f", "at")}
    line = [charts.upright(f)]
    picture = charts.shares_found(drawn, f, "errors read", below=line, unnamed=("merged",))
    chart, lanes = {"picture": picture, "follows": follows}, lanes_of(lists, merged=True)
    controls = {"f": {"stops": sorted({0, min(N, f.size) - 1, *turn, f.size - 1}), "goal": goal}}
    return scene(name, words, {"f": columns}, controls=controls, lanes=lanes, chart=chart)


def scale() -> Scene:
    """E-values of B on another scale, which pooling sees, and TAP at a strict threshold."""
    c = np.linspace(1, 0.02, 99).round(2)
    thresholds = np.array([1e-30, 1e-20, 1e-10, 1e-5, 1e-3, 0.1, E0])
    scores = [numbers.scores_of(c=float(at)) for at in c]
    values = {
        name: [getattr(one, field) for one in scores]
        for name, field in (("pooled", "pooled"), ("average", "mean_own"), ("B’s own", "own"))
    }
    taps = np.array([tap_at(two_lists(c=float(at)), thresholds)[-1] for at in c]).T
    ticks = {float(np.flatnonzero(c == at)[0]) + 1: f"{at:g}" for at in (1, 0.8, 0.6, 0.4, 0.2)}
    first, *_, last = values["pooled"]
    slots = zip(("pooled", "mean_own", "own_b"), map(three, values.values()), strict=True)
    chart = charts.group_chart(
        values, ("TAP of B", "tap_b"), taps[:, -1], "c", ("e0_b", "c"), ticks
    )
    seats = [seats_of(two_lists(c=float(at))) for at in c]
    scaled = {"scale": c.tolist(), "seats": seats, "line": np.log10(thresholds).tolist()}
    constants = {"first": f"{first:.3f}", "last": f"{last:.3f}"}
    tables = {
        "c": {"c": [f"{at:.2f}" for at in c], **dict(slots)},
        "e0_b": {"e0_b": [brief(float(e0)) for e0 in thresholds]},
        "e0_b c": {"tap_b": three(taps.ravel())},
    }
    asks, lanes = {"scale": _beside(last, {"at c = 1": first})}, lanes_of(two_lists()) | scaled
    return scene("scale", constants, tables, asks=asks, lanes=lanes, chart=chart)


def tap_at(lists: RetrievalLists, thresholds: ArrayLike) -> np.ndarray:
    """TAP of each query at each threshold, (queries, thresholds)."""
    return np.array([tap(lists, float(e0)).per_query for e0 in np.asarray(thresholds)]).T


def add() -> Scene:
    """More and more good lists beside a bad one; n may grow with them."""
    copies, errors = np.arange(1, 100), np.array([N, 100, 200, 500, 1000, N * (MANY + 1), 5000])
    scores = [numbers.scores_of(copies=int(m)) for m in copies]
    own, taps = [one.mean_own for one in scores], [one.mean_tap for one in scores]
    values = {"average": own, "mean TAP": taps}
    pooled = np.array(
        [[pooled_roc_n(two_lists(copies=int(m)), n=int(n)) for n in errors] for m in copies]
    ).T
    slots = {"mean_own": three(own), "mean_tap": three(taps)}
    chart = charts.group_chart(
        values, ("pooled", "pooled"), pooled[:, -1], GOOD_LISTS, ("errors", "copies"), TICKS
    )
    fair = int(np.flatnonzero(errors == N * (MANY + 1))[0])
    taken = [numbers.taken(int(m), int(n)) for n in errors for m in copies]
    many = pooled[:, MANY - 1]
    constants = {"many_pooled": f"{many[0]:.3f}", "fair": f"{many[fair]:.3f}"}
    tables = {
        "copies": {"copies": counts(copies), **slots},
        "errors": {"errors": counts(errors)},
        "errors copies": {"pooled": three(pooled.ravel())},
    }
    asks = {"added": _beside(many[0], {"with one": pooled[0, 0]})}
    controls = {"errors": {"stops": [0, fair]}}
    lanes = {"lists": (), "door": errors.tolist(), "taken": taken}
    return scene("add", constants, tables, asks=asks, controls=controls, lanes=lanes, chart=chart)


def instead() -> Scene:
    """One threshold for every list, and the mean of what each has there."""
    exponents = np.array([*range(-180, 1, 2), np.log10(E0)])
    return stopping(LISTS, "instead", exponents, 10.0**exponents, 40)


def stopping(
    lists: RetrievalLists,
    name: str,
    line: np.ndarray,
    thresholds: np.ndarray,
    start: int,
    words: Shown | None = None,
) -> Scene:
    """TAP of two lists and its mean at every threshold, each of which is drawn at a place."""
    own, told = tap_at(lists, thresholds), [brief(float(e0)) for e0 in thresholds]
    values = {"A": own[0], "B": own[1], "mean TAP": own.mean(0)}
    slots = zip(("tap_a", "tap_b", "tap_mean"), map(three, values.values()), strict=True)
    x = np.arange(1.0, line.size + 1)
    ticks = {x[i]: told[i] for i in range(line.size // 6, line.size, max(1, line.size * 3 // 11))}
    chart = charts.scores_chart(values, x, "E₀", "stop", ticks)
    tables = {"stop": {"stop": told, **dict(slots)}}
    controls = {"stop": {"start": min(start, line.size - 1)}}
    lanes = lanes_of(lists) | {"line": line.tolist()}
    return scene(name, words, tables, controls=controls, lanes=lanes, chart=chart)


def build() -> Scene:
    """TAP term by term, and scores that stay between those of their parts."""
    exponents = np.array([*range(-180, 1), np.log10(E0), 1.0])
    thresholds = [*(10.0**x for x in range(-180, 1)), E0, 10.0]
    lists = two_lists()
    at = [tap(lists, e0) for e0 in thresholds]
    terms: dict[str, list[str]] = {}
    for q, name in enumerate("ab"):
        ranked = [ranked_list(lists, q, e0) for e0 in thresholds]
        terms |= {
            f"found_{name}": counts([one.n_found for one in ranked]),
            f"wrong_{name}": counts([one.n_retrieved - one.n_found for one in ranked]),
            f"sum_{name}": [f"{one.summed:.2f}" for one in ranked],
            f"sentinel_{name}": three([one.sentinel for one in ranked]),
            f"tap_{name}": three([one.tap for one in ranked]),
        }
    of_tap, of_pooled = numbers.random_tries(REAL_GROUPS, 0)
    columns = {"e0": [brief(e0) for e0 in thresholds], "tap_mean": three([one.value for one in at])}
    constants = {"tries": REAL_GROUPS, "outside_tap": of_tap, "outside_pooled": of_pooled}
    asks = {"outside_tap": {"truth": of_tap}, "outside_pooled": {"truth": of_pooled}}
    lanes = lanes_of(lists) | {"line": exponents.tolist()}
    return scene("build", constants, {"e0": columns | terms}, asks=asks, lanes=lanes)


def errors() -> Scene:
    """One query has all errors; the mean moves, the median does not."""
    steps = [m * 10**p for p in range(6) for m in (1, 2, 5)] + [10**6]
    queries, errors = np.array(steps), np.array([0, *steps, 2 * 10**6])
    cells = [numbers.one_query_errs(int(q), int(e)) for q in queries for e in errors]
    here = numbers.bundled_errors(CLOSELY, LOOSE)
    worst = numbers.one_query_errs(1_000_000, 2_000_000)
    data, plot = _bundled(), PLOTS["epq"]
    picture = without_ends(plot.picture(data), {"line", "median", "mean", "name", "readout"})
    known = [layer.name for layer in picture.layers]
    means, medians = [_mean_text(one.mean) for one in cells], []
    for one, n in zip(cells, np.repeat(queries, errors.size), strict=True):
        upper = ", the upper of the two" if n == 2 and one.median else ""  # noqa: PLR2004
        medians.append(f"{one.median:,.0f}{upper}")
    notes = [
        f"Each dot is {q // 1000:,} users" if q > 1000 else "Each dot is a user"  # noqa: PLR2004
        for q in steps
    ]
    return scene(
        "errors",
        {
            "real_mean": f"{here.mean:.3f}",
            "real_median": f"{here.median:.0f}",
            "real_worst": f"{here.largest:,.0f}",
            "real_queries": numbers.bundled_lists().n_queries,
        },
        {
            "n_queries": {"n_queries": counts(queries)},
            "n_errors": {"n_errors": counts(errors)},
            "n_queries n_errors": {"mean": means, "median": medians},
        },
        asks={"mean": {"truth": worst.mean}, "median": {"truth": worst.median}},
        chart={"picture": picture, "words": plot.text(data), "known": known},
        extra={"dots": [min(q, 1000) for q in steps], "notes": notes},
    )


def without_ends(picture: Picture, shown: set[str]) -> Picture:
    """Some layers of a plot of the explorer, not where lists may go on unseen."""
    layers = [layer for layer in picture.layers if layer.name in shown]
    names = next(layer for layer in layers if layer.name == "name")
    rest = names.some(np.asarray(names.columns["color"] != INK))
    return replace(picture, layers=tuple(rest if one is names else one for one in layers))


def loose() -> Scene:
    """Mean TAP of four programs at every threshold."""
    exponents = [*range(-50, -10), *(np.arange(-40, 9) / 4).tolist()]
    # Each is exactly what is written of it: records may lie at 1e-05 itself.
    thresholds = np.array(sorted([*(float(f"{10.0**x:.2g}") for x in exponents), 0.2]))
    data = _bundled()
    shown = {"peak", "name", "readout", *(f"curve {name}" for name in SEARCHES)}
    picture = without_ends(PLOTS["tap"].picture(data), shown)
    x = np.asarray(data.axis.position(thresholds), np.float64)
    end = float(np.asarray(data.axis.position(STRICT)))
    columns = {"sweep": [brief(float(e)) for e in thresholds]}
    rows, peaks, dots = [], [], []
    for q, name in enumerate(SEARCHES):
        at, lists = numbers.bundled_tap(name), numbers.bundled_lists(name)
        curve = tap_curve(lists)
        taps = curve.at(thresholds, 1)
        columns[f"tap_{q}"] = three(taps)
        columns[f"found_{q}"] = three([mean_recall(lists, float(e)) for e in thresholds])
        dots.append(charts.points_at(f"at {name}", x, taps, data.styles[name].color))
        peak = f"{curve.peak_tap:.3f} at {brief(curve.peak_threshold)}"
        median = f"{at.value:.3f} at {brief(at.e0)}"
        rows.append([name, f"{{tap_{q}}}", f"{{found_{q}}}", peak, median])
        peaks.append(curve.tap[-1] < curve.peak_tap)
    drawn = {one.name: one for one in picture.layers}
    curves = [name for name in drawn if name.startswith("curve")]
    before = [drawn[name] for name in (*curves, "readout")]
    start, *stops = (
        int(np.argmin(np.abs(np.log10(thresholds / e)))) for e in (STRICT, 0.2, 10, 100)
    )
    chart = {
        "picture": Picture((*picture.layers, *dots), picture.x, picture.y),
        "follows": {dot.name: ("sweep", "at") for dot in dots},
        "known": [name for name in drawn if name != "name" and name not in curves],
        "before": {one.name: one.some(one.columns["x"] <= end) for one in before},
    }
    constants = {"real_queries": numbers.bundled_lists().n_queries}
    asks = {"shape": {"truth": "peaks" if all(peaks) else "rises"}}
    sweep = {"start": start, "stops": [start, *stops], "goal": thresholds.size - 1}
    tables, controls, extra = {"sweep": columns}, {"sweep": sweep}, {"rows": rows}
    return scene("loose", constants, tables, asks=asks, controls=controls, chart=chart, extra=extra)


def real() -> Scene:
    """Two real queries, pooled below both."""
    lists = numbers.real_pair()
    both, pool = numbers.pair(lists), numbers.merged(lists)
    seen = numbers.read_until(pool, N)
    at, outside = tap(lists, numbers.bundled_tap(CLOSELY).e0), numbers.outside()
    names, records = lists.query.tolist(), counts(np.arange(1, pool.query.size + 1))
    classes = [""] * len(names) if lists.query_class is None else lists.query_class.tolist()
    constants = {
        "real_queries": numbers.bundled_lists().n_queries,
        "pooled": f"{both.pooled:.3f}",
        "mean_own": f"{np.mean(both.own):.3f}",
        "e20": brief(at.e0),
        "tap_mean": f"{at.value:.3f}",
        "caveat": CAVEAT,
        **outside._asdict(),
        "share": f"{100 * outside.below / outside.pairs:.1f} %",
    }
    for place, q in enumerate(map(names.index, numbers.PAIR), 1):
        constants |= {
            f"name_{place}": names[q],
            f"class_{place}": classes[q],
            f"own_{place}": f"{both.own[q]:.3f}",
            f"errors_{place}": seen.of[q] - seen.relevant_of[q],
            f"found_{place}": seen.relevant_of[q],
            f"total_{place}": int(lists.n_relevant[q]),
            f"tap_{place}": f"{at.per_query[q]:.3f}",
        }
    alone = {f"{name} alone": own for name, own in zip(names, both.own, strict=True)}
    asks = {"real": _beside(both.pooled, alone)}
    controls = {"real_at": {"texts": records, "start": seen.records - 1}}
    lanes = lanes_of(lists, merged=True)
    return scene("real", constants, asks=asks, controls=controls, lanes=lanes)


def end() -> Scene:
    """What the reader would report, beside all predictions."""
    return scene("end")


SCENES = (winner, alone, predict, merge, add, instead, scale, build, errors, loose, real, end)
"""What makes each scene, in their order."""


@cache
def scenes() -> list[Scene]:
    """All scenes, in their order."""
    return [make() for make in SCENES]


def _beside(truth: float, marks: dict[str, float]) -> Shown:
    """A number between 0 and 1 that is asked for, and others that are known before."""
    return {"truth": truth, "marks": [*marks.items()]}


def _mean_text(value: float) -> str:
    """Errors per query: a mean of few errors in many queries keeps two digits."""
    return f"{value:,.1f}" if value >= 1 or value == 0 else f"{value:.2g}"


@cache
def _bundled() -> PlotData:
    """What the explorer's own plots of the bundled data are made of."""
    results = {name: numbers.bundled_lists(name) for name in SEARCHES}
    return PlotData.of(results, shown=list(SEARCHES), mode="e0", e0=LOOSE, focus_algorithm=CLOSELY)
