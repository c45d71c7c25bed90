"""The rows of a file, piece by piece: where they are between comments, and in which line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from tapviz.files.source import CHUNK, Source

if TYPE_CHECKING:
    from tapviz.readers._table import Layout


class Span(NamedTuple):
    """Rows without anything between them."""

    start: int
    stop: int  # in bytes
    line: int  # of the first row, from 1
    n_lines: int
    section: int  # to which they belong


def span(text: bytes, start: int, stop: int, line: int, section: int) -> Span:
    """Count the lines of rows."""
    n_lines = text.count(b"\n", start, stop) + (text[stop - 1] != ord("\n"))
    return Span(start, stop, line, n_lines, section)


class Piece(NamedTuple):
    """Some rows of a file."""

    layout: Layout
    text: bytes
    spans: list[Span]

    def rows(self) -> bytes:
        """The rows without what lies between."""
        if len(self.spans) == 1 and self.spans[0].stop - self.spans[0].start == len(self.text):
            return self.text
        return b"".join([self.text[span.start : span.stop] for span in self.spans])


def is_blank(row: bytes) -> bool:
    """Whether a line is no row, since nothing is in it."""
    return not row.strip()


def pieces(
    source: Source,
    begin: Callable[[bytes], tuple[Layout, int] | None],
    comment: Callable[[bytes, int], None] | None = None,
    *,
    ignored: Callable[[bytes], bool] = is_blank,
    skip: int = 0,
    comments: bool = True,
) -> Iterator[Piece]:
    """Yield the rows of a file, without comments and what is ignored between them.

    Parameters
    ----------
    source : Source
    begin : callable
        From the first of some rows, their layout and section; None ends the reading.
    comment : callable, optional
        Called with each line that begins with ``#``, and its number.
    ignored : callable
        Whether a line before or behind rows is none.
    skip : int
        Lines before the table.
    comments : bool
        Whether lines that begin with ``#`` are comments.
    """
    line = 1
    for text in source.chunks():
        at, spans, layout = 0, [], None
        has_comments = comments and b"#" in text
        while at < len(text):
            first = text[at : _end_of_line(text, at)]
            is_comment = comments and first.startswith(b"#")
            if line <= skip or is_comment or ignored(first):
                if is_comment and comment is not None:
                    comment(first, line)
                at += len(first) + 1
                line += 1
                continue
            begun = begin(first)
            if begun is None:
                break
            layout, section = begun
            stop = (text.find(b"\n#", at) + 1 if has_comments else 0) or len(text)
            rows = span(text, at, _trimmed(text, at, stop, ignored), line, section)
            spans.append(rows)
            line += rows.n_lines + text.count(b"\n", rows.stop, stop)
            at = stop
        if layout is not None:
            yield Piece(layout, text, spans)
        if at < len(text):
            return


def _end_of_line(text: bytes, at: int) -> int:
    end = text.find(b"\n", at)
    return end if end >= 0 else len(text)


def _trimmed(text: bytes, start: int, stop: int, ignored: Callable[[bytes], bool]) -> int:
    """Where rows end without the lines behind them that are ignored."""
    while True:
        begin = text.rfind(b"\n", start, stop - 1) + 1
        if begin <= start or not ignored(text[begin:stop].removesuffix(b"\n")):
            return stop
        stop = begin


def pieces_of(text: bytes, layout: Layout, spans: Iterable[Span]) -> Iterator[Piece]:
    """Yield rows of a text of which is known where they are."""
    some: list[Span] = []
    for span in spans:
        some.append(span)
        if span.stop - some[0].start >= CHUNK:
            yield Piece(layout, text, some)
            some = []
    if some:
        yield Piece(layout, text, some)
