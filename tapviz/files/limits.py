"""How much of a user's files is taken in, by a server for strangers and by one's own machine."""

from __future__ import annotations

from dataclasses import dataclass

MB = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bytes that files may have. The defaults suit a server that strangers use.

    Parameters
    ----------
    upload_file : int
        Of one uploaded file.
    upload_session : int
        Of all files that one page has uploaded, or begun to upload.
    upload_process : int
        Of those of all pages of a process.
    decoded_file : int
        Of one file when it is unpacked and decoded.

    Raises
    ------
    ValueError
        If one of them is not positive.

    Examples
    --------
    >>> from tapviz.files.limits import Limits
    >>> Limits(upload_file=50_000_000).decoded_file
    1000000000
    """

    upload_file: int = 200 * MB
    upload_session: int = 1000 * MB
    upload_process: int = 2000 * MB
    decoded_file: int = 1000 * MB

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value < 1:
                msg = f"{name} is {value}: expected a number of bytes, at least 1"
                raise ValueError(msg)


OWN = Limits(upload_process=16_000 * MB, decoded_file=16_000 * MB)
"""For people who open their own files on their own machine."""

_present = OWN


def limits() -> Limits:
    """Limits of this process: `OWN`, unless it serves strangers."""
    return _present


def set_limits(new: Limits) -> None:
    """Set the limits of this process, as a server does before it serves."""
    global _present  # noqa: PLW0603  # files are read in threads, too
    _present = new
