"""Retrieval lists as barcodes: each record a bar, up if relevant, down if irrelevant."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tapviz.draw.picture import Axis, Picture, boxes, line, segments, texts
from tapviz.draw.style import GHOST, INK, brief
from tapviz.plots.columns import Columns

RELEVANT, IRRELEVANT = "#0072B2", "#C04A00"
"""Blue and vermillion; also readable as letters on white."""
RANGE = 20
"""Records that a lens shows on either side of the present one."""
LANE, LENS = 3.0, 3.4
"""Heights of a lane of bars, and of a lens, in heights of a bar."""

LETTERS = "'DejaVu Sans Mono', Menlo, Consolas, monospace"
"""A font whose I is no mere bar."""


class Lane(NamedTuple):
    """A list: a bar for each record, N of them."""

    name: str
    x: NDArray[np.float64]
    """Where each record is drawn, ascending, shape (N,)."""
    relevant: NDArray[np.bool_]
    shown: int | None = None
    """How many of the records are there yet; all if None."""
    half: float = 0.5
    """Half the width of a bar."""
    gap: float = 1.5
    """Neighbours further apart than this leave room for others between them."""


class Lens(NamedTuple):
    """Some records of a list, magnified until each can be seen alone."""

    x: NDArray[np.float64]
    """Where each record is drawn in the lanes above, shape (N,)."""
    relevant: NDArray[np.bool_]
    score: NDArray[np.float64]
    at: int
    """Number of the present record, from 1."""
    of: NDArray[np.str_] | None = None
    """Name of the list each record comes from, where there are several."""
    shown: int | None = None
    record: NDArray[np.object_] | None = None
    """Ids of the records, where there are any."""


def columns(
    rows: Sequence[Lane | Lens], view: tuple[float, float], line: float | None = None
) -> Columns:
    """Layers of the picture.

    Parameters
    ----------
    rows : sequence of Lane or Lens
        From top to bottom. A lens marks what it shows on the lanes between it and the lens before.
    view : tuple of float
        Limits of the axis of the records.
    line : float, optional
        Where a threshold crosses all lanes.

    Returns
    -------
    Columns
        "relevant", "irrelevant" (x0, y0, x1, y1): bars of the lanes; those of neighbours of one
        kind are one box. "record relevant", "record irrelevant" (x0, y0, x1, y1, text): those
        of the lenses, one each. "letter" (x, y, text, color): R or I, and the list's name below
        it. "name" (x, y, text, color). "middle" and "line" (x, y), "window" (x0, y0, x1, y1) and
        "ray" (x0, y0, x1, y1): what a lens shows. "cursor" (x0, y0, x1, y1): the present record.
        "view".
    """
    top = 0.0
    made = _Layers(view)
    lanes: list[float] = []
    crossed: list[float] = []
    for row in rows:
        if isinstance(row, Lane):
            middle = top - LANE / 2 - 0.35
            made.lane(row, middle)
            lanes.append(middle)
            if line is not None:
                crossed += [middle - 1.1, middle + 1.1, np.nan]
            top -= LANE
        else:
            made.lens(row, top - LENS / 2 - 0.1, lanes)
            lanes = []
            top -= LENS
    x = np.full(len(crossed), np.nan if line is None else line)
    return made.columns() | {
        "line": {"x": x, "y": np.array(crossed, np.float64)},
        "view": {"x": np.array(view), "y": np.array([top, 0.0])},
    }


def text(rows: Sequence[Lane | Lens]) -> str:
    """The picture in words: each lane, and the record that each lens looks at."""
    sentences = []
    for row in rows:
        if isinstance(row, Lane):
            shown = row.relevant[: row.shown]
            found = int(shown.sum())
            sentences.append(f"{row.name}: {found:,} relevant, {shown.size - found:,} irrelevant.")
        else:
            sentences.append(f"Present record: {describe(row, row.at - 1)}.")
    return " ".join(sentences)


def describe(lens: Lens, record: int) -> str:
    """A record of a lens, by its place from 0: its number, what it is, its E-value."""
    kind = "relevant" if lens.relevant[record] else "irrelevant"
    of = f", list {lens.of[record]}" if lens.of is not None else ""
    name = f" ({lens.record[record]})" if lens.record is not None else ""
    return f"record {record + 1:,}{name}{of}, {kind}, E = {brief(float(lens.score[record]))}"


def picture(columns: Columns, *, xlabel: str = "rank") -> Picture:
    """Picture of the layers."""
    return Picture(
        (
            line("middle", columns["middle"], GHOST),
            boxes("window", columns["window"], "#F1EFE6", line_color="#8A8A8A"),
            segments("ray", columns["ray"], "#8A8A8A"),
            boxes("relevant", columns["relevant"], RELEVANT),
            boxes("irrelevant", columns["irrelevant"], IRRELEVANT),
            *(
                boxes(
                    f"record {kind}",
                    columns[f"record {kind}"],
                    color,
                    line_color="white",
                    tooltip="@text{safe}",
                )
                for kind, color in (("relevant", RELEVANT), ("irrelevant", IRRELEVANT))
            ),
            boxes("cursor", columns["cursor"], fill_alpha=0, line_color=INK, line_width=2),
            line("line", columns["line"], INK, width=2),
            texts("letter", columns["letter"], align="center", font=LETTERS),
            texts("name", columns["name"]),
        ),
        Axis(xlabel, *columns["view"]["x"].tolist()),
        Axis("", *columns["view"]["y"].tolist(), visible=False),
        left=16,
        font_size=13,
        grid=False,
    )


class _Layers:
    """Collects what the rows draw."""

    def __init__(self, view: tuple[float, float]) -> None:
        self.left, self.width = view[0], view[1] - view[0]
        self.boxes: dict[str, list[tuple[Any, ...]]] = {
            name: []
            for name in (
                "relevant",
                "irrelevant",
                "record relevant",
                "record irrelevant",
                "window",
                "ray",
                "cursor",
            )
        }
        self.texts: dict[str, list[tuple[float, float, str, str]]] = {"letter": [], "name": []}
        self.middles: list[float] = []

    def lane(self, lane: Lane, middle: float) -> None:
        x, relevant = lane.x[: lane.shown], lane.relevant[: lane.shown]
        self.middles.append(middle)
        self.texts["name"].append((self.left + 0.004 * self.width, middle + 1.4, lane.name, INK))
        half = lane.half
        if not x.size:
            return
        # Neighbours of one kind, without room for another record between them, are one box.
        ends = np.flatnonzero((relevant[1:] != relevant[:-1]) | (np.diff(x) > lane.gap))
        first, last = np.append(0, ends + 1), np.append(ends, x.size - 1)
        for start, stop in zip(first, last, strict=True):
            kind, height = ("relevant", 0.95) if relevant[start] else ("irrelevant", -0.95)
            corners = (x[start] - half, middle, x[stop] + half, middle + height)
            self.boxes[kind].append(corners)

    def lens(self, lens: Lens, middle: float, lanes: list[float]) -> None:
        size = lens.x.size if lens.shown is None else lens.shown
        count = min(2 * RANGE + 1, lens.x.size)
        start = int(np.clip(lens.at - 1 - RANGE, 0, lens.x.size - count))
        width = self.width / (2 * RANGE + 1)
        stop = min(start + count, size)
        for place, record in enumerate(range(start, stop)):
            left = self.left + place * width
            right = bool(lens.relevant[record])
            end = middle + (0.95 if right else -0.95)
            self.boxes["record relevant" if right else "record irrelevant"].append(
                (
                    left + 0.1 * width,
                    middle,
                    left + 0.9 * width,
                    end,
                    html.escape(describe(lens, record)),
                )
            )
            color = RELEVANT if right else IRRELEVANT
            letter = (left + width / 2, middle + (1.25 if right else -1.3))
            self.texts["letter"].append((*letter, "R" if right else "I", color))
            if lens.of is not None:
                below = middle + (-0.35 if right else 0.35)
                self.texts["letter"].append((letter[0], below, str(lens.of[record]), INK))
            if record == lens.at - 1:
                self.boxes["cursor"].append((left, middle - 1.0, left + width, middle + 1.0))
        self.middles.append(middle)
        if stop <= start:
            return
        x0, x1 = float(lens.x[start]), float(lens.x[stop - 1])
        x0, x1 = x0 - 0.002 * self.width, x1 + 0.002 * self.width
        for height in lanes:
            self.boxes["window"].append((x0, height - 1.05, x1, height + 1.05))
        if lanes:
            bottom, edge = lanes[-1] - 1.05, self.left + (stop - start) * width
            self.boxes["ray"] += [
                (x0, bottom, self.left, middle + 1.5),
                (x1, bottom, edge, middle + 1.5),
            ]

    def columns(self) -> Columns:
        made: Columns = {}
        for name, corners in self.boxes.items():
            values = np.array([c[:4] for c in corners], np.float64).reshape(-1, 4).T
            made[name] = dict(zip(("x0", "y0", "x1", "y1"), values, strict=True))
            if name.startswith("record"):
                made[name]["text"] = np.array([c[4] for c in corners], np.object_)
        for name, parts in self.texts.items():
            made[name] = {
                "x": np.array([part[0] for part in parts], np.float64),
                "y": np.array([part[1] for part in parts], np.float64),
                "text": np.array([part[2] for part in parts], np.object_),
                "color": np.array([part[3] for part in parts], np.object_),
            }
        x = [value for _ in self.middles for value in (self.left, self.left + self.width, np.nan)]
        y = [value for middle in self.middles for value in (middle, middle, np.nan)]
        made["middle"] = {"x": np.array(x), "y": np.array(y)}
        return made
