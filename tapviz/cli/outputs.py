"""The commands that write files: figure, report, condense, lesson, add, site."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tapviz.cli import arguments, flags
from tapviz.cli.flags import Given, between, command, declared, flag, several, switch, take
from tapviz.cli.terminal import is_watched, say, told_of
from tapviz.files import MB, REQUIRED, doubts, number, options_of, text_of
from tapviz.lists import count, write_atomically
from tapviz.readers.inputs import open_files
from tapviz.readers.runs import read_runs, run_of
from tapviz.readers.store import add as add_run
from tapviz.scores import selected
from tapviz.state.settings import SETTINGS

if TYPE_CHECKING:
    from tapviz.condensing import CondenseProgress


def _names(text: str) -> list[str]:
    """Names separated by commas."""
    return [name.strip() for name in text.split(",")]


def _plot(text: str) -> str:
    """Name of a plot."""
    from tapviz.explorer.explorer import plot_names  # noqa: PLC0415  # which loads much

    if text in (known := plot_names()):
        return text
    raise argparse.ArgumentTypeError(f"expected one of {', '.join(known)}, found {text[:40]!r}")


def _within(least: float, most: float, unit: str, text: str) -> float:
    """A number from one to another."""
    if least <= (value := flags.real(text)) <= most:
        return value
    raise argparse.ArgumentTypeError(f"expected {least} to {most}{unit}, found {value:g}")


_width, _size = partial(_within, 50, 400, " mm"), partial(_within, 0.3, 3, "")
"""Read what can be drawn, which loads too much to be asked."""


def _renaming(text: str) -> tuple[str, str]:
    """An algorithm and what it is called, as in "blastp=BLASTP 2.14"."""
    name, sign, new = text.partition("=")
    if not (sign and name and new):
        raise argparse.ArgumentTypeError(f"expected NAME=NEW NAME, found {text!r}")
    return name, new


@dataclass(frozen=True, kw_only=True)
class _Saved:
    output: Path = flag(
        "file ending in .svg, .pdf, .png or .csv; in .zip, the figure in all of these, with "
        "caption, settings and Python; or a folder",
        "-o --output PATH",
        read=Path,
        default=REQUIRED,
    )
    plot: Sequence[str] = several("tap, epq, roc, ...; repeatable (default: all)", read=_plot)
    panels: list[str] = several(
        "plots to draw as panels A, B, ... of one figure, such as tap,precision_recall",
        "PLOT,PLOT,...",
        read=lambda text: [_plot(name) for name in _names(text)],
    )
    type: Sequence[str] = several(
        "type of files in a folder; repeatable (default: svg)",
        choices=("svg", "pdf", "png", "csv"),
    )
    rename: Sequence[tuple[str, str]] = several(
        "new name of an algorithm in the figure; repeatable", "NAME=NEW", read=_renaming
    )


@dataclass(frozen=True, kw_only=True)
class _Look:
    """Options of `save_figure`."""

    width: float = flag("width in mm; 86 is one column, 178 two", read=_width, default=86)
    title: str | None = flag("title of the plot (default: what it shows; '': none)", default=None)
    order: list[str] = several(
        "order of the algorithms, in plots that list them one below the other",
        "NAME,NAME,...",
        read=_names,
    )
    bands: bool = switch(
        "draw 95 % intervals of means over queries as bands, in TAP against E_0 and ROC_n"
    )
    face: str = flag("font family, such as Arial")
    symbols: float = flag("size of marks, relative to the usual one", read=_size, default=1.0)
    greyscale: bool = switch("draw in shades of grey, as printed without colours")


@command(
    "save plots for a paper",
    "Save a plot, several as panels of one figure, or all of them, as SVG, PDF or PNG.",
    (arguments.add_files, declared(_Saved), declared(_Look), arguments.add_settings),
)
def _figure(given: Given) -> None:
    from tapviz.explorer.paper import save, save_each  # noqa: PLC0415

    own, look = take(given, _Saved), vars(take(given, _Look))
    look["names"] = dict(own.rename)
    explorer, opened = arguments.explorer_of(given)
    if own.output.suffix and not own.output.is_dir():
        wanted = own.panels or own.plot
        if not wanted or (own.plot and len([*own.plot, *own.panels]) != 1):
            raise ValueError(
                f"-o {own.output}: choose one plot with --plot or several with --panels, or name a "
                "folder for all of them"
            )
        save(explorer, wanted, own.output, opened.opening, **look)
        return
    if own.panels:
        raise ValueError(f"-o {own.output}: --panels make one figure: name a file, not a folder")
    save_each(explorer, own.plot, own.output, own.type, **look)


@dataclass(frozen=True, kw_only=True)
class _Report:
    output: str = flag("HTML file to write", "-o --output PATH", default=REQUIRED)
    title: str = flag("title of the report (default: what was opened)", "TEXT")
    findings: str = flag("what you found, in your own words, to be shown at the top", "TEXT")
    plain: bool = switch("leave out the scripts: nothing moves")


@command(
    "write a report: one HTML file with scores, plots and settings",
    "Write one HTML file with scores, plots, settings and what was read, in which k, E_0 and n "
    "still move.",
    (arguments.add_files, declared(_Report), arguments.add_settings),
    is_brief=True,
)
def _report(given: Given) -> None:
    from tapviz.explorer.report import save_report  # noqa: PLC0415

    own = vars(take(given, _Report))
    explorer, opened = arguments.explorer_of(given)
    own["title"] = own["title"] or opened.title
    save_report(explorer, own.pop("output"), **own, **told_of(opened))


def _memory(text: str) -> int:
    """Bytes of a text such as 2GB."""
    for unit, size in (("GB", 1000 * MB), ("MB", MB)):
        if text.upper().endswith(unit):
            with suppress(ValueError, OverflowError):
                if (value := int(number(text[: -len(unit)]) * size)) > 0:
                    return value
    raise argparse.ArgumentTypeError(f"{text[:40]!r}: expected a size, such as 2GB or 500MB")


@dataclass(frozen=True, kw_only=True)
class _Where:
    output: str = flag("folder to make", "-o --output FOLDER", default=REQUIRED)
    workers: int = flag(
        "workers on this machine: up to 4 are threads, more are Dask processes",
        read=between(1, 1024),
        default=1,
    )
    dask: str = flag(
        "use a Dask cluster instead: the address of its scheduler, such as tcp://scheduler:8786",
        "ADDRESS",
    )


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Options of `condense`."""

    max_k: int = flag("largest k that can be asked for later", default=100)
    max_n: int = flag("largest n of ROC_n that can be asked for later", default=100)
    quantile: float = flag(SETTINGS["quantile"].help, default=0.5)
    memory: int = flag(
        "approximate memory for all processes together, such as 500MB (default: 2GB)",
        "SIZE",
        read=_memory,
        default=2000 * MB,
    )
    resume: bool = switch("continue from what an earlier run has finished")


