"""Tables of a report that stays alive: what is seen at every k, E_0 and n, computed when written.

Each thing that moves, such as a column of a layer or a row of the score table, is a track: its
distinct values, and which of them is seen at each position of the control that it follows.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.browser import axis_data, axis_of, picture_data
from tapviz.draw.style import ACCENT, Style, number
from tapviz.explorer.score_table import best_first, parts_of, plain, score_table
from tapviz.explorer.share import again
from tapviz.explorer.tracks import Control, Track, Tracks
from tapviz.explorer.views import stops
from tapviz.lists.reported import scores_of_all
from tapviz.lists.runs import as_systems, systems
from tapviz.lists.words import threshold
from tapviz.measures import Cancelled, OnProgress, Tap, ranked_list
from tapviz.plots import Plot, PlotData, plots_for, scatter
from tapviz.scores import Compared
from tapviz.state import BY_ERRORS, Choices
from tapviz.state.settings import Value

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
Data = dict[str, Any]
"""Values that JSON has, by their names."""


class Position(NamedTuple):
    """One position of a control."""

    choice: dict[str, Value]
    label: str


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


def positions(data: PlotData) -> dict[str, list[Position]]:
    """Positions of each control: "k" and "e0", which make the threshold, and "n"."""
    explorer, at = data.explorer, stops(data.axis)
    values = {
        "k": sorted({*at["k"].values, explorer.k}),
        "e0": thresholds(data, explorer.e0),
        "n": sorted({*at["n"].values, explorer.n}),
    }
    said = {"k": "k = {}".format, "e0": lambda e0: f"E₀ = {threshold(e0)}", "n": "n = {:,}".format}
    return {
        name: [Position(one.choices(value), said[name](value)) for value in values[name]]
        for name, one in at.items()
    }


def start(explorer: Choices) -> dict[str, int]:
    """Place of the present k, E_0 and n among their positions."""
    return {
        name: [one.choice[name] for one in places].index(getattr(explorer, name))
        for name, places in positions(PlotData(explorer)).items()
    }


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
    everything = again(explorer, algorithms=names)
    real = PlotData(everything)
    data = PlotData(everything)
    # A colour that says whose it is: the page gives it the algorithm's, and leaves out by it.
    data.styles = {
        name: real.styles[name]._replace(color=f"a{place}") for place, name in enumerate(names)
    }
    data.slow, data.compared = shown_now.slow, shown_now.compared
    places = positions(data)
    shown = [
        _Pairs(plot, data, explorer) if plot.of == "pair" else _Plot(plot, data)
        for plot in plots_for(everything)
    ]
    table, ranked = _Table(everything, real.styles), _Ranked(data)
    moved = {name for some in places.values() for one in some for name in one.choice}
    at_first = {name: getattr(explorer, name) for name in moved}
    total, done = sum(map(len, places.values())), 0

    def visit(controls: Sequence[Control], choices: Iterable[Position]) -> None:
        nonlocal done
        for choice, _ in choices:
            everything.param.update(**(at_first | choice))
            at_start = (everything.rule, everything.n) == (explorer.rule, explorer.n)
            for control in controls:
                for one in shown:
                    one.add(control)
                table.add(control, (explorer, compared) if at_start else None)
                ranked.add(control)
            done += 1
            if progress is not None and progress(done, total) is False:
                raise Cancelled

    visit(["threshold", "k"], places["k"])
    visit(["threshold"], places["e0"])
    visit(["n"], places["n"])
    return json.dumps(
        {
            "algorithms": [
                {
                    "name": name,
                    "shown": name in explorer.shown,
                    "baseline": name == explorer.baseline,
                    "dash": list(style.dash),
                }
                for name, style in data.styles.items()
            ],
            "mode": explorer.mode,
            "start": start(explorer),
            "labels": {name: [one.label for one in some] for name, some in places.items()},
            "plots": [one.data() for one in shown],
            "table": table.data(),
            "ranked": ranked.data(),
        },
        allow_nan=False,
        ensure_ascii=False,
        separators=(",", ":"),
    )


def colors(explorer: Choices, shade: Callable[[str], str]) -> dict[str, str]:
    """The colours of the algorithms by those that the tables have in their place."""
    styles = PlotData(explorer).styles
    return {f"a{place}": shade(styles[name].color) for place, name in enumerate(explorer.results)}


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
        self._follows = [] if still else follows
        self._still = {"controls": follows, "at": _at(data.explorer, follows)} if still else None
        self._base = picture_data(plot.picture(data))
        self._at_first = {name: {"values": [words]} for name, words in self._words().items()}
        self._tracks = Tracks[str]()
        self._columns = Tracks[tuple[int, str]]()
        self._sizes = Tracks[int]()

    def add(self, control: Control) -> None:
        if control not in self._follows:
            return
        picture = self._plot.picture(self._data)
        for place, layer in enumerate(layer for layer in picture.layers if not layer.note):
            for name, values in layer.columns.items():
                track = self._columns[place, name]
                track.add_column(control, values, axis_of(name, picture))
            self._sizes[place].add(control, layer.size)
        axes = {"x": axis_data(picture.x), "y": axis_data(picture.y)}
        self._tracks.add(control, axes | self._words())

    def data(self) -> Data:
        layers = self._base["layers"]
        for (place, name), values in self._columns.data().items():
            layers[place]["columns"][name] = values
        for place, size in self._sizes.data().items():
            layers[place]["size"] = size
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

    def _words(self) -> Data:
        text = plain(self._plot.text(self._data))
        return {
            "caption": self._plot.caption_of(self._data),
            "text": clauses(text, list(self._data.styles)),
        }


class _Pairs:
    """A plot of two algorithms, for any two: TAPs of the queries are kept once for each algorithm.

    The page makes dots of them: where they are, and which of the two is larger. Texts and counts
    are those of Python.
    """

    def __init__(self, plot: Plot, data: PlotData, shown_now: Choices) -> None:
        self._plot, self._data = plot, data
        self._base = plot.picture(data)
        self._styles = PlotData(shown_now).styles
        self._chosen = PlotData(shown_now).pair
        # Of many queries, those first that were shown when it was written.
        wanted = dict.fromkeys([*self._chosen, *shown_now.shown, *data.styles])
        most = max(len(self._chosen), DOTS // max(data.lists.n_queries, 1))
        kept = list(wanted)[:most]
        self._names = [name for name in data.styles if name in kept]
        self._taps: dict[str, list[NDArray[np.int64]]] = {name: [] for name in self._names}
        self._pairs = {two: Tracks[str]() for two in permutations(self._names, 2)}
        self._diagonal: Data = {"x": [], "y": []}
        self._corners: dict[tuple[str, str], Data] = {two: {} for two in self._pairs}
        """Where the texts in the corners are, and their colours."""
        self._better: dict[tuple[str, str], list[Sequence[int]]] = {two: [] for two in self._pairs}
        """Position, query, and 1 or -1 if A or B is better, else 0: of those that differ by less
        than a step."""

    def add(self, control: Control) -> None:
        if control != "threshold":
            return
        data, explorer = self._data, self._data.explorer
        taps = {name: explorer.tap(name) for name in self._names}
        whole = {name: _whole(at) for name, at in taps.items()}
        for name, numbers in whole.items():
            self._taps[name].append(numbers)
        queries, totals = data.lists.query, data.lists.n_relevant
        for (a, b), tracks in self._pairs.items():
            two = {a: taps[a], b: taps[b]}
            layers = scatter.drawn(two, queries, totals, self._styles).columns
            notice = _columns(layers["notice"])
            corners = {name: layers[name] for name in CORNERS}
            text = plain(scatter.text(two, queries))
            said = [layer["text"].tolist() for layer in corners.values()]
            tracks.add(control, {"text": text, "corners": said, "notice": notice})
            if notice["text"]:
                continue
            self._diagonal = _columns(layers["diagonal"], ("x", "y"))
            self._corners[a, b] = {
                name: _columns(layer, ("x", "y", "color")) for name, layer in corners.items()
            }
            difference = taps[a].per_query - taps[b].per_query
            better = np.where(np.abs(difference) > scatter.EQUAL, np.sign(difference), 0)
            unlike = np.flatnonzero(np.sign(whole[a] - whole[b]) != better)
            place = len(self._taps[a]) - 1
            self._better[a, b] += [(place, query, int(better[query])) for query in unlike.tolist()]

    def data(self) -> Data:
        data, names = self._data, self._names
        queries = data.lists.query.tolist()
        focus = data.explorer.focus
        of = {name: place for place, name in enumerate(data.styles)}
        return {
            "name": self._plot.name,
            "each": False,
            "picture": picture_data(self._base),
            "pick": True,
            "pairs": {
                "chosen": [of[name] for name in self._chosen],
                "queries": queries,
                "totals": data.lists.n_relevant.tolist(),
                "focus": queries.index(focus) if focus in queries else None,
                "accent": ACCENT,
                "diagonal": self._diagonal,
                "steps": STEPS,
                "markers": dict(zip(SIDES, scatter.SHAPES, strict=True)),
                "taps": {of[name]: _packed(np.array(self._taps[name])) for name in names},
                "of": [
                    {
                        "pair": [of[a], of[b]],
                        "colors": self._colors(a, b),
                        "tooltip": scatter.tooltip({a: "y", b: "x"}),
                        "places": self._corners[a, b],
                        "better": self._better[a, b],
                        **tracks.data(),
                    }
                    for (a, b), tracks in self._pairs.items()
                ],
            },
        }

    def _colors(self, a: str, b: str) -> dict[int, str]:
        """Colours of the dots by which is better."""
        sides = (scatter.SAME, *(self._styles[name].color for name in (a, b)))
        return dict(zip(SIDES, sides, strict=True))


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
    any_name = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    begins = list(re.finditer(rf"(?:^|(?<=: )|(?<=; ))({any_name})(?= )", text))
    if not begins:
        return text
    ends = [one.start() - len("; ") for one in begins[1:]]
    last = re.compile(r"\.(?= |$)").search(text, begins[-1].end())
    ends.append(last.start() if last else len(text))
    parts: list[list[str | int]] = [
        [names.index(one[1]), text[one.start() : end]]
        for one, end in zip(begins, ends, strict=True)
    ]
    return [text[: begins[0].start()], text[ends[-1] :], *parts]


class _Table:
    """The score table: head cell by cell; of each row three parts, one control each; the order."""

    def __init__(self, explorer: Choices, styles: dict[str, Style]) -> None:
        self._explorer, self._styles = explorer, styles
        self._compared_at: Control = "threshold" if explorer.score_compared.at_threshold else "n"
        self._head: list[list[Track]] = []
        self._order = Track()
        self._rows: dict[str, tuple[Track, Track, Track]] = {
            name: (Track(), Track(), Track())
            for name in as_systems(dict.fromkeys(explorer.results, ""), "".join)
        }

    def add(self, control: Control, compared: tuple[Choices, Compared] | None) -> None:
        """Add the present cells; with intervals and comparisons, those of an explorer like it."""
        if control == "k":
            return
        explorer = self._explorer
        head, rows = parts_of(explorer, score_table(explorer, self._styles))
        if compared is not None:
            other, known = compared
            rows |= parts_of(other, score_table(other, self._styles, known))[1]
        for place, cells in enumerate(head):
            if place == len(self._head):
                self._head.append([Track() for _ in cells])
            for track, cell in zip(self._head[place], cells, strict=True):
                track.add(control, cell)
        if control == self._compared_at:
            self._order.add(control, [[*self._rows].index(name) for name in best_first(explorer)])
        followed = "threshold", "n", self._compared_at
        for name, parts in rows.items():
            for track, part, moves in zip(self._rows[name], parts, followed, strict=True):
                if control == moves:
                    track.add(control, part)

    def data(self) -> Data:
        names = [*self._explorer.results]
        return {
            "head": [[track.data() for track in tracks] for tracks in self._head],
            "rows": [[track.data() for track in tracks] for tracks in self._rows.values()],
            "order": self._order.data(),
            "of": [
                [names.index(run) for run in systems(names).get(row, (row,))] for row in self._rows
            ],
        }


class _Ranked:
    """Lists of the queries that tell most: those for which A and B differ most."""

    def __init__(self, data: PlotData) -> None:
        explorer = data.explorer
        self._explorer = explorer
        self._names = data.pair
        taps = [explorer.tap(name).per_query for name in self._names]
        apart = np.abs(taps[0] - taps[-1]) if len(taps) > 1 else -taps[0]
        order = np.argsort(-np.nan_to_num(apart, nan=-1), kind="stable")[:TOLD]
        queries = data.lists.query[order].tolist()
        if explorer.focus and explorer.focus not in queries:
            queries = [explorer.focus, *queries[: TOLD - 1]]
        self._queries = queries
        # The query in focus may not be among those selected.
        place = {query: row for row, query in enumerate(data.lists.query.tolist())}
        self._rows = [place.get(query) for query in queries]
        self._scores: dict[tuple[str, str], NDArray[np.float64]] = {}
        """Those of each list, ascending from the best."""
        self._lists = [self._query(query) for query in queries]
        self._tracks = Tracks[tuple[str, str]]()

    def add(self, control: Control) -> None:
        if control != "threshold":
            return
        explorer = self._explorer
        for name in explorer.results:
            at, sign = explorer.tap(name), explorer.first.sign
            for query, row in zip(self._queries, self._rows, strict=True):
                tap = float("nan") if row is None else float(at.per_query[row])
                some = np.isfinite(at.e0)
                scores = self._scores[query, name]
                kept = int(np.searchsorted(scores, sign * at.e0, "right")) if some else -1
                words = number(tap) if np.isfinite(tap) else "—"
                self._tracks[query, name].add(control, [kept, words])

    def data(self) -> Data:
        for one in self._lists:
            for name, rows in one["lists"].items():
                rows["at"] = self._tracks[one["query"], name].data()
        return {"pair": self._names, "queries": self._lists}

    def _query(self, query: str) -> Data:
        explorer = self._explorer
        first = explorer.first
        row = first.row_of(query)
        lists = {}
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
        classes = first.query_class
        return {
            "query": query,
            "total": int(first.n_relevant[row]),
            "class": str(classes[row]) if classes is not None else "",
            "lists": lists,
        }


def _at(explorer: Choices, controls: Sequence[Control]) -> str:
    """Where controls stand: k = 20, n = 50."""
    by_errors = f"k = {explorer.k}"
    at = by_errors if explorer.mode == BY_ERRORS else f"E₀ = {threshold(explorer.e0)}"
    stands = {"threshold": at, "k": by_errors, "n": f"n = {explorer.n:,}"}
    return ", ".join(stands[control] for control in controls)


def _whole(at: Tap) -> NDArray[np.int64]:
    """TAP of each query in whole steps."""
    steps = np.round(np.nan_to_num(at.per_query) * STEPS).astype(np.int64)
    return np.where(np.isnan(at.per_query) | np.isnan(at.value), UNDEFINED, steps)


def _packed(numbers: NDArray[np.int64]) -> str:
    """Whole numbers of 16 bits, each less the one above it: all high bytes, then all low ones."""
    less = np.diff(numbers, axis=0, prepend=np.zeros((1, numbers.shape[1]), np.int64)) % 2**16
    data = (less >> 8).astype(np.uint8).tobytes() + (less & 255).astype(np.uint8).tobytes()
    return base64.b64encode(zlib.compress(data)).decode()


def _columns(layer: Mapping[str, NDArray[Any]], names: Iterable[str] = ()) -> Data:
    """Some columns of a layer, or all."""
    return {name: layer[name].tolist() for name in names or layer}
