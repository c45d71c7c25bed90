"""The commands that tell what there is: formats, and what a shell completes."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from tapviz.cli.flags import Given, command, declared, flag, take
from tapviz.files.options import options_of
from tapviz.readers import FORMATS, ReadOptions

ZSH = "autoload -Uz bashcompinit && bashcompinit\n"


@dataclass(frozen=True, kw_only=True)
class _Shell:
    shell: str = flag("whose commands are printed", choices=("bash", "zsh", "fish"), default="bash")


def script(parsers: Mapping[str, argparse.ArgumentParser], shell: str) -> str:
    """Commands of a shell that complete commands, options and their values; else files.

    Parameters
    ----------
    parsers : mapping of str to ArgumentParser
        By command.
    shell : {"bash", "zsh", "fish"}
    """
    flags = {
        name: [flag for flag in one._actions if flag.option_strings]  # noqa: SLF001  # no other list
        for name, one in parsers.items()
    }
    if shell == "fish":
        begin = "complete -c tapviz -n __fish_use_subcommand -f"
        said = {name: _said(one.description) for name, one in parsers.items()}
        lines = [f"{begin} -a {name} -d '{text}'" for name, text in said.items()]
        lines += [_fish(name, flag) for name, own in flags.items() for flag in own]
        return "\n".join(lines) + "\n"
    choices = [
        f"        '{name} {text}') words='{' '.join(map(str, flag.choices))}' ;;"
        for name, own in flags.items()
        for flag in own
        if flag.choices
        for text in flag.option_strings
    ]
    options = [
        f"            {name}) words='{' '.join(' '.join(flag.option_strings) for flag in own)}' ;;"
        for name, own in flags.items()
    ]
    body = files("tapviz.cli").joinpath("completion.bash").read_text("utf-8")
    text = body.format(
        choices="\n".join(choices), options="\n".join(options), commands=" ".join(parsers)
    )
    return ZSH + text if shell == "zsh" else text


def _fish(command: str, flag: argparse.Action) -> str:
    """What completes an option, and its values."""
    parts = [f"-n '__fish_seen_subcommand_from {command}'"]
    parts += [
        f"-l {text[2:]}" if text.startswith("--") else f"-s {text[1:]}"
        for text in flag.option_strings
    ]
    if flag.choices:
        parts.append(f"-x -a '{' '.join(map(str, flag.choices))}'")
    return f"complete -c tapviz {' '.join(parts)} -d '{_said(flag.help)}'"


def _said(text: str | None) -> str:
    """The beginning of a help, for the quotes of a shell."""
    begin = re.split(r";| \(default", text or "")[0]
    return begin.replace("%%", "%").translate({ord(c): None for c in "\\'"})


@command("list the formats of files that are read", "List the formats that are read.")
def _formats(_: Given) -> None:
    for name, one in FORMATS.items():
        sample = "\n".join(f"    {line}" for line in one.sample.splitlines())
        takes = ", ".join(options_of(ReadOptions)[option].flag for option in one.needs)
        print(f"{name}: {one.title}\n  written by {one.programs}\n{sample}\n  takes {takes}\n")


@command(
    "print what completes commands in a shell",
    "Print commands of a shell that complete those of tapviz: "
    'eval "$(tapviz completion --shell bash)" in .bashrc; tapviz completion --shell fish | '
    "source in config.fish.",
    (declared(_Shell),),
    is_brief=True,
)
def _completion(given: Given) -> None:
    from tapviz.cli import parser_of  # noqa: PLC0415  # which has this command, too

    print(script(parser_of()[1], take(given, _Shell).shell), end="")
