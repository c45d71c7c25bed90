"""What each scene shows: pictures, and what is told as HTML above them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property, partial
from typing import NamedTuple

import numpy as np

from tapviz.choices import BY_E_VALUE
from tapviz.draw.picture import Picture
from tapviz.draw.style import brief
from tapviz.explorer import Explorer
from tapviz.lesson import barcode, lines, numbers
from tapviz.lesson.barcode import Lane, Lens
from tapviz.lesson.lists import N_RELEVANT, two_lists
from tapviz.lesson.numbers import CLOSELY, LONGEST, SEARCHES, N
from tapviz.lesson.progress import Progress
from tapviz.lesson.saved import pair_scale, table
from tapviz.lesson.scenes import LOOSE, count, num, percent
from tapviz.lists import RetrievalLists
from tapviz.measures import ranked_list, tap
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.columns import Columns

MAX_ERRORS_READ = 300
"""Errors up to which the merged list is read."""
EXPONENTS = (-183.0, 4.0)
"""Limits of the axis of log10 E-values."""
SLOWEST = 0.02
"""The smallest power that B's E-values are raised to."""
STRICT = 1e-10
"""Threshold up to which the curves of the data set are shown before the reader has predicted."""
WIDEST = 6.0
"""Change in per cent that fills the column of bars."""


class Exhibit(NamedTuple):
    """A plot of the stage."""

    name: str
    title: str
    height: int
    picture: Callable[[], Picture]
    text: Callable[[], str]


