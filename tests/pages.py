"""Pages without a browser or a server: data for them, their widgets, and what they say."""

import re
from html import unescape

import numpy as np
import panel as pn
import pytest
from panel.models.esm import DataEvent

from tapviz import Explorer
from tests.strategies import even

NAMES = ["one", "two", "three", "four", "five", "<b>six</b>"]


def made(seed):
    rng = np.random.default_rng(seed)
    score = np.sort(10.0 ** rng.uniform(-40, 2, (8, 30)), axis=1)
    score[0, :2] = 0
    known = {"query": [f"d{i}" for i in range(8)], "query_class": ["a.1.1"] * 5 + ["a.10.1"] * 3}
    return even(score, rng.random((8, 30)) < 0.4, 40, **known)


def of_six():
    """Choices of six programs."""
    return Explorer({name: made(seed) for seed, name in enumerate(NAMES)}, k=3)


@pytest.fixture(autouse=True)
def quiet():
    """Leave nothing of a page to the next test."""
    yield
    pn.state.kill_all_servers()
    pn.state.reset()


def tell(view, **message):
    """Tell a component what its page does: pass a message from it."""
    view._process_event(DataEvent(view.get_root(), data=message))


def widgets(dashboard, kind, **attributes):
    return [
        widget
        for widget in dashboard.__panel__().select(kind)
        if all(getattr(widget, name) == value for name, value in attributes.items())
    ]


def visible_parts(view):
    """What there is of a part of the page that is not hidden, and of the parts in it."""
    if view.visible:
        yield view
        for part in getattr(view, "objects", ()):
            yield from visible_parts(part)


def title(widget):
    """What a control is called on the page."""
    return widget.label or widget.name


def slider(dashboard, end):
    (found,) = widgets(dashboard, pn.widgets.IntSlider, end=end)
    return found


def box_beside(dashboard, control):
    rows = [row for row in dashboard.__panel__().select(pn.Row) if control in list(row)]
    row = list(rows[-1])
    return row[row.index(control) + 1]


def words(text):
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", "", text)).strip()


def names_in(dashboard):
    """Algorithms in the score table."""
    rows = re.findall(r'<th scope="row"[^>]*>(.*?)</th>', dashboard._table.text, re.DOTALL)
    return [unescape(words(row)) for row in rows]
