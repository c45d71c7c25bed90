"""The command line: its commands, their flags and exit codes."""

from __future__ import annotations

import argparse
import gc
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, get_args

from tapviz.datasets import dataset_info
from tapviz.files.columns import write_columns
from tapviz.files.limits import MB, Limits, set_limits
from tapviz.files.problems import doubts
from tapviz.files.writing import write_atomically
from tapviz.inputs import (
    Opened,
    ResultFile,
    bundled,
    explain,
    files_of,
    first_errors,
    judged_by,
    open_files,
)
from tapviz.measures import USUAL_QUANTILE, QueryWeights, advise, weigh
from tapviz.options import add_flags, flag_names, options_of
from tapviz.readers import FORMATS, ReadError, ReadOptions
from tapviz.runs import Run, read_runs, run_of
from tapviz.scores import (
    COMPARABLE,
    COSTS,
    OUTPUTS,
    PRESETS,
    USUAL_K,
    WHOLE,
    Baseline,
    Limit,
    Policies,
    advice_csv,
    advice_json,
    advice_table,
    asked_for,
    check,
    comparable_scores,
    foldseek_lines,
    ncbi_lines,
    per_query,
    read_limit,
    score,
    selected,
    why_foldseek_differs,
    written,
)
from tapviz.store import add as add_run

if TYPE_CHECKING:
    from panel.viewable import Viewer

    from tapviz.condensing import CondenseProgress
    from tapviz.explorer import Explorer

WORSE, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141
"""Exit codes; the last two are 128 and the signal that would have ended the command."""
FAILURES = (ReadError, ValueError, OSError, OverflowError, MemoryError)
"""What is nobody's bug, but a wrong argument, a bad file or a full disk."""
MOST = 1_000_000_000
FLAGS = flag_names(ReadOptions)
"""Options of reading as messages call them."""
SERVICE = (
    "port",
    "address",
    "origins",
    "prefix",
    "processes",
    "max_sessions",
    "log_level",
)
"""Options of `tapviz.server.Service` besides the limits."""
LIMITED = {
    "upload_file": "size of an uploaded file",
    "upload_session": "size of all files uploaded to a page",
    "upload_process": "size of all files uploaded to a process",
    "decoded_file": "size of an uploaded file when it is unpacked",
}
CHOSEN = (
    "k",
    "e0",
    "n",
    "quantile",
    "focus_algorithm",
    "baseline",
    "groups",
    "weights",
    "coverage_of",
    "precision_of",
    "compared_score",
    "cost",
)
"""Choices of a figure or report."""
ADVICE = {"table": advice_table, "json": advice_json, "csv": advice_csv}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Returns
    -------
    int
        The exit code: 0, or 1 if a score is worse than was accepted; 2 if something was wrong, of
        which one message has told; 130 after an interrupt, 141 if whoever read the output has gone.
    """
    parser = _Parser(
        prog="tapviz", description="Judge the retrieval of sequence and structure search programs."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, one in COMMANDS.items():
        command = commands.add_parser(name, help=one.help, description=one.description)
        for add in one.flags:
            add(command)
    try:
        given = vars(parser.parse_args(arguments))
        code = COMMANDS[given.pop("command")].run(given)
        if sys.stdout is not None:
            sys.stdout.flush()  # here, since nobody would see an error at exit
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except FAILURES as error:
        _tell(error)
        _drop_output()
        return BAD_INPUT
    return code or 0


class _Parser(argparse.ArgumentParser):
    """Answers wrong arguments with one line rather than with all there are."""

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see {self.prog} --help\n")


def _tell(error: Exception) -> None:
    """Say what is wrong, on standard error if there is one."""
    if isinstance(error, MemoryError):
        lines = ["there is not enough memory; leave out rows or files, or close other programs"]
    elif isinstance(error, OSError) and error.strerror:
        lines = [f"{error.filename or 'standard output'}: {error.strerror}"]
    else:
        lines = explain(error, FLAGS)
    with suppress(OSError):
        print(*lines, sep="\n", file=sys.stderr)


def _drop_output() -> None:
    """Drop what cannot be written, so that Python does not try again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        try:
            sys.stdout.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


def _explore(given: dict[str, Any]) -> None:
    port, show = given.pop("port"), not given.pop("no_show")
    opened = _open(*_inputs(given))
    from tapviz.server import explore  # noqa: PLC0415  # loads Panel; bad input is told before

    explore(opened, port=port, show=show)