class Stage:
    """Pictures of the scenes, for the state of one reader."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def pictures(self, scene: str) -> list[Exhibit]:
        """Plots of a scene, from top to bottom."""
        scenes: dict[str, Callable[[], list[Exhibit]]] = {
            "look": self._look,
            "alone": self._alone,
            "predict": self._predict,
            "merge": self._merge,
            "scale": self._scale,
            "add": self._add,
            "build": self._build,
            "errors": self._errors,
            "loose": self._loose,
            "real": self._real,
        }
        return scenes[scene]() if scene in scenes else []

    def above(self, scene: str) -> str:
        """HTML that stands above the pictures of a scene; empty if there is none."""
        p = self._progress
        if scene in ("predict", "real"):
            return pair_scale(p, scene)
        tables: dict[str, Callable[[Progress], str]]
        tables = {"add": _searches_picture, "build": _equation, "errors": _users_picture}
        tables |= {"loose": _sweep_table, "influence": _left_out_table, "end": table}
        return tables[scene](p) if scene in tables else ""

    # --- the scenes -----------------------------------------------------------------------

    def _look(self) -> list[Exhibit]:
        lists, p = two_lists(), self._progress

        def rows() -> list[Lane | Lens]:
            strips: list[Lane | Lens] = []
            for q, at in enumerate((p.a_at, p.b_at)):
                relevant, score = _list(lists, q)
                x = np.arange(1.0, relevant.size + 1)
                strips += [
                    Lane(f"list {lists.query[q]}, best record first", x, relevant),
                    Lens(x, relevant, score, at),
                ]
            return strips

        return [_bars("The two result lists", 640, rows, 1010)]

    def _alone(self) -> list[Exhibit]:
        lists, p = two_lists(), self._progress

        def rows() -> list[Lane | Lens]:
            strips: list[Lane | Lens] = []
            for q in range(2):
                relevant, _ = _list(lists, q)
                errors = np.flatnonzero(~relevant)
                read = int(errors[p.n - 1]) + 1 if p.n <= errors.size else relevant.size
                name = f"list {lists.query[q]} up to its error {min(p.n, errors.size)}"
                strips.append(Lane(name, np.arange(1.0, relevant.size + 1), relevant, read))
            return strips

        def curves() -> Columns:
            roc_curves = numbers.curves(lists)
            x = _errors(LONGEST)
            own = {name: (x, y) for name, y in zip("AB", roc_curves.own, strict=True)}
            return lines.columns(own, ("A", "B"), (1, LONGEST), line=p.n, head="error ")

        def text() -> str:
            own = numbers.pair(lists, p.n).own
            return f"Mean height of the curves left of n = {p.n}: A {own[0]:.3f}, B {own[1]:.3f}."

        title = "Curves: relevant found before each error. ROCₙ is the mean height left of n."
        return [
            _bars("The lists, as far as ROCₙ reads them", 270, rows, 1010),
            Exhibit("curves", title, 410, lambda: _roc_lines(curves(), LONGEST), text),
        ]

    def _predict(self) -> list[Exhibit]:
        lists, p = two_lists(), self._progress

        def curves() -> Columns:
            roc_curves = numbers.curves(lists)
            x = _errors(MAX_ERRORS_READ)
            shown = {
                name: (x, y[:MAX_ERRORS_READ]) for name, y in zip("AB", roc_curves.own, strict=True)
            }
            if p.knows("predict"):
                shown["merged"] = (x, roc_curves.pooled[:MAX_ERRORS_READ])
            names = ("A", "B", "merged")
            return lines.columns(shown, names, (1, MAX_ERRORS_READ), line=N, head="error ")

        def text() -> str:
            both = numbers.pair(lists)
            merged = f", merged {both.pooled:.3f}" if p.knows("predict") else ""
            return (
                f"Mean height left of error {N}: A {both.own[0]:.3f}, B {both.own[1]:.3f}{merged}."
            )

        title = "Curves: relevant found before each error"
        return [Exhibit("curves", title, 480, lambda: _roc_lines(curves(), MAX_ERRORS_READ), text)]

    def _merge(self) -> list[Exhibit]:
        lists, p = two_lists(), self._progress
        pool = numbers.merged(lists)
        end = numbers.read_until(pool, MAX_ERRORS_READ).records

        def rows() -> list[Lane | Lens]:
            seen = numbers.read_until(pool, p.f)
            return [*_lanes(lists, pool, seen), _merged_lens(lists, pool, seen.records, end)]

        def curves() -> Columns:
            roc_curves, x = numbers.curves(lists), _errors(MAX_ERRORS_READ)
            shown = {
                name: (x, y[:MAX_ERRORS_READ]) for name, y in zip("AB", roc_curves.own, strict=True)
            }
            shown["merged"] = (x[: p.f], roc_curves.pooled[: p.f])
            at = {"merged": (float(p.f), float(roc_curves.pooled[p.f - 1]))}
            names = ("A", "B", "merged")
            return lines.columns(shown, names, (1, MAX_ERRORS_READ), line=p.f, at=at, head="error ")

        def text() -> str:
            roc_curves = numbers.curves(lists)
            return (
                f"Before error {p.f}: merged {roc_curves.pooled[p.f - 1]:.3f}, A "
                f"{roc_curves.own[0][p.f - 1]:.3f}, B {roc_curves.own[1][p.f - 1]:.3f}."
            )

        title = "The merged list, best E-value first; each record in the lane of its list"
        return [
            _bars(title, 410, rows, end, xlabel="rank in the merged list"),
            Exhibit(
                "curves",
                "Curves: relevant found before each error",
                300,
                lambda: _roc_lines(curves(), MAX_ERRORS_READ),
                text,
            ),
        ]

    def _scale(self) -> list[Exhibit]:
        p = self._progress

        def rows() -> list[Lane | Lens]:
            return [*_exponent_lanes(two_lists(c=p.c))]

        def curves() -> Columns:
            names = ("pooled", "B alone", "TAP of B")
            view = (0.0, 1 - SLOWEST)
            if not p.knows("scale"):
                return lines.columns({}, names, view)
            c = np.linspace(1, SLOWEST, 99).round(2)
            c = c[c >= p.c - 1e-9]
            if c[-1] > p.c:
                c = np.append(c, p.c)
            results = [_recalibrated(float(value)) for value in c]
            values = {
                "pooled": [one.pooled for one in results],
                "B alone": [one.own for one in results],
                "TAP of B": [one.tap for one in results],
            }
            shown = {name: (1 - c, np.array(y)) for name, y in values.items()}
            at = {name: (1 - p.c, y[-1]) for name, y in values.items()}
            return lines.columns(shown, names, view, at=at, head="1 − c = ")

        def text() -> str:
            if not p.knows("scale"):
                return "Nothing yet: predict first."
            now = _recalibrated(p.c)
            return (
                f"At c = {p.c:.2f}: pooled {now.pooled:.3f}, B alone {now.own:.3f}, TAP of B "
                f"{now.tap:.3f}."
            )

        ticks = {1 - c: f"{c:g}" for c in (1.0, 0.8, 0.6, 0.4, 0.2, SLOWEST)}

        def picture() -> Picture:
            return lines.picture(curves(), xlabel="c", ylabel="score", labels=ticks)

        return [
            _bars("The records at their E-values", 270, rows, xlabel="log₁₀ of the E-value"),
            Exhibit("curves", "Scores as c goes down", 410, picture, text),
        ]

    def _add(self) -> list[Exhibit]:
        p = self._progress

        def curves() -> Columns:
            names, view = ("mean TAP", "pooled"), (1.0, 99.0)
            if not p.knows("add"):
                return lines.columns({}, names, view)
            m = np.arange(1, p.copies + 1)
            results = [_added(int(value)) for value in m]
            values = {
                "mean TAP": [one.mean_tap for one in results],
                "pooled": [one.pooled for one in results],
            }
            shown = {name: (m, np.array(y)) for name, y in values.items()}
            at = {name: (float(p.copies), y[-1]) for name, y in values.items()}
            return lines.columns(shown, names, view, at=at, head="good queries: ")

        def text() -> str:
            if not p.knows("add"):
                return "Nothing yet: predict first."
            now = _added(p.copies)
            return (
                f"With {p.copies} good and 1 bad: pooled {now.pooled:.3f}, mean TAP "
                f"{now.mean_tap:.3f}, mean of own ROC₅₀ {now.mean_roc_n:.3f}."
            )

        def picture() -> Picture:
            return lines.picture(
                curves(),
                xlabel="good queries beside the bad one",
                ylabel="score",
                xticks=(1, 9, 19, 29, 39, 49, 74, 99),
            )

        return [Exhibit("curves", "Scores as good searches are added", 480, picture, text)]

    def _build(self) -> list[Exhibit]:
        lists, p = two_lists(), self._progress

        def rows() -> list[Lane | Lens]:
            strips: list[Lane | Lens] = []
            at = tap(lists, p.e0)
            for q, lane in enumerate(_exponent_lanes(lists)):
                relevant, score = _list(lists, q)
                strips += [lane, Lens(lane.x, relevant, score, max(int(at.retrieved[q]), 1))]
            return strips

        title = (
            "One threshold E₀ for both lists; framed: the last record at or before it, the sentinel"
        )
        return [
            _bars(
                title,
                500,
                rows,
                xlabel="log₁₀ of the E-value",
                line=lambda: float(np.log10(p.e0)),
            )
        ]

    def _errors(self) -> list[Exhibit]:
        if not self._progress.knows("errors"):
            return []
        data, epq = self._data, PLOTS["epq"]
        data.explorer.e0 = LOOSE
        title = f"Bundled data, {CLOSELY}: errors per query; dashed: mean, solid: median"
        return [Exhibit("epq", title, 340, partial(epq.picture, data), partial(epq.text, data))]

    def _loose(self) -> list[Exhibit]:
        data, p, plot = self._data, self._progress, PLOTS["tap"]

        def picture() -> Picture:
            data.explorer.e0 = p.sweep
            whole = plot.picture(data)
            if p.knows("loose"):
                return whole
            return _until(whole, float(data.axis.position(STRICT)))

        def text() -> str:
            if not p.knows("loose"):
                return f"The curves up to {brief(STRICT)}."
            data.explorer.e0 = p.sweep
            return plot.text(data)

        title = "Mean TAP of four searches; ◆ at the threshold, ▲ peak"
        return [Exhibit("tap", title, 480, picture, text)]

    def _real(self) -> list[Exhibit]:
        lists, p = numbers.real_pair(), self._progress
        pool = numbers.merged(lists)
        total = pool.query.size

        def rows() -> list[Lane | Lens]:
            if p.knows("real"):
                seen = numbers.read_until(pool, total)
                lens = _merged_lens(lists, pool, p.real_at, total)._replace(shown=None)
                return [*_lanes(lists, pool, seen), lens]
            strips: list[Lane | Lens] = []
            for q, name in enumerate(lists.query.tolist()):
                relevant, score = _list(lists, q)
                x = np.arange(1.0, relevant.size + 1)
                ids = lists.record
                own = None if ids is None else ids[lists.offset[q] : lists.offset[q + 1]]
                strips += [Lane(name, x, relevant), Lens(x, relevant, score, 1, record=own)]
            return strips

        title = "The two lists, and once you have predicted, the merged one"
        return [_bars(title, 520, rows, total, xlabel="rank")]

    @cached_property
    def _data(self) -> PlotData:
        """What the explorer's own plots of the bundled data are made of."""
        results = {name: numbers.bundled_lists(name) for name in SEARCHES}
        return PlotData(
            Explorer(
                results, shown=list(SEARCHES), mode=BY_E_VALUE, e0=LOOSE, focus_algorithm=CLOSELY
            )
        )


