"""The predictions of a class: the teacher's page, and what a server keeps of them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from tapviz.draw.tokens import controls, sheet
from tapviz.lesson.codes import decode, encode
from tapviz.lesson.content import TITLE, content, questions
from tapviz.live.script import script, style_sheet
from tapviz.live.templates import Markup, render

__all__ = ["Predictions", "class_page", "questions"]

MOST = 1000
"""Students whose predictions are kept, whoever posts more."""
STUDENT = re.compile(r"[0-9a-f]{24}", re.ASCII)
"""What a browser calls its student: nobody's name."""


def class_page(lesson: str = "") -> str:
    """The page that shows what a class predicted; one HTML file.

    Parameters
    ----------
    lesson : str
        Address of a lesson whose predictions the page asks its server for, as they are made.
        Without one it fetches nothing, and reads the codes of students.
    """
    scenes, codes = content()["scenes"], content()["codes"]
    core = sum(not scene["more"] for scene in scenes)
    about = {
        ask["question"]: {
            "scene": f"For those who report scores, {place - core}"
            if scene["more"]
            else f"Scene {place}",
            "title": scene["title"],
            "label": ask["label"].removesuffix(", your prediction"),
            "truth": ask["truth"],
        }
        for place, scene in enumerate(scenes, 1)
        for ask in scene["asks"]
    }
    asked = [one | about[one["name"]] for one in codes["questions"]]
    return render(
        "class.html",
        title=TITLE,
        style=Markup(sheet() + controls() + style_sheet("class.css", "tapviz.lesson")),
        # Nothing in it may end the element that it stands in.
        data=Markup(json.dumps(codes | {"questions": asked}).replace("<", "\\u003c")),
        script=Markup(script("class.js", "tapviz.lesson")),
        lesson=lesson,
        collects=Markup(script("collects.js", "tapviz.lesson")),
    )


@dataclass
class Predictions:
    """What the students of a class predicted, in memory, and what is revealed to them.

    Examples
    --------
    >>> from tapviz.lesson.classroom import Predictions
    >>> of_class, ada = Predictions(), 24 * "a"
    >>> of_class.take(ada, {"pooled": 0.5})
    []
    >>> of_class.take(ada, {"pooled": 0.58})  # as often as she likes
    []
    >>> of_class.reveal("pooled")
    >>> of_class.take(ada, {"pooled": 0.1, "added": None})  # too late for one, the other is skipped
    ['pooled']
    >>> of_class.by_student
    {'aaaaaaaaaaaaaaaaaaaaaaaa': {'pooled': 0.58, 'added': None}}
    """

    by_student: dict[str, dict[str, float | str | None]] = field(default_factory=dict)
    revealed: set[str] = field(default_factory=set)

    def take(self, student: object, answers: object) -> list[str]:
        """Keep what a student predicted, in place of what they did before, until it is revealed.

        Parameters
        ----------
        student : str
            24 digits or letters from a to f, which their browser made up.
        answers : dict
            By the names of questions; None where they skipped one.

        Returns
        -------
        list of str
            The questions that are revealed.

        Raises
        ------
        ValueError
            If it is not a prediction.
        OverflowError
            If there are as many students as are kept.
        """
        if not isinstance(student, str) or not STUDENT.fullmatch(student):
            raise ValueError("expected a student, 24 digits or letters from a to f")
        asked, names = questions(), [one.name for one in questions()]
        if not isinstance(answers, dict) or not answers.keys() <= {*names}:
            raise ValueError(f"expected answers to {', '.join(names)}")
        if not all(isinstance(one, float | int | str | None) for one in answers.values()):
            raise ValueError("expected numbers and options as answers")
        exact = decode(asked, encode(asked, answers))
        if student not in self.by_student and len(self.by_student) >= MOST:
            raise OverflowError(f"there are {MOST:,} students")
        own = self.by_student.setdefault(student, {})
        own |= {name: exact[name] for name in answers if name not in self.revealed}
        return sorted(self.revealed)

    def reveal(self, question: object) -> None:
        """Reveal the answer to a question, or raise a ValueError if there is none."""
        if question not in [one.name for one in questions()]:
            raise ValueError("expected the name of a question")
        self.revealed.add(str(question))
