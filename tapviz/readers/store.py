"""A folder of runs: one Parquet file for each, with its lists, its cost and how it was judged.

Any number of processes may add at once: a file is complete when it gets its name, and gets it only
if nobody has it. The first to come notes in `JUDGED` by what all are judged, in the same way.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from tapviz.files import File, Held, OptionError, ReadError, Source, chosen, doubts, name_of, refuse
from tapviz.files.problems import option, warn
from tapviz.files.small import MAX_TEXT, json_of, text_of
from tapviz.labels import fingerprint
from tapviz.lists import Grades, RetrievalLists, write_atomically
from tapviz.lists.runs import Run, version_key
from tapviz.readers import Loaded, ReadOptions, load, write_parquet
from tapviz.readers.options import OF_RELEVANCE
from tapviz.readers.runs import run_of

KEY = b"tapviz.run"
"""Where in the metadata of a Parquet file it stands what run it is."""
JUDGED = "store.json"
"""File of a store that says by what its runs are judged."""
NAME = re.compile(r"[\w+-][\w.+ -]{0,199}")
ENDING = ".parquet"
DAMAGE = (pa.ArrowException, OSError, LookupError, ValueError, TypeError, AttributeError)
"""What reading of something else raises."""
DAMAGED = "what it says of its run is damaged"
LARGEST = 100_000_000
"""Characters that a file may say of its run; the grades of its records are among them."""
MAX_LEVEL = 100
DAMAGES = ("Encoding", "NotFound", "Truncated", "WrongFormat")
"""Codes of problems for which a run is left out; others are of what somebody asked for."""


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

    name: str = ""
    added: str = ""
    """When, in UTC, as 2026-03-01T12:00:00."""
    judged: str = ""
    """Fingerprint of the labels; empty where the results said themselves what is relevant."""
    judged_by: str = ""
    """The labels in words."""
    run: Run = Run()
    class_level: int | None = None
    grades: Sequence[Sequence[int]] | None = None
    """Records of each grade, of each query, shape (Q, G + 1)."""
    grade: str = ""
    """Grade of each record, as base64 of whole numbers of four bytes."""
    queries: str = ""
    """Fingerprint of the list of all queries, if one was given."""

    @property
    def order(self) -> tuple[str, tuple[tuple[int, str], ...], str]:
        """Sorts runs by date, or when they were added, and then by version."""
        return (self.run.date or self.added[:10], version_key(self.run.version), self.added)

    @classmethod
    def read(cls, file: File) -> Stored | None:
        """What a file says of its run; None if it is not a file of a store.

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
            return None if said is None else cls.checked(json_of(said, source.file, most=LARGEST))
        except DAMAGE as error:
            why = error.problems[0].marked if isinstance(error, ReadError) else error
            message = f"{DAMAGED} ({why}); add the run again"
            raise ReadError.of("Encoding", source.file, message) from None

    @classmethod
    def checked(cls, values: Mapping[str, Any]) -> Stored:
        """A run of what a file, or a program, says of it.

        Raises
        ------
        ValueError, TypeError, LookupError
            If a field is of another kind, or longer, than any of a run.
        """
        name, added, judged, by = (values[field] for field in cls._fields[:4])
        run, level, grades, grade = map(values.get, ("run", "class_level", "grades", "grade"))
        queries = values.get("queries", "")
        wrong = {
            "name": not isinstance(name, str) or not NAME.fullmatch(name),
            "added": not isinstance(added, str) or not dt.datetime.fromisoformat(added),
            "judged": not isinstance(judged, str) or len(judged) > MAX_TEXT,
            "judged_by": not isinstance(by, str) or len(by) > MAX_TEXT,
            "run": not isinstance(run, dict),
            "class_level": level is not None
            and (type(level) is not int or not 0 < level <= MAX_LEVEL),
            "grades": grades is not None and np.array(grades, np.int64).ndim != 2,
            "grade": not isinstance(grade or "", str),
            "queries": not isinstance(queries, str) or len(queries) > MAX_TEXT,
            **{field: True for field in values if field not in cls._fields},
        }
        if found := [field for field, is_wrong in wrong.items() if is_wrong]:
            shown = str(values[found[0]])[:60]
            refuse(f"{found[0][:60]}: expected another value than {shown!r}")
        return cls(**dict(values) | {"run": run_of(values["run"], "run")})

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
    listed: bool = False,
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
    listed : bool
        Whether its queries are a list of all that was given.
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
    taken = f"{path}: there is a run of this name already: choose another, or replace it"
    if path.exists() and not replace:
        refuse(taken)
    now = dt.datetime.now(dt.UTC).replace(microsecond=0, tzinfo=None).isoformat()
    queries = fingerprint(sorted(lists.query.tolist())) if listed else ""
    new = Stored(name, now, judged, judged_by, lists.run, lists.class_level, queries=queries)
    if lists.grades is not None:
        grade = base64.b64encode(lists.grades.record.astype("<i4").tobytes()).decode()
        new = new._replace(grades=lists.grades.total.tolist(), grade=grade)
    new = Stored.checked(new._asdict() | {"run": lists.run.known})
    folder.mkdir(parents=True, exist_ok=True)
    if judged:
        _judge(folder, new)
    try:
        write_parquet(lists, path, metadata=new.metadata(), new=not replace)
    except FileExistsError:  # since it was looked for
        refuse(taken)
    return path


