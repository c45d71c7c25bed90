"""Widgets in the style of the page, and what sets a choice and follows it."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, TypeVar

import panel as pn
from param.parameterized import Event

from tapviz.live.compat import debounced, one_message_per_event, without_busy_indicator
from tapviz.live.script import style_sheet
from tapviz.live.templates import render
from tapviz.state import SETTINGS, Choices

C = TypeVar("C", bound=type)
W = TypeVar("W")
File = str | bytes | memoryview
"""What is in a file."""

# Sizes inside the rail, in pixels.
WIDTH, BOX, HANDLE = 212, 74, 24

WIDGET = style_sheet("widget.css", "tapviz.page")
RAIL = style_sheet("rail.css", "tapviz.page")
SEGMENTED = style_sheet("segmented.css", "tapviz.page")
"""Radio buttons in one line, of which the chosen one stands out of the ground."""
UNSEEN_LABEL = style_sheet("unseen_label.css", "tapviz.page")
"""For screen readers, where the line above is the visible label."""
IN_RAIL: dict[str, Any] = {"width": WIDTH, "margin": (2, 0), "stylesheets": [WIDGET]}
BESIDE: dict[str, object] = {
    "width": 150,
    "margin": (0, 0, 0, 6),
    "stylesheets": [WIDGET, UNSEEN_LABEL],
    "description": None,  # which stands beside the label
}
"""Options of a control beside the title of a plot."""
SHRINKING = {"flex": "0 1 150px", "min-width": "60px"}
"""Styles of one in a line that may be too short for it, and for long names."""
IN_FORM: dict[str, object] = {"margin": (2, 8, 2, 0), "stylesheets": [WIDGET]}
"""Options of a button that ends where fields do, which have their labels above them."""
WIDE: dict[str, Any] = {"sizing_mode": "stretch_width", "margin": 0}
"""Of a part of the page from left to right."""
WRAPPING: dict[str, object] = {"margin": 0, "styles": {"flex-wrap": "wrap", "min-width": "0"}}
"""Of a line that may become two."""


# Each message to the page costs more than most computations: a slider is answered not after Panel's
# usual 50 ms, but as soon as its message has been acknowledged (plots that are ready before would
# wait 10 ms for that), and without the messages that turn its busy indicator on and off.


def _live(slider: C) -> C:
    """Make a slider send each value while it is dragged, at once and in one message."""
    return one_message_per_event(debounced(without_busy_indicator(slider)))


@_live
class LiveIntSlider(pn.widgets.IntSlider):
    """Slider of whole numbers whose value changes while it is dragged."""


@_live
class LiveFloatSlider(pn.widgets.FloatSlider):
    """Slider whose value changes while it is dragged."""


def widget(kind: Callable[..., W], label: str, *sheets: str, **options: object) -> W:
    """A widget with the page's style sheet, more of them, and its own options."""
    return kind(**({"label": label, "margin": 0, "stylesheets": [WIDGET, *sheets]} | options))


def text_of(field: pn.widgets.TextInput) -> str:
    """What somebody has written into a field, without space around it."""
    return (field.value or "").strip()


def button(label: str, press: Callable[[], object], **options: object) -> pn.widgets.Button:
    """A button that calls a function."""
    return widget(pn.widgets.Button, label, on_click=lambda _event: press(), **options)


def download(
    label: str, content: Callable[[], File], width: int, filename: str, **options: object
) -> pn.widgets.FileDownload:
    """A button that hands out a file, made when it is pressed."""

    def made() -> io.BytesIO:
        held = content()
        return io.BytesIO(held.encode() if isinstance(held, str) else held)

    options |= {"callback": made, "filename": filename, "width": width}
    return widget(pn.widgets.FileDownload, label, height=28, **options, **IN_FORM)


def words(text: str, *margin: int, sheet: str = RAIL, **options: object) -> pn.pane.HTML:
    """Words between widgets, as HTML."""
    return pn.pane.HTML(text, stylesheets=[sheet], margin=margin or 0, **options)


def problem_line(sheet: str = RAIL) -> pn.pane.HTML:
    """A line for what is wrong, hidden while nothing is."""
    return words("", sheet=sheet, visible=False)


