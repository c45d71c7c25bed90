"""Where the reader of the lesson is, and what they predicted, moved and saw. No Panel here."""

from __future__ import annotations

from typing import Any, NamedTuple

import param

from tapviz.lesson.lists import E0, two_lists
from tapviz.lesson.numbers import (
    LONGEST,
    Tries,
    crossing,
    curves,
    dominant,
    left_out,
    random_tries,
)

SCENES = (
    "look",
    "alone",
    "predict",
    "merge",
    "scale",
    "add",
    "build",
    "errors",
    "loose",
    "real",
    "influence",
    "end",
)
"""The scenes, in their order."""

QUESTIONS = {
    "look": ("favourite",),
    "predict": ("pooled",),
    "scale": ("moves",),
    "add": ("direction",),
    "errors": ("mean", "median"),
    "loose": ("shape",),
    "real": ("real",),
    "end": ("report",),
}
"""What the reader predicts in a scene, before the truth is computed for the page."""

ACTS = {
    "look": ("a_at", "b_at"),
    "alone": ("n",),
    "scale": ("c",),
    "add": ("copies",),
    "build": ("e0",),
    "loose": ("sweep",),
}
"""What the reader must have moved in a scene before it is done."""

TELLING: dict[str, dict[str, Any]] = {
    "look": {"a_at": 468, "b_at": 95},
    "alone": {"n": 280},
    "scale": {"c": 0.02},
    "add": {"copies": 49},
    "build": {"e0": E0},
    "loose": {"sweep": 100.0},
}
"""Where "show me" moves what the reader has not moved."""

MIN_TRIES = 3
"""Tries to get mean TAP outside its parts before the scene is done."""
RANDOM_TRIES = 200


class Answer(NamedTuple):
    """What the reader predicted."""

    prediction: float | str | None
    """None if they skipped it."""
    why: str = ""


