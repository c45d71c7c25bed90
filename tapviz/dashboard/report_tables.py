"""Tables of a report that stays alive: what is seen at every k, E_0 and n, computed when written.

Each thing that moves, such as a column of a layer or a row of the score table, is a track: its
distinct values, and which of them is seen at each position of the control that it follows.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.choices import BY_E_VALUE, BY_ERRORS, MAX_K, MAX_N, Choices
from tapviz.dashboard.table import plain, score_table
from tapviz.draw.browser import axis_data, layer_data, picture_data
from tapviz.draw.picture import Picture
from tapviz.draw.style import Style, brief, number
from tapviz.explorer import Explorer
from tapviz.lists import RetrievalLists
from tapviz.measures import ranked_list
from tapviz.plots import Plot, PlotData, plots_for
from tapviz.scores import Compared, columns
from tapviz.share import settings

Control = Literal["threshold", "n"]
OnProgress = Callable[[int, int], Any]

THRESHOLDS = 200
"""Places on the axis of thresholds; of those between which nothing changes, one."""
TOLD = 20
"""Queries whose ranked lists can be opened."""
ROWS = 100
"""Rows of a list that are kept."""
# All n up to the first, then every second, fifth and tenth: further apart than a pixel each.
STEPS_OF_N = ((1, 100, 1), (102, 200, 2), (205, 500, 5), (510, MAX_N, 10))
CELLS = re.compile(r"(?=<t[hdr][ >])")
COMPARED = 4
"""Cells of a row that compare it with the baseline."""


class Position(NamedTuple):
    """One position of a control."""

    choice: dict[str, Any]
    label: str


class Track:
    """Values at the positions of a control, each distinct one kept once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self.ids: dict[Control, list[int]] = {"threshold": [], "n": []}

    def add(self, control: Control, value: Any) -> None:
        """Add what is seen at the next position of a control."""
        key = json.dumps(value, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
        self.ids[control].append(self._places.setdefault(key, len(self._places)))

    def data(self) -> Any:
        """The values and their places: one value if nothing moves it."""
        values = [json.loads(key) for key in self._places]
        follows = [control for control, ids in self.ids.items() if len(set(ids)) > 1]
        if not follows:
            return {"values": values[:1]}
        if len(follows) > 1:
            msg = "a table follows one control, and this one would follow threshold and n"
            raise AssertionError(msg)
        return {
            "values": _shortened(values),
            "control": follows[0],
            "at": self.ids[follows[0]],
        }


def thresholds(data: PlotData, e0: float) -> list[float]:
    """About 200 thresholds at which something changes, strictest first, and the given one.

    Parameters
    ----------
    data : PlotData
    e0 : float
        One that must be among them.
    """
    scores = np.unique(np.concatenate([one.score for one in data.explorer.results.values()]))
    grid, found = data.axis.grid(THRESHOLDS), np.array([e0])
    if scores.size:
        # The last score that each of them retrieves: all between are the same threshold.
        if data.axis.descending:
            at = np.searchsorted(scores, grid)
            last = scores[at[at < scores.size]]
        else:
            at = np.searchsorted(scores, grid, "right") - 1
            last = scores[at[at >= 0]]
        found = np.unique(np.concatenate([last, found]))
    return [float(one) for one in (found[::-1] if data.axis.descending else found)]


def positions(data: PlotData) -> dict[str, list[Position]]:
    """Positions of each control: "k" and "e0", which make the threshold, and "n"."""
    explorer = data.explorer
    counts = [n for first, last, step in STEPS_OF_N for n in range(first, last + 1, step)]
    return {
        "k": [
            Position({"mode": BY_ERRORS, "k": k}, f"k = {k}")
            for k in sorted({*range(1, MAX_K + 1), explorer.k})
        ],
        "e0": [
            Position({"mode": BY_E_VALUE, "e0": e0}, f"E₀ = {brief(e0)}")
            for e0 in thresholds(data, explorer.e0)
        ],
        "n": [Position({"n": n}, f"n = {n:,}") for n in sorted({*counts, explorer.n})],
    }


def start(explorer: Choices) -> dict[str, int]:
    """Place of the present k, E_0 and n among their positions."""
    found = {}
    for name, places in positions(PlotData(explorer)).items():
        value = getattr(explorer, name)
        found[name] = next(i for i, one in enumerate(places) if one.choice[name] == value)
    return found


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
        Called with the positions that are done and their number.
    """
    explorer = shown_now.explorer
    given = settings(explorer)
    names = list(explorer.results)
    everything = Explorer(
        explorer.results, list(explorer.style_order), **(given | {"algorithms": names})
    )
    real = PlotData(everything)
    data = PlotData(everything)
    # A colour that says whose it is: the page gives it the algorithm's, and leaves out by it.
    data.styles = {
        name: Style(f"a{place}", real.styles[name].dash) for place, name in enumerate(names)
    }
    data.slow, data.compared = shown_now.slow, shown_now.compared
    places = positions(data)
    plots = plots_for(everything)
    shown = {plot.name: _Plot(plot, data) for plot in plots}
    table, ranked = _Table(everything, real.styles), _Ranked(data)
    at_first = {name: given[name] for name in ("mode", "k", "e0", "n")}
    total, done = sum(map(len, places.values())), 0

    def visit(control: Control, choices: Iterable[Position]) -> None:
        nonlocal done
        for choice, _ in choices:
            everything.param.update(**(at_first | choice))
            at_start = all(getattr(everything, one) == given[one] for one in ("mode", "n")) and (
                getattr(everything, everything.mode) == given[everything.mode]
            )
            for one in shown.values():
                one.add(control)
            table.add(control, (explorer, compared) if at_start else None)
            if control == "threshold":
                ranked.add()
            done += 1
            if progress is not None:
                progress(done, total)

    visit("threshold", [*places["k"], *places["e0"]])
    visit("n", places["n"])
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
            "plots": [one.data() for one in shown.values()],
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
        both = "n" in plot.depends and bool({"k", "e0", "mode"} & set(plot.depends))
        self._follows: set[Control] = set()
        if not both:
            if {"k", "e0", "mode"} & set(plot.depends):
                self._follows.add("threshold")
            if "n" in plot.depends or "{n}" in plot.caption:
                self._follows.add("n")
        self._base: Picture = plot.picture(data)
        self._tracks: dict[str, Track] = {}
        self._columns: dict[int, dict[str, Track]] = {}
        self._sizes: dict[Control, int] = {"threshold": 0, "n": 0}

    def add(self, control: Control) -> None:
        if control not in self._follows:
            return
        data = self._data
        picture = self._plot.picture(data)
        layers = [layer for layer in picture.layers if not layer.note]
        for place, layer in enumerate(layers):
            tracks = self._columns.setdefault(place, {})
            found = layer_data(layer, picture)
            for name, values in found["columns"].items():
                tracks.setdefault(name, Track()).add(control, values)
            tracks.setdefault(" size", Track()).add(control, found["size"])
        for name, value in (
            ("x", axis_data(picture.x)),
            ("y", axis_data(picture.y)),
            ("caption", self._plot.caption_of(data)),
            ("text", plain(self._plot.text(data))),
        ):
            self._tracks.setdefault(name, Track()).add(control, value)

    def data(self) -> dict[str, Any]:
        base = picture_data(self._base)
        for place, tracks in self._columns.items():
            layer = base["layers"][place]
            for name, track in tracks.items():
                if name == " size":
                    layer["size"] = track.data()
                else:
                    layer["columns"][name] = track.data()
        return {
            "name": self._plot.name,
            "each": "algorithms" in self._plot.depends and self._plot.of == "each",
            "picture": base,
            **{name: track.data() for name, track in self._tracks.items()},
            "pick": self._plot.query_at is not None,
        }


class _Table:
    """The score table: its head cell by cell; of each row three parts, each follows one control."""

    def __init__(self, explorer: Choices, styles: dict[str, Style]) -> None:
        self._explorer, self._styles = explorer, styles
        shown = [
            column
            for column in columns([explorer.rule], explorer.n)
            if column.score.in_tables and (column.score.compact or not explorer.baseline)
        ]
        self._others = sum(
            1 + column.score.interval_shown for column in shown if not column.score.at_threshold
        )
        self._head: list[Track] = []
        self._rows: dict[str, tuple[Track, Track, Track]] = {
            name: (Track(), Track(), Track()) for name in explorer.results
        }

    def _parts(self, explorer: Choices, compared: Compared | None) -> tuple[str, dict[str, str]]:
        """HTML of the head, and of each algorithm's row."""
        html = score_table(explorer, self._styles, compared)
        head, _, body = html.partition("<thead>")[2].partition("</thead>")
        rows = re.findall(r"<tr[ >].*?</tr>", body, re.DOTALL)
        return head, dict(zip(explorer.compared_names, rows, strict=True))

    def add(self, control: Control, compared: tuple[Choices, Compared] | None) -> None:
        """Add the present cells; with intervals and comparisons, those of an explorer like it."""
        explorer, baseline = self._explorer, self._explorer.baseline
        head, rows = self._parts(explorer, None)
        if compared is not None:
            rows |= self._parts(*compared)[1]
        for place, piece in enumerate(_pieces(head)):
            if place == len(self._head):
                self._head.append(Track())
            self._head[place].add(control, piece)
        for name, row in rows.items():
            cells = _pieces(re.sub(r"^<tr[^>]*>|</tr>$", "", row))
            right = 0 if not baseline else 1 if name == baseline else COMPARED
            middle = len(cells) - right - self._others
            parts = cells[:middle], cells[middle : len(cells) - right], cells[len(cells) - right :]
            left, others, comparison = self._rows[name]
            if control == "threshold":
                left.add(control, "".join(parts[0]))
                comparison.add(control, "".join(parts[2]))
            else:
                others.add(control, "".join(parts[1]))

    def data(self) -> dict[str, Any]:
        return {
            "head": [track.data() for track in self._head],
            "rows": [[track.data() for track in tracks] for tracks in self._rows.values()],
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
        self._scores: dict[tuple[str, str], NDArray[np.float64]] = {}
        self._lists = [self._query(query) for query in queries]
        self._tracks: dict[tuple[str, str], Track] = {}

    def add(self) -> None:
        explorer = self._explorer
        for name in explorer.results:
            lists, at = explorer.lists[name], explorer.tap(name)
            for query in self._queries:
                try:
                    tap = float(at.per_query[lists.row_of(query)])
                except KeyError:  # in focus, but not among the queries selected
                    tap = float("nan")
                kept = _retrieved(lists, self._scores[query, name], at.e0)
                track = self._tracks.setdefault((query, name), Track())
                track.add("threshold", [kept, number(tap) if np.isfinite(tap) else "—"])

    def data(self) -> dict[str, Any]:
        for one in self._lists:
            for name, rows in one["lists"].items():
                rows["at"] = self._tracks[one["query"], name].data()
        return {"pair": self._names, "queries": self._lists}

    def _query(self, query: str) -> dict[str, Any]:
        explorer = self._explorer
        first = explorer.first
        row = first.row_of(query)
        lists = {}
        for name, one in explorer.results.items():
            ranked = ranked_list(one, one.row_of(query), one.sign * np.inf)
            self._scores[query, name] = ranked.score
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


def _retrieved(lists: RetrievalLists, score: NDArray[np.float64], e0: float) -> int:
    """Records at or before a threshold; -1 if there is none."""
    if np.isnan(e0) or np.isinf(e0):
        return -1
    return int((lists.sign * score <= lists.sign * e0).sum())


def _pieces(html: str) -> list[str]:
    """HTML of cells, one by one."""
    return [piece.strip() for piece in CELLS.split(html) if piece.strip()]


def _shortened(values: list[Any]) -> list[Any]:
    """Long columns as what differs from the longest: how much they begin alike, and the rest."""
    longest = max((one for one in values if isinstance(one, list)), key=len, default=[])
    if len(longest) < TOLD or longest not in values:
        return values
    result: list[Any] = []
    for one in values:
        if one is longest or not isinstance(one, list):
            result.append(one)
            continue
        alike = next(
            (i for i, (a, b) in enumerate(zip(one, longest, strict=False)) if a != b), len(one)
        )
        result.append({"alike": alike, "rest": one[alike:]} if alike > TOLD else one)
    return [{"longest": values.index(longest)}, *result] if result != values else values
