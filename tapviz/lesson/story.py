"""The scenes as data: questions, controls, pictures, and every number at every position.

Words stand in `words/`, a Markdown file for each scene. Numbers come from `tapviz.lesson.numbers`,
which asks `tapviz.measures`; the page that shows the scenes computes none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tapviz.choices import BY_E_VALUE
from tapviz.draw.browser import layer_data, picture_data
from tapviz.draw.picture import Axis, Layer, Picture, boxes, line, points, texts
from tapviz.draw.style import INK, brief
from tapviz.explorer import Explorer
from tapviz.lesson import numbers
from tapviz.lesson.lists import E0, N_RELEVANT, A, B, two_lists
from tapviz.lesson.numbers import CLOSELY, SEARCHES, N
from tapviz.lists import RetrievalLists
from tapviz.measures import mean_recall, ranked_list, tap
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.columns import label_columns, mark_columns
from tapviz.plots.names import NAME_GAP, spread

CAVEAT = (
    "What is an error here is decided by SCOPe: a record of another fold is one. SCOPe splits some "
    "families that many call related, such as c.2 to c.5; by the rule their hits are errors."
)
LOOSE = 0.01
"""Threshold at which the errors of the bundled data are given."""
STRICT = 1e-10
"""Threshold up to which curves of the bundled data are shown before the reader has predicted."""
DRAWN_ERRORS = 300
"""Errors that the merged list is read to."""
MANY = 49
"""Good lists beside a bad one that make fifty."""
REAL_GROUPS = 200
FIGURE4 = "?dataset=figure4&view=roc&n=50"

# At least 4.5:1 on white, since names are written in them.
COLOR = {
    "A": "#00734F",
    "B": "#222222",
    "merged": "#8F2D78",
    "pooled": "#8F2D78",
    "mean of own": "#8A4B00",
    "B’s own": "#222222",
    "mean TAP": "#0B5FA5",
    "TAP of B": "#0B5FA5",
}
DARK_COLOR = {
    "#00734F": "#35C397",
    "#222222": "#EDEDED",
    "#8F2D78": "#E58BCB",
    "#8A4B00": "#E3A355",
    "#0B5FA5": "#74B6F2",
}
"""The same colours on a dark page."""
DASH = {"B": (6, 4), "B’s own": (6, 4), "mean of own": (2, 3), "mean TAP": (12, 4)}
DASH["TAP of B"] = DASH["mean TAP"]


Follows = Mapping[str, tuple[str, Literal["upto", "at"], Layer]]
"""By the name of a layer: the control that it follows, how, and all of its items."""


@dataclass(frozen=True)
class Ask:
    """A prediction: one of several options, or a number if there are none."""

    question: str
    label: str
    truth: Any
    """The answer: an option, or a number."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What is kept, and the words for it."""
    low: float = 0.0
    high: float = 1.0
    step: float = 0.01
    marks: Sequence[tuple[str, float]] = ()
    """What is known before, on the scale of a number from 0 to 1."""
    name: str = ""
    """What the answer is called on the scale."""

    @property
    def answer(self) -> str:
        """The answer in words."""
        if isinstance(self.truth, str):
            return self.options.get(self.truth, "")
        if self.high <= 1:
            return f"{self.truth:.3f}"
        return f"{self.truth:,.0f}"


@dataclass(frozen=True)
class Control:
    """Something the reader moves; its positions are the rows of the tables."""

    name: str
    label: str
    texts: Sequence[str]
    """What each position is called."""
    start: int = 0
    stops: Sequence[int] = ()
    """Positions with a button of their own."""
    goal: int | None = None
    """Position that the reader must have reached; by default, any move will do."""
    asked: bool = True
    """Whether it must be moved before the scene is done."""
    play: bool = False


@dataclass(frozen=True)
class Table:
    """Texts for every position of one control, or of two."""

    over: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    """By the name of the slot; of two controls, the second runs fastest."""


@dataclass(frozen=True)
class Chart:
    """A picture, and what of it follows a control."""

    title: str
    picture: Picture
    words: str
    """The picture in words, with slots."""
    follows: Follows = field(default_factory=dict)
    """Layers that show their items up to the position of a control, or that one alone."""
    known: Sequence[str] = ()
    """Layers that are not seen before the reader has predicted."""
    before: Mapping[str, Layer] = field(default_factory=dict)
    """What these layers show instead, if anything."""
    height: int = 300


@dataclass(frozen=True)
class Lanes:
    """Result lists as bars, up if relevant and down if irrelevant."""

    title: str
    lists: Sequence[Mapping[str, Any]]
    """Of each list: name, its records as letters, E-values as texts, and where they are drawn."""
    mode: Literal["rank", "merged", "merging", "exponent"]
    control: Sequence[str] = ()
    """Control of each list's present record, or one for the merged list."""
    errors: bool = False
    """Whether the control counts errors, and not records."""
    order: str = ""
    """The merged list: the place of the list that each record comes from."""
    scale: Sequence[float] = ()
    """Factor of the second list's exponents, at each position of the control."""
    line: Sequence[float] = ()
    """Exponent of the threshold, at each position of the control."""
    magnified: bool = False


