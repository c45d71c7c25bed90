"""The command that makes a whole benchmark from one file, as far as something changed.

The file has no options of its own: each key is a flag of the commands whose outputs are asked for,
and its value is what the command line would have there. So commands check what they always check.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from tapviz.cli.arguments import OUTPUTS, check_outputs, inputs_of, open_once, outputs_of
from tapviz.cli.flags import COMMANDS, FLAGS, Given, Options, command
from tapviz.cli.terminal import YELLOW, coloured, say
from tapviz.files.small import json_of, text_of, toml_of, wrong
from tapviz.lists.writing import write_atomically
from tapviz.readers import ReadError
from tapviz.readers.inputs import FILE_OPTIONS, explain, files_of
from tapviz.readers.provenance import hashes, inputs
from tapviz.scores import versions

USUAL = "tapviz.toml"
FORMAT = "tapviz run 1"
STEPS = ("score", "report", "figure", "site")
"""Commands that a table of the file can ask for."""
FILES, BASELINE = "files", "baseline"
NO_KEYS = {"help", "quiet", "no_color"}
HEAD = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]")

Where = tuple[str, int, str]
"""Table, empty for the keys of all; its place among those of its name; and key, or empty."""
Keys = Mapping[str, argparse.Action]
Values = Mapping[str, tuple[Where, object]]
"""Values of keys, and where they stand."""


@dataclass(frozen=True)
class _Text:
    """The text of the file, which knows where what is wrong stands."""

    file: str
    text: str

    def line(self, where: Where, found: str) -> int | None:
        """Line of a key, and of what was found there; or of the head of its table."""
        (table, place, key), now, seen, at = where, "", -1, None
        lines = self.text.splitlines()
        begins = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[.=]" if key else "$^")
        for number, line in enumerate(lines, 1):
            head = HEAD.match(line)
            now = head[1] if head else now
            seen += bool(head) and now == table
            if table and seen != place:
                continue
            if now == f"{table}.{key}".strip(".") or (now == table and begins.match(line)):
                rest = enumerate(lines[number - 1 :], number)
                return next((at for at, one in rest if found in one), number)
            at = number if head and now == table else at
        return at

    def wrong(self, where: Where, message: str, found: str = "") -> ReadError:
        """An error of the file, at the line of a key."""
        line = self.line(where, found)
        shown = self.text.splitlines()[line - 1] if line else ""
        return wrong(self.file, line, message, shown, "WrongOption")

    def unknown(self, where: Where, known: Iterable[str]) -> ReadError:
        """The same for a key that is none."""
        *first, last = get_close_matches(where[2][:60], known, 3, 0)
        what = f"no option of tapviz {where[0] or ', '.join(STEPS)}"
        message = f"{where[2][:60]}: {what}: did you mean {', '.join(first)} or {last}?"
        return self.wrong(where, message)

    def refused(self, where: Where, error: ValueError) -> ReadError:
        """The same for what the command refuses."""
        return self.wrong(where, f"[{where[0]}]: {'; '.join(explain(error, FLAGS))}")


class _Step(NamedTuple):
    """A command to run, as a table of the file asks for it."""

    where: Where
    arguments: list[str]
    """Those of the command line."""
    given: Given
    """What the parser made of them."""
    made: list[str]
    """Files and folders that it makes."""

    @property
    def name(self) -> str:
        """What is said of it, and noted."""
        return ", ".join(self.made)

    def hangs_on(self) -> str:
        """Hash of options, inputs and versions."""
        files, options = inputs_of(dict(self.given))
        read = inputs(files, options, self.given.get(BASELINE, ""))
        return hashlib.sha256(repr((self.arguments, read, versions())).encode()).hexdigest()

    def state(self, hangs_on: str) -> dict[str, object]:
        """What is noted when it is made, and found again as long as nothing changed."""
        return {"of": hangs_on, "made": [one for file in self.made for one in hashes(file)]}

    def run(self) -> int:
        """Run it, and return its exit code."""
        for file in self.made:
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        with redirect_stdout(StringIO()):  # of what is made, which is said below
            return COMMANDS[self.where[0]].run(dict(self.given)) or 0


def _texts(value: object) -> list[str]:
    """A value, or each of several, as the command line has it."""
    if isinstance(value, dict):
        return [f"{name}={text}" for name, one in value.items() for text in _texts(one)]
    values = value if isinstance(value, list) else [value]
    if not all(isinstance(one, str | int | float) and not isinstance(one, bool) for one in values):
        found = json.dumps(value, default=str)[:40]
        raise ValueError(f"expected a text, a number, or several of them, found {found}")
    return [*map(str, values)]


def _arguments(action: argparse.Action, value: object) -> list[str]:
    """An option with a value, as the command line has it."""
    flag = max(action.option_strings, key=len, default="")
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise ValueError(f"expected true or false, found {json.dumps(value, default=str)[:40]}")
        return [flag] * value
    texts = _texts(value)
    if not flag:
        return texts
    again = isinstance(action, argparse._AppendAction)  # noqa: SLF001  # nothing else tells
    return [f"{flag}={text}" for text in (texts if again else [",".join(texts)])]


def _key(action: argparse.Action) -> str:
    """What the file calls an option: its flag without dashes."""
    return max(action.option_strings, key=len, default=action.dest).strip("-").replace("-", "_")


def _steps(text: _Text) -> list[_Step]:
    """What the file asks for, checked as far as that is possible before anything is made."""
    from tapviz.cli import parser_of  # noqa: PLC0415  # which has this command, too

    content, (_, parsers) = toml_of(text.text, text.file), parser_of()
    tables = [
        (called, place, table)
        for called, own in content.items()
        if called in STEPS
        for place, table in enumerate(own if isinstance(own, list) else [own])
    ]
    keys = {
        called: {_key(one): one for one in parsers[called]._actions if one.dest not in NO_KEYS}  # noqa: SLF001
        for called in STEPS
    }
    shared = {name: value for name, value in content.items() if name not in STEPS}
    known = {key for own in keys.values() for key in own}
    for name, value in shared.items():
        is_table = isinstance(value, dict)
        # scores is an option, too, whose value is not a table.
        if name.replace("-", "_") not in known or (is_table and name.rstrip("s") in STEPS):
            raise text.unknown(("", 0, name), [*([FILES] if is_table else known), *STEPS])
    if not tables:
        raise wrong(text.file, None, f"expected a table for each output: {', '.join(STEPS)}")
    steps: list[_Step] = []
    for called, place, table in tables:
        if not isinstance(table, dict):
            raise text.wrong(("", 0, called), f"{called}: expected a table, as [{called}]")
        own = keys[called]
        for name in table:
            if name.replace("-", "_") not in own:
                raise text.unknown((called, place, name), own)
        panels = str((shared | table).get("panels")) if called == "figure" else ""
        # A list of several, or a text: these have titles of their own.
        handed = {name: one for name, one in shared.items() if name != "title" or "," not in panels}
        said = [(("", 0, name), value) for name, value in handed.items()]
        said += [((called, place, name), value) for name, value in table.items()]
        values = {key: one for one in said if (key := one[0][2].replace("-", "_")) in own}
        steps.append(_step(text, parsers[called], own, values, (called, place, "")))
        made = [file for step in steps for file in step.made]
        around = (Path.cwd(), *Path.cwd().parents)
        if folder := next((file for file in made if Path(file).resolve() in around), ""):
            raise text.wrong(steps[-1].where, f"{folder}: give a folder of its own", folder)
        kept = {Path(one).resolve() for one in (Path(text.file).name, _note_of(text.file))}
        if own_file := next((file for file in made if Path(file).resolve() in kept), ""):
            message = f"{own_file}: tapviz run keeps this file itself: write to another one"
            raise text.wrong(steps[-1].where, message, own_file)
        if twice := next((file for file in made if made.count(file) > 1), ""):
            raise text.wrong(steps[-1].where, f"{twice} is made twice", twice)
        _check_files(text, steps[-1], values, made)
    return steps


def _step(
    text: _Text, parser: argparse.ArgumentParser, own: Keys, values: Values, where: Where
) -> _Step:
    """A step with such values of its options."""
    for key in [FILES, *(key for key, one in own.items() if one.required)]:
        if key not in values:
            raise text.wrong(where, f"[{where[0]}]: give {key}: {own[key].help}")
    arguments = []
    for key, (of, value) in sorted(values.items(), key=lambda one: one[0] != FILES):
        try:
            arguments += _arguments(own[key], value)
        except ValueError as error:
            raise text.wrong(of, f"[{where[0]}] {key}: {error}") from None
    parser.exit_on_error = False
    try:
        given = vars(parser.parse_args(arguments))
    except argparse.ArgumentError as error:
        flags = error.argument_name
        key = next(key for key, one in own.items() if "/".join(one.option_strings) == flags)
        of, value = values[key]
        but = f"; if this takes one value, give it below [{where[0]}]"
        message = f"[{where[0]}] {key}: {error.message}{but * isinstance(value, list)}"
        raise text.wrong(of, message) from None
    given["line"] = shlex.join(["tapviz", where[0], *arguments])
    made = [str(Path(one)) for one in outputs_of(given)]
    if not made or "-" in made:
        known = {one.dest for one in own.values()}
        outputs = " or ".join(name for name in OUTPUTS if name in known)
        raise text.wrong(where, f"[{where[0]}]: give a file: {outputs}")
    return _Step(where, arguments, given, made)


def _check_files(text: _Text, step: _Step, values: Values, made: Sequence[str]) -> None:
    """Raise ReadError unless every file that is to be read is there, or made, and options fit."""
    for key in [*FILE_OPTIONS, FILES, *([BASELINE] if step.where[0] == "score" else [])]:
        where = values.get(key, (step.where, ""))[0]
        given = step.given.get(key) or []
        for one in given if isinstance(given, list) else [given]:
            try:
                found = [each.file for each in files_of(one)] if key == FILES else [one]
            except ValueError as error:
                raise text.wrong(where, f"{key}: {error}", one.partition("=")[2]) from None
            for file in found:
                if str(file) not in made and not Path(str(file)).exists():
                    message = f"{key}: there is no such file or folder: {file}"
                    raise text.wrong(where, message, str(file))
    try:
        check_outputs(step.given)
        inputs_of(dict(step.given))
    except ValueError as error:
        raise text.refused(step.where, error) from None


def _note_of(file: str) -> str:
    """Name of what is noted of the runs of a file, beside it."""
    return f".{Path(file).name}.json"


def _noted(file: str) -> dict[str, object]:
    """What is noted of earlier runs, by step; nothing, if that cannot be relied on."""
    if not Path(file).exists():
        return {}
    try:
        found = json_of(text_of(file), file)
        if found["format"] != FORMAT:
            raise KeyError(FORMAT)
        return dict(found["made"])
    except (ValueError, LookupError, TypeError):
        say(f"{coloured('warning:', YELLOW)} {file} is damaged: everything is made again")
        return {}


def _add_file(parser: Options) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        default=USUAL,
        metavar="FILE",
        help=f"TOML file that says what to make from which files (default: {USUAL})",
    )


@command(
    "make what a file asks for: scores, a gate, reports, a leaderboard",
    "Make the outputs that a file asks for, a table for each, such as [score] and [report]; "
    "keys are the options of these commands, and those above the tables are for all. What did "
    "not change since is not made again.",
    (_add_file,),
)
def _run(given: Given) -> int:
    file, code = given.pop("file"), 0
    text, note = _Text(file, text_of(file)), _note_of(file)
    with chdir(Path(file).parent):
        open_once.cache_clear()  # whose files were those of another folder
        steps, noted = _steps(text), _noted(note)
        noted = {step.name: noted[step.name] for step in steps if step.name in noted}
        for step in steps:
            began, hangs_on = monotonic(), step.hangs_on()
            if noted.get(step.name) == step.state(hangs_on):
                print(f"{step.name}: up to date", flush=True)
                continue
            noted.pop(step.name, None)
            try:
                failed = step.run()
            except ReadError:
                raise
            except ValueError as error:
                raise text.refused(step.where, error) from None
            code = max(code, failed)
            if not failed:  # or else it is checked again, and told
                noted[step.name] = step.state(hangs_on)
            write_atomically(note, json.dumps({"format": FORMAT, "made": noted}, indent=1))
            print(f"{step.name}: made in {monotonic() - began:.1f} s", flush=True)
    return code
