"""What the command line prints, run in this process."""

import csv
import io
import json

from tapviz.cli import main


def stdout_of(capsys, arguments, code=0):
    """Standard output of the command with some arguments, which ends with an exit code."""
    assert main(arguments) == code
    return capsys.readouterr().out


def script_of(commands):
    """Python that runs commands in one process, and prints what each says and ends with as JSON."""
    return f"""
import contextlib, io, json
from tapviz.cli import main

found = []
for command in {[*map(list, commands)]}:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = main(command)
        except SystemExit as ended:  # of argparse
            code = ended.code
    found.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(found))
"""


def stderr_of(capsys, arguments, code=2):
    """Standard error of the command with some arguments, usually refused."""
    try:
        ended = main(arguments)
    except SystemExit as error:  # of argparse
        ended = error.code
    assert ended == code
    return capsys.readouterr().err


def json_of(capsys, arguments):
    """What the command says in JSON."""
    return json.loads(stdout_of(capsys, [*arguments, "--output", "json"]))


def csv_of(capsys, arguments):
    """Rows of what the command says in CSV."""
    return [*csv.DictReader(io.StringIO(stdout_of(capsys, [*arguments, "--output", "csv"])))]