@dataclass(frozen=True)
class Check:
    """A question with one right answer, whose reason is given at once."""

    question: str
    options: Sequence[tuple[str, bool, str]]


@dataclass(frozen=True)
class Scene:
    """One step of the lesson; its words are in ``words/``."""

    name: str
    minutes: float
    call: Sequence[str] = ()
    """What to do: before the answer is known, and after."""
    constants: Mapping[str, Any] = field(default_factory=dict)
    """Numbers of the words that stay."""
    asks: Sequence[Ask] = ()
    controls: Sequence[Control] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    lanes: Sequence[Lanes] = ()
    check: Check | None = None
    explorer: str = ""
    """Address of the explorer that shows the same."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """A picture that only this scene has, by its kind: "squares", "dots" or "rows"."""
    moves_first: bool = False
    """Whether the controls are there before the prediction."""
    open: bool = False
    """Whether a prediction is an opinion, known as soon as it is made."""


def scenes() -> list[Scene]:
    """All scenes, in their order."""
    return [
        _look(),
        _alone(),
        _predict(),
        _merge(),
        _scale(),
        _add(),
        _build(),
        _errors(),
        _loose(),
        _real(),
        _influence(),
        Scene(
            "end",
            1.5,
            ("Write one sentence, then press Reveal.", "Save the page, or give your code."),
            asks=(Ask("report", "What would you report?", ""),),
            extra={"kind": "kept"},
            open=True,
        ),
    ]


# --- the scenes ---------------------------------------------------------------------------------


def _look() -> Scene:
    tables = []
    for name, parts in (("a", A), ("b", B)):
        relevant = _letters(parts) == "R"
        found = np.cumsum(relevant)
        first = int(np.argmin(relevant))
        records = np.arange(1, relevant.size + 1)
        columns = {
            f"{name}_records": records,
            f"{name}_relevant": found,
            f"{name}_errors": records - found,
            f"{name}_first": np.minimum(records, first),
        }
        tables.append(Table((f"{name}_at",), {key: _counts(v) for key, v in columns.items()}))
    lists = _two()
    return Scene(
        "look",
        1,
        ("Slide along both lists, then choose the one you would rather have.",),
        {
            "n_relevant": N_RELEVANT,
            "first_a": sum(n for kind, n, *_ in A if kind == "R"),
            "first_b": B[0][1],
            "flat": sum(n for _, n, *_ in B[1:4]),
        },
        asks=(
            Ask(
                "favourite",
                "Which list would you rather have?",
                "A" if numbers.pair(two_lists()).own[0] > numbers.pair(two_lists()).own[1] else "B",
                {"A": "list A", "B": "list B"},
            ),
        ),
        controls=(
            _whole("a_at", "record of list A", 567, stops=(1, 467, 468)),
            _whole("b_at", "record of list B", 1010, stops=(1, 94, 95, 375)),
        ),
        tables=tables,
        lanes=(Lanes("The two result lists", lists, "rank", ("a_at", "b_at"), magnified=True),),
        moves_first=True,
        open=True,
    )


def _alone() -> Scene:
    curves = numbers.curves(two_lists())
    own = [np.cumsum(curve) / np.arange(1, curve.size + 1) for curve in curves.own]
    n = np.arange(1, own[0].size + 1)
    lists = two_lists()
    exact = np.array([numbers.pair(lists, int(at)).own for at in n])
    shaded: Follows = {
        f"area {name}": ("n", "upto", _area(f"area {name}", curve, COLOR[name]))
        for name, curve in zip("AB", curves.own, strict=True)
    }
    return Scene(
        "alone",
        1,
        ("", "Move n from 1 to 50 and on to 280."),
        {"flat": sum(n for _, n, *_ in B[1:4])},
        controls=(_whole("n", "n, errors read of each list", n.size, stops=(1, 50, 280, 300)),),
        tables=(
            Table(
                ("n",),
                {"n": _counts(n), "own_a": _three(exact[:, 0]), "own_b": _three(exact[:, 1])},
            ),
        ),
        lanes=(Lanes("The lists, as far as ROCₙ reads them", _two(), "rank", ("n",), errors=True),),
        charts=(
            Chart(
                "Share of relevant records found before each error",
                _curves(
                    dict(zip("AB", curves.own, strict=True)),
                    n,
                    "n, errors",
                    areas=[_nothing(layer) for _, _, layer in shaded.values()],
                    mark=True,
                ),
                "At n = {n} the mean height of the curve of A is {own_a}, of B {own_b}.",
                {**shaded, "line": ("n", "at", _rule(n))},
            ),
        ),
        explorer=FIGURE4,
    )


def _predict() -> Scene:
    lists = two_lists()
    both, curves = numbers.pair(lists), numbers.curves(lists)
    seen = numbers.read_until(numbers.merged(lists), N)
    errors = np.arange(1, 101)
    drawn = {
        "A": curves.own[0][:100],
        "B": curves.own[1][:100],
        "mean of own": np.full(100, np.mean(both.own)),
        "merged": curves.pooled[:100],
    }
    area = _area("area merged", curves.pooled[:N], COLOR["merged"])
    later = {
        "mean of own": f"mean of own {np.mean(both.own):.3f}",
        "merged": f"merged {both.pooled:.3f}",
    }
    return Scene(
        "predict",
        1.5,
        ("Predict pooled ROC₅₀: place the marker, then press Reveal.",),
        {
            "n_relevant": N_RELEVANT,
            "own_a": f"{both.own[0]:.3f}",
            "own_b": f"{both.own[1]:.3f}",
            "pooled": f"{both.pooled:.3f}",
            "seen": sum(seen.relevant_of),
            "mean_own": f"{np.mean(both.own):.3f}",
        },
        asks=(
            Ask(
                "pooled",
                "Pooled ROC₅₀, your prediction",
                both.pooled,
                marks=[(f"{name} alone", own) for name, own in zip("AB", both.own, strict=True)],
                name="pooled",
            ),
        ),
        lanes=(
            Lanes(
                "The lists merge by E-value",
                _two(),
                "merging",
                order=_order(lists),
            ),
        ),
        charts=(
            Chart(
                "Share of relevant records found before each error",
                _curves(drawn, errors, "errors read", areas=[area], at=N, later=later),
                "Left of error 50 the mean height of A is {own_a}, of B {own_b}.",
                known=("area merged", "name later", *(f"curve {name}" for name in later)),
            ),
        ),
        explorer=FIGURE4,
    )


def _merge() -> Scene:
    lists = two_lists()
    pool, curves = numbers.merged(lists), numbers.curves(lists)
    f = np.arange(1, DRAWN_ERRORS + 1)
    seen = [numbers.read_until(pool, int(at)) for at in f]
    merged, alone = curves.pooled[: f.size], curves.own[1][: f.size]
    meeting = numbers.crossing(curves)
    early = seen[N - 1]
    drawn = {"A": curves.own[0][: f.size], "B": alone, "merged": merged}
    return Scene(
        "merge",
        2,
        ("", "Press Play, or move f by hand, until the merged curve reaches B’s."),
        {
            "early": early.records,
            "early_a": early.of[0],
            "meeting": meeting,
            "late_a": seen[meeting - 1].relevant_of[0],
        },
        controls=(
            _whole(
                "f",
                "f, errors read so far",
                f.size,
                stops=(1, 50, meeting - 1, meeting, f.size),
                goal=meeting - 1,
                play=True,
            ),
        ),
        tables=(
            Table(
                ("f",),
                {
                    "f": _counts(f),
                    "records": _counts([one.records for one in seen]),
                    "of_a": _counts([one.of[0] for one in seen]),
                    "of_b": _counts([one.of[1] for one in seen]),
                    "merged": _three(merged),
                    "alone": _three(alone),
                    "side": [
                        "below" if a < b else "not below"
                        for a, b in zip(merged, alone, strict=True)
                    ],
                },
            ),
        ),
        lanes=(
            Lanes(
                "The merged list, best E-value first; each record in the lane of its list",
                _two(),
                "merged",
                ("f",),
                errors=True,
                order=_order(lists),
                magnified=True,
            ),
        ),
        charts=(
            Chart(
                "Share of relevant records found before each error",
                _curves(drawn, f, "errors read", mark=True, unnamed=("merged",)),
                "Before error {f}: merged {merged}, B by itself {alone}.",
                {
                    "curve merged": ("f", "upto", _line("merged", f, merged)),
                    "line": ("f", "at", _rule(f)),
                    "name merged": ("f", "at", _moving_name("merged", f, merged)),
                },
                height=240,
            ),
        ),
        check=Check(
            "Why is nothing of A in pooled ROC₅₀?",
            (
                (
                    "A has too few relevant records",
                    False,
                    (
                        "No. A has 467 before its first error. They come too late in the merged "
                        "list to be counted."
                    ),
                ),
                (
                    "B’s first 50 errors have smaller E-values than A’s first record",
                    True,
                    (
                        "Yes. The merged list is read by E-value up to its 50th error. B has "
                        "errors at 1e-134 and below, before A’s first record: they use up all 50."
                    ),
                ),
                (
                    "A’s list has the errors",
                    False,
                    "No. A’s first error is at 0.01. All of the first 50 are B’s.",
                ),
            ),
        ),
        explorer=FIGURE4,
    )


def _scale() -> Scene:
    c = np.linspace(1, 0.02, 99).round(2)
    results = [numbers.recalibrated(float(at)) for at in c]
    values = {
        "pooled": [one.pooled for one in results],
        "mean of own": [one.mean_own for one in results],
        "B’s own": [one.own for one in results],
        "TAP of B": [one.tap for one in results],
    }
    slots = {"pooled": "pooled", "mean of own": "mean_own", "B’s own": "own_b", "TAP of B": "tap_b"}
    x = np.arange(c.size, dtype=np.float64)
    ticks = {float(np.flatnonzero(c == at)[0]): f"{at:g}" for at in (1, 0.8, 0.6, 0.4, 0.2, 0.02)}
    return Scene(
        "scale",
        1.5,
        (
            "Predict the pooled ROC₅₀ that you would see at c = 0.02, then press Reveal.",
            "Move c from 1 to 0.5 and on to 0.02.",
        ),
        {"first": f"{values['pooled'][0]:.3f}", "last": f"{values['pooled'][-1]:.3f}"},
        asks=(
            Ask(
                "scale",
                "Pooled ROC₅₀ at c = 0.02, your prediction",
                values["pooled"][-1],
                marks=[("at c = 1", values["pooled"][0])],
                name="at c = 0.02",
            ),
        ),
        controls=(
            Control("c", "c", [f"{at:.2f}" for at in c], stops=(0, 50, 98), goal=98, play=True),
        ),
        tables=(
            Table(
                ("c",),
                {"c": [f"{at:.2f}" for at in c]}
                | {slots[name]: _three(value) for name, value in values.items()},
            ),
        ),
        lanes=(
            Lanes(
                "The records at their E-values",
                _two(),
                "exponent",
                ("c",),
                scale=c.tolist(),
            ),
        ),
        charts=(_scores("Scores as c goes down", values, x, "c", "c", ticks, slots),),
        explorer=FIGURE4,
    )


def _add() -> Scene:
    copies = np.arange(1, 100)
    results = [numbers.added(int(m)) for m in copies]
    values = {
        "mean of own": [one.mean_roc_n for one in results],
        "mean TAP": [one.mean_tap for one in results],
        "pooled": [one.pooled for one in results],
    }
    slots = {"mean of own": "mean_own", "mean TAP": "mean_tap", "pooled": "pooled"}
    many = results[MANY - 1]
    return Scene(
        "add",
        1.5,
        (
            "Predict pooled ROC₅₀ of 49 good lists and the bad one, then press Reveal.",
            "Add good lists: 4, 9, then 49.",
        ),
        {
            "many_pooled": f"{many.pooled:.3f}",
            "many_own": f"{many.mean_roc_n:.3f}",
            "many_tap": f"{many.mean_tap:.3f}",
        },
        asks=(
            Ask(
                "added",
                "Pooled ROC₅₀ with 49 good lists, your prediction",
                many.pooled,
                marks=[("with one", results[0].pooled)],
                name="with 49",
            ),
        ),
        controls=(
            _whole("copies", "lists like A", 99, stops=(1, 4, 9, MANY), goal=MANY - 1, play=True),
        ),
        tables=(
            Table(
                ("copies",),
                {"copies": _counts(copies)}
                | {slots[name]: _three(value) for name, value in values.items()},
            ),
        ),
        charts=(
            _scores(
                "Scores as good lists are added",
                values,
                copies.astype(np.float64),
                "lists like A beside the one like B",
                "copies",
                {float(at): str(at) for at in (1, 20, 40, 60, 80, 99)},
                slots,
            ),
        ),
        extra={"kind": "squares", "control": "copies", "label": "{copies} lists like A, 1 like B"},
        check=Check(
            "Ten perfect lists are added whose records all have smaller E-values than B’s errors. "
            "Pooled ROC₅₀",
            (
                (
                    "goes up",
                    True,
                    (
                        "Yes: now they come before B’s errors, so they are counted. Whether a "
                        "good list counts depends on the scale of its E-values."
                    ),
                ),
                (
                    "goes down",
                    False,
                    (
                        "No: it went down because A’s records came after B’s errors. These come "
                        "before them, are counted, and it goes up."
                    ),
                ),
                (
                    "stays",
                    False,
                    "No: relevant records before the first 50 errors are counted; it goes up.",
                ),
            ),
        ),
    )


def _build() -> Scene:
    exponents = np.array([*range(-180, 1), np.log10(E0), 1.0])
    thresholds = np.array([*(10.0**x for x in range(-180, 1)), E0, 10.0])
    lists = two_lists()
    at = [tap(lists, float(e0)) for e0 in thresholds]
    ranked = {
        name: [ranked_list(lists, q, float(e0)) for e0 in thresholds] for q, name in enumerate("AB")
    }
    groups = np.arange(1, 100)
    # The lists like A are equal: the mean of all is that of the two, weighted.
    own = np.array([one.per_query for one in at])
    group_tap = (own[:, :1] * groups + own[:, 1:]) / (groups + 1)
    pooled = [numbers.between_pooled(two_lists(copies=int(m))) for m in groups]
    tries = numbers.random_tries(REAL_GROUPS, 0)
    terms = {
        f"{slot}_{name.lower()}": texts
        for name, ones in ranked.items()
        for slot, texts in {
            "found": _counts([one.n_found for one in ones]),
            "wrong": _counts([one.n_retrieved - one.n_found for one in ones]),
            "sum": [f"{one.summed:.2f}" for one in ones],
            "sentinel": _three([one.sentinel for one in ones]),
            "tap": _three([one.tap for one in ones]),
        }.items()
    }
    e0_texts = [brief(float(e0)) for e0 in thresholds]
    rows = [
        [
            f"list {name}",
            *(f"{{{slot}_{name.lower()}}}" for slot in ("found", "wrong", "sum", "sentinel")),
            f"({{sum_{name.lower()}}} + {{sentinel_{name.lower()}}}) / {N_RELEVANT + 1}",
            f"{{tap_{name.lower()}}}",
        ]
        for name in "AB"
    ]
    return Scene(
        "build",
        2,
        (
            (
                "Move E₀. Then predict: of 200 groups of real queries, in how many is a score "
                "outside the range of its queries’ own?"
            ),
        ),
        {
            "tries": tries.tries,
            "outside_tap": tries.tap,
            "outside_pooled": tries.pooled,
        },
        asks=(
            Ask("outside_tap", "mean TAP outside, of 200 groups", tries.tap, high=200, step=1),
            Ask(
                "outside_pooled",
                "pooled ROC₅₀ outside, of 200 groups",
                tries.pooled,
                high=200,
                step=1,
            ),
        ),
        controls=(
            Control("e0", "E₀, threshold", e0_texts, start=80, stops=(80, 160, 181)),
            _whole("group", "lists like A in the group", 99, stops=(1, 9, 49), asked=False),
        ),
        tables=(
            Table(("e0",), {"e0": e0_texts, "tap_mean": _three([one.value for one in at])} | terms),
            Table(
                ("group",),
                {
                    "group": _counts(groups),
                    "group_pooled": _three([one.value for one in pooled]),
                    "group_own": _three([numbers.added(int(m)).mean_roc_n for m in groups]),
                    "group_side": ["between" if one.inside else "not between" for one in pooled],
                },
            ),
            Table(("e0", "group"), {"group_tap": _three(group_tap.ravel())}),
        ),
        lanes=(
            Lanes(
                "One threshold E₀ for both lists",
                _two(),
                "exponent",
                ("e0",),
                line=exponents.tolist(),
            ),
        ),
        extra={
            "kind": "rows",
            "caption": "TAP = (sum of the precisions at the relevant records up to E₀ + sentinel) "
            "/ (T + 1), at E₀ = {e0}",
            "heads": [
                "",
                "relevant",
                "errors",
                "sum",
                "sentinel",
                "(sum + sentinel) / (T + 1)",
                "TAP",
            ],
            "rows": [*rows, ["mean", "", "", "", "", "", "{tap_mean}"]],
            "always": True,
        },
        moves_first=True,
        explorer=f"?dataset=figure4&view=roc&mode=e0&e0={E0}",
    )


def _errors() -> Scene:
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
                "n_queries", "queries", _counts(queries), start=18, stops=(6, 12, 18), asked=False
            ),
            Control(
                "n_errors",
                "errors of one of them",
                _counts(errors),
                start=20,
                stops=(5, 11, 20),
                asked=False,
            ),
        ),
        tables=(
            Table(("n_queries",), {"n_queries": _counts(queries)}),
            Table(("n_errors",), {"n_errors": _counts(errors)}),
            Table(
                ("n_queries", "n_errors"),
                {
                    "mean": [_mean_text(one.mean) for one in cells],
                    "median": _counts([one.median for one in cells]),
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


def _loose() -> Scene:
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
        f"at {name}": ("sweep", "at", _marks(f"at {name}", x, taps[name], styles[name].color))
        for name in SEARCHES
    }
    end = float(np.asarray(axis.position(STRICT)))
    seen = tuple(layer for layer in picture.layers if layer.name not in ("threshold", "line"))
    picture = Picture(
        (*seen, *(_nothing(layer) for _, _, layer in marks.values())), picture.x, picture.y
    )
    e_texts = [brief(float(e)) for e in thresholds]
    columns = {"sweep": e_texts}
    rows = []
    for q, name in enumerate(SEARCHES):
        columns[f"tap_{q}"], columns[f"found_{q}"] = _three(taps[name]), _three(recall[name])
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
                    layer.name: _until(layer, end)
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
        check=Check(
            "You compare two programs. What do you report?",
            (
                (
                    "pooled ROC₅₀",
                    False,
                    (
                        "No. A few queries may supply all its errors, and it may lie outside the "
                        "range of the queries’ own."
                    ),
                ),
                (
                    "TAP-k and Eₖ of each",
                    True,
                    (
                        "Yes. Each at the threshold where its median user has k errors, and every "
                        "query counts alike. Say k and Eₖ."
                    ),
                ),
                (
                    "the peak of TAP of each",
                    False,
                    (
                        "No. The peak was found with the answers at hand. No user knows that "
                        "threshold."
                    ),
                ),
            ),
        ),
        explorer="?view=roc&mode=e0&e0=0.2",
    )


def _real() -> Scene:
    lists = numbers.real_pair()
    both = numbers.pair(lists)
    pool = numbers.merged(lists)
    seen = numbers.read_until(pool, N)
    at = tap(lists, numbers.bundled_tap(CLOSELY).e0)
    names = lists.query.tolist()
    classes = [""] * len(names) if lists.query_class is None else list(lists.query_class)
    of = [int(np.flatnonzero(lists.query == name)[0]) for name in numbers.PAIR]
    constants: dict[str, Any] = {
        "real_queries": numbers.bundled_lists().n_queries,
        "pooled": f"{both.pooled:.3f}",
        "mean_own": f"{np.mean(both.own):.3f}",
        "e20": brief(at.e0),
        "tap_mean": f"{at.value:.3f}",
        "caveat": CAVEAT,
    }
    for place, q in enumerate(of, 1):
        constants |= {
            f"name_{place}": names[q],
            f"class_{place}": classes[q],
            f"own_{place}": f"{both.own[q]:.3f}",
            f"errors_{place}": seen.of[q] - seen.relevant_of[q],
            f"found_{place}": seen.relevant_of[q],
            f"total_{place}": int(lists.n_relevant[q]),
            f"tap_{place}": f"{at.per_query[q]:.3f}",
        }
    return Scene(
        "real",
        1.5,
        ("Predict pooled ROC₅₀: place the marker, then press Reveal.",),
        constants,
        asks=(
            Ask(
                "real",
                "Pooled ROC₅₀ of the two queries, your prediction",
                both.pooled,
                marks=[(f"{name} alone", own) for name, own in zip(names, both.own, strict=True)],
                name="pooled",
            ),
        ),
        controls=(_whole("real_at", "record of the merged list", pool.query.size, asked=False),),
        lanes=(
            Lanes(
                "The two lists, and once you have predicted, merged by E-value",
                _lists(lists),
                "merging",
                ("real_at",),
                order=_order(lists),
                magnified=True,
            ),
        ),
        explorer=f"?view=violations&focus_algorithm={CLOSELY}",
    )


def _influence() -> Scene:
    found, lists = numbers.left_out(), numbers.bundled_lists()
    ids = found.query.tolist()
    suppliers = numbers.suppliers(found)
    row = numbers.dominant(found)
    other = numbers.left_out("PSI-BLAST")
    same = numbers.dominant(other)
    classes = lists.query_class
    assert classes is not None  # noqa: S101  # the bundled data has classes

    def about(q: int) -> str:
        return f"{ids[q]}, class {classes[q]}, T = {lists.n_relevant[q]}"

    rows = []
    for q in suppliers:
        pooled = found.pooled_change[q] / found.pooled_roc_n
        change = found.tap_change[q] / found.tap
        rows.append(
            [
                ids[q],
                str(classes[q]),
                f"{found.supplied[q]:g} of {N}",
                _percent(pooled),
                _percent(change, 3),
            ]
        )
    return Scene(
        "influence",
        1.5,
        ("Choose the query that you think moves the pooled score most, then press Reveal.",),
        {
            "real_queries": found.query.size,
            "pooled": f"{found.pooled_roc_n:.3f}",
            "tap": f"{found.tap:.3f}",
            "suppliers": len(suppliers),
            "dominant": ids[row],
            "supplied": f"{found.supplied[row]:g}",
            "pooled_change": _percent(found.pooled_change[row] / found.pooled_roc_n),
            "tap_change": _percent(found.tap_change[row] / found.tap, 3),
            "other": other.query[same],
            "other_supplied": f"{other.supplied[same]:.1f}",
            "other_pooled": _percent(other.pooled_change[same] / other.pooled_roc_n),
            "other_tap": _percent(other.tap_change[same] / other.tap, 3),
            "caveat": CAVEAT,
        },
        asks=(
            Ask(
                "dominant",
                "The query that matters most",
                ids[row],
                {ids[q]: about(q) for q in suppliers},
            ),
        ),
        extra={
            "kind": "rows",
            "caption": "Change of the score without the query",
            "heads": ["left out", "class", "pooled errors", "pooled ROC₅₀", "TAP-20"],
            "rows": rows,
            "mark": suppliers.index(row),
        },
        explorer=f"?view=influence&focus_algorithm={CLOSELY}",
    )


# --- pieces -------------------------------------------------------------------------------------


def _whole(name: str, label: str, last: int, **options: Any) -> Control:
    """Control of a whole number from 1; its stops are such numbers."""
    stops = [stop - 1 for stop in options.pop("stops", ())]
    return Control(name, label, _counts(np.arange(1, last + 1)), stops=stops, **options)


def _counts(values: ArrayLike) -> list[str]:
    return [f"{value:,.0f}" for value in np.asarray(values).tolist()]


def _three(values: ArrayLike) -> list[str]:
    return [f"{value:.3f}" for value in np.asarray(values, np.float64).tolist()]


def _mean_text(value: float) -> str:
    """Errors per query: a mean of few errors in many queries keeps two digits."""
    return f"{value:,.1f}" if value >= 1 or value == 0 else f"{value:.2g}"


def _percent(value: float, digits: int = 2) -> str:
    return f"{100 * value:+.{digits}f} %".replace("-", "−")


def _letters(parts: tuple[tuple[str, int, float, float], ...]) -> NDArray[np.str_]:
    return np.repeat([kind for kind, *_ in parts], [n for _, n, *_ in parts])


@cache
def _bundled() -> PlotData:
    """What the explorer's own plots of the bundled data are made of."""
    results = {name: numbers.bundled_lists(name) for name in SEARCHES}
    return PlotData(
        Explorer(results, shown=list(SEARCHES), mode=BY_E_VALUE, e0=LOOSE, focus_algorithm=CLOSELY)
    )


