"""The work from files to a condensed data set: what is done where, and what is left of it."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.condensing import buckets, inputs, stored
from tapviz.condensing.parts import Spilled, bucket_of, check_together, hits_of, rules_of, spill
from tapviz.files import MB, ReadError, doubts, option, refuse, takes, warn
from tapviz.files.source import PACKED
from tapviz.labels import Hits, Labels, ids, join
from tapviz.lists import Direction, ReportedHow, RetrievalLists, checks, reported
from tapviz.measures import error_threshold
from tapviz.readers import RELEVANCE, ReadOptions, _lines, reading

R = TypeVar("R")

MAX_K, MAX_N, QUANTILE = 100, 100, 0.5
MEMORY = 2000 * MB
BASE = 250 * MB
"""What a process takes before it reads anything."""
ROW = 120
"""Bytes that a row of a bucket takes while its lists are made."""
TEXT_FACTOR = 12
"""Bytes that a piece of a part takes while it is read, for each byte of its text."""
LEAST_PART, MOST_PART = 1 * MB, 64 * MB
MOST_PIECE, MOST_ROWS = 32 * MB, 7_000_000
"""What is worked on at once: with more of it, time goes into fetching memory."""
MOST_BUCKETS = 4096
AWAKE = 0.2
"""Seconds after which it is looked whether somebody wants the work to stop."""
ROW_OF_TEXT = 25
"""Bytes that a row of text takes at least, and of which a compressed one has a fifth."""


MANY_IDS = 100_000
"""Ids of records that are compared with those of labels."""


class CondenseProgress(NamedTuple):
    """How far the work is.

    Attributes
    ----------
    step : str
        "reading", "judging" or "cutting".
    done, total : int
        Bytes of the files, or buckets.
    rows : int
        Rows read so far.
    seconds : float
        Since the step began.
    """

    step: str
    done: int
    total: int
    rows: int
    seconds: float


@contextmanager
def _on_full_disk(target: Path) -> Iterator[None]:
    """Say of a full disk what can be done."""
    try:
        yield
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        told = "there is no space left; make room, and go on by resume (--resume)"
        raise OSError(error.errno, told, str(target)) from None


@contextmanager
def _memory_of_system() -> Iterator[None]:
    """Let Arrow keep no memory of its own, for which it asks the system again and again."""
    before = pa.default_memory_pool()
    pa.set_memory_pool(pa.system_memory_pool())
    try:
        yield
    finally:
        pa.set_memory_pool(before)


@takes(ReadOptions)
def condense(
    files: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    options: ReadOptions | None = None,
    *,
    max_k: int = MAX_K,
    max_n: int = MAX_N,
    quantile: float = QUANTILE,
    memory: int = MEMORY,
    executor: Executor | None = None,
    workers: int = 1,
    resume: bool = False,
    progress: Callable[[CondenseProgress], None] | None = None,
    **more: Any,
) -> RetrievalLists:
    """Condense the results of one program, of any size, to what scores and plots ask of them.

    Of each list are kept all records at or before E_keep, the threshold E_k of the largest k, and
    all up to the query's own last error asked for; records that are tied with the last one, too.
    What is computed from these is the same, to the bit, as from the whole: TAP at any threshold up
    to E_keep, TAP-k up to `max_k`, errors per query up to E_keep, ROC_n up to `max_n`, own and
    pooled. Average precision and AUC iP/R, which ask for whole lists, are computed on the way.

    Parameters
    ----------
    files : path or sequence of path
        The hits, in any format with a row for each hit, as text, compressed text or Parquet, of
        which a folder is a data set; they may be addresses that fsspec knows. Their order is that
        of records of equal score.
    output : path
        The folder that is made; it must not be there.
    options : ReadOptions, optional
        Options of reading, of which those given by keyword replace some. Labels are needed.
    max_k : int
        Largest k asked for.
    max_n : int
        Largest n of ROC_n asked for.
    quantile : float
        Share of the queries that have k errors at E_k.
    memory : int
        Bytes that all workers together may take, about.
    executor : concurrent.futures.Executor, optional
        What runs the work, with `workers` workers: threads, processes, or the executor of a
        cluster, ``dask.distributed.Client(...).get_executor()``, whose workers must see the files
        and the output. Default: this process alone.
    workers : int
        How many workers there are.
    resume : bool
        Whether to go on from what an earlier run with the same arguments has finished.
    progress : callable, optional
        Called with a `CondenseProgress` after each piece of work. What it raises ends the work.
    {options}

    Returns
    -------
    RetrievalLists
        The lists as `tapviz.read` reads them from the folder.

    Raises
    ------
    ReadError
        If a file cannot be read; nothing is written then.
    ValueError
        If the arguments make no sense, or the output is there.

    Examples
    --------
    >>> from tapviz.condensing import condense
    >>> lists = condense(
    ...     "blastp.tsv.gz", "condensed", labels="classes.tsv.gz", queries="queries.txt", max_k=5
    ... )
    >>> lists.n_queries
    21
    """
    asked = replace(options or ReadOptions(), **more)
    _check(max_k, max_n, quantile, memory, workers)
    if asked.score == _lines.RANK:
        rank = option("score", _lines.RANK)
        refuse(f"{rank}: parts of a file know no order but that of a column of scores")
    target = Path(output)
    if target.exists():
        raise ValueError(f"{target}: this is there already; remove it, or give another folder")
    given = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    names = [file for path in given for file in inputs.files_in(os.fspath(path))]
    found = inputs.inputs_of(names, asked)
    asked = inputs.with_pipes_read(asked)
    labels = asked.read_labels()
    if labels is None:
        message = "hits are condensed by what labels say is relevant: give labels"
        raise ReadError.of("LabelsNeeded", found[0].file, message)
    check_together(found, asked)
    work = target.with_name(f"{target.name}.partial")
    without: dict[str, Any] = dict.fromkeys((*RELEVANCE, "query_labels", "reported_to"))
    bare = replace(asked, **without)
    share = max(memory - BASE * (workers + 1), memory // 4) // workers
    piece = min(max(share // TEXT_FACTOR, LEAST_PART), MOST_PART)
    parts = tuple(inputs.parts_of(found, piece))
    cuts = _direction(found, asked), _n_buckets(found, share), min(piece, MOST_PIECE)
    plan = inputs.Plan(found, parts, bare, *cuts, max_k, max(max_k, max_n), quantile)
    with _on_full_disk(target), _memory_of_system():
        same = inputs.fingerprint_of(plan, asked, labels)
        plan = inputs.begun(work, plan, labels, same, resume=resume)
        each = _Each(executor, workers, progress)
        spilled = _read(work, plan, each)
        stored.gather_ids(buckets.folders(work, "parts", range(len(plan.parts))), work / "ids")
        queries = _queries(work, plan, labels, spilled, asked)
        rules = rules_of(labels)
        length, complete = _lengths(work, spilled, queries, rules)
        place = bucket_of(queries, rules, plan.n_buckets)
        order = np.argsort(place, kind="stable")
        numbers, start = (of.tolist() for of in np.unique(place[order], return_index=True))
        judge = []
        for number, own in zip(numbers, np.split(order, start[1:]), strict=False):
            wanted = [queries[at] for at in own]
            judge.append(partial(buckets.judge, work, number, wanted, complete[own].tolist()))
        each.run("judging", len(numbers), judge)
        judged = buckets.folders(work, "buckets", numbers)
        counts = _counts(plan.name, labels, judged)
        e_keep = _e_keep(judged, plan)
        each.run("cutting", len(numbers), [partial(buckets.cut, work, n, e_keep) for n in numbers])
        ends = _ends(plan, queries, length, complete, judged, spilled, asked.limit_of(target.name))
        about: dict[str, object] = {
            "max_k": max_k,
            "max_n": max_n,
            "quantile": quantile,
            "e_keep": e_keep if np.isfinite(e_keep) else None,
            "rows_read": sum(part.rows for part in spilled),
            "files": [Path(name).name for name in names],
            "counts": counts,
        }
        lists = buckets.write_condensed(target, work, numbers, queries, e_keep, ends, about)
    shutil.rmtree(work)
    return lists


def _check(max_k: int, max_n: int, quantile: float, memory: int, workers: int) -> None:
    for name, value in {"max_k": max_k, "max_n": max_n, "workers": workers}.items():
        if not isinstance(value, (int, np.integer)) or value < 1:
            raise ValueError(f"{name} is {value}: expected a whole number, at least 1")
    if not 0 < quantile <= 1:
        refuse(f"quantile is {quantile}: expected a share of the queries, above 0 and at most 1")
    if memory < 100 * MB:
        raise ValueError(f"memory is {memory}: expected at least 100 MB")


# What is planned


def _direction(files: Sequence[inputs.Input], options: ReadOptions) -> Direction:
    """Whether small scores are better, by the beginning of each file."""
    found: dict[Direction, str] = {}
    for one in files:
        for part in inputs.parts_of([one], max(one.size, LEAST_PART))[:1]:
            with doubts():  # which reading tells
                first, _ = next(hits_of(one, part, options, LEAST_PART, known=False), (None, 0))
            if isinstance(first, Hits):
                found.setdefault(first.direction, one.file)
    if len(found) > 1:
        both = " and ".join(found.values())
        raise ValueError(f"{both}: in one of them small scores are better, in the other large ones")
    return next(iter(found), "ascending")


def _n_buckets(files: Sequence[inputs.Input], share: int) -> int:
    """As many as make each small enough for a worker."""
    rows = 0.0
    for one in files:
        packed = Path(one.file).suffix.lower() in (*PACKED, ".parquet") or one.size < 0
        rows += max(one.size, 0) / (ROW_OF_TEXT / 5 if packed else ROW_OF_TEXT)
    return max(1, min(ceil(rows / min(share / ROW, MOST_ROWS)), MOST_BUCKETS))


# What is done


@dataclass
class _Each:
    """Runs tasks, and tells how far they are."""

    executor: Executor | None
    workers: int
    progress: Callable[[CondenseProgress], None] | None
    rows: int = 0

    def run(self, step: str, total: int, tasks: Sequence[Callable[[], R]]) -> list[R]:
        """Results of the tasks, in their order, however they were run."""
        done, begun = 0, time.monotonic()
        results: dict[int, R] = {}
        for at, result in self._results(tasks):
            results[at] = result
            done += result.size if isinstance(result, Spilled) else 1
            self.rows += result.rows if isinstance(result, Spilled) else 0
            if self.progress is not None:
                seconds = time.monotonic() - begun
                self.progress(CondenseProgress(step, done, total, self.rows, seconds))
        return [results[at] for at in range(len(tasks))]

    def _results(self, tasks: Sequence[Callable[[], R]]) -> Iterator[tuple[int, R]]:
        """Results as they come, each with the place of its task."""
        if self.executor is None:
            yield from ((at, task()) for at, task in enumerate(tasks))
            return
        waiting, running = enumerate(tasks), dict[Future[R], int]()
        try:
            while True:
                # A few more than there are workers, so that none waits.
                for at, task in islice(waiting, 2 * self.workers - len(running)):
                    running[self.executor.submit(task)] = at
                if not running:
                    return
                # Now and then awake, or Ctrl+C would wait for a part to end.
                done, _ = wait(running, timeout=AWAKE, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()


def _read(work: Path, plan: inputs.Plan, each: _Each) -> list[Spilled]:
    """Read all parts; nothing is left if anything in them is wrong."""
    total = sum(max(one.size, 0) for one in plan.inputs)
    read = [partial(spill, work, at) for at in range(len(plan.parts))]
    spilled = each.run("reading", total, read)
    if problems := [one for part in spilled for one in part.problems]:
        shutil.rmtree(work)
        raise ReadError(problems)
    for doubt in dict.fromkeys(doubt for part in spilled for doubt in part.doubts):
        file, _, words = doubt.partition(": ")
        warn(file, words)
    return spilled


def _queries(
    work: Path, plan: inputs.Plan, labels: Labels, spilled: Sequence[Spilled], options: ReadOptions
) -> list[str]:
    """The queries that get a list, in the order of files and lines, or as asked for."""
    known = inputs.ids_in(work)
    names = known.query_id.to_pylist()
    no_place, no_flag = np.empty(0, np.int32), np.empty(0, np.bool_)
    hits = Hits(plan.name, names, [], no_place, no_place, np.empty(0), plan.direction, no_flag)
    if not any(one.found_record for one in spilled):
        sides = "the records of the files and those of the labels"
        message = f"{sides} have no id in common; make the ids agree"
        raise ReadError.of("NoOverlap", hits.file, message)
    if not rules_of(labels):
        ids.check_near(hits.file, labels, known.record_id[:MANY_IDS].to_pylist())
    # The queries of a file without a record are those of the whole.
    return [*map(str, labels.lists(hits, reading.query_ids(options, names)).query)]


def _counts(file: str, labels: Labels, judged: Sequence[Path]) -> dict[str, int]:
    """Add up what is counted; raise `ReadError` if labels know too few of the hits."""
    told = [stored.told_of(buckets.per_query(folder)) for folder in judged]
    counts = {name: sum(of["counts"][name] for of in told) for name in buckets.COUNTED}
    n_hits = counts["rows_read"] - counts["rows_left_out"] - counts["self_hits"]
    ids.check_share(file, labels, n_hits - counts["unlabelled_hits"], n_hits)
    return counts


def _lengths(
    work: Path, spilled: Sequence[Spilled], queries: Sequence[str], rules: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Lengths of the lists of all parts together, before labels leave any record out.

    Also whether these are all records of the database; shape (Q,) each.
    """
    length: dict[str, int] = dict.fromkeys(queries, 0)
    before = None
    folders = buckets.folders(work, "parts", range(len(spilled)))
    for folder, part in zip(folders, spilled, strict=True):
        first, last = part.ends
        table = stored.read_table(folder / stored.QUERIES)
        names = ids.normalise(table["query"].to_pylist(), rules)
        for name, more in zip(names, table["length"].to_pylist(), strict=True):
            if name in length:
                length[name] += more
        if first is not None and first == before and first[0] in length:
            length[first[0]] -= 1  # hits on one record, in two parts
        before = last or before
    counts = np.array([length[query] for query in queries], np.int64)
    records = inputs.ids_in(work).record_id
    n_records = len(set(ids.normalise(records.to_pylist(), rules))) if rules else len(records)
    return counts, reported.with_all_records(counts, n_records)


