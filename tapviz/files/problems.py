"""What is wrong with a file, or doubtful: where, what was expected and found, and the remedy."""

from __future__ import annotations

import inspect
import os
import re
import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote
from typing import Literal

MAX_PROBLEMS = 10
MAX_TEXT = 80
PACKAGE = str(Path(__file__).parents[1]) + os.sep
OPTION = re.compile("\x0e(\\w+):([^\x0f]*)\x0f")


def option(name: str, value: str = "") -> str:
    """Mark an option that would help, in a message that is shown in different places.

    Parameters
    ----------
    name : str
        Name of the option, as of the field of the record of options.
    value : str
        What it could be set to; ``+`` between values of an option that is given several times.

    Returns
    -------
    str
        Text that `rendered` replaces by what the option is called where the message is shown.
    """
    return f"\x0e{name}:{value}\x0f"


def rendered(message: str, options: Mapping[str, str] | None = None) -> str:
    """Show a message, its options as they are called where it is shown.

    Parameters
    ----------
    message : str
        Text in which options are marked by `option`.
    options : mapping of str to str, optional
        What each option is called, with ``{}`` where its value is to be shown, if at all:
        ``--direction {}`` on the command line, ``the field "Direction"`` on a page. A value that
        is called something there has its own key, as ``format=trec``. Default, also for options
        that are not in it: the keyword of Python, ``direction="ascending"``.
    """

    def called(found: re.Match[str]) -> str:
        name, value = found.groups()
        if options is not None and name in options:
            words = options.get(f"{name}={value}", options[name])
            shown = (words.replace("{}", one and quote(one)) for one in value.split("+"))
            return " ".join(dict.fromkeys(shown)).strip()
        if name == "levels" and value:
            both = "levels=({0}, {1}), of a ClassTable relevant={0}, ignored={1}"
            return both.format(*value.split(","))
        if name == "normalise" and value:
            return f"{name}={tuple(value.split('+'))!r}"
        return f'{name}="{value}"' if value else name

    return OPTION.sub(called, message)


def options_in(message: str) -> list[str]:
    """Names of the options that are marked in a message."""
    return [name for name, _ in OPTION.findall(message)]


Unit = Literal["line", "row"]
Wrong = tuple[str, str]
"""Code and message of a problem."""


@dataclass(frozen=True)
class Problem:
    r"""One thing that is wrong with a file.

    Attributes
    ----------
    code : str
        Short name of the kind of problem, such as "BadColumnCount".
    file : str
        The file as it was given.
    line : int or None
        Line, from 1; None where the whole file is meant.
    text : str
        Text of that line: at most 80 characters, control characters made visible.
    marked : str
        The message, in which options are marked by `option`.
    unit : {"line", "row"}
        What `line` counts: lines of a text, or rows of a table that has no lines.

    Examples
    --------
    >>> import io
    >>> from tapviz import read
    >>> from tapviz.readers import ReadError
    >>> try:
    ...     read(io.StringIO("query,record,evalue\nq1,r1,1e-x"))
    ... except ReadError as error:
    ...     problem = error.problems[0]
    >>> problem.line, problem.text, problem.message
    (2, 'q1,r1,1e-x', "E-value: expected a number, found '1e-x'")
    """

    code: str
    file: str
    line: int | None
    text: str
    marked: str
    unit: Unit = "line"
    of_row: bool = False
    """Whether the rest of the file can be read without this line."""

    @property
    def message(self) -> str:
        """What was expected, what was found and what to do; options as keywords of Python."""
        return rendered(self.marked)

    @property
    def option(self) -> str:
        """Name of the first option that would help; empty if none is named."""
        return next(iter(options_in(self.marked)), "")

    @property
    def remedies(self) -> list[tuple[str, str]]:
        """Options that would help and the values to set them to, where these are named."""
        return [(name, value) for name, value in OPTION.findall(self.marked) if value]

    def render(self, options: Mapping[str, str] | None = None, *, code: bool = False) -> str:
        """Place, message and text, for those who are shown the problem.

        Parameters
        ----------
        options : mapping of str to str, optional
            What options are called there, see `rendered`.
        code : bool
            Whether the code of the problem is shown.
        """
        place = self.file if self.line is None else f"{self.file}, {self.unit} {self.line}"
        kind = f" ({self.code})" if code else ""
        text = f"\n    {self.text}" if self.text else ""
        said, *command = rendered(self.marked, options).split("\n", 1)  # which is typed as it is
        return "\n".join([f"{place}: {said}{kind}", *command]) + text

    def __str__(self) -> str:
        return self.render(code=True)


