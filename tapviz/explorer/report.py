"""Pages as files: a report, and a leaderboard whose runs lead to it. They ask no network."""

from __future__ import annotations

import base64
import math
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, TypedDict, Unpack
from urllib.parse import quote, urlencode

from tapviz.draw.browser import DARK, custom_properties
from tapviz.draw.style import ON_DARK, ink
from tapviz.draw.tokens import controls, sheet
from tapviz.explorer import Explorer, score_table
from tapviz.explorer.report_tables import colors, tables
from tapviz.explorer.score_table import best_first, columns_shown, subscripts, swatch
from tapviz.explorer.session import again, fingerprint, to_python
from tapviz.explorer.verdict import verdict_words
from tapviz.lists import RetrievalLists, count, write_atomically
from tapviz.live.gc_tuning import gc_disabled
from tapviz.live.script import STYLE, script, style_sheet
from tapviz.live.templates import Markup, render
from tapviz.measures import Cancelled, OnProgress
from tapviz.plots import PLOTS, Plot, PlotData, plots_for
from tapviz.plots.save import complete, file_content
from tapviz.scores import Column, Compared, value, versions
from tapviz.scores.findings import describe
from tapviz.state import Choices
from tapviz.state.settings import Value, settings

TAG, PLACE = re.compile("<[^>]*>"), re.compile(r"(?<=\.\d\d)\d+")
QUOTES = str.maketrans("\"'\n", "'\" ")
UNSAFE = re.compile(r"[^\w !$'()*+,./:;=?@<>~-]+", re.ASCII)
"""Characters of a picture that its address in HTML does not have as they are."""

# How much of the work is done, in percent, when a part of it ends.
COMPARED, MERGED, DRAWN, ALL = 10, 20, 45, 100

OF_SITE = ("versions", "cost", "tap", "differences")
"""Plots of a leaderboard, as far as the runs have what they need."""
INDEX, REPORT = "index.html", "compare.html"
"""Its files."""


class Told(TypedDict, total=False):
    """What a report says besides the numbers."""

    title: str
    """What the data are."""
    opening: str
    """Lines of Python that bind the results to ``results``, for those who want to repeat it."""
    about: str
    """What counts as relevant, and whose data these are."""
    findings: str
    """What you found, in your own words, to stand at the top; an empty line parts paragraphs."""
    doubts: Sequence[str]
    """What is doubtful about the files that were read."""
    plain: bool
    """Without scripts: nothing in it moves."""
    progress: OnProgress | None
    """Called with the percentage that is done, and 100; False stops the work."""


def pieces(
    explorer: Explorer,
    *,
    title: str = "",
    opening: str = "",
    about: str = "",
    findings: str = "",
    doubts: Sequence[str] = (),
    plain: bool = False,
    progress: OnProgress | None = None,
) -> Iterator[str]:
    """Make a report piece by piece: numbers, then plot by plot, then the rest; see `report`."""
    if not explorer.shown or not explorer.selection.n_queries:
        raise ValueError("there is nothing to report: show a program and select a query")
    plain = plain or bool(explorer.first.given)  # which no slider moves
    if not plain:
        explorer = again(explorer)  # without what is pinned: no slider moves that either
    plots = plots_for(explorer)
    compared = explorer.compared(progress=_part(progress, 0, COMPARED))
    data = complete(explorer, *plots, compared=compared, progress=_part(progress, COMPARED, MERGED))
    holds = compared.holding(explorer.compared_score)
    selected, total = explorer.selection.n_queries, explorer.first.n_queries
    today, best = datetime.now().astimezone(), best_first(explorer)
    table = score_table.score_table(explorer, data.styles, compared, best, ranked=plain)
    yield render(
        "report_start.html",
        title=title or "Retrieval results",
        style=style_of("report.css") + Markup("" if plain else _colors(data)),
        alive=not plain,
        date=f"{today.day} {today:%B %Y}. ",
        n_queries=f"{selected:,} of {count(total, 'query')}",
        n_algorithms=f"{len(explorer.shown)} of {count(len(explorer.results), 'program')}",
        fingerprint=fingerprint(explorer.results),
        about=about,
        findings=[*filter(None, map(str.strip, findings.split("\n\n")))],
        holds=[] if holds is None else holds.rows,
        at=explorer.rule.title,
        table=Markup(table),
        method=Markup(score_table.method(explorer, compared)),
        **_said(explorer, compared, doubts),
    )
    drawing = _part(progress, MERGED, DRAWN)
    for place, plot in enumerate(plots):
        if drawing is not None and drawing(place, len(plots)) is False:
            raise Cancelled
        svg = file_content(data, plot, "svg", width=178).decode()
        # Tags without digits that nobody sees, and in one line.
        svg = TAG.sub(lambda tag: PLACE.sub("", tag[0]).translate(QUOTES), svg)
        yield render(
            "report_plot.html",
            plot=plot.name,
            alive=not plain,
            caption=plot.caption_of(data),
            svg=Markup(UNSAFE.sub(lambda some: quote(some[0]), svg)),
            title=Markup(plot.title),
            text=subscripts(plot.text(data)),
        )
    joins = {name: lists.join_report for name, lists in explorer.results.items()}
    packed = b"" if plain else tables(data, compared, _part(progress, DRAWN, ALL)).encode()
    yield render(
        "report_end.html",
        settings={name: _plain(value) for name, value in settings(explorer).items()},
        runs={
            name: ", ".join(f"{field} {_plain(value)}" for field, value in lists.run.known.items())
            for name, lists in explorer.results.items()
            if lists.run.known
        },
        joins={name: str(join) for name, join in joins.items() if join is not None},
        code=to_python(explorer, opening or "results = ...  # as they were opened"),
        versions=versions(),
        tables=base64.b64encode(zlib.compress(packed)).decode() if packed else "",
        script=Markup(script("report.js", "tapviz.explorer")),
    )


