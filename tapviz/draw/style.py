"""How an algorithm, and how a number looks wherever it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from math import isfinite
from typing import NamedTuple

from tapviz.lists.runs import as_systems, systems
from tapviz.lists.words import shortened, with_minus

# Told apart under the common kinds of colour blindness, and at least 3:1 on white.
COLORS = ("#009E73", "#0072B2", "#D55E00", "#000000", "#CC79A7")
DASHES: tuple[tuple[int, ...], ...] = ((), (12, 4), (6, 4), (2, 4), (9, 3, 2, 3))
MARKERS = ("circle", "triangle", "diamond", "square", "inverted_triangle")

INKS = dict(zip(COLORS, ("#007A58", "#006FAF", "#B85000", "#000000", "#A84F80"), strict=True))
"""Colours of words about what has those: 4.5:1 on white, and on the dark ground as below."""

INK = "#333333"
GHOST = "#B5B5B5"
GRID = "#EEEEEE"
GUTTER = "#F2F2F2"
ACCENT = "#7A1FA2"
"""Colour of the query in focus, whatever the algorithm."""

GROUND = "#1B1B1A"
# Colours chosen for their contrast with a white ground. The algorithms' other colours have at least
# 3.6:1 on the dark one, and stay.
ON_DARK = {
    "white": GROUND,
    "#ffffff": GROUND,
    "black": "#EDEDED",
    "#444444": "#C9C9C9",  # texts of axes, as Bokeh has them
    COLORS[3]: "#FFFFFF",
    "#007A58": "#1AB58A",
    "#006FAF": "#4DA3DC",
    "#B85000": "#E9701A",
    "#A84F80": "#D88DB6",
    INK: "#DADADA",
    GHOST: "#5F5F5F",
    GRID: "#2B2B2B",
    GUTTER: "#262524",
    ACCENT: "#CE8FE8",
    "#8E3FB0": "#C58BE0",
    "#767676": "#9C9C9C",
    "#7FB6DA": "#1D5A84",
    "#EBAF85": "#8A4A1C",
}
"""Colours of a light page as they are on a dark one; the others stay."""


class Style(NamedTuple):
    """Colour and dash of an algorithm's lines, and shape of its dots; an empty dash is solid."""

    color: str
    dash: tuple[int, ...]
    marker: str = MARKERS[0]


class Styles(dict[str, Style]):
    """Styles of algorithms by name; a system of several runs, which is none of them, has theirs."""

    def __missing__(self, name: str) -> Style:
        """Style of the runs of a system."""
        return self[systems(self)[name][0]]


def styles(algorithms: Sequence[str]) -> Styles:
    """Give each algorithm, or the runs of a system, a pair of colour and dash of its own.

    The first five differ in both. After that colours return, each time with another dash. Each
    dash has its shape of dots.
    """
    found = Styles()
    for place, names in enumerate(as_systems({one: [one] for one in algorithms}, list).values()):
        color, turn = place % len(COLORS), place // len(COLORS)
        other = (color + turn) % len(DASHES)
        style = Style(COLORS[color], DASHES[other], MARKERS[other])
        found.update(dict.fromkeys(names, style))
    return Styles({name: found[name] for name in algorithms})


def ink(color: str) -> str:
    """Colour of words about what is drawn in a colour."""
    return INKS.get(color, color)


def number(value: float, digits: int = 3) -> str:
    """A number as people write it: 0.353, 1.2e-30, 0; a dash if undefined."""
    if not isfinite(value):
        return "—"
    if value != 0 and not 1e-3 <= abs(value) < 1e5:  # noqa: PLR2004
        digits -= 1
    return with_minus(f"{value:.{digits}g}")


def to_thousandths(value: float) -> str:
    """A number from 0 to 1 as sentences have it, all with three decimals: 0.230; a dash if none."""
    return f"{value:.3f}" if isfinite(value) else number(value)


def brief(value: float) -> str:
    """A number with two digits, or with all before the point: 1.2e-05, 0.12, 21, 163, 9,970."""
    if 100 <= abs(value) < 1e5:  # noqa: PLR2004
        return with_minus(f"{value:,.0f}")
    return with_minus(f"{value:.2g}") if isfinite(value) else number(value)


DIGITS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
WRITTEN_OUT = range(-2, 4)
"""Powers of ten that are written as numbers."""


def tick_label(value: float) -> str:
    """A value of an axis of powers of ten: 10⁻²⁰, 2·10⁻⁵, 0.01, 10, 0."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.1e}".split("e")
    if int(exponent) in WRITTEN_OUT:
        return f"{float(f'{value:.2g}'):g}"
    power = "10" + str(int(exponent)).translate(DIGITS)
    return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"


def subscript(number: int | str) -> str:
    """Digits in small figures below the line; k and n, too."""
    return str(number).translate(str.maketrans("0123456789kn", "₀₁₂₃₄₅₆₇₈₉ₖₙ"))


def told_apart(names: Sequence[str], longest: int) -> dict[str, str]:
    """Names as they can be told apart where a long one is cut: those that begin alike are shorter.

    Examples
    --------
    >>> from tapviz.draw.style import told_apart
    >>> [*told_apart(["jackhmmer, 3 rounds", "jackhmmer, 5 rounds", "a long name"], 10).values()]
    ['jack…3 ro…', 'jack…5 ro…', 'a long name']
    """
    pairs = zip(names, shortened_apart(names, longest), strict=True)
    return {name: name if name.startswith(cut.removesuffix("…")) else cut for name, cut in pairs}


def shortened_apart(names: Sequence[str], longest: int) -> list[str]:
    """Names of at most so many characters; of those that begin alike, the part that differs, too.

    Examples
    --------
    >>> from tapviz.draw.style import shortened_apart
    >>> shortened_apart(["jackhmmer, 3 rounds", "jackhmmer, 5 rounds", "BLASTP, BLOSUM62"], 12)
    ['jackh…3 rou…', 'jackh…5 rou…', 'BLASTP, BLO…']
    """
    cut = [shortened(name, longest) for name in names]
    alike: dict[str, set[str]] = {}
    for one, name in zip(cut, names, strict=True):
        alike.setdefault(one, set()).add(name)
    half = longest // 2

    def told_apart(name: str, others: set[str]) -> str:
        columns = enumerate(zip_longest(*others))
        differs = next(i for i, letters in columns if len(set(letters)) > 1)
        end = name[min(differs, len(name) - half) :]
        return f"{name[: longest - half - 1]}…{shortened(end, half)}"

    return [
        told_apart(name, alike[one]) if len(alike[one]) > 1 else one
        for one, name in zip(cut, names, strict=True)
    ]
