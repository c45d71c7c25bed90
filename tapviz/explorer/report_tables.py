"""Tables of a report that stays alive: what is seen at every k, E_0 and n, computed when written.

Each thing that moves, such as a column of a layer or a row of the score table, is a track: its
distinct values, and which of them is seen at each position of the control that it follows.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate, combinations, groupby, pairwise
from math import inf, nan
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.browser import axis_data, axis_of, columns_data, picture_data
from tapviz.draw.picture import OF, Axis, Layer, Picture
from tapviz.draw.style import ACCENT, Styles, number
from tapviz.explorer.score_table import columns_shown, plain
from tapviz.explorer.session import again
from tapviz.explorer.views import Cells, Control, Moved, Stops, Track, Tracks, stops
from tapviz.lists.checks import Floats
from tapviz.lists.reported import all_kept, scores_of_all
from tapviz.lists.runs import systems
from tapviz.lists.words import threshold, with_minus
from tapviz.measures import Cancelled, OnProgress, Tap, ranked_list
from tapviz.plots import Plot, PlotData, plots_for, scatter
from tapviz.scores import Compared
from tapviz.state import Choices

THRESHOLDS = 200
"""Places on the axis of thresholds; of those between which nothing changes, one."""
TOLD = 20
"""Queries whose ranked lists can be opened."""
ROWS = 100
"""Rows of a list that are kept."""
CORNERS = ("corner left", "corner right")
"""Layers of A against B that count the queries on either side."""
SIDES = (0, 1, -1)
"""Of a query with equal TAPs, of one that A answers better, and of one that B does."""
DOTS = 20_000
"""Queries times algorithms that A and B can be chosen from: there are 300 places of each."""
STEPS = 50_000
"""Parts of the axis of TAP that the dots of A against B tell apart."""
UNDEFINED = 65_535
STOP = re.compile(r"\.(?= |$)")
"""End of a sentence."""
Data = dict[str, Any]
"""Values that JSON has, by their names."""


def thresholds(data: PlotData, e0: float) -> list[float]:
    """About 200 thresholds at which something changes, strictest first, and the given one.

    Parameters
    ----------
    data : PlotData
    e0 : float
        One that must be among them.
    """
    sign = -1.0 if data.axis.descending else 1.0  # so that smaller is stricter
    scores = np.unique(sign * np.concatenate(scores_of_all(data.explorer.results.values())))
    # The last score that each of them retrieves: all between are the same threshold.
    at = np.searchsorted(scores, sign * np.asarray(data.axis.grid(THRESHOLDS)), "right") - 1
    found = np.unique([*scores[at[at >= 0]], sign * e0])
    return [float(sign * score + 0.0) for score in found]  # no -0.0


def positions(data: PlotData) -> dict[Moved, Stops]:
    """Positions of each control: "k" and "e0", which make the threshold, and "n"."""
    explorer, at = data.explorer, stops(data.axis)
    cut = (one.kept for one in explorer.results.values() if not all_kept(one))
    known = min((kept.n_errors for kept in cut if kept), default=inf)
    values: dict[Moved, list[float]] = {
        "k": sorted({*(k for k in at["k"].values if k <= known), explorer.k}),
        "e0": thresholds(data, explorer.e0),
        "n": sorted({*(n for n in at["n"].values if n <= known), explorer.n}),
    }
    return {name: Stops(name, 0, 1, tuple(some)) for name, some in values.items()}


def label(setting: str, value: float) -> str:
    """What a position of a control is called, such as k = 20."""
    if setting == "e0":
        return f"E₀ = {with_minus(threshold(value))}"
    return f"k = {value}" if setting == "k" else f"n = {value:,}"


def tables(shown_now: PlotData, compared: Compared, progress: OnProgress | None = None) -> str:
    """All that a report shows at any position of its controls, as JSON.

    Parameters
    ----------
    shown_now : PlotData
        With what is slow. The algorithms of its explorer are ticked at first; the tables are of
        all.
    compared : Compared
        Intervals and comparisons of these, seen at the settings of the explorer.
    progress : callable, optional
        Called with the positions that are done and their number; False stops the work.

    Raises
    ------
    Cancelled
        If `progress` returned False.
    """
    explorer = shown_now.explorer
    names = list(explorer.results)
    # The table has the columns that it was written with, whichever slider sets the threshold.
    costs = {one.name for one in explorer.costs}  # which every table has
    columns = [one.score.name for one in columns_shown(explorer) if one.score.name not in costs]
    everything = again(explorer, algorithms=names, table_scores=columns)
    data, chosen, styles = PlotData(everything), PlotData(explorer), shown_now.styles
    # A colour that says whose it is: the page gives it the algorithm's, and leaves out by it.
    unnamed = {name: styles[name]._replace(color=f"a{place}") for place, name in enumerate(names)}
    for one in (data, chosen):
        one.styles, one.slow, one.compared = Styles(unnamed), shown_now.slow, shown_now.compared
    places = positions(data)
    runs = {name: systems(names).get(name, (name,)) for name in everything.rows}
    shown = [
        _Pairs(plot, data, shown_now)
        if plot is scatter.PLOT
        # What is of the programs together stays as it was written.
        else _Plot(plot, chosen if plot.of in ("pair", "pairs") else data)
        for plot in plots_for(everything)
    ]
    cells, ranked = Cells(everything, styles, ranked=False), _Ranked(data)
    at_first = {name: getattr(explorer, name) for name in ("mode", *places)}
    total, done = sum(len(at.values) for at in places.values()), 0

    def visit(setting: Moved, controls: Sequence[Control]) -> None:
        nonlocal done
        at = places[setting]
        everything.param.update(**at_first | at.choices(at.values[0]))
        for _ in everything.visit(setting, at.values):
            known: list[tuple[Choices, Compared | None]] = [(everything, None)]
            if (everything.rule, everything.n) == (explorer.rule, explorer.n):
                known.append((explorer, compared))
            for control in controls:
                for one in shown:
                    one.add(control)
                ranked.add(control)
            cells.add(controls[0], 1, *known)
            done += 1
            if progress is not None and progress(done, total) is False:
                raise Cancelled

    visit("k", ["threshold", "k"])
    visit("e0", ["threshold"])
    visit("n", ["n"])
    algorithms = []
    for name, style in data.styles.items():
        role = {"shown": name in explorer.shown, "baseline": name == explorer.baseline}
        algorithms.append({"name": name, **role, "dash": list(style.dash)})
    return json.dumps(
        {
            "algorithms": algorithms,
            "mode": explorer.mode,
            "start": {name: at.place_of(getattr(explorer, name)) for name, at in places.items()},
            "labels": {name: [label(name, x) for x in at.values] for name, at in places.items()},
            "plots": [one.data() for one in shown],
            "table": cells.data()
            | {"of": [[names.index(run) for run in runs[row]] for row in everything.rows]},
            "ranked": ranked.data(),
        },
        allow_nan=False,
        ensure_ascii=False,
        separators=(",", ":"),
    )


def colors(data: PlotData, shade: Callable[[str], str]) -> dict[str, str]:
    """The colours of the algorithms by those that the tables have in their place."""
    names, styles = data.explorer.results, data.styles
    return {f"a{place}": shade(styles[name].color) for place, name in enumerate(names)}


class _Plot:
    """A plot: what there is of it, and the tracks of what moves."""

    def __init__(self, plot: Plot, data: PlotData) -> None:
        self._plot, self._data = plot, data
        depends = set(plot.depends)
        follows: list[Control] = []
        if {"e0", "mode"} & depends:
            follows.append("threshold")
        elif "k" in depends:
            follows.append("k")
        if "n" in depends or "{n}" in plot.caption:
            follows.append("n")
        # Of every k at every n there would be too many, and what is slow is there once.
        still = len(follows) > 1 or ((plot.slow is not None or plot.compares) and bool(follows))
        self._follows = None if still else next(iter(follows), None)
        self._still = {"controls": follows, "at": _at(data.explorer, follows)} if still else None
        self._base = picture_data(plot.picture(data))
        self._at_first = {name: {"values": [words]} for name, words in self._words().items()}
        self._tracks = Tracks[str]()
        self._pictures: list[Picture] = []

    def add(self, control: Control) -> None:
        if control == self._follows:
            self._pictures.append(self._plot.picture(self._data))
            self._tracks.add(control, self._words())

    def data(self) -> Data:
        if self._follows is not None:
            self._put_into(self._base, self._follows)
        return {
            "name": self._plot.name,
            "each": "algorithms" in self._plot.depends and self._plot.of in ("each", "one"),
            "all": self._plot.of == "each",
            "picture": self._base,
            **self._at_first,
            **self._tracks.data(),
            "pick": self._plot.query_at is not None,
            "still": self._still,
        }

    def _put_into(self, base: Data, control: Control) -> None:
        """Put what moves into the data of the picture as it was at first."""
        pictures = self._pictures
        x = [*accumulate((one.x for one in pictures), _same)]
        y = [*accumulate((one.y for one in pictures), _same)]
        for name, axes in (("x", x), ("y", y)):
            for axis, alike in groupby(axes):
                self._tracks[name].add(control, axis_data(axis), len([*alike]))
        seen = [[layer for layer in one.layers if not layer.note] for one in pictures]
        for layer, some in zip(base["layers"], zip(*seen, strict=True), strict=True):
            moved, layer["size"] = _moved(control, zip(some, x, y, strict=True))
            layer["columns"] |= moved

    def _words(self) -> Data:
        return {
            "caption": self._plot.caption_of(self._data),
            "text": clauses(plain(self._plot.text(self._data)), list(self._data.styles)),
        }


def _same(last: Axis, axis: Axis) -> Axis:
    """The last axis again, if the next is equal."""
    return last if axis == last else axis


def _moved(control: Control, layers: Iterable[tuple[Layer, Axis, Axis]]) -> tuple[Data, Data]:
    """Columns and size of a layer, from it and the axes at each position of a control."""
    columns, sizes = Tracks[str](), Track()
    seen: defaultdict[str, list[tuple[NDArray[Any], Axis | None, int]]] = defaultdict(list)
    for (layer, *axes), alike in groupby(layers):
        times = len([*alike])
        sizes.add(control, layer.size, times)
        for name, values in layer.columns.items():
            if name != OF:
                seen[name].append((values, axis_of(name, *axes), times))
    for name, parts in seen.items():
        for axis, some in groupby(parts, itemgetter(1)):
            values, _, times = zip(*some, strict=True)
            for one, often in zip(columns_data(values, axis), times, strict=True):
                columns[name].add(control, one, often)
    return columns.data(), sizes.data()


class _Pairs:
    """A plot of two algorithms, for any two: TAPs of the queries are kept once for each algorithm.

    The page makes dots of them: where they are, and which of the two is larger. Texts and counts
    are those of Python.
    """

    def __init__(self, plot: Plot, data: PlotData, shown_now: PlotData) -> None:
        self._plot, self._data = plot, data
        self._base = plot.picture(data)
        self._place = {name: place for place, name in enumerate(data.styles)}
        self._styles, self._chosen = shown_now.styles, shown_now.pair
        # Of many queries, those first that were shown when it was written.
        wanted = dict.fromkeys([*self._chosen, *shown_now.explorer.shown, *data.styles])
        most = max(len(self._chosen), DOTS // max(data.lists.n_queries, 1))
        kept = list(wanted)[:most]
        self._names = [name for name in data.styles if name in kept]
        self._taps: dict[str, list[Tap]] = {name: [] for name in self._names}
        # Most pairs have the same reasons why there is nothing to compare.
        self._notice = cache(lambda why: why and _columns(scatter.notice(why, 0.5, 0.5).columns))

    def add(self, control: Control) -> None:
        if control == "threshold":
            none = np.zeros(0, np.int64)
            for name, taps in self._taps.items():
                taps.append(self._data.explorer.tap(name)._replace(retrieved=none, relevant=none))

    def data(self) -> Data:
        data, names = self._data, self._names
        queries = data.lists.query.tolist()
        focus = data.explorer.focus
        each = {name: np.array([at.per_query for at in some]) for name, some in self._taps.items()}
        whole = {name: _whole(each[name], some) for name, some in self._taps.items()}
        return {
            "name": self._plot.name,
            "each": False,
            "picture": picture_data(self._base),
            "pick": True,
            "pairs": {
                "chosen": [self._place[name] for name in self._chosen],
                "queries": queries,
                "totals": data.lists.n_relevant.tolist(),
                "focus": queries.index(focus) if focus in queries else None,
                "accent": ACCENT,
                "steps": STEPS,
                "markers": dict(zip(SIDES, scatter.SHAPES, strict=True)),
                "taps": {self._place[name]: _packed(whole[name]) for name in names},
                "of": [one for x in combinations(names, 2) for one in self._both(*x, each, whole)],
            },
        }

    def _both(
        self, a: str, b: str, each: Mapping[str, Floats], whole: Mapping[str, NDArray[np.int64]]
    ) -> list[Data]:
        """What there is of A and B, and of B and A."""
        duels = scatter.Duels.of({name: self._taps[name] for name in (a, b)}, each[a], each[b])
        defined = np.array([not problem for problem in duels.problems])
        unlike = np.sign(whole[a] - whole[b]) != duels.better
        places = np.argwhere(unlike & defined[:, None]).tolist()
        return [self._two(duels, places), self._two(duels.turned, places)]

    def _two(self, duels: scatter.Duels, unlike: list[list[int]]) -> Data:
        """What there is of two algorithms; which is better is not seen of what is kept at places.

        These are positions and queries.
        """
        lists, text, notice = self._data.lists, Track(), Track()
        problems = duels.problems
        for said in duels.texts(lists.query):
            text.add("threshold", plain(said))
        for problem, alike in groupby(problems):
            notice.add("threshold", self._notice(problem) or None, len([*alike]))
        a, b = duels.taps
        colors = (self._styles[name].color for name in (a, b))
        layers: dict[str, Mapping[str, NDArray[Any]]] = {}
        if "" in problems:
            at = {name: some[problems.index("")] for name, some in duels.taps.items()}
            layers = scatter.drawn(at, lists.query, lists.n_relevant, self._styles).columns
        return {
            "pair": [self._place[a], self._place[b]],
            "colors": dict(zip(SIDES, [scatter.SAME, *colors], strict=True)),
            "tooltip": scatter.tooltip({a: "y", b: "x"}),
            "before": scatter.counted(a, b),
            "text": text.data(),
            "notice": notice.data(),
            "places": {
                name: _columns(layers[name], ("x", "y", "color")) for name in CORNERS if layers
            },
            "diagonal": _columns(layers["diagonal"], ("x", "y")) if layers else {},
            # Position, query, and which is better: of those that differ by less than a step.
            "better": [(place, query, int(duels.better[place, query])) for place, query in unlike],
        }


def clauses(text: str, names: Sequence[str]) -> str | list[str | list[str | int]]:
    """A sentence in parts: those about one algorithm each, and what stands before and after them.

    Returns
    -------
    str or list
        The text, if no clause of it begins with a name. Else what is before, what is after, and of
        each clause the place of its algorithm and the clause. They are joined by "; ".

    Examples
    --------
    >>> from tapviz.explorer.report_tables import clauses
    >>> clauses("Mean TAP: A 0.3 (peak 0.4); B 0.2. For 8 queries.", ["A", "B"])
    ['Mean TAP: ', '. For 8 queries.', [0, 'A 0.3 (peak 0.4)'], [1, 'B 0.2']]
    """
    begins = list(_beginning(tuple(names)).finditer(text))
    if not begins:
        return text
    ends = [one.start() - len("; ") for one in begins[1:]]
    last = STOP.search(text, begins[-1].end())
    ends.append(last.start() if last else len(text))
    parts: list[list[str | int]] = [
        [names.index(one[1]), text[one.start() : end]]
        for one, end in zip(begins, ends, strict=True)
    ]
    return [text[: begins[0].start()], text[ends[-1] :], *parts]


@cache
def _beginning(names: tuple[str, ...]) -> re.Pattern[str]:
    """A name at the beginning of a clause."""
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.compile(rf"(?:^|(?<=: )|(?<=; ))({any_name})(?= )")


class _Ranked:
    """Lists of the queries that tell most: those for which A and B differ most."""

    def __init__(self, data: PlotData) -> None:
        explorer = self._explorer = data.explorer
        self._names = data.pair
        taps = [explorer.tap(name).per_query for name in self._names]
        apart = np.abs(taps[0] - taps[-1]) if len(taps) > 1 else -taps[0]
        order = np.argsort(-np.nan_to_num(apart, nan=-1), kind="stable")[:TOLD]
        queries = data.lists.query[order].tolist()
        if explorer.focus and explorer.focus not in queries:
            queries = [explorer.focus, *queries[: TOLD - 1]]
        # The query in focus may not be among those selected: -1.
        place = {query: row for row, query in enumerate(data.lists.query.tolist())}
        self._rows = np.array([place.get(query, -1) for query in queries])
        self._scores: dict[tuple[str, str], Floats] = {}
        """Those of each list, ascending from the best."""
        self._lists = [self._query(query) for query in queries]
        self._at: dict[str, list[tuple[float, Floats]]] = {name: [] for name in explorer.results}
        """Of each program at each position: the threshold, and TAP of each query."""

    def add(self, control: Control) -> None:
        if control != "threshold":
            return
        for name, seen in self._at.items():
            at = self._explorer.tap(name)
            seen.append((at.e0, at.per_query))

    def data(self) -> Data:
        for name, seen in self._at.items():
            e0, each = (np.array(some) for some in zip(*seen, strict=True))
            taps = np.pad(each, ((0, 0), (0, 1)), constant_values=nan)[:, self._rows].T
            for one, tap in zip(self._lists, taps, strict=True):
                track = self._track(self._scores[one["query"], name], e0, tap)
                one["lists"][name]["at"] = track.data()
        return {"pair": self._names, "queries": self._lists}

    def _track(self, scores: Floats, e0: Floats, tap: Floats) -> Track:
        """How many records of a list are retrieved at each threshold, and its TAP there."""
        track, best = Track(), self._explorer.first.sign * e0
        kept = np.where(np.isfinite(e0), np.searchsorted(scores, best, "right"), -1)
        changes = np.flatnonzero((np.diff(kept) != 0) | (np.diff(tap) != 0)) + 1
        for start, stop in pairwise([0, *changes.tolist(), len(e0)]):
            track.add("threshold", [int(kept[start]), number(float(tap[start]))], stop - start)
        return track

    def _query(self, query: str) -> Data:
        explorer, first, lists = self._explorer, self._explorer.first, {}
        row, classes = first.row_of(query), first.query_class
        for name, one in explorer.results.items():
            ranked = ranked_list(one, one.row_of(query), one.sign * np.inf)
            self._scores[query, name] = one.sign * ranked.score
            records = ranked.record[:ROWS].tolist() if ranked.record is not None else []
            lists[name] = {
                "n": int(ranked.rank.size),
                "record": [str(record) for record in records],
                "score": [number(score) for score in ranked.score[:ROWS].tolist()],
                "relevant": [int(one) for one in ranked.relevant[:ROWS].tolist()],
                "precision": [f"{one:.3f}" for one in ranked.precision[:ROWS].tolist()],
            }
        own, total = str(classes[row]) if classes is not None else "", int(first.n_relevant[row])
        return {"query": query, "total": total, "class": own, "lists": lists}


def _at(explorer: Choices, controls: Sequence[Control]) -> str:
    """Where controls stand: k = 20, n = 50."""
    settings = [explorer.mode if control == "threshold" else control for control in controls]
    return ", ".join(label(name, getattr(explorer, name)) for name in settings)


def _whole(each: Floats, taps: Sequence[Tap]) -> NDArray[np.int64]:
    """TAP of each query in whole steps, at each threshold, (P, Q)."""
    unknown = np.isnan(each) | np.isnan([at.value for at in taps])[:, None]
    return np.where(unknown, UNDEFINED, np.round(np.nan_to_num(each) * STEPS).astype(np.int64))


def _packed(numbers: NDArray[np.int64]) -> str:
    """Whole numbers of 16 bits, column by column, as `accumulated` of the page takes them."""
    more = np.diff(numbers, axis=0, prepend=np.zeros((1, numbers.shape[1]), np.int64)).T % 2**16
    changed = more != 0
    high, low = divmod(more[changed], 256)
    parts = np.packbits(changed), high.astype(np.uint8), low.astype(np.uint8)
    return base64.b64encode(zlib.compress(b"".join(part.tobytes() for part in parts))).decode()


def _columns(layer: Mapping[str, NDArray[Any]], names: Iterable[str] = ()) -> Data:
    """Some columns of a layer, or all."""
    return {name: layer[name].tolist() for name in names or layer}