def _until(whole: Picture, end: float) -> Picture:
    """The curves up to a threshold's position, on the axes of the whole, and nothing else."""
    layers = [
        replace(
            layer,
            columns={
                key: values[layer.columns["x"] <= end]
                if layer.name.startswith("curve")
                else values[:0]
                for key, values in layer.columns.items()
            },
        )
        for layer in whole.layers
    ]
    return replace(whole, layers=tuple(layers))


def _list(lists: RetrievalLists, q: int) -> tuple[np.ndarray, np.ndarray]:
    """Relevance and score of each record of a query."""
    lists_of = lists.subset(np.arange(lists.n_queries) == q)
    return lists_of.relevant, lists_of.score


def _lanes(lists: RetrievalLists, pool: numbers.Merged, seen: numbers.ReadSoFar) -> list[Lane]:
    """A lane for each list, its records at their ranks in the merged list."""
    strips = []
    for q, name in enumerate(lists.query.tolist()):
        mine = pool.query == q
        x = np.flatnonzero(mine).astype(np.float64) + 1
        title = f"list {name}" if len(name) == 1 else f"{q + 1}: {name}"
        kind = f"{title}, {seen.of[q]:,} records"
        strips.append(Lane(kind, x, pool.relevant[mine], seen.of[q]))
    return strips


