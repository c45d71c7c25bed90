"""What is wrong with a file, or doubtful: where, what was expected and found, and the remedy."""

from __future__ import annotations

import inspect
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
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
        ``--direction {}`` on the command line, ``the field "Direction"`` on a page. Default, also
        for options that are not in it: the keyword of Python, ``direction="ascending"``.
    """

    def called(found: re.Match[str]) -> str:
        name, value = found.groups()
        if options is not None and name in options:
            shown = (options[name].replace("{}", one) for one in value.split("+"))
            return " ".join(dict.fromkeys(shown)).strip()
        if name == "levels" and value:
            return "relevant={}, ignored={}".format(*value.split(","))  # as of a class table
        if name == "normalise" and value:
            return f"{name}={tuple(value.split('+'))!r}"
        return f'{name}="{value}"' if value else name

    return OPTION.sub(called, message)


Wrong = tuple[str, str]
"""Code and message of a problem."""


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a file.

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
    """

    code: str
    file: str
    line: int | None
    text: str
    marked: str
    unit: Literal["line", "row"] = "line"

    @property
    def message(self) -> str:
        """What was expected, what was found and what to do; options as keywords of Python."""
        return rendered(self.marked)

    @property
    def option(self) -> str:
        """Name of the first option that would help; empty if none is named."""
        match = OPTION.search(self.marked)
        return match[1] if match else ""

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
        return f"{place}: {rendered(self.marked, options)}{kind}{text}"

    def __str__(self) -> str:
        return self.render(code=True)


class ReadError(ValueError):
    """A file cannot be read.

    Attributes
    ----------
    problems : list of Problem
        The first problems of the file, at most 10, in the order of its lines.

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
        ordered = sorted(problems, key=lambda problem: problem.line or 0)
        self.problems = ordered[:MAX_PROBLEMS]
        super().__init__("\n".join(map(str, self.problems)))


class Problems:
    """The first problems of a file, and what is doubtful about it.

    Attributes
    ----------
    file : str
        What the file is called in messages.
    found : list of Problem
    doubts : list of str
        What is read all the same; options are marked by `option`.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Problem] = []
        self.doubts: list[str] = []

    def add(self, code: str, line: int | None, text: str | bytes, message: str) -> None:
        """Note a problem; those after the first 10 are dropped."""
        if not self.full:
            self.found.append(problem(code, self.file, line, text, message))

    def warn(self, message: str) -> None:
        """Note something that is read all the same."""
        self.doubts.append(message)

    def take(self, others: Problems) -> None:
        """Add what others have noted."""
        self.found += others.found
        self.doubts += others.doubts

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
    visible = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:MAX_TEXT]
    )
    return Problem(code, file, line, visible[:MAX_TEXT], message)


_doubts: ContextVar[tuple[list[str], Mapping[str, str] | None] | None] = ContextVar(
    "doubts", default=None
)


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
        collected[0].append(f"{file}: {rendered(message, collected[1])}")
        return
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(f"{file}: {rendered(message)}", UserWarning, stacklevel=level)


@contextmanager
def doubts(options: Mapping[str, str] | None = None) -> Iterator[list[str]]:
    """Collect what is doubtful about files instead of warning of it.

    Warning filters belong to the whole process: one thread would catch the warnings of another.

    Parameters
    ----------
    options : mapping of str to str, optional
        What options are called where the doubts are shown, see `rendered`.

    Examples
    --------
    >>> from tapviz.labels import doubts, warn
    >>> with doubts() as found:
    ...     warn("hits.tsv", "looks cut off")
    >>> found
    ['hits.tsv: looks cut off']
    """
    collected: list[str] = []
    token = _doubts.set((collected, options))
    try:
        yield collected
    finally:
        _doubts.reset(token)
