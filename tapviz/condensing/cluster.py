"""Workers: threads of this process, or processes of Dask, on this machine or on a cluster."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import NamedTuple

from tapviz.files.limits import WORKER

MOST_THREADS = 4
"""Workers of this machine that are threads: more of them would wait for Python's lock."""
HOW = "forkserver" if sys.platform == "linux" else "spawn"
STARTED_FROM = ("distributed.nanny", "distributed.worker", "tapviz.condensing.run")
"""What is imported once, by a process from which workers are forked where that is safe."""


class Workers(NamedTuple):
    """What runs the work.

    Attributes
    ----------
    executor : concurrent.futures.Executor
    n_workers : int
        Workers there are when the work begins.
    dashboard : str
        Address of Dask's own page about them; empty for threads, of which it knows nothing.
    """

    executor: Executor
    n_workers: int
    dashboard: str


@contextmanager
def workers_of(
    count: int = 2, address: str = "", *, most_threads: int = MOST_THREADS
) -> Iterator[Workers]:
    """Start workers on this machine, or use those of a cluster; they end with the block.

    Parameters
    ----------
    count : int
        Workers to start on this machine, where there is no address.
    address : str
        That of a scheduler of Dask, such as ``tcp://scheduler:8786``. Its workers go on.
    most_threads : int
        Up to so many are threads of this process, which begin at once. More are processes of Dask,
        each of which may be killed without harm.

    Raises
    ------
    ValueError
        If Dask is asked for and not installed, or there is no such scheduler, or it has no workers.
    """
    if not address and count <= most_threads:
        with ThreadPoolExecutor(count) as threads:
            yield Workers(threads, count, "")
        return
    try:
        import dask.config  # noqa: PLC0415  # of the extra "big"
        from distributed import Client, LocalCluster  # noqa: PLC0415
        from distributed.utils import get_mp_context  # noqa: PLC0415
    except ImportError:
        raise ValueError("Dask is not installed: pip install 'tapviz[big]'") from None
    if not address:
        asked = {
            "distributed.nanny.pre-spawn-environ": WORKER,
            "distributed.worker.multiprocessing-method": HOW,
        }
        if HOW == "forkserver":
            with dask.config.set(asked):
                get_mp_context().set_forkserver_preload([*STARTED_FROM])
        with (
            dask.config.set(asked),
            LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # the parts and buckets are as large as the memory allows
                dashboard_address="localhost:0",
                worker_dashboard_address=None,
            ) as cluster,
            Client(cluster) as client,
        ):
            try:
                yield Workers(client.get_executor(retries=3), count, client.dashboard_link)
            except BaseException:
                # What they are at is of no use any more, and nobody waits for it.
                for worker in cluster.workers.values():
                    with suppress(OSError, TypeError):
                        os.kill(worker.pid, signal.SIGKILL)
                raise
        return
    try:
        client = Client(address, timeout=10)
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(f"{address}: no scheduler of Dask answers there: {error}") from None
    with client:
        found = sum(client.nthreads().values())
        if not found:
            msg = f"{address}: this scheduler has no workers yet; start some, and try again"
            raise ValueError(msg)
        yield Workers(client.get_executor(retries=3), found, client.dashboard_link)
