"""What pages show in the place of outputs that need Python, and moves without it."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING

from IPython.display import HTML, IFrame

if TYPE_CHECKING:
    from matplotlib.figure import Figure

REPORT = "scope40.html"
"""A living report, which `lesson.py` writes beside the pages of the notebooks."""
numbers = count()


def report() -> IFrame:
    """The report of the bundled searches, in a frame."""
    title = 'title="A report of these searches, whose sliders move"'
    return IFrame(REPORT, "100%", 800, extras=[title, 'loading="lazy"'])


def pictures(label: str, of: Mapping[int, Figure]) -> HTML:
    """Pictures at some stops of a slider.

    Parameters
    ----------
    label : str
        What the slider says.
    of : mapping of int to Figure
        The pictures, by where the slider is.
    """
    name = f"pictures-{next(numbers)}"
    images = []
    for place, (at, figure) in enumerate(of.items()):
        drawn = BytesIO()
        figure.savefig(drawn, format="png", dpi=120)
        data = base64.b64encode(drawn.getvalue()).decode()
        hidden = " hidden" if place else ""
        images.append(
            f'<img alt="{label}: {at}" title="{at}" src="data:image/png;base64,{data}"{hidden}>'
        )
    show = (
        "[...this.closest('div').querySelectorAll('img')].forEach((one, at) => {"
        " one.hidden = at !== this.valueAsNumber;"
        " if (!one.hidden) this.nextElementSibling.value = one.title; })"
    )
    return HTML(
        f'<div><label for="{name}">{label}</label> '
        f'<input id="{name}" type="range" min="0" max="{len(of) - 1}" value="0" oninput="{show}"> '
        f"<output>{next(iter(of))}</output><br>{''.join(images)}</div>"
    )
