"""A folder of runs: one Parquet file for each, with its lists, its cost and how it was judged."""

from __future__ import annotations

import base64
import datetime as dt
import json
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from tapviz.files.options import refuse
from tapviz.files.problems import ReadError, problem
from tapviz.files.source import File, Held, Source, name_of
from tapviz.lists import Grades, RetrievalLists
from tapviz.lists.runs import Run, run_of, version_key
from tapviz.readers import Loaded, ReadOptions, load, write_parquet

KEY = b"tapviz.run"
"""Where in the metadata of a Parquet file it stands what run it is."""
TEXTS = ("name", "added", "judged", "judged_by")
NAME = re.compile(r"[\w+-][\w.+ -]*")
ENDING = ".parquet"
DAMAGE = (pa.ArrowException, OSError, LookupError, ValueError, TypeError, AttributeError)
"""What reading of something else raises."""


class Stored(NamedTuple):
    """What a file of the store says of its run, besides the lists.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.readers.store import Stored, add
    >>> path = add("results", "rpsblast", load_results("profiles")["RPS-BLAST"])
    >>> Stored.read(path).name
    'rpsblast'
    """

    name: str
    added: str
    """When, in UTC, as 2026-03-01T12:00:00."""
    judged: str
    """Fingerprint of the labels; empty where the results said themselves what is relevant."""
    judged_by: str
    """The labels in words."""
    run: Run
    class_level: int | None = None
    grades: Sequence[Sequence[int]] | None = None
    """Records of each grade, of each query, shape (Q, G + 1)."""
    grade: str = ""
    """Grade of each record, as base64 of whole numbers of four bytes."""

    @property
    def order(self) -> tuple[str, tuple[tuple[int, str], ...], str]:
        """Sorts runs by date, or when they were added, and then by version."""
        return (self.run.date or self.added[:10], version_key(self.run.version), self.added)

    @classmethod
    def read(cls, file: File) -> Stored | None:
        """What a file says of its run; None if it is no file of a store.

        Raises
        ------
        ReadError
            If it cannot be read.
        """
        if not isinstance(file, Held) and not Path(file).is_file():
            return None  # a pipe can be read only once
        source = Source(file)
        if not source.is_parquet:
            return None
        from pyarrow import parquet  # noqa: PLC0415  # slow to import, and not needed for text

        try:
            with source.binary() as stream:
                said = (parquet.read_schema(stream).metadata or {}).get(KEY)
            if said is None:
                return None
            values = json.loads(said)
            if not all(isinstance(values[name], str) for name in TEXTS):
                raise TypeError(TEXTS)  # told below
            return cls(**values | {"run": run_of(values["run"], "run")})
        except DAMAGE as error:
            message = f"what it says of its run is damaged ({error}); add the run again"
            raise ReadError([source.problem("Encoding", None, message)]) from None

    def metadata(self) -> dict[bytes, bytes]:
        """The same for the file."""
        return {KEY: json.dumps(self._asdict() | {"run": self.run.known}).encode()}