OF_ONE = "results of one program, in one file or several, which are taken for one"


@command(
    "condense results of any size to what scores and plots ask of them",
    "Condense the results of one program, in one file or many, of any size, into a folder that all "
    "other commands open. Scores are the same to the bit, except for those that need whole lists, "
    "such as the peak of TAP.",
    (partial(arguments.add_files, help=OF_ONE), declared(_Where), declared(_Asked, "scores")),
    is_brief=True,
)
def _condense(given: Given) -> None:
    from tapviz.condensing import condense, workers_of  # noqa: PLC0415

    where, asked = take(given, _Where), take(given, _Asked)
    files, options = arguments.inputs_of(given, arguments.NO_FILES)
    if len(names := dict.fromkeys(one.algorithm for one in files if one.algorithm)) > 1:
        raise ValueError(f"expected the files of one program, found {', '.join(names)}")
    try:
        with doubts(flags.FLAGS) as doubtful, workers_of(where.workers, where.dask) as workers:
            if workers.dashboard:
                say(f"Dask's page about the workers: {workers.dashboard}")
            lists = condense(
                [str(one.file) for one in files],
                where.output,
                options,
                executor=workers.executor,
                workers=workers.n_workers,
                progress=_tell_progress if is_watched() else None,
                **vars(asked),
            )
    except KeyboardInterrupt:
        say(f"\nstopped; the same command with --resume goes on with {where.output}")
        raise
    arguments.warn(doubtful)
    kept = f"{count(lists.score.size, 'record')} of {count(lists.n_queries, 'query')} kept"
    of = f", of one program in {count(len(files), 'file')}" if len(files) > 1 else ""
    print(f"{where.output}: {kept}{of}")


def _tell_progress(progress: CondenseProgress) -> None:
    """How far condensing is, in one line of the terminal that is written over."""
    share = progress.done / progress.total if progress.total else 1.0
    left = progress.seconds / share - progress.seconds if share else 0.0
    rate = progress.rows / progress.seconds if progress.seconds else 0.0
    told = f"{share:4.0%}, "
    if progress.step == "reading":
        read, total = progress.done / MB, progress.total / MB
        told += f"{count(progress.rows, 'row')}, {read:,.0f} of {total:,.0f} MB, "
        told += f"{rate:,.0f} rows a second, "
    end = "\n" if progress.done >= progress.total else ""
    line = f"{progress.step}: {told}{left:,.0f} s left"
    print(f"\r{line:<90}", end=end, file=sys.stderr, flush=True)


@dataclass(frozen=True, kw_only=True)
class _Lesson:
    output: str = flag("HTML file to write", "-o --output PATH", default=REQUIRED)
    of_class: bool = switch(
        "write the page for the teacher, with the answers, instead of the lesson", "--class"
    )
    explorer: str = flag("address of an explorer that the scenes link to (default: none)", "URL")


