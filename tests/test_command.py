"""The real command ends every failure with one line and exit code 2, whatever fails."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest

from tapviz.cli import main

pytestmark = pytest.mark.subprocess

LISTS = "q1\n2\n1\t1e-9\n0\t0.5\n\nq2\n1\n0\t0.1\n1\t0.3\n"
HITS = "query,record,evalue\n" + "".join(f"q{at},r{at},1\n" for at in range(20))
COMMAND = [sys.executable, "-m", "tapviz"]


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    (tmp_path / "one.lists").write_text(LISTS)
    (tmp_path / "hits.csv").write_text(HITS)
    (tmp_path / "classes.tsv").write_text("q1\ta.1.1\nr1\ta.1.1\n")
    monkeypatch.chdir(tmp_path)


def tapviz(*arguments, **options):
    given = {"capture_output": True, "timeout": 300} | options
    return subprocess.run([*COMMAND, *arguments], check=False, **given)


SCORED = ["score", "one.lists"]
JUDGED = ["score", "hits.csv", "--labels", "classes.tsv"]
DRAWN = ["figure", "one.lists", "--plot", "tap", "-o"]
SHOWN = ["explore", "one.lists", "--no-show", "--port"]
PORT = "argument --port: expected a whole number from 0 to 65535"
TOO_LARGE = "argument -k: expected a whole number of at most 1,000,000,000, found"
FAILURES = {
    "a k of 20 digits": ([*SCORED, "-k", "9" * 20], TOO_LARGE),
    "a k of 5,000 digits": ([*SCORED, "-k", "9" * 5000], TOO_LARGE),
    "no k": (["report", "one.lists", "-o", "r.html", "-k", "0"], "-k must be at least 1, not 0"),
    "a k that no list has": (
        ["report", "one.lists", "-o", "r.html", "-k", "999"],
        "-k must be at most 100, not 999: no list has more errors",
    ),
    "a share above all": (
        [*DRAWN, "x.svg", "--quantile", "3"],
        "--quantile must be at most 1, not",
    ),
    "a seed of 30 digits": ([*SCORED, "--seed", "9" * 30], "argument --seed: expected"),
    "a threshold that is none": (
        ["score", "one.lists", "--e0", "nan"],
        "--e0: expected a number, found 'nan'",
    ),
    "levels that are none": (
        ["score", "one.lists", "--levels", "a"],
        "argument --levels: expected a whole number of at most ",
    ),
    "an option that is none": (
        ["score", "one.lists", "--k", "5"],
        "unrecognized arguments: --k 5: did you mean -k?; see tapviz score --help",
    ),
    "an option that is like none": (
        ["score", "one.lists", "--roc-n", "5"],
        "unrecognized arguments: --roc-n 5; see tapviz score --help",
    ),
    "an option of which the end is missing": (
        ["score", "one.lists", "--level", "2"],
        "unrecognized arguments: --level 2: did you mean --levels?; see tapviz score --help",
    ),
    "no command": ([], "the following arguments are required: COMMAND"),
    "no such command": (["judge"], "invalid choice: 'judge'"),
    "no such file": (["score", "none"], "none: there is no such file; check the path"),
    "a folder": (["score", "."], ".: this is a folder without runs; open a file in it"),
    "a device": (["score", "/dev/zero"], "/dev/zero: this is a device, not a file"),
    "no labels": (["score", "one.lists", "--labels", "none"], "none: there is no such file"),
    "a pattern of huge repeats": ([*JUDGED, "--decoys", "a{99999999999}"], ""),
    "a pattern that does not end": ([*JUDGED, "--decoys", "(a"], "--decoys"),
    "a figure below a file": ([*DRAWN, "one.lists/sub"], "one.lists/sub: Not a directory"),
    "a figure of that name below a file": (
        [*DRAWN, "one.lists/tap.svg"],
        "one.lists/tap.svg: cannot be written: Not a directory",
    ),
    "a folder that is there only for the system": ([*DRAWN, "/proc/x"], "/proc/x: "),
    "a report on a full disk": (
        ["report", "one.lists", "-o", "/dev/full"],
        "/dev/full: cannot be written: No space left on device",
    ),
    "a port out of range": ([*SHOWN, "99999"], f"{PORT}, found '99999'"),
    "no process": (
        ["serve", "one.lists", "--processes", "0"],
        "argument --processes: expected a whole number from 1 to 256, found '0'",
    ),
    "a port below all": (["serve", "--port", "-5"], f"{PORT}, found '-5'"),
}


OF_A_PROCESS = ("no command", "no k", "no such file", "a report on a full disk")
"""One of each way in which a command ends: by argparse, by a value, and by a file."""


def is_one_line(expected, code, output, errors):
    """Whether a failure is told in one line, and by the exit code."""
    assert code == 2
    assert output == ""
    assert len(errors.splitlines()) == 1
    assert expected in errors


@pytest.mark.parametrize(("arguments", "expected"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_one_line_and_exit_code_2(capsys, arguments, expected):
    try:
        code = main(arguments)
    except SystemExit as error:  # of argparse
        code = error.code
    is_one_line(expected, code, *capsys.readouterr())


@pytest.mark.parametrize("name", OF_A_PROCESS)
def test_so_is_that_of_a_process(name):
    arguments, expected = FAILURES[name]
    done = tapviz(*arguments, text=True)
    is_one_line(expected, done.returncode, done.stdout, done.stderr)


def test_a_port_in_use():
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = tapviz("explore", "one.lists", "--port", port, "--no-show", text=True)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"--port {port}: Address already in use")


def printed_to(file, *arguments):
    """How the command ends whose standard output is a file, and what it then says."""
    done = tapviz(*arguments, capture_output=False, stdout=file, stderr=subprocess.PIPE)
    os.close(file)
    return done.returncode, done.stderr


@pytest.mark.parametrize("arguments", [["formats"], ["score", "one.lists", "--output", "json"]])
def test_a_full_disk_is_told_and_a_closed_pipe_is_no_failure_to_speak_of(arguments):
    full = os.open("/dev/full", os.O_WRONLY)
    assert printed_to(full, *arguments) == (2, b"standard output: No space left on device\n")
    end, begin = os.pipe()
    os.close(end)
    assert printed_to(begin, *arguments) == (141, b"")


def test_messages_that_nobody_can_read_change_nothing():
    with open("/dev/full", "wb") as full:  # noqa: PTH123
        assert tapviz("score", "none", capture_output=False, stderr=full).returncode == 2


def test_an_interrupt_ends_the_command_quietly():
    end, begin = os.pipe()  # of which the command waits for the end
    with subprocess.Popen([*COMMAND, "score", f"/dev/fd/{end}"], pass_fds=[end],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:  # fmt: skip
        os.close(end)
        deadline, written = time.monotonic() + 180, 0
        os.set_blocking(begin, False)
        while written <= 1 << 18 and time.monotonic() < deadline:  # until it reads
            try:
                written += os.write(begin, b"q1\n2\n1 0.1\n\n" * 1000)
            except BlockingIOError:
                time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=180)
    os.close(begin)
    assert (running.returncode, out, err) == (130, b"", b"")


@pytest.mark.skipif(sys.platform == "darwin", reason="its names of files are UTF-8")
@pytest.mark.parametrize(
    "arguments", [["score"], ["report", "-o", "r.html"], ["figure", "-o", "tap.svg", "--plot=tap"]]
)
def test_a_name_that_is_not_utf_8(tmp_path, capfdbinary, arguments):
    name = os.fsdecode(b"hits\xff.lists")
    (tmp_path / name).write_text(LISTS)
    assert main([*arguments, name]) == 0
    made = [*tmp_path.glob("*.html"), *tmp_path.glob("*.svg")]
    shown = made[0].read_bytes() if made else capfdbinary.readouterr().out
    assert "hits\ufffd".encode() in shown
    assert main([*arguments, os.fsdecode(b"none\xff")]) == 2
    assert capfdbinary.readouterr().err.count(b"\n") == 1
    if arguments == ["score"]:  # which a process writes in the encoding that it finds
        assert "hits\ufffd".encode() in tapviz(*arguments, name).stdout


@pytest.mark.parametrize(
    ("changed", "arguments"),
    [
        ({"LC_ALL": "C"}, ["score", "one.lists"]),
        ({"PYTHONIOENCODING": "ascii"}, ["score", "ü=one.lists"]),
        ({"HOME": None}, ["figure", "one.lists", "-o", "tap.svg", "--plot", "tap"]),
        ({"HOME": "/dev/null"}, ["report", "one.lists", "-o", "r.html"]),
    ],
)
def test_other_surroundings_change_nothing(changed, arguments):
    environment = (os.environ | changed).items()
    environment = {name: value for name, value in environment if value is not None}
    done = tapviz(*arguments, env=environment, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
    assert b"atplotlib" not in done.stderr


def test_without_standard_output_and_input_there_is_no_failure():
    closed = ["sh", "-c", '"$@" >&- <&-', "sh", *COMMAND, "score", "one.lists"]
    done = subprocess.run(closed, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


WITHOUT = """
import runpy, sys
sys.argv[0] = "tapviz"
try:
    runpy.run_module("tapviz", run_name="__main__", alter_sys=True)
finally:
    print("pandas" in sys.modules, file=sys.stderr)
    import pandas
    print(len(pandas.DataFrame({"a": ["b"]})), file=sys.stderr)
"""
WITH = "import pandas, sys; from tapviz.cli import main; main(sys.argv[1:])"


@pytest.mark.parametrize("command", ["score", "condense"])
def test_what_makes_no_data_frame_does_not_wait_for_pandas(tmp_path, command):
    arguments = [command, "hits.csv", "--labels", "classes.tsv"]
    arguments += ["-o", "out", "--max-k", "2"] if command == "condense" else ["--output", "csv"]
    python, given = [sys.executable, "-c"], {"capture_output": True, "text": True}
    done = subprocess.run([*python, WITHOUT, *arguments], check=False, **given)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-2:] == ["False", "1"]
    if command == "score":
        assert done.stdout == subprocess.check_output([*python, WITH, *arguments], text=True)
    else:
        assert (tmp_path / "out" / "done.json").exists()
