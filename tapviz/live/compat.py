"""What leans on names of Bokeh and Panel that are not public, each with what it buys."""

from __future__ import annotations

from functools import wraps
from typing import Any, TypeVar

import panel as pn

C = TypeVar("C", bound=type)


def without_delay() -> None:
    """Send what is written to the page at once.

    A message is written in three parts. By default the system holds the second back until the
    page has acknowledged the first, which it may do 40 ms later.
    """
    session = pn.state.curdoc.session_context.session
    for connection in getattr(session, "_subscribed_connections", ()):
        connection._socket.set_nodelay(True)  # noqa: SLF001  # no public name leads there


def checked_uploads(dropper: C) -> C:
    """Class decorator of a `FileDropper`: the server, too, may refuse a file, and gets bytes.

    ``accepts(name, size)`` of the widget is asked for each piece, with the bytes that have come so
    far, and with 0 when a file is taken away. Panel leaves limits to the page, and makes text of
    some files. Without this only the page keeps to the limits.
    """
    process_event = getattr(dropper, "_process_event", None)
    if process_event is None:
        return dropper

    @wraps(process_event)
    def process_checked(self: Any, event: Any) -> None:
        data, buffers = event.data, getattr(self, "_file_buffer", None)
        name = data["name"]
        if event.event_name == "delete_event":
            self.accepts(name, 0)
        elif buffers is not None:
            parts = buffers.get(name, []) if data["chunk"] > 1 else []
            if data["chunk"] != len(parts) + 1:
                return  # the rest of a file that was refused
            if not self.accepts(name, sum(map(len, parts)) + len(data["data"])):
                buffers.pop(name, None)
                return
            data["type"] = ""  # of a text
        process_event(self, event)

    dropper._process_event = process_checked  # type: ignore[attr-defined]  # noqa: SLF001
    return dropper


FILE_DROPPER_CSS = """
:host { font-size: 14px; }
.filepond--root { font-size: 14px; margin-bottom: 0; }
.filepond--drop-label { color: var(--tv-ink, #222); min-height: 56px; }
.filepond--drop-label label { font-size: 14px; }
.filepond--panel-root { background: var(--tv-raised, #eef1f4); }
.filepond--root .filepond--file :is(
  .filepond--file-info-main, .filepond--file-info-sub,
  .filepond--file-status-main, .filepond--file-status-sub
) { font-size: 13px; opacity: 1 !important; }
.filepond--root [data-filepond-item-state="processing-complete"] .filepond--item-panel {
  background: #2d5a3d;
}
.filepond--file-action-button { width: 26px; height: 26px; }
"""
"""Classes of FilePond, which Panel's `FileDropper` shows: sizes and contrast that are readable.

Without them letters are small and pale.
"""
