"""Scenes 5 to 7: what a score of many queries ought to keep, and which one does."""

from __future__ import annotations

import numpy as np

from tapviz.draw.style import brief
from tapviz.lesson import numbers
from tapviz.lesson.charts import group_chart, scores_chart
from tapviz.lesson.lists import E0, N_RELEVANT, two_lists
from tapviz.lesson.pieces import FIGURE4, counts, three, two, whole
from tapviz.lesson.scene import Ask, Control, Lanes, Scene, Table
from tapviz.lists.words import count
from tapviz.measures import ranked_list, tap

MANY = 49
"""Good lists beside a bad one that make fifty."""
REAL_GROUPS = 200
"""Groups of real queries that are drawn."""
GOOD_LISTS = "lists like A beside the one like B"
TICKS = {float(at): str(at) for at in (1, 20, 40, 60, 80, 99)}


def scale() -> Scene:
    """Scene 5: E-values of B on another scale."""
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
                | {slots[name]: three(value) for name, value in values.items()},
            ),
        ),
        lanes=(
            Lanes(
                "The records at their E-values",
                two(),
                "exponent",
                ("c",),
                scale=c.tolist(),
            ),
        ),
        charts=(scores_chart("Scores as c goes down", values, x, "c", "c", ticks, slots),),
        explorer=FIGURE4,
    )


def add() -> Scene:
    """Scene 6: more and more good lists beside a bad one."""
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
            whole("copies", "lists like A", 99, stops=(1, 4, 9, MANY), goal=MANY - 1, play=True),
        ),
        tables=(
            Table(
                ("copies",),
                {"copies": counts(copies)}
                | {slots[name]: three(value) for name, value in values.items()},
            ),
        ),
        charts=(
            scores_chart(
                "Scores as good lists are added",
                values,
                copies.astype(np.float64),
                GOOD_LISTS,
                "copies",
                TICKS,
                slots,
            ),
        ),
        extra={"kind": "squares", "control": "copies", "label": "{copies} lists like A, 1 like B"},
    )


def build() -> Scene:
    """Scene 7: TAP term by term, and scores that stay between those of their parts."""
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
    scores = [numbers.added(int(m)) for m in groups]
    low, high = sorted(numbers.pair(lists).own)
    pooled = [numbers.Between(one.pooled, low, high) for one in scores]
    tries = numbers.random_tries(REAL_GROUPS, 0)
    terms = {
        f"{slot}_{name.lower()}": texts
        for name, ones in ranked.items()
        for slot, texts in {
            "found": counts([one.n_found for one in ones]),
            "wrong": counts([one.n_retrieved - one.n_found for one in ones]),
            "sum": [f"{one.summed:.2f}" for one in ones],
            "sentinel": three([one.sentinel for one in ones]),
            "tap": three([one.tap for one in ones]),
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
            whole("group", "lists like A in the group", 99, stops=(1, 9, 49), asked=False),
        ),
        tables=(
            Table(("e0",), {"e0": e0_texts, "tap_mean": three([one.value for one in at])} | terms),
            Table(
                ("group",),
                {
                    "group": counts(groups),
                    "group_lists": [count(int(m), "list") for m in groups],
                    "group_pooled": three([one.value for one in pooled]),
                    "group_own": three([one.mean_roc_n for one in scores]),
                    "group_side": ["between" if one.inside else "not between" for one in pooled],
                },
            ),
            Table(("e0", "group"), {"group_tap": three(group_tap.ravel())}),
        ),
        lanes=(
            Lanes(
                "One threshold E₀ for both lists",
                two(),
                "exponent",
                ("e0",),
                line=exponents.tolist(),
            ),
        ),
        charts=(
            group_chart(
                "Scores of the group, at this E₀",
                {
                    "mean of own": [one.mean_roc_n for one in scores],
                    "pooled": [one.pooled for one in scores],
                },
                "mean TAP",
                group_tap[:, -1],
                GOOD_LISTS,
                ("e0", "group"),
                TICKS,
                {"mean TAP": "group_tap", "mean of own": "group_own", "pooled": "group_pooled"},
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