def _judge(folder: Path, new: Stored) -> None:
    """Note by what the runs of a store are judged, if nobody has; check that this one is, too."""
    file = folder / JUDGED
    if not file.exists():
        with doubts():
            first = next((one for one in runs(folder).values() if one.judged), new)
        noted = {"judged": first.judged, "judged_by": first.judged_by, "first": first.name}
        noted |= {"queries": first.queries} if first.queries else {}
        with suppress(FileExistsError):  # another process was first
            write_atomically(file, json.dumps(noted, indent=1) + "\n", new=True)
    try:
        check_judged([_judgement(folder), new])
    except OptionError as error:
        refuse(f"{error}; keep this run in another folder")


def _judgement(folder: Path) -> Stored:
    """By what the runs of a store are judged, as that of a run; of none, if it is not noted."""
    file = folder / JUDGED
    if not file.exists():
        return Stored()
    noted = json_of(text_of(file), str(file))
    try:
        said = map(({"queries": ""} | noted).get, ("first", "judged", "judged_by", "queries"))
        first, judged, by, queries = (one[:MAX_TEXT] + "" for one in said)
    except (LookupError, TypeError):
        message = "expected what tapviz add writes; remove it if it is damaged"
        raise ReadError.of("Encoding", str(file), message) from None
    return Stored(first, judged=judged, judged_by=by, queries=queries)


def runs(store: str | os.PathLike[str]) -> dict[Path, Stored]:
    """Files of the runs in a folder, the oldest first; none if it is not a store.

    What is damaged, or no run of this store, is left out, and a warning names it.

    Examples
    --------
    >>> from tapviz import load_results
    >>> from tapviz.readers.store import add, runs
    >>> for name, lists in load_results("profiles").items():
    ...     path = add("all", name, lists)
    >>> sorted(one.name for one in runs("all").values())
    ['HMMER2 local', 'HMMER2 semi-global', 'HMMER3 hmmscan', 'RPS-BLAST']
    """
    found: dict[Path, Stored] = {}
    for path in sorted(Path(store).glob(f"*{ENDING}")):
        with left_out(str(path)):
            one = Stored.read(path)
            if one is None:
                refuse("it says of no run; add it by tapviz add")
            found[path] = one
    found = dict(sorted(found.items(), key=lambda item: item[1].order))
    fixed = Stored()
    with suppress(ReadError):  # which adding another one says
        fixed = _judgement(Path(store))
    if not fixed.judged:
        fixed = next((one for one in found.values() if one.judged), fixed)
    kept: dict[Path, Stored] = {}
    for path, one in found.items():
        with left_out(str(path)):
            if other := next((at for at, had in kept.items() if had.name == one.name), None):
                refuse(f"{other.name} says of the same run, {one.name!r}")
            check_judged([fixed, one])
            kept[path] = one
    return kept


@contextmanager
def left_out(file: str) -> Iterator[None]:
    """Say of a file of a store why it is left out, and go on with the others.

    Examples
    --------
    >>> from tapviz.files.problems import doubts
    >>> from tapviz.readers.store import left_out
    >>> with doubts() as said, left_out("a.parquet"):
    ...     raise ValueError("there is nothing in it")
    >>> said
    ['a.parquet: this run is left out: there is nothing in it']
    """
    try:
        yield
    except ValueError as error:
        first = error.problems[0] if isinstance(error, ReadError) else None
        if first and (first.code not in DAMAGES or first.file != file):  # as of an option
            raise
        why = first.marked if first else str(error)
        warn(file, f"this run is left out: {why}")


def check_judged(several: Iterable[Stored]) -> None:
    """Check that runs were judged by the same labels and queries, as far as that is known.

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
    listed = [one for one in known if one.queries]
    if other := [one.name for one in listed if one.queries != listed[0].queries]:
        both = f"{listed[0].name} and {other[0]}"
        refuse(f"{both} were given other lists of all queries: these cannot be compared")


def check_options(file: str, stored: Iterable[Stored], options: ReadOptions, judged: str) -> None:
    """Check that options ask for runs as they are, which no option can read or judge again.

    Parameters
    ----------
    file : str
        What the message names.
    stored : iterable of Stored
        The runs.
    options : ReadOptions
    judged : str
        Fingerprint of the labels that were given; empty if there are none.

    Raises
    ------
    ValueError
        If an option asks for something else.

    Examples
    --------
    >>> from tapviz.readers import ReadOptions
    >>> from tapviz.readers.store import Stored, check_options
    >>> try:
    ...     check_options("a.parquet", [Stored("a")], ReadOptions(self_hits="keep"), "")
    ... except ValueError as error:
    ...     print(error)
    a.parquet: this run was read and judged when it was added; leave self_hits out
    """
    fits = {"queries", "runs"}
    if judged and len(options.standard) < 2 and all(one.judged == judged for one in stored):
        fits.update(OF_RELEVANCE)
    if others := [name for name in chosen(options) if name not in fits]:
        said = "this run was read and judged when it was added"
        refuse(f"{file}: {said}; leave {option(others[0])} out")


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
        raise ReadError.of("Encoding", name_of(file), f"{DAMAGED}; add the run again")
    again = Stored.read(file)
    if again is not None and again.metadata() != stored.metadata():  # replaced meanwhile
        return load_run(file, again, options)
    grades = lists.grades
    try:
        if stored.grades is not None:
            grade = np.frombuffer(base64.b64decode(stored.grade, validate=True), "<i4")
            grades = Grades(grade.astype(np.int64), np.array(stored.grades, np.int64))
        lists = lists.replaced(class_level=stored.class_level, run=stored.run, grades=grades)
    except ValueError as error:
        message = f"{DAMAGED} ({error}); add the run again"
        raise ReadError.of("Encoding", name_of(file), message) from None
    known = {stored.name: stored.run} | dict(loaded.runs)
    return loaded._replace(contents={stored.name: lists}, runs=known)