def _serve(given: dict[str, Any]) -> None:
    limits = Limits(**{name: given.pop(name) * MB for name in LIMITED})
    service = {name: given.pop(name) for name in SERVICE}
    opened = _open(*_inputs(given))
    from tapviz.server import Service, serve  # noqa: PLC0415

    serve(opened, Service(limits=limits, **service))


@contextmanager
def _gc_disabled() -> Iterator[None]:
    """Disable garbage collection in what ends soon: millions of rows make no garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _as_foldseek(files: Sequence[ResultFile], options: ReadOptions, _: Policies) -> None:
    """Print what Foldseek's script prints, and say why it differs."""
    if len(files) > 1:
        msg = "--compat foldseek: give one file"
        raise ValueError(msg)
    found = first_errors(files[0].file, options)
    for line in foldseek_lines(*found):
        print(line)
    report = found.lists[0].join_report
    for line in why_foldseek_differs(found.rocx, found.lists, report.collapsed):
        print(line, file=sys.stderr)


def _as_ncbi(files: Sequence[ResultFile], options: ReadOptions, policies: Policies) -> None:
    """Print what TAP-k of PyPI prints."""
    results = open_files(files, options, called=FLAGS).results
    if len(results) > 1:
        msg = "--compat ncbi: give one file"
        raise ValueError(msg)
    (lists,) = results.values()
    for line in ncbi_lines(lists, policies):
        print(line)


COMPAT = {"ncbi": _as_ncbi, "foldseek": _as_foldseek}


@_gc_disabled()
def _score(given: dict[str, Any]) -> int:
    output, compat, baseline = given.pop("output"), given.pop("compat"), given.pop("compare")
    groups, compared = given.pop("groups"), given.pop("compare_by") or ()
    gate = _Gate(**{name: given.pop(name) for name in _Gate._fields})
    table = given.pop("per_query")
    policies = Policies(
        k=tuple(given.pop("k") or (() if given["e0"] else (USUAL_K,))),
        e0=tuple(given.pop("e0") or ()),
        n_resamples=given.pop("resamples"),
        groups=Policies().groups if groups is None else groups or None,
        scores=tuple(filter(None, re.split(r"[\s,]+", given.pop("scores")))),
        **{name: given.pop(name) for name in Policies._fields if name in given},
    )
    files, options = _inputs(given)
    if not files:
        msg = "give at least one file of results"
        raise ValueError(msg)
    gate.check(output, baseline, len(options.standard))
    if compat:
        COMPAT[compat](files, options, policies)
        return 0
    compared = tuple(dict.fromkeys([*compared, *gate.scores]))
    saved = gate.read_scores()
    opened = open_files([*files, *gate.files], options, called=FLAGS)
    if table:
        if len(options.standard) > 1:
            msg = "--per-query: give one standard"
            raise ValueError(msg)
        write_columns(per_query(opened.results, policies), table)
    tables = []
    for judged in opened.by_standard(options.standard):
        results, known = judged.results, None
        labels = judged_by(judged.labels)[0] if saved or gate.save_baseline else ""
        if saved is not None:
            results, known = saved.aligned(results, labels), saved.at(policies, compared)
        scores = score(
            results,
            policies,
            baseline=baseline or gate.name_of(saved, results),
            compared=compared,
            kept=gate.kept(results, policies),
            saved=known,
        )
        if gate.save_baseline:
            write_atomically(gate.save_baseline, Baseline.of(scores, results, labels).as_json())
        standard = judged.standard if options.standard else ""
        checks = check(scores, gate.limits, gate.name_of(saved, results), strict=gate.strict)
        tables.append(scores._replace(doubts=judged.doubts, standard=standard, checks=checks))
        for lists in results.values():
            if lists.join_report is not None:
                print(lists.join_report, file=sys.stderr)
    print(written(tables, output), end="", flush=True)
    checked = [one for table in tables for one in table.checks]
    for one in checked:
        print("failed:" if one.failed else "passed:", one.words, file=sys.stderr)
    return WORSE if any(one.failed for one in checked) else 0