def _merged_lens(lists: RetrievalLists, pool: numbers.Merged, at: int, end: int) -> Lens:
    """The merged list magnified at a record; lists are named by a letter, or not at all."""
    names = lists.query
    letters = names if max(map(len, names.tolist())) == 1 else np.array(["1", "2"])
    return Lens(
        np.arange(1.0, end + 1),
        pool.relevant[:end],
        pool.score[:end],
        at,
        of=letters[pool.query[:end]],
        shown=at,
        record=None if pool.record is None else pool.record[:end],
    )


def _exponent_lanes(lists: RetrievalLists) -> list[Lane]:
    """A lane for each list, its records at log10 of their E-values."""
    strips = []
    for q, name in enumerate(lists.query.tolist()):
        relevant, score = _list(lists, q)
        strips.append(Lane(f"list {name}", np.log10(score), relevant, half=0.25, gap=3.0))
    return strips


def _bars(
    title: str,
    height: int,
    rows: Callable[[], list[Lane | Lens]],
    end: float | None = None,
    *,
    xlabel: str = "rank",
    line: Callable[[], float] | None = None,
) -> Exhibit:
    """A plot of barcodes: over ranks up to `end`, or over exponents."""
    view = EXPONENTS if end is None else (0.5, end + 0.5)
    return Exhibit(
        "barcode",
        title,
        height,
        lambda: barcode.picture(
            barcode.columns(rows(), view, None if line is None else line()), xlabel=xlabel
        ),
        lambda: barcode.text(rows()),
    )


def _roc_lines(columns: Columns, end: int) -> Picture:
    ticks = (
        (1, 50, 100, 150, 204, 250, 300)
        if end == MAX_ERRORS_READ
        else (1, 50, 100, 200, 280, 400, 540)
    )
    return lines.picture(
        columns,
        xlabel="errors: irrelevant records seen",
        ylabel="fraction of relevant found",
        xticks=ticks,
    )


def _errors(end: int) -> np.ndarray:
    return np.arange(1, end + 1)


@cache
def _recalibrated(c: float) -> numbers.Recalibrated:
    return numbers.recalibrated(c)


@cache
def _added(copies: int) -> numbers.Added:
    return numbers.added(copies)


# --- told as HTML ---------------------------------------------------------------------------------


def _searches_picture(p: Progress) -> str:
    """A square for each search."""
    good = '<i class="good"></i>' * p.copies
    words = f"{p.copies} searches like A, 1 like B"
    return (
        f'<p class="squares" role="img" aria-label="{words}">{good}<i class="bad"></i></p>'
        '<p class="note">Each square is a search: blue ones like A, the last one like B.</p>'
    )


