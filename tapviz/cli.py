"""The command line: tapviz explore, score, figure, report and formats."""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from tapviz.datasets import bench_info
from tapviz.inputs import Given, Inputs, Opened, bundled, open_inputs
from tapviz.labels import NORMALISATIONS
from tapviz.readers import FORMATS, ReadError, formats
from tapviz.scores import (
    USUAL_K,
    Policies,
    as_csv,
    as_json,
    as_latex,
    as_table,
    ncbi_lines,
    score,
)

if TYPE_CHECKING:
    from panel.viewable import Viewer

    from tapviz.explorer import Explorer

BAD_INPUT = 2
OUTPUTS = {"table": as_table, "json": as_json, "csv": as_csv, "latex": as_latex}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the result is the exit code: 0, or 2 on bad input."""
    parser = argparse.ArgumentParser(
        prog="tapviz", description="Judge the retrieval of sequence and structure search programs."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    explore = commands.add_parser(
        "explore",
        help="open results in the browser",
        description="Open results in the browser: your files, or the bundled bench.",
    )
    _add_files(explore)
    explore.add_argument("--port", type=int, default=0, help="port to serve at (default: any free)")
    explore.add_argument("--no-show", action="store_true", help="do not open the browser")
    scoring = commands.add_parser(
        "score",
        help="print the scores of results",
        description="Print TAP-k, its interval and E_k, the peak of TAP, ROC_n and average "
        "precision of each file.",
    )
    _add_files(scoring)
    _add_policies(scoring)
    drawing = commands.add_parser(
        "figure",
        help="save plots for a paper",
        description="Save a plot, or all of them, as SVG, PDF or PNG, or its numbers as CSV.",
    )
    _add_files(drawing)
    _add_looks(drawing)
    _add_choices(drawing)
    reporting = commands.add_parser(
        "report",
        help="write a report: one HTML file with scores, plots and settings",
        description="Write one HTML file with scores, plots, settings and what was read.",
    )
    _add_files(reporting)
    reporting.add_argument("-o", "--output", required=True, metavar="PATH", help="an HTML file")
    _add_choices(reporting)
    commands.add_parser("formats", help="list the formats of files that are read")
    given = vars(parser.parse_args(arguments))
    command = {
        "explore": _explore,
        "score": _score,
        "figure": _figure,
        "report": _report,
        "formats": _formats,
    }[given.pop("command")]
    try:
        command(given)
    except (ReadError, ValueError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    return 0


def _explore(given: dict[str, Any]) -> None:
    port, show = given.pop("port"), not given.pop("no_show")
    _serve(_open(_inputs(given)), port=port, show=show)


@contextmanager
def _without_search_for_garbage() -> Iterator[None]:
    """For what ends soon: millions of rows make no garbage that is worth the search."""
    looks = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looks:
            gc.enable()


@_without_search_for_garbage()
def _score(given: dict[str, Any]) -> None:
    output, compat, baseline = given.pop("output"), given.pop("compat"), given.pop("compare")
    policies = Policies(
        k=tuple(given.pop("k") or (() if given["e0"] else (USUAL_K,))),
        e0=tuple(given.pop("e0") or ()),
        n_resamples=given.pop("resamples"),
        **{name: given.pop(name) for name in Policies._fields if name in given},
    )
    inputs = _inputs(given)
    if not inputs.files:
        msg = "give at least one file of results"
        raise ValueError(msg)
    opened = open_inputs(inputs)
    if compat == "ncbi":
        if len(opened.results) > 1:
            msg = "--compat ncbi: give one file"
            raise ValueError(msg)
        (lists,) = opened.results.values()
        for line in ncbi_lines(lists, policies):
            print(line)
        return
    scores = score(opened.results, policies, baseline=baseline)
    print(OUTPUTS[output](scores._replace(warnings=opened.doubts + scores.warnings)), end="")
    for lists in opened.results.values():
        if lists.join_report is not None:
            print(lists.join_report, file=sys.stderr)


def _figure(given: dict[str, Any]) -> None:
    from tapviz.plots import plots_for  # noqa: PLC0415
    from tapviz.plots.save import KINDS, save_figure  # noqa: PLC0415

    look = {name: given.pop(name) for name in ("width", "title", "greyscale")}
    plots, kinds = given.pop("plot"), given.pop("type")
    target = Path(given.pop("output"))
    explorer, _ = _chosen(given)
    if target.suffix and not target.is_dir():
        if len(plots or ()) != 1:
            msg = f"-o {target}: choose one plot with --plot, or name a folder for all of them"
            raise ValueError(msg)
        save_figure(explorer, plots[0], target, **look)
        return
    target.mkdir(parents=True, exist_ok=True)
    for plot in plots or [one.name for one in plots_for(explorer)]:
        for kind in kinds or KINDS[:1]:
            save_figure(explorer, plot, target / f"{plot}.{kind}", **look)


def _report(given: dict[str, Any]) -> None:
    from tapviz.dashboard.report import save_report  # noqa: PLC0415

    target = given.pop("output")
    explorer, opened = _chosen(given)
    save_report(explorer, target, title=opened.title, opening=opened.opening, about=opened.about)


def _chosen(given: dict[str, Any]) -> tuple[Explorer, Opened]:
    """The explorer with the choices of the command line, and what it shows."""
    from tapviz.explorer import BY_E_VALUE, BY_ERRORS, Explorer  # noqa: PLC0415

    choices = {name: given.pop(name) for name in ("k", "e0", "n", "quantile", "detail", "baseline")}
    shown = given.pop("algorithm")
    own = _open(_inputs(given))
    opened = own or bundled()
    results = opened.results
    if unknown := [name for name in shown or () if name not in results]:
        msg = f"--algorithm {unknown[0]}: expected one of {', '.join(results)}"
        raise ValueError(msg)
    if not shown:
        shown = list(results if own else bench_info().shown)
    chosen = {name: value for name, value in choices.items() if value is not None}
    mode = BY_E_VALUE if "e0" in chosen else BY_ERRORS
    return Explorer(results, shown, mode=mode, **chosen), opened


def _formats(_: dict[str, Any]) -> None:
    for one in formats():
        sample = "\n".join(f"    {line}" for line in one.sample.splitlines())
        print(f"{one.name}: {one.title}\n  written by {one.programs}\n{sample}\n")


def explore_app(arguments: Sequence[str]) -> Viewer:
    """The application for the arguments after ``panel serve apps/explore.py --args``.

    Bad input ends the server with a message and exit code 2: no session could show anything else.
    """
    return _page(_opened("apps/explore.py", arguments))


def lesson_app(arguments: Sequence[str]) -> Viewer:
    """The application for the arguments after ``panel serve apps/lesson.py --args``.

    With files, the explorer that the lesson leads to opens these.
    """
    return _page(_opened("apps/lesson.py", arguments), learn=True)


def _opened(app: str, arguments: Sequence[str]) -> Opened | None:
    parser = argparse.ArgumentParser(prog=f"panel serve {app} --args")
    _add_files(parser)
    try:
        return _open(_inputs(vars(parser.parse_args(arguments))))
    except (ReadError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(BAD_INPUT)


def _page(opened: Opened | None, *, learn: bool = False) -> Viewer:
    """The explorer or the lesson, as the address asks: each leads to the other wherever served.

    ``?learn`` is the lesson, settings of the explorer are the explorer, ``?bench=figure4`` the
    explorer with the lesson's own lists; `learn` says what an address without any of them is.
    """
    import panel as pn  # noqa: PLC0415

    from tapviz.dashboard.app import App  # noqa: PLC0415
    from tapviz.lesson.page import Lesson, figure4  # noqa: PLC0415
    from tapviz.live.gc_tuning import GARBAGE  # noqa: PLC0415

    GARBAGE.serve()
    search = (pn.state.location.search if pn.state.location is not None else "") or ""
    asked = parse_qs(search.lstrip("?"), keep_blank_values=True)
    if "learn" in asked or (learn and "view" not in asked):
        return Lesson()
    if asked.get("bench") == ["figure4"]:
        return figure4(search)
    return App() if opened is None else App(*opened)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="*", metavar="FILE", help="results, one file per algorithm")
    relevance = parser.add_mutually_exclusive_group()
    relevance.add_argument("--labels", metavar="TABLE", help="class of each record: id TAB class")
    relevance.add_argument(
        "--qrels", metavar="PAIRS", help="grade of each pair: query record grade, as of TREC"
    )
    relevance.add_argument(
        "--gold", metavar="SETS", help="what is relevant to each query, as of BioCreative"
    )
    relevance.add_argument(
        "--totals",
        metavar="TABLE",
        help="T of each query: query TAB number, for files that say themselves what is relevant",
    )
    parser.add_argument(
        "--query-labels",
        metavar="TABLE",
        help="class of each query, where queries are not records of the database",
    )
    parser.add_argument(
        "--levels",
        metavar="RELEVANT,IGNORED",
        type=_levels,
        default=(3, 2),
        help="levels to which the classes of relevant records, and of those left out, agree "
        "(default: 3,2)",
    )
    parser.add_argument(
        "--unlabelled",
        choices=("irrelevant", "ignore", "error"),
        default="irrelevant",
        help="what records without a label are (default: %(default)s)",
    )
    parser.add_argument(
        "--self-hits",
        choices=("drop", "keep"),
        default="drop",
        help="hits of queries on themselves",
    )
    parser.add_argument(
        "--decoys", metavar="REGEX", help="only ids that match are irrelevant, others left out"
    )
    parser.add_argument(
        "--normalise",
        action="append",
        choices=tuple(NORMALISATIONS),
        default=[],
        help="write ids of both sides alike; may be given again",
    )
    parser.add_argument("--queries", metavar="LIST", help="all queries, one per line, hits or not")
    parser.add_argument("--format", choices=sorted(FORMATS), help="format, where not recognised")
    parser.add_argument(
        "--columns",
        metavar="NAMES",
        help="names of the columns: 'qseqid sseqid evalue'",
    )
    parser.add_argument("--score", metavar="COLUMN", help="column to judge by: bits, prob")
    parser.add_argument("--iteration", type=int, help="of PSI-BLAST (default: the last)")
    parser.add_argument(
        "--swap", action="store_true", help="exchange queries and records, as for hmmscan"
    )
    parser.add_argument(
        "--direction",
        choices=("ascending", "descending"),
        help="whether small scores are good (E-values) or large ones",
    )


def _levels(text: str) -> tuple[int, int]:
    relevant, _, ignored = text.partition(",")
    return int(relevant), int(ignored or 0)


def _add_policies(parser: argparse.ArgumentParser) -> None:
    usual = Policies()
    parser.add_argument(
        "-k",
        type=int,
        action="append",
        help=f"errors per query at the threshold of TAP-k; may be given again (default: {USUAL_K})",
    )
    parser.add_argument(
        "--e0", type=float, action="append", help="also, or instead, TAP at this threshold"
    )
    parser.add_argument("-n", type=int, default=usual.n, help="n of ROC_n (default: %(default)s)")
    parser.add_argument(
        "--quantile",
        type=float,
        default=usual.quantile,
        help="share of the queries that have k errors at E_k (default: %(default)s, the median)",
    )
    parser.add_argument(
        "--short-lists",
        choices=("worst_score", "error", "pad"),
        default=usual.short_lists,
        help="where too few lists have k errors: take the worst score of all lists as the "
        "threshold, leave TAP-k undefined, or continue the lists with irrelevant records "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--no-relevant",
        choices=("reference", "zero", "exclude"),
        default=usual.no_relevant,
        help="TAP of a query without relevant records: 1 / (retrieved + 1), 0, or left out "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--compare", metavar="BASELINE", default="", help="compare the other files with this one"
    )
    parser.add_argument(
        "--resamples",
        type=int,
        default=usual.n_resamples,
        help="resamples of the queries for intervals and p-values, 0 for none "
        "(default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=usual.seed, help="of the resamples")
    parser.add_argument("--output", choices=tuple(OUTPUTS), default="table", help="how to write")
    parser.add_argument(
        "--compat",
        choices=("ncbi",),
        help="print what TAP-k of PyPI prints for one file of retrieval lists",
    )


def _add_looks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PATH",
        help="file that ends in .svg, .pdf, .png or .csv; or a folder",
    )
    parser.add_argument(
        "--plot", action="append", help="tap, epq, roc, ...; may be given again (default: all)"
    )
    parser.add_argument(
        "--type",
        action="append",
        choices=("svg", "pdf", "png", "csv"),
        help="files in a folder; may be given again (default: svg)",
    )
    parser.add_argument(
        "--width", type=int, choices=(86, 178), default=86, help="in mm (default: %(default)s)"
    )
    parser.add_argument("--title", help="text above the plot (default: how to read it; '': none)")
    parser.add_argument("--greyscale", action="store_true", help="as printed without colours")


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-k", type=int, help="errors per query at the threshold (default: 20)")
    parser.add_argument("--e0", type=float, help="E-value or score as the threshold instead")
    parser.add_argument("-n", type=int, help="n of ROC_n (default: 50)")
    parser.add_argument("--quantile", type=float, help="share of queries with k errors at E_k")
    parser.add_argument(
        "--algorithm", action="append", metavar="NAME", help="show this; may be given again"
    )
    parser.add_argument("--detail", metavar="NAME", help="algorithm that is looked at closely")
    parser.add_argument("--baseline", metavar="NAME", help="algorithm compared with")


def _inputs(options: dict[str, Any]) -> Inputs:
    """The options about files, each a value that does not change."""
    form = options.pop("format")
    files = tuple(Given(file, form) for file in options.pop("files"))
    return Inputs(files, **{**options, "normalise": tuple(options["normalise"])})


@cache
def _open(inputs: Inputs) -> Opened | None:
    """Results in the files, read once per process; None if there are no files.

    Raises
    ------
    ReadError, ValueError
        As `open_inputs`.
    """
    if not inputs.files:
        return None
    opened = open_inputs(inputs)
    for doubt in opened.doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    return opened


def _serve(opened: Opened | None, *, port: int, show: bool) -> None:
    import panel as pn  # noqa: PLC0415

    pn.extension("filedropper")
    pn.serve(lambda: _page(opened), port=port, show=show, title="tapviz")


if __name__ == "__main__":
    sys.exit(main())
