"""Writing a file: all of it, or nothing."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path


def write_atomically(
    path: str | os.PathLike[str], content: str | bytes | memoryview, *, new: bool = False
) -> None:
    r"""Write a file beside the old one, and put it in its place when it is complete.

    If it cannot be written, the old file stays as it was. What is no regular file, such as
    ``/dev/stdout``, is written to as it is.

    Parameters
    ----------
    path : path
        The file, which is replaced; its permissions are kept. Where it is a link, the file that
        it leads to.
    content : str, bytes or memoryview
        Text is written as UTF-8, line ends as they are.
    new : bool
        Whether there must be no such file yet, whoever else writes at the same moment.

    Raises
    ------
    FileExistsError
        If there must be none, and there is.
    ValueError
        If the file cannot be written.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tapviz.lists.writing import write_atomically
    >>> write_atomically("note.txt", "TAP-5 is 0.71\n")
    >>> Path("note.txt").read_text()
    'TAP-5 is 0.71\n'
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        given, target = Path(path), Path(os.path.realpath(path))
        if new and os.path.lexists(given):
            raise FileExistsError(given)
        if given.exists() and not (target.is_file() and target.samefile(given)):
            given.write_bytes(data)
        else:
            _replace(target, data, new=new)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        if new and isinstance(error, FileExistsError):
            raise
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(f"{os.fspath(path)}: cannot be written: {reason}") from error


def _replace(target: Path, data: bytes | memoryview, *, new: bool) -> None:
    beside = target.with_name(f".{secrets.token_hex(8)}.tapviz")
    try:
        with beside.open("xb") as file:
            if target.exists():
                beside.chmod(target.stat().st_mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())  # some file systems notice only now that the disk is full
        if new:
            _link(beside, target)
        else:
            beside.replace(target)
    except BaseException:  # an interrupt, too, leaves nothing beside the old file
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _link(beside: Path, target: Path) -> None:
    """Give a file its name, unless something else has it; no other process can come between."""
    try:
        os.link(beside, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a file system without links: take the name, fill it
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        beside.replace(target)
    else:
        beside.unlink()
