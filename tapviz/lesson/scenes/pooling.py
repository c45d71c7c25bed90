"""Scenes 1 to 4: two lists, each by itself, and then merged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.style import brief
from tapviz.lesson import numbers
from tapviz.lesson.charts import (
    COLOR,
    DRAWN_ERRORS,
    area_below,
    curve_line,
    moving_name,
    nothing,
    shares_found,
    upright,
)
from tapviz.lesson.lists import N_RELEVANT, A, B, two_lists
from tapviz.lesson.numbers import N
from tapviz.lesson.pieces import FIGURE4, counts, order_of, three, two, whole
from tapviz.lesson.scene import Ask, Chart, Follows, Lanes, Scene, Table


def look() -> Scene:
    """Scene 1: the reader looks at both lists and prefers one."""
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
        tables.append(Table((f"{name}_at",), {key: counts(v) for key, v in columns.items()}))
    lists = two()
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
            whole("a_at", "record of list A", 567, stops=(1, 467, 468)),
            whole("b_at", "record of list B", 1010, stops=(1, 94, 95, 375)),
        ),
        tables=tables,
        lanes=(Lanes("The two result lists", lists, "rank", ("a_at", "b_at"), magnified=True),),
        moves_first=True,
        open=True,
    )


def alone() -> Scene:
    """Scene 2: each list by itself, at every n."""
    curves = numbers.curves(two_lists())
    own = [np.cumsum(curve) / np.arange(1, curve.size + 1) for curve in curves.own]
    n = np.arange(1, own[0].size + 1)
    lists = two_lists()
    exact = np.array([numbers.pair(lists, int(at)).own for at in n])
    shaded: Follows = {
        f"area {name}": ("n", "upto", area_below(f"area {name}", curve, COLOR[name]))
        for name, curve in zip("AB", curves.own, strict=True)
    }
    return Scene(
        "alone",
        1,
        ("", "Move n from 1 to 50 and on to 280."),
        {"flat": sum(n for _, n, *_ in B[1:4])},
        controls=(whole("n", "n, errors read of each list", n.size, stops=(1, 50, 280, 300)),),
        tables=(
            Table(
                ("n",),
                {"n": counts(n), "own_a": three(exact[:, 0]), "own_b": three(exact[:, 1])},
            ),
        ),
        lanes=(Lanes("The lists, as far as ROCₙ reads them", two(), "rank", ("n",), errors=True),),
        charts=(
            Chart(
                "Share of relevant records found before each error",
                shares_found(
                    dict(zip("AB", curves.own, strict=True)),
                    n,
                    "n, errors",
                    areas=[nothing(layer) for _, _, layer in shaded.values()],
                    mark=True,
                ),
                "At n = {n} the mean height of the curve of A is {own_a}, of B {own_b}.",
                {**shaded, "line": ("n", "at", upright(n))},
            ),
        ),
        explorer=FIGURE4,
    )


def predict() -> Scene:
    """Scene 3: pooled ROC_50 of the two, predicted."""
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
    area = area_below("area merged", curves.pooled[:N], COLOR["merged"])
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
                two(),
                "merging",
                order=order_of(lists),
            ),
        ),
        charts=(
            Chart(
                "Share of relevant records found before each error",
                shares_found(drawn, errors, "errors read", areas=[area], at=N, later=later),
                "Left of error 50 the mean height of A is {own_a}, of B {own_b}.",
                known=("area merged", "name later", *(f"curve {name}" for name in later)),
            ),
        ),
        explorer=FIGURE4,
    )


def merge() -> Scene:
    """Scene 4: the merged list, read error by error."""
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
            "first_a": A[0][1] + A[1][1],
            "fiftieth": brief(10.0 ** B[1][3]),
            "first_error": brief(10.0 ** A[2][2]),
            "early": early.records,
            "early_a": early.of[0],
            "meeting": meeting,
            "late_a": seen[meeting - 1].relevant_of[0],
        },
        controls=(
            whole(
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
                    "f": counts(f),
                    "records": counts([one.records for one in seen]),
                    "of_a": counts([one.of[0] for one in seen]),
                    "of_b": counts([one.of[1] for one in seen]),
                    "merged": three(merged),
                    "alone": three(alone),
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
                two(),
                "merged",
                ("f",),
                errors=True,
                order=order_of(lists),
                magnified=True,
            ),
        ),
        charts=(
            Chart(
                "Share of relevant records found before each error",
                shares_found(drawn, f, "errors read", mark=True, unnamed=("merged",)),
                "Before error {f}: merged {merged}, B by itself {alone}.",
                {
                    "curve merged": ("f", "upto", curve_line("merged", f, merged)),
                    "line": ("f", "at", upright(f)),
                    "name merged": ("f", "at", moving_name("merged", f, merged)),
                },
                height=240,
            ),
        ),
        explorer=FIGURE4,
    )


def _letters(parts: tuple[tuple[str, int, float, float], ...]) -> NDArray[np.str_]:
    return np.repeat([kind for kind, *_ in parts], [n for _, n, *_ in parts])
