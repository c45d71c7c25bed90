"""What the command line prints, run in this process."""

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
        code = main(command)
    found.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(found))
"""
