"""Workers of Dask: processes of this machine, or of a cluster."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from typing import NamedTuple

WORKER = {
    "POLARS_MAX_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
    "MALLOC_TRIM_THRESHOLD_": str(1 << 28),
}
"""Of the environment of a worker: one thread, and memory that is kept for the next array.

Dask has it given back at once, so that a third of the time went into fetching it again.
"""


class Workers(NamedTuple):
    """What runs the work.

    Attributes
    ----------
    executor : concurrent.futures.Executor
    n_workers : int
        Workers there are when the work begins.
    dashboard : str
        Address of Dask's own page about them; empty if there is none.
    """

    executor: Executor
    n_workers: int
    dashboard: str


@contextmanager
def workers_of(count: int = 2, address: str = "") -> Iterator[Workers]:
    """Start workers on this machine, or use those of a cluster; they end with the block.

    Parameters
    ----------
    count : int
        Processes to start on this machine, where there is no address.
    address : str
        That of a scheduler of Dask, such as ``tcp://scheduler:8786``. Its workers go on.

    Raises
    ------
    ValueError
        If Dask is not installed, or there is no such scheduler, or it has no workers.
    """
    try:
        import dask.config  # noqa: PLC0415  # of the extra "big"
        from distributed import Client, LocalCluster  # noqa: PLC0415
    except ImportError:
        msg = "Dask is not installed: pip install 'tapviz[big]'"
        raise ValueError(msg) from None
    if not address:
        with (
            dask.config.set({"distributed.nanny.pre-spawn-environ": WORKER}),
            LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                processes=True,
                memory_limit=0,  # the parts and buckets are as large as the memory allows
                dashboard_address="localhost:0",
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
        msg = f"{address}: no scheduler of Dask answers there: {error}"
        raise ValueError(msg) from None
    with client:
        found = sum(client.nthreads().values())
        if not found:
            msg = f"{address}: this scheduler has no workers yet; start some, and try again"
            raise ValueError(msg)
        yield Workers(client.get_executor(retries=3), found, client.dashboard_link)
