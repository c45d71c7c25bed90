"""Reading a large BLAST table, beside polars, which merely parses it.

Run it with ``python benchmarks/read.py``. It writes a table of 10,000 queries x 300 hits (12
columns, -outfmt 6) and a class table into a temporary folder (``--queries 100000`` for 30 million
rows), and times, alternating, each in a process of its own: polars parsing the file, the reader
alone, and `tapviz.read` with labels that are there already. All may use all cores. The budget is a
ratio of 3, and 150 bytes per row of peak memory above the result: what the process holds before it
begins, and the arrays of the result, are not counted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from score import HITS, QUERIES, write

BUDGET, BYTES_PER_ROW = 3.0, 150

# Each prints seconds, and bytes of peak memory above those before and those of the result.
COMMON = """
import json, resource, sys, time

def resident():
    pages = int(open("/proc/self/statm").read().split()[1])
    return pages * resource.getpagesize()

def done(started, before, rows, held):
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before
    print(json.dumps([seconds, peak, held, rows]))
"""
POLARS = """
import polars
before, started = resident(), time.perf_counter()
table = polars.read_csv(sys.argv[1], separator="\\t", has_header=False)
done(started, before, len(table), table.estimated_size())
"""
READER = """
from tapviz.readers import FORMATS
from tapviz.files.source import Source
from tapviz.readers._lines import Problems
from tapviz.readers.options import ReadOptions
before, started = resident(), time.perf_counter()
hits = FORMATS["blast"].read(Source(sys.argv[1]), ReadOptions(), Problems(sys.argv[1]))
arrays = (hits.query, hits.record, hits.score)
done(started, before, hits.score.size, sum(array.nbytes for array in arrays))
"""
READ = """
from tapviz import ClassTable, read
labels = ClassTable.read(sys.argv[2])
before, started = resident(), time.perf_counter()
lists = read(sys.argv[1], labels=labels)
arrays = (lists.score, lists.relevant, lists.record)
done(started, before, lists.join_report.rows_read, sum(array.nbytes for array in arrays))
"""
PROGRAMS = {"polars parses the file": POLARS, "the reader alone": READER, "tapviz.read": READ}


def run(program: str, *arguments: str) -> tuple[float, float]:
    """Seconds and bytes per row that a program takes in a process of its own."""
    done = subprocess.run(  # noqa: S603  # one of the programs above
        [sys.executable, "-c", COMMON + program, *arguments],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds, peak, held, rows = json.loads(done.stdout)
    return seconds, (peak - held) / rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=5)
    options.add_argument("--queries", type=int, default=QUERIES, help="of 300 rows each")
    given = options.parse_args()
    runs: dict[str, list[tuple[float, float]]] = {title: [] for title in PROGRAMS}
    with tempfile.TemporaryDirectory() as name:
        table, classes = write(Path(name), given.queries)
        size = table.stat().st_size
        for _ in range(given.repeats):
            for title, program in PROGRAMS.items():
                runs[title].append(run(program, str(table), str(classes)))
    print(f"{given.queries * HITS:,} rows, {size >> 20:,} MB; {given.repeats} runs each")
    print(f"  {'':26}{'seconds':>9}{'ratio':>8}{'bytes per row above the result':>34}")
    parse = statistics.median(seconds for seconds, _ in runs["polars parses the file"])
    for title, found in runs.items():
        seconds = statistics.median(seconds for seconds, _ in found)
        per_row = max(per_row for _, per_row in found)
        print(f"  {title:26}{seconds:9.2f}{seconds / parse:8.2f}{per_row:34.0f}")
    ratio = statistics.median(seconds for seconds, _ in runs["tapviz.read"]) / parse
    most = max(per_row for _, per_row in runs["tapviz.read"])
    met = ratio <= BUDGET and most <= BYTES_PER_ROW
    print(
        f"  budget: {BUDGET} times polars and {BYTES_PER_ROW} bytes per row, "
        f"{'met' if met else 'NOT MET'}"
    )


if __name__ == "__main__":
    main()
