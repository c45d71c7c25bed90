"""What runs cost, as somebody noted it beside the results, or ``/usr/bin/time -v`` did."""

from __future__ import annotations

import datetime as dt
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from tapviz.files import File, FileLike, Held, ReadError, Tabled, name_of, refuse
from tapviz.files.small import MAX_TEXT, cells_of, text_of, toml_of, wrong
from tapviz.lists.runs import Run
from tapviz.readers._table import number
from tapviz.readers.options import ReadOptions

RUNS = "runs.toml"
"""Where what runs cost is looked for, beside the results."""
TIMED = "Command being timed:"
"""How the output of ``/usr/bin/time -v`` begins."""
NAMES = ("algorithm", "name", "run")
"""Columns of a table of runs that name the algorithm, the first that is there."""
KB_PER_GB = 1_000_000 / 1.024
TEXTS = tuple(name for name, value in Run._field_defaults.items() if isinstance(value, str))
NUMBERS = tuple(name for name in Run._fields if name not in TEXTS)


def look_like_runs(head: Sequence[bytes]) -> bool:
    """Whether the first lines of a file look as if they said what runs cost.

    Examples
    --------
    >>> from tapviz.readers.runs import look_like_runs
    >>> look_like_runs([b"# searches", b"[mmseqs2]", b"seconds = 12.5"])
    True
    """
    lines = [line.decode("utf-8", "replace").strip() for line in head]
    lines = [line for line in lines if line and not line.startswith("#")]
    if not lines:
        return False
    toml = re.fullmatch(r"\[[^\]]+\]", lines[0]) and any("=" in line for line in lines[1:])
    return bool(toml) or lines[0].startswith(TIMED)


def costs_of(results: FileLike, options: ReadOptions) -> tuple[Mapping[str, Run], list[Any]]:
    """What is known of runs, and the files that say it.

    Raises
    ------
    ReadError
        If such a file says something else. It is the one given, or that beside the results; it may
        name others beside itself.

    Examples
    --------
    >>> from tapviz.readers import ReadOptions
    >>> from tapviz.readers.runs import costs_of
    >>> costs_of("blastp.tsv.gz", ReadOptions())
    ({}, [])
    """
    file = options.runs
    if file is None and isinstance(results, str | os.PathLike):
        beside = Path(results).with_name(RUNS)
        with suppress(OSError):  # of a name that is too long, which reading tells
            file = beside if beside.is_file() else None
    if file is None:
        return {}, []
    read = [file]

    def text(of: File | Tabled) -> str:
        return of.data().decode() if isinstance(of, Tabled) else text_of(of)

    def beside_it(name: str) -> str:
        read.append(Path(file).with_name(name))
        return text(read[-1])

    in_memory = isinstance(file, (Held, Tabled))
    return read_runs(text(file), name_of(file), None if in_memory else beside_it), read


def read_runs(
    text: str, file: str, open_beside: Callable[[str], str] | None = None
) -> dict[str, Run]:
    """Read what runs cost, by the names of their algorithms.

    Parameters
    ----------
    text : str
        TOML with a table for each algorithm; or a table with a row for each, separated by commas
        or tabs; or the output of ``/usr/bin/time -v``, named as its algorithm.
    file : str
        What messages call it.
    open_beside : callable, optional
        Returns the text of a file that TOML names by ``time``: the output of ``/usr/bin/time -v``.

    Raises
    ------
    ReadError
        If it is something else, or a value is; the message names the run and the field.

    Examples
    --------
    >>> from tapviz.readers.runs import read_runs
    >>> text = '''
    ... [mmseqs2]
    ... version = "15-6f452"
    ... seconds = 12.5
    ... memory = 3.2
    ... '''
    >>> read_runs(text, "runs.toml")["mmseqs2"].memory
    3.2
    """
    if text.lstrip().startswith(TIMED):
        stem = re.split(r"[\\/]", file)[-1].split(".")[0]
        return {stem: _timed(text, file)}
    if re.search(r"^[ \t]*\[.+\][ \t]*(#.*)?$", text, re.MULTILINE):
        return _from_toml(text, file, open_beside)
    return _from_table(text, file)


def _from_toml(text: str, file: str, open_beside: Callable[[str], str] | None) -> dict[str, Run]:
    def run(name: str, table: object) -> Run:
        if not isinstance(table, dict):
            refuse(f"{name[:60]}: expected a table for each run, such as [mmseqs2]")
        given, known = dict(table), Run()
        if "time" in given:
            beside = str(given.pop("time"))
            said = f"{name}: time = {beside[:60]!r}"
            if open_beside is None:
                refuse(f"{said} names a file, which cannot be opened here")
            if not beside or Path(beside).name != beside:
                refuse(f"{said}: expected the name of a file beside this one")
            known = _timed(open_beside(beside), beside)
        return run_of(given, name[:60], known)

    def line_of(name: str) -> int | None:
        lines = enumerate(text.splitlines(), 1)
        return next((at for at, line in lines if line.lstrip(" [\"'").startswith(name)), None)

    runs = {}
    for name, table in toml_of(text, file).items():
        with _told(file, partial(line_of, name)):
            runs[name] = run(name, table)
    return runs