def _two() -> list[dict[str, Any]]:
    return _lists(two_lists())


def _lists(lists: RetrievalLists) -> list[dict[str, Any]]:
    """Records of each list: R or I, the E-value as text and its exponent, and the id if any."""
    found = []
    for q, name in enumerate(lists.query.tolist()):
        records = slice(int(lists.offset[q]), int(lists.offset[q + 1]))
        score = lists.score[records]
        with np.errstate(divide="ignore"):
            exponent = np.maximum(np.log10(score), -330)
        one = {
            "name": name,
            "records": "".join("R" if right else "I" for right in lists.relevant[records]),
            "e": [brief(float(value)) for value in score],
            "exponent": exponent.round(2).tolist(),
        }
        if lists.record is not None:
            one["id"] = lists.record[records].tolist()
        found.append(one)
    return found


def _order(lists: RetrievalLists) -> str:
    return "".join(map(str, numbers.merged(lists).query.tolist()))


def _line(name: str, x: ArrayLike, y: ArrayLike) -> Layer:
    columns = {"x": np.asarray(x, np.float64), "y": np.asarray(y, np.float64)}
    width = 3.0 if name in ("merged", "pooled") else 2.0
    return line(f"curve {name}", columns, COLOR[name], dash=DASH.get(name, ()), width=width)