def _said(explorer: Choices, compared: Compared, doubts: Sequence[str]) -> dict[str, Any]:
    """What a page says of the results in words: the verdict, and cautions."""
    score = explorer.compared_score
    found, holds = compared.verdict(score), compared.holding(score)
    cautions = [*map(describe, explorer.findings(compared)), *doubts]
    return {
        "verdict": Markup(verdict_words(found, holds)) if found is not None else "",
        # Each without the full stop that the list adds.
        "cautions": [subscripts(one.removesuffix(".")) for one in cautions],
    }


def style_of(*names: str) -> Markup:
    """Style sheet of a page that is written to a file, with sheets of its own."""
    own = (style_sheet(name, "tapviz.explorer") for name in names)
    return Markup("".join([sheet(), controls(), STYLE, *own]))


@gc_disabled()  # which would look at all that is kept of it again and again: a tenth of its time
def report(explorer: Explorer, **told: Unpack[Told]) -> str:
    """Make the report of the present choices.

    Parameters
    ----------
    explorer : Explorer
        At least one algorithm shown and one query selected.
    **told
        As in `Told`.

    Returns
    -------
    str
        HTML that needs no other file and no network. The same choices make the same text on the
        same day.

    Raises
    ------
    ValueError
        If no program is shown or no query is selected.
    Cancelled
        If `progress` returned False.
    """
    return "".join(pieces(explorer, **told))


def save_report(explorer: Explorer, path: str | Path, **told: Unpack[Told]) -> None:
    """Write the report of the present choices to a file; see `report`.

    Raises
    ------
    ValueError
        If there is nothing to report, the file's name ends as that of another kind, or it cannot be
        written: an old one stays.

    Examples
    --------
    >>> from tapviz import Explorer, load_results, save_report
    >>> explorer = Explorer(load_results("profiles"), k=5)
    >>> save_report(explorer, "report.html", title="profiles", plain=True)
    """
    if Path(path).suffix.lower() not in ("", ".html", ".htm"):
        raise ValueError(f"{path}: a report is HTML: expected a name that ends in .html")
    write_atomically(path, report(explorer, **told))


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
    >>> from tapviz.explorer.report import save_site
    >>> results = load_results("profiles")
    >>> few = {name: results[name] for name in ("RPS-BLAST", "HMMER3 hmmscan")}
    >>> save_site(few, "public", k=5, plain=True).name
    'index.html'
    """
    target = Path(folder)
    explorer = Explorer(results, list(results), **choices)
    plots = [PLOTS[name] for name in OF_SITE if not PLOTS[name].missing(explorer)]
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
    return render(
        "site.html",
        title=told["title"],
        style=style_of("report.css", "site.css"),
        script=Markup(script("site.js", "tapviz.explorer")),
        about=told["about"],
        n_queries=count(explorer.first.n_queries, "query"),
        said=said,
        heads=[
            (subscripts(score.marked(title)), score.description, score.higher_is_better)
            for score, title in ((column.score, column.title) for column in shown)
        ],
        rows=rows,
        report=REPORT,
        plots=drawn,
        **_said(explorer, compared, told["doubts"]),
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


def _part(progress: OnProgress | None, first: int, last: int) -> OnProgress | None:
    """Progress of a part of the work, from some percentage of the whole to another."""
    if progress is None:
        return None
    return lambda done, total: progress(first + (last - first) * done // max(total, 1), ALL)


def _colors(data: PlotData) -> str:
    """Colours of the algorithms, and those of a dark page."""

    def properties(shade: Callable[[str], str]) -> str:
        inks = colors(data, lambda color: shade(ink(color)))
        return f"{custom_properties(colors(data, shade))} {custom_properties(inks, 'ink')}"

    dark = properties(lambda color: ON_DARK.get(color, color))
    return f':root {{ {properties(str)} }}\n:root[data-tapviz="dark"] {{ {dark} {DARK} }}\n'


def _plain(value: Value) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, dict):
        value = ", ".join(f"{name} {one:g}" for name, one in value.items())
    return "-" if value in ("", None) else str(value)