class _Gate(NamedTuple):
    """Options of a comparison with a baseline, and of what is to fail."""

    baseline: str
    fail_if: Sequence[Limit] | None
    strict: bool
    save_baseline: str

    @property
    def limits(self) -> Sequence[Limit]:
        """What is to fail."""
        return self.fail_if or ()

    @property
    def scores(self) -> list[str]:
        """Names of the scores that decide."""
        return [one.score.name for one in self.limits]

    @property
    def files(self) -> list[str]:
        """The baseline, if it is a file of results."""
        return [self.baseline] if self.baseline and not self.is_json else []

    @property
    def is_json(self) -> bool:
        """Whether the baseline is a file of scores."""
        return self.baseline.endswith(".json")

    def name_of(self, saved: Baseline | None, results: Mapping[str, Any]) -> str:
        """What the baseline is called; the last of the results, if it is a file of such."""
        if saved is not None:
            return self.baseline if saved.algorithm in results else saved.algorithm
        return [*results][-1] if self.files else ""

    def kept(self, results: Mapping[str, Any], policies: Policies) -> list[str]:
        """Names of the scores that are saved."""
        if not self.save_baseline:
            return []
        lists = next(iter(results.values()))
        asked = (one.name for one in asked_for(lists, policies.scores) if one.in_tables)
        return list(dict.fromkeys([*comparable_scores(lists), *asked]))

    def check(self, output: str, compare: str, standards: int) -> None:
        """Raise ValueError if options do not go together."""
        msg = ""
        if self.limits and not self.baseline:
            msg = "--fail-if: give --baseline, a file of results or of --save-baseline"
        elif self.baseline and compare:
            msg = "--baseline and --compare: give one of them"
        elif output == "junit" and not self.limits:
            msg = "--output junit: give --fail-if, of which the result is written"
        elif self.baseline and self.save_baseline:
            msg = "--baseline and --save-baseline: give one of them"
        elif self.save_baseline and standards > 1:
            msg = "--save-baseline: give one standard"
        if msg:
            raise ValueError(msg)

    def read_scores(self) -> Baseline | None:
        """The baseline, if it is a file of scores."""
        if not self.is_json:
            return None
        return Baseline.read(Path(self.baseline).read_text(encoding="utf-8"), self.baseline)


@_gc_disabled()
def _threshold(given: dict[str, Any]) -> None:
    output, groups, weights = given.pop("output"), given.pop("groups"), given.pop("weights")
    names = ("errors", "statistic", "quantile", "n_folds", "n_repeats", "n_resamples", "seed")
    options = {name: given.pop(name) for name in names}
    files, reading = _inputs(given)
    if not files:
        msg = "give at least one file of results"
        raise ValueError(msg)
    opened = open_files(files, reading, called=FLAGS)
    advice = advise(
        {name: weigh(lists, weights) for name, lists in opened.results.items()},
        groups="relevance" if groups is None else groups or None,
        **options,
    )
    print(ADVICE[output](advice, opened.doubts), end="")


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

    target, plain = given.pop("output"), given.pop("plain")
    explorer, opened = _chosen(given)
    save_report(
        explorer,
        target,
        title=opened.title,
        opening=opened.opening,
        about=opened.about,
        doubts=opened.doubts,
        plain=plain,
        progress=_show_progress if sys.stderr.isatty() else None,
    )


def _site(given: dict[str, Any]) -> None:
    from tapviz.dashboard.site import save_site  # noqa: PLC0415

    target, title, scores = given.pop("output"), given.pop("title"), given.pop("scores")
    plain = given.pop("plain")
    wanted = selected(tuple(filter(None, re.split(r"[\s,]+", scores)))) if scores else ()
    choices = {name: value for name in ("k", "n") if (value := given.pop(name)) is not None}
    files, options = _inputs(given)
    if not files:
        msg = "give a folder of runs, or files of results"
        raise ValueError(msg)
    opened = open_files(files, options, called=FLAGS)
    first = save_site(
        opened.results,
        target,
        title=title,
        about=opened.about,
        doubts=opened.doubts,
        opening=opened.opening,
        plain=plain,
        progress=_show_progress if sys.stderr.isatty() else None,
        table_scores=[one.name for one in wanted if one.in_tables],
        **choices,
    )
    print(first)


def _show_progress(done: int, total: int) -> None:
    """How far it is, in one line of the terminal that is written over."""
    end = "\n" if done == total else ""
    print(f"\rWritten: {100 * done // total} %", end=end, file=sys.stderr, flush=True)


