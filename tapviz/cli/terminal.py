"""What every command says to the terminal: problems, progress, exit codes."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from tapviz.cli.arguments import FLAGS
from tapviz.readers import ReadError
from tapviz.readers.inputs import explain

WORSE, BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 1, 2, 130, 141
"""Exit codes; the last two are 128 and the signal that would have ended the command."""


FAILURES = (ReadError, ValueError, OSError, OverflowError, MemoryError)
"""What is nobody's bug, but a wrong argument, a bad file or a full disk."""


class Parser(argparse.ArgumentParser):
    """Answers wrong arguments with one line rather than with all there are."""

    def error(self, message: str) -> NoReturn:
        """End with the message and where to read on."""
        self.exit(BAD_INPUT, f"{self.prog}: {message}; see {self.prog} --help\n")


def tell(error: Exception) -> None:
    """Say what is wrong, on standard error if there is one."""
    if isinstance(error, MemoryError):
        lines = ["there is not enough memory; leave out rows or files, or close other programs"]
    elif isinstance(error, OSError) and error.strerror:
        lines = [f"{error.filename or 'standard output'}: {error.strerror}"]
    else:
        lines = explain(error, FLAGS)
    with suppress(OSError):
        print(*lines, sep="\n", file=sys.stderr)


def exit_code(work: Callable[[], int | None]) -> int:
    """Do the work of a command; one message tells what was wrong, if something was."""
    try:
        code = work()
        if sys.stdout is not None:
            sys.stdout.flush()  # here, since nobody would see an error at exit
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except FAILURES as error:
        tell(error)
        drop_output()
        return BAD_INPUT
    return code or 0


def drop_output() -> None:
    """Drop what cannot be written, so that Python does not try again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        try:
            sys.stdout.flush()
        except OSError:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Disable garbage collection in what ends soon: millions of rows make no garbage."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def show_progress(done: int, total: int) -> None:
    """How far it is, in one line of the terminal that is written over."""
    end = "\n" if done == total else ""
    print(f"\rWritten: {100 * done // total} %", end=end, file=sys.stderr, flush=True)
