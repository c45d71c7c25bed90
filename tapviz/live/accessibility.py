"""What makes the page usable without a mouse and without eyes."""

from __future__ import annotations

from importlib.resources import files

from panel.custom import JSComponent


class Accessibility(JSComponent):
    """Gives what Panel and Bokeh draw the names and roles that they leave out.

    Handles of sliders, boxes to tick, tools and plots get a name as soon as they are in the page;
    arrow keys move the read-out of the plot that has the focus. Marks that are drawn above the rest
    (`tapviz.live.plot.MOVING`) are clipped to the frame.
    """

    _esm = files("tapviz.live").joinpath("accessibility.js").read_text(encoding="utf-8")

    def __init__(self) -> None:
        super().__init__(width=0, height=0, margin=0)