def _condense(given: dict[str, Any]) -> None:
    from tapviz.condensing import condense, workers_of  # noqa: PLC0415

    target, address, count = given.pop("output"), given.pop("dask"), given.pop("workers")
    asked = {name: given.pop(name) for name in ("max_k", "max_n", "quantile", "memory", "resume")}
    files, options = _inputs(given)
    if not files:
        msg = "give at least one file of results"
        raise ValueError(msg)
    told = _CondenseLine() if sys.stderr.isatty() else None
    work = partial(
        condense, [str(one.file) for one in files], target, options, progress=told, **asked
    )
    try:
        with doubts(FLAGS) as doubtful:
            if address or count > 1:
                with workers_of(count, address) as workers:
                    print(f"Dask's page about the workers: {workers.dashboard}", file=sys.stderr)
                    lists = work(executor=workers.executor, workers=workers.n_workers)
            else:
                lists = work()
    except KeyboardInterrupt:
        print(f"\nstopped; the same command with --resume goes on with {target}", file=sys.stderr)
        raise
    for doubt in doubtful:
        print(f"warning: {doubt}", file=sys.stderr)
    print(f"{target}: {lists.score.size:,} records of {lists.n_queries:,} queries kept")


class _CondenseLine:
    """One line of the terminal, written over, about how far the work is."""

    def __call__(self, progress: CondenseProgress) -> None:
        share = progress.done / progress.total if progress.total else 1.0
        left = progress.seconds / share - progress.seconds if share else 0.0
        rate = progress.rows / progress.seconds if progress.seconds else 0.0
        rows = (
            f"{progress.rows:,} rows, {rate:,.0f} a second; " if progress.step == "reading" else ""
        )
        end = "\n" if progress.done >= progress.total else ""
        line = f"{progress.step}: {share:4.0%}, {rows}{left:,.0f} s left"
        print(f"\r{line:<78}", end=end, file=sys.stderr, flush=True)


def _lesson(given: dict[str, Any]) -> None:
    from tapviz.lesson.classroom import class_page  # noqa: PLC0415
    from tapviz.lesson.content import html_page  # noqa: PLC0415

    page = class_page() if given["class"] else html_page(given["explorer"])
    write_atomically(given["output"], page)


def _chosen(given: dict[str, Any]) -> tuple[Explorer, Opened]:
    """The explorer with the choices of the command line, and what it shows."""
    from tapviz.choices import BY_E_VALUE, BY_ERRORS  # noqa: PLC0415
    from tapviz.explorer import Explorer  # noqa: PLC0415

    choices = {name: given.pop(name) for name in CHOSEN}
    shown = given.pop("algorithm")
    files, options = _inputs(given)
    if len(options.standard) > 1:
        msg = "--standard: give one here; tapviz score takes several"
        raise ValueError(msg)
    own = _open(files, options)
    opened = own or bundled()
    results = opened.results
    if unknown := [name for name in shown or () if name not in results]:
        msg = f"--algorithm {unknown[0]}: expected one of {', '.join(results)}"
        raise ValueError(msg)
    if not shown:
        shown = list(results if own else dataset_info().shown)
    chosen = {name: value for name, value in choices.items() if value is not None}
    mode = BY_E_VALUE if "e0" in chosen else BY_ERRORS
    return Explorer(results, shown, mode=mode, **chosen), opened


def _add(given: dict[str, Any]) -> None:
    store, name, replaced = given.pop("store"), given.pop("name"), given.pop("replace")
    timed = given.pop("time")
    given["command"] = given.pop("command_line")
    said = {field: value for field in Run._fields if (value := given.pop(field)) is not None}
    files, options = _inputs(given)
    if not files or len(options.standard) > 1:
        msg = "give the results of one algorithm, and at most one standard"
        raise ValueError(msg)
    opened = open_files(files, options, called=FLAGS)
    if len(opened.results) != 1:
        msg = f"expected the results of one algorithm, found {', '.join(opened.results)}"
        raise ValueError(msg)
    ((algorithm, lists),) = opened.results.items()
    known = lists.run
    if timed:
        found = read_runs(Path(timed).read_text(encoding="utf-8"), timed)
        known = known._replace(**next(iter(found.values())).known)
    run = run_of(known.known | said, "run")
    fingerprint, words = judged_by(opened.labels)
    path = add_run(
        store,
        name or algorithm,
        lists.with_run(run),
        judged=fingerprint,
        judged_by=words,
        replace=replaced,
    )
    for doubt in opened.doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    print(path)


def _formats(_: dict[str, Any]) -> None:
    for name, one in FORMATS.items():
        sample = "\n".join(f"    {line}" for line in one.sample.splitlines())
        takes = ", ".join(options_of(ReadOptions)[option].flag for option in one.needs)
        print(f"{name}: {one.title}\n  written by {one.programs}\n{sample}\n  takes {takes}\n")


