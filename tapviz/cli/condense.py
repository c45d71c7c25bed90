"""The command that condenses results of any size."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from tapviz.cli.arguments import FLAGS, NO_FILES, add_files, inputs_of, warn
from tapviz.cli.flags import REQUIRED, Command, Given, between, declared, flag, take
from tapviz.cli.terminal import gc_disabled
from tapviz.cli.voice import is_watched, say
from tapviz.files.limits import MB
from tapviz.files.problems import doubts
from tapviz.files.small import number
from tapviz.lists.words import count

if TYPE_CHECKING:
    from tapviz.condensing import CondenseProgress


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
    output: str = flag("what is made", "-o", "--output", metavar="FOLDER", default=REQUIRED)
    workers: int = flag(
        "workers on this machine: up to 4 are threads, more are processes of Dask",
        read=between(1, 1024),
        default=1,
    )
    dask: str = flag(
        "work on a cluster of Dask instead: the address of its scheduler, such as "
        "tcp://scheduler:8786",
        metavar="ADDRESS",
        default="",
    )


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """Options of `condense`."""

    max_k: int = flag("largest k asked for", default=100)
    max_n: int = flag("largest n of ROC_n", default=100)
    quantile: float = flag(
        "share of the queries that have k errors at E_k (default: %(default)s, the median)",
        default=0.5,
    )
    memory: int = flag(
        "memory that all processes together may take, about, such as 500MB (default: 2GB)",
        read=_memory,
        metavar="SIZE",
        default=2000 * MB,
    )
    resume: bool = flag("go on with what an earlier run has finished", default=False)


@gc_disabled()
def _condense(given: Given) -> None:
    from tapviz.condensing import condense, workers_of  # noqa: PLC0415

    where, asked = take(given, _Where), take(given, _Asked)
    target = where.output
    files, options = inputs_of(given, NO_FILES)
    told = _CondenseLine() if is_watched() else None
    work = partial(
        condense, [str(one.file) for one in files], target, options, progress=told, **vars(asked)
    )
    try:
        with doubts(FLAGS) as doubtful, workers_of(where.workers, where.dask) as workers:
            if workers.dashboard:
                say(f"Dask's page about the workers: {workers.dashboard}")
            lists = work(executor=workers.executor, workers=workers.n_workers)
    except KeyboardInterrupt:
        say(f"\nstopped; the same command with --resume goes on with {target}")
        raise
    warn(doubtful)
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


COMMAND = Command(
    _condense,
    "condense results of any size to what scores and plots ask of them",
    "Condense the results of one program, in one file or many, of any size: a folder that all "
    "other commands open, with the same scores to the bit.",
    (add_files, declared(_Where), declared(_Asked, "scores")),
    is_brief=True,
)
