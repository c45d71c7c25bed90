"""Slow work that begins when the hand rests, tells how far it is, and can be stopped."""

from __future__ import annotations

import asyncio
import html
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import panel as pn

from tapviz.measures import Cancelled, Progress

REST = 0.5
"""Seconds without a change after which the hand rests."""
TELL = 0.2
"""Seconds between two reports of how far the work is."""

SWITCH = 0.0005
"""Seconds for which the work holds the interpreter while the page waits for it. By default it is
ten times as long, and a change of the page gives the interpreter away dozens of times."""

POOL = ThreadPoolExecutor(
    max_workers=2,
    thread_name_prefix="tapviz",
    initializer=sys.setswitchinterval,
    initargs=(SWITCH,),
)

Work = Callable[[Progress | None], Any]


class BackgroundTask:
    """The result of slow work for what is chosen now; a change stops work that is out of date.

    Where no event loop runs, as in a script, the work waits until it is asked for by `resume`.

    Parameters
    ----------
    tell : callable
        Called in the page's own turn when there is a result, or the work has got further.
    """

    def __init__(self, tell: Callable[[], None]) -> None:
        self._tell = tell
        self._document = pn.state.curdoc
        self._key: Any = None
        self._work: Work | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._ticket: object = None
        self.result: Any = None
        self.progress: tuple[int, int] | None = None
        """What is done and the total, while the work goes on."""
        self.stopped = False
        """Whether the person stopped the work."""
        self.failure = ""
        """Why there is no result, if the work failed."""

    def ask(self, key: Any, work: Work) -> Any:
        """Result for a key; None while there is none, and then the work begins after a while.

        Parameters
        ----------
        key : object
            Whatever the result depends on.
        work : callable
            Makes the result; told a function to call with its progress.
        """
        if key == self._key:
            return self.result
        self._halt()
        self._key, self._work, self.result, self.stopped = key, work, None, False
        self.failure = ""
        loop = _running_loop()
        self.stopped = loop is None
        if loop is not None:
            self._timer = loop.call_later(REST, self._begin, loop)
        return None

    def forget(self) -> None:
        """Nobody asks any more."""
        self._halt()
        self._key = self._work = self.result = None

    def stop(self) -> None:
        """Stop the work; it begins again only when asked to or for something else."""
        self._halt()
        self.stopped = self.result is None
        self._tell()

    def resume(self) -> None:
        """Begin work that was stopped, or was not begun."""
        self.stopped = False
        loop = _running_loop()
        if loop is not None:
            self._begin(loop)
        elif self._work is not None:
            self.result = self._work(None)
        self._tell()

    def _halt(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._ticket = self.progress = None

    def _begin(self, loop: asyncio.AbstractEventLoop) -> None:
        ticket = self._ticket = object()
        work = self._work
        if work is None:
            return
        self.progress = (0, 1)

        def advance(done: int, total: int) -> bool:
            if self._ticket is ticket:
                self.progress = (done, total)
            return self._ticket is ticket

        def finished(future: Future[Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._finish, ticket, future)

        POOL.submit(work, advance).add_done_callback(finished)
        self._report(loop, ticket)

    def _report(self, loop: asyncio.AbstractEventLoop, ticket: object) -> None:
        if ticket is self._ticket:
            self._in_turn()
            loop.call_later(TELL, self._report, loop, ticket)

    def _finish(self, ticket: object, future: Future[Any]) -> None:
        error = future.exception()
        if ticket is not self._ticket or isinstance(error, Cancelled):
            return
        self._halt()
        if error is None:
            self.result = future.result()
        else:
            self.failure = str(error) or type(error).__name__
        self._in_turn()
        if error is not None and not isinstance(error, ValueError):
            raise error  # for the log: nothing that the person can do anything about

    def _in_turn(self) -> None:
        if self._document is None:
            self._tell()
        else:
            self._document.add_next_tick_callback(self._tell)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def status(works: Mapping[str, BackgroundTask], otherwise: str) -> str:
    """One line of HTML about slow works by their names: how far, stopped, failed; or else done.

    A button in it stops what goes on, or begins again what was stopped.
    """
    parts = []
    for name, work in works.items():
        if work.progress is not None:
            done, total = work.progress
            parts.append(
                f'{name}: <progress max="1" value="{done / max(total, 1):.3f}" '
                f'aria-label="{name}"></progress> {100 * done // max(total, 1)} %'
            )
        elif work.stopped:
            parts.append(f"{name}: stopped.")
        elif work.failure:
            parts.append(f"{name}: {html.escape(work.failure)}.")
    if any(work.progress is not None for work in works.values()):
        parts.append("<button>Cancel</button>")
    elif any(work.stopped for work in works.values()):
        parts.append("<button>Compute</button>")
    return f'<div class="status">{" ".join(parts) or otherwise or "&nbsp;"}</div>'
