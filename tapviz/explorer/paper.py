"""A figure for a paper with all that belongs to it: words, numbers, settings, and Python."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from tapviz.draw.matplotlib import FORMATS, as_bytes
from tapviz.draw.style import subscript
from tapviz.explorer import Explorer
from tapviz.explorer.session import FILE, fingerprint, to_json, to_python
from tapviz.lists.words import count, threshold, with_minus
from tapviz.lists.writing import write_atomically
from tapviz.measures import weight_titles
from tapviz.plots import plots_for
from tapviz.plots.save import KINDS, Drawn, save_figure
from tapviz.scores import versions
from tapviz.state import BY_E_VALUE

CITATION = (
    "Carroll HD, Kann MG, Sheetlin SL, Spouge JL (2010). Threshold Average Precision (TAP-k): a "
    "measure of retrieval designed for bioinformatics. Bioinformatics 26(14):1708-1713. "
    "https://doi.org/10.1093/bioinformatics/btq270"
)
UNZIPPED = (1980, 1, 1, 0, 0, 0)
"""Date of files in an archive: the same choices make the same bytes."""
MEDIAN = 0.5


def methods(explorer: Explorer) -> str:
    """How the numbers were made, as a sentence for a paper."""
    selected, total = explorer.selection.n_queries, explorer.first.n_queries
    queries = ("" if selected == total else f"{selected:,} of ") + count(total, "query")
    at = f"at the threshold E₀ = {with_minus(threshold(explorer.e0))}"
    if explorer.mode != BY_E_VALUE:
        share, errors = "the median query has", count(explorer.k, "error")
        if explorer.quantile != MEDIAN:
            share = f"{100 * explorer.quantile:g} % of the queries have"
        at = f"at E{subscript(explorer.k)}, the threshold at which {share} {errors}"
    weight = weight_titles(explorer.first)[explorer.weights]
    weights = "" if weight == "1" else f", each of which counts as {weight},"
    return (
        f"Retrieval was judged on {queries}{weights} by the Threshold Average Precision "
        f"(TAP; Carroll et al., 2010) {at}, computed with tapviz {versions()['tapviz']} "
        f"(data {fingerprint(explorer.results)})."
    )


def figure_words(explorer: Explorer, drawn: Drawn) -> str:
    """Caption of a figure, methods sentence and citation."""
    return f"{drawn.caption}\n\n{methods(explorer)}\n\n{CITATION}\n"


def figure_zip(explorer: Explorer, panels: Sequence[str], opening: str, **look: Any) -> bytes:
    """A figure with all that belongs to it, as a zip archive.

    It holds the figure as SVG, PDF and PNG, the numbers of each panel as CSV, the caption with a
    methods sentence and the citation, the settings, and Python that makes the figure.

    Parameters
    ----------
    explorer : Explorer
    panels : sequence of str
        Names of plots.
    opening : str
        Lines that bind the results to the name ``results``.
    **look
        As in `save_figure`.

    Examples
    --------
    >>> import io, zipfile
    >>> from tapviz import Explorer, load_results
    >>> from tapviz.explorer.paper import figure_zip
    >>> content = figure_zip(Explorer(load_results(), k=5), ["tap"], "results = ...")
    >>> zipfile.ZipFile(io.BytesIO(content)).namelist()[:4]
    ['figure.svg', 'figure.pdf', 'figure.png', 'A-tap.csv']
    """
    drawn = Drawn(explorer, panels, **look)
    made = drawn.figure()
    files = {f"figure.{kind}": as_bytes(made, kind) for kind in FORMATS}
    for letter, plot in zip(ascii_uppercase, drawn.plots, strict=False):
        files[f"{letter}-{plot.name}.csv"] = drawn.csv(plot)
    files["caption.txt"] = figure_words(explorer, drawn).encode()
    files[FILE] = to_json(explorer).encode()
    files["tapviz_figure.py"] = (to_python(explorer, opening) + _saving(panels, look)).encode()
    archive = io.BytesIO()
    with ZipFile(archive, "w", ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(ZipInfo(name, UNZIPPED), content, ZIP_DEFLATED)
    return archive.getvalue()


def save(explorer: Explorer, panels: Sequence[str], path: Path, opening: str, **look: Any) -> None:
    """Save a figure: with all that belongs to it if the file ends in ``.zip``, or else alone."""
    if path.suffix.lower() == ".zip":
        write_atomically(path, figure_zip(explorer, panels, opening, **look))
    else:
        save_figure(explorer, panels, path, **look)


def save_each(
    explorer: Explorer, plots: Sequence[str], folder: Path, kinds: Sequence[str], **look: Any
) -> None:
    """Save plots, or all that can be shown, as files of a folder, usually SVG."""
    folder.mkdir(parents=True, exist_ok=True)
    for plot in plots or [one.name for one in plots_for(explorer)]:
        for kind in kinds or KINDS[:1]:
            save_figure(explorer, plot, folder / f"{plot}.{kind}", **look)


def _saving(panels: Sequence[str], look: Mapping[str, object]) -> str:
    options = "".join(f", {name}={value!r}" for name, value in look.items())
    return (
        "\nfrom tapviz import save_figure\n\n"
        f'save_figure(explorer, {list(panels)!r}, "figure.svg"{options})\n'
    )
