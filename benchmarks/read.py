"""Reading a large BLAST table, beside polars, which merely parses it.

Run it with ``python benchmarks/read.py``. It writes a table of 10,000 queries x 300 hits (12
columns, -outfmt 6) and a class table into a temporary folder (``--queries 100000`` for 30 million
rows), and times, alternating, each in a process of its own: polars parsing the file, the reader
alone, and `tapviz.read` with labels that are there already. All may use all cores. Printed are wall
time, processor time, and bytes of memory per row: at the peak above what the process held before
and above the file's own columns (a table of polars; codes of query and record, and score), and in
the arrays that are kept. The budget is a ratio of 3, 48 bytes at the peak and 24 bytes kept. Part
of the peak are the pieces of the file that are parsed, some 80 MB whatever its size: judge it by
9 million rows and more (``--queries 30000``).
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from score import HITS, QUERIES, write

BUDGET, AT_PEAK, KEPT = 3.0, 48, 24

# Each prints seconds, seconds of the processors, and bytes a row: at the peak above those before
# and those of the file's own columns, and of the arrays of the result.
COMMON = """
import json, resource, sys, time

def resident():
    pages = int(open("/proc/self/statm").read().split()[1])
    return pages * resource.getpagesize()

def done(started, before, rows, columns, kept):
    seconds, processor = time.perf_counter() - started[0], time.process_time() - started[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    print(json.dumps([seconds, processor, peak / rows - columns, kept / rows]))
"""
POLARS = """
import polars
before, started = resident(), (time.perf_counter(), time.process_time())
table = polars.read_csv(sys.argv[1], separator="\\t", has_header=False)
size = table.estimated_size()
done(started, before, len(table), size / len(table), size)
"""
READER = """
from tapviz.readers import FORMATS
from tapviz.files.source import Source
from tapviz.readers._lines import Problems
from tapviz.readers.options import ReadOptions
before, started = resident(), (time.perf_counter(), time.process_time())
hits = FORMATS["blast"].read(Source(sys.argv[1]), ReadOptions(), Problems(sys.argv[1]))
arrays = (hits.query, hits.record, hits.score)
done(started, before, hits.score.size, 16, sum(array.nbytes for array in arrays))
"""
READ = """
from tapviz import ClassTable, read
labels = ClassTable.read(sys.argv[2])
before, started = resident(), (time.perf_counter(), time.process_time())
lists = read(sys.argv[1], labels=labels)
arrays = (lists.score, lists.relevant, lists.record)
done(started, before, lists.join_report.rows_read, 16, sum(array.nbytes for array in arrays))
"""
PROGRAMS = {"polars parses the file": POLARS, "the reader alone": READER, "tapviz.read": READ}


class Took(NamedTuple):
    """What a program took in a process of its own: seconds, and bytes a row."""

    seconds: float
    processor: float
    peak: float
    kept: float


def run(program: str, *arguments: str) -> Took:
    """Run a program in a process of its own."""
    done = subprocess.run(  # noqa: S603  # one of the programs above
        [sys.executable, "-c", COMMON + program, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    return Took(*json.loads(done.stdout))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--queries", type=int, default=QUERIES, help="of 300 rows each")
    given = options.parse_args()
    runs: dict[str, list[Took]] = {title: [] for title in PROGRAMS}
    with tempfile.TemporaryDirectory() as name:
        table, classes = write(Path(name), given.queries)
        size = table.stat().st_size
        for _ in range(given.repeats):
            for title, program in PROGRAMS.items():
                runs[title].append(run(program, str(table), str(classes)))
    print(f"{given.queries * HITS:,} rows, {size >> 20:,} MB; {given.repeats} runs each")
    print(f"  {'':26}{'seconds':>9}{'processor':>11}{'ratios':>14}{'peak':>9}{'kept':>7}")
    middle = {
        title: Took(*map(statistics.median, zip(*found, strict=True)))
        for title, found in runs.items()
    }
    parse, read = middle["polars parses the file"], middle["tapviz.read"]
    for title, took in middle.items():
        print(
            f"  {title:26}{took.seconds:9.2f}{took.processor:11.2f}"
            f"{took.seconds / parse.seconds:7.2f}{took.processor / parse.processor:7.2f}"
            f"{took.peak:9.0f}{took.kept:7.0f}"
        )
    met = (
        read.seconds <= BUDGET * parse.seconds
        and max(one.peak for one in runs["tapviz.read"]) <= AT_PEAK
        and read.kept <= KEPT
    )
    print(
        f"  budget: {BUDGET} times polars, {AT_PEAK} bytes a row at the peak, {KEPT} kept: "
        f"{'met' if met else 'NOT MET'}"
    )


if __name__ == "__main__":
    main()