def add(
    store: str | os.PathLike[str],
    name: str,
    lists: RetrievalLists,
    *,
    judged: str = "",
    judged_by: str = "",
    replace: bool = False,
) -> Path:
    """Keep a run in a store, with `lists.run`.

    Parameters
    ----------
    store : path
        A folder, which is made.
    name : str
        Of the run; the file is called so, too.
    lists : RetrievalLists
    judged, judged_by : str, optional
        Fingerprint of the labels by which it was judged, and they in words.
    replace : bool
        Whether a run of that name may be there already.

    Returns
    -------
    Path
        The file, which is written beside and put in its place when it is complete.

    Raises
    ------
    ValueError
        If the name cannot be one, is taken, or the run was judged otherwise than those in the
        store; or if it cannot be written.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.lists.runs import Run
    >>> from tapviz.readers.store import add, runs
    >>> lists = load_results("profiles")["RPS-BLAST"]
    >>> path = add("store", "rpsblast-2.12", lists.with_run(Run(seconds=12.5)))
    >>> [(one.name, one.run.seconds) for one in runs("store").values()]
    [('rpsblast-2.12', 12.5)]
    """
    folder = Path(store)
    if not NAME.fullmatch(name):
        refuse(f"name {name!r}: expected letters, digits, full stops, blanks, + and -")
    if lists.given:
        refuse(f"{name}: a store keeps ranked lists, not scores of queries without them")
    path = folder / f"{name}{ENDING}"
    if path.exists() and not replace:
        refuse(f"{path}: there is a run of this name already: choose another, or replace it")
    folder.mkdir(parents=True, exist_ok=True)
    now = dt.datetime.now(dt.UTC).replace(microsecond=0, tzinfo=None).isoformat()
    new = Stored(name, now, judged, judged_by, lists.run, lists.class_level)
    if lists.grades is not None:
        grade = base64.b64encode(lists.grades.record.astype("<i4").tobytes()).decode()
        new = new._replace(grades=lists.grades.total.tolist(), grade=grade)
    check_judged([*(one for at, one in runs(folder).items() if at != path), new])
    write_parquet(lists, path, metadata=new.metadata())
    return path


def runs(store: str | os.PathLike[str]) -> dict[Path, Stored]:
    """Files of the runs in a folder, the oldest first; none if it is no store.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.readers.store import add, runs
    >>> for name, lists in load_results("profiles").items():
    ...     path = add("all", name, lists)
    >>> sorted(one.name for one in runs("all").values())
    ['HMMER2 local', 'HMMER2 semi-global', 'HMMER3 hmmscan', 'RPS-BLAST']
    """
    found = {path: Stored.read(path) for path in sorted(Path(store).glob(f"*{ENDING}"))}
    known = {path: one for path, one in found.items() if one is not None}
    return dict(sorted(known.items(), key=lambda item: item[1].order))


def check_judged(several: Iterable[Stored]) -> None:
    """Check that runs were judged by the same labels, as far as that is known.

    Raises
    ------
    ValueError
        If they were not.

    Examples
    --------
    >>> from tapviz.lists.runs import Run
    >>> from tapviz.readers.store import Stored, check_judged
    >>> one, other = (Stored(name, "", "1f", "a table of classes", Run()) for name in "ab")
    >>> check_judged([one, other])
    """
    known = [one for one in several if one.judged]
    for one in known[1:]:
        first = known[0]
        if one.judged != first.judged:
            how = f"{first.judged_by}, and {one.name} by {one.judged_by}"
            if first.judged_by == one.judged_by:
                how = f"{first.judged_by}, and {one.name} by another with the same rules"
            refuse(f"{first.name} was judged by {how}: these cannot be compared")


def load_run(file: File, stored: Stored, options: ReadOptions) -> Loaded:
    """Lists of a file of a store, as `tapviz.readers.load` has those of other files.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.readers import ReadOptions
    >>> from tapviz.readers.store import Stored, add, load_run
    >>> path = add("one", "rpsblast", load_results("profiles")["RPS-BLAST"])
    >>> load_run(path, Stored.read(path), ReadOptions()).lists(None)["rpsblast"].n_queries
    1351
    """
    loaded = load(file, ReadOptions(queries=options.queries, runs=options.runs), None)
    (lists,) = loaded.contents.values()
    if not isinstance(lists, RetrievalLists):
        message = "what it says of its run is damaged; add the run again"
        raise ReadError([problem("Encoding", name_of(file), None, "", message)])
    grades = lists.grades
    if stored.grades is not None:
        grade = np.frombuffer(base64.b64decode(stored.grade), "<i4").astype(np.int64)
        grades = Grades(grade, np.array(stored.grades, np.int64))
    lists = lists.replaced(class_level=stored.class_level, run=stored.run, grades=grades)
    return loaded._replace(
        contents={stored.name: lists}, runs={stored.name: stored.run} | dict(loaded.runs)
    )