def _equation(p: Progress) -> str:
    """Equation (1) of both lists, term by term."""
    lists = two_lists()
    ranked = {name: ranked_list(lists, q, p.e0) for q, name in enumerate("AB")}
    rows = "".join(
        f"<tr><th scope=row>list {name}</th><td>{count(one.n_found)}</td>"
        f"<td>{count(one.n_retrieved - one.n_found)}</td><td>{num(one.summed, 2)}</td>"
        f"<td>{num(one.sentinel)}</td><td>({one.summed:.2f} + {one.sentinel:.3f}) / "
        f"{N_RELEVANT + 1}</td><td class=main>{num(one.tap)}</td></tr>"
        for name, one in ranked.items()
    )
    return (
        '<table class="terms"><caption>TAP = (sum of the precisions at the relevant records up to '
        f"E<sub>0</sub> + sentinel) / (T + 1), at E<sub>0</sub> = {brief(p.e0)}</caption>"
        "<thead><tr><th></th><th>relevant</th><th>errors</th><th>sum</th><th>sentinel</th>"
        f"<th>(sum + sentinel) / (T + 1)</th><th>TAP</th></tr></thead><tbody>{rows}"
        f"<tr><th scope=row>mean</th><td></td><td></td><td></td><td></td><td></td>"
        f"<td class=main>{num(tap(lists, p.e0).value)}</td></tr></tbody></table>"
    )


def _users_picture(p: Progress) -> str:
    """A thousand dots for all users, one of them for the unlucky one."""
    share = max(p.n_queries / 1000, 1)
    dots = min(p.n_queries, 1000)
    words = f"{p.n_queries:,} users: one of them gets {p.n_errors:,} errors"
    each = f"Each dot is {share:,.0f} users" if share > 1 else "Each dot is a user"
    return (
        f'<p class="dots" role="img" aria-label="{words}">{"<i></i>" * (dots - 1)}'
        f'<i class="bad"></i></p><p class="note">{each}; the filled one holds the one with all '
        "errors.</p>"
    )


def _sweep_table(p: Progress) -> str:
    """TAP and recall of the real searches at the threshold, beside peak TAP and TAP-20."""
    if not p.knows("loose"):
        return ""
    rows = "".join(
        f"<tr><th scope=row>{name}</th>"
        f"<td class=main>{num(numbers.bundled_tap_at(name, p.sweep))}</td>"
        f"<td>{num(numbers.bundled_recall(name, p.sweep))}</td>"
        f"<td>{curve.peak_tap:.3f} at {brief(curve.peak_threshold)}</td>"
        f"<td>{at.value:.3f} at {brief(at.e0)}</td></tr>"
        for name in SEARCHES
        for curve, at in [(numbers.bundled_curve(name), numbers.bundled_tap(name))]
    )
    return (
        "<table><caption>At your threshold, at the peak, and where the median user has 20 errors"
        f"</caption><thead><tr><th>at E<sub>0</sub> = {brief(p.sweep)}</th><th>TAP</th>"
        f"<th>share found</th><th>peak TAP at E</th><th>TAP-{numbers.K} at E<sub>{numbers.K}</sub>"
        f"</th></tr></thead><tbody>{rows}</tbody></table>"
    )


def _left_out_table(p: Progress) -> str:
    """Both scores without each query that has been left out so far."""
    influence = numbers.left_out()
    ids = influence.query.tolist()
    lists = numbers.bundled_lists()
    classes = lists.query_class
    rows = ""
    for row in numbers.suppliers(influence):
        query = ids[row]
        if query not in p.tried:
            rows += f'<tr class="open"><th scope=row>{query}</th>{"<td>?</td>" * 3}<td></td>'
            rows += "<td>?</td><td></td></tr>"
            continue
        pooled = influence.pooled_change[row] / influence.pooled_roc_n
        change = influence.tap_change[row] / influence.tap
        here = ' class="here"' if query == p.away else ""
        rows += (
            f"<tr{here}><th scope=row>{query}</th><td>{classes[row] if classes is not None else ''}"
            f"</td><td>{influence.supplied[row]:g} of {N}</td>"
            f"<td>{percent(pooled)}</td><td>{_bar(pooled, 'pooled')}</td>"
            f"<td>{percent(change, 3)}</td><td>{_bar(change, 'tap')}</td></tr>"
        )
    return (
        '<table class="taken"><caption>Change of the score without the query; both bars on one '
        "scale</caption><thead><tr><th>left out</th><th>class</th><th>pooled errors</th>"
        f"<th colspan=2>pooled ROC<sub>{N}</sub></th><th colspan=2>TAP-{numbers.K}</th></tr>"
        f"</thead><tbody>{rows}</tbody></table>"
    )


def _bar(change: float, kind: str) -> str:
    width = min(abs(100 * change) / WIDEST, 1) * 200
    return f'<span class="bar {kind}" style="width:{width:.1f}px"></span>'
