"""Large tables of hits condensed: beside polars, which merely parses them, and DuckDB.

Run ``python benchmarks/condense.py --rows 10 30 100`` (millions). For each size it writes a table
of hits as an all-against-all search does (4 columns, rows of a query together), condenses it on two
workers, with modules compiled as an installation does, and lets polars parse the same columns as a
stream. DuckDB, if it is installed, parses, joins the classes, keeps the best hit on each record and
counts the errors of each query. Printed are processor times of all processes, those of tapviz as a
ratio to polars' in the same run, the line on which they lie and how far off it they are, and the
largest memory of all processes together; of tapviz and polars the medians of ``--repeats`` runs in
turn.

All temporary files are in one folder, ``--folder``: text of 100 million rows takes 3 GB, the
work half of it.
"""

from __future__ import annotations

import argparse
import compileall
import ctypes
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

import numpy as np
import pyarrow as pa
from pyarrow import csv

import tapviz

QUERIES, CLASSES = 11_000, 1_500
COLUMNS = "query target evalue bits"
MILLION = 1_000_000
PR_SET_CHILD_SUBREAPER = 36
POLARS = """
import sys, polars
kinds = {f"column_{at + 1}": polars.String if at < 2 else polars.Float64 for at in range(4)}
table = polars.scan_csv(sys.argv[1], separator="\\t", has_header=False, schema=kinds)
used = [polars.col(name).str.len_bytes().sum() for name in list(kinds)[:2]]
used += [polars.col(name).sum() for name in list(kinds)[2:]]
print(table.select(*used).collect(engine="streaming"))
"""
DUCKDB = """
import sys, duckdb
duckdb.sql("SET threads = 2; SET memory_limit = '2GB'; SET preserve_insertion_order = false")
duckdb.sql(f'''
    WITH hits AS (
        SELECT column0 q, column1 r, min(column2) e
        FROM read_csv('{sys.argv[1]}', delim='\\t', header=false) GROUP BY q, r
    ), classes AS (
        SELECT column0 id, column1 c FROM read_csv('{sys.argv[2]}', delim='\\t', header=false)
    )
    SELECT q, sum(CASE WHEN a.c = b.c THEN 0 ELSE 1 END) FROM hits
    JOIN classes a ON a.id = q JOIN classes b ON b.id = r WHERE q <> r GROUP BY q
''').fetchall()
"""


class Cost(NamedTuple):
    """What a command took: processor time and elapsed time in s, peak memory in MB."""

    processor: float
    elapsed: float
    memory: float

    @classmethod
    def median(cls, runs: Sequence[Cost]) -> Cost:
        """Of several runs, each number by itself."""
        return cls(*map(statistics.median, zip(*runs, strict=True)))


def write(folder: Path, rows: int) -> tuple[Path, Path]:
    """Write a table of hits and a class table, and return their paths."""
    draw = np.random.default_rng(1)
    ids = np.array([f"d{number:05d}a_" for number in range(QUERIES)])
    group = draw.integers(0, CLASSES, QUERIES)
    classes, table = folder / "classes.tsv", folder / f"hits{rows}.tsv"
    classes.write_text(
        "".join(f"{name}\ta.{c // 30}.{c % 30}.1\n" for name, c in zip(ids, group, strict=True))
    )
    each = rows // QUERIES
    names = pa.array(ids)
    options = csv.WriteOptions(include_header=False, delimiter="\t", quoting_style="none")
    with table.open("wb") as out:
        for start in range(0, QUERIES, 100):
            queries = np.repeat(np.arange(start, min(start + 100, QUERIES)), each)
            found = draw.integers(0, QUERIES, queries.size)
            same = group[found] == group[queries]
            depth = np.where(same, draw.uniform(0, 60, queries.size), 0)
            evalue = 10 ** (4 - 5 * draw.random(queries.size) ** 8 - depth)
            order = np.lexsort((evalue, queries))
            evalue = evalue[order]
            digits = np.floor(np.log10(evalue)) - 2  # as programs write them
            evalue = np.round(evalue / 10**digits) * 10**digits
            columns = {
                "query": names.take(pa.array(queries[order])),
                "target": names.take(pa.array(found[order])),
                "evalue": pa.array([f"{e:.3g}" for e in evalue.tolist()]),
                "bits": pa.array(np.round(40 - 3 * np.log10(evalue), 1)),
            }
            csv.write_csv(pa.table(columns), out, options)
    return table, classes


