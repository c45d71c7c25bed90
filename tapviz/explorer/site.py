"""A leaderboard as a folder of HTML files, for any host of such: no server, no network."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack
from urllib.parse import urlencode

from tapviz.explorer import Explorer
from tapviz.explorer.report import Told, report, style_of
from tapviz.explorer.score_table import best_first, columns_shown, subscripts, swatch
from tapviz.explorer.verdict import verdict_words
from tapviz.lists import RetrievalLists, count, write_atomically
from tapviz.live.script import script
from tapviz.live.templates import Markup, render
from tapviz.measures import OnProgress
from tapviz.plots import PLOTS, Plot, PlotData
from tapviz.plots.save import complete, file_content
from tapviz.scores import Column, Compared, value, versions
from tapviz.scores.findings import describe
from tapviz.state import Choices

SHOWN = ("versions", "cost", "tap", "differences")
"""Plots of the leaderboard, as far as the runs have what they need."""
INDEX, REPORT = "index.html", "compare.html"


def save_site(
    results: dict[str, RetrievalLists],
    folder: str | Path,
    *,
    title: str = "Leaderboard",
    about: str = "",
    doubts: Sequence[str] = (),
    opening: str = "",
    plain: bool = False,
    progress: OnProgress | None = None,
    **choices: Any,
) -> Path:
    """Write a leaderboard of runs, and their living report, as files of HTML.

    Parameters
    ----------
    results : dict of str to RetrievalLists
        The runs, judged alike.
    folder : path
        Is made; files of an earlier site are replaced.
    title, about, doubts, opening, plain
        As of `report`.
    progress : callable, optional
        Called with the percentage that is done, and 100.
    **choices
        Of the `Explorer`, such as k.

    Returns
    -------
    Path
        The first page. It leads to a report of all runs, in which each is ticked beside the best.

    Raises
    ------
    ValueError
        If there is nothing to show, or a file cannot be written.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.explorer.site import save_site
    >>> results = load_results("profiles")
    >>> few = {name: results[name] for name in ("RPS-BLAST", "HMMER3 hmmscan")}
    >>> save_site(few, "public", k=5, plain=True).name
    'index.html'
    """
    target = Path(folder)
    explorer = Explorer(results, list(results), **choices)
    plots = [PLOTS[name] for name in SHOWN if PLOTS[name].available(explorer)]
    compared = explorer.compared()
    data = complete(explorer, *plots, compared=compared)
    names = best_first(explorer, [*results], columns_shown(explorer)[0].score)
    links = {}
    for name in names:
        best = next((other for other in names if other != name), name)
        links[name] = f"{REPORT}#{urlencode([('run', name), ('run', best)])}"
    target.mkdir(parents=True, exist_ok=True)
    told = Told(title=title, about=about, doubts=doubts, opening=opening, plain=plain)
    # First what the other one leads to.
    write_atomically(target / REPORT, report(explorer, **(told | Told(progress=progress))))
    write_atomically(target / INDEX, _index(data, compared, plots, links, **told))
    return target / INDEX


def _index(
    data: PlotData,
    compared: Compared,
    plots: Sequence[Plot],
    links: Mapping[str, str],
    **told: Unpack[Told],
) -> str:
    """The first page: the runs, sorted, and what compares them."""
    explorer, shown = data.explorer, columns_shown(data.explorer)
    verdict = compared.verdict(explorer.compared_score)
    holds = compared.holding(explorer.compared_score)
    runs = {name: explorer.results[name].run for name in links}
    fields = ("program", "version", "date")
    said = [of for of in fields if any(getattr(run, of) for run in runs.values())]
    rows = []
    for name, link in links.items():
        sample, about = Markup(swatch(data.styles[name], 24)), runs[name]
        words = {"name": name, "link": link, "said": [getattr(about, of) for of in said]}
        cells = [_cell(explorer, column, name, compared) for column in shown]
        rows.append({**words, "sample": sample, "cells": cells})
    drawn = []
    for plot in plots:
        svg = base64.b64encode(file_content(data, plot, "svg", width=178)).decode()
        text = subscripts(plot.text(data))
        drawn.append({"title": Markup(plot.title), "text": text, "svg": svg})
    cautions = [*map(describe, explorer.findings(compared)), *told["doubts"]]
    return render(
        "site.html",
        title=told["title"],
        style=style_of("report.css", "site.css"),
        script=Markup(script("site.js", "tapviz.explorer")),
        about=told["about"],
        n_queries=count(explorer.first.n_queries, "query"),
        verdict=Markup(verdict_words(verdict, holds)) if verdict is not None else "",
        said=said,
        heads=[
            (subscripts(score.marked(title)), score.description, score.higher_is_better)
            for score, title in ((column.score, column.title) for column in shown)
        ],
        rows=rows,
        report=REPORT,
        plots=drawn,
        cautions=[*map(subscripts, cautions)],
        version=versions()["tapviz"],
    )


def _cell(explorer: Choices, column: Column, name: str, compared: Compared) -> dict[str, str]:
    """A number, its interval, and what rows are sorted by, which is empty if it is undefined."""
    score, one = column.score, value(explorer.case(name), column.score, name, compared)
    return {
        "text": score.text(one.value),
        "interval": score.between(one.low, one.high) if math.isfinite(one.low) else "",
        "value": repr(one.value) if math.isfinite(one.value) else "",
    }
