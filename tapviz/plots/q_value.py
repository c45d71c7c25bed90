"""False discoveries by the labels against those that decoys promise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tapviz.draw import picture as p
from tapviz.lists import RetrievalLists, count, derived
from tapviz.measures import FalseDiscovery, false_discovery
from tapviz.plots import columns as c
from tapviz.plots.plot import FILTER, Plot, PlotData

LEVELS = np.arange(1, 101) / 1000
"""q-values, 0.001 to 0.1."""
TEXT_LEVEL = 0.01
"""q-value at which the text says what is accepted."""
TICKS = {q: f"{q:g}" for q in (0, 0.02, 0.04, 0.06, 0.08, 0.1)}
ONLY_DECOYS = "only decoys are irrelevant here"


def curves(data: PlotData) -> c.Chart:
    """The share of irrelevant records among the targets accepted by each q-value.

    From the first q-value that accepts any.
    """
    results, last = data.each(judged), float(LEVELS[-1])

    def drawn(one: FalseDiscovery) -> c.Columns:
        at = one.accepted(LEVELS)
        return {"x": LEVELS[at >= 0], "y": one.observed[at[at >= 0]]}

    found, behind = c.of_each(drawn, results, data.ghosts(judged))
    tops = [one["y"].max(initial=last) for one in (*found.values(), *behind.values())]
    levels = LEVELS.tolist()
    known = [name for name, one in results.items() if not one.reason]
    rows = {name: [_accepted(results[name], q) for q in levels] for name in known}
    across = p.Axis("q-value of the targets, by decoys", 0.0, last, ticks=TICKS)
    up = p.Axis("share irrelevant", 0.0, c.ceiling([*tops, last], 0.05))
    read = c.Readout(LEVELS, [f"q-value up to {q:g}" for q in levels], rows)
    ideal, why = "as estimated", c.no_reason(results)
    return c.line_chart(
        data, found, across, up, read, ghosts=behind, diagonal=ideal, missing=why, left=0.0
    )


def text(data: PlotData) -> str:
    """The plot in words."""
    results, missing = data.each(judged), "q-value to compare with labels"

    def told(one: FalseDiscovery) -> str:
        return f"accepts {_accepted(one, TEXT_LEVEL)}"

    said = c.each_in_words(results, missing, f"At a q-value of {TEXT_LEVEL:g}, ", told)
    only = ONLY_DECOYS in c.no_reason(results)
    return said[:-1] + ("; keep other irrelevant records beside them." if only else ".")


def judged(lists: RetrievalLists) -> FalseDiscovery:
    """False discoveries of lists whose decoys are known by their ids."""
    found = false_discovery(lists, _are_decoys(lists))
    if not found.reason and lists.join_report.rules.only_decoys:
        nothing = false_discovery(lists, np.zeros(lists.whole.score.size, np.bool_))
        return nothing._replace(reason=ONLY_DECOYS)
    return found


@derived()
def _are_decoys(lists: RetrievalLists) -> NDArray[np.bool_]:
    """Which records are decoys, by their ids."""
    if lists.join_report is None or lists.record is None:
        return np.zeros(lists.score.size, np.bool_)
    ids = lists.record.tolist()
    decoys = lists.join_report.rules.decoys_among(dict.fromkeys(ids))
    return np.fromiter((record in decoys for record in ids), np.bool_, len(ids))


def _accepted(result: FalseDiscovery, q: float) -> str:
    """What is accepted by a q-value, and how much of it is false."""
    at = int(result.accepted(q)[0])
    if at < 0:
        return "nothing"
    share = f"{100 * result.observed[at]:.2g} % irrelevant"
    return f"{count(int(result.targets[at]), 'target')}, {share}"


def picture(data: PlotData) -> p.Picture:
    """The plot under the present choices."""
    return data.curves(PLOT.name, lambda: curves(data)).picture()


PLOT = Plot(
    name="q_value",
    title="q-value",
    caption="irrelevant among accepted targets · line: as estimated",
    how_to_read="""Decoys estimate what share of the targets that a threshold accepts is false; the
    q-value of a target is the smallest such estimate at which it is accepted. The labels tell the
    true share. A line above the diagonal means that more is false than the decoys promise. Where
    the irrelevant records are entrapment, added to a database of which nobody knows what is false,
    the line is a lower bound.""",
    printed="""Share of irrelevant records among the accepted targets against the q-value estimated
    from decoys. Diagonal: as estimated.""",
    depends=(*FILTER, "algorithms"),
    picture=picture,
    text=text,
    tab="q-value",
    beside="calibration",
    needs="decoys",
    whole=True,
)
