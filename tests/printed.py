"""What the command line prints, run in this process."""

from tapviz.cli import main


def stdout_of(capsys, arguments, code=0):
    """Standard output of the command with some arguments, which ends with an exit code."""
    assert main(arguments) == code
    return capsys.readouterr().out


def stderr_of(capsys, arguments, code=2):
    """Standard error of the command with some arguments, usually refused."""
    assert main(arguments) == code
    return capsys.readouterr().err
