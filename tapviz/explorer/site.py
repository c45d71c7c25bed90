"""A leaderboard as a folder of HTML files, for any host of such: no server, no network."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from tapviz.draw.tokens import sheet
from tapviz.explorer import Explorer
from tapviz.explorer.report import report
from tapviz.explorer.score_table import best_first, columns_shown, subscripts, swatch
from tapviz.explorer.verdict import verdict_words
from tapviz.lists import RetrievalLists
from tapviz.lists.words import count
from tapviz.lists.writing import write_atomically
from tapviz.live.script import script
from tapviz.live.templates import Markup, render
from tapviz.live.theme import STYLE
from tapviz.plots import PLOTS, PlotData
from tapviz.plots.save import complete, file_content
from tapviz.scores import Column, Compared, versions
from tapviz.scores import value as value_of
from tapviz.scores.findings import describe

FOLDER = files("tapviz.explorer")
STYLES = "".join(FOLDER.joinpath(name).read_text("utf-8") for name in ("report.css", "site.css"))
SCRIPT = script("site.js", "tapviz.explorer")
SHOWN = ("versions", "cost", "tap", "differences")
"""Plots of the leaderboard, as far as the runs have what they need."""
INDEX, TOGETHER, RUNS = "index.html", "compare.html", "runs"
OnSite = Callable[[int, int], Any]
"""Called with the files that are written, and how many there will be."""


class Cell(NamedTuple):
    """A number of the leaderboard."""

    text: str
    interval: str
    value: str
    """By which rows are sorted; empty if it is undefined."""


class Row(NamedTuple):
    """A run on the leaderboard."""

    name: str
    link: str
    sample: Markup
    said: Sequence[str]
    """Program, version and date."""
    cells: Sequence[Cell]


def save_site(
    results: dict[str, RetrievalLists],
    folder: str | Path,
    *,
    title: str = "Leaderboard",
    about: str = "",
    doubts: Sequence[str] = (),
    opening: str = "",
    plain: bool = False,
    progress: OnSite | None = None,
    **choices: Any,
) -> Path:
    """Write a leaderboard of runs, and the living report of each, as files of HTML.

    Parameters
    ----------
    results : dict of str to RetrievalLists
        The runs, judged alike.
    folder : path
        Is made; files of an earlier site are replaced.
    title, about, doubts, opening, plain
        As of `report`.
    progress : callable, optional
        Called with the files that are written, and how many there will be.
    **choices
        Of the `Explorer`, such as k.

    Returns
    -------
    Path
        The first page. It leads to a report of all runs together, and to one of each beside the
        best.

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
    links = {name: f"{RUNS}/{file}" for name, file in file_names(names).items()}
    pages = [INDEX, *([TOGETHER] if len(names) > 1 else []), *links.values()]
    (target / RUNS).mkdir(parents=True, exist_ok=True)

    def write(page: str, content: str) -> None:
        write_atomically(target / page, content)
        if progress is not None:
            progress(pages.index(page) + 1, len(pages))

    described: dict[str, Any] = {
        "about": about,
        "doubts": doubts,
        "opening": opening,
        "plain": plain,
    }
    write(INDEX, _index(data, compared, names, links, title, about, doubts))
    if len(names) > 1:
        write(TOGETHER, report(explorer, title=title, **described))
    for name, link in links.items():
        beside = next((other for other in names if other != name), None)
        pair = [name] if beside is None else [name, beside]
        two = {one: results[one] for one in pair}
        alone = Explorer(two, pair, **choices | {"focus_algorithm": name})
        write(link, report(alone, title=f"{title}: {name}", **described))
    return target / INDEX


def file_names(names: Sequence[str]) -> dict[str, str]:
    """Names of files that any host takes, each another."""
    taken: set[str] = set()
    found = {}
    for name in names:
        stem = re.sub(r"[^A-Za-z0-9.+-]+", "_", name).strip(".") or "run"
        file, place = f"{stem}.html", 2
        while file.lower() in taken:
            file, place = f"{stem}-{place}.html", place + 1
        taken.add(file.lower())
        found[name] = file
    return found


def _index(
    data: PlotData,
    compared: Compared,
    names: Sequence[str],
    links: dict[str, str],
    title: str,
    about: str,
    doubts: Sequence[str],
) -> str:
    explorer = data.explorer
    shown = columns_shown(explorer)
    found = compared.verdict(explorer.compared_score)
    holds = compared.holding(explorer.compared_score)
    runs = {name: explorer.results[name].run for name in names}
    said = [
        field
        for field in ("program", "version", "date")
        if any(getattr(run, field) for run in runs.values())
    ]
    rows = [
        Row(
            name,
            links[name],
            Markup(swatch(data.styles[name], 24)),
            [getattr(runs[name], field) for field in said],
            [_cell(explorer, column, name, compared) for column in shown],
        )
        for name in names
    ]
    plots = [PLOTS[name] for name in SHOWN if PLOTS[name].available(explorer)]
    return render(
        "site.html",
        title=title,
        style=Markup(sheet() + STYLE + STYLES),
        script=Markup(SCRIPT),
        about=about,
        n_queries=count(explorer.first.n_queries, "query"),
        verdict=Markup(verdict_words(found, holds)) if found is not None else "",
        said=said,
        heads=[
            (
                subscripts(column.score.marked(column.title)),
                column.score.description,
                column.score.higher_is_better,
            )
            for column in shown
        ],
        rows=rows,
        together=TOGETHER if len(names) > 1 else "",
        plots=[
            {
                "title": Markup(plot.title),
                "caption": plot.caption_of(data),
                "text": subscripts(plot.text(data)),
                "svg": base64.b64encode(file_content(data, plot, "svg", width=178)).decode(),
            }
            for plot in plots
        ],
        cautions=[
            subscripts(words) for words in (*map(describe, explorer.findings(compared)), *doubts)
        ],
        version=versions()["tapviz"],
    )


def _cell(explorer: Explorer, column: Column, name: str, compared: Compared) -> Cell:
    one, score = value_of(explorer.case(name), column.score, name, compared), column.score
    known = math.isfinite(one.value)
    interval = score.between(one.low, one.high) if math.isfinite(one.low) else ""
    return Cell(score.text(one.value), interval, repr(one.value) if known else "")
