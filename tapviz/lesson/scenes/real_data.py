"""Scenes 10 to 12: real queries, and what the reader takes home."""

from __future__ import annotations

from typing import Any

import numpy as np

from tapviz.draw.style import brief
from tapviz.lesson import numbers
from tapviz.lesson.numbers import CLOSELY, N
from tapviz.lesson.pieces import lanes_of, order_of, percent, whole
from tapviz.lesson.scene import Ask, Lanes, Scene
from tapviz.measures import roc_n, tap

CAVEAT = (
    "What is an error here is decided by SCOPe: a record of another fold is one. SCOPe splits some "
    "families that many call related, such as c.2 to c.5; by the rule their hits are errors."
)


def real() -> Scene:
    """Scene 10: two real queries, pooled below both."""
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
        controls=(whole("real_at", "record of the merged list", pool.query.size, asked=False),),
        lanes=(
            Lanes(
                "The two lists, and once you have predicted, merged by E-value",
                lanes_of(lists),
                "merging",
                ("real_at",),
                order=order_of(lists),
                magnified=True,
            ),
        ),
        explorer=f"?view=violations&focus_algorithm={CLOSELY}",
    )


def influence() -> Scene:
    """Scene 11: the one query of all that moves the pooled score most."""
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

    own, tap_k = roc_n(lists, n=N).per_query, numbers.bundled_tap(CLOSELY).per_query
    before = [
        [
            ids[q],
            str(classes[q]),
            f"{lists.n_relevant[q]}",
            f"{lists.offset[q + 1] - lists.offset[q]}",
            f"{own[q]:.3f}",
            f"{tap_k[q]:.3f}",
        ]
        for q in suppliers
    ]
    rows = []
    for q in suppliers:
        pooled = found.pooled_change[q] / found.pooled_roc_n
        change = found.tap_change[q] / found.tap
        rows.append(
            [
                ids[q],
                str(classes[q]),
                f"{found.supplied[q]:g} of {N}",
                percent(pooled),
                percent(change, 3),
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
            "pooled_change": percent(found.pooled_change[row] / found.pooled_roc_n),
            "tap_change": percent(found.tap_change[row] / found.tap, 3),
            "other": other.query[same],
            "other_supplied": f"{other.supplied[same]:.1f}",
            "other_pooled": percent(other.pooled_change[same] / other.pooled_roc_n),
            "other_tap": percent(other.tap_change[same] / other.tap, 3),
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
            "before": {
                "caption": "The queries whose errors are among the first 50 of the merged list, "
                "each by itself",
                "heads": ["query", "class", "T", "records", "own ROC₅₀", "TAP at E₂₀"],
                "rows": before,
            },
        },
        explorer=f"?view=influence&focus_algorithm={CLOSELY}",
    )


def end() -> Scene:
    """Scene 12: what the reader would report, beside all predictions."""
    return Scene(
        "end",
        1.5,
        ("Write one sentence, then press Reveal.", "Save the page, or give your code."),
        asks=(Ask("report", "What would you report?", ""),),
        extra={"kind": "kept"},
        open=True,
    )
