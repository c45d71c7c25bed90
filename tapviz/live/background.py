"""Slow work that starts when changes pause, reports its progress, and can be cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from time import monotonic
from typing import Generic, TypeVar

import panel as pn

from tapviz.live.gc_tuning import GC_TUNING
from tapviz.live.templates import Markup, render

Advance = Callable[[int, int], bool | None]
"""Called with what is done and the total; False stops the work."""
PATIENCE = 5.0
"""Seconds after which work starts although other pages of the process are changed."""
T = TypeVar("T")
Work = Callable[[Advance | None], T]


@cache
def thread_pool() -> ThreadPoolExecutor:
    """Threads for slow work of all pages of this process; there are none before the first call."""
    return ThreadPoolExecutor(max_workers=2, thread_name_prefix="tapviz")


class BackgroundTask(Generic[T]):
    """The result of slow work for what is chosen now; a change cancels work that is out of date.

    Where no event loop runs, as in a script, the work waits until `resume` is called.

    Parameters
    ----------
    on_progress : callable
        Called in the page's own turn when there is a result, or the work has got further.
    rest : float
        Seconds between the last request and the start of its work.
    report_every : float
        Seconds between two reports of progress.
    """

    def __init__(
        self, on_progress: Callable[[], None], rest: float = 0.5, report_every: float = 0.2
    ) -> None:
        self._on_progress = on_progress
        self._rest, self._report_every = rest, report_every
        self._document = pn.state.curdoc
        self._key: object = None
        self._work: Work[T] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._run: object = None
        self.result: T | None = None
        self.progress: tuple[int, int] | None = None
        """What is done and the total, while the work goes on."""
        self.cancelled = False
        """Whether the person cancelled the work, or it waits for `resume`."""
        self.error = ""
        """Why there is no result, if the work failed."""

    def request(self, key: object, work: Work[T], known: T | None = None) -> T | None:
        """Result for a key; None while there is none, and then the work starts after a while.

        Parameters
        ----------
        key : object
            Whatever the result depends on.
        work : callable
            Computes the result, given a function to call with its progress.
        known : object, optional
            The result, where somebody has computed it before.
        """
        if self.is_for(key):
            return self.result
        self._halt()
        self._key, self._work, self.result = key, work, known
        self.error, self.cancelled = "", False
        if known is not None:
            return known
        loop = _running_loop()
        self.cancelled = loop is None
        if loop is not None:
            self._timer = loop.call_later(self._rest, self._start_at_rest, loop, monotonic())
        return None

    def result_for(self, key: object) -> T | None:
        """Result if it is that for a key; None if it is for another, or there is none."""
        return self.result if self.is_for(key) else None

    def is_for(self, key: object) -> bool:
        """Whether what was requested last is of a key."""
        return key == self._key

    @property
    def waiting(self) -> bool:
        """Whether the work goes on, or will start after a while."""
        return self._timer is not None or self.progress is not None

    def discard(self) -> None:
        """Cancel the work and drop its result: nobody needs it any more."""
        self._halt()
        self._key = self._work = self.result = None

    def cancel(self) -> None:
        """Cancel the work; only `resume`, or another request, starts it again."""
        self._halt()
        self.cancelled = self.result is None
        self._on_progress()

    def resume(self) -> None:
        """Start work that was cancelled, or has not been started."""
        self.cancelled = False
        loop = _running_loop()
        if loop is not None:
            self._start(loop)
        else:
            self.finish()
        self._on_progress()

    def stop_or_resume(self) -> None:
        """Cancel the work if it goes on, or start it again if it was cancelled."""
        if self.progress is not None:
            self.cancel()
        elif self.cancelled:
            self.resume()

    def finish(self) -> None:
        """Do the work that has been requested here and now, unless it is done."""
        if self._work is None or self.result is not None:
            return
        self._halt()
        self.cancelled = False
        try:
            self.result = self._work(None)
        except ValueError as error:
            self.error = str(error)

    def _halt(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._run = self.progress = None

    def _start_at_rest(self, loop: asyncio.AbstractEventLoop, requested: float) -> None:
        """Start when nobody changes any page of this process, but not too late."""
        remaining = self._rest - GC_TUNING.rested
        if remaining > 0 and monotonic() - requested < PATIENCE:
            self._timer = loop.call_later(remaining, self._start_at_rest, loop, requested)
        else:
            self._start(loop)

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        run = self._run = object()
        work = self._work
        if work is None:
            return
        self.progress = (0, 1)

        def advance(done: int, total: int) -> bool:
            if self._run is run:
                self.progress = (done, total)
            return self._run is run

        def finished(future: Future[T]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._take_result, run, future)

        thread_pool().submit(work, advance).add_done_callback(finished)
        self._report(loop, run, None)

    def _report(self, loop: asyncio.AbstractEventLoop, run: object, last: object) -> None:
        if run is self._run:
            if self.progress != last:  # work may wait for that of other pages
                self._notify()
            loop.call_later(self._report_every, self._report, loop, run, self.progress)

    def _take_result(self, run: object, future: Future[T]) -> None:
        error = future.exception()
        if run is not self._run:  # it was stopped
            return
        self._halt()
        if error is None:
            self.result = future.result()
        else:
            self.error = str(error) or type(error).__name__
        self._notify()
        if error is not None and not isinstance(error, ValueError):
            raise error  # for the log: nothing that the person can do anything about

    def _notify(self) -> None:
        if self._document is None:
            self._on_progress()
        else:
            self._document.add_next_tick_callback(self._on_progress)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def status(tasks: Mapping[str, BackgroundTask[T]], otherwise: str) -> str:
    """One line of HTML about tasks by their names: progress, stopped, failed; or else some text.

    A button in it cancels those that run, or starts again those that were cancelled.
    """
    told = {
        name: task
        for name, task in tasks.items()
        if task.progress is not None or task.cancelled or task.error
    }
    button = ""
    if any(task.progress is not None for task in told.values()):
        button = "Cancel"
    elif any(task.cancelled for task in told.values()):
        button = "Compute"
    return render("status.html", tasks=told, button=button, otherwise=Markup(otherwise))
