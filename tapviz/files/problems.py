"""What is wrong with a file, or doubtful, as everybody says it."""

from __future__ import annotations

import inspect
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

MAX_PROBLEMS = 10
MAX_TEXT = 80
_doubts: ContextVar[list[str] | None] = ContextVar("doubts", default=None)
PACKAGE = str(Path(__file__).parents[1]) + os.sep


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
        What stands there: at most 80 characters, control characters made visible.
    message : str
        What was expected, what was found and what to do. Names of options are in backticks.
    option : str
        Name of the option of reading that helps; empty if none does.
    unit : {"line", "row"}
        What `line` counts: lines of a text, or rows of a table that has no lines.
    """

    code: str
    file: str
    line: int | None
    text: str
    message: str
    option: str = ""
    unit: Literal["line", "row"] = "line"

    def __str__(self) -> str:
        return self.describe()

    def describe(self, render: Callable[[str], str] | None = None) -> str:
        """Say where and what is wrong.

        Parameters
        ----------
        render : callable, optional
            What the reader calls an option, given its name: a flag, a field of a form. Default:
            options by their names, and the code of the problem, as people want it in Python.
        """
        place = self.file if self.line is None else f"{self.file}, {self.unit} {self.line}"
        text = f"\n    {self.text}" if self.text else ""
        if render is None:
            return f"{place}: {self.message} ({self.code}){text}"
        return f"{place}: {name_options(self.message, render)}{text}"


def name_options(text: str, render: Callable[[str], str]) -> str:
    """Replace names of options, in backticks, by what the reader calls them."""
    return re.sub(r"`([a-z_]+)`", lambda name: render(name[1]), text)


class ReadError(ValueError):
    """A file cannot be read.

    Attributes
    ----------
    problems : list of Problem
        The first problems of the file, at most 10, in the order of its lines.
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)[:MAX_PROBLEMS]
        super().__init__("\n".join(map(str, self.problems)))

    def describe(self, render: Callable[[str], str] | None = None) -> str:
        """Say what is wrong, as `Problem.describe`."""
        return "\n".join(one.describe(render) for one in self.problems)


def problem(
    code: str, file: str, line: int | None, text: str | bytes, message: str, option: str = ""
) -> Problem:
    """Make a `Problem` whose text is short and printable."""
    if isinstance(text, bytes):
        text = text[: 4 * MAX_TEXT].decode("utf-8", "replace")
    visible = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:MAX_TEXT]
    )
    return Problem(code, file, line, visible[:MAX_TEXT], message, option)


def warn(file: str, message: str) -> None:
    """Warn of what is doubtful about a file, in the name of whoever called tapviz."""
    gathered = _doubts.get()
    if gathered is not None:
        gathered.append(f"{file}: {message}")
        return
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(f"{file}: {message}", UserWarning, stacklevel=level)


@contextmanager
def doubts() -> Iterator[list[str]]:
    """Gather what is doubtful about files instead of warning of it.

    Warnings are one matter for the whole process: what one thread catches another may have said.
    """
    said: list[str] = []
    token = _doubts.set(said)
    try:
        yield said
    finally:
        _doubts.reset(token)
