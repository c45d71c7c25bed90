"""A report: one HTML file with the numbers, plots and settings, that asks nothing of a network."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tapviz.dashboard.table import method, score_table, subscripts
from tapviz.explorer import Explorer
from tapviz.findings import Finding, describe
from tapviz.live.theme import STYLE
from tapviz.plots import Plot, PlotData, plots_for
from tapviz.plots.save import complete, file_content
from tapviz.scores import versions
from tapviz.share import fingerprint, settings, to_python

LOOK = """
body { font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  color: #222; background: #fff; max-width: 1140px; margin: 24px auto; padding: 0 16px; }
h1 { font-size: 22px; margin: 0 0 4px; } h2 { font-size: 17px; margin: 28px 0 6px; }
figure { margin: 18px 0; break-inside: avoid; } figure img { width: 178mm; max-width: 100%; }
figcaption { max-width: 900px; } figcaption b { display: block; }
dl.settings { display: grid; grid-template-columns: max-content 1fr; gap: 2px 18px; margin: 0; }
dl.settings dd { margin: 0; overflow-wrap: anywhere; } dt { color: #555; }
pre { background: #f6f6f6; padding: 10px 14px; overflow-x: auto; font-size: 13px; }
.wide { overflow-x: auto; } ul { margin: 4px 0; padding-left: 20px; }
"""


def pieces(
    explorer: Explorer, *, title: str = "", opening: str = "", about: str = ""
) -> Iterator[str]:
    """Make a report piece by piece: first the numbers, then plot by plot; see `report`."""
    if not explorer.shown or not explorer.selection.n_queries:
        msg = "there is nothing to report: show an algorithm and select a query"
        raise ValueError(msg)
    plots = plots_for(explorer)
    data = complete(explorer, *plots)
    compared = explorer.compared()
    table = score_table(explorer, data.styles, compared)
    name = html.escape(title or "Retrieval results")
    selected, total = explorer.selection.n_queries, explorer.first.n_queries
    yield f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline';
 img-src data:">
<meta name="viewport" content="width=device-width"><title>{name} - tapviz</title>
<style>{STYLE}{LOOK}</style></head><body><main>
<h1>{name}</h1>
<p>{selected:,} of {total:,} queries, {len(explorer.shown)} of {len(explorer.results)} algorithms.
 Data {fingerprint(explorer.results)}.</p>
<p>{html.escape(about)}</p>
<h2>Scores</h2><div class="wide">{table}</div><p>{method(explorer, compared)}</p>
{_cautions(explorer.findings(compared))}
<h2>Plots</h2>
"""
    for plot in plots:
        yield _figure(data, plot)
    code = to_python(explorer, opening or "results = ...  # as they were opened")
    yield f"""
<h2>Settings</h2>{_listed(settings(explorer).items())}
{_read(explorer)}
<h2>Python that makes these numbers</h2><pre>{html.escape(code)}</pre>
<h2>Versions</h2>{_listed(versions().items())}
</main></body></html>
"""


def n_pieces(explorer: Explorer) -> int:
    """Number of pieces that `pieces` makes."""
    return len(plots_for(explorer)) + 2


def report(explorer: Explorer, *, title: str = "", opening: str = "", about: str = "") -> str:
    """Make the report of the present choices.

    Parameters
    ----------
    explorer : Explorer
        At least one algorithm shown and one query selected.
    title : str, optional
        What the data are.
    opening : str, optional
        Lines of Python that bind the results to ``results``, for those who want to repeat it.
    about : str, optional
        What counts as relevant, and whose data these are.

    Returns
    -------
    str
        HTML that needs no other file and no network. The same choices make the same text.

    Raises
    ------
    ValueError
        If no algorithm is shown or no query is selected.
    """
    return "".join(pieces(explorer, title=title, opening=opening, about=about))


def save_report(
    explorer: Explorer,
    path: str | Path,
    *,
    title: str = "",
    opening: str = "",
    about: str = "",
) -> None:
    """Write the report of the present choices to a file; see `report`.

    Raises
    ------
    ValueError
        If there is nothing to report, or the file cannot be written.

    Examples
    --------
    >>> from tapviz import Explorer, load_results, save_report
    >>> save_report(Explorer(load_results("profiles"), k=5), "report.html", title="profiles")
    """
    text = report(explorer, title=title, opening=opening, about=about)
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        msg = f"{path}: cannot be written: {error.strerror}"
        raise ValueError(msg) from error


def _figure(data: PlotData, plot: Plot) -> str:
    words = html.escape(plot.text(data))
    picture = base64.b64encode(file_content(data, plot, "svg", width=178)).decode()
    return (
        f'<figure><img alt="{html.escape(plot.caption_of(data))}" '
        f'src="data:image/svg+xml;base64,{picture}">'
        f"<figcaption><b>{plot.title}</b>{words}</figcaption></figure>"
    )


def _cautions(findings: list[Finding]) -> str:
    items = "".join(f"<li>{subscripts(describe(one))}.</li>" for one in findings)
    return f"<h2>Cautions</h2><ul>{items}</ul>" if items else ""


def _read(explorer: Explorer) -> str:
    """What was read, and how hits and labels were joined."""
    reports = {
        name: lists.join_report
        for name, lists in explorer.results.items()
        if lists.join_report is not None
    }
    parts = "".join(
        f"<p><b>{html.escape(name)}</b></p><pre>{html.escape(str(found))}</pre>"
        for name, found in reports.items()
    )
    return f"<h2>What was read</h2>{parts}" if parts else ""


def _listed(items: Iterable[tuple[str, Any]]) -> str:
    rows = "".join(
        f"<dt>{html.escape(name)}</dt><dd>{html.escape(_plain(value))}</dd>"
        for name, value in items
    )
    return f'<dl class="settings">{rows}</dl>'


def _plain(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return "-" if value in ("", None) else str(value)
