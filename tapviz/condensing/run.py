"""The work from files to a condensed data set: what is done where, and what is left of it."""

from __future__ import annotations

import errno
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tapviz.condensing import buckets
from tapviz.condensing.folder import is_whole
from tapviz.condensing.ids import gather_ids
from tapviz.condensing.inputs import Input, files_in, inputs_of, parts_of
from tapviz.condensing.opened import write_condensed
from tapviz.condensing.parts import Spilled, bucket_of, check_together, hits_of, spill, told_of
from tapviz.condensing.plan import Plan, begun, fingerprint_of, ids_in, plan_in
from tapviz.condensing.stored import QUERIES, read_table
from tapviz.files.limits import MB
from tapviz.files.options import OptionError, takes
from tapviz.files.problems import ReadError, doubts, option, problem, warn
from tapviz.labels import Hits, Labels
from tapviz.labels.ids import normalise
from tapviz.lists import Direction, ReportedHow, RetrievalLists
from tapviz.lists.reported import Ends, list_ends, with_all_records
from tapviz.measures import error_threshold
from tapviz.readers import ReadOptions
from tapviz.readers._lines import RANK
from tapviz.readers.reading import query_ids

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
SIGN = {"ascending": 1, "descending": -1}


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
    if asked.score == RANK:
        rank = option("score", RANK)
        msg = f"{rank}: parts of a file know no order but that of a column of scores"
        raise OptionError(msg)
    target = Path(output)
    if target.exists():
        msg = f"{target}: this is there already; remove it, or give another folder"
        raise ValueError(msg)
    given = [files] if isinstance(files, (str, os.PathLike)) else list(files)
    names = [file for one in given for file in files_in(os.fspath(one))]
    inputs = inputs_of(names, asked)
    labels = _labels(asked, inputs)
    check_together(inputs, asked)
    work = target.with_name(f"{target.name}.partial")
    direction = _direction(inputs, asked)
    bare = replace(
        asked, labels=None, query_labels=None, qrels=None, gold=None, totals=None, reported_to=None
    )
    share = max(memory - BASE * (workers + 1), memory // 4) // workers
    piece = min(max(share // TEXT_FACTOR, LEAST_PART), MOST_PART)
    plan = Plan(
        inputs,
        tuple(parts_of(inputs, piece)),
        bare,
        direction,
        _n_buckets(inputs, share),
        min(piece, MOST_PIECE),
        max_k,
        max(max_k, max_n),
        quantile,
    )
    with _on_full_disk(target), _memory_of_system():
        plan = begun(work, plan, labels, fingerprint_of(plan, asked, labels), resume=resume)
        each = _Each(executor, workers, progress)
        spilled = _read(work, plan, each)
        gather_ids([work / "parts" / str(part.at) for part in plan.parts], work / "ids")
        queries = _queries(work, plan, labels, spilled, asked)
        own: list[list[str]] = [[] for _ in range(plan.n_buckets)]
        place = bucket_of(queries, buckets.rules_of(labels), plan.n_buckets)
        for query, bucket in zip(queries, place.tolist(), strict=True):
            own[bucket].append(query)
        some = [bucket for bucket in range(plan.n_buckets) if own[bucket]]
        lengths = _lengths(work, plan, queries, buckets.rules_of(labels))
        complete = dict(zip(queries, lengths.complete.tolist(), strict=True))
        judge = [
            partial(_judge, str(work), bucket, own[bucket], [complete[one] for one in own[bucket]])
            for bucket in some
        ]
        each.run("judging", len(some), judge)
        folders = [work / "buckets" / str(bucket) for bucket in some]
        e_keep = _e_keep(folders, plan)
        each.run(
            "cutting", len(some), [partial(_cut, str(work), bucket, e_keep) for bucket in some]
        )
        lists = write_condensed(
            target,
            folders,
            [work / "cuts" / str(bucket) for bucket in some],
            queries,
            direction=direction,
            e_keep=e_keep,
            n_errors=plan.most,
            ends=_ends(plan, queries, lengths, folders, spilled, asked.limit_of(target.name)),
            about={
                "max_k": max_k,
                "max_n": max_n,
                "quantile": quantile,
                "e_keep": e_keep if np.isfinite(e_keep) else None,
                "rows_read": sum(one.rows for one in spilled),
                "files": [Path(one).name for one in names],
            },
        )
    shutil.rmtree(work)
    return lists


def _check(max_k: int, max_n: int, quantile: float, memory: int, workers: int) -> None:
    for name, value in {"max_k": max_k, "max_n": max_n, "workers": workers}.items():
        if not isinstance(value, (int, np.integer)) or value < 1:
            msg = f"{name} is {value}: expected a whole number, at least 1"
            raise ValueError(msg)
    if not 0 < quantile <= 1:
        msg = f"quantile is {quantile}: expected a share of the queries, above 0 and at most 1"
        raise ValueError(msg)
    if memory < 100 * MB:
        msg = f"memory is {memory}: expected at least 100 MB"
        raise ValueError(msg)


# What is planned


def _labels(options: ReadOptions, inputs: Sequence[Input]) -> Labels:
    labels = options.read_labels()
    if labels is None:
        message = "what is relevant is not known: give labels"
        raise ReadError([problem("LabelsNeeded", inputs[0].file, None, "", message)])
    return labels


def _direction(inputs: Sequence[Input], options: ReadOptions) -> Direction:
    """Whether small scores are better, by the beginning of each file."""
    found: dict[Direction, str] = {}
    for one in inputs:
        for part in parts_of([one], max(one.size, LEAST_PART))[:1]:
            with doubts():  # which reading tells
                hits = hits_of(one, part, options, LEAST_PART, known=False)
                first, _ = next(hits, (None, 0))
            if isinstance(first, Hits):
                found.setdefault(first.direction, one.file)
    if len(found) > 1:
        both = " and ".join(found.values())
        msg = f"{both}: in one of them small scores are better, in the other large ones"
        raise ValueError(msg)
    return next(iter(found), "ascending")


def _n_buckets(inputs: Sequence[Input], share: int) -> int:
    """As many as make each small enough for a worker."""
    rows = 0.0
    for one in inputs:
        packed = Path(one.file).suffix in (".gz", ".zst", ".bz2", ".parquet") or one.size < 0
        rows += max(one.size, 0) / (ROW_OF_TEXT / 5 if packed else ROW_OF_TEXT)
    return max(1, min(ceil(rows / min(share / ROW, MOST_ROWS)), MOST_BUCKETS))


# What workers do


def _spill(work: str, at: int) -> Spilled:
    plan, labels = plan_in(work)
    part = plan.parts[at]
    target = Path(work) / "parts" / str(at)
    return spill(
        plan.inputs[part.source],
        part,
        plan.options,
        labels,
        plan.n_buckets,
        plan.piece,
        target,
    )


def _reader(work: str, bucket: int) -> Callable[..., buckets.Bucket]:
    plan, _ = plan_in(work)
    folders = [Path(work) / "parts" / str(part.at) for part in plan.parts]
    return partial(buckets.bucket_in, folders, bucket, ids_in(work))


def _judge(work: str, bucket: int, queries: Sequence[str], complete: Sequence[bool]) -> None:
    plan, labels = plan_in(work)
    target = Path(work) / "buckets" / str(bucket)
    if is_whole(target):
        return
    rows = _reader(work, bucket)()
    hits = rows.hits(plan.name, plan.direction, named=False)
    buckets.judge(rows, hits, queries, complete, labels, plan.most, target)


def _cut(work: str, bucket: int, e_keep: float) -> None:
    plan, labels = plan_in(work)
    target = Path(work) / "cuts" / str(bucket)
    if is_whole(target):
        return
    folder = Path(work) / "buckets" / str(bucket)
    read = _reader(work, bucket)
    buckets.cut(read, plan.name, folder, labels, e_keep, plan.most, plan.direction, target)


class _Each:
    """Runs tasks, and tells how far they are."""

    def __init__(
        self,
        executor: Executor | None,
        workers: int,
        progress: Callable[[CondenseProgress], None] | None,
    ) -> None:
        self._executor, self._workers, self._progress = executor, workers, progress
        self._rows = 0

    def run(self, step: str, total: int, tasks: Sequence[Callable[[], R]]) -> list[R]:
        """Results of the tasks, in their order, however they were run."""
        done, begun = 0, time.monotonic()
        results: dict[int, R] = {}
        for at, result in self._results(tasks):
            results[at] = result
            done += result.size if isinstance(result, Spilled) else 1
            self._rows += result.rows if isinstance(result, Spilled) else 0
            if self._progress is not None:
                seconds = time.monotonic() - begun
                self._progress(CondenseProgress(step, done, total, self._rows, seconds))
        return [results[at] for at in range(len(tasks))]

    def _results(self, tasks: Sequence[Callable[[], R]]) -> Iterator[tuple[int, R]]:
        """Results as they come, each with the place of its task."""
        if self._executor is None:
            yield from ((at, task()) for at, task in enumerate(tasks))
            return
        waiting, running = enumerate(tasks), dict[Future[R], int]()
        try:
            while True:
                # A few more than there are workers, so that none waits.
                for at, task in islice(waiting, 2 * self._workers - len(running)):
                    running[self._executor.submit(task)] = at
                if not running:
                    return
                # Now and then awake, or Ctrl+C would wait for a part to end.
                done, _ = wait(running, timeout=AWAKE, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            for future in running:
                future.cancel()


def _read(work: Path, plan: Plan, each: _Each) -> list[Spilled]:
    """Read all parts; nothing is left if anything in them is wrong."""
    total = sum(max(one.size, 0) for one in plan.inputs)
    tasks = [partial(_spill, str(work), part.at) for part in plan.parts]
    spilled = each.run("reading", total, tasks)
    if found := [one for part in spilled for one in part.problems]:
        shutil.rmtree(work)
        raise ReadError(found)
    for doubt in dict.fromkeys(one for part in spilled for one in part.doubts):
        file, _, words = doubt.partition(": ")
        warn(file, words)
    return spilled


def _queries(
    work: Path, plan: Plan, labels: Labels, spilled: Sequence[Spilled], options: ReadOptions
) -> list[str]:
    """The queries that get a list, in the order of files and lines, or as asked for."""
    hits = Hits(
        plan.name,
        ids_in(str(work)).query_id.to_pylist(),
        [],
        np.empty(0, np.int32),
        np.empty(0, np.int32),
        np.empty(0),
        plan.direction,
        np.empty(0, np.bool_),
    )
    if not any(one.found_record for one in spilled):
        message = (
            "the records of the files and those of the labels have no id in common; make the ids "
            "agree"
        )
        raise ReadError([problem("NoOverlap", hits.file, None, "", message)])
    chosen = query_ids(options)
    # The queries of a file without a record are those of the whole.
    kept: list[str] = labels.lists(hits, chosen).query.tolist()
    return kept


class _Lengths(NamedTuple):
    """Records in the list of each query, before labels leave any out; (Q,) each."""

    length: NDArray[np.int64]
    complete: NDArray[np.bool_]
    """Whether these are all records of the database."""


def _lengths(work: Path, plan: Plan, queries: Sequence[str], rules: Sequence[str]) -> _Lengths:
    """Lengths of the lists of all parts together."""
    length: dict[str, int] = dict.fromkeys(queries, 0)
    last = None
    for part in plan.parts:
        folder = work / "parts" / str(part.at)
        table = read_table(folder / QUERIES)
        first, end = told_of(folder)["ends"]
        names = normalise(table["query"].to_pylist(), rules)
        for name, more in zip(names, table["length"].to_pylist(), strict=True):
            if name in length:
                length[name] += more
        if first is not None and first == last and first[0] in length:
            length[first[0]] -= 1  # hits on one record, in two parts
        last = end or last
    counts = np.array([length[query] for query in queries], np.int64)
    records = ids_in(str(work)).record_id
    n_records = len(set(normalise(records.to_pylist(), rules))) if rules else len(records)
    return _Lengths(counts, with_all_records(counts, n_records))


def _ends(
    plan: Plan,
    queries: Sequence[str],
    lengths: _Lengths,
    folders: Sequence[Path],
    spilled: Sequence[Spilled],
    limit: float | None,
) -> Ends:
    """How far the lists go, as reading a whole file tells it.

    Raises
    ------
    ReadError
        If a hit lies beyond the limit that somebody gave.
    """
    place = {query: at for at, query in enumerate(queries)}
    tables = [read_table(one / buckets.LAST) for one in folders]
    names = [one for table in tables for one in table["query"].to_pylist()]
    row = np.array([place[one] for one in names], np.int64)
    score = np.concatenate([np.zeros(0), *(table["score"].to_numpy() for table in tables)])
    how: ReportedHow = "said"
    sign = SIGN[plan.direction]
    if limit is None:
        told = {one.reported_to for one in spilled if plan.parts[one.part].start == 0}
        limit, how = told.pop() if len(told) == 1 else None, "header"
    if limit is not None and (sign * score > sign * limit).any():
        if how == "said":
            at = int(np.argmax(sign * score))
            message = (
                f"query {queries[row[at]]} has a hit at {score[at]:g}, which lies beyond "
                f"{limit:g}: set {option('reported_to')} to the limit that the search was run with"
            )
            raise ReadError([problem("BeyondReported", plan.name, None, "", message)])
        limit = None
    return list_ends(
        row, score, lengths.length, lengths.complete, plan.direction, limit=limit, how=how
    )


def _e_keep(folders: Sequence[Path], plan: Plan) -> float:
    """The largest E_k for which enough queries have k errors; before all scores if none has."""
    counts = [buckets.per_query(one)["n_errors"].to_numpy() for one in folders]
    errors = [np.load(one / buckets.ERRORS) for one in folders]
    n_errors = np.concatenate(counts) if counts else np.empty(0, np.int64)
    score: NDArray[np.float64] = np.concatenate(errors) if errors else np.empty(0)
    # Lists of nothing but their first errors: the same function finds the same threshold.
    stub = RetrievalLists(
        score,
        np.zeros(score.size, np.bool_),
        np.concatenate([[0], np.cumsum(n_errors)]),
        np.zeros(n_errors.size, np.int64),
        direction=plan.direction,
    )
    for k in range(plan.max_k, 0, -1):
        e_k = error_threshold(stub, k=k, quantile=plan.quantile).e_k
        if np.isfinite(e_k):
            return e_k
    return -SIGN[plan.direction] * float("inf")