def told(
    problems: Sequence[Problem], options: Mapping[str, str] | None = None, *, code: bool = False
) -> list[str]:
    """Problems as `Problem.render` writes them; the same one of several lines is said once."""
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    full = ", and perhaps in others" if len(problems) >= MAX_PROBLEMS else ""
    for one in problems:
        alike.setdefault((one.file, one.code, one.marked), []).append(one)
    said = []
    for first, *others in alike.values():
        lines = ", ".join(str(one.line) for one in others)
        units = f"{first.unit}s" if len(others) > 1 else first.unit
        also = f"\n    The same in {units} {lines}{full}" if others else ""
        said.append(first.render(options, code=code) + also)
    return said


LEAVE_OUT = "Correct these rows, or leave out what cannot be read, which is then counted"
LEAVE_OUT += f": set {option('skip_bad_rows')}"


class ReadError(ValueError):
    """A file cannot be read.

    Attributes
    ----------
    problems : list of Problem
        The first problems, at most 10, of each file some, in the order of its lines.
    advice : str
        What else can be done about all of them, in which options are marked by `option`; or empty.

    Examples
    --------
    >>> from tapviz import ReadError, read
    >>> try:
    ...     read("no such file.tsv")
    ... except ReadError as error:
    ...     print(error.problems[0].file, error.problems[0].line)
    no such file.tsv None
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        of: dict[str, list[Problem]] = {}
        for one in problems:
            of.setdefault(one.file, []).append(one)
        most = max(MAX_PROBLEMS // max(len(of), 1), 1)
        for found in of.values():
            found.sort(key=lambda problem: problem.line or 0)
        self.problems = [one for found in of.values() for one in found[:most]]
        only_rows = any(all(one.of_row for one in found) for found in of.values())
        self.advice = LEAVE_OUT if only_rows else ""
        advice = [rendered(self.advice)] if self.advice else []
        super().__init__("\n".join([*told(self.problems, code=True), *advice]))

    @classmethod
    def of(cls, code: str, file: str, message: str, line: int | None = None) -> ReadError:
        """Say the one thing that is wrong with a file, of which no text needs to be shown."""
        return cls([problem(code, file, line, "", message)])


class Problems:
    """The first problems of a file, and what is doubtful about it.

    Attributes
    ----------
    file : str
        What the file is called in messages.
    skip_bad_rows : bool
        Whether rows that cannot be read are left out.
    unit : {"line", "row"}
        What their lines count, as in `Problem`.
    found : list of Problem
    doubts : list of str
        What is read all the same; options are marked by `option`.
    n_skipped : int
        Rows that were left out.
    ranked_by : str
        Column of the scores, where the file has several or names them.
    """

    def __init__(self, file: str, *, skip_bad_rows: bool = False, unit: Unit = "line") -> None:
        self.file = file
        self.unit = unit
        self.skip_bad_rows = skip_bad_rows
        self.found: list[Problem] = []
        self.doubts: list[str] = []
        self.n_skipped = 0
        self.ranked_by = "score"
        self._skipped: list[Problem] = []
        self._first: dict[Hashable, int] = {}

    def add(self, code: str, line: int | None, text: str | bytes, message: str) -> None:
        """Note a problem; those after the first 10 are dropped."""
        if not self.full:
            found = problem(code, self.file, line, text, message)
            self.found.append(replace(found, unit=self.unit))

    def is_first(self, key: Hashable, line: int, text: str | bytes, code: str, what: str) -> bool:
        """Whether something is in this line for the first time; a problem if not."""
        before = self._first.setdefault(key, line)
        if before == line:
            return True
        self.add(code, line, text, f"{what} is also in {self.unit} {before}; expected each once")
        return False

    def warn(self, message: str) -> None:
        """Note something that is read all the same."""
        self.doubts.append(message)

    def take(self, others: Problems) -> None:
        """Add what others have noted."""
        self.found += others.found
        self.doubts += others.doubts
        self.n_skipped += others.n_skipped

    def take_row(self, found: Iterable[Problem]) -> None:
        """Note what is wrong with a row: problems, unless such rows are left out."""
        of_row = [replace(one, of_row=True) for one in found]
        into = self._skipped if self.skip_bad_rows else self.found
        into += of_row[: MAX_PROBLEMS - len(into)]
        self.n_skipped += self.skip_bad_rows

    def settle_rows(self, n_read: int) -> None:
        """Warn of the rows that were left out; if these are most rows, none can be."""
        if max(self.n_skipped, len(self.found)) > n_read:
            self.found = [replace(one, of_row=False) for one in self._skipped or self.found]
        elif self.n_skipped:
            first = self._skipped[0]
            where = f"line {first.line}: {first.marked}"
            rows = "1 row that cannot be read is left out"
            if self.n_skipped > 1:
                rows = f"{self.n_skipped:,} rows that cannot be read are left out"
                where = f"the first in {where}"
            self.warn(f"{rows}, {where}")

    @property
    def full(self) -> bool:
        """Whether there are as many problems as are reported."""
        return len(self.found) >= MAX_PROBLEMS

    def raise_any(self) -> None:
        """Raise `ReadError` if there is a problem."""
        if self.found:
            raise ReadError(self.found)


def problem(code: str, file: str, line: int | None, text: str | bytes, message: str) -> Problem:
    """Make a `Problem` whose text is short and printable.

    Examples
    --------
    >>> found = problem("BadScore", "hits.tsv", 3, "q1 d1 high", "expected a number")
    >>> found.line, found.message
    (3, 'expected a number')
    """
    if isinstance(text, bytes):
        text = text[: 4 * MAX_TEXT].decode("utf-8", "replace")
    return Problem(code, file, line, visible(text[:MAX_TEXT])[:MAX_TEXT], message)


def visible(text: str) -> str:
    """What may reach a terminal: all that is printed, arrows for tabs, the rest as in Python."""
    text = text.replace("\t", " → ")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


@contextmanager
def gathered(into: list[Problem]) -> Iterator[None]:
    """Keep the problems of a file that cannot be read, so that others can be looked at first."""
    try:
        yield
    except ReadError as error:
        into += error.problems


_Found = dict[str, dict[str, None]]
"""Files of each doubt, in order."""
_Doubts = tuple[_Found, Mapping[str, str] | None]
_doubts: ContextVar[_Doubts | None] = ContextVar("doubts", default=None)


def warn(file: str, message: str) -> None:
    """Warn of what is doubtful about a file; the warning points at the caller of tapviz.

    Examples
    --------
    >>> with doubts() as found:
    ...     warn("hits.tsv", "looks cut off")
    >>> found
    ['hits.tsv: looks cut off']
    """
    collected = _doubts.get()
    if collected is not None:
        found, options = collected
        found.setdefault(rendered(message, options), {})[file] = None
        return
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(f"{file}: {rendered(message)}", UserWarning, stacklevel=level)


@contextmanager
def doubts(options: Mapping[str, str] | None = None) -> Iterator[list[str]]:
    """Collect what is doubtful about files instead of warning of it.

    What is doubtful about several files is said once, with their names. Warning filters belong to
    the whole process: one thread would catch the warnings of another.

    Parameters
    ----------
    options : mapping of str to str, optional
        What options are called where the doubts are shown, see `rendered`.

    Yields
    ------
    list of str
        Filled when the block ends.

    Examples
    --------
    >>> from tapviz.labels import doubts, warn
    >>> with doubts() as found:
    ...     warn("hits.tsv", "looks cut off")
    >>> found
    ['hits.tsv: looks cut off']
    """
    collected: list[str] = []
    found: _Found = {}
    token = _doubts.set((found, options))
    try:
        yield collected
    finally:
        _doubts.reset(token)
        collected += [f"{', '.join(files)}: {text}" for text, files in found.items()]