def say_problem(line: pn.pane.HTML, problem: str) -> None:
    """Say in a line what is wrong, or hide it."""
    line.object = render("problem.html", problem=problem)
    line.visible = bool(problem)


CLOSES_SHEET = "closes-sheet"
"""Class of what closes a part that lies over the page: Escape presses it."""
CLOSING: dict[str, Any] = {"width": 90, "margin": (6, 0, 8, 0), "css_classes": [CLOSES_SHEET]}
"""Options of a button that does so."""


class Foldout:
    """A button, and the row of controls that it opens, which is made when it is first opened.

    Parameters
    ----------
    closed, opened : str
        What the button says.
    make : callable
        Makes what is in the row.
    place : callable
        Puts the row into the page.
    **options
        Those of the button.
    """

    def __init__(
        self,
        closed: str,
        opened: str,
        make: Callable[[], pn.viewable.Viewable],
        place: Callable[[pn.Column], object],
        **options: object,
    ) -> None:
        self._labels, self._make, self._place = (closed, opened), make, place
        self.button = button(closed, self.toggle, **options)
        self.row = pn.Column(visible=False, **WIDE)

    def toggle(self) -> None:
        """Open the row, or close it."""
        if not self.row:
            self.row.append(self._make())
            self._place(self.row)
        self.row.visible = not self.row.visible
        self.button.label = self._labels[self.row.visible]


def follow_choice(
    explorer: Choices,
    name: str,
    box: pn.widgets.Widget,
    problem_of: Callable[[Any], str],
    read: Callable[[Any], Any] = lambda value: value,
    write: Callable[[Any], Any] = lambda value: value,
    *,
    restore: bool = False,
) -> pn.pane.HTML:
    """Let a box set a choice, and follow it.

    Parameters
    ----------
    explorer : Choices
    name : str
        Of the choice.
    box : Widget
    problem_of : callable
        What is wrong with a value of the box that cannot be used.
    read : callable
        The choice that a value of the box stands for; ValueError if it stands for none.
    write : callable
        The value of the box that stands for a choice.
    restore : bool
        Whether the box shows again what is chosen when something cannot be used.

    Returns
    -------
    pn.pane.HTML
        A line that says what cannot be used.
    """
    line = problem_line()

    def typed(event: Event) -> None:
        try:
            value = read(event.new)
            line.visible = False
            if value != getattr(explorer, name):
                setattr(explorer, name, value)
        except ValueError:
            if restore:
                box.value = write(getattr(explorer, name))
            say_problem(line, problem_of(event.new))

    def follow(*_: Event) -> None:
        box.value = write(getattr(explorer, name))
        line.visible = False  # of what is not in the box any more

    follow()
    box.param.watch(typed, "value")
    explorer.param.watch(follow, [*SETTINGS])
    return line


def scaled_slider(
    explorer: Choices,
    name: str,
    label: str,
    ends: tuple[float, float],
    place: Callable[[Any], float],
    read: Callable[[float], object],
    kind: Callable[..., pn.widgets.IntSlider | pn.widgets.FloatSlider] = LiveFloatSlider,
    **options: object,
) -> pn.widgets.IntSlider | pn.widgets.FloatSlider:
    """Slider of a choice on another scale.

    Parameters
    ----------
    explorer : Choices
    name : str
        Of the choice.
    label : str
    ends : tuple of float
        Of the slider; it becomes longer for a choice beyond.
    place : callable
        Where a choice is on the slider.
    read : callable
        The choice at a place.
    kind : type
        Of the slider.
    **options
        Those of the widget.
    """
    low, high = ends

    def here() -> float:
        return max(place(getattr(explorer, name)), low)

    slider = widget(
        kind,
        label,
        start=low,
        end=max(high, here()),
        value=here(),
        tags=[name],
        **({"show_value": False, "width": WIDTH - HANDLE, "height": HANDLE} | options),
        margin=(0, HANDLE // 2),
        styles={"order": "2"},
    )

    def moved(event: Event) -> None:
        if event.new != here():  # by the person, not by `follow`
            setattr(explorer, name, read(event.new))

    def follow(event: Event) -> None:
        if read(slider.value or 0) != event.new:
            slider.param.update(end=max(high, here()), value=here())

    slider.param.watch(moved, "value")
    explorer.param.watch(follow, name)
    return slider
