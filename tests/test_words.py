"""Words that readers stumbled over do not come back: in the package, pages or documents."""

import ast
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# What was once said, and is said better now.
OLD = (
    "less that of",
    "less pinned",
    "the others are compared with this one",
    "Who is relevant to whom",
    "what says who is relevant",
    "what unpacks to more than",
    "of long lines some",
    "Show the order by k",
    "a few queries may decide a pooled score",
    "have their error no.",
    "promises as many errors per query",
    "that are not listed share the rest",
    "looked at closely",
    "at least this share of queries has",
    "mean recall reached at",
    "Beware",
    "equal scores matter",
    "column to judge by",
    "as usual; or",
    "columns of one's own",
    "of which 3, 11 and 12 are numbers",
    "Fewer than 0.5 of",
    "say direction=",
    "grey lines: all",
    "own mean",
    "do not stand together",
    "nobody can tell whether",
    "be it with mistakes",
    "what gzip, zstd or bzip2 made small",
    "exchange queries and records",
    "nothing lies between",
    "people without a mouse or eyes",
    "search for garbage",
    "Pour the two lists",
    "Pour both together",
    "errors poured out",
    "I would rather get",
    "agrees with your eye",
    "You had it shown",
    "One expects that the score of two searches",
    "until the merged curve is not below",
    "calls them the worst",
    "once more that at",
    "get mean TAP outside its parts",
    "the mean is nobody's",
    "You may try for ever",
    "TAP can rise for ever",
    "what is found only rises",
    "Take away",
    "What you said, and what is",
    "Up, blue, R: relevant",
    "Give a number from",
    "Not so.",
    "calls fifty searches the worst",
    "Find more in my data",
)
PLACES = ("tapviz", "apps", "docs", "notebooks", "README.md")
MADE = ("_build", "_generated", "generated", "jupyter_execute")
KINDS = (".py", ".md", ".html", ".js", ".css", ".ipynb", ".toml")


def files():
    found = [ROOT / place for place in PLACES]
    inside = [
        path for place in found for path in ([place] if place.is_file() else place.rglob("*"))
    ]
    return [
        path
        for path in sorted(inside)
        if path.suffix in KINDS and not set(MADE) & set(path.relative_to(ROOT).parts)
    ]


def said(path):
    """What stands in a file, strings of Python put together, in one line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        text = "\n".join("".join(cell["source"]) for cell in json.loads(text)["cells"])
    if path.suffix == ".py":
        constants = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)]
        strings = [node.value for node in constants if isinstance(node.value, str)]
        comments = (line.partition("#")[2] for line in text.splitlines())
        text = " | ".join([*strings, *comments])
    return re.sub(r"\s+", " ", text)


def test_what_is_walked_is_there():
    walked = files()
    for name in ("tapviz/scores/words.py", "tapviz/page/templates/drop.html", "docs/start.md"):
        assert ROOT / name in walked
    assert ROOT / "tapviz" / "lesson" / "words" in {path.parent for path in walked}
    assert {path.suffix for path in walked} >= {".ipynb", ".js", ".md"}


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_word_that_readers_stumbled_over_is_back(path):
    text = said(path)
    assert not [old for old in OLD if old in text]