def explore_app(arguments: Sequence[str]) -> Viewer:
    """The application for the arguments after ``panel serve apps/explore.py --args``.

    Bad input ends the server with a message and exit code 2: no session could show anything else.
    """
    from tapviz.server import page  # noqa: PLC0415

    return page(_opened("apps/explore.py", arguments))


def lesson_app(arguments: Sequence[str]) -> Viewer:
    """The application for the arguments after ``panel serve apps/lesson.py --args``.

    With files, the explorer that the lesson leads to opens these.
    """
    from tapviz.server import page  # noqa: PLC0415

    return page(_opened("apps/lesson.py", arguments), learn=True)


def _opened(app: str, arguments: Sequence[str]) -> Opened | None:
    parser = _Parser(prog=f"panel serve {app} --args")
    _add_files(parser)
    try:
        opened = _open(*_inputs(vars(parser.parse_args(arguments))))
    except FAILURES as error:
        _tell(error)
        sys.exit(BAD_INPUT)
    set_limits(Limits())  # from here on, of whoever visits
    return opened


def _whole(text: str) -> int:
    """Whole number of an argument, which fits into an array; what it means checks the rest."""
    with suppress(ValueError):
        if abs(value := int(text)) <= MOST:
            return value
    msg = f"expected a whole number of at most {MOST:,}, found {text[:40]!r}"
    raise argparse.ArgumentTypeError(msg)


def _between(least: int, most: int) -> Callable[[str], int]:
    """What reads a whole number of an argument between two others."""

    def read(text: str) -> int:
        with suppress(ValueError):
            if least <= (value := int(text)) <= most:
                return value
        msg = f"expected a whole number from {least} to {most}, found {text[:40]!r}"
        raise argparse.ArgumentTypeError(msg)

    return read


_port = _between(0, 65535)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="results, one file per algorithm; NAME=FILES, a folder or a pattern in quotes such as "
        "'mmseqs=runs/*.m8', whose files are one algorithm's; or a folder of runs, a store",
    )
    add_flags(parser, ReadOptions, choices={"format": FORMATS})


def _add_serving(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=_port, default=0, help="port to serve at (default: any free)"
    )
    parser.add_argument("--no-show", action="store_true", help="do not open the browser")


def _add_service(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--port", type=_port, default=5006, help="port to serve at (default: %(default)s)"
    )
    parser.add_argument(
        "--address",
        default="localhost",
        help="address to serve at: 0.0.0.0 for all of this machine (default: %(default)s, which "
        "nobody else reaches)",
    )
    parser.add_argument(
        "--allow-origin",
        dest="origins",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="name by which browsers open the pages, if a proxy uses another; may "
        "be given again (default: only localhost)",
    )
    parser.add_argument(
        "--prefix", default="", help="first part of all paths, such as /tapviz behind a proxy"
    )
    parser.add_argument(
        "--processes",
        type=_between(1, 256),
        default=1,
        help="processes that share the port (default: %(default)s)",
    )
    parser.add_argument(
        "--max-sessions",
        type=_between(1, 1_000_000),
        default=100,
        help="pages that a process has open at a time (default: %(default)s)",
    )
    for name, limit in vars(Limits()).items():
        parser.add_argument(
            f"--max-{name.replace('_', '-')}",
            dest=name,
            type=_whole,
            default=limit // MB,
            metavar="MB",
            help=f"{LIMITED[name]}, in MB (default: %(default)s)",
        )
    parser.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="info",
        help="of the log, which goes to stderr (default: %(default)s)",
    )


