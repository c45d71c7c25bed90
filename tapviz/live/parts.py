"""Parts of a page: what is JavaScript, what is made of other parts, and HTML that changes often."""

from __future__ import annotations

import panel as pn
import param
from panel.custom import JSComponent
from param.parameterized import no_instance_params

from tapviz.live.compat import without_busy_indicator
from tapviz.live.script import STYLE, script


class Component(JSComponent):
    """Part of a page that a script makes.

    Parameters
    ----------
    *styles : str
        Style sheets.
    **params
        Parameters of the component; it has no margin unless they say so.
    """

    __abstract = True

    def __init__(self, *styles: str, **params: object) -> None:
        options = {"margin": 0, "stylesheets": [*styles]} | params
        # Panel asks for each parameter of a component, of which none has options of its own.
        no_instance_params(type(self))
        without_busy_indicator(type(self))
        super().__init__(**options)  # type: ignore[no-untyped-call]  # Panel has no types for it


class Part(pn.viewable.Viewer):
    """Part of a page that consists of others, of which `view` holds all."""

    view: pn.viewable.Viewable

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # Panel has no types for it

    def __panel__(self) -> pn.viewable.Viewable:
        return self.view


class Accessibility(Component):
    """Gives what Panel and Bokeh draw the names and roles that they leave out.

    Handles of sliders, check boxes, tools and plots get a name as soon as they are in the page, or
    in the cell; arrow keys move over the plot that has the focus and read it out. Layers at the
    overlay level are clipped to the frame.
    """

    _esm = script("accessibility.js")


class ControlsButton(Component):
    """Shows and hides the element of a class; the style sheet says where it is needed."""

    opens = param.String(doc="The class.")
    label = param.String()

    _esm = script("controls_button.js")


class LiveText(Component):
    """HTML that changes often: for each change of a Div Bokeh would lay out the whole page.

    Parameters
    ----------
    style : str
        Style sheet: usually that of the page.
    **params
        Parameters of the component.
    """

    text = param.String(default="", doc="HTML, made here; ids and names in it are escaped.")
    pressed = param.Integer(default=0, doc="How often a button in the text has been pressed.")

    choice = param.String(default="", doc="Value of the button that has been pressed last.")
    slot = param.String(default="", doc="What views of the page call it, if they change it.")

    # Only what differs is touched: the browser need not lay out the rest again, and what has the
    # focus or has been opened stays so. Of children, both ends that are of a kind are kept.
    _esm = script("live_text.js")

    def __init__(self, style: str = STYLE, **params: object) -> None:
        super().__init__(style, **params)
