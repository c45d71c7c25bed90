"""The teacher's page: the predictions of a class beside the answers, in one file."""

from __future__ import annotations

import json
from importlib.resources import files

from tapviz.draw.tokens import sheet
from tapviz.lesson.content import TITLE, content, questions
from tapviz.live.script import script
from tapviz.live.templates import Markup, render

__all__ = ["class_page", "questions"]


def class_page() -> str:
    """The page that reads the codes of a class and shows what was predicted; one HTML file."""
    scenes = content()["scenes"]
    about = {
        ask["question"]: {
            "scene": place,
            "title": scene["title"],
            "label": ask["label"].removesuffix(", your prediction"),
            "truth": ask["truth"],
        }
        for place, scene in enumerate(scenes, 1)
        for ask in scene["asks"]
    }
    codes = content()["codes"]
    shown = [one | about[one["name"]] for one in codes["questions"]]
    data = json.dumps(codes | {"questions": shown})
    look = files("tapviz.lesson").joinpath("class.css").read_text(encoding="utf-8")
    return render(
        "class.html",
        title=TITLE,
        style=Markup(sheet() + look),
        # Nothing in it may end the element that it stands in.
        data=Markup(data.replace("<", "\\u003c")),
        script=Markup(script("class.js", "tapviz.lesson")),
    )