def _ends(
    plan: inputs.Plan,
    queries: Sequence[str],
    length: NDArray[np.int64],
    complete: NDArray[np.bool_],
    judged: Sequence[Path],
    spilled: Sequence[Spilled],
    limit: float | None,
) -> reported.Ends:
    """How far the lists go, as reading a whole file tells it.

    Raises
    ------
    ReadError
        If a hit lies beyond the limit that somebody gave.
    """
    tables = [stored.read_table(folder / buckets.LAST) for folder in judged]
    row = checks.places(queries, [name for table in tables for name in table["query"].to_pylist()])
    score = np.concatenate([np.zeros(0), *(table["score"].to_numpy() for table in tables)])
    how: ReportedHow = "said"
    if limit is None:
        each = zip(plan.parts, spilled, strict=True)
        told = {own.reported_to for part, own in each if part.start == 0}
        limit, how = told.pop() if len(told) == 1 else None, "header"
    hits = Hits(plan.name, [*queries], [], row, row, score, plan.direction)
    limit = join.limit_within(hits._replace(reported_to=limit, reported_how=how))
    return reported.list_ends(row, score, length, complete, plan.direction, limit=limit, how=how)


def _e_keep(judged: Sequence[Path], plan: inputs.Plan) -> float:
    """Find the largest E_k for which enough queries have k errors; before all scores if none."""
    counts = [buckets.per_query(folder)["n_errors"].to_numpy() for folder in judged]
    errors = [np.load(folder / buckets.ERRORS) for folder in judged]
    n_errors = np.concatenate([np.empty(0, np.int64), *counts])
    score = np.concatenate([np.empty(0), *errors])
    # Lists of nothing but their first errors: the same function finds the same threshold.
    offset, nothing = np.concatenate([[0], np.cumsum(n_errors)]), np.zeros(n_errors.size, np.int64)
    irrelevant = np.zeros(score.size, np.bool_)
    stub = RetrievalLists(score, irrelevant, offset, nothing, direction=plan.direction)
    every_k = range(plan.max_k, 0, -1)
    thresholds = (error_threshold(stub, k=k, quantile=plan.quantile).e_k for k in every_k)
    return next(filter(np.isfinite, thresholds), -plan.sign * float("inf"))