def _add_policies(parser: argparse.ArgumentParser) -> None:
    usual = Policies()
    parser.add_argument(
        "-k",
        type=_whole,
        action="append",
        help=f"errors per query at the threshold of TAP-k; may be given again (default: {USUAL_K})",
    )
    parser.add_argument(
        "--e0", type=float, action="append", help="also, or instead, TAP at this threshold"
    )
    parser.add_argument(
        "-n", type=_whole, default=usual.n, help="n of ROC_n (default: %(default)s)"
    )
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
        "--compare",
        metavar="BASELINE|all",
        default="",
        help="compare the other files with this one, or every two files",
    )
    parser.add_argument(
        "--compare-by",
        action="append",
        metavar="SCORE",
        help=f"score by which they are compared: {', '.join(COMPARABLE)}, or one such as sepq@1; "
        "may be given again (default: tap)",
    )
    parser.add_argument(
        "--resamples",
        type=_whole,
        default=usual.n_resamples,
        help="resamples of the queries for intervals and p-values, 0 for none "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--all-intervals",
        action="store_true",
        help="show intervals of all scores, with E_k and the peak, not of TAP alone",
    )
    parser.add_argument(
        "--fixed-threshold",
        action="store_true",
        help="take E_k of all queries in each resample: intervals are then narrower, as if the "
        "threshold were known",
    )
    parser.add_argument("--seed", type=_whole, default=usual.seed, help="of the resamples")
    parser.add_argument(
        "--scores",
        metavar="NAMES",
        default="",
        help="scores to print, separated by commas, such as sensitivity@1,sepq@0.1,tap; or a "
        f"preset: {', '.join(PRESETS)} (default: tap-k, the usual ones)",
    )
    parser.add_argument(
        "--per-query",
        metavar="PATH",
        help="also write every score of every query to this file, which ends in .csv or .parquet; "
        "it can be opened as results again",
    )
    _add_groups(parser)
    _add_weights(parser, usual.weights)
    parser.add_argument(
        "--output", choices=(*OUTPUTS, *WHOLE), default="table", help="how to write"
    )
    _add_gate(parser)
    parser.add_argument(
        "--compat",
        choices=tuple(COMPAT),
        help="print what another program prints: TAP-k of PyPI for one file of retrieval lists, or "
        "Foldseek's bench.noselfhit.awk for one file of hits, beside the same as computed here",
    )


def _add_gate(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        default="",
        help="compare with this: a file that --save-baseline wrote (.json), or results",
    )
    parser.add_argument(
        "--fail-if",
        type=_limit,
        action="append",
        metavar="CHANGE",
        help="end with exit code 1 if a score changed by so much from the baseline, such as "
        "'tap < -0.01', and the whole interval of the change lies beyond; may be given again",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="with --fail-if: the change alone decides, whatever its interval",
    )
    parser.add_argument(
        "--save-baseline",
        metavar="FILE",
        default="",
        help="keep the scores of each query, and of each resample, for --baseline (.json)",
    )


def _limit(text: str) -> Limit:
    """What is to fail, for an argument."""
    try:
        return read_limit(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _add_accepted(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--errors",
        type=float,
        default=0.1,
        help="errors per query that are accepted (default: %(default)s)",
    )
    parser.add_argument(
        "--statistic",
        choices=("mean", "median", "quantile"),
        default="mean",
        help="whether that is the mean over queries, the median or a quantile "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--quantile",
        type=float,
        default=USUAL_QUANTILE,
        help="with --statistic quantile: share of the queries that has no more errors "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--folds",
        dest="n_folds",
        type=_whole,
        default=10,
        metavar="FOLDS",
        help="parts, each judged at the threshold found on the others (default: %(default)s)",
    )
    parser.add_argument(
        "--repeats",
        dest="n_repeats",
        type=_whole,
        default=20,
        metavar="REPEATS",
        help="divisions into parts, over which figures are means (default: %(default)s)",
    )
    parser.add_argument(
        "--resamples",
        dest="n_resamples",
        type=_whole,
        default=1000,
        metavar="RESAMPLES",
        help="resamples of the queries for intervals (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=_whole, default=0, help="of parts and resamples (default: %(default)s)"
    )
    _add_groups(parser)
    _add_weights(parser, "none")
    parser.add_argument("--output", choices=tuple(ADVICE), default="table", help="how to write")


def _add_groups(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--groups",
        type=_groups,
        metavar="LEVEL|none",
        help="resample queries whose classes agree to this level as a whole, or none: one by one "
        "(default: the level at which relevance is judged, where classes are known)",
    )


def _add_weights(parser: argparse.ArgumentParser, usual: str | None = None) -> None:
    parser.add_argument(
        "--weights",
        choices=get_args(QueryWeights),
        default=usual,
        help="how much a query counts in means and in E_k: 1, or its weight in the file; T(q), its "
        "number of relevant records; T(q) squared; or one over the number of queries of its "
        "family, or superfamily, as relevance is judged by (default: none)",
    )


def _groups(text: str) -> int:
    """A level of the classes; 0 for single queries."""
    if text == "none":
        return 0
    if not text.isascii() or not text.isdigit():
        msg = f"{text!r}: expected a level of the classes, such as 3, or none"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


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


def _add_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="an HTML file")
    parser.add_argument("--plain", action="store_true", help="without scripts: nothing in it moves")