def _rule(x: ArrayLike) -> Layer:
    """Upright lines, one for each place."""
    at = np.asarray(x, np.float64)
    corners = {"x0": at, "y0": np.zeros(at.size), "x1": at, "y1": np.ones(at.size)}
    return boxes("line", corners, INK, line_width=1.5)


def _area(name: str, heights: ArrayLike, color: str) -> Layer:
    """The area below a curve, in strips as wide as an error."""
    y = np.asarray(heights, np.float64)
    x = np.arange(1, y.size + 1, dtype=np.float64)
    corners = {"x0": x - 1, "y0": np.zeros(y.size), "x1": x, "y1": y}
    return boxes(name, corners, color, fill_alpha=0.13, line_alpha=0)


def _moving_name(name: str, x: ArrayLike, y: ArrayLike) -> Layer:
    """Name of a curve beside its present end, for each place; below it where there is room."""
    at, heights = np.asarray(x, np.float64), np.asarray(y, np.float64)
    below = (heights > 0.15) & (heights < 0.5)  # noqa: PLR2004  # lower is the axis, higher B's name
    places = np.where(below, heights - 0.07, heights + 0.06)
    names = label_columns(
        (at + 3).tolist(), places.tolist(), [name] * at.size, [COLOR[name]] * at.size, 28
    )
    return texts(f"name {name}", names)