def family(pid: int) -> list[int]:
    """A process and all that it has started."""
    children = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):  # any of them may start one
        with suppress(OSError):
            children += thread.read_text(encoding="utf-8").split()
    return [pid, *(one for child in children for one in family(int(child)))]


def resident(pid: int) -> float:
    """Memory of a process, in MB; what is shared counts as its share."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


def measured(command: list[str]) -> Cost:
    """Run a command."""
    begun, before = time.monotonic(), os.times()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603
    peak, ended = 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not ended.wait(0.2):
            peak = max(peak, sum(map(resident, family(process.pid))))

    watcher = threading.Thread(target=watch)
    watcher.start()
    code = process.wait()
    ended.set()
    watcher.join()
    with suppress(ChildProcessError):  # what it had started itself, and did not wait for
        while True:
            os.wait()
    after = os.times()
    if code:
        msg = f"{command[:3]} ended with {code}"
        raise SystemExit(msg)
    processor = after.children_user + after.children_system
    processor -= before.children_user + before.children_system
    return Cost(processor, time.monotonic() - begun, peak)


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder."""
    return sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())


class Disk(threading.Thread):
    """Watches the largest size of a folder besides one of its files, once a second."""

    def __init__(self, folder: Path, table: Path) -> None:
        super().__init__()
        self._folder, self._table, self._ended = folder, table, threading.Event()
        self.most = 0

    def run(self) -> None:
        """Watch until the end of the block."""
        while not self._ended.wait(1):
            with suppress(OSError):  # a file that is gone by now
                size = size_of(self._folder) - self._table.stat().st_size
                self.most = max(self.most, size)

    def __enter__(self) -> Self:
        """Begin."""
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End."""
        self._ended.set()
        self.join()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rows", type=float, nargs="+", default=[1, 3, 10], help="in millions")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--repeats", type=int, default=3)
    options.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    given = options.parse_args()
    compileall.compile_dir(Path(tapviz.__file__).parent, quiet=1)
    # Processes of a command that has ended become those of this one, which can count their time.
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    try:
        import duckdb  # noqa: F401, PLC0415
    except ImportError:
        has_duckdb = False
    else:
        has_duckdb = True
    print(
        f"{'rows':>12} {'what':<9} {'processor':>10} {'to polars':>10} {'elapsed':>8} {'memory':>8}"
    )
    spent: dict[int, float] = {}
    for millions in given.rows:
        with tempfile.TemporaryDirectory(dir=given.folder) as name:
            folder = Path(name)
            table, classes = write(folder, int(millions * MILLION))
            os.sync()  # or the first to run would pay for that
            output = folder / "condensed"
            condense = [sys.executable, "-m", "tapviz", "condense", str(table)]
            condense += ["--labels", str(classes), "--columns", COLUMNS, "-o", str(output)]
            condense += ["--workers", str(given.workers)]
            ours, theirs = [], []
            for _ in range(given.repeats):  # in turn: some go better for both than others
                shutil.rmtree(output, ignore_errors=True)
                with Disk(folder, table) as disk:
                    ours.append(measured(condense))
                theirs.append(measured([sys.executable, "-c", POLARS, str(table)]))
            costs = {"tapviz": Cost.median(ours), "polars": Cost.median(theirs)}
            if has_duckdb:
                duck = [sys.executable, "-c", DUCKDB, str(table), str(classes)]
                costs["DuckDB"] = measured(duck)
            rows = int(millions * MILLION)
            spent[rows] = costs["tapviz"].processor
            for what, cost in costs.items():
                ratio = cost.processor / costs["polars"].processor
                print(
                    f"{rows:>12,} {what:<9} {cost.processor:>8.1f} s {ratio:>10.2f} "
                    f"{cost.elapsed:>6.1f} s {cost.memory:>5.0f} MB"
                )
            text = table.stat().st_size
            print(
                f"{'':>12} text {text / MILLION:,.0f} MB, disk at work {disk.most / text:.2f} "
                f"of it, condensed {size_of(output) / text:.3f} of it",
                flush=True,
            )
    if len(spent) > 1:
        rows, seconds = np.array([*spent]), np.array([*spent.values()])
        slope, start = np.polyfit(rows, seconds, 1, w=1 / seconds)  # off in per cent
        off = np.abs(seconds / (start + slope * rows) - 1).max()
        print(
            f"\n{start:.1f} s of processor time, and {slope * MILLION:.3f} s for each million; "
            f"the sizes are at most {off:.0%} off this line"
        )
        billion = (start + slope * 1e9) / 60
        print(f"{billion:.1f} minutes for 10^9 rows, if it goes on so (extrapolated)")


if __name__ == "__main__":
    main()
