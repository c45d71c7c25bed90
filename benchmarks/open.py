"""What a new page costs the server: processor time, models and bytes, with and without warming up.

Run ``python benchmarks/open.py [--against PATH]``. It serves ``apps/explore.py`` of this tree, of
the one at PATH (an older clone, for before and after in one sitting), and the least that a page
can be, one slider and one line, and opens sessions one after the other as a browser does: by
asking for the page, then for its document. The processor time is the server's own, user and
system, from the request to the document. The first page of a cold server also loads the data and
every library; ``--warm`` does that before anyone asks.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.ioloop import IOLoop
from tornado.websocket import websocket_connect

HERE = Path(__file__).parents[1]
FIRST_PORT = 5070
PATIENCE = 60
"""Seconds that a page may take."""
TICKS = os.sysconf("SC_CLK_TCK")
FLOOR = """
import panel as pn
from bokeh.plotting import figure

slider = pn.widgets.IntSlider(start=1, end=100)
plot = figure()
plot.line([0, 1], [0, 1])
pn.Column(slider, pn.pane.Bokeh(plot)).servable()
"""


def served(app: Path, tree: Path, port: int, *, warm: bool) -> subprocess.Popen[bytes]:
    """Serve an application with the modules of a tree, and wait until it answers."""
    command = [sys.executable, "-m", "panel", "serve", str(app), "--port", str(port), "--liveness"]
    process = subprocess.Popen(  # noqa: S603  # our own command
        [*command, *(["--warm"] if warm else [])],
        env={**os.environ, "PYTHONPATH": str(tree)},
        cwd=tree,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            urlopen(f"http://localhost:{port}/liveness", timeout=5).close()
        except (URLError, ConnectionError):
            time.sleep(0.2)
        else:
            return process
    process.kill()
    msg = f"{app} was not served within a minute"
    raise SystemExit(msg)


def spent(process: subprocess.Popen[bytes]) -> float:
    """Processor time of a process so far, in seconds."""
    fields = (
        Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    )
    return (int(fields[11]) + int(fields[12])) / TICKS


async def opened(url: str) -> tuple[object, int]:
    """Open a page as a browser does; its connection, and the number of its models."""
    answer = await AsyncHTTPClient().fetch(url, request_timeout=PATIENCE)
    token = re.search(r'"token":"([^"]+)"', answer.body.decode())[1]
    address = url.replace("http", "ws", 1) + "/ws"
    connection = await websocket_connect(
        HTTPRequest(address), subprotocols=["bokeh", token], max_message_size=1 << 30
    )
    while True:
        header = json.loads(await connection.read_message())
        _, content = [await connection.read_message() for _ in range(2)]
        for _ in range(2 * header.get("num_buffers", 0)):
            await connection.read_message()
        if header["msgtype"] == "ACK":  # the server is ready to be asked
            for part in ('{"msgid": "1", "msgtype": "PULL-DOC-REQ"}', "{}", "{}"):
                await connection.write_message(part)
        elif header["msgtype"] == "PULL-DOC-REPLY":
            return connection, content.count('"type":"object"')


def pages(app: Path, tree: Path, port: int, count: int, *, warm: bool) -> tuple[list[float], int]:
    """Processor time of each of some pages, and the models of one."""
    process = served(app, tree, port, warm=warm)
    sessions, costs, models = [], [], 0
    try:
        for _ in range(count):
            before = spent(process)
            url = f"http://localhost:{port}/{app.stem}"
            session, models = IOLoop.current().run_sync(lambda url=url: opened(url), PATIENCE)
            costs.append(spent(process) - before)
            sessions.append(session)
    finally:
        process.kill()
        process.wait()
    return costs, models


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=Path, help="an older clone, measured in the same run")
    parser.add_argument("--pages", type=int, default=8, help="pages of each kind (8)")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        floor = Path(folder, "floor.py")
        floor.write_text(FLOOR, encoding="utf-8")
        trees = {"this tree": HERE} | ({"before": given.against} if given.against else {})
        kinds = [("floor", floor, HERE, True)]
        for name, tree in trees.items():
            app = tree / "apps" / "explore.py"
            kinds += [(f"{name}, cold", app, tree, False), (f"{name}, warm", app, tree, True)]
        print("page               models  first page   each later page  x floor")
        least = 0.0
        for at, (name, app, tree, warm) in enumerate(kinds):
            costs, models = pages(app, tree, FIRST_PORT + at, given.pages, warm=warm)
            later = statistics.median(costs[1:])
            least = least or later
            print(
                f"{name:17} {models:7,} {costs[0]:9.2f} s {later:14.2f} s {later / least:9.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
