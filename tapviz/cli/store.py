"""The commands for a store of runs: add, site."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import Any

from tapviz.cli.arguments import FLAGS, add_files, inputs_of, whole
from tapviz.cli.command import Command
from tapviz.cli.terminal import show_progress
from tapviz.lists.runs import Run, read_runs, run_of
from tapviz.readers.inputs import judged_by, open_files
from tapviz.readers.store import add as add_run
from tapviz.scores import selected


def _add(given: dict[str, Any]) -> None:
    store, name, replaced = given.pop("store"), given.pop("name"), given.pop("replace")
    timed = given.pop("time")
    given["command"] = given.pop("command_line")
    said = {field: value for field in Run._fields if (value := given.pop(field)) is not None}
    files, options = inputs_of(given)
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


def _site(given: dict[str, Any]) -> None:
    from tapviz.explorer.site import save_site  # noqa: PLC0415

    target, title, scores = given.pop("output"), given.pop("title"), given.pop("scores")
    plain = given.pop("plain")
    wanted = selected(tuple(filter(None, re.split(r"[\s,]+", scores)))) if scores else ()
    choices = {name: value for name in ("k", "n") if (value := given.pop(name)) is not None}
    files, options = inputs_of(given)
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
        progress=show_progress if sys.stderr.isatty() else None,
        table_scores=[one.name for one in wanted if one.in_tables],
        **choices,
    )
    print(first)


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


def _add_site(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="which is made")
    parser.add_argument("--title", default="Leaderboard", help="of the site (default: %(default)s)")
    parser.add_argument(
        "--plain", action="store_true", help="reports without scripts, which are written faster"
    )
    parser.add_argument("-k", type=whole, help="errors per query at the threshold (default: 20)")
    parser.add_argument("-n", type=whole, help="n of ROC_n (default: 50)")
    parser.add_argument(
        "--scores",
        metavar="NAMES",
        default="",
        help="scores to show, the first of which ranks the runs, or a preset, as for tapviz score",
    )


ADD = Command(
    _add,
    "keep a run in a store",
    "Keep a run in a store: a folder with a file for each run, its lists, what it cost and how "
    "it was judged. tapviz score, explore and site take the folder.",
    (add_files, _add_run),
)


SITE = Command(
    _site,
    "write a leaderboard: a folder of HTML files",
    "Write a leaderboard of runs, with their scores over versions and against their costs, and "
    "the report of each, as a folder of HTML files that any host serves.",
    (add_files, _add_site),
)
