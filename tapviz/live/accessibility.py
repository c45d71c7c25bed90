"""What keyboard and screen-reader users need, and Panel and Bokeh leave out."""

from __future__ import annotations

from panel.custom import JSComponent

from tapviz.live.script import script


class Accessibility(JSComponent):
    """Gives what Panel and Bokeh draw the names and roles that they leave out.

    Handles of sliders, check boxes, tools and plots get a name as soon as they are in the page;
    arrow keys move over the plot that has the focus and read it out. Layers at the overlay level
    are clipped to the frame.
    """

    _esm = script("accessibility.js")

    def __init__(self) -> None:
        super().__init__(width=0, height=0, margin=0)
