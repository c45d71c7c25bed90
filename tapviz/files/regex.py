"""Regular expressions that anybody may write: the time they take is bounded.

Accepted is what `re` and RE2 both know and mean alike. RE2, which comes with Arrow, matches it in a
time proportional to the text; what that cannot do, such as backreferences, is refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from pyarrow import compute

from tapviz.files.small import whole

MAX_SIZE = 1000
"""Characters of an expression, as it is and with its repetitions written out."""
MAX_WORK = 10_000_000_000
"""Those, times the bytes it is searched in: at worst 50 ns each, mostly a thousandth of that."""

TOKEN = re.compile(
    r"""
      (?P<escape> \\ .? )
    | (?P<set> \[ \^? \]? (?: \\. | [^]\\] )* \] )
    | (?P<group> \( (?! \? ) | \(\?P<[A-Za-z_]\w*> )
    | (?P<plain_group> \(\?: )
    | (?P<other_group> \(\? (?: P? [=(>\#] | <[=!] | . )? )
    | (?P<end> \) )
    | (?P<possessive> (?: [*+?] | \{ [0-9]+ ,? [0-9]* \} ) \+ )
    | (?P<repeat> [*+?] | \{ (?: [0-9]+ ,? [0-9]* | ,[0-9]* ) \} )
    | (?P<character> . )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
ESCAPED = frozenset("AbBdDwWsStnrfva")
"""Letters with a meaning after a backslash; all else but letters and digits means itself."""
REFUSED = {
    **dict.fromkeys(("(?=", "(?!"), "look-ahead"),
    **dict.fromkeys(("(?<=", "(?<!"), "look-behind"),
    "(?P=": "backreference",
    "(?(": "condition",
    "(?>": "atomic group",
}


class RegexError(ValueError):
    """An expression that cannot be used; the message goes on after "it is"."""


class Regex:
    r"""A regular expression.

    Parameters
    ----------
    text : str
        ``\w``, ``\d``, ``\s`` and ``\b`` know ASCII only; ``$`` is the very end.
    ignore_case : bool
    max_work : int
        Its size, repetitions written out, times the bytes it may be searched in.

    Raises
    ------
    RegexError
        If it is none, is not supported, or is too large.

    Examples
    --------
    >>> from tapviz.files.regex import Regex
    >>> Regex("^d[0-9]").found_in(["d1abc", "decoy7"])
    array([ True, False])
    >>> Regex("^([a-z]+)/").first_group(["globin/12", "12"])
    ['globin', '']
    >>> Regex(r"(a)\1")
    Traceback (most recent call last):
        ...
    tapviz.files.regex.RegexError: not supported because of its backreference, \1
    """

    def __init__(self, text: str, *, ignore_case: bool = False, max_work: int = MAX_WORK) -> None:
        self._max_work = max_work
        if len(text) > MAX_SIZE:
            _refuse(f"too long: it has more than {MAX_SIZE:,} characters")
        flag = "(?i)" if ignore_case or text.startswith("(?i)") else ""
        found = TOKEN.finditer(text.removeprefix("(?i)"))
        tokens = [(str(token.lastgroup), token[0]) for token in found]
        for kind, token in tokens:
            _check_supported(kind, token)
        self._size = _size(tokens)
        self._expression = flag + _with_one_group(tokens)
        try:
            self.first_group([])  # so that it is compiled
        except UnicodeEncodeError:
            _refuse("not text")
        except pa.ArrowInvalid as error:
            why = str(error).rpartition("expression: ")[2]
            _refuse("too large" if "too large" in why else f"not a regular expression ({why})")

    def found_in(self, texts: Iterable[str]) -> NDArray[np.bool_]:
        """Whether the expression is found in each text.

        Raises
        ------
        RegexError
            If that might take too long.
        """
        found = self._run(compute.match_substring_regex, texts)
        return np.asarray(found.to_numpy(zero_copy_only=False), np.bool_)

    def first_group(self, texts: Iterable[str]) -> list[str]:
        """What the first group finds in each text, or, without groups, the whole expression.

        Empty where there is nothing.

        Raises
        ------
        RegexError
            If that might take too long.
        """
        found = self._run(compute.extract_regex, texts).to_pylist()
        return [one["first"] if one else "" for one in found]

    def _run(self, function: Callable[..., pa.Array], texts: Iterable[str]) -> pa.Array:
        array = pa.array(texts, pa.large_string())
        n_bytes = compute.sum(compute.binary_length(array)).as_py() or 0
        if n_bytes * self._size > self._max_work:
            _refuse(f"too large to be searched for in {n_bytes:,} bytes of ids: shorten it")
        return function(array, self._expression)


def _check_supported(kind: str, part: str) -> None:
    """Refuse what RE2 does not know, or knows otherwise."""
    if part == "\\":
        _refuse("not a regular expression (a backslash at the end)")
    if kind == "character" and part == "[":
        _refuse("not a regular expression (missing bracket)")
    if kind in ("escape", "set"):
        if kind == "set" and "[:" in part[1:]:
            _refuse_part("named set", "[:")
        for letter in ESCAPE.findall(part):
            if letter.isdigit():
                _refuse_part("backreference", f"\\{letter}")
            if letter.isalpha() and letter not in ESCAPED:
                _refuse_part("escape", f"\\{letter}")
    elif kind == "other_group":
        _refuse_part(REFUSED.get(part, "group"), part)
    elif kind == "possessive":
        _refuse_part("possessive repetition", part)


def _size(tokens: Sequence[tuple[str, str]]) -> int:
    """Characters for which the expression stands, with its repetitions written out."""
    groups: list[list[int]] = [[]]  # sizes of the parts of each group that is open
    for kind, token in tokens:
        if kind in ("group", "plain_group"):
            groups.append([])
        elif kind == "repeat":
            if groups[-1]:
                groups[-1][-1] *= max([1, *map(whole, re.findall("[0-9]{1,18}", token))])
        elif kind != "end":
            groups[-1].append(1)
        elif len(groups) > 1:
            inside = sum(groups.pop())
            groups[-1].append(max(inside, 1))
        else:
            _refuse("not a regular expression (unexpected parenthesis)")
    if len(groups) > 1:
        _refuse("not a regular expression (missing parenthesis)")
    size = max(sum(groups[0]), 1)
    if size > MAX_SIZE:
        _refuse(f"too large: its repetitions stand for more than {MAX_SIZE:,} characters")
    return size


def _with_one_group(tokens: Sequence[tuple[str, str]]) -> str:
    """The expression for RE2, with one group, which is called first."""
    groups = [place for place, (kind, _) in enumerate(tokens) if kind == "group"]
    parts = [token for _, token in tokens]
    for place, (kind, token) in enumerate(tokens):
        if kind == "group":
            parts[place] = "(?P<first>" if place == groups[0] else "(?:"
        elif kind == "repeat" and token.startswith("{,"):
            parts[place] = "{0" + token[1:]
    expression = "".join(parts)
    return expression if groups else f"(?P<first>{expression})"


def _refuse_part(what: str, part: str) -> NoReturn:
    _refuse(f"not supported because of its {what}, {part}")


def _refuse(why: str) -> NoReturn:
    raise RegexError(why)
