"""Count the lines of code of the package, by room, and compare them with what CHANGELOG.md says.

    python scripts/code_lines.py

Docstrings, comments and blank lines do not count, nor do bundles, which are made of other files.
Exit code 1 if there is more code than the newest version that says how much it has at most: a
release that grows has to say so.
"""

from __future__ import annotations

import ast
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAID = re.compile(r"at most ([\d,]+) lines of Python and ([\d,]+) of JavaScript code")


def python_lines(path: Path) -> int:
    """Lines of a Python file with code on them.

    Parameters
    ----------
    path : Path

    Returns
    -------
    int
    """
    source = path.read_text(encoding="utf-8")
    texts = {
        line
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    none = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    with path.open("rb") as file:
        code = {
            line
            for token in tokenize.tokenize(file.readline)
            if token.type not in (*none, tokenize.ENCODING, tokenize.ENDMARKER)
            for line in range(token.start[0], token.end[0] + 1)
        }
    filled = {number for number, line in enumerate(source.splitlines(), 1) if line.strip()}
    return len((code & filled) - texts)


def script_lines(path: Path) -> int:
    """Lines of a JavaScript file that are neither blank nor a comment.

    Parameters
    ----------
    path : Path

    Returns
    -------
    int
    """
    lines = map(str.strip, path.read_text(encoding="utf-8").splitlines())
    return sum(bool(line) and not line.startswith(("//", "/*", "*")) for line in lines)


COUNTED = {"Python": ("*.py", python_lines), "JavaScript": ("*.js", script_lines)}


def by_room(package: Path) -> Mapping[str, Counter[str]]:
    """Lines of code of each language and room.

    Parameters
    ----------
    package : Path
        The folder of the package.

    Returns
    -------
    mapping of str to Counter
    """
    return {
        language: Counter(
            {
                room.name: sum(
                    count(path) for path in room.rglob(pattern) if path.parent.name != "bundles"
                )
                for room in package.iterdir()
                if room.is_dir() and room.name != "data"
            }
        )
        + Counter({"tapviz itself": sum(map(count, package.glob(pattern)))})
        for language, (pattern, count) in COUNTED.items()
    }


def most(changelog: str) -> list[int] | None:
    """How much code the newest version of a changelog has at most, or None if none says so.

    Parameters
    ----------
    changelog : str

    Returns
    -------
    list of int, or None
        Lines of Python and of JavaScript.

    Examples
    --------
    >>> most("It has at most 31,000 lines of Python and 3,200 of JavaScript code.")
    [31000, 3200]
    """
    said = SAID.search(" ".join(changelog.split()))
    return [int(number.replace(",", "")) for number in said.groups()] if said else None


def main() -> int:
    """Print the counts; 1 if there is more than was said."""
    allowed = most((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    if allowed is None:
        print("CHANGELOG.md does not say how many lines of code there are at most", file=sys.stderr)
        return 1
    grown = False
    for (language, rooms), limit in zip(by_room(ROOT / "tapviz").items(), allowed, strict=True):
        total = sum(rooms.values())
        each = ", ".join(f"{room} {lines:,}" for room, lines in rooms.most_common())
        print(f"{language}: {total:,} lines of code, at most {limit:,}: {each}")
        grown |= total > limit
    if grown:
        print("more code than CHANGELOG.md says: make it lighter, or say so there", file=sys.stderr)
    return int(grown)


if __name__ == "__main__":
    sys.exit(main())