class Progress(param.Parameterized):
    """The state of one reader's lesson; it lives as long as their session.

    Next opens once a scene is done: the reader has predicted and acted, or skipped it. Going back
    changes nothing else.

    Examples
    --------
    >>> progress = Progress()
    >>> progress.go(2)  # not yet: nothing happens
    >>> progress.show_me()
    >>> progress.next()
    >>> progress.scene
    'alone'
    """

    place = param.Integer(
        default=0, bounds=(0, len(SCENES) - 1), doc="Number of the scene, from 0."
    )
    furthest = param.Integer(default=0, doc="The last scene that has been opened.")

    a_at = param.Integer(default=1, bounds=(1, 567), doc="Present record of list A.")
    b_at = param.Integer(default=1, bounds=(1, 1010), doc="Present record of list B.")
    n = param.Integer(default=1, bounds=(1, LONGEST), doc="Errors of ROC_n of each list alone.")
    f = param.Integer(
        default=1, bounds=(1, LONGEST), doc="Errors up to which the merged list is read."
    )
    c = param.Number(default=1.0, bounds=(0.02, 1.0), doc="Power that B's E-values are raised to.")
    copies = param.Integer(default=1, bounds=(1, 99), doc="Good queries beside the bad one.")
    e0 = param.Number(default=1e-100, bounds=(1e-180, 10.0), doc="Threshold on the two lists.")
    group = param.Integer(default=1, bounds=(1, 99), doc="Good queries in the group that is tried.")
    n_queries = param.Integer(default=1_000_000, bounds=(1, 1_000_000), doc="Queries of the user.")
    n_errors = param.Integer(default=2_000_000, bounds=(0, 2_000_000), doc="Errors of one of them.")
    sweep = param.Number(default=1e-10, bounds=(1e-50, 100.0), doc="Threshold on the real lists.")
    real_at = param.Integer(default=1, bounds=(1, None), doc="Present record of the real pair.")
    away = param.String(default="", doc="Query that is left out; none if empty.")

    answers = param.Dict(default={}, doc="Answer to each question that has been answered.")
    checks = param.Dict(default={}, doc="Option chosen in each self-check.")
    revealed = param.Parameter(default=frozenset(), doc="Scenes whose truth has been shown.")
    moved = param.Parameter(default=frozenset(), doc="What the reader has moved.")
    skipped = param.Parameter(default=frozenset(), doc="Scenes whose prediction they skipped.")
    tried = param.Parameter(default=(), doc="Queries that have been left out, in order.")
    most_errors_read = param.Integer(
        default=1, doc="The most errors up to which the list has been read."
    )
    tries = param.Integer(default=0, doc="Tries to get mean TAP outside its parts.")
    drawn = param.Parameter(default=None, allow_None=True, doc="The random tries, if any.")

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        values = sorted({name for names in ACTS.values() for name in names} | {"group"})
        self.param.watch(self._has_moved, values)
        self.param.watch(self._on_errors_read, "f")
        self.param.watch(self._has_taken, "away")

    @property
    def scene(self) -> str:
        """Name of the scene."""
        return SCENES[self.place]

    def knows(self, scene: str) -> bool:
        """Whether the truth of a scene may be shown."""
        return scene in self.revealed

    def answer(self, question: str) -> Answer | None:
        """What the reader predicted; None if nothing so far."""
        found: Answer | None = self.answers.get(question)
        return found

    def predict(self, question: str, prediction: float | str, why: str | None = None) -> None:
        """Place or move a prediction; once the truth has been shown, it stays.

        Parameters
        ----------
        question : str
        prediction : float or str
        why : str, optional
            The reason in one line; by default, that given before.

        Raises
        ------
        KeyError
            If there is no such question.
        """
        scene = next((s for s, asked in QUESTIONS.items() if question in asked), None)
        if scene is None:
            raise KeyError(question)
        if self.knows(scene):
            return
        before = self.answer(question)
        given = why if why is not None else before.why if before is not None else ""
        self.answers = {**self.answers, question: Answer(prediction, given)}
        if scene in ("look", "end"):  # there is no number to hold back
            self.revealed |= {scene}

    def can_reveal(self) -> bool:
        """Whether everything asked in this scene is predicted, and not shown yet."""
        asked = QUESTIONS.get(self.scene, ())
        return (
            bool(asked)
            and not self.knows(self.scene)
            and all(question in self.answers for question in asked)
        )

    def reveal(self) -> None:
        """Show the truth, if everything is predicted."""
        if self.can_reveal():
            self.revealed |= {self.scene}

    def done(self, scene: str | None = None) -> bool:
        """Whether a scene (by default, this one) has been acted in, so that Next is open."""
        scene = scene or self.scene
        if QUESTIONS.get(scene) and not self.knows(scene):
            return False
        if scene in self.skipped:
            return True
        if scene == "merge":
            return bool(self.most_errors_read >= meeting())
        if scene == "build":
            return bool("e0" in self.moved and self.tries >= MIN_TRIES)
        if scene == "influence":
            return str(left_out().query[dominant(left_out())]) in self.tried
        return bool(set(ACTS.get(scene, ())) <= self.moved)

    def show_me(self) -> None:
        """Do for the reader what they have not done here; it counts as skipped, not as failed."""
        scene = self.scene
        if self.done():
            return
        missing = [q for q in QUESTIONS.get(scene, ()) if q not in self.answers]
        changes: dict[str, Any] = {
            name: value for name, value in TELLING.get(scene, {}).items() if name not in self.moved
        }
        if scene == "merge":
            changes["f"] = meeting()
        if scene == "influence":
            changes["away"] = str(left_out().query[dominant(left_out())])
        self.param.update(
            answers={**self.answers, **dict.fromkeys(missing, Answer(None))},
            revealed=self.revealed | ({scene} if scene in QUESTIONS else set()),
            skipped=self.skipped | {scene},
            **changes,
        )

    def check(self, scene: str, option: str) -> None:
        """Answer the self-check of a scene; it may be answered again."""
        self.checks = {**self.checks, scene: option}

    def try_at_random(self) -> Tries:
        """Draw more groups of real queries, and count how often a score is outside its parts."""
        before = self.drawn or Tries(0, 0, 0)
        found = random_tries(RANDOM_TRIES, before.tries)
        total = Tries(*(a + b for a, b in zip(before, found, strict=True)))
        self.param.update(drawn=total, tries=self.tries + found.tries)
        return total

    def next(self) -> None:
        """Go on, if this scene is done."""
        if self.done() and self.place < len(SCENES) - 1:
            self.go(self.place + 1, opened=True)

    def back(self) -> None:
        """Go back by one scene; nothing is lost."""
        self.go(max(self.place - 1, 0))

    def go(self, place: int, *, opened: bool = False) -> None:
        """Go to a scene, by its number from 0, that has been opened before.

        Parameters
        ----------
        place : int
        opened : bool
            Whether it is opened now.
        """
        if 0 <= place <= self.furthest or opened:
            self.param.update(place=place, furthest=max(place, self.furthest))

    def _has_moved(self, *events: Any) -> None:
        self.moved |= {event.name for event in events}
        if {"e0", "group"} & {event.name for event in events} and self.scene == "build":
            self.tries += 1

    def _on_errors_read(self, event: Any) -> None:
        self.most_errors_read = max(self.most_errors_read, event.new)

    def _has_taken(self, event: Any) -> None:
        if event.new and event.new not in self.tried:
            self.tried = (*self.tried, event.new)


def meeting() -> int:
    """First error at which the merged list has found as much as the worse of its parts."""
    return crossing(curves(two_lists()))