@contextmanager
def _told(file: str, line: int | Callable[[], int | None] | None) -> Iterator[None]:
    """Say of what is wrong with a value in which line it is."""
    try:
        yield
    except ReadError:
        raise
    except ValueError as error:
        raise wrong(file, line() if callable(line) else line, str(error)) from None


def _from_table(text: str, file: str) -> dict[str, Run]:
    first = next((line for line in text.splitlines() if line.strip() and line[0] != "#"), "")
    rows = cells_of(text, file, "\t" if "\t" in first else ",")
    top, names = next(rows, (None, []))
    if top is None:
        raise wrong(file, None, "expected what runs cost, found nothing", code="EmptyInput")
    head = [name.strip().lower() for name in names]
    column = next((name for name in NAMES if name in head), None)
    if column is None:
        wanted = "expected TOML with a table for each run, such as [mmseqs2]"
        other = f"or a table with a column {NAMES[0]}, found {first[:60]!r}"
        raise wrong(file, top, f"{wanted}, {other}")
    if twice := next((name for at, name in enumerate(head) if name in head[:at]), None):
        raise wrong(file, top, f"the column {twice[:60]} is twice in this table")
    runs: dict[str, Run] = {}
    for line, row in rows:
        if len(row) != len(head):
            message = f"expected {len(head)} columns, found {len(row)}"
            raise wrong(file, line, message, ",".join(row), "BadColumnCount")
        cells = {key: cell.strip() for key, cell in zip(head, row, strict=True)}
        name = cells.pop(column)
        if name in runs:
            raise wrong(file, line, f"{name} is twice in this table; expected each once")
        with _told(file, line):
            runs[name] = run_of({key: cell for key, cell in cells.items() if cell}, name[:60])
    return runs


def run_of(given: Mapping[str, object], where: str, known: Run = Run()) -> Run:  # noqa: B008
    """Make a run of its fields, with what is known of it already.

    Raises
    ------
    ValueError
        If there is no such field, or its value is wrong or longer than any such; `where` is what
        the message begins with.

    Examples
    --------
    >>> from tapviz.readers.runs import run_of
    >>> run_of({"program": "BLAST+", "seconds": "12.5"}, "blastp").seconds
    12.5
    """
    values: dict[str, object] = {}
    for name, value in given.items():
        if name not in Run._fields:
            near = get_close_matches(name[:60], Run._fields, 1)
            hint = f"; did you mean {near[0]}?" if near else f": {', '.join(Run._fields)}"
            refuse(f"{where}: {name[:60]!r} is none of the fields{hint}")
        if isinstance(value, bool) or not isinstance(value, (str, int, float, dt.date)):
            kind = "a number" if name in NUMBERS else "a text"
            refuse(f"{where}: {name}: expected {kind}, found {str(value)[:40]!r}")
        values[name] = (_text if name in TEXTS else _number)(value, f"{where}: {name}")
        if name == "date":
            values[name] = _date(str(value), where)
    return Run(**known._asdict() | values)


def _text(value: object, where: str) -> str:
    if len(text := str(value)) > MAX_TEXT:
        refuse(f"{where}: expected at most {MAX_TEXT:,} characters, found {len(text):,}")
    return text


def _number(value: object, where: str) -> float:
    found = number(str(value), "")
    if isinstance(found, tuple) or found < 0:
        refuse(f"{where}: expected a number of at least 0, found {str(value)[:40]!r}")
    return found


def _date(text: str, where: str) -> str:
    try:
        return dt.datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        refuse(f"{where}: date: expected one such as 2026-03-01, found {text[:40]!r}")


def _timed(text: str, file: str) -> Run:
    """A run of which ``/usr/bin/time -v`` tells."""

    def field(label: str) -> tuple[int, str]:
        found = re.search(rf"^[ \t]*{re.escape(label)}: (.*)$", text, re.MULTILINE)
        if found is None:
            message = f"expected the output of /usr/bin/time -v, found no line {label!r}"
            raise wrong(file, None, message)
        return text.count("\n", 0, found.start()) + 1, found[1].strip()

    def amount(label: str) -> float:
        line, said = field(label)
        total = 0.0
        with _told(file, line):
            for part in said.split(":"):
                total = 60 * total + _number(part, label)
            return _number(total, label)

    said = {
        "memory": amount("Maximum resident set size (kbytes)") / KB_PER_GB,
        "command": field(TIMED.removesuffix(":"))[1].strip('"'),
        "seconds": amount("Elapsed (wall clock) time (h:mm:ss or m:ss)"),
        "cpu_seconds": amount("User time (seconds)") + amount("System time (seconds)"),
    }
    with _told(file, None):
        return run_of(said, "run")
