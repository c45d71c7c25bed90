"""The command that condenses results of any size."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from tapviz.cli.arguments import FLAGS, add_files, add_processes, inputs_of, whole
from tapviz.cli.command import Command
from tapviz.cli.terminal import gc_disabled
from tapviz.files.limits import MB
from tapviz.files.problems import doubts
from tapviz.lists.words import count

if TYPE_CHECKING:
    from tapviz.condensing import CondenseProgress


@gc_disabled()
def _condense(given: dict[str, Any]) -> None:
    from tapviz.condensing import condense, workers_of  # noqa: PLC0415

    target, address, n_workers = given.pop("output"), given.pop("dask"), given.pop("workers")
    asked = {name: given.pop(name) for name in ("max_k", "max_n", "quantile", "memory", "resume")}
    files, options = inputs_of(given)
    if not files:
        msg = "give at least one file of results"
        raise ValueError(msg)
    told = _CondenseLine() if sys.stderr.isatty() else None
    work = partial(
        condense, [str(one.file) for one in files], target, options, progress=told, **asked
    )
    try:
        with doubts(FLAGS) as doubtful, workers_of(n_workers, address) as workers:
            if workers.dashboard:
                print(f"Dask's page about the workers: {workers.dashboard}", file=sys.stderr)
            lists = work(executor=workers.executor, workers=workers.n_workers)
    except KeyboardInterrupt:
        print(f"\nstopped; the same command with --resume goes on with {target}", file=sys.stderr)
        raise
    for doubt in doubtful:
        print(f"warning: {doubt}", file=sys.stderr)
    print(
        f"{target}: {count(lists.score.size, 'record')} of {count(lists.n_queries, 'query')} kept"
    )


class _CondenseLine:
    """One line of the terminal, written over, about how far the work is."""

    def __call__(self, progress: CondenseProgress) -> None:
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


def _add_condense(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="what is made")
    parser.add_argument(
        "--max-k", type=whole, default=100, help="largest k asked for (default: %(default)s)"
    )
    parser.add_argument(
        "--max-n", type=whole, default=100, help="largest n of ROC_n (default: %(default)s)"
    )
    parser.add_argument(
        "--quantile",
        type=float,
        default=0.5,
        help="share of the queries that have k errors at E_k (default: %(default)s, the median)",
    )
    add_processes(
        parser,
        "--workers",
        1024,
        "workers on this machine: up to 4 are threads, more are processes of Dask",
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


COMMAND = Command(
    _condense,
    "condense results of any size to what scores and plots ask of them",
    "Condense the results of one program, in one file or many, of any size: a folder that all "
    "other commands open, with the same scores to the bit.",
    (add_files, _add_condense),
    is_brief=True,
)
