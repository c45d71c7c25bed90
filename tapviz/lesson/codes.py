"""A student's predictions as a short code, which can be read aloud, typed and pasted.

A code is two characters for the questions it answers (their *edition*), then one number in base 32.
The number holds the position of each answer, question after question, and is a multiple of 1021:
with one character mistyped, or two exchanged, it no longer is. `codes.js` does the same in a
browser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from math import floor, prod
from typing import NamedTuple

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that looks like a digit, and no U."""
DIGITS = str.maketrans(ALPHABET, "0123456789abcdefghijklmnopqrstuv")
"""To the digits of base 32 as `int` reads them."""
ALIKE = str.maketrans("OIL", "011", " -")
"""What is read as something else, or not at all."""
CHECK = 1021
"""A prime, so that no slip of one character is a multiple of it; the largest below 32 x 32."""
GROUP = 4


class Question(NamedTuple):
    """A prediction that a code holds: one of several options, or a number if there are none."""

    name: str
    options: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    step: float = 0.01

    @property
    def positions(self) -> int:
        """How many different answers there are, skipping the question included."""
        if self.options:
            return len(self.options) + 1
        return round((self.high - self.low) / self.step) + 2


def edition(questions: Sequence[Question]) -> str:
    """Two characters that differ, most likely, where the questions or their answers do."""
    told = json.dumps([[q.name, q.options, q.low, q.high, q.step] for q in questions])
    number = int.from_bytes(sha256(told.encode()).digest()[:2]) % 32**2
    return _written(number, 2)


def length(questions: Sequence[Question]) -> int:
    """Characters of a code, hyphens not counted."""
    largest = CHECK * (prod(q.positions for q in questions) - 1)
    return 2 + max(1, -(-largest.bit_length() // 5))


def encode(questions: Sequence[Question], predictions: Mapping[str, float | str | None]) -> str:
    """Code of what a student predicted.

    Parameters
    ----------
    questions : Sequence of Question
    predictions : Mapping
        An option or a number for the name of each question; None, or nothing, if it was skipped.
        A number is rounded to the question's step.

    Returns
    -------
    str
        Groups of four characters with hyphens between them.

    Raises
    ------
    ValueError
        If an option is unknown, or a number out of range.

    Examples
    --------
    >>> from tapviz.lesson.codes import Question, decode, encode
    >>> questions = [Question("list", ("A", "B")), Question("score")]
    >>> encode(questions, {"list": "B", "score": 0.58})
    'EP86-7B'
    >>> decode(questions, "ep86 7b")
    {'list': 'B', 'score': 0.58}
    """
    number = 0
    for question in questions:
        number = number * question.positions + _position(question, predictions.get(question.name))
    text = edition(questions) + _written(number * CHECK, length(questions) - 2)
    return "-".join(text[i : i + GROUP] for i in range(0, len(text), GROUP))


def decode(questions: Sequence[Question], code: str) -> dict[str, float | str | None]:
    """What a student predicted, by the name of each question; None where they skipped it.

    Parameters
    ----------
    questions : Sequence of Question
    code : str
        In capitals or not, with spaces and hyphens anywhere.

    Raises
    ------
    ValueError
        If it is not a code of these questions, or is mistyped.

    Examples
    --------
    >>> from tapviz.lesson.codes import Question, decode
    >>> decode([Question("list", ("A", "B")), Question("score")], "EP86-7C")
    Traceback (most recent call last):
        ...
    ValueError: mistyped: compare it with the student's
    """
    text = code.upper().translate(ALIKE)
    if strange := [character for character in text if character not in ALPHABET]:
        raise ValueError(f"{strange[0]} is in no code")
    if not text.startswith(edition(questions)):
        msg = f"begins with {text[:2]}, not {edition(questions)}: mistyped, or of another lesson"
        raise ValueError(msg)
    if len(text) != length(questions):
        raise ValueError(f"has {len(text)} characters, not {length(questions)}")
    number, rest = divmod(int(text[2:].translate(DIGITS), 32), CHECK)
    if rest or number >= prod(q.positions for q in questions):
        raise ValueError("mistyped: compare it with the student's")
    found = {}
    for question in reversed(questions):
        number, position = divmod(number, question.positions)
        found[question.name] = _answer(question, position)
    return {question.name: found[question.name] for question in questions}


def _position(question: Question, answer: float | str | None) -> int:
    if answer is None:
        return 0
    if isinstance(answer, str):
        if answer not in question.options:
            msg = f"{question.name}: {answer!r} is none of {', '.join(question.options)}"
            raise ValueError(msg)
        return question.options.index(answer) + 1
    if question.options or not question.low <= answer <= question.high:
        raise ValueError(f"{question.name}: {answer} is not an answer")
    # As JavaScript rounds: a half goes up.
    return floor((answer - question.low) / question.step + 0.5) + 1


def _answer(question: Question, position: int) -> float | str | None:
    if position == 0:
        return None
    if question.options:
        return question.options[position - 1]
    return float(f"{question.low + question.step * (position - 1):.12g}")


def _written(number: int, width: int) -> str:
    return "".join(ALPHABET[number >> 5 * i & 31] for i in reversed(range(width)))