def _add_site(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="which is made")
    parser.add_argument("--title", default="Leaderboard", help="of the site (default: %(default)s)")
    parser.add_argument(
        "--plain", action="store_true", help="reports without scripts, which are written faster"
    )
    parser.add_argument("-k", type=_whole, help="errors per query at the threshold (default: 20)")
    parser.add_argument("-n", type=_whole, help="n of ROC_n (default: 50)")
    parser.add_argument(
        "--scores",
        metavar="NAMES",
        default="",
        help="scores to show, the first of which ranks the runs, or a preset, as for tapviz score",
    )


def _add_condense(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="what is made")
    parser.add_argument(
        "--max-k", type=_whole, default=100, help="largest k asked for (default: %(default)s)"
    )
    parser.add_argument(
        "--max-n", type=_whole, default=100, help="largest n of ROC_n (default: %(default)s)"
    )
    parser.add_argument(
        "--quantile",
        type=float,
        default=0.5,
        help="share of the queries that have k errors at E_k (default: %(default)s, the median)",
    )
    parser.add_argument(
        "--workers",
        type=_between(1, 1024),
        default=1,
        help="processes on this machine (default: %(default)s)",
    )
    parser.add_argument(
        "--dask",
        default="",
        metavar="ADDRESS",
        help="work on a cluster of Dask instead: the address of its scheduler, such as "
        "tcp://scheduler:8786",
    )
    parser.add_argument(
        "--memory",
        type=_memory,
        default=2000 * MB,
        metavar="SIZE",
        help="memory that all processes together may take, about, such as 500MB (default: 2GB)",
    )
    parser.add_argument(
        "--resume", action="store_true", help="go on with what an earlier run has finished"
    )


def _memory(text: str) -> int:
    """Bytes of a text such as 2GB."""
    for unit, size in (("GB", 1000 * MB), ("MB", MB)):
        if text.upper().endswith(unit):
            with suppress(ValueError, OverflowError):
                if (value := int(float(text[: -len(unit)]) * size)) > 0:
                    return value
    msg = f"{text[:40]!r}: expected a size, such as 2GB or 500MB"
    raise argparse.ArgumentTypeError(msg)


def _add_lesson(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="PATH", help="an HTML file")
    parser.add_argument(
        "--class",
        action="store_true",
        help="the page for the teacher, with the answers, instead of the lesson",
    )
    parser.add_argument(
        "--explorer",
        default="",
        metavar="URL",
        help="of an explorer that the scenes lead to (default: none)",
    )


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store", required=True, metavar="FOLDER", help="folder of runs, which is made"
    )
    parser.add_argument("--name", default="", help="of the run (default: that of the file)")
    parser.add_argument(
        "--replace", action="store_true", help="a run of that name may be there already"
    )
    parser.add_argument("--program", help="that made the results")
    parser.add_argument("--version", help="of the program")
    parser.add_argument("--command", dest="command_line", help="as it was called")
    parser.add_argument("--database", help="that was searched")
    parser.add_argument("--date", help="of the run, as 2026-03-01")
    parser.add_argument("--seconds", help="that the run took, from start to end")
    parser.add_argument("--cpu-seconds", help="of all processors together")
    parser.add_argument("--memory", metavar="GB", help="most that the run had at a time")
    parser.add_argument(
        "--time", metavar="FILE", help="take seconds and memory from what /usr/bin/time -v printed"
    )


