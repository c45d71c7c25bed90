"""What a scene is: questions, controls, pictures, and tables with a text for every position.

What is written of it stands in ``scenes.toml``; `scene` adds what is computed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

from tapviz.draw.picture import Layer, Picture
from tapviz.files.small import toml_of

WRITTEN = toml_of(
    files("tapviz.lesson").joinpath("scenes.toml").read_text(encoding="utf-8"), "scenes.toml"
)
"""What is written of each scene."""
Shown = dict[str, Any]
"""Fields of a record below, or values that JSON has."""
Follows = dict[str, tuple[str, Literal["upto", "at", "all"]]]
"""By the name of a layer that has all items: the control that it follows, and how. A column may be
that of a table, written as a slot: its numbers at all positions of the control."""


@dataclass(frozen=True)
class Ask:
    """A prediction: one of several options, or a number if there are none."""

    question: str
    label: str
    truth: str | float
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
    told: str = ""
    """The same once the answer is known, if the picture then shows something else."""
    follows: Follows = field(default_factory=dict)
    """Layers that show their items up to the position of a control, or that one alone."""
    known: Sequence[str] = ()
    """Layers that are not seen before the reader has predicted."""
    before: Mapping[str, Layer] = field(default_factory=dict)
    """What these layers show instead, if anything."""
    height: int = 300


@dataclass(frozen=True)
class Lanes:
    """Records of result lists at their E-values, and seats that their errors take."""

    title: str
    lists: Sequence[Shown]
    """Of each list: name, its records as letters, scores as texts, and where they are drawn."""
    mode: Literal["each", "merged", "merging", "exponent", "many"]
    """Each list read by itself, both merged, both as they merge, or at a threshold; or many."""
    control: Sequence[str] = ()
    """Controls that a drag moves."""
    ticks: Sequence[tuple[float, str]] = ()
    """Places on the axis, and their texts."""
    unit: str = "E"
    """What the scores are."""
    order: str = ""
    """The merged list: the place of the list that each record comes from."""
    scale: Sequence[float] = ()
    """Factor of the second list's exponents, at each position of the control."""
    seats: Sequence[str] = ()
    """At each position of the first control, the place of the list that each error comes from."""
    line: Sequence[float] = ()
    """Exponent of the threshold, at each position of the last control."""
    door: Sequence[int] = ()
    """Of many lists: how many errors are read, at each position of the last control."""
    taken: Sequence[Sequence[int]] = ()
    """Of many lists: errors of those like A and of those like B that are read, at each position of
    the last control, and at each of the first."""
    magnified: bool = False


@dataclass(frozen=True)
class Scene:
    """One step of the lesson; its words are in ``words/``."""

    name: str
    minutes: float
    call: Sequence[str] = ()
    """What to do: before the answer is known, and after."""
    constants: Shown = field(default_factory=dict)
    """Numbers of the words that stay."""
    asks: Sequence[Ask] = ()
    controls: Sequence[Control] = ()
    tables: Sequence[Table] = ()
    charts: Sequence[Chart] = ()
    lanes: Sequence[Lanes] = ()
    explorer: str = ""
    """Address of the explorer that shows the same."""
    extra: Shown = field(default_factory=dict)
    """A picture that only this scene has, by its kind: "crowd", "dots", "rows" or "kept"."""
    moves_first: bool = False
    """Whether the controls are there before the prediction."""
    more: bool = False
    """Whether it is for those who report scores, after the lesson itself."""
    open: bool = False
    """Whether a prediction is an opinion, which can be changed once the answer is known."""


def scene(
    name: str,
    constants: Shown | None = None,
    tables: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
    *,
    asks: Mapping[str, Shown] | None = None,
    controls: Mapping[str, Shown] | None = None,
    lanes: Shown | None = None,
    chart: Shown | None = None,
    extra: Shown | None = None,
) -> Scene:
    """Make a scene of what is written of it and what is computed.

    Parameters
    ----------
    name : str
        Its name in ``scenes.toml``.
    constants : dict, optional
    tables : mapping, optional
        By the names of their controls, separated by a space; positions of a control are called as
        the first column of its table has it.
    asks, controls : mapping of str to dict, optional
        By their names, fields besides those that are written.
    lanes, chart, extra : dict, optional
        Fields besides those that are written.
    """
    written, tables = WRITTEN[name], tables or {}
    texts = {over: {"texts": next(iter(columns.values()))} for over, columns in tables.items()}
    texts |= {of: texts.get(of, {}) | fields for of, fields in (controls or {}).items()}
    made = {
        "asks": [
            Ask(**one | (asks or {}).get(one["question"], {})) for one in written.get("asks", ())
        ],
        "controls": [Control(**one | texts[one["name"]]) for one in written.get("controls", ())],
        "tables": [Table(over.split(), columns) for over, columns in tables.items()],
        "lanes": [Lanes(**one | (lanes or {})) for one in written.get("lanes", ())],
        "charts": [Chart(**one | (chart or {})) for one in written.get("charts", ())],
        "extra": _with(written.get("extra", {}), extra or {}),
    }
    return Scene(name, constants=constants or {}, **(written | made))


def _with(written: Shown, more: Shown) -> Shown:
    """Fields that are written and others, those of fields likewise."""
    inner = {key: _with(written[key], of) for key, of in more.items() if key in written}
    return written | more | inner
