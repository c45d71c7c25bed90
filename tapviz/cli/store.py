"""The commands for a store of runs: add, site."""

from __future__ import annotations

from dataclasses import dataclass

from tapviz.cli.arguments import FLAGS, add_files, inputs_of, warn
from tapviz.cli.flags import Given, command, declared, flag, names, several, switch, take
from tapviz.cli.terminal import told_of
from tapviz.cli.voice import say
from tapviz.files import REQUIRED, options_of, text_of
from tapviz.readers.inputs import open_files
from tapviz.readers.runs import read_runs, run_of
from tapviz.readers.store import add as add_run
from tapviz.scores import selected
from tapviz.state.settings import SETTINGS


@dataclass(frozen=True, kw_only=True)
class _Kept:
    store: str = flag("folder of runs, which is made", "FOLDER", default=REQUIRED)
    name: str = flag("of the run (default: that of the file)")
    replace: bool = switch("a run of that name may be there already")
    time: str = flag("take seconds and memory from what /usr/bin/time -v printed", "FILE")


@dataclass(frozen=True, kw_only=True)
class _Said:
    """Fields of a `Run`."""

    program: str | None = flag("that made the results", default=None)
    version: str | None = flag("of the program", default=None)
    command_line: str | None = flag("as it was called", "--command", default=None)
    database: str | None = flag("that was searched", default=None)
    date: str | None = flag("of the run, as 2026-03-01", default=None)
    seconds: str | None = flag("that the run took, from start to end", default=None)
    cpu_seconds: str | None = flag("of all processors together", default=None)
    memory: str | None = flag("most that the run had at a time", "GB", default=None)


@dataclass(frozen=True, kw_only=True)
class _Site:
    output: str = flag("which is made", "-o --output FOLDER", default=REQUIRED)
    title: str = flag("of the site", default="Leaderboard")
    plain: bool = switch("without scripts in the report, which is written faster")
    k: int = flag("errors per query at the threshold", "-k", default=SETTINGS["k"].default)
    n: int = flag("n of ROC_n", "-n", default=SETTINGS["n"].default)
    scores: tuple[str, ...] = several(
        "scores to show, the first of which ranks the runs, or a preset, as for tapviz score",
        "NAMES",
        read=names,
    )


@command(
    "keep a run in a store",
    "Keep a run in a store: a folder with a file for each run, its lists, what it cost and how "
    "it was judged. tapviz score, explore and site take the folder.",
    (add_files, declared(_Kept), declared(_Said, "run")),
)
def _add(given: Given) -> None:
    own = take(given, _Kept)
    said = {name: given.pop(name) for name in options_of(_Said) if name in given}
    said |= {"command": said.pop("command_line")} if "command_line" in said else {}
    files, options = inputs_of(given)
    if not files or len(options.standard) > 1:
        raise ValueError("give the results of one algorithm, and at most one standard")
    opened = open_files(files, options, called=FLAGS)
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
    warn(opened.doubts)
    print(path)


@command(
    "write a leaderboard: a folder of HTML files",
    "Write a leaderboard of runs, with their scores over versions and against their costs, and "
    "their report, as a folder of HTML files that any host serves.",
    (add_files, declared(_Site)),
    is_brief=True,
)
def _site(given: Given) -> None:
    from tapviz.explorer.site import save_site  # noqa: PLC0415

    own = take(given, _Site)
    wanted = selected(own.scores) if own.scores else ()
    files, options = inputs_of(given, "give a folder of runs, or files of results")
    opened = open_files(files, options, called=FLAGS)
    first = save_site(
        opened.results,
        own.output,
        title=own.title,
        plain=own.plain,
        table_scores=[one.name for one in wanted if one.in_tables],
        k=own.k,
        n=own.n,
        **told_of(opened),
    )
    print(first)
