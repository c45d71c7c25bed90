"""A report: one HTML file with the numbers, plots and settings, that asks nothing of a network."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypedDict, Unpack
from urllib.parse import quote

from tapviz.draw.browser import DARK, custom_properties
from tapviz.draw.style import ON_DARK, ink
from tapviz.draw.tokens import controls, sheet
from tapviz.explorer import Explorer
from tapviz.explorer.report_tables import colors, tables
from tapviz.explorer.score_table import best_first, method, score_table, subscripts
from tapviz.explorer.share import again, fingerprint, to_python
from tapviz.explorer.verdict import verdict_words
from tapviz.lists.words import count
from tapviz.lists.writing import write_atomically
from tapviz.live.script import STYLE, script, style_sheet
from tapviz.live.templates import Markup, render
from tapviz.measures import Cancelled, OnProgress
from tapviz.plots import PlotData, plots_for
from tapviz.plots.save import complete, file_content
from tapviz.scores import versions
from tapviz.scores.findings import describe
from tapviz.state.settings import Value, settings

TAG, PLACE = re.compile("<[^>]*>"), re.compile(r"(\.\d\d)\d+")
QUOTES = str.maketrans("\"'\n", "'\" ")
SAFE = " !$'()*+,-./:;=?@<>"
"""Characters of a picture that its address in HTML has as they are."""

# How much of the work is done, in percent, when a part of it ends.
COMPARED, MERGED, DRAWN, ALL = 10, 20, 45, 100


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
    found = compared.verdict(explorer.compared_score)
    holds = compared.holding(explorer.compared_score)
    selected, total = explorer.selection.n_queries, explorer.first.n_queries
    today = datetime.now().astimezone()
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
        findings=[part.strip() for part in findings.split("\n\n") if part.strip()],
        verdict=Markup(verdict_words(found, holds)) if found is not None else "",
        holds=[] if holds is None else holds.rows,
        at=explorer.rule.title,
        table=Markup(
            score_table(explorer, data.styles, compared, best_first(explorer), ranked=plain)
        ),
        method=Markup(method(explorer, compared)),
        # Each without the full stop that the list adds.
        cautions=[
            *map(subscripts, map(describe, explorer.findings(compared))),
            *(subscripts(doubt.removesuffix(".")) for doubt in doubts),
        ],
    )
    drawing = _part(progress, MERGED, DRAWN)
    for place, plot in enumerate(plots):
        if drawing is not None and drawing(place, len(plots)) is False:
            raise Cancelled
        svg = file_content(data, plot, "svg", width=178).decode()
        # Tags without digits that nobody sees, and in one line.
        svg = TAG.sub(lambda tag: PLACE.sub(r"\1", tag[0]).translate(QUOTES), svg)
        yield render(
            "report_plot.html",
            plot=plot.name,
            alive=not plain,
            caption=plot.caption_of(data),
            svg=Markup(quote(svg, safe=SAFE)),
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


def style_of(*names: str) -> Markup:
    """Style sheet of a page that is written to a file, with sheets of its own."""
    own = (style_sheet(name, "tapviz.explorer") for name in names)
    return Markup("".join([sheet(), controls(), STYLE, *own]))


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