def _marks(name: str, x: ArrayLike, y: ArrayLike, color: str) -> Layer:
    at = np.asarray(x, np.float64)
    return points(
        name, mark_columns(at.tolist(), np.asarray(y).tolist(), [color] * at.size), size=10
    )


def _nothing(layer: Layer) -> Layer:
    """The layer without items."""
    return Layer(
        layer.name,
        layer.kind,
        {key: values[:0] for key, values in layer.columns.items()},
        layer.style,
    )


def _until(layer: Layer, end: float) -> Layer:
    """The items of a line up to a place."""
    keep = layer.columns["x"] <= end
    columns = {key: values[keep] for key, values in layer.columns.items()}
    return Layer(layer.name, layer.kind, columns, layer.style)


def _names(ends: Mapping[str, float], x: float, gap: float = NAME_GAP * 1.2) -> Layer:
    heights = spread(list(ends.values()), gap, 0.02, 0.98)
    colors = [COLOR[name] for name in ends]
    return texts("name", label_columns([x] * len(ends), heights, list(ends), colors, 28))


def _curves(
    curves: Mapping[str, NDArray[np.float64]],
    x: NDArray[Any],
    xlabel: str,
    *,
    areas: Sequence[Layer] = (),
    mark: bool = False,
    at: int | None = None,
    later: Mapping[str, str] | None = None,
    unnamed: Sequence[str] = (),
) -> Picture:
    """Share of relevant records found before each error.

    `at` draws a line with its label; `later` are the names of curves that come with the answer.
    """
    layers = list(areas)
    if mark:
        layers.append(_nothing(_rule(x)))
    layers += [_line(name, x, y) for name, y in curves.items()]
    layers += [_nothing(_moving_name(name, x, curves[name])) for name in unnamed]
    last, later = float(x[-1]), dict(later or {})
    ends = {name: float(y[-1]) for name, y in curves.items() if name not in unnamed}
    heights = dict(zip(ends, spread(list(ends.values()), NAME_GAP * 1.2, 0.02, 0.98), strict=True))
    for layer, names in (
        ("name", {name: name for name in ends if name not in later}),
        ("name later", later),
    ):
        if names:
            columns = label_columns(
                [last * 1.012] * len(names),
                [heights[name] for name in names],
                list(names.values()),
                [COLOR[name] for name in names],
                28,
            )
            layers.append(texts(layer, columns))
    if at:
        rule = {"x": np.array([at, at], np.float64), "y": np.array([0.0, 1.0])}
        layers.append(line("line", rule, INK))
        label = label_columns([at * 1.03], [0.9], [f"n = {at}"], [INK], 28)
        layers.append(texts("label", label))
    step = 50 if last <= DRAWN_ERRORS else 100
    step = 25 if last <= 100 else step  # noqa: PLR2004
    ticks = {1.0: "1"} | {float(t): str(t) for t in range(step, int(last) + 1, step)}
    return Picture(
        tuple(layers),
        Axis(xlabel, 0.0, last * 1.16, ticks=ticks),
        Axis(
            "share of relevant records found",
            0.0,
            1.03,
            ticks={t / 5: f"{t / 5:g}" for t in range(6)},
        ),
        font_size=13,
    )