@command(
    "write the lesson, or the page for its teacher: one HTML file",
    "Write the lesson 'Why pooled ROC_n misleads' as one HTML file without a server; or the "
    "page that shows the predictions of a class beside the answers; or, given the results of "
    "two programs, the first scene with these.",
    (arguments.add_files, declared(_Lesson)),
)
def _lesson(given: Given) -> None:
    from tapviz.lesson.classroom import class_page  # noqa: PLC0415
    from tapviz.lesson.content import html_page  # noqa: PLC0415
    from tapviz.lesson.own import own_page  # noqa: PLC0415

    own = take(given, _Lesson)
    opened = arguments.open_once(*arguments.inputs_of(given))
    if opened and (own.of_class or own.explorer):
        msg = f"{'--class' if own.of_class else '--explorer'}: is of the lesson, which has no files"
        raise ValueError(msg)
    if opened:
        page = own_page(opened.results)
    else:
        page = class_page() if own.of_class else html_page(own.explorer)
    write_atomically(own.output, page)


@dataclass(frozen=True, kw_only=True)
class _Kept:
    store: str = flag("folder of runs, made if there is none", "FOLDER", default=REQUIRED)
    name: str = flag("name of the run (default: that of the file)")
    replace: bool = switch("replace a run of that name")
    time: str = flag("take seconds and memory from what /usr/bin/time -v printed", "FILE")


@dataclass(frozen=True, kw_only=True)
class _Said:
    """Fields of a `Run`."""

    program: str | None = flag("program that made the results", default=None)
    version: str | None = flag("version of the program", default=None)
    command_line: str | None = flag("command line of the run", "--command", default=None)
    database: str | None = flag("database that was searched", default=None)
    date: str | None = flag("date of the run, such as 2026-03-01", default=None)
    seconds: str | None = flag("wall-clock seconds of the run", default=None)
    cpu_seconds: str | None = flag("seconds of all processors together", default=None)
    memory: str | None = flag("peak memory of the run", "GB", default=None)


@dataclass(frozen=True, kw_only=True)
class _Site:
    output: str = flag("folder to make", "-o --output FOLDER", default=REQUIRED)
    title: str = flag("title of the site", default="Leaderboard")
    plain: bool = switch("leave out the scripts of the report, which is then written faster")
    k: int = flag("errors per query at the threshold", "-k", default=SETTINGS["k"].default)
    n: int = flag("n of ROC_n", "-n", default=SETTINGS["n"].default)
    scores: tuple[str, ...] = several(
        "scores to show, or a preset, as for tapviz score; the first ranks the runs",
        "NAMES",
        read=flags.names,
    )


@command(
    "keep a run in a store",
    "Keep a run in a store: a folder with a file for each run, its lists, what it cost and how "
    "it was judged. tapviz score, explore and site take the folder.",
    (arguments.add_files, declared(_Kept), declared(_Said, "run")),
)
def _add(given: Given) -> None:
    own = take(given, _Kept)
    said = {name: given.pop(name) for name in options_of(_Said) if name in given}
    said |= {"command": said.pop("command_line")} if "command_line" in said else {}
    files, options = arguments.inputs_of(given)
    if not files or len(options.standard) > 1:
        raise ValueError("give the results of one algorithm, and at most one standard")
    opened = open_files(files, options, called=flags.FLAGS)
    if len(opened.results) != 1:
        msg = f"expected the results of one algorithm, found {', '.join(opened.results)}"
        raise ValueError(msg)
    ((algorithm, lists),) = opened.results.items()
    known = lists.run.known
    if own.time:
        known |= next(iter(read_runs(text_of(own.time), own.time).values())).known
    run = run_of(known | said, "run")
    judged, words = opened.judged_by
    path = add_run(
        own.store,
        own.name or algorithm,
        lists.with_run(run),
        judged=judged,
        judged_by=words,
        listed=options.queries is not None,
        replace=own.replace,
    )
    say(*filter(None, [lists.join_report]))
    arguments.warn(opened.doubts)
    print(path)


@command(
    "write a leaderboard: a folder of HTML files",
    "Write a leaderboard of runs, with their scores over versions and against their costs, and "
    "their report, as a folder of HTML files that any host serves.",
    (arguments.add_files, declared(_Site)),
    is_brief=True,
)
def _site(given: Given) -> None:
    from tapviz.explorer.report import save_site  # noqa: PLC0415

    own = vars(take(given, _Site))
    scores = own.pop("scores")
    wanted = selected(scores) if scores else ()
    files, options = arguments.inputs_of(given, "give a folder of runs, or files of results")
    opened = open_files(files, options, called=flags.FLAGS)
    first = save_site(
        opened.results,
        own.pop("output"),
        table_scores=[one.name for one in wanted if one.in_tables],
        **own,
        **told_of(opened),
    )
    print(first)