def _add_choices(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-k", type=_whole, help="errors per query at the threshold (default: 20)")
    parser.add_argument("--e0", type=float, help="E-value or score as the threshold instead")
    parser.add_argument("-n", type=_whole, help="n of ROC_n (default: 50)")
    parser.add_argument("--quantile", type=float, help="share of queries with k errors at E_k")
    parser.add_argument(
        "--algorithm", action="append", metavar="NAME", help="show this; may be given again"
    )
    parser.add_argument(
        "--focus-algorithm", metavar="NAME", help="algorithm that is looked at closely"
    )
    parser.add_argument("--baseline", metavar="NAME", help="algorithm compared with")
    parser.add_argument(
        "--compare-by",
        dest="compared_score",
        choices=tuple(COMPARABLE),
        metavar="SCORE",
        help="score of comparisons, and of plots of cost and versions: "
        f"{', '.join(COMPARABLE)} (default: tap)",
    )
    parser.add_argument(
        "--cost",
        choices=tuple(one.name for one in COSTS),
        help="what the plot of costs draws it against (default: seconds)",
    )
    parser.add_argument(
        "--coverage-of",
        choices=("pooled", "mean_recall", "mean_family_recall"),
        help="what counts alike in coverage: each relevant pair, query or family (default: pooled)",
    )
    parser.add_argument(
        "--precision-of",
        choices=("mean", "pooled"),
        help="precision at a recall: the mean over queries, or of all records, each counted as "
        "1 / T(q) (default: mean)",
    )
    _add_groups(parser)
    _add_weights(parser)


def _inputs(given: dict[str, Any]) -> tuple[tuple[ResultFile, ...], ReadOptions]:
    """Files of results, and the options of reading them."""
    options = {name: given.pop(name) for name in options_of(ReadOptions) if name in given}
    files = tuple(one for argument in given.pop("files") for one in files_of(argument))
    return files, ReadOptions(**options)


@cache
def _open(files: tuple[ResultFile, ...], options: ReadOptions) -> Opened | None:
    """Results in the files, read once per process; None if there are no files.

    Raises
    ------
    ReadError, ValueError
        As `open_files`.
    """
    if not files:
        return None
    opened = open_files(files, options, called=FLAGS)
    for doubt in opened.doubts:
        print(f"warning: {doubt}", file=sys.stderr)
    return opened


class Command(NamedTuple):
    """A command: what runs it, its help, and what adds its flags."""

    run: Callable[[dict[str, Any]], int | None]
    """Returns the exit code, None for 0."""
    help: str
    description: str
    flags: tuple[Callable[[argparse.ArgumentParser], None], ...] = ()


COMMANDS = {
    "explore": Command(
        _explore,
        "open results in the browser",
        "Open results in the browser: your files, or the bundled data sets.",
        (_add_files, _add_serving),
    ),
    "serve": Command(
        _serve,
        "serve explorer and lesson to a class",
        "Serve explorer and lesson to others: your files, or the bundled data sets. Visitors may "
        "also upload files of their own, which only they see.",
        (_add_files, _add_service),
    ),
    "score": Command(
        _score,
        "print the scores of results",
        "Print TAP-k, its interval and E_k, the peak of TAP, ROC_n and average precision of each "
        "file.",
        (_add_files, _add_policies),
    ),
    "threshold": Command(
        _threshold,
        "find where to put the threshold for the errors you accept",
        "Print for each file the loosest threshold at which there are no more errors per query "
        "than you accept, and the recall, precision, TAP and errors to expect there of new "
        "queries.",
        (_add_files, _add_accepted),
    ),
    "figure": Command(
        _figure,
        "save plots for a paper",
        "Save a plot, or all of them, as SVG, PDF or PNG, or its numbers as CSV.",
        (_add_files, _add_looks, _add_choices),
    ),
    "report": Command(
        _report,
        "write a report: one HTML file with scores, plots and settings",
        "Write one HTML file with scores, plots, settings and what was read, in which k, E_0 and n "
        "still move.",
        (_add_files, _add_report, _add_choices),
    ),
    "condense": Command(
        _condense,
        "condense results of any size to what scores and plots ask of them",
        "Condense the results of one program, in one file or many, of any size: a folder that all "
        "other commands open, with the same scores to the bit.",
        (_add_files, _add_condense),
    ),
    "lesson": Command(
        _lesson,
        "write the lesson, or the page for its teacher: one HTML file",
        "Write the lesson 'Why pooled ROC_n misleads' as one HTML file without a server; or the "
        "page that shows the predictions of a class beside the answers.",
        (_add_lesson,),
    ),
    "add": Command(
        _add,
        "keep a run in a store",
        "Keep a run in a store: a folder with a file for each run, its lists, what it cost and how "
        "it was judged. tapviz score, explore and site take the folder.",
        (_add_files, _add_run),
    ),
    "site": Command(
        _site,
        "write a leaderboard: a folder of HTML files",
        "Write a leaderboard of runs, with their scores over versions and against their costs, and "
        "the report of each, as a folder of HTML files that any host serves.",
        (_add_files, _add_site),
    ),
    "formats": Command(
        _formats, "list the formats of files that are read", "List the formats that are read."
    ),
}


if __name__ == "__main__":
    sys.exit(main())