def _scores(
    title: str,
    values: Mapping[str, Sequence[float]],
    x: NDArray[np.float64],
    xlabel: str,
    control: str,
    ticks: Mapping[float, str],
    slots: Mapping[str, str],
) -> Chart:
    """Scores against a control, with a dot where it is."""
    lines = [_line(name, x, y) for name, y in values.items()]
    dots = {f"at {name}": _marks(f"at {name}", x, y, COLOR[name]) for name, y in values.items()}
    low, high = float(x[0]), float(x[-1])
    picture = Picture(
        (
            *lines,
            *(_nothing(dot) for dot in dots.values()),
            _names({name: y[-1] for name, y in values.items()}, high + 0.012 * (high - low)),
        ),
        Axis(xlabel, low - 0.01 * (high - low), high + 0.22 * (high - low), ticks=ticks),
        Axis("score", 0.0, 1.03, ticks={t / 5: f"{t / 5:g}" for t in range(6)}),
        font_size=13,
    )
    said = ", ".join(f"{name} {{{slots[name]}}}" for name in values)
    return Chart(
        title,
        picture,
        f"{xlabel[0].upper()}{xlabel[1:]}: {{{control}}}. {said[0].upper()}{said[1:]}.",
        {name: (control, "at", dot) for name, dot in dots.items()},
        known=tuple(layer.name for layer in picture.layers),
        height=340,
    )


def chart_data(chart: Chart) -> dict[str, Any]:
    """A chart as values that JSON has, for `draw` of ``browser.js``."""
    picture = chart.picture
    return {
        "title": chart.title,
        "words": chart.words,
        "height": chart.height,
        "picture": picture_data(picture),
        "follows": {
            name: {"control": control, "take": take, "layer": layer_data(layer, picture)}
            for name, (control, take, layer) in chart.follows.items()
        },
        "known": list(chart.known),
        "before": {name: layer_data(layer, picture) for name, layer in chart.before.items()},
    }
